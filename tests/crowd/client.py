"""A visitor of the page, without the page: the same events over HTTP, with the same cookie.

How an event of Gradio's is sent and what comes of it is in `_event` alone.
"""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import httpx
from gradio_client.utils import apply_diff

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
    #: The numbers of the page's events, by their names.
    _events: dict[str, int] = field(default_factory=dict)
    _http: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        transport = httpx.HTTPTransport(local_address=self.source)
        self._http = httpx.Client(
            base_url=self.address, timeout=PATIENCE, transport=transport, trust_env=False
        )

    def close(self) -> None:
        self._http.close()

    def another(self) -> Visitor:
        """The same visitor in another tab, in a conversation of its own."""
        other = Visitor(self.address, self.source, self.handle, dict(self._events))
        other._http.cookies.update(self._http.cookies)
        other.open(new=True)
        return other

    def page(self) -> str:
        """The page itself, as a browser loads it at first."""
        return self._sent("GET", "/").text

    def open(self, new: bool = False) -> None:
        """Open the newest conversation, or a new one."""
        if not self._events:
            self.page()
            for event in self._sent("GET", "/config").json()["dependencies"]:
                self._events.setdefault(str(event["api_name"]), int(event["id"]))
        if new and self.handle:
            begun = self._do({"do": "new-conversation"})[0]
        else:
            begun = self._done("enter", ["", "", 0])[0]
        self.handle = str(begun)

    def upload(self, name: str, content: bytes) -> str:
        """Hand over a file; the value by which requests name it."""
        sent = {"files": (name, content, "application/octet-stream")}
        (path,) = self._sent("POST", "/gradio_api/upload", files=sent).json()
        file = {"path": path, "orig_name": name, "meta": {"_type": "gradio.FileData"}}
        # To point at something takes the files of a message in, and leaves them with it.
        changed = self._done("point", [{"text": "", "files": [file]}, self.handle, []])
        return str(changed[2][0])

    def delete(self, handle: str) -> None:
        """Delete a conversation."""
        self._do({"do": "delete-conversation", "handle": handle})

    def conversation(self) -> dict[str, str]:
        """The conversation as the page shows it: each turn by its key."""
        with closing(self._looks()) as looks:
            return turns_of(_first(looks))

    def files(self) -> list[File]:
        """All files of the conversation, those handed over and those made."""
        with closing(self._looks()) as looks:
            drawn = "".join(_first(looks)[3]["parts"])
        found = re.findall(
            r'data-do="view" data-value="([^"]+)" data-type="([^"]+)" data-address="([^"]+)"', drawn
        )
        return [File(*map(unescape, item)) for item in found]

    def content(self, address: str) -> bytes:
        """What is in a file."""
        return self._sent("GET", address).content

    def status(self, method: str, path: str, **rest: Any) -> int:
        """With which status the server answers to anything."""
        return self._http.request(method, path, **rest).status_code

    def stop(self) -> None:
        """What the stop button does."""
        self._do({"do": "stop"})

    def ask(
        self,
        text: str,
        attached: Sequence[str] = (),
        patience: float = 300.0,
        watch: Callable[[str], None] = lambda now: None,
    ) -> Ended:
        """Ask, and watch until the end; `watch` is told each sentence of how far it is.

        Raises Refused where the server does, TimeoutError where the end does not come in time.
        """
        began = time.monotonic()
        waited = 0.0
        with closing(self._looks(patience)) as looks:
            before = set(turns_of(_first(looks)))
            message = {"text": text, "files": []}
            self._done("send", [message, self.handle, list(attached), {}])
            for look in looks:
                now = time.monotonic()
                if now - began > patience:
                    raise TimeoutError(f"No end after {patience:.0f} s.")
                live = "".join(look[0]["parts"])
                doing = _plain("".join(re.findall(r'<p class="now">(.*?)</p>', live)))
                if doing:
                    watch(doing)
                if doing.startswith("Waiting"):
                    waited = now - began
                made = [
                    html for key, html in turns_of(look).items()
                    if key not in before and key.startswith("turn-")
                ]  # fmt: skip
                if made and not look[9]:
                    return _ended(made[-1], now - began, waited)
        raise Refused(0, "The stream of drawings broke off before the end.")

    def _looks(self, patience: float = PATIENCE) -> Generator[list[Any], None, None]:
        """How the conversation looks, now and each time that it changes."""
        return self._event("watch", [self.handle, ""], patience=patience)

    def _do(self, sent: dict[str, Any]) -> list[Any]:
        """What a component's button does."""
        return self._done("act", [self.handle, []], sent)

    def _done(self, name: str, data: list[Any], sent: Any = None) -> list[Any]:
        """What has changed when an event is over."""
        with closing(self._event(name, data, sent)) as found:
            return list(found)[-1]

    def _event(
        self, name: str, data: list[Any], sent: Any = None, patience: float = PATIENCE
    ) -> Generator[list[Any], None, None]:
        """The values of an event's outputs as they come; raises Refused where it is told so."""
        page = secrets.token_hex(6)
        join = {
            "data": data, "fn_index": self._events[name], "session_hash": page, "event_data": sent,
            "trigger_id": None,
        }  # fmt: skip
        self._sent("POST", "/gradio_api/queue/join", json=join)
        values: list[Any] = []
        at = "/gradio_api/queue/data"
        with self._http.stream("GET", at, params={"session_hash": page}, timeout=patience) as told:
            if told.status_code >= 300:
                told.read()
                raise Refused(told.status_code, _sentence(told))
            for line in told.iter_lines():
                message = json.loads(line[5:]) if line.startswith("data:") else {}
                kind, output = message.get("msg"), message.get("output") or {}
                if kind == "log" and message.get("level") == "warning":
                    raise Refused(422, str(message["log"]))
                if kind == "process_generating" and values:
                    pairs = zip(values, output["data"], strict=True)
                    values = [apply_diff(value, change) for value, change in pairs]
                    yield values
                elif kind in ("process_generating", "process_completed"):
                    if not message.get("success", True):
                        raise Refused(500, str(output.get("error")))
                    if kind == "process_generating" or not values:
                        values = output["data"]
                        yield values
                if kind == "process_completed":
                    return

    def _sent(self, method: str, path: str, **rest: Any) -> httpx.Response:
        answer = self._http.request(method, path, **rest)
        if answer.status_code >= 300:
            raise Refused(answer.status_code, _sentence(answer))
        return answer


def turns_of(look: list[Any]) -> dict[str, str]:
    """The turns and other lines of a conversation, by their keys."""
    return {str(key): str(html) for key, html in look[0]["history"]}


def _first(looks: Generator[list[Any], None, None]) -> list[Any]:
    look = next(looks, None)
    # A watch that ends at once has nothing to show.
    if look is None or look[0] is None:
        raise Refused(404, "There is no such conversation.")
    return look


def _ended(html: str, seconds: float, waited: float) -> Ended:
    state = re.search(r'data-state="(\w+)"', html)
    assert state is not None
    # Only what came to a result can be kept.
    is_met = state[1] == "answered" and 'data-do="keep-recipe"' in html
    return Ended(state[1], is_met, words_of(html), troubles_of(html), seconds, waited)


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
