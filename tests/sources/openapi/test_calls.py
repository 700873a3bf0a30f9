"""Calls of tools of an OpenAPI document, against the application itself."""

from __future__ import annotations

import json
import time
from types import SimpleNamespace

import httpx2
import numpy as np
import PIL.Image
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controlllm.sources.correcting import acting, corrected
from controlllm.sources.fetching import Bounds
from controlllm.sources.openapi import calls as openapi_calls
from controlllm.sources.openapi import security as openapi_security
from controlllm.sources.openapi.calls import call
from controlllm.sources.openapi.describing import described
from controlllm.sources.source import Adding
from controlllm.toolbox import Code, Context, ToolError
from tests.every_case import every_case
from tests.sources.application import PLANTED
from tests.sources.conftest import keys, source


@pytest.fixture
def ask(source):
    tools = {tool.name: tool for tool in source.tools}

    def asked(tool, /, **inputs):
        return call(source, tools[tool], inputs, Context())

    return asked


def failure(ask, tool, /, **inputs):
    with pytest.raises(ToolError) as told:
        ask(tool, **inputs)
    return told.value.code, str(told.value)


def test_what_one_operation_returns_another_takes(ask, served):
    town = ask("find_town", name="lyon")
    assert json.loads(town) == {"id": 501, "name": "Lyon", "region": "region of Lyon"}
    assert json.loads(ask("town_history", town_id=town))["history"].startswith("The history of Lyo")
    assert ask("town_inhabitants", town_id=town) == 501.5
    # A number in words does as well as the whole entity.
    assert ask("town_inhabitants", town_id="502") == 502.5
    assert served.log.asked == [
        *("GET /towns/search", "GET /towns/501/history", "GET /towns/501/inhabitants"),
        "GET /towns/502/inhabitants",
    ]


def test_things_are_made_changed_and_deleted(ask):
    club = ask("clubs_create", name="Porto", league="Primeira")
    changed = ask("clubs_change", club_id=club, name="FC Porto", league="Primeira Liga")
    assert json.loads(changed)["name"] == "FC Porto"
    assert ask("clubs_delete", club_id=changed) == "Done."
    assert failure(ask, "get_club", club_id=str(json.loads(club)["id"]))[0] == Code.NOT_FOUND


def test_pictures_sounds_and_pages_go_to_and_fro(ask):
    picture = PIL.Image.new("RGB", (30, 20), "white")
    picture.putpixel((3, 0), (0, 0, 0))
    turned = ask("turn_upside_down", photo=picture)
    assert turned.size == (30, 20) and turned.convert("L").getpixel((3, 19)) == 0
    assert ask("flag", country="São Tomé ?#&%").size == (90, 60)
    card = ask("greeting_card", words="Hello", colour="blue")
    assert card.convert("RGB").getpixel((0, 0)) == (0, 0, 255)
    tone = ask("tone", seconds=0.5)
    assert tone.rate == 8000 and tone.frames == pytest.approx(4000, abs=10)
    assert np.abs(tone.samples).max() > 0.1
    loudness = json.loads(ask("loudness", recording=tone, unit="LUFS"))
    assert loudness == {"frames": tone.frames, "unit": "LUFS"}
    assert ask("page", title="T").startswith("<html>")


