"""What operations of documents take, and how it is written into requests."""

from __future__ import annotations

import json
from email import message_from_bytes

import httpx2
import pytest

from controlllm.sources.openapi import calls as openapi_calls
from controlllm.sources.openapi.describing import described
from controlllm.sources.openapi.security import Proof
from controlllm.toolbox import Code, ToolError
from tests.every_case import every_case

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}


@pytest.fixture
def read(tmp_path):
    """The source that a document of these paths describes."""

    def reading(paths, **more):
        path = tmp_path / "api.json"
        servers = [{"url": "https://a.example"}]
        path.write_text(
            json.dumps({"openapi": "3.1.0", "servers": servers, "paths": paths, **more})
        )
        return described(str(path), "a")

    return reading


@pytest.fixture
def asked(read):
    """The request that the one operation of a document would send."""

    def asking(operation, /, path="/x", method="post", **given):
        source = read({path: {method: {"operationId": "x", **operation}}})
        return openapi_calls._request(source, source.tools[0], given, Proof())

    return asking


def form(properties, kind="application/x-www-form-urlencoded", **more):
    schema = {"type": "object", "properties": properties}
    return {"requestBody": {"content": {kind: {"schema": schema, **more}}}}


def query(name, schema, **more):
    return {"parameters": [{"name": name, "in": "query", "schema": schema, **more}]}


def fields(request):
    return httpx2.QueryParams(request.content.decode()).multi_items()


SHIPPING = {"type": "object", "properties": {"name": TEXT, "phone": TEXT}}
CUSTOMER = {
    "name": TEXT,
    "shipping": SHIPPING,
    "expand": {"type": "array", "items": TEXT},
    "metadata": {"type": "object"},
}
GIVEN = {"name": "Ann", "shipping_name": "Bob", "expand": "a, b", "metadata": '{"k": "v"}'}


@every_case(
    ("encoding", "expand"),
    [
        ({}, [("expand", "a"), ("expand", "b")]),
        ({"expand": {"style": "deepObject"}}, [("expand[]", "a"), ("expand[]", "b")]),
    ],
    anew=(read, asked),
)
def test_fields_of_a_form_have_the_names_of_what_they_lie_in(asked, encoding, expand):
    deep = {"style": "deepObject", "explode": True}
    for told in (encoding, {**encoding, "shipping": deep, "metadata": deep}):
        assert fields(asked(form(CUSTOMER, encoding=told), **GIVEN)) == [
            *(("name", "Ann"), ("shipping[name]", "Bob")),
            *(*expand, ("metadata[k]", "v")),
        ]


def test_lists_of_objects_have_places_in_a_form(asked):
    lines = {"lines": {"type": "array", "items": {"type": "object"}}}
    told = form(lines, encoding={"lines": {"style": "deepObject"}})
    sent = asked(told, lines='[{"price": 1, "tags": ["x"]}, {"price": 2}]')
    assert fields(sent) == [
        *(("lines[0][price]", "1"), ("lines[0][tags][]", "x"), ("lines[1][price]", "2")),
    ]


@every_case(
    ("encoding", "expected"),
    [
        ({}, {"name": "Ann", "shipping": '{"name": "Bob"}'}),
        ({"shipping": {"style": "deepObject"}}, {"name": "Ann", "shipping[name]": "Bob"}),
    ],
    anew=(read, asked),
)
def test_forms_of_several_parts_never_have_the_bare_name_of_what_lies_deeper(
    asked, encoding, expected
):
    inner = {**SHIPPING["properties"], "letter": {"type": "string", "format": "binary"}}
    properties = {"name": TEXT, "shipping": {"type": "object", "properties": inner}}
    told = form(properties, "multipart/form-data", encoding=encoding)
    sent = asked(told, name="Ann", shipping_name="Bob", shipping_letter="Dear Bob")
    head = f"Content-Type: {sent.headers['Content-Type']}\r\n\r\n".encode()
    parts = {
        part.get_param("name", header="content-disposition"): part.get_payload()
        for part in message_from_bytes(head + sent.content).get_payload()
    }
    assert parts == {**expected, "shipping[letter]": "Dear Bob"}


def test_what_may_be_of_several_kinds_is_sent_as_the_first_that_it_is(asked):
    kinds = {"oneOf": [WHOLE, TEXT]}
    for given, expected in (("5", 5), ("abc", "abc"), ("room 12", "room 12"), ("007", "007")):
        body = asked(
            {
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {"type": "object", "properties": {"f": kinds}}
                        }
                    }
                }
            },
            f=given,
        )
        assert json.loads(body.content) == {"f": expected}
    for schema in (kinds, {"type": ["integer", "string"]}):
        assert asked(query("f", schema), f="abc").url.endswith("?f=abc")
    closed = {"anyOf": [{"type": "string", "enum": ["now"]}, WHOLE]}
    assert asked(query("end", closed), end="Now").url.endswith("?end=now")
    assert asked(query("end", closed), end="12").url.endswith("?end=12")
    with pytest.raises(ToolError) as told:
        asked(query("end", closed), end="later")
    assert told.value.code == Code.BAD_INPUT


def test_a_single_value_is_taken_rather_than_an_object_in_an_address(asked, read):
    created = {"anyOf": [{"type": "object", "properties": {"gt": WHOLE}}, WHOLE]}
    told = query("created", created, style="deepObject", explode=True)
    assert asked(told, created=1700000000).url.endswith("?created=1700000000")
    assert asked(told, created='{"gt": 5}').url.endswith("?created%5Bgt%5D=5")
    (tool,) = read({"/x": {"get": told}}).tools
    assert tool.arguments[0].type == "number"


