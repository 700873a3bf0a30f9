"""Signing in to a shared server as a person does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from controlllm.accounts.password_file import PasswordFile
from tests.browser.conftest import running_server

pytestmark = pytest.mark.browser
PASSWORD = "correct horse battery"


def test_who_signs_in_sees_their_name_and_may_sign_out(
    tmp_path: Path, new_context: Callable[..., BrowserContext]
) -> None:
    people = PasswordFile(tmp_path / "home" / "accounts.txt")
    people.add("ada", PASSWORD, "operator")
    with running_server(tmp_path, CONTROLLLM_ACCOUNTS="password") as (url, _):
        page = new_context(url).new_page()
        page.goto(url)
        expect(page).to_have_url(f"{url}/sign-in")
        page.get_by_label("Name").fill("ada")
        page.get_by_label("Password").fill("something else")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_contain_text("do not belong together")
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_selector("#app[data-ready=true]")
        expect(page.locator("#account bdi")).to_have_text("ada")
        page.locator("[data-do=sign-out]").click()
        expect(page).to_have_url(f"{url}/sign-in")
        page.goto(url)
        expect(page).to_have_url(f"{url}/sign-in")
