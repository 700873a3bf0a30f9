"""Settings, toolbox, tools from elsewhere, the self-test and accounts, as a person uses them."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

from controlllm.accounts.password_file import PasswordFile
from tests.models.weights.hub_server import Hub, Repository, running_hub
from tests.sources.application import Served

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tests" / "browser" / "tools"
PATIENCE = 30_000
PASSWORD = "correct horse battery"


@contextmanager
def running(home: Path, **variables: str) -> Iterator[str]:
    """The address of a server with its home in a folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tests.page.serve", str(port), str(home), str(TOOLS)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    with subprocess.Popen(command, env=environment, cwd=ROOT) as server:
        address = f"http://127.0.0.1:{port}"
        end = time.monotonic() + 120
        while True:
            try:
                urllib.request.urlopen(f"{address}/health", timeout=2).close()
                break
            except (urllib.error.URLError, OSError):
                assert server.poll() is None and time.monotonic() < end
                time.sleep(0.2)
        yield address
        server.terminate()


@pytest.fixture(scope="module")
def hub() -> Iterator[Hub]:
    with running_hub() as found:
        yield found


@pytest.fixture(scope="module")
def page_address(tmp_path_factory: pytest.TempPathFactory, hub: Hub) -> Iterator[str]:
    home = tmp_path_factory.mktemp("settings")
    models = {"HF_ENDPOINT": hub.address, "HF_HOME": str(home / "hub"),
              "CONTROLLLM_MODELS": str(home / "models"), "CONTROLLLM_SECRET_NONE": ""}  # fmt: skip
    with running(home, **models) as address:
        yield address


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.fixture
def new_context(chromium: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browsers of separate people, in whose pages no script may fail."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def make(**options: object) -> BrowserContext:
        usual = {"viewport": {"width": 1280, "height": 860}, "reduced_motion": "reduce"}
        context = chromium.new_context(**{**usual, **options})  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        context.on("weberror", lambda error: faults.append(str(error.error)))
        contexts.append(context)
        return context

    expect.set_options(timeout=PATIENCE)
    yield make
    for context in contexts:
        context.close()
    assert faults == []


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    page.locator(".welcome").wait_for()
    return page


@pytest.fixture
def page(new_context: Callable[..., BrowserContext], page_address: str) -> Page:
    return opened(new_context(), page_address)


def tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click()


def close(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)


def saved(page: Page) -> None:
    """What was set is told, in the dialog that is open, and goes away by itself."""
    expect(page.locator("dialog[open] .toast-wrap")).to_contain_text("Saved.")
    expect(page.locator(".toast-wrap")).not_to_contain_text("Saved.")


def test_colours_language_and_what_is_chosen_stay(page: Page) -> None:
    page.click("#settings")
    page.get_by_label("Dark", exact=True).check()
    expect(page.locator("body")).to_have_class(re.compile(r"\bdark\b"))
    tab(page, "How tools work")
    page.get_by_label("Speed: small models first").check()
    saved(page)
    page.get_by_label("Tools may look things up in public services").check()
    saved(page)
    close(page)
    expect(page.locator("#settings")).to_be_focused()
    # What leaves this machine is said at once; the line leads to where that is decided.
    expect(page.locator("#leaves")).to_contain_text("may be looked up at public services")
    page.locator("#leaves button").click()
    expect(page.locator("#setting-base_url input")).to_be_focused()
    tab(page, "How tools work")
    expect(page.get_by_label("Speed: small models first")).to_be_checked()
    tab(page, "Look and language")
    page.locator("#setting-language input").click()
    page.get_by_role("option", name="Deutsch").click()
    expect(page.locator("#settings")).to_have_text("Einstellungen")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("body")).to_have_class(re.compile(r"\bdark\b"))
    page.click("#settings")
    page.get_by_label("Hell", exact=True).check()
    expect(page.locator("body")).not_to_have_class(re.compile(r"\bdark\b"))
    page.get_by_role("tab", name="Wie Werkzeuge arbeiten").click()
    expect(page.locator("#setting-public_services input")).to_be_checked()


