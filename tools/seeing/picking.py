"""One of several pictures, by what it shows."""

from __future__ import annotations

from controlllm.resources import Image, Text
from controlllm.toolbox import Context, ToolError, tool
from controlllm.toolbox.context import Code


@tool(
    domain="image-perception",
    examples=[
        "Which of these pictures is the one with the dog?",
        "Find the photo that shows a car among these.",
        "One of these pictures is my cat; pick it out.",
        "Give me only the picture with the bicycle.",
        "Which photo has people on it? I want that one.",
        "Pick the shot of the boat out of my pictures.",
    ],
    packages=("onnxruntime",),
    memory="300 MiB",
)
def pick_picture(images: list[Image], query: Text, context: Context | None = None) -> Image:
    """Pick, out of several pictures, the one that shows something.

    Args:
        images: the pictures to choose from
        query: the object that the wanted one shows, in words
        returns: that picture, as it is
    """
    from .embedded import phrases_to_boxes
    from .embedded.scene import Scene

    context = context or Context()
    thing = query.strip(" .?!")
    if not phrases_to_boxes.is_known(query):
        raise ToolError(
            f"I do not know “{thing}” by sight, so I cannot tell which picture shows it. Say which "
            "one you mean by its name or its place, such as “the second picture”.",
            Code.NOT_KNOWN,
        )
    scores = []
    for place, image in enumerate(images):
        part = context.part(place / len(images), (place + 1) / len(images))
        part.progress(0.0, f"looking for {thing[:60]} on picture {place + 1}")
        boxes = phrases_to_boxes.ground(Scene(image, part), query, lambda _: 0)
        scores.append(max((box.score for box in boxes), default=0.0))
    best = max(scores, default=0.0)
    if not best:
        raise ToolError(
            f"None of the {len(images)} pictures shows {thing}, as far as I can see. Say which one "
            "you mean by its name or its place, such as “the second picture”.",
        )
    place = scores.index(best)
    files = context.files("images")
    names = [f"picture {at + 1}" for at in range(len(images))]
    if len(files) == len(images):
        names = [item.name or name for item, name in zip(files, names, strict=True)]
    also = [names[at] for at, score in enumerate(scores) if score and at != place]
    surely = "" if scores.count(best) > 1 else ", less surely"
    told = f" I see it on {' and '.join(also)} as well{surely}." if also else ""
    context.remark(f"{names[place]} is the one that shows {thing}.{told}")
    return images[place]
