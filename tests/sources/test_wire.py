"""Values as an operation wants them, and answers as values: whole numbers and lists of objects."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlllm.sources.naming import with_allowed
from controlllm.sources.source import ForeignArgument
from controlllm.sources.wire import as_value, sent
from controlllm.toolbox import Code, Context, ToolError
from tests.every_case import every_case

#: No float holds it.
LONG = 175928847299117063


def written(value, part="", **shape):
    return sent(ForeignArgument("given", "text", part=part, call=shape), value)


@every_case(
    "value", [LONG, str(LONG), f" {LONG} ", f"{LONG}.0", f"pet {LONG}", f'{{"id": {LONG}}}']
)
@every_case("kind", ["integer", "number"])
def test_whole_numbers_stay_as_they_are(value, kind):
    part = "id" if str(value).startswith("{") else ""
    assert written(value, part, type=kind) == LONG
    assert written(f"[{LONG}, 1]", type="array", items=kind) == [LONG, 1]


@every_case("value", [LONG, str(LONG), f'{{"id": {LONG}}}'])
def test_whole_numbers_stay_as_they_are_where_words_are_wanted(value):
    assert written(value, "id", type="string") == str(LONG)


@every_case("words", ["1.10", "1e5", "007", "-0", "true", "null", "[1]", "[" * 9999])
def test_an_id_is_what_was_written(words):
    assert written(words, "id", type="string") == words


@every_case("kind", ["integer", "number", "string"])
@every_case("value", [10**400, -(10**9000)], ids=["long", "longer"])
def test_numbers_without_end_are_refused(kind, value):
    with pytest.raises(ToolError, match="digits") as refused:
        written(value, type=kind)
    assert refused.value.code is Code.BAD_INPUT


@given(st.integers(-(10**40), 10**40))
def test_every_whole_number_goes_both_ways(number):
    assert written(str(number), type="integer") == written(number, type="number") == number
    for found in (number, str(number)):
        back = as_value("number", found, "shop", Context())
        assert back == number and isinstance(back, int)


@every_case("found", [10**400, "1" * 400, float("inf"), True, None, [], "seven", {"a": 1}])
def test_what_is_no_number_that_can_be_used_is_told_so(found):
    with pytest.raises(ToolError, match=r"^shop sent (no number|a larger number)"):
        as_value("number", found, "shop", Context())


def test_an_answer_nested_too_deeply_is_told_so():
    nested: dict = {}
    for _ in range(3000):
        nested = {"inner": nested}
    for kind in ("text", "shop.order"):
        with pytest.raises(ToolError, match="nested too deeply"):
            as_value(kind, nested, "shop", Context())


ROW = {"a": "x", "n": LONG}


@every_case("value", [json.dumps(ROW), json.dumps([ROW]), [ROW], ROW, [json.dumps(ROW)]])
def test_lists_of_objects_are_sent_as_objects(value):
    assert written(value, type="array", items="object") == [ROW]


def test_lists_of_lists_are_sent_as_lists():
    assert written("[[1, 2], [3]]", type="array", items="array") == [[1, 2], [3]]
    assert written("[1, 2]", type="array", items="array") == [[1, 2]]
    assert written("[]", type="array", items="array") == []


@every_case("kind", ["object", "array"])
@every_case("value", ["one, two", "5", "null", '"x"', '[{"a": 1}, [2], 3]', "[" * 9999])
def test_what_is_no_list_of_them_is_refused(kind, value):
    with pytest.raises(ToolError, match="is to be (a JSON list of|JSON)") as refused:
        written(value, type="array", items=kind)
    assert refused.value.code is Code.BAD_INPUT


def test_where_nothing_says_what_items_are_json_is_json():
    assert written(json.dumps(ROW), type="array", items="") == [ROW]
    assert written("red, green", type="array", items="") == ["red", "green"]


def test_allowed_values_are_told_short_and_plain():
    assert with_allowed("The colour.", ["red", 2]) == "The colour. One of: red, 2."
    assert with_allowed("", ["image/*"]) == "One of: image/*."
    assert with_allowed("The colour.", []) == "The colour."
    many = with_allowed("", [f"v{number}\n\x1b" + "x" * 100 for number in range(200)])
    assert many.endswith("…, ….") and len(many) < 600 and many.isprintable()


@every_case("found", ["all\u200b well\U000e0063\u202e\x1b[31m", {"said": "a\u200bb\U000e0063"}])
@every_case("kind", ["text", "html", "shop.film"])
def test_what_cannot_be_seen_is_not_handed_on(kind, found):
    if kind == "shop.film" and isinstance(found, str):
        found = {"title": found}
    words = as_value(kind, found, "shop", Context())
    assert not {*"\u200b\u202e\x1b\U000e0063"} & set(words) and len(words) > 3