@every_case(
    ("name", "inputs", "code", "said"),
    [
        ("get_town", {"town_id": "9"}, Code.NOT_FOUND, "There is no town 9"),
        ("find_town", {"name": "nowhere"}, Code.NOT_FOUND, "found nothing that fits"),
        ("failing_status", {"which": "paid"}, Code.NOT_SUBSCRIBED, "wants a subscription"),
        ("failing_status", {"which": "forbidden"}, Code.UNAUTHORISED, "does not let us in"),
        ("failing_status", {"which": "conflict"}, Code.BAD_INPUT, "409"),
        ("failing_status", {"which": "broken"}, Code.ERROR, "fault of its own"),
        ("failing_status", {"which": "resting"}, Code.TOO_MANY, "fault of its own"),
        ("failing_status", {"which": ".."}, Code.BAD_INPUT, "cannot be"),
        ("failing_status", {"which": ""}, Code.BAD_INPUT, "cannot be"),
        ("busy", {"seconds": 60}, Code.RATE_LIMITED, "asks to wait 60 seconds"),
        ("strict", {"count": "3", "colour": "red"}, Code.BAD_INPUT, "greater than or equal to 10"),
        ("strict", {"count": "many", "colour": "red"}, Code.BAD_INPUT, "is to be a number"),
        ("strict", {"count": "10.5", "colour": "red"}, Code.BAD_INPUT, "whole number"),
        ("strict", {"count": "inf", "colour": "red"}, Code.BAD_INPUT, "finite"),
        ("strict", {"count": "12"}, Code.BAD_INPUT, "colour: Field required"),
        ("not_json", {}, Code.ERROR, "cannot be read"),
        ("not_a_picture", {}, Code.ERROR, "no image that can be used"),
        ("away", {}, Code.NOT_SENT, "169.254.169.254 is not asked"),
        ("error_inside", {}, Code.ERROR, "The database is gone"),
        ("town_history", {"town_id": '{"name": "no id"}'}, Code.BAD_INPUT, "has no 'id'"),
        ("town_history", {}, Code.BAD_INPUT, "lacks a value"),
    ],
    anew=(source, ask),
)
def test_faults_have_codes_and_sentences(ask, name, inputs, code, said):
    found, words = failure(ask, name, **inputs)
    assert found == code and said in words


def test_what_a_server_says_was_wrong_is_short_and_marked_as_its_words(ask):
    _, said = failure(ask, "failing_status", which="conflict")
    assert said.endswith(f"It says: “It is conflict. {PLANTED[0]}”") and len(said) < 300


def test_whether_a_failed_call_was_made_is_told_apart(ask):
    """What certainly was not done may be done by another way; what may have been may not."""
    with pytest.raises(ToolError) as refused:
        ask("failing_status", which="conflict")
    assert refused.value.__cause__ is None and refused.value.__context__ is None
    with pytest.raises(ToolError) as unknown:
        ask("failing_status", which="broken")
    assert isinstance(unknown.value.__cause__, ConnectionError)


@every_case(("acts", "code"), [(False, Code.TOO_MANY), (True, Code.ERROR)], anew=(source,))
def test_a_server_with_too_much_to_do_frees_nothing_that_acts(source, acts, code):
    """It may have acted before it gave up."""
    changed = acting(source, "failing_status", acts)
    tool = next(item for item in changed.tools if item.name == "failing_status")
    with pytest.raises(ToolError) as told:
        call(changed, tool, {"which": "resting"}, Context())
    assert told.value.code is code and isinstance(told.value.__cause__, ConnectionError)
    assert not (acts and told.value.code.did_nothing)


def test_a_server_that_asks_to_wait_a_moment_is_asked_again(ask, served):
    assert json.loads(ask("busy_once")) == {"answer": "now"}
    assert served.log.asked == ["GET /failing/busy-once"] * 2


def test_answers_without_content_and_without_end(ask, monkeypatch):
    assert ask("empty") == "Done."
    monkeypatch.setattr(openapi_calls, "BOUNDS", Bounds(most_bytes=500_000))
    assert "larger than" in failure(ask, "endless")[1]
    monkeypatch.setattr(openapi_calls, "BOUNDS", Bounds(seconds=0.2))
    assert failure(ask, "slow", seconds=2.0)[0] == Code.TIMED_OUT


# --- keys ---

WAYS = {
    **{"with_header": "alpha", "with_query": "beta", "with_cookie": "gamma"},
    **{"with_bearer": "delta", "with_basic": "epsilon", "with_token": "zeta"},
}


