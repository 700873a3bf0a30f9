"""Which edits by rule an instruction asks for: "sort the lines and remove duplicates".

An instruction is read only where all of its words are understood, so that "write a story about a
slug" is none. `steps_of` cuts it into the edits and what is left for a language model. The words
are in ``text_rules.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ...shared.instructions import Edit as Asked
from ...shared.instructions import table
from ...shared.sentences import split_sentences
from ...shared.tables import table_beside
from . import text_edits
from .spelling_correction import corrected, written_out
from .word_edits import exchanged

Edit = Callable[[str], str]

_WORDS = table_beside(__file__)


@dataclass(frozen=True)
class Step:
    """An edit by rule with its words, or words of the instruction that no rule reads."""

    words: str
    edit: Edit | None = None


class NotFound(LookupError):
    """What the instruction names is not in the text; the message says what, as a sentence.

    `certain` says that nothing else can have been meant.
    """

    def __init__(self, message: str, certain: bool) -> None:
        super().__init__(message)
        self.certain = certain


def steps_of(instruction: str) -> list[Step]:
    """The instruction's edits in order; parts that no rule reads stand together as they are."""
    steps: list[Step] = []
    unread: int | None = None
    answered: Edit | None = None
    for part in table(Path(__file__).with_name("text_rules.toml")).read(instruction, whole=True):
        edit = _edit_of(part) if isinstance(part, Asked) else None
        if isinstance(part, Asked) and edit is not None:
            if answered and part.name in _ANSWERS:
                # "Count the words and the lines" asks both of the same text.
                edit = _both(answered, edit)
                part = replace(part, said=f"{steps.pop().words}, {part.said}")
            answered = edit if part.name in _ANSWERS else None
            steps.append(Step(part.said, edit))
            unread = None
        elif unread is None:
            unread = part.start
            steps.append(Step(part.said))
        else:
            steps[-1] = Step(instruction[unread : part.end])
    if all(step.edit is None for step in steps):
        return [Step(instruction.strip())]
    return steps


def _both(first: Edit, second: Edit) -> Edit:
    return lambda text: f"{first(text)}\n{second(text)}"


def _edit_of(asked: Asked) -> Edit | None:
    plain = _PLAIN.get(asked.name)
    return plain or _MADE[asked.name](asked)


def _unit(asked: Asked) -> str:
    word = asked.parts.get("unit", "").lower().rstrip("s")
    return _WORDS["units"].get(word, f"{word}s" if word else "")


def _named_kind(words: str) -> str:
    kinds = _WORDS["kinds"].items()
    return next((kind for pattern, kind in kinds if re.search(pattern, words, re.I)), "spaces")


def _bare(words: str) -> str:
    """What is meant by words with or without quotation marks."""
    if re.fullmatch(r"[\"“‘`'].*[\"”’`']", words):
        return words[1:-1]
    return re.sub(
        r"^(?:(?:every|all|each|any|the)\s)*(?:(?:instances?|occurrences?) of )?"
        r"(?:the )?(?:words? |phrases? |names? |letters? |terms? )?",
        "",
        words,
        flags=re.IGNORECASE,
    )


def _replacement(asked: Asked) -> Edit | None:
    quoted = asked.parts.get("quoted", "")
    old, new = quoted or asked.parts["old"], _bare(asked.parts["new"])
    bare = _bare(old)
    if not bare:
        return None
    certain = bool(quoted) or (" replace " in f" {asked.words}" and len(bare.split()) <= 2)

    def edit(text: str) -> str:
        # "Replace all cats by dogs" may name them in the plural.
        others = (old, bare, *([bare[:-1]] if bare.endswith("s") else []))
        for candidate in dict.fromkeys((bare,) if quoted else others):
            changed, count = exchanged(text, candidate, new)
            if count:
                return changed
        mark = _WORDS["marks"].get(bare.lower().rstrip("s"))
        if mark and mark in text:
            return text.replace(mark, _WORDS["marks"].get(new.lower().rstrip("s"), new))
        raise NotFound(f"“{bare}” is not in the text, so there is nothing to replace.", certain)

    return edit


