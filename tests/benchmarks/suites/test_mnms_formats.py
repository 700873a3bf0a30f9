"""m&m's plans in and out: each fault of its own reading is a case here, and code is never run."""

from __future__ import annotations

import ast
import json
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.suites.answers import Call
from benchmarks.suites.mnms.code import NotAPlan, calls_in
from benchmarks.suites.mnms.formats import (
    code_lines,
    read_plan,
    read_step,
    to_code,
    to_json,
)
from tests.every_case import every_case

PLAN = (
    Call("image captioning", {"image": "a.jpg"}, 0),
    Call("image generation", {"text": "a painting of <node-0>.text"}, 1),
)
JSON = json.dumps({"nodes": [call.to_json() for call in PLAN]})
CODE = """def solve():
    output0 = image_captioning(image="a.jpg")
    output1 = image_generation(text=f"a painting of {output0['text']}")
    result = {0: output0, 1: output1}
    return result"""


@every_case(
    "text",
    [JSON, f"Sure!\nRESULT #: {JSON}\nDone.", f"```json\n{JSON}\n```", JSON.replace(", ", ",\n")],
)
def test_a_plan_in_json_is_read_with_words_around_it(text):
    assert read_plan(text, "json").calls == PLAN


def test_newlines_quotes_and_backslashes_in_strings_stay_as_they_are():
    words = 'a "big" cat\nC:\\new'
    call = Call("text generation", {"text": words}, 0)
    assert read_plan(to_json([call]), "json").calls == (call,)
    raw = '{"nodes": [{"id": 0, "name": "text generation", "args": {"text": "one\ntwo"}}]}'
    assert read_plan(raw, "json").calls[0].arguments["text"] == "one\ntwo"


def test_a_backslash_that_means_nothing_is_left_out_as_theirs_does():
    raw = r'{"nodes": [{"id": 0, "name": "text generation", "args": {"text": "Emma\'s\n"}}]}'
    assert read_plan(raw, "json").calls[0].arguments["text"] == "Emma's\n"


@every_case(
    ("text", "said"),
    [
        ("", "no JSON object"),
        ("no plan", "no JSON object"),
        ('{"nodes": [', "no JSON object"),
        ('{"nodes": [}', "no valid JSON"),
        ('{"plan": []}', '"nodes"'),
        ('{"nodes": {}}', "no list"),
        ('{"nodes": [1]}', "Node 0"),
        ('{"nodes": [{"id": 0, "args": {}}]}', '"name" of node 0'),
        ('{"nodes": [{"id": 0, "name": "tag", "args": []}]}', '"args" of node 0'),
        ('{"nodes": [{"id": true, "name": "tag", "args": {}}]}', '"id" of node 0'),
        ('{"nodes": [{"name": "tag", "args": {}}]}', '"id" of node 0'),
        ('{"a": ' * 100_000 + "1" + "}" * 100_000, "no valid JSON"),
    ],
)
def test_what_is_no_plan_is_told_and_has_its_code(text, said):
    parsed = read_plan(text, "json")
    assert said in parsed.message and parsed.code == "json" and parsed.calls == ()


def test_the_word_that_ends_it_is_no_fault_and_a_plan_beside_it_counts():
    assert read_plan("TERMINATE", "json").ended and read_step("I TERMINATE.", "json").ended
    assert read_plan("TERMINATE", "code").ended
    assert read_plan(f"{JSON} TERMINATE", "json").calls == PLAN


def test_a_step_is_read_behind_its_thought():
    text = 'THOUGHT 0: {maybe}\nACTION 0: {"id": "0", "name": "count", "args": {"objects": "x"}}'
    assert read_step(text, "json").calls == (Call("count", {"objects": "x"}, 0),)
    assert read_step("THOUGHT 0: none", "json").code == "json"


def test_a_step_in_code_may_read_what_came_before():
    step = "THOUGHT 1: now.\n```python\noutput1 = count(objects=output0['objects'])\n```"
    before = [Call("object detection", {"image": "a.jpg"}, 0)]
    expected = (Call("count", {"objects": "<node-0>.objects"}, 1),)
    assert read_step(step, "code", before).calls == expected
    assert "no output0" in read_step(step, "code").message


