"""How people tell what is to be done to a picture, and what else they say: brought to the words
that the table of edits has.
"""

from __future__ import annotations

import re

from controlllm.values.plain import PARTS

from . import backdrops

_QUALITY = (
    r"(?:dark|dim|bright|light|pale|dull|flat|blurr|soft|sharp|nois|grain|warm|co[ol]|faded|washed|"
    r"gloomy|faint|bleached|yellow|bluish)"
)
#: What is said to be too dark, or too pale, is the picture, whatever it is called; and what is a
#: bit too much is too much: "the writing on it is a bit soft".
_COMPLAINT = re.compile(
    r"\b(?:it|this|that|picture|photo|image|shot|"
    r"(?:the|my|this|that|our|these) [^,.;:!?&]{1,60}?)"
    r"(?:['’]?s| is| are| was| were| looks?| came out) (?P<degree>(?:\w+ ){0,2}too|"
    r"(?:a (?:bit|little|tad)|quite|rather|very|so|pretty|really|kind of|kinda|somewhat)(?: too)?) "
    rf"(?={_QUALITY})",
    re.IGNORECASE,
)
#: What is a fault without being too much: "the paper is yellowish".
_FAULT = re.compile(
    r"(?<!\bso )(?<!\bsure )(?<!\bthat )(?<!\buntil )"
    r"\b(?:it|but|(?:the|my|this|that|our|these) [^,.;:!?&]{1,40}?)"
    r"(?:['’]?s| is| are| was| were| looks?| came out| went| has gone) "
    r"(?=(?:dark|pale|dull|gloomy|murky|bleached|yellowish|bluish|blurry|blurred|noisy|grainy|soft|"
    r"washed out|under-?exposed|over-?exposed)\b)",
    re.IGNORECASE,
)
_AND_TOO = re.compile(rf"\btoo (\w+) (?:and|&) (?={_QUALITY}\w*\b)", re.IGNORECASE)
#: Which pictures are meant is known before: "both photos: a bit brighter".
_WHICH = re.compile(
    r"^\s*(?:all|both|each|every|the|these|my|our)\b"
    r"(?:(?! is | are | was | looks? )[^:,.;!?]){0,40}:\s+",
    re.IGNORECASE,
)
#: A code means the colour, whatever it is called: "teal (#0d9488)".
_CODED = re.compile(
    rf"(?:\b(?:{'|'.join(backdrops.NAMES)}) )?\(?#([0-9a-f]{{6}})\b\)?", re.IGNORECASE
)
#: In place of the sign before a code, so that it is one word.
CODE = "hexcode"
_BY_A_PART = re.compile(r"\bby (?:an?|one) (half|third|quarter|fifth|tenth)\b", re.IGNORECASE)
#: An exposure as photographers tell it, and how strong a change of brightness is that much.
_STOPS = re.compile(
    r"(?:(?P<top>\d)/(?P<low>[1-9])|(?P<many>\d+(?:\.\d+)?)|\b(?P<word>a full|half a|full|half|"
    r"(?<=by )(?:an?|one))) (?:f-)?stops?\b",
    re.IGNORECASE,
)
_STOP = 80  # of a hundred
#: What stays as it is, said in the same breath.
_ALL_ELSE = re.compile(
    r"(?<=\w)(?<!\bbefore)(?<!\bthan)(?<!\bof)(?<!\bfor)(?<!\bthe)\)? "
    r"(?=(?:everything|nothing|all) else\b|otherwise\b|(?:the )?rest\b)"
)
#: Of the whole picture only the amount is told: "make it less yellow".
_MAKE_IT = re.compile(r"\bmake (?:it|this|that|them|both) (?=(?:less|more) )", re.IGNORECASE)
_SO = re.compile(r",? so (?=(?:more|less|make|please|\w+en)\b)", re.IGNORECASE)


