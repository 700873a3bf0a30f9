"""The person's model for pictures on the network: making them, changing them, filling parts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import PIL.Image

from controlllm.toolbox import Context, ToolError

from .calls import PICTURES, call
from .downloads import fetch
from .endpoint import endpoint_of
from .payloads import from_base64, on_white, png_file, read_picture
from .waiting import Answer

_WHO = "The model for pictures"
_MOST_WORDS = 4000
_REMOVE = (
    "Remove what is in the marked part and fill it with the background, so that the picture looks "
    "as if nothing had been there."
)
_ALIKE = "Draw a new picture with the same layout and a similar look as this one."

#: The sizes that such models draw in, as width and height; the first is what every one can.
_SIZES = ((1024, 1024), (1536, 1024), (1024, 1536))


def draw(prompt: str, context: Context) -> PIL.Image.Image:
    """A picture of what a prompt says; raises ToolError."""
    words = _checked(prompt)
    context.progress(0.05, "Asking for the picture")
    answer = call(
        PICTURES,
        lambda client: client.images.with_streaming_response.generate,
        lambda refused: {"prompt": words, **_form(context)},
        context,
    )
    return _picture_in(answer, context)


def change(picture: PIL.Image.Image, prompt: str, context: Context) -> PIL.Image.Image:
    """A picture changed as a prompt says, in the size it had; raises ToolError."""
    drawn, frame = _edited(picture, None, prompt, context)
    if _has_another_shape(drawn, frame):
        return drawn
    return frame.cut_out(drawn)


def repaint(
    picture: PIL.Image.Image, mask: np.ndarray, prompt: str, context: Context
) -> PIL.Image.Image:
    """A picture whose marked part is drawn anew as a prompt says; all else stays as it is.

    `mask` is boolean, height x width of the picture, true where to change. Raises ToolError.
    """
    if mask.shape != (picture.height, picture.width):
        raise ToolError("The marked part is not of this picture. Mark it in this one.")
    if not mask.any():
        raise ToolError("Nothing is marked in this picture. Mark what to change.")
    drawn, frame = _edited(picture, mask, prompt, context)
    if _has_another_shape(drawn, frame):
        raise ToolError(
            f"{_WHO} gave back a picture of another shape, which does not fit into this one. "
            "Choose another model in the settings."
        )
    new = frame.cut_out(drawn).convert("RGBA" if picture.mode == "RGBA" else "RGB")
    whole = picture.convert(new.mode)
    whole.paste(new, mask=PIL.Image.fromarray(mask.astype(np.uint8) * 255))
    return whole


def redraw(picture: PIL.Image.Image, prompt: str | None, context: Context) -> PIL.Image.Image:
    """A new picture laid out like another one, of what a prompt says; raises ToolError."""
    shown = f" It shall show: {prompt.strip()}" if prompt and prompt.strip() else ""
    return change(picture, f"{_ALIKE}{shown}", context)


def remove(picture: PIL.Image.Image, hole: np.ndarray, context: Context) -> PIL.Image.Image:
    """A picture whose hole (as the mask of `repaint`) is filled with background."""
    return repaint(picture, hole, _REMOVE, context)


def repaint_behind(
    picture: PIL.Image.Image, behind: np.ndarray, prompt: str, context: Context
) -> PIL.Image.Image:
    """A picture with another background, as of `repaint`."""
    return repaint(picture, behind, f"The background shall be: {prompt}", context)


@dataclass(frozen=True)
class _Frame:
    """Where a picture lies, made smaller or larger, in one of the sizes that models draw in."""

    size: tuple[int, int]
    place: tuple[int, int, int, int]
    original: tuple[int, int]

    @classmethod
    def for_picture(cls, picture: PIL.Image.Image, only_first: bool) -> _Frame:
        width, height = picture.size
        sizes = _SIZES[:1] if only_first else _SIZES
        size = min(sizes, key=lambda item: abs(np.log(item[0] / item[1] * height / width)))
        scale = min(size[0] / width, size[1] / height)
        inner = max(round(width * scale), 1), max(round(height * scale), 1)
        left, top = (size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2
        return cls(size, (left, top, left + inner[0], top + inner[1]), (width, height))

    def put_in(self, picture: PIL.Image.Image) -> PIL.Image.Image:
        """The picture in its frame; its outermost pixels go on to the frame's edges."""
        left, top, right, bottom = self.place
        small = picture.resize((right - left, bottom - top), PIL.Image.Resampling.LANCZOS)
        around = ((top, self.size[1] - bottom), (left, self.size[0] - right), (0, 0))
        return PIL.Image.fromarray(np.pad(np.asarray(small), around, mode="edge"))

    def put_in_mask(self, mask: np.ndarray) -> np.ndarray:
        left, top, right, bottom = self.place
        marked = PIL.Image.fromarray(mask.astype(np.uint8) * 255)
        small = marked.resize((right - left, bottom - top), PIL.Image.Resampling.BOX)
        whole = np.zeros((self.size[1], self.size[0]), bool)
        whole[top:bottom, left:right] = np.asarray(small) > 0
        return whole

    def cut_out(self, drawn: PIL.Image.Image) -> PIL.Image.Image:
        """The picture out of its frame, in its own size."""
        across, down = drawn.width / self.size[0], drawn.height / self.size[1]
        left, top, right, bottom = self.place
        box = (left * across, top * down, right * across, bottom * down)
        return drawn.resize(self.original, PIL.Image.Resampling.LANCZOS, box)


