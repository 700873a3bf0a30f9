"""Candidate tools for a request out of tens of thousands: one index, by meaning and by words.

Three things speak for a tool: how near it comes to what the reader of wishes hears (trained to
match wishes with what tools say of themselves), how near its description comes to the request by
the sentence encoder, and rare words that both have (BM25, Robertson and Zaragoza 2009). Each wish
of a request is searched for by itself, and the lists are merged in turn.
"""

from __future__ import annotations

import copy
import hashlib
import io
import os
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from controlllm.core.plans import Request
from controlllm.models.encoder import DIMENSIONS, NETWORK, encode
from controlllm.planning.wishes import RequestText, shown_to_reader
from controlllm.readers.wish_networks import FOREIGN_ENCODER, WIDTH, tool_vector
from controlllm.readers.wishes import HeardWish, heard_wishes, text_of
from controlllm.resources import TypeLattice
from controlllm.retrieval.words import WordIndex, words_of
from controlllm.toolbox import Tool, Toolbox

#: What the request as a whole, and rare words, count beside the wish itself, in standard
#: deviations; and what a tool gains that takes a file that came along.
_WHOLE, _WORDS, _TAKES = 0.3, 0.03, 2.5
#: So many of the best are looked at to choose those that differ.
_LOOKED_AT = 200
#: Tools are alike from this cosine of their descriptions on; at most so many alike are found.
_ALIKE, _MOST_ALIKE = 0.8, 1
_FORMAT = 1
#: The sentence encoder works beside the reader, each on a processor where there are two.
_beside = ThreadPoolExecutor(1, thread_name_prefix="encodes")


@dataclass(frozen=True)
class Ranking:
    """How well all tools fit one wish: `scores`, float32, shape (rows,), minus infinity where there
    is no tool; `ways` is the vector that a step on the way would have, shape (384,)."""

    scores: np.ndarray
    ways: np.ndarray


