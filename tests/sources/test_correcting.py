"""A person corrects what was inferred of a foreign tool."""

from __future__ import annotations

from controlllm.sources.correcting import acting, confidence_of, corrected, tried
from controlllm.sources.source import ForeignArgument, ForeignTool, Source
from tests.every_case import every_case

REASONS = [
    {"about": "place", "type": "text", "why": "It is called so.", "confidence": 0.9},
    {"about": "result", "type": "text", "why": "It says nothing.", "confidence": 0.4},
]
TIDE = ForeignTool(
    "tide",
    "Tells the tide.",
    (ForeignArgument("place", "text"),),
    "text",
    is_checked=True,
    call={"reasons": REASONS},
)
SEA = Source("sea", "openapi", "https://a.example", "", (TIDE,))


def tide(source):
    (found,) = source.tools
    return found


@every_case(
    ("about", "type_name", "part"),
    [("result", "number", ""), ("place", "image", ""), ("place", "sea.coast", "id")],
)
def test_with_another_type_it_counts_as_not_tried(about, type_name, part):
    changed = tide(corrected(SEA, "tide", about, type_name, part))
    assert not changed.is_checked and confidence_of(changed) < 1
    again = tide(tried(corrected(SEA, "tide", about, type_name, part), "tide"))
    assert again.is_checked and confidence_of(again) == 1


def test_another_part_of_the_same_entity_was_not_tried_either():
    once = tried(corrected(SEA, "tide", "place", "sea.coast", "id"), "tide")
    assert not tide(corrected(once, "tide", "place", "sea.coast", "name")).is_checked
    assert tide(corrected(once, "tide", "place", "sea.coast", "id")).is_checked


def test_what_changes_no_type_leaves_it_tried():
    assert tide(corrected(SEA, "tide", "result", "text")).is_checked
    assert tide(acting(SEA, "tide", True)).is_checked