def test_a_model_is_checked_at_its_field_tested_kept_and_forgotten(page: Page) -> None:
    page.click("#settings")
    tab(page, "Language model")
    address = page.locator("#setting-base_url input")
    address.fill("nonsense")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#setting-base_url")).to_contain_text("must begin with http:// or https://")
    address.fill("http://127.0.0.1:9/v1")
    page.locator("#setting-api_key input").fill("sk-canary")
    page.get_by_role("button", name="Test it").click()
    expect(page.locator("#settings-status")).to_contain_text("could not be reached")
    page.get_by_role("button", name="Save").click()
    saved(page)
    expect(page.locator("#setting-base_url")).not_to_contain_text("must begin")
    close(page)
    expect(page.locator("#leaves")).to_contain_text("a language model on this machine")
    page.reload()
    page.locator(".welcome").wait_for()
    page.click("#settings")
    tab(page, "Language model")
    expect(address).to_have_value("http://127.0.0.1:9/v1")
    key = page.locator("#setting-api_key input")
    expect(key).to_have_value("")
    expect(key).to_have_attribute("placeholder", "a key is set; type to replace it")
    page.get_by_role("button", name="Use no language model").click()
    expect(page.locator("#settings-status")).to_have_text("No language model is used.")
    expect(address).to_have_value("")

    tab(page, "Programs elsewhere")
    there = page.locator("#setting-hosted_address input")
    add = page.get_by_role("button", name="Have it do this tool's work")
    there.fill("ftp://someone.example/app")
    add.click()
    expect(page.locator("#setting-hosted_address")).to_contain_text("must begin with http")
    page.locator("#setting-hosted_tool input").click()
    page.get_by_role("option").first.click()
    there.fill("https://name.hf.space")
    add.click()
    listed = page.locator("#settings-hosted li")
    expect(listed).to_contain_text("at https://name.hf.space")
    listed.get_by_role("button", name="Remove").click()
    expect(page.locator("#settings-hosted")).to_contain_text("No program elsewhere")
    tab(page, "This conversation")
    before = page.url
    page.get_by_role("button", name="Delete this conversation").click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page).not_to_have_url(before)


def test_weights_are_fetched_stopped_and_removed_while_one_looks(page: Page, hub: Hub) -> None:
    content = random.Random(3).randbytes(3_000_000)
    hub.repositories["painters/rainbow"] = Repository(
        {"config.json": json.dumps(["red", "blue"]).encode(), "model.safetensors": content},
        large=frozenset({"model.safetensors"}),
    )
    page.click("#toolbox")
    search = page.get_by_label("Search the tools")
    expect(search).to_be_focused()
    count = page.locator("#toolbox-count")
    expect(count).to_contain_text("ready with your settings")
    every = page.locator("#toolbox-list .tool-card").count()
    search.fill("no such tool")
    expect(count).to_contain_text(f"0 of {every} tools")
    expect(page.locator("#toolbox-list")).to_contain_text("Try fewer or others")
    search.fill("Paint rainbow")
    expect(count).to_contain_text("1 of ")
    card = page.locator("#tool-paint_rainbow")
    expect(card).to_contain_text("not ready here")
    hub.slow_after = 1_000_000
    card.get_by_role("button", name="Get the weights").click()
    expect(card.locator("progress")).to_be_visible()
    page.wait_for_function(
        "document.querySelector('#toolbox-list progress')?.value > 0.2", timeout=120_000
    )
    card.get_by_role("button", name="Stop").click()
    expect(card.locator(".pull-said")).to_contain_text("Stopped")
    hub.slow_after = None
    card.get_by_role("button", name="Get the weights").click()
    card.get_by_role("button", name="Remove the weights").click()
    asked = page.locator("dialog.asking")
    expect(asked).to_contain_text("Remove these weights from this computer?")
    asked.get_by_role("button", name="Remove the weights").click()
    expect(card.get_by_role("button", name="Get the weights")).to_be_visible()
    search.fill("")
    expect(page.locator("#toolbox-list .tool-card")).to_have_count(every)
    close(page)
    expect(page.locator("#toolbox")).to_be_focused()


