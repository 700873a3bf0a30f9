"""A Gradio app for the tests: run as a program that reads what to offer, tells its address on its
output, notes what its functions are given in a file, and ends when its input does."""

from __future__ import annotations

import itertools
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gradio
import numpy as np
import PIL.Image

from tests.tools.cloud.servers import drawn, png, sound_file


class Program:
    """Makes the functions; `told` names the folder to write in, a video, and the file of notes."""

    def __init__(self, told: dict[str, str]) -> None:
        self.folder = Path(told["folder"])
        self.video = told["video"]
        self.notes = Path(told["notes"])

    def note(self, name: str, *given: Any) -> None:
        words = [item if isinstance(item, str | int | float) else str(item) for item in given]
        with self.notes.open("a") as file:
            file.write(json.dumps([name, *words]) + "\n")

    def work_of(self, name: str, kind: str) -> Callable[..., Any]:
        """A function that gives a value of a resource type."""

        def work(*given: Any) -> Any:
            self.note(name, *given)
            match kind:
                case "audio":
                    return self.file("spoken.wav", sound_file())
                case "video":
                    return self.video
                case "number":
                    return 3
                case "category":
                    return {"boat": 0.9, "ship": 0.1}
                case "bbox":
                    return [{"label": "boat", "box": [2, 3, 40, 30], "score": 0.5}]
                case "tags":
                    return "boat, lake"
                case "text" | "title" | "html":
                    return f"Got {len(given)} things."
            return self.file("made one.png", png(drawn()))

        return work

    def file(self, name: str, content: bytes) -> str:
        path = self.folder / name
        path.write_bytes(content)
        return str(path)

    # What apps do besides.

    def paint(self, editor: Any, prompt: str, strength: float = 0.5) -> Any:
        """Red where an editor was painted on."""
        self.note("paint", prompt, strength, len(editor["layers"]))
        picture = PIL.Image.open(editor["background"]).convert("RGB")
        levels = np.asarray(picture).copy()
        for layer in editor["layers"]:
            levels[np.asarray(PIL.Image.open(layer).convert("RGBA"))[..., 3] > 0] = (255, 0, 0)
        return self.file("painted.png", png(PIL.Image.fromarray(levels)))

    def gallery(self, prompt: str) -> Any:
        self.note("gallery", prompt)
        return [(self.file("first.png", png(drawn(40, 30))), "the first")]

    def compare(self, picture: Any) -> Any:
        after = PIL.Image.open(picture).convert("RGB").resize((192, 128))
        return picture, self.file("after.png", png(after))

    def slow(self, words: str) -> Iterator[str]:
        self.note("slow", words)
        try:
            for number in itertools.count():
                time.sleep(0.05)
                yield f"{words} {number}"
        finally:
            self.note("slow ended")

    def fails(self, words: str) -> str:
        raise gradio.Error("The boat\nhas sunk.")

    def silent(self, words: str) -> str:
        raise RuntimeError("nobody shall be told this")

    def nonsense(self, words: str) -> Any:
        return self.file("nonsense.png", b"this is no picture")

    def needy(self, words: str, secret: str, number: float) -> str:
        return words

    def blocks(self, functions: list[Any]) -> gradio.Blocks:
        with gradio.Blocks() as blocks:
            for name, takes, gives in functions:
                inputs = [component(kind) for kind in takes]
                button = gradio.Button(name)
                button.click(self.work_of(name, gives), inputs, component(gives), api_name=name)
            editor = gradio.ImageEditor(type="filepath", format="png")
            strength = gradio.Slider(0, 1, 0.5)
            self.add("paint", self.paint, [editor, gradio.Textbox(), strength], component("image"))
            self.add("gallery", self.gallery, gradio.Textbox(), gradio.Gallery(format="png"))
            slider = gradio.ImageSlider(type="filepath", format="png")
            self.add("compare", self.compare, component("image"), slider)
            self.add("slow", self.slow, gradio.Textbox(), gradio.Textbox())
            self.add("fails", self.fails, gradio.Textbox(), gradio.Textbox())
            self.add("silent", self.silent, gradio.Textbox(), gradio.Textbox())
            self.add("nonsense", self.nonsense, gradio.Textbox(), gradio.File())
            needed = [gradio.Textbox(), gradio.Image(), gradio.Textbox()]
            self.add("needy", self.needy, needed, gradio.Textbox())
        return blocks

    def add(self, name: str, work: Callable[..., Any], takes: Any, gives: Any) -> None:
        gradio.Button(name).click(work, takes, gives, api_name=name)


def component(kind: str) -> Any:
    """The component for a resource type."""
    match kind:
        case "audio":
            return gradio.Audio(type="filepath")
        case "video":
            return gradio.Video()
        case "number":
            return gradio.Number()
        case "category":
            return gradio.Label()
        case "bbox" | "point":
            return gradio.JSON()
        case "text" | "title" | "tags" | "html":
            return gradio.Textbox()
    return gradio.Image(type="filepath", format="png")


def main() -> None:
    told = json.loads(sys.stdin.readline())
    program = Program(told)
    _, address, _ = (
        program.blocks(told["functions"])
        .queue(default_concurrency_limit=4)
        .launch(
            prevent_thread_lock=True,
            quiet=True,
            server_name="127.0.0.1",
            share=False,
            inbrowser=False,
            allowed_paths=[told["folder"]],
            enable_monitoring=False,
        )
    )
    print(address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
