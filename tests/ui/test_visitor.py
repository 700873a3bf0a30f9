"""A browser owns the conversations that the store has under its cookie's secret, and no others."""

from __future__ import annotations

import pytest
from starlette.responses import Response

from controlllm.core.session import handle_of
from controlllm.store import Store
from controlllm.ui.visitor import Visitor
from tests.every_case import every_case
from tests.ui.conftest import store


def cookie_of(visitor: Visitor) -> str:
    response = Response()
    visitor.remember(response, secure=False)
    return response.headers.get("set-cookie", "")


def again(visitor: Visitor, store: Store) -> Visitor:
    """The same browser, with its next request."""
    return Visitor({"mine": cookie_of(visitor).partition("=")[2].partition(";")[0]}, "mine", store)


def test_no_conversation_is_lost_beyond_any_number(store):
    person = Visitor({}, "mine", store)
    made = [store.new_session().id for _ in range(90)]
    for session_id in made:
        person.add(session_id)
    later = again(person, store)
    assert set(later.ids) == set(made)
    assert all(later.session_id(handle_of(item)) == item for item in made)
    cookie = cookie_of(later)
    assert len(cookie) < 300 and "HttpOnly" in cookie and "SameSite=strict" in cookie
    assert not any(item in cookie for item in made)


@every_case("known", [True, False], anew=(store,))
def test_a_cookie_with_ids_of_an_earlier_version_holds_and_is_exchanged(store, known):
    mine, gone, other = (store.new_session().id for _ in range(3))
    store.delete(gone)
    person = Visitor({"mine": f"{mine}.{gone}"}, "mine", store)
    if not known:
        person.have_secret()
        person = again(person, store)
    assert person.ids == [mine] and person.session_id(handle_of(mine)) == mine
    for session_id in (gone, other):
        with pytest.raises(KeyError):
            person.session_id(handle_of(session_id))


@every_case("handle", ["", "0" * 16, "../x", "é"], anew=(store,))
def test_other_handles_and_other_secrets_find_nothing(store, handle):
    person, other = Visitor({}, "mine", store), Visitor({}, "mine", store)
    session = store.new_session()
    person.add(session.id)
    other.have_secret()
    for visitor, wanted in ((person, handle), (other, handle_of(session.id))):
        with pytest.raises(KeyError):
            visitor.session_id(wanted)
    assert other.ids == []


@every_case(
    "value",
    ["", "...", "short", "../../etc/passwd", "a b", "é" * 32, "~", "~" + "é" * 40],
    anew=(store,),
)
def test_nonsense_in_the_cookie_is_dropped(store, value):
    person = Visitor({"mine": value}, "mine", store)
    assert person.ids == [] and person.owner == "" and cookie_of(person) == ""


def test_a_deleted_conversation_is_nobodys(store):
    person = Visitor({}, "mine", store)
    session = store.new_session()
    person.add(session.id)
    assert store.owners.owner_of(session.id) == person.owner
    store.delete(session.id)
    assert again(person, store).ids == [] and store.owners.owner_of(session.id) == ""
