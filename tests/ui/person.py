"""Somebody who does things in the page: what its components call, without a browser."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from controlllm.accounts import Account
from controlllm.admission.jobs import Jobs
from controlllm.core import events
from controlllm.core.session import Session, handle_of
from controlllm.runs.assistant import Assistant
from controlllm.settings.quotas import Quotas
from controlllm.store.handed_over import add_file
from controlllm.ui.calls import Call
from controlllm.ui.conversations import Conversations
from controlllm.ui.outcome import Outcome
from controlllm.ui.streams import Run
from controlllm.ui.verbs import LOOKS, VERBS
from controlllm.ui.view import TurnView
from controlllm.ui.visitor import Visitor
from tests.waiting import PATIENCE


def conversations_of(assistant: Assistant, **options: Any) -> Conversations:
    """What the page does with conversations, with quotas that nobody reaches."""
    return Conversations(assistant, "cookie", **{"quotas": Quotas(), **options})


class Person:
    """Somebody with a browser of their own, in a conversation of their own.

    Parameters
    ----------
    client, host: from where they ask, and under which name; at the machine itself where nothing
        else is said.
    account: with which they have signed in.
    """

    def __init__(
        self,
        conversations: Conversations,
        client: tuple[str, int] = ("127.0.0.1", 1),
        host: str = "127.0.0.1:7860",
        account: Account | None = None,
        **headers: str,
    ) -> None:
        self.conversations = conversations
        self.store = conversations.assistant.store
        new, answer = Visitor({}, conversations.cookie, self.store), Response()
        new.have_secret()
        new.remember(answer, secure=False)
        cookie = answer.headers["set-cookie"].partition(";")[0]
        sent = {"host": host, "cookie": cookie, **headers}
        self.request = Request(
            {
                "type": "http", "method": "POST", "path": "/", "query_string": b"",
                "scheme": "http", "client": client,
                "state": {"account": account} if account is not None else {},
                "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
            }
        )  # fmt: skip
        self.session_id = ""
        self.open()

    @property
    def visitor(self) -> Visitor:
        return self.conversations.visitor(self.request)

    @property
    def handle(self) -> str:
        return handle_of(self.session_id)

    @property
    def session(self) -> Session:
        """Their conversation as it is kept now."""
        return self.store.load(self.session_id)

    def open(self) -> str:
        """Begins another conversation; its handle."""
        client = self.request.client
        address = client.host if client is not None else ""
        self.session_id = self.conversations.open(self.visitor, "", True, address).id
        return self.handle

    def add(self, path: Path) -> str:
        """Takes a file in; its name."""
        store = self.conversations.assistant.store
        return add_file(store, self.session_id, path, path.name)[0].value

    def call(self, attached: Sequence[str] = (), /, **sent: Any) -> Call:
        return Call.from_page(self.request, self.conversations, self.handle, sent, attached)

    def do(self, name: str, attached: Sequence[str] = (), /, **sent: Any) -> Outcome:
        """Presses what has this verb."""
        return VERBS[name](self.call(attached, **sent))

    def look(self, name: str, /, **sent: Any) -> Any:
        """Asks what a component asks."""
        found = LOOKS[name](self.call(**sent))
        return asyncio.run(found) if asyncio.iscoroutine(found) else found

    def run(self, name: str, /, **sent: Any) -> TurnView:
        """Presses what begins a run; how its turn looks when it has ended."""

        async def work() -> TurnView:
            begin = self.do(name, **sent).begin
            assert begin is not None
            run: Any = begin()
            await self.conversations.shared.jobs.have_ended(PATIENCE)
            return run.view

        return asyncio.run(work())


class Told:
    """A run whose events come when the test says so."""

    def __init__(
        self,
        is_left: Callable[[], bool] = lambda: False,
        jobs: Jobs | None = None,
        session: str = "session",
    ) -> None:
        self.queue: asyncio.Queue[events.Event] = asyncio.Queue()
        self.run = Run(session, "name", TurnView(0), {}, is_left)
        self.jobs = jobs or Jobs()
        self.began = 0
        self.jobs.begin(self.run, self.run.work(self.start))

    async def start(self, cancelled: threading.Event) -> AsyncGenerator[events.Event, None]:
        self.began += 1
        yield events.RequestReceived(0, "Do it")
        while True:
            while self.queue.empty():
                if cancelled.is_set():
                    yield events.RequestCancelled()
                    return
                await asyncio.sleep(0.01)
            event = self.queue.get_nowait()
            yield event
            if isinstance(event, events.TERMINAL):
                return
