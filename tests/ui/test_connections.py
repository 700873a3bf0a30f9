"""Connections and bodies that are too many, too large or too slow, over real sockets."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
import time

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route

from controlllm.admission.bodies import Bodies
from controlllm.settings.quotas import Quotas
from controlllm.ui.connections import Connections
from tests.waiting import PATIENCE, wait_until

#: What is slow here is much slower than a busy machine is with what is quick.
QUOTAS = Quotas(all_connections=12, slow_seconds=2.0, body_bytes=10_000)


@pytest.fixture(scope="module")
def server():
    reached = []

    async def health(request):
        return PlainTextResponse("ok")

    async def length(request):
        return PlainTextResponse(str(len(await request.body())))

    async def large(request):
        async def pieces():
            for _ in range(2000):
                yield b"x" * 100_000

        return StreamingResponse(pieces())

    app = Starlette(
        routes=[
            Route("/health", health),
            Route("/points", length, methods=["POST"]),
            Route("/gradio_api/upload", length, methods=["POST"]),
            Route("/large", large),
        ],
        middleware=[Middleware(Bodies, quotas=QUOTAS, tell=reached.append)],
    )
    connections = Connections(QUOTAS, reached.append)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {"log_level": "error", "http": connections.protocol(), "ws": "none"}
    running = uvicorn.Server(uvicorn.Config(app, port=port, **options))
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started:
        time.sleep(0.02)
    yield port, connections, reached
    running.should_exit = True
    thread.join(PATIENCE)


@pytest.fixture
def dial(server):
    """Opens connections; afterwards all are closed, as the server sees it too."""
    port, connections, reached = server
    reached.clear()
    opened = []

    def new(sent=b""):
        made = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        made.sendall(sent)
        opened.append(made)
        return made

    yield new
    for made in opened:
        made.close()
    wait_until(lambda: connections.count() == 0)


def asked(path, body=b"", length=None, method=b"POST"):
    length = str(len(body) if length is None else length).encode()
    head = b"%s %s HTTP/1.1\r\nHost: x\r\nContent-Length: %s\r\n\r\n"
    return head % (method, path.encode(), length) + body


def answer_on(connection):
    """A whole answer: its head, and as much as it says that follows."""
    found = b""
    while b"\r\n\r\n" not in found:
        found += connection.recv(1000)
        assert found
    head, _, body = found.partition(b"\r\n\r\n")
    length = next(
        int(line.split(b":")[1])
        for line in head.lower().split(b"\r\n")
        if line.startswith(b"content-length")
    )
    while len(body) < length:
        body += connection.recv(1000)
    return head + body


def is_closed(connection):
    try:
        return connection.recv(1000) == b""
    except ConnectionError:
        return True


def test_headers_that_do_not_end_are_not_waited_for(server, dial):
    slow = [dial(b"GET /health HTTP/1.1\r\nX-a: ") for _ in range(5)]
    quick = dial(asked("/health", method=b"GET"))
    assert b"200 OK" in answer_on(quick)
    quick.close()  # else it would be given up as well, since it asks nothing more

    def are_given_up():
        """Each byte that still comes is no reason to wait for more."""
        for connection in slow:
            with contextlib.suppress(ConnectionError):
                connection.sendall(b"y")
        return server[2].count("slow_seconds") == 5

    wait_until(are_given_up, every=0.1)
    assert b"200 OK" in answer_on(dial(asked("/health", method=b"GET")))
    assert all(map(is_closed, slow))


def test_an_answer_that_nobody_reads_is_given_up(server, dial):
    reader = dial(asked("/large", method=b"GET"))
    assert b"200 OK" in reader.recv(100)
    wait_until(lambda: "slow_seconds" in server[2])
    with contextlib.suppress(ConnectionError):
        while reader.recv(1 << 20):
            pass
    wait_until(lambda: server[1].count() == 0)


def test_a_connection_too_many_is_told_and_the_others_go_on(server, dial):
    there = [dial() for _ in range(12)]
    wait_until(lambda: server[1].count() == 12)
    refused = dial()
    assert b"503" in answer_on(refused)
    assert "all_connections" in server[2]
    there[0].sendall(asked("/health", method=b"GET"))
    assert b"200 OK" in answer_on(there[0])


def test_connections_kept_open_may_be_used_again(server, dial):
    connection = dial()
    for _ in range(5):
        connection.sendall(asked("/points", b"z" * 100))
        assert answer_on(connection).endswith(b"100")
        time.sleep(0.6)
    assert not server[2]


def test_a_body_too_large_is_refused_before_it_is_read(server, dial):
    answer = answer_on(dial(asked("/points", length=10_001)))
    assert b"413" in answer
    assert b"more than 0.01 MB" in answer
    assert "body_bytes" in server[2]


def test_a_body_that_does_not_say_its_length_is_refused_where_it_passes_the_limit(dial):
    head = b"POST /points HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    pieces = b"".join(b"1000\r\n" + b"x" * 4096 + b"\r\n" for _ in range(4))
    assert b"413" in answer_on(dial(head + pieces))


def test_files_are_measured_elsewhere(dial):
    sent = asked("/gradio_api/upload", b"x" * 50_000)
    assert answer_on(dial(sent)).endswith(b"50000")


@pytest.mark.parametrize("path", ["/points", "/gradio_api/upload"])
def test_a_body_that_drips_is_not_waited_for(server, dial, path):
    connection = dial(asked(path, length=9000))

    def is_answered():
        answers, _, _ = select.select([connection], [], [], 0)
        if not answers:
            connection.sendall(b"z")
        return answers

    wait_until(is_answered, every=0.1)
    answer = answer_on(connection)
    assert b"408" in answer
    assert b"too slowly" in answer


def test_many_of_one_address_elsewhere_are_refused_and_of_this_machine_are_not():
    told = []
    connections = Connections(Quotas(address_connections=3), told.append)
    assert [connections.opened(f"2001:db8::{n}") for n in range(4)] == [True] * 3 + [False]
    assert all(connections.opened("127.0.0.1") for _ in range(9))
    assert told == ["address_connections"]
    connections.closed("2001:db8::1")
    connections.closed("2001:db8::2")
    assert connections.opened("2001:db8::9")
