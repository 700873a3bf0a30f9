"""Words that say little by themselves."""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w']+", text))


#: Articles, pronouns, prepositions, conjunctions, auxiliaries, common adverbs.
FUNCTION_WORDS = _words(
    """
    a an the this that these those some any no every each either neither both all half such another
    other others same own more most much many few fewer little less least several enough
    i me my mine myself you your yours yourself yourselves he him his himself she her hers herself
    it its itself we us our ours ourselves they them their theirs themselves one ones someone
    somebody something anyone anybody anything everyone everybody everything nobody nothing none
    who whom whose which what where when why how whoever whatever whichever whenever wherever
    of in on at by for with about against between among into onto through during before after above
    below to from up down out off over under again further near across along around behind beside
    besides beyond despite except inside outside since than toward towards until upon within without
    via per as like unlike amid
    and or but nor so yet if because although though while whereas unless whether then once
    be am is are was were been being have has had having do does did doing done will would shall
    should can could may might must ought cannot can't don't doesn't didn't won't wouldn't isn't
    aren't wasn't weren't haven't hasn't hadn't couldn't shouldn't i'm you're he's she's it's we're
    they're i've you've we've they've i'll you'll he'll she'll we'll they'll i'd you'd he'd she'd
    that's there's here's what's who's let's
    not only just also too very really quite rather almost nearly even still already ever never
    always often sometimes usually here there now today soon later ago yesterday tomorrow perhaps
    maybe however therefore thus hence instead otherwise meanwhile moreover furthermore indeed well
    nearby left right mostly mainly largely especially particularly around away back together apart
    overall anyway please
    honestly actually basically frankly unfortunately luckily hopefully clearly obviously apparently
    absolutely alright yes okay ok um uh
    """
)

#: Verbs and adjectives so common that they name no topic.
COMMON_WORDS = _words(
    """
    say says said saying tell tells told ask asks asked get gets got getting gotten go goes going
    went gone come comes came coming make makes made making take takes took taken taking give gives
    gave given giving put puts find finds found finding think thinks thought know knows knew known
    see sees saw seen seeing look looks looked looking want wants wanted use uses used using need
    needs needed try tries tried seem seems seemed feel feels felt become becomes became leave
    leaves left keep keeps kept let lets begin begins began begun start starts started show shows
    showed shown hear heard play run runs ran move moves moved live lives lived believe bring brings
    brought happen happens happened stand stands stood sit sits sat lie lies lay hold holds held
    turn turns turned call calls called include includes included including continue continues
    continued set sets meet meets met expect expects expected remain remains remained help helps
    helped mean means meant work works worked works contain contains provide provides provided
    rise rises rose fall falls fell grow grows grew read reads write writes wrote written
    add adds added allow allows allowed reach reaches reached send sends sent build builds built
    win wins won lose loses lost pay pays paid cost costs spend spends spent carry carries carried
    explain explains explained learn learns learned open opens opened close closes closed
    approve approves approved decide decides decided plan plans planned connect connects connected
    good bad new old great small big large long short high low little young early late next last
    first second third different important able sure certain possible likely main major whole full
    various recent clear true real right wrong nice fine better best worse worst
    thing things way ways lot lots kind kinds sort sorts part parts bit time times day days year
    years week weeks month months people person man men woman women number numbers case cases place
    cold hot warm cool easy hard happy sad angry free empty slow fast quick soft loud quiet cheap
    expensive strong weak safe simple common special single final former terrible awful amazing
    lovely beautiful wonderful horrible disgusting excellent perfect wider deeper higher lower
    thanks hi hello dear regards ages inches concerns
    one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty
    seventy eighty ninety hundred thousand million billion
    monday tuesday wednesday thursday friday saturday sunday
    january february march april june july august september october november december
    mr mrs ms dr
    """
)


def stem(word: str) -> str:
    """A word without its regular ending, enough to see that two forms are of one word."""
    word = word.lower().removesuffix("'s").removesuffix("'")
    for ending, instead in (
        ("ies", "y"),
        ("sses", "ss"),
        ("ing", ""),
        ("ied", "y"),
        ("ed", ""),
        ("es", "e"),
        ("s", ""),
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)] + instead
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


#: Stems of verbs that are hardly ever nouns, so that they end no key phrase.
VERB_STEMS = frozenset(
    stem(word)
    for word in _words(
        """
        accept achieve admit agree announce appear apply argue arrive assume attend avoid bake
        become behave belong borrow break bury buy bought choose chose chosen compare complain
        complete confirm consider consist convert convince cook create decline decode deliver deny
        depend describe destroy develop die discover discuss divide earn eat eaten employ enable
        encourage enjoy enter establish examine exist fail fill find fit follow forget forgot fry
        gather happen hire identify imagine improve increase indicate inform introduce invite
        involve join kill know last loosen love manage marry melt mention mix notice obtain occur
        operate perform persuade pour prefer prepare preserve press prevent produce promise protect
        prove publish receive recommend reduce refer refuse relate remember remove repair replace
        reply represent require return reveal save search seek select sell sold separate serve
        share shrink solve speak spoke spoken stay steal stir struggle succeed suffer suggest
        suppose survive taste teach taught tear tend throw threw thrown translate understand
        understood visit vote wait walk warn wash watch wear wore whisk wish wonder worry
        """
    )
)
