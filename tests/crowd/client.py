"""A visitor of the page, without the page: the same requests over HTTP, with the same cookie.

How a request is asked and followed to its end is in `_drawings` alone.
"""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import httpx

#: Seconds that an answer to a plain request may take.
PATIENCE = 60.0


class Refused(Exception):
    """The server refused something; the message is its sentence, with the status before it."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(f"{status}: {said}")
        self.status = status


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
        told = self._sent("POST", "/conversations", json={"handle": "", "new": new}).json()
        self.handle = str(told["handle"])

    def upload(self, name: str, content: bytes) -> str:
        """Hand over a file; the value by which requests name it."""
        at = f"/conversations/{self.handle}/files"
        told = self._sent("POST", at, params={"name": name}, content=content).json()
        return str(told["file"]["value"])

    def point(self, picture: str, points: Sequence[dict[str, int]]) -> str:
        """Point at places of a picture; the value by which requests name them."""
        at = f"/conversations/{self.handle}/points"
        told = self._sent("POST", at, json={"image": picture, "points": list(points)}).json()
        return str(told["file"]["value"])

    def conversation(self) -> dict[str, Any]:
        """The conversation as the page loads it."""
        return dict(self._sent("GET", f"/conversations/{self.handle}").json())

    def files(self) -> list[File]:
        """All files of the conversation, those handed over and those made."""
        told = self._sent("GET", f"/conversations/{self.handle}/files").json()
        return [File(item["value"], item["type"], item["address"]) for item in told["files"]]

    def content(self, address: str) -> bytes:
        """What is in a file."""
        return self._sent("GET", address).content

    def status(self, method: str, path: str, **rest: Any) -> int:
        """With which status the server answers to anything."""
        return self._http.request(method, path, **rest).status_code

    def stop(self, run: str) -> None:
        """What the stop button does."""
        self._sent("POST", f"/conversations/{self.handle}/stop", json={"run": run})

    def ask(
        self,
        text: str,
        attached: Sequence[str] = (),
        patience: float = 300.0,
        run: str = "",
        watch: Callable[[str], None] = lambda now: None,
    ) -> Ended:
        """Ask, and watch until the end. `run` is a name to stop it by; `watch` is told each
        sentence of how far it is.

        Raises Refused where the server does, TimeoutError where the end does not come in time.
        """
        began = time.monotonic()
        waited = 0.0
        sent = {
            "run": run or f"run-{secrets.token_hex(8)}",
            "text": text,
            "attached": list(attached),
        }
        for drawing in self._drawings(sent, patience):
            now = time.monotonic()
            if now - began > patience:
                raise TimeoutError(f"No end after {patience:.0f} s.")
            if "now" in drawing:
                watch(str(drawing["now"]))
            if str(drawing.get("now", "")).startswith("Waiting"):
                waited = now - began
            if drawing.get("ended"):
                html = str(drawing["html"])
                return Ended(
                    drawing["state"],
                    bool(drawing["met"]),
                    words_of(html),
                    troubles_of(html),
                    now - began,
                    waited,
                )
        raise Refused(0, "The stream of drawings broke off before the end.")

    def _drawings(self, sent: dict[str, Any], patience: float) -> Iterator[dict[str, Any]]:
        """The drawings of a new turn as they come, a line of JSON each."""
        at = f"/conversations/{self.handle}/ask"
        with self._http.stream("POST", at, json=sent, timeout=patience) as answer:
            if answer.status_code >= 300:
                answer.read()
                raise Refused(answer.status_code, _sentence(answer))
            yield from map(json.loads, answer.iter_lines())

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
