"""What a language model that follows instructions is asked for, wherever it runs, and how its
replies are checked.

The same requests go to a downloaded model and to one of an endpoint. What a text says is material
for the model, never an instruction to it; what the model replies is checked like any other input.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controlllm.models.encoder import encode
from controlllm.resources import Label
from controlllm.toolbox import Context, ToolError

from ...shared.sentences import split_sentences
from ...shared.tables import table_beside
from .drafts import presentable
from .given_text import check_length
from .summary import vectors_of

_REQUESTS: Mapping[str, str] = table_beside(__file__)
SILENT = "The text does not answer this question."
_MOST_TITLE_WORDS = 10
_MOST_TAGS = 8
_LONGEST_TAG = 60
#: Of a long text parts of so many characters are compared with a question.
_PART = 500
_MOST_WRITTEN = 6_000
_PIECE_END = re.compile(r"\n\s*\n|\n|[.!?…。！？]+[\"'”’)\]]*(?:\s+|(?<=[。！？]))|\s+")


@dataclass(frozen=True)
class Reply:
    """What a model said, and whether it came to an end by itself."""

    text: str
    complete: bool = True


@dataclass(frozen=True)
class LanguageModel:
    """A model that can be asked.

    Parameters
    ----------
    ask: from the instruction, the user's text, the most characters of the reply and the context
        to the reply.
    longest: how many characters of text it is given at once.
    """

    ask: Callable[[str, str, int, Context], Reply]
    longest: int


def _request(name: str, **values: object) -> str:
    return f"{_REQUESTS[name].format(**values)} {_REQUESTS['material']}"


def summarised(text: str, model: LanguageModel, context: Context, length: str = "") -> str:
    """A summary; a long text is summarised in pieces and these once more together. `length` is the
    most that it may have, such as ``"100 words"``."""
    most = min(max(round(math.sqrt(len(split_sentences(text))) - 0.5), 1), 7)
    done = 0.0
    while len(text) > model.longest:
        pieces = pieces_of(text, model.longest)
        step = (0.9 - done) * 0.8 / len(pieces)
        notes = []
        for piece in pieces:
            part = context.part(done, done + step)
            notes.append(_summary(piece, "5 sentences", 2_000, model, part))
            done += step
        shorter = "\n".join(notes)
        if len(shorter) > 0.8 * len(text):
            raise ToolError("The language model did not make the text shorter; try another one.")
        text = shorter
    length = length or f"{most} sentences"
    room = int(length.split()[0]) * (400 if length.endswith("sentences") else 10)
    return _summary(text, length, room, model, context.part(done, 1.0))


def _summary(text: str, length: str, room: int, model: LanguageModel, context: Context) -> str:
    instruction = _request("summary", length=length)
    reply = model.ask(instruction, text, min(room, len(text) + 200), context)
    return _prose(reply, "summary")


def titled(text: str, model: LanguageModel, context: Context) -> str:
    """A title of at most ten words."""
    text, context = _shortened(text, model, context)
    reply = _prose(model.ask(_request("title"), text, 200, context), "title")
    line = next(line for line in reply.splitlines() if re.search(r"\w", line))
    line = re.sub(r"^\W*(?:title|headline)\s*:\s*", "", line, flags=re.IGNORECASE)
    line = line.strip("#*_. \"“”„'‘’«»")
    words = line.split()
    if len(words) > _MOST_TITLE_WORDS:
        head = re.split(r"\s*[:;–—|-]\s+|,\s", line)[0]
        words = head.split() if 2 <= len(head.split()) <= _MOST_TITLE_WORDS else words
    if not words:
        raise ToolError("The language model wrote no title; try again or use another model.")
    return " ".join(words[:_MOST_TITLE_WORDS])


def tagged(text: str, model: LanguageModel, context: Context) -> tuple[str, ...]:
    """Three to eight tags."""
    words = len(text.split())
    text, context = _shortened(text, model, context)
    most = min(max(3 + words // 40, 3), _MOST_TAGS)
    reply = model.ask(_request("tags", most=most), text, 400, context)
    return tags_in(re.split(r"[,;\n、，]", reply.text), most)


def tags_in(found: Sequence[str], most: int = _MOST_TAGS) -> tuple[str, ...]:
    """What a model gave as tags, tidied, each once; raises ToolError where none is one."""
    kept: dict[str, str] = {}
    for item in found:
        tag = re.sub(r"^\s*(?:[-*•]|\d+[.)])\s*", "", item)
        tag = re.sub(r"^(?:tags|keywords)\s*:\s*", "", tag, flags=re.IGNORECASE)
        tag = " ".join(tag.replace(",", " ").strip(" #.\"'“”*_\t").split())
        if re.search(r"\w", tag) and len(tag) <= _LONGEST_TAG:
            kept.setdefault(tag.casefold(), tag)
    if not kept:
        raise ToolError("The language model found no tags; try again or use another model.")
    return tuple(kept.values())[:most]


def answered(text: str, question: str, model: LanguageModel, context: Context) -> str:
    """The answer that a text gives to a question; of a long text the nearest parts are read."""
    if len(text) > model.longest:
        text = _nearest(text, question, model.longest, context.part(0.0, 0.3))
        context = context.part(0.3, 1.0)
    asked = f"Question: {question}\n\nText:\n{text}"
    answer = _prose(model.ask(_request("answer", silent=SILENT), asked, 1_200, context), "answer")
    return SILENT if SILENT.rstrip(".").casefold() in answer.casefold() else answer


def translated(text: str, language: str, model: LanguageModel, context: Context) -> str:
    """The text in another language, piece by piece where it is long."""
    instruction = _request("translation", language=language)
    # A translation is about as long as its text, and some scripts take many tokens.
    pieces = pieces_of(text, max(model.longest // 4, 200))
    written = []
    for number, piece in enumerate(pieces):
        part = context.part(number / len(pieces), (number + 1) / len(pieces))
        before, words, after = parted(piece)
        if not words:
            written.append(piece)
            continue
        reply = model.ask(instruction, words, 2 * len(words) + 200, part)
        if not re.search(r"\w", reply.text):
            raise ToolError("The language model wrote no translation; try again or use another.")
        if not reply.complete:
            raise ToolError(
                "The language model did not come to an end with the translation; try a shorter "
                "text or another model."
            )
        written.append(f"{before}{_without_thoughts(reply.text)}{after}")
    return "".join(written)


def written(prompt: str, text: str | None, model: LanguageModel, context: Context) -> str:
    """What the prompt asks for, of the text where there is one."""
    length = len(prompt) + len(text or "")
    if length > model.longest:
        raise ToolError(
            f"The text has {length:,} characters and the language model reads at most "
            f"{model.longest:,} at once; give me a part of it or a summary."
        )
    asked = prompt if text is None else f"{prompt}\n\nThe text:\n{text}"
    most = max(_MOST_WRITTEN, 2 * len(text or ""))
    return _prose(model.ask(_REQUESTS["writing"], asked, most, context), "text")


def shares_in(found: Any, names: Sequence[str]) -> tuple[Label, ...]:
    """What a model said of each label, as shares that are 1 together, the best first; `found` maps
    a label to any number from 0 up."""
    given = {str(name).casefold(): value for name, value in dict(found).items()}
    amounts = [float(given.get(name.casefold(), 0.0)) for name in names]
    amounts = [amount if math.isfinite(amount) and amount > 0 else 0.0 for amount in amounts]
    if not sum(amounts):
        raise ToolError("The language model chose none of the labels; try other labels.")
    shares = [amount / sum(amounts) for amount in amounts]
    ordered = sorted(zip(names, shares, strict=True), key=lambda item: -item[1])
    return tuple(Label(name, share) for name, share in ordered)


def entities_in(found: Sequence[Mapping[str, Any]], kinds: Sequence[str], text: str) -> list[str]:
    """What a model named, as "Angela Merkel (person)", where the text has it, in the text's
    order and each once."""
    plain = " ".join(text.casefold().split())
    placed: dict[tuple[str, str], tuple[int, str]] = {}
    for entity in found:
        name, kind = " ".join(str(entity.get("name", "")).split()), str(entity.get("kind", ""))
        place = plain.find(name.casefold())
        if not re.search(r"\w", name) or kind not in kinds or place < 0:
            continue
        placed.setdefault((name.casefold(), kind), (place, entity_tag(name, kind)))
    return [tag for _, tag in sorted(placed.values())]


def entity_tag(name: str, kind: str) -> str:
    """A named thing as a tag; tags are parted by commas, so that none may be inside."""
    name = re.sub(r"(?<=\d),(?=\d{3})", "", name)
    return f"{' '.join(name.replace(',', ' ').split())} ({kind})"


def pieces_of(text: str, longest: int) -> list[str]:
    """The text in pieces of at most so many characters, which together are the text again; cut
    between paragraphs, else lines, sentences or words, whichever the second half has."""
    pieces: list[str] = []
    while len(text) > longest:
        page = text[:longest]
        ends = [match for match in _PIECE_END.finditer(page) if match.end() > longest // 2]
        # The longest pause is the best place: an empty line, a line, a sentence, a word.
        best = max(ends, key=lambda match: (_pause(match[0]), match.end()), default=None)
        cut = best.end() if best else longest
        pieces.append(text[:cut])
        text = text[cut:]
    return [*pieces, text] if text else pieces


def parted(piece: str) -> tuple[str, str, str]:
    """The space before, the words, and the space after."""
    words = piece.strip()
    start = piece.find(words)
    return piece[:start], words, piece[start + len(words) :]


def _pause(words: str) -> int:
    if "\n" in words:
        return 3 if words.count("\n") > 1 else 2
    return 1 if words.strip() else 0


def _shortened(text: str, model: LanguageModel, context: Context) -> tuple[str, Context]:
    """A summary of a text that is too long to be read at once, else the text; and what is left of
    the run."""
    check_length(text)
    if len(text) <= model.longest:
        return text, context
    return summarised(text, model, context.part(0.0, 0.9)), context.part(0.9, 1.0)


def _nearest(text: str, question: str, room: int, context: Context) -> str:
    """The parts of a text that are nearest to a question, in their own order."""
    parts = pieces_of(text, _PART)
    vectors = vectors_of(parts, lambda done: context.progress(done, "looking for the place"))
    nearest = (vectors @ encode([question])[0]).argsort()[::-1][: max(room // (_PART + 4), 1)]
    return "\n…\n".join(parts[place].strip() for place in sorted(nearest))


def _prose(reply: Reply, what: str) -> str:
    said = presentable(_without_thoughts(reply.text), reply.complete)
    if not re.search(r"\w", said):
        raise ToolError(f"The language model wrote no {what}; try again or use another model.")
    return said


def _without_thoughts(text: str) -> str:
    """A reply without what the model said to itself first."""
    return re.sub(r"^\s*<think>.*?(?:</think>|$)", "", text, count=1, flags=re.DOTALL).strip()
