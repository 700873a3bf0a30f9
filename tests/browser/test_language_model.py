"""A language model of one's own: set on the page, used, failing, and left out again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ask, attach, closed, saved
from tests.language.scripted_server import KEY, Fault, Said, ScriptedServer, serving


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving() as found:
        yield found


def set_model(page: Page, server: ScriptedServer, variant: str, fall_back: bool = True) -> None:
    """Set the language model in the settings dialog, as a person does."""
    page.click("#settings")
    page.get_by_role("tab", name="Language model").click()
    page.fill("#setting-base_url input", server.base_url)
    page.fill("#setting-api_key input", KEY)
    page.fill("#setting-model input", "small-model")
    page.locator(f"#setting-variant input[value={variant}]").check()
    page.locator("#setting-fall_back input").set_checked(fall_back)
    page.locator("#setting-answer_with_model input").set_checked(True)
    page.click("#settings-save")
    saved(page)
    closed(page)


@pytest.mark.long
def test_a_model_writes_the_answer_until_it_is_left_out(
    page: Page, server: ScriptedServer, coffee: Path
) -> None:
    server.says(Said("A fine **cup** of coffee."))
    set_model(page, server, "llama", fall_back=False)
    expect(page.locator("#leaves")).to_contain_text("a language model on this machine")
    attach(page, coffee)
    ask(page, "Describe this picture")
    turn = page.locator(".turn").last
    expect(turn).to_contain_text("A fine cup of coffee.")
    expect(turn.locator(".model-use")).to_contain_text("called 1 time; it read 100 tokens")
    told = page.locator("#announce")
    expect(told).to_have_text("The answer is there: A fine cup of coffee.")
    assert len(server.asked) == 1
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert KEY not in page.content()
    # All of it is kept, and none is asked any more once it is left out.
    page.reload()
    expect(turn).to_contain_text("A fine cup of coffee.")
    page.click("#settings")
    page.get_by_role("tab", name="Language model").click()
    expect(page.locator("#setting-variant input[value=llama]")).to_be_checked()
    expect(page.locator("#setting-fall_back input")).not_to_be_checked()
    expect(page.locator("#setting-model input")).to_have_value("small-model")
    page.click("#settings-none")
    expect(page.locator("#setting-base_url input")).to_have_value("")
    page.keyboard.press("Escape")
    expect(page.locator("#leaves")).to_contain_text("Nothing leaves this machine")
    attach(page, coffee)
    ask(page, "Describe this picture")
    expect(turn.locator(".model-use")).to_have_count(0)
    assert len(server.asked) == 1


@pytest.mark.long
def test_what_a_model_refuses_is_told_and_gone_on_with_where_that_is_wanted(
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
    page.click("#new")
    expect(page.locator(".welcome")).to_be_visible()
    # Asked once, and once more with what was wrong.
    before = len(server.asked)
    server.says(Said("I would rather talk about the weather."))
    set_model(page, server, "chatgpt", fall_back=False)
    attach(page, coffee)
    ask(page, "Describe this picture", state="failed")
    failure = turn.locator(".failure")
    expect(failure).to_be_visible()
    words = failure.inner_text()
    assert "Traceback" not in words and len(words) > 20
    assert len(server.asked) == before + 2
