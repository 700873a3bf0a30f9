"""Files to Python values before a tool runs, and its result to a file afterwards."""

from __future__ import annotations

import math
import wave
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from numbers import Real
from pathlib import Path
from typing import IO, Any

import numpy as np
import PIL.Image

from controlllm.core.plans import Literal
from controlllm.engine.cache import Given, GivenInputs
from controlllm.engine.input_gate import check_stored_sound
from controlllm.resources import (
    GIVEN_AS,
    KILOBITS,
    Box,
    ClickedPoint,
    Clip,
    DocumentFile,
    Filed,
    Label,
    LongSound,
    Member,
    Region,
    Resource,
    Sound,
    as_image,
    as_text,
    decode,
    encode,
)
from controlllm.resources.animations import KEPT_MOVING, MOVING, MovingFile
from controlllm.resources.encoding import write_sound
from controlllm.resources.media_types import SUFFIXES, ZIP
from controlllm.resources.picture_modes import upright_in_kept_mode
from controlllm.resources.several import write_members
from controlllm.resources.types import SEVERAL_TYPES
from controlllm.store import Store, handed_over
from controlllm.toolbox import Argument, Code, Context, GivenFile, Tool, ToolError
from controlllm.toolbox.rooms import tool_module

Details = Callable[[str, Path], Mapping[str, Any]]

_ITEMS: Mapping[str, type] = {
    "mask": Region,
    "bbox": Box,
    "point": ClickedPoint,
    "category": Label,
    "tags": str,
    "files": Member,
    "archive": Member,
}


class InputError(ToolError):
    """What a tool was to read is not there or cannot be read; another tool could not either."""


def read_input(tool: Tool, argument: Argument, given: Given, store: Store) -> Any:
    """The Python value that a tool gets for an argument, of the argument's own type.

    Raises InputError where the file is gone or damaged or the words are not of that type,
    ToolError where it is too much to read or nothing is marked in it.
    """
    if isinstance(given, Literal):
        return _read_words(tool, argument, given.text)
    try:
        path = store.path(given.digest, given.media_type)
        if argument.type == "document" and given.details.get("original_type") == "application/pdf":
            # Beside its text, which is what is read of it elsewhere, the document as it came.
            return DocumentFile(store.path(str(given.details["original"]), "application/pdf"))
        if given.type == "audio":
            check_stored_sound(tool, given.value, path)
        value = decode(given.type, path)
        if given.type == "image" and given.details.get("original_type") in KEPT_MOVING:
            original = store.path(str(given.details["original"]), given.details["original_type"])
            value.info[MOVING] = MovingFile(original)
    except KeyError:
        raise InputError(f"The file {given.value} is not there any more. Add it again.") from None
    except ToolError:
        raise
    except Exception as error:
        raise InputError(f"The file {given.value} is damaged. Add it again.") from error
    if given.type == argument.type:
        return value
    if argument.type == "text" or argument.type == "table":
        if given.details.get("is_locked"):
            raise ToolError(
                f"{given.value} opens only with a password, so it cannot be read. Have it taken "
                "off first: “unlock it, the password is …”."
            )
        if given.type == "document" and not str(value).strip():
            # There may be a way by a tool that reads pages by sight.
            raise ToolError(
                f"The pages of {given.value} are pictures, so it has no text of its own. Ask for "
                "its text first, then go on with that.",
                Code.NOTHING_MARKED,
            )
        return as_text(given.type, value)
    if argument.type == "image":
        try:
            return as_image(given.type, value)
        except ValueError:
            raise ToolError(
                f"Nothing is marked in {given.value}, so {tool.in_words} has nothing to work on. "
                "Try naming the object in other words.",
                Code.NOTHING_MARKED,
            ) from None
    return value


def _read_words(tool: Tool, argument: Argument, text: str) -> Any:
    if argument.type == "tags":
        return tuple(tag.strip() for tag in text.split(",") if tag.strip())
    if argument.type == "category":
        return (Label(text),)
    if argument.type == "number":
        try:
            number = float(text)
        except ValueError:
            raise InputError(f"“{tool.in_words}” needs a number, and {text!r} is none.") from None
        return int(number) if number.is_integer() else number
    return text


