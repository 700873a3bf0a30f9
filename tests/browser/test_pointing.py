"""Pointing as a person does it: at things in pictures, at parts and words of recordings."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
import skimage.data
from playwright.sync_api import Page, expect

from controlllm.layout import ASSETS
from controlllm.resources import Sound, decode, encode
from tests.browser.steps import ask, attach, shows
from tests.pointing.word_time_error import spoken
from tests.tools.made_videos import make_video, pan, tone

EXAMPLES = ASSETS / "examples"

#: How much of the cup and of a corner of the picture the mask lies over.
_SHARES = """() => {
    const mask = document.querySelector('.picker-mask');
    const canvas = new OffscreenCanvas(mask.naturalWidth, mask.naturalHeight);
    const pen = canvas.getContext('2d');
    pen.drawImage(mask, 0, 0);
    const share = (left, top, right, bottom) => {
        const { width, height } = canvas;
        const { data } = pen.getImageData(left * width, top * height,
            (right - left) * width, (bottom - top) * height);
        const seen = data.filter((value, place) => place % 4 === 3 && value > 0).length;
        return seen / (data.length / 4);
    };
    return { cup: share(0.44, 0.22, 0.62, 0.5), corner: share(0, 0, 0.12, 0.12) };
}"""
_OUTSIDE = """() => [...document.querySelectorAll('dialog[open] :is(button, input, [role=slider])')]
    .filter((item) => item.offsetParent && item.type !== 'radio').filter((item) => {
        const { left, top, right, bottom } = item.getBoundingClientRect();
        return left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1;
    }).map((item) => item.outerHTML.slice(0, 90))"""


def point(page: Page, *paths: Path) -> None:
    """Point at something in files that were only just chosen."""
    attach(page, *paths)
    page.click("#point")
    page.locator("dialog[open]").wait_for()


def picking(page: Page, *paths: Path) -> None:
    point(page, *paths)
    page.wait_for_function("document.querySelector('.picker-sheet').style.width !== ''")


def click_at(page: Page, x: float, y: float, **how: object) -> None:
    box = page.locator(".picker-picture").bounding_box()
    assert box is not None
    at = {"x": box["width"] * x, "y": box["height"] * y}
    page.locator(".picker-sheet").click(position=at, **how)  # type: ignore[arg-type]


def drag(page: Page, *places: tuple[float, float]) -> None:
    box = page.locator(".picker-picture").bounding_box()
    assert box is not None
    at = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in places]
    page.mouse.move(*at[0])
    page.mouse.down()
    for place in at[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()


def settled(page: Page) -> None:
    page.locator(".picker-mask[data-state=final]").wait_for()


def picture_of(page: Page, selector: str) -> np.ndarray:
    """The pixels of a picture in the page."""
    address = page.locator(selector).first.get_attribute("src") or ""
    content = page.request.get(page.url.split("/?")[0] + address).body()
    return np.asarray(PIL.Image.open(io.BytesIO(content)).convert("RGB")).astype(int)


def sound_of(page: Page, name: str, folder: Path) -> Sound:
    """A sound of the conversation, as it is played."""
    shows(page, "Files")
    kept = page.locator(f'.tray-item[data-value="{name}"] a[download]').get_attribute("href")
    (folder / "heard.wav").write_bytes(page.request.get(page.url.split("/?")[0] + kept).body())
    found: Sound = decode("audio", folder / "heard.wav")
    return found


def pin(page: Page) -> tuple[int, int]:
    """Where the newest point is, in the picture's own pixels."""
    last = page.locator(".pin").last
    last.wait_for()
    return tuple(int(last.get_attribute(f"data-{side}") or -1) for side in "xy")  # type: ignore[return-value]


def chips(page: Page) -> list[str]:
    return page.locator("#attachments .chip-number").all_inner_texts()


