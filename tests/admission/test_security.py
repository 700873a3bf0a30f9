"""Who may talk to the server, told by the request's host and origin."""

from __future__ import annotations

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from controlllm.admission.security import LOCAL_HOSTS, Guard
from tests.every_case import every_case


async def answer(scope: Scope, receive: Receive, send: Send) -> None:
    assert Request(scope).method
    await PlainTextResponse("fine")(scope, receive, send)


@pytest.fixture
def client() -> TestClient:
    return TestClient(Guard(answer, LOCAL_HOSTS), base_url="http://localhost:7860")


@every_case("host", ["localhost", "localhost:7860", "127.0.0.1:1", "[::1]:7860"], anew=(client,))
def test_own_hosts_are_served(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


@every_case(
    "host",
    ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "[::1", ""],
    anew=(client,),
)
def test_foreign_hosts_are_refused(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 400


@every_case(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://localhost:7860"}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost:7861"}, 403),
        ({"origin": "http://localhost.evil.example"}, 403),
        ({"origin": "http://localhost:7860@evil.example"}, 403),
        ({"origin": "file://localhost:7860"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
    ],
)
@every_case("method", ["POST", "PUT", "DELETE"], anew=(client,))
def test_only_our_page_changes_anything(
    client: TestClient, method: str, headers: dict[str, str], status: int
) -> None:
    assert client.request(method, "/", headers=headers).status_code == status


def test_refusals_carry_the_headers_too(client: TestClient) -> None:
    for headers in ({"host": "evil.example"}, {}):
        found = client.get("/", headers=headers).headers
        assert found["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in found["content-security-policy"]
