"""m&m's plans run on our own tools through the engine."""

from __future__ import annotations

from dataclasses import replace

import PIL.Image
import PIL.ImageDraw
import pytest

from benchmarks.suites import registry
from benchmarks.suites.answers import Answer, Call
from benchmarks.suites.mnms.catalogue import catalogue
from benchmarks.suites.mnms.execution import _WAYS, Execution, Outputs
from benchmarks.suites.mnms.reading import OWN, Sample, read_samples
from benchmarks.suites.mnms.running import executed, execution_figures
from benchmarks.suites.suite import Options
from controlllm.toolbox import Toolbox
from tests.every_case import every_case


@pytest.fixture(scope="module")
def media(tmp_path_factory):
    folder = tmp_path_factory.mktemp("media")
    picture = PIL.Image.new("RGB", (90, 60), (40, 90, 40))
    PIL.ImageDraw.Draw(picture).rectangle((30, 15, 60, 45), fill=(220, 30, 30))
    picture.save(folder / "box.png")
    (folder / "broken.png").write_bytes(b"no picture")
    (folder.parent / "outside.png").write_bytes((folder / "box.png").read_bytes())
    return folder


@pytest.fixture(scope="module")
def run(media):
    made = Execution(media)
    yield made
    made.close()


def test_every_tool_has_a_way_over_tools_that_exist():
    assert set(_WAYS) == set(catalogue())


def test_halves_follow_each_other_and_lose_no_pixel(run):
    plan = [
        Call("image crop left", {"image": "box.png"}, 0),
        Call("image crop bottom", {"image": "<node-0>.image"}, 1),
        Call("image crop right", {"image": "box.png"}, 2),
    ]
    found = run.outputs(plan)
    assert found.kind == ""
    sizes = [run.value(found.made[number]["image"]).size for number in range(3)]
    assert sizes == [(45, 60), (45, 30), (45, 60)]


def test_numbers_and_words_go_from_node_to_node(run):
    plan = [
        Call("love calculator", {"first_name": "Emma", "second_name": "Jonas"}, 0),
        Call("get math fact", {"number": "<node-0>.number"}, 1),
        Call("get location", {"city": "Reykjavik"}, 2),
    ]
    found = run.outputs(plan)
    number = found.made[0]["number"]
    assert 0 <= number <= 100 and f"{number:g}" in found.made[1]["text"]
    assert found.made[2] == {
        "lon": pytest.approx(-21.85, abs=0.1),
        "lat": pytest.approx(64.15, abs=0.1),
    }


def test_objects_are_found_chosen_and_worked_on(run):
    plan = [
        Call("image segmentation", {"image": "box.png"}, 0),
        Call("count", {"objects": "<node-0>.objects"}, 1),
        Call("select object", {"objects": "<node-0>.objects", "object_name": "object"}, 2),
        Call("color pop", {"image": "<node-0>.image", "object": "<node-2>.object"}, 3),
        Call("image crop", {"image": "<node-0>.image", "object": "<node-2>.object"}, 4),
    ]
    found = run.outputs(plan)
    assert found.kind == "", found.message
    assert found.made[1]["number"] == 1.0
    popped = run.value(found.made[3]["image"]).convert("RGB")
    red, grey = popped.getpixel((45, 30)), popped.getpixel((2, 2))
    assert red[0] > red[1] and len(set(grey)) == 1
    width, height = run.value(found.made[4]["image"]).size
    assert 25 <= width <= 40 and 25 <= height <= 40


@every_case(
    ("call", "kind", "said"),
    [
        (Call("dream", {}, 0), "KeyError", "no tool dream"),
        (Call("tag", {"image": "box.png"}, 0), "TypeError", "objects is missing"),
        (Call("image captioning", {"image": "gone.png"}, 0), "FileNotFoundError", "gone.png"),
        (Call("image captioning", {"image": "../outside.png"}, 0), "FileNotFoundError", "outside"),
        (Call("image captioning", {"image": "/etc/passwd"}, 0), "FileNotFoundError", "passwd"),
        (Call("image captioning", {"image": "broken.png"}, 0), "ValueError", "node 0"),
        (Call("automatic speech recognition", {"audio": "box.png"}, 0), "TypeError", "not audio"),
        (Call("image captioning", {"image": "<node-7>.image"}, 0), "KeyError", "node 7"),
        (Call("count", {"objects": "cats"}, 0), "TypeError", "no objects"),
        (Call("get location", {"city": "Qwxzyv"}, 0), "", "node 0"),
        (Call("get weather", {"lon": "east", "lat": "1"}, 0), "ValueError", "no number"),
    ],
)
def test_what_goes_wrong_ends_the_run_and_says_where(run, call, kind, said):
    found = run.ran([call, Call("get year fact", {"year": "1969"}, 1)])
    assert not found.succeeded and found.outputs == {}
    assert said in found.message and "node 0" in found.message
    assert not kind or found.kind == kind


