"""A server that speaks the chat protocol and replies as it is told to, faults included."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-canary-0123456789"


@dataclass(frozen=True)
class Said:
    """A reply of the model. `finish` is why it ended; `cut` drops the connection before the end."""

    text: str
    finish: str = "stop"
    cut: bool = False


@dataclass(frozen=True)
class Fault:
    """An HTTP status in place of a reply."""

    status: int
    message: str = "no"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Endless:
    """A reply without an end, in events where one is streamed: `piece` again and again, until the
    client goes away. `as_error` sends it with the status 500."""

    piece: str = "and so on "
    as_error: bool = False


class Silence:
    """No reply at all until the client goes away."""


class Refuses:
    """A parameter that the server refuses by name wherever it is sent; then it goes on."""

    def __init__(self, parameter: str, status: int = 400) -> None:
        self.parameter = parameter
        self.status = status


class ScriptedServer(ThreadingHTTPServer):
    """Replies from `script` in order, its last entry again and again; `asked` holds the calls."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Chat)
        self.script: list[object] = [Said("Hello, world")]
        self.refuses: list[Refuses] = []
        self.asked: list[dict] = []
        self.headers: list[dict[str, str]] = []
        self.closing = threading.Event()
        #: Set when a client has gone away from a reply without an end.
        self.left = threading.Event()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def says(self, *script: object) -> None:
        """Reply with these from now on; what is no reply or fault is JSON to be said, or makes it
        from the data that the model was told."""
        self.script = list(script)

    def data(self, call: int = -1) -> dict:
        """What the model was told beside its instructions, in one of the calls."""
        (told,) = [item for item in self.asked[call]["messages"][1:2] if item["role"] == "user"]
        return json.loads(told["content"])

    def handle_error(self, request, client_address):
        """A client that went away is no fault of the test."""


class _Chat(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ScriptedServer

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
        for refusal in self.server.refuses:
            if refusal.parameter in asked:
                said = f"Unknown parameter: {refusal.parameter}"
                return self._json(refusal.status, {"error": {"message": said}})
        script = self.server.script
        entry = script.pop(0) if len(script) > 1 else script[0]
        if callable(entry):
            entry = entry(json.loads(asked["messages"][1]["content"]))
        if not isinstance(entry, Said | Fault | Silence | Endless):
            entry = Said(json.dumps(entry))
        if isinstance(entry, Silence):
            self.server.closing.wait()
            self.close_connection = True
        elif isinstance(entry, Endless):
            self._go_on(entry, bool(asked.get("stream")))
        elif isinstance(entry, Fault):
            body = {"error": {"message": f"{entry.message} {KEY}"}}
            self._json(entry.status, body, entry.headers)
        elif asked.get("stream"):
            self._stream(entry, bool(asked.get("stream_options")))
        elif entry.cut:
            self._drop()
        else:
            message = {"role": "assistant", "content": entry.text}
            choice = {"index": 0, "message": message, "finish_reason": entry.finish}
            self._json(200, {**_HEAD, "object": "chat.completion", "choices": [choice], **_USAGE})

    def _go_on(self, entry, as_events):
        self.close_connection = True
        self.send_response(500 if entry.as_error else 200)
        kind = "text/event-stream" if as_events else "application/json"
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        choice = {"index": 0, "delta": {"content": entry.piece}, "finish_reason": None}
        try:
            while not self.server.closing.is_set():
                if as_events and not entry.as_error:
                    self._event({"choices": [choice]})
                else:
                    self._send(entry.piece.encode())
        except OSError:
            self.server.left.set()

    def _drop(self):
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _json(self, status, data, headers=None):
        body = json.dumps(data).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, entry, with_usage):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        pieces = [piece for piece in entry.text.partition(" ") if piece]
        for number, piece in enumerate(pieces):
            last = number == len(pieces) - 1 and not entry.cut
            choice = {"index": 0, "delta": {"content": piece}}
            self._event({"choices": [{**choice, "finish_reason": entry.finish if last else None}]})
        if entry.cut:
            return self._drop()
        if with_usage:
            self._event({"choices": [], **_USAGE})
        self._send(b"data: [DONE]\n\n")
        self._send(b"")

    def _event(self, data):
        chunk = {**_HEAD, "object": "chat.completion.chunk", **data}
        self._send(f"data: {json.dumps(chunk)}\n\n".encode())

    def _send(self, data):
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def log_message(self, *args):
        pass


_HEAD = {"id": "1", "created": 0, "model": "m"}
_USAGE = {"usage": {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}}


@contextmanager
def serving():
    """A scripted server, serving while it is used."""
    server = ScriptedServer()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
