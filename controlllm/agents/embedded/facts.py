"""What an observation says, as facts: a path to a field and its value; and facts in a state.

Tools from elsewhere answer in JSON, some of it megabytes of what nobody asked for: all that is read
here is bounded.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Scalar = str | int | float | bool

#: So much of an observation is read, in characters, and so many facts are taken out of it.
_MOST_READ, _MOST_FACTS = 8_000_000, 4000
#: The most characters of a value that is kept.
_MOST_VALUE = 300
_PAIR = re.compile(
    r'"(?P<name>[^"\\]{1,60})"\s*:\s*'
    r'(?:"(?P<text>(?:[^"\\]|\\.){0,400})"|(?P<other>-?\d+(?:\.\d+)?|true|false)(?=[\s,}\]]))'
)
#: An answer with nothing in it is not longer than this, in characters.
_MOST_EMPTY = 20_000
#: What stands beside an answer: where it goes on, what went wrong, what it was asked.
_BESIDE = frozenset(
    "paging pagination page meta metadata links error errors warning warnings attributions request "
    "query parameters params debug".split()
)
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


@dataclass(frozen=True)
class Fact:
    """A field of an observation: its path (``days[0].wind_speed``) and its value. The path is empty
    where the observation is but the value."""

    path: str
    value: Scalar

    @property
    def words(self) -> str:
        """The path in words, without numbers: ``days wind speed``."""
        return words_of(re.sub(r"\[\d+\]", " ", self.path))

    @property
    def name(self) -> str:
        """The field's own name: ``wind_speed``."""
        return re.sub(r"\[\d+\]$", "", self.path.rsplit(".", 1)[-1])

    @property
    def record(self) -> str:
        """The entry of the innermost list that it belongs to, ``days[0]``; empty where none."""
        end = self.path.rfind("]")
        return self.path[: end + 1]


def words_of(name: str) -> str:
    """A name in words: ``fromCurrency`` and ``from_currency`` are ``from currency``."""
    return " ".join(word.lower() for word in _WORDS.findall(name))


def facts_of(text: str) -> tuple[Fact, ...]:
    """The facts of an observation, those of outer fields first; empty ones are left out.

    What is no JSON is one fact without a path; of JSON that was cut off, or has other text around
    it, the fields that can be made out.
    """
    text = text[:_MOST_READ].strip()
    if not text:
        return ()
    if text[0] in "{[" or text[0] == '"':
        try:
            return tuple(_flat(json.loads(text)))
        except ValueError:
            pass
    pairs = tuple(_pairs(text))
    if pairs:
        return pairs
    if re.fullmatch(r"-?\d+(?:\.\d+)?", text):
        return (Fact("", float(text) if "." in text else int(text)),)
    return (Fact("", _short(text)),)


def is_empty(text: str) -> bool:
    """Whether an answer in JSON has places for what was asked, and nothing in them."""
    text = text[:_MOST_READ].strip()
    if not text or text[0] not in "{[" or len(text) > _MOST_EMPTY:
        return not text
    try:
        data = json.loads(text)
    except ValueError:
        return False
    return _holds_nothing(data)


def _holds_nothing(data: Any) -> bool:
    """Whether all lists and objects are empty, or hold but empty ones, and there are some."""
    if isinstance(data, list):
        return all(isinstance(item, dict | list) and _holds_nothing(item) for item in data)
    if not isinstance(data, dict):
        return False
    inner = [
        item
        for name, item in data.items()
        if isinstance(item, dict | list) and not _BESIDE & set(words_of(name).split())
    ]
    if not inner:
        return not data
    return all(_holds_nothing(item) for item in inner)


def _flat(data: Any) -> Iterator[Fact]:
    """The leaves of JSON data, breadth first, so that noise far inside is what is left out."""
    waiting: deque[tuple[str, Any]] = deque([("", data)])
    count = seen = 0
    while waiting and count < _MOST_FACTS and seen < 10 * _MOST_FACTS:
        path, value = waiting.popleft()
        seen += 1
        if isinstance(value, dict):
            waiting.extend(
                (f"{path}.{name}" if path else str(name), v) for name, v in value.items()
            )
        elif isinstance(value, list):
            waiting.extend((f"{path}[{place}]", v) for place, v in enumerate(value[:_MOST_FACTS]))
        elif value is not None and value != "":
            count += 1
            yield Fact(path, _short(value) if isinstance(value, str) else value)


def _pairs(text: str) -> Iterator[Fact]:
    """Fields made out in what is not whole: entries are told apart by a name that comes again."""
    seen: dict[str, int] = {}
    for match in _PAIR.finditer(text):
        name = match["name"]
        place = seen[name] = seen.get(name, -1) + 1
        if match["other"] is not None:
            value = json.loads(match["other"])
        else:
            try:
                value = json.loads(f'"{match["text"]}"')
            except ValueError:
                value = match["text"]
        if value != "":
            yield Fact(f"[{place}].{name}" if place else name, _short(value))
        if sum(seen.values()) > _MOST_FACTS:
            return


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _MOST_VALUE:
        return value[: _MOST_VALUE - 1].rstrip() + "…"
    return value


#: How the path of the whole answer is written; a field that is called so by itself is told from it.
_WRITTEN = {"": "it", "it": ".it"}
_READ = {written: path for path, written in _WRITTEN.items()}


def written(facts: Sequence[Fact], most: int) -> str:
    """Facts as they stand in a state, as many as go into so many characters."""
    parts: list[str] = []
    length = 0
    for fact in facts:
        value = fact.value if isinstance(fact.value, str) else json.dumps(fact.value)
        value = " ".join(value.replace("; ", ", ").split())
        part = f"{_WRITTEN.get(fact.path, fact.path)} = {value}"
        if length + len(part) + 2 > most:
            if not parts:
                parts.append(part[: most - 1] + "…")
            break
        parts.append(part)
        length += len(part) + 2
    return "; ".join(parts)


def read(finding: str) -> tuple[Fact, ...]:
    """The facts in a finding of a state; words that were written otherwise are one fact."""
    found: list[Fact] = []
    for part in finding.split("; "):
        path, mark, value = part.partition(" = ")
        if not mark:
            continue
        found.append(Fact(_READ.get(path, path), _scalar(value)))
    return tuple(found) or ((Fact("", finding),) if finding else ())


def _scalar(text: str) -> Scalar:
    if re.fullmatch(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", text) and not re.match(r"-?0\d", text):
        return json.loads(text)
    return {"true": True, "false": False}.get(text, text)
