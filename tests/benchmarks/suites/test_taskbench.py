"""TaskBench's figures by hand, theirs and strict, and its files in their published form."""

from __future__ import annotations

import json

import pytest

from benchmarks.suites import registry
from benchmarks.suites.answers import Answer, Call
from benchmarks.suites.suite import Options
from benchmarks.suites.taskbench.metrics import (
    TheirLabels,
    Unreadable,
    figures,
    judged,
    strict_labels,
)
from benchmarks.suites.taskbench.reading import Node, kind_of, read_domain
from benchmarks.suites.taskbench.suite import read
from controlllm.settings import Settings
from tests.every_case import every_case
from tests.language.scripted_server import KEY, Fault, serving

TOOLS = [
    {"id": "Image-to-Text", "desc": "Reads.", "input-type": ["image"], "output-type": ["text"]},
    {"id": "Translation", "desc": "Translates.", "input-type": ["text"], "output-type": ["text"]},
    {"id": "Sentence Similarity", "desc": "Alike?", "input-type": ["text", "text"],
     "output-type": []},
]  # fmt: skip
CHAIN = {
    "id": "7", "type": "chain",
    "user_request": "Read sign.jpg and translate it.",
    "task_steps": ["Read the sign.", "Translate it."],
    "task_nodes": [
        {"task": "Image-to-Text", "arguments": ["sign.jpg"]},
        {"task": "Translation", "arguments": ["<node-0>"]},
    ],
    "task_links": [{"source": "Image-to-Text", "target": "Translation"}],
}  # fmt: skip
SINGLE = {
    "id": "8", "type": "single", "user_request": "Translate 'cat'.",
    "task_steps": ["Translate it."],
    "task_nodes": [{"task": "Translation", "arguments": ["cat"]}], "task_links": [],
}  # fmt: skip
MAKES = {"Image-to-Text": "text", "Translation": "text", "Sentence Similarity": "none"}


def folder_of(path, entries=(CHAIN, SINGLE), tools=TOOLS, requests=()):
    path.mkdir(exist_ok=True)
    (path / "data.json").write_text("\n".join(map(json.dumps, entries)))
    (path / "tool_desc.json").write_text(json.dumps({"nodes": tools}))
    if requests:
        (path / "user_requests.json").write_text("\n".join(map(json.dumps, requests)))
    return path


@pytest.fixture
def domain(tmp_path):
    return read_domain(folder_of(tmp_path / "data_huggingface"))


def figures_of(domain, *answers):
    return figures(judged(domain, {answer.id: answer for answer in answers}), domain)


PERFECT = (
    Answer(
        "7",
        (Call("image_to_text", {"image": "sign.jpg"}), Call("translation", {"text": "<node-0>"})),
        steps=("Read the sign.", "Translate it."),
    ),
    Answer("8", (Call("translation", {"text": "cat"}),), steps=("Translate it.",)),
)


def test_the_expected_plan_scores_full_marks(domain):
    found = figures_of(domain, *PERFECT)
    macro = found.pop("n-F1 macro")
    assert macro == pytest.approx(2 / 3), "theirs counts the tool that is nowhere as 0"
    distances = {found.pop("edit distance"), found.pop("edit distance, strict")}
    assert distances == {0.0}
    assert set(found.values()) == {1.0}


def test_hand_counted_figures_of_a_wrong_plan(domain):
    wrong = Answer(
        "7",
        (
            Call("translation", {"text": "sign.jpg"}),
            Call("translation", {"text": "<node-0>"}),
            Call("dreaming", {"text": "<node-1>"}),
        ),
        steps=("Read.",),
    )
    found = figures_of(domain, wrong)
    # Wanted {Image-to-Text, Translation}; theirs sees {Translation}, strictly dreaming is there.
    assert found["n-F1 micro"] == pytest.approx(2 * 1 / 3)
    assert found["n-F1 micro, strict"] == pytest.approx(2 * 1 / 4)
    # Of three tools theirs: Translation 1, others 0. Strictly over the three that occur.
    assert found["n-F1 macro"] == found["n-F1 macro, strict"] == pytest.approx(1 / 3)
    # Links found: Translation twice to itself as names once, Translation to dreaming.
    assert found["e-F1"] == found["e-F1, strict"] == 0.0
    # Names wanted: I-image, T-text. Found: T-image, T-text, d-text.
    assert found["t-F1"] == found["t-F1, strict"] == pytest.approx(2 * 1 / 5)
    # Values wanted: I-image-sign.jpg, T-text-I. Found: none of them.
    assert found["v-F1"] == found["v-F1, strict"] == 0.0
    # One of two and three in common: 1 - 2/5. Theirs calls what is unknown 0: the same here.
    assert found["edit distance"] == found["edit distance, strict"] == pytest.approx(3 / 5)
    assert found["exact"] == 0.0
    # Five words and one, one in common.
    assert found["rouge-1"] == found["rouge-l"] == pytest.approx(2 / 6)
    assert found["rouge-2"] == 0.0


