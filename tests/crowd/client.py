"""A visitor of the page, without a browser: the same events over HTTP, with the same cookie."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import httpx

from tests.crowd.page_events import PageEvents, Refused

#: Seconds that an answer to a plain request may take.
PATIENCE = 60.0


@dataclass(frozen=True)
class File:
    """A file of a conversation, as the page knows it."""

    value: str
    type: str
    address: str


@dataclass(frozen=True)
class Ended:
    """How a request ended.

    Parameters
    ----------
    state: answered, failed, cancelled.
    is_met: whether it came to a result.
    said: what the person reads first, without the markup; `troubles` are notices and the reasons
        why an action failed.
    seconds: from asking to the last drawing; `waited` of these in the line.
    """

    state: str
    is_met: bool
    said: str
    troubles: tuple[str, ...]
    seconds: float
    waited: float


@dataclass
class Visitor:
    """A browser with its own cookie; any number of threads may share it.

    `source` is the address of loopback that it comes from: the server limits what one address may
    take, and people have addresses of their own.
    """

    address: str
    source: str = "127.0.0.1"
    handle: str = ""
    _http: httpx.Client = field(init=False)
    _events: PageEvents = field(init=False)

    def __post_init__(self) -> None:
        transport = httpx.HTTPTransport(local_address=self.source)
        self._http = httpx.Client(
            base_url=self.address, timeout=PATIENCE, transport=transport, trust_env=False
        )

    def close(self) -> None:
        self._http.close()

    def page(self) -> str:
        """The page itself, as a browser loads it at first."""
        return self._sent("GET", "/").text

    def open(self, new: bool = False) -> None:
        """Open the newest conversation, or a new one."""
        self._sent("GET", "/")  # where a browser without a secret gets one
        self._events = PageEvents(self._http)
        if new:
            self.handle = str(self._events.once("new", "click", ["", []])[0])
        else:
            self.handle = str(self._events.once("presence", "come", ["", "", 0])[0])

    def delete(self, handle: str) -> None:
        """Delete a conversation."""
        about = {"do": "delete-conversation", "handle": handle}
        self._events.once("conversations", "act", [self.handle, []], about)

    def upload(self, name: str, content: bytes) -> str:
        """Hand over a file; the value by which requests name it."""
        (path,) = self._http.post("/gradio_api/upload", files={"files": (name, content)}).json()
        file = {"path": path, "orig_name": name, "meta": {"_type": "gradio.FileData"}}
        # Without words nothing is asked, and the file is taken in all the same.
        message = {"text": "", "files": [file]}
        attached = self._events.once("words", "submit", [message, self.handle, [], {}])[2]
        if not isinstance(attached, list) or not attached:
            raise Refused(422, f"{name} was not taken.")
        return str(attached[0])

    def point(self, picture: str, points: Sequence[dict[str, int]]) -> str:
        """Point at places of a picture; the value by which requests name them."""
        marks = {"points": list(points)}
        look = {"do": "regions", "handle": self.handle, "image": picture, "marks": marks}
        return str(self._events.look("picker", look)["value"])

    def conversation(self) -> dict[str, Any]:
        """The conversation as the page shows it."""
        return self._look()[0]

    def files(self) -> list[File]:
        """All files of the conversation, those handed over and those made."""
        (html,) = self._look()[3]["parts"]
        found = re.findall(
            r'<li class="tray-item"[^>]* data-value="([^"]*)" data-type="([^"]*)"'
            r'.*?data-address="([^"]*)"',
            html,
            re.DOTALL,
        )
        return [File(*map(unescape, item)) for item in found]

    def _look(self) -> list[Any]:
        """What the page shows now; raises Refused where the conversation is none of its own."""
        with closing(self._events.told("watched", "change", [self.handle, ""])) as looks:
            for values in looks:
                if "history" in (values[0] or {}):
                    return values
        raise Refused(404, "There is no such conversation.")

    def content(self, address: str) -> bytes:
        """What is in a file."""
        return self._sent("GET", address).content

    def status(self, method: str, path: str, **rest: Any) -> int:
        """With which status the server answers to anything."""
        return self._http.request(method, path, **rest).status_code

    def stop(self, run: str) -> None:
        """What the stop button does."""
        self._events.once("words", "stop", [self.handle, []])

    def ask(
        self,
        text: str,
        attached: Sequence[str] = (),
        patience: float = 300.0,
        run: str = "",
        watch: Callable[[str], None] = lambda now: None,
    ) -> Ended:
        """Ask, and watch until the end; `watch` is told each sentence of how far it is.

        Raises Refused where the server does, TimeoutError where the end does not come in time.
        """
        began, waited = time.monotonic(), 0.0
        before = len(self._look()[0]["history"])
        message = {"text": text, "files": []}
        self._events.once("words", "submit", [message, self.handle, list(attached), {}])
        looks = self._events.told("watched", "change", [self.handle, ""], patience=patience)
        with closing(looks):
            for values in looks:
                talk, now = values[0], time.monotonic()
                if now - began > patience:
                    raise TimeoutError(f"No end after {patience:.0f} s.")
                said = _plain(
                    "".join(re.findall(r'<p class="now">(.*?)</p>', "".join(talk["parts"])))
                )
                if said:
                    watch(said)
                if said.startswith("Waiting"):
                    waited = now - began
                turns = [html for key, html in talk["history"] if key.startswith("turn-")]
                if not talk["key"] and len(turns) > max(before - 1, 0) and turns:
                    html = turns[-1]
                    state = re.search(r'data-state="(\w+)"', html)
                    if state is None or state[1] == "running":
                        continue
                    return Ended(
                        state[1],
                        state[1] == "answered"
                        and (
                            "how-line" not in html
                            or 'class="results"' in html
                            or 'class="said"' in html
                        ),
                        words_of(html),
                        troubles_of(html),
                        now - began,
                        waited,
                    )
        raise Refused(0, "The stream of drawings broke off before the end.")

    def _sent(self, method: str, path: str, **rest: Any) -> httpx.Response:
        answer = self._http.request(method, path, **rest)
        if answer.status_code >= 300:
            raise Refused(answer.status_code, _sentence(answer))
        return answer


def words_of(html: str) -> str:
    """What a person reads first in a turn: its answer, or the sentence in its place."""
    found = re.search(
        r'<div class="answer">(.*?)</div>|<div class="failure"[^>]*>.*?<div>(.*?)</div>'
        r'|<p class="stopped">(.*?)</p>',
        html,
        re.DOTALL,
    )
    return _plain(next(filter(None, found.groups()), "") if found else html)


def troubles_of(html: str) -> tuple[str, ...]:
    """The notices of a turn, and why its actions failed."""
    found = re.findall(
        r'<p class="notice">(.*?)</p>|<span class="why">(.*?)</span>', html, re.DOTALL
    )
    return tuple(dict.fromkeys(_plain(notice or why) for notice, why in found))


def _plain(html: str) -> str:
    return " ".join(unescape(re.sub(r"<svg.*?</svg>|<[^>]+>", " ", html, flags=re.S)).split())


def _sentence(answer: httpx.Response) -> str:
    try:
        detail = answer.json()["detail"]
    except (ValueError, KeyError, TypeError):
        detail = answer.text[:200]
    return str(detail)
