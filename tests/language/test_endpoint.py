"""The OpenAI-compatible endpoint, against a server that speaks the protocol and its faults."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from controlllm.language.endpoint import ChatEndpoint, EndpointError, read_prompt

KEY = "sk-canary-0123456789"


class Chat(BaseHTTPRequestHandler):
    """Answers as the server's `mode` says, and keeps what it was asked."""

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        self.server.asked.append((json.loads(self.rfile.read(length)), self.headers))
        status, pieces, cut = self.server.mode
        self.send_response(status)
        if status != 200:
            body = json.dumps({"error": {"message": f"no, {KEY}"}}).encode()
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            return
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, piece in enumerate(pieces):
            last = number == len(pieces) - 1 and cut is not True
            chunk = {
                "id": "1",
                "object": "chat.completion.chunk",
                "created": 0,
                "model": "m",
                "choices": [
                    {
                        "index": 0,
                        "delta": {"content": piece},
                        "finish_reason": "stop" if last else None,
                    }
                ],
            }
            self._send(f"data: {json.dumps(chunk)}\n\n".encode())
        if cut is True:
            self.connection.close()
            return
        self._send(b"data: [DONE]\n\n")
        self._send(b"")

    def _send(self, data):
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    found = ThreadingHTTPServer(("127.0.0.1", 0), Chat)
    found.asked = []
    found.mode = (200, ["Hello", ", ", "world"], False)
    thread = threading.Thread(target=found.serve_forever, daemon=True)
    thread.start()
    yield found
    found.shutdown()
    found.server_close()
    thread.join()


def endpoint(server):
    return ChatEndpoint(f"http://127.0.0.1:{server.server_port}/v1", KEY, "small-model")


async def read(chat):
    return [piece async for piece in chat.stream([{"role": "user", "content": "Hi"}])]


async def test_the_answer_comes_in_pieces(server):
    assert await read(endpoint(server)) == ["Hello", ", ", "world"]
    asked, headers = server.asked[0]
    assert asked["model"] == "small-model"
    assert asked["stream"] is True
    assert headers["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("status", "words"),
    [(401, "key"), (404, "small-model"), (429, "too many"), (500, "error (500)")],
)
async def test_errors_say_what_to_do_and_hold_no_key(server, status, words):
    server.mode = (status, [], False)
    with pytest.raises(EndpointError, match=words.replace("(", r"\(").replace(")", r"\)")) as error:
        await read(endpoint(server))
    assert KEY not in str(error.value)


async def test_a_stream_that_breaks_off_is_an_error(server):
    server.mode = (200, ["Hel"], True)
    with pytest.raises(EndpointError):
        await read(endpoint(server))


async def test_an_answer_that_ends_without_its_end_is_an_error(server):
    server.mode = (200, ["Hel", ""], False)
    chat = endpoint(server)
    assert await read(chat) == ["Hel"]
    server.mode = (200, [], False)
    with pytest.raises(EndpointError, match="broke off"):
        await read(chat)


async def test_nobody_there(server):
    chat = ChatEndpoint("http://127.0.0.1:1/v1", KEY, "small-model")
    with pytest.raises(EndpointError, match="could not be reached"):
        await read(chat)


def test_prompts_are_filled():
    text = read_prompt("answer", request="crop it", workflow="w", results="r")
    assert "crop it" in text
    assert "{{" not in text
