"""Files in the page: called by name, named anew, searched, downloaded with how they were made; a
document with a page to point at; a phone's photo."""

from __future__ import annotations

import io
import json
import zipfile

import PIL.Image
import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ask, attach
from tests.resources.made_documents import pdf


@pytest.mark.long
def test_like_names_are_told_apart_and_whole_for_who_hears_them(page: Page, cat, tmp_path):
    long = "a view of the harbour in the evening from the northern pier"
    for number in (1, 2):
        copied = tmp_path / f"{long} {number}.jpg"
        copied.write_bytes(cat.read_bytes())
        attach(page, copied)
    first, second = page.locator("#chips .name-cut").all_inner_texts()
    assert first != second and first.startswith("a view") and first.endswith("pier 1.jpg")
    item = page.locator(f'.tray-item[data-value="{long} 2.jpg"]')
    expect(item.locator(".name-cut")).to_contain_text("pier 2.jpg")
    expect(item.locator(".name-cut")).to_have_attribute("aria-hidden", "true")
    assert item.locator(".name-whole").bounding_box()["width"] <= 1
    item.locator(".tray-look").focus()
    expect(item.locator(".name-cut")).to_be_hidden()
    assert item.locator(".name-whole").bounding_box()["width"] > 100


def test_files_are_named_called_searched_and_taken_home(page: Page, cat, tmp_path):
    attach(page, cat)
    ask(page, "Get the canny edges of the picture")
    tray = page.locator("#tray")
    expect(tray.get_by_role("heading", name="Results")).to_be_visible()
    made = tray.locator('.tray-item[data-value="chelsea canny edges.png"]')
    expect(made).to_be_visible()
    # Named anew, by keyboard alone.
    made.locator(".tray-look").focus()
    page.keyboard.press("F2")
    expect(page.locator("#asking")).to_be_visible()
    page.keyboard.type("cat outlines")
    page.keyboard.press("Enter")
    expect(tray.locator('.tray-item[data-value="cat outlines.png"]')).to_be_visible()
    expect(page.locator(".toast")).to_contain_text("is now called cat outlines.png")
    expect(page.locator(".turn .answer")).to_contain_text("cat outlines.png")
    # A name that is taken is refused, and nothing of it is lost.
    tray.locator('.tray-item[data-value="chelsea.jpg"] [data-do=rename-file]').click()
    page.fill("#asking-field", "")
    page.keyboard.press("Enter")
    expect(page.locator("#asking")).to_be_visible()
    page.fill("#asking-field", "...")
    page.keyboard.press("Enter")
    expect(page.locator("#asking-problem")).to_contain_text("at least a letter")
    page.keyboard.press("Escape")
    # Called by its name in the next request.
    page.locator("#words").press_sequentially("Describe @cat o")
    option = page.get_by_role("option", name="cat outlines.png")
    expect(option).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#words")).to_have_value("Describe @cat outlines.png ")
    expect(page.locator("#chips .chip")).to_have_count(1)
    page.click("#send")
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
def test_a_document_is_asked_and_one_of_its_pages_pointed_at(page: Page, tmp_path):
    path = pdf(
        tmp_path / "bridge report.pdf",
        ["The bridge over the Tay was\nopened in 1966.", "Its towers are painted grey."],
    )
    attach(page, path)
    item = page.locator('#tray .tray-item[data-value="bridge report.pdf"]')
    expect(item).to_contain_text("2 pages")
    expect(item.locator("img")).to_have_js_property("complete", True)
    ask(page, "When was the bridge opened?")
    expect(page.locator(".turn .answer").first).to_contain_text("1966")
    item.locator(".tray-look").click()
    expect(page.locator("#viewer pre")).to_contain_text("Its towers are painted grey.")
    page.get_by_role("button", name="Use page 2 as a picture").click()
    expect(page.locator("#viewer-title")).to_have_text("bridge report page 2.png")
    page.click("#viewer-pick")
    picture = page.locator("#picker img").first
    expect(picture).to_be_visible()
    box = picture.bounding_box()
    assert box is not None and box["height"] > box["width"]
    page.keyboard.press("Escape")
    with page.expect_download() as waiting:
        item.get_by_role("link", name="Download").click()
    assert waiting.value.path().read_bytes() == path.read_bytes()


@pytest.mark.long
def test_words_name_pages_of_a_document(page: Page, tmp_path):
    path = pdf(tmp_path / "bridge.pdf", ["The bridge.", "Its towers are painted grey."])
    attach(page, path)
    ask(page, "The last page as a picture, please.")
    expect(page.locator(".turn .answer").last).to_have_text("Page 2 of bridge.pdf.")
    page.reload()
    page.wait_for_selector("#app[data-ready=true]")
    shown = page.locator(".turn .results .media")
    expect(shown).to_have_count(1)
    expect(shown.locator(".media-name")).to_have_text("bridge page 2.png")
    expect(page.locator('#tray .tray-item[data-value="bridge page 2.png"]')).to_be_visible()
    ask(page, "Read the text on the second page.")
    expect(page.locator(".turn .answer").last).to_contain_text("towers")
    ask(page, "Describe page 7.", "failed")
    expect(page.locator(".turn .failure")).to_have_text("bridge.pdf has no page 7: it has 2 pages.")


@pytest.mark.long
def test_a_photo_of_a_phone_is_shown_and_worked_on(page: Page, cat, tmp_path):
    import pillow_heif

    with PIL.Image.open(cat) as photo:
        pillow_heif.from_pillow(photo).save(tmp_path / "IMG_0042.HEIC", quality=90)
    attach(page, tmp_path / "IMG_0042.HEIC")
    shown = page.locator('#tray .tray-item[data-value="IMG_0042.jpg"] img')
    expect(shown).to_be_visible()
    page.wait_for_function("image => image.naturalWidth > 0", arg=shown.element_handle())
    ask(page, "Get the edges of the picture")
    expect(page.locator('#tray .tray-item[data-value="IMG_0042 edges.png"]')).to_be_visible()


@pytest.mark.long
def test_what_came_on_the_way_is_folded_away(page: Page, cat):
    attach(page, cat)
    ask(page, "Cut out the cat")
    expect(page.locator('.results [data-value="cat cut out.png"]').first).to_be_visible()
    fold = page.locator(".turn .on-the-way")
    expect(fold.locator(".chip").first).to_be_hidden()
    fold.locator("summary").click()
    expect(fold.locator(".chip").first).to_be_visible()
    way = page.locator("#tray details", has_text="On the way")
    expect(way.locator(".tray-item").first).to_be_hidden()
