"""Image processing: the line pictures, poses, depths and surfaces that guide image generation."""

from __future__ import annotations

import numpy as np
import PIL.Image

from controlllm.resources import Canny, Depth, Edge, Hed, Image, Line, Normal, Pose, Scribble
from controlllm.toolbox import Context, ToolError, tool
from tools.cloud.hosted import offer
from tools.hub.catalogue_perception import DEPTH, JOINTS, OBJECTS
from tools.shared.pixels import rgb

#: A figure with fewer sure joints than this is more likely no person at all.
_FEWEST_JOINTS = 5
_SURE = 0.3
_MOST_PEOPLE = 20
_HUB = ("torch", "transformers")


@tool(
    domain="image-processing",
    examples=[
        "Extract the edges of this image.",
        "Show me the edge map of the photo.",
        "Run edge detection on the picture.",
        "Where does the brightness change in this picture? Draw the edges.",
        "Give me a soft grey outline of everything in the image.",
        "Find the boundaries in the photo with a gradient filter.",
        "Turn the car picture into an edge image.",
    ],
    packages=("cv2",),
)
def image_to_edge(image: Image) -> Edge:
    """Extract the edges of a picture: a soft grey edge map of how strongly colour and brightness
    change at every pixel, bright edges on black.

    Args:
        image: the picture whose edges are wanted
    """
    from tools.pictures.embedded import contours

    return PIL.Image.fromarray(contours.gradient(rgb(image)))


@tool(
    domain="image-processing",
    examples=[
        "Get the canny edges of this image.",
        "Apply the Canny edge detector to the photo.",
        "Make a canny map of the room.",
        "Detect thin black and white edges with Canny.",
        "I need a canny picture to use as control for generation.",
        "Convert this image to canny.",
        "Binary edge detection, one pixel wide lines, please.",
    ],
    packages=("cv2",),
)
def image_to_canny(image: Image) -> Canny:
    """Find Canny edges in a picture: thin, sharp white lines of one pixel on black.

    Args:
        image: the picture whose Canny edges are wanted
    """
    from tools.pictures.embedded import contours

    return PIL.Image.fromarray(contours.canny(rgb(image)))


@tool(
    domain="image-processing",
    examples=[
        "Detect the straight lines in this photo.",
        "Find all line segments of the building.",
        "Extract the lines of the room, walls and windows.",
        "Draw a line map of the architecture picture.",
        "Give me the straight lines only, as in MLSD.",
        "Which straight edges does the facade have?",
        "Turn the street photo into a wireframe of lines.",
    ],
    packages=("cv2",),
)
def image_to_line(image: Image) -> Line:
    """Detect straight line segments in a picture, such as walls, windows and furniture, and draw
    them as white lines on black.

    Args:
        image: the picture whose straight lines are wanted
    """
    from tools.pictures.embedded import contours

    return PIL.Image.fromarray(contours.straight_lines(rgb(image)))


@tool(
    domain="image-processing",
    examples=[
        "Make a HED boundary map of this picture.",
        "Extract the object contours with holistically-nested edge detection.",
        "Run HED on the photo of the dog.",
        "I want soft object outlines without the texture inside.",
        "Detect the object boundaries with a neural network.",
        "Get the hed map so that I can repaint the picture.",
        "Convert the image to hed edges.",
    ],
    packages=("onnxruntime", "cv2"),
    memory="350 MiB",
)
def image_to_hed(image: Image, context: Context | None = None) -> Hed:
    """Find the outlines of objects with a neural network (HED, holistically-nested edge detection):
    soft white object boundaries on black, with little of the texture inside.

    Args:
        image: the picture whose object boundaries are wanted
    """
    from tools.pictures.embedded import contours, hed

    if context is not None:
        context.progress(0.05, "Looking for outlines")
    picture = rgb(image)
    probability = hed.edge_probability(picture)
    return PIL.Image.fromarray(contours.enlarged((probability * 255).astype("uint8"), picture))


@tool(
    domain="image-processing",
    examples=[
        "Turn this photo into a scribble.",
        "Make a rough hand-drawn sketch of the picture.",
        "Draw the cat with a few simple strokes.",
        "Give me a doodle version of the image.",
        "Convert the picture to a scribble for drawing over.",
        "Sketch the outlines of this scene as a child would.",
        "I need a scribble map of the bike.",
    ],
    packages=("onnxruntime", "cv2", "skimage"),
    memory="350 MiB",
)
def image_to_scribble(image: Image, context: Context | None = None) -> Scribble:
    """Turn a picture into a scribble: a rough hand-drawn sketch of a few even pen strokes, white on
    black, that follow the outlines of objects.

    Args:
        image: the picture to draw as a scribble
    """
    from tools.pictures.embedded import contours, hed

    if context is not None:
        context.progress(0.05, "Looking for outlines")
    picture = rgb(image)
    probability = hed.edge_probability(picture)
    if context is not None:
        context.progress(0.9, "Drawing the strokes")
    return PIL.Image.fromarray(contours.scribble(probability, picture))


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
    from tools.pictures.embedded import movenet
    from tools.seeing.embedded import detection

    report = context or Context()
    report.progress(0.05, "Looking for people")
    people = [box for box in detection.detect(image, threshold=0.35) if box.label == "person"]
    picture = rgb(image)
    found = []
    for number, person in enumerate(people[:_MOST_PEOPLE]):
        report.progress(0.5 + 0.5 * number / len(people), "Finding the joints")
        joints = movenet.keypoints(picture, person)
        if _is_body(joints):
            found.append(joints)
    if not found:
        raise _no_pose(bool(people))
    return movenet.draw(found, image.size)


@image_to_pose.implementation(
    "hub",
    packages=(*_HUB, "scipy"),
    weights={"detector": OBJECTS, "model": JOINTS},
    memory="1 GiB",
)
def _pose_downloaded(image: Image, context: Context) -> Pose:
    from tools.hub import detectors, joints
    from tools.pictures.embedded import movenet

    boxes = detectors.detect(context.weights["detector"], image, context)
    people = tuple(box for box in boxes if box.label == "person")[:_MOST_PEOPLE]
    seen = joints.keypoints(context.weights["model"], image, people, context) if people else []
    found = [person for person in seen if _is_body(person)]
    if not found:
        raise _no_pose(bool(people))
    return movenet.draw(found, image.size)


def _is_body(joints: np.ndarray) -> bool:
    return int((joints[:, 2] >= _SURE).sum()) >= _FEWEST_JOINTS


def _no_pose(people: bool) -> ToolError:
    why = "no body could be made out clearly enough" if people else "nobody was found in it"
    return ToolError(
        f"There is no pose to draw from this picture: {why}. Try a picture in which a person is "
        "larger or less hidden."
    )


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


@image_to_depth.implementation("hub", packages=_HUB, weights={"model": DEPTH}, memory="600 MiB")
def _depth_downloaded(image: Image, context: Context) -> Depth:
    from tools.hub import depth_maps

    return depth_maps.depth_picture(context.weights["model"], image, context)


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
    from tools.pictures.embedded import contours

    return PIL.Image.fromarray(contours.relief(rgb(image)))


@image_to_normal.implementation(
    "hub", packages=(*_HUB, "cv2"), weights={"model": DEPTH}, memory="600 MiB"
)
def _normals_downloaded(image: Image, context: Context) -> Normal:
    from tools.hub import depth_maps

    return depth_maps.normal_picture(context.weights["model"], image, context)
