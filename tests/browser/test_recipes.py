"""A plan is kept, put to ten photos, stopped, gone on with, taken along, handed on, found again."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path

import PIL.Image
import PIL.ImageEnhance
import pytest

from controlllm.layout import ASSETS
from controlllm.recipes import recipe_of, travelling
from tests.browser.steps import HELD, ask, attach, opened
from tests.recipes.made import pointed_turn, session_of, value_of
from tests.recipes.test_travelling import FILES

EXAMPLES = ASSETS / "examples"


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
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


def keep(page, name):
    page.click("[data-do=keep-recipe]")
    page.fill("#recipe-name", name)
    page.click("#recipe-form [type=submit]")
    page.locator(f".recipe h4:text-is('{name}')").wait_for()


def run(page, paths):
    page.click("#recipes [data-do=run-recipe]")
    if paths:
        page.set_input_files("#batch-files", [str(path) for path in paths])
    page.click("#batch-form [type=submit]")


def downloaded(page, selector):
    with page.expect_download() as coming:
        page.click(selector)
    return coming.value


@pytest.mark.long
def test_a_plan_is_run_on_ten_photos_and_its_results_carry_it(
    page, new_context, address, photos, tmp_path
):
    attach(page, EXAMPLES / "coffee.jpg")
    ask(page, "Turn it upside down")
    keep(page, "Upside down")
    run(page, photos)

    # The broken one fails apart, with its reason; the others are done.
    page.locator("#batch-rows .batch-row.is-done").nth(8).wait_for()
    failed = page.locator("#batch-failed .batch-row")
    assert failed.count() == 1 and "broken.jpg is damaged" in failed.inner_text()
    head = page.locator("#batch-head")
    head.get_by_text("9 of 10 done, 1 failed. Finished.").wait_for()
    assert page.locator("#batch-rows .batch-result img").count() == 9
    # They do not flood the conversation's files.
    assert page.locator("#tray .tray-item").count() == 2

    taken = zipfile.ZipFile(downloaded(page, "#batch a[href$=zip]").path())
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
    page.click("#batch [data-do=close]")
    line = page.get_by_role("region", name="Batch: Upside down")
    line.get_by_text("9 of 10 done, 1 failed. Finished.").wait_for()
    page.reload()
    page.wait_for_selector("#app[data-ready=true]")
    line.get_by_text("9 of 10 done, 1 failed. Finished.").wait_for()
    assert line.evaluate("line => line.previousElementSibling.matches('.turn')")
    assert zipfile.ZipFile(downloaded(page, ".batch-line a[href$=zip]").path()).namelist()
    entry = page.locator("#tray .tray-batch")
    entry.get_by_role("button", name="Open the table: Upside down").click()
    page.locator("#batch-failed .batch-row").wait_for()

    # Saved as a file, and opened by somebody else.
    page.click("#batch [data-do=close]")
    page.click("[data-do=recipes]")
    page.click("#recipes .recipe summary")
    for kind, words in (("svg", "<svg"), ("python", "run_recipe"), ("json", '"controlllm-recipe"')):
        saved = downloaded(page, f"#recipes a[href$='as={kind}']")
        saved.save_as(tmp_path / saved.suggested_filename)
        assert words in (tmp_path / saved.suggested_filename).read_text()
    drawn = downloaded(page, "#recipes [data-do=recipe-png]")
    assert drawn.suggested_filename == "Upside down.png"
    drawn.save_as(tmp_path / "drawn.png")
    with PIL.Image.open(tmp_path / "drawn.png") as picture:
        # Boxes and words in several colours, not an empty sheet.
        assert picture.width > 400 and len(picture.convert("RGB").getcolors(1 << 20) or ()) > 8
    other = opened(new_context(), address)
    other.click("[data-do=recipes]")
    other.locator("#recipes-body").get_by_text("No recipes yet").wait_for()
    with other.expect_file_chooser() as chooser:
        other.click("#recipes [data-do=open-recipe]")
    chooser.value.set_files(tmp_path / "Upside down.json")
    other.click("[data-do=keep-look]")
    other.locator(".recipe h4:text-is('Upside down')").wait_for()

    # What is told while a dialog is open lies before it; what is asked back gives the focus back.
    told = other.locator("#recipes #toasts .toast", has_text="Upside down")
    assert told.evaluate(
        "note => { const {x, y} = note.getBoundingClientRect();"
        " return note.contains(document.elementFromPoint(x + 20, y + 10)); }"
    )
    deleting = other.get_by_role("button", name="Delete: Upside down")
    deleting.press("Enter")
    assert other.evaluate("document.activeElement.id") == "asking-cancel"
    other.keyboard.press("Enter")
    assert deleting.evaluate("button => button === document.activeElement")
    other.click("#recipes [data-do=rename-recipe]")
    other.fill("#asking-field", "Topsy-turvy")
    other.keyboard.press("Enter")
    other.locator(".recipe h4:text-is('Topsy-turvy')").wait_for()
    assert other.evaluate("document.activeElement.dataset.do") == "rename-recipe"
    other.click("#recipes [data-do=delete-recipe]")
    other.click("#asking-do")
    other.locator("#recipes-body").get_by_text("No recipes yet").wait_for()
    other.click("#recipes [data-do=close]")

    # A result that is dropped offers the plan that made it; what somebody changed in it is told.
    page.click("#recipes [data-do=close]")
    result = tmp_path / "result.png"
    downloaded(page, "#turns figcaption a[download]").save_as(result)
    attach(other, result)
    other.get_by_role("button", name="Use the plan in this file").click()
    other.locator("#recipe .recipe-picture svg").wait_for()
    other.locator("#recipe-body").get_by_text("It was made for: “Turn it upside down”").wait_for()
    other.click("#recipe [data-do=close]")
    text = travelling.read(result)
    assert "coffee" not in text
    # So does a sound whose tag carries it.
    (tmp_path / "plain.mp3").write_bytes(FILES["fourth.mp3"])
    travelling.write(tmp_path / "plain.mp3", tmp_path / "carries.mp3", text)
    attach(other, tmp_path / "carries.mp3")
    offer = other.locator(".carried", has_text="carries.mp3")
    offer.get_by_role("button", name="Use the plan in this file").click()
    other.locator("#recipe .recipe-picture svg").wait_for()
    other.click("#recipe [data-do=close]")
    changed = json.loads(text)
    changed["plan"]["subtasks"][0]["solutions"][0]["actions"][0]["tool"] = "rm_rf"
    travelling.write(result, tmp_path / "changed.png", json.dumps(changed))
    attach(other, tmp_path / "changed.png")
    other.get_by_text("Step 0.0.0: There is no tool called 'rm_rf' here.").wait_for()


@pytest.fixture
def held():
    """Where a file has to lie that lets one picture ripen and holds the others."""
    yield HELD
    for path in (HELD, Path(f"{HELD}, one")):
        path.unlink(missing_ok=True)


def test_a_batch_is_stopped_loaded_again_and_gone_on_with(page, photos, held):
    attach(page, EXAMPLES / "coffee.jpg")
    ask(page, "Ripen the picture")
    keep(page, "Slow")
    held.touch()
    run(page, photos[1:6])
    page.locator("#batch-rows .batch-row.is-done").first.wait_for()
    page.click("#batch [data-do=close]")
    page.click(".batch-line[data-state=running] [data-do=stop-batch]")
    page.locator(".batch-line").get_by_text("Stopped. What is done is kept").wait_for()
    page.click(".batch-line [data-do=open-batch]")
    page.locator("#batch-head").get_by_text("Stopped. What is done is kept").wait_for()
    done = page.locator("#batch-rows .batch-row.is-done").count()
    assert done == 1
    held.unlink()
    page.reload()
    page.wait_for_selector("#app[data-ready=true]")
    page.click("[data-do=recipes]")
    page.click("#recipes [data-do=open-batch]")
    page.locator("#batch [data-do=go-on-batch]").wait_for()
    assert page.locator("#batch-rows .batch-row.is-done").count() == done
    page.click("#batch [data-do=go-on-batch]")
    # The words of a request can be typed while it works.
    page.click("#batch [data-do=close]")
    page.locator("#batch-state").wait_for()
    page.fill("#words", "meanwhile")
    page.click("[data-do=recipes]")
    page.click("#recipes [data-do=open-batch]")
    page.locator("#batch-rows .batch-row.is-done").nth(4).wait_for()
    page.locator("#batch-head").get_by_text("5 of 5 done. Finished.").wait_for()


@pytest.mark.long
def test_what_is_pointed_at_is_asked_for_in_each_picture(page, photos, tmp_path):
    turn = pointed_turn()
    recipe = recipe_of(session_of(turn), turn, "Cut out", value_of)
    (tmp_path / "cut.json").write_text(recipe.to_text())
    with page.expect_file_chooser() as chooser:
        page.click("[data-do=recipes]")
        page.click("#recipes [data-do=open-recipe]")
    chooser.value.set_files(tmp_path / "cut.json")
    page.click("[data-do=keep-look]")
    page.click("#recipes [data-do=run-recipe]")
    page.set_input_files("#batch-files", [str(photos[1]), str(photos[2])])
    page.check("#batch-form [value=anew]")
    page.click("#batch-form [type=submit]")
    page.locator("[data-do=point-item]").nth(1).wait_for()
    # By keyboard: the cross is moved, and Enter takes it; then with a click.
    page.locator("[data-do=point-item]").first.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.locator("#batch-rows .batch-row.is-done").wait_for()
    page.click("[data-do=point-item]")
    page.click(".batch-sheet")
    page.locator("#batch-rows .batch-row.is-done .batch-result").nth(1).wait_for()
