"""The toolbox as the page shows it: every way to work, which runs now, and why others do not."""

from __future__ import annotations

import re

import pytest

from controlllm.models.weights import MANIFEST, Weights
from controlllm.models.weights.pulling import Progress
from controlllm.resources import Text
from controlllm.settings import Settings
from controlllm.toolbox import Toolbox, capabilities, tool
from controlllm.ui.drawings.toolbox_view import tool_card, toolbox_parts
from tests.every_case import every_case

WEIGHTS = Weights("someone/writer", "Apache-2.0", 5_000_000_000)


@pytest.fixture
def toolbox(tmp_path, monkeypatch):
    monkeypatch.setenv("CONTROLLLM_MODELS", str(tmp_path))

    @tool(domain="natural-language-processing")
    def shorten(text: Text) -> Text:
        """Shorten a <long> text."""
        return text[:5]

    @shorten.implementation("hub", weights={"model": {"usual": WEIGHTS}}, memory="9 GiB")
    def _hub(text):
        return text[:4]

    @shorten.implementation("cloud", check=lambda capabilities: "needs an API key")
    def _cloud(text):
        return text[:3]

    @tool(domain="natural-language-processing")
    def rhyme(text: Text) -> Text:
        """Make it rhyme."""

    @rhyme.implementation("cloud", check=lambda capabilities: "needs a poet")
    def _poet(text):
        return text

    return Toolbox.of([shorten, rhyme])


def card(toolbox, settings=None, pull=None, may_pull=True):
    return tool_card(toolbox["shorten"], toolbox, settings or Settings(), pull, may_pull)


def fetch():
    WEIGHTS.folder.mkdir(parents=True)
    (WEIGHTS.folder / MANIFEST).write_text("{}")


def words(html):
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_each_way_says_whether_it_would_run_now(toolbox):
    said = words(card(toolbox))
    assert "on this computer : runs now" in said
    assert "a large model on this computer (9 GiB) : needs weights, 5 GB" in said
    assert "over the network : needs an API key" in said
    assert "&lt;long&gt;" in card(toolbox)


def test_a_tool_without_any_way_says_so(toolbox):
    html = tool_card(toolbox["rhyme"], toolbox, Settings(), None, True)
    assert "not ready here" in html
    assert "needs a poet" in html
    assert "2 tools, 1 ready" in toolbox_parts(toolbox, Settings(), {}, True)[0]


def test_words_find_the_tools_that_have_all_of_them_the_nearest_first(toolbox):
    def found(words):
        counted, *parts = toolbox_parts(toolbox, Settings(), {}, True, words)
        return counted, re.findall(r'id="tool-(\w+)"', "".join(parts))

    assert found(" ")[1] == ["rhyme", "shorten"]
    assert found("rhyme")[1] == ["rhyme"] == found("POET rhy")[1]
    assert sorted(found("text")[1]) == ["rhyme", "shorten"]
    counted, names = found("<qqq>")
    assert names == [] and "0" in words(counted) and "qqq" not in counted
    assert "2 tools, 1 ready" not in counted


def test_weights_can_be_fetched_with_size_and_licence(toolbox):
    html = card(toolbox)
    assert 'data-do="pull"' in html and 'data-tool="shorten"' in html
    assert "5 GB, Apache-2.0" in html
    assert 'data-do="pull"' not in card(toolbox, may_pull=False)


def test_weights_that_are_here_are_used_and_can_be_removed(toolbox):
    fetch()
    html = card(toolbox)
    assert "a large model on this computer (9 GiB) : runs now" in words(html)
    assert "on this computer : takes over if the one before fails" in words(html)
    assert 'data-do="remove-weights"' in html
    first = card(toolbox, Settings(preference="fast"))
    assert words(first).index("on this computer : runs now") > 0


def test_progress_is_shown_with_a_way_to_stop(toolbox):
    html = card(toolbox, pull=Progress("downloading", "Fetching the weights.", 0.4))
    assert "40%" in html and "<progress" in html
    assert 'data-do="stop-pull"' in html
    ended = card(toolbox, pull=Progress("failed", "The <disk> is full.", 0.4))
    assert "The &lt;disk&gt; is full." in ended
    assert 'data-do="pull"' in ended


def test_a_failed_fetch_is_an_error_and_an_old_ending_goes(toolbox):
    failed = card(toolbox, pull=Progress("failed", "The disk is full."))
    assert 'class="pull-said is-failed" role="alert"' in failed
    assert "Press ‘Get the weights’ to try again." in failed
    stopped = card(toolbox, pull=Progress("stopped", "Stopped."))
    assert "is-failed" not in stopped and "Stopped." in stopped
    finished = Progress("finished", "Here now: someone/writer.")
    assert "Here now" not in card(toolbox, pull=finished)
    fetch()
    assert "Here now" in card(toolbox, pull=finished)


@every_case(("accelerator", "slow"), [("", True), ("cuda", False)], anew=(toolbox,))
def test_a_downloaded_model_is_named(toolbox, monkeypatch, accelerator, slow):
    monkeypatch.setattr(capabilities, "_accelerator", lambda: accelerator)
    said = words(card(toolbox))
    assert ("writer · slow without a GPU" in said) == slow
    assert "needs weights, 5 GB writer" in said and "someone" not in said
    assert "models pull" not in said
