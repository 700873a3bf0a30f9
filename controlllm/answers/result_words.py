"""What a result is, in a few words: "dog cut out", "chelsea depth map", "report summary".

The words come from the wish that asked for it where that is a plain instruction, else from what the
tool says of itself. The grammar is English; what is in another language is named by the tool.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from controlllm.resources import PARENTS

#: Stands for the file that something is made of.
SOURCE = "§"

_MOST_CHARACTERS = 48
_MOST_SOURCE = 28

_NOUNS = {
    "mask": "mask", "segmentation": "segments", "edge": "edges", "line": "lines",
    "hed": "soft edges", "canny": "canny edges", "scribble": "sketch", "pose": "pose",
    "depth": "depth map", "normal": "surface map", "bbox": "boxes", "point": "points",
    "category": "kinds", "tags": "tags", "title": "title", "number": "count", "html": "page",
}  # fmt: skip
_MEDIA = r"(?:picture|image|photo(?:graph)?|pic|video|clip|film|movie|recording|sound|audio|text" \
         r"|document|article|file|song|speech|page)"  # fmt: skip
_POLITE = re.compile(
    r"^(?:please|kindly|now|then|and|also|just|(?:can|could|would|will) you(?: please)?|let'?s"
    r"|i(?:'d| would) like (?:you )?to|i (?:want|need)(?: you)? to|help me(?: to)?)\s+",
    re.IGNORECASE,
)
_THE_SOURCE = re.compile(
    rf"\b(?:(?:the|this|that|my|a|an|of its|its|their)\s+(?:whole\s+|long\s+|given\s+|still\s+)?)"
    rf"{_MEDIA}(?:\s+{SOURCE})?(?!\s+(?:of|from|out\s+of)\b)(?!\w)"
    rf"|\b{_MEDIA}\s+{SOURCE}|\b(?:it|them|this|that)(?:\s+one)?(?=\s|$)|{SOURCE}",
    re.IGNORECASE,
)
_OF_SOURCE = re.compile(
    rf"\s*\b(?:of|from|for|in|on|about|around|out of|over|to|under)\s+{SOURCE}\s*", re.IGNORECASE
)
_ARTICLES = re.compile(r"\b(?:the|a|an|my|this|that|its|some|me|every|each)\s+", re.IGNORECASE)
_ONLY_MEDIUM = re.compile(rf"^(?:new\s+|short\s+)?{_MEDIA}\s+of\s+", re.IGNORECASE)
_TAIL = re.compile(r"\s(?:from|of|in|on|with|to|into|by|at|behind|over|for|as|through|so|about)\s")
_PARTICLE = re.compile(
    r"^(out|up|down|away|off|aloud)\b\s*|\s+(out|aloud)(?=$|\s+(?:of|with|from)\s)", re.IGNORECASE
)
_END = re.compile(r"[:;.?!(\[\n]|,\s|\s(?:such as|that|which|where|while|so that)\s")
_DANGLING = re.compile(
    r"(?:\s+(?:of|from|for|in|on|with|to|into|by|at|and|the|a|an|or|as|its))+$", re.IGNORECASE
)
_UNSAFE = re.compile(r"[\"'“”‘’`@#<>|*?{}\[\]()/\\:;,]+")

_MOST_WORDS = 5
#: What tools work on, which their results need not be called after, and what joins words.
_NO_WORD = frozenset(
    "image images video videos audio sound sounds text texts document documents pdf pdfs table "
    "tables page pages on of in where part partial passage files".split()
)
#: Forms in which something is saved, and verbs with which tools for that begin.
_FORMS, _SAVES = (
    frozenset(
        "gif pdf word jpg jpeg png webp avif tiff wav flac ogg csv srt vtt mov webm qr".split()
    ),
    frozenset("convert document compress zip".split()),
)
#: Words that want something in a form, which the name's ending says.
_SAVED = re.compile(
    rf"(?:save|export|convert|store|turn|make)\s+{SOURCE}\s+(?:(?:as|to|into|in)\s+)?(?:an?\s+)?"
    rf"(?:{'|'.join(sorted(_FORMS))})(?:\s+file)?",
    re.IGNORECASE,
)
#: What tools put onto something that their names do not say.
_PUTS = {
    "add": "more",
    "burn": "words",
    "write": "words",
    "overlay": "picture",
    "highlight": "marks",
    "lay": "ground",
}
_DOES = frozenset(
    "arrange blur change clean compare crop cut cover extract fade filter flip group insert invert "
    "join merge mix mute normalize number pixelate recolor replace resize rotate round sort split "
    "straighten tint trim animate dub".split()
)
_MAKES = frozenset(
    "make generate create draw paint write compose produce design render build sketch play".split()
)
_GETS = frozenset("get give show find take extract detect fetch compute tell list".split())
_TURNS = frozenset("turn convert transform change make".split())
_REMOVES = frozenset("remove erase delete redact".split())
_ADDS = frozenset("add put place insert".split())
#: After these, what was named is all that is left: it needs no word on where it came from.
_ISOLATES = frozenset("cut crop isolate extract segment select keep".split())
_NOUN_OF = {
    "summarize": "summary", "summarise": "summary", "shorten": "summary",
    "describe": "description", "caption": "caption", "transcribe": "transcript",
    "answer": "answer", "explain": "explanation", "classify": "kind", "read": "text",
    "say": "answer", "identify": "answer",
}  # fmt: skip
_IRREGULAR = {
    "cut": "cut", "put": "put", "set": "set", "read": "read", "split": "split", "make": "made",
    "take": "taken", "give": "given", "draw": "drawn", "write": "written", "find": "found",
    "keep": "kept", "get": "taken", "show": "shown", "hide": "hidden", "speak": "spoken",
    "say": "said", "tell": "told", "build": "built",
    "throw": "thrown", "blow": "blown", "bring": "brought", "leave": "left", "let": "let",
    "lay": "laid", "light": "lit", "hold": "held", "spin": "spun",
}  # fmt: skip


def words_for(
    type_name: str,
    wishes: Collection[str],
    verbs: Collection[str],
    thing: str = "",
    source: str = "",
    tool: str = "",
) -> str:
    """What to call a result, without a suffix; empty where nothing tells.

    Parameters
    ----------
    type_name: the type of the result.
    wishes: instructions that tell what it is, the best first; files in them are written `SOURCE`.
    verbs: what may begin an instruction.
    thing: what was named on the way ("the dog"), empty where nothing was.
    source: what the file is called that it was made of, without suffix; empty where it is of none.
    tool: the tool that made it of the source, which says what was done where no wish does in a few
        words; empty where it was not made of a file.
    """
    thing, source = _plain(thing), shortened(source, _MOST_SOURCE)
    if type_name in _NOUNS:
        return shortened(f"{thing or source} {_NOUNS[type_name]}")
    for wish in wishes:
        found = _told(wish, verbs, thing, source, type_name)
        if found and (not tool or _is_short(found, thing, source)):
            return shortened(found)
    if tool:
        return shortened(f"{source} {words_of_tool(tool)}")
    kind = type_name if type_name in PARENTS else "result"
    return shortened(
        thing or source if source and kind in ("document", "table") else f"{thing or source} {kind}"
    )


def _is_short(found: str, thing: str, source: str) -> bool:
    """Whether a name says what something was made of and, in a few words, what became of it."""
    told = found.removeprefix(source)
    is_named = told != found or (thing and thing.lower() in found.lower())
    return bool(is_named) and len(told.split()) <= _MOST_WORDS


def words_of_tool(name: str) -> str:
    """What a tool did, by its name: "resized", "with border", "without background", "chart"; empty
    where it only saves a thing in another form."""
    first, *rest = name.split("_")
    what = [word for word in rest if word not in _NO_WORD]
    if "to" in rest:
        made = name.rpartition("_to_")[2].split("_")
        if first in _DOES:
            return participle_of(first)
        if made == [first]:
            return "edited"
        return "" if first in _SAVES or made[-1] in _FORMS else " ".join(made)
    if first in _SAVES:
        return ""
    if first in _PUTS:
        return f"with {' '.join(what) or _PUTS[first]}"
    if first in _REMOVES:
        return f"without {' '.join(what)}"
    if first in _MAKES or first == "put":
        return " ".join(what)
    if first in _DOES:
        return " ".join([*what, participle_of(first)])
    words = [first, *what] if first not in _NO_WORD else what
    return " ".join([*words[:-1], _made_past(words[-1])]) if words else ""


def _made_past(word: str) -> str:
    """ "Blurring", and "blur", as what has become of something: "blurred"."""
    if word.endswith("ing"):
        stem = word.removesuffix("ing")
        return participle_of(stem[:-1] if stem[-1] == stem[-2] else stem)
    return participle_of(word) if word in _DOES else word


def shortened(words: str, most: int = _MOST_CHARACTERS) -> str:
    """Whole words, at most so many characters of them, that may stand in a file's name."""
    plain = " ".join(_UNSAFE.sub(" ", words).replace(SOURCE, " ").split())
    if len(plain) > most:
        plain = plain[: most + 1].rpartition(" ")[0] or plain[:most]
    return _DANGLING.sub("", plain).strip(" .-–—")


