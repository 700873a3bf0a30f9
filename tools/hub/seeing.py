"""Looking at pictures and videos with a downloaded vision-language model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import PIL.Image

from controlllm.resources import Clip
from controlllm.toolbox import Context, ToolError

from ..seeing.embedded import seeing_requests
from ..shared.pixels import rgb
from .device import Placement, loaded, placement, watched

#: Small print needs a larger picture, and a page has more words than a description.
_TO_READ, _MOST_READ = 1600, 1200
_MOST_WORDS = 300


def caption(folder: Path, image: PIL.Image.Image, context: Context) -> str:
    """A picture described in one to three sentences."""
    return seeing_requests.spoken(tell(folder, seeing_requests.CAPTION, [image], context))


def answer(folder: Path, image: PIL.Image.Image, question: str, context: Context) -> str:
    """The answer to a question about a picture."""
    asked = seeing_requests.to_answer(question)
    return seeing_requests.spoken(tell(folder, asked, [image], context))


def read(folder: Path, image: PIL.Image.Image, context: Context) -> str:
    """The text in a picture, row by row; empty where there is none."""
    said = tell(
        folder,
        seeing_requests.READ,
        [image],
        context,
        longest=_TO_READ,
        most_words=_MOST_READ,
    )
    return seeing_requests.read_text(said)


def describe_video(folder: Path, clip: Clip, context: Context) -> str:
    """What a video shows, from some of its frames."""
    watched = seeing_requests.Watched(clip, context)
    said = tell(
        folder,
        watched.to_describe,
        watched.frames,
        context.part(0.1, 0.9),
        most_words=_MOST_WORDS,
    )
    return seeing_requests.spoken(said)


def answer_about_video(folder: Path, clip: Clip, question: str, context: Context) -> str:
    """The answer to a question about a video, from some of its frames."""
    watched = seeing_requests.Watched(clip, context)
    asked = watched.to_answer(question)
    rest = context.part(0.1, 1.0)
    said = tell(folder, asked, watched.frames, rest)
    return seeing_requests.spoken(said)


def load_seeing(folder: Path, where: Placement) -> tuple[Any, Any]:
    """The processor of pictures and words, and the model."""
    from transformers import AutoConfig, AutoModelForImageTextToText
    from transformers.models.auto.processing_auto import PROCESSOR_MAPPING

    config = AutoConfig.from_pretrained(folder, local_files_only=True)
    processor = _for_pictures(PROCESSOR_MAPPING[type(config)])
    model = AutoModelForImageTextToText.from_pretrained(
        folder, local_files_only=True, dtype=where.dtype
    )
    return (
        processor.from_pretrained(folder, local_files_only=True),
        model.to(where.device).eval(),
    )


def _for_pictures(processor: Any) -> Any:
    """The class of a processor without its part for videos, which needs torchvision. Frames of a
    video are handed over as pictures."""

    def parts(this: Any) -> list[str]:
        return [name for name in processor.get_attributes() if name != "video_processor"]

    return type(processor.__name__, (processor,), {"get_attributes": classmethod(parts)})


def tell(
    folder: Path,
    instruction: str,
    pictures: Sequence[PIL.Image.Image],
    context: Context,
    *,
    longest: int = 1280,
    most_words: int = 200,
) -> str:
    """What the model says to an instruction about pictures.

    Parameters
    ----------
    longest: pixels of the longer side that a picture is shown with at most.
    most_words: the most pieces of words of an answer, so that it ends. An answer of whole sentences
        that is longer ends with its last whole one.
    """
    import torch

    context.progress(0.02, "Loading the model")
    processor, model = loaded(load_seeing, folder)
    shown = [_shown(picture, longest) for picture in pictures]
    content: list[dict[str, Any]] = [{"type": "image"} for _ in shown]
    messages = [{"role": "user", "content": [*content, {"type": "text", "text": instruction}]}]
    asked = processor.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
    context.progress(0.1, "Looking at the picture" if len(shown) == 1 else "Looking at the frames")
    # Some models look at each part of a picture by itself, which for many pictures takes too long.
    splits = len(shown) > 1 and hasattr(processor.image_processor, "do_image_splitting")
    options = {"do_image_splitting": False} if splits else {}
    inputs = processor(text=[asked], images=shown, return_tensors="pt", **options)
    where = placement()
    inputs = inputs.to(where.device, dtype=where.dtype)
    start = inputs["input_ids"].shape[1]
    with torch.inference_mode():
        tokens = model.generate(
            **inputs,
            max_new_tokens=most_words,
            do_sample=False,
            stopping_criteria=watched(context.part(0.2, 1.0), most_words, "Writing the answer"),
        )[:, start:]
    said = str(processor.batch_decode(tokens, skip_special_tokens=True)[0]).strip()
    if not said:
        raise ToolError(
            "The model gave no answer to this; ask in other words, or use another picture."
        )
    return said if tokens.shape[1] < most_words else _whole_sentences(said)


def _shown(picture: PIL.Image.Image, longest: int) -> PIL.Image.Image:
    # Models of this kind refuse pictures that are narrower than one of their tiles.
    least = 32
    shown = PIL.Image.fromarray(rgb(picture))
    shown.thumbnail((longest, longest))
    if min(shown.size) < least:
        shown = shown.resize((max(shown.width, least), max(shown.height, least)))
    return shown


def _whole_sentences(text: str) -> str:
    end = max(text.rfind(mark) for mark in (". ", "! ", "? ", "\n"))
    return text[: end + 1].strip() if end > len(text) // 3 else text
