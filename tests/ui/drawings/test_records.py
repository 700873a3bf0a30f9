"""Records of JSON as tables: safe whoever wrote them, nested and long ones folded."""

from __future__ import annotations

import json

from controlllm.resources.records import records_in
from controlllm.ui.drawings.markdown import records, to_html
from controlllm.ui.texts import speaking
from tests.every_case import every_case

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>"


@every_case(
    "text",
    ["", "{}", "[]", "7", '"words"', "null", "{not json}", "[1, 2", "[citation needed]", "[" * 9999]
    + ["[" * 50 + "1" + "]" * 50],
)
def test_other_texts_hold_no_records(text):
    assert records_in(text) is None and records(text) == ""


def test_a_list_of_records_is_a_table_with_words_for_its_fields():
    html = records('[{"id": 1, "releaseDate": "1927"}, {"id": 2, "is_silent": true}]')
    for head in ("Id", "Release Date", "Is silent"):
        assert f'<th scope="col">{head}</th>' in html
    assert html.count("<tr>") == 3 and ">yes<" in html and ">–<" in html


def test_what_was_written_there_is_text_and_nothing_else():
    data = [{HOSTILE: HOSTILE, "more": {"inner": [HOSTILE, {HOSTILE: 1}]}, "long": HOSTILE * 20}]
    html = records(json.dumps(data))
    assert "<script" not in html and "<img" not in html and html.count("&lt;script&gt;") > 20


@every_case(
    "address",
    ["javascript:alert(1)", "data:text/html,x", "ftp://a.example", 'https://a"onclick="x', "//a.b"],
)
def test_only_addresses_of_the_web_are_links(address):
    assert "<a " not in records(json.dumps({"link": address}))
    assert 'onclick="' not in records(json.dumps({"link": address}))
    good = records('{"link": "https://a.example/b?c=1&d=2"}')
    assert 'href="https://a.example/b?c=1&amp;d=2"' in good and "noopener noreferrer" in good


def test_nested_and_long_ones_are_folded_and_all_of_the_text_is_there():
    data = {"name": "Lyon", "mayor": {"name": "A"}, "tags": ["a", "b"], "text": "word " * 100}
    text = json.dumps(data)
    html = records(text)
    assert "<summary>1 field</summary>" in html and 'a</bdi>, <bdi class="short">b' in html
    assert html.count('class="long-value"') == 1 and "show all" in html
    assert text.replace('"', "&quot;") in html, "as it came"


def test_many_rows_show_when_asked_for():
    html = records(json.dumps([{"id": number} for number in range(300)]))
    assert "Show all 300" in html and "100 more are in what came." in html
    first, _, rest = html.partition('class="more-rows"')
    assert ">7<" in first and ">8<" not in first and ">199<" in rest and ">200<" not in rest
    with speaking("de"):
        assert "Alle 300 zeigen" in records(json.dumps([{"id": number} for number in range(300)]))


def test_many_columns_are_folded_into_the_last():
    row = {f"field{number}": number for number in range(12)} | {"nested": {"a": 1}}
    html = records(json.dumps([row]))
    table = html.partition("</thead>")[0]
    assert table.count('scope="col"') == 7 and ">More<" in table and "7 fields" in html


def test_only_code_that_says_so_is_drawn_in_an_answer():
    assert "<table" in to_html('```json\n[{"a": 1}]\n```')
    assert "<table" not in to_html('```\n[{"a": 1}]\n```')
    assert "<pre><code>{a" in to_html("```json\n{a\n```")
