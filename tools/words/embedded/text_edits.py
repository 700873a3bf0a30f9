"""Edits of a text that follow a rule to the letter: case, lines, lists, spaces, what to keep."""

from __future__ import annotations

import math
import re
import textwrap
import unicodedata
from collections.abc import Callable
from itertools import count

from ...shared.sentences import split_sentences
from . import contacts
from .word_edits import named as phrase_named
from .word_edits import word_pattern

_SMALL_IN_TITLES = frozenset(
    "a an the and but or nor for so yet as at by in of off on per to via with from into".split()
)
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_BULLET = re.compile(r"^\s*(?:[-*•–]|\d{1,3}[.)])\s+")
#: What comes before a list in a sentence.
_LEAD_IN = re.compile(
    r"^(?:[^,;:]*:\s|(?:please\s)?(?:(?:we|i|you|they)\s(?:also\s)?(?:need|want|have|like|bought|"
    r"should buy|must buy)|buy|bring|get|there (?:are|is))\s(?:to (?:buy|get|bring)\s)?)",
    re.IGNORECASE,
)

_PATTERNS = {
    "numbers": r"(?<![\w.,-])[-−]?\d+(?:[.,]\d+)*(?![\w]*[a-zA-Z]\w*@)%?",
    "hashtags": r"(?<![\w&])#\w*[^\W\d]\w*",
    "mentions": r"(?<![\w.@])@\w+",
    "tags": r"<[^<>\n]*[\w\"'/]>",
    "emoji": "[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d]",
}
_FINDERS = {
    "e-mail addresses": contacts.emails, "links": contacts.links, "phone numbers": contacts.phones,
}  # fmt: skip
#: A number with its marks is one word, and so is each sign of Chinese and Japanese.
_COUNTED = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|\d+(?:[.,:]\d+)*(?![^\W_])|"
    r"(?:(?![\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])[^\W_])+"
    r"(?:['’.-](?:(?![\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])[^\W_])+)*"
)