def test_a_kind_that_is_nothing_but_empty_counts_for_nothing(asked):
    unset = {"type": "string", "enum": [""]}
    properties = {"a": {"anyOf": [unset, SHIPPING]}, "b": {"anyOf": [unset, WHOLE]}}
    sent = asked(form(properties), b="7")
    assert fields(sent) == [("b", "7")]


def test_items_of_a_list_are_told_and_checked(asked, read):
    hourly = {"type": "array", "items": {"type": "string", "enum": ["rain", "wind_speed"]}}
    told = query("hourly", hourly, explode=False)
    (tool,) = read({"/x": {"get": told}}).tools
    assert tool.arguments[0].description == "Any of: rain, wind_speed."
    assert asked(told, hourly="rain, Wind speed").url.endswith("?hourly=rain%2Cwind_speed")
    with pytest.raises(ToolError, match="'snow', and can be: rain, wind_speed"):
        asked(told, hourly="rain, snow")


@every_case(
    ("declared", "expected"),
    [
        ({"style": "pipeDelimited", "explode": False}, "ids=1%7C2"),
        ({"style": "pipeDelimited"}, "ids=1%7C2"),
        ({"style": "spaceDelimited", "explode": False}, "ids=1%202"),
        ({"style": "form", "explode": False}, "ids=1%2C2"),
        ({"style": "pipeDelimited", "explode": True}, "ids=1&ids=2"),
        ({"style": "deepObject"}, "ids%5B%5D=1&ids%5B%5D=2"),
        ({}, "ids=1&ids=2"),
    ],
    anew=(read, asked),
)
def test_lists_have_the_delimiter_that_is_declared(asked, declared, expected):
    ids = {"type": "array", "items": WHOLE}
    assert asked(query("ids", ids, **declared), ids="1, 2").url.partition("?")[2] == expected


@every_case(
    ("path", "said", "expected"),
    [
        ("/users/{id}/orders", "user 42", "/users/42/orders"),
        ("/users/{id}/orders", "user 7's", "/users/7/orders"),
        ("/categories/{id}", "Category no. 12b", "/categories/12b"),
        ("/rooms/{id}", "room A4, please", "/rooms/room%20A4%2C%20please"),
        ("/songs/{id}", "user 42", "/songs/user%2042"),
        ("/{id}", "user 42", "/user%2042"),
    ],
    anew=(read, asked),
)
def test_a_number_stands_in_the_address_without_the_word_for_what_it_numbers(
    asked, path, said, expected
):
    one = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    sent = asked({"parameters": [one]}, path=path, method="get", id=said)
    assert sent.url == f"https://a.example{expected}"


@every_case(("needed", "kept"), [((), 60), (("p70", "p90"), 60)], anew=(read,))
def test_of_too_many_values_the_needed_and_the_first_are_kept_and_that_is_said(read, needed, kept):
    properties = {f"p{number}": TEXT for number in range(100)}
    schema = {"type": "object", "properties": properties, "required": list(needed)}
    body = {"content": {"application/json": {"schema": schema}}}
    source = read({"/x": {"post": {"requestBody": body}}})
    names = [item.name for item in source.tools[0].arguments]
    first = [f"p{number}" for number in range(60 - len(needed))]
    assert names == [*first, *needed]
    assert source.options["left_out"] == [
        "POST /x: only 60 of its values can be given, the first of the optional ones"
    ]


def test_what_stands_in_an_address_is_an_argument_although_nothing_declares_it(asked, read):
    (tool,) = read({"/u/{id}/x": {"get": {}}}).tools
    assert [(item.name, item.required) for item in tool.arguments] == [("id", True)]
    assert asked({}, path="/u/{id}/x", method="get", id="a b").url == "https://a.example/u/a%20b/x"


@every_case(
    ("method", "declared", "is_needed"),
    [
        *(("post", {}, True), ("put", {}, True), ("patch", {}, True), ("delete", {}, False)),
        *(("post", {"required": False}, False), ("delete", {"required": True}, True)),
    ],
    anew=(read,),
)
def test_a_body_that_needs_something_is_needed_unless_it_says_otherwise(
    read, method, declared, is_needed
):
    schema = {"type": "object", "properties": {"a": TEXT, "b": TEXT}, "required": ["a"]}
    body = {"content": {"application/json": {"schema": schema}}, **declared}
    (tool,) = read({"/x": {method: {"requestBody": body}}}).tools
    assert [item.required for item in tool.arguments] == [is_needed, False]


def test_a_path_that_cannot_be_read_is_told(read):
    source = read({"/a": {"get": {}}, "/b": {"$ref": "#/nowhere"}})
    assert len(source.tools) == 1
    assert source.options["left_out"] == ["/b: The reference '#/nowhere' leads nowhere."]


@every_case(
    "schema",
    [
        {"properties": {"x": {"allOf": [{"required": ["b"]}], "required": True}}},
        {"allOf": [{"properties": {"a": TEXT}}], "properties": None},
        {"allOf": {"a": 1}, "anyOf": True, "oneOf": 3},
        {"type": {"a": 1}, "enum": "x", "required": {"x": 1}, "properties": [1]},
        {"allOf": [None, 1, "x", [], True], "anyOf": [None, 1, [], "x"]},
        *({"properties": {"x": odd}, "items": odd} for odd in (True, None, 1, "x", [], [1])),
    ],
    anew=(read,),
)
def test_odd_schemas_cost_no_other_operation(read, schema):
    content = {"application/json": {"schema": schema}}
    odd = {
        "parameters": [{"name": "q", "in": "query", "schema": schema}],
        "requestBody": {"content": content},
        "responses": {"200": {"content": content}},
    }
    source = read({"/a": {"post": odd}, "/b": {"get": {}}})
    assert source.tools[-1].name == "get_b"
