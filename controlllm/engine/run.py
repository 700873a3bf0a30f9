"""One run of one plan: what is ready starts, what fails is tried in another way."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from controlllm.core.events import (
    ActionFailed,
    ActionFinished,
    ActionProgress,
    ActionStarted,
    Doubt,
    Event,
    SolutionSwitched,
)
from controlllm.core.plans import Plan, Step
from controlllm.engine import asking
from controlllm.engine.attempt import Asked, Call, Failed
from controlllm.engine.calls import Calls, Way
from controlllm.engine.compile import Graph, Node, compile_plan
from controlllm.engine.fallback import (
    Expression,
    expression_of,
    named_in_vain,
    next_solution,
    not_found,
    what_is_left,
)
from controlllm.engine.pool import Job, Pool
from controlllm.engine.readiness import Readiness
from controlllm.engine.work import Done, Kept, Message, Progress, Started, Worker
from controlllm.resources import Box, Resource
from controlllm.toolbox import Code

#: How soon a run notices that it was stopped, in seconds.
ATTENTION = 0.1

#: How much lower the score of another solution may be for it to do nearly the same.
NEARLY = 1.0

_OF_AN_ACTION = (ActionStarted, ActionProgress, ActionFinished, ActionFailed)


@dataclass
class _Flight:
    """A call that waits, runs or is made and not yet kept, with the steps that want its result."""

    call: Call
    nodes: list[Node]
    job: Job | None = None
    is_started: bool = False
    made: Resource | None = None


@dataclass
class Run:
    """One run of one plan; lives on the event loop, its calls in threads of the pool.

    What reads a result begins as soon as it is made; nobody hears of it, or of anything after it,
    before it is kept.
    """

    calls: Calls
    pool: Pool
    worker: Worker
    plan: Plan
    resources: Mapping[str, Resource]
    name_output: Callable[[Step, str], str]
    cancelled: threading.Event

    graph: Graph = field(init=False)
    results: dict[str, Resource] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    flights: dict[str, _Flight] = field(default_factory=dict)
    #: Calls whose results are made and not yet kept, and the steps that these are of.
    keeping: dict[str, _Flight] = field(default_factory=dict)
    unkept: set[str] = field(default_factory=set)
    _untold: deque[Event] = field(default_factory=deque)
    dead: dict[str, Failed] = field(default_factory=dict)
    ways: dict[str, deque[Way]] = field(default_factory=dict)
    tried: dict[int, set[int]] = field(default_factory=dict)
    failed_calls: set[Expression] = field(default_factory=set)
    #: Questions asked whether a call may be made.
    asked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._arrange()
        self._loop = asyncio.get_running_loop()
        self._messages: asyncio.Queue[tuple[_Flight, Message]] = asyncio.Queue()

    async def events(self) -> AsyncGenerator[Event, None]:
        while not self.cancelled.is_set():
            self._untold.extend(self._start_what_is_ready())
            for event in self._what_can_be_told():
                yield event
            if not self.flights and not self.keeping:
                return
            try:
                async with asyncio.timeout(ATTENTION):
                    flight, message = await self._messages.get()
            except TimeoutError:
                continue
            if self.cancelled.is_set():
                return
            key = flight.call.key
            if self.flights.get(key) is flight or self.keeping.get(key) is flight:
                events = list(self._take(flight, message))  # which may take others back
                self._untold.extend(events)

    def _what_can_be_told(self) -> Iterator[Event]:
        """The events up to the first whose result is not yet kept."""
        while self._untold:
            event = self._untold[0]
            if isinstance(event, ActionFinished) and event.key in self.unkept:
                return
            yield self._untold.popleft()

    def leave(self) -> None:
        """Tell the calls that are still at work to stop, and wait for none of them."""
        if self.flights:
            self.cancelled.set()
        for flight in self.flights.values():
            if flight.job is not None:
                self.pool.abandon(flight.job)
        self.flights.clear()

    # Starting

    def _start_what_is_ready(self) -> Iterator[Event]:
        while not self.cancelled.is_set() and (node := self._ready.next()) is not None:
            if node.key in self.begun:
                continue
            self.begun.add(node.key)
            problem = self.calls.problem(node)
            if node.pinned is not None:
                yield self._finished(node, node.pinned, is_kept=True)
            elif problem:
                yield from self._give_up(node, Failed(problem, code=Code.GAVE_UP), nearly=True)
            else:
                self.ways[node.key] = deque(self.calls.ways(node.name))
                yield from self._try(node)

    def _arrange(self) -> None:
        """Compile the plan anew and note what can begin, and what waits for which results."""
        self.graph = compile_plan(self.plan, self.calls.toolbox, self.resources)
        self._urgency = self.graph.urgency(self.worker.durations.of)
        nodes = (node for node in self.graph.nodes.values() if node.key not in self.begun)
        self._ready = Readiness(nodes, self.results.keys(), self.unkept, self.calls.problem)
        self._is_prepared = False

    def _prepare(self) -> None:
        """Tell of the steps that come later, once for each plan and not where all is known."""
        if self._is_prepared:
            return
        self._is_prepared = True
        later = [
            Call(node.tool, ways[0][1], {}, {}, "", False, self.calls.terms.capabilities)
            for node in self.graph.nodes.values()
            if node.key not in self.begun and node.tool and (ways := self.calls.ways(node.name))
        ]
        self.worker.prepare(list({call.tool.name: call for call in later}.values()))

    def _try(self, node: Node) -> Iterator[Event]:
        """Make the call of a step on the first implementation that is left."""
        call = self.calls.of(node, self.ways[node.key][0], self.results)
        held = None
        if call.tool.acts_outside:
            held = asking.held_back(node, call, self.calls, self.worker.store)
        if isinstance(held, Failed):
            yield from self._give_up(node, held)
            return
        if held is not None:
            if held.call not in self.asked:
                self.asked.add(held.call)
                yield Doubt(held.message, held)
            return
        if call.key in self.dead:
            yield from self._after_failure(node, self.dead[call.key])
            return
        flight = self.keeping.get(call.key)
        if flight is not None and flight.made is not None:
            flight.nodes.append(node)
            yield self._finished(node, flight.made)
            return
        flight = self.flights.get(call.key)
        if flight is not None:
            flight.nodes.append(node)
            if flight.is_started:
                yield ActionStarted(node.key, node.name, call.implementation.runtime)
            return
        flight = self.flights[call.key] = _Flight(call, [node])
        flight.job = self.pool.submit(
            partial(
                self.worker.carry_out,
                call,
                self.cancelled,
                partial(self._post, flight),
                0 if self.calls.terms.one_try else None,
            ),
            self.calls.terms.owner,
            self._urgency.get(node.key, 0.0),
            call,
        )

    def _post(self, flight: _Flight, message: Message) -> None:
        """Called in a tool's thread."""
        try:
            self._loop.call_soon_threadsafe(self._messages.put_nowait, (flight, message))
        except RuntimeError:
            return  # the loop is closed: nobody listens any more

    # What comes of it

    def _take(self, flight: _Flight, message: Message) -> Iterator[Event]:
        match message:
            case Started():
                flight.is_started = True
                self._prepare()
                for node in flight.nodes:
                    runtime = flight.call.implementation.runtime
                    yield ActionStarted(node.key, node.name, runtime)
            case Progress(fraction, words):
                for node in flight.nodes:
                    yield ActionProgress(node.key, fraction, words)
            case Done(resource, seconds, cached):
                del self.flights[flight.call.key]
                if not cached:
                    flight.made = resource
                    self.keeping[flight.call.key] = flight
                for place, node in enumerate(flight.nodes):
                    yield self._finished(node, resource, None if place else seconds, cached)
            case Kept():
                del self.keeping[flight.call.key]
                for node in flight.nodes:
                    self.unkept.discard(node.key)
                    self._ready.note_kept(node.key)
            case Asked(boxes, thing):
                # What waits for the answer is begun and never ready: the rest goes on.
                del self.flights[flight.call.key]
                yield self._question(flight, boxes, thing)
            case Failed():
                self.dead[flight.call.key] = message
                if self.keeping.pop(flight.call.key, None) is not None:
                    for node in flight.nodes:
                        yield from self._lose(node, message)
                    return
                del self.flights[flight.call.key]
                for node in flight.nodes:
                    yield from self._after_failure(node, message)

    def _finished(
        self, node: Node, resource: Resource, seconds: float | None = None, is_kept: bool = False
    ) -> ActionFinished:
        """Note a result of a step; it took no seconds where another step had it made."""
        made = replace(resource, value=self.name_output(node.step, resource.media_type))
        if not is_kept:
            self.unkept.add(node.key)
        self.results[node.key] = made
        self._ready.note_made(node.key)
        if is_kept:
            self._ready.note_kept(node.key)
        known = is_kept or seconds is None
        return ActionFinished(node.key, node.name, made, 0.0 if known else seconds or 0.0, known)

    def _lose(self, node: Node, failure: Failed) -> Iterator[Event]:
        """A result could not be kept: what was begun with it is as if it had never been."""
        lost = {node.key, *self.graph.dependants(node.key)}
        self._untold = deque(
            event
            for event in self._untold
            if not (isinstance(event, _OF_AN_ACTION) and event.key in lost)
        )
        self.begun |= lost  # none of it begins any more
        for key in lost:
            self.results.pop(key, None)
            self.unkept.discard(key)
        for flights in (self.flights, self.keeping):
            for key, flight in list(flights.items()):
                flight.nodes = [wanting for wanting in flight.nodes if wanting.key not in lost]
                if not flight.nodes:
                    del flights[key]
                    if flight.job is not None:
                        self.pool.abandon(flight.job)
        yield from self._give_up(node, failure)

    def _question(self, flight: _Flight, boxes: Sequence[Box], thing: str) -> Doubt:
        """What to ask where a tool has to know which box is meant."""
        node = flight.nodes[0]
        picture = self.graph.picture_of(node, self.results)
        question = asking.which_question(flight.call, node.step.subtask, boxes, thing, picture)
        return Doubt(question.message, question)

    def _after_failure(self, node: Node, failure: Failed) -> Iterator[Event]:
        ways = self.ways[node.key]
        ways.popleft()
        is_over = failure.is_final or (self.calls.terms.one_try and failure.is_late)
        if is_over or not ways:
            yield from self._give_up(node, failure)
            return
        following = ways[0][1].runtime
        yield ActionFailed(
            node.key,
            node.name,
            failure.message,
            f"Trying its {following} version instead.",
            failure.code,
        )
        yield from self._try(node)

    def _give_up(self, node: Node, failure: Failed, nearly: bool = False) -> Iterator[Event]:
        """A step has failed for good: choose another solution of its subtask, if there is one;
        with `nearly`, and where the tool itself said what it lacks, only one that does nearly what
        this one would have done: any other answers what nobody asked.
        """
        nearly = nearly or failure.is_explained
        self.failed.add(node.key)
        subtask, index, _ = (int(number) for number in node.key.split("."))
        self.failed_calls.add(expression_of(node.step.action, self.plan.solutions[subtask][index]))
        if node.key not in self.graph.nodes:
            said = "Another way is being tried already."
            yield ActionFailed(node.key, node.name, failure.message, said, failure.code)
            return
        tried = self.tried.setdefault(subtask, set())
        tried.add(index)
        solution = self.plan.solutions[subtask][index]
        thing = named_in_vain(failure.code, node.step.action, solution)
        if thing and failure.code is Code.NOTHING_MARKED:
            picture = self.graph.picture_of(node, self.results)
            failure = replace(failure, message=not_found(thing, picture))
        following = other = None
        if not failure.is_final:
            can_run = partial(self._can_run, subtask)
            other = next_solution(self.plan, subtask, tried, self.failed_calls, can_run, thing)
        if other is not None:
            solutions = self.plan.solutions[subtask]
            least = solutions[index].score - NEARLY if nearly else 0.0
            following = other if solutions[other].score >= least else None
        if following is None:
            said = what_is_left(
                node, self.graph, self.plan, self.results, self.failed,
                failure.is_final or other is not None,
            )  # fmt: skip
            yield ActionFailed(node.key, node.name, failure.message, said, failure.code)
            return
        self.plan = self.plan.switched(subtask, following)
        self._arrange()
        self._drop_what_nobody_wants()
        way = " → ".join(self.plan.solutions[subtask][following].tools)
        yield ActionFailed(
            node.key, node.name, failure.message, f"Trying another way: {way}.", failure.code
        )
        yield SolutionSwitched(subtask, following, failure.message, self.plan)

    def _can_run(self, subtask: int, plan: Plan) -> bool:
        """Whether nothing is known that keeps a plan's solution of a subtask from being tried where
        another failed. What acts outside is done where it was chosen, never in place of others."""
        nodes = compile_plan(plan, self.calls.toolbox, self.resources).nodes.values()
        return all(
            not self.calls.problem(node)
            and not node.is_stranded
            and not node.producers & self.failed
            and not (node.tool is not None and node.tool.acts_outside)
            for node in nodes
            if node.step.subtask == subtask
        )

    def _drop_what_nobody_wants(self) -> None:
        """Take calls back that only a solution that was given up wanted, and that wait still."""
        for key, flight in list(self.flights.items()):
            wanted = any(node.key in self.graph.nodes for node in flight.nodes)
            if not wanted and flight.job is not None and self.pool.withdraw(flight.job):
                del self.flights[key]
