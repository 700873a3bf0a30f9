"""Passwords are kept hashed, checked alike for everybody, and guessed only so often."""

from __future__ import annotations

import stat

import argon2
import pytest

from controlllm.accounts import Account, LoginSessions, TooManyTries, Tries
from controlllm.accounts.password_file import PasswordFile
from controlllm.accounts.signing_in import Ways, secret_of
from controlllm.store import Store
from tests.every_case import every_case

GOOD = "correct horse battery"


def with_people(folder) -> PasswordFile:
    made = PasswordFile(folder / "accounts.txt")
    made.add("ada", GOOD, "operator")
    made.add("ben", GOOD + "!")
    return made


class QuickHasher(argon2.PasswordHasher):
    """Hashes as the usual one does, and as quickly as it can be done."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture
def people(tmp_path, monkeypatch) -> PasswordFile:
    monkeypatch.setattr(argon2, "PasswordHasher", QuickHasher)
    return with_people(tmp_path)


def test_a_password_is_known_again_and_never_written_down(tmp_path):
    people = with_people(tmp_path)
    for found, role in (
        (people.check("ada", GOOD), "operator"),
        (people.check("ben", GOOD + "!"), "visitor"),
    ):
        assert found is not None and found == people.account(found.name)
        assert (found.role, found.shown) == (role, found.name)
    for name, password in (("ada", GOOD + "!"), ("ben", ""), ("nobody", GOOD), ("", "")):
        assert people.check(name, password) is None
    assert GOOD not in people.path.read_text()
    assert stat.S_IMODE(people.path.stat().st_mode) == 0o600


def test_a_name_that_there_is_not_is_hashed_as_well(people, monkeypatch):
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
    assert people.account("ada").role == "visitor"
    people.remove("ada")
    assert people.account("ada") is None and len(people.accounts()) == 1
    with pytest.raises(KeyError):
        people.remove("ada")


@every_case(
    ("name", "password"),
    [("a:b", GOOD), ("", GOOD), ("../x", GOOD), ("eve", "short"), ("a\nb", GOOD)],
)
def test_what_cannot_be_a_name_or_a_password_is_refused(people, name, password):
    with pytest.raises(ValueError):
        people.add(name, password)


def test_a_line_that_is_no_account_is_told_by_its_number(people):
    people.path.write_text("# people\nada:king:hash\n")
    with pytest.raises(ValueError, match="Line 2"):
        people.accounts()


def test_a_name_that_is_added_again_is_another_account(people):
    first = people.account("ada")
    people.add("ada", GOOD + "?", "visitor")
    # Another password is still the same account, and what was signed in before holds no more.
    assert people.account("ada").key == first.key and people.account("ada").mark != first.mark
    people.remove("ada")
    people.add("ada", GOOD)
    again = people.account("ada")
    assert again.key != first.key and again.mark != first.mark
    assert len({first.key, again.key, people.account("ben").key, "ada", "ben"}) == 5


def test_an_account_of_an_earlier_version_keeps_its_conversations(people):
    # Its line has no id, and its conversations are kept under its name.
    lines = people.path.read_text().splitlines()
    people.path.write_text("".join(f"{line.rpartition(':')[0]}\n" for line in lines))
    assert people.check("ada", GOOD) is not None and people.account("ada").key == "ada"
    people.add("ada", GOOD + "?", "operator")
    assert people.account("ada").key == "ada"
    people.remove("ada")
    people.add("ada", GOOD)
    assert people.account("ada").key != "ada"


@pytest.fixture
def clock():
    return [1_000_000.0]


@pytest.fixture
def kept(tmp_path, clock):
    store = Store(tmp_path / "store", lambda: clock[0])
    yield store.sign_ins
    store.close()


def test_what_a_browser_holds_is_worth_what_the_server_knows_of_it(people, kept):
    logins = LoginSessions(kept, lambda account: people.account(account.name))
    values = [logins.begin(people.account(name)) for name in ("ada", "ada", "ben")]
    assert [logins.account(value).name for value in values] == ["ada", "ada", "ben"]
    for forged in ("", "ada", values[0][:-1], "\ud83d"):
        assert logins.account(forged) is None
    logins.end(values[0])
    assert logins.account(values[0]) is None and logins.account(values[1]) is not None
    people.add("ada", GOOD)
    assert logins.account(values[1]) is None and logins.account(values[2]) is not None
    people.remove("ben")
    people.add("ben", GOOD + "!")
    assert logins.account(values[2]) is None


def test_a_sign_in_holds_so_long_and_one_by_a_provider_some_hours(people, kept, clock):
    logins = LoginSessions(kept, lambda account: account)
    by_password, provided = (
        logins.begin(account) for account in (people.account("ada"), Account("openid:1"))
    )
    clock[0] += 11 * 3600
    assert logins.account(provided) == Account("openid:1")
    clock[0] += 2 * 3600
    assert logins.account(provided) is None and logins.account(by_password) is not None
    clock[0] += 30 * 24 * 3600
    assert logins.account(by_password) is None


def test_what_comes_back_from_a_provider_is_only_what_we_wrote():
    ways, others = Ways("one"), Ways("two")
    held = {"state": "x"}
    assert ways.read(ways.written(held)) == held
    for forged in ("", "x", others.written(held), ways.written(held)[:-2] + "xx"):
        assert ways.read(forged) == {}


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
