"""What one person must not see of another; words and names that would be more than that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, Response, expect

from tests.browser.steps import ask, attach, opened, send, shows


def test_another_person_gets_nothing_of_mine(
    new_context: Callable[..., BrowserContext], address: str, coffee: Path
) -> None:
    mine = new_context()
    seen: list[Response] = []
    mine.on("response", lambda answer: seen.append(answer))
    page = opened(mine, address)
    attach(page, coffee)
    upload = page.locator("#words img").first.get_attribute("src") or ""
    assert "/gradio_api/file=" in upload and mine.request.get(upload).ok
    ask(page, "Turn this picture into edges.")
    shows(page, "Files")
    picture = page.locator(".tray-item a[download]").first.get_attribute("href") or ""
    handle = picture.split("/")[2]
    assert mine.request.get(address + picture).ok
    streams = [answer.url for answer in seen if "/queue/data?session_hash=" in answer.url]
    session = streams[0].split("session_hash=")[1]

    theirs = new_context()
    opened(theirs, address)
    paths = [
        picture,
        picture + "&size=small",
        f"/conversations/{handle}/shared",
        f"/conversations/{handle}/everything.zip",
        f"/gradio_api/queue/data?session_hash={session}",
        f"/gradio_api/heartbeat/{session}",
        f"/gradio_api/stream/{session}/0/1/playlist.m3u8",
        "/gradio_api/proxy=http://127.0.0.1:9/",
        "/gradio_api/file=/etc/passwd",
    ]
    for path in (*(address + path for path in paths), upload):
        assert theirs.request.get(path).status == 404, path
    join = {"data": [], "fn_index": 0, "session_hash": session}
    assert theirs.request.post(f"{address}/gradio_api/queue/join", data=join).status == 404
    assert mine.request.get(upload).ok
    shown = opened(theirs, f"{address}/?c={handle}")
    expect(shown.locator(".welcome")).to_be_visible()
    assert handle not in shown.url


def test_hostile_words_and_names_are_only_words(page: Page, tmp_path: Path) -> None:
    evil = (
        "<img src=http://evil.example/x.png onerror=\"document.title='owned'\">"
        "<script>alert(1)</script> {{constructor.constructor('alert(1)')()}} ${alert(1)} `x`"
    )
    path = tmp_path / "<b>bold<img src=x onerror=alert(1)>.txt"
    path.write_text(evil)
    attach(page, path)
    send(page, f"Summarize this: {evil} ![x](http://evil.example/y.png)")
    page.locator(".turn:not(.is-running)").wait_for()
    page.reload()
    expect(page.locator(".bubble")).to_contain_text("<script>")
    expect(page.locator(".bubble")).to_contain_text("{{constructor")
    shows(page, "Files")
    page.locator(".tray-look").first.click()
    expect(page.locator("dialog[open] pre, dialog[open] iframe")).to_be_visible()
    assert "owned" not in page.title()
    assert page.locator(".clm script, .clm img[src*=evil], .tray b").count() == 0


def test_paths_in_names_open_nothing_and_players_seek(page: Page, address: str) -> None:
    ask(page, "Say “Good morning, the coffee is ready” aloud.")
    source = page.locator(".results audio").get_attribute("src") or ""
    answer = page.context.request.get(address + source, headers={"Range": "bytes=10-19"})
    assert answer.status == 206 and len(answer.body()) == 10
    assert answer.headers["content-security-policy"].startswith("sandbox")
    start = source[: source.rindex("/") + 1]
    for name in ("../../app.py", "..%2f..%2fapp.py", "%2e%2e/%2e%2e/etc/passwd", "%00"):
        assert page.context.request.get(address + start + name).status in (400, 404), name


def test_a_deleted_conversation_can_be_had_back_and_is_gone_then(page: Page) -> None:
    ask(page, "Say “Good morning” aloud.")
    source = page.locator(".results audio").get_attribute("src") or ""
    row = page.locator("#conversations li", has_text="Good morning")
    row.locator(".delete").click()
    expect(page.locator(".welcome")).to_be_visible()
    page.locator(".leaving").get_by_role("button").click()
    expect(page.locator(".results audio")).to_be_visible()
    row.locator(".delete").click()
    expect(page.locator(".welcome")).to_be_visible()
    page.wait_for_function(
        "async (source) => (await fetch(source)).status === 404", arg=source, polling=500
    )
    expect(row).to_have_count(0)
