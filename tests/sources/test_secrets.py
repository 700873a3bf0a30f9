"""Secrets by name, from the environment or a file of one's own."""

from __future__ import annotations

import json

import pytest

from controlllm.sources.keeping import found_at
from controlllm.sources.openapi.security import Proof, hidden
from controlllm.sources.secrets import check_name, secret
from controlllm.sources.source import Adding
from controlllm.toolbox import Code, ToolError
from tests.every_case import every_case


def kept(home, content, mode=0o600):
    path = home / "secrets.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    path.chmod(mode)


def test_the_environment_counts_more_than_the_file(tmp_path):
    kept(tmp_path, {"maps": " from the file "})
    assert secret("maps", tmp_path, {}) == "from the file"
    assert secret("maps", tmp_path, {"CONTROLLLM_SECRET_MAPS": "from outside"}) == "from outside"


@every_case(
    ("content", "mode", "said"),
    [
        ({}, 0o600, "is not set"),
        ({"maps": ""}, 0o600, "is not set"),
        ({"maps": "canary"}, 0o640, "chmod 600"),
        ({"maps": "canary"}, 0o604, "chmod 600"),
        ('{"maps": "canary"', 0o600, "cannot be read"),
        ('["canary"]', 0o600, "cannot be read"),
        ({"maps": "canary\r\nX: y"}, 0o600, "cannot be sent"),
    ],
)
def test_what_cannot_be_used_is_told_without_it(tmp_path, content, mode, said):
    kept(tmp_path, content, mode)
    with pytest.raises(ToolError, match=said) as told:
        secret("maps", tmp_path, {})
    assert "canary" not in str(told.value)
    assert told.value.code in (Code.UNAUTHORISED, Code.ERROR)


@every_case("name", ["sk-canary-123", "two words", "", "a=b", "9"])
def test_a_secret_given_in_place_of_its_name_is_not_repeated(name):
    with pytest.raises(ValueError, match="by its name") as told:
        check_name(name)
    assert not name or name not in str(told.value)
    with pytest.raises(ValueError, match="by its name"):
        found_at("https://example.com/openapi.json", adding=Adding(secrets={"header": name}))


def test_what_a_server_repeats_is_hidden_in_every_form():
    told = ("key/with+signs", 'quo"te\\d')
    text = 'a key/with+signs b key%2Fwith%2Bsigns c "quo\\"te\\\\d" d'
    assert hidden(text, told) == 'a (secret) b (secret) c "(secret)" d'
    assert "canary" not in repr(Proof({"X": "canary"}, {"k": "canary"}, {}, ("canary",)))
