"""Files that keep what was made, and go on only under the same settings."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks.suites import kept
from benchmarks.suites.kept import Kept, mark_of, networks, told_model
from benchmarks.suites.suite import Options
from controlllm.settings import Settings
from tests.every_case import every_case


def made(path, lines, settings=None):
    with Kept(path, settings or {"a": 1}) as file:
        for line in lines:
            file.add(line)


def had(path, settings=None):
    with Kept(path, settings or {"a": 1}) as file:
        return file.lines


def test_lines_come_back_whatever_stands_in_them(tmp_path):
    path = tmp_path / "deep" / "lines.jsonl"
    # Of these, Python's own splitting takes the last three for ends of lines.
    lines = [{"x": "a\nb"}, {"x": "a\u2028b\x85c\x0cd"}]
    made(path, lines)
    assert had(path) == lines
    made(path, [{"x": 3}])
    assert had(path) == [*lines, {"x": 3}]


def test_lines_of_many_threads_stay_whole(tmp_path):
    path = tmp_path / "lines.jsonl"
    with Kept(path, {"a": 1}) as file, ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: file.add({"n": n, "long": "x" * 5000}), range(200)))
    assert sorted(line["n"] for line in had(path)) == list(range(200))


@every_case("left", [0, 5, 17])
def test_a_file_that_broke_off_anywhere_goes_on_after_its_whole_lines(tmp_path, left):
    path = tmp_path / "lines.jsonl"
    made(path, [{"n": 1}])
    path.write_text(path.read_text()[:left])
    assert had(path) == []
    made(path, [{"n": 2}])
    assert had(path) == [{"n": 2}]


def test_what_differs_is_named(tmp_path):
    path = tmp_path / "lines.jsonl"
    made(path, [], {"model": "one", "beam": 3, "gone": 1})
    with pytest.raises(ValueError, match="other settings") as refused:
        had(path, {"model": "two", "beam": 3, "new": (1, 2)})
    said = str(refused.value)
    assert "model: 'one' there, 'two' here" in said and "gone: 1 there" in said
    assert "new: None there, [1, 2] here" in said and "beam" not in said


@every_case("text", ["x\n", "5\n", "[]\n", '{"n": 1}\n', '{"settings": {"a": 1}}\nx\n'])
def test_other_files_are_refused_and_left_as_they_are(tmp_path, text):
    path = tmp_path / "lines.jsonl"
    path.write_text(text)
    with pytest.raises(ValueError, match="holds no answers"):
        had(path)
    assert path.read_text() == text


def test_without_a_path_nothing_is_kept():
    made(None, [{"n": 1}])
    assert had(None) == []


@every_case(
    ("settings", "endpoint"),
    [
        (Settings(api_key="k"), "usual"),
        (Settings("http://127.0.0.1:8000/v1/"), "127.0.0.1:8000/v1"),
        (Settings("https://me:pass@host/v1?key=pass#pass"), "host/v1"),
        (Settings("me:pass@host:80/v1"), "host:80/v1"),
    ],
)
def test_the_model_and_its_address_are_told_without_secrets(settings, endpoint):
    assert told_model(settings) == {"model": settings.model, "endpoint": endpoint}
    assert told_model(Settings()) == {"model": "", "endpoint": ""}


def test_marks_differ_with_what_they_are_of():
    assert mark_of(["a", ("b",)]) == mark_of(["a", ("b",)]) != mark_of([("a", "b")])


def test_another_network_is_another_setting(tmp_path, monkeypatch):
    for name in ("models", "planner"):
        (tmp_path / name).mkdir()
    network = tmp_path / "models" / "some.onnx"
    network.write_bytes(b"one")
    monkeypatch.setattr(kept, "ASSETS", tmp_path)

    def now():
        networks.cache_clear()
        return networks()

    try:
        first = now()
        assert now() == first
        network.write_bytes(b"two")
        assert now() != first
    finally:
        networks.cache_clear()


def test_what_decides_answers_is_told():
    asked = Options("mnms", settings=Settings("http://one/v1", "k", "m"))
    told = [
        asked.told(),
        Options("mnms", settings=Settings("http://two/v1", "k", "m")).told(),
        Options("mnms", execute=True, settings=asked.settings).told(),
        Options("mnms", execute=True, media=kept.ASSETS, settings=asked.settings).told(),
        Options(
            "mnms",
            execute=True,
            settings=Settings("http://one/v1", "k", "m", public_services=True),
        ).told(),
        Options("mnms", planner="model", settings=asked.settings).told(),
    ]
    assert len({json.dumps(item, sort_keys=True) for item in told}) == len(told)
    # A model that is prompted by itself has nothing to do with our networks.
    assert told[0]["networks"] and not told[-1]["networks"]
