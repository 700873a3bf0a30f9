"""Image processing: the line pictures, poses, depths and surfaces that guide image generation."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.resources import Depth, Image, Normal, Pose
from controlllm.toolbox import Argument, Context, Tool, ToolDefinition, ToolError, tool

from ..cloud.hosted import offer
from ..hub.catalogue_perception import DEPTH, JOINTS, OBJECTS
from ..hub.downloaded import TRANSFORMERS, by_model
from ..shared.pixels import rgb
from .embedded import contours

#: A figure with fewer sure joints than this is more likely no person at all.
_FEWEST_JOINTS = 5
_SURE = 0.3
_MOST_PEOPLE = 20
#: What is said of the tools that draw lines, by kind.
_KINDS: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)


def _line_tool(kind: str, draw: Callable[[np.ndarray], np.ndarray]) -> ToolDefinition:
    """The tool that makes a line picture of a kind with a function of `contours`."""
    told = _KINDS[kind]
    definition = ToolDefinition(
        Tool(
            f"image_to_{kind}",
            told["description"],
            "image-processing",
            (Argument("image", "image", told["note"]),),
            Argument("result", kind),
            tuple(told["examples"]),
        )
    )

    @definition.implementation("embedded", packages=told["packages"], memory=told["memory"])
    def _drawn(image: PIL.Image.Image, context: Context | None = None) -> PIL.Image.Image:
        (context or Context()).progress(0.05, "Looking for outlines")
        return PIL.Image.fromarray(draw(rgb(image)))

    return definition


image_to_edge = _line_tool("edge", contours.gradient)
image_to_canny = _line_tool("canny", contours.canny)
image_to_line = _line_tool("line", contours.straight_lines)
image_to_hed = _line_tool("hed", contours.outlines)
image_to_scribble = _line_tool("scribble", contours.scribble)


@tool(
    domain="image-processing",
    examples=[
        "Detect the pose of the person in this photo.",
        "Draw the skeleton of the tennis player.",
        "Extract the human pose from the picture.",
        "How are the people standing? Show me their key points.",
        "Get an OpenPose skeleton of the dancer.",
        "Estimate the body joints of everyone in the image.",
        "Make a stick figure of how the man holds his arms.",
        "I want a pose map to generate another person in the same posture.",
    ],
    packages=("onnxruntime",),
    memory="300 MiB",
)
def image_to_pose(image: Image, context: Context | None = None) -> Pose:
    """Detect the pose of every person in a picture and draw coloured skeletons of their joints and
    limbs on black, as OpenPose does.

    Args:
        image: a picture with one or more people
    """
    from ..seeing.embedded import detection
    from .embedded import movenet

    report = context or Context()
    report.progress(0.05, "Looking for people")
    people = [box for box in detection.detect(image, threshold=0.35) if box.label == "person"]
    picture = rgb(image)
    seen = []
    for number, person in enumerate(people[:_MOST_PEOPLE]):
        report.progress(0.5 + 0.5 * number / len(people), "Finding the joints")
        seen.append(movenet.keypoints(picture, person))
    return _bodies(seen, image)


@image_to_pose.implementation(
    "hub",
    packages=(*TRANSFORMERS, "scipy"),
    weights={"detector": OBJECTS, "model": JOINTS},
    memory="1 GiB",
)
def _pose_downloaded(image: Image, context: Context) -> Pose:
    from ..hub import perception

    boxes = perception.detect(context.weights["detector"], image, context)
    people = tuple(box for box in boxes if box.label == "person")[:_MOST_PEOPLE]
    model = context.weights["model"]
    seen = perception.keypoints(model, image, people, context) if people else []
    return _bodies(seen, image)


def _bodies(people: Sequence[np.ndarray], image: PIL.Image.Image) -> PIL.Image.Image:
    """The people whose bodies can be made out, drawn; raises ToolError where there are none."""
    from .embedded import movenet

    found = [joints for joints in people if (joints[:, 2] >= _SURE).sum() >= _FEWEST_JOINTS]
    if not found:
        why = "no body could be made out clearly enough" if people else "nobody was found in it"
        raise ToolError(
            f"There is no pose to draw from this picture: {why}. Try a picture in which a person "
            "is larger or less hidden."
        )
    return movenet.draw(found, image.size)


@tool(
    domain="image-processing",
    examples=[
        "Make a depth map of this photo.",
        "How far away is everything in the picture? Show it as a depth image.",
        "Estimate the depth of the street scene.",
        "Convert the room to depth.",
        "I need a depth picture to use as control for generation.",
        "Show near things bright and far things dark.",
        "Run monocular depth estimation on image 1.",
        "Get the distances in this landscape as a grey picture.",
    ],
)
def image_to_depth(image: Image) -> Depth:
    """Estimate how far away everything in a picture is: a grey depth map, near things bright and
    far things dark.

    Args:
        image: the picture whose depth is wanted
    """


by_model(image_to_depth, "perception.depth_picture", DEPTH, "600 MiB")
offer(image_to_depth)


@tool(
    domain="image-processing",
    examples=[
        "Make a normal map of this texture.",
        "Estimate the surface normals of the picture.",
        "Convert the photo of the wall to a normal map for my 3D model.",
        "I need a bump map as RGB normals.",
        "Get the normal map of the stone image.",
        "Which way do the surfaces face? Show a normal map.",
    ],
    packages=("cv2",),
)
def image_to_normal(image: Image) -> Normal:
    """Make a normal map of a picture: which way its surfaces face, as colours. Without downloaded
    weights it goes by brightness alone, bright as high and dark as low, as for a bump map of a
    texture; with them it follows the shape of the scene.

    Args:
        image: the picture to make a normal map of
    """
    return PIL.Image.fromarray(contours.relief(rgb(image)))


by_model(image_to_normal, "perception.normal_picture", DEPTH, "600 MiB", "cv2")
