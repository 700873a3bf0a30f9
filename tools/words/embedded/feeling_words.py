"""What the feeling words of a clause add up to, with what turns them round.

The words and their strengths are VADER's (Hutto and Gilbert 2014); what a "not" reaches, and which
words say nothing about a feeling in plain statements, was written for this project.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

_TOKEN = re.compile(r"[a-z]+(?:['-][a-z]+)*|[:;=][-']?[()dp/|\\]|[^\w\s,.;:!?\"'()\[\]-]")

#: They name things or acts as often as feelings, so that by themselves they say nothing.
_PLAIN_WORDS = frozenset(
    re.findall(
        r"[\w'-]+",
        """
        stop stops stopped stopping leave leaves left no yes cut cuts cutting lie lies lying lied
        war wars battle battles fight fights fire fires fired firing shot shots shoot shoots gun
        like likes well please share shares shared sharing hand hands miss pretty play plays
        played playing player players united natural party parties interest interests interested
        secure security value values matter matters number cover energy grand create created
        creates creating solution solutions certain clear clearly demand demands pay paying strike
        strikes drop drops low lower lowest chance chances challenge challenges active important
        legal alone dead-line tank heaven help helps helped helping ha sir number numbers save
        saved saves saving rich care cares free fine chair super original originals growing growth
        ease eased intelligence opportunity opportunities adopt adopts adopted approve approved
        approves increase increased increases join joins joined keen apply accept accepted accepts
        agree agreed agrees agreement protect protected protects support supported supports
        supporter supporters resolve resolved resolves rest rests safety treat treats treasure
        welcome welcomes wish wishes want wants wanted want-to trust trusts trusted reach reaches
        reached credit credits straight strong strongly strength fresh bright light calm cool
        relieve confront confine contend contends dark blind block blocks blocked blind ban banned
        avoid avoids arrest arrested arrests charge charged charges chase damp delay delays delayed
        discard dispute disputed emergency excuse exhausted force forced forces hard hide hides hid
        limited limit limits lost-property lack missing mock monopoly nerves object odd pressure
        prison prisoner protest protests pressured push question questioned questions reject
        remove removed risk risks short sick stall stalls stuck surprise suspect suspected tax tear
        tired toothless trap trial unable uncertain vague violence wait warn warned warning
        warnings weak worry worried fill gold golden honor honour award top eager easy easily
        thank-you glad-handed novel novels comedy hug hugs kiss kisses lucky-dip prize sunny
        sunshine crush crushed rob robbed thief thieves argue argued argument bill
        """,
    )
) - frozenset(
    # These are plain in a dictionary, but people who write of them mean the feeling.
    "fresh bright worried tired hard weak exhausted lack easy delayed surprise sick".split()
)

#: Praise and blame of everyday things that the lexicon does not know.
_MORE_WORDS = {
    2.4: """delicious tasty yummy gorgeous stunning breathtaking superb spotless flawless gripping
        impeccable must-have unbeatable unforgettable immaculate exquisite top-notch heavenly
        mouth-watering life-saver lifesaver moving hilarious addictive magnificent sublime""",
    1.6: """comfortable comfy cosy cozy friendly helpful sturdy reliable smooth smoothly crisp
        sharp intuitive handy practical useful affordable roomy spacious speedy quick fast prompt
        tidy clean neat bargain lightweight portable durable well-made cheerful attentive
        knowledgeable generous patient recommend recommended worth solid light versatile responsive
        courteous juicy tender flavourful flavorful seamless effortless quiet modern stylish
        thoughtful polite professional efficient generous scenic flattering bright fresh""",
    -1.6: """slow noisy loud cramped dim blurry flimsy bland stale soggy greasy overpriced pricey
        expensive clumsy grumpy unhelpful uncomfortable impractical unresponsive dated outdated
        smelly sticky crowded late tiny heavy awkward confusing cold lukewarm dry tough draughty
        drafty thin repetitive predictable tedious forgettable leaks leaked leaky leaking squeaky
        cracked crack broke broken breaks faulty dirty messy mess buggy clunky laggy drags drag
        overcooked undercooked undrinkable inedible scratches scratched stains stained stain
        rattles wobbly dull useless stuffy mouldy moldy mold mould dusty rushed chaotic limp
        tasteless watery burnt salty ripped torn ignored wrong scruffy shabby mediocre meh""",
    -2.4: """crashes crash crashed freezes froze disgusting filthy shoddy unusable unreliable
        unacceptable appalling atrocious dreadful abysmal disappointing rude rudely refund
        rip-off ripoff unwatchable unbearable died dies killed wreck nightmare letdown let-down
        fell-apart incompetent insulting infuriating diabolical ghastly vile rotten""",
}

_NOT = re.compile(
    r"(?:not|n't|never|no|none|nobody|nothing|neither|nor|cannot|cant|dont|doesnt|didnt|isnt|wasnt|"
    r"wont|wouldnt|couldnt|without|hardly|barely|scarcely|rarely|seldom|lacks?|lacking|fails?|"
    r"failed|anything-but|far-from|free-of|isn't|stopped)"
)
_NOT_A_DENIAL = re.compile(
    r"\b(?:not only|not just|not to mention|no doubt|no wonder|can't wait|cannot wait|why not|"
    r"nothing but|nothing short of|never mind|if not|no matter|not long ago|no longer than|"
    r"can't stop|couldn't stop|cannot stop|hasn't stopped|haven't stopped|can't help but)\b"
)
_STRONGER = re.compile(
    r"very|really|so|too|extremely|absolutely|totally|completely|utterly|incredibly|deeply|truly|"
    r"painfully|highly|remarkably|terribly|awfully|insanely|particularly|especially|far|much|most"
)
_WEAKER = re.compile(
    r"slightly|somewhat|fairly|rather|quite|little|bit|mildly|kinda|sorta|partly|almost|nearly"
)


@dataclass(frozen=True)
class WordFeelings:
    """The strength of the good words and of the bad words in a clause, each 0 or more."""

    good: float
    bad: float
    #: How many of them a "not" turned round.
    turned: int

    @property
    def balance(self) -> float:
        """From -1, all bad, to +1, all good; a single word of middling strength gives about 0.4."""
        total = self.good - self.bad
        return float(total / (total * total + 15) ** 0.5)


def word_feelings(clause: str) -> WordFeelings:
    """What the words of a clause say when each is taken with the "not" or "very" before it."""
    text = _NOT_A_DENIAL.sub(" ", clause.lower().replace("’", "'"))
    text = re.sub(r"\banything but\b", "anything-but", text)
    text = re.sub(r"\bfar from\b", "far-from", text)
    text = re.sub(r"\b(?:fell|falls|falling|fallen|fall) (?:apart|to pieces)\b", "fell-apart", text)
    text = re.sub(r"\b(?:what|which) kinds?\b|\bkinds of\b", "which", text)
    text = re.sub(r"\bkind of\b|\bsort of\b", "kinda", text)
    text = re.sub(r"\b(i|we|they|you|really|don't|didn't|doesn't) likes?\b", r"\1 enjoy", text)
    known = strengths()
    good = bad = 0.0
    turned = 0
    for part in re.split(r"[,;:.!?()]| (?:but|because) ", text):
        words = _TOKEN.findall(part)
        denied = 0
        for place, word in enumerate(words):
            if _NOT.fullmatch(word) or word.endswith("n't"):
                denied = 1 if word == "nor" else denied + 1
                continue
            strength = known.get(word, 0.0)
            if not strength:
                continue
            before = words[max(place - 2, 0) : place]
            if any(_STRONGER.fullmatch(other) for other in before):
                strength *= 1.25
            if any(_WEAKER.fullmatch(other) for other in before):
                strength *= 0.75
            if denied % 2:
                turned += 1
                # "Not bad" is weaker praise than "good", "not good" is nearly "bad".
                strength *= -0.8 if strength > 0 else -0.65
            if strength > 0:
                good += strength
            else:
                bad -= strength
    return WordFeelings(good, bad, turned)


@cache
def strengths() -> dict[str, float]:
    """How good or bad each word is, from -4 to 4."""
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    known = {
        word: float(strength)
        for word, strength in SentimentIntensityAnalyzer().lexicon.items()
        if word not in _PLAIN_WORDS
    }
    for strength, words in _MORE_WORDS.items():
        known.update(dict.fromkeys(words.split(), strength))
    return known
