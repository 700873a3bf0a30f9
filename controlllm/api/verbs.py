"""What programs can have done: the verbs, each for somebody who has a token. What belongs to
anybody else does not exist for them.

A verb's docstring is what programmers read of it; its parameters' types are checked before it is
called (`controlllm.api.programs`). A stream tells the events of a run as they come and, last, what
it came to.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import Field
from starlette.concurrency import run_in_threadpool

from controlllm.api.arguments import is_media
from controlllm.api.door import READS_ONLY
from controlllm.api.outcomes import Told, Work, file_of, outcome_of, shown, tools_of, value_of
from controlllm.api.service import AS_USUAL, ONLY_STEP, How, Service, check_files, failure_of
from controlllm.api.taking import Taking, names_of
from controlllm.api.tokens import Token
from controlllm.api.workflow import workflow_of
from controlllm.core.plans import Plan, Reference, Request
from controlllm.core.replaying import substituted
from controlllm.core.session import Session, handle_of
from controlllm.resources import BadInput, Resource, guess_type
from controlllm.runs.sent_plans import Long, Name, read_plan

Files = Annotated[Sequence[Any], Field(max_length=100)]
Handle = Annotated[str, Field(max_length=100)]
_Count = Annotated[int, Field(ge=0, lt=1_000_000)]
Stream = AsyncGenerator[Told, None]
#: The verbs, in the order in which they are shown.
NAMES = ("ask", "plan", "run", "call", "go_on", "follow", "stop", "files", "sessions", "tools")
_NO_SESSION = "There is no such session, or not any more. Leave it out to begin one."
_NO_RUN = "There is no such run, or it ended long ago: look at the session's turns."


NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Verbs:
    """The verbs. `taking` is how files are taken in."""

    service: Service
    taking: Taking

    # Requests

    async def ask(
        self,
        token: Token,
        request: Long,
        files: Files = (),
        session: Handle = "",
        how: How = AS_USUAL,
    ) -> Stream:
        """Have a request in plain words done, about files that are uploaded or are in the session.
        Tells what happens, an event at a time, and last the answer, the results with the addresses
        to fetch them from, and the plan."""
        return self._told(*await self.asked(token, request, files, session, how))

    async def plan(
        self,
        token: Token,
        request: Long,
        files: Files = (),
        session: Handle = "",
        as_workflow: bool = False,
    ) -> Told:
        """Show how a request would be done: subtasks and the ways found for each, best first.
        Nothing is run; of files only the names are needed where no session is named. `as_workflow`
        gives the plan as a workflow that Gradio opens (gr.Workflow) instead."""
        plan = await self.planned(token, request, files, session)
        if not as_workflow:
            return {"plan": plan.to_json()}
        return {"workflow": workflow_of(plan, self.service.assistant.toolbox, request)}

    async def run(
        self,
        token: Token,
        plan: dict[str, Any],
        files: Files = (),
        session: Handle = "",
        how: How = AS_USUAL,
    ) -> Stream:
        """Run a plan, as `plan` gives it or changed. It is checked first, and refused with the
        place that is wrong. It calls files by their names. Tells what happens, as `ask` does."""
        return self._told(*await self.ran(token, plan, files, session, how))

    async def call(
        self,
        token: Token,
        tool: Name,
        inputs: Mapping[str, Any] = NOTHING,
        session: Handle = "",
        how: How = AS_USUAL,
    ) -> Stream:
        """Call one tool with its inputs by their names. Files are given as for `ask`; boxes, points
        and categories are lists, as `tools` says. Tells what happens, and last what the tool has
        made: the file with its address, and its `value` where that is short words or a list."""
        return self._made(*await self.called(token, tool, inputs, session, how))

    async def go_on(
        self,
        token: Token,
        session: Name,
        turn: _Count,
        do: Literal["resume", "switch", "choose", "act"] = "resume",
        numbers: Annotated[Sequence[_Count], Field(max_length=2)] = (),
        how: How = AS_USUAL,
    ) -> Stream:
        """Go on with a turn of a session. `resume` goes on with what was stopped; `switch` takes
        another way and runs what differs, `numbers` are the subtask and the solution; `choose`
        answers a question, `numbers` are the question and the choice; `act` has an agent work on
        the subtask that `numbers` names. Tells what happens, as `ask` does."""
        _may_run(token)
        begun = await self._session(token, session)
        if len(numbers) != {"resume": 0, "act": 1}.get(do, 2):
            raise BadInput(f"These are not as many numbers as {do!r} takes.")
        try:
            work = self.service.go_on(token, begun, turn, (do, *numbers), how)
        except IndexError:
            raise BadInput(
                "This session has no such turn, subtask, solution, question or choice."
            ) from None
        return self._told(begun, work)

    async def follow(self, token: Token, session: Name, run: Name, first: _Count = 0) -> Stream:
        """Tell what happens in a run, from one of its events on, also when it has ended; so nothing
        is lost where a connection breaks off: a run goes on without anybody who listens."""
        return self._told(*await self._work(token, session, run), first)

    async def stop(self, token: Token, session: Name, run: Name, only_step: bool = False) -> Told:
        """Stop a run; `stopped` says whether there was anything to stop. `only_step` ends just the
        step that an agent makes, and it goes on without."""
        _may_run(token)
        begun, work = await self._work(token, session, run)
        if only_step:
            at_work = work.turn is not None and work.turn < len(begun.turns)
            return {
                "stopped": at_work and self.service.assistant.skip_step(begun.id, work.turn or 0)
            }
        was_at_work = work.end is None
        work.cancelled.set()
        return {"stopped": was_at_work}

    # What is kept, and what there is

    async def files(
        self,
        token: Token,
        session: Handle = "",
        files: Files = (),
        kind: Handle = "",
        forget: Annotated[Sequence[Name], Field(max_length=100)] = (),
    ) -> Told:
        """Put files into a session, or take some out, and list those that are in it, each with the
        address that it is fetched from with the token. Without a session one is begun. `kind` says
        which special kind of picture they are, such as mask; else that is told from the content."""
        if files or forget or not session:
            _may_run(token)
        if session:
            found = await self._session(token, session)
        else:
            found = await run_in_threadpool(self.service.open, token)
        taken = [await self.taking.take(token, found, one, kind) for one in files]
        for name in forget:
            check_files(found, [name])
            await run_in_threadpool(self.service.delete_file, found, name)
        found = await self._session(token, handle_of(found.id))
        listed = [file_of(found.id, item) for item in found.resources]
        return {"session": handle_of(found.id), "taken": taken, "files": listed}

    async def sessions(self, token: Token, session: Handle = "", forget: bool = False) -> Told:
        """List your sessions, the newest first; of one that is named its turns, its files and what
        runs in it. `forget` deletes that one with its files, and stops what runs in it."""
        if session and forget:
            _may_run(token)
            await self._session(token, session)
            await run_in_threadpool(self.service.delete, token, session)
        elif session:
            found = await self._session(token, session)
            return shown(found, [work.name for work in self.service.works_of(found.id)])
        listed = await run_in_threadpool(self.service.sessions, token)
        return {"sessions": [{"session": a, "title": b, "updated": c} for a, b, c in listed]}

    async def tools(self, token: Token, about: Handle = "") -> Told:
        """List the tools: what each does, takes and makes, and why it cannot run here where it
        cannot. `about` is a word that has to be in name, field or description."""
        assistant = self.service.assistant
        listed = await run_in_threadpool(tools_of, assistant.toolbox, assistant.settings, about)
        return {"tools": listed}

    # How they are begun, for whoever tells of them in another way

    async def asked(
        self, token: Token, request: str, files: Sequence[Any], handle: str, how: How
    ) -> tuple[Session, Work]:
        """A request begun, and its session; raises BadInput where it cannot be."""
        _may_run(token)
        session, taken = await self._with_files(token, files, handle)
        return session, self.service.ask(token, session, request, [*taken.values()], how)

    async def ran(
        self,
        token: Token,
        sent: Mapping[str, Any],
        files: Sequence[Any],
        handle: str,
        how: How,
        request: str = "",
    ) -> tuple[Session, Work]:
        """A plan begun, and its session; raises BadPlan where it cannot be run."""
        _may_run(token)
        session, taken = await self._with_files(token, files, handle)
        said: dict[str, str] = {}
        for place, one in enumerate(files):
            for name in names_of(one):
                said.setdefault(name, taken[place])
        plan = await run_in_threadpool(self._read, sent, session, said)
        work = await self.service.run_plan(token, session, plan, request, how)
        return session, work

    async def called(
        self, token: Token, name: str, inputs: Mapping[str, Any], handle: str, how: How
    ) -> tuple[Session, Work]:
        """A call of one tool begun, and its session; raises BadInput where it cannot be."""
        _may_run(token)
        toolbox = self.service.assistant.toolbox
        if name not in toolbox:
            raise BadInput(f"There is no tool called {name[:80]}. `tools` lists them.")
        session, given = await self._opened(token, handle), dict(inputs)
        for argument in toolbox[name].args:
            value = given.get(argument.name)
            if is_media(argument.type) and value is not None:
                several = value if argument.many and isinstance(value, list) else [value]
                names = [
                    await self.taking.take(token, session, one, argument.type) for one in several
                ]
                given[argument.name] = names if argument.many else names[0]
        tool = toolbox[name]
        return session, await self.service.call(token, session, tool, given, how)

    async def planned(
        self, token: Token, request: str, files: Sequence[Any], handle: str = ""
    ) -> Plan:
        """How a request would be done; raises BadInput where it cannot be planned."""
        # A file that is told of is called as it was sent, one that was uploaded by its name.
        names = [one if isinstance(one, str) else "".join(names_of(one)) for one in files]
        names = list(dict.fromkeys(names))
        resources = tuple(Resource(guess_type(name), name) for name in names)
        earlier = None
        if handle:
            session = await self._session(token, handle)
            check_files(session, names)
            resources = session.resources
            earlier = session.turns[-1].plan if session.turns else None
        subtasks = earlier.subtasks if earlier else ()
        wish = Request(request, resources, tuple(names), subtasks)
        return await self.service.plan(token, wish)

    async def _told(self, session: Session, work: Work, first: int = 0) -> Stream:
        await work.begun()
        async with aclosing(work.read(first)) as lines:
            async for line in lines:
                if line:
                    yield json.loads(line)
        try:
            found = await run_in_threadpool(self.service.assistant.store.load, session.id)
        except KeyError:
            raise BadInput(_NO_SESSION) from None
        yield outcome_of(work, found)

    async def _made(self, session: Session, work: Work) -> Stream:
        event: Told = {}
        async with aclosing(self._told(session, work)) as told:
            async for event in told:
                if "event" in event:
                    yield event
        made = work.made.get(ONLY_STEP)
        if made is None:
            raise BadInput(failure_of(work)[0])
        store = self.service.assistant.store
        value = await run_in_threadpool(value_of, store, made.resource)
        yield {**event, "value": value, "files": [file_of(session.id, made.resource)]}

    async def _session(self, token: Token, handle: str) -> Session:
        try:
            return await run_in_threadpool(self.service.session, token, handle)
        except KeyError:
            raise BadInput(_NO_SESSION) from None

    async def _opened(self, token: Token, handle: str) -> Session:
        if handle:
            return await self._session(token, handle)
        return await run_in_threadpool(self.service.open, token, True)

    async def _with_files(
        self, token: Token, files: Sequence[Any], handle: str
    ) -> tuple[Session, dict[int, str]]:
        """A session with files taken into it: their names there by their places."""
        session = await self._opened(token, handle)
        taken = {
            place: await self.taking.take(token, session, one) for place, one in enumerate(files)
        }
        return await self._session(token, handle_of(session.id)), taken

    async def _work(self, token: Token, handle: str, run: str) -> tuple[Session, Work]:
        session = await self._session(token, handle)
        try:
            return session, self.service.work(session.id, run)
        except KeyError:
            raise BadInput(_NO_RUN) from None

    def _read(self, sent: Any, session: Session, taken: Mapping[str, str]) -> Plan:
        """A plan that was sent, checked; what it calls as it was sent has its own name here."""
        known = {resource.value: resource for resource in session.resources}
        # What came along is meant before what another turn has left under the same name.
        known |= {said: known[name] for said, name in taken.items()}
        plan = read_plan(sent, self.service.assistant.toolbox, known)
        return substituted(plan, {said: Reference(name) for said, name in taken.items()})


def _may_run(token: Token) -> None:
    if not token.runs:
        raise BadInput(READS_ONLY)