@every_case(
    ("name", "word"),
    WAYS.items(),
    anew=(source, ask, keys),
)
def test_each_kind_of_key_opens_and_is_never_repeated(ask, keys, name, word, served):
    answer = ask(name)
    assert json.loads(answer)["word"] == word
    assert "canary" not in answer and "(secret)" in answer


@every_case(
    "name",
    WAYS,
    anew=(source, ask),
)
def test_without_its_secret_nothing_is_asked(ask, name, served):
    code, said = failure(ask, name)
    assert code == Code.UNAUTHORISED and "CONTROLLLM_SECRET_" in said
    assert served.log.asked == []


@every_case(
    "name",
    WAYS,
    anew=(source, ask),
)
def test_a_wrong_key_is_told_and_not_repeated(ask, name, monkeypatch):
    for key in ("HEADER", "QUERY", "COOKIE", "BEARER", "BASIC", "CLIENT"):
        monkeypatch.setenv(f"CONTROLLLM_SECRET_{key}_KEY", "canary-wrong:canary-wrong-word")
    code, said = failure(ask, name)
    assert code == Code.UNAUTHORISED and "canary-wrong" not in said


def test_a_source_without_a_secret_for_a_scheme_says_how_to_name_one(served):
    bare = described(f"{served.url}/openapi.json", "bare", Adding(is_local=True))
    tool = next(item for item in bare.tools if item.name == "with_header")
    with pytest.raises(ToolError, match="HeaderKey, header.*--secret HeaderKey=NAME"):
        call(bare, tool, {}, Context())


def test_a_token_is_asked_for_once_and_anew_when_it_has_ended(ask, keys, served):
    openapi_security._TOKENS.clear()
    ask("with_token")
    ask("with_token")
    assert served.log.asked.count("POST /keys/token") == 1
    served.log.tokens.clear()  # as if they had ended
    assert json.loads(ask("with_token"))["word"] == "zeta"
    assert served.log.asked.count("POST /keys/token") == 2


def test_a_token_that_ends_soon_is_not_kept(ask, keys, served, monkeypatch):
    openapi_security._TOKENS.clear()
    ask("with_token")
    later = SimpleNamespace(monotonic=lambda: time.monotonic() + 3600)
    monkeypatch.setattr(openapi_security, "time", later)
    ask("with_token")
    assert served.log.asked.count("POST /keys/token") == 2


# --- how requests are written ---

WRITTEN = {
    "openapi": "3.1.0",
    "servers": [{"url": "https://w.example/base/"}],
    "components": {"securitySchemes": {"k": {"type": "apiKey", "in": "query", "name": "key"}}},
    "paths": {
        "/a/{id}/{kind}": {
            "post": {
                "operationId": "all",
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
                    {"name": "kind", "in": "path", "required": True,
                     "schema": {"type": "string", "enum": ["big_one", "small"]}},
                    {"name": "many", "in": "query",
                     "schema": {"type": "array", "items": {"type": "integer"}}},
                    {"name": "joined", "in": "query", "explode": False,
                     "schema": {"type": "array", "items": {"type": "string"}}},
                    {"name": "deep", "in": "query", "style": "deepObject",
                     "schema": {"type": "object"}},
                    {"name": "flag", "in": "query", "schema": {"type": "boolean"}},
                    {"name": "X-Told", "in": "header", "schema": {"type": "string"}},
                    {"name": "crumb", "in": "cookie", "schema": {"type": "string"}},
                ],
                "requestBody": {"required": True, "content": {"application/json": {"schema": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "size": {"type": "object", "properties": {
                            "width": {"type": "number"}, "unit": {"type": "string"}}},
                        "tags": {"type": "array", "items": {"type": "string"}},
                        "more": {"type": "object"},
                        "data": {"type": "string", "format": "byte"},
                    },
                }}}},
                "responses": {"200": {}},
            }
        },
        "/form": {"post": {"operationId": "form", "requestBody": {"content": {
            "application/x-www-form-urlencoded": {"schema": {"type": "object", "properties": {
                "a": {"type": "string"}, "b": {"type": "array", "items": {"type": "string"}}}}}}},
            "responses": {"200": {}}}},
        "/raw": {"put": {"operationId": "raw", "requestBody": {"content": {"image/png": {}}},
                         "responses": {"200": {}}}},
        "/list": {"post": {"operationId": "listed", "requestBody": {"content": {
            "application/json": {"schema": {"type": "array", "items": {"type": "integer"}}}}},
            "responses": {"200": {}}}},
    },
}  # fmt: skip


