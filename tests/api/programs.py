"""What tests of the interface for programs share."""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import dataclass

import httpx
import numpy as np
import PIL.Image

CALL = "/programs/gradio_api/call"


class Refused(Exception):
    """A call was refused; the message is the sentence."""


@dataclass(frozen=True)
class Program:
    """A program with a token, which speaks as curl does."""

    http: httpx.Client
    token: str

    def __call__(self, verb, **inputs):
        """What a verb comes to in the end."""
        return self.told(verb, **inputs)[-1]

    def told(self, verb, **inputs):
        """All that a verb tells; raises Refused where it is refused."""
        with self.listening(verb, **inputs) as told:
            return list(told)

    @contextlib.contextmanager
    def listening(self, verb, **inputs):
        """What a verb tells, as it comes."""
        kind = {"content-type": "application/json"}
        begun = self.http.post(f"{CALL}/v2/{verb}", content=json.dumps(inputs), headers=kind)
        if begun.status_code != 200:
            raise Refused(begun.text)
        name = begun.json()["event_id"]
        with self.http.stream("GET", f"{CALL}/v2/{verb}/{name}") as answer:
            yield _told(answer)

    def upload(self, name="photo.png", content=None):
        """A file as Gradio takes it, on its way to a verb."""
        sent = {"files": (name, picture() if content is None else content)}
        answer = self.http.post("/programs/gradio_api/upload", files=sent)
        if answer.status_code != 200:
            raise Refused(answer.text)
        (path,) = answer.json()
        return {"path": path, "orig_name": name, "meta": {"_type": "gradio.FileData"}}

    def opened(self):
        """A new session's name."""
        return self("files")["session"]

    def with_picture(self, name="photo.png"):
        """A new session with a picture in it."""
        found = self("files", files=[self.upload(name)])
        assert found["taken"] == [name]
        return found["session"]

    def fetch(self, file):
        """The answer to fetching a file of an outcome."""
        return self.http.get(file["address"])


def _told(answer):
    kind, is_begun = "", False
    for line in answer.iter_lines():
        key, _, value = line.partition(": ")
        if key == "event":
            kind = value
        elif key == "data" and kind in ("generating", "complete", "error"):
            found = json.loads(value)
            if kind == "error":
                raise Refused(found["error"] if isinstance(found, dict) else found)
            # The end of a stream repeats what came last.
            if kind == "generating" or not is_begun:
                yield found[0]
            is_begun = True


def picture(width=64, height=48, seed=0):
    """The bytes of a small picture with edges in it."""
    pixels = np.random.default_rng(seed).integers(0, 255, (height, width, 3), np.uint8)
    pixels[10:30, 10:40] = (250, 20, 20)
    buffer = io.BytesIO()
    PIL.Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()


def planned(makes, *ways, reads="photo.png"):
    """A plan of one subtask, with a chain of tools of one picture each as a solution for each."""
    solutions = []
    for tools in ways:
        actions, given = [], reads
        for position, tool in enumerate(tools):
            last = position == len(tools) - 1
            name = "<GEN>-0" if last else f"<GEN>-0-{position}"
            made = {"type": makes if last else "image", "value": name}
            actions.append({"tool": tool, "inputs": {"image": given}, "output": made})
            given = made["value"]
        solutions.append({"actions": actions})
    returns = {"type": makes, "value": "<GEN>-0"}
    return {"subtasks": [{"id": 0, "returns": returns, "solutions": solutions}]}
