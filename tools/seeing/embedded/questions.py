"""Which kind of question is asked, by patterns in TOML files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from controlllm.toolbox import ToolError

_LONGEST = 2000
_ASKING = re.compile(
    r"^(?:(?:please|do you know|(?:can|could|would) you(?= (?:tell|say|describe|count|read|"
    r"elaborate|explain)\b)|hey|ok|so)\s+)*(?:tell me|let me know|say|i want to know|"
    r"answer(?: me)?)?[,:]?\s*"
)
#: What is said behind a question and asks nothing.
_TAIL = re.compile(
    r"(?:,? (?:or not|or am i \w.*|or is (?:it|that) just me|please|pls|plz|roughly|exactly|"
    r"by any chance|(?:do )?you think|i wonder))+$"
)
#: Where another question begins.
_NEXT = re.compile(
    r"[?!]+\s+(?=\w)|,? and (?=(?:(?:is|are|was|were|does|do|has|have|can|where|who)\b|"
    r"(?:how (?:many|much)|what|which)(?! (?:else|not)\b)\b))",
    re.IGNORECASE,
)
#: A list of words in a pattern.
_WORDS = re.compile(r"\{([a-z]+)\}")


def asked(question: str) -> str:
    """A question as it is typed, of a length that can be read; raises ToolError without words."""
    if not question.strip():
        raise ToolError("There is no question; ask something about what is shown.")
    return question.strip()[:_LONGEST]


def plain(question: str) -> str:
    """A question in small letters, without the asking around it and the mark at its end."""
    text = " ".join(question.lower().replace("’", "'").split()).rstrip("?.! ")
    return _TAIL.sub("", _ASKING.sub("", text))


def each_of(question: str) -> list[str]:
    """The questions that are asked in one: "which colour is the stamp, and how many are there?"."""
    return [part for part in _NEXT.split(question) if re.search(r"\w", part)]


def patterns(path: Path, **words: str) -> dict[str, re.Pattern[str]]:
    """The patterns of a file by their names; `words` adds to its words."""
    table = tomllib.loads(path.read_text("utf-8"))
    words |= table.get("words", {})
    return {name: _compiled(pattern, words) for name, pattern in table["patterns"].items()}


def _compiled(pattern: str, words: Mapping[str, str]) -> re.Pattern[str]:
    filled = _WORDS.sub(lambda named: words[named[1]], pattern.replace("\n", ""))
    return re.compile(filled)


class Questions:
    """The kinds of questions of a file such as answers.toml, under a key; `words` adds words."""

    def __init__(self, path: Path, key: str = "questions", **words: str) -> None:
        table = tomllib.loads(path.read_text("utf-8"))
        words |= table["words"]
        self._patterns = [(kind, _compiled(pattern, words)) for kind, pattern in table[key]]

    def read(self, text: str) -> Iterator[tuple[str, re.Match[str]]]:
        """The kinds that a plain question may be, likeliest first, with what it names."""
        for kind, pattern in self._patterns:
            match = pattern.search(text)
            if match:
                yield kind, match
