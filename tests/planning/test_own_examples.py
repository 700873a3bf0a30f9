"""A tool that was added answers to its own examples."""

from __future__ import annotations

from dataclasses import replace

from controlllm.planning.own_examples import reading_own_examples
from controlllm.planning.wishes import RequestText, Wish


def test_what_an_example_says_is_for_its_tool_if_it_was_added(own_toolbox):
    shipped = own_toolbox["text_to_image"]
    added = replace(shipped, name="paint_rainbow", examples=("Paint a rainbow.",), aliases=())
    toolbox = replace(own_toolbox, tools=(shipped, added))
    ends = {"text_to_image": 0.7, "paint_rainbow": 0.2}

    def read(shown: RequestText) -> tuple[Wish, ...]:
        return (Wish(((0, len(shown.text)),), (), (), ends, 0.1, {}, {}, 1.0),)

    again = reading_own_examples(read, toolbox)
    (found,) = again(RequestText("paint the rainbow please!"))
    assert max(found.ends, key=found.ends.__getitem__) == "paint_rainbow"
    assert abs(sum(found.ends.values()) + found.impossible - 1) < 1e-9
    assert again(RequestText("paint a house"))[0].ends == ends
