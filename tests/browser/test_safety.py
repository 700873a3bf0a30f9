"""What one person must not see of another, and what no other site may do."""

from __future__ import annotations

import http.client
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.steps import ask, attach, opened


def request(
    address: str, method: str, path: str, body: bytes = b"", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """A bare request, as a program or a foreign page would send it."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 80, timeout=120)
    plain = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body or None, plain)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, content


def test_another_person_sees_nothing_of_mine(
    new_context: Callable[..., BrowserContext], address: str, coffee: Path
) -> None:
    mine = new_context()
    page = opened(mine, address)
    attach(page, coffee)
    picture = page.locator(".tray-item a[download]").get_attribute("href") or ""
    handle = picture.split("/")[2]
    assert mine.request.get(address + picture).ok

    theirs = new_context()
    opened(theirs, address)
    for path in (
        picture,
        picture + "&size=small",
        f"/conversations/{handle}",
        f"/conversations/{handle}/files",
        f"/conversations/{handle}/settings",
    ):
        assert theirs.request.get(address + path).status == 404, path
    for path in ("points", "type", "stop", "settings", "files?name=x.png", "examples/point"):
        answer = theirs.request.post(f"{address}/conversations/{handle}/{path}", data={"x": 1})
        assert answer.status == 404, path
    assert theirs.request.delete(f"{address}/conversations/{handle}").status == 404
    assert mine.request.get(address + picture).ok
    shown = opened(theirs, f"{address}/?c={handle}")
    expect(shown.locator(".tray-item")).to_have_count(0)


@pytest.mark.long
def test_cookie_is_out_of_reach_of_scripts(page: Page) -> None:
    (cookie,) = page.context.cookies()
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict"
    assert page.evaluate("document.cookie") == ""
    assert cookie["value"] not in page.content()


@pytest.mark.long
def test_foreign_origin_and_host_are_refused(page: Page, address: str) -> None:
    (cookie,) = page.context.cookies()
    own = {"Cookie": f"{cookie['name']}={cookie['value']}", "Content_Type": "application/json"}
    port = urlsplit(address).port
    for origin in ("http://evil.example", "null", f"http://evil.example:{port}", "http://[x"):
        status, _, _ = request(address, "POST", "/conversations", b"{}", Origin=origin, **own)
        assert status == 403, origin
        for kind in ("ask", "follow"):
            path = f"/conversations/x/{kind}"
            assert request(address, "POST", path, b"{}", Origin=origin, **own)[0] == 403, origin
    status, _, _ = request(address, "POST", "/conversations", b"{}", Sec_Fetch_Site="cross-site")
    assert status == 403
    for host in ("evil.example", f"evil.example:{port}", "localhost.evil.example", ""):
        assert request(address, "GET", "/", Host=host)[0] == 400, host
    assert request(address, "GET", "/", Host=f"localhost:{port}")[0] == 200
    assert request(address, "POST", "/conversations", b"{}", Origin=address, **own)[0] == 200


def test_every_answer_carries_the_safety_headers(address: str) -> None:
    for path in ("/", "/health", "/page/style.css", "/nowhere", "/media/x/y"):
        _, headers, _ = request(address, "GET", path)
        assert headers["x-content-type-options"] == "nosniff", path
        assert headers["referrer-policy"] == "no-referrer", path
        assert "frame-ancestors" in headers["content-security-policy"], path


def test_no_script_runs_but_the_pages_own(browser: Browser, address: str) -> None:
    # Not one of `new_context`: the browser is to complain here.
    context = browser.new_context()
    page, said = opened(context, address), []
    page.on("console", lambda message: said.append(message.text))
    page.evaluate(
        """() => {
          const inline = document.createElement('script');
          inline.textContent = "document.title = 'owned'";
          document.body.append(inline);
          document.body.insertAdjacentHTML('beforeend', '<b onclick="document.title = 1">x</b>');
          document.body.lastChild.click();
          const style = document.createElement('style');
          style.textContent = '#words { display: none }';
          document.body.append(style);
        }"""
    )
    assert page.title() == "ControlLLM"
    expect(page.locator("#words")).to_be_visible()
    assert len([text for text in said if "Content Security Policy" in text]) >= 3
    context.close()


@pytest.mark.long
def test_paths_in_names_open_nothing(page: Page, address: str, coffee: Path) -> None:
    attach(page, coffee)
    link = page.locator(".tray-item a[download]").get_attribute("href") or ""
    start = link[: link.rindex("/") + 1]
    for name in (
        "../../app.py",
        "..%2f..%2fapp.py",
        "%2e%2e/%2e%2e/etc/passwd",
        "/etc/passwd",
        "%00",
    ):
        assert page.context.request.get(address + start + name).status in (400, 404), name


@pytest.mark.long
def test_video_and_sound_can_be_sought(page: Page, address: str) -> None:
    ask(page, "Say “Good morning, the coffee is ready” aloud.")
    source = page.locator(".results audio").get_attribute("src") or ""
    answer = page.context.request.get(address + source, headers={"Range": "bytes=10-19"})
    assert answer.status == 206 and len(answer.body()) == 10
    assert answer.headers["content-security-policy"].startswith("sandbox")


def test_hostile_words_are_only_words(page: Page, tmp_path: Path) -> None:
    evil = (
        "<img src=http://evil.example/x.png onerror=\"document.title='owned'\">"
        "<script>alert(1)</script>"
    )
    path = tmp_path / "<b>bold<img src=x onerror=alert(1)>.txt"
    path.write_text(evil)
    attach(page, path)
    page.fill("#words", f"Summarize this: {evil} ![x](http://evil.example/y.png)")
    page.click("#send")
    page.locator(".turn:not(.is-running)").wait_for()
    page.reload()
    page.wait_for_selector("#app[data-ready=true]")
    assert "owned" not in page.title()
    assert page.locator("#turns script, #turns img[src*=evil], #tray b, #tray img").count() == 0
    expect(page.locator(".bubble")).to_contain_text("<script>")


@pytest.mark.long
def test_web_page_result_runs_nothing(page: Page, address: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("<h1>Hello</h1><script>parent.document.title='owned'</script>")
    page.set_input_files("#file-input", str(path))
    page.locator("#chips .chip:not(.is-coming), #hint:not([hidden])").first.wait_for()
    items = page.locator(".tray-item[data-type=html]")
    if items.count():
        link = items.locator("a[download]").get_attribute("href") or ""
        answer = page.context.request.get(address + link.replace("&download=1", ""))
        assert answer.headers["content-security-policy"].startswith("sandbox;")
        items.locator(".tray-look").click()
        expect(page.locator("#viewer iframe")).to_have_attribute("sandbox", "")
    assert page.title() == "ControlLLM"


@pytest.mark.long
def test_key_never_comes_back(page: Page, address: str) -> None:
    page.click("[data-do=settings]")
    page.fill("#base-url", "http://127.0.0.1:9/v1")
    page.fill("#api-key", "sk-canary-4711")
    page.locator("#settings-form button[type=submit]").click()
    expect(page.locator("#settings-status")).to_have_text("Saved.")
    expect(page.locator("#api-key")).to_have_value("")
    expect(page.locator("#api-key")).to_have_attribute("placeholder", re.compile("a key is set"))
    assert "canary" not in page.content()
    page.fill("#base-url", "file:///etc/passwd")
    page.locator("#settings-form button[type=submit]").click()
    expect(page.locator("#settings-status")).to_contain_text("http://")


@pytest.mark.long
def test_deleted_conversation_is_gone(page: Page, address: str, coffee: Path) -> None:
    attach(page, coffee)
    link = page.locator(".tray-item a[download]").get_attribute("href") or ""
    page.click("[data-do=settings]")
    page.click("[data-do=forget]")
    page.click("#asking-do")
    expect(page.locator(".tray-item")).to_have_count(0)
    assert page.context.request.get(address + link).status == 404
