"""Tries tools in this process, one after the other, and says on the standard output what came of
each: a line of JSON when one begins (``{"begins": NAME}``) and one when it is done, a `Trial`."""

from __future__ import annotations

import json
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from controlllm.core.helper_process import own_lines
from controlllm.models import release_models
from controlllm.models.residence import resident_size
from controlllm.resources import Clip, Sound, as_image, as_text, encode
from controlllm.self_test.samples import Samples
from controlllm.self_test.watching import Trial
from controlllm.settings import Settings
from controlllm.sources.loading import load_toolbox
from controlllm.toolbox import Context, Tool, Toolbox, ToolError

if TYPE_CHECKING:
    import PIL.Image

_LONGEST_WORDS = 160


def trials(
    toolbox: Toolbox, settings: Settings, pictures: Path, names: Sequence[str] = ()
) -> Iterator[Trial | str]:
    """The names of tools as each begins, and what came of it: of all, or of those named, in their
    order. Small pictures of what they make are written to a folder."""
    with tempfile.TemporaryDirectory(prefix="controlllm-") as folder:
        samples = Samples(toolbox, Path(folder) / "samples")
        for name in names or [tool.name for tool in toolbox]:
            yield name
            yield _tried(toolbox[name], toolbox, settings, samples, Path(folder), pictures)


def _tried(
    tool: Tool,
    toolbox: Toolbox,
    settings: Settings,
    samples: Samples,
    folder: Path,
    pictures: Path,
) -> Trial:
    ways = toolbox.available(tool.name, settings.capabilities, settings.runtimes)
    if not ways:
        reasons = toolbox.reasons_unavailable(settings.capabilities, settings.runtimes)
        return Trial(tool.name, "missing", reasons.get(tool.name, ""))
    way = ways[0]
    if tool.acts_outside:
        return Trial(tool.name, "skipped", runtime=way.runtime)
    try:
        inputs = samples.of(tool)
        # What other tools loaded to make the inputs is not this one's.
        release_models()
        context = Context(folder=folder / tool.name, capabilities=settings.capabilities)
        begun = time.perf_counter()
        with MemoryWatch() as memory:
            value = way.run(inputs, context)
        seconds = round(time.perf_counter() - begun, 2)
        # What could not be kept does not work.
        _, media_type = encode(tool.returns.type, value)
        picture = picture_of(tool.returns.type, media_type, value, inputs)
    except ToolError as error:
        return Trial(tool.name, "failed", str(error), way.runtime)
    except Exception as error:
        words = f"It stopped with an unexpected error ({type(error).__name__})."
        return Trial(tool.name, "failed", words, way.runtime)
    name = ""
    if picture is not None:
        name = f"{tool.name}.webp"
        picture.save(pictures / name, "WEBP", quality=82)
    is_read = media_type == "text/plain" or tool.returns.type == "category"
    words = _shortened(as_text(tool.returns.type, value)) if is_read else ""
    return Trial(tool.name, "works", words, way.runtime, seconds, memory.most, name)


def _shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST_WORDS else f"{words[: _LONGEST_WORDS - 1]}…"


def main(arguments: Sequence[str]) -> None:
    """Try tools as ``{"names", "pictures", "folders", "home"}`` on the standard input says."""
    asked: Mapping[str, Any] = json.loads(sys.stdin.read())
    # Only lines of ours go where they are read; what a library prints goes elsewhere.
    tell = own_lines()
    toolbox = load_toolbox([Path(name) for name in asked["folders"]], Path(asked["home"]))
    found = trials(toolbox, Settings.from_environment(), Path(asked["pictures"]), asked["names"])
    for item in found:
        tell({"begins": item} if isinstance(item, str) else item.to_json())


_PAUSE = 0.01


class MemoryWatch:
    """Watches how much more memory, in MiB, this process takes than at the beginning (`most`)."""

    def __enter__(self) -> MemoryWatch:
        self.most = 0
        self._before = resident_size()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while True:
            self.most = max(self.most, round((resident_size() - self._before) / 2**20))
            if self._ended.wait(_PAUSE):
                return


SIZE = (192, 144)
#: Readable on light and on dark.
_INK = (15, 118, 110)


def picture_of(
    type_name: str, media_type: str, value: Any, inputs: Mapping[str, Any]
) -> PIL.Image.Image | None:
    """What was made as a picture of at most `SIZE`: pictures as they are, a video's first frame, a
    sound's wave, boxes on the picture that was given. None where it is none to look at."""
    import PIL.Image

    picture: PIL.Image.Image | None = None
    if isinstance(value, Clip):
        picture = _first_frame(value)
    elif isinstance(value, Sound):
        picture = _wave(value)
    elif type_name == "bbox":
        given = [item for item in inputs.values() if isinstance(item, PIL.Image.Image)]
        picture = _boxed(given[0], value) if given else None
    elif media_type.startswith("image/"):
        picture = as_image(type_name, value)
    if picture is not None:
        picture = picture.convert("RGBA" if "A" in picture.getbands() else "RGB")
        picture.thumbnail(SIZE)
    return picture


def _first_frame(clip: Clip) -> PIL.Image.Image | None:
    import av

    with av.open(str(clip.path), options={"protocol_whitelist": "file"}) as video:
        return next((frame.to_image() for frame in video.decode(video=0)), None)


def _wave(sound: Sound) -> PIL.Image.Image:
    """How loud a sound is from beginning to end, both ways from the middle."""
    import PIL.Image
    import PIL.ImageDraw

    width, height = SIZE
    parts = np.array_split(np.abs(sound.mono()), width)
    loud = np.array([part.max() if part.size else 0.0 for part in parts])
    heights = (loud / max(float(loud.max()), 1e-6) * (height // 2 - 6)).astype(int)
    picture = PIL.Image.new("RGBA", SIZE, (0, 0, 0, 0))
    draw = PIL.ImageDraw.Draw(picture)
    for place, tall in enumerate(heights):
        draw.line((place, height // 2 - tall, place, height // 2 + tall), fill=_INK)
    return picture


def _boxed(picture: PIL.Image.Image, boxes: Any) -> PIL.Image.Image:
    import PIL.ImageDraw

    drawn = picture.convert("RGB")
    draw = PIL.ImageDraw.Draw(drawn)
    thick = max(2, drawn.width // 120)
    for box in boxes:
        corners = (box.left, box.top, box.right, box.bottom)
        draw.rectangle(corners, outline=_INK, width=thick)
    return drawn


if __name__ == "__main__":
    main(sys.argv[1:])
