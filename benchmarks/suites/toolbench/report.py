"""The figures of ToolBench's answers, set by set, and as a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.suites.kept import Kept
from benchmarks.suites.toolbench.answers import Answered, read_answers
from benchmarks.suites.toolbench.judgements import Judgements
from benchmarks.suites.toolbench.judging import VOTES, Judge, Vote, has_passed

Sets = Mapping[str, Mapping[str, Answered]]


def figures(
    path: Path,
    judge: Judge | None = None,
    against: Path | None = None,
    votes: int = VOTES,
    limit: int = 0,
    tell: Callable[[int, int], None] = lambda done, total: None,
    *,
    kept: Path | None = None,
    settings: Mapping[str, Any] | None = None,
    parallel: int = 1,
) -> list[dict[str, Any]]:
    """A line of figures for each set of answers; shares are of all answers of the set.

    ``passed`` and ``win`` (against the answers to the same queries in `against`) are None without a
    judge. Raises ValueError with what is wrong with the files, EndpointError and Unusable where a
    judgement could not be had.

    Parameters
    ----------
    kept: a file that keeps each judgement as a line of JSON as soon as it is there, under the
        `settings` of who judges; what it holds is not asked again.
    parallel: how many answers are judged at once.
    """
    if parallel < 1:
        raise ValueError("At least one answer has to be judged at a time.")
    sets: Sets = read_answers(path)
    others: Sets = read_answers(against) if against is not None else {}
    chosen = {name: list(answers.values())[: limit or None] for name, answers in sets.items()}
    found: dict[tuple[str, str], _Judged] = {}
    if judge is not None:
        waiting = [(name, answer) for name, answers in chosen.items() for answer in answers]
        told = {**(settings or {}), "votes": votes}
        with Kept(kept, told, "judgements") as file, ThreadPoolExecutor(parallel) as pool:
            judgements = Judgements(judge, file, votes)
            futures = {
                pool.submit(_judged, judgements, answer, _rival(others, name, answer)): (
                    name,
                    answer.id,
                )
                for name, answer in waiting
            }
            try:
                for done, future in enumerate(as_completed(futures), 1):
                    found[futures[future]] = future.result()
                    tell(done, len(futures))
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
    return [
        _line(name, answers, [found[name, answer.id] for answer in answers if judge is not None])
        for name, answers in chosen.items()
    ]


@dataclass(frozen=True)
class _Judged:
    """The votes on an answer, and what it won of its rival; None where it has none."""

    votes: tuple[Vote, ...]
    won: float | None


def _judged(judgements: Judgements, answer: Answered, rival: Answered | None) -> _Judged:
    votes = judgements.votes(answer)
    if rival is None:
        return _Judged(votes, None)
    return _Judged(
        votes, judgements.share_won(answer, rival, (votes, judgements.votes(rival, "theirs")))
    )


def _rival(others: Sets, name: str, answer: Answered) -> Answered | None:
    # One set of answers alone stands for the only other one, whatever it is called.
    rivals = others.get(name) or (next(iter(others.values())) if len(others) == 1 else {})
    return rivals.get(answer.id)


def _line(name: str, answers: Sequence[Answered], judged: Sequence[_Judged]) -> dict[str, Any]:
    count = len(answers)
    statuses = [vote.status for item in judged for vote in item.votes]
    won = [item.won for item in judged if item.won is not None]
    return {
        "set": name,
        "answers": count,
        "answered": sum(bool(answer.words) for answer in answers) / count,
        "gave_up": sum(answer.gave_up for answer in answers) / count,
        "no_end": sum(not answer.finished for answer in answers) / count,
        "calls": sum(len(answer.calls) for answer in answers) / count,
        "invented": sum(answer.invented for answer in answers) / count,
        "passed": sum(has_passed(item.votes) for item in judged) / count if judged else None,
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
