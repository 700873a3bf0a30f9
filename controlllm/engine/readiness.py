"""Which steps of a plan can begin: each as soon as all that it reads has been made."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Sequence, Set
from heapq import heappop, heappush

from controlllm.engine.compile import Node


class Readiness:
    """What of a plan can begin, and what waits for which results.

    What acts outside waits until these are kept: it must not do so for what may be lost.

    Parameters
    ----------
    nodes: the steps that have not begun, in the plan's order.
    made: the keys of the steps whose results are made; `unkept` those whose are not kept yet.
    problem: why a step cannot run here, or nothing.
    """

    def __init__(
        self,
        nodes: Iterable[Node],
        made: Set[str],
        unkept: Collection[str],
        problem: Callable[[Node], str],
    ) -> None:
        self._nodes = tuple(nodes)
        #: Places of nodes that can begin, and of those that cannot work at all.
        self._ready: list[int] = []
        self._hopeless: deque[int] = deque()
        self._readers: dict[str, list[int]] = defaultdict(list)
        self._careful: dict[str, list[int]] = defaultdict(list)
        self._lacking: Counter[int] = Counter()
        for place, node in enumerate(self._nodes):
            if problem(node):
                self._hopeless.append(place)
            elif not node.is_stranded:
                is_careful = node.tool is not None and node.tool.acts_outside
                lacking = node.producers - made
                if is_careful:
                    lacking |= node.producers.intersection(unkept)
                self._lacking[place] = len(lacking)
                for key in lacking:
                    (self._careful if is_careful else self._readers)[key].append(place)
                if not lacking:
                    self._ready.append(place)

    def next(self) -> Node | None:
        """A step to begin with: first those that cannot work, so that nothing is done for them."""
        if self._hopeless:
            return self._nodes[self._hopeless.popleft()]
        return self._nodes[heappop(self._ready)] if self._ready else None

    def note_made(self, key: str) -> None:
        """What waited for this result alone can begin, in the plan's order."""
        self._let_begin(self._readers.pop(key, ()))

    def note_kept(self, key: str) -> None:
        """The same of what acts outside, when the result is kept."""
        self._let_begin(self._careful.pop(key, ()))

    def _let_begin(self, places: Sequence[int]) -> None:
        for place in places:
            self._lacking[place] -= 1
            if not self._lacking[place]:
                heappush(self._ready, place)