@pytest.fixture
def written(tmp_path, monkeypatch):
    """The request that a call of an operation of `WRITTEN` would send."""
    path = tmp_path / "w.json"
    path.write_text(json.dumps(WRITTEN))
    source = described(str(path), "w")
    tools = {tool.name: tool for tool in source.tools}
    proof = openapi_security.Proof()
    return lambda tool, /, **given: openapi_calls._request(source, tools[tool], given, proof)


def test_values_go_where_the_document_wants_them(written):
    asked = written(
        "all",
        id="a/b ?",
        kind="Big one",
        many="1, 2",
        joined="x,y",
        deep='{"k": 1}',
        flag="yes",
        x_told="hä",
        crumb="a b",
        name="N",
        size_width="2.50",
        tags="red, green",
        more='{"x": [1]}',
    )
    url = httpx2.URL(asked.url)
    assert (asked.method, url.raw_path.partition(b"?")[0]) == (
        "POST",
        b"/base/a/a%2Fb%20%3F/big_one",
    )
    assert list(url.params.multi_items()) == [
        *(("many", "1"), ("many", "2"), ("joined", "x,y"), ("deep[k]", "1"), ("flag", "true")),
    ]
    assert asked.headers["X-Told"] == "h%C3%A4" and asked.secrets["Cookie"] == "crumb=a%20b"
    assert json.loads(asked.content) == {
        **{"name": "N", "size": {"width": 2.5}, "tags": ["red", "green"], "more": {"x": [1]}},
    }


@every_case(
    "given",
    [
        {"kind": "middle"},
        {"flag": "perhaps"},
        {"deep": "[1]"},
        {"more": "no json"},
        {"many": "1, two"},
        {"x_told": "a\r\nX-Other: b"},
        {"id": "."},
    ],
    anew=(written,),
)
def test_what_does_not_fit_is_not_sent(written, given):
    with pytest.raises(ToolError) as told:
        written("all", **{"id": "1", "kind": "small", "name": "x", **given})
    assert told.value.code == Code.BAD_INPUT


@given(words=st.text(min_size=1, max_size=40))
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
def test_no_words_leave_their_place_in_an_address(written, words):
    """Neither another host nor another path nor another part of the query can be reached."""
    try:
        asked = written("all", id=words, kind="small", joined=words, crumb=words)
    except ToolError as error:
        assert error.code == Code.BAD_INPUT
        return
    url = httpx2.URL(asked.url)
    assert (url.host, url.fragment, url.userinfo) == ("w.example", "", b"")
    assert url.raw_path.partition(b"?")[0].count(b"/") == 4
    assert set(url.params) <= {"joined"} and ";" not in asked.secrets["Cookie"]


def test_forms_raw_contents_and_lists(written):
    assert written("form", a="x&y", b="1,2").content == b"a=x%26y&b=1&b=2"
    raw = written("raw", image=PIL.Image.new("L", (2, 2)))
    assert raw.headers["Content-Type"] == "image/png" and raw.content.startswith(b"\x89PNG")
    assert written("listed", body="3, 4").content == b"[3, 4]"


def test_a_corrected_type_is_what_is_returned(source, served):
    changed = corrected(source, "get_town", "result", "text")
    tool = next(item for item in changed.tools if item.name == "get_town")
    assert json.loads(call(changed, tool, {"town_id": "500"}, Context()))["name"] == "Berlin"
