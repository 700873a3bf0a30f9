"""Signing in to a shared server as a person does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from controlllm.accounts.password_file import PasswordFile
from tests.browser.conftest import running_server
from tests.browser.faults import Faults
from tests.browser.steps import closed, in_tab

PASSWORD = "correct horse battery"


@pytest.mark.long
def test_who_signs_in_sees_their_name_sets_what_they_may_and_signs_out(
    tmp_path: Path, new_context: Callable[..., BrowserContext]
) -> None:
    PasswordFile(tmp_path / "home" / "accounts.txt").add("ada", PASSWORD, "visitor")
    with running_server(tmp_path, CONTROLLLM_ACCOUNTS="password") as (url, _):
        page = new_context(url).new_page()
        page.goto(url)
        expect(page).to_have_url(f"{url}/sign-in")
        faults = Faults(page)
        faults.look_everywhere("sign in")
        page.get_by_label("Name").fill("ada")
        page.get_by_label("Password").fill("something else")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_contain_text("do not belong together")
        faults.look_everywhere("not signed in")
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.locator(".welcome").wait_for()
        expect(page.locator("#account bdi")).to_have_text("ada")
        faults.look_everywhere("signed in")
        faults.check()
        # What counts for everybody is not a visitor's to set.
        page.click("#settings")
        in_tab(page, "Language model")
        model = page.locator("#setting-base_url")
        expect(model).to_contain_text("set by whoever runs this server")
        expect(model.locator("input")).to_be_disabled()
        in_tab(page, "Programs elsewhere")
        expect(page.locator("#settings-add")).to_be_disabled()
        closed(page)
        page.get_by_role("button", name="Sign out").click()
        expect(page).to_have_url(f"{url}/sign-in")
        page.goto(url)
        expect(page).to_have_url(f"{url}/sign-in")
