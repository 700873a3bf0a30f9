"""The trained reader of wishes: what a request wants, what each wish works on, and which tools
serve it.

The wishes are written one after the other, each matched with the tools by angle, by the networks of
`controlllm.readers.wish_networks`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from controlllm.planning.wishes import MOST_WISHES, ROLES, RequestText, Wish
from controlllm.readers.wish_networks import (
    WIDTH,
    Networks,
    foreign_networks,
    shipped_networks,
    tokens_of,
)
from controlllm.toolbox import Tool

#: At most so many tokens of a request, and the last of what was asked before, are read, in training
#: too.
MAXIMUM_TOKENS, EARLIER_TOKENS = 380, 110
#: At most so many tokens of what a file is called.
NAME_TOKENS = 10
#: A wish, a word of it, a file, an earlier wish or a role is there from this probability on.
_LIKELY = 0.5
#: The likeliest file is worked on by a wish that works on none else, from this probability on.
_LIKELY_FILE = 0.25
#: A word plays a role from this probability on: one too many does less harm than none.
_LIKELY_WORD = 0.35
#: What plays a role so surely is doubted where it might play another.
_SURE_WORD = 0.9
#: A further wish that is less certain than this is none: what is read is a text to work on. Nor is
#: the only one: it is a remark, no word of which asks for anything.
_LEAST_CERTAIN = 0.4
#: So many words between words that ask for something ask for it too; so many in a text to work on.
_BETWEEN, _BETWEEN_CONTENT = 3, 6
_REMEMBERED_READINGS = 256


def tool_text(name: str, description: str, takes: Sequence[str], returns: str) -> str:
    """What the reader is told of a tool: its name as words, what it says of itself, its types."""
    words = re.sub(r"[_\W]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)).lower().strip()
    return f"{words}: {description} {', '.join(takes) or 'nothing'} to {returns}"


def text_of(tool: Tool) -> str:
    """What the reader is told of a tool of a toolbox."""
    types = [argument.type for argument in tool.args]
    told = tool_text(tool.name, tool.description, types, tool.returns.type)
    return (
        with_example(told, re.sub(r"\{(\w+)\}", r"the \1", tool.examples[0]))
        if tool.examples
        else told
    )


def with_example(told: str, example: str) -> str:
    """What the reader is told of a tool with an example of what people ask it for."""
    return f"{told}. For example: {example}"


class WishReader:
    """Reads requests to one set of tools; what they say of themselves is read once.

    Safe to call from many threads. Raises ModelFileError where the networks are not intact.
    """

    def __init__(
        self,
        tools: Mapping[str, str],
        networks: Networks | None = None,
        vectors: np.ndarray | None = None,
        is_foreign: bool = False,
    ) -> None:
        """Over tools by name, each with what the reader is told of it: see `text_of`. `networks`
        take the place of those that ship; `vectors` are the tools' where they are known, float32,
        shape (tools, 384), as `tool_vector` gives them where `is_foreign`, which says that there
        are tools from elsewhere among them.
        """
        self._names, self._texts = tuple(tools), tuple(tools.values())
        self._own_networks, self._is_foreign = networks, is_foreign
        self._known = vectors
        self._vectors: np.ndarray | None = None
        self._lock = threading.Lock()
        self._read = lru_cache(_REMEMBERED_READINGS)(self._read_anew)

    def __call__(self, shown: RequestText) -> tuple[Wish, ...]:
        """The wishes of a request in the order in which they have to happen."""
        return self._read(shown)

    def vectors(self) -> np.ndarray:
        """The tools' vectors, float32, shape (tools + 1, 384), the last for no tool at all."""
        with self._lock:
            if self._vectors is None:
                networks = self._networks()
                known = self._known
                read = [*map(networks.tool, self._texts)] if known is None else known
                self._vectors = np.stack([*read, networks.nothing])
            return self._vectors

    def _networks(self) -> Networks:
        if self._own_networks is not None:
            return self._own_networks
        return foreign_networks() if self._is_foreign else shipped_networks()

    def _read_anew(self, shown: RequestText) -> tuple[Wish, ...]:
        if not shown.text.strip():
            return ()
        if self._is_foreign:
            shown = shown.without_names()
        return _Decoding(shown, self._networks(), self.vectors(), self._names).wishes()


@dataclass(frozen=True)
class HeardWish:
    """A wish before it is matched with tools: see `Wish`. `ends` is the vector, float32, shape
    (384,), that the tool which makes its result would have, `ways` that of tools on the way;
    `roles` are logits of the words' roles, shape (10, tokens)."""

    spans: tuple[tuple[int, int], ...]
    files: tuple[int, ...]
    wishes: tuple[int, ...]
    ends: np.ndarray
    ways: np.ndarray
    roles: np.ndarray
    certainty: float


