"""Two readers of requests, each for what it reads better (paper Sec. 3.1).

One was taught requests as people write them, with stories around the wishes, and matches wishes
with what any tool says of itself: it reads every request. The other was taught short phrasings of
what our tools do and knows near twins among them: where the first is not sure of a plain
instruction over tools that the other knows, the other is believed if it is about as sure and files
are called by their names, or if it is surer of what to do with a tool that was added.
"""

from __future__ import annotations

from collections.abc import Sequence

from controlllm.core.plans import Request, Subtask
from controlllm.planning.phrasebook import OUTSIDE
from controlllm.planning.roles import Decomposer
from controlllm.planning.wish_decomposer import WishDecomposer
from controlllm.planning.wishes import MOST_WISHES

#: A toolbox of which the reader of phrasings knows less than this part is new to it.
_KNOWN = 0.6
#: The reader of wishes is sure of a request of whose every part it is surer than this, and where
#: the likeliest tool for it scores so much more than the next, which is half as likely then.
_SURE, _APART = 0.8, 0.6
#: How much less sure the reader of phrasings may be to be believed.
_LEAN = 0.2
#: A request that says no more than this part of its words besides its wishes is plain.
_BESIDES = 0.15
#: What is longer, in characters, holds a text to work on: reading all of it would take long.
_LONGEST = 4000
#: Nobody tells a story in which each word stands so often: the same order over and over.
_REPEATED, _SHORT = 5, 15


class TwoReaders:
    """Decomposes each request with the reader of wishes, or, where that one is not sure of a plain
    instruction, with the other if that is about as sure.

    `taught` are the names of the tools that the reader of phrasings was taught.
    """

    def __init__(
        self, phrasings: Decomposer, wishes: WishDecomposer, taught: frozenset[str]
    ) -> None:
        self._phrasings = phrasings
        self._wishes = wishes
        self._taught = taught
        self._is_new = len(taught) < _KNOWN * max(1, len(wishes.graph.toolbox))

    def decompose(self, request: Request) -> tuple[Subtask, ...]:
        """The subtasks of a request, each after those it depends on; none where it asks nothing."""
        found = self._wishes.decompose(request)
        if self._is_new or len(request.text) > _LONGEST:
            return found
        # What has more wishes than can be written may be no request at all; the other counts them.
        counts = len(found) >= MOST_WISHES or _repeats(request.text)
        if found and not counts:
            if all(map(_is_sure, found)) or not self._is_plain(request):
                return found
            is_named = _calls_by_name(request)
            # What people type is read better by the first; the other weighs what was added, by its
            # examples, and knows what it is that cannot be done.
            if not is_named and not any(map(self._is_torn, found)):
                return found
            if any(map(self._is_for_twin, found)):
                return found
            others = self._phrasings.decompose(request)
            if is_named:
                return others if _sureness(others) > _sureness(found) - _LEAN else found
            is_surer = len(others) == len(found) and _sureness(others) > _sureness(found)
            return others if is_surer else found
        return self._phrasings.decompose(request)

    def _is_plain(self, request: Request) -> bool:
        """Whether a request says little besides its wishes."""
        return self._wishes.besides(request) <= _BESIDES

    def _is_torn(self, subtask: Subtask) -> bool:
        """Whether nothing can be done here, or a tool that was added is among the two likeliest."""
        ranked = sorted(subtask.ends, key=lambda name: -subtask.ends[name])[:2]
        return subtask.returns.type == OUTSIDE or not self._taught.issuperset(ranked)

    def _is_for_twin(self, subtask: Subtask) -> bool:
        """Whether it is clear what is wanted, and the likeliest tool for it was added beside its
        twin: who was only taught the twin is sure of that."""
        ranked = sorted(subtask.ends, key=lambda name: -subtask.ends[name])[:2]
        return (
            len(ranked) == 2
            and subtask.confidence >= _SURE
            and ranked[0] not in self._taught
            and ranked[1] in self._taught
        )


def _calls_by_name(request: Request) -> bool:
    return all(resource.value in request.text for resource in request.resources)


def _is_sure(subtask: Subtask) -> bool:
    best, *others = sorted(subtask.ends.values(), reverse=True)
    return (
        subtask.returns.type != OUTSIDE
        and subtask.confidence >= _SURE
        and all(best - other >= _APART for other in others[:1])
    )


def _sureness(subtasks: Sequence[Subtask]) -> float:
    """How sure a reader is of the part of a request that it is least sure of."""
    return min((subtask.confidence for subtask in subtasks), default=0.0)


def _repeats(text: str) -> bool:
    words = text.lower().split()
    return len(words) > _SHORT and len(set(words)) * _REPEATED < len(words)
