"""The settings: what is chosen is told, counts at once and stays; a model is tested before."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import closed, in_tab, saved
from tests.language.scripted_server import Said, serving


@pytest.mark.long
def test_colours_language_and_what_is_chosen_stay(page: Page) -> None:
    page.click("#settings")
    page.get_by_label("Dark", exact=True).check()
    expect(page.locator("body")).to_have_class(re.compile(r"\bdark\b"))
    in_tab(page, "How tools work")
    page.get_by_label("Speed: small models first").check()
    saved(page)
    page.get_by_label("Tools may look things up in public services").check()
    saved(page)
    closed(page)
    expect(page.locator("#settings")).to_be_focused()
    # What leaves this machine is said at once; the line leads to where that is decided.
    expect(page.locator("#leaves")).to_contain_text("may be looked up at public services")
    page.locator("#leaves button").click()
    expect(page.locator("#setting-base_url input")).to_be_focused()
    in_tab(page, "How tools work")
    expect(page.get_by_label("Speed: small models first")).to_be_checked()
    in_tab(page, "Look and language")
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


@pytest.mark.long
def test_a_model_is_checked_at_its_field_tested_kept_and_forgotten(page: Page) -> None:
    page.click("#settings")
    in_tab(page, "Language model")
    address = page.locator("#setting-base_url input")
    address.fill("nonsense")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#setting-base_url")).to_contain_text("must begin with http:// or https://")
    status = page.locator("#settings-status")
    with serving() as server:
        server.script = [Said('{"ready": true}')]
        address.fill(server.base_url)
        page.locator("#setting-model input").fill("small")
        page.get_by_role("button", name="Test it").click()
        expect(status).to_contain_text("small answers, after")
    # A test keeps nothing.
    expect(page.locator("#leaves")).to_contain_text("Nothing leaves this machine.")
    address.fill("http://127.0.0.1:9/v1")
    page.locator("#setting-api_key input").fill("sk-canary")
    page.get_by_role("button", name="Test it").click()
    expect(status).to_contain_text("could not be reached")
    page.get_by_role("button", name="Save").click()
    saved(page)
    expect(page.locator("#setting-base_url")).not_to_contain_text("must begin")
    closed(page)
    expect(page.locator("#leaves")).to_contain_text("a language model on this machine")
    page.reload()
    page.locator(".welcome").wait_for()
    page.click("#settings")
    in_tab(page, "Language model")
    expect(address).to_have_value("http://127.0.0.1:9/v1")
    key = page.locator("#setting-api_key input")
    expect(key).to_have_value("")
    expect(key).to_have_attribute("placeholder", "a key is set; type to replace it")
    page.get_by_role("button", name="Use no language model").click()
    expect(status).to_have_text("No language model is used.")
    expect(address).to_have_value("")
    # What leaves this machine from then on is said at once.
    address.fill("https://models.example.org/v1")
    page.get_by_role("button", name="Save").click()
    saved(page)
    closed(page)
    expect(page.locator("#leaves")).to_contain_text("go to models.example.org")
    page.click("#settings")

    in_tab(page, "Programs elsewhere")
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
    in_tab(page, "This conversation")
    before = page.url
    page.get_by_role("button", name="Delete this conversation").click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page).not_to_have_url(before)
