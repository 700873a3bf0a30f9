"""Tools that do what a tool should not do."""

import ctypes
import os
import time

from controlllm.resources import Box, Image, Text
from controlllm.toolbox import Context, tool


@tool(domain="general", examples=["Say it."])
def says(text: Text, context: Context | None = None) -> Text:
    """Say a text, loudly."""
    print("a tool may print what it likes")
    os.write(1, b'{"made": "nothing"}\n')
    context.progress(0.5, "half of it said")
    time.sleep(0.15)
    return f"{text}! ({os.getpid()})"


@tool(domain="general", examples=["Exit."])
def exits(text: Text) -> Text:
    """End the process."""
    os._exit(3)


@tool(domain="general", examples=["Crash."])
def crashes(text: Text) -> Text:
    """Read from nowhere."""
    ctypes.string_at(0)
    return text


@tool(domain="general", examples=["Crash once."])
def crashes_once(text: Text) -> Text:
    """Crash unless the file that is named is there."""
    if not os.path.exists(text):
        open(text, "w").close()
        ctypes.string_at(0)
    return "here now"


@tool(domain="general", examples=["Raise."])
def raises(text: Text) -> Text:
    """Raise what nobody expects."""
    raise KeyboardInterrupt


@tool(domain="general", examples=["Complain."])
def complains(text: Text) -> Text:
    """Raise an error with what was asked in its words."""
    raise ValueError(f"What shall I do with {text}?")


@tool(domain="general", examples=["Hang."])
def hangs(text: Text, context: Context | None = None) -> Text:
    """Wait for ever, with a file begun."""
    (context.folder / "begun").write_text("half a file")
    context.progress(0.0, "begun")
    time.sleep(10_000)
    return text


@tool(domain="general", examples=["Hold the lock."])
def holds_the_lock(text: Text, context: Context | None = None) -> Text:
    """Wait for ever in native code that keeps the interpreter's lock."""
    context.progress(0.0, "begun")
    ctypes.PyDLL(None).sleep(10_000)
    return text


@tool(domain="general", examples=["Take memory."])
def takes_memory(text: Text, context: Context | None = None) -> Text:
    """Take memory without end."""
    kept = []
    while True:
        kept.append(bytearray(b"x") * (20 << 20))
        context.progress(0.0, f"{len(kept)} pieces")


@tool(domain="general", examples=["Write much."])
def writes_much(text: Text, context: Context | None = None) -> Text:
    """Write a file without end."""
    with (context.folder / "much").open("wb") as file:
        while file.tell() < 10 << 30:
            file.write(bytes(1 << 20))
    return text


@tool(domain="general", examples=["Return garbage."])
def returns_garbage(text: Text) -> Image:
    """Return something else than it promised."""
    return {"no": "picture"}


@tool(domain="general", examples=["Ask."])
def asks(text: Text, context: Context | None = None) -> Text:
    """Ask which of two things is meant."""
    boxes = (Box(0, 0, 5, 5, "left", 0.9), Box(9, 0, 14, 5, "right", 0.8))
    return boxes[context.which(boxes, text)].label


@tool(domain="general", examples=["Rest."])
def rests(text: Text) -> Text:
    """Take six seconds."""
    time.sleep(6)
    return text
