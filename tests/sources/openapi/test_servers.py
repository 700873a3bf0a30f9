"""Where operations of a document are asked, and which keys go there."""

from __future__ import annotations

import json

import pytest

from controlllm.sources.documents import Unreadable
from controlllm.sources.openapi import calls as openapi_calls
from controlllm.sources.openapi.describing import described
from controlllm.sources.openapi.security import proof_of
from controlllm.sources.source import Adding
from controlllm.toolbox import Code, Context, ToolError
from tests.every_case import every_case

KEY = {"securitySchemes": {"app_id": {"type": "apiKey", "in": "query", "name": "appid"}}}
APP_ID = {"name": "appid", "in": "query", "required": True, "schema": {"type": "string"}}


@pytest.fixture
def read(tmp_path, monkeypatch):
    monkeypatch.setenv("CONTROLLLM_SECRET_OWM", "k1234567")

    def reading(paths, secrets=None, options=None, **more):
        path = tmp_path / "api.json"
        path.write_text(json.dumps({"openapi": "3.0.0", "paths": paths, **more}))
        return described(str(path), "a", Adding(secrets=secrets or {}, **(options or {})))

    return reading


def to(*addresses):
    return {"servers": [{"url": address} for address in addresses]}


def urls(source):
    return [
        openapi_calls._request(source, tool, {}, proof_of(source, tool, None, Context())).url
        for tool in source.tools
    ]


PATHS = {
    "/o": {"get": to("https://o.example/v1"), **to("https://p.example")},
    "/p": {"get": {}, **to("https://p.example", "https://other.example")},
    "/r": {"get": {}},
}


def test_an_operation_is_asked_where_it_says_else_its_path_else_the_document(read):
    source = read(PATHS, **to("https://r.example"))
    assert urls(source) == [
        *("https://o.example/v1/o", "https://p.example/p", "https://r.example/r"),
    ]
    assert source.options["server"] == "https://r.example"


def test_the_address_that_a_person_names_counts_for_all(read):
    source = read(PATHS, options={"server": "https://n.example"}, **to("https://r.example"))
    assert urls(source) == [f"https://n.example/{name}" for name in "opr"]


def test_a_document_may_say_it_of_its_paths_alone(read):
    source = read(PATHS)
    assert source.options["server"] == "https://o.example/v1"
    assert urls(source) == ["https://o.example/v1/o", "https://p.example/p"]
    (left_out,) = source.options["left_out"]
    assert left_out.startswith("GET /r: The document does not say where")


def test_where_the_documents_own_address_is_never_asked_the_first_one_is_told(read):
    source = read({"/p": PATHS["/p"]}, **to("https://wrong.example"))
    assert source.options["server"] == "https://p.example"


@every_case(
    "server",
    ["http://127.1", "file:///etc/passwd", "http://x.example:22", "http://a:b@x.example"],
    anew=(read,),
)
def test_an_address_that_is_never_asked_costs_its_operation(read, server):
    source = read({"/bad": {"get": to(server)}, "/r": {"get": {}}}, **to("https://r.example"))
    assert [tool.name for tool in source.tools] == ["get_r"]
    assert source.options["left_out"][0].startswith("GET /bad: ")
    with pytest.raises((Unreadable, ToolError)):
        read({"/bad": {"get": to(server)}}, **to("https://r.example"))


def test_an_operation_does_not_choose_which_machines_nearby_are_asked(served, monkeypatch):
    there = "http://10.0.0.5:9000"
    paths = served.app.openapi()["paths"]
    monkeypatch.setitem(paths["/towns/search"]["get"], "servers", [{"url": there}])
    source = described(f"{served.url}/openapi.json", "x", Adding(is_local=True))
    assert source.options["is_local"]
    assert f"--server {there}" in source.options["left_out"][-1]
    tools = {tool.name: tool for tool in source.tools}
    with pytest.raises(ToolError, match="10.0.0.5 is not asked"):
        openapi_calls.call(source, tools["find_town"], {"name": "x"}, Context())
    found = openapi_calls.call(source, tools["get_town"], {"town_id": "500"}, Context())
    assert json.loads(found)["name"] == "Berlin"