def tool(page: Page, name: str) -> Locator:
    shown = page.locator(f"#sources .source-tool[data-tool={name}]")
    shown.locator("summary").click()
    expect(shown.locator("select").first).to_be_visible()
    return shown


def test_tools_from_elsewhere_are_added_corrected_tried_and_removed(
    page: Page, tmp_path: Path
) -> None:
    served = Served()
    document = json.loads(urllib.request.urlopen(f"{served.url}/openapi.json").read())
    document["paths"] = {path: said for path, said in document["paths"].items() if "film" in path}
    path = tmp_path / "Film facts.json"
    path.write_text(json.dumps(document), "utf-8")
    page.click("#toolbox")
    tab(page, "Tools from elsewhere")
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
    tab(page, "Tools")
    page.get_by_label("Search the tools").fill("film plot")
    expect(page.locator("#toolbox-list .tool-card").first).to_have_id("tool-films_film_plot")
    tab(page, "Tools from elsewhere")
    page.get_by_role("button", name="Remove these tools").click()
    asked.get_by_role("button", name="Remove these tools").click()
    expect(said).to_have_text("films was removed.")
    expect(page.locator("#sources .source")).to_have_count(0)
    served.close()


def test_every_tool_is_tried_until_that_is_stopped_also_on_a_phone(
    new_context: Callable[..., BrowserContext], page_address: str
) -> None:
    page = opened(new_context(locale="ar", viewport={"width": 390, "height": 844}), page_address)
    page.locator("#rail .toggle-button").click()
    page.click("#toolbox")
    page.locator("dialog[open] .overflow-menu > button").click()
    page.locator("dialog[open] .overflow-dropdown button").last.click()
    begin = page.locator("#self-test-panel [data-wish=begin]")
    begin.click()
    expect(page.locator("#self-test-panel progress")).to_be_visible()
    picture = page.locator("#self-test-panel .trial img").first
    expect(picture).to_be_visible()
    picture.evaluate("image => image.decode()")
    page.locator("#self-test-panel [data-wish=stop]").click()
    expect(begin).to_be_visible()
    body = page.locator("dialog[open]")
    assert body.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    lacking = page.locator("#self-test-panel [data-do=toolbox]").first
    if lacking.count():
        lacking.click()
        expect(page.locator("#toolbox-list .tool-card")).to_have_count(1)


def test_who_signs_in_sees_their_name_and_may_sign_out(
    tmp_path: Path, new_context: Callable[..., BrowserContext]
) -> None:
    PasswordFile(tmp_path / "accounts.txt").add("ada", PASSWORD, "user")
    with running(tmp_path, CONTROLLLM_ACCOUNTS="password") as address:
        page = new_context().new_page()
        page.goto(address)
        page.get_by_label("Name").fill("ada")
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.locator(".welcome").wait_for()
        expect(page.locator("#account bdi")).to_have_text("ada")
        page.click("#settings")
        tab(page, "Language model")
        address_of_model = page.locator("#setting-base_url")
        expect(address_of_model).to_contain_text("set by whoever runs this server")
        expect(address_of_model.locator("input")).to_be_disabled()
        tab(page, "Programs elsewhere")
        expect(page.locator("#settings-add")).to_be_disabled()
        close(page)
        page.get_by_role("button", name="Sign out").click()
        expect(page).to_have_url(f"{address}/sign-in")
        page.goto(address)
        expect(page).to_have_url(f"{address}/sign-in")