def test_a_plan_in_code_is_read_between_its_fences():
    parsed = read_plan(f"Here:\n```python\n{CODE}\n```\nok", "code")
    assert parsed.calls == PLAN and parsed.program == CODE
    assert "no block" in read_plan(CODE, "code").message


def test_plans_are_written_as_theirs_are():
    assert to_code(PLAN).splitlines()[0] == "def solve():"
    assert calls_in(to_code(PLAN)) == PLAN
    assert ast.unparse(ast.parse(to_code(PLAN))) == ast.unparse(ast.parse(CODE))


#: Everything that is hard to quote, and a little of what is not.
SIGNS = st.sampled_from(string.printable + "é€😀\\\u2028")
VALUES = st.one_of(
    st.text(SIGNS, max_size=20),
    st.integers(),
    st.lists(st.text(SIGNS, max_size=20), max_size=3).map("<node-0>.text".join),
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["text", "image", "prompt"]), VALUES))
def test_whatever_is_written_is_read_again(arguments):
    plan = (Call("image captioning", {"image": "a.jpg"}, 0), Call("image editing", arguments, 1))
    assert read_plan(to_json(plan), "json").calls == plan
    assert calls_in("\n".join(code_lines(plan))) == plan


def test_values_of_code_are_constants_outputs_and_strings_of_them():
    code = """
name = "dog"
found = object_detection(image="a.jpg")
dog = select_object(objects=found['objects'], object_name=name)
x = emoji(image=found["image"], object=dog, emoji=f"{name} {-1} {name}")
y = get_math_fact(number=-12.5)
z = text_generation(text=["a", None])
"""
    found, dog, x, y, z = calls_in(code)
    assert dog.arguments == {"objects": "<node-0>.objects", "object_name": "dog"}
    assert x.arguments == {"image": "<node-0>.image", "object": "<node-1>", "emoji": "dog -1 dog"}
    assert [found.id, dog.id, x.id] == [0, 1, 2]
    assert y.arguments == {"number": -12.5} and z.arguments == {"text": ["a", None]}


@every_case(
    "code",
    [
        "import os",
        "from os import system",
        "output0 = os.system('touch /tmp/bad')",
        "output0 = tag(image=open('/etc/passwd').read())",
        "output0 = tag(image=__import__('os').getcwd())",
        "output0 = tag(image=(lambda: 1)())",
        "output0 = tag(image=[x for x in range(9)])",
        "output0 = tag(image='a' * 10 ** 9)",
        "output0 = tag(image=f'{output0!r}')",
        "output0 = tag(image=f'{1:>{9 ** 9}}')",
        "output0 = tag('a.jpg')",
        "output0 = tag(**{'image': 'a.jpg'})",
        "output0 = tag(image=nothing)",
        "output0 = tag(image=output7['image'])",
        "output0 = tag(image='a.jpg')\noutput1 = tag(image=output0[0])",
        "output0 = tag(image='a.jpg')\noutput1 = tag(image=output0['__class__.x'])",
        "output0 = tag(image='a.jpg').image",
        "a, b = tag(image='a.jpg'), 1",
        "while True: pass",
        "for x in range(9): output0 = tag(image='a.jpg')",
        "if True:\n    output0 = tag(image='a.jpg')",
        "def solve():\n    pass\ndef more():\n    pass",
        "@tag\ndef solve():\n    pass",
        "x = 1\ndef solve():\n    pass",
        "class A: pass",
        "def solve():\n    return eval('1')",
        "def solve():\n    return {0: output3}",
        "async def solve(): pass",
        "x: int = 1",
        "x = b'bytes'",
        "output0 = tag(",
        "x = " + "(" * 5_000,
        "x = " + "-" * 50_000 + "1",
        "x" * 200_000,
        "x = '\0'",
    ],
)
def test_code_that_does_more_than_a_plan_is_refused(code):
    with pytest.raises(NotAPlan):
        calls_in(code)


def test_calls_of_what_is_no_tool_are_only_read():
    # The verifier says that there is no such tool; nothing is opened here.
    assert calls_in("output0 = open(file='/etc/passwd')") == (
        Call("open", {"file": "/etc/passwd"}, 0),
    )
    assert calls_in("def solve():\n    '''Words.'''\n    return None\nprint_it = solve()") == ()