def test_pass_rate_and_likeness_of_executed_plans(media):
    def half(side):
        return (Call(f"image crop {side}", {"image": "box.png"}, 0),)

    samples = [Sample(str(number), "", half("left")) for number in range(3)]
    samples.append(Sample("3", "", (Call("image captioning", {"image": "gone.png"}, 0),)))
    answers = {
        "0": Answer("0", half("left")),
        "1": Answer("1", half("nowhere")),
        "2": Answer("2"),
        "3": Answer("3", half("top")),
    }
    found = executed(samples, answers, Options("mnms", media=media))
    figures = execution_figures([found[sample.id] for sample in samples])
    assert figures["pass rate"] == pytest.approx(2 / 4)
    assert figures["could be compared"] == pytest.approx(3 / 4)
    assert figures["execution accuracy"] == figures["execution accuracy, strict"]
    assert figures["execution accuracy"] == figures["execution accuracy, strict, image"]
    assert figures["execution accuracy"] == pytest.approx(1 / 3)


def test_each_execution_is_kept_and_none_is_run_twice(media, tmp_path, monkeypatch):
    samples = [
        Sample(str(number), "", (Call(f"image crop {side}", {"image": "box.png"}, 0),))
        for number, side in enumerate(("left", "right", "top"))
    ]
    answers = {sample.id: Answer(sample.id, samples[0].plan) for sample in samples}
    options, kept = Options("mnms", execute=True, media=media), tmp_path / "executions.jsonl"
    ran, outputs = [], Execution.outputs

    def counted(self, calls):
        if len(ran) == 5:
            raise RuntimeError("the machine went off")
        ran.append(calls)
        return outputs(self, calls)

    monkeypatch.setattr(Execution, "outputs", counted)
    with pytest.raises(RuntimeError):
        executed(samples, answers, options, kept)
    assert len(kept.read_text().splitlines()) == 1 + 2, "the settings and what has run"
    ran[:] = []
    found = executed(samples, answers, options, kept)
    assert len(ran) == 2, "the third plan and the expected one beside it"
    assert found == executed(samples, answers, options, kept) and len(ran) == 2
    monkeypatch.setattr(Execution, "outputs", outputs)
    assert found == executed(samples, answers, options)
    # Another plan for the same sample is run.
    changed = {**answers, "2": Answer("2", samples[2].plan)}
    assert executed(samples, changed, options, kept)["2"].alike.theirs == 1
    with pytest.raises(ValueError, match="other settings.*media"):
        executed(samples, answers, replace(options, media=tmp_path), kept)


def test_execution_and_its_files_are_settings_that_are_checked(media, tmp_path, monkeypatch):
    # Not the tools are tried here, whose models take their time.
    monkeypatch.setattr(Execution, "outputs", lambda self, calls: Outputs(kind="x", message="no"))
    asked = Options("mnms", planner="greedy", limit=1)
    registry.run(asked, out=tmp_path)
    for other in (replace(asked, execute=True), replace(asked, media=media)):
        with pytest.raises(ValueError, match="other settings"):
            registry.run(other, out=tmp_path)
    registry.run(replace(asked, execute=True), out=tmp_path / "run")
    lines = (tmp_path / "run" / "mnms-greedy.executions.jsonl").read_text().splitlines()
    assert len(lines) == 2


def test_samples_are_read_as_they_are_published(tmp_path):
    path = tmp_path / "test_human_verified_filtered.json"
    path.write_text(
        '[{"id": 5, "user_request": "What is in \'1.jpg\' and said in 2-a.flac?", '
        "\"plan_str\": \"[{'id': 0, 'name': 'count', 'args': {'objects': 'x'}}]\", "
        '"alt_plans_str": "[]"}]'
    )
    (sample,) = read_samples(tmp_path)
    assert sample.id == "5" and sample.plan == (Call("count", {"objects": "x"}, 0),)
    files = [(item.type, item.value) for item in sample.asked().resources]
    assert files == [("image", "1.jpg"), ("audio", "2-a.flac")]
    path.write_text('[{"id": 5, "user_request": "x", "plan_str": "open(\'x\')"}]')
    with pytest.raises(ValueError, match="no file of m&m's samples"):
        read_samples(tmp_path)


def test_our_own_set_has_twenty_requests_over_all_tools():
    samples = read_samples(OWN)
    assert len(samples) == len({sample.request for sample in samples}) == 20
    assert {call.tool for sample in samples for call in sample.plan} == set(catalogue())
    assert sorted({len(sample.plan) for sample in samples}) == [1, 2, 3]


def test_our_planner_runs_over_our_own_set(tmp_path):
    report = registry.run(Options("mnms", planner="greedy", limit=2), out=tmp_path)
    assert "own set of 20, not theirs" in report.title
    assert report.rows[0].count == 2
    assert Toolbox.load()["image_crop_left"], "the tools that plans run on are the project's own"