def _told(wish: str, verbs: Collection[str], thing: str, source: str, type_name: str) -> str:
    text = " ".join(wish.split())
    while (plain := _POLITE.sub("", text)) != text:
        text = plain
    text = _END.split(text, maxsplit=1)[0]
    more = (found for found in re.finditer(r"\s(?:and|then)\s+(?:then\s+)?(\w+)", text))
    end = next((found.start() for found in more if found[1].lower() in verbs), len(text))
    verb, _, rest = text[:end].partition(" ")
    verb = verb.lower()
    if verb not in verbs or verb in _FORMS or not verb.isalpha():
        return ""
    rest = _THE_SOURCE.sub(SOURCE, re.sub(r"\b(?:please|pls|plz)\b", "", rest)).strip()
    if source and _SAVED.fullmatch(f"{verb} {rest}"):
        return source
    if verb in _TURNS and (into := re.match(rf"{SOURCE}\s+(?:(?:in)?to\s+)?(.+)", rest)):
        return f"{source} {_plain(into[1])}"
    if verb in _MAKES | _GETS and not _PARTICLE.match(rest):
        made = thing if verb in _MAKES and thing and not source else _made(rest, thing, source)
        if made:
            return made
    if type_name == "text" and verb in _NOUN_OF:
        return f"{thing or source} {_NOUN_OF[verb]}"
    return _done(verb, rest, thing, source)


