"""A language model of one's own: set on the page, used, failing, and left out again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ask, attach
from tests.language.scripted_server import KEY, Fault, Said, ScriptedServer, serving


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving() as found:
        yield found


def set_model(page: Page, server: ScriptedServer, variant: str, fall_back: bool = True) -> None:
    """Set the language model in the settings dialog, as a person does."""
    page.click("[data-do=settings]")
    page.fill("#base-url", server.base_url)
    page.fill("#api-key", KEY)
    page.fill("#model", "small-model")
    page.check(f"input[name=variant][value={variant}]")
    page.set_checked("input[name=fall_back]", fall_back)
    page.set_checked("input[name=answer_with_model]", True)
    page.locator("#settings-form button[type=submit]").click()
    expect(page.locator("#settings-status")).to_have_text("Saved.")
    page.keyboard.press("Escape")


@pytest.mark.long
def test_who_plans_is_kept(page: Page, server: ScriptedServer) -> None:
    set_model(page, server, "mix", fall_back=False)
    page.reload()
    page.wait_for_selector("#app[data-ready=true]")
    page.click("[data-do=settings]")
    expect(page.locator("input[name=variant][value=mix]")).to_be_checked()
    expect(page.locator("input[name=fall_back]")).not_to_be_checked()
    expect(page.locator("#model")).to_have_value("small-model")
    page.click("[data-do=forget-model]")
    expect(page.locator("#settings-status")).not_to_have_text("")
    expect(page.locator("#base-url")).to_have_value("")
    assert not server.asked


def test_the_model_writes_the_answer_and_its_use_is_shown(
    page: Page, server: ScriptedServer, coffee: Path
) -> None:
    server.says(Said("A fine **cup** of coffee."))
    set_model(page, server, "llama")
    attach(page, coffee)
    ask(page, "Describe this picture")
    turn = page.locator(".turn").last
    expect(turn).to_contain_text("A fine cup of coffee.")
    expect(turn.locator(".model-use")).to_contain_text("called 1 time; it read 100 tokens")
    assert len(server.asked) == 1
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert KEY not in page.content()


@pytest.mark.long
def test_a_refused_key_is_told_and_controlllm_goes_on_by_itself(
    page: Page, server: ScriptedServer, coffee: Path
) -> None:
    server.says(Fault(401))
    set_model(page, server, "chatgpt")
    attach(page, coffee)
    ask(page, "Describe this picture")
    turn = page.locator(".turn").last
    expect(turn).to_contain_text(re.compile("refused the key", re.IGNORECASE))
    expect(turn).to_contain_text("cup")
    assert KEY not in page.content()


@pytest.mark.long
def test_without_leave_to_go_on_the_request_ends_with_what_to_do(
    page: Page, server: ScriptedServer, coffee: Path
) -> None:
    server.says(Said("I would rather talk about the weather."))
    set_model(page, server, "chatgpt", fall_back=False)
    attach(page, coffee)
    ask(page, "Describe this picture", state="failed")
    failure = page.locator(".turn").last.locator(".failure")
    expect(failure).to_be_visible()
    words = failure.inner_text()
    assert "Traceback" not in words and len(words) > 20
    # Asked once, and once more with what was wrong.
    assert len(server.asked) == 2


@pytest.mark.long
def test_none_is_asked_any_more_once_it_is_left_out(
    page: Page, server: ScriptedServer, coffee: Path
) -> None:
    server.says(Said("From the model."))
    set_model(page, server, "llama")
    page.click("[data-do=settings]")
    page.click("[data-do=forget-model]")
    page.keyboard.press("Escape")
    attach(page, coffee)
    ask(page, "Describe this picture")
    expect(page.locator(".turn").last).not_to_contain_text("From the model.")
    assert not server.asked
