"""The one way to the network, against servers on loopback that do what they should not."""

from __future__ import annotations

import asyncio
import gzip
import ssl
import threading
import time
import zlib
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import httpx2
import pytest

from controlllm.network import transport
from controlllm.network.addresses import Refused
from controlllm.network.transport import CheckedTransport, place_of
from controlllm.sources.fetching import Asked, Bounds, fetch, fetched
from controlllm.toolbox import Cancelled, Code, Context, ToolError
from tests.every_case import every_case
from tests.sources.rough_http import serving


@pytest.fixture
def served():
    """Serves what an answer says: where, and what it was asked."""
    with ExitStack() as stack:

        def serve(answer):
            url, asked = stack.enter_context(serving(answer))
            return SimpleNamespace(url=url, asked=asked)

        yield serve


def answering(body=b"ok", status=200, **headers):
    return lambda asked: asked.answer(status, body, **headers)


def get(server, path="/", **more):
    bounds = more.pop("bounds", None)
    url = f"{server.url}{path}"
    return fetch(Asked("GET", url, **more), place_of(server.url), bounds=bounds)


@contextmanager
def refused(code=None, match=None):
    with pytest.raises(ToolError, match=match) as told:
        yield
    assert code is None or told.value.code == code


def test_an_answer_is_read_whole(served):
    answer = get(served(answering(b"hello", Content_Type="text/plain; charset=utf-8")))
    assert (answer.status, answer.content, answer.media_type) == (200, b"hello", "text/plain")


def test_a_server_on_this_machine_is_refused_unless_it_is_the_sources_own(served):
    server = served(answering())
    with pytest.raises(Refused):
        fetch(Asked("GET", server.url))
    with pytest.raises(Refused):
        fetch(Asked("GET", server.url.replace("127.0.0.1", "localhost")))
    assert server.asked == []


async def test_what_was_checked_is_connected_to():
    """A name that means another machine each time it is asked for is asked for once."""
    answers = [["93.184.216.34"], ["127.0.0.1"]]
    seen = []

    async def rebinding(host, port):
        return answers.pop(0)

    def carried(request):
        seen.append((request.url.host, request.headers["host"], request.extensions))
        return httpx2.Response(200, stream=httpx2.ByteStream(b"ok"))

    inner = httpx2.MockTransport(carried)
    transport = CheckedTransport(resolve=rebinding, inner=inner)
    await fetched(Asked("GET", "https://example.com/x"), transport=transport)
    ((host, name, extensions),) = seen
    assert (host, name, extensions["sni_hostname"]) == (
        "93.184.216.34",
        "example.com",
        "example.com",
    )
    with pytest.raises(Refused):
        await fetched(Asked("GET", "https://example.com/x"), transport=transport)
    assert len(seen) == 1


@every_case(
    "location",
    [
        *("http://127.0.0.1:1234/", "http://10.0.0.1/", "//127.0.0.1:1234/x", "//169.254.169.254/"),
        *("http://[::1]:1234/", "file:///etc/passwd", "ftp://127.0.0.1/", "http://0x7f.1/"),
        *("http://user:word@example.com/", "http://127.0.0.1:22/", "gopher://127.0.0.1:1234/"),
        *("javascript:1", "http://localhost:1234/"),
    ],
    anew=(served,),
)
def test_a_redirect_to_what_is_refused_is_not_followed(served, location):
    server = served(answering(b"", 302, Location=location))
    with pytest.raises(Refused):
        get(server)
    assert len(server.asked) == 1


def test_a_redirect_to_another_server_of_ones_own_is_not_followed(served):
    other = served(answering(b"secret"))
    server = served(answering(b"", 302, Location=other.url))
    with pytest.raises(Refused):
        get(server)
    assert other.asked == []


def test_redirects_at_one_place_are_followed_a_few_times(served):
    def on(asked):
        number = int(asked.path.strip("/") or 0)
        if number == 5:
            asked.answer(200, b"there")
        else:
            asked.answer(307, Location=f"/{number + 1}")

    assert get(served(on), secrets={"X-Key": "k"}).content == b"there"

    endless = served(answering(b"", 301, Location="/"))
    with refused(Code.ERROR, "without end"):
        get(endless)
    assert len(endless.asked) == 6


async def redirected(location, asked, status=302):
    """The requests that are made where the first answer leads to a location."""
    seen = []

    async def public(host, port):
        return ["93.184.216.34"]

    def carried(request):
        seen.append(request)
        if len(seen) == 1:
            return httpx2.Response(status, headers={"location": location, "set-cookie": "a=b"})
        return httpx2.Response(200, stream=httpx2.ByteStream(b"ok"))

    transport = CheckedTransport(resolve=public, inner=httpx2.MockTransport(carried))
    await fetched(asked, transport=transport)
    return seen


async def test_another_place_sees_neither_secrets_nor_cookies():
    asked = Asked("GET", "https://a.example/", {"X-Trace": "t"}, secrets={"Authorization": "s"})
    for location in ("https://b.example/", "https://a.example:8443/"):
        first, second = await redirected(location, asked)
        assert first.headers["authorization"] == "s"
        assert not {"authorization", "x-trace", "cookie"} & set(second.headers)
    _, same = await redirected("/other", asked)
    assert same.headers["authorization"] == "s" and "cookie" not in same.headers


