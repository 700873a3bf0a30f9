"""Wishes whose words the reader took for those of another."""

from __future__ import annotations

from controlllm.planning.graph import ToolGraph
from controlllm.planning.overheard import reading_overheard
from controlllm.planning.wishes import RequestText, Wish
from controlllm.toolbox import Toolbox
from tests.planning.scripted_reader import tool


def wish(start: int, end: int, likely: float, tool: str) -> Wish:
    return Wish(((start, end),), (), (), {tool: likely}, 0.0, {}, {}, 1.0)


def test_only_a_join_within_a_wish_is_tried_for_one_that_was_overheard() -> None:
    asked: list[str] = []

    def reads(*spans: tuple[int, int]):
        def read(given: RequestText) -> tuple[Wish, ...]:
            asked.append(given.text)
            return tuple(wish(*span, 0.9, "crop") for span in spans)

        return read

    graph = ToolGraph(
        Toolbox.from_catalogue([
            tool("crop", [("image", "image")], "image"),
            {**tool("grey", [("image", "image")], "image"), "examples": ["İn black and white"]},
        ])
    )  # fmt: skip
    for text, spans, tried in (
        ("Crop it, mirror it", [(0, 7), (9, 18)], 0),
        ("Crop it, mirror it", [(0, 18)], 1),
        ("Crop it, mirror it", [(0, 7)], 1),
        ("İ: Crop it in Black and White", [(3, 29)], 0),
        ("Crop it" + " " * 50_000 + "now", [(0, 50_010)], 0),
    ):
        asked.clear()
        reading_overheard(reads(*spans), graph)(RequestText(text))
        assert len(asked) == 1 + tried, text