def _measured(instruction: str) -> str:
    """An instruction with its amounts and codes as the table reads them."""
    is_of_light = re.search(r"bright|dark|light|expos", instruction, re.IGNORECASE)

    def stops(said: re.Match[str]) -> str:
        if said["word"]:
            many = 0.5 if "half" in said["word"].lower() else 1.0
        else:
            many = float(said["many"]) if said["many"] else int(said["top"]) / int(said["low"])
        return f"{_STOP * many:.0f} %" + ("" if is_of_light else " brightness")

    words = _STOPS.sub(stops, _CODED.sub(rf"{CODE}\1", instruction))
    words = _MAKE_IT.sub("", words)
    words = _BY_A_PART.sub(lambda part: f"by {100 / PARTS[part[1].lower()]:.0f} %", words)
    return _SO.sub(", ", _ALL_ELSE.sub(", ", words))


def in_plain_order(instruction: str) -> str:
    """An instruction with its complaints as what is too much, without which pictures it is for."""
    said = _COMPLAINT.sub(_too, _measured(_WHICH.sub("", instruction, count=1)))
    said = _FAULT.sub("it is too ", said)
    return _AND_TOO.sub(r"too \1 and too ", said)


def _too(complaint: re.Match[str]) -> str:
    return f"it is {complaint['degree'] if complaint['degree'].endswith('too') else 'too'} "


#: A condition on what is asked for, or a reason for it: no change of its own.
REMARK = re.compile(
    r"[,;]?\s+(?:\(|-+ )?\b(?:without\b|but (?:not|do not|don['’]?t|keep|leave|only|please)\b|"
    r"(?:and )?(?:don['’]?t|do not|never) (?:make|let|wash|change|lose|touch|overdo|go)\b|"
    r"not (?:too|so|over)\b|so (?:that|it|you|we|i|they|one|the|people|everyone)\b|as long as\b|"
    r"while (?:keeping|leaving|not)\b|(?:and )?(?:make|making|be) sure\b|because\b|cos\b|"
    r"since\b|otherwise\b|if (?:possible|you can)\b|(?:it|this|that) (?:is|was|looks)\b|"
    r"(?:and )?(?:keep|leave)(?:ing)? the\b|that (?:i|you|one|we|nobody|they)\b).*$",
    re.IGNORECASE | re.DOTALL,
)


_MEDIUM = (
    r"(?:pictures?|photos?|pics?|images?|imgs?|shots?|scans?|snaps?|slides?|frames?|panels?|pages?|"
    r"file|(?<!this )(?<!that )ones?)"
)
_COUNT = r"(?:two|three|four|five|six|\d)"
_PLACE = rf"(?:first|second|third|fourth|fifth|last|other|1st|2nd|3rd|\dth)(?: {_COUNT})?"
#: How a picture is named where all of it is meant: "number 2", "IMG_4410", "the shop photo", "the
#: photo of the hallway", "both", "the last two".
PICTURE = re.compile(
    rf"\bboth(?: of (?:them|these|those)| (?:the |my |these |those )?{_MEDIUM})?\b|"
    rf"\ball (?:of them|(?:the |my |these |those )?{_COUNT}(?: {_MEDIUM})?)\b|"
    rf"\bthe {_PLACE}(?: {_MEDIUM})?\b|\b{_PLACE} {_MEDIUM}\b|^(?:second|third|last)\b|"
    r"\b(?:this|that) one\b|"
    rf"\b(?:number|nr\.?|no\.?|{_MEDIUM}) \d+\b(?! ?%)|\b[A-Za-z]{{2,5}}_?\d{{3,}}\b|"
    r"\b(?:the|this|that|my|our|his|her|their) (?!(?:colou?rs?|light\w*) )(?:[\w'’-]+ ){0,2}"
    rf"{_MEDIUM}\b(?: (?:of|from|with|in|on) (?:(?:the|my|our|his|her|their|all) )?"
    r"(?:three|four|five|six|\w+(?=[,:;.!]| is | was | looks )))?",
    re.IGNORECASE,
)
#: What a clause begins with that only tells something, and orders nothing.
TELLS = re.compile(
    r"(?:the|this|that|these|those|my|our|your|his|her|its?|it['’]s|i|i['’]m|we|you|he|she|they|"
    r"there|one|someone|people|ppl|just|so|because|since|as|ok|maybe|perhaps|not|in|on|at|for|"
    r"of|from|which|who|where|when|if|what|before|after|yours|mine|is(?:n['’]t)?)\b"
    r"(?!.*\b(?:should|shall|must|needs?|wants?|wish|would|ought|(?:has|have) to)\b)",
    re.IGNORECASE,
)
