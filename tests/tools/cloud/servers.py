"""Servers on this machine that speak the protocols of those that tools may send their work to.

`OpenAIServer` answers like an OpenAI-compatible endpoint, `InferenceServer` like Hugging Face's
inference endpoints, `gradio_app` is a real Gradio app with a function for each tool.
"""

from __future__ import annotations

import base64
import email
import io
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

KEY = "sk-a-key-that-nobody-may-see"


@dataclass(frozen=True)
class Received:
    """One request: its path, headers in small letters, body, and what the body holds as JSON or as
    the parts of a form."""

    path: str
    headers: Mapping[str, str]
    body: bytes
    json: Any = None
    form: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Reply:
    body: bytes
    media_type: str = "application/json"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


def as_json(value: Any, status: int = 200, **headers: str) -> Reply:
    names = {name.replace("_", "-"): told for name, told in headers.items()}
    return Reply(json.dumps(value).encode(), "application/json", status, names)


def error(status: int, message: str, code: str = "", **headers: str) -> Reply:
    """A refusal in the form of OpenAI's."""
    return as_json({"error": {"message": message, "code": code}}, status, **headers)


def png(picture: PIL.Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def drawn(width: int = 96, height: int = 64) -> PIL.Image.Image:
    """A picture in which every pixel differs from its neighbours."""
    across, down = np.meshgrid(np.arange(width), np.arange(height))
    levels = np.stack([across * 2 % 256, down * 3 % 256, (across + down) % 256], axis=-1)
    return PIL.Image.fromarray(levels.astype(np.uint8))


def tone_samples(seconds: float = 0.5, rate: int = 24_000) -> np.ndarray:
    times = np.arange(int(seconds * rate)) / rate
    return (0.3 * np.sin(2 * np.pi * 330 * times)).astype(np.float32)


def sound_file(form: str = "WAV", seconds: float = 0.5, rate: int = 24_000) -> bytes:
    import soundfile

    buffer = io.BytesIO()
    soundfile.write(buffer, tone_samples(seconds, rate), rate, format=form)
    return buffer.getvalue()


class LocalServer(ThreadingHTTPServer):
    """Keeps what was sent; `replies` come first, in their order; `mode` "hang" answers nothing
    until the server is closed, "drop" breaks every answer off."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.received: list[Received] = []
        self.replies: list[Reply] = []
        self.mode = ""
        self.left: list[str] = []
        self.on_request: Callable[[], None] = lambda: None
        self.closing = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def answer(self, received: Received) -> Reply:
        raise NotImplementedError

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no fault of the test."""


@contextmanager
def running(server: LocalServer) -> Iterator[LocalServer]:
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: LocalServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(Received(self.path, self._headers(), b""))

    def do_POST(self) -> None:
        headers = self._headers()
        body = self.rfile.read(int(headers.get("content-length", 0)))
        told = headers.get("content-type", "")
        value, form = None, {}
        if told.startswith("application/json"):
            value = json.loads(body)
        elif told.startswith("multipart/form-data"):
            form = _form(told, body)
        self._answer(Received(self.path, headers, body, value, form))

    def _headers(self) -> dict[str, str]:
        return {name.lower(): value for name, value in self.headers.items()}

    def _answer(self, received: Received) -> None:
        self.server.received.append(received)
        self.server.on_request()
        if self.server.mode == "hang":
            self._hang(received)
            return
        waiting = self.server.replies
        reply = waiting.pop(0) if waiting else self.server.answer(received)
        self.send_response(reply.status)
        length = len(reply.body) + (1000 if self.server.mode == "drop" else 0)
        for name, value in {
            "Content-Type": reply.media_type,
            "Content-Length": str(length),
            **reply.headers,
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body)
        if self.server.mode == "drop":
            self.close_connection = True

    def _hang(self, received: Received) -> None:
        """Wait for the client to leave, and note what it had asked for."""
        self.close_connection = True
        self.connection.settimeout(0.02)
        while not self.server.closing.is_set():
            try:
                if self.connection.recv(1, socket.MSG_PEEK) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        self.server.left.append(received.path)

    def log_message(self, *args: object) -> None:
        pass


def _form(told: str, body: bytes) -> dict[str, bytes]:
    message = email.message_from_bytes(f"Content-Type: {told}\r\n\r\n".encode() + body)
    parts = {}
    for part in message.get_payload():
        name = part.get_param("name", header="content-disposition")
        parts[str(name).removesuffix("[]")] = part.get_payload(decode=True)
    return parts


class OpenAIServer(LocalServer):
    """An OpenAI-compatible endpoint.

    `refuses` are parameters that it does not take; `says` is its reply in chats without a schema;
    `by_address` lets pictures come as addresses; `spoken` are the bytes of its speech and their
    media type.
    """

    def __init__(self) -> None:
        super().__init__()
        self.refuses: set[str] = set()
        self.says = "Three red boats lie on a calm lake."
        self.by_address = False
        self.spoken = (sound_file(), "audio/wav")

    @property
    def base_url(self) -> str:
        return f"{self.address}/v1"

    def answer(self, received: Received) -> Reply:
        if received.path == "/made.png":
            return Reply(png(drawn()), "image/png")
        if received.headers.get("authorization") != f"Bearer {KEY}":
            return error(401, "Incorrect API key provided.", "invalid_api_key")
        sent = received.json if received.json is not None else received.form
        for name in sorted(self.refuses):
            if name in sent:
                return error(400, f"Unsupported parameter: '{name}'", "unknown_parameter")
        match received.path.removeprefix("/v1"):
            case "/chat/completions":
                return self._chat(received.json)
            case "/images/generations":
                return self._pictures(drawn())
            case "/images/edits":
                return self._pictures(_repainted(received.form))
            case "/audio/speech":
                return Reply(*self.spoken)
            case "/audio/transcriptions":
                import soundfile

                seconds = soundfile.info(io.BytesIO(received.form["file"])).duration
                return as_json({"text": f" I heard {seconds:.1f} seconds. "})
        return error(404, "no such path")

    def _chat(self, sent: Any) -> Reply:
        words = self.says
        wanted = sent.get("response_format")
        if wanted is not None:
            words = json.dumps(value_for(wanted["json_schema"]["schema"]))
        message = {"role": "assistant", "content": words}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return as_json({"id": "1", "object": "chat.completion", "choices": [choice]})

    def _pictures(self, picture: PIL.Image.Image) -> Reply:
        if self.by_address:
            return as_json({"data": [{"url": f"{self.address}/made.png"}]})
        return as_json({"data": [{"b64_json": base64.b64encode(png(picture)).decode()}]})


def value_for(schema: Mapping[str, Any], name: str = "") -> Any:
    """A value that follows a schema: what a model that keeps to it might reply."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema["type"] if isinstance(schema["type"], str) else schema["type"][0]
    match kind:
        case "object":
            return {inner: value_for(item, inner) for inner, item in schema["properties"].items()}
        case "array":
            return [value_for(schema["items"], name)]
        case "number":
            return 0.75 if name in ("right", "bottom", "end") else 0.25
        case "integer":
            return 1
        case "boolean":
            return True
    return "boat"


def _repainted(form: Mapping[str, bytes]) -> PIL.Image.Image:
    """The picture turned to its negative; where there is a mask, see-through parts of it red."""
    picture = PIL.Image.open(io.BytesIO(form["image"])).convert("RGB")
    levels = 255 - np.asarray(picture)
    if "mask" in form:
        mask = np.asarray(PIL.Image.open(io.BytesIO(form["mask"])))
        levels = np.where(mask[..., 3:] == 0, np.array([255, 0, 0], np.uint8), levels)
    return PIL.Image.fromarray(levels)


class InferenceServer(LocalServer):
    """Hugging Face inference endpoints, one at each path: the path names what it gives."""

    def __init__(self, video: Path | None = None) -> None:
        super().__init__()
        self.video = video

    def answer(self, received: Received) -> Reply:
        if received.headers.get("authorization") != f"Bearer {KEY}":
            return as_json({"error": "Invalid token"}, 401)
        match received.path.strip("/"):
            case "image":
                return Reply(png(drawn()), "image/png")
            case "mask":
                half = np.zeros((64, 96), np.uint8)
                half[:, :48] = 255
                found = base64.b64encode(png(PIL.Image.fromarray(half))).decode()
                return as_json([{"label": "boat", "score": 0.9, "mask": found}])
            case "audio":
                return Reply(sound_file("FLAC"), "audio/flac")
            case "video":
                assert self.video is not None
                return Reply(self.video.read_bytes(), "video/mp4")
            case "category":
                return as_json([{"label": "boat", "score": 0.8}, {"label": "ship", "score": 0.9}])
            case "bbox":
                box = {"xmin": 2, "ymin": 3, "xmax": 40, "ymax": 30}
                return as_json([{"label": "boat", "score": 0.8, "box": box}])
            case "number":
                return as_json([{"generated_text": "3"}])
            case "tags":
                return as_json(["boat", "lake"])
        return as_json([{"generated_text": " Three red boats. "}])


@dataclass(frozen=True)
class GradioApp:
    """A running app: its address, and where it notes what its functions were given."""

    address: str
    notes: Path

    @property
    def seen(self) -> list[Any]:
        return [json.loads(line) for line in self.notes.read_text().splitlines()]

    def clear(self) -> None:
        self.notes.write_text("")


@contextmanager
def gradio_app(tools: Sequence[Any], video: Path, folder: Path) -> Iterator[GradioApp]:
    """A Gradio app in a process of its own, with a function for each tool, of its name, that takes
    and gives what the tool does, and with those of `tests.tools.cloud.gradio_program`."""
    notes = folder / "notes.jsonl"
    notes.write_text("")
    functions = [
        [tool.name, [argument.type for argument in tool.args], tool.returns.type] for tool in tools
    ]
    told = {"folder": str(folder), "video": str(video), "notes": str(notes)}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.tools.cloud.gradio_program"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "GRADIO_TEMP_DIR": str(folder), "GRADIO_ANALYTICS_ENABLED": "False"},
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(json.dumps({"functions": functions, **told}) + "\n")
        process.stdin.flush()
        address = process.stdout.readline().strip()
        assert address, "the Gradio app did not start"
        yield GradioApp(address, notes)
    finally:
        # The program ends when nobody speaks to it any more.
        process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)
        process.stdout.close()
