"""Halves, colour pop, emoji, tags, enlarging, styles and instructed edits, by measured results."""

from __future__ import annotations

import threading

import numpy as np
import PIL.Image
import PIL.ImageDraw
import pytest
import skimage.data

from controlllm.resources import Box, Region
from controlllm.toolbox import Cancelled, Context, ToolError
from tests.every_case import every_case
from tools.pictures.effects import (
    color_pop,
    emoji,
    image_blurring,
    style_transfer,
    super_resolution,
    tag,
    text_image_editing,
)
from tools.pictures.embedded import annotation, art_styles, edit_instructions


def _pixels(image: PIL.Image.Image) -> np.ndarray:
    return np.asarray(image.convert("RGB")).astype(float)


def _colourfulness(pixels: np.ndarray) -> np.ndarray:
    return pixels.max(axis=-1) - pixels.min(axis=-1)


def test_colour_pop_keeps_colour_inside_the_mask_alone(astronaut: PIL.Image.Image) -> None:
    mask = np.zeros((256, 256), bool)
    mask[60:200, 50:180] = True
    before, after = _pixels(astronaut), _pixels(color_pop(astronaut, (Region(mask),)))
    assert np.abs(after - before)[80:180, 70:160].max() == 0
    outside = np.ones_like(mask)
    outside[45:215, 35:195] = False
    assert _colourfulness(after)[outside].max() == 0
    with pytest.raises(ToolError, match="empty"):
        color_pop(astronaut, ())


def _detail(pixels: np.ndarray) -> float:
    """How much neighbours differ, in grey levels."""
    grey = pixels.mean(axis=-1)
    return float(np.abs(np.diff(grey, axis=0)).mean() + np.abs(np.diff(grey, axis=1)).mean())


def test_a_whole_picture_is_blurred_and_more_where_that_is_asked(
    astronaut: PIL.Image.Image,
) -> None:
    before = _detail(_pixels(astronaut))
    usual = _detail(_pixels(image_blurring(astronaut)))
    more = _detail(_pixels(image_blurring(astronaut, strength=2.0)))
    assert more < usual < 0.6 * before
    clear = astronaut.convert("RGBA")
    clear.putalpha(128)
    assert image_blurring(clear).getchannel("A").getextrema() == (128, 128)


def test_a_blurred_part_cannot_be_made_out_and_the_rest_stays(astronaut: PIL.Image.Image) -> None:
    face = np.zeros((256, 256), bool)
    face[30:100, 80:145] = True
    before, after = _pixels(astronaut), _pixels(image_blurring(astronaut, (Region(face),)))
    assert _detail(after[40:90, 90:135]) < 0.3 * _detail(before[40:90, 90:135])
    assert (after[130:] == before[130:]).all()
    with pytest.raises(ToolError, match="empty"):
        image_blurring(astronaut, ())


@every_case("kind", annotation.EMOJI)
def test_every_emoji_is_drawn_large_and_smooth(kind: str) -> None:
    alpha = np.asarray(annotation.emoji(kind, 120).getchannel("A")).astype(int)
    assert (alpha > 250).mean() > 0.25
    assert alpha[0, 0] < 128 and alpha[-1, -1] < 128
    assert ((alpha > 20) & (alpha < 235)).any()
    assert annotation.emoji_of(kind) == kind
    assert annotation.emoji(kind, 3).size == (3, 3)


@every_case(
    ("words", "kind"),
    [
        (None, (255, 204, 51)),
        ("put a red heart on it", (228, 48, 62)),
        ("cover the face with an emoji", (255, 204, 51)),
    ],
)
def test_emoji_covers_the_box_in_its_colour(
    coffee: PIL.Image.Image, words: str | None, kind: tuple[int, int, int]
) -> None:
    after = _pixels(emoji(coffee, (Box(100, 50, 180, 130, "face"),), words))
    before = _pixels(coffee)
    assert np.abs(after - before)[100:110, 130:150].mean() > 20
    assert (np.abs(after - np.array(kind)).max(axis=-1) < 40)[50:130, 100:180].mean() > 0.3
    assert (after[:, :70] == before[:, :70]).all() and (after[:, 215:] == before[:, 215:]).all()


def test_emoji_that_cannot_be_drawn_or_placed(coffee: PIL.Image.Image) -> None:
    with pytest.raises(ToolError, match="unicorn.*smiley"):
        emoji(coffee, (Box(10, 10, 40, 40),), "a unicorn emoji")
    with pytest.raises(ToolError, match="not found"):
        emoji(coffee, ())
    with pytest.raises(ToolError, match="not found"):
        emoji(coffee, (Box(900, 900, 950, 950),))


