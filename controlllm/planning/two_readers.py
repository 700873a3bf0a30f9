"""Two readers of requests, each for what it reads better (paper Sec. 3.1).

One was taught short phrasings of what our tools do and is surer of near twins among them; the other
was taught requests as people write them, with stories around the wishes, and matches wishes with
what any tool says of itself. The former gets plain instructions over tools that it was taught, the
latter all else.
"""

from __future__ import annotations

from controlllm.plan import Request, Subtask
from controlllm.planning.roles import Decomposer
from controlllm.planning.wish_decomposer import WishDecomposer
from controlllm.planning.wishes import MOST_WISHES

#: A toolbox of which the reader of phrasings knows less than this part is new to it.
_KNOWN = 0.6
#: A request that says no more than this part of its words besides its wishes is plain: a short one,
#: of fewer words than that, and a longer one that names its files, as instructions do.
_BESIDES_SHORT, _SHORT, _BESIDES_LONG = 0.25, 15, 0.1
#: Nobody tells a story in which each word stands so often: the same order over and over.
_REPEATED = 5


class TwoReaders:
    """Decomposes each request with the reader that is better at its kind.

    `known` is the part of the toolbox that the reader of phrasings was taught.
    """

    def __init__(self, phrasings: Decomposer, wishes: WishDecomposer, known: float) -> None:
        self._phrasings = phrasings
        self._wishes = wishes
        self._is_new = known < _KNOWN

    def decompose(self, request: Request) -> tuple[Subtask, ...]:
        """The subtasks of a request, each after those it depends on; none where it asks nothing."""
        if self._is_new:
            return self._wishes.decompose(request)
        if self._is_plain(request):
            return self._phrasings.decompose(request)
        found = self._wishes.decompose(request)
        # What has more wishes than can be written may be no request at all; the other counts them.
        return found if len(found) < MOST_WISHES else self._phrasings.decompose(request)

    def _is_plain(self, request: Request) -> bool:
        """Whether a request is an instruction and no more."""
        text = request.text.lower()
        words = text.split()
        if len(words) > _SHORT and len(set(words)) * _REPEATED < len(words):
            return True
        short = len(words) < _SHORT
        if not short and not any(item.value.lower() in text for item in request.resources):
            return False
        reading = self._wishes.read(request)
        return not reading.wishes or reading.besides <= (_BESIDES_SHORT if short else _BESIDES_LONG)
