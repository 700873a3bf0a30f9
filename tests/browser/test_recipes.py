"""A plan is kept, put to ten photos, stopped, gone on with, taken along, handed on, found again."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import PIL.Image
import PIL.ImageEnhance
import pytest
from playwright.sync_api import BrowserContext, Download, Page, expect

from controlllm.layout import ASSETS
from controlllm.recipes import recipe_of, travelling
from tests.browser.steps import HELD, ask, attach, closed, opened, send, shows
from tests.recipes.made import pointed_turn, session_of, value_of, worded_turn
from tests.recipes.test_travelling import FILES

EXAMPLES = ASSETS / "examples"


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Nine photos and a file that only looks like one."""
    folder = tmp_path_factory.mktemp("photos")
    with PIL.Image.open(EXAMPLES / "chelsea.jpg") as cat:
        for number in range(9):
            small = cat.convert("RGB").resize((300 + 10 * number, 220))
            PIL.ImageEnhance.Brightness(small).enhance(0.6 + 0.05 * number).save(
                folder / f"cat {number}.jpg"
            )
    (folder / "broken.jpg").write_bytes(b"\xff\xd8\xff no picture")
    return sorted(folder.iterdir())


def keep(page: Page, name: str) -> None:
    page.click("[data-do=keep-recipe]")
    expect(page.locator("#recipe-name")).to_be_focused()
    page.fill("#recipe-name", name)
    page.keyboard.press("Enter")
    page.locator(f".recipe h4:text-is('{name}')").wait_for()


def choose(page: Page, field: str, paths: Sequence[Path]) -> None:
    """Give files to one of Gradio's fields, and wait until they have come."""
    page.set_input_files(f"{field} input[type=file]", [str(path) for path in paths])
    expect(page.locator(f"{field} tr.file")).to_have_count(len(paths))


def run(page: Page, paths: Sequence[Path]) -> None:
    page.locator("#panel-body [data-do=run-recipe]").first.click()
    choose(page, "#batch-files", paths)
    page.click("#batch-start")


def downloaded(page: Page, selector: str) -> Download:
    with page.expect_download() as coming:
        page.locator(selector).first.click()
    return coming.value


def open_file(page: Page, path: Path, name: str) -> None:
    """Look at a recipe in a file, and keep it."""
    page.click("#recipes")
    page.click("#panel-body [data-do=open-recipe]")
    expect(page.get_by_role("dialog", name="Open a recipe file")).to_be_visible()
    page.set_input_files("#recipe-file-chosen input[type=file]", path)
    page.locator("#panel-body .recipe-picture svg").wait_for()
    page.click("form[data-do=keep-look] button")
    page.locator(f".recipe h4:text-is('{name}')").wait_for()


@pytest.mark.long
def test_a_plan_is_run_on_ten_photos(page: Page, photos: list[Path]) -> None:
    attach(page, EXAMPLES / "coffee.jpg")
    ask(page, "Turn it upside down")
    keep(page, "Upside down")
    # Without files nothing begins, and that is told before the dialog, where it can be read.
    page.click("#panel-body [data-do=run-recipe]")
    page.click("#batch-start")
    told = page.locator("#batch-form, dialog[open]").locator(".toast-wrap")
    expect(told.first).to_contain_text("Choose the files first.")
    choose(page, "#batch-files", photos)
    page.click("#batch-start")

    # The broken one fails apart, with its reason; the others are done.
    expect(page.locator("#batch-rows .batch-row.is-done")).to_have_count(9)
    failed = page.locator("#batch-failed .batch-row")
    expect(failed).to_have_count(1)
    expect(failed).to_contain_text("broken.jpg is damaged")
    expect(page.locator("#batch-head")).to_contain_text("9 of 10 done, 1 failed. Finished.")
    expect(page.locator("#batch-rows .batch-result img")).to_have_count(9)

    taken = zipfile.ZipFile(downloaded(page, "#batch-panel a[href$=zip]").path())
    rows = list(csv.DictReader(io.StringIO(taken.read("results.csv").decode("utf-8-sig"))))
    assert [row["state"] for row in rows] == ["failed"] + ["done"] * 9
    assert rows[1]["results"] == "cat 0 - Upside down.png"
    with (
        PIL.Image.open(io.BytesIO(taken.read("cat 3 - Upside down.png"))) as turned,
        PIL.Image.open(photos[4]) as photo,
    ):
        assert turned.size == photo.size
        assert turned.convert("RGB").getpixel((0, 0)) == photo.rotate(180).getpixel((0, 0))

    # The conversation that it was begun from tells of it, and so do its files, also afterwards.
    closed(page)
    line = page.get_by_role("region", name="Batch: Upside down")
    expect(line).to_contain_text("9 of 10 done, 1 failed. Finished.")
    page.reload()
    expect(line).to_contain_text("9 of 10 done, 1 failed. Finished.")
    assert line.evaluate("line => line.previousElementSibling.matches('.turn')")
    assert zipfile.ZipFile(downloaded(page, ".batch-line a[href$=zip]").path()).namelist()
    # They do not flood the conversation's files.
    shows(page, "Files")
    expect(page.locator("#files .tray-item")).to_have_count(2)
    page.locator(".tray-batch").get_by_role("button", name="Open the table: Upside down").click()
    expect(failed).to_contain_text("broken.jpg")
    page.click("[data-do=delete-batch]")
    page.get_by_role("alertdialog").get_by_role("button", name="Delete this batch").click()
    expect(page.locator(".batch-line, .tray-batch")).to_have_count(0)


