"""Files in the page: called by name, named anew, searched, downloaded with how they were made; a
document with a page to point at; a phone's photo."""

from __future__ import annotations

import io
import json
import zipfile

import PIL.Image
import pillow_heif
import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ask, attach, shows
from tests.resources.made_documents import pdf


def test_files_are_named_called_searched_and_taken_home(page: Page, cat, tmp_path):
    attach(page, cat)
    ask(page, "Get the canny edges of the picture")
    shows(page, "Files")
    tray = page.locator("#files")
    expect(tray.get_by_role("heading", name="Results")).to_be_visible()
    made = tray.locator('.tray-item[data-value="chelsea canny edges.png"]')
    expect(made).to_be_visible()
    # Named anew, by keyboard alone.
    made.locator(".tray-look").focus()
    page.keyboard.press("F2")
    field = page.locator("#naming-field")
    expect(field).to_be_focused()
    page.keyboard.type("cat outlines")
    page.keyboard.press("Enter")
    expect(tray.locator('.tray-item[data-value="cat outlines.png"]')).to_be_visible()
    expect(page.locator(".toast-body").last).to_contain_text("is now called cat outlines.png")
    expect(page.locator(".turn .answer")).to_contain_text("cat outlines.png")
    # A name that is none is refused, and what was typed is not lost.
    tray.locator('.tray-item[data-value="chelsea.jpg"] [data-do=rename-file]').click()
    expect(field).to_be_focused()
    field.fill("...")
    page.keyboard.press("Enter")
    expect(page.locator(".toast-body").last).to_contain_text("at least a letter")
    expect(field).to_have_value("...")
    page.keyboard.press("Escape")
    # Said to be of another kind, and of its own again.
    kind = tray.locator('.tray-item[data-value="chelsea.jpg"] select')
    own = kind.input_value()
    other = kind.locator("option:not(:checked)").first.get_attribute("value") or ""
    for value in (other, own):
        kind.select_option(value)
        expect(
            tray.locator(f'.tray-item[data-value="chelsea.jpg"][data-type="{value}"]')
        ).to_be_visible()
    # Called by its name in the next request.
    words = page.locator("#words textarea")
    words.press_sequentially("Describe @cat o")
    option = page.get_by_role("option", name="cat outlines.png")
    expect(option).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(words).to_have_value("Describe @cat outlines.png ")
    expect(page.locator("#attachments .chip")).to_have_count(1)
    words.press("Enter")
    page.locator(".turn[data-state=answered]").nth(1).wait_for()
    expect(page.locator(".turn").nth(1).get_by_role("img", name="cat outlines.png")).to_be_visible()
    # Searched.
    page.fill("#files-search", "OUTLINES.png")
    expect(tray.locator(".tray-item:visible")).to_have_count(1)
    page.fill("#files-search", "zebra")
    expect(tray.locator(".no-match")).to_be_visible()
    page.fill("#files-search", "")
    # Taken home.
    with page.expect_download() as waiting:
        tray.get_by_role("link", name="All as ZIP").click()
    content = waiting.value.path().read_bytes()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        assert {"report.html", "provenance.json", "files/cat outlines.png"} <= set(names)
        assert PIL.Image.open(archive.open("files/cat outlines.png")).size == (451, 300)
        facts = {
            item["name"]: item for item in json.loads(archive.read("provenance.json"))["files"]
        }
        edges = facts["cat outlines.png"]
        assert (edges["tool"], edges["runtime"], edges["version"]) == (
            "image_to_canny",
            "embedded",
            "1",
        )
        assert edges["inputs"] == ["chelsea.jpg"] and edges["seconds"] is not None and edges["time"]
        report = tmp_path / "report.html"
        report.write_bytes(archive.read("report.html"))
    reader = page.context.browser.new_page()
    wanted: list[str] = []
    reader.on("request", lambda request: wanted.append(request.url))
    reader.goto(report.as_uri())
    expect(reader.locator("svg.plan")).to_have_count(2)
    expect(reader.get_by_role("heading", name="Request 1")).to_be_visible()
    expect(reader.locator("ul.files").first).to_contain_text("Image to canny")
    assert [url for url in wanted if not url.startswith(("file:", "data:"))] == []
    reader.close()


