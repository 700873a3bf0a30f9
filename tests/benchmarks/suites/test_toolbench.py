"""ToolBench's answer files in both forms, and ToolEval's judgements by a scripted model."""

from __future__ import annotations

import json
import threading
import xml.etree.ElementTree as ElementTree

import pytest

from benchmarks.suites.toolbench import beside
from benchmarks.suites.toolbench.answers import Answered, Called, read_answers
from benchmarks.suites.toolbench.judging import Judge, has_passed
from benchmarks.suites.toolbench.report import figures, markdown
from controlllm.cli.main import main
from controlllm.language.asking import Asker
from controlllm.language.endpoint import ChatEndpoint
from tests.every_case import every_case
from tests.language.scripted_server import KEY, Fault, Said, serving

TOOLS = [{"name": "weather_for_api", "description": "Tells the weather."}, {"name": "Finish"}]
DONE = json.dumps({"return_type": "give_answer", "final_answer": "It rains in Bern."})
GONE = json.dumps({"return_type": "give_up_and_restart"})


def node(role, message, *after):
    return {"role": role, "message": message, "next": list(after)}


def used(name, arguments, response=""):
    # As ToolEval writes it: a dictionary of Python in words.
    return str({"name": name, "arguments": arguments, "response": response})


def converted(final, *calls):
    tree = []
    for call in reversed(calls):
        tree = [node("tool", call, *tree)]
    details = [node("system", "", node("user", "Will it rain?", *tree))]
    answer = {
        "method": "cot",
        "total_steps": 4,
        "final_answer": final,
        "answer_details": details,
    }
    return {"query": "Will it rain?", "available_tools": TOOLS, "answer": answer}


def raw(final, *steps, valid=True):
    chain = [{"node_type": kind, "description": said, **more} for kind, said, more in steps]
    told = {
        "valid_data": valid,
        "final_answer": final,
        "query": "Will it rain?",
        "function": TOOLS,
        "chain": chain,
        "query_count": 3,
    }
    return {"win": valid, "answer_generation": told}


@pytest.fixture
def folder(tmp_path):
    looked = used("weather_for_api", '{"city": "Bern"}', "rain")
    invented = used("invalid_hallucination_function_name", "{}", "no such function")
    (tmp_path / "G1_instruction.json").write_text(
        json.dumps(
            {
                "7": converted(DONE, looked, used("Finish", DONE)),
                "8": converted("", looked, invented),
                "9": converted(GONE, used("Finish", GONE)),
            }
        )
    )
    sets = tmp_path / "G1_tool"
    sets.mkdir()
    action = [
        ("Thought", "I look.", {}),
        ("Action", "weather_for_api", {}),
        ("Action Input", '{"city": "Bern"}', {"observation": "rain"}),
    ]
    (sets / "11_DFS_woFilter_w2.json").write_text(json.dumps(raw(DONE, *action)))
    (sets / "12_DFS_woFilter_w2.json").write_text(json.dumps(raw("", *action, valid=False)))
    return tmp_path


def test_both_forms_are_read(folder):
    sets = read_answers(folder)
    assert {name: sorted(answers) for name, answers in sets.items()} == {
        "G1_instruction": ["7", "8", "9"],
        "G1_tool": ["11", "12"],
    }
    answered, endless, given_up = (sets["G1_instruction"][key] for key in "789")
    assert (answered.words, answered.finished, answered.gave_up) == (
        "It rains in Bern.",
        True,
        False,
    )
    assert answered.calls[0] == Called("weather_for_api", '{"city": "Bern"}', "rain")
    assert (endless.finished, endless.invented) == (False, 1)
    assert (given_up.words, given_up.finished, given_up.gave_up) == ("", True, True)
    searched = sets["G1_tool"]["11"]
    assert (searched.method, searched.words, searched.steps) == (
        "DFS_woFilter_w2",
        "It rains in Bern.",
        3,
    )
    assert searched.calls == (Called("weather_for_api", '{"city": "Bern"}', "rain"),)
    assert not sets["G1_tool"]["12"].finished


def test_without_a_judge_what_can_be_counted_is(folder):
    first, second = figures(folder)
    assert (first["answers"], first["answered"], first["gave_up"]) == (3, 1 / 3, 1 / 3)
    assert first["no_end"] == 1 / 3 and first["passed"] is None
    table = markdown([first, second])
    assert "| G1_tool | 2 | – | – | – | 50.0% | 0.0% | 50.0% | 1.0 | 0.0 |" in table