def _without_words(asked: Asked) -> Edit:
    words = _bare(asked.parts["quoted"])

    def edit(text: str) -> str:
        changed, count = exchanged(text, words, "")
        if not count:
            raise NotFound(f"“{words}” is not in the text, so there is nothing to remove.", True)
        return text_edits.tidy_spaces(changed)

    return edit


def _sorting(asked: Asked) -> Edit:
    by = "length" if asked.says("length | longest | shortest") else "letter"
    if by == "letter" and asked.says(
        "number* | numeric* | value | size | largest | smallest | highest"
    ):
        by = "number"
    down = asked.says(
        "revers* | descend* | z (to|a) | backward* | longest | largest | highest | biggest"
    )
    return lambda text: text_edits.sorted_text(text, _unit(asked), by, down)


def _extraction(asked: Asked) -> Edit:
    what = _named_kind(asked.parts["kind"])

    def edit(text: str) -> str:
        listed = text_edits.extracted(text, what)
        return "\n".join(listed) if listed else f"There are no {what} in this text."

    return edit


def _shortening(asked: Asked) -> Edit:
    number, last = int(asked.amount("") or 1), asked.parts.get("end", "first").lower() != "first"
    return lambda text: text_edits.shortened(text, number, _unit(asked), last)


def _counting(asked: Asked) -> Edit:
    unit = _unit(asked).replace("items", "lines")
    return lambda text: text_edits.counted(text, unit)


def _reversal(asked: Asked) -> Edit:
    unit = _unit(asked).replace("characters", "letters")
    return lambda text: text_edits.reversed_text(text, unit)


def _own_lines(asked: Asked) -> Edit:
    split: dict[str, Callable[[str], list[str]]] = {"item": text_edits.items_of, "word": str.split}
    pieces = split.get(asked.parts["piece"].lower().rstrip("s"), split_sentences)
    return lambda text: "\n".join(pieces(text))


#: Edits that tell something of a text.
_ANSWERS = ("count", "extract", "occurrences")
_PLAIN: dict[str, Edit] = {
    "upper_case": str.upper,
    "lower_case": str.lower,
    "title_case": text_edits.title_case,
    "every_word_capital": text_edits.every_word_capital,
    "sentence_case": text_edits.sentence_case,
    "bullet_list": text_edits.bullet_list,
    "numbered_list": text_edits.numbered_list,
    "numbered_lines": text_edits.numbered_lines,
    "reverse_letters": lambda text: text_edits.reversed_text(text, "letters"),
    "tidy_spaces": text_edits.tidy_spaces,
    "join_lines": lambda text: text_edits.without(text, "line breaks"),
    "slug": lambda text: text_edits.named(text, "slug"),
    "spelling": corrected,
    "contractions": written_out,
}
_MADE: dict[str, Callable[[Asked], Edit | None]] = {
    "replace": _replacement,
    "remove_words": _without_words,
    "occurrences": lambda asked: (
        lambda text: text_edits.occurrences(text, _bare(asked.parts["quoted"]))
    ),
    "reverse": _reversal,
    "sort": _sorting,
    "duplicates": lambda asked: lambda text: text_edits.without_duplicates(text, _unit(asked)),
    "count": _counting,
    "shorten": _shortening,
    "remove": lambda asked: lambda text: text_edits.without(text, _named_kind(asked.parts["what"])),
    "own_lines": _own_lines,
    "before_lines": lambda asked: (
        lambda text: text_edits.framed_lines(text, before=asked.parts["quoted"][1:-1])
    ),
    "after_lines": lambda asked: (
        lambda text: text_edits.framed_lines(text, after=asked.parts["quoted"][1:-1])
    ),
    "named": lambda asked: lambda text: text_edits.named(text, asked.parts["naming"].lower()),
    "extract": _extraction,
}
