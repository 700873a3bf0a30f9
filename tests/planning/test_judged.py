"""Ways out of tools that were judged by name: what was named is taken at its word."""

from __future__ import annotations

import pytest

from controlllm.core.plans import Subtask, TypedValue
from controlllm.planning.graph import ToolGraph
from controlllm.planning.judged import JudgedSearch
from controlllm.planning.roles import Judgement
from controlllm.planning.search import best_first
from controlllm.toolbox import Toolbox
from tests.every_case import every_case


def entry(name, takes, made):
    return {
        "name": name,
        "description": "It does.",
        "domain": "general",
        "args": [{"name": key, "type": kind} for key, kind in takes.items()],
        "returns": [{"name": "result", "type": made}],
    }


GRAPH = ToolGraph(
    Toolbox.from_catalogue(
        [
            entry("hear", {"audio": "audio"}, "text"),
            entry("sound_of", {"video": "video"}, "audio"),
            entry("shorten", {"text": "text"}, "text"),
            entry("feel", {"text": "text"}, "category"),
            entry("answer", {"text": "text", "question": "text"}, "text"),
            entry("look_up", {"text": "text"}, "text"),
        ]
    )
)
AUDIO, VIDEO = TypedValue("audio", "a.mp3"), TypedValue("video", "v.mp4")


def ways(given, texts, wanted, ends, helps=(), fixed=False):
    subtask = Subtask(0, "Do it", (), tuple(given), TypedValue(wanted, "<GEN>-0"))
    judgement = Judgement(ends, dict.fromkeys(helps, 5.0))
    search = JudgedSearch(best_first, GRAPH, subtask, judgement, {}, fixed)
    found = search.candidates(given, texts).ways
    return [(tuple(d.tool.name for d in item.drafts), cost) for cost, item in found]


def test_what_helps_on_the_way_is_no_end_by_that():
    (best, *others) = ways([AUDIO], [], "text", {"shorten": 5.0}, ["hear"])
    assert best[0] == ("shorten", "hear")
    assert all(tools[0] == "shorten" for tools, _ in others)


@every_case("score", [3.0, 4.0])
def test_a_makeshift_is_a_way(score):
    (best, *_) = ways([AUDIO], [], "text", {"hear": score})
    assert best[0] == ("hear",)
    assert best[1] == pytest.approx(5.0 - score)
    assert ways([AUDIO], [], "text", {"hear": 2.0}) == []


def test_words_that_nothing_reads_do_not_undo_a_way():
    words = [TypedValue("text", "one sentence", "prompt")]
    found = ways([AUDIO], words, "text", {"shorten": 4.0, "hear": 3.0}, ["hear"])
    assert found[0][0] == ("shorten", "hear")


def test_a_question_does_not_stand_in_for_the_text_that_answers_it():
    words = [TypedValue("text", "When was it?", "question")]
    found = ways([AUDIO], words, "text", {"answer": 5.0}, ["hear"])
    assert found[0][0] == ("answer", "hear")


def test_words_serve_a_tool_that_was_named_whatever_they_were_said_to_be():
    words = [TypedValue("text", "What is the capital of Peru?", "question")]
    assert ways([], words, "text", {"look_up": 5.0})[0][0] == ("look_up",)


def test_tools_that_were_not_named_may_stand_between():
    (best, *_) = ways([VIDEO], [], "category", {"feel": 5.0})
    assert best[0] == ("feel", "hear", "sound_of")


def test_another_type_is_made_where_those_tools_were_named():
    (best, *_) = ways([AUDIO], [], "text", {"feel": 5.0}, ["hear"])
    assert best[0] == ("feel", "hear")
    # Also where later subtasks count on it: a category is a text.
    assert ways([AUDIO], [], "text", {"feel": 5.0}, ["hear"], fixed=True)[0][0][0] == "feel"
