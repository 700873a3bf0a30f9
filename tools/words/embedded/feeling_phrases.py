"""Turns of phrase that say by themselves whether a clause is praise or blame.

In most of them the single words say the opposite, or nothing.
"""

from __future__ import annotations

import re

_CANNOT = r"(?:can ?not|can't|cant|couldn't|could not)"
_NEVER = r"(?:never|hasn't|haven't|hasn't ever|doesn't|didn't|don't|do not|has not|have not)"
_WOULD_NOT = r"(?:would not|wouldn't|will not|won't|would never|will never|do not|don't|never|not)"
_COME_BACK = r"(?:go|going|be|come|coming|return|returning|visit|visiting|book|booking)"
_NO_FAULT = (
    r"(?:complain|complaint|complaints|fault|faults|flaw|problem|problems|issue|issues|trouble|"
    r"criticism|regrets?|fuss|hassle|hiccups?|dislike|hesitation|downside|downsides|drawbacks?)"
)
_THING = r"(?:a |an |any |this |that |my |your |the |our |these |those |such )?"

_GOOD = {
    # No more could be wished for.
    rf"\b{_CANNOT} (?:\w+ ){{1,9}}?(?:highly |strongly )?enough\b(?! to\b)": 0.85,
    rf"\b{_CANNOT} (?:be|been|have been|feel|ask for|have asked for|wish for|imagine|hope for|"
    r"have hoped for|have wished for|find)"
    r" (?:a |any |an )?(?:\w+ )?(?:more|better|happier|easier|nicer|kinder|prouder|simpler|"
    r"smoother|finer|faster)\b(?! (?:un|dis|bor|pain|diff|ann|awk|exp|conf|frus|wrong))": 0.85,
    r"\b(?:won't|will not|wouldn't|not|never|hard to|difficult to) (?:\w+ )?(?:find|get|see|meet) "
    r"(?:\w+ )?(?:better|nicer|finer|friendlier|kinder)\b": 0.8,
    rf"\b{_CANNOT} (?:go wrong|beat|fault|find (?:any |a )?fault|complain|get enough|stop smiling|"
    r"put (?:it|the book|this|this book|them) down|believe (?:my|our) luck|wait\b)": 0.75,
    r"\bnothing (?:\w+ )?(?:could|can|would) (?:have )?(?:\w+ )?(?:be |been |made? )?(?:\w+ ){0,5}"
    r"(?:better|happier|nicer|more perfect|easier)\b": 0.8,
    r"\bnothing (?:bad|negative|but (?:praise|good|great|kind|love|compliments|the best)|short of|"
    r"i would change|i'd change|to fault|comes close|beats|compares|to dislike|"
    r"to worry about)": 0.75,
    rf"\b(?:nothing to|no(?! problem,)|not a single|not one|zero|without any|without a|"
    rf"without|hardly any|"
    rf"(?:never|haven't|hasn't|not|didn't|don't) (?:had|have|has|got)?\s?(?:a|any|a single|one)|"
    rf"hard to|difficult to find any|hard to find (?:any|a)) "
    rf"(?:real |major |serious |single |big )?{_NO_FAULT}\b": 0.65,
    r"\b(?:hard|difficult|tough|impossible) to (?:beat|fault|find (?:any )?fault|top|"
    r"put down)": 0.7,
    rf"\b(?:{_NEVER}|not once|didn't once|won't|will not) (?:\w+ )?(?:lets? (?:me|us|you|"
    rf"him|her|them|"
    r"anyone) down|disappoint(?:s|ed)?|fail(?:s|ed)?|miss(?:es|ed)? a beat)": 0.75,
    r"\b(?:not|n't|never) (?:\w+ ){0,2}regret": 0.75,
    r"\b(?:not|n't) (?:\w+ ){0,2}(?:too shabby|half bad|bad at all|too bad|so bad|disappointed|"
    r"be sorry|be disappointed)\b": 0.6,
    r"^not bad\b": 0.5,
    r"\b(?:hard|difficult|impossible) not to (?:love|like|smile|laugh|enjoy|be)\b|"
    r"\b(?:not|n't|never) "
    r"(?:\w+ ){0,2}(?:dull|boring) (?:moment|minute|second|page|day)\b": 0.65,
    r"\b(?:no|without) (?:\w+ )?hesitation\b|\bin a heartbeat\b|\bdo not hesitate\b": 0.7,
    r"\bno need to look (?:any )?further|\blook no further|\bthis is the one\b": 0.7,
    r"\bnever (?:a dull|looked back|been happier|had a better|felt better|slept better|tasted|been "
    r"(?:so|more) (?:happy|proud|pleased|satisfied|well))": 0.75,
    # Wishes and questions that praise.
    r"\b(?:wish|wished) (?:i|we)(?:'d| had)? (?:\w+ ){1,6}?(?:earlier|sooner|before|"
    r"years ago)\b": 0.7,
    r"\bwhy (?:did i|didn't i|did we|didn't we|haven't i|"
    r"have i not) (?:\w+ ){1,5}?(?:before|sooner|"
    r"earlier|years ago|ages ago|long|this)\b": 0.65,
    r"\bwhat more (?:could|can|do) (?:you|we|i|one|anyone)|\bwho could ask for more": 0.7,
    r"\bcould (?:this|it|the|my|life|things)\b(?: \w+)? (?:get|be) any (?:better|nicer|cuter|"
    r"sweeter)\b": 0.65,
    r"\bwho (?:would have|would've|could have|'d have) thought\b.*\b(?:happy|good|great|"
    r"fun|well|nice|"
    r"easy|tasty)": 0.6,
    r"^how (?:\w+ )?(?:lucky|nice|lovely|kind|sweet|wonderful|thoughtful|good|great|cool|beautiful|"
    r"exciting|clever)\b(?! (?:is|are|was|were|do|does|would|can|has) (?:the|this|that|it|your)\b)"
    r"": 0.7,
    r"^what (?:a|an) (?:great |lovely |wonderful |beautiful |fantastic |amazing |super |brilliant )"
    r"": 0.8,
    r"^what (?:a|an) (?:view|treat|find|gem|day|team|place|game|goal|match|night|voice|win|relief|"
    r"joy|star|performance)$": 0.6,
    # Winning over, lasting, being worth it.
    r"\b(?:won|wins|win) (?:me|us|him|her|them) (?:over|round)\b|\bnever looked back\b": 0.6,
    r"\b(?:pleasantly|happily|positively) surprised\b|\bpleasant surprise\b": 0.7,
    r"\b(?:better|nicer|more fun|easier|tastier|smoother|quicker|cheaper|"
    r"stronger) than (?:i|we|i'd|"
    r"we'd|expected|ever|hoped|in the|on the)\b": 0.6,
    r"\b(?:exceed|surpass|beat)(?:s|ed)? (?:all )?(?:my|our|all|every) expectations?\b": 0.8,
    r"(?<!not )(?<!n't )(?<!hardly )\bworth (?:it|every|the (?:money|wait|price|trip|visit|drive|"
    r"effort|journey))\b(?! if)": 0.65,
    r"\bstill (?:going strong|works? (?:perfectly|fine|like new)|looks? (?:like )?new|"
    r"as good)": 0.65,
    r"\b(?:i would|i'd|we would|we'd|i will|i'll|we will|we'll|will|would) (?:definitely |"
    r"certainly |"
    r"happily |gladly |absolutely |always |surely )?(?:be (?:back|coming back|returning)|"
    r"come back|go back|come again|go again|buy (?:it |this |one |them )?again|"
    r"book (?:it |here )?again|recommend|use (?:them|him|her|it) again|hire (?:them|him|her) again)"
    r"\b(?! (?:if|at|on|in|by|before|from|to|with|home|next|later|tomorrow)\b)": 0.65,
    r"\bdoes (?:exactly )?(?:what|the job)(?: it| is| they| you| i|\b)": 0.5,
    r"\bworks? (?:like a (?:charm|dream)|perfectly|flawlessly|a treat)\b": 0.7,
    r"\b(?:must-(?:have|see|read|buy|try)|(?:a|absolute) must|life[- ]?saver|"
    r"game[- ]changer|no[- ]brainer|"
    r"hidden gem|top[- ]notch|second to none|hands down|spot on|a gem|a bargain|"
    r"a steal|a joy|a treat|a delight|a blast|thumbs up|hats off|kudos|full marks|top marks|"
    r"above and beyond)\b": 0.7,
    r"\b(?:five|5|ten|10) (?:stars|out of (?:five|5|ten|10))\b": 0.8,
    r"\b(?:in no time|within minutes|(?:a|one|two|three) days? early|ahead of schedule)\b": 0.4,
    # Good news.
    r"\b(?:tumou?r|cancer|pain|fever|lump|infection) (?:is|has|are|was) (?:\w+ )?(?:gone|vanished|"
    r"benign|cured)\b|\ball clear\b|\bin remission\b|\bfull recovery\b": 0.7,
    r"\b(?:found|brought home|home|returned|rescued|landed|arrived) (?:safe|safely|alive|unhurt|"
    r"unharmed)\b|\bsafe and (?:well|sound)\b|\bno longer (?:aches?|hurts?|endangered|in danger|"
    r"worr(?:y|ied))": 0.7,
    r"\b(?:unemployment|crime|poverty|inflation|pollution|emissions|deaths|"
    r"accidents) (?:has |have )?"
    r"(?:fell|fallen|fall|falls|dropped|drops|sank|declined|down|halved)\b": 0.6,
    r"\b(?:passed|pass) (?:\w+ )?(?:exam|exams|test|tests|driving test|finals)\b|"
    r"\bgot (?:the|a|that|"
    r"her|his|my) (?:job|promotion|place|scholarship)\b|\bgot (?:engaged|promoted|married)\b": 0.7,
    r"\b(?:asks?|asking|beg|begs|begging) to (?:go|come) (?:back|again)\b": 0.65,
    r"\b(?:all|only|just) (?:the |my )?(?:praise|compliments)\b|\bfinally\b.*\bthat (?:works|fits|"
    r"lasts|listens|does)\b": 0.6,
    r"\bbatter\w+ (?:lasts?|holds?|goes) (?:\w+ )?(?:forever|ages|all|for (?:days|weeks|ages)|days|"
    r"weeks)": 0.6,
    r"\b(?:made|makes|make) (?:me|us|my|our|the|her|his) (?:\w+ )?(?:laugh|smile|day)\b": 0.7,
    r"\b(?:laughed|laughing|smiling|grinning)\b(?! at\b)": 0.4,
    r"\bi owe (?:you|him|her|them)\b|\bthanks (?:a (?:million|lot|bunch)|so much|again)\b(?! for "
    r"(?:nothing|wasting|letting|ruining|making me))|\bthank(?:s| you)\b(?! for (?:nothing|wasting|"
    r"letting|ruining|making me))": 0.5,
}

