"""Tools from elsewhere: added, looked at, corrected, tried, asked for and removed."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.faults import Faults
from tests.browser.steps import ask, closed, in_tab, opened
from tests.sources.application import Served
from tests.sources.town import town_served


def tool(page: Page, name: str) -> Locator:
    shown = page.locator(f"#sources .source-tool[data-tool={name}]")
    shown.locator("summary").click()
    expect(shown.locator("select").first).to_be_visible()
    return shown


def add(page: Page, address: str, name: str, local: bool = True) -> None:
    """Fill in the form, and have it sent."""
    page.get_by_label("Address or file").fill(address)
    page.get_by_label("What to call it").fill(name)
    page.locator("#source-local input").set_checked(local)
    page.get_by_role("button", name="Add its tools").click()


def removed(page: Page, name: str) -> None:
    """Remove the only tools from elsewhere that there are."""
    page.get_by_role("button", name="Remove these tools").click()
    asked = page.locator("dialog.asking")
    asked.get_by_role("button", name="Remove these tools").click()
    expect(page.locator("#sources-status")).to_have_text(f"{name} was removed.")
    expect(page.locator("#sources .source")).to_have_count(0)


@pytest.mark.long
def test_tools_from_elsewhere_are_added_corrected_tried_and_removed(
    page: Page, tmp_path: Path
) -> None:
    served = Served()
    document = json.loads(urllib.request.urlopen(f"{served.url}/openapi.json").read())
    document["paths"] = {path: said for path, said in document["paths"].items() if "film" in path}
    path = tmp_path / "Film facts.json"
    path.write_text(json.dumps(document), "utf-8")
    page.click("#toolbox")
    in_tab(page, "Tools from elsewhere")
    said = page.locator("#sources-status")
    address = page.get_by_label("Address or file")
    address.fill("ftp://example.com/api")
    page.get_by_role("button", name="Add its tools").click()
    expect(said.get_by_role("alert")).to_contain_text("http and https")
    address.fill("https://example.com/openapi.json")
    expect(said).not_to_contain_text("http and https")
    page.locator("input[type=file][accept*=yaml]").set_input_files(str(path))
    expect(address).to_have_value("Film facts.json")
    page.get_by_label("What to call it").fill("films")
    page.get_by_label("Where to ask, if the document does not say").fill(served.url)
    page.keyboard.press("Enter")
    expect(said).to_contain_text("tick that and add it again")
    page.get_by_label("It is on this computer or on a network of mine").check()
    page.get_by_role("button", name="Add its tools").click()
    expect(said).to_have_text("films was added. Its tools are used from now on.")
    page.locator("#sources .source > summary").first.click()
    plot = tool(page, "film_plot")
    expect(plot.locator("select").first).to_have_value("films.film/id")
    plot.locator("[data-value=film_id]").fill("100")
    plot.get_by_role("button", name="Try it").press("Enter")
    expect(plot.locator(".tried")).to_contain_text("The plot of Metropolis.")
    expect(plot.locator("summary .badge")).to_have_text("tried")
    plot.locator("select").first.focus()
    plot.locator("select").first.select_option("text")
    expect(plot).to_contain_text("You said so. (100% sure)")
    expect(plot.locator("select").first).to_be_focused()
    plot.get_by_label("It does what cannot be taken back").check()
    plot.locator("[data-acts=true]").click()
    asked = page.locator("dialog.asking")
    expect(asked).to_contain_text("This may do what cannot be taken back.")
    page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    in_tab(page, "Tools")
    page.get_by_label("Search the tools").fill("film plot")
    expect(page.locator("#toolbox-list .tool-card").first).to_have_id("tool-films_film_plot")
    in_tab(page, "Tools from elsewhere")
    closed(page)
    # Since it may do what cannot be taken back, it waits for a yes to just what it is given: first
    # the words, then the film's number that was found for them.
    ask(page, "What is the plot of the film Metropolis?")
    for given in ("Metropolis", "100"):
        expect(page.locator(".question")).to_contain_text(f"It is given film id: “{given}”")
        page.get_by_role("button", name="Do it", exact=True).click()
    expect(page.locator(".answer")).to_contain_text("The plot of Metropolis")
    page.click("#toolbox")
    in_tab(page, "Tools from elsewhere")
    removed(page, "films")
    served.close()


@pytest.mark.long
def test_what_cannot_be_added_is_said_and_that_a_server_only_reads_is_ticked(page: Page) -> None:
    page.click("#toolbox")
    in_tab(page, "Tools from elsewhere")
    status = page.locator("#sources-status")
    served = Served()
    for address, local, said in (
        (f"{served.url}/openapi.json", False, "not on the public network"),
        (f"{served.url}/none.json", True, "the answer is 404"),
        ("http://169.254.169.254/openapi.json", True, "is not asked"),
        ("http://127.0.0.1:9/openapi.json", True, "Port 9 of 127.0.0.1 is not asked"),
        ("/nowhere/api.yaml", False, "There is no file"),
    ):
        add(page, address, "other", local)
        expect(status).to_contain_text(said)
    page.locator("#source-secrets input").fill("header=sk-canary-1")
    add(page, f"{served.url}/openapi.json", "other")
    expect(status).to_contain_text("A secret is given by its name")
    expect(status).not_to_contain_text("canary")
    page.locator("#source-secrets input").fill("")
    served.close()
    reads = page.get_by_label("Nothing it offers does what cannot be taken back")
    with town_served() as address:
        for only_reads in (False, True):
            reads.set_checked(only_reads)
            add(page, f"mcp+{address}", "town")
            expect(status).to_contain_text("town was added.")
            expect(reads).not_to_be_checked()
            # Drawn anew: the fold that was opened the first time is closed.
            expect(page.locator("#sources .source:not([open])")).to_have_count(1)
            page.locator("#sources .source > summary").click()
            order = tool(page, "order_book")
            acts = order.get_by_label("It does what cannot be taken back")
            expect(acts).to_be_checked(checked=not only_reads)
        removed(page, "town")


@pytest.mark.long
def test_records_that_came_are_read_as_tables_and_taken_as_they_came(
    new_context: Callable[..., BrowserContext], address: str
) -> None:
    context = new_context()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = opened(context, address)
    served = Served()
    page.click("#toolbox")
    in_tab(page, "Tools from elsewhere")
    add(page, f"{served.url}/openapi.json", "facts")
    expect(page.locator("#sources-status")).to_contain_text("facts was added.")
    expect(page.locator("#sources .source-tool")).to_have_count(200)
    closed(page)
    ask(page, "List the films")
    shown = page.locator(".answer .records")
    expect(shown.locator("thead th")).to_have_text(["Id", "Name", "Director"])
    expect(shown.get_by_role("row", name="101 Nosferatu director of Nosferatu")).to_be_visible()
    expect(page.locator(".answer")).not_to_contain_text("\\[")
    # The text stays within reach: by the keyboard, to copy, and as a file.
    shown.locator(".records-foot summary").press("Enter")
    expect(shown.locator("pre")).to_contain_text('"name": "Nosferatu"')
    shown.get_by_role("button", name="Copy").press("Enter")
    expect(page.get_by_text("Copied as it came.").first).to_be_visible()
    taken = json.loads(page.evaluate("navigator.clipboard.readText()"))
    assert [film["id"] for film in taken["items"]] == [100, 101, 102]
    faults = Faults(page)
    faults.look_everywhere("records")
    faults.check()
    # The same person in Arabic, on a phone: read from right to left, the figures stay.
    arab = new_context(locale="ar", viewport={"width": 390, "height": 844})
    arab.add_cookies(context.cookies())
    other = opened(arab, f"{address}/{page.evaluate('location.search')}")
    table = other.locator(".answer .records")
    expect(table.locator(".records-foot summary")).to_have_text("كما وصل (JSON)")
    first, second = (table.locator("thead th").nth(place).bounding_box() for place in (0, 1))
    assert first is not None and second is not None and first["x"] > second["x"]
    assert not other.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.click("#toolbox")
    in_tab(page, "Tools from elsewhere")
    removed(page, "facts")
    served.close()