def test_a_secret_goes_nowhere_else_than_the_documents_own_address(read):
    elsewhere = {"/e": {"get": to("https://e.example")}, "/r": {"get": {}}}
    secured = {"components": KEY, "security": [{"app_id": []}], **to("https://r.example")}
    source = read(elsewhere, {"app_id": "owm"}, **secured)
    away, own = source.tools
    assert proof_of(source, own, None, Context()).query == {"appid": "k1234567"}
    with pytest.raises(ToolError, match="secrets are for https://r.example alone") as told:
        openapi_calls.call(source, away, {}, Context())
    assert told.value.code == Code.UNAUTHORISED and "k1234567" not in str(told.value)
    assert source.options["left_out"] == [
        "No secret goes to https://e.example, where 1 operation is asked: they are for "
        "https://r.example alone."
    ]
    optional = {**secured, "security": [{"app_id": []}, {}]}
    source = read(elsewhere, {"app_id": "owm"}, **optional)
    assert urls(source) == ["https://e.example/e", "https://r.example/r?appid=k1234567"]
    same = read(
        {"/e": {"get": to("https://r.example/v2")}, "/r": {"get": {}}}, {"app_id": "owm"}, **secured
    )
    assert urls(same)[0] == "https://r.example/v2/e?appid=k1234567"


# --- keys that a document declares and does not ask for ---


def test_a_named_secret_goes_where_an_operation_has_a_parameter_for_it(read):
    two = {"securitySchemes": {**KEY["securitySchemes"], "other": {"type": "http",
                                                                   "scheme": "basic"}}}  # fmt: skip
    paths = {"/w": {"get": {"parameters": [APP_ID]}}, "/v": {"get": {}}}
    source = read(paths, {"app_id": "owm"}, components=two, **to("https://r.example"))
    assert [tool.arguments for tool in source.tools] == [(), ()]
    assert urls(source) == ["https://r.example/w?appid=k1234567", "https://r.example/v"]
    assert source.options["left_out"] == []


def test_a_named_secret_goes_everywhere_where_there_is_no_other_scheme(read):
    source = read({"/v": {"get": {}}}, {"query": "owm"}, components=KEY, **to("https://r.example"))
    assert urls(source) == ["https://r.example/v?appid=k1234567"]


def test_without_its_secret_a_key_is_an_argument(read):
    paths = {"/w": {"get": {"parameters": [APP_ID]}}}
    (tool,) = read(paths, components=KEY, **to("https://r.example")).tools
    assert [item.name for item in tool.arguments] == ["appid"] and tool.call["security"] == []


@every_case("secrets", [{"typo": "owm"}, {"app_id": "owm"}], anew=(read,))
def test_a_secret_that_is_used_nowhere_is_told(read, secrets):
    two = {"securitySchemes": {**KEY["securitySchemes"], "more": {"type": "mutualTLS"},
                               "other": {"type": "http", "scheme": "basic"}}}  # fmt: skip
    source = read({"/v": {"get": {}}}, secrets, components=two, **to("https://r.example"))
    (role,) = secrets
    (said,) = source.options["left_out"]
    assert said.startswith(f"The secret for {role!r} is used nowhere") and "owm" not in said


def test_a_secret_for_a_scheme_of_a_kind_that_is_not_known_is_refused_in_words(read):
    odd = {"securitySchemes": {"d": {"type": "http", "scheme": "digest"}}}
    source = read(
        {"/v": {"get": {"security": [{"d": []}]}}},
        {"d": "owm"},
        components=odd,
        **to("https://r.example"),
    )
    with pytest.raises(ToolError) as told:
        openapi_calls.call(source, source.tools[0], {}, Context())
    assert told.value.code == Code.UNAUTHORISED
