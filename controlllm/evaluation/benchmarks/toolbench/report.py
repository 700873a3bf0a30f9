"""The figures of ToolBench's answers, set by set, and as a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from controlllm.evaluation.benchmarks.toolbench.answers import Answered, read_answers
from controlllm.evaluation.benchmarks.toolbench.judging import VOTES, Judge, Vote, has_passed

Sets = Mapping[str, Mapping[str, Answered]]


def figures(
    path: Path,
    judge: Judge | None = None,
    against: Path | None = None,
    votes: int = VOTES,
    limit: int = 0,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> list[dict[str, Any]]:
    """A line of figures for each set of answers; shares are of all answers of the set.

    ``passed`` and ``win`` (against the answers to the same queries in `against`) are None without a
    judge. Raises ValueError with what is wrong with the files, EndpointError and Unusable where a
    judgement could not be had.
    """
    sets: Sets = read_answers(path)
    others: Sets = read_answers(against) if against is not None else {}
    lines = []
    total = sum(min(len(answers), limit or len(answers)) for answers in sets.values())
    done = 0
    for name, answers in sets.items():
        chosen = list(answers.values())[: limit or None]
        judged: list[tuple[Vote, ...]] = []
        won: list[float] = []
        for answer in chosen:
            if judge is not None:
                judged.append(judge.votes(answer, votes))
                # One set of answers alone stands for the only other one, whatever it is called.
                rivals = others.get(name) or (
                    next(iter(others.values())) if len(others) == 1 else {}
                )
                rival = rivals.get(answer.id)
                if rival is not None:
                    both = (judged[-1], judge.votes(rival, votes))
                    won.append(judge.share_won(answer, rival, both, votes))
            done += 1
            tell(done, total)
        lines.append(_line(name, chosen, judged, won))
    return lines


def _line(
    name: str,
    answers: Sequence[Answered],
    judged: Sequence[tuple[Vote, ...]],
    won: Sequence[float],
) -> dict[str, Any]:
    count = len(answers)
    statuses = [vote.status for votes in judged for vote in votes]
    return {
        "set": name,
        "answers": count,
        "answered": sum(bool(answer.words) for answer in answers) / count,
        "gave_up": sum(answer.gave_up for answer in answers) / count,
        "no_end": sum(not answer.finished for answer in answers) / count,
        "calls": sum(len(answer.calls) for answer in answers) / count,
        "invented": sum(answer.invented for answer in answers) / count,
        "passed": sum(map(has_passed, judged)) / count if judged else None,
        "solved": statuses.count("solved") / len(statuses) if statuses else None,
        "win": sum(won) / len(won) if won else None,
        "pairs": len(won),
    }


def markdown(lines: Sequence[Mapping[str, Any]]) -> str:
    """The figures as a table in Markdown; what nobody judged is a dash."""
    rows = [
        "| set | answers | pass | solved | win | answered | gave up | no end | calls "
        "| invented calls |",
        "| --- |" + " ---: |" * 9,
    ]
    for line in lines:
        shares = [
            line[name] for name in ("passed", "solved", "win", "answered", "gave_up", "no_end")
        ]
        told = " | ".join("–" if share is None else f"{share:.1%}" for share in shares)
        rows.append(
            f"| {line['set']} | {line['answers']} | {told} | {line['calls']:.1f} "
            f"| {line['invented']:.1f} |"
        )
    return "\n".join(rows) + "\n"
