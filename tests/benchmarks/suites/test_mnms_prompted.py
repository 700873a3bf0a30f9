"""A model asked in m&m's formats, over a real chat protocol: every turn of feedback."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from benchmarks.suites import registry
from benchmarks.suites.answers import Call, Task
from benchmarks.suites.mnms.catalogue import catalogue, typed_edges
from benchmarks.suites.mnms.execution import Execution
from benchmarks.suites.mnms.prompted import Protocol, Ran, asks, prompt_of
from benchmarks.suites.suite import FORMATS, MODES, VERIFIERS, Options
from controlllm.core.costs import Usage
from controlllm.core.plans import Request
from controlllm.language.endpoint import ChatEndpoint
from controlllm.settings import Settings
from tests.every_case import every_case
from tests.language.scripted_server import KEY, Fault, Said, serving

TASK = Task("1", Request("How far is it? Tell me a fact about {{tools}} 1969."))
FACT = {"id": 0, "name": "get year fact", "args": {"year": "1969"}}
WRONG = {"id": 0, "name": "get year fact", "args": {"number": "1969"}}
PLAIN = Protocol("multi-step", "json", "", 0, "theirs", typed_edges())
CALL = Call("get year fact", {"year": "1969"}, 0)


def plan(*nodes):
    return Said(json.dumps({"nodes": list(nodes)}))


def step(number, node):
    return Said(f"THOUGHT {number}: so.\nACTION {number}: {json.dumps(node)}")


@pytest.fixture
def server():
    with serving() as found:
        yield found


@pytest.fixture
def ask(server):
    endpoint = ChatEndpoint(server.base_url, KEY, "small-model")

    def asked(protocol, *script):
        server.says(*script)
        return asks(endpoint, protocol)(TASK)

    return asked


def told(server, call=-1):
    """What the model was told last, in one of the calls."""
    return server.asked[call]["messages"][-1]["content"]


@every_case("mode", MODES)
@every_case("form", FORMATS)
def test_every_prompt_has_all_tools_and_the_request_as_it_is(mode, form):
    prompt = prompt_of(TASK.request.text, replace(PLAIN, mode=mode, form=form))
    for tool in catalogue().values():
        assert (tool.function if form == "code" else tool.name) in prompt
    assert prompt.count(TASK.request.text) == 1 and prompt.count("{{") == 1


def test_a_plan_is_taken_at_once_and_counted(server, ask):
    answer = ask(PLAIN, plan(FACT))
    assert answer.calls == (CALL,) and answer.failure == ""
    assert answer.turns == 1 and answer.usage == Usage(1, 100, 7)
    assert answer.details["ended"] == "success"
    assert TASK.request.text in told(server)


def test_without_feedback_nothing_is_asked_again(ask):
    answer = ask(replace(PLAIN, max_reply=5), Said("no plan"))
    assert answer.turns == 1 and answer.calls == () and "no JSON" in answer.failure
    sound = ask(replace(PLAIN, max_reply=5), plan(WRONG))
    assert sound.turns == 1 and sound.calls[0].arguments == {"number": "1969"}


def test_of_parsing_it_is_told_and_mends_its_plan(server, ask):
    answer = ask(replace(PLAIN, feedback="P", max_reply=2), Said('{"nodes": [}'), plan(FACT))
    assert answer.calls == (CALL,) and answer.turns == 2
    assert "could not be read" in told(server) and "strict JSON" in told(server)
    roles = [item["role"] for item in server.asked[-1]["messages"]]
    assert roles == ["user", "assistant", "user"]


@every_case("verifier", VERIFIERS, anew=(server, ask))
def test_of_verification_it_is_told(server, ask, verifier):
    protocol = replace(PLAIN, feedback="PV", max_reply=2, verifier=verifier)
    answer = ask(protocol, plan(WRONG), plan(FACT))
    assert answer.calls == (CALL,) and answer.turns == 2
    assert "'year' is missing" in told(server) and "fix the get year fact's arguments" in told(
        server
    )


def test_the_strict_verifier_tells_what_theirs_lets_pass(server, ask):
    twelve = {**FACT, "args": {"year": "twelve"}}
    protocol = replace(PLAIN, feedback="PV", max_reply=1)
    assert ask(protocol, plan(twelve), plan(FACT)).turns == 1
    assert ask(replace(protocol, verifier="strict"), plan(twelve), plan(FACT)).turns == 2
    assert "takes a number" in told(server)


def test_of_execution_it_is_told(server, ask):
    runs = iter([Ran({}, "RuntimeError", "node 0 failed"), Ran({0: {"text": "a fact"}})])
    protocol = replace(PLAIN, feedback="PVE", max_reply=3, run=lambda calls: next(runs))
    answer = ask(protocol, plan(FACT), plan(FACT))
    assert answer.turns == 2 and answer.details["ended"] == "success"
    assert "Execution failed with RuntimeError: node 0 failed." in told(server)


def test_all_three_in_turn_and_the_last_plan_read_is_the_answer(server, ask):
    runs = iter([Ran({}, "KeyError", "gone")])
    protocol = replace(PLAIN, feedback="PVE", max_reply=3, run=lambda calls: next(runs))
    answer = ask(protocol, Said("?"), plan(WRONG), plan(FACT), Said("{broken"))
    assert answer.turns == 4 and answer.calls == (CALL,) and answer.failure == ""
    sayings = [item["content"] for item in server.asked[-1]["messages"] if item["role"] == "user"]
    assert [words.split(" ")[0] for words in sayings[1:]] == ["Your", "Your", "Execution"]
    assert answer.details["ended"] == "turns"


def test_turns_after_the_first_are_as_many_as_said(ask):
    protocol = replace(PLAIN, feedback="PV", max_reply=2)
    answer = ask(protocol, plan(WRONG))
    assert answer.turns == 3 and answer.calls[0].arguments == {"number": "1969"}


def test_the_model_may_give_up(ask):
    protocol = replace(PLAIN, feedback="PV", max_reply=5)
    answer = ask(protocol, plan(WRONG), Said("TERMINATE"))
    assert answer.turns == 2 and answer.details["ended"] == "terminated"
    assert answer.calls[0].arguments == {"number": "1969"}


def test_a_program_is_read_and_kept_as_it_was_written(ask):
    code = "def solve():\n    o = get_year_fact(year='1969')\n    return {0: o}"
    answer = ask(replace(PLAIN, form="code"), Said(f"```python\n{code}\n```"))
    assert answer.calls == (CALL,) and answer.details["program"] == code


def test_a_program_that_does_more_is_refused_and_told(server, ask):
    bad = "```python\nimport os\noutput0 = os.listdir('/')\n```"
    good = "```python\noutput0 = get_year_fact(year='1969')\n```"
    answer = ask(replace(PLAIN, form="code", feedback="P", max_reply=1), Said(bad), Said(good))
    assert answer.calls == (CALL,)
    assert "Line 1: Import is nothing that a plan may hold" in told(server)


@every_case("form", FORMATS, anew=(server, ask))
def test_step_by_step_each_action_is_answered(server, ask, form):
    protocol = replace(PLAIN, mode="step-by-step", form=form, feedback="PV", max_reply=10)
    nodes = [
        {"id": 0, "name": "object detection", "args": {"image": "a.jpg"}},
        {"id": 1, "name": "count", "args": {"objects": "<node-0>.objects"}},
    ]
    lines = [
        "output0 = object_detection(image='a.jpg')",
        "output1 = count(objects=output0['objects'])",
    ]
    script = [
        step(number, node) if form == "json" else Said(f"THOUGHT\n```python\n{line}\n```")
        for number, (node, line) in enumerate(zip(nodes, lines, strict=True))
    ]
    answer = ask(protocol, *script, Said("TERMINATE"))
    assert [call.tool for call in answer.calls] == ["object detection", "count"]
    assert answer.turns == 3 and answer.details["ended"] == "terminated"
    assert told(server, 1).startswith("OBSERVATION 0: The action was read and is sound.")
    assert "THOUGHT 2" in told(server, 2)


def test_step_by_step_a_node_is_mended_in_its_place(server, ask):
    protocol = replace(PLAIN, mode="step-by-step", feedback="PV", max_reply=10)
    answer = ask(protocol, Said("?"), step(0, WRONG), step(0, FACT), Said("TERMINATE"))
    assert answer.calls == (CALL,) and answer.turns == 4
    assert "could not be read" in told(server, 1) and "fix the" in told(server, 2)


def test_step_by_step_without_feedback_of_parsing_it_ends_there(ask):
    protocol = replace(PLAIN, mode="step-by-step", max_reply=10)
    answer = ask(protocol, step(0, FACT), Said("?"))
    assert answer.turns == 2 and answer.calls == (CALL,)


def test_step_by_step_the_execution_is_observed(server, ask):
    run = Execution()
    try:
        protocol = replace(PLAIN, mode="step-by-step", feedback="PVE", max_reply=10, run=run.ran)
        love = {"id": 0, "name": "love calculator",
                "args": {"first_name": "Emma", "second_name": "Jonas"}}  # fmt: skip
        fact = {"id": 1, "name": "get math fact", "args": {"number": "<node-0>.number"}}
        gone = {"id": 2, "name": "image captioning", "args": {"image": "gone.jpg"}}
        answer = ask(protocol, step(0, love), step(1, fact), step(2, gone), Said("TERMINATE"))
    finally:
        run.close()
    assert told(server, 1).startswith('OBSERVATION 0: {"number": "')
    assert '"text": "' in told(server, 2)
    assert "failed with FileNotFoundError: node 2 (image captioning)" in told(server, 3)
    assert len(answer.calls) == 3


def test_a_fault_of_the_endpoint_is_the_answers_failure(ask):
    answer = ask(PLAIN, Fault(401))
    assert answer.calls == () and "key" in answer.failure and KEY not in answer.failure
    kept = ask(replace(PLAIN, feedback="PV", max_reply=3), plan(WRONG), Fault(401))
    assert kept.calls and kept.failure == "" and "key" in kept.details["last"]


def test_a_busy_endpoint_is_waited_for(ask):
    busy = Fault(429, headers={"Retry-After": "0"})
    assert ask(PLAIN, busy, plan(FACT)).calls == (CALL,)


def test_the_command_asks_the_model_of_the_settings(server, tmp_path):
    server.says(plan(FACT))
    settings = Settings(base_url=server.base_url, api_key=KEY, model="small-model")
    options = Options("mnms", planner="model", feedback="PV", max_reply=1, settings=settings)
    report = registry.run(replace(options, limit=3), out=tmp_path, parallel=2)
    figures = report.rows[0].figures
    assert report.rows[0].count == 3 and figures["plan accuracy (tool)"] == pytest.approx(1 / 3)
    assert figures["turns"] == 1.0 and figures["input tokens"] == 100.0
    assert "feedback PV" in report.beside[0].setting
    assert KEY not in "".join(path.read_text() for path in tmp_path.iterdir())
    with pytest.raises(ValueError, match="needs a language model"):
        registry.run(Options("mnms", planner="model"))