@every_case("content", ["[]", "no json", '{"1": {"query": "x"}}', '{"1": 5}'])
def test_other_files_are_refused_by_name(tmp_path, content):
    path = tmp_path / "other.json"
    path.write_text(content)
    with pytest.raises(ValueError, match="other.json holds no answers"):
        read_answers(path)


def answer(words="It rains.", finished=True, method="cot"):
    gave_up = finished and not words
    return Answered("1", "Rain?", {"a": "b"}, method, words, finished, gave_up, (), 1)


@pytest.fixture
def model():
    with serving() as server:
        yield server


def judging(server, *verdicts):
    server.script = [Said(json.dumps({"reason": "so", "verdict": v})) for v in verdicts]
    return Judge(Asker(ChatEndpoint(server.base_url, KEY, "a-model"), fall_back=False))


@every_case(
    ("given", "verdicts", "passed", "asked"),
    [
        (answer(finished=False, words=""), [], False, 0),
        (answer(), ["solved"], True, 1),
        (answer(), ["unsolved", "solvable"], False, 2),
        (answer(), ["unsolved", "unsolvable"], True, 2),
        (answer(), ["unsure", "unsure", "unsolvable"], True, 3),
        (answer(), ["unsure", "solved"], True, 2),
        (answer("Sorry, I could not."), ["solvable"], False, 1),
        (answer(""), ["unsolvable"], True, 1),
    ],
)
def test_pass_is_judged_as_published(model, given, verdicts, passed, asked):
    model.asked.clear()
    judge = judging(model, *(verdicts or ["solved"]))
    (vote,) = judge.votes(given, 1)
    assert (vote.passed, len(model.asked)) == (passed, asked)


@pytest.mark.long
def test_what_is_left_to_a_coin_falls_the_same_each_time(model):
    verdicts = ["unsolved", "unsure"] * 8
    first = [vote.passed for vote in judging(model, *verdicts).votes(answer(), 8)]
    again = [vote.passed for vote in judging(model, *verdicts).votes(answer(), 8)]
    assert first == again and set(first) == {True, False}


def test_half_of_the_votes_are_a_pass(model):
    votes = judging(model, "solved", "unsolved", "solvable").votes(answer(), 2)
    assert has_passed(votes) and not has_passed(votes[1:]) and not has_passed(())


def test_a_preference_for_whoever_stands_first_is_a_tie(model):
    judge = judging(model, *["solved"] * 4, *["first"] * 4)
    both = (judge.votes(answer(), 2), judge.votes(answer(method="dfs"), 2))
    assert judge.share_won(answer(), answer(method="dfs"), both, 4) == 0.5
    judge = judging(model, "first", "second", "first", "second")
    assert judge.share_won(answer(), answer(method="dfs"), both, 4) == 1.0


def test_the_one_that_passed_wins_without_asking(model):
    judge = judging(model, "unsolved", "solvable", "solved")
    lost, won = judge.votes(answer(), 1), judge.votes(answer(), 1)
    asked = len(model.asked)
    assert judge.share_won(answer(), answer(), (lost, won), 4) == 0.0
    assert judge.share_won(answer(), answer(), (won, lost), 4) == 1.0
    assert len(model.asked) == asked


def test_the_command_reads_and_judges_them(folder, model, monkeypatch, capsys, tmp_path):
    data = str(folder / "G1_instruction.json")
    assert main(["bench", "toolbench", "--data", data]) == 0
    assert "Whether they pass a language model judges" in capsys.readouterr().out
    monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    said = ("solved", "solved", "first", "neither")
    model.script = [Said(json.dumps({"reason": "so", "verdict": verdict})) for verdict in said]
    command = ["bench", "toolbench", "--data", data, "--language-model", "chatgpt", "--votes", "1"]
    out = tmp_path / "out"
    assert main([*command, "--limit", "2", "--against", data, "--out", str(out)]) == 0
    # Judged against themselves, one that passed and one without an end.
    (line,) = json.loads((out / "toolbench.json").read_text())
    assert (line["passed"], line["pairs"], line["win"]) == (0.5, 2, 0.75)
    assert main(["bench", "toolbench", "--data", str(tmp_path / "nowhere")]) != 0
    assert "There are no answers of ToolBench" in capsys.readouterr().err


