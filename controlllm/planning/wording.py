"""What the words of a clause are about: the object, the prompt or the question in it."""

from __future__ import annotations

import re

from controlllm.planning.clauses import QUESTION_WORDS, bare

#: Nouns for the media themselves and for kinds of results; they never name an object in a picture.
MEDIA_WORDS = frozenset(
    """image images picture pictures photo photos photograph photographs pic pics snapshot shot
    screenshot drawing painting file files frame frames video videos clip clips footage movie film
    audio sound recording recordings track song speech voice text document page mask masks box boxes
    bbox bboxes outline outlines contour silhouette version copy result results output map maps
    scene cutout cut-out crop segmentation segment segments edge edges line lines hed scribble pose
    depth normal normals caption description list number count total amount rest remainder
    background one ones position location coordinates place area region part parts label labels
    name names tag tags title summary transcript answer sticker stickers png jpg gif mp3 wav closeup
close-up thumbnail cartoon first second third last
    object objects thing things item items stuff everything anything""".split()
)

_DETERMINERS = (
    "the|a|an|any|all|every|each|my|your|his|her|their|our|its|this|that|these|those|some|both|no|"
    "another|other|many|several|one|two|three|four|five"
)
_STOPS = frozenset(
    """from that which who whose is are was were be been being do does did can could will would
    should has have had presented shown appear appears appearing present visible so please using
    by into onto to for within inside then afterwards as if where there it them out away off up
    here instead completely entirely carefully properly easily quickly now only just also too
    and/or but or because while when look looks separately me us seen displayed depicted pictured
    found located contained disappear vanish gone go""".split()
)
_LINKS = frozenset(
    """in on of with at near behind under beside above below holding wearing riding carrying next
    between against over around without""".split()
)
_FILE = r"<\w+>"
_TOKEN = re.compile(r"<\w+>|[\w'’\-]+|[,.;:?!()]")
PRONOUNS = frozenset("it them this that these those they he she him her one ones".split())

_PASSED_OVER = frozenset(
    "given provided attached same first second third fourth fifth last other".split()
)
#: Words before a noun that leave the thing what it is.
_DESCRIBING = frozenset(
    """red blue green yellow black white brown grey gray orange pink purple golden silver dark light
    bright big large huge small little tiny tall short long old young new open closed empty full
    wooden broken parked visible single""".split()
)
_GENERIC_OBJECTS = frozenset({"object", "objects", "thing", "things", "item", "items", "stuff"})
#: Words that want a thing gone: what is made is the rest, never the thing.
TAKES_AWAY = re.compile(
    r"\b(?:remove|erase|delete|get\s+rid\s+of|take\s+(?:it|them)\s+(?:out|away))\b", re.IGNORECASE
)
#: Who marks something in a picture still means the thing, not the marked picture, by "it".
MARKS = re.compile(r"\b(?:highlight|mark|outline|circle|box)", re.IGNORECASE)
#: Words for what is to be there and in whose place.
EXCHANGES = re.compile(
    r"\b(?:replace|swap|exchange|turn|change|transform|convert)\s+(?:the|that|this|my|his|her)\s+"
    r"(?P<old>[\w-]+(?:\s+[\w-]+)?)\s+(?:with|for|by|into|to)\s+(?P<new>(?:an?|the|some)\s+[^.,;?!<]+)",
    re.IGNORECASE,
)


def object_phrase(clause: str) -> str:
    """The object that a clause is about ("the brown dog on the left"), empty where it names none.

    File names must stand as ``<image>``, ``<video>`` and so on.
    """
    text = bare(clause).rstrip(".?! ")
    for pattern in (
        r"\bhow many\s+(?:different\s+|distinct\s+)?(?P<rest>.+)",
        r"\b(?:number|count|amount|quantity|tally)\s+of\s+(?P<rest>.+)",
        r"\bwhere(?:'s|\s+is|\s+are|\s+can\s+i\s+(?:find|see))\s+(?P<rest>.+)",
        r"\b(?:is|are)\s+there\s+(?P<rest>.+)",
        r"\bwhat\s+colou?rs?\s+(?:is|are)\s+(?P<rest>.+)",
        r"\b(?:contains?|containing|showing|shows?|displays?|displaying|features?|depicts?"
        r"|includes?|have|has)\s+(?P<rest>.+)",
        r"\b(?:get|getting)\s+rid\s+of\s+(?P<rest>.+)",
    ):
        found = re.search(pattern, text, re.IGNORECASE)
        if found:
            phrase = _noun_phrase(_TOKEN.findall(found.group("rest")))
            if phrase:
                return phrase
    tokens = _TOKEN.findall(text)
    for index, token in enumerate(tokens):
        if re.fullmatch(_DETERMINERS, token, re.IGNORECASE):
            phrase = _noun_phrase(tokens[index:])
            if phrase:
                return phrase
    return _after_verb(tokens)


