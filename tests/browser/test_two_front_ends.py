"""Two front ends with one PostgreSQL and one bucket: what one keeps the other shows, and where one
is killed the other goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser.conftest import running_server
from tests.browser.steps import ask, attach, opened
from tests.browser.test_surviving import AT_WORK, begin, stop
from tests.store.servers import BucketServer, PostgresServer, have_bucket, have_postgres

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def shared() -> Iterator[dict[str, str]]:
    """The variables by which front ends share what they keep."""
    if not (have_postgres() and have_bucket()):
        pytest.skip("this needs pip install --group dev")
    database, bucket = PostgresServer(), BucketServer()
    yield {
        **bucket.environment,
        "CONTROLLLM_DATABASE": database.address(),
        "CONTROLLLM_FILES": bucket.new_bucket(),
    }
    bucket.close()
    database.close()


def at_the_other(context: BrowserContext, page: Page, one: str, other: str) -> Page:
    """The conversation of a page, opened by the same person at another front end."""
    ports = [address.rpartition(":")[2] for address in (one, other)]
    for cookie in context.cookies():
        if ports[0] in cookie["name"]:
            name = cookie["name"].replace(*ports)
            context.add_cookies([{"name": name, "value": cookie["value"], "url": other}])
    return opened(context, page.url.replace(one, other))


def test_what_one_made_another_shows_and_what_one_left_another_goes_on_with(
    shared: dict[str, str],
    new_context: Callable[..., BrowserContext],
    coffee: Path,
    tmp_path: Path,
) -> None:
    homes = [tmp_path / name for name in ("one", "other")]
    for home in homes:
        home.mkdir()
    with (
        running_server(homes[0], **shared) as (one, server),
        running_server(homes[1], **shared) as (other, _),
    ):
        context = new_context(own="http://127.0.0.1")
        page = opened(context, one)
        attach(page, coffee)
        ask(page, "Find the edges of the picture")
        there = at_the_other(context, page, one, other)
        there.locator(".turn[data-state=answered]").wait_for()
        assert there.locator(".turn").count() == 1
        there.wait_for_function(
            "[...document.querySelectorAll('.turn img')].length > 0 &&"
            "[...document.querySelectorAll('.turn img')].every(image => image.naturalWidth > 0)"
        )
        # Asked at one, shown at the other as at work, and not stopped by being looked at.
        begin(page, "the one is killed")
        there.locator(".turn[data-state=running]").wait_for()
        page.locator(AT_WORK).wait_for()
        server.kill()
        server.wait()
        killed = time.monotonic()
        there.locator(AT_WORK).wait_for()
        print(f"The other went on {time.monotonic() - killed:.0f} s after the one was killed.")
        assert there.locator(".turn").count() == 2
        stop(there)
