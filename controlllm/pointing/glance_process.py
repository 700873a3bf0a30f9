"""A process that tells at a glance what marks on a picture mean, for `controlllm.pointing.glances`.

It reads lines of JSON and answers in such. Of what one person asks only the newest counts: what was
asked before it is dropped, even in the middle. Pictures that were looked at are remembered, and
while nobody asks, the outlines of what is seen in them are made. It ends where nobody has asked for
long, so that it takes memory only from those who point.
"""

from __future__ import annotations

import base64
import io
import json
import os
import signal
import sys
import threading
import time
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.core.helper_process import Tell, end_with_the_parent, lines_in, own_lines
from controlllm.resources import decode
from controlllm.resources.marks import Marks
from controlllm.toolbox import ToolError
from controlllm.toolbox.rooms import tool_module

pointed = tool_module("masks.embedded.pointed")

_REMEMBERED = 4
_IDLE_SECONDS = 600.0
#: What it may hold, in bytes; a picture of 100 megapixels takes a third of it.
_MOST_MEMORY = 4 << 30

_last: dict[str, Any] = {}


class Inbox:
    """What is asked, the newest of each asker; what it replaces is told as dropped."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._changed = threading.Condition()
        self._waiting: OrderedDict[str, dict[str, Any]] = OrderedDict()

    def put(self, asked: dict[str, Any]) -> None:
        with self._changed:
            old = self._waiting.pop(asked["owner"], None)
            # What was asked first may arrive last.
            if old is not None and old["turn"] > asked["turn"]:
                old, asked = asked, old
            self._waiting[asked["owner"]] = asked
            self._changed.notify()
        if old is not None:
            self._tell({"id": old["id"], "dropped": True})

    def next(self, seconds: float) -> dict[str, Any] | None:
        """What was asked first, None where nothing is for so long."""
        with self._changed:
            if not self._waiting and not self._changed.wait(seconds):
                return None
            return self._waiting.popitem(last=False)[1] if self._waiting else None

    def has_newer(self, asked: dict[str, Any]) -> bool:
        """Whether the asker of this wants to know something else by now."""
        with self._changed:
            waiting = self._waiting.get(asked["owner"])
            return waiting is not None and waiting["turn"] > asked["turn"]

    def is_empty(self) -> bool:
        with self._changed:
            return not self._waiting


def main() -> None:
    """Answer until the standard input ends, or nobody asks any more."""
    end_with_the_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory()
    tell = own_lines()
    inbox = Inbox(tell)
    threading.Thread(target=_listen, args=(inbox,), daemon=True).start()
    pictures: OrderedDict[str, Any] = OrderedDict()
    asked_last = time.monotonic()
    while time.monotonic() - asked_last < _IDLE_SECONDS:
        asked = inbox.next(5.0)
        if asked is None:
            continue
        asked_last = time.monotonic()
        try:
            _answer(asked, inbox, pictures, tell)
        except (ToolError, OSError, ValueError, MemoryError) as error:
            pictures.clear()
            tell({"id": asked["id"], "failed": str(error) or type(error).__name__})


def _answer(
    asked: dict[str, Any], inbox: Inbox, pictures: OrderedDict[str, Any], tell: Tell
) -> None:
    began = time.monotonic()
    looked = pictures.pop(asked["path"], None)
    if looked is None:
        looked = pointed.Looked(decode("image", Path(asked["path"])))
        while len(pictures) >= _REMEMBERED:
            pictures.popitem(last=False)
    pictures[asked["path"]] = looked

    def told(pixels: np.ndarray, name: str, is_final: bool) -> dict[str, Any]:
        return {
            "id": asked["id"],
            "mask": _packed(pixels),
            "name": name,
            "final": is_final,
            "seconds": round(time.monotonic() - began, 3),
        }

    marks = Marks.from_json(asked["marks"])
    if not marks.says_something:
        tell({"id": asked["id"], "prepared": True})
        _prepare(looked, inbox)
        return
    if not asked.get("whole"):
        guess = looked.first_guess(marks)
        if guess is not None:
            tell(told(guess, "", False))
        if inbox.has_newer(asked):
            tell({"id": asked["id"], "dropped": True})
            return
    tell(told(*_meant(looked, marks), True))
    _prepare(looked, inbox)


def _meant(looked: Any, marks: Marks) -> tuple[np.ndarray, str]:
    """What marks mean. The last answer is remembered: it is what somebody keeps next."""
    if _last.get("marks") != (looked, marks):
        _last.update(marks=(looked, marks), answer=looked.pointed(marks))
    found: tuple[np.ndarray, str] = _last["answer"]
    return found


def _prepare(looked: Any, inbox: Inbox) -> None:
    """Find out what the next marks may mean, as long as nobody asks."""
    if inbox.is_empty():
        _ = looked.areas
    if inbox.is_empty():
        _ = looked.standing_out
    while inbox.is_empty() and (left := looked.left_to_outline()):
        looked.outline(left[0])


def _packed(pixels: np.ndarray) -> str:
    buffer = io.BytesIO()
    PIL.Image.fromarray(pixels.astype(np.uint8) * 255).save(buffer, "PNG", compress_level=1)
    return base64.b64encode(buffer.getvalue()).decode()


def _listen(inbox: Inbox) -> None:
    for line in lines_in():
        inbox.put(json.loads(line))
    os._exit(0)  # the server is gone


def _limit_memory() -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY, _MOST_MEMORY))


if __name__ == "__main__":
    main()