def test_theirs_drops_what_failed_and_the_coverage_says_so(domain):
    found = figures_of(domain, PERFECT[0], Answer("8", failure="No JSON in it."))
    assert found["coverage"] == 0.5
    assert found["n-F1 micro"] == 1.0
    # Strictly: 2 right, 2 predicted, 3 wanted.
    assert found["n-F1 micro, strict"] == pytest.approx(4 / 5)
    assert found["edit distance"] == 0.0
    assert found["edit distance, strict"] == pytest.approx(1 / 2)


def test_an_empty_plan_is_wrong_for_both_and_no_answers_are_no_figures(domain):
    found = figures_of(domain, Answer("8"))
    assert found["coverage"] == 1.0
    assert found["n-F1 micro"] == found["n-F1 micro, strict"] == 0.0
    assert found["edit distance"] == 1.0
    assert figures([], domain)["coverage"] == 0.0


def test_duplicates_and_circles_are_counted_once():
    nodes = [Node("Translation", ("<node-1>",)), Node("Translation", ("<node-0>",))]
    labels = strict_labels(nodes, None, "resource", MAKES)
    assert labels.links == (("Translation", "Translation"),) * 2
    assert TheirLabels(MAKES).of(nodes, None, "resource").links == labels.links


def test_a_plan_that_counts_from_one_points_at_itself_for_theirs_and_not_strictly():
    nodes = [Node("Image-to-Text", ("a.jpg",)), Node("Translation", ("<node-1>",))]
    assert TheirLabels(MAKES).of(nodes, None, "resource").links == ()
    strict = strict_labels(nodes, None, "resource", MAKES)
    assert strict.links == (("Image-to-Text", "Translation"),)
    assert strict.values[-1] == "Translation-text-Image-to-Text"


def test_theirs_labels_what_it_cannot_read_as_the_argument_before():
    nodes = [Node("Image-to-Text", ("a.jpg",)), Node("Translation", ("<node-9>",))]
    theirs = TheirLabels(MAKES).of(nodes, None, "resource")
    assert theirs.values[-1] == "Translation-image-a.jpg"
    assert strict_labels(nodes, None, "resource", MAKES).values[-1] == "Translation-text-<node-9>"
    with pytest.raises(Unreadable):
        TheirLabels(MAKES).of([Node("Translation", (7,))], None, "resource")


def test_theirs_takes_an_ending_anywhere_and_strictly_only_at_the_end():
    nodes = [Node("Translation", ("www.author.com says",))]
    assert TheirLabels(MAKES).of(nodes, None, "resource").names == ("Translation-audio",)
    assert strict_labels(nodes, None, "resource", MAKES).names == ("Translation-text",)
    assert [kind_of(name) for name in ("a.FLAC", "b.mp4", "jpg", "c.")] == [
        "audio", "video", None, None,
    ]  # fmt: skip


def test_temporal_arguments_have_names_and_links_are_listed(tmp_path):
    tools = [
        {"id": name, "desc": name, "parameters": [{"name": "date", "type": "date", "desc": "x"}]}
        for name in ("book_hotel", "set_alarm")
    ]
    entry = {
        "id": "1", "type": "chain", "user_request": "Book a hotel for Monday, then set an alarm.",
        "task_steps": ["Book", "Set"],
        "task_nodes": [
            {"task": "book_hotel", "arguments": [{"name": "date", "value": "Monday"}]},
            {"task": "set_alarm", "arguments": [{"name": "date", "value": "Monday"}]},
        ],
        "task_links": [{"source": "book_hotel", "target": "set_alarm"}],
    }  # fmt: skip
    domain = read_domain(folder_of(tmp_path / "daily", [entry], tools))
    assert domain.dependency == "temporal"
    calls = (Call("book_hotel", {"date": "Monday"}), Call("set_alarm", {"date": "Tuesday"}))
    found = figures_of(domain, Answer("1", calls))
    assert found["e-F1"] == found["t-F1"] == found["t-F1, strict"] == 1.0
    assert found["v-F1"] == found["v-F1, strict"] == pytest.approx(1 / 2)


