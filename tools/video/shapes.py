"""Videos of another size or shape, turned or mirrored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

import numpy as np

from controlllm.resources import Video
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice, Degrees, Place, ratio_of, size_in_pixels
from controlllm.values.kinds import Found, Kind
from controlllm.values.sizes import find_ratios, find_sizes

from ..shared import video_files
from ..shared.video_rewriting import Change, even_size, rewritten
from .embedded import canvas

_PACKAGES = ("av", "cv2")
#: Screens that are said by a name: an upright video is upright on them too.
_SCREENS = {
    f"{size.partition('x')[2]}p": size
    for size in "640x360 854x480 1280x720 1920x1080 2560x1440 3840x2160".split()
}
_SAME = 0.012  # shapes that differ less are the same
_BLURRED = (
    "blurred blurry blur blurs blurred_background blurred_edges blurred_sides blurred_copy "
    "blurred_version blown_up_copy"
)
_BARS = (
    "bars pad padded padding black_bars letterbox letterboxed whole_picture whole_image "
    "whole_frame whole_width whole_height keep_it_whole keep_the_whole without_cutting "
    "without_cropping nothing_cut_off black_borders black_edges pillarbox"
)


def _sizes(words: str) -> Iterator[Found]:
    """Sizes as they are said; a screen by its name is not turned into figures."""
    names = {size: name for name, size in _SCREENS.items()}
    for found in find_sizes(words):
        said = words[found.start : found.end]
        is_named = found.value in names and not re.search(r"\d\D+\d", said)
        yield Found(names[found.value], found.start, found.end) if is_named else found


#: What these names mean of films.
_OF_FILMS = {"landscape": "16:9", "portrait": "9:16"}


def _shapes(words: str) -> Iterator[Found]:
    for found in find_ratios(words):
        said = _OF_FILMS.get(words[found.start : found.end], found.value)
        yield Found(said, found.start, found.end)


_VideoShape = Annotated[
    str, Kind("a shape, such as 16:9 or square", _shapes, r"\d+(?:\.\d+)?:\d+(?:\.\d+)?")
]
_VideoSize = Annotated[
    str,
    Kind(
        "a size, such as 720p, 1280x720 or 800 wide",
        _sizes,
        r"\d+x\d+|\d+x|x\d+|(?:max|min)\d+|[\d.]+%|\d+p",
    ),
]


_FITTING = Choice(
    bars=_BARS,
    blur=_BLURRED,
    fill="crop cropped crop_the_rest cut_off fill_the_frame fill_the_screen zoom_in "
    "full_frame no_bars without_bars no_black_bars without_black_bars",
    stretch="stretch stretched stretch_it",
)
_WAYS = Choice(
    smaller="shrink reduce downscale scale_down scale_it_down make_smaller",
    larger="bigger enlarge upscale scale_up scale_it_up increase blow_up",
)


@tool(
    domain="video-editing",
    places="everywhere",
    sets_form=("size",),
    examples=[
        "Scale the clip down to 720p.",
        "Make my film 640 pixels wide.",
        "Half as large, please.",
        "The recording is in 4K, bring it to Full HD.",
        "Shrink this MP4 to 480p so that I can mail it.",
        "I need the footage at exactly 1080x1080.",
        "Double the dimensions of the video.",
        "The phone film at 1280x720, with a blurred copy of it at the sides instead of bars.",
    ],
    packages=_PACKAGES,
)
def resize_video(
    video: Video,
    context: Context,
    size: _VideoSize = "",
    how: Annotated[str, _FITTING] = "",
    way: Annotated[str, _WAYS] = "",
) -> Video:
    """Change the size of a video in pixels: 720p, a width, a height, half as large; where the shape
    differs, with black bars or a blurred copy of the picture at the sides.

    Args:
        video: the video whose size is to change
        size: the new size; with one side the other follows
        how: what becomes of another shape: black bars, which is usual, a blurred copy of the
            picture at the sides, filled with what is too much cut off, or stretched
        way: smaller or larger, by half or to the double, where no size is said
        returns: the video at its new size
    """
    size = size or {"smaller": "50%", "larger": "200%"}.get(way, "")
    if not size:
        raise ToolError("Which size shall the video have? Say one, such as 720p or 800 wide.")
    facts = video_files.read_facts(video)
    try:
        width, height, _ = size_in_pixels(_SCREENS.get(size, size), (facts.width, facts.height))
    except ValueError:
        raise ToolError(
            f"“{size}” is no size of a video; say one such as 720p, 1280x720 or 50 %."
        ) from None
    if size in _SCREENS and facts.height > facts.width:
        width, height = height, width
    if width < 16 or height < 16:
        raise ToolError(
            f"The video would be {width}x{height} pixels; it needs at least 16 on each side."
        )
    target = even_size(width, height)

    def change(time: float, picture: np.ndarray) -> np.ndarray:
        if how in ("fill", "stretch"):
            return (canvas.covering if how == "fill" else canvas.resized)(picture, target)
        return canvas.whole(picture, target, how == "blur")

    return rewritten(video, facts, Change(change, size=target), context, "Changing the size")


_PADDING = Choice(pad=_BARS, blur=_BLURRED)


@tool(
    domain="video-editing",
    places="everywhere",
    examples=[
        "Make the clip vertical for TikTok.",
        "Turn the landscape video into 9:16 for my phone.",
        "Square version for Instagram, please.",
        "Bring it to 16:9 with a blurred background at the sides.",
        "Put black bars around the film so that it becomes widescreen.",
        "Crop the footage to 4:5 and keep the left part.",
        "Reels format, but without cutting anything off.",
        "Reframe this to portrait.",
    ],
    packages=_PACKAGES,
)
def crop_video(
    video: Video,
    context: Context,
    shape: _VideoShape = "",
    place: Place = "",
    how: Annotated[str, _PADDING] = "",
) -> Video:
    """Bring a video into another shape, such as upright for a phone, square or wide: crop it, or
    pad it with bars or a blurred edge.

    Args:
        video: the video to bring into another shape
        shape: the new shape, width to height; upright for a phone (9:16) where none is said
        place: which part is kept, or where the whole picture stands; the middle where none is said
        how: with black bars or a blurred edge, so that nothing is cut off; else it is cropped
        returns: the video in its new shape
    """
    wanted = ratio_of(shape or "9:16")
    facts = video_files.read_facts(video)
    if abs(facts.width / facts.height / wanted - 1) < _SAME:
        context.remark("The video has this shape already, so it stays as it is.")
        return video
    if how:
        target = even_size(*canvas.around(facts.width, facts.height, wanted))
        return rewritten(
            video,
            facts,
            Change(
                lambda time, picture: canvas.whole(picture, target, how == "blur", place),
                size=target,
            ),
            context,
            "Changing the shape",
        )
    left, top, wide, high = canvas.cut_to(facts.width, facts.height, wanted, place)
    if min(wide, high) < 16:
        raise ToolError(
            f"Cut to this shape the video would be {wide}x{high} pixels, too small to be seen. "
            "Use a larger video or a shape that is more like it."
        )
    return rewritten(
        video,
        facts,
        Change(
            lambda time, picture: picture[top : top + high, left : left + wide],
            size=even_size(wide, high),
        ),
        context,
        "Cropping the video",
    )


_MIRRORING = Choice(
    left_and_right="mirror mirrored mirrors mirror_image horizontally left_to_right left_right",
    top_and_bottom="vertically top_to_bottom mirror_vertically flip_vertically",
    flip="flip flipped flips",
)


@tool(
    domain="video-editing",
    places="everywhere",
    examples=[
        "The clip lies on its side, turn it to the right.",
        "My film is upside down, fix that.",
        "Rotate the footage 90 degrees clockwise.",
        "Mirror the recording so that left and right are swapped.",
        "Turn it by a quarter to the left.",
        "Flip the selfie video horizontally.",
        "Rotate the MP4 by 180°.",
    ],
    packages=_PACKAGES,
)
def rotate_video(
    video: Video,
    context: Context,
    mirror: Annotated[str, _MIRRORING] = "",
    angle: Degrees = 0.0,
) -> Video:
    """Turn a video by a quarter or half turn, or mirror it.

    Args:
        video: the video to turn
        mirror: whether left and right, or top and bottom, are swapped
        angle: degrees; how far to turn it clockwise: 90, 180 or 270; to the left where it is
            negative
        returns: the video, turned
    """
    if angle % 90:
        raise ToolError(
            f"A video can be turned by 90, 180 or 270 degrees, not by {angle:g}. Name one of these."
        )
    turns = round(angle / 90) % 4
    # "It is upside down, flip it" wants it turned; "flip it" alone wants it mirrored.
    swaps = "" if mirror == "flip" and turns == 2 else mirror
    if not turns and not swaps:
        turns = 1
    facts = video_files.read_facts(video)

    def change(time: float, picture: np.ndarray) -> np.ndarray:
        picture = np.rot90(picture, -turns)
        if swaps:
            picture = picture[::-1] if swaps == "top_and_bottom" else picture[:, ::-1]
        return np.ascontiguousarray(picture)

    size = (facts.height, facts.width) if turns % 2 else (facts.width, facts.height)
    return rewritten(
        video, facts, Change(change, size=even_size(*size)), context, "Turning the video"
    )
