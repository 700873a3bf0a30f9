"""What the page knows of one turn: built from a stored turn, changed by each event."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from controlllm.core import events
from controlllm.core.citations import Citation
from controlllm.core.comparison import Comparison
from controlllm.core.costs import SearchCost, Usage
from controlllm.core.lineage import finals
from controlllm.core.plans import Plan, Solution, Step, Subtask
from controlllm.core.questions import Question
from controlllm.core.session import Session, Turn, branch, siblings
from controlllm.core.state import AgentView
from controlllm.editing.preview import results_kept
from controlllm.resources import Resource

ActionState = Literal["waiting", "running", "done", "failed", "stopped"]
STAGES = ("understanding", "searching", "running", "answering")


@dataclass(frozen=True)
class ActionView:
    """How far one action of the plan is; `message` says why it failed, and `following` what
    happens then."""

    state: ActionState = "waiting"
    fraction: float = 0.0
    words: str = ""
    runtime: str = ""
    resource: Resource | None = None
    seconds: float | None = None
    cached: bool = False
    message: str = ""
    following: str = ""


@dataclass(frozen=True)
class TurnView:
    """Everything of a turn that is drawn. `stage` counts the finished ones of `STAGES`; `shown`
    are the resources of the answer; `costs` is for each subtask what its search took, `searches`
    what it said; `fault` is the key of the text that says where the program itself failed; `usage`
    is how much a language model was used; `place` is its place in the line while it waits. `agents`
    is what agents that work on subtasks know, by the subtask; `acting` are those at work now.
    `beside` are ways that were tried beside those in use, by the subtask; `trying` is the subtask
    and the way that is tried now; `tried` says, when that has ended, why nothing came of it, and is
    empty where something did. The turn goes on from the one that it `follows`, as its `siblings`
    do, itself among them. `fallbacks` and `grounds` are those of `Turn`."""

    number: int
    text: str = ""
    attached: tuple[Resource, ...] = ()
    stage: int = 0
    state: str = "running"
    subtasks: tuple[Subtask, ...] = ()
    solutions: Mapping[int, tuple[Solution, ...]] = field(default_factory=dict)
    searches: Mapping[int, str] = field(default_factory=dict)
    costs: Mapping[int, SearchCost] = field(default_factory=dict)
    plan: Plan | None = None
    actions: Mapping[str, ActionView] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    answer: str = ""
    shown: tuple[Resource, ...] = ()
    message: str = ""
    fault: str = ""
    started: float = 0.0
    seconds: float | None = None
    usage: Usage = Usage()
    place: int = 0
    is_loading: bool = False
    agents: Mapping[int, AgentView] = field(default_factory=dict)
    acting: frozenset[int] = frozenset()
    beside: Mapping[int, Comparison] = field(default_factory=dict)
    trying: tuple[int, int] | None = None
    tried: str | None = None
    follows: int = -1
    siblings: tuple[int, ...] = ()
    fallbacks: tuple[str, ...] = ()
    grounds: tuple[Citation, ...] = ()

    @classmethod
    def of(cls, turn: Turn, session: Session) -> TurnView:
        """The view of a stored turn, for drawing it again after a reload."""
        known = {resource.value: resource for resource in session.resources}
        results = dict(turn.results)
        if turn.plan is not None:
            results = {**results_kept(turn.plan, results, turn.plan, known), **results}
        actions = {key: _made(turn, key, resource) for key, resource in results.items()}
        subtasks = turn.plan.subtasks if turn.plan else ()
        view = cls(
            turn.number,
            turn.text,
            tuple(known[value] for value in turn.attached if value in known),
            stage={"answered": 4}.get(turn.state, 3 if turn.results else 1),
            state=turn.state,
            subtasks=subtasks,
            solutions=turn.plan.solutions if turn.plan else {},
            plan=turn.plan,
            actions=actions,
            answer=turn.answer if turn.state in ("answered", "running") else "",
            message=turn.answer if turn.state in ("failed", "cancelled") else "",
            usage=turn.usage,
            questions=turn.questions,
            agents=turn.agents,
            beside=turn.beside,
            follows=turn.follows,
            siblings=siblings(session, turn.number),
            fallbacks=turn.fallbacks,
            grounds=turn.grounds,
        )
        shown = turn.in_members(view.results())
        return replace(view, shown=shown) if turn.state == "answered" else view

    def steps(self) -> tuple[Step, ...]:
        """The steps of the plan, those chosen."""
        return tuple(self.plan.steps()) if self.plan else ()

    def action(self, key: str) -> ActionView:
        """How a step stands."""
        return self.actions.get(key, ActionView())

    def results(self) -> tuple[Resource, ...]:
        """What the actions that end each subtask's chosen solution made, each resource once.

        Without a plan it is what was shown without one.
        """
        known = {key: item.resource for key, item in self.actions.items() if item.resource}
        ends = finals(self.plan, known) if self.plan else self.actions
        made = [self.action(key).resource for key in ends]
        return tuple({item.value: item for item in made if item is not None}.values())

    @property
    def is_met(self) -> bool:
        """Whether it is answered with more than why it could not be done."""
        planned = any(self.solutions.values())
        return self.state == "answered" and (bool(self.shown) or not planned)

    def after(self, event: events.Event) -> TurnView:
        """The view after one more event."""
        change = _CHANGES.get(type(event))
        return change(self, event) if change else self

    def settled(self) -> TurnView:
        """The view with nothing left running, when the stream has ended."""
        actions = {
            key: replace(action, state="stopped") if action.state == "running" else action
            for key, action in self.actions.items()
        }
        return replace(self, actions=actions, acting=frozenset(), trying=None)

    def with_action(self, key: str, **changes: object) -> TurnView:
        """The view with a step changed."""
        action = replace(self.action(key), **changes)  # type: ignore[arg-type]
        return replace(self, actions={**self.actions, key: action})


def _made(turn: Turn, key: str, resource: Resource) -> ActionView:
    """An action that has made a result, with the time that its receipt tells. Where an edited plan
    has it in another place, the receipt is that of the result."""
    keys = (
        [key]
        if key in turn.results
        else [place for place, made in turn.results.items() if made.value == resource.value]
    )
    receipt = next((turn.receipts[place] for place in keys if place in turn.receipts), {})
    return ActionView(
        "done",
        1.0,
        runtime=receipt.get("runtime", ""),
        resource=resource,
        seconds=receipt.get("seconds"),
        cached=bool(receipt.get("reused", False)),
    )


def _received(view: TurnView, event: events.RequestReceived) -> TurnView:
    return replace(
        view, number=event.turn, text=event.text, attached=event.resources or view.attached,
        state="running", answer="", message="", fault="", shown=(), notices=(), questions=(),
        fallbacks=(), grounds=(), place=0, tried=None, stage=2 if view.plan else 0,
    )  # fmt: skip


def _subtasks(view: TurnView, event: events.SubtasksReady) -> TurnView:
    stage = max(view.stage, 1)
    return replace(view, subtasks=event.subtasks, stage=stage, is_loading=False)


def _solutions(view: TurnView, event: events.SolutionsReady) -> TurnView:
    return replace(
        view,
        solutions={**view.solutions, event.subtask: event.solutions},
        searches={**view.searches, event.subtask: event.message},
        costs={**view.costs, event.subtask: event.search},
        stage=max(view.stage, 1),
    )


def _plan(view: TurnView, event: events.PlanReady) -> TurnView:
    return replace(
        view,
        plan=event.plan,
        subtasks=event.plan.subtasks,
        solutions={**view.solutions, **event.plan.solutions},
        stage=2,
    )


def _switched(view: TurnView, event: events.SolutionSwitched) -> TurnView:
    # A person who switches knows why; a switch after a failure needs a word.
    fell = any(
        action.state == "failed" and key.startswith(f"{event.subtask}.")
        for key, action in view.actions.items()
    )
    notices = (*view.notices, event.reason) if fell and event.reason else view.notices
    made = {key: action.resource for key, action in view.actions.items() if action.resource}
    for key, resource in results_kept(view.plan or event.plan, made, event.plan, {}).items():
        if view.action(key).state == "waiting":
            view = view.with_action(key, state="done", fraction=1.0, resource=resource)
    return replace(view, plan=event.plan, solutions=event.plan.solutions, notices=notices, stage=2)


def _finished(view: TurnView, event: events.ActionFinished) -> TurnView:
    return view.with_action(
        event.key, state="done", fraction=1.0, words="", message="", following="",
        resource=event.resource, seconds=event.seconds, cached=event.cached,
    )  # fmt: skip


def _failed_action(view: TurnView, event: events.ActionFailed) -> TurnView:
    return view.with_action(
        event.key, state="failed", message=event.message, following=event.next, words=""
    )


def _answered(view: TurnView, event: events.AnswerFinished) -> TurnView:
    return replace(
        view.settled(), answer=event.text, shown=event.resources, state="answered", stage=4,
        fallbacks=event.fallbacks, grounds=event.grounds,
    )  # fmt: skip


def _acted(view: TurnView, event: events.AgentActed) -> TurnView:
    agents = {**view.agents, event.subtask: event.view}
    is_over = bool(event.view.answer) or event.view.way >= 0
    acting = view.acting - {event.subtask} if is_over else view.acting | {event.subtask}
    return replace(view, agents=agents, acting=acting, stage=2)


def _way_begun(view: TurnView, event: events.WayBegun) -> TurnView:
    subtask, way = event.subtask, event.solution
    chosen = view.plan.chosen.get(subtask, 0) if view.plan else 0
    beside = view.beside.get(subtask, Comparison()).with_tried(way, chosen)
    actions = {
        key: action
        for key, action in view.actions.items()
        if not key.startswith(f"{subtask}.{way}.") or action.state == "done"
    }
    view = replace(view, actions=actions, beside={**view.beside, subtask: beside})
    return replace(view, trying=(subtask, way), place=0, tried=None)


def _way_ended(view: TurnView, event: events.WayEnded) -> TurnView:
    subtask, way = event.subtask, event.solution
    chosen = view.plan.chosen.get(subtask, 0) if view.plan else 0
    beside = view.beside.get(subtask, Comparison()).with_tried(way, chosen, event.problem)
    beside_now = {**view.beside, subtask: beside}
    return replace(view.settled(), beside=beside_now, tried=event.problem)


def _noticed(view: TurnView, event: events.Notice) -> TurnView:
    return replace(view, notices=(*view.notices, event.message))


_CHANGES: Mapping[type[events.Event], Callable[..., TurnView]] = {
    events.RequestReceived: _received,
    events.Waiting: lambda view, event: replace(view, place=event.place),
    events.Loading: lambda view, event: replace(view, is_loading=True),
    events.Notice: _noticed,
    events.Doubt: lambda view, event: replace(view, questions=(*view.questions, event.question)),
    events.RoleRepaired: _noticed,
    events.RoleRetried: _noticed,
    events.RoleFellBack: _noticed,
    events.LanguageModelUsed: lambda view, event: replace(view, usage=view.usage + event.usage),
    events.SubtasksReady: _subtasks,
    events.SolutionsReady: _solutions,
    events.PlanReady: _plan,
    events.SolutionSwitched: _switched,
    events.AgentActed: _acted,
    events.WayBegun: _way_begun,
    events.WayEnded: _way_ended,
    events.ActionStarted: lambda view, event: view.with_action(
        event.key,
        state="running",
        runtime=event.runtime,
        fraction=0.0,
        words="",
        message="",
        following="",
    ),
    events.ActionProgress: lambda view, event: view.with_action(
        event.key, state="running", fraction=event.fraction, words=event.words
    ),
    events.ActionFinished: _finished,
    events.ActionFailed: _failed_action,
    events.AnswerToken: lambda view, event: replace(view, answer=view.answer + event.text, stage=3),
    events.AnswerFinished: _answered,
    events.RequestFailed: lambda view, event: replace(
        view.settled(), state="failed", message=event.message
    ),
    events.RequestCancelled: lambda view, event: replace(
        view.settled(), state="cancelled", message=event.message
    ),
}


def views_of(session: Session) -> Sequence[TurnView]:
    """Every turn of the branch that a session is at, oldest first."""
    return [TurnView.of(turn, session) for turn in branch(session)]