def _made(rest: str, thing: str, source: str) -> str:
    """What "make REST" makes: a noun phrase, of the source or of nothing."""
    phrase = _OF_SOURCE.sub(" ", f" {rest} ").strip()
    is_of_source = phrase != rest
    phrase = _ONLY_MEDIUM.sub("", _plain(phrase))
    if not phrase or SOURCE in phrase:
        return ""
    if thing and not source:  # "Tell the weather at a place", and the place is Paris
        return f"{thing} {_TAIL.split(f'{phrase} ', maxsplit=1)[0]}"
    return f"{source} {phrase}" if is_of_source else phrase


def _done(verb: str, rest: str, thing: str, source: str) -> str:
    """What has been done to the source: "dog cut out", "photo background blurred"."""
    found = _PARTICLE.search(rest)
    particle = next(filter(None, found.groups()), "") if found else ""
    rest = _PARTICLE.sub("", rest, count=1).strip() if found else rest
    tail = _TAIL.search(f" {rest} ")
    at = max(tail.start() - 1, 0) if tail else len(rest)
    named, after = rest[:at].strip(), _OF_SOURCE.sub(" ", f" {rest[at:].strip()} ").strip()
    if SOURCE in after:
        after = ""
    if re.match(r"(?:what|which|everything|objects?|things?)\b", named) or "mask" in named:
        named = thing
    named = _plain(_OF_SOURCE.sub(" ", f" {named} ").replace(SOURCE, " "))
    if verb in _REMOVES and named:
        return f"{source} without {named}"
    if verb in _ADDS and named and source and not after:
        return f"{source} with {named}"
    participle = " ".join(filter(None, (participle_of(verb), particle)))
    if verb in _ISOLATES and named:
        return f"{named} {participle}"
    return " ".join(filter(None, (source, named, participle, _plain(after))))


def participle_of(verb: str) -> str:
    """The past participle of an English verb: "blur" is "blurred"."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("e"):
        return verb + "d"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    if re.fullmatch(r"[^aeiou]*[aeiou][bdglmnprt]", verb):
        return verb + verb[-1] + "ed"
    return verb + "ed"


def _plain(words: str) -> str:
    """Words without articles."""
    return " ".join(_ARTICLES.sub("", f"{words} ").split())
