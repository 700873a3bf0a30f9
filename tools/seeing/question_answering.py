"""Questions about a picture."""

from __future__ import annotations

from controlllm.resources import Image, Text
from controlllm.toolbox import Context, tool

from ..cloud.endpoint import by_chat
from ..cloud.hosted import offer
from ..hub.catalogue_perception import SEEING
from ..hub.downloaded import by_model


@tool(
    domain="visual-question-answering",
    aliases=("visual_question_answering",),
    examples=[
        "What is in this picture?",
        "How many people are there in the photo?",
        "What colour is the car?",
        "Where is the cat?",
        "Is there a dog in this image?",
        "What does the sign say?",
        "What breed is this dog?",
        "Was this photo taken indoors or outdoors?",
        "What is the man on the left doing?",
        "What time does the clock show?",
    ],
    packages=("onnxruntime", "rapidocr"),
    memory="250 MiB",
)
def image_question_answering(image: Image, question: Text, context: Context | None = None) -> Text:
    """Answer a question about what an image shows: what is in it, how many, what colour, where,
    which kind, what it says, whether something is there, indoors or outdoors.

    Args:
        image: the picture the question is about
        question: the question in words
        returns: the answer in one to three sentences
    """
    from .embedded import answers
    from .embedded.scene import Scene

    context = context or Context()
    context.progress(0.1, "looking at the picture")
    return answers.answer(Scene(image, context), question)


by_model(image_question_answering, "seeing.answer", SEEING, "9 GiB")
by_chat(image_question_answering, "seeing.answer")
offer(image_question_answering)
