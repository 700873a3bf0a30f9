"""A large conversation, and an endless answer: python -m tests.browser.measure_conversation

Prints how long a conversation of 200 messages with 100 pictures takes to open, to be searched and
to be typed in, and how many bytes a page is sent for a run and for an answer that does not end.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path

import PIL.Image
from playwright.sync_api import BrowserContext, Page, TimeoutError, sync_playwright

from controlllm.core.session import handle_of
from controlllm.store import Store
from controlllm.ui.visitor import Visitor
from tests.browser.conftest import FLAGS, INSTALLED, running_server
from tests.browser.steps import PATIENCE, attach, opened, send

EXAMPLES = Path(__file__).resolve().parents[2] / "assets" / "examples"
MESSAGES, PICTURES, OTHERS = 200, 100, 200
_KEYS = """() => new Promise((resolve) => {
  const words = document.querySelector('#words textarea'), found = [];
  const press = () => {
    const began = performance.now();
    words.value += 'x';
    words.dispatchEvent(new Event('input', { bubbles: true }));
    requestAnimationFrame(() => setTimeout(() => {
      found.push(performance.now() - began);
      if (found.length < 60) press(); else resolve(found);
    }));
  };
  press();
})"""


class _Endless(BaseHTTPRequestHandler):
    """A language model that writes on and on, some 400 words a second."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.close_connection = True
        head = {"id": "1", "created": 0, "model": "m", "object": "chat.completion.chunk"}
        try:
            for number in range(10**9):
                delta = {"content": f"word{number} "}
                choice = {"index": 0, "delta": delta, "finish_reason": None}
                data = json.dumps({**head, "choices": [choice]})
                self.wfile.write(f"data: {data}\n\n".encode())
                self.wfile.flush()
                time.sleep(0.0025)
        except OSError:
            return

    def log_message(self, *_: object) -> None:
        """Nothing of that is told."""


@contextmanager
def _endless() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Endless)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


@contextmanager
def _browser() -> Iterator[BrowserContext]:
    installed = next(filter(None, map(shutil.which, INSTALLED)), None)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=installed, args=FLAGS)
        context = chromium.new_context(viewport={"width": 1280, "height": 860})
        context.set_default_timeout(PATIENCE)
        yield context
        chromium.close()


def _asked(page: Page, words: str, seconds: float) -> str:
    """How much was sent for a request about a picture, in words; it is stopped after so many
    seconds."""
    received: list[int] = []
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.on("Network.dataReceived", lambda piece: received.append(piece["dataLength"]))
    attach(page, EXAMPLES / "coffee.jpg")
    before = page.locator(".turn").count()
    received.clear()
    began = time.monotonic()
    send(page, words)
    over = page.locator(".turn:not(.is-running)").nth(before)
    how = "to its end"
    try:
        over.wait_for(timeout=seconds * 1000)
    except TimeoutError:
        how = "without an end"
        page.click("#words .stop-button")
        over.wait_for()
    wire.detach()
    took = time.monotonic() - began
    return f"{sum(received):,} bytes in {len(received)} pieces, {took:.0f} s {how}"


def streams(seconds: float) -> None:
    """What a page is sent for runs."""
    folder = Path(tempfile.mkdtemp(prefix="controlllm-measured-"))
    with _endless() as endpoint, running_server(folder) as (address, _), _browser() as context:
        page = opened(context, address)
        _asked(page, "Describe this picture.", 100)  # the program loads
        print("a run:", _asked(page, "Find the cup and crop it.", 100))
        page.click("#settings")
        page.get_by_role("tab", name="Language model").click()
        page.fill("#setting-base_url input", endpoint)
        page.fill("#setting-model input", "m")
        page.locator("#setting-variant input[value=llama]").check()
        page.locator("#setting-answer_with_model input").check()
        page.click("#settings-save")
        page.locator(".toast-body", has_text="Saved.").wait_for()
        page.keyboard.press("Escape")
        print("an endless answer:", _asked(page, "Describe this picture.", seconds))
    shutil.rmtree(folder, ignore_errors=True)


