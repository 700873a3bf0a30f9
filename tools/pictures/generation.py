"""New pictures: from words, from another picture, and from words along a map of what goes where."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import PIL.Image

from controlllm.resources import (
    Canny,
    Depth,
    Edge,
    Hed,
    Image,
    Line,
    Normal,
    Pose,
    Scribble,
    Segmentation,
    Text,
)
from controlllm.toolbox import Context, ToolDefinition, tool
from tools.cloud import hosted
from tools.cloud.endpoint import needs_images
from tools.hub.catalogue_images import (
    EVERY_MAP,
    MAPS,
    PICTURES,
    PICTURES_WITHOUT_GPU,
    STABLE_DIFFUSION,
    STABLE_DIFFUSION_XL,
)

_PACKAGES = ("torch", "diffusers", "transformers", "accelerate")


@tool(
    domain="image-generation",
    aliases=("image_generation",),
    examples=[
        "Generate an image of a lighthouse in a storm.",
        "Draw me a fox reading a newspaper.",
        "Paint a market square in the rain, in watercolour.",
        "I'd like a picture of two robots dancing in a ballroom.",
        "Make an illustration for my story about a shy dragon.",
        "Show me what a city under the sea could look like.",
        "A photo of a wooden cabin in the snow, please.",
        "Could you design a poster with a hot air balloon on it?",
        "Invent a portrait of an old clockmaker.",
    ],
)
def text_to_image(prompt: Text) -> Image:
    """Generate a new picture from words alone: a photo, painting, drawing or illustration of what
    they describe.

    Args:
        prompt: what the picture shall show, and in which manner
        returns: the new picture
    """


@text_to_image.implementation(
    "hub",
    packages=_PACKAGES,
    weights={"model": PICTURES},
    memory="9 GiB",
    needs_gpu=True,
    deterministic=False,
)
def _drawn_on_a_gpu(prompt: str, context: Context) -> PIL.Image.Image:
    from tools.hub import drawn_pictures

    return drawn_pictures.draw(context.weights["model"], prompt, context)


text_to_image.implementation(
    "hub",
    packages=_PACKAGES,
    weights={"model": PICTURES_WITHOUT_GPU},
    memory="6 GiB",
    deterministic=False,
)(_drawn_on_a_gpu)


@text_to_image.implementation(
    "cloud", packages=("openai",), check=needs_images, deterministic=False
)
def _drawn_by_an_endpoint(prompt: str, context: Context) -> PIL.Image.Image:
    from tools.cloud import pictures

    return pictures.generate(prompt, context)


hosted.offer(text_to_image)


@tool(
    domain="image-generation",
    examples=[
        "Give me another version of this picture.",
        "Make a variation of the photo.",
        "I want a new image that is laid out like this one.",
        "Create something in the same vein as my painting.",
        "Produce a picture that resembles the poster.",
        "Use the photo as a model for a new one, but in winter.",
        "Could I see a different take on this scene?",
        "Redo the picture with the same composition.",
    ],
)
def image_to_image(image: Image, prompt: Text | None = None) -> Image:
    """Generate a new picture that resembles another one: a variation with a similar layout and
    look, all of it drawn anew.

    Args:
        image: the picture that the new one shall resemble
        prompt: what the new picture shall show; like the first where nothing is said
        returns: the new picture
    """


@image_to_image.implementation(
    "hub",
    packages=_PACKAGES,
    weights={"model": PICTURES},
    memory="9 GiB",
    needs_gpu=True,
    deterministic=False,
)
def _varied_on_a_gpu(image: PIL.Image.Image, prompt: str | None, context: Context) -> Any:
    from tools.hub import drawn_pictures

    return drawn_pictures.redraw(context.weights["model"], image, prompt, context)


image_to_image.implementation(
    "hub",
    packages=_PACKAGES,
    weights={"model": PICTURES_WITHOUT_GPU},
    memory="6 GiB",
    deterministic=False,
)(_varied_on_a_gpu)


@image_to_image.implementation(
    "cloud", packages=("openai",), check=needs_images, deterministic=False
)
def _varied_by_an_endpoint(image: PIL.Image.Image, prompt: str | None, context: Context) -> Any:
    from tools.cloud import pictures

    wish = "Draw a new picture with the same layout and a similar look as this one."
    if prompt and prompt.strip():
        wish += f" It shall show: {prompt.strip()}"
    return pictures.edit(image, wish, context)


hosted.offer(image_to_image)


@tool(
    domain="image-generation",
    examples=[
        "Turn the line drawing into a Japanese tea house.",
        "Paint a modern kitchen along these straight lines.",
        "With the line map I have, make a picture of a train station in winter.",
        "Generate a villa by the sea that follows the lines.",
        "Fill my linework with a spaceship corridor.",
        "Use the lines as a guide and show a ballroom at night.",
        "Let the walls and windows in the line file become an attic bedroom.",
        "Dress up this wireframe as a glass skyscraper at dusk.",
    ],
)
def line_text_to_image(line: Line, prompt: Text) -> Image:
    """Generate a new picture from words along a map of straight lines, such as of walls, windows
    and streets: the lines stay, the words say what they become.

    Args:
        line: the line map that the picture follows
        prompt: what the picture shall show
        returns: the new picture
    """


@tool(
    domain="image-generation",
    examples=[
        "Make a picture of a funfair with this HED result.",
        "Turn the HED boundaries into an oil painting of a swan.",
        "Use the hed map to create a bowl of fruit.",
        "From these soft outlines generate a marble statue.",
        "Show a sleeping dragon that keeps to the HED map.",
        "I have a hed file; paint an old sailing ship with it.",
        "Let the soft object boundaries become a snowy village.",
        "Recreate the outlined scene, taken from the HED, as a jungle.",
    ],
)
def hed_text_to_image(hed: Hed, prompt: Text) -> Image:
    """Generate a new picture from words along a map of soft object outlines (HED): the outlines
    stay, the words say what they become.

    Args:
        hed: the HED map that the picture follows
        prompt: what the picture shall show
        returns: the new picture
    """


@tool(
    domain="image-generation",
    examples=[
        "Turn my scribble into a proper picture of a lighthouse.",
        "Make a photo of a bicycle from this doodle.",
        "My kid drew this scribble; paint it as a real dinosaur.",
        "Use the rough sketch to create a castle by a lake.",
        "Here is a scribble, let it become a red sports car.",
        "Generate a cartoon wolf that follows the scribbled drawing.",
        "Finish the doodle as a bunch of tulips in a vase.",
        "From my hasty strokes make a cosy living room.",
    ],
)
def scribble_text_to_image(scribble: Scribble, prompt: Text) -> Image:
    """Generate a new picture from words along a scribble: a rough hand-drawn sketch says where
    things are, the words say what they become.

    Args:
        scribble: the scribble that the picture follows
        prompt: what the picture shall show
        returns: the new picture
    """


@tool(
    domain="image-generation",
    examples=[
        "Draw a samurai under cherry trees in the pose of this skeleton.",
        "Use the pose map to make a picture of a ballerina.",
        "Generate an astronaut who stands like the stick figure.",
        "From these body joints make a portrait of a knight.",
        "I have a pose file; let a robot take that posture.",
        "Put a superhero into the pose I give you.",
        "Paint two dancers that follow the OpenPose skeletons.",
        "Let the key points become a skater in a park.",
    ],
)
def pose_text_to_image(pose: Pose, prompt: Text) -> Image:
    """Generate a new picture from words along a pose map: people stand and move as the drawn
    skeletons do, the words say who they are and where.

    Args:
        pose: the pose map that the picture follows
        prompt: what the picture shall show
        returns: the new picture
    """


@tool(
    domain="image-generation",
    examples=[
        "Make a wintry village out of the segmentation map.",
        "Turn the coloured regions into a harbour at dawn.",
        "Use the segmentation to paint a garden with a pond.",
        "Generate a street in Paris that follows these segments.",
        "From the segmentation file, create a valley with deer.",
        "Fill the segments with a living room in the seventies.",
        "I have a map of regions; show a beach laid out like it.",
        "Let each area of the segmentation become part of a Christmas market.",
    ],
)
def segmentation_text_to_image(segmentation: Segmentation, prompt: Text) -> Image:
    """Generate a new picture from words along a segmentation map: its coloured regions say where
    things are, the words say what the picture shows.

    Args:
        segmentation: the segmentation map that the picture follows
        prompt: what the picture shall show
        returns: the new picture
    """


@tool(
    domain="image-generation",
    examples=[
        "Draw a gingerbread house along the edges.",
        "Turn the edge map into a glass slipper.",
        "Use these edges to generate a photo of a wrist watch.",
        "Paint a wolf inside the contours of the edge file.",
        "From the bare edges make a cuckoo clock.",
        "Let the edge map become a stained glass window with a parrot.",
        "Give colour to the edges so that one sees a rusty tractor.",
        "I have an edge picture; create a rowing boat that fits it.",
    ],
)
def edge_text_to_image(edge: Edge, prompt: Text) -> Image:
    """Generate a new picture from words along an edge map: the soft grey edges stay, the words say
    what they become.

    Args:
        edge: the edge map that the picture follows
        prompt: what the picture shall show
        returns: the new picture
    """


@tool(
    domain="image-generation",
    examples=[
        "Generate a vintage motorbike from the canny edges.",
        "Turn the Canny map into a snow leopard.",
        "Paint peonies along this canny result.",
        "Use the canny file as control for a picture of a brass telescope.",
        "From these Canny lines make a Moroccan courtyard.",
        "Let the thin white canny edges become a velvet throne.",
        "I have a canny image; show a grand piano in a forest with it.",
        "Keep the Canny outlines and make the rest a tidy harbour town.",
    ],
)
def canny_text_to_image(canny: Canny, prompt: Text) -> Image:
    """Generate a new picture from words along a map of Canny edges: the thin, sharp lines stay, the
    words say what they become.

    Args:
        canny: the Canny map that the picture follows
        prompt: what the picture shall show
        returns: the new picture
    """


@tool(
    domain="image-generation",
    examples=[
        "Use the depth map to generate a cosy attic bedroom.",
        "Paint a crystal cave that has the depth of this map.",
        "Turn the depth file into a canal in Venice.",
        "With this depth, make a picture of a misty forest path.",
        "Create a futuristic street that keeps the depth information.",
        "From the depth map I give you, draw a cathedral.",
        "Let near and far be as in the depth map, and show a desert town.",
        "Generate a castle hall guided by my depth picture.",
    ],
)
def depth_text_to_image(depth: Depth, prompt: Text) -> Image:
    """Generate a new picture from words along a depth map: what is near and far stays, the words
    say what the scene becomes.

    Args:
        depth: the depth map that the picture follows
        prompt: what the picture shall show
        returns: the new picture
    """


@tool(
    domain="image-generation",
    examples=[
        "From the normal map make a bronze vase with dragons.",
        "Turn the surface normals into a stone lion.",
        "Use this normal map to generate a leather armchair.",
        "Paint a wooden mask that has the relief of the normal map.",
        "I have a normal file; show a golden coin with it.",
        "Let the normals become a castle wall covered in ivy.",
        "Create a ceramic teapot guided by my normal picture.",
        "With these surface directions, draw a snowy mountain face.",
    ],
)
def normal_text_to_image(normal: Normal, prompt: Text) -> Image:
    """Generate a new picture from words along a normal map: surfaces face the same ways, the words
    say what they belong to.

    Args:
        normal: the normal map that the picture follows
        prompt: what the picture shall show
        returns: the new picture
    """


#: What each kind of map is called to a model that only reads words and pictures.
_SAID: dict[str, str] = {
    "canny": "a map of sharp edges, white on black",
    "depth": "a depth map, in which near is bright and far is dark",
    "edge": "a map of soft edges, white on black",
    "hed": "a map of object outlines, white on black",
    "line": "a map of straight lines, white on black",
    "normal": "a map of surface normals, in which colours say which way surfaces face",
    "pose": "a map of poses, in which coloured skeletons say how people stand",
    "scribble": "a rough sketch, white on black",
    "segmentation": "a map of regions, one colour for each thing",
}

_Drawing = Callable[..., PIL.Image.Image]


def _draws_along(definition: ToolDefinition, given: Callable[..., Any]) -> None:
    """Keep the promise of a tool whose picture follows a map. `given` takes the inputs by their
    names and returns the map and the prompt."""
    kind = definition.tool.args[0].type

    def takes_them(draw: _Drawing) -> _Drawing:
        @functools.wraps(given)
        def drawn(context: Context, **inputs: Any) -> PIL.Image.Image:
            shown, prompt = given(**inputs, context=context)
            return draw(shown, prompt, context)

        return drawn

    def by_one_for_every_map(shown: PIL.Image.Image, prompt: str, context: Context) -> Any:
        from tools.hub import conditioned_pictures

        return conditioned_pictures.draw_along_any(kind, shown, prompt, context)

    def by_one_for_this_map(shown: PIL.Image.Image, prompt: str, context: Context) -> Any:
        from tools.hub import conditioned_pictures

        return conditioned_pictures.draw_along(kind, shown, prompt, context)

    def by_an_endpoint(shown: PIL.Image.Image, prompt: str, context: Context) -> Any:
        from tools.cloud import pictures

        wish = f"This is {_SAID[kind]}. Draw a finished picture that follows it exactly: {prompt}"
        return pictures.edit(shown, wish, context)

    definition.implementation(
        "hub",
        packages=_PACKAGES,
        weights={"model": {"usual": STABLE_DIFFUSION_XL}, "map": EVERY_MAP},
        memory="12 GiB",
        needs_gpu=True,
        deterministic=False,
    )(takes_them(by_one_for_every_map))
    definition.implementation(
        "hub",
        packages=_PACKAGES,
        weights={"model": {"usual": STABLE_DIFFUSION}, "map": {"usual": MAPS[kind]}},
        memory="8 GiB",
        deterministic=False,
    )(takes_them(by_one_for_this_map))
    definition.implementation(
        "cloud", packages=("openai",), check=needs_images, deterministic=False
    )(takes_them(by_an_endpoint))


_draws_along(line_text_to_image, lambda line, prompt, context: (line, prompt))
_draws_along(hed_text_to_image, lambda hed, prompt, context: (hed, prompt))
_draws_along(scribble_text_to_image, lambda scribble, prompt, context: (scribble, prompt))
_draws_along(pose_text_to_image, lambda pose, prompt, context: (pose, prompt))
_draws_along(
    segmentation_text_to_image, lambda segmentation, prompt, context: (segmentation, prompt)
)
_draws_along(edge_text_to_image, lambda edge, prompt, context: (edge, prompt))
_draws_along(canny_text_to_image, lambda canny, prompt, context: (canny, prompt))
_draws_along(depth_text_to_image, lambda depth, prompt, context: (depth, prompt))
_draws_along(normal_text_to_image, lambda normal, prompt, context: (normal, prompt))