def lines_of(text: str) -> list[str]:
    """The lines that are not empty, without spaces at their ends."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def items_of(text: str) -> list[str]:
    """The parts of a list: its lines, else what commas part, else sentences."""
    lines = lines_of(text)
    if len(lines) > 1:
        return [_BULLET.sub("", line) for line in lines]
    sentences = split_sentences(text)
    if len(sentences) > 1:
        return sentences
    return _comma_items(text) or sentences


def _comma_items(text: str) -> list[str]:
    """What commas or semicolons part, where the parts are as short as those of a list."""
    line = _LEAD_IN.sub("", _BULLET.sub("", " ".join(text.split())).rstrip("."))
    mark = ";" if ";" in line else ","
    parts = [part.strip() for part in line.split(mark)]
    if len(parts) > 1:
        last = re.split(r"\s+(?:and|or|&)\s+", re.sub(r"^(?:and|or)\s+", "", parts[-1]))
        parts[-1:] = last
    parts = [part for part in parts if part]
    if len(parts) < 2 or max(len(part.split()) for part in parts) > 5:
        return []
    return parts


def title_case(text: str) -> str:
    """A capital at every word but small ones in the middle, as in a headline."""
    return "\n".join(map(_line_in_title_case, text.split("\n")))


def _line_in_title_case(line: str) -> str:
    line = line.lower() if line.isupper() else line

    def cased(match: re.Match[str]) -> str:
        word, before, after = match[0], line[: match.start()].rstrip(), line[match.end() :]
        inner = re.search(r"\w[^:!?]*$", before) and re.search(r"\w", after)
        if inner and word.lower() in _SMALL_IN_TITLES:
            return word.lower()
        return _capitals(word) if word.islower() else word

    return _WORD.sub(cased, line)


def _capitals(word: str) -> str:
    return "-".join(part[:1].upper() + part[1:] for part in word.split("-"))


def every_word_capital(text: str) -> str:
    """A capital at every word."""
    return _WORD.sub(lambda match: match[0][:1].upper() + match[0][1:], text)


def sentence_case(text: str) -> str:
    """A capital at the first letter of every sentence; shouted text is brought down first."""
    letters = [letter for letter in text if letter.isalpha()]
    if letters and sum(letter.isupper() for letter in letters) > 0.6 * len(letters):
        text = re.sub(r"\bi\b", "I", text.lower())
    return re.sub(
        r"(^\s*|[.!?…][\"'”’)]*\s+|\n\s*)([\"'“‘(]*)(\w)",
        lambda match: match[1] + match[2] + match[3].upper(),
        text,
    )


def bullet_list(text: str) -> str:
    return "\n".join(f"- {_item(item)}" for item in items_of(text))


def numbered_list(text: str) -> str:
    return "\n".join(f"{place}. {_item(item)}" for place, item in enumerate(items_of(text), 1))


def numbered_lines(text: str) -> str:
    """Each line that is not empty with its number; of one line, its items."""
    if len(lines_of(text)) < 2:
        return numbered_list(text)
    places = count(1)
    return "\n".join(
        f"{next(places)}. {_BULLET.sub('', line.strip())}" if line.strip() else line
        for line in text.splitlines()
    )


def _item(item: str) -> str:
    item = _BULLET.sub("", item)
    return item[:1].upper() + item[1:]


def on_units(text: str, unit: str, change: Callable[[list[str]], list[str]]) -> str:
    """The text with its lines, words, sentences or items changed as a list.

    Without a unit: lines where there are several, else the items of a list, else words.
    """
    lines = lines_of(text)
    if unit == "sentences":
        return " ".join(change(split_sentences(text)))
    if unit == "paragraphs":
        paragraphs = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
        return "\n\n".join(change(paragraphs))
    if unit == "lines" or (unit in ("", "items") and len(lines) > 1):
        return "\n".join(change(lines))
    items = _comma_items(text)
    if items:
        return (" " if unit == "words" and "," not in text else ", ").join(change(items))
    sentences = split_sentences(text)
    if unit in ("", "items") and len(sentences) > 1:
        return " ".join(change(sentences))
    if unit == "words" and len(lines) > 1:
        return "\n".join(" ".join(change(line.split())) for line in lines)
    return " ".join(change(text.split()))


def sorted_text(text: str, unit: str, by: str, downwards: bool) -> str:
    """Lines, items or words in order: by the alphabet, by one of their words, by the number in
    them or by length; see `place_of`."""
    return on_units(
        text,
        unit,
        lambda parts: sorted(parts, key=lambda part: place_of(part, by), reverse=downwards),
    )


Place = tuple[float, list[tuple[int, float, str]], str]


def place_of(part: str, by: str) -> Place:
    """Where a line comes by its length, its number or one of its words, then by all of it."""
    bare = _BULLET.sub("", part).strip()
    # "Pike, Joan" has the surname before the comma, "Joan Pike, table 4" too.
    words = re.findall(r"[^\W\d_][\w'’-]*", bare.partition(",")[0])
    chosen = {"last_word": words[-1:], "second_word": words[1:2], "first_word": words[:1]}
    first = _natural(chosen[by][0])[0] if chosen.get(by) else []
    own, plain = _natural(part)
    number = re.search(r"[-−]?\d+(?:\.\d+)?", part.replace(",", "")) if by == "number" else None
    figure = float(number[0].replace("−", "-")) if number else math.inf
    size = {"length": len(bare), "longest": -len(bare), "number": figure}.get(by, 0)
    return size, first + own, plain


def _natural(part: str) -> tuple[list[tuple[int, float, str]], str]:
    """Where words come: 2 before 10, small letters as capitals, é as e."""
    plain = plain_letters(re.sub(r"^\s*[-*•–]\s+", "", part)).casefold()
    pieces = re.findall(r"(?:(?<!\w)[-−])?\d+(?:\.\d+)?|[^\W\d]+", plain.replace("−", "-"))
    key: list[tuple[int, float, str]] = []
    for piece in pieces:
        number = piece.lstrip("-")[:1].isdecimal()
        key.append((0, float(piece), "") if number else (1, 0.0, piece))
    return key, plain


def without_duplicates(text: str, unit: str) -> str:
    """Each line, item, sentence or word once, where it comes first.

    In running text only words that follow themselves ("the the") go.
    """
    one_sentence = len(split_sentences(text)) < 2
    running = re.search(r"[.!?]", text) and not _comma_items(text) and len(lines_of(text)) < 2
    if running and (unit == "words" or (not unit and one_sentence)):
        return re.sub(r"\b(\w+)(?:\s+\1\b)+", r"\1", text, flags=re.IGNORECASE)

    def once(parts: list[str]) -> list[str]:
        seen: dict[str, str] = {}
        for part in parts:
            seen.setdefault(" ".join(part.casefold().split()).strip(".,;:"), part)
        return list(seen.values())

    return on_units(text, unit, once)


def reversed_text(text: str, unit: str) -> str:
    """The letters, words, lines or sentences in the opposite order."""
    if unit == "letters":
        letters = re.findall(r".[\u0300-\u036f\u200d\ufe0f]*", text, re.DOTALL)
        return "".join(reversed(letters))
    return on_units(text, unit, lambda parts: parts[::-1])


def counts_of(text: str) -> dict[str, int]:
    """How many words, characters, letters, lines, sentences and paragraphs there are."""
    return {
        "words": len(_COUNTED.findall(text)),
        "characters": characters_in(text),
        "letters": sum(character.isalpha() for character in text),
        "sentences": len(split_sentences(text)),
        "lines": len(lines_of(text)),
        "paragraphs": len([part for part in re.split(r"\n\s*\n", text) if part.strip()]),
    }


def characters_in(text: str) -> int:
    return len(unicodedata.normalize("NFC", text))


def counted(text: str, unit: str) -> str:
    """How many of a unit there are, in words."""
    return _amount(counts_of(text)[unit], unit)


def occurrences(text: str, phrase: str) -> str:
    """How often a phrase is in the text, in words."""
    count = len(word_pattern(phrase).findall(text))
    return f"{phrase_named(phrase)} occurs {_amount(count, 'times')}."


def _amount(number: int, unit: str) -> str:
    return f"{number:,} {unit[:-1] if number == 1 else unit}"


def shortened(text: str, number: int, unit: str, at_the_end: bool = False) -> str:
    """The first words, sentences, lines or characters of a text, or the last ones.

    Of words, whole sentences are kept where they fill most of the room; else "…" says that it was
    cut.
    """
    if unit in ("sentences", "lines", "paragraphs"):
        keep = slice(-number, None) if at_the_end else slice(number)
        return on_units(text, unit, lambda parts: parts[keep])
    if unit in ("characters", "letters"):
        if len(text) <= number or at_the_end:
            return text[-number:]
        short = textwrap.shorten(text, number, placeholder="…")
        return f"{text[: max(number - 1, 0)]}…" if short == "…" else short
    words = text.split()
    if len(words) <= number:
        return text
    if at_the_end:
        return " ".join(words[-number:])
    whole = ""
    for sentence in split_sentences(text):
        longer = f"{whole} {sentence}".strip()
        if len(longer.split()) > number:
            break
        whole = longer
    if len(whole.split()) >= 0.7 * number:
        return whole
    return " ".join(words[:number]).rstrip(" ,;:-.") + "…"


def tidy_spaces(text: str) -> str:
    """Single spaces, none before a comma or full stop, one after it, at most one empty line."""
    text = text.replace("\u00a0", " ").replace("\r\n", "\n")
    text = re.sub(r"[ \t]+", " ", text)
    text = re.sub(r" *\n *", "\n", text)
    text = re.sub(r"\n{3,}", "\n\n", text)
    text = re.sub(r"(?<=[\w)\]\"'”’]) +([,;:!?]|\.(?!\w|\.)|\.(?=[A-Z][a-z]))", r"\1", text)
    text = re.sub(r"(?<=[^\W\d]),(?=[^\W\d])", ", ", text)
    text = re.sub(r"(?<=[a-z]{2})([!?]|\.)(?=[A-Z][a-z])", r"\1 ", text)
    text = re.sub(r"([(\[]) +", r"\1", re.sub(r" +([)\]])", r"\1", text))
    return text.strip()


def without(text: str, what: str) -> str:
    """The text without its punctuation, numbers, accents, empty lines and the like."""
    if what == "punctuation":
        text = re.sub("[–—/]", " ", text)
        kept = (one for one in text if not unicodedata.category(one).startswith("P"))
        return re.sub(r"[ \t]+", " ", "".join(kept)).strip()
    if what == "accents":
        return plain_letters(text)
    if what == "empty lines":
        return re.sub(r"\n\s*\n", "\n", text)
    if what == "line breaks":
        return " ".join(text.split())
    if what == "spaces":
        return re.sub(r"[ \t]+", "", text)
    if what in _FINDERS:
        for found in _FINDERS[what](text):
            text = text.replace(found, "")
        return tidy_spaces(text)
    return tidy_spaces(re.sub(_PATTERNS[what], " " if what == "tags" else "", text))


def extracted(text: str, what: str) -> list[str]:
    """The e-mail addresses, links, phone numbers, numbers, hashtags or mentions, each once."""
    if what in _FINDERS:
        return _FINDERS[what](text)
    if what == "numbers":
        # What looks like a number inside an address is none.
        for address in contacts.links(text) + contacts.emails(text):
            text = text.replace(address, " ")
    return list(dict.fromkeys(match[0] for match in re.finditer(_PATTERNS[what], text)))


def framed_lines(text: str, before: str = "", after: str = "") -> str:
    """The words put before and after each line that is not empty."""
    return "\n".join(
        f"{before}{line}{after}" if line.strip() else line for line in text.splitlines()
    )


def named(text: str, style: str) -> str:
    """The words as one name for an address or a program: slug, snake, camel or pascal."""
    words = re.findall(r"[a-z0-9]+", re.sub(r"['’]", "", plain_letters(text)).lower())
    if style in ("camel", "pascal"):
        joined = "".join(map(str.capitalize, words))
        return joined if style == "pascal" else joined[:1].lower() + joined[1:]
    return ("_" if style == "snake" else "-").join(words)


def plain_letters(text: str) -> str:
    """The text without accents: "é" to "e", "ß" to "ss"."""
    for letter, plain in {"ß": "ss", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "ł": "l"}.items():
        text = text.replace(letter, plain)
    apart = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
