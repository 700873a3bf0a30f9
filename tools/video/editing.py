"""Videos: cutting, speed, stills, pictures brought to life, new videos, and questions about one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import PIL.Image

from controlllm.resources import Category, Clip, Image, Text, Video
from controlllm.toolbox import Context, ToolDefinition, ToolError, tool

from ..cloud import hosted
from ..cloud.endpoint import by_chat
from ..hub.catalogue_images import VIDEOS
from ..hub.catalogue_packages import IN_BETWEEN
from ..hub.catalogue_perception import ACTIVITIES, SEEING
from ..hub.downloaded import DIFFUSION, TRANSFORMERS, by_model, work_of
from ..shared import moving, video_files
from ..shared.cut_words import kept_passages
from ..shared.pixels import rgb
from ..shared.said_pieces import EACH_SCENE

if TYPE_CHECKING:
    from .embedded.timeline import Between

_PACKAGES = ("av", "cv2")
_LONGEST_PROMPT = 2000
_MOST_SCENES = 60


def _by_diffusion(definition: ToolDefinition, work: str) -> None:
    """Let a function of the hub's room make a tool's video."""
    definition.implementation(
        "hub",
        packages=(*DIFFUSION, *_PACKAGES),
        weights={"model": VIDEOS},
        memory="25 GiB",
        needs_gpu=True,
        deterministic=False,
    )(work_of(definition, work))


@tool(
    domain="video-processing",
    sets_form=("prompt",),
    examples=[
        "Cut the video from 0:05 to 0:12.",
        "Keep only the first ten seconds of the clip.",
        "Trim two seconds off the beginning.",
        "Cut out seconds 3 to 5.",
        "I just need the last half of the film.",
        "Drop everything after 1:30.",
        "Could you shorten the recording to its middle third?",
        "The first four seconds are boring, remove them.",
        "Extract the passage between 1 minute 5 and 1 minute 20.",
        "Cut out the part with the train, only that.",
        "Lose the scene where the dog is seen and keep everything else.",
    ],
    packages=(*_PACKAGES, "onnxruntime"),
    memory="600 MiB",
)
def video_cutting(video: Video, prompt: Text, context: Context) -> Video:
    """Cut a video: keep or remove a passage that is told by its times, such as from 0:05 to 0:12,
    the first ten seconds or the last half, or by what is seen or said in it, such as the part with
    the train. The sound is cut with it and stays in step.

    Args:
        video: the video to cut
        prompt: which passage to keep or to remove, in words
        returns: the new, shorter video
    """
    from .embedded import meant_passages, timeline

    facts = video_files.read_facts(video)
    kept = kept_passages(
        prompt,
        facts.seconds,
        facts.frame_rate,
        find=lambda meant: meant_passages.found_passages(video, meant, context),
    )
    if kept == [(0.0, facts.seconds)]:
        context.remark("The passage is all of the video, so nothing was cut.")
    passages = [timeline.Passage(start, end) for start, end in kept]
    return timeline.assemble(video, passages, context, "Cutting the video")


@tool(
    domain="video-editing",
    places="everywhere",
    examples=[
        "Play the video twice as fast.",
        "Put the clip into slow motion.",
        "Make a time lapse of this recording.",
        "Slow it down to half speed.",
        "Run the film backwards.",
        "Make the video 10 seconds long by changing its speed.",
        "Can you speed this up 3x?",
        "The clip is too quick, let it run slower.",
        "Show the part from 0:03 to 0:05 in slow motion.",
    ],
    packages=_PACKAGES,
)
def video_speed(video: Video, prompt: Text, context: Context) -> Video:
    """Change how fast a video plays: faster, slower, slow motion, time lapse, a wanted length, or
    backwards. The sound follows without a change of pitch; beyond four times the speed or below a
    quarter of it the sound is left out.

    Args:
        video: the video whose speed is to change
        prompt: the speed in words, such as "twice as fast", "slow motion" or "backwards"
        returns: the video at its new speed
    """
    from .embedded import timeline

    return _at_speed(video, prompt, context, timeline.between)


@video_speed.implementation(
    "hub",
    packages=(*TRANSFORMERS, *_PACKAGES),
    weights={"model": IN_BETWEEN},
    memory="1.5 GiB",
)
def _at_speed_with_drawn_frames(video: Clip, prompt: str, context: Context) -> Clip:
    from ..hub import frames_between

    folder = context.weights["model"]

    def between(
        first: np.ndarray, second: np.ndarray, shares: Iterable[float]
    ) -> Iterator[np.ndarray]:
        for picture in frames_between.between(folder, first, second, shares):
            context.check()
            yield picture

    return _at_speed(video, prompt, context, between)


def _at_speed(video: Clip, prompt: str, report: Context, between: Between) -> Clip:
    from .embedded import speed_words, timeline

    facts = video_files.read_facts(video)
    speed = speed_words.read_speed(prompt, facts.seconds, facts.frame_rate)
    passages = []
    done = 0.0
    for start, end in speed.spans or ((0.0, facts.seconds),):
        if start - done > 0.02:
            passages.append(timeline.Passage(done, start))
        passages.append(timeline.Passage(start, end, speed.factor, speed.backwards))
        done = end
    if facts.seconds - done > 0.02:
        passages.append(timeline.Passage(done, facts.seconds))
    return timeline.assemble(video, passages, report, "Changing the speed", between)


@tool(
    domain="video-processing",
    aliases=("video_to_image",),
    examples=[
        "Take a still from the video.",
        "Give me the frame at 0:12.",
        "Extract the last frame of the clip as a picture.",
        "Make a contact sheet of the film.",
        "Grab a good thumbnail from this recording.",
        "Show me 6 frames of the video on one sheet.",
        "Which picture represents the video best?",
        "I need a screenshot of the moment where the dog is seen.",
        "Put a frame for every 5 seconds on one page.",
    ],
    packages=(*_PACKAGES, "onnxruntime"),
)
def video_to_frames(video: Video, context: Context, prompt: Text | None = None) -> Image:
    """Take a still picture out of a video: the frame at a time, the first or last one, one that
    shows a thing, or by default the most telling one. For several frames it makes a contact sheet
    of them with their times.

    Args:
        video: the video to take the picture from
        prompt: which frame, such as "at 0:12", or how many
        returns: the frame, or the contact sheet
    """
    from .embedded import stills, watched

    context.progress(0.0, "Reading the video")
    facts = video_files.read_facts(video)
    if EACH_SCENE.search((prompt or "").lower()):
        times = stills.of_each_scene(video, (0.0, facts.seconds), context)
        if len(times) > 1:
            context.remark("One frame of each scene is on it; ask for single stills to have files.")
            return stills.contact_sheet(video, tuple(times[:_MOST_SCENES]), 0, context)
    wanted = stills.read_request(_shortened(prompt), facts)
    if wanted.sheet:
        return stills.contact_sheet(video, wanted.times, wanted.columns, context)
    if wanted.times:
        return watched.at_time(video, wanted.times[0], context)
    if wanted.thing:
        return stills.showing(video, wanted.thing, context)
    if wanted.unknown:
        context.remark(
            f"I cannot tell {wanted.unknown} by sight, so this is the most telling picture; name "
            "a time, such as “at 0:12”, for another one."
        )
    return stills.most_telling(video, facts, context)


@tool(
    domain="video-generation",
    examples=[
        "Make a video of this photo.",
        "Bring the picture to life with a slow camera move.",
        "Zoom slowly in on her face, 5 seconds.",
        "Turn the image into a clip that pans to the left.",
        "Animate this still with a Ken Burns effect.",
        "I want a short film that zooms out of the painting.",
        "Let the camera glide over the panorama from left to right.",
        "Could the photo become a vertical video for my phone?",
        "Turn the animated GIF into an MP4.",
    ],
    packages=(*_PACKAGES, "onnxruntime"),
    memory="150 MiB",
)
def image_to_video(image: Image, context: Context, prompt: Text | None = None) -> Video:
    """Make a video of a still picture by moving the camera over it: a smooth zoom towards a face or
    the main subject, a zoom out, or a pan or tilt. Only the camera moves; what is shown in the
    picture is not animated. An animated GIF or WebP becomes a video of its frames.

    Args:
        image: the picture to film, or an animated one
        prompt: the camera move and its length, such as "zoom out" for 5 s
        returns: the video, without sound
    """
    from .embedded import animated, camera_moves
    from .embedded.camera_moves import read_move

    if frames := moving.frames_of(image):
        return animated.as_video(frames, context)
    context.progress(0.0, "Looking for the subject")
    move = read_move(_shortened(prompt))
    picture = rgb(image)
    if min(picture.shape[:2]) < 2:
        raise ToolError("The picture is too small for a camera to move over; use a larger one.")
    point = camera_moves.focus(PIL.Image.fromarray(picture), move.target)
    size = camera_moves.frame_size(picture, move)
    views = camera_moves.plan(picture, size, move, point)
    return video_files.write_video(
        video_files.Film(
            camera_moves.frames(picture, size, views, move.seconds), move.seconds, size
        ),
        context,
        video_files.Coding(quality=20),
        words="Moving the camera",
    )


_by_diffusion(image_to_video, "moving_pictures.animate")
hosted.offer(image_to_video)


@tool(
    domain="video-generation",
    examples=[
        "Generate a video of jellyfish drifting through a dark ocean.",
        "Make a short clip that shows a fox running through snow.",
        "I'd like a film of two robots having tea on Mars.",
        "Create footage of rain on a city street at night.",
        "Could you shoot a slow flight over a lavender field for me?",
        "Animate this idea: a paper boat on a stormy sea.",
        "A few seconds of a dragon learning to bake, as a cartoon.",
        "Turn my words into a moving picture: waves at sunset.",
        "Invent a video with a tram that drives through the clouds.",
    ],
)
def text_to_video(prompt: Text) -> Video:
    """Generate a new, short video from words alone: a few seconds of what they describe.

    Args:
        prompt: what the video shall show
        returns: the new video, without sound
    """


_by_diffusion(text_to_video, "moving_pictures.film")
hosted.offer(text_to_video)


@tool(
    domain="video-question-answering",
    examples=[
        "Is there a dog in this video?",
        "How many people can be seen at most in the clip?",
        "What colour is the car in the film?",
        "How long is the video?",
        "Does the recording have sound?",
        "When does the cat appear?",
        "What does the sign in the video say?",
        "I wonder whether the camera moves in this clip.",
        "What is seen at the end of the video?",
    ],
    packages=(*_PACKAGES, "onnxruntime", "rapidocr"),
    memory="600 MiB",
)
def video_question_answering(video: Video, question: Text, context: Context) -> Text:
    """Answer a question about a video by looking at frames over its length: what is in it, when,
    how many at most, what colour, what text, how long it is, whether there is sound or speech,
    whether the camera moves. Without a vision-language model it cannot tell actions or reasons,
    and says so.

    Args:
        video: the video the question is about
        question: the question in words
        returns: the answer in one to three sentences
    """
    from .embedded import video_answers

    context.progress(0.0, "Reading the video")
    return video_answers.answer(video, question, context)


by_model(video_question_answering, "seeing.answer_about_video", SEEING, "10 GiB", "av")
by_chat(video_question_answering, "seeing.answer_about_video", ("av",))


@tool(
    domain="video-perception",
    examples=[
        "Classify this video.",
        "What kind of video is this?",
        "Which category does the clip belong to?",
        "Label the film by what it mostly shows.",
        "Sort this recording: what is it mainly of?",
        "Give me the main labels of the video with scores.",
        "Is this a video of animals, vehicles or something else?",
    ],
    packages=(*_PACKAGES, "onnxruntime"),
    memory="150 MiB",
)
def video_classification(video: Video, context: Context) -> Category:
    """Name what a video mostly shows: the things and kinds of things seen over its length, whether
    it was taken indoors or outdoors, and how the camera moves; with downloaded weights what is done
    in it.

    Args:
        video: the video to classify
        returns: labels with scores: things, most shown first, then the setting and the camera
    """
    from .embedded import video_classes

    context.progress(0.0, "Reading the video")
    return video_classes.classify(video, context)


by_model(video_classification, "video_kinds.classify", ACTIVITIES, "1.5 GiB", *_PACKAGES)


def _shortened(prompt: str | None) -> str | None:
    return prompt[:_LONGEST_PROMPT] if prompt else prompt