def heard_wishes(
    shown: RequestText, nearest: Callable[[np.ndarray], np.ndarray]
) -> tuple[HeardWish, ...]:
    """The wishes of a request to more tools than one could weigh one by one: each with the vector
    that its tool would have, see `tool_vector`; `nearest` gives the tool's vector that is nearest.

    Raises ModelFileError where the networks are not intact.
    """
    if not shown.text.strip():
        return ()
    nothing_known = np.zeros((0, WIDTH), np.float32)
    return _Decoding(shown.without_names(), foreign_networks(), nothing_known, ()).heard(nearest)


class _Decoding:
    """One request being read, wish by wish."""

    def __init__(
        self,
        shown: RequestText,
        networks: Networks,
        vectors: np.ndarray,
        names: tuple[str, ...],
    ) -> None:
        self.networks, self.vectors, self.names = networks, vectors, names
        ids, self.offsets, slots = request_tokens(shown)
        self.hidden = networks.read(ids)[0]
        length, count = len(ids), max(1, len(slots))
        self.slots = np.zeros((count, length), np.float32)
        for place, tokens in enumerate(slots):
            self.slots[place, tokens] = 1 / len(tokens)
        self.files = len(slots)
        self.text_tokens = np.array(sorted(self.offsets), np.int64)
        self.shown = shown
        self.says = np.zeros((0, length), np.float32)
        self.tools = np.zeros((0, WIDTH), np.float32)
        self.on_files = np.zeros((0, count), np.float32)
        self.on_wishes = np.zeros((0, 0), np.float32)

    def wishes(self) -> tuple[Wish, ...]:
        """The wishes, each matched with the tools whose vectors are known."""
        return tuple(map(self._matched, self.heard(self._nearest)))

    def _nearest(self, ends: np.ndarray) -> np.ndarray:
        return self.vectors[int((self.vectors @ ends).argmax())]

    def _matched(self, heard: HeardWish) -> Wish:
        networks = self.networks
        logits = self.vectors @ heard.ends * networks.scale
        shares = np.exp(logits - logits.max())
        shares /= shares.sum()
        on_the_way = _probability(
            self.vectors[:-1] @ heard.ways * networks.step_scale + networks.step_bias
        )
        return Wish(
            heard.spans,
            heard.files,
            heard.wishes,
            dict(zip(self.names, map(float, shares[:-1]), strict=True)),
            float(shares[-1]),
            dict(zip(self.names, map(float, on_the_way), strict=True)),
            self._words(heard.roles),
            heard.certainty,
        )

    def heard(self, nearest: Callable[[np.ndarray], np.ndarray]) -> tuple[HeardWish, ...]:
        """The wishes with the vectors that their tools would have; `nearest` gives the vector of
        the tool that is nearest to one."""
        found: list[HeardWish] = []
        while len(self.text_tokens) and len(found) < MOST_WISHES:
            heard = self._hear(len(found))
            if heard is None or (found and heard.certainty < _LEAST_CERTAIN):
                break
            self.tools[len(found)] = nearest(heard.ends)
            found.append(heard)
        is_remark = len(found) == 1 and found[0].certainty < _LEAST_CERTAIN
        return () if is_remark else tuple(found)

    def _hear(self, step: int) -> HeardWish | None:
        """The next wish, and what it works on; which tool serves it is not decided yet."""
        self._grow()
        more, says, files, wishes, roles, _, _ = self._run()
        likely = _probability(more[step])
        if likely < _LIKELY:
            return None
        words = _probability(says[step, self.text_tokens])
        chosen = self.text_tokens[words >= _LIKELY]
        if not len(chosen):
            chosen = self.text_tokens[words >= words.max()]
        self.says[step, chosen] = 1 / len(chosen)
        on_files = [p for p in range(self.files) if _probability(files[step, p]) >= _LIKELY]
        on_wishes = [p for p in range(step) if _probability(wishes[step, p]) >= _LIKELY]
        if not on_files and not on_wishes and self.files:
            likeliest = int(files[step, : self.files].argmax())
            on_files = [likeliest] if _probability(files[step, likeliest]) >= _LIKELY_FILE else []
        self.on_files[step, on_files] = 1 / max(1, len(on_files))
        self.on_wishes[step, on_wishes] = 1 / max(1, len(on_wishes))
        *_, ends, ways = self._run()
        return HeardWish(
            tuple(_joined(self._spans(chosen), _BETWEEN, self.shown.text)),
            tuple(on_files),
            tuple(on_wishes),
            ends[step],
            ways[step],
            roles[step],
            float(likely * words[words >= _LIKELY].mean()) if (words >= _LIKELY).any() else 0.3,
        )

    def _grow(self) -> None:
        """Room for one more wish."""
        self.says = np.pad(self.says, ((0, 1), (0, 0)))
        self.tools = np.pad(self.tools, ((0, 1), (0, 0)))
        self.on_files = np.pad(self.on_files, ((0, 1), (0, 0)))
        self.on_wishes = np.pad(self.on_wishes, ((0, 1), (0, 1)))

    def _run(self) -> list[np.ndarray]:
        """What the decoder says of every wish so far, given those before it."""
        found = self.networks.decoder.run(
            ["more", "says", "files", "wishes", "roles", "ends", "steps"],
            {
                "hidden": self.hidden[None],
                "slots": self.slots[None],
                "says_before": self.says[None],
                "tools_before": self.tools[None],
                "files_before": self.on_files[None],
                "wishes_before": self.on_wishes[None],
            },
        )
        return [array[0] for array in found]

    def _spans(self, tokens: np.ndarray) -> tuple[tuple[int, int], ...]:
        """The characters of tokens, whole words, those beside each other joined."""
        spans: list[tuple[int, int]] = []
        for token in tokens:
            first, last = self.offsets[int(token)]
            start, end = _word_start(self.shown.text, first), _word_end(self.shown.text, last)
            if spans and not re.search(r"\w", self.shown.text[spans[-1][1] : start]):
                spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
            else:
                spans.append((start, end))
        return tuple(spans)

    def _words(self, roles: np.ndarray) -> dict[str, tuple[int, int]]:
        """The words of a wish by their role: for each the longest stretch that plays it."""
        found = {}
        likely = _probability(roles[:, self.text_tokens])
        # What surely plays one role hardly plays another: of "the dog with a cat", "a cat" is new.
        plays = (likely >= _LIKELY_WORD) & ((likely >= _LIKELY) | (likely.max(axis=0) < _SURE_WORD))
        for role, row in zip(ROLES, plays, strict=True):
            tokens = self.text_tokens[row]
            spans = _joined(
                self._spans(tokens), _BETWEEN_CONTENT if role == "content" else 1, self.shown.text
            )
            if spans:
                found[role] = self._whole_name(*max(spans, key=lambda span: span[1] - span[0]))
        return found

    def _whole_name(self, start: int, end: int) -> tuple[int, int]:
        """A stretch with the words before it that are written as names: "D minor", not "minor"."""
        before = re.search(r"(?<=\w )(?:[A-Z]\w* )+$", self.shown.text[:start])
        return (before.start() if before else start), end


