"""ToolEval as it is computed, with facts in place of a model that judges (Qin et al. 2023).

Pass rate:

1. An agent that never finished has failed.
2. A task that can be solved is passed where every fact is said, every effect has happened and
   nothing else has, and something was looked up or done: what nobody looked up is a guess.
3. A task that cannot be solved, or not with the tools that are down, is passed by saying so without
   claiming anything and without changing the world; and, where only tools are down, by solving it
   all the same.

Win rate: the one that passed wins; where both or neither did, the one with more facts right, then
with fewer effects that nobody asked for, then with fewer failed and repeated calls, then with fewer
calls. Each pair is judged in both orders and ties count half, so nothing depends on the order.
Nothing is drawn by chance.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.world.environment import Called
from benchmarks.world.facts import plain
from benchmarks.world.saying import gives_up, says
from benchmarks.world.tasks import Expected, WorldTask
from benchmarks.world.world import Effect
from controlllm.agents.roles import Outcome
from controlllm.toolbox import Code

#: How much of an answer is read, in characters: a person would not read more.
MOST_READ = 2_000


@dataclass(frozen=True)
class Verdict:
    """What became of a task.

    `facts_right` of `facts` were said, effects that should have happened are among the facts;
    `wrong_effects` happened and should not; `bad_calls` failed or repeated another; `reason` says
    in words why it passed or not.
    """

    passed: bool
    reason: str
    facts: int = 0
    facts_right: int = 0
    wrong_effects: int = 0
    bad_calls: int = 0
    calls: int = 0

    @property
    def share(self) -> float:
        """The share of facts that are right; 1 where there are none."""
        return self.facts_right / self.facts if self.facts else 1.0

    @property
    def solved(self) -> bool:
        """Whether it passed by doing what was asked, and not by saying that it cannot be done."""
        return self.passed and 0 < self.facts == self.facts_right


def judge(
    task: WorldTask,
    outcome: Outcome,
    effects: Sequence[Effect],
    calls: Sequence[Called],
    solvable: bool | None = None,
) -> Verdict:
    """Judge an outcome by the facts of its task and by what has happened in the world.

    `solvable` is False where tools are down that every known solution needs.
    """
    answer = _read(outcome)
    right = sum(says(answer, fact) for fact in task.facts) if answer else 0
    unmet, wrong = _effects(task.effects, effects)
    facts = len(task.facts) + len(task.effects)
    right += len(task.effects) - len(unmet)
    can_be_solved = task.is_solvable if solvable is None else task.is_solvable and solvable

    def verdict(passed: bool, reason: str) -> Verdict:
        return Verdict(passed, reason, facts, right, wrong, bad_calls(calls), len(calls))

    if not has_finished(outcome):
        return verdict(False, "It never finished.")
    if wrong:
        return verdict(False, f"It did {wrong} things that nobody asked for.")
    gave_up = bool(outcome.reason) or gives_up(answer)
    if task.is_solvable and answer and right == facts and any(c.code is Code.DONE for c in calls):
        return verdict(True, "All facts are right.")
    if not can_be_solved and gave_up:
        claimed = _claimed(task, f"{answer}\n{outcome.reason}")
        if claimed:
            return verdict(False, f"It gave up and yet said {claimed!r}.")
        return verdict(True, "It said that it cannot be done, and it cannot.")
    if not can_be_solved:
        return verdict(False, "It answered what cannot be answered.")
    if not answer:
        return verdict(False, "It gave up." if outcome.reason else "The answer is empty.")
    if right == facts:
        return verdict(False, "It is right, and nothing was looked up.")
    return verdict(False, f"{right} of {facts} facts are right.")


def has_finished(outcome: Outcome) -> bool:
    """Whether an agent ended its work by itself, with an answer or by giving up."""
    gave_up = any(taken.observation.code is Code.GAVE_UP for taken in outcome.steps)
    return outcome.is_answered or gave_up


def bad_calls(calls: Sequence[Called]) -> int:
    """How many calls failed, or asked once more what was answered before."""
    bad, answered = 0, set()
    for call in calls:
        key = (call.tool, json.dumps(call.arguments, sort_keys=True, default=str))
        if call.code is not Code.DONE or key in answered:
            bad += 1
        else:
            answered.add(key)
    return bad


def preference(one: Verdict, other: Verdict) -> float:
    """1 where the first one wins, 0 where the other one does, a half for a tie."""
    if one.passed != other.passed:
        return float(one.passed)
    for better, worse in (
        (one.share, other.share),
        (other.wrong_effects, one.wrong_effects),
        (other.bad_calls, one.bad_calls),
        (other.calls, one.calls),
    ):
        if better != worse:
            return float(better > worse)
    return 0.5


def win_rate(pairs: Sequence[tuple[Verdict, Verdict]]) -> float:
    """How often the first of each pair wins, 0..1, each judged in both orders, ties half; a half
    where there are no pairs."""
    if not pairs:
        return 0.5
    both = [(preference(one, other) + 1 - preference(other, one)) / 2 for one, other in pairs]
    return sum(both) / len(both)


def _read(outcome: Outcome) -> str:
    """What a person reads of an answer: its words, and the result that it shows."""
    if not outcome.is_answered:
        return ""
    shown = (
        str(made.details.get("text", ""))
        for made in (taken.observation.resource for taken in outcome.steps)
        if made is not None and made.value == outcome.result
    )
    return "\n".join((outcome.answer, next(shown, ""))).strip()[:MOST_READ]


def _effects(expected: Sequence[Expected], effects: Sequence[Effect]) -> tuple[list[Expected], int]:
    """Which effects are missing, and how many happened that were not expected; each is expected
    once."""
    left = list(expected)
    wrong = 0
    for effect in effects:
        met = next((item for item in left if _is_met(item, effect)), None)
        if met is None:
            wrong += 1
        else:
            left.remove(met)
    return left, wrong


def _is_met(expected: Expected, effect: Effect) -> bool:
    return (effect.table, effect.change) == (expected.table, expected.change) and all(
        _is_like(effect.row.get(column), wanted) for column, wanted in expected.like.items()
    )


def _is_like(value: Any, wanted: Any) -> bool:
    if not isinstance(wanted, list):
        return plain(value) == plain(wanted)
    # Spellings are the beginnings of words: "20 min" stands for minutes as well.
    text = plain(value)
    return all(any(plain(spelling) in text for spelling in group) for group in wanted)


def _claimed(task: WorldTask, said: str) -> str:
    """What is claimed by one who gave up and that it cannot know; empty where it claims nothing."""
    text = plain(said)
    found = (re.search(claim, text, re.IGNORECASE) for claim in task.claims)
    return next((match[0] for match in found if match), "")
