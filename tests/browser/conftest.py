"""The real page in a real Chromium: `app.py` in its own process, on a free loopback port."""

from __future__ import annotations

import os
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

import PIL.Image
import pytest
import skimage.data
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Frame,
    Page,
    expect,
    sync_playwright,
)

from tests.browser.steps import COUNTED, HELD, PATIENCE, opened
from tests.models.weights.hub_server import Hub, running_hub

ROOT = Path(__file__).resolve().parents[2]
TOOLS = Path(__file__).resolve().parent / "tools"
# The names that scripts/get_browser.sh looks for; Playwright's own is used where none is there.
INSTALLED = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
]


#: What a browser says of an answer that refuses, and Gradio of a stream that a reload, or the end
#: of the server, broke off.
_NO_FAULTS = (
    "Failed to load resource",
    "aborted",
    "Connection errored out",
    "network error",
    "Cancelled via cancel scope",
)

#: What Gradio says when a page is left while messages wait for its busy thread: it has forgotten
#: what they change, and no longer shows them to anybody. Or while it asks something: its client
#: closes its stream before the next page is there, the server forgets the session, and an answer
#: that comes still begins another stream.
_BROKEN_OFF = "Connection errored out"
_OF_A_PAGE_THAT_IS_LEFT = ("Unexpected client exception", "Unexpected error 404: Not Found")

# What is expected is that it comes, not that it comes at once: other work may hold the machine up.
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    folder = Path(__file__).resolve().parent
    for item in items:
        if folder in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def hub() -> Iterator[Hub]:
    """A model hub on this machine, which the server would fetch weights from."""
    with running_hub() as found:
        yield found


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory, hub: Hub) -> Iterator[str]:
    """The address of a running server with an empty home."""
    folder = tmp_path_factory.mktemp("server")
    with running_server(folder, HF_ENDPOINT=hub.address) as (url, _):
        yield url
    COUNTED.unlink(missing_ok=True)


@contextmanager
def running_server(
    folder: Path, port: int = 0, **variables: str
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The address of a server with its home in a folder, and its process."""
    if not port:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
    log = folder / "log.txt"
    command = [sys.executable, str(ROOT / "app.py"), "--port", str(port)]
    command += ["--home", str(folder / "home"), "--tools", str(TOOLS)]
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": "1",
        "SHEEP": str(COUNTED),
        "UNRIPE": str(HELD),
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(folder / "hub home"),
        "CONTROLLLM_MODELS": str(folder / "models"),
        **variables,
    }
    with log.open("ab") as output:
        server = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, env=environment, cwd=folder
        )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_up(url, server, log)
        yield url, server
    finally:
        if server.poll() is None:
            server.terminate()
        try:
            server.wait(15)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait_until_up(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end:
        if server.poll() is not None:
            pytest.fail(f"The server ended at once:\n{log.read_text()}")
        try:
            urllib.request.urlopen(f"{url}/page/texts.json", timeout=2).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"The server did not come up:\n{log.read_text()}")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium, closed after its module: while Playwright runs, it holds the thread's event
    loop, and the tests of other folders start loops of their own."""
    installed = next(filter(None, map(shutil.which, INSTALLED)), None)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=installed, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def new_context(browser: Browser, address: str) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browser contexts (separate people); afterwards none may have asked anything of a
    machine but ours, nor have had an error in a script. `own` is the address of another server."""
    contexts: list[BrowserContext] = []
    foreign: list[str] = []
    faults: list[str] = []

    def watch(page: Page) -> None:
        is_left = False

        def hear(message: ConsoleMessage) -> None:
            nonlocal is_left
            if message.type == "error":
                is_left = is_left or _BROKEN_OFF in message.text
                if not (is_left and message.text.startswith(_OF_A_PAGE_THAT_IS_LEFT)):
                    faults.append(message.text)

        def come(frame: Frame) -> None:
            nonlocal is_left
            is_left = is_left and frame != page.main_frame

        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", hear)
        page.on("framenavigated", come)

    def make(own: str = address, **options: object) -> BrowserContext:
        settings = {
            "viewport": {"width": 1280, "height": 860},
            "reduced_motion": "reduce",
            **options,
        }
        context = browser.new_context(**settings)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        context.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((own, "data:", "blob:"))
                else foreign.append(request.url)
            ),
        )
        context.on("page", watch)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
    assert foreign == []
    assert [fault for fault in faults if not any(words in fault for words in _NO_FAULTS)] == []


@pytest.fixture
def page(new_context: Callable[..., BrowserContext], address: str) -> Page:
    """A person's fresh browser on an empty conversation."""
    return opened(new_context(), address)


@pytest.fixture(scope="session")
def coffee(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A photo of a cup of coffee, 600 x 400."""
    return _saved(tmp_path_factory, "coffee")


@pytest.fixture(scope="session")
def cat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A photo of a cat, 451 x 300."""
    return _saved(tmp_path_factory, "chelsea")


@pytest.fixture
def two_cats(cat: Path, tmp_path: Path) -> Path:
    """A photo of two cats, side by side."""
    path = tmp_path / "cats.jpg"
    with PIL.Image.open(cat) as one:
        both = PIL.Image.new("RGB", (2 * one.width, one.height))
        both.paste(one, (0, 0))
        both.paste(one.transpose(PIL.Image.Transpose.FLIP_LEFT_RIGHT), (one.width, 0))
    both.save(path, quality=95)
    return path


def _saved(tmp_path_factory: pytest.TempPathFactory, name: str) -> Path:
    path = tmp_path_factory.mktemp("media") / f"{name}.jpg"
    PIL.Image.fromarray(getattr(skimage.data, name)()).save(path, quality=90)
    return path