def test_things_are_kept_as_numbers_by_pointer_and_by_keyboard(page: Page) -> None:
    page.fill("#words textarea", "make ")
    picking(page, EXAMPLES / "coffee.jpg")
    click_at(page, 0.52, 0.35)
    settled(page)
    shown = page.evaluate(_SHARES)
    assert shown["cup"] > 0.8 and shown["corner"] < 0.1
    status = page.locator("#picker-status")
    expect(status).to_contain_text("Found: cup")
    page.click(".picker-more")
    expect(status).to_contain_text("Kept as [1]")
    expect(page.locator(".picker-regions .chip-number")).to_have_text("1")

    # The second thing by keyboard alone: a box around the corner, from cross-hair to cross-hair.
    stage = page.locator(".picker-stage")
    expect(stage).to_be_focused()
    for key, times in (("ArrowLeft", 24), ("ArrowUp", 16)):
        for _ in range(times):
            stage.press(key)
    expect(status).to_contain_text("At ")
    for _ in range(6):
        stage.press("Shift+ArrowRight")
        stage.press("Shift+ArrowDown")
    expect(status).to_contain_text("Enter sets it")
    stage.press("Enter")
    expect(page.locator(".picker-drawn .drawn-box")).to_have_count(1)
    settled(page)
    page.locator(".picker-use").press("Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator("#attachments .chip-number")).to_have_text(["1", "2"])
    expect(page.locator("#attachments")).to_contain_text("cup in coffee.jpg")
    # The words that were typed before are still there, and a chip writes its number into them.
    words = page.locator("#words textarea")
    expect(words).to_have_value("make ")
    page.locator("#attachments [data-do=say-number]").first.click()
    expect(words).to_have_value("make [1]")
    page.keyboard.type(" black and white and brighten [")
    expect(page.locator("#mentions [role=option]")).to_have_count(2)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(words).to_have_value("make [1] black and white and brighten [2] ")
    page.keyboard.press("Enter")
    page.locator(".turn.is-answered").wait_for()
    expect(page.locator(".asked .chip-number")).to_have_count(2)
    # The cup lost its colours, and nothing but what was meant has changed.
    made = picture_of(page, ".results .media img")
    was = np.asarray(PIL.Image.open(EXAMPLES / "coffee.jpg").convert("RGB")).astype(int)
    cup, saucer = (slice(100, 160), slice(290, 340)), (slice(330, 380), slice(150, 250))
    assert np.ptp(made[cup], axis=2).mean() < 12 < np.ptp(was[cup], axis=2).mean()
    assert np.abs(made[saucer] - was[saucer]).mean() < 6


@pytest.mark.long
def test_marks_of_every_kind_are_set_undone_and_told(page: Page) -> None:
    picking(page, EXAMPLES / "coffee.jpg")
    status, use = page.locator("#picker-status"), page.locator(".picker-use")
    expect(use).to_be_disabled()
    click_at(page, 0.1, 0.1, button="right")
    expect(page.locator(".pin.negative")).to_have_count(1)
    expect(use).to_be_disabled()
    expect(status).to_contain_text("at least one point")
    page.locator(".picker-stage").press("-")
    stage = page.locator(".picker-stage").bounding_box()
    assert stage is not None
    page.mouse.click(stage["x"] + 8, stage["y"] + stage["height"] / 2)
    expect(status).to_contain_text("beside the picture")
    page.click(".picker-clear")
    expect(page.locator(".pin")).to_have_count(0)

    page.locator("#picker .brush").click()
    page.locator(".picker-brush input").fill("2")
    drag(page, (0.45, 0.3), (0.62, 0.4))
    settled(page)
    assert page.evaluate(_SHARES)["cup"] > 0.5
    page.locator("#picker .eraser").click()
    page.locator(".picker-brush input").fill("20")
    drag(page, (0.4, 0.3), (0.65, 0.3))
    expect(status).to_contain_text("2 strokes")
    expect(status).to_contain_text("Found:")
    erased = page.evaluate(_SHARES)["cup"]
    assert erased < 0.7
    page.locator(".picker-stage").press("Backspace")
    expect(status).to_contain_text("1 stroke")
    expect(status).to_contain_text("Found:")
    assert page.evaluate(_SHARES)["cup"] > erased

    page.click(".picker-clear")
    page.locator("#picker .box").click()
    drag(page, (0.3, 0.05), (0.68, 0.75))
    expect(status).to_contain_text("1 box")
    # Zoomed in, a click is still where it is in the picture.
    page.locator("#picker .positive").click()
    page.locator(".picker-zoom input").fill("3")
    sheet = page.locator(".picker-sheet").bounding_box()
    stage = page.locator(".picker-stage").bounding_box()
    assert sheet is not None and stage is not None and sheet["width"] > 2000
    page.mouse.click(stage["x"] + 200, stage["y"] + 150)
    expect(page.locator(".pin.positive")).to_have_count(1)
    x, y = pin(page)
    sheet = page.locator(".picker-sheet").bounding_box()
    assert sheet is not None
    assert abs(x - (stage["x"] + 200 - sheet["x"]) * 600 / sheet["width"]) <= 3
    assert abs(y - (stage["y"] + 150 - sheet["y"]) * 600 / sheet["width"]) <= 3


@pytest.mark.long
def test_points_are_kept_in_the_own_pixels_of_pictures_of_every_size(
    page: Page, tmp_path: Path
) -> None:
    sizes = [(3, 2), (24, 18), (3000, 2000), (60, 900)]
    paths = [tmp_path / f"{width}.png" for width, _ in sizes]
    for size, path in zip(sizes, paths, strict=True):
        PIL.Image.new("RGB", size, "teal").save(path)
    turned = tmp_path / "turned.jpg"
    photo = PIL.Image.new("RGB", (600, 300), "teal")
    exif = photo.getexif()
    exif[0x0112] = 6
    photo.save(turned, exif=exif)
    picking(page, *paths, turned)
    for (width, height), path in zip([*sizes, (300, 600)], [*paths, turned], strict=True):
        page.locator(f".picker-pictures [data-value='{path.name}']").click()
        expect(page.locator("dialog[open] h2")).to_contain_text(path.name)
        expect(page.locator(".pin")).to_have_count(0)
        page.wait_for_function(
            "([width, height]) => { const { naturalWidth: w, naturalHeight: h } ="
            " document.querySelector('.picker-picture'); return w * height === h * width; }",
            arg=[width, height],
        )
        click_at(page, 0.75, 0.25)
        x, y = pin(page)
        box = page.locator(".picker-picture").bounding_box()
        assert box is not None
        pixel = max(1.5, 1.5 * width / box["width"])
        assert abs(x - int(width * 0.75)) <= pixel and abs(y - int(height * 0.25)) <= pixel, path


@pytest.mark.long
def test_another_picture_keeps_marks_and_everything_is_in_reach(page: Page) -> None:
    page.click("#point")
    page.get_by_text("Add a picture first").wait_for()
    picking(page, EXAMPLES / "chelsea.jpg", EXAMPLES / "coffee.jpg")
    heading = page.locator("dialog[open] h2")
    expect(heading).to_contain_text("coffee.jpg")
    click_at(page, 0.52, 0.35)
    page.locator(".picker-pictures [data-value='chelsea.jpg']").click()
    expect(heading).to_contain_text("chelsea.jpg")
    expect(page.locator(".pin")).to_have_count(0)
    page.locator(".picker-pictures [data-value='coffee.jpg']").click()
    expect(page.locator(".pin")).to_have_count(1)
    page.locator("#picker .brush").click()
    for width, height in ((1360, 860), (1360, 600), (390, 760), (390, 600)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".picker-use")).to_be_in_viewport(ratio=1)
        assert page.evaluate(_OUTSIDE) == []
    # Escape gives up a box that is being drawn, and then the dialog; the focus is where it was.
    stage = page.locator(".picker-stage")
    stage.press("Shift+ArrowRight")
    stage.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(1)
    stage.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert chips(page) == []
    page.locator("#point").press("Enter")
    expect(page.locator(".picker-stage")).to_be_focused()
    expect(page.locator(".pin")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("#point")).to_be_focused()


