"""The page's events over HTTP, as Gradio's script in a browser sends them."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from typing import Any

import httpx
from gradio_client.utils import apply_diff


class Refused(Exception):
    """The server refused something; the message is its sentence, with the status before it."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(f"{status}: {said}")
        self.status = status


class PageEvents:
    """What can be done in the page, by the component's name in it and the event's."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http
        #: One event of a kind is at work at a time: each kind has a stream of its own.
        self._sessions: dict[tuple[str, str], str] = {}
        config = http.get("/config").json()
        names = {part["id"]: part["props"].get("elem_id") for part in config["components"]}
        self._numbers = {
            (names.get(part), event): item["id"]
            for item in config["dependencies"]
            for part, event in item["targets"]
            if item["backend_fn"]
        }
        self._parts = {name: number for number, name in names.items() if name}

    def once(
        self, part: str, event: str, given: Sequence[Any], about: dict[str, Any] | None = None
    ) -> list[Any]:
        """What comes of an event; raises Refused where the page is told why not."""
        *_, last = self.told(part, event, given, about)
        return last

    def look(self, part: str, wanted: dict[str, Any]) -> dict[str, Any]:
        """What a component asks while somebody works in it."""
        sent = {
            "data": wanted,
            "component_id": self._parts[part],
            "fn_name": "look",
            "session_hash": self._sessions.setdefault((part, "look"), secrets.token_hex(8)),
        }
        answer = dict(self._http.post("/gradio_api/component_server", json=sent).json())
        if "error" in answer:
            raise Refused(422, str(answer["error"]))
        return answer

    def told(
        self,
        part: str,
        event: str,
        given: Sequence[Any],
        about: dict[str, Any] | None = None,
        patience: float | None = None,
    ) -> Iterator[list[Any]]:
        """The values of the event's outputs, each time that they change."""
        session = self._sessions.setdefault((part, event), secrets.token_hex(8))
        sent = {
            "data": list(given),
            "fn_index": self._numbers[part, event],
            "session_hash": session,
            "event_data": about,
        }
        answer = self._http.post("/gradio_api/queue/join", json=sent)
        if answer.status_code >= 300:
            raise Refused(answer.status_code, answer.text)
        params = {"session_hash": session}
        values: list[Any] | None = None
        with self._http.stream(
            "GET", "/gradio_api/queue/data", params=params, timeout=patience or self._http.timeout
        ) as stream:
            for line in stream.iter_lines():
                if not line.startswith("data:"):
                    continue
                message = json.loads(line[5:])
                found = (message.get("output") or {}).get("data")
                match message["msg"]:
                    case "log" if message["level"] == "warning":
                        raise Refused(422, message["log"])
                    case "process_generating" if values is None:
                        values = found
                        yield values
                    case "process_generating":
                        values = [apply_diff(*pair) for pair in zip(values, found, strict=True)]
                        yield values
                    case "process_completed":
                        if not message["success"]:
                            raise Refused(500, str(message["output"]))
                        if values is None and found:
                            yield found
                        return
