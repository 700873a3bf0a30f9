"""Drawings are sent as differences that make the next one of the last."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlllm.ui.differences import Differences, spliced

SCRIPT = Path(__file__).resolve().parents[2] / "assets" / "page" / "differences.js"
TEXTS = st.text(st.sampled_from("ab<\U0001f600é"), max_size=30)


def units(text: str) -> list[bytes]:
    raw = text.encode("utf-16-le")
    return [raw[at : at + 2] for at in range(0, len(raw), 2)]


@given(TEXTS, TEXTS)
def test_a_text_is_made_of_the_one_before_and_what_has_changed(old, new):
    start, end, between = spliced(old, new)
    before = units(old)
    made = before[:start] + units(between) + before[len(before) - end :]
    assert b"".join(made).decode("utf-16-le") == new


def test_only_what_has_changed_is_sent_and_the_end_whole():
    differences = Differences()
    graph = "<svg>" + "x" * 5000 + "</svg>"
    first = differences.to(("<p>One", graph, "</p>"))
    assert first["html"] == f"<p>One{graph}</p>" and first["lengths"] == [6, 5011, 4]
    second = differences.to(("<p>One two", graph, "</p>"))
    assert second == {"changed": [[0, 6, 0, " two"]]}
    assert differences.to(("<p>One two", graph, "</p>")) == {"changed": []}
    assert "html" in differences.to(("<p>One two", graph, "more", "</p>"))
    assert "html" in differences.to(("<p>One two", graph, "more", "</p>"), is_last=True)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node to run the page's script")
def test_the_pages_script_puts_the_same_together(tmp_path):
    drawings = [
        ["a", "\U0001f600b"],
        ["a\U0001f600", "\U0001f601b"],
        ["", "b", "c"],
        ["x", "b", "c"],
    ]
    differences = Differences()
    sent = [differences.to(parts, number == 3) for number, parts in enumerate(drawings)]
    script = tmp_path / "differences.mjs"
    script.write_text(
        SCRIPT.read_text("utf-8")
        + f"\nconst drawn = new Drawn();\nconsole.log(JSON.stringify({json.dumps(sent)}"
        ".map((message) => drawn.after(message))));\n"
    )
    told = subprocess.run(["node", str(script)], capture_output=True, check=True, timeout=800)
    assert json.loads(told.stdout) == ["".join(parts) for parts in drawings]