def is_one_of(phrase: str, names: frozenset[str]) -> bool:
    """Whether an object is one of these: "the two red cars on the left" are a car, a polar bear is
    no bear. Names are in the singular and lower case.
    """
    words = [word.lower() for word in _TOKEN.findall(phrase)]
    end = next((place for place, word in enumerate(words) if word in _LINKS), len(words))
    words = words[:end]
    while words and (words[0] in _DESCRIBING or _is_determiner(words[0])):
        words = words[1:]
    noun = " ".join(words)
    return any(name in names for name in (noun, *_singulars(noun)))


def _singulars(noun: str) -> list[str]:
    """What the singular of a noun may be."""
    found = [noun.removesuffix(ending) for ending in ("s", "es") if noun.endswith(ending)]
    for ending, singular in (("ves", "fe"), ("men", "man"), ("people", "person")):
        if noun.endswith(ending):
            found.append(noun.removesuffix(ending) + singular)
    return found


def completed(words: str, text: str) -> str:
    """Some words at the start of a text, with the rest of the noun that they belong to."""
    tokens = _TOKEN.findall(text)
    linked = (place for place, token in enumerate(tokens) if place and token.lower() in _LINKS)
    phrase = _noun_phrase(tokens[: next(linked, len(tokens))])
    place = text.find(phrase)
    whole = text[: place + len(phrase)].strip() if phrase and 0 <= place <= 4 else ""
    return whole if whole.startswith(words) else words


def _after_verb(tokens: list[str]) -> str:
    """The words after the opening verb: "crop dog" is about a dog."""
    rest = tokens[1:]
    while rest and rest[0].lower() in {"out", "away", "off", "up", "me", "us", "only", "just"}:
        rest = rest[1:]
    if not tokens or tokens[0].lower() in QUESTION_WORDS:
        return ""
    return _noun_phrase(rest)


def _noun_phrase(tokens: list[str]) -> str:
    """The noun phrase at the start of some words, without its article."""
    taken: list[str] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        lower = token.lower()
        if re.fullmatch(_FILE, token) or re.fullmatch(r"[.;:?!()]", token):
            break
        if token == ",":
            if taken and index + 1 < len(tokens) and _is_plain(tokens[index + 1]):
                following = tokens[index + 1].lower()
                if following not in _STOPS and following not in QUESTION_WORDS:
                    taken.append(token)
                    index += 1
                    continue
            break
        if lower in _STOPS and not _leads_to_side(tokens[index:]):
            break
        if lower in _LINKS:
            if not taken or _leads_to_media(tokens[index + 1 :]):
                break
        elif lower == "and" and not taken:
            break
        taken.append(token)
        index += 1
    while taken and (taken[-1].lower() in _LINKS | {"and", ","} or _is_determiner(taken[-1])):
        taken.pop()
    while taken and _is_determiner(taken[0]):
        taken.pop(0)
    head = _head(taken)
    if not taken or head.lower() in MEDIA_WORDS | PRONOUNS:
        return ""
    return " ".join(taken).replace(" ,", ",")


def _is_plain(token: str) -> bool:
    return re.fullmatch(r"[\w'’\-]+", token) is not None


def _is_determiner(token: str) -> bool:
    return re.fullmatch(_DETERMINERS, token, re.IGNORECASE) is not None


def _head(taken: list[str]) -> str:
    """The last word before a preposition: the head of "man on the left" is "man"."""
    for index, token in enumerate(taken):
        if index and token.lower() in _LINKS | {"and", ","}:
            return taken[index - 1]
    return taken[-1] if taken else ""


def _leads_to_side(tokens: list[str]) -> bool:
    """Whether words say from which side to count: "second from the left"."""
    words = [token.lower() for token in tokens[:3]]
    side = next((word for word in words[1:] if word != "the"), "")
    return words[0] == "from" and side in {"left", "right", "top", "bottom"}


