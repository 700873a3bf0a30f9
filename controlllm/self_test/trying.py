"""Tries tools in this process, one after the other, and says on the standard output what came of
each: a line of JSON when one begins (``{"begins": NAME}``) and one when it is done, a `Trial`."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from controlllm.models import release_models
from controlllm.resources import as_text, encode
from controlllm.self_test.memory_watch import MemoryWatch
from controlllm.self_test.pictures import picture_of
from controlllm.self_test.samples import Samples
from controlllm.self_test.trial import Trial
from controlllm.settings import Settings
from controlllm.sources.loading import load_toolbox
from controlllm.toolbox import Context, Tool, Toolbox, ToolError

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
    said = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    toolbox = load_toolbox([Path(name) for name in asked["folders"]], Path(asked["home"]))
    found = trials(toolbox, Settings.from_environment(), Path(asked["pictures"]), asked["names"])
    with contextlib.suppress(BrokenPipeError):
        for item in found:
            _say(said, {"begins": item} if isinstance(item, str) else item.to_json())


def _say(to: TextIO, data: Mapping[str, Any]) -> None:
    to.write(json.dumps(data) + "\n")
    to.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
