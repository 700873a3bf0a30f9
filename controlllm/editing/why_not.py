"""Why a tool is not in the ways of a request, asked when somebody wants to know.

The search of a request is made again, with the same request, files and settings: it is
deterministic, and takes as long as planning did. What a language model judged then is not asked for
again; what is said of such a request is told from types, from what can run here, and from the
embedded reader's own scores, and it says so.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controlllm.core.plans import NotThere, Plan, Request, Solution
from controlllm.core.session import Session, Turn
from controlllm.planning.explaining import Proof, Verdict, explain, proof_of
from controlllm.planning.graph import ToolGraph
from controlllm.planning.solver import Solved
from controlllm.planning.tracing import Trace
from controlllm.runs.assistant import Assistant
from controlllm.settings import Settings

__all__ = ["Answer", "Proof", "Verdict", "WhyNot", "request_of"]

#: The names of a way's tools, in the order in which they run.
Tools = tuple[str, ...]

#: For so many requests the search is remembered.
_MOST_KEPT = 16


@dataclass(frozen=True)
class Answer:
    """Why some tools are not in the ways of a subtask.

    `missing` says by name why a tool cannot run here; `shown` is how many ways are shown;
    `is_same` whether the search came to the same ways again.
    """

    verdicts: tuple[Verdict, ...]
    missing: Mapping[str, str]
    proof: Proof | None
    shown: int
    is_same: bool


class WhyNot:
    """Answers for one assistant. Safe to call from many threads."""

    def __init__(self, assistant: Assistant) -> None:
        self._assistant = assistant
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, int, str], tuple[ToolGraph, tuple[Solved, ...]]] = (
            OrderedDict()
        )

    def ask(
        self,
        session: Session,
        number: int,
        subtask: int,
        names: Sequence[str],
        settings: Settings,
    ) -> Answer:
        """Why tools are not in the ways of a subtask of a request.

        Raises NotThere where there is no such request, or it has no such part.
        """
        plan, missing, graph, found = self._part(session, number, subtask, settings)
        ways = [way for way in plan.solutions.get(subtask, ()) if not way.is_own]
        again = [way.tools for way in found.solutions] if found else []
        trace = found.trace if found else None
        verdicts = []
        for name in names:
            verdict = Verdict(name, "not_searched")
            if trace is not None:
                verdict = explain(graph, trace, name, len(again))
            ranks = [rank for rank, way in enumerate(ways, 1) if name in way.tools]
            if ranks:
                # What a person sees counts.
                verdict = Verdict(name, "best" if ranks[0] == 1 else "shown", ranks[0])
            verdicts.append(verdict)
        return Answer(
            tuple(verdicts),
            {name: missing[name] for name in names if name in missing},
            proof_of(trace) if trace is not None and trace.types else None,
            len(ways),
            _is_same(again, [way.tools for way in ways], trace),
        )

    def further(
        self, session: Session, number: int, subtask: int, settings: Settings
    ) -> tuple[Solution, ...]:
        """The ways of a subtask that were found beyond those that its plan has, best first; none
        where the search came to other ways than it did then.

        Raises NotThere where there is no such request, or it has no such part.
        """
        plan, _, _, found = self._part(session, number, subtask, settings)
        ways = plan.solutions.get(subtask, ())
        there = [way.actions for way in ways]
        if (
            found is None
            or found.trace is None
            or any(way.actions not in there for way in found.solutions)
        ):
            return ()
        return tuple(
            item.way
            for item in found.trace.found
            if item.way is not None and item.way.actions not in there
        )

    def _part(
        self, session: Session, number: int, subtask: int, settings: Settings
    ) -> tuple[Plan, Mapping[str, str], ToolGraph, Solved | None]:
        """The plan of a request, why tools cannot run, the graph that is searched, and what the
        search finds for a subtask. Raises NotThere where there is no such request or part."""
        turn = session.turn(number)
        if turn.plan is None or subtask not in {item.id for item in turn.plan.subtasks}:
            raise NotThere(f"Request {number} has no part {subtask}.")
        missing = self._assistant.toolbox.reasons_unavailable(
            settings.capabilities, settings.runtimes
        )
        graph, solved = self._searched(session, turn, settings, missing)
        found = next((item for item in solved if item.subtask.id == subtask), None)
        return turn.plan, missing, graph, found

    def _searched(
        self, session: Session, turn: Turn, settings: Settings, missing: Mapping[str, str]
    ) -> tuple[ToolGraph, tuple[Solved, ...]]:
        key = (session.id, turn.number, settings.mark)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        request = request_of(session, turn)
        planner = self._assistant.tools.planner_for(request).with_parts(unavailable=missing)
        solved = tuple(planner.solve(planner.decompose(request), request))
        with self._lock:
            self._kept[key] = planner.graph, solved
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
            return self._kept[key]


def _is_same(again: list[Tools], ways: list[Tools], trace: Trace | None) -> bool:
    """Whether a search came to the same best ways again; those beyond them, which a person may have
    asked for since, count as long as it has found them too."""
    further = {item.tools for item in trace.found} if trace is not None else set()
    best, others = ways[: len(again)], ways[len(again) :]
    return again == best and further.issuperset(others)


def request_of(session: Session, turn: Turn) -> Request:
    """What was asked in a turn, with the files that were there then."""
    made = {item.value for item in turn.every if item.turn == turn.number}
    there = tuple(
        item
        for item in session.resources
        if item.turn < turn.number or (item.turn == turn.number and item.value not in made)
    )
    earlier = session.turns[turn.number - 1].plan if turn.number else None
    return Request(turn.text, there, turn.attached, earlier.subtasks if earlier else ())