def test_emoji_over_a_clear_part_can_be_seen() -> None:
    clear = PIL.Image.new("RGBA", (80, 80), (0, 0, 0, 0))
    alpha = np.asarray(emoji(clear, (Box(20, 20, 60, 60),)).getchannel("A"))
    assert alpha[40, 40] == 255 and alpha[2, 2] == 0


@every_case("ground", [0, 128, 255])
def test_tags_have_contrast_on_every_ground(ground: int) -> None:
    picture = PIL.Image.new("RGB", (300, 200), (ground,) * 3)
    shown = _pixels(tag(picture, (Box(100, 60, 250, 190, "bicycle"),))).mean(axis=-1)
    plate = shown[36:60, 100:160]
    assert plate.min() < 40 and plate.max() > 240
    assert (shown[100:150, 140:210] == ground).all()


def test_tags_do_not_cover_each_other_and_stay_inside(coffee: PIL.Image.Image) -> None:
    same = [Box(20, 60, 120, 150, name) for name in ("cup", "saucer", "spoon")]
    apart = [tag(coffee, tuple(same[:count])) for count in range(4) if count]
    changed = [(_pixels(one) != _pixels(coffee)).any(axis=-1).sum() for one in apart]
    assert changed[0] < changed[1] < changed[2]
    tag(coffee, (Box(-50, -50, 900, 900, "a very long name " * 6), Box(299, 199, 300, 200)))
    tag(PIL.Image.new("RGB", (2, 2)), (Box(0, 0, 2, 2, "x"),))
    with pytest.raises(ToolError, match="not found"):
        tag(coffee, ())


@pytest.mark.parametrize("name", ["astronaut", "coffee", "chelsea"])
def test_enlarging_is_truer_than_bicubic_scaling(name: str) -> None:
    # Takes SciPy's statistics along, a second and more for each process that only collects.
    from skimage.metrics import peak_signal_noise_ratio

    original = getattr(skimage.data, name)()[20:260, 60:360]
    large = PIL.Image.fromarray(original)
    small = large.resize((75, 60), PIL.Image.Resampling.BICUBIC)
    ours, plain = super_resolution(small), small.resize((300, 240), PIL.Image.Resampling.BICUBIC)
    assert ours.size == (300, 240)
    gain = peak_signal_noise_ratio(original, np.asarray(ours)) - peak_signal_noise_ratio(
        original, np.asarray(plain)
    )
    assert gain > 0.15


def test_enlarging_makes_no_rims_beside_edges() -> None:
    step = np.full((40, 40, 3), 60, np.uint8)
    step[:, 20:] = 190
    enlarged = np.asarray(super_resolution(PIL.Image.fromarray(step))).astype(int)
    assert enlarged.min() >= 60 - 16 and enlarged.max() <= 190 + 16
    across = enlarged[80, :, 0]
    assert ((across > 80) & (across < 170)).sum() <= 4  # and the edge itself is steep


def test_enlarging_in_tiles_leaves_no_seams(monkeypatch: pytest.MonkeyPatch) -> None:
    from tools.pictures.embedded import enlarging

    monkeypatch.setattr(enlarging, "_TILE", 48)
    picture = skimage.data.astronaut()[60:140, 130:230]
    in_tiles = enlarging.enlarge(picture, 2)
    monkeypatch.setattr(enlarging, "_TILE", 999)
    whole = enlarging.enlarge(picture, 2)
    assert np.abs(whole.astype(int) - in_tiles).max() <= 2


def test_enlarging_other_modes_and_limits() -> None:
    assert super_resolution(PIL.Image.new("L", (9, 7), 80)).mode == "L"
    assert super_resolution(PIL.Image.new("RGB", (50, 40)), size="200%").size == (100, 80)
    assert super_resolution(PIL.Image.new("RGB", (50, 40)), size="80x").size == (80, 64)
    clear = super_resolution(PIL.Image.new("RGBA", (9, 7), (10, 20, 30, 0)))
    assert clear.mode == "RGBA" and np.asarray(clear)[..., 3].max() == 0
    assert super_resolution(PIL.Image.new("RGB", (1, 1), (9, 8, 7))).size == (4, 4)
    assert super_resolution(PIL.Image.new("RGB", (1500, 4))).size == (3000, 8)
    with pytest.raises(ToolError, match="large already"):
        super_resolution(PIL.Image.new("RGB", (4000, 2000)))


@pytest.mark.long
@every_case("style", art_styles.NAMES)
def test_styles_change_the_picture_and_keep_its_size(
    astronaut: PIL.Image.Image, style: str
) -> None:
    assert art_styles.style_of(f"please make it a {style} picture") == style
    shown = style_transfer(astronaut, style)
    assert shown.size == astronaut.size
    before, after = _pixels(astronaut), _pixels(shown)
    assert np.abs(after - before).mean() > 4
    # The scene is still there: dark stays darker than bright.
    likeness = np.corrcoef(before.mean(-1)[::4, ::4].ravel(), after.mean(-1)[::4, ::4].ravel())
    assert likeness[0, 1] > 0.35
    for size in ((1, 1), (3, 40)):
        assert style_transfer(PIL.Image.new("RGB", size, (90, 20, 30)), style).size == size


