"""What is asked about: results that are about equally likely to be meant, where both can be had."""

from __future__ import annotations

from controlllm.core.plans import Action, Solution, Subtask, TypedValue
from controlllm.planning.choices import choices


def solution(made: str, missing: str = "") -> Solution:
    return Solution((Action("tool", {}, TypedValue(made, "<GEN>-0")),), 4.0, "", missing)


def subtask(*between: str) -> Subtask:
    return Subtask(0, "do it", (), (), TypedValue("text", "<GEN>-0"), between=between)


def test_the_best_way_to_each_result_is_offered():
    ways = [solution("text"), solution("text"), solution("image"), solution("mask")]
    assert choices(subtask("text", "image"), ways) == (0, 2)


def test_nothing_is_asked_where_it_is_clear_or_only_one_can_run():
    ways = [solution("text"), solution("image", "needs weights")]
    assert choices(subtask(), ways) == ()
    assert choices(subtask("text", "image"), ways) == ()
