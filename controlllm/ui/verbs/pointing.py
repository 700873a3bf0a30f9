"""Pointing: at things in a picture, at a part of a recording, at a word that is said in it.

What marks mean is told while they are set; what was pointed at is kept under a number and goes
along with the next message.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Iterable, Mapping
from typing import Any

from controlllm.core.session import Session, handle_of
from controlllm.pointing import passages, regions, spoken
from controlllm.pointing.glances import unpacked
from controlllm.pointing.regions import kept_pixels, middle_of, overlay
from controlllm.resources import Resource
from controlllm.resources.marks import Marks
from controlllm.resources.probing import BadInput
from controlllm.ui.calls import Call
from controlllm.ui.drawings.media import is_picture, thumbnail
from controlllm.ui.outcome import CLOSED, Outcome
from controlllm.ui.texts import say
from controlllm.ui.verbs.registry import look, verb

_RECORDINGS = ("audio", "video")


@verb("pick")
def pick(call: Call) -> Outcome:
    """Point at something in a picture or a recording."""
    return _opened(call, call.session().resource(call.field("value", str)))


@verb("point")
def point(call: Call) -> Outcome:
    """Point at something in what was attached last; else in the newest picture, or recording."""
    session = call.session()
    found = _latest(session, call.attached)
    if found is None:
        raise BadInput(say("pointing.picture_first"))
    return _opened(call, found)


@verb("point-at-word")
def point_at_word(call: Call) -> Outcome:
    """Point at the words of a recording, as a transcript of it has them."""
    recording = passages.recording_of(call.session(), call.field("value", str))
    return _opened(call, recording, transcript=call.field("transcript", str))


@verb("point-at-box")
def point_at_box(call: Call) -> Outcome:
    """Point at what is in a box that a tool found."""
    try:
        box = [float(side) for side in call.field("box", str).split()]
        left, top, right, bottom = box
    except ValueError:
        raise BadInput(say("errors.field_not_read", field="box")) from None
    named = {"left": left, "top": top, "right": right, "bottom": bottom}
    return _opened(call, call.session().resource(call.field("value", str)), box=named)


@verb("use-pointed")
def use_pointed(call: Call) -> Outcome:
    """Have what was pointed at with the next message; of a picture the whole as well."""
    session = call.session()
    values = [call.field("of", str, ""), call.field("value", str)]
    wanted = [session.resource(value).value for value in values if value]
    return Outcome(attached=tuple(dict.fromkeys([*call.attached, *wanted])))


def _opened(call: Call, resource: Resource, **told: Any) -> Outcome:
    is_recording = resource.type in _RECORDINGS
    if not is_recording and not is_picture(resource):
        raise BadInput(say("pointing.picture_first"))
    if resource.type == "mask" and resource.details.get("number"):
        resource = _of(call.session(), resource)
    key = "pointing.part_title" if is_recording else "pointing.title_in"
    opens = {
        "what": "cutter" if is_recording else "picker",
        "title": say(key, name=resource.value),
        "handle": handle_of(call.session_id),
        "value": resource.value,
        **told,
    }
    return Outcome(opens=opens, panel=CLOSED)


def _of(session: Session, resource: Resource) -> Resource:
    """What a thing or a part that was pointed at lies in; otherwise itself."""
    if not resource.details.get("number") or resource.type == "image":
        return resource
    of = str(resource.details.get("image", ""))
    return next((item for item in session.resources if item.value == of), resource)


def _latest(session: Session, attached: Iterable[str]) -> Resource | None:
    there = {item.value: item for item in session.resources}
    kinds = [_of(session, there[value]) for value in attached if value in there]
    plain = [item for item in there.values() if _of(session, item) is item]
    for fits, items in (
        (lambda item: is_picture(item) or item.type in _RECORDINGS, kinds),
        (lambda item: item.type == "image", plain),
        (is_picture, plain),
        (lambda item: item.type in _RECORDINGS, plain),
    ):
        for item in reversed(items):
            if fits(item):
                return item
    return None


@look("pictures")
def pictures(call: Call) -> dict[str, Any]:
    """The pictures of a conversation, what was pointed at in one of them, and the number that is
    next."""
    session = call.session()
    media = call.conversations.media_of(session)
    wanted = regions.picture_of(session, call.field("image", str))
    shown = [
        {
            "value": item.value,
            "address": media.address(item),
            "thumbnail": thumbnail(item, media),
            "width": item.details.get("width"),
            "height": item.details.get("height"),
        }
        for item in session.resources
        if is_picture(item) and _of(session, item) is item
    ]
    kept = [_region(call, item) for item in session.resources if _lies_in(item, wanted)]
    return {"pictures": shown, "regions": kept, "next": regions.next_number(session)}


def _lies_in(item: Resource, picture: Resource) -> bool:
    is_region = item.type == "mask" and bool(item.details.get("number"))
    return is_region and item.details.get("image") == picture.value


def _region(call: Call, region: Resource) -> dict[str, Any]:
    """A thing that was pointed at before, as it lies over its picture."""
    store = call.store
    pixels = kept_pixels(store.path(region.digest, region.media_type))
    number = int(region.details["number"])
    x, y = middle_of(pixels)
    return {"number": number, "mask": overlay(pixels, number, is_kept=True), "x": x, "y": y}


@look("glance")
async def glance(call: Call) -> dict[str, Any]:
    """What the marks so far mean: a first guess perhaps, or, asked for the ``whole``, what holds.

    Nothing where something newer was asked meanwhile, or the marks say nothing yet: then the
    picture is looked at for what comes.
    """
    picture, marks = await asyncio.to_thread(_pointed, call)
    if marks.says_something:
        regions.check(picture, marks)
    conversations, number = call.conversations, max(1, call.number("number"))
    path = conversations.assistant.store.path(picture.digest, picture.media_type)
    # A page counts what it asks: two requests of it may be read here in another order.
    owner = f"{call.session_id} {call.field('page', str)}"
    is_whole = call.field("whole", bool, False)
    looked = conversations.glances.look(owner, path, marks, is_whole, call.number("turn"))
    async with contextlib.aclosing(looked) as answers:
        async for answer in answers:
            return await asyncio.to_thread(_shown, answer, number)
    return {}


def _shown(answer: Mapping[str, Any], number: int) -> dict[str, Any]:
    pixels = unpacked(answer["mask"])
    return {
        "mask": overlay(pixels, number),
        "share": float(pixels.mean()),
        "name": str(answer["name"]),
        "final": bool(answer.get("final")),
    }


@look("regions")
async def add_region(call: Call) -> dict[str, Any]:
    """Keep what the marks mean as a numbered region."""
    picture, marks = await asyncio.to_thread(_pointed, call)
    regions.check(picture, marks)
    store = call.store
    path = store.path(picture.digest, picture.media_type)
    pixels, name = await call.conversations.glances.region(path, marks)
    where = (store, call.session_id, picture.value)
    return _kept(call, await asyncio.to_thread(regions.add_region, *where, marks, pixels, name))


@look("recording")
def recording(call: Call) -> dict[str, Any]:
    """Where a recording is played from."""
    resource = _recording(call)
    address = call.conversations.media_of(call.session()).address(resource)
    return {"address": address, "type": resource.type, "value": resource.value}


@look("loudness")
async def loudness(call: Call) -> dict[str, Any]:
    """How loud a recording is over time, from its samples."""
    store = call.store
    return await passages.loudness(store, await asyncio.to_thread(_recording, call))


@look("parts")
async def add_part(call: Call) -> dict[str, Any]:
    """Keep a part of a recording under a number."""
    store, start, end = call.store, _seconds(call, "start"), _seconds(call, "end")
    of = await asyncio.to_thread(_recording, call)
    return _kept(call, await passages.add_part(store, call.session_id, of, start, end))


@look("frames")
async def add_frame(call: Call) -> dict[str, Any]:
    """Keep a frame of a video under a number."""
    store, at = call.store, _seconds(call, "at")
    of = await asyncio.to_thread(_recording, call)
    return _kept(call, await passages.add_frame(store, call.session_id, of, at))


@look("spoken-words")
async def spoken_words(call: Call) -> dict[str, Any]:
    """The words of a recording with their times; until they are known how far it is, to be asked
    again. With a ``transcript`` they are the words of that text."""
    store = call.store
    of = await asyncio.to_thread(_recording, call)
    transcript = await asyncio.to_thread(_transcript, call)
    found = await call.conversations.listening.ask(_listener(call), store, of)
    if isinstance(found, float):
        return {"share": found}
    if transcript is not None:
        text, written = transcript
        found = tuple(await asyncio.to_thread(spoken.as_written, text, of, written, found))
    return {"words": [(word.text, word.start, word.end) for word in found]}


@look("stop-listening")
async def stop_listening(call: Call) -> dict[str, Any]:
    """Nobody waits for the words any more."""
    call.conversations.listening.stop(_listener(call))
    return {}


def _listener(call: Call) -> str:
    return f"{call.session_id} {call.field('page', str)}"


def _kept(call: Call, resource: Resource) -> dict[str, Any]:
    call.conversations.live.tell(call.session_id)
    return {"value": resource.value, "number": resource.details["number"]}


def _pointed(call: Call) -> tuple[Resource, Marks]:
    picture = regions.picture_of(call.session(), call.field("image", str))
    return picture, Marks.from_json(call.field("marks", dict))


def _recording(call: Call) -> Resource:
    return passages.recording_of(call.session(), call.field("value", str))


def _transcript(call: Call) -> tuple[Resource, str] | None:
    value = call.field("transcript", str, "")
    if not value:
        return None
    store = call.store
    try:
        found = call.session().resource(value)
        return found, store.path(found.digest, found.media_type).read_text("utf-8", "replace")
    except (KeyError, OSError):
        raise BadInput(say("errors.no_file")) from None


def _seconds(call: Call, name: str) -> float:
    given = call.sent.get(name)
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise BadInput(say("errors.time_not_read"))
    return float(given)
