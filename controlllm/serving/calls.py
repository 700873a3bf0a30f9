"""What a program's request brings along, and how it is answered: what all routes share."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from controlllm.core.session import Session
from controlllm.resources import BadInput
from controlllm.resources.well_formed import json_from_outside
from controlllm.serving.messages import outcome_of
from controlllm.serving.service import Service
from controlllm.serving.tokens import Token
from controlllm.serving.works import Work

PREFIX = "/api/v1"
_NOT_KEPT = {"cache-control": "no-store"}
NOT_THERE = "There is no such conversation."
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Call:
    """A request that was let in: who asks, and for what."""

    request: Request
    token: Token
    service: Service

    def part(self, name: str) -> str:
        """A part of the address."""
        return str(self.request.path_params[name])

    async def wait_for(self, work: Work) -> None:
        """Wait for the end of a work, or until whoever asks has hung up."""
        async with aclosing(work.read()) as lines:
            async for _ in lines:
                if await self.request.is_disconnected():
                    return

    def flag(self, name: str) -> bool:
        """Whether a query parameter is set."""
        return self.request.query_params.get(name, "0").lower() in ("1", "true", "yes")

    async def session(self) -> Session:
        """The conversation that the address names, of whoever asks; else HTTPException (404)."""
        try:
            return await run_in_threadpool(self.service.session, self.token, self.part("session"))
        except KeyError:
            raise HTTPException(404, NOT_THERE) from None

    async def sent(self, model: type[M]) -> M:
        """The body; raises BadInput, with the field, where it is not what the model says."""
        try:
            return model.model_validate(await self.json())
        except ValidationError as error:
            raise BadInput(_said(error)) from None

    async def json(self) -> Any:
        """The body as JSON; raises BadInput where it is none."""
        kind = self.request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise BadInput("Send JSON, with the header 'Content-Type: application/json'.")
        try:
            return json_from_outside(await self.request.body())
        except RecursionError:
            raise BadInput("This JSON is nested too deeply.") from None
        except ValueError as error:
            raise BadInput(f"This is no JSON: {error}.") from None


def _said(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part)[:60] for part in found["loc"][:8])
    return f"This could not be read: {f'{where}: ' if where else ''}{found['msg']}."


Answer = Callable[[Call], Awaitable[Response]]


def answer(content: BaseModel, status: int = 200) -> Response:
    """JSON that nobody keeps."""
    return JSONResponse(content.model_dump(mode="json"), status, _NOT_KEPT)


async def answer_with(call: Call, work: Work, first: int = 0) -> Response:
    """What becomes of a request: its events as they come, or, where the call says ``wait``, what it
    has come to in the end. Raises LimitReached where it may not be begun now."""
    await work.begun()
    if call.flag("wait"):
        await call.wait_for(work)
        session = await run_in_threadpool(_loaded, call, work.session)
        return answer(outcome_of(work, session, PREFIX))
    as_events = "text/event-stream" in call.request.headers.get("accept", "")
    kind = "text/event-stream" if as_events else "application/x-ndjson"
    # What stands between must not gather lines either.
    headers = {**_NOT_KEPT, "x-accel-buffering": "no", "x-run": work.name}
    return StreamingResponse(_lines(work, first, as_events), media_type=kind, headers=headers)


def _loaded(call: Call, session_id: str) -> Session:
    try:
        return call.service.assistant.store.load(session_id)
    except KeyError:
        raise HTTPException(404, NOT_THERE) from None


async def _lines(work: Work, first: int, as_events: bool) -> AsyncGenerator[str, None]:
    number = first
    async with aclosing(work.read(first)) as lines:
        async for line in lines:
            if not line:
                yield ": still here\n\n" if as_events else '{"event": "StillHere"}\n'
                continue
            yield f"id: {number}\ndata: {line}\n\n" if as_events else f"{line}\n"
            number += 1