def keep_value(tool: Tool, value: Any, store: Store, details: Details) -> Resource:
    """Store what a tool returned; the resource has no name yet, and is yet to be settled.

    Raises ToolError where the value is not of the tool's return type, StoreError where it cannot
    be kept.
    """
    type_name = tool.returns.type
    wrong = ToolError(f"“{tool.in_words}” returned the wrong kind of value instead of {type_name}.")
    if value is None:
        raise ToolError(f"“{tool.in_words}” returned nothing.")
    expected = _ITEMS.get(type_name)
    if expected is not None and not (
        isinstance(value, tuple) and all(isinstance(item, expected) for item in value)
    ):
        raise wrong
    if _has_nan(value):
        raise ToolError(f"“{tool.in_words}” returned a value that is not a number.")
    if type_name == "video":
        if not isinstance(value, Clip):
            raise wrong
        path = Path(value.path)
        if not path.is_file():
            raise ToolError(f"“{tool.in_words}” made no video file.")
        media_type = _VIDEO_TYPES.get(path.suffix.lower(), "video/mp4")
        digest = store.put_file(path, media_type, is_urgent=False)
    else:
        if _has_nothing(value) or (type_name in SEVERAL_TYPES and not value):
            raise ToolError(f"“{tool.in_words}” returned nothing.")
        try:
            if isinstance(value, PIL.Image.Image):
                value = upright_in_kept_mode(value)
            if type_name in SEVERAL_TYPES:
                media_type = ZIP
                written = partial(write_members, value, encode=encode)
                digest = _put_by_file(written, media_type, store)
            elif isinstance(value, LongSound):
                media_type = "audio/wav"
                digest = _put_by_file(partial(write_sound, value), media_type, store)
            else:
                content, media_type = encode(type_name, value)
                digest = store.put_bytes(content, media_type, is_urgent=False)
        except (TypeError, AttributeError, ValueError, wave.Error) as error:
            raise wrong from error
    try:
        found = dict(details(type_name, store.path(digest, media_type)))
    except Exception as error:
        raise ToolError(f"“{tool.in_words}” made a file that cannot be opened.") from error
    return Resource(type_name, "", digest, media_type, tool.name, 0, found)


def in_given_form(tool: Tool, value: Any, inputs: GivenInputs, store: Store, run: Context) -> Any:
    """What a tool made of sound, in the form of the first sound that it was given: of an MP3 comes
    an MP3, and of a WAV, or where a tool chose a form itself, what the tool returned.

    Raises KeyError where that sound is not there any more.
    """
    given = _first_sound(tool, inputs)
    if given is None:
        return value
    media_type = str(given.details.get(GIVEN_AS, given.media_type))
    if media_type == "audio/wav":
        return value
    if isinstance(value, tuple):
        return tuple(
            replace(item, value=_in_form(_heard(item), media_type, given, store, run))
            if isinstance(item, Member) and item.type == "audio"
            else item
            for item in value
        )
    return _in_form(value, media_type, given, store, run)


def _first_sound(tool: Tool, inputs: GivenInputs) -> Resource | None:
    for argument in tool.args:
        found = inputs.get(argument.name)
        items = (found,) if found is None or isinstance(found, Literal | Resource) else found
        for item in items:
            if isinstance(item, Resource) and item.type == "audio":
                return item
    return None


def _heard(member: Member) -> Any:
    """The sound of one of several files that lies in a WAV file."""
    is_plain = isinstance(member.value, Path) and member.value.suffix == ".wav"
    return decode("audio", member.value) if is_plain else member.value


def _in_form(value: Any, media_type: str, given: Resource, store: Store, run: Context) -> Any:
    if not isinstance(value, Sound) or _has_nothing(value) or _has_nan(value):
        return value
    return tool_module("sound.embedded.sound_files").in_form(
        value,
        media_type,
        store.path(given.digest, given.media_type),
        int(given.details.get(KILOBITS, 0)),
        run.part(0.9, 1.0),
    )


def _put_by_file(write: Callable[[IO[bytes]], None], media_type: str, store: Store) -> str:
    """Keep what is written into a file, so that it is never all in memory; its digest."""
    with store.work_folder() as folder:
        path = folder / "written"
        with path.open("wb") as file:
            write(file)
        return store.put_file(path, media_type, is_urgent=False)


def given_files(given: Given | Sequence[Given] | None, store: Store) -> tuple[GivenFile, ...]:
    """The files that an input was given as, as a person handed them over."""
    if given is None or isinstance(given, Literal):
        return ()
    if not isinstance(given, Resource):
        return tuple(file for item in given for file in given_files(item, store))
    try:
        path, _ = handed_over.original_file(given, store)
    except KeyError:
        raise InputError(f"The file {given.value} is not there any more. Add it again.") from None
    return (GivenFile("" if given.value.startswith("<") else given.value, given.type, path),)


def is_one_frame_of(inputs: Iterable[Any], value: Any) -> bool:
    """Whether a result is a picture that stands still, though one that it was made of moves."""
    moves = any(isinstance(item, PIL.Image.Image) and MOVING in item.info for item in inputs)
    is_still = isinstance(value, PIL.Image.Image) or (
        isinstance(value, Filed) and value.media_type in ("image/jpeg", "image/png", "image/bmp")
    )
    return moves and is_still


_VIDEO_TYPES = {
    suffix: media_type for media_type, suffix in SUFFIXES.items() if media_type.startswith("video/")
}


def _has_nothing(value: Any) -> bool:
    """Whether a picture has no pixels or a sound no samples."""
    if isinstance(value, PIL.Image.Image):
        return not (value.width and value.height)
    return isinstance(value, Sound) and not value.size


def _has_nan(value: Any) -> bool:
    """Whether a number of a value is not finite."""
    if isinstance(value, Real):
        return not math.isfinite(value)
    if isinstance(value, Sound):
        return not all(np.isfinite(block).all() for block in value.blocks())
    if isinstance(value, Box | ClickedPoint | Label | Region):
        return any(map(_has_nan, vars(value).values()))
    if isinstance(value, tuple):
        return any(_has_nan(item) for item in value)
    return False