async def test_what_was_sent_is_not_sent_on_to_another_place():
    posted = Asked("POST", "https://a.example/", {"Content-Type": "text/plain"}, b"private")
    with pytest.raises(Refused, match="not to see what was sent"):
        await redirected("https://b.example/", posted, 307)
    _, second = await redirected("https://b.example/", posted, 303)
    assert second.method == "GET" and second.read() == b""
    _, second = await redirected("https://a.example/x", posted, 308)
    assert second.method == "POST" and second.read() == b"private"


async def test_an_encrypted_address_never_leads_to_one_that_is_not():
    with pytest.raises(Refused, match="encrypted"):
        await redirected("http://a.example/", Asked("GET", "https://a.example/"))


BOMB = gzip.compress(bytes(50_000_000), 9)


@pytest.mark.parametrize(
    ("body", "encoding"), [(BOMB, "gzip"), (zlib.compress(bytes(50_000_000)), "deflate")]
)
def test_a_packed_answer_is_unpacked_no_further_than_it_may_be_long(served, body, encoding):
    server = served(answering(body, Content_Encoding=encoding))
    with refused(match="larger than 1 MB"):
        get(server, bounds=Bounds(most_bytes=1024 * 1024))


def test_a_packed_answer_is_read(served):
    server = served(answering(gzip.compress(b"hello" * 1000), Content_Encoding="gzip"))
    assert get(server).content == b"hello" * 1000


@every_case("encoding", ["br", "zstd", "gzip, gzip", "x-unknown"], anew=(served,))
def test_what_was_not_asked_for_is_not_unpacked(served, encoding):
    with refused(match="not asked for"):
        get(served(answering(b"x", Content_Encoding=encoding)))


def test_an_endless_answer_is_ended(served):
    def endless(asked):
        asked.begin(200)
        while True:
            asked.write(bytes(100_000))

    with refused(match="larger than"):
        get(served(endless), bounds=Bounds(most_bytes=3_000_000))


def test_an_answer_that_says_it_is_too_long_is_not_read(served):
    with refused(match="larger than"):
        get(
            served(lambda asked: asked.begin(200, Content_Length=str(10**12))),
            bounds=Bounds(most_bytes=1000),
        )


@pytest.mark.parametrize("part", ["body", "head"])
def test_a_slow_answer_is_ended_in_time(served, part):
    """It comes a byte at a time, so that no single wait for more is long."""

    def slow(asked):
        asked.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\n")
        asked.write(b"\r\n" if part == "body" else b"x-slow: ")
        while True:
            asked.write(b"x")
            time.sleep(0.05)

    server = served(slow)
    with refused(Code.TIMED_OUT, "did not answer in time"):
        get(server, bounds=Bounds(seconds=0.6, silent_seconds=30))


def test_a_silent_server_is_given_up(served):
    over = threading.Event()
    with refused(Code.TIMED_OUT):
        server = served(lambda asked: over.wait())
        get(server, bounds=Bounds(seconds=600, silent_seconds=0.3))
    over.set()


def broken(asked):
    asked.begin(200, Content_Length="100")
    asked.write(b"only this")


@every_case(
    "answer",
    [
        broken,
        lambda asked: asked.write(b"SSH-2.0-OpenSSH_9.9\r\n"),
        answering(b"no gzip at all", Content_Encoding="gzip"),
    ],
    anew=(served,),
)
def test_what_breaks_off_or_is_no_answer_is_told(served, answer):
    with refused(Code.ERROR, "broke off its answer, or it cannot be read"):
        get(served(answer))


def test_a_server_that_is_not_there_is_told():
    with serving(answering()) as (url, _):
        pass
    with refused(Code.NOT_SENT, "could not be reached"):
        get(SimpleNamespace(url=url))


def test_a_proxy_of_the_environment_is_not_used(served, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert get(served(answering())).content == b"ok"


def test_stopping_ends_the_wait(served):
    stopped, over = threading.Event(), threading.Event()

    def silent(asked):
        stopped.set()
        over.wait()

    server = served(silent)
    with pytest.raises(Cancelled):
        fetch(Asked("GET", server.url), place_of(server.url), Context(cancelled=stopped))
    over.set()


# --- encrypted ---


@pytest.fixture(scope="module")
def certified(tmp_path_factory):
    """A server's settings for TLS with a certificate for ``named.example``, and what trusts it."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "named.example")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("named.example")]), False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    path.write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(pem)
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(path)
    trusting = ssl.create_default_context(cadata=certificate.public_bytes(pem).decode())
    return server, trusting


async def test_the_name_stays_for_host_and_certificate(certified, monkeypatch):
    """Both names stand for this machine, which has a certificate for one of them."""
    secure, trusting = certified
    monkeypatch.setattr(transport, "_trusted", lambda: trusting)
    heads = []

    async def met(reader, writer):
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nthere")
        await writer.drain()
        writer.close()

    async def here(host, port):
        return ["127.0.0.1"]

    async with await asyncio.start_server(met, "127.0.0.1", 0, ssl=secure) as server:
        port = server.sockets[0].getsockname()[1]

        async def got(host):
            url = f"https://{host}:{port}/"
            return await fetched(
                Asked("GET", url), transport=CheckedTransport(place_of(url), resolve=here)
            )

        assert (await got("named.example")).content == b"there"
        assert f"Host: named.example:{port}\r\n" in heads[0]
        for other in ("other.example", "127.0.0.1"):
            with refused(Code.NOT_SENT, "could not be reached"):
                await got(other)
        assert len(heads) == 1


def test_secrets_are_not_in_what_is_printed():
    assert "canary" not in repr(Asked("GET", "http://x", secrets={"Key": "canary"}))