def _joined(spans: Sequence[tuple[int, int]], words: int, text: str) -> list[tuple[int, int]]:
    """Spans with at most so many words between them made one."""
    found: list[tuple[int, int]] = []
    for start, end in spans:
        if found and len(text[found[-1][1] : start].split()) <= words:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def request_tokens(
    shown: RequestText,
) -> tuple[list[int], dict[int, tuple[int, int]], list[list[int]]]:
    """The token ids of a request with its files, the characters of the request's own tokens by
    place, and the places of each file's tokens."""
    ids, slots = [101], []
    for slot in shown.slots:
        tokens = [*tokens_of(slot.name)[0], *tokens_of(slot.called)[0][:NAME_TOKENS]]
        slots.append(list(range(len(ids), len(ids) + len(tokens))))
        ids += tokens
        if slot.note:
            ids += tokens_of(slot.note)[0]
    if not shown.slots:
        ids += tokens_of("nothing")[0]
    ids.append(102)
    tokens, offsets = tokens_of(shown.text)
    own = {}
    for token, offset in zip(tokens[:MAXIMUM_TOKENS], offsets, strict=False):
        own[len(ids)] = offset
        ids.append(token)
    ids.append(102)
    if shown.earlier:
        ids += [*tokens_of(shown.earlier)[0][-EARLIER_TOKENS:], 102]
    return ids, own, slots


def _word_start(text: str, place: int) -> int:
    """Where the word begins that goes on at a place."""
    while place and text[place].isalnum() and text[place - 1].isalnum():
        place -= 1
    return place


def _word_end(text: str, place: int) -> int:
    """Where the word ends that goes on at a place."""
    while 0 < place < len(text) and text[place].isalnum() and text[place - 1].isalnum():
        place += 1
    return place


def _probability(logits: Any) -> Any:
    return 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