def test_a_part_of_a_sound_is_heard_alone_and_kept(page: Page) -> None:
    point(page, EXAMPLES / "commentary.ogg")
    page.locator(".cutter-wave[data-pieces='600']").wait_for()
    start, end = (
        page.get_by_role("slider", name="Start of the part"),
        page.get_by_role("slider", name="End of the part"),
    )
    expect(start).to_be_focused()
    expect(page.locator(".cutter-frame")).to_be_hidden()
    start.press("Shift+ArrowRight")
    end.press("Home")
    for _ in range(4):
        end.press("ArrowRight")
    expect(start).to_have_attribute("aria-valuetext", "0:01")
    expect(end).to_have_attribute("aria-valuetext", "0:01.5")
    page.click(".cutter-play")
    heard = "(media => media.paused && media.currentTime >= 1.5 && media.currentTime < 2.2)"
    page.wait_for_function(f"{heard}(document.querySelector('.cutter-player audio'))")
    for width, height in ((390, 760), (1360, 860)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(_OUTSIDE) == []
    # The nearer handle comes to where it is pressed.
    page.locator(".cutter-loudness").click(position={"x": 700, "y": 20})
    expect(end).not_to_have_attribute("aria-valuetext", "0:01.5")
    page.click(".cutter-use")
    expect(page.locator("#attachments .chip-number")).to_have_text(["1"])
    expect(page.locator("#attachments")).to_contain_text("of commentary.ogg")


@pytest.mark.long
def test_only_the_part_is_worked_on_and_a_tone_has_no_words(page: Page, tmp_path: Path) -> None:
    # Four seconds of which the third alone is loud.
    sound = tone(4.0)
    loud = np.zeros_like(sound.samples)
    loud[2 * sound.rate : 3 * sound.rate] = sound.samples[2 * sound.rate : 3 * sound.rate]
    (tmp_path / "beeps.wav").write_bytes(encode("audio", Sound(loud, sound.rate))[0])
    point(page, tmp_path / "beeps.wav")
    page.locator(".cutter-wave[data-pieces='600']").wait_for()
    button = page.locator(".cutter-words")
    expect(button).to_have_text("Show the words")
    button.click()
    expect(button).to_have_text("Stop listening")
    button.click()
    expect(button).to_have_text("Show the words")
    button.click()
    page.get_by_text("No English words are heard in beeps.wav").first.wait_for()
    for _ in range(2):
        page.locator(".cutter-handle.is-start").press("Shift+ArrowRight")
    page.locator(".cutter-handle.is-end").press("Shift+ArrowLeft")
    page.click(".cutter-use")
    expect(page.locator("#attachments")).to_contain_text("0:02-0:03 of beeps.wav")
    ask(page, "Silence this part.")
    expect(page.locator(".answer")).to_contain_text("All of beeps.wav but that part is as it was.")
    silent = sound_of(page, page.locator(".results .media-name").inner_text(), tmp_path)
    assert silent.seconds == 4.0 and np.abs(silent.samples).max() < 0.02


@pytest.mark.long
def test_words_of_a_transcript_become_a_part(page: Page, tmp_path: Path) -> None:
    recording = tmp_path / "talk.wav"
    sound, spans = spoken("please bring seven yellow apples and bread from the market", 0.25)
    recording.write_bytes(encode("audio", sound)[0])
    attach(page, recording)
    ask(page, "Write down what is said in talk.wav.")
    page.locator("[data-do=point-at-word]").press("Enter")
    expect(page.locator("#spoken-says")).to_contain_text("Listening for the words")
    words = page.get_by_role("listbox", name="Words that are said")
    words.get_by_role("option").first.wait_for()
    expect(words).to_be_focused()
    told = [word.lower() for word in words.get_by_role("option").all_inner_texts()]
    first, last = told.index("seven"), told.index("apples")
    for _ in range(first):
        words.press("ArrowRight")
    for _ in range(last - first):
        words.press("Shift+ArrowRight")
    chosen = words.locator("[aria-selected=true]")
    expect(chosen).to_have_text(["seven", "yellow", "apples"])
    start, end = (
        float(page.locator(f".is-{which}").get_attribute("aria-valuenow") or "nan")
        for which in ("start", "end")
    )
    assert abs(start - spans[2][0]) < 0.2 and abs(end - spans[4][1]) < 0.2
    # The handles and the words show the same part.
    for _ in range(4):
        page.locator(".cutter-handle.is-end").press("ArrowLeft")
    expect(chosen).to_have_text(["seven", "yellow"])
    words.get_by_text("apples").click(modifiers=["Shift"])
    expect(chosen).to_have_text(["seven", "yellow", "apples"])
    words.press("Enter")
    expect(page.locator("#attachments")).to_contain_text("of talk.wav")
    # The three words, and nothing of those around them.
    heard, near = sound_of(page, "[1]", tmp_path), decode("audio", recording)
    assert heard.seconds == pytest.approx(spans[4][1] - spans[2][0], abs=0.3)
    begin, until = round((spans[2][0] - 0.2) * near.rate), round((spans[4][1] + 0.2) * near.rate)
    match = np.correlate(near.samples[begin:until, 0], heard.samples[:, 0], "valid").max()
    assert match > 0.98 * np.sum(heard.samples**2)
    # Of the recording itself words are listened to only as long as somebody wants them.
    page.click("#point")
    button = page.locator(".cutter-words")
    button.click()
    words.get_by_role("option").first.wait_for()
    expect(button).to_be_hidden()


@pytest.mark.long
def test_frames_of_videos_and_boxes_that_were_found_are_pointed_at(
    page: Page, tmp_path: Path
) -> None:
    film = tmp_path / "pan.mp4"
    make_video(film, list(pan(skimage.data.astronaut(), 50, 320, 240)))
    point(page, film)
    page.get_by_text("This video has no sound").wait_for()
    page.locator(".cutter-handle.is-start").press("Shift+ArrowRight")
    page.click(".cutter-frame")
    expect(page.locator("#attachments")).to_contain_text("0:01 of pan.mp4")
    ask(page, "Make this black and white.")
    made = picture_of(page, ".results .media img")
    assert made.shape[:2] == (240, 320) and np.ptp(made, axis=2).max() < 8
    attach(page, EXAMPLES / "chelsea.jpg")
    ask(page, "Find the objects in chelsea.jpg.")
    found = page.locator(".found-box").first
    expect(found).to_have_attribute("aria-label", "Point at cat")
    found.press("Enter")
    expect(page.locator(".picker-drawn .drawn-box")).to_have_count(1)
    settled(page)
    expect(page.locator("#picker-status")).to_contain_text("Found: cat")
    page.click(".picker-use")
    expect(page.locator("#attachments")).to_contain_text("cat in chelsea.jpg")
