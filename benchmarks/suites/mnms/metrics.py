"""m&m's figures over plans: those of its tables, and a strict variant where theirs flatters.

Where theirs does: a tool that does not exist costs the tool-F1 nothing; what is called twice counts
once; an edge needs no dependency; a line that cannot be read is dropped. Where theirs is hard: one
wrong value loses the whole call. The strict figures count every call and argument on its own, as
often as it is there, and dependencies as edges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from benchmarks.suites import scoring
from benchmarks.suites.answers import Call
from benchmarks.suites.mnms.catalogue import catalogue
from benchmarks.suites.mnms.code_likeness import (
    code_bleu,
    same_tree,
    same_tree_renamed,
)
from benchmarks.suites.mnms.entailment import Encode, plan_is_entailed
from benchmarks.suites.mnms.formats import to_code
from benchmarks.suites.mnms.labels import (
    Labels,
    strict_labels,
    their_labels,
    their_labels_of_code,
)
from benchmarks.suites.scoring import mean, set_rates

Plan = tuple[Call, ...]


@dataclass(frozen=True)
class Compared:
    """A predicted plan beside the expected one; `others` would be right as well.

    `code` is the program that was predicted, where one was.
    """

    found: Plan
    wanted: Plan
    others: tuple[Plan, ...] = ()
    code: str = ""

    @cached_property
    def theirs(self) -> tuple[Labels, Labels]:
        found = their_labels_of_code(self.code) if self.code else their_labels(self.found)
        return their_labels(self.wanted), found

    @cached_property
    def strict(self) -> tuple[Labels, Labels]:
        return strict_labels(self.wanted), strict_labels(self.found)

    @cached_property
    def nearest(self) -> Compared:
        """The same beside the expected or alternative plan whose tools are most alike, the first
        of those."""
        plans = (self.wanted, *self.others)
        found = self.theirs[1].tools
        scores = [set_rates([(their_labels(plan).tools, found)]).f1 for plan in plans]
        return Compared(self.found, plans[scores.index(max(scores))], code=self.code)


def figures(compared: Sequence[Compared], encode: Encode | None = None) -> dict[str, float]:
    """All figures of plans, as shares; `encode` lets likeness count in what is entailed."""
    if not compared:
        return {}
    tools = [tool.function for tool in catalogue().values()]
    index = {name: place for place, name in enumerate(tools, 1)}
    theirs = [item.theirs for item in compared]
    strict = [item.strict for item in compared]
    occurring = sorted({name for pair in strict for side in pair for name in side.tools})
    spoken = [
        ([index.get(name, 0) for name in w.tools], [index.get(name, 0) for name in g.tools])
        for w, g in theirs
    ]

    def f1(part: str) -> float:
        return set_rates((getattr(w, part), getattr(g, part)) for w, g in theirs).f1

    def strict_f1(part: str) -> float:
        return scoring.bag_rates((getattr(w, part), getattr(g, part)) for w, g in strict).f1

    def share(holds: Callable[[Compared], bool]) -> float:
        return mean(holds(item) for item in compared)

    def same(part: str) -> Callable[[Compared], bool]:
        return lambda item: getattr(item.theirs[0], part) == getattr(item.theirs[1], part)

    def with_others(part: str) -> Callable[[Compared], bool]:
        return lambda item: same(part)(item.nearest)

    programs = [(item.code or to_code(item.found), to_code(item.wanted)) for item in compared]
    return {
        "tool-F1": scoring.macro_f1([(w.tools, g.tools) for w, g in theirs], tools),
        "tool-F1, strict": scoring.macro_f1([(w.tools, g.tools) for w, g in strict], occurring),
        "tool-F1 micro, strict": strict_f1("tools"),
        "argname-F1": f1("names"),
        "argname-F1, strict": strict_f1("names"),
        "argvalue-F1": f1("values"),
        "argvalue-F1, strict": strict_f1("values"),
        # Where no edge is expected there is nothing to find: no figure says how well.
        **({"edge-F1": f1("edges")} if any(w.edges for w, _ in theirs) else {}),
        **({"edge-F1, strict": strict_f1("edges")} if any(w.edges for w, _ in strict) else {}),
        "edit distance": 1 - mean(scoring.edit_ratio(w, g) for w, g in spoken),
        "edit distance, strict": 1 - mean(scoring.edit_ratio(w.tools, g.tools) for w, g in strict),
        "plan accuracy (tool)": share(same("tools")),
        "plan accuracy (tool+argname)": share(same("names")),
        "plan accuracy (tool+argname+argvalue)": share(same("values")),
        "plan accuracy (tool), alternatives": share(with_others("tools")),
        "plan accuracy (tool+argname), alternatives": share(with_others("names")),
        "plan accuracy (tool+argname+argvalue), alternatives": share(with_others("values")),
        "plan accuracy (tool+argname+argvalue), strict": share(
            lambda item: strict_labels(item.found) == strict_labels(item.wanted)
        ),
        "plan accuracy by entailment": share(
            lambda item: plan_is_entailed(item.found, item.wanted, encode)
        ),
        "plan accuracy by entailment, alternatives": share(
            lambda item: any(
                plan_is_entailed(item.found, plan, encode) for plan in (item.wanted, *item.others)
            )
        ),
        "AST accuracy": mean(same_tree(*pair) for pair in programs),
        "AST accuracy, variables renamed": mean(same_tree_renamed(*pair) for pair in programs),
        "CodeBLEU": mean(code_bleu(*pair).score for pair in programs),
    }
