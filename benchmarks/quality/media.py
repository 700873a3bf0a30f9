"""The media that tools are tried on: a folder of one's own, and what pip packages ship."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.resources import Sound
from controlllm.toolbox import Context, Toolbox, ToolError

_PACKAGED = (
    *(("skimage", "data"), ("gradio", "media_assets/images")),
    ("gradio", "media_assets/audio"),
)


@dataclass
class Media:
    """Finds pictures and recordings by file name, and remembers which were nowhere."""

    folder: Path | None = None
    missing: set[str] = field(default_factory=set)

    def path(self, name: str) -> Path | None:
        """The file of this name, first in the folder, then in the packages."""
        for folder in ([self.folder] if self.folder else []) + packaged_folders():
            if (folder / name).is_file():
                return folder / name
        self.missing.add(name)
        return None

    def is_packaged(self, name: str) -> bool:
        """Whether a file of this name comes with a package, and not from the folder."""
        return self.folder is None or not (self.folder / name).is_file()

    def picture(self, name: str) -> PIL.Image.Image | None:
        """The picture of this name in colour, or None where there is none."""
        path = self.path(name)
        if path is None:
            return None
        with PIL.Image.open(path) as picture:
            return picture.convert("RGB")

    def recording(self, name: str) -> Sound | None:
        """The recording of this name, or None where there is none."""
        import soundfile

        path = self.path(name)
        if path is None:
            return None
        samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
        return Sound(samples, rate)


class Tools:
    """Calls embedded tools by name, as the engine does, with the defaults of what is left out."""

    def __init__(self, toolbox: Toolbox | None = None) -> None:
        self.toolbox = toolbox or Toolbox.load()

    def has(self, name: str) -> bool:
        """Whether a tool of this name can run embedded here."""
        return name in self.toolbox and any(
            implementation.runtime == "embedded" for implementation in self.toolbox.available(name)
        )

    def call(self, name: str, **given: Any) -> Any:
        """What the tool's first embedded implementation gives; raises ToolError as it does."""
        tool = self.toolbox[name]
        inputs: dict[str, Any] = {item.name: None for item in tool.args if item.optional}
        inputs |= {item.name: item.default for item in tool.parameters}
        for implementation in self.toolbox.available(name):
            if implementation.runtime == "embedded":
                return implementation.run({**inputs, **given}, Context())
        raise ToolError(f"{name} cannot run embedded here.")

    def answer(self, name: str, **given: Any) -> str:
        """A tool's text, or the words with which it refused."""
        try:
            return str(self.call(name, **given))
        except ToolError as error:
            return str(error)


def packaged_folders() -> list[Path]:
    """Where the installed packages keep their pictures and recordings."""
    folders = []
    for package, inside in _PACKAGED:
        found = importlib.util.find_spec(package)
        if found is not None and found.origin is not None:
            folders.append(Path(found.origin).parent / inside)
    return folders


def outline_mask(polygon: list[list[float]], size: tuple[int, int]) -> np.ndarray:
    """The pixels inside an outline that a person drew; `size` is width and height."""
    import PIL.ImageDraw

    drawn = PIL.Image.new("1", size)
    PIL.ImageDraw.Draw(drawn).polygon([(x, y) for x, y in polygon], fill=1, outline=1)
    return np.asarray(drawn, bool)


def numbers_of(boxes: Any) -> Mapping[str, int]:
    """How many boxes there are of each label."""
    numbers: dict[str, int] = {}
    for box in boxes:
        numbers[box.label] = numbers.get(box.label, 0) + 1
    return numbers
