"""Tools that are done at once and write down that they began, so that what ran can be counted."""

import hashlib
import os
import time
from pathlib import Path

from controlllm.resources import Text
from controlllm.toolbox import Context, tool


def note(words: str) -> None:
    """Add a line to the log, whole or not at all."""
    path = os.environ["QUICK_LOG"]
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(descriptor, words.encode() + b"\n")
    os.close(descriptor)


@tool(domain="general", examples=["Send it."], acts_outside=True)
def send(text: Text, parts: list[Text] | None = None) -> Text:
    """Send a letter, which cannot be taken back."""
    note(f"sent {text}")
    time.sleep(0.02)
    return made_of(text, parts)


def made_of(text: str, parts: list[str]) -> str:
    """What `step` makes: its name, and a few thousand letters that depend on all that it read."""
    digest = hashlib.sha256("\n".join([text, *parts]).encode()).hexdigest()
    return f"{text}\n{digest * 40}"


@tool(domain="general", examples=["Do a step."])
def step(text: Text, parts: list[Text] | None = None, context: Context | None = None) -> Text:
    """Do one step of a long plan."""
    note(f"begun {text}")
    (Path(context.folder) / "half").write_text("half a file")
    for part in range(4):
        time.sleep(0.005)
        context.progress(part / 4, "at it")
    return made_of(text, parts)
