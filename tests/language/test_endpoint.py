"""The OpenAI-compatible endpoint, against a server that speaks the protocol and its faults."""

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing

import pytest

from controlllm.core.costs import Usage
from controlllm.language.endpoint import ChatEndpoint, EndpointError
from controlllm.toolbox import Cancelled
from tests.every_case import every_case
from tests.language.conftest import endpoint, server
from tests.language.scripted_server import KEY, Endless, Fault, Refuses, Said, Silence
from tests.waiting import PATIENCE, wait_until

HELLO = [{"role": "user", "content": "Hi"}]
SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


async def streamed(endpoint, **more):
    return [piece async for piece in endpoint.stream(HELLO, **more)]


async def fails(endpoint, way):
    """The error of a call, whole or streamed."""
    with pytest.raises(EndpointError) as error:
        if way == "whole":
            endpoint.reply(HELLO)
        else:
            await streamed(endpoint)
    return error.value


async def test_the_answer_comes_in_pieces(server, endpoint):
    counted = []
    assert await streamed(endpoint, counted=counted.append) == ["Hello,", " ", "world"]
    assert counted == [Usage(1, 100, 7)]
    assert server.asked[0]["model"] == "small-model"
    assert server.asked[0]["stream"] is True
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_a_whole_reply_with_its_cost(server, endpoint):
    reply = endpoint.reply(HELLO, SCHEMA, max_tokens=50)
    assert (reply.text, reply.cut, reply.usage) == ("Hello, world", False, Usage(1, 100, 7))
    (asked,) = server.asked
    assert asked["temperature"] == 0
    assert asked["max_tokens"] == 50
    assert asked["response_format"]["json_schema"] == {
        "name": "reply", "strict": True, "schema": SCHEMA,
    }  # fmt: skip


def test_a_reply_that_was_cut_off_says_so(server, endpoint):
    server.says(Said('{"a": ', finish="length"))
    assert endpoint.reply(HELLO).cut


@every_case("way", ["whole", "streamed"])
@every_case(
    ("status", "fault", "words"),
    [
        (401, "key", "refused the key"),
        (403, "key", "does not let this key"),
        (404, "model", "no model called 'small-model'"),
        (413, "too-long", "too long"),
        (400, "refused", "refused the request (400)"),
        (429, "limit", "too many requests"),
        (500, "server", "error (500)"),
        (503, "server", "error (503)"),
    ],
)
async def test_errors_say_what_to_do_and_hold_no_key(server, endpoint, way, status, fault, words):
    server.asked.clear()
    server.says(Fault(status))
    error = await fails(endpoint, way)
    assert error.fault == fault
    assert words in str(error)
    assert KEY not in str(error)
    assert len(server.asked) == 1


@every_case(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After-Ms": "250"}, 0.25),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-3"}, 0.0),
        ({}, None),
    ],
)
async def test_how_long_a_busy_server_asks_to_wait(server, endpoint, headers, seconds):
    server.says(Fault(429, headers=headers))
    error = await fails(endpoint, "whole")
    assert error.retry_after == seconds
    assert ("seconds" in str(error)) == (seconds is not None)


@pytest.mark.parametrize("way", ["whole", "streamed"])
async def test_a_server_that_does_not_answer(server, way):
    server.says(Silence())
    error = await fails(ChatEndpoint(server.base_url, KEY, "m", timeout=0.2), way)
    assert error.fault == "timeout"


@pytest.mark.parametrize("way", ["whole", "streamed"])
async def test_a_connection_that_drops(server, endpoint, way):
    server.says(Said("Hello, world", cut=True))
    error = await fails(endpoint, way)
    assert error.fault == "broken"
    assert "broke off" in str(error)


async def test_an_answer_that_is_cut_off_for_its_length_shows_it(server, endpoint):
    server.says(Said("Hello, world", finish="length"))
    assert "".join(await streamed(endpoint)) == "Hello, world …"


