"""Pointing: what marks mean, told while they are set, and what was pointed at as a resource."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from controlllm.pointing import passages, regions, spoken
from controlllm.pointing.glances import Glances
from controlllm.pointing.spoken import SpokenWords
from controlllm.resources import Resource
from controlllm.resources.intake import BadInput
from controlllm.resources.marks import Marks
from controlllm.ui.calls import OWN, Call, answer
from controlllm.ui.texts import say

if TYPE_CHECKING:
    from controlllm.pointing.spoken import Word


def glances_of(app: Starlette) -> Glances:
    """The server's one place to look at pictures while somebody points."""
    found: Glances = app.state.conversations.glances
    return found


def spoken_words_of(app: Starlette) -> SpokenWords:
    """The server's one place to listen for words while somebody points."""
    found: SpokenWords = app.state.conversations.spoken_words
    return found


async def glance(request: Request) -> Response:
    """What the marks so far mean, in lines as it becomes known; the last says ``ended``."""
    call, picture, marks = await _pointed(request)
    if marks.says_something:
        regions.check(picture, marks)
    path = call.conversations.assistant.store.path(picture.digest, picture.media_type)
    # A page counts what it asks: two requests of it may be read here in another order.
    turn = call.sent.get("turn")
    owner = f"{call.session_id} {call.sent.get('page', '')}"
    turn = turn if isinstance(turn, int) else None
    return _lines(glances_of(request.app).look(owner, path, marks, turn=turn))


async def add_region(request: Request) -> Response:
    """Keep what the marks mean as a numbered region."""
    call, picture, marks = await _pointed(request)
    regions.check(picture, marks)
    store = call.conversations.assistant.store
    path = store.path(picture.digest, picture.media_type)
    pixels, name = await glances_of(request.app).region(path, marks)

    def keep() -> Response:
        return added(
            call,
            regions.add_region(store, call.session_id, picture.value, marks, pixels, name),
        )

    return await run_in_threadpool(keep)


async def loudness(request: Request) -> Response:
    """How loud a recording is over time, from its samples."""
    call, recording = await _recording(request)
    return answer(await passages.loudness(call.conversations.assistant.store, recording))


async def add_part(request: Request) -> Response:
    """Keep a part of a recording under a number."""
    call, recording = await _recording(request)
    store = call.conversations.assistant.store
    start, end = _seconds(call, "start"), _seconds(call, "end")
    part = await passages.add_part(store, call.session_id, recording, start, end)
    return await run_in_threadpool(added, call, part)


async def add_frame(request: Request) -> Response:
    """Keep a frame of a video under a number."""
    call, video = await _recording(request)
    store = call.conversations.assistant.store
    frame = await passages.add_frame(store, call.session_id, video, _seconds(call, "at"))
    return await run_in_threadpool(added, call, frame)


async def spoken_words(request: Request) -> Response:
    """The words of a recording with their times, in lines that tell how far it is until then.

    With a ``transcript`` they are the words of that text.
    """
    call, recording = await _recording(request)
    store = call.conversations.assistant.store

    def written() -> tuple[Resource, str] | None:
        value = call.sent.get("transcript")
        if not value:
            return None
        try:
            transcript = call.session().resource(str(value))
            path = store.path(transcript.digest, transcript.media_type)
            return transcript, path.read_text("utf-8", "replace")
        except (KeyError, OSError):
            raise BadInput(say("errors.no_file")) from None

    text = await run_in_threadpool(written)

    async def told() -> AsyncGenerator[dict[str, Any], None]:
        heard = spoken_words_of(request.app).heard(store, recording)
        async with contextlib.aclosing(heard) as answers:
            async for found in answers:
                if isinstance(found, float):
                    yield {"share": found}
                    continue
                words: Sequence[Word] = found
                if text is not None:
                    transcript, content = text
                    words = await run_in_threadpool(
                        spoken.as_written, transcript, recording, content, found
                    )
                yield {"words": [(word.text, word.start, word.end) for word in words]}

    return _lines(told())


def _lines(answers: AsyncGenerator[dict[str, Any], None]) -> Response:
    """Answers as they come, a line of JSON each; the last says ``ended``."""

    async def lines() -> AsyncGenerator[str, None]:
        try:
            async with contextlib.aclosing(answers):
                async for found in answers:
                    yield json.dumps(found) + "\n"
            yield json.dumps({"ended": True}) + "\n"
        except BadInput as error:
            yield json.dumps({"failed": str(error), "ended": True}) + "\n"

    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(lines(), media_type="application/x-ndjson", headers=headers)


def added(call: Call, resource: Resource) -> Response:
    """A resource that was pointed at, with the files as they are now."""
    conversations = call.conversations
    session = call.session()
    file = conversations.described(resource, conversations.media_of(session))
    return answer({"file": file, **conversations.files(session)})


async def _pointed(request: Request) -> tuple[Call, Resource, Marks]:
    body = await request.body()

    def read() -> tuple[Call, Resource, Marks]:
        call = Call.of(request, body)
        picture = regions.picture_of(call.session(), call.field("image", str))
        return call, picture, Marks.from_json(call.field("marks", dict))

    return await run_in_threadpool(read)


async def _recording(request: Request) -> tuple[Call, Resource]:
    body = await request.body()

    def read() -> tuple[Call, Resource]:
        call = Call.of(request, body)
        return call, passages.recording_of(call.session(), call.field("value", str))

    return await run_in_threadpool(read)


def _seconds(call: Call, name: str) -> float:
    given = call.sent.get(name)
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise BadInput(say("errors.time_not_read"))
    return float(given)


ROUTES = (
    Route(f"{OWN}/glance", glance, methods=["POST"]),
    Route(f"{OWN}/regions", add_region, methods=["POST"]),
    Route(f"{OWN}/loudness", loudness, methods=["POST"]),
    Route(f"{OWN}/spoken-words", spoken_words, methods=["POST"]),
    Route(f"{OWN}/parts", add_part, methods=["POST"]),
    Route(f"{OWN}/frames", add_frame, methods=["POST"]),
)