def _leads_to_media(tokens: list[str]) -> bool:
    """Whether a preposition leads to a file or a word for one: "in the picture", "of <image>"."""
    for token in tokens[:5]:
        lower = token.lower()
        if re.fullmatch(_FILE, token):
            return True
        if lower in {"background", "left", "right", "middle", "centre", "center"}:
            return False
        if lower in MEDIA_WORDS or lower in {"it", "them", "here", "there"}:
            return True
        if not _is_determiner(token) and lower not in _PASSED_OVER:
            return False
    return False


def speaks_of_everything(clause: str) -> bool:
    """Whether a clause is about all objects rather than about one that it names."""
    text = re.sub(r"\b(?:everything|anything|all)\s+(?:else|but|except)\b", "", clause.lower())
    words = set(re.findall(r"[a-z]+", text))
    return bool(words & {"everything", "anything", "all"} and words & _GENERIC_OBJECTS) or bool(
        words & {"everything", "anything"}
    )


def prompt_phrase(clause: str) -> str:
    """The description of what to generate, or the whole clause where it is not set apart."""
    text = bare(clause).rstrip(".?! ")
    media = "|".join(
        (
            "images?",
            "pictures?",
            "photos?",
            "drawings?",
            "paintings?",
            "scenes?",
            "videos?",
            "clips?",
            "tracks?",
            "songs?",
            "music",
            "melody",
            "tune",
            "sound",
            "posters?",
        )
    )
    found = re.search(
        rf"\b(?:{media})\b(?:\s+{_FILE})?.*?\b(?:of|that\s+(?:features|shows|contains|has|depicts"
        rf"|showcases|includes)|featuring|showing|showcasing|depicting|containing|contains|with"
        rf"|where|in\s+which)\s+(?!the\s+(?:same|similar)\b)(?P<rest>(?!{_FILE}).+)$",
        text,
        re.IGNORECASE,
    )
    if found:
        rest = re.sub(
            rf"^(?:the\s+)?(?:\w+\s+)?(?:of|from|in)\s+{_FILE}\s*(?:that|and|with)?\s*",
            "",
            found.group("rest"),
            flags=re.IGNORECASE,
        )
        if len(rest.split()) >= 2 and not re.fullmatch(_FILE, rest):
            return rest.strip(" ,")
    found = re.match(r"(?:\w+)\s+(?:me\s+)?(?P<rest>(?:a|an|some)\s+.+)$", text, re.IGNORECASE)
    return (found.group("rest") if found else text).strip(" ,")


#: Words that name the kind of result that is asked for.
_RESULT_WORDS: tuple[tuple[str, str], ...] = (
    (r"masks?|segment(?!\s+(?:everything|anything|all))", "mask"),
    (r"bounding\s+box(?:es)?|bbox(?:es)?|coordinates", "bbox"),
    (r"web\s?pages?|html", "html"),
    (r"canny(?:\s+edges?)?", "canny"),
    (r"edges?(?:\s+maps?)?", "edge"),
    (r"line\s+(?:map|drawing|art)|straight\s+lines", "line"),
    (r"hed(?:\s+map)?", "hed"),
    (r"scribble", "scribble"),
    (r"pose|skeleton", "pose"),
    (r"depth(?:\s+map)?", "depth"),
    (r"normal\s+map", "normal"),
    (r"segmentation(?:\s+map)?", "segmentation"),
    (
        r"(?:make|create|produce|generate|give)\s+(?:(?:me|us)\s+)?an?\s+(?:[\w-]+\s+){0,2}"
        r"(?:video|clip|film|movie)(?!\s+(?:title|description|summary|caption|page))",
        "video",
    ),
    (r"title|headline", "title"),
    (r"tags|hashtags|keywords", "tags"),
)
_ALOUD = re.compile(
    r"\b(?:aloud|out\s+loud|voice-?over|(?:in)?to\s+(?:speech|sound|audio))\b", re.IGNORECASE
)
_SOURCE_WORDS = re.compile(
    r"\b(?:conditioned\s+on|based\s+on|using|use|from|(?<!me\s)(?<!us\s)with|given|by|via|in|under|of)\s+"
    r"(?:the\s+|a\s+|this\s+|its\s+|given\s+)*(?:\w+\s+)?$",
    re.IGNORECASE,
)


def named_result(masked: str) -> str:
    """The type of result that a clause names ("a mask of the bear"), empty where it names none.

    Words that say what to start from ("using the segmentation") do not count.
    """
    if _ALOUD.search(masked):
        return "audio"
    for pattern, type_name in _RESULT_WORDS:
        found = re.search(rf"\b(?:{pattern})\b", masked, re.IGNORECASE)
        if found and not _SOURCE_WORDS.search(masked[: found.start()]):
            return type_name
    return ""
