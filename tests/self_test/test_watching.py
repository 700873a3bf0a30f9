"""A pass over tools goes on after one that crashes or hangs, and can be stopped."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from controlllm.self_test.watching import SelfTest, Trial

TOOLS = Path(__file__).resolve().parent / "rough_tools"
NAMES = [
    "ends_its_process",
    "get_weather",
    "hangs",
    "refuses",
    "writes_a_letter",
    "object_detection",
    "text_to_tags",
    "turns_over",
]


class Impatient(SelfTest):
    """Waits three seconds for the tool that hangs, and for others as long as they need: to load a
    model takes a busy machine longer than anybody would wait for one that hangs."""

    @property
    def longest(self) -> float:
        return 3.0 if self.progress.now == "hangs" else 600.0

    @longest.setter
    def longest(self, seconds: float) -> None:
        """What all others would share is not used."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> tuple[Path, dict[str, Trial]]:
    folder = tmp_path_factory.mktemp("self-test")
    quick = (sys.executable, "-m", "tests.self_test.quick_trying")
    pass_ = Impatient(NAMES, folder / "pictures", [TOOLS], folder, command=quick)
    told: list[Trial] = []
    ended = pass_.run(told.append)
    assert ended.ended == "done" and list(ended.trials) == told
    return folder / "pictures", {trial.tool: trial for trial in told}


@pytest.mark.long
def test_each_tool_is_told_of_once_in_order(whole):
    assert list(whole[1]) == NAMES


def test_what_crashes_or_hangs_has_failed_and_the_rest_goes_on(whole):
    _, found = whole
    assert found["ends_its_process"].state == "failed" and found["hangs"].state == "failed"
    assert "ended" in found["ends_its_process"].words and "3 s" in found["hangs"].words
    assert found["refuses"] == Trial(
        "refuses", "failed", "This text has no verse in it.", "embedded"
    )


def test_what_cannot_run_says_what_it_needs_and_what_acts_outside_is_left(whole):
    _, found = whole
    assert (
        found["get_weather"].state == "missing" and "public service" in found["get_weather"].words
    )
    assert found["writes_a_letter"].state == "skipped"


def test_what_works_shows_what_it_makes(whole):
    pictures, found = whole
    assert [found[name].state for name in NAMES[-3:]] == ["works"] * 3
    assert "Vienna" in found["text_to_tags"].words and not found["text_to_tags"].picture
    assert found["object_detection"].seconds > 0 and found["object_detection"].memory > 0
    with PIL.Image.open(pictures / found["turns_over"].picture) as turned:
        assert turned.width <= 192 and turned.height <= 144
        size = turned.size
    # Boxes are drawn on the picture that was looked at.
    with PIL.Image.open(pictures / found["object_detection"].picture) as boxed:
        pixels = np.asarray(boxed.convert("RGB")).astype(int)
        assert boxed.size == size
    assert (abs(pixels - (15, 118, 110)).sum(axis=-1) < 60).any()


def test_where_nothing_can_begin_it_says_so_once_for_each(tmp_path):
    pass_ = SelfTest(["one", "two"], tmp_path, command=[sys.executable, "-c", "1/0"])
    ended = pass_.run()
    assert [trial.tool for trial in ended.trials] == ["one", "two"]
    assert all("could not begin" in trial.words for trial in ended.trials)


def test_it_ends_at_once_when_it_is_stopped(tmp_path):
    pass_ = SelfTest(["hangs", "turns_over"], tmp_path, [TOOLS], tmp_path)
    thread = threading.Thread(target=pass_.run)
    thread.start()
    while pass_.progress.now != "hangs":
        assert thread.is_alive()
    pass_.stop()
    thread.join()
    assert pass_.progress.ended == "stopped" and pass_.progress.trials == ()