def test_styles_have_their_marks(astronaut: PIL.Image.Image) -> None:
    for style in ("pencil sketch", "black and white"):
        assert _colourfulness(_pixels(style_transfer(astronaut, style))).max() < 12
    few = np.unique(_pixels(style_transfer(astronaut, "pixel art")).reshape(-1, 3), axis=0)
    assert len(few) <= 24
    sepia = _pixels(style_transfer(astronaut, "sepia")).reshape(-1, 3).mean(axis=0)
    assert sepia[0] > sepia[1] > sepia[2]


@pytest.mark.long
def test_painted_looks_have_strokes_in_the_pictures_own_colours(
    astronaut: PIL.Image.Image,
) -> None:
    before = _pixels(astronaut)
    for style in ("coloured pencil", "watercolour", "oil painting"):
        painted = style_transfer(astronaut, style)
        assert (_pixels(painted) == _pixels(style_transfer(astronaut, style))).all()
        # The suit is still the picture's orange, the flag's field its blue.
        for side in ("red", "blue"):
            channel = {"red": 0, "blue": 2}[side]
            own = before[..., channel] - before.mean(-1)
            kept = _pixels(painted)[..., channel] - _pixels(painted).mean(-1)
            assert np.corrcoef(own.ravel(), kept.ravel())[0, 1] > 0.7


def test_a_painters_manner_is_refused(astronaut: PIL.Image.Image) -> None:
    for words in ("in the style of Van Gogh", "make it an anime", "zorblax", ""):
        with pytest.raises(ToolError, match="watercolour"):
            style_transfer(astronaut, words)


def _edited(picture: PIL.Image.Image, words: str) -> np.ndarray:
    return _pixels(text_image_editing(picture, words))


def test_light_and_colour_edits_go_the_right_way(coffee: PIL.Image.Image) -> None:
    before = _pixels(coffee)
    assert _edited(coffee, "Make it brighter").mean() > before.mean() + 8
    assert _edited(coffee, "this is too bright").mean() < before.mean() - 8
    assert _edited(coffee, "more contrast").std() > before.std() * 1.05
    assert _edited(coffee, "reduce the contrast").std() < before.std() * 0.9
    vivid = _colourfulness(_edited(coffee, "boost the colours")).mean()
    assert vivid > 1.1 * _colourfulness(before).mean()
    warm = _edited(coffee, "make the photo warmer")
    assert (warm[..., 0] - warm[..., 2]).mean() > (before[..., 0] - before[..., 2]).mean() + 5
    slight, strong = (_edited(coffee, f"{much} darker") for much in ("a bit", "much"))
    assert before.mean() > slight.mean() > strong.mean()
    assert (_edited(coffee, "invert the colours") == 255 - before).all()
    assert _colourfulness(_edited(coffee, "make it black and white")).max() == 0
    steps = [np.abs(np.diff(pixels.mean(-1))).mean() for pixels in (
        _edited(coffee, "blur it"), before, _edited(coffee, "sharpen it"))]  # fmt: skip
    assert steps[0] < 0.7 * steps[1] and steps[2] > 1.1 * steps[1]


def test_shape_edits(coffee: PIL.Image.Image) -> None:
    before = _pixels(coffee)
    assert (_edited(coffee, "rotate 90 degrees clockwise") == np.rot90(before, -1)).all()
    assert (_edited(coffee, "turn it to the left by 90 degrees") == np.rot90(before)).all()
    assert (_edited(coffee, "flip it") == before[:, ::-1]).all()
    assert (_edited(coffee, "flip vertically") == before[::-1]).all()
    assert (_edited(coffee, "keep only the top half") == before[:100]).all()
    assert text_image_editing(coffee, "resize to 120x90").size == (120, 90)
    assert text_image_editing(coffee, "shrink it to 50%").size == (150, 100)
    assert text_image_editing(coffee, "make it 600 pixels wide").size == (600, 400)
    assert text_image_editing(coffee, "crop it to a square").size == (200, 200)
    framed = _edited(coffee, "add a blue border")
    assert framed.shape > before.shape and framed[0, 0, 2] > 150 > framed[0, 0, 0]