class ToolIndex:
    """Finds tools by what a request wishes. Tools come and go at any time, one by one.

    Not safe for changes from several threads at once; safe for searches between them.
    """

    def __init__(
        self,
        tools: Iterable[Tool] = (),
        lattice: TypeLattice | None = None,
        kept: Path | None = None,
        sources: Iterable[str] = (),
    ) -> None:
        """Over some tools. `sources` are names that those of tools begin with and that say nothing
        of what a tool does. What `kept` holds (see `save`) is not encoded again; a file that is of
        other networks or cannot be read counts for nothing.

        Raises ModelFileError where the networks are not intact.
        """
        self._lattice = lattice or TypeLattice()
        self._tools: list[Tool | None] = []
        self._stamps: list[bytes] = []
        self._rows: dict[str, int] = {}
        self._free: list[int] = []
        self._wishes = np.zeros((0, WIDTH), np.float32)
        self._meanings = np.zeros((0, DIMENSIONS), np.float32)
        self._alive = np.zeros(0, bool)
        self._taking: dict[str, np.ndarray] = {}
        self._words = WordIndex()
        self._sources = frozenset(sources)
        #: How many tools had to be encoded.
        self.encoded_tools = 0
        known = _read(kept) if kept is not None else {}
        tools = list(tools)
        self._grow(len(tools))
        for tool in tools:
            self.add(tool, known.get(self._stamp(tool)))

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: str) -> bool:
        return name in self._rows

    def add(self, tool: Tool, vectors: tuple[np.ndarray, np.ndarray] | None = None) -> None:
        """Put a tool in; one of the same name is replaced. `vectors` are those of the reader and
        the encoder, where they are known."""
        if tool.name in self._rows:
            self.remove(tool.name)
        if vectors is None:
            vectors = self.encoded(tool)
            self.encoded_tools += 1
        row = self._free.pop() if self._free else len(self._tools)
        if row == len(self._tools):
            self._tools.append(None)
            self._stamps.append(b"")
            if row >= len(self._alive):
                self._grow(max(64, 2 * row))
        self._tools[row], self._stamps[row] = tool, self._stamp(tool)
        self._rows[tool.name] = row
        self._wishes[row], self._meanings[row] = vectors
        self._alive[row] = True
        self._words.add(row, _words_told(tool))
        self._taking.clear()

    def encoded(self, tool: Tool) -> tuple[np.ndarray, np.ndarray]:
        """The vectors of a tool, by the reader of wishes and by the sentence encoder, float32,
        shape (384,) each; raises ModelFileError where the networks are not intact."""
        meaning = _beside.submit(encode, [self._told(tool)])
        return tool_vector(text_of(tool)), meaning.result()[0]

    def remove(self, name: str) -> None:
        """Take a tool out; raises KeyError with the name where there is none."""
        row = self._rows.pop(name)
        tool = self._tools[row]
        assert tool is not None
        self._words.remove(row, _words_told(tool))
        self._tools[row] = None
        self._alive[row] = False
        self._free.append(row)
        self._taking.clear()

    def exchanged(self, toolbox: Toolbox, sources: Iterable[str]) -> ToolIndex:
        """A second index, over the tools of another toolbox: what came, went or says something else
        is put in or taken out, all else is as it was. `sources` are as in `ToolIndex`.

        This one stays as it is, for it may be searched in meanwhile: a copy takes a tenth of a
        second or a few, and no search ever waits. Raises ModelFileError where the networks are not
        intact.
        """
        # Tools never change, so both may hold the same ones; the lattice is the new toolbox's.
        shared: dict[int, object] = {id(tool): tool for tool in self._tools}
        shared[id(self._lattice)] = toolbox.lattice
        found = copy.deepcopy(self, shared)
        found._sources = frozenset(sources)
        found.encoded_tools = 0
        # What begins with the name of a source that came or went may be told differently.
        named = tuple(f"{source}_" for source in found._sources ^ self._sources)
        for name in found._rows.keys() - {tool.name for tool in toolbox}:
            found.remove(name)
        for tool in toolbox:
            if tool.name not in found:
                found.add(tool)
            elif tool != found._tool(found.row(tool.name)) or tool.name.startswith(named):
                found._exchange(tool)
        return found

    def _exchange(self, tool: Tool) -> None:
        """Put a tool in the place of one of its name; it is encoded where it says another thing."""
        row = self.row(tool.name)
        if self._stamps[row] == self._stamp(tool):
            self.add(tool, (self._wishes[row].copy(), self._meanings[row].copy()))
        else:
            self.add(tool)

    def search(self, request: Request | str, k: int = 10) -> list[tuple[Tool, float]]:
        """The `k` tools that most likely serve a request, the best of each of its wishes in turn.

        A score is how far a tool stands above the usual one, in standard deviations. Of tools that
        say the same only a few are among them.
        """
        return self.merged(self.rankings(request), k)

    def merged(self, rankings: Sequence[Ranking], k: int) -> list[tuple[Tool, float]]:
        """The `k` best tools of several rankings, of each in turn: see `search`."""
        lists = [self._differing(ranking.scores, k) for ranking in rankings]
        found: dict[int, float] = {}
        for place in range(k):
            for ranking, rows in zip(rankings, lists, strict=True):
                if place < len(rows) and len(found) < k:
                    found.setdefault(rows[place], float(ranking.scores[rows[place]]))
        return [(self._tool(row), score) for row, score in found.items()]

    def rankings(self, request: Request | str) -> list[Ranking]:
        """How well every tool fits each wish of a request; one ranking where none is heard."""
        if not self._rows:
            return []
        if isinstance(request, str):
            request = Request(request)
        shown = shown_to_reader(request, self._lattice).shown
        if not shown.text.strip():
            return []
        count = len(self._tools)
        alive = self._alive[:count]
        meaning = _beside.submit(encode, [shown.text])
        wishes, fits = self._heard(shown, count)
        whole = _standard(self._meanings[:count] @ meaning.result()[0], alive)
        rare = self._words.scores(words_of(shown.text), count)
        given = {item.type for item in request.resources if item.value in request.attached}
        common = _WHOLE * whole + _WORDS * _standard(rare, alive) + _TAKES * self._takes(given)
        if not wishes:
            none = np.zeros(WIDTH, np.float32)
            return [Ranking(np.where(alive, common, -np.inf), none)]
        return [
            Ranking(np.where(alive, _standard(fit, alive) + common, -np.inf), wish.ways)
            for wish, fit in zip(wishes, fits, strict=True)
        ]

    def steps(self, ranking: Ranking, k: int) -> list[Tool]:
        """The `k` tools that are most likely needed on the way to a wish."""
        count = len(self._tools)
        fits = np.where(self._alive[:count], self._wishes[:count] @ ranking.ways, -np.inf)
        rows = np.argsort(-fits, kind="stable")[: min(k, len(self._rows))]
        return [self._tool(int(row)) for row in rows]

    def row(self, name: str) -> int:
        """The place of a tool in a ranking; raises KeyError where there is no such tool."""
        return self._rows[name]

    def tool_vectors(self, tools: Iterable[Tool]) -> np.ndarray:
        """The vectors that the reader of wishes matches these tools by, float32, (tools, 384)."""
        return self._wishes[[self._rows[tool.name] for tool in tools]]

    def save(self, path: Path) -> None:
        """Keep the vectors in a file, whole or not at all; raises OSError where that cannot be."""
        rows = sorted(self._rows.values())
        part = path.with_name(f"{path.name}.part")
        with part.open("wb") as file:
            np.savez(
                file,
                made_by=np.array(_made_by()),
                stamps=np.array([self._stamps[row] for row in rows], "S16"),
                wishes=self._wishes[rows].astype(np.float16),
                meanings=self._meanings[rows].astype(np.float16),
            )
        os.replace(part, path)

    def _told(self, tool: Tool) -> str:
        """What the sentence encoder is told of a tool."""
        places = [place for place, letter in enumerate(tool.name) if letter == "_"]
        own = next((p + 1 for p in reversed(places) if tool.name[:p] in self._sources), 0)
        return f"{' '.join(words_of(tool.name[own:], is_whole=True))}: {tool.description}"

    def _stamp(self, tool: Tool) -> bytes:
        """What stands for all that is encoded of a tool."""
        told = f"{text_of(tool)}\n{self._told(tool)}"
        # A text of NumPy would lose zeros at its end.
        return hashlib.sha256(told.encode()).digest()[:15] + b"."

    def _tool(self, row: int) -> Tool:
        tool = self._tools[row]
        assert tool is not None
        return tool

    def _grow(self, rows: int) -> None:
        more = rows - len(self._alive)
        if more > 0:
            self._wishes = np.pad(self._wishes, ((0, more), (0, 0)))
            self._meanings = np.pad(self._meanings, ((0, more), (0, 0)))
            self._alive = np.pad(self._alive, (0, more))

    def _heard(
        self, shown: RequestText, count: int
    ) -> tuple[tuple[HeardWish, ...], list[np.ndarray]]:
        """The wishes of a request, and how near every tool comes to each."""
        fits: list[np.ndarray] = []
        vectors, alive = self._wishes[:count], self._alive[:count]

        def nearest(ends: np.ndarray) -> np.ndarray:
            fits.append(vectors @ ends)
            return vectors[int(np.where(alive, fits[-1], -np.inf).argmax())]

        return heard_wishes(shown, nearest), fits

    def _takes(self, given: set[str]) -> np.ndarray:
        """1 for each tool that takes a file of a type that came along, else 0."""
        count = len(self._tools)
        taking = np.zeros(count, np.float32)
        for type_name in given:
            if type_name not in self._taking:
                fits = self._lattice.is_a
                self._taking[type_name] = np.array(
                    [
                        tool is not None
                        and any(
                            item.type in self._lattice and fits(type_name, item.type)
                            for item in tool.args
                        )
                        for tool in self._tools
                    ],
                    np.float32,
                )
            taking = np.maximum(taking, self._taking[type_name])
        return taking

    def _differing(self, scores: np.ndarray, k: int) -> list[int]:
        """The rows of the `k` best tools, of those that are alike only a few."""
        most = min(len(self._rows), max(_LOOKED_AT, 2 * k))
        rows = np.argpartition(-scores, most - 1)[:most]
        rows = rows[np.argsort(-scores[rows], kind="stable")]
        vectors = self._meanings[rows]
        alike = np.zeros(len(rows), np.int32)
        chosen: list[int] = []
        for place in range(len(rows)):
            if len(chosen) == k:
                break
            if alike[place] < _MOST_ALIKE:
                chosen.append(int(rows[place]))
                alike += vectors @ vectors[place] > _ALIKE
        return chosen


def _words_told(tool: Tool) -> list[str]:
    told = [tool.name, tool.description, *(argument.name for argument in tool.args)]
    return [word for text in told for word in words_of(text)]


def _made_by() -> str:
    return f"{_FORMAT} {FOREIGN_ENCODER.sha256} {NETWORK.sha256}"


def _read(path: Path) -> Mapping[bytes, tuple[np.ndarray, np.ndarray]]:
    try:
        # Read here: NumPy leaves a broken file open.
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as kept:
            if str(kept["made_by"]) != _made_by():
                return {}
            stamps = kept["stamps"].tolist()
            pairs = zip(kept["wishes"], kept["meanings"], strict=True)
            return dict(zip(stamps, pairs, strict=True))
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile):
        return {}


def _standard(values: np.ndarray, alive: np.ndarray) -> np.ndarray:
    """Values in standard deviations from the mean of those that are alive."""
    known = values if alive.all() else values[alive]
    return (values - known.mean()) / (known.std() + 1e-6)
