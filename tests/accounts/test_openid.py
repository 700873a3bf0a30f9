"""Signing in at an OpenID provider, a real one on loopback, and what it must not get past."""

from __future__ import annotations

import time

import httpx
import pytest
from joserfc.jwk import RSAKey

from controlllm.accounts import Account
from controlllm.accounts.openid import NotSignedIn, OpenID
from tests.accounts.provider import CLIENT, SECRET, provided
from tests.every_case import every_case

BACK = "http://127.0.0.1:7860/sign-in/back"


@pytest.fixture
def provider():
    with provided() as server:
        yield server


def openid(provider, **changes) -> OpenID:
    usual = {"operators": frozenset({"ada@example.org"}), "callback": BACK}
    return OpenID(provider.issuer, CLIENT, SECRET, **{**usual, **changes})


def signed_in(way: OpenID, held_by_another: dict[str, str] | None = None) -> Account:
    address, held = way.begin()
    returned = httpx.get(address, verify=False).headers["location"]
    return way.end(returned, held_by_another or held)


def test_somebody_comes_back_with_name_and_role(provider):
    found = signed_in(openid(provider))
    assert found == Account("openid:person-7", "operator", "Ada Lovelace")
    assert signed_in(openid(provider, operators=frozenset())).role == "visitor"
    assert signed_in(openid(provider, operators=frozenset({"person-7"}))).role == "operator"


def test_an_address_that_nobody_verified_makes_no_operator(provider):
    provider.claims = {"email_verified": False}
    assert signed_in(openid(provider)).role == "visitor"


@every_case(
    "claims",
    [
        {"aud": "another"},
        {"iss": "http://127.0.0.1:1"},
        {"exp": int(time.time()) - 600},
        {"nonce": "of another sign-in"},
        {"sub": None},
    ],
)
def test_a_token_that_is_not_for_us_now_signs_nobody_in(provider, claims):
    provider.claims = claims
    with pytest.raises(NotSignedIn):
        signed_in(openid(provider))


def test_a_token_that_another_key_signed_signs_nobody_in(provider):
    provider.signs_with = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
    with pytest.raises(NotSignedIn):
        signed_in(openid(provider))


def test_a_way_that_another_browser_began_is_not_ended(provider):
    way = openid(provider)
    _, others = way.begin()
    with pytest.raises(NotSignedIn):
        signed_in(way, others)


def test_a_code_is_worth_something_once(provider):
    way = openid(provider)
    address, held = way.begin()
    returned = httpx.get(address, verify=False).headers["location"]
    way.end(returned, held)
    with pytest.raises(NotSignedIn):
        way.end(returned, held)


def test_a_provider_that_is_not_there_is_told_in_a_sentence():
    with pytest.raises(NotSignedIn, match="could not be reached"):
        OpenID("http://127.0.0.1:9", CLIENT, SECRET, callback=BACK).begin()