async def test_a_stream_without_its_end_is_an_error(server, endpoint):
    server.says(Said(""))
    assert (await fails(endpoint, "streamed")).fault == "broken"


@pytest.mark.parametrize("way", ["whole", "streamed"])
async def test_nobody_there(way):
    error = await fails(ChatEndpoint("http://127.0.0.1:1/v1", KEY, "m"), way)
    assert error.fault == "unreachable"
    assert "could not be reached" in str(error)


@every_case("status", [400, 422, 500])
@every_case(
    "parameter",
    ["response_format", "temperature", "max_tokens"],
    anew=(server, endpoint),
)
def test_a_parameter_that_is_refused_is_not_sent_again(server, endpoint, parameter, status):
    server.refuses = [Refuses(parameter, status)]
    for _ in range(2):
        assert endpoint.reply(HELLO, SCHEMA, max_tokens=9).text == "Hello, world"
    assert [parameter in asked for asked in server.asked] == [True, False, False]


async def test_a_server_that_counts_no_streams(server, endpoint):
    server.refuses = [Refuses("stream_options")]
    counted = []
    assert await streamed(endpoint, counted=counted.append) == ["Hello,", " ", "world"]
    assert counted == [Usage(1)]


async def test_something_else_than_a_language_model(server, endpoint):
    server.says(Fault(200))
    assert (await fails(endpoint, "whole")).fault == "broken"
    assert (await fails(endpoint, "streamed")).fault == "broken"


async def test_half_a_character_of_a_model_is_made_whole_or_replaced(server, endpoint):
    server.says(Said("a\ud83d \ude00b"))
    assert endpoint.reply(HELLO).text == "a\ufffd \ufffdb"
    assert "".join(await streamed(endpoint)) == "a\ufffd \ufffdb"


@pytest.mark.parametrize("way", ["whole", "streamed"])
async def test_an_answer_without_an_end_is_read_only_so_far(server, endpoint, way):
    endpoint.most_bytes = 100_000
    for entry in (Endless("x" * 10_000), Endless("x" * 10_000, as_error=True)):
        server.left.clear()
        server.says(entry)
        error = await fails(endpoint, way)
        assert (error.fault, str(error)) == (
            "endless", "The language model's answer is larger than can be taken.",
        )  # fmt: skip
        # The server hears it: the connection is closed.
        assert await asyncio.to_thread(server.left.wait, PATIENCE)


@pytest.mark.parametrize("way", ["whole", "streamed"])
async def test_an_answer_that_takes_too_long_as_a_whole_is_given_up(server, endpoint, way):
    server.says(Silence())
    endpoint.whole_seconds = 0.2
    error = await fails(endpoint, way)
    assert error.fault == "endless" and "no end after 0 seconds" in str(error)


async def test_what_is_packed_is_not_unpacked(server, endpoint):
    server.says(Fault(200, headers={"Content-Encoding": "gzip"}))
    for way in ("whole", "streamed"):
        assert (await fails(endpoint, way)).fault == "endless"
    assert server.headers[0]["accept-encoding"] == "identity"


def test_a_stop_ends_a_whole_reply_and_its_call(server, endpoint):
    server.says(Endless())
    endpoint.most_bytes = 1 << 40
    stop = threading.Event()

    def stopped():
        with pytest.raises(Cancelled):
            endpoint.reply(HELLO, cancelled=stop)

    asking = threading.Thread(target=stopped)
    asking.start()
    wait_until(lambda: server.asked)
    stop.set()
    asking.join(PATIENCE)
    assert not asking.is_alive() and server.left.wait(PATIENCE)


async def test_a_stream_that_is_left_ends_its_call(server, endpoint):
    server.says(Endless())
    async with aclosing(endpoint.stream(HELLO)) as pieces:
        async for _ in pieces:
            break
    assert await asyncio.to_thread(server.left.wait, PATIENCE)
