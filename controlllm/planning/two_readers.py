"""Two readers of requests, each for what it reads better (paper Sec. 3.1).

One was taught short phrasings of what our tools do and is surer of near twins among them; the other
was taught requests as people write them, with stories around the wishes, and matches wishes with
what any tool says of itself. The former gets plain instructions over tools that it was taught, the
latter all else.
"""

from __future__ import annotations

from controlllm.graph import ToolGraph
from controlllm.plan import Request, Subtask
from controlllm.planning.roles import Decomposer
from controlllm.planning.wish_decomposer import WishDecomposer

#: A toolbox of which the reader of phrasings knows less than this part is new to it.
_KNOWN = 0.6
#: A request that says no more than this part of its words besides its wishes is plain, if it has
#: fewer words than that or names its files, as instructions do.
_BESIDES, _SHORT = 0.1, 15


class TwoReaders:
    """Decomposes each request with the reader that is better at its kind.

    `known` is the part of the toolbox that the reader of phrasings was taught.
    """

    def __init__(
        self, graph: ToolGraph, phrasings: Decomposer, wishes: WishDecomposer, known: float
    ) -> None:
        self.graph = graph
        self._phrasings = phrasings
        self._wishes = wishes
        self._is_new = known < _KNOWN

    def decompose(self, request: Request) -> tuple[Subtask, ...]:
        """The subtasks of a request, each after those it depends on; none where it asks nothing."""
        if self._is_new:
            return self._wishes.decompose(request)
        if not self._is_plain(request):
            return self._wishes.decompose(request)
        return self._phrasings.decompose(request)

    def _is_plain(self, request: Request) -> bool:
        """Whether a request is an instruction and no more."""
        text = request.text.lower()
        named = any(item.value.lower() in text for item in request.resources)
        if len(text.split()) >= _SHORT and not named:
            return False
        reading = self._wishes.read(request)
        return not reading.wishes or reading.besides <= _BESIDES