_BAD = {
    # Warnings and advice against.
    r"^(?:please |just |so )?(?:do not|don't|dont|never) (?:ever |even )?(?:waste|bother|buy|trust|"
    r"fall for|expect|hire|believe|think (?:of|about)|(?:book|go|stay|eat|order|shop|rent|come|use|"
    r"get)\b.*\b(?:this|here|there|them|these|anything))\b(?!.*\bregret)": -0.7,
    r"\b(?:save|keep) your (?:money|time|cash|breath)\b|\bsave yourself\b": -0.75,
    r"\b(?:waste|wasted|wasting) (?:of|your|my|our|money|time|hours?|two|an?)\b": -0.75,
    r"\b(?:stay|keep|steer) (?:well |far )?(?:away|clear)\b|^avoid (?:this|these|them|it|"
    r"him|her|at|like|buying)\b|^avoid$|\bavoid at all\b|\bgive (?:it|this|that|them)"
    r"(?: \w+){0,2} a miss\b|\blook elsewhere\b|\bbuyer beware\b|\bbeware\b|\bgo (?:somewhere|"
    r"elsewhere)\b|\b(?:buy|choose|get|try) something else\b": -0.7,
    rf"\b(?:{_CANNOT}|{_WOULD_NOT}) (?:\w+ )?(?:recommend|wish (?:this|that|it|\w+)(?: \w+)? on)\b"
    r"(?!.*\benough\b)": -0.75,
    rf"\b(?:{_WOULD_NOT}) (?:\w+ )?{_COME_BACK} (?:\w+ )?(?:again|back|returning|here|there|from)\b"
    r"": -0.7,
    r"\bnever again\b|\b(?:first and )?last time (?:i|we)\b|\b(?:won't|will not) be (?:back|"
    r"returning|coming back)\b": -0.75,
    # Could be, should be, used to be.
    r"\b(?:could|should|would|might) have been (?:\w+ ){0,2}(?:better|nicer|cheaper|cleaner|warmer|"
    r"easier|shorter|faster|more|clearer|friendlier|quicker|great|good)\b": -0.5,
    r"\b(?:could|should) (?:be|do with) (?:\w+ )?(?:better|cheaper|cleaner|warmer|faster|clearer|"
    r"friendlier|quicker|improved|improvement|more)\b|\broom for improvement\b": -0.4,
    r"\b(?:used to|once) (?:love|like|enjoy|be (?:so |much |really )?(?:good|great|better|"
    r"nice|fun))\b|\bnot what it used to be\b|\bisn't "
    r"what it (?:used to be|was)\b|\b(?:gone|went|going|goes) downhill\b": -0.4,
    r"\bexpected (?:more|better|much more|much better|a lot more)\b|"
    r"\bnot (?:\w+ )?(?:what|as) (?:i|"
    r"we|it was|described|advertised|expected|promised|pictured|ordered)\b|"
    r"\bnothing like (?:the|what"
    r")\b|\bnot the \w+ (?:i|we|you) (?:\w+ )?(?:expected|paid|ordered|hoped|wanted|"
    r"asked)\b": -0.65,
    r"\b(?:is|was|are|were)(?: not|n't) (?:half|nearly|anywhere near|nearly half) as\b|"
    r"\bnowhere near"
    r"\b|\bnot (?:half|nearly) as\b|\bfar from (?:good|great|perfect|clean|happy|ideal)\b": -0.65,
    r"\b(?:not|n't|hardly|never|nothing\b.*\b(?:was|is)) (?:\w+ ){0,2}worth\b": -0.7,
    r"\b(?:leaves?|left) (?:a lot|much|something) to be desired\b|\bless than (?:impressed|ideal|"
    r"helpful|perfect|satisf\w+)\b": -0.65,
    r"\b(?:could not|couldn't|can't|can not|cannot) (?:be|have been|get|"
    r"have) (?:any )?(?:less|worse|"
    r"more (?:un\w+|dis\w+|boring|painful|difficult|annoying|awkward|confusing|frustrating|wrong|"
    r"rude))\b": -0.85,
    # Money and waiting.
    r"\b(?:want|wanted|demand|give me|asked for|ask for|get) (?:\w+ )?(?:my|our|a|"
    r"your)? ?(?:full )?"
    r"(?:refund|money back)\b": -0.7,
    r"\bon hold\b|\b(?:still|been) (?:waiting|no (?:reply|answer|refund|sign|word))\b|"
    r"\bno (?:reply|"
    r"answer|response|apology|explanation|help|refund|one (?:told|helped|answered|came|cared|seems|"
    r"listens))\b": -0.6,
    r"\bnobody (?:\w+ )?(?:answer\w*|call\w*|car(?:es?|ed)|help\w*|told|came|listen\w*|"
    r"seems?|know\w*|"
    r"bother\w*|could)\b": -0.65,
    r"\b(?:waited|waiting|wait|queued|queue) (?:\w+ ){0,4}?(?:hours?|ages|forever|weeks|months|"
    r"half an hour|eternity)\b|\b(?:took|takes|take|taking) (?:ages|forever|weeks|months|an "
    r"eternity)\b": -0.5,
    r"\b(?:way |far |much )?too (?:expensive|loud|small|slow|short|long|crowded|dirty|"
    r"heavy|late|many|"
    r"much|cold|hot|salty|sweet|dark|noisy|complicated|big|tight|difficult)\b": -0.6,
    r"\b(?:fell|falls|falling|came|comes|coming|fallen) (?:off|apart|to pieces|undone|"
    r"loose)\b": -0.65,
    r"\b(?:broke|broken|stopped working|gave up|died|snapped|tore|cracked|ripped|"
    r"failed)\b(?: \w+){0,5}"
    r"? (?:after|within|the (?:first|second|next)|on the|in (?:a|two|less))\b": -0.7,
    r"\b(?:doesn't|does not|didn't|did not|won't|never|no longer|hardly|"
    r"barely) (?:even )?(?:work(?:s|"
    r"ed)?|turn on|start|charge|fit|arrive[ds]?|came|come|show up|last|lasts?|function|"
    r"listen|reply|"
    r"answer|laugh(?:ed)?|solve|help(?:ed)?)\b(?! (?:until|till|before|on))": -0.6,
    r"\b(?:never|haven't|hasn't|didn't|not) (?:\w+ )?(?:got|received?|get|seen|see) (?:my|"
    r"our|the|any|"
    r"a) (?:order|parcel|package|money|refund|reply|answer|delivery|confirmation)\b": -0.65,
    r"\b(?:barely|hardly) (?:lasts?|works?|holds?|any|anything|anyone|edible|eat|slept)\b": -0.6,
    r"\b(?:fed up|sick of|tired of|had enough|had it with|can't stand|cannot stand|can't bear|"
    r"lost (?:my|all) patience|drives me mad|driving me)\b": -0.75,
    r"\b(?:zero|0|no|one|1|minus) stars?\b|\bone star is\b": -0.8,
    r"\bmakes? no sense\b|\bno (?:use|idea why|excuse|point)\b|\bwhat is the point\b|\bpointless\b"
    r"": -0.6,
    r"\b(?:hair|bug|fly|insect|cockroach|mould|mold|plastic|worm) (?:was |were )?in (?:my|our|the) "
    r"(?:soup|food|salad|drink|room|meal|bed|dish|rice|bread|sandwich)\b": -0.7,
    r"\b(?:was|were|been|got) (?:laughed at|ignored|insulted|shouted at|yelled at|lied to|"
    r"ripped off|"
    r"cheated|overcharged|robbed|treated (?:so )?(?:badly|rudely|poorly|unfairly|like))\b": -0.75,
    r"\b(?:haven't|hasn't|can't|cannot|couldn't|didn't|not|barely|"
    r"hardly) (?:been able to )?(?:sleep|"
    r"slept|get (?:any|a wink of) sleep)\b": -0.55,
    r"\b(?:can't|cannot|couldn't|could not|unable to|don't|didn't) (?:\w+ )?(?:log in|sign in|hear|"
    r"see a thing|reach|get through|read it|breathe|agree|understand a word)\b": -0.5,
    r"\bleft before\b|\bwalked out\b|\bi fell asleep\b|\bgave up (?:after|on)\b|"
    r"\bsend(?:ing)? (?:it|"
    r"this|them) back\b": -0.6,
    r"\b(?:regret|regrets|regretted)\b(?<!not regret)(?<!n't regret)": -0.65,
    r"\b(?:lacks?|lacking)\b": -0.55,
    r"\b(?:wrong|missing) (?:size|colour|color|item|order|address|room|part|parts|dish|"
    r"model)\b": -0.55,
    # Questions that blame.
    r"\bhow hard can it be\b|\b(?:is it|isn't it) too much to (?:ask|expect)\b|"
    r"\bhow many times (?:do|must|have) (?:i|we)\b|"
    r"\bwhat were (?:they|you) thinking\b|\bwho (?:designed|thought|approved|needs)\b|\bare you (?:"
    r"serious|kidding|joking)\b|\bis this (?:a|some kind of) joke\b|\bhow (?:dare|"
    r"could) you\b": -0.7,
    r"\bwhy (?:is|are|does|do|can't|can|won't|must) (?:it|this|they|you|nobody|no one|the|there|"
    r"everything)\b.*\b(?:so|always|never|still|such|just|nobody|keep|again)\b": -0.6,
    r"\bcould (?:this|it|things|the|my)\b(?: \w+)? (?:get|be) any (?:worse|slower|louder)\b": -0.75,
    r"\bif you like (?:being|waiting|paying|cold|noise|to be|to wait|queu\w+)\b": -0.65,
    # Irony that is always irony.
    r"\bthanks for nothing\b|\bthanks? (?:\w+ ){0,3}for (?:wasting|letting|ruining|"
    r"making me)\b": -0.8,
    r"^(?:sure|yes|yeah|of course|oh yes),? (?:i (?:just |really )?love|because)\b|"
    r"\bi just love (?:it "
    r"when|how|being|waiting|paying)\b": -0.6,
    r"\bfull of (?:ads|adverts|bugs|holes|mistakes|errors|stains|hair|dust|flies|lies|rubbish)\b"
    r"": -0.55,
    r"\b(?:tasted|tastes|smelled|smells|smelt|feels|felt|looked) (?:like|of) (?:soap|plastic|smoke|"
    r"cardboard|rubber|mould|sweat|drains|dishwater|paper|a cheap|rubbish)\b": -0.6,
    r"\bjust what (?:i|we) (?:needed|wanted)\b|\byou (?:had|managed to) \w+ \w+ (?:job|twice|"
    r"again)\b|\bway to go\b|\bgood luck (?:getting|finding|reaching|with)\b": -0.6,
    # Bad news.
    r"\b(?:passed away|lost (?:his|her|their|my|our) (?:life|lives|job|jobs|home|homes|"
    r"house|mother|"
    r"father|dog|cat)|lose their (?:jobs|homes))\b": -0.8,
    r"\b(?:died|dies|dead|killed|kills|injured|wounded|drowned|destroyed|destroys|"
    r"collapsed|collapses|"
    r"bankrupt|laid off|lays off)\b(?! (?:in|of) (?:1\d{3}|20[01]\d|old age|the (?:war|"
    r"year)))": -0.65,
    r"\b(?:lost|loses|lose|beaten) (?:again|at home|the (?:match|game|final|cup|case))\b": -0.6,
    r"\b(?:forgot|forgotten) (?:my|our|about (?:me|us)|to)\b|\byou (?:promised|"
    r"said)\b.*\b(?:didn't|"
    r"did not|never)\b": -0.5,
    r"\bmiss (?:you|him|her|them)\b.*\b(?:hurts?|much|sad)\b": -0.5,
    r"\bnot (?:so |very |too |really |all that |at all |entirely |exactly )?(?:happy|impressed|"
    r"satisfied|pleased|good|great|friendly|helpful|clean|amused|funny|nice|easy|comfortable|"
    r"convinced|sure about)\b": -0.6,
    r"\bcons:": -0.7,
}
_MIXED = re.compile(
    r"\bmixed (?:feelings?|bag|emotions|impressions?|opinions?)\b|\bups and downs\b|"
    r"\bhit[- ](?:and|"
    r"or)[- ]miss\b|\bbitter-?sweet\b|\blove[- ]hate\b|\bpros and cons\b|"
    r"\bhas its (?:moments|ups)\b|"
    r"\bworks? (?:\w+ )?when it (?:works|does|wants)\b|\btorn between\b|\bgood and (?:the )?bad\b|"
    r"\bthe \w+ (?:\w+ )?was not$",
    re.IGNORECASE,
)
_INDIFFERENT = re.compile(
    r"\bneither good nor bad\b|\bnothing special\b|\bno (?:strong )?opinion\b|\bso[- ]so\b|"
    r"\bdon't mind either way\b|\b(?:it's|it is|it was|was|is) (?:just )?(?:ok|okay|"
    r"average|all right|"
    r"alright|neutral)(?: i (?:suppose|guess))?$|\bmiddle of the road\b|\bi don't (?:really )?"
    r"(?:care|mind) (?:either way|which)\b|\bneither here nor there\b",
    re.IGNORECASE,
)
_TURNS = tuple(
    (re.compile(pattern, re.IGNORECASE), score)
    for pattern, score in [*_GOOD.items(), *_BAD.items()]
)


def turn_of_phrase(clause: str) -> float | None:
    """The feeling, from -1 to 1, of the strongest turn of phrase in a clause; None without one."""
    plain = _plain(clause)
    found = [score for pattern, score in _TURNS if pattern.search(plain)]
    return max(found, key=abs) if found else None


def says_mixed(clause: str) -> bool:
    """Whether a clause says outright that there are two sides to it."""
    return bool(_MIXED.search(_plain(clause)))


def says_indifferent(clause: str) -> bool:
    """Whether a clause says outright that it is neither good nor bad."""
    return bool(_INDIFFERENT.search(_plain(clause)))


def _plain(clause: str) -> str:
    return clause.lower().replace("’", "'").strip(' .!?…,;"“”')