def _edited(
    picture: PIL.Image.Image, mask: np.ndarray | None, prompt: str, context: Context
) -> tuple[PIL.Image.Image, _Frame]:
    """What the model drew, and the frame in which the picture was sent."""
    words = _checked(prompt)
    context.progress(0.05, "Asking for the changed picture")
    # A server would take what is see-through for what to change.
    opaque = on_white(picture).convert("RGBA")
    used: list[_Frame] = []

    def sent(refused: frozenset[str]) -> Mapping[str, Any]:
        # A server that cannot be asked for a size commonly draws squares only.
        frame = _Frame.for_picture(opaque, "size" in refused)
        used.append(frame)
        inside = frame.put_in(opaque)
        parameters: dict[str, Any] = {
            "image": ("picture.png", png_file(inside), "image/png"),
            "prompt": words,
            "size": f"{frame.size[0]}x{frame.size[1]}",
            **_form(context),
        }
        if mask is not None:
            levels = np.asarray(inside).copy()
            levels[..., 3] = np.where(frame.put_in_mask(mask), 0, 255)
            see_through = png_file(PIL.Image.fromarray(levels))
            parameters["mask"] = ("mask.png", see_through, "image/png")
        return parameters

    answer = call(
        PICTURES, lambda client: client.images.with_streaming_response.edit, sent, context
    )
    return _picture_in(answer, context), used[-1]


def _form(context: Context) -> dict[str, str]:
    """Asks for the picture itself; one family gives it in any case and refuses to be asked."""
    model = endpoint_of(context).image_model
    return {} if model.startswith("gpt-image") else {"response_format": "b64_json"}


def _has_another_shape(drawn: PIL.Image.Image, frame: _Frame) -> bool:
    return abs(np.log(drawn.width / drawn.height * frame.size[1] / frame.size[0])) > 0.03


def _checked(prompt: str) -> str:
    words = prompt.strip()
    if not words:
        raise ToolError("There is nothing to draw. Say what the picture shall show.")
    if len(words) > _MOST_WORDS:
        raise ToolError(
            f"That is too long for {_WHO[0].lower()}{_WHO[1:]}: it has {len(words):,} characters, "
            f"and at most {_MOST_WORDS:,} are taken. Say it in fewer words."
        )
    return words


def _picture_in(answer: Answer, context: Context) -> PIL.Image.Image:
    if answer.media_type.startswith("image/"):
        return read_picture(answer.body, _WHO)
    try:
        item = json.loads(answer.body)["data"][0]
        inside, address = item.get("b64_json"), item.get("url")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ToolError(f"{_WHO} sent no picture. Try again, or check its address.") from None
    if isinstance(inside, str) and inside:
        return read_picture(from_base64(inside, _WHO), _WHO)
    if isinstance(address, str) and address.startswith("data:"):
        return read_picture(from_base64(address, _WHO), _WHO)
    if isinstance(address, str) and address:
        context.progress(0.9, "Fetching the picture")
        return read_picture(fetch(address, endpoint_of(context).base_url, _WHO, context), _WHO)
    raise ToolError(f"{_WHO} sent no picture. Try again, or choose another in the settings.")
