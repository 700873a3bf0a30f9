"""The assistant ties the stages together: ``async for event in assistant.answer(...)``.

The page, the command line and the tests read this one stream and nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from controlllm.engine import Engine
from controlllm.events import (
    ActionFailed,
    ActionFinished,
    AnswerFinished,
    AnswerToken,
    Event,
    Notice,
    PlanReady,
    RequestCancelled,
    RequestFailed,
    RequestReceived,
    SolutionsReady,
    SolutionSwitched,
    SubtasksReady,
)
from controlllm.graph import ToolGraph
from controlllm.language.endpoint import ChatEndpoint, EndpointError
from controlllm.plan import Plan, Request, Step, Subtask
from controlllm.planning.planner import Planner
from controlllm.resources import FILE_TYPES, ClickedPoint, Resource, decode, encode
from controlllm.resources.probing import BadInput, ingest
from controlllm.responder import model_answer, outcomes_of, written_answer
from controlllm.session import Session, Turn
from controlllm.settings import Settings
from controlllm.store import Store, StoreError
from controlllm.toolbox import Toolbox

_log = logging.getLogger(__name__)

#: A request with more parts than this is not a request; it is a text without an instruction.
MAX_SUBTASKS = 24
MAX_REQUEST_CHARACTERS = 400_000

#: A subtask that the decomposer is less sure of than this is pointed out.
DOUBTFUL = 0.35

_SUFFIX_OF_TYPE = {
    "audio": ".wav",
    "video": ".mp4",
    "html": ".html",
    "text": ".txt",
    "title": ".txt",
    "tags": ".txt",
    "number": ".txt",
    "bbox": ".json",
    "point": ".json",
    "category": ".json",
}

HELP = (
    "I work on pictures, sound, video and text with tools that run on this machine. Add a file and "
    "say what you want done with it: “What is in this picture?”, “Highlight the dog, then cut it "
    "out”, “Transcribe this and summarise it”."
)
NEEDS_MODEL = (
    "This is a general question and needs a language model. Set one in the settings (any "
    "OpenAI-compatible address, also one on this machine), or add a file for the tools to work on."
)


class Assistant:
    """Answers requests with the tools of one toolbox, in sessions that the store keeps."""

    def __init__(
        self,
        toolbox: Toolbox,
        store: Store,
        settings: Settings | None = None,
        planner: Planner | None = None,
        workers: int = 2,
    ) -> None:
        self.toolbox = toolbox
        self.store = store
        self.settings = settings or Settings()
        self._planner = planner
        self._planner_lock = threading.Lock()
        self._engine = Engine(toolbox, store, workers=workers)
        self._running: set[tuple[str, int]] = set()

    @property
    def planner(self) -> Planner:
        """The planner, made when first needed: the sentence encoder takes a moment to load."""
        with self._planner_lock:
            if self._planner is None:
                self._planner = embedded_planner(self.toolbox)
            return self._planner

    def open_session(self, session_id: str | None) -> Session:
        """The session of this id, or a new one where there is none.

        A request that was running when the program ended is marked as stopped.
        """
        if session_id is not None:
            try:
                session = self.store.load(session_id)
            except KeyError:
                return self.store.new_session()
            if any(self._is_abandoned(session, turn) for turn in session.turns):
                return self.store.update(session.id, self._without_abandoned)
            return session
        return self.store.new_session()

    def _is_abandoned(self, session: Session, turn: Turn) -> bool:
        return turn.state == "running" and (session.id, turn.number) not in self._running

    def _without_abandoned(self, session: Session) -> Session:
        for turn in session.turns:
            if self._is_abandoned(session, turn):
                said = turn.answer or "This was interrupted before it was finished. Ask again."
                session = session.with_turn(replace(turn, state="cancelled", answer=said))
        return session

    def add_file(self, session_id: str, path: Path, name: str) -> tuple[Resource, tuple[str, ...]]:
        """Take a file into a session; the resource and what a person should know about it.

        Raises BadInput with a sentence where it cannot be used, StoreError where it cannot be kept.
        """
        with self.store.work_folder() as folder:
            taken = ingest(path, name, folder)
            digest = self.store.put_file(taken.path, taken.media_type)
        added: list[Resource] = []

        def change(session: Session) -> Session:
            added[:] = [
                Resource(
                    taken.type,
                    session.free_name(taken.name),
                    digest,
                    taken.media_type,
                    "uploaded",
                    len(session.turns),
                    taken.details,
                )
            ]
            return session.with_resource(added[0])

        self.store.update(session_id, change)
        return added[0], taken.notices

    def add_points(
        self, session_id: str, image: str, points: Sequence[ClickedPoint]
    ) -> Resource:
        """Keep clicks on a picture of the session, in pixels of that picture.

        Raises BadInput where the picture is not there, no point is positive, or one lies outside.
        """
        try:
            picture = self.store.load(session_id).resource(image)
        except KeyError:
            raise BadInput(f"There is no picture called {image} here any more.") from None
        if not any(point.positive for point in points):
            raise BadInput("Click at least once on what you mean.")
        width, height = picture.details.get("width", 0), picture.details.get("height", 0)
        if any(not (0 <= point.x < width and 0 <= point.y < height) for point in points):
            raise BadInput("A click lies outside the picture. Click inside it.")
        content, media_type = encode("point", tuple(points))
        return self._add_made(
            session_id,
            "point",
            f"clicks on {image.rsplit('.', 1)[0]}.json",
            content,
            media_type,
            f"clicked on {image}",
            {"image": image, "points": len(points)},
        )

    def _add_made(
        self,
        session_id: str,
        type_name: str,
        name: str,
        content: bytes,
        media_type: str,
        origin: str,
        details: Mapping[str, Any],
    ) -> Resource:
        """Keep what a person made in the page as a resource of the session."""
        digest = self.store.put_bytes(content, media_type)
        added: list[Resource] = []

        def change(session: Session) -> Session:
            value, turn = session.free_name(name), len(session.turns)
            added[:] = [Resource(type_name, value, digest, media_type, origin, turn, details)]
            return session.with_resource(added[0])

        self.store.update(session_id, change)
        return added[0]

    def set_type(self, session_id: str, value: str, type_name: str) -> Resource:
        """Say that a picture of the session is of a special kind (a mask, an edge map), or not.

        Raises BadInput where the resource is not there or cannot be of that type.
        """
        try:
            resource = self.store.load(session_id).resource(value)
        except KeyError:
            raise BadInput(f"There is no file called {value} here any more.") from None
        lattice = self.toolbox.lattice
        pictures = {name for name in FILE_TYPES if lattice.is_a(name, "image")}
        if not {resource.type, type_name} <= pictures:
            raise BadInput(f"{value} is {resource.type}; it cannot be used as {type_name}.")
        changed = replace(resource, type=type_name)
        self.store.update(session_id, lambda session: session.with_resource(changed))
        return changed

    def file(self, session_id: str, value: str) -> tuple[Path, str]:
        """The stored file of a session's resource and its media type.

        Raises KeyError where this session has no such resource, whoever else may have one.
        """
        resource = self.store.load(session_id).resource(value)
        return self.store.path(resource.digest, resource.media_type), resource.media_type

    async def answer(
        self,
        session_id: str,
        text: str,
        attached: Sequence[str] = (),
        settings: Settings | None = None,
        cancelled: threading.Event | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Everything that happens for a request, as events; the last one ends it.

        Raises KeyError where there is no such session or it has no such resource.
        """
        text = text.strip()
        session = self.store.load(session_id)
        handed = tuple(session.resource(value) for value in attached)
        problem = _problem_with(text, handed)
        if problem:
            yield RequestReceived(len(session.turns), text, handed)
            yield RequestFailed(problem)
            return
        opened: list[Turn] = []

        def begin(current: Session) -> Session:
            opened[:] = [Turn(len(current.turns), text, tuple(attached))]
            title = current.title or _title_of(text)
            return replace(current.with_turn(opened[0]), title=title)

        session = self.store.update(session_id, begin)
        turn = opened[0]
        run = _Run(self, session, turn, settings or self.settings, cancelled)
        async with contextlib.aclosing(run.guarded(run.plan_and_run())) as events:
            async for happened in events:
                yield happened

    async def switch(
        self,
        session_id: str,
        turn: int,
        subtask: int,
        solution: int,
        settings: Settings | None = None,
        cancelled: threading.Event | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Choose another solution of a subtask and run what differs; the same events as `answer`.

        Raises KeyError where there is no such session, IndexError where there is no such turn,
        subtask or solution.
        """
        session = self.store.load(session_id)
        chosen = session.turns[turn]
        if chosen.plan is None:
            raise IndexError(f"Request {turn} has no plan.")
        plan = chosen.plan.switched(subtask, solution)
        chosen = replace(chosen, plan=plan, answer="", state="running")
        session = self.store.update(session_id, lambda current: current.with_turn(chosen))
        run = _Run(self, session, chosen, settings or self.settings, cancelled)
        event = SolutionSwitched(subtask, solution, "You chose this way.", plan)
        async with contextlib.aclosing(run.guarded(run.rerun(event))) as events:
            async for happened in events:
                yield happened


class _Run:
    """One request on its way from words to answer; keeps its turn in the store as it goes."""

    def __init__(
        self,
        assistant: Assistant,
        session: Session,
        turn: Turn,
        settings: Settings,
        cancelled: threading.Event | None,
    ) -> None:
        self.assistant = assistant
        self.store = assistant.store
        self.session = session
        self.turn = turn
        self.settings = settings
        self.cancelled = cancelled or threading.Event()
        self.problems: dict[int, str] = {}
        self.names: dict[str, str] = {}

    async def guarded(self, events: AsyncGenerator[Event, None]) -> AsyncGenerator[Event, None]:
        """The events, with every fault turned into a sentence and the turn's end kept."""
        key = (self.session.id, self.turn.number)
        self.assistant._running.add(key)
        try:
            handed = tuple(self.session.resource(value) for value in self.turn.attached)
            yield RequestReceived(self.turn.number, self.turn.text, handed)
            async with contextlib.aclosing(events):
                async for event in events:
                    if self.cancelled.is_set() and not isinstance(event, AnswerFinished):
                        break
                    yield event
                    if isinstance(event, AnswerFinished | RequestFailed):
                        return
            self._keep(state="cancelled", answer="Stopped.")
            yield RequestCancelled("Stopped. What was finished is kept.")
        except (StoreError, BadInput) as error:
            self._keep_if_possible("failed", str(error))
            yield RequestFailed(str(error))
        except Exception:
            _log.exception("A request failed unexpectedly")
            said = "Something went wrong inside the program. Your files are safe; ask again."
            self._keep_if_possible("failed", said)
            yield RequestFailed(said)
        finally:
            # Also reached when the page is closed in the middle: the tools are told to stop.
            self.cancelled.set()
            self.assistant._running.discard(key)
            if self.turn.state == "running":
                self._keep_if_possible("cancelled", "This was stopped before it was finished.")

    async def plan_and_run(self) -> AsyncGenerator[Event, None]:
        """Decompose, search, run, answer."""
        earlier = self.session.turns[self.turn.number - 1] if self.turn.number else None
        request = Request(
            self.turn.text,
            self.session.resources,
            self.turn.attached,
            earlier.plan.subtasks if earlier and earlier.plan else (),
        )
        planner = await asyncio.to_thread(lambda: self.assistant.planner)
        subtasks = await asyncio.to_thread(planner.decompose, request)
        if len(subtasks) > MAX_SUBTASKS:
            said = (
                f"I find {len(subtasks)} separate requests in this, more than I can do at once "
                f"({MAX_SUBTASKS}). If it is a text to work on, put it in a file, or write what "
                "you want done, then a colon, then the text."
            )
            yield self._failed(said)
            return
        yield SubtasksReady(subtasks)
        solved = []
        iterator = planner.solve(subtasks, request)
        while (item := await asyncio.to_thread(next, iterator, None)) is not None:
            solved.append(item)
            yield SolutionsReady(item.subtask.id, item.solutions, item.search, item.message)
            if self.cancelled.is_set():
                return
        plan = Plan(
            tuple(item.subtask for item in solved),
            {item.subtask.id: item.solutions for item in solved},
        )
        self.problems = {item.subtask.id: item.message for item in solved if item.message}
        self._keep(plan=plan)
        yield PlanReady(plan)
        for subtask in plan.subtasks:
            if subtask.confidence < DOUBTFUL and plan.solution(subtask.id):
                yield Notice(
                    f"I am not sure what you mean by “{_short(subtask.description)}”. If another "
                    "way fits better, choose it."
                )
        if not any(plan.solutions.values()) and not self.settings.has_model:
            yield self._failed(_nothing_to_do(plan, self.problems))
            return
        async for event in self._run_and_answer(plan):
            yield event

    async def rerun(self, first: SolutionSwitched) -> AsyncGenerator[Event, None]:
        """Run a plan whose choice has changed, and answer anew."""
        yield first
        async for event in self._run_and_answer(first.plan):
            yield event

    async def _run_and_answer(self, plan: Plan) -> AsyncIterator[Event]:
        resources = {resource.value: resource for resource in self.session.resources}
        engine = self.assistant._engine
        async for event in engine.run(
            plan, resources, name_output=self._name_output, cancelled=self.cancelled
        ):
            if isinstance(event, ActionFinished):
                event = self._keep_result(event)
            elif isinstance(event, SolutionSwitched):
                plan = event.plan
                self._keep(plan=plan)
            elif isinstance(event, ActionFailed):
                self.problems[int(event.key.split(".")[0])] = event.message
            yield event
        if self.cancelled.is_set():
            return
        async for event in self._answer(plan):
            yield event

    async def _answer(self, plan: Plan) -> AsyncIterator[Event]:
        known = {resource.value: resource for resource in self.session.resources}
        chosen = {step.key for step in plan.steps()}
        results = {key: item for key, item in self.turn.results.items() if key in chosen}
        outcomes = outcomes_of(plan, results, self.problems, self._read, known.get)
        text = ""
        if self.settings.has_model and self.settings.answer_with_model:
            endpoint = ChatEndpoint(
                self.settings.base_url, self.settings.api_key, self.settings.model
            )
            try:
                async for piece in model_answer(endpoint, self.turn.text, outcomes):
                    text += piece
                    yield AnswerToken(piece)
                    if self.cancelled.is_set():
                        return
            except EndpointError as error:
                yield Notice(f"{error} The answer below is written without it.")
                text = ""
        if not text:
            async for piece in _pieces(written_answer(outcomes) or HELP):
                text += piece
                yield AnswerToken(piece)
        shown = tuple(outcome.resource for outcome in outcomes if outcome.resource is not None)
        self._keep(answer=text, state="answered")
        yield AnswerFinished(text, shown)

    def _name_output(self, step: Step) -> str:
        """A name for the result of a step that no resource of the session has yet."""
        if step.key in self.turn.results:
            return self.turn.results[step.key].value
        if step.key not in self.names:
            suffix = _SUFFIX_OF_TYPE.get(step.action.output.type, ".png")
            taken = {resource.value for resource in self.session.resources}
            taken.update(self.names.values())
            number = 1
            while (name := f"{step.action.tool}-{number}{suffix}") in taken:
                number += 1
            self.names[step.key] = name
        return self.names[step.key]

    def _keep_result(self, event: ActionFinished) -> ActionFinished:
        """Keep a result in the session; the same bytes by the same tool keep their first name."""
        made = replace(event.resource, turn=self.turn.number)
        for known in self.session.resources:
            same = (known.type, known.digest, known.origin) == (
                made.type, made.digest, made.origin,
            )  # fmt: skip
            if same:
                made = known
                break
        self.turn = replace(self.turn, results={**self.turn.results, event.key: made})
        turn = self.turn
        self.session = self.store.update(
            self.session.id, lambda current: current.with_resource(made).with_turn(turn)
        )
        return replace(event, resource=made)

    def _keep(self, **changes: Any) -> None:
        self.turn = turn = replace(self.turn, **changes)
        self.session = self.store.update(
            self.session.id, lambda current: current.with_turn(turn)
        )

    def _keep_if_possible(self, state: str, answer: str) -> None:
        try:
            self._keep(state=state, answer=answer)
        except (StoreError, KeyError):
            _log.warning("The end of a request could not be kept")

    def _failed(self, message: str) -> RequestFailed:
        self._keep(state="failed", answer=message)
        return RequestFailed(message)

    def _read(self, resource: Resource) -> Any:
        """The value of a result that the answer may quote; None for those it only names."""
        if resource.type in ("image", "audio", "video", "html") or not resource.digest:
            return None
        if self.assistant.toolbox.lattice.is_a(resource.type, "image") and resource.type != "mask":
            return None
        return decode(resource.type, self.store.path(resource.digest, resource.media_type))


def embedded_planner(
    toolbox: Toolbox, encode_texts: Callable[[Sequence[str]], Any] | None = None
) -> Planner:
    """The planner that needs no language model, over a toolbox."""
    from controlllm.planning.assessment import EmbeddedAssessor
    from controlllm.planning.decomposer import EmbeddedDecomposer
    from controlllm.planning.phrasebook import TextVectors

    if encode_texts is None:
        from controlllm.encoder import encode as encode_texts
    vectors = TextVectors(encode_texts)
    graph = ToolGraph(toolbox)
    return Planner(
        graph,
        EmbeddedDecomposer(graph, encode_texts, vectors),
        EmbeddedAssessor(encode_texts, vectors),
    )


def _problem_with(text: str, handed: tuple[Resource, ...]) -> str:
    """What is wrong with a request as it stands, or nothing."""
    if not text and handed:
        names = " and ".join(resource.value for resource in handed[:3])
        return f"What shall I do with {names}? For example: “What is in it?”"
    if not text:
        return f"There is nothing to do yet. {HELP}"
    if len(text) > MAX_REQUEST_CHARACTERS:
        return "This is too long for a message. Put the text in a file and add the file."
    letters = [character for character in text if character.isalpha()]
    if not letters:
        return f"I cannot find a request in this. {HELP}"
    foreign = sum(1 for letter in letters if ord(letter) > 0x24F)
    if foreign > len(letters) / 2:
        return (
            "I understand requests in English only as long as no language model is set. Write it "
            "in English, or set a language model in the settings."
        )
    return ""


def _nothing_to_do(plan: Plan, problems: Mapping[int, str]) -> str:
    """Why nothing of a plan can run, with what could be done instead."""
    if not plan.subtasks:
        return f"I cannot find a request in this. {HELP}"
    said = []
    for subtask in plan.subtasks:
        general = _is_general_question(subtask)
        said.append(NEEDS_MODEL if general else problems.get(subtask.id, "I found no way."))
    return "\n\n".join(dict.fromkeys(said))


def _is_general_question(subtask: Subtask) -> bool:
    files = [argument for argument in subtask.args if argument.type != "text"]
    return not files and "question-answering" in subtask.domains[:1]


def _title_of(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:57].rsplit(" ", 1)[0] + " …"


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77].rsplit(" ", 1)[0] + " …"


async def _pieces(text: str) -> AsyncIterator[str]:
    """A text a few words at a time, so that it is read as it comes."""
    words = text.split(" ")
    for start in range(0, len(words), 4):
        end = start + 4
        yield " ".join(words[start:end]) + (" " if end < len(words) else "")
        await asyncio.sleep(0)


