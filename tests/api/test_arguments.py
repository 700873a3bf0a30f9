"""Arguments of tools as JSON: their schemas, and what becomes of what is sent."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from controlllm.api.arguments import read_arguments, schema_of
from controlllm.core.plans import Literal, Reference
from controlllm.resources import BadInput
from controlllm.toolbox import Argument, Parameter, Tool, Toolbox
from tests.every_case import every_case

TOOLBOX = Toolbox.load()


def read(tool, sent, toolbox=TOOLBOX):
    """The inputs, and what was kept on the way."""
    kept = []

    def keep(type_name, content, media_type):
        kept.append((type_name, content, media_type))
        return f"kept {len(kept)}"

    return read_arguments(tool, toolbox, sent, keep), kept


def test_every_tool_has_a_schema_with_all_its_arguments():
    for tool in TOOLBOX:
        schema = schema_of(tool, TOOLBOX)
        Draft202012Validator.check_schema(schema)
        taken = {item.name for item in (*tool.args, *tool.parameters)}
        assert set(schema["properties"]) == taken
        assert schema["required"] == [argument.name for argument in tool.required]
        json.dumps(schema)


def test_words_files_and_lists_become_inputs():
    inputs, kept = read(TOOLBOX["tag"], {"image": "a.png", "bbox": [
        {"left": 1, "top": 2, "right": 3, "bottom": 4}]})  # fmt: skip
    assert inputs == {"image": Reference("a.png"), "bbox": Reference("kept 1")}
    in_words = '[{"left": 1, "top": 2, "right": 3, "bottom": 4}]'
    assert read(TOOLBOX["tag"], {"image": "a.png", "bbox": in_words}) == (inputs, kept)
    assert kept[0][0] == "bbox" and json.loads(kept[0][1])[0]["right"] == 3
    inputs, _ = read(TOOLBOX["translation"], {"text": {"file": "a.txt"}, "language": "French"})
    assert inputs == {"text": Reference("a.txt"), "language": Literal("French")}
    inputs, _ = read(TOOLBOX["audio_mixing"], {"audios": ["a.wav", "b.wav"], "prompt": "x"})
    assert inputs["audios"] == (Reference("a.wav"), Reference("b.wav"))


def test_settings_of_a_tool_are_sent_like_arguments():
    args = (Argument("text", "text"),)
    knobs = (Parameter("strength", 0.5), Parameter("mode", "soft"))
    tool = Tool("x", "", "general", args, Argument("r", "text"), parameters=knobs)
    toolbox = Toolbox((tool,))
    schema = schema_of(tool, toolbox)["properties"]
    assert schema["strength"]["type"] == "number" and schema["mode"]["default"] == "soft"
    inputs, _ = read(tool, {"text": "a", "strength": 0.75, "mode": "hard"}, toolbox)
    assert inputs["strength"] == Literal("0.75") and inputs["mode"] == Literal("hard")


@every_case(
    ("tool", "sent", "said"),
    [
        ("tag", {"image": "a.png"}, "'bbox'"),
        ("tag", {"image": 5, "bbox": []}, "'image'"),
        ("tag", {"image": "a.png", "bbox": [{"left": "x"}]}, "'bbox'"),
        ("tag", {"image": "a.png", "bbox": [[]] * 10_001}, "'bbox'"),
        ("tag", {"image": {"file": "a", "more": 1}, "bbox": []}, "'image'"),
        ("tag", {"image": "x" * 301, "bbox": []}, "'image'"),
        ("translation", {"text": "a", "language": True}, "'language'"),
        ("translation", {"text": "a", "language": ["x"]}, "'language'"),
        ("translation", {"text": "a", "language": "b", "x": 1}, "'x'"),
        ("audio_mixing", {"audios": [], "prompt": "x"}, "'audios'"),
        ("audio_mixing", {"audios": ["a"] * 101, "prompt": "x"}, "'audios'"),
    ],
)
def test_what_is_wrong_is_refused_with_its_name(tool, sent, said):
    with pytest.raises(BadInput) as refused:
        read(TOOLBOX[tool], sent)
    assert said in str(refused.value) and len(str(refused.value)) < 500


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@given(st.sampled_from(list(TOOLBOX)), st.data())
@settings(max_examples=100, deadline=None)
def test_whatever_is_sent_becomes_inputs_or_is_refused(tool, data):
    names = st.sampled_from([*(argument.name for argument in tool.args), "x"])
    sent = data.draw(st.dictionaries(names, _JSON | st.just("photo.png")))
    try:
        inputs, _ = read(tool, sent)
    except BadInput as refused:
        assert str(refused)
    else:
        assert {argument.name for argument in tool.required} <= set(inputs)
