"""``bench`` on the command line."""

from __future__ import annotations

import json

import pytest

from benchmarks.suites import command, registry
from benchmarks.suites.reports import Report, Row
from controlllm.cli.main import main
from tests.every_case import every_case
from tests.language.scripted_server import KEY, serving


def test_a_suite_is_run_printed_and_written(tmp_path, capsys):
    out = tmp_path / "out"
    asked = ["bench", "controlllm", "--planner", "greedy", "--limit", "2", "--out", str(out)]
    assert main(asked) == 0
    printed = capsys.readouterr().out
    assert "| metric | all (2) |" in printed and "| ControlLLM-Mix | Table 2 |" in printed
    written = json.loads((out / "controlllm-greedy.json").read_text())
    assert written["rows"][0]["count"] == 2
    kept = out / "controlllm-greedy.answers.jsonl"
    before = kept.read_text()
    assert main(asked) == 0, "what is kept is not asked again"
    assert kept.read_text() == before
    assert main([*asked, "--beam", "9"]) == 2
    assert "other settings" in capsys.readouterr().err


@every_case(
    ("asked", "said"),
    [
        (["taskbench"], "--data"),
        (["taskbench", "--data", "nowhere"], "could not be read"),
        (["controlllm", "--data", "nowhere"], "no suite and no file"),
        (["mnms", "--data", "nowhere"], "no file of m&m's samples"),
        (["mnms", "--graph", "nowhere"], "is no graph"),
        (["mnms", "--planner", "model"], "needs a language model"),
        (["mnms", "--parallel", "0"], "at a time"),
    ],
)
def test_what_is_missing_is_said(asked, said, capsys, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    assert main(["bench", *asked]) == 2
    assert said in capsys.readouterr().err


def test_instructions_with_kinds_are_judged_by_their_kinds(tmp_path, capsys):
    path = tmp_path / "instructions.json"
    path.write_text(json.dumps([{"type": "image_captioning", "instruction": "Describe a.png"}]))
    assert main(["bench", "controlllm", "--data", str(path)]) == 2
    assert "--toolbox" in capsys.readouterr().err
    catalogue = tmp_path / "tools.json"
    image, text = {"name": "image", "type": "image"}, {"name": "text", "type": "text"}
    catalogue.write_text(
        json.dumps(
            [
                {"name": "image_captioning", "description": "Describe an image.",
                 "args": [image], "returns": [text]},
                {"name": "summarization", "description": "Shorten a text.",
                 "args": [text], "returns": [text]},
            ]
        )
    )  # fmt: skip
    assert main(["bench", "controlllm", "--data", str(path), "--toolbox", str(catalogue)]) == 0
    assert "| right | 1.000 | 1.000 |" in capsys.readouterr().out


def test_help_says_per_suite_who_can_be_chosen(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1000")
    with pytest.raises(SystemExit):
        main(["bench", "--help"])
    said = capsys.readouterr().out
    assert (
        "who plans, with controlllm, mnms, taskbench: best-first, greedy, beam, adaptive, "
        "exhaustive or model; who acts, with toolbench: sum2act, react, dfsdt or hybrid"
    ) in said


@every_case("suite", ["mnms", "taskbench", "controlllm"])
def test_agents_act_on_toolbench_only(suite, capsys):
    assert main(["bench", suite, "--planner", "sum2act"]) == 2
    assert "agents act on toolbench" in capsys.readouterr().err
    assert main(["bench", "toolbench", "--planner", "greedy"]) == 2
    assert "There is no agent 'greedy'" in capsys.readouterr().err


WORLD = ["bench", "toolbench", "--tasks", "development", "--limit", "1", "--faults", "0"]


def test_agents_are_run_shown_beside_the_papers_and_written(tmp_path, capsys):
    out = tmp_path / "out"
    asked = [*WORLD, "--planner", "sum2act", "--planner", "react", "--out", str(out)]
    assert main(asked) == 0
    shown = capsys.readouterr().out
    assert shown == (out / "table.md").read_text()
    assert "other tasks and of another model" in shown
    assert "| **sum2act, 0% faults** | roles kept by search and rules |" in shown
    assert "| ReAct-CoT | published, Table 1 | 36 |" in shown
    assert (out / "figures.svg").read_text().startswith("<svg")
    assert [line["agent"] for line in json.loads((out / "figures.json").read_text())] == [
        "sum2act",
        "react",
    ]


def test_rows_without_a_model_are_not_printed_as_a_models(tmp_path, capsys, monkeypatch):
    asked = [*WORLD, "--planner", "react", "--out", str(tmp_path)]
    assert main(asked) == 0
    kept = (tmp_path / "records.jsonl").read_text()
    with serving() as server:
        server.says({"thought": "", "tool": "find_city", "arguments": "{}"})
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        assert main([*asked, "--language-model", "chatgpt"]) == 2
        assert "other settings (model: ''" in capsys.readouterr().err
        assert not server.asked
        modelled = [*asked[:-1], str(tmp_path / "model"), "--language-model", "chatgpt"]
        assert main([*modelled, "--calls", "1", "--temperature", "0.5"]) == 0
        assert "| roles kept by gpt-4o-mini |" in capsys.readouterr().out
        assert server.asked[0]["temperature"] == 0.5
        asked_once = len(server.asked)
        for other in (["--timeout", "9"], ["--calls", "2"], ["--temperature", "0.1"]):
            more = {"--calls": "1", "--temperature": "0.5"} | {other[0]: other[1]}
            assert main([*modelled, *(word for pair in more.items() for word in pair)]) == 2
            assert "other settings" in capsys.readouterr().err
        assert len(server.asked) == asked_once
    assert (tmp_path / "records.jsonl").read_text() == kept


@pytest.mark.long
@every_case(
    ("given", "there"),
    [
        (["--width", "3", "--depth", "4"], {"width": 3, "depth": 4}),
        (["--calls", "7"], {"calls": 7, "model_calls": 7}),
        (["--tokens", "9", "--seconds", "600"], {"tokens": 9, "seconds": 600.0}),
        (["--all-tools"], {"all_tools": True}),
    ],
)
def test_options_of_agents_reach_them_and_stand_with_the_runs(given, there, tmp_path):
    assert main([*WORLD, "--planner", "dfsdt", *given, "--out", str(tmp_path)]) == 0
    told = json.loads((tmp_path / "records.jsonl").read_text().splitlines()[0])["settings"]
    assert {name: told[name] for name in there} == there


@every_case(
    ("given", "said"),
    [
        (["--tries", "2"], "change nothing without a language model"),
        (["--tries", "0"], "tries is 0"),
        (["--calls", "0"], "calls is 0"),
        (["--temperature", "3"], "from 0 to 2"),
        (["--tokens", "-1"], "budget"),
        (["--parallel", "0"], "at a time"),
    ],
)
def test_options_that_no_agent_can_go_by_are_refused(given, said, capsys):
    assert main([*WORLD, *given]) == 2
    assert said in capsys.readouterr().err


def test_plans_are_executed_on_the_tools_of_the_home_that_is_named(tmp_path, monkeypatch):
    taken, run = [], []
    monkeypatch.setattr(
        command, "load_toolbox", lambda folders, home: taken.append(home) or "tools"
    )
    report = Report("", [Row("all", 1, {})])
    monkeypatch.setattr(registry, "run", lambda options, **more: run.append(options) or report)
    assert main(["bench", "mnms", "--home", str(tmp_path)]) == 0
    assert (taken, run[0].tools) == ([], None), "nothing is loaded where nothing is executed"
    for more in (["--execute"], ["--feedback", "pve"]):
        assert main(["bench", "mnms", "--home", str(tmp_path), *more]) == 0
    assert taken == [tmp_path] * 2 and {item.tools for item in run[1:]} == {"tools"}
