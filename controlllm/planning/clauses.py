"""Splitting a request into clauses, each of which asks for one thing."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from controlllm.values.plain import UP_TO_TWELVE

#: Words that begin a question.
QUESTION_WORDS = frozenset(
    "what which who whom whose where when why how is are was were do does did can could will would "
    "should has have had".split()
)

#: Words that begin an order beside those that the phrasebook brings.
ORDER_WORDS = frozenset(
    "add answer apply blur build caption change check circle classify clip colour color combine "
    "compose compute convert copy count create crop cut delete describe detect determine display "
    "draw dub edit elaborate emphasise emphasize enhance erase estimate examine explain extract "
    "fetch fill find flip generate get give help highlight identify improve inpaint insert isolate "
    "join label let list listen locate look make mark mask measure merge mix mute name narrate "
    "outline paint paste pick play point predict produce provide put read recognise recognize "
    "recolour record redact remove render replace rotate save say scan search segment select "
    "separate show sketch sort speak spot state summarise summarize swap synthesise synthesize tag "
    "take tell trace transcribe transform translate trim turn upscale use verify write".split()
)

#: Nouns for results that may be asked for side by side: "a transcript and a summary".
_RESULT_NOUNS = re.compile(
    r"^(?:a|an|the|its|some|also)?\s*(?:short|brief|quick|one-line)?\s*"
    r"(?:transcript|transcription|summary|title|headline|caption|description|translation|keywords"
    r"|tags|hashtags|sentiment|mask|edge map|depth map|web ?page)\b(?!\s+(?:is|are|was|that))",
    re.IGNORECASE,
)
#: A greeting or thanks, which asks for nothing.
SMALL_TALK = re.compile(
    r"^\W*(?:(?:hello|hi|hey|hiya|good (?:morning|afternoon|evening|day)|greetings|thanks?"
    r"|thank you|thx|cheers|bye|goodbye|see you|how are you|who are you|what can you do|help|nice"
    r"|great|cool|ok|okay|there|controlllm|very much|so much|a lot)\b\W*)+$",
    re.IGNORECASE,
)
_WISHES = re.compile(
    r"^(i|we)\s*('d|would|want|need|wish|am looking|'m looking|'m trying|am trying|'m after)\b",
    re.IGNORECASE,
)
_PROTECTED = re.compile(r"\"[^\"]*\"|“[^”]*”|(?<!\w)'[^']{3,}'(?!\w)|\([^)]*\)")
_PREPOSITIONS = frozenset(
    "with using given from in on for based after before as if when once by at within according "
    "regarding concerning considering conditioned following about".split()
)
_ABBREVIATIONS = re.compile(r"\b(e\.g|i\.e|etc|vs|mr|mrs|ms|dr|st|no)\.$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?;])[\"”')\]]*\s+|\n+|(?<=[?!])(?=[A-Z])")
_CONNECTOR = re.compile(
    r"""\s*[,;:]?\s*\b(?:
        (?:and|but)?\s*(?:then|afterwards|after\s+(?:that|this|which)|next|finally|lastly
           |subsequently|in\s+addition|additionally|as\s+well\s+as|followed\s+by|before\s+(?=\w+ing\b)
           |once\s+(?:that\s+is|that's|you\s+have\s+that|this\s+is)\s+done)
        |and\s+also|and|also|plus|but\s+first|while\s+you're\s+at\s+it
    )\b\s*,?\s*|\s*,\s*(?=\w)|\s+&\s+""",
    re.IGNORECASE | re.VERBOSE,
)
_POLITE = re.compile(
    r"^(?:(?:please|pls|plz|kindly|now|ok|okay|hey|hi|hello|so|well|"
    rf"first(?!\s+(?:(?:\d\S*|{'|'.join(UP_TO_TWELVE)})\s+)?"
    r"(?:half|third|quarter|second|sec|minute|min|hour|frame|page|row|column|line)s?\b)|firstly|also|and|then"
    r"|just|finally|lastly|next)\b[,:]?\s*)+",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"^(?:can|could|would|will)\s+you\s+(?:please\s+|kindly\s+|also\s+|then\s+)*"
    r"|^(?:i|we)\s*(?:'d|\s+would)\s+(?:like|love)\s+(?:you\s+)?to\s+"
    r"|^(?:i|we)\s+(?:want|need)\s+(?:you\s+)?to\s+"
    r"|^(?:would|do)\s+you\s+mind\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Clause:
    """One thing that is asked for. `text` is the person's wording; `context` holds sentences that
    say more about it without asking for anything else; `content` is a text handed over to work on;
    `follows` says that a word such as "then" joined it to the clause before; `beside` that it asks
    for one more result of the same thing, as in "a title and tags"."""

    text: str
    context: str = ""
    content: str = ""
    follows: bool = False
    beside: bool = False


def bare(text: str) -> str:
    """A clause without the polite words around what it asks for."""
    previous = None
    while previous != text:
        previous = text
        text = _POLITE.sub("", text.strip())
        text = _ASKING.sub("", text)
    return re.sub(r"[\s,]*\b(?:please|pls|thanks|thank you)[.!?]*$", "", text, flags=re.I).strip()


def corrected(text: str, orders: frozenset[str] = ORDER_WORDS) -> str:
    """A clause with a slip of the keyboard in its first word mended, and in "the"."""
    text = re.sub(r"\b(?:teh|hte|th)\b", "the", text)
    first = _first_word(text)
    if len(first) < 5 or first in orders or first in QUESTION_WORDS:
        return text
    near = difflib.get_close_matches(first, sorted(orders), n=1, cutoff=0.85)
    return re.sub(first, near[0], text, count=1, flags=re.IGNORECASE) if near else text


def split_content(request: str, names: Sequence[str] = ()) -> tuple[str, str]:
    """A request and the text that it hands over to work on, empty where there is none.

    A long quotation, what follows a colon, and a pasted block are such texts. What follows a colon
    and speaks of a file, one of `names`, is part of the request.
    """
    request = request.strip()
    quotation = max(
        re.finditer(r"\"([^\"]+)\"|“([^”]+)”", request),
        key=lambda found: len(found.group()),
        default=None,
    )
    if quotation and len(quotation.group().split()) >= 3:
        content = quotation.group(1) or quotation.group(2)
        head = request[: quotation.start()].rstrip(" :,") + request[quotation.end() :]
        words, quoted = len(head.split()), len(content.split())
        # In a long request a few quoted words are an example, not what to work on.
        if words >= 2 and (words <= 25 or quoted >= words / 3):
            return re.sub(r"\s+", " ", head).strip(), content.strip()
    colon = re.match(r"(?s)^([^\n:]{4,200}?):\s+(\S.*)$", request)
    asks_on = colon is not None and any(name in colon.group(2) for name in names)
    if colon and not asks_on and _hands_over(*colon.groups()):
        return colon.group(1).strip(), colon.group(2).strip(" \"'“”")
    blocks = [block.strip() for block in re.split(r"\n\s*\n", request) if block.strip()]
    if len(blocks) > 1:
        longest = max(range(len(blocks)), key=lambda index: len(blocks[index]))
        rest = " ".join(block for index, block in enumerate(blocks) if index != longest)
        if len(blocks[longest].split()) >= 20 and len(rest.split()) <= 40:
            return rest, blocks[longest]
    return request, ""


def _hands_over(words: str, content: str) -> bool:
    """Whether words and what follows their colon are a wish and the text that it is about."""
    return len(content.split()) >= 2 and len(words.split()) <= 25


def split_clauses(
    request: str, names: Iterable[str] = (), orders: frozenset[str] = ORDER_WORDS
) -> list[Clause]:
    """The clauses of a request, in order. File `names` are never split."""
    names = tuple(names)
    request, content = split_content(request, names)
    hidden: list[str] = []

    def hide(found: re.Match[str]) -> str:
        hidden.append(found.group())
        return f"\x00{len(hidden) - 1}\x00"

    known = sorted((name for name in names if name), key=len, reverse=True)
    if known:
        request = re.sub("|".join(map(re.escape, known)), hide, request)
    request = re.sub(r"[\w\-]+\.(?!\s)[A-Za-z0-9]{2,5}\b", hide, request)
    request = _PROTECTED.sub(hide, request)

    def shown(text: str) -> str:
        while "\x00" in text:
            text = re.sub(r"\x00(\d+)\x00", lambda found: hidden[int(found.group(1))], text)
        return text.strip(" ,;\n\t")

    clauses: list[Clause] = []
    for sentence in _sentences(request):
        if clauses and not _asks(sentence, orders):
            last = clauses[-1]
            more = f"{last.context} {shown(sentence)}".strip()
            clauses[-1] = replace(last, context=more)
            continue
        for text, follows, beside in _parts(sentence, orders):
            clauses.append(Clause(shown(text), follows=follows, beside=beside))
    clauses = [clause for clause in clauses if re.search(r"\w", clause.text)]
    if content:
        if not clauses:
            return [Clause(content)]
        clauses[0] = replace(clauses[0], content=content)
    return clauses


def _sentences(text: str) -> list[str]:
    found: list[str] = []
    for part in _SENTENCE_END.split(text):
        part = (part or "").strip()
        if not part:
            continue
        if found and _ABBREVIATIONS.search(found[-1]):
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return found


def _first_word(text: str) -> str:
    found = re.match(r"[\"'“(]*([A-Za-z']+)", bare(text))
    return found.group(1).lower() if found else ""


def _asks(text: str, orders: frozenset[str]) -> bool:
    """Whether a sentence asks for something, rather than saying more about what was asked."""
    plain = re.sub(r"^(?:please|pls|also|then|and|now|next|finally)\b[, ]*", "", text, flags=re.I)
    if text.rstrip().endswith("?") or _WISHES.match(plain) or _ASKING.match(plain):
        return True
    word = _first_word(plain)
    if word in orders or word in QUESTION_WORDS:
        return True
    return bool(re.search(r",\s*(?:please\s+)?(\w+)", text)) and any(
        found.lower() in orders or found.lower() in QUESTION_WORDS
        for found in re.findall(r",\s*(?:please\s+|then\s+)?(\w+)", text)
    )


def _parts(sentence: str, orders: frozenset[str]) -> list[tuple[str, bool, bool]]:
    """The clauses of a sentence, each with whether a word such as "then" leads to it and whether it
    asks for one more result of the same thing."""
    parts: list[tuple[str, bool, bool]] = []
    start = 0
    follows = False
    next_to = False
    for found in _CONNECTOR.finditer(sentence):
        left, right = sentence[start : found.start()], sentence[found.end() :]
        joint = found.group().strip(" ,;:").lower()
        if not left.strip() or not right.strip():
            continue
        word = _first_word(right)
        gerund = word.endswith("ing") and joint.startswith(("before", "followed"))
        beside = joint in ("and", "&", "") and _RESULT_NOUNS.match(right) and _names_result(left)
        opens = word in orders or gerund or _opens_question(right) or beside
        if not opens or not (beside or _is_whole(left, orders)):
            continue
        if not joint and word not in orders and not beside:
            continue
        parts.append((left, follows, next_to))
        start = found.end()
        next_to = bool(beside)
        follows = bool(joint) and joint not in ("and", "&", "also")
    parts.append((sentence[start:], follows, next_to))
    return parts


def likely_starts(text: str, orders: frozenset[str] = ORDER_WORDS) -> frozenset[int]:
    """Where a new wish may well begin: at an order or a question after a word such as "and" or the
    end of a sentence."""
    ends = [found.end() for found in _CONNECTOR.finditer(text)]
    ends += [found.end() for found in _SENTENCE_END.finditer(text)]
    return frozenset(
        end for end in ends if _first_word(text[end:]) in orders or _opens_question(text[end:])
    )


def is_result(text: str) -> bool:
    """Whether a clause only names a kind of result, as in "and a short summary"."""
    return _RESULT_NOUNS.match(text) is not None


def _names_result(text: str) -> bool:
    """Whether a kind of result is asked for in a text, as in "give me a transcript of this"."""
    words = text.split()
    return any(_RESULT_NOUNS.match(" ".join(words[start:])) for start in range(len(words)))


def _opens_question(text: str) -> bool:
    """Whether a question of its own begins here, rather than one that is told about."""
    plain = bare(text).lower()
    if re.match(r"(?:what|where|how|who|which|why|when)\b", plain):
        return True
    return bool(
        re.match(r"(?:is|are|does|do|can|could|would|will)\s+(?:it|there|the|this|that|you)", plain)
    )


def _is_whole(text: str, orders: frozenset[str]) -> bool:
    """Whether a text can stand alone as a clause: it has more than an opening verb."""
    words = re.findall(r"[\w\x00']+", bare(text))
    if len(words) < 2:
        # "Crop and rotate it": the object comes once, with the last verb.
        return bool(words) and words[0].lower() in orders and "\x00" in text
    first = words[0].lower()
    if first in _PREPOSITIONS:
        return False
    return (
        first in orders
        or first in QUESTION_WORDS
        or bool(_WISHES.match(bare(text)))
        or any(word.lower() in orders for word in words)
        or len(words) >= 3
    )
