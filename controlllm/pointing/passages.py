"""Parts and frames of recordings as resources with a number: "write down [2]"."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool

from controlllm.core.helper_process import said_by
from controlllm.core.session import Session
from controlllm.pointing.regions import add_numbered
from controlllm.resources import Resource
from controlllm.resources.intake import BadInput
from controlllm.store import Store

_PATIENCE = 120.0  # seconds
_SHORTEST = 0.05  # seconds
_FAILED = "This part could not be cut out. Choose a shorter one, or another."


def recording_of(session: Session, value: str) -> Resource:
    """The sound or video of this name. Raises BadInput where there is none."""
    try:
        found = session.resource(value)
    except KeyError:
        raise BadInput(f"There is no recording called {value} here any more.") from None
    if found.type not in ("audio", "video"):
        raise BadInput(f"{value} is no sound and no video: nothing can be cut out of its time.")
    return found


async def loudness(store: Store, recording: Resource) -> dict[str, Any]:
    """How loud a recording is over time: see `controlllm.pointing.cutting.loudness`."""
    return await _said(store, _Passage("wave", recording, 0.0, 0.0), Path("-"))


async def add_part(
    store: Store, session_id: str, recording: Resource, start: float, end: float
) -> Resource:
    """Cut out what lies between two times, in seconds, and keep it under the next number.

    Raises BadInput where that is not in the recording or cannot be cut out.
    """
    seconds = float(recording.details.get("seconds", 0.0))
    start, end = max(0.0, start), min(end, seconds) if seconds else end
    if not end - start >= _SHORTEST:
        raise BadInput("This part is too short. Move its two ends apart.")
    span = f"{clock(start)}-{clock(end)}"
    told = {"span": span, "start": round(start, 3), "end": round(end, 3)}
    return await _added(store, session_id, _Passage("part", recording, start, end), told)


async def add_frame(store: Store, session_id: str, video: Resource, at: float) -> Resource:
    """Keep the picture that a video shows at a time, in seconds, under the next number.

    Raises BadInput where it shows none.
    """
    if video.type != "video":
        raise BadInput(f"{video.value} is no video: it shows no picture.")
    at = max(0.0, min(at, float(video.details.get("seconds", at)) - _SHORTEST))
    told = {"span": clock(at), "start": round(at, 3)}
    return await _added(store, session_id, _Passage("frame", video, at, at), told)


def clock(seconds: float) -> str:
    """A time as people read it: ``0:03``, ``1:02.5``."""
    tenths = round(seconds * 10)
    minutes, rest = divmod(tenths, 600)
    whole, part = divmod(rest, 10)
    return f"{minutes}:{whole:02d}" + (f".{part}" if part else "")


@dataclass(frozen=True)
class _Passage:
    """`what` is wanted of a recording between two times in seconds."""

    what: str
    recording: Resource
    start: float
    end: float


async def _added(
    store: Store, session_id: str, passage: _Passage, told: dict[str, Any]
) -> Resource:
    recording = passage.recording
    with store.work_folder() as folder:
        out = Path(folder) / "part"
        said = await _said(store, passage, out)
        media_type = str(said["media_type"])

        def keep() -> Resource:
            part = Resource(
                "image" if passage.what == "frame" else recording.type,
                "",
                store.put_file(out, media_type),
                media_type,
                f"part of {recording.value}",
                details={**said["details"], **told, "image": recording.value},
            )
            return add_numbered(store, session_id, part)

        return await run_in_threadpool(keep)


async def _said(store: Store, passage: _Passage, out: Path) -> dict[str, Any]:
    recording = passage.recording
    path = store.path(recording.digest, recording.media_type)
    times = str(passage.start), str(passage.end)
    told = (passage.what, recording.type, str(path), *times, str(out))
    lines = said_by("controlllm.pointing.cutting", *told)
    said: dict[str, Any] = {}
    try:
        async with asyncio.timeout(_PATIENCE), contextlib.aclosing(lines):
            async for line in lines:
                said = line
    except (TimeoutError, ValueError):
        said = {}
    if "failed" in said or not said:
        raise BadInput(str(said.get("failed", _FAILED)))
    return said
