"""Tokens: who has one, what is kept of it, and whose conversations are whose."""

from __future__ import annotations

import stat

import pytest

from controlllm.api.door import Pace
from controlllm.api.tokens import TokenError, Tokens
from controlllm.cli.main import main
from controlllm.store import Store
from tests.every_case import every_case


def test_a_token_is_known_until_it_is_removed(tmp_path):
    tokens = Tokens(tmp_path)
    first, second = tokens.add("Ada"), tokens.add("Ben", runs=False)
    assert first != second
    ada, ben = tokens.of(first), tokens.of(second)
    assert (ada.name, ada.runs, ben.name, ben.runs) == ("Ada", True, "Ben", False)
    # Another program has the same.
    assert [token.name for token in Tokens(tmp_path).all()] == ["Ada", "Ben"]
    tokens.remove("Ada")
    assert tokens.of(first) is None and tokens.of(second) == ben


def test_nothing_of_a_token_can_be_read_from_the_disk(tmp_path):
    token = Tokens(tmp_path).add("Ada")
    for path in tmp_path.iterdir():
        content = path.read_bytes()
        assert token.encode() not in content and token.split("_", 2)[2].encode() not in content
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_nearly_a_token_is_none(tmp_path):
    tokens = Tokens(tmp_path)
    token, other = tokens.add("Ada"), tokens.add("Ben")
    changed = token[:-1] + ("A" if token[-1] != "A" else "B")
    mixed = "_".join([*token.split("_", 2)[:2], other.split("_", 2)[2]])
    for wrong in ("", "cllm_", token[:-1], token + "A", token.upper(), f" {token}", changed, mixed):
        assert tokens.of(wrong) is None


@every_case("name", ["", " a", "a" * 65, "a\nb", "a'; DROP TABLE tokens; --", "Ada"])
def test_a_name_that_is_none_or_taken_is_refused(tmp_path, name):
    tokens = Tokens(tmp_path)
    tokens.add("Ada")
    with pytest.raises(TokenError):
        tokens.add(name)
    with pytest.raises(TokenError):
        tokens.remove("Zoe")


def test_conversations_are_somebodys_and_go_with_the_token(tmp_path):
    tokens = Tokens(tmp_path)
    ada, ben = (tokens.of(tokens.add(name)) for name in ("Ada", "Ben"))
    tokens.own(ada.id, "one")
    tokens.own(ada.id, "two", passing=True)
    tokens.own(ben.id, "three")
    assert tokens.sessions(ada.id) == ["two", "one"]
    assert tokens.passing(ada.id, 0) == ["two"] and tokens.passing(ada.id, 3600) == []
    tokens.disown("two")
    assert tokens.remove("Ada") == ["one"]
    assert tokens.sessions(ada.id) == [] and tokens.sessions(ben.id) == ["three"]


def test_the_command_line_makes_lists_and_removes_them(tmp_path, capsys):
    home = ["--home", str(tmp_path)]
    assert main(["tokens", "add", "Ada", *home]) == 0
    told = capsys.readouterr()
    token = told.out.strip()
    assert "shown once" in told.err
    tokens = Tokens(tmp_path)
    store = Store(tmp_path)
    session = store.new_session()
    tokens.own(tokens.of(token).id, session.id)
    assert main(["tokens", "list", *home]) == 0
    assert capsys.readouterr().out.startswith("Ada  made 20")
    assert main(["tokens", "add", "Ada", *home]) == 2
    assert "already" in capsys.readouterr().err
    assert main(["tokens", "remove", "Ada", *home]) == 0
    assert tokens.of(token) is None
    with pytest.raises(KeyError):
        store.load(session.id)
    store.close()


def test_a_pace_lets_a_burst_pass_and_then_so_many_in_a_minute():
    now = [0.0]
    pace = Pace(6, lambda: now[0])
    assert [pace.take("a") for _ in range(7)] == [0] * 6 + [10]
    assert pace.take("b") == 0
    now[0] += 10
    assert pace.take("a") == 0 and pace.take("a") == 10
    now[0] += 3600
    assert [pace.take("a") for _ in range(7)].count(0) == 6
    unlimited = Pace(0)
    assert not any(unlimited.take("a") for _ in range(1000))