def test_several_changes_are_made_in_their_order(coffee: PIL.Image.Image) -> None:
    read = edit_instructions.read
    words = "Rotate right, then crop the left half, and make it a bit brighter and warmer."
    assert [step.action for step in read(words)] == ["rotate", "crop", "brighten", "warm"]
    assert text_image_editing(coffee, words).size == (100, 300)
    both = read("increase the contrast and saturation")
    assert [(step.action, step.amount > 0) for step in both] == [
        ("contrast", True),
        ("saturate", True),
    ]
    assert all(step.amount < 0 for step in read("lower the brightness and the contrast"))


def test_a_colour_is_the_one_of_its_code() -> None:
    framed = _edited(PIL.Image.new("RGB", (60, 40)), "add a #0D9488 border")
    assert tuple(framed[0, 0]) == (13, 148, 136)


@every_case(
    "words",
    [
        "make the paper white pls, the letters black",
        "whiten the page",
        "the sheet should be white and the writing black",
        "turn the grey scan white again",
    ],
)
def test_paper_becomes_white_and_what_is_written_black(words: str) -> None:
    page = PIL.Image.new("RGB", (600, 400), (205, 198, 175))
    pen = PIL.ImageDraw.Draw(page)
    for row in range(8):
        pen.text((40, 40 + 40 * row), "Take a pound of plums", "#555555", font_size=28)
    pen.rectangle((480, 300, 560, 360), "#aa2222")
    # Light falls on it from the left.
    shaded = np.asarray(page) * np.linspace(1.0, 0.7, 600)[None, :, None]
    result = np.asarray(text_image_editing(PIL.Image.fromarray(shaded.astype(np.uint8)), words))
    light = result.astype(float).mean(axis=2)
    assert (light > 245).mean() > 0.8 and 0.02 < (light < 60).mean() < 0.2
    red, green, blue = result[330, 520].astype(int)
    assert red > 90 and red > 2 * max(green, blue)


def test_newspaper_dots_are_a_halftone() -> None:
    for words in ("those newspaper dots you see", "printed dots", "halftone dots", "newsprint"):
        assert art_styles.style_of(words) == "halftone"
    assert art_styles.style_of("dots like Seurat, pointillism") == "pointillism"
    for words in ("water-colour", "a water-colour painting", "water colours"):
        assert art_styles.style_of(words) == "watercolour"


@every_case(
    "words",
    [
        "turn the dog into a red cat",
        "add a dragon where the sky is too dark",
        "add a hat to the man",
        "make the dog smile",
        "brighter, and put a dragon in the sky",
        "turn day into night",
        "paint it in the style of Van Gogh",
        "the hat should go, and make it brighter",
        "i want a moustache on him, brighter",
        "replace the background with Paris",
        "tone down the green",
        "make the sky less grey",
        "",
        "please",
    ],
)
def test_what_cannot_be_done_is_refused_whole(coffee: PIL.Image.Image, words: str) -> None:
    with pytest.raises(ToolError, match="larger model"):
        text_image_editing(coffee, words)


def test_an_object_gets_another_colour_with_its_shading() -> None:
    from tools.pictures.embedded import photo_adjustments

    down, across = np.mgrid[0:80, 0:80]
    inside = (across - 40) ** 2 + (down - 40) ** 2 < 900
    light = (0.4 + 0.6 * across / 80)[..., None]
    picture = np.where(inside[..., None], np.array([200, 40, 30]) * light, 120).astype(np.uint8)
    after = photo_adjustments.recoloured(picture, inside.astype(np.float32), (48, 104, 208)).astype(
        int
    )
    assert (after[30:50, 25:55, 2] > after[30:50, 25:55, 0] + 25).all()
    assert after[40, 55].sum() > after[40, 25].sum() + 40
    assert np.abs(after[:8] - picture[:8].astype(int)).max() <= 2


def test_recolouring_finds_the_object_or_says_so(astronaut: PIL.Image.Image) -> None:
    with pytest.raises(ToolError, match="No zebra was found"):
        text_image_editing(astronaut, "make the zebra red")
    before, after = _pixels(astronaut), _edited(astronaut, "make the person green")
    assert 0.02 < (np.abs(after - before).max(axis=-1) > 12).mean() < 0.8


def test_too_large_a_resize_is_refused_and_stopping_stops(coffee: PIL.Image.Image) -> None:
    with pytest.raises(ToolError, match="too large"):
        text_image_editing(coffee, "resize it to 90000x90000")
    with pytest.raises(ToolError, match="Nothing would be left"):
        text_image_editing(coffee, "shrink it by 100%")
    stopped = threading.Event()
    stopped.set()
    for run in (
        lambda context: super_resolution(coffee, context=context),
        lambda context: text_image_editing(coffee, "brighter", context=context),
        lambda context: style_transfer(coffee, "cartoon", context=context),
    ):
        with pytest.raises(Cancelled):
            run(Context(cancelled=stopped))
