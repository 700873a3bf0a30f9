"""What tests of the interface for programs share."""

from __future__ import annotations

import io
import json

import numpy as np
import PIL.Image


def picture(width=64, height=48, seed=0):
    """The bytes of a small picture with edges in it."""
    pixels = np.random.default_rng(seed).integers(0, 255, (height, width, 3), np.uint8)
    pixels[10:30, 10:40] = (250, 20, 20)
    buffer = io.BytesIO()
    PIL.Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()


def opened(api):
    """A new conversation's name."""
    answer = api.post("/sessions")
    assert answer.status_code == 201
    return answer.json()["session"]


def with_picture(api, name="photo.png"):
    """A new conversation with a picture in it."""
    session = opened(api)
    sent = api.post(f"/sessions/{session}/files", params={"name": name}, content=picture())
    assert sent.status_code == 201 and sent.json()["file"]["name"] == name
    return session


def events_of(answer):
    """The events of an answer, a line each."""
    answer.read()
    return [json.loads(line) for line in answer.text.splitlines()]


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
