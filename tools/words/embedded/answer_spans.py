"""What kind of answer a question asks for, and where a sentence holds one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tools.shared.function_words import FUNCTION_WORDS, stem

_MONTHS = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Jan\.|Feb\.|Mar\.|Apr\.|Jun\.|Jul\.|Aug\.|Sept?\.|Oct\.|Nov\.|Dec\.)"
)
_DAYS = r"(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)"
_NUMBER_WORDS = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    r"sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|"
    r"hundred|thousand|million|billion|dozen|half|several)"
)
_AMOUNT = rf"(?:\d[\d,.]*\d|\d|{_NUMBER_WORDS})(?:[\s-]{_NUMBER_WORDS})*"
_LENGTHS = r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centuries|century)"
_WHEN = re.compile(
    rf"(?:\b(?:on|in|at|since|until|by|from|before|after|during|next|last|this|every|the)\s)*"
    rf"(?:(?:{_DAYS},?\s)?\b\d{{1,2}}(?:st|nd|rd|th)?\s{_MONTHS}(?:\s\d{{4}})?"
    rf"|(?:{_DAYS},?\s)?\b{_MONTHS}(?:\s\d{{1,2}}\b(?:st|nd|rd|th)?)?(?:,?\s\d{{4}})?"
    rf"|\b{_DAYS}(?:\s(?:morning|afternoon|evening|night))?(?:\sat\s(?:{_NUMBER_WORDS}|noon|\d{{1,2}})(?::\d\d)?"
    r"(?:\s?[ap]\.?m\b\.?)?)?"
    r"|\b(?:1[0-9]|20)\d\ds?\b|\b\d{1,2}:\d\d(?:\s?[ap]\.?m\b\.?)?|\b\d{1,2}\s?[ap]\.?m\b\.?"
    r"|\b(?:noon|midnight|dawn|dusk|sunrise|sunset|today|tomorrow|yesterday|tonight)\b"
    r"|\b(?:next|last|this)\s(?:week|month|year|spring|summer|autumn|fall|winter|morning|evening)"
    rf"|\b{_AMOUNT}\s{_LENGTHS}\sago|\b(?:spring|summer|autumn|winter)\b)"
)
_NAME = r"(?:[A-Z][\w'’.-]*\w|[A-Z]\.)"
_NAMES = re.compile(
    rf"\b{_NAME}(?:\s(?:(?:of|the|de|von|van|der|da|la|le|and|&)\s)?{_NAME})*(?:\s\d+\b)?"
)
_PLACE = re.compile(
    r"\b(?:(?:in front of|on top of|next to|in|at|on|near|under|behind|beside|between|inside|"
    r"outside|above|below)\s(?!\w+ing\b)(?:(?:the|a|an|his|her|their|its|our|my|your|this|that)\s)?"
    r"|(?:across|along|through|to|from|into|over|around)\s(?=[A-Z])"
    r"|(?:across|along|through|to|from|into|over|around)\s(?:the|a|an|his|her|their|its|our|my)\s)"
    r"(?!it\b|them\b|him\b|us\b|me\b|you\b)(?:[\w'’-]+\s){0,4}?[\w'’-]+"
    r"(?=[.,;:!?)]|\s(?:and|which|who|that|where|when|while|because|after|before|since|until|in|on|at|"
    r"by|for|with|from|to|of|is|was|are|were|has|had|will|would|next|last|every)\b|$)"
)
_MONEY = re.compile(
    rf"[$€£¥]\s?\d[\d,.]*(?:\s(?:thousand|million|billion))?"
    rf"|\b(?:a|{_AMOUNT})\s(?:dollars?|euros?|pounds?|cents?|yen|francs?)\b",
    re.IGNORECASE,
)
_COLORS = re.compile(
    r"\b(?:(?:dark|light|pale|bright)\s)?(?:black|white|red|green|blue|yellow|brown|gr[ae]y|"
    r"orange|pink|purple|golden|silver|beige|turquoise|violet)(?:\sand\s(?:black|white|red|green|"
    r"blue|yellow|brown|gr[ae]y|orange|pink|purple))?\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because(?:\sof)?|since|due to|owing to|thanks to|so that|in order to|as a result of)\s"
    r"[^.;!?]+",
    re.IGNORECASE,
)
_PERSON_NOUN = re.compile(
    r"\b(?:[Tt]he|[Aa]n?|[Hh]is|[Hh]er|[Tt]heir)\s(?:[\w-]+\s){0,2}?(?:man|woman|men|women|boy|girl|"
    r"child|children|people|students?|teachers?|doctors?|engineers?|workers?|council|committee|"
    r"company|team|president|mayor|king|queen|police|government|university|\w+(?:ist|ers|or))\b"
)


_FUNCTION_STEMS = frozenset(stem(word) for word in FUNCTION_WORDS)


@dataclass(frozen=True)
class Kind:
    """A kind of answer by its name; of a count, the stems of what is counted."""

    name: str
    wanted: tuple[str, ...] = ()


def kind_of(question: str) -> Kind:
    """The kind of answer that a question asks for; "sentence" where no span would do."""
    small = " ".join(re.findall(r"[\w']+", question.lower()))
    counted = re.search(r"\bhow many (\w+(?: \w+)?)", small)
    if counted:
        words = [stem(word) for word in counted[1].split() if word not in FUNCTION_WORDS]
        return Kind("count", tuple(words[:2]))
    rules = (
        (
            r"\bhow much\b.*\b(?:cost|pay|paid|price|money|worth|charge)|"
            r"\bwhat\b.*\b(?:price|cost|fee|toll|salary)\b|"
            r"\bhow (?:much|expensive) (?:is|was|are|were|will|does|did)\b",
            "money",
        ),
        (r"\bhow (?:long|old)\b", "duration"),
        (
            r"\bhow (?:far|tall|high|deep|wide|big|large|heavy|fast|hot|cold|much)\b|"
            r"\bwhat (?:percent|share|proportion|percentage)",
            "measure",
        ),
        (
            r"\bwhen\b|\bwhat (?:time|date|day|year|month)\b|\b(?:which|what) (?:day|year|month)\b",
            "time",
        ),
        (r"\bwho(?:m|se)?\b", "person"),
        (
            r"\bwhere\b|\b(?:which|what) (?:city|country|place|town|street|state|room|building)\b",
            "place",
        ),
        (r"\b(?:what|which) colou?rs?\b", "color"),
        (r"\bwhy\b|\bwhat (?:is|was) the reason\b", "reason"),
    )
    for pattern, name in rules:
        if re.search(pattern, small):
            return Kind(name)
    return Kind("sentence")


def spans(kind: Kind, sentence: str, question: str) -> list[str]:
    """Parts of a sentence that are of the kind, without those that the question says already.

    The part nearest to the sentence's words that the question shares comes first.
    """
    asked = {stem(word) for word in re.findall(r"\w+", question)} - _FUNCTION_STEMS
    places = [match.start() for match in re.finditer(r"\w+", sentence) if stem(match[0]) in asked]
    found = []
    for span in dict.fromkeys(match.strip(" ,") for match in _of_kind(kind, sentence)):
        if {stem(word) for word in re.findall(r"\w+", span)} - asked - _FUNCTION_STEMS:
            start = sentence.find(span)
            middle = start + len(span) / 2
            found.append((min((abs(place - middle) for place in places), default=start), span))
    return [span for _, span in sorted(found)]


def _of_kind(kind: Kind, sentence: str) -> list[str]:
    if kind.name == "count":
        found = []
        for match in re.finditer(
            rf"\b(?:{_AMOUNT}|an?)\b((?:\s[\w'’-]+){{0,4}})", sentence, re.IGNORECASE
        ):
            followed = [stem(word) for word in match[1].split()]
            if kind.wanted and kind.wanted[0] in followed:
                words = match[1].split()[: followed.index(kind.wanted[0]) + 1]
                found.append(match[0].removesuffix(match[1]) + " " + " ".join(words))
        return found
    if kind.name == "duration":
        pattern = (
            rf"\b(?:{_AMOUNT}|an?)[\s-](?:{_LENGTHS})(?:[\s-]old)?\b"
            r"|(?<=\bwas )\d{1,3}\b(?!\s\w)|(?<=\baged )\d{1,3}\b"
        )
        return [match[0] for match in re.finditer(pattern, sentence, re.IGNORECASE)]
    if kind.name == "measure":
        pattern = (
            rf"\b{_AMOUNT}(?:\s?%|\s?°[CF]?|[\s-](?:percent|per cent|degrees|"
            r"(?:square |cubic )?meters?|metres?|feet|"
            r"foot|inches|miles?|kilomet(?:er|re)s?|km|cm|mm|m|kg|kilograms?|grams?|pounds?|tons?|"
            r"lit(?:er|re)s?|cups?|mph)(?:\sper\s\w+)?)(?!\w)"
        )
        return [match[0] for match in re.finditer(pattern, sentence, re.IGNORECASE)]
    if kind.name == "person":
        names = [match[0] for match in _NAMES.finditer(sentence) if _is_person(match, sentence)]
        return names or [match[0] for match in _PERSON_NOUN.finditer(sentence)]
    wanted = {
        "time": _WHEN,
        "place": _PLACE,
        "money": _MONEY,
        "color": _COLORS,
        "reason": _REASON,
    }.get(kind.name)
    if wanted is None:
        return []
    found = [match[0] for match in wanted.finditer(sentence)]
    if kind.name == "place":
        found = [span for span in found if not _WHEN.fullmatch(span)]
    return found


def _is_person(match: re.Match[str], sentence: str) -> bool:
    name = match[0]
    if re.fullmatch(rf"{_MONTHS}|{_DAYS}", name) or name.lower() in FUNCTION_WORDS:
        return False
    before = sentence[: match.start()].rstrip()
    if not before and " " not in name:
        # A single word at the beginning may owe its capital to its place alone.
        after = sentence[match.end() :].split()[:1]
        follows = after[0] if after else ""
        return bool(re.match(r"[a-z]+(?:ed|s|d)$|was|is|has|had|won|said", follows))
    return not re.search(r"\b(?:in|at|near|to|from|across|over)(?:\sthe)?$", before)
