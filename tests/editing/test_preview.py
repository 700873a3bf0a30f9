"""What of a changed plan is there already."""

from __future__ import annotations

from dataclasses import replace

from controlllm.core.plans import Reference
from controlllm.editing.edits import Again, Give, Insert, Swap
from controlllm.editing.preview import results_kept
from controlllm.resources import Resource
from tests.editing.test_editing import CAT, CUT, FILES, action, changed, plan_of

MADE = {
    "0.0.0": Resource("mask", "mask.png", "m"),
    "0.0.1": Resource("image", "cut.png", "c"),
    "1.0.0": Resource("text", "said.txt", "s"),
}
KNOWN = {**FILES, **{item.value: item for item in MADE.values()}}


def kept(plan):
    found = results_kept(CUT, MADE, plan, KNOWN)
    return {key: item.value for key, item in found.items()}


def test_what_does_not_depend_on_a_change_is_kept():
    assert kept(CUT) == {"0.0.0": "mask.png", "0.0.1": "cut.png", "1.0.0": "said.txt"}
    assert kept(changed(CUT, Swap(0, 1, "blur"))) == {}
    assert kept(changed(CUT, Insert(0, 1, "image", 0, "blur"))) == {"0.1.0": "mask.png"}
    assert kept(changed(CUT, Give(0, 1, "mask", (Reference("old.png"),)))) == {}
    assert kept(changed(CUT, Insert(0, 1, "", 0, "blur"))) == {
        "0.1.0": "mask.png", "0.1.1": "cut.png",
    }  # fmt: skip


def test_parts_that_wait_for_each_other_and_long_chains_of_parts_are_gone_through_once():
    circle = plan_of(
        [action("blur", "<GEN>-0", image=Reference("<GEN>-1"))],
        [action("blur", "<GEN>-1", image=Reference("<GEN>-0"))],
    )
    assert results_kept(circle, {}, circle, {}) == {}
    chain = [[action("cut", "<GEN>-0", image=CAT, mask=Reference("old.png"))]]
    for number in range(1, 40):
        before = Reference(f"<GEN>-{number - 1}")
        chain.append([action("cut", f"<GEN>-{number}", image=before, mask=before)])
    long = plan_of(*chain)
    made = {f"{number}.0.0": Resource("image", f"{number}.png", "x") for number in range(40)}
    assert results_kept(long, made, long, {}) == made


def test_what_is_wanted_anew_is_not_kept_nor_what_comes_of_it():
    assert kept(changed(CUT, Again(0, 1))) == {"0.1.0": "mask.png"}
    assert kept(changed(CUT, Again(0, 0))) == {}


def test_what_is_pinned_is_there_and_counts_as_what_made_it():
    assert kept(pinned(CUT, "cut.png")) == {
        "0.0.0": "mask.png",
        "0.0.1": "cut.png",
        "1.0.0": "said.txt",
    }
    assert kept(pinned(CUT, "dog.jpg")) == {"0.0.0": "mask.png", "0.0.1": "dog.jpg"}


def pinned(plan, value):
    """A plan whose first part has its result pinned."""
    way = plan.solution(0)
    last = replace(way.actions[-1], pinned=value)
    return replace(
        plan,
        solutions={**plan.solutions, 0: (replace(way, actions=(*way.actions[:-1], last)),)},
    )
