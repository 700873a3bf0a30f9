"""Pictures given other names: those that were told, or what each of them shows."""

from __future__ import annotations

import re
from dataclasses import replace

import PIL.Image

from controlllm.resources import Image, ImageFiles, Text
from controlllm.toolbox import Context, ToolError, tool

from .packing import of_file, of_value
from .shared.members import as_name, names_for

_AFTER_CONTENT = re.compile(
    r"(?i)\b(?:what(?:['’]?s| is| you see| can be seen)?\b.{0,12}\b(?:in|on|it|them|shows?|see)|"
    r"contents?\b|(?:show|see|depict)\w*|subject|motif|according to)"
)
#: From this score the classifier's word is taken, and a detector's for what is so large.
_SURE_KIND, _SURE_THING, _LARGE = 0.6, 0.45, 0.06


@tool(
    domain="general",
    examples=[
        "Name each picture after what is in it.",
        "Rename these photos: trip_1 to trip_4.",
        "My phone gave them useless names, call each one after what it shows.",
        "Call the pictures anna, ben and carl.",
        "Give the photos names that say what is on them.",
        "Rename the images to holiday 01, holiday 02 and so on.",
        "The files are called IMG_1234, can you name them by their content?",
    ],
    packages=("onnxruntime",),
    memory="180 MiB",
)
def name_pictures(images: list[Image], names: Text, context: Context) -> ImageFiles:
    """Give several pictures new file names: those that are told, numbered ones, or after what each
    picture shows. The pictures stay as they are.

    Args:
        images: the pictures
        names: an instruction that says what they are called, such as trip_1 to trip_4
        returns: the pictures under their new names
    """
    # What is listed behind "after what is in it" are examples.
    by_content = bool(_AFTER_CONTENT.search(names))
    called = [] if by_content else names_for(names, len(images))
    if not called and not by_content:
        raise ToolError(
            f"I cannot tell from this what the {len(images)} pictures shall be called. Say it as "
            "in “trip_1 to trip_4”, give a name for each, or ask for names after what they show."
        )
    if not called:
        called = []
        for place, image in enumerate(images):
            context.progress(place / len(images), f"Looking at picture {place + 1}")
            called.append(as_name(_shown(image)) or f"picture {place + 1}")
    files = context.files("images")
    members = [
        of_file(files[place], place + 1) if files else of_value(image, place + 1)
        for place, image in enumerate(images)
    ]
    return tuple(
        replace(one, name=name) for one, name in zip(members, _each_once(called), strict=True)
    )


def _shown(image: PIL.Image.Image) -> str:
    """What a picture shows, in a word or two."""
    from .seeing.embedded.imagenet import in_sentence
    from .seeing.embedded.scene import Scene

    scene = Scene(image.convert("RGB"))
    kind = scene.whole
    if kind.score >= _SURE_KIND:
        return in_sentence(kind.name)
    sure = [box for box in scene.objects if box.score >= _SURE_THING and scene.share(box) >= _LARGE]
    return max(sure, key=scene.share).label if sure else in_sentence(kind.name)


def _each_once(names: list[str]) -> list[str]:
    """The names, those that come again with a number."""
    seen: dict[str, int] = {}
    told = []
    for name in names:
        seen[name.lower()] = seen.get(name.lower(), 0) + 1
        told.append(name if seen[name.lower()] == 1 else f"{name} {seen[name.lower()]}")
    return told
