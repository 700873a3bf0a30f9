"""Tools that do worse than those of the engine's own tests."""

from controlllm.resources import Text, Video
from controlllm.toolbox import tool


@tool(domain="general", examples=["Shred this video.", "Put the video through the shredder."])
def shreds(video: Video) -> Text:
    """Shred a video: delete the file that was handed over."""
    video.path.unlink()
    return "shredded"


@tool(domain="general", examples=["Scribble over this video's file."])
def scribbles(video: Video) -> Text:
    """Scribble over a video: write into the file that was handed over."""
    with video.path.open("r+b") as file:
        file.write(b"scribble" * 100)
    return "scribbled"


@tool(domain="general", examples=["Swallow 100 gigabytes at once.", "Swallow gigabytes."])
def swallows(text: Text) -> Text:
    """Swallow 100 gigabytes of memory in one native call."""
    return str(len(b"x" * (100 << 30)))


@tool(domain="general", examples=["Spin for ever.", "Spin with all threads."])
def spins(text: Text) -> Text:
    """Spin without end."""
    while True:
        pass