def test_a_domain_is_read_as_it_is_published(domain):
    assert domain.name == "data_huggingface" and domain.dependency == "resource"
    assert domain.ids["image_to_text"] == "Image-to-Text"
    assert domain.makes["Sentence Similarity"] == "none"
    assert [item.name for item in domain.toolbox["sentence_similarity"].args] == ["text", "text_2"]
    sample = domain.samples[0]
    assert sample.kind == "chain" and sample.links == (("Image-to-Text", "Translation"),)
    asked = sample.asked("")
    assert [(item.type, item.value) for item in asked.resources] == [("image", "sign.jpg")]


def test_requests_of_their_own_file_and_fields_of_the_hub_are_read(tmp_path):
    entry = {
        "id": "7", "type": "node", "instruction": "Long words.",
        "tool_steps": json.dumps(["Do it"]), "tool_nodes": json.dumps(SINGLE["task_nodes"]),
        "tool_links": "[]",
    }  # fmt: skip
    path = folder_of(
        tmp_path / "d", [entry], requests=[{"id": "7", "user_request": "Translate cat."}]
    )
    (sample,) = read_domain(path).samples
    assert sample.kind == "single" and sample.steps == ("Do it",) and sample.links == ()
    assert sample.asked("").text == "Translate cat."
    assert sample.asked("instruction").text == "Long words."
    with pytest.raises(ValueError, match="spoken"):
        sample.asked("spoken")


@every_case(
    ("name", "text", "said"),
    [
        ("data.json", "no json", "could not be read"),
        ("data.json", '{"id": "1"}', "no file of TaskBench"),
        ("tool_desc.json", "{}", "describes no tools"),
    ],
)
def test_what_is_wrong_with_the_files_is_said(tmp_path, name, text, said):
    path = folder_of(tmp_path / "d")
    (path / name).write_text(text)
    with pytest.raises(ValueError, match=said):
        read_domain(path)


def test_without_tools_or_data_the_way_out_is_said(tmp_path):
    path = folder_of(tmp_path / "d")
    (path / "tool_desc.json").unlink()
    with pytest.raises(ValueError, match="--toolbox"):
        read_domain(path)
    with pytest.raises(ValueError, match="--data"):
        read(Options("taskbench"))


def test_our_planner_runs_over_a_domain(tmp_path):
    path = folder_of(tmp_path / "data_huggingface")
    options = Options("taskbench", data=str(path))
    report = registry.run(options, out=tmp_path / "out", parallel=2)
    assert [row.group for row in report.rows] == ["all", "single", "chain", "1 tool", "2 tools"]
    written = {file.name for file in (tmp_path / "out").iterdir()}
    assert written == {
        f"taskbench-best-first.{kind}" for kind in ("answers.jsonl", "json", "md", "svg")
    }
    kept = (tmp_path / "out" / "taskbench-best-first.answers.jsonl").read_text().splitlines()
    assert len(kept) == 3


def test_a_model_that_cannot_be_asked_is_a_failure_and_nothing_takes_over(tmp_path):
    path = folder_of(tmp_path / "data_huggingface")
    with serving() as server:
        server.says(Fault(401))
        settings = Settings(base_url=server.base_url, api_key=KEY, model="small-model")
        options = Options("taskbench", data=str(path), planner="model", settings=settings)
        report = registry.run(options, out=tmp_path / "out")
    figures = report.rows[0].figures
    assert figures["coverage"] == 0.0 and figures["n-F1 micro, strict"] == 0.0
    kept = (tmp_path / "out" / "taskbench-model.answers.jsonl").read_text()
    assert "refused the key" in kept and KEY not in kept


def test_a_model_in_the_planners_roles_is_counted(tmp_path):
    path = folder_of(tmp_path / "data_huggingface", [SINGLE])
    text = {"type": "text", "value": "cat", "role": "content"}
    subtask = {
        "id": 0, "description": "Translate cat", "domains": [], "args": [text],
        "returns": {"type": "text"}, "deps": [],
    }  # fmt: skip
    assessed = {"0": {"last": [{"tool": "translation", "score": 5}], "way": []}}
    with serving() as server:
        server.says({"subtasks": [subtask]}, assessed)
        settings = Settings(base_url=server.base_url, api_key=KEY, model="small-model")
        options = Options("taskbench", data=str(path), planner="model", settings=settings)
        report = registry.run(options, out=tmp_path / "out")
        asked = len(server.asked)
    assert report.rows[0].figures["n-F1 micro"] == 1.0
    line = json.loads(
        (tmp_path / "out" / "taskbench-model.answers.jsonl").read_text().split("\n")[1]
    )
    assert line["turns"] == line["usage"]["calls"] == asked >= 2
    assert line["usage"]["prompt_tokens"] == 100 * asked