@pytest.mark.long
def test_a_document_is_asked_and_its_pages_are_called_and_pointed_at(page: Page, tmp_path):
    path = pdf(
        tmp_path / "bridge report.pdf",
        ["The bridge over the Tay was\nopened in 1966.", "Its towers are painted grey."],
    )
    attach(page, path)
    ask(page, "When was the bridge opened?")
    expect(page.locator(".turn .answer").first).to_contain_text("1966")
    shows(page, "Files")
    item = page.locator('#files .tray-item[data-value="bridge report.pdf"]')
    expect(item).to_contain_text("2 pages")
    expect(item.locator("img")).to_have_js_property("complete", True)
    item.locator(".tray-look").click()
    panel = page.locator("dialog[open]")
    expect(panel.locator("pre")).to_contain_text("Its towers are painted grey.")
    page.get_by_role("button", name="Use page 2 as a picture").click()
    expect(panel.get_by_role("heading")).to_have_text("bridge report page 2.png")
    panel.locator("[data-do=pick]").click()
    page.wait_for_function("document.querySelector('.picker-sheet')?.style.width")
    box = page.locator(".picker-picture").bounding_box()
    assert box is not None and box["height"] > box["width"]
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    with page.expect_download() as waiting:
        item.get_by_role("link", name="Download").click()
    assert waiting.value.path().read_bytes() == path.read_bytes()
    # Words name pages too.
    ask(page, "The last page as a picture, please.")
    expect(page.locator(".turn .answer").last).to_have_text("Page 2 of bridge report.pdf.")
    page.reload()
    shown = page.locator(".turn").last.locator(".results .media")
    expect(shown).to_have_count(1)
    expect(shown.locator(".media-name")).to_contain_text("bridge report page 2")
    ask(page, "Read the text on the second page.")
    expect(page.locator(".turn .answer").last).to_contain_text("towers")
    ask(page, "Describe page 7.", "failed")
    failure = page.locator(".turn .failure")
    expect(failure).to_have_text("bridge report.pdf has no page 7: it has 2 pages.")


@pytest.mark.long
def test_a_phone_s_photo_is_worked_on_and_what_came_on_the_way_is_folded(page: Page, cat, tmp_path):
    long = "a view of the harbour in the evening from the northern pier"
    copied = tmp_path / f"{long} 1.heic"
    with PIL.Image.open(cat) as photo:
        pillow_heif.from_pillow(photo).save(copied, quality=90)
    attach(page, copied)
    ask(page, "Cut out the cat")
    shows(page, "Files")
    # A long name is cut in its middle for the eye, and whole for who hears it or reaches it by key.
    item = page.locator(f'#files .tray-item[data-value="{long} 1.jpg"]')
    expect(item.locator("img")).to_be_visible()
    assert item.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)")
    expect(item.locator(".name-cut")).to_contain_text("pier 1.jpg")
    expect(item.locator(".name-cut")).to_have_attribute("aria-hidden", "true")
    assert item.locator(".name-whole").bounding_box()["width"] <= 1
    item.locator(".tray-look").focus()
    expect(item.locator(".name-cut")).to_be_hidden()
    assert item.locator(".name-whole").bounding_box()["width"] > 100
    expect(page.locator(".results figure img").first).to_be_visible()
    fold = page.locator(".turn .on-the-way")
    expect(fold.locator(".chip").first).to_be_hidden()
    fold.locator("summary").click()
    expect(fold.locator(".chip").first).to_be_visible()
    way = page.locator("#files details", has_text="On the way")
    expect(way.locator(".tray-item").first).to_be_hidden()
