"""Documents read within bounds, and the references in them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlllm.sources import documents
from controlllm.sources.documents import Document, Unreadable, parsed
from tests.every_case import every_case

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=8), PLAIN, min_size=1, max_size=4))
def test_json_is_read_as_it_is(value):
    assert parsed(json.dumps(value).encode(), "it") == value


def test_yaml_is_read_as_json_would_be():
    text = "a: 1\nb: [yes, on, 2020-01-01, true, ~]\n200: {no: 1.5}\nc: '1'\n"
    assert parsed(text.encode(), "it") == {
        "a": 1,
        "b": ["yes", "on", "2020-01-01", True, None],
        "200": {"no": 1.5},
        "c": "1",
    }


def test_only_what_json_calls_a_number_is_one_in_yaml():
    words = "12:30:45 010 08 1_000 0x1F 0o17 0b11 .inf .nan = 2020-01-01T10:00:00Z +1".split()
    text = "\n".join(["a: [" + ", ".join(words) + "]", "010: b", "c: [0, -7, 1.50, 1e3, -2.5E-1]"])
    found = parsed(text.encode(), "it")
    assert found == {"a": words, "010": "b", "c": [0, -7, 1.5, 1000, -0.25]}


@every_case("text", ["a: %s", '{"a": %s}'])
def test_a_number_without_an_end_is_no_number(text):
    assert parsed((text % ("1" * 9000)).encode(), "it") == {"a": "1" * 9000}


def bomb(levels, width=10):
    lines = ["a0: &a0 [x, x]"]
    for level in range(1, levels):
        inner = ", ".join([f"*a{level - 1}"] * width)
        lines.append(f"a{level}: &a{level} [{inner}]")
    return "\n".join(lines).encode()


MERGES = b"a: &a {x: 1}\n" + b"\n".join(
    f"b{n}: &b{n} {{<<: [{', '.join([f'*b{n - 1}' if n else '*a'] * 10)}]}}".encode()
    for n in range(9)
)


@every_case(
    ("content", "said"),
    [
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, "nested too deeply"),
        (b"- " * 5_000 + b"a", "nested too deeply"),
        (b"a: " + b"{a: " * 300 + b"1" + b"}" * 300, "nested too deeply"),
        (bomb(8), "aliases stand for too many"),
        (MERGES, "aliases stand for too many"),
        (b"a: &a [*a]", "refers to itself"),
        (b"a: &a {b: *a}", "refers to itself"),
        (b"a: !!python/object/apply:os.system [ls]", "neither JSON nor YAML"),
        (b"a: !!python/name:os.system", "neither JSON nor YAML"),
        (b"a: !!int abc", "neither JSON nor YAML"),
        (b"a: !!float 1_x", "neither JSON nor YAML"),
        (b"a: !!bool x", "neither JSON nor YAML"),
        (b"a: !!timestamp 2020-01-01", "neither JSON nor YAML"),
        (b"a: !!binary aGk=", "neither JSON nor YAML"),
        (b"a: !!set {b}", "neither JSON nor YAML"),
        (b"a: b: c", r"neither JSON nor YAML \(line 1\)"),
        (b"{[a]: 1}", "neither JSON nor YAML"),
        (b"\xff\xfe\x00", "no text in UTF-8"),
        (b"", "is empty"),
        (b"# nothing", "is empty"),
    ],
)
def test_what_is_too_much_or_none_is_refused(content, said):
    with pytest.raises(Unreadable, match=said):
        parsed(content, "it")


def test_a_large_document_is_refused(monkeypatch):
    monkeypatch.setattr(documents, "MOST_BYTES", 100)
    with pytest.raises(Unreadable, match="larger than"):
        parsed(b" " * 101, "it")
    monkeypatch.setattr(documents, "MOST_BYTES", 10**6)
    monkeypatch.setattr(documents, "MOST_VALUES", 1000)
    with pytest.raises(Unreadable, match="holds too much"):
        parsed(json.dumps([[1] * 100] * 20).encode(), "it")


def test_references_lead_inside_the_document():
    root = {"a": {"b/c": [{"x": 1}]}, "d": {"$ref": "#/a/b~1c/0"}, "e": {"$ref": "#/d"}}
    document = Document(root)
    assert document.whole({"$ref": "#/e"}) == {"x": 1}
    described = document.whole({"$ref": "#/e", "description": "D"})
    assert described == {"x": 1, "description": "D"}


@every_case(
    "reference",
    [
        *("#/none", "#/a/9", "#/d/x", "other.yaml", "http://127.0.0.1/x.json", "/etc/passwd"),
        *("#/circle", "file:///etc/passwd", "https://example.com/s.json#/x", "../x.json"),
    ],
)
def test_references_lead_nowhere_else(reference):
    document = Document({"a": [1], "circle": {"$ref": "#/round"}, "round": {"$ref": "#/circle"}})
    with pytest.raises(Unreadable):
        document.whole({"$ref": reference})


def test_references_lead_to_files_beside_a_document(tmp_path):
    folder = tmp_path / "api"
    (folder / "parts").mkdir(parents=True)
    (folder / "parts" / "one.yaml").write_text(
        "One: {$ref: 'two.json#/Two'}\nOwn: {$ref: '#/Here'}\nHere: {y: 2}\n"
    )
    (folder / "parts" / "two.json").write_text('{"Two": {"$ref": "../top.json#/x"}}')
    (folder / "top.json").write_text('{"x": {"z": 3}}')
    (tmp_path / "out.json").write_text('{"secret": 1}')
    (folder / "link.json").symlink_to(tmp_path / "out.json")
    document = Document({}, folder)
    assert document.whole({"$ref": "parts/one.yaml#/One"}) == {"z": 3}
    assert document.whole({"$ref": "./parts/one.yaml#/Own"}) == {"y": 2}
    for out in ("../out.json", "link.json", str(tmp_path / "out.json"), "parts/../../out.json",
                "%2e%2e/out.json", "none.json", "parts"):  # fmt: skip
        with pytest.raises(Unreadable):
            document.whole({"$ref": out})


def test_half_a_character_in_a_document_is_replaced_or_refused():
    assert parsed(rb'{"title": "Half \ud83d"}', "it") == {"title": "Half \ufffd"}
    with pytest.raises(Unreadable):
        parsed(rb'title: "Half \ud83d"', "it")
