"""A browser owns the conversations whose secret ids its cookie holds, and no others."""

import pytest
from starlette.responses import Response

from controlllm.session import handle_of
from controlllm.ui.visitor import Visitor

IDS = ["a" * 32, "b" * 32, "c" * 32]


def visitor(value: str) -> Visitor:
    return Visitor({"mine": value}, "mine")


def test_own_conversation_is_found_by_its_handle() -> None:
    assert visitor(".".join(IDS)).session_id(handle_of(IDS[1])) == IDS[1]


@pytest.mark.parametrize("handle", ["", "0" * 16, handle_of("d" * 32), IDS[0], "../x"])
def test_other_handles_are_unknown(handle: str) -> None:
    with pytest.raises(KeyError):
        visitor(".".join(IDS)).session_id(handle)


@pytest.mark.parametrize("value", ["", "...", "short", "../../etc/passwd", "a b", "é" * 32])
def test_nonsense_in_the_cookie_is_dropped(value: str) -> None:
    assert visitor(value).ids == []


def test_cookie_stays_small_and_out_of_reach() -> None:
    person = visitor("")
    for number in range(200):
        person.add(f"{number:032d}")
    response = Response()
    person.remember(response, secure=False)
    cookie = response.headers["set-cookie"]
    assert len(cookie) < 4096 and f"{199:032d}" in cookie and f"{0:032d}." not in cookie
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie


def test_removed_conversation_is_forgotten() -> None:
    person = visitor(".".join(IDS))
    person.remove(IDS[0])
    assert person.ids == IDS[1:]
