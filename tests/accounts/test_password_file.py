"""Passwords are kept hashed, checked alike for everybody, and guessed only so often."""

from __future__ import annotations

import stat

import pytest

from controlllm.accounts import Account, SignedInCookies, TooManyTries, Tries
from controlllm.accounts.password_file import PasswordFile
from controlllm.accounts.signing_in import secret_of
from tests.every_case import every_case

GOOD = "correct horse battery"


@pytest.fixture
def people(tmp_path) -> PasswordFile:
    made = PasswordFile(tmp_path / "accounts.txt")
    made.add("ada", GOOD, "operator")
    made.add("ben", GOOD + "!")
    return made


def test_a_password_is_known_again_and_never_written_down(people):
    assert people.check("ada", GOOD) == Account("ada", "operator", "ada")
    assert people.check("ben", GOOD + "!") == Account("ben", "visitor", "ben")
    for name, password in (("ada", GOOD + "!"), ("ben", ""), ("nobody", GOOD), ("", "")):
        assert people.check(name, password) is None
    assert GOOD not in people.path.read_text()
    assert stat.S_IMODE(people.path.stat().st_mode) == 0o600


def test_a_name_that_there_is_not_is_hashed_as_well(people, monkeypatch):
    import argon2

    looked_at = []
    verify = argon2.PasswordHasher.verify
    monkeypatch.setattr(
        argon2.PasswordHasher,
        "verify",
        lambda self, kept, password: looked_at.append(kept) or verify(self, kept, password),
    )
    people.check("nobody", GOOD)
    assert len(looked_at) == 1 and looked_at[0].startswith("$argon2id$")


def test_accounts_are_changed_and_removed(people):
    people.add("ada", GOOD + "?", "visitor")
    assert people.check("ada", GOOD) is None
    assert people.account("ada") == Account("ada", "visitor", "ada")
    people.remove("ada")
    assert people.account("ada") is None and len(people.accounts()) == 1
    with pytest.raises(KeyError):
        people.remove("ada")


@every_case(
    ("name", "password"),
    [("a:b", GOOD), ("", GOOD), ("../x", GOOD), ("eve", "short"), ("a\nb", GOOD)],
    anew=(people,),
)
def test_what_cannot_be_a_name_or_a_password_is_refused(people, name, password):
    with pytest.raises(ValueError):
        people.add(name, password)


def test_a_line_that_is_no_account_is_told_by_its_number(people):
    people.path.write_text("# people\nada:king:hash\n")
    with pytest.raises(ValueError, match="Line 2"):
        people.accounts()


def test_a_cookie_is_only_what_we_wrote():
    cookies, others = SignedInCookies("one"), SignedInCookies("two")
    ada = Account("ada", "operator", "Ada")
    assert cookies.account(cookies.written(ada)) == ada
    for forged in ("", "ada", others.written(ada), cookies.written(ada)[:-2] + "xx"):
        assert cookies.account(forged) is None
    # What is written for the way to a provider signs nobody in.
    assert cookies.account(cookies.written_on_the_way({"state": "x"})) is None
    assert cookies.on_the_way(cookies.written(ada)) == {}


def test_the_secret_is_made_once_and_is_the_owners(tmp_path):
    first = secret_of(tmp_path)
    assert secret_of(tmp_path) == first and len(first) > 40
    assert stat.S_IMODE((tmp_path / "accounts-secret").stat().st_mode) == 0o600


def test_passwords_are_tried_so_often_and_again_later():
    clock = [0.0]
    tries = Tries(lambda: clock[0])
    for _ in range(5):
        tries.check("ada", "10.0.0.1")
        tries.was_wrong("ada", "10.0.0.1")
    with pytest.raises(TooManyTries):
        tries.check("ada", "10.0.0.2")
    tries.check("ben", "10.0.0.1")
    for number in range(30):
        tries.was_wrong(f"name {number}", "10.0.0.9")
    with pytest.raises(TooManyTries):
        tries.check("somebody", "10.0.0.9")
    clock[0] = 301.0
    tries.check("ada", "10.0.0.1")