VERDICTS = ("--language-model", "chatgpt", "--votes", "2")


def by_prompt(data):
    """A model that says the same of the same: what is solved, and that the first one is better."""
    if "answers" in data:
        return {"reason": "so", "verdict": "first"}
    return {"reason": "so", "verdict": "solvable" if "tools" in data else "solved"}


@pytest.fixture
def judged_by(model, monkeypatch):
    """The command, with the model set and its replies by the prompt."""
    monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    model.says(by_prompt)
    return lambda data, *more: main(["bench", "toolbench", "--data", str(data), *VERDICTS, *more])


def test_an_endpoint_that_fails_costs_no_judgement_that_was_made(
    folder, model, judged_by, tmp_path, capsys
):
    out, data = tmp_path / "out", folder / "G1_instruction.json"
    asked = [*("--against", str(folder / "G1_instruction.json")), *("--out", str(out))]
    assert judged_by(data, "--against", str(data)) == 0
    needed, whole = len(model.asked), capsys.readouterr().out
    model.asked.clear()
    model.says(*[by_prompt] * 3, Fault(401))
    assert judged_by(data, *asked) == 2
    said = capsys.readouterr().err
    assert "could not judge" in said and "What was judged is kept" in said
    kept = out / "toolbench.judgements.jsonl"
    assert KEY not in kept.read_text()
    assert len(model.asked) == 4, "nobody goes on asking"
    assert len(kept.read_text().splitlines()) == 1 + 3, "the settings and each judgement"
    with kept.open("a") as file:
        file.write('{"of": "ours 7')
    model.asked.clear()
    model.says(by_prompt)
    assert judged_by(data, *asked) == 0
    assert len(model.asked) == needed - 3
    assert capsys.readouterr().out == whole, "the same figures as in one go"
    model.asked.clear()
    assert judged_by(data, *asked) == 0
    assert not model.asked, "what was judged is not judged again"


def test_judgements_of_others_are_not_mixed_in(folder, model, judged_by, tmp_path, capsys):
    out, data = ("--out", str(tmp_path / "out")), folder / "G1_instruction.json"
    assert judged_by(data, *out) == 0
    before = len(model.asked)
    for other in (
        (folder / "G1_tool", *out),
        (data, *out, "--votes", "3"),
        (data, *out, "--against", str(folder / "G1_tool")),
    ):
        assert judged_by(*other) == 2
        assert "other settings" in capsys.readouterr().err
    assert len(model.asked) == before
    # An answer that has changed since is judged anew, the others are not.
    told = json.loads(data.read_text())
    told["7"] = converted(DONE.replace("Bern", "Basel"), used("Finish", DONE))
    data.write_text(json.dumps(told))
    assert judged_by(data, *out) == 0
    assert len(model.asked) == before + 2


def test_answers_are_judged_side_by_side(folder, model, judged_by, capsys):
    together = threading.Barrier(2, timeout=600)

    def waits(data):
        if "tools" not in data:
            together.wait()
        return by_prompt(data)

    model.says(waits)
    # One answer of each set is asked about: two at once, or the barrier breaks.
    (folder / "G1_tool" / "12_DFS_woFilter_w2.json").unlink()
    assert judged_by(folder, "--parallel", "2", "--limit", "1", "--votes", "1") == 0
    assert "| G1_tool | 1 | 100.0% |" in capsys.readouterr().out
    assert judged_by(folder, "--parallel", "0") == 2
    assert "at a time" in capsys.readouterr().err


def test_the_figures_stand_beside_the_published_ones_and_are_drawn(
    folder, judged_by, tmp_path, capsys
):
    out = tmp_path / "out"
    assert judged_by(folder, "--out", str(out)) == 0
    shown = capsys.readouterr().out
    assert shown == (out / "toolbench.md").read_text()
    assert beside.OTHER_JUDGE in shown
    # Of three answers in one set and two in the other one each has no end; one gave up in vain.
    assert "| **these answers** | this run | 33.3 | 50.0 | – | – | – | – | 41.7 |" in shown
    assert "| DFSDT | published, Table 1 | 57 | 63 | 63 | 78 | 69 | 72 | 67 |" in shown
    drawn = ElementTree.fromstring((out / "toolbench.svg").read_text())
    words = {text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert {"G1_instruction (3)", "G1_tool (2)", "pass", "0.333", "no end"} <= words