def _filled(home: Path, cookie: str) -> tuple[str, str]:
    """A home with many conversations made of one real request: the browser's cookie, and the handle
    of the large one."""
    store = Store(home)
    (model,) = [store.load(key) for key, _, _ in _all(store)]
    turn = model.turns[0]
    person = Visitor({}, cookie, store)
    photo = PIL.Image.open(EXAMPLES / "coffee.jpg")
    for number in range(OTHERS):
        made = store.new_session()
        person.add(made.id)
        words = f"Turn picture {number} into edges, please"
        store.update(
            made.id,
            lambda now, words=words: replace(now.with_turn(replace(turn, text=words)), title=words),
        )
    large = store.new_session()
    person.add(large.id)
    session = replace(large, title="The large one")
    given, (key, result) = model.resources[0], next(iter(turn.results.items()))
    for number in range(MESSAGES):
        text, results = f"Turn this into edges, number {number}", {}
        if number < PICTURES:
            buffer = BytesIO()
            photo.rotate(number * 3).save(buffer, "JPEG", quality=88)
            name = f"edges {number}.jpg"
            digest = store.put_bytes(buffer.getvalue(), "image/jpeg", is_urgent=False)
            details = {"width": photo.width, "height": photo.height}
            picture = replace(
                result, value=name, digest=digest, media_type="image/jpeg", details=details
            )
            session, results = session.with_resource(picture), {key: picture}
        answer = turn.answer if results else f"It was said, for the {number}th time."
        plan = turn.plan if results else None
        session = session.with_turn(
            replace(turn, number=number, text=text, results=results, plan=plan, answer=answer)
        )
    session = session.with_resource(given)
    store.update(large.id, lambda now: session)
    store.close()
    return person._secret, handle_of(large.id)


def _all(store: Store) -> list[tuple[str, str, float]]:
    with store._database.reading() as connection:
        rows = connection.execute("SELECT id FROM sessions").fetchall()
    return [found for found in store.titles([row[0] for row in rows]) if found[1]]


def large() -> None:
    """How a large conversation feels in a browser."""
    folder = Path(tempfile.mkdtemp(prefix="controlllm-measured-"))
    with running_server(folder) as (address, _), _browser() as context:
        _asked(opened(context, address), "Turn this picture into edges.", 100)
    port = address.rpartition(":")[2]
    cookie = f"controlllm-{port}"
    secret, handle = _filled(folder / "home", cookie)
    with running_server(folder, int(port)) as (address, _), _browser() as context:
        context.add_cookies([{"name": cookie, "value": secret, "url": address}])
        page = context.new_page()
        for name in ("first", "again"):
            began = time.monotonic()
            page.goto(f"{address}/?c={handle}")
            page.locator(".turn").last.wait_for()
            took = time.monotonic() - began
            shown = page.locator(".turn").count()
            print(f"open, {name}: {took:.2f} s to a usable page, {shown} messages")
        began = time.monotonic()
        page.evaluate("document.querySelector('#conversation .turns').scrollTop = 0")
        page.locator(".turn img").first.wait_for()
        print(f"from its end to its beginning: {time.monotonic() - began:.2f} s")
        keys = page.evaluate(_KEYS)
        middle, worst = statistics.median(keys), max(keys)
        print(f"a key until it is seen: {middle:.0f} ms in the middle, {worst:.0f} ms at worst")
        for words in ("number 177", "edges please 142", "nothing like it"):
            began = time.monotonic()
            page.fill("#search :is(input, textarea)", words)
            page.locator(".search-status").wait_for()
            took, told = time.monotonic() - began, page.locator(".search-status").inner_text()
            print(f"search for {words!r}: {took * 1000:.0f} ms until it is seen; {told}")
            page.fill("#search :is(input, textarea)", "")
            page.locator(".search-status").wait_for(state="hidden")
        began = time.monotonic()
        size = len(page.request.get(f"{address}/conversations/{handle}/shared").body())
        print(f"share: {time.monotonic() - began:.1f} s, {size:,} bytes")
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=60.0, help="of an endless answer")
    options.add_argument("--only", choices=("streams", "large"))
    chosen = options.parse_args()
    if chosen.only != "large":
        streams(chosen.seconds)
    if chosen.only != "streams":
        large()
