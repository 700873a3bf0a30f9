"""ToolEval's judgements, by a language model (Qin et al. 2023, "ToolLLM", Appendix A.5).

Pass: no end, no pass. Was the query solved? Judged by the answer, where that leaves it open by all
that was done. What was solved passes; else it counts whether it could be solved at all. Win: the
one that passed; where both or neither did, the one that was solved, or else the better answer.

As published, four judgements are made of each and the majority counts. Two faults of its code are
not repeated: here the order of the two answers is swapped from one judgement to the next, and what
it draws by a coin is drawn by a seed. A tie of votes passes, as in its printed rate.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchmarks.suites.toolbench.answers import Answered
from controlllm.language.asking import Asker
from controlllm.language.prompting import messages_of, read_prompt, shortened
from controlllm.language.reading import Checked, Unusable

#: How many judgements are made of each answer, and of each pair.
VOTES = 4

Status = Literal["solved", "unsolved", "unsure"]
_STATUSES = ("solved", "unsolved", "unsure")
_SOLVABLE = ("solvable", "unsolvable", "unsure")
_PROMPTS = Path(__file__).parent / "prompts"
_MOST_OF_REPLY = 400
#: So much of a tool, an answer and an observation is told, in characters.
_MOST_TOLD = 1_024


@dataclass(frozen=True)
class Vote:
    """One judgement: what became of a query, and whether the answer passes."""

    status: Status
    passed: bool


class Judge:
    """Judges answers with a language model, one `asker` for each judgement in turn."""

    def __init__(self, *askers: Asker, seed: int = 0) -> None:
        """Raises ValueError where there is nobody to ask."""
        if not askers:
            raise ValueError("Somebody has to judge.")
        self._askers = askers
        self._seed = seed

    def votes(self, answer: Answered, count: int = VOTES) -> tuple[Vote, ...]:
        """So many judgements of an answer. Raises EndpointError and Unusable."""
        return tuple(self.vote(answer, number) for number in range(count))

    def share_won(
        self,
        one: Answered,
        other: Answered,
        votes: tuple[tuple[Vote, ...], tuple[Vote, ...]],
        count: int = VOTES,
    ) -> float:
        """1 where the first of two answers to a query wins, 0 where the other does, a half for a
        tie. Raises EndpointError and Unusable."""
        passed = [has_passed(each) for each in votes]
        if passed[0] != passed[1]:
            return float(passed[0])
        return decided([self.compared(one, other, votes, number) for number in range(count)])

    def vote(self, answer: Answered, number: int) -> Vote:
        """The judgement of this number of an answer. Raises EndpointError and Unusable."""
        if not answer.finished:
            return Vote("unsolved", False)
        coin = random.Random(f"{self._seed} {answer.id} {answer.method} {number}").random() < 0.5
        status = self._status(answer, number)
        if status == "solved":
            return Vote(status, True)
        told = {"query": _told(answer.query), "tools": _told_tools(answer)}
        solvable = self._asked("solvable", told, _SOLVABLE, number)
        if status == "unsolved" and solvable == "solvable":
            return Vote(status, False)
        return Vote(status, True if solvable == "unsolvable" else coin)

    def _status(self, answer: Answered, number: int) -> Status:
        if not answer.words or "sorry" in answer.words.lower():
            return "unsolved"
        told: dict[str, Any] = {"query": _told(answer.query), "answer": _told(answer.words)}
        status = self._asked("solved", told, _STATUSES, number)
        if status == "unsure":
            status = self._asked(
                "solved", {**told, "calls": _told_calls(answer)}, _STATUSES, number
            )
        return status  # type: ignore[return-value]

    def compared(
        self,
        one: Answered,
        other: Answered,
        votes: tuple[tuple[Vote, ...], tuple[Vote, ...]],
        number: int,
    ) -> float:
        """One round of comparing two answers: the share that the first has won. The second one
        stands first in every other round. Raises EndpointError and Unusable."""
        for status in ("solved", "unsure"):
            have = [each[number % len(each)].status == status if each else False for each in votes]
            if have[0] != have[1]:
                return float(have[0])
            if have[0]:
                break
        pair = (one, other) if number % 2 == 0 else (other, one)
        told = {
            "query": _told(one.query),
            "answers": [{"answer": _told(a.words), "calls": _told_calls(a)} for a in pair],
        }
        better = self._asked("better", told, ("first", "second", "neither"), number)
        if better == "neither":
            return 0.5
        return float((better == "first") == (number % 2 == 0))

    def _asked(
        self, prompt: str, told: Mapping[str, Any], choices: tuple[str, ...], number: int
    ) -> str:
        """One judgement, of these choices."""

        def read(value: Any) -> Checked[str]:
            said = value.get("verdict") if isinstance(value, dict) else None
            if said not in choices:
                raise Unusable(f"verdict has to be one of {', '.join(choices)}.")
            return Checked(str(said))

        schema = {
            "type": "object",
            "properties": {
                "reason": {"type": "string"},
                "verdict": {"type": "string", "enum": list(choices)},
            },
            "required": ["reason", "verdict"],
            "additionalProperties": False,
        }
        asker = self._askers[number % len(self._askers)]
        messages = messages_of(read_prompt(prompt, _PROMPTS), told)
        return asker.ask("judge", messages, schema, read, _MOST_OF_REPLY)


def has_passed(votes: tuple[Vote, ...]) -> bool:
    """Whether at least half of the judgements pass, as in ToolEval's printed rate."""
    return bool(votes) and 2 * sum(vote.passed for vote in votes) >= len(votes)


def decided(rounds: Sequence[float]) -> float:
    """What rounds of comparing come to: 1 where the first answer won most, a half for a tie."""
    score = sum(rounds) / max(len(rounds), 1)
    return 0.5 if score == 0.5 else float(score > 0.5)


def _told(text: str) -> str:
    return shortened(text, _MOST_TOLD)


def _told_tools(answer: Answered) -> list[dict[str, str]]:
    return [{"name": name, "does": _told(does)} for name, does in answer.tools.items()]


def _told_calls(answer: Answered) -> list[dict[str, str]]:
    return [
        {
            "function": call.name,
            "arguments": _told(call.arguments),
            "observation": _told(call.observation),
        }
        for call in answer.calls
    ]
