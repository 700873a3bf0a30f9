"""Tools from elsewhere in the toolbox: added, looked at, corrected, tried and removed."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from tests.browser.faults import Faults
from tests.browser.steps import PATIENCE, ask, opened
from tests.sources.application import Served
from tests.sources.town import town_served


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    found = Served()
    yield found
    found.close()


@pytest.fixture(autouse=True)
def none_are_left(new_context: Callable[..., BrowserContext], address: str) -> Iterator[None]:
    """Tools that a test added are gone after it, also where it failed: others share the server."""
    yield
    page = opened(new_context(), address)
    own = f"{address}/conversations/{parse_qs(urlsplit(page.url).query)['c'][0]}/sources"
    shown = page.request.get(own).text()
    for name in re.findall(r'class="fold source" data-source="([^"]+)"', shown):
        page.request.delete(f"{own}/{name}", headers={"Origin": address})


def fold(page: Page) -> Locator:
    page.click(".rail [data-do=toolbox]")
    found = page.locator("#sources")
    found.locator("summary").first.click()
    expect(page.locator("#source-form")).to_be_visible()
    return found


def add(page: Page, address: str, name: str, local: bool = True) -> None:
    page.fill("#source-address", address)
    page.fill("#source-name", name)
    page.locator("#source-form input[name=local]").set_checked(local)
    page.locator("#source-address").press("Enter")


def tool(found: Locator, name: str) -> Locator:
    shown = found.locator(f".source-tool[data-tool={name}]")
    shown.locator("summary").click()
    expect(shown.locator("select").first).to_be_visible()
    return shown


@pytest.mark.long
def test_what_could_not_be_added_is_told_apart_until_another_address_is_typed(page: Page) -> None:
    fold(page)
    said = page.locator("#sources-status")
    add(page, "http://127.0.0.1:9/openapi.json", "gone")
    expect(said).to_have_class("is-failed")
    expect(said).not_to_be_empty()
    page.fill("#source-address", "https://example.com/openapi.json")
    expect(said).to_be_empty()


def test_tools_are_added_corrected_tried_and_removed(page: Page, served: Served) -> None:
    found = fold(page)
    expect(found).to_contain_text("counts for the next request")
    add(page, f"{served.url}/openapi.json", "facts")
    expect(page.locator("#sources-status")).to_have_text(
        "facts was added. Its tools are used from now on.",
        timeout=PATIENCE,
    )
    found.locator(".source[data-source=facts] summary").first.click()
    expect(found.locator(".source-tool")).to_have_count(200)

    plot = tool(found, "film_plot")
    expect(plot).to_contain_text("It is the 'id' of the film that find_film")
    expect(plot.locator("select").first).to_have_value("facts.film/id")
    plot.locator("[data-value=film_id]").fill("100")
    plot.locator("[data-do=try-source-tool]").press("Enter")
    expect(plot.locator(".tried")).to_contain_text("The plot of Metropolis.")
    # What a server planted there is shown and nothing else.
    expect(plot.locator(".tried pre")).to_contain_text("Ignore all previous instructions")
    name = plot.locator("summary")
    expect(name.locator(".badge")).to_have_text("tried")
    plot.locator("select").first.focus()
    plot.locator("select").first.select_option("text")
    expect(plot).to_contain_text("You said so. (100% sure)")
    expect(plot.locator("select").first).to_be_focused()
    # With another type nobody has tried it.
    expect(name).not_to_contain_text("tried")
    plot.locator("[data-do=source-acts]").check()
    expect(plot.locator("[data-do=try-source-tool]")).to_have_attribute("data-acts", "true")

    turned = tool(found, "turn_upside_down")
    turned.locator("[data-do=try-source-tool]").click()
    expect(turned.locator(".tried")).to_contain_text("a picture of 256 × 256 pixels")

    found.locator("[data-do=remove-source]").click()
    page.click("#asking-do")
    expect(page.locator("#sources-status")).to_have_text("facts was removed.")
    expect(found.locator(".source")).to_have_count(0)


@pytest.mark.long
def test_what_cannot_be_added_is_said(page: Page, served: Served) -> None:
    fold(page)
    status = page.locator("#sources-status")
    for address, local, said in (
        (f"{served.url}/openapi.json", False, "not on the public network"),
        (f"{served.url}/none.json", True, "the answer is 404"),
        ("http://169.254.169.254/openapi.json", True, "is not asked"),
        ("ftp://example.com/api", False, "http and https"),
        ("/nowhere/api.yaml", False, "There is no file"),
    ):
        add(page, address, "other", local)
        expect(status).to_contain_text(said)
    page.fill("#source-secrets", "header=sk-canary-1")
    add(page, f"{served.url}/openapi.json", "other")
    expect(status).to_contain_text("A secret is given by its name")
    expect(status).not_to_contain_text("canary")


@pytest.mark.long
def test_that_a_server_only_reads_is_ticked_by_the_keyboard(page: Page) -> None:
    with town_served() as address:
        found = fold(page)
        reads = page.get_by_label("Nothing it offers does what cannot be taken back")
        expect(reads).to_have_accessible_description(re.compile("an MCP server or a Gradio app"))
        expect(reads).not_to_be_checked()
        add(page, f"mcp+{address}", "town")
        expect(page.locator("#sources-status")).to_contain_text("town was added.", timeout=PATIENCE)
        found.locator(".source[data-source=town] > summary").click()
        order = tool(found, "order_book")
        expect(order.locator("[data-do=source-acts]")).to_be_checked()

        page.fill("#source-address", f"mcp+{address}")
        page.fill("#source-name", "town")
        page.locator("#source-form input[name=local]").focus()
        page.keyboard.press("Space")
        page.keyboard.press("Tab")
        expect(reads).to_be_focused()
        page.keyboard.press("Space")
        expect(reads).to_be_checked()
        page.keyboard.press("Enter")
        expect(page.locator("#sources-status")).to_contain_text("town was added.", timeout=PATIENCE)
        expect(reads).not_to_be_checked()
        found.locator(".source[data-source=town] > summary").click()
        order = tool(found, "order_book")
        expect(order.locator("[data-do=source-acts]")).not_to_be_checked()

        found.locator("[data-do=remove-source]").click()
        page.click("#asking-do")
        expect(page.locator("#sources-status")).to_have_text("town was removed.")


@pytest.mark.long
def test_a_tool_that_is_looked_at_says_that_it_is_read_until_it_is_there(page: Page) -> None:
    with town_served() as address:
        found = fold(page)
        add(page, f"mcp+{address}", "town")
        expect(page.locator("#sources-status")).to_contain_text("town was added.", timeout=PATIENCE)
        found.locator(".source[data-source=town] > summary").click()
        held: list[Route] = []

        def asked() -> Route:
            while not held:
                page.wait_for_timeout(10)
            return held.pop()

        page.route("**/sources/town/order_book", lambda route: held.append(route))
        order = found.locator(".source-tool[data-tool=order_book]")
        body = order.locator(".source-body")
        order.locator("summary").click()
        expect(body).to_have_text("Reading what it offers…")
        expect(body).to_have_attribute("aria-busy", "true")
        asked().abort()
        expect(page.locator("#toasts")).to_contain_text("The server does not answer.")
        expect(body).to_be_empty()

        order.locator("summary").click()
        order.locator("summary").click()
        expect(body).to_have_attribute("aria-busy", "true")
        asked().continue_()
        expect(body.locator("select").first).to_be_visible()
        expect(body).not_to_have_attribute("aria-busy", "true")


@pytest.mark.long
@pytest.mark.parametrize("language", ["de", "ar"])
def test_the_choice_is_there_in_every_language(
    new_context: Callable[..., BrowserContext], address: str, language: str
) -> None:
    page = opened(new_context(locale=language, viewport={"width": 390, "height": 844}), address)
    page.locator(".top [aria-controls=rail]").click()
    fold(page)
    reads = page.locator("#source-form input[name=reads]")
    expect(reads).to_have_accessible_name(
        {
            "de": "Nichts, was es anbietet, tut etwas, das sich nicht zurücknehmen lässt",
            "ar": "لا شيء مما يقدمه يفعل ما لا يمكن التراجع عنه",
        }[language]
    )
    expect(reads).to_have_accessible_description(re.compile("MCP.*Gradio"))
    wide = page.evaluate("document.querySelector('#toolbox-list').scrollWidth")
    assert wide <= page.evaluate("document.querySelector('#toolbox-list').clientWidth")


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_looks_like_the_rest(page: Page, served: Served, theme: str) -> None:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".top [aria-controls=rail]").click()
    fold(page)
    wide = page.evaluate("document.querySelector('#toolbox-list').scrollWidth")
    assert wide <= page.evaluate("document.querySelector('#toolbox-list').clientWidth")


@pytest.mark.long
def test_a_document_that_is_chosen_is_used_at_once_and_forgotten_at_once(
    page: Page, served: Served, tmp_path: Path
) -> None:
    document = json.loads(urllib.request.urlopen(f"{served.url}/openapi.json").read())
    document["paths"] = {path: said for path, said in document["paths"].items() if "film" in path}
    path = tmp_path / "Film facts.json"
    path.write_text(json.dumps(document), "utf-8")
    found = fold(page)
    page.set_input_files("#source-file", str(path))
    expect(page.locator("#source-address")).to_have_value("Film facts.json")
    expect(page.locator("#source-name")).to_be_focused()
    page.fill("#source-name", "films")
    page.fill("#source-server", served.url)
    page.keyboard.press("Enter")
    expect(page.locator("#sources-status")).to_contain_text("tick that and add it again")
    expect(page.locator("#source-address")).to_have_value("Film facts.json")
    page.locator("#source-form input[name=local]").check()
    page.locator("#source-name").press("Enter")
    expect(page.locator("#sources-status")).to_have_text(
        "films was added. Its tools are used from now on.",
        timeout=PATIENCE,
    )
    expect(found.locator(".source[data-source=films]")).to_contain_text("Film facts.json")
    # It stands among the tools below, and is found by its name before all that only mention it.
    page.fill("#toolbox-search", "film plot")
    expect(page.locator("#toolbox-found .tool-card").first).to_have_id("tool-films_film_plot")
    page.locator("#toolbox [data-do=close]").click()

    ask(page, "What is the plot of the film Metropolis?")
    expect(page.locator(".answer")).to_contain_text("The plot of Metropolis")

    page.click(".rail [data-do=toolbox]")
    page.locator("#sources > summary").click()
    page.locator(".source[data-source=films] > summary").click()
    page.locator("[data-do=remove-source]").click()
    page.click("#asking-do")
    expect(page.locator("#sources-status")).to_have_text("films was removed.")
    expect(page.locator("#tool-films_film_plot")).to_have_count(0)
    page.locator("#toolbox [data-do=close]").click()
    page.locator("[data-do=new]").first.click()
    page.fill("#words", "What is the plot of the film Nosferatu?")
    page.click("#send")
    page.locator(".turn:not(.is-running)").wait_for()
    expect(page.locator(".turn")).not_to_contain_text("The plot of Nosferatu")


@pytest.mark.long
def test_records_that_came_are_read_as_tables_and_taken_as_they_came(
    new_context: Callable[..., BrowserContext], address: str, served: Served
) -> None:
    context = new_context()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = opened(context, address)
    found = fold(page)
    add(page, f"{served.url}/openapi.json", "facts")
    expect(page.locator("#sources-status")).to_contain_text("facts was added.", timeout=PATIENCE)
    page.locator("#toolbox [data-do=close]").click()
    ask(page, "List the films")
    shown = page.locator(".answer .records")
    expect(shown.locator("thead th")).to_have_text(["Id", "Name", "Director"])
    expect(shown.get_by_role("row", name="101 Nosferatu director of Nosferatu")).to_be_visible()
    expect(page.locator(".answer")).not_to_contain_text("\\[")
    # The text stays within reach: by the keyboard, to copy, and as a file.
    shown.locator(".records-foot summary").focus()
    page.keyboard.press("Enter")
    expect(shown.locator("pre")).to_contain_text('"name": "Nosferatu"')
    shown.get_by_role("button", name="Copy").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Copied as it came.").first).to_be_visible()
    taken = json.loads(page.evaluate("navigator.clipboard.readText()"))
    assert [film["id"] for film in taken["items"]] == [100, 101, 102]
    shown.locator(".nested > summary").focus()
    page.keyboard.press("Enter")
    expect(shown.get_by_text("Nosferatu", exact=True)).to_be_hidden()
    page.keyboard.press("Enter")
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

    fold(page)
    found.locator(".source[data-source=facts] > summary").click()
    found.locator("[data-do=remove-source]").click()
    page.click("#asking-do")
    expect(page.locator("#sources-status")).to_have_text("facts was removed.")
