"""Pointing as language: masks while pointing, numbered things in words, parts of recordings."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
import skimage.data
from playwright.sync_api import Page, Request, expect

from controlllm.resources import Sound, decode, encode
from tests.browser.steps import ask, attach
from tests.browser.test_picker import click_at, open_picker
from tests.pointing.word_time_error import spoken
from tests.tools.made_videos import make_video, pan, tone

_SHARES = """() => {
    const canvas = document.querySelector('#picker-mask');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const share = (left, top, right, bottom) => {
        let shown = 0, all = 0;
        for (let y = Math.floor(top * canvas.height); y < bottom * canvas.height; y += 1) {
            for (let x = Math.floor(left * canvas.width); x < right * canvas.width; x += 1) {
                all += 1;
                shown += data[(y * canvas.width + x) * 4 + 3] > 0;
            }
        }
        return shown / all;
    };
    return { cup: share(0.44, 0.22, 0.62, 0.5), corner: share(0, 0, 0.12, 0.12) };
}"""


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seconds over a photo, with a tone."""
    path = tmp_path_factory.mktemp("film") / "pan.mp4"
    picture = skimage.data.astronaut()
    make_video(path, list(pan(picture, 50, 320, 240)), sound=tone(2.0))
    return path


@pytest.fixture(scope="module")
def beeps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four seconds of which the third alone is loud."""
    path = tmp_path_factory.mktemp("beeps") / "beeps.wav"
    sound = tone(4.0)
    loud = np.zeros_like(sound.samples)
    loud[2 * sound.rate : 3 * sound.rate] = sound.samples[2 * sound.rate : 3 * sound.rate]
    path.write_bytes(encode("audio", type(sound)(loud, sound.rate))[0])
    return path


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[float, float]]]:
    """Ten words said with pauses, and when each begins and ends, in seconds."""
    path = tmp_path_factory.mktemp("talk") / "talk.wav"
    sound, spans = spoken("please bring seven yellow apples and bread from the market", 0.25)
    path.write_bytes(encode("audio", sound)[0])
    return path, spans


def settled(page: Page) -> None:
    page.locator("#picker-mask[data-state=final]").wait_for()


def picture_of(page: Page, selector: str) -> np.ndarray:
    address = page.locator(selector).first.get_attribute("src") or ""
    content = page.request.get(page.url.split("/?")[0] + address).body()
    return np.asarray(PIL.Image.open(io.BytesIO(content)).convert("RGB")).astype(int)


def sound_of(page: Page, name: str, folder: Path) -> Sound:
    """A sound of the conversation, as it is played."""
    address = page.locator(f'#tray .tray-item[data-value="{name}"] a[download]').get_attribute(
        "href"
    )
    kept = folder / "heard.wav"
    kept.write_bytes(page.request.get(page.url.split("/?")[0] + (address or "")).body())
    found: Sound = decode("audio", kept)
    return found


def test_a_mask_lies_over_what_is_meant_and_numbers_become_words(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    open_picker(page)
    click_at(page, 0.52, 0.35)
    settled(page)
    shown = page.evaluate(_SHARES)
    assert shown["cup"] > 0.8 and shown["corner"] < 0.1
    expect(page.locator("#picker-status")).to_contain_text("Found:")
    page.click("#picker-more")
    expect(page.locator("#picker-badges .chip-number")).to_have_text("1")

    # The second thing by keyboard alone: a box around the corner, from cross-hair to cross-hair.
    stage = page.locator("#picker-stage")
    expect(stage).to_be_focused()
    for _ in range(24):
        stage.press("ArrowLeft")
    for _ in range(16):
        stage.press("ArrowUp")
    expect(page.locator("#picker-status")).to_contain_text("At ")
    for _ in range(6):
        stage.press("Shift+ArrowRight")
        stage.press("Shift+ArrowDown")
    expect(page.locator("#picker-status")).to_contain_text("Enter sets it")
    stage.press("Enter")
    expect(page.locator("#picker-drawn .drawn-box")).to_have_count(1)
    settled(page)
    page.locator("#picker-use").press("Enter")
    chips = page.locator("#chips .is-numbered")
    expect(chips).to_have_count(2)

    page.fill("#words", "make ")
    chips.first.locator("[data-do=say-number]").click()
    page.keyboard.type(" black and white and brighten [")
    offers = page.locator("#numbered [role=option]")
    expect(offers).to_have_count(2)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#words")).to_have_value("make [1] black and white and brighten [2]")

    before = page.locator(".turn[data-state=answered]").count()
    page.click("#send")
    page.locator(".turn[data-state=answered]").nth(before).wait_for()
    expect(page.locator(".asked .chip-number")).to_have_count(2)
    made = picture_of(page, ".results .media img")
    was = np.asarray(PIL.Image.open(coffee).convert("RGB")).astype(int)
    cup, saucer = (slice(100, 160), slice(290, 340)), (slice(330, 380), slice(150, 250))
    assert np.ptp(made[cup], axis=2).mean() < 12 < np.ptp(was[cup], axis=2).mean()
    assert np.abs(made[saucer] - was[saucer]).mean() < 6


@pytest.mark.long
def test_brush_and_eraser_and_undo(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    open_picker(page)
    page.locator("#picker .brush").click()
    expect(page.locator("#picker-brush-size")).to_be_visible()
    box = page.locator("#picker-picture").bounding_box()
    assert box is not None

    def drag(*places: tuple[float, float]) -> None:
        at = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in places]
        page.mouse.move(*at[0])
        page.mouse.down()
        for place in at[1:]:
            page.mouse.move(*place, steps=4)
        page.mouse.up()

    page.locator("#picker-brush").fill("2")
    drag((0.45, 0.3), (0.62, 0.4))
    settled(page)
    assert page.evaluate(_SHARES)["cup"] > 0.5
    page.locator("#picker .eraser").click()
    page.locator("#picker-brush").fill("20")
    drag((0.4, 0.3), (0.65, 0.3))
    settled(page)
    erased = page.evaluate(_SHARES)["cup"]
    assert erased < 0.7
    expect(page.locator("#picker-status")).to_contain_text("2 strokes")
    page.click("#picker-undo")
    settled(page)
    assert page.evaluate(_SHARES)["cup"] > erased


@pytest.mark.long
def test_a_part_of_a_sound_is_cut_first_and_put_back(
    page: Page, beeps: Path, tmp_path: Path
) -> None:
    attach(page, beeps)
    page.click("#open-picker")
    page.locator("#cutter-wave[data-pieces='600']").wait_for()
    expect(page.locator("#cutter-says")).to_contain_text("0:04")
    loud = page.evaluate("""() => {
        const canvas = document.querySelector('#cutter-canvas');
        const at = (share) => {
            const pen = canvas.getContext('2d');
            const x = Math.floor(share * canvas.width);
            const { data } = pen.getImageData(x, 0, 2, canvas.height);
            return data.filter((value, place) => place % 4 === 3 && value > 0).length;
        };
        return { quiet: at(0.2), loud: at(0.62), height: canvas.height };
    }""")
    assert loud["loud"] > 0.8 * loud["height"] > 10 * loud["quiet"]
    start, end = page.locator("#cutter-start"), page.locator("#cutter-end")
    for _ in range(2):
        start.press("Shift+ArrowRight")
    end.press("Shift+ArrowLeft")
    expect(start).to_have_attribute("aria-valuetext", "0:02")
    expect(end).to_have_attribute("aria-valuetext", "0:03")
    page.click("#cutter-use")
    expect(page.locator("#chips .is-numbered")).to_contain_text("0:02-0:03 of beeps.wav")
    seconds = page.evaluate("""async () => {
        const files = await (await fetch(`/conversations/${
            new URLSearchParams(location.search).get('c')}/files`)).json();
        return files.files.find((file) => file.value === '[1]').span;
    }""")
    assert seconds == "0:02-0:03"
    ask(page, "Silence this part.")
    expect(page.locator(".turn .answer")).to_contain_text(
        "All of beeps.wav but that part is as it was."
    )
    expect(page.locator(".results audio")).to_have_count(1)
    name = page.locator(".results .media-name").inner_text()
    sound = sound_of(page, name, tmp_path)
    assert sound.seconds == 4.0 and np.abs(sound.samples).max() < 0.02


@pytest.mark.long
def test_words_of_a_transcript_become_what_this_means(
    page: Page, talk: tuple[Path, list[tuple[float, float]]], tmp_path: Path
) -> None:
    recording, spans = talk
    attach(page, recording)
    ask(page, "Write down what is said in talk.wav.")
    transcript = page.locator(".turn .said .chip").get_attribute("data-value")
    opener = page.locator("[data-do=point-at-word]")
    expect(opener).to_have_attribute("aria-label", f"Point at a word of {transcript}, in talk.wav")
    opener.press("Enter")
    expect(page.locator("#spoken-says")).to_contain_text("Listening for the words")
    words = page.get_by_role("listbox", name="Words that are said")
    words.get_by_role("option").first.wait_for()
    expect(words).to_be_focused()
    expect(page.locator("#spoken-says")).to_contain_text("Choose a word")
    told = [word.lower() for word in words.get_by_role("option").all_inner_texts()]
    first, last = told.index("seven"), told.index("apples")
    for _ in range(first):
        words.press("ArrowRight")
    for _ in range(last - first):
        words.press("Shift+ArrowRight")
    chosen = words.locator("[aria-selected=true]")
    expect(chosen).to_have_text(["seven", "yellow", "apples"])
    expect(words).to_have_attribute("aria-activedescendant", f"spoken-{last}")
    start = float(page.locator("#cutter-start").get_attribute("aria-valuenow") or "nan")
    end = float(page.locator("#cutter-end").get_attribute("aria-valuenow") or "nan")
    assert abs(start - spans[2][0]) < 0.2 and abs(end - spans[4][1]) < 0.2
    # The handles and the words show the same part.
    for _ in range(4):
        page.locator("#cutter-end").press("ArrowLeft")
    expect(chosen).to_have_text(["seven", "yellow"])
    words.get_by_text("apples").click(modifiers=["Shift"])
    expect(chosen).to_have_text(["seven", "yellow", "apples"])
    words.press("Enter")
    expect(page.locator("#chips .is-numbered")).to_contain_text("of talk.wav")
    heard, whole = sound_of(page, "[1]", tmp_path), decode("audio", recording)
    begin = round((spans[2][0] - 0.2) * whole.rate)
    until = round((spans[4][1] + 0.2) * whole.rate)
    near = whole.samples[begin:until, 0]
    # The three words, and nothing of those around them.
    assert heard.seconds == pytest.approx(spans[4][1] - spans[2][0], abs=0.3)
    match = np.correlate(near, heard.samples[:, 0], "valid").max()
    assert match > 0.98 * np.sum(heard.samples**2)


@pytest.mark.long
def test_listening_for_words_can_be_stopped_and_finds_none_in_a_tone(
    page: Page, beeps: Path
) -> None:
    attach(page, beeps)
    page.click("#open-picker")
    button = page.locator("#cutter-words")
    expect(button).to_have_text("Show the words")
    button.click()
    expect(button).to_have_text("Stop listening")
    button.click()
    expect(button).to_have_text("Show the words")
    expect(page.locator("#spoken")).to_be_hidden()
    button.click()
    page.get_by_text("No English words are heard in beeps.wav").first.wait_for()
    expect(page.locator("#cutter-use")).to_be_enabled()


@pytest.mark.long
def test_a_frame_of_a_video_is_a_picture(page: Page, film: Path) -> None:
    attach(page, film)
    page.click("#open-picker")
    expect(page.locator("#cutter-says")).to_contain_text("0:02", timeout=60_000)
    page.locator("#cutter-start").press("Shift+ArrowRight")
    page.click("#cutter-frame")
    expect(page.locator("#chips .is-numbered")).to_contain_text("0:01 of pan.mp4")
    ask(page, "Make this black and white.")
    made = picture_of(page, ".results .media img")
    assert made.shape[:2] == (240, 320) and np.ptp(made, axis=2).max() < 8


@pytest.mark.long
def test_a_box_that_was_found_can_be_pointed_at(page: Page, cat: Path) -> None:
    attach(page, cat)
    ask(page, "Find the objects in chelsea.jpg.")
    found = page.locator(".found-box").first
    expect(found).to_have_attribute("aria-label", "Point at cat")
    asked: list[Request] = []
    page.on("request", lambda one: asked.append(one) if one.url.endswith("/glance") else None)
    found.press("Enter")
    settled(page)
    assert [one.post_data_json["marks"]["points"] for one in asked] == [[]]
    expect(page.locator("#picker-drawn .drawn-box")).to_have_count(1)
    expect(page.locator("#picker-status")).to_contain_text("Found: cat")
    page.click("#picker-use")
    expect(page.locator("#chips .is-numbered")).to_contain_text("cat in chelsea.jpg")
