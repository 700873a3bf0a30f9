"""What people say to the tools for pictures, as the values that these take."""

from __future__ import annotations

from typing import Any

from controlllm.toolbox import Toolbox
from controlllm.values import values_in
from tests.every_case import every_case

TOOLBOX = Toolbox.load()

SAID: dict[str, dict[str, dict[str, Any]]] = {
    "convert_image": {
        "jpg instead of png": {"format": "jpeg"},
        "turn the PNG into a JPEG": {"format": "jpeg"},
        "a jpg of this png": {"format": "jpeg"},
        "webp, quality 70": {"format": "webp", "quality": 70.0},
        "half a meg or less": {"limit": 500_000.0},
        "Favicon, please": {"format": "ico"},
        "save it as HEIC": {"format": "heic"},
        "webp q80, just the 4th": {"format": "webp", "quality": 80.0},
        "webp please, gifs are banned there": {"format": "webp"},
        "jpg, q=85": {"format": "jpeg", "quality": 85.0},
        "avif at q 60": {"format": "avif", "quality": 60.0},
    },
    "add_border": {
        "20px gold edge": {"width": 20, "colour": "#ffd700"},
        "The framer wants 2 cm of white all round": {"width": 236, "colour": "#ffffff"},
        "a thin white border, not a thick one": {"colour": "#ffffff", "thickness": "thin"},
        "a dark frame, not too thick": {"colour": "#1e1e1e", "thickness": "thin"},
        "polaroid look": {"style": "polaroid"},
        "the black one, with a wide white margin": {"colour": "#ffffff", "thickness": "thick"},
        "our blue is #1b4f8a, so a blue frame": {"colour": "#1b4f8a"},
        "of the black and white one, a frame in gold": {"colour": "#ffd700"},
        "the frame in dark wood brown": {"colour": "#7a5234"},
    },
    "round_corners": {
        "rounded corners": {},
        "Could mine be round from the start?": {"shape": "circle"},
        "they show faces in circles only": {"shape": "circle"},
        "cut it round for my profile": {"shape": "circle"},
        "make its corners round": {},
        "a little round picture, nothing in the corners": {"shape": "circle"},
        "round it off a bit": {},
        "corners with a radius of 40 px": {"radius": 40},
        "then into a round one": {"shape": "circle"},
        "Cut the logo to a circle": {"shape": "circle"},
        "Soft corners, like an app icon": {"shape": "app"},
    },
    "resize_image": {
        "then 10% smaller": {"size": "90%"},
        "reduce it by 30 %": {"size": "70%"},
        "make them all a bit smaller": {"size": "75%"},
        "enlarge it by 50 %": {"size": "150%"},
        "make it smaller first": {"size": "50%"},
        "shrink to 1080": {"size": "max1080"},
        "A4 at 300 dpi": {"size": "a4"},
        "10 cm wide": {"size": "1181x"},
        "1920x1080, stretch it if you must": {"size": "1920x1080", "how": "stretch"},
        "1000 by 1000, don't go cropping the oars": {"size": "1000x1000", "how": "pad"},
        "first fill them all to 1000 x 1000": {"size": "1000x1000", "how": "fill"},
    },
    "crop_to_shape": {
        "Crop the left half": {"part": "left_half"},
        "cut off the left half": {"part": "right_half"},
        "remove the bottom third of it": {"part": "top_two_thirds"},
        "only the lower third": {"part": "bottom_third"},
        "the top left quarter": {"part": "top_left_quarter"},
        "Lop 40 pixels off every edge.": {"edge": "40px"},
        "Trim 10 percent off every side": {"edge": "10%"},
        "crop off the left 200 px": {"edge": "200px left", "place": "left"},
        "banner has to be 3:1, keep the left side": {"shape": "3:1", "place": "left"},
        "crop it to 800x600 pixels": {"size": "800x600"},
        "16x9": {"shape": "16:9"},
        "level it, then crop what's left to 16:9": {"shape": "16:9"},
    },
    "tint_image": {
        "Bluish tint": {"colour": "#0000ff"},
        "tint the whole thing in our blue, #1B4F8A": {"colour": "#1b4f8a"},
        "Slightly pinkish all over": {"colour": "#ffc0cb", "strength": 25.0},
        "sepia like in gran's album": {"style": "sepia"},
        "old brown tone": {"style": "sepia"},
        "a red tint of 30 %": {"colour": "#ff0000", "strength": 30.0},
    },
    "rotate_image": {
        "rotate 90 ccw": {"angle": -90.0},
        "rotate by 45 to the left": {"angle": -45.0},
        "turn it a quarter to the right": {"angle": 90.0},
        "tilt the poster by 12 degrees to the left": {"angle": -12.0},
        "tilt my logo 5 degrees to the left": {"angle": -5.0},
        "a touch clockwise, two degrees perhaps": {"angle": 2.0},
        "The bathroom one hangs to the left, rotate it straight, 3 degrees clockwise": {
            "angle": 3.0
        },
        "lying on their left side, stand them up": {"angle": 90.0},
        "it lies on its right side": {"angle": -90.0},
        "tip the picture a few degrees to the left": {"angle": -3.0},
        "please turn it the right way up, it's upside down": {"angle": 180.0},
        "Turn it round, it's upside down": {"angle": 180.0},
        "Turn picture 1 right": {"angle": 90.0},
        "turn the left picture clockwise": {"angle": 90.0},
        "Turn it the right way up": {},
    },
    "flip_image": {
        "flip it": {},
        "flipped top to bottom so it looks like a reflection": {"way": "vertical"},
        "flip it sideways": {"way": "horizontal"},
        "mirror it vertically": {"way": "vertical"},
    },
    "straighten_image": {
        "it leans about 3 degrees to the left": {"angle": 3.0},
        "straighten it by 3 degrees to the left": {"angle": -3.0},
        "the gutter is crooked by 3 degrees, turn it clockwise that much": {"angle": 3.0},
        "it hangs 2 degrees too far right, rotate it counterclockwise": {"angle": -2.0},
        "the spire leans, turn the picture 4 degrees to the left": {"angle": -4.0},
        "it leans to the left": {},
        "it leans a couple of degrees to the left": {},
        "straighten all three": {},
    },
    "overlay_image": {
        "smaller": {"scale": 12.0},
        "too big, half the size": {"scale": 10.0},
        "twice as large please": {"scale": 40.0},
        "bottom left, not too big": {"place": "bottom left", "scale": 15.0},
        "half as wide as the photo": {"scale": 50.0},
        "half transparent": {"strength": 50.0},
        "30% transparent, 15% of the width": {"strength": 70.0, "scale": 15.0},
        "with an opacity of 40 %": {"strength": 40.0},
        "at 25 % of the width": {"scale": 25.0},
        "our crest in the corner, small": {"scale": 12.0},
        "tiny, lower right": {"place": "bottom right", "scale": 7.0},
        "a big badge in the middle": {"place": "centre", "scale": 40.0},
    },
    "make_collage": {
        "a collage 2000 pixels wide": {"size": "2000x"},
        "a collage with a 20 px gap": {"gap": 20},
        "on one sheet, two by two": {"columns": 2},
        "nine babies, three rows of three": {"columns": 3},
        "a cream 2x2 board with 10 px spaces": {"columns": 2, "colour": "#fff5dc", "gap": 10},
        "four to a row, 2000 pixels wide, gaps of 12": {"columns": 4, "size": "2000x", "gap": 12},
        "all in one row": {"columns": 1000},
    },
    "put_side_by_side": {
        "the red one left, a white line between": {"colour": "#ffffff"},
        "the lilac picture next to the green one": {},
        "side by side on black": {"colour": "#000000"},
        "one above another": {"direction": "vertical"},
        "glue it under the chart": {"direction": "vertical"},
        "next to each other, before above after is fine as well": {},
        "stack these, 20 px of white between": {
            "direction": "vertical",
            "gap": 20,
            "colour": "#ffffff",
        },
        "the four seasons, one above the other": {"direction": "vertical"},
        "both drawings one under the other please": {"direction": "vertical"},
        "glue it underneath the first": {"direction": "vertical"},
        "next to each other": {},
    },
    "split_image": {
        "16 equal tiles, 4 across and 4 down": {"grid": "4x4", "count": 16},
        "tiles, 3 wide and 2 high": {"grid": "2x3"},
        "in 5 parts, one under another": {"count": 5},
        "My panorama is one single picture, it shall be three squares": {"count": 3},
        "nine squares for the feed": {"count": 9},
        "four strips one below the other": {"way": "below", "count": 4},
    },
    "color_palette": {
        "a palette with 6 swatches": {"count": 6},
        "the four main colours": {"count": 4},
        "eight soft shades of it": {"count": 8},
        "a palette": {},
    },
    "change_animation": {
        "it is too slow, double the speed": {"speed": 2.0},
        "my gif runs too fast, half speed": {"speed": 0.5},
        "it's a bit slow, make it 3x as fast": {"speed": 3.0},
        "slow it down": {"speed": 0.5},
        "let it run to its end and then back again": {"boomerang": True},
        "play forward then backwards": {"boomerang": True},
        "back and forth": {"boomerang": True},
        "play it backwards": {"backwards": True},
    },
    "add_watermark": {
        "faint, over the whole thing": {"style": "repeated"},
        "all across it, again and again": {"style": "repeated"},
        "small, at the bottom left": {"place": "bottom left", "letters": "small"},
        "big and all over": {"letters": "large", "style": "repeated"},
    },
    "write_on_image": {
        "Put a white strip below the picture with 'Lake'": {
            "style": "strip #ffffff",
            "place": "bottom",
        },
        "Add a caption under the photo, not on it: Our garden": {
            "style": "strip #ffffff",
            "place": "bottom",
        },
        "Write 'Sold' in a black bar beneath the image": {"style": "strip #000000"},
        "caption strip above the photo: BEFORE": {"style": "strip #ffffff", "place": "top"},
        "'Hi' under the picture in blue on a yellow strip": {
            "style": "strip #ffff00",
            "colour": "#0000ff",
            "place": "bottom",
        },
        "Write “Sold” on a black bar at the bottom": {"style": "plate", "place": "bottom"},
        "Put the words 'Closed' above the door in red": {"place": "top", "colour": "#ff0000"},
    },
}


@every_case("tool", SAID)
def test_values_are_read_as_people_say_them(tool: str) -> None:
    kinds = {item.name: item.kind for item in TOOLBOX[tool].parameters if item.kind}
    found = {words: values_in(words, kinds) for words in SAID[tool]}
    assert found == SAID[tool]