@pytest.mark.long
def test_a_recipe_is_handed_on_and_found_in_results(
    page: Page, new_context: Callable[[], BrowserContext], address: str, tmp_path: Path
) -> None:
    attach(page, EXAMPLES / "coffee.jpg")
    ask(page, "Turn it upside down")
    keep(page, "Upside down")
    page.click(".recipe summary")
    for kind, words in (("svg", "<svg"), ("python", "run_recipe"), ("json", '"controlllm-recipe"')):
        saved = downloaded(page, f"#panel-body a[href$='as={kind}']")
        saved.save_as(tmp_path / saved.suggested_filename)
        assert words in (tmp_path / saved.suggested_filename).read_text()
    drawn = downloaded(page, "[data-do=recipe-png]")
    assert drawn.suggested_filename == "Upside down.png"
    drawn.save_as(tmp_path / "drawn.png")
    with PIL.Image.open(tmp_path / "drawn.png") as picture:
        # Boxes and words in several colours, not an empty sheet.
        assert picture.width > 400
        assert len(picture.convert("RGB").getcolors(1 << 20) or ()) > 8
    closed(page)
    result = tmp_path / "result.png"
    downloaded(page, ".results figcaption a[download]").save_as(result)

    # Opened by somebody else, who names it anew and deletes it.
    other = opened(new_context(), address)
    other.click("#recipes")
    expect(other.locator("#panel-body")).to_contain_text("No recipes yet")
    closed(other)
    open_file(other, tmp_path / "Upside down.json", "Upside down")
    other.click("[data-do=rename-recipe]")
    expect(other.locator("#naming-field")).to_be_focused()
    other.fill("#naming-field", "Topsy-turvy")
    other.keyboard.press("Enter")
    other.locator(".recipe h4:text-is('Topsy-turvy')").wait_for()
    expect(other.locator("[data-do=rename-recipe]")).to_be_focused()
    deleting = other.get_by_role("button", name="Delete: Topsy-turvy")
    deleting.press("Enter")
    other.keyboard.press("Escape")
    expect(deleting).to_be_focused()
    deleting.click()
    other.get_by_role("alertdialog").get_by_role("button", name="Delete", exact=True).click()
    expect(other.locator("#panel-body")).to_contain_text("No recipes yet")
    closed(other)

    # A result that is added offers the plan that made it; what somebody changed in it is told.
    text = travelling.read(result)
    assert text is not None and "coffee" not in text
    (tmp_path / "plain.mp3").write_bytes(FILES["fourth.mp3"])
    travelling.write(tmp_path / "plain.mp3", tmp_path / "carries.mp3", text)
    changed = json.loads(text)
    changed["plan"]["subtasks"][0]["solutions"][0]["actions"][0]["tool"] = "rm_rf"
    travelling.write(result, tmp_path / "changed.png", json.dumps(changed))
    attach(other, result, tmp_path / "carries.mp3", tmp_path / "changed.png")
    send(other, "")
    offers = other.locator("#notice li")
    expect(offers).to_have_count(3)
    expect(offers.last).to_contain_text("There is no tool called 'rm_rf' here.")
    offers.filter(has_text="carries.mp3").get_by_role("button").click()
    look = other.locator("#panel-body")
    expect(look).to_contain_text("It was made for: “Turn it upside down”")
    expect(offers).to_have_count(0)
    closed(other)
    # So does the recipe itself, which is no file of the conversation.
    attach(other, tmp_path / "Upside down.json")
    send(other, "")
    look.locator(".recipe-picture svg").wait_for()


