"""Image perception: objects, phrases to boxes, classes, captions and text."""

from __future__ import annotations

from controlllm.resources import Boxes, Category, Image, Label, Text
from controlllm.toolbox import Context, ToolError, tool
from controlllm.toolbox.context import Code

from ..cloud.endpoint import by_chat
from ..cloud.hosted import offer
from ..hub.catalogue_perception import KINDS, OBJECTS, PHRASES, READING, SEEING
from ..hub.downloaded import by_model

_MEMORY = "120 MiB"


@tool(
    domain="image-perception",
    examples=[
        "What objects are in this picture?",
        "Detect all objects in the photo.",
        "Draw boxes around everything you can find in this image.",
        "Where are the cars and people in this street scene?",
        "Find every animal in the image and give me bounding boxes.",
        "List the things in this photo with their positions.",
        "Run object detection on image 1.",
    ],
    packages=("onnxruntime",),
    memory=_MEMORY,
)
def object_detection(image: Image, context: Context | None = None) -> Boxes:
    """Find all objects in an image and return a labelled box around each: people, animals,
    vehicles, furniture, food, and everyday things, with how sure each one is.

    Args:
        image: the picture to look at
        returns: a box with a label and a score for each object, surest first
    """
    from .embedded import detection

    context = context or Context()
    context.progress(0.1, "looking for objects")
    return detection.detect(image, context=context.part(0.1, 1.0))


by_model(object_detection, "perception.detect", OBJECTS, "500 MiB")


@tool(
    domain="image-perception",
    examples=[
        "Where is the dog in this picture?",
        "Find the brown dog on the left.",
        "Show me the largest car.",
        "Locate the person with the umbrella.",
        "Put a box around the red one.",
        "Highlight the sign that says STOP.",
        "Find the second zebra from the left.",
        "Mark all the faces in the photo.",
        "Which region does the phrase 'woman in a white coat' refer to?",
    ],
    packages=("onnxruntime",),
    memory=_MEMORY,
)
def visual_grounding(image: Image, query: Text, context: Context | None = None) -> Boxes:
    """Find where in an image the object is that a phrase describes, and return its box: by name,
    colour, size, position, neighbour, or the words written on it.

    Args:
        image: the picture to look at
        query: the object to find, in words
        returns: a box for each object that the phrase means; none where it is not in the picture
    """
    from .embedded import phrases_to_boxes
    from .embedded.scene import Scene, remark_missed

    context = context or Context()
    context.progress(0.1, f"looking for {query.strip()[:60]}")
    thing = phrases_to_boxes.phrase_of(query)
    scene = Scene(image, context)
    alike = phrases_to_boxes.alike(scene, query)
    if alike:
        context.remark(
            f"I do not know {thing} by sight: these are {len(alike)} things that look alike and "
            "stand out from the plain ground, so the number is about right."
        )
        return alike
    found = phrases_to_boxes.ground(scene, query, lambda boxes: context.which(boxes, thing))
    remark_missed(scene, found, context)
    if not found and not phrases_to_boxes.is_known(query):
        raise ToolError(
            f"I do not know “{thing}” by sight, so I cannot tell whether there is any. Point at "
            "what you mean in the picture, or name it in other words.",
            Code.NOT_KNOWN,
        )
    return found


by_model(visual_grounding, "perception.ground", PHRASES, "1.5 GiB")
by_chat(visual_grounding, "seeing.ground")


@tool(
    domain="image-perception",
    examples=[
        "What is this a picture of?",
        "Classify this image.",
        "What breed of dog is this?",
        "Which category does the photo belong to?",
        "Tell me the kind of animal in the image.",
        "What type of flower is shown?",
        "Give the top five labels for this image.",
    ],
    packages=("onnxruntime",),
    memory="60 MiB",
)
def image_classification(image: Image) -> Category:
    """Name what an image as a whole shows, such as a breed of dog, a kind of vehicle or a dish:
    the five most likely of 1000 categories with their probabilities.

    Args:
        image: the picture to classify
        returns: five categories with probabilities, most likely first
    """
    from .embedded import class_regions, scene

    found = scene.best_classes(class_regions.probabilities(image))
    return tuple(Label(label.name, round(label.score, 4)) for label in found)


by_model(image_classification, "perception.classify", KINDS, "800 MiB")
by_chat(image_classification, "seeing.classify")


@tool(
    domain="image-perception",
    examples=[
        "Describe this image.",
        "Write a caption for the photo.",
        "What can you see in this picture?",
        "Tell me what is happening in the image.",
        "Summarise the picture in a sentence.",
        "Generate an image description for someone who cannot see it.",
        "Give me alt text for this photo.",
    ],
    packages=("onnxruntime", "rapidocr"),
    memory="250 MiB",
)
def image_captioning(image: Image, context: Context | None = None) -> Text:
    """Describe an image in one to three plain sentences: what is in it, how many, where, in which
    colours, what text it holds, and whether it was taken outdoors.

    Args:
        image: the picture to describe
        returns: the caption
    """
    from .embedded.captions import describe_scene
    from .embedded.scene import Scene

    context = context or Context()
    context.progress(0.1, "looking at the picture")
    return describe_scene(Scene(image, context))


by_model(image_captioning, "seeing.caption", SEEING, "9 GiB")
by_chat(image_captioning, "seeing.caption")
offer(image_captioning)


@tool(
    domain="image-perception",
    aliases=("ocr",),
    examples=[
        "What does the sign say?",
        "Read the text in this image.",
        "Extract the words from the screenshot.",
        "Transcribe the writing in the photo.",
        "Run OCR on this scan.",
        "What is written on the board?",
        "Copy the text out of this picture so that I can edit it.",
    ],
    packages=("onnxruntime", "rapidocr"),
    memory="150 MiB",
)
def optical_character_recognition(image: Image, context: Context | None = None) -> Text:
    """Read the text that is printed or written in an image: signs, labels, documents, screens, in
    reading order, one row of the picture to a line.

    Args:
        image: the picture with text in it
        returns: the text; empty where there is none
    """
    from .embedded import text_reader

    return text_reader.read(image, context=context).text


by_model(optical_character_recognition, "seeing.read", READING, "10 GiB")
by_chat(optical_character_recognition, "seeing.read")
offer(optical_character_recognition)