@pytest.fixture
def held() -> Iterator[Path]:
    """Where a file has to lie that lets one picture ripen and holds the others."""
    yield HELD
    for path in (HELD, Path(f"{HELD}, one")):
        path.unlink(missing_ok=True)


def test_a_batch_is_stopped_loaded_again_and_gone_on_with(
    page: Page, photos: list[Path], held: Path
) -> None:
    attach(page, EXAMPLES / "coffee.jpg")
    ask(page, "Ripen the picture")
    keep(page, "Slow")
    held.touch()
    run(page, photos[1:6])
    done = page.locator("#batch-rows .batch-row.is-done")
    expect(done).to_have_count(1)
    closed(page)
    page.click(".batch-line[data-state=running] [data-do=stop-batch]")
    expect(page.locator(".batch-line")).to_contain_text("Stopped. What is done is kept")
    page.click(".batch-line [data-do=open-batch]")
    expect(page.locator("#batch-head")).to_contain_text("Stopped. What is done is kept")
    expect(done).to_have_count(1)
    held.unlink()
    page.reload()
    page.click("#recipes")
    page.click("#panel-body [data-do=open-batch]")
    page.locator("#batch-head [data-do=go-on-batch]").wait_for()
    expect(done).to_have_count(1)
    page.click("#batch-head [data-do=go-on-batch]")
    expect(page.locator("#batch-head")).to_contain_text("5 of 5 done. Finished.")
    expect(done).to_have_count(5)
    closed(page)
    expect(page.locator(".toast-wrap")).to_contain_text("“Slow”: 5 of 5 done. Finished.")


@pytest.mark.long
def test_what_is_pointed_at_is_asked_for_in_each_picture(
    page: Page, photos: list[Path], tmp_path: Path
) -> None:
    turn = pointed_turn()
    recipe = recipe_of(session_of(turn), turn, "Cut out", value_of)
    (tmp_path / "cut.json").write_text(recipe.to_text())
    open_file(page, tmp_path / "cut.json", "Cut out")
    page.click("#panel-body [data-do=run-recipe]")
    choose(page, "#batch-files", photos[1:3])
    page.get_by_label("I point at it in each picture").check()
    page.click("#batch-start")
    points = page.locator("[data-do=point-item]")
    expect(points).to_have_count(2)
    # By keyboard: the cross is moved, and Enter takes it; then with a click.
    points.first.press("Enter")
    expect(page.locator(".batch-sheet")).to_be_focused()
    page.keyboard.press("ArrowUp")
    assert "top: 47%" in (page.locator(".batch-sheet .pin").get_attribute("style") or "")
    page.keyboard.press("Enter")
    expect(page.locator("#batch-rows .batch-row.is-done")).to_have_count(1)
    points.first.click()
    page.click(".batch-sheet")
    expect(page.locator("#batch-rows .batch-row.is-done")).to_have_count(2)


@pytest.mark.long
def test_words_are_asked_for_each_time(page: Page, photos: list[Path], tmp_path: Path) -> None:
    words = "Turn it upside down"
    turn = worded_turn(words)
    recipe = recipe_of(session_of(turn), turn, "Worded", value_of, (words,))
    (tmp_path / "worded.json").write_text(recipe.to_text())
    open_file(page, tmp_path / "worded.json", "Worded")
    page.click("#panel-body [data-do=run-recipe]")
    field = page.locator(".batch-words-field textarea")
    expect(field).to_have_value(words)
    field.fill("Make it grey")
    choose(page, "#batch-files", photos[1:2])
    page.click("#batch-start")
    expect(page.locator("#batch-rows .batch-result img")).to_have_count(1)
    address = page.locator("#batch-rows .batch-result").get_attribute("href") or ""
    shown = page.request.get(page.url.split("?")[0].rstrip("/") + address)
    with PIL.Image.open(io.BytesIO(shown.body())) as made:
        red, green, blue = made.convert("RGB").getpixel((50, 50))  # type: ignore[misc]
    assert red == green == blue
