"""Asking a planner every task of a benchmark: several at once, and going on where it stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.suites.answers import Answer, Task
from benchmarks.suites.kept import Kept

Answerer = Callable[[Task], Answer]


def answered(
    tasks: Sequence[Task],
    answer: Answerer,
    *,
    kept: Path | None = None,
    settings: Mapping[str, Any] | None = None,
    parallel: int = 1,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Answer]:
    """The answers to all tasks by id, in the tasks' order.

    Parameters
    ----------
    kept: a file that keeps each answer as a line of JSON as soon as it is there. What it holds
        already is not asked again; its first line says with which `settings` it was made.
    parallel: how many tasks are planned at once.
    tell: called with how many are done and how many there are.

    Raises ValueError where `kept` was made with other settings or two tasks share an id, and
    whatever `answer` raises: what was answered until then stays kept.
    """
    if len({task.id for task in tasks}) < len(tasks):
        raise ValueError("Two samples have the same id; the answers could not be told apart.")
    if parallel < 1:
        raise ValueError("At least one task has to be planned at a time.")
    with Kept(kept, settings or {}) as file:
        try:
            found = {made.id: made for made in map(Answer.from_json, file.lines)}
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{kept} holds no answers of a benchmark: {error}.") from error
        waiting = [task for task in tasks if task.id not in found]
        done = len(tasks) - len(waiting)
        tell(done, len(tasks))
        with ThreadPoolExecutor(parallel) as pool:
            futures = [pool.submit(_timed, answer, task) for task in waiting]
            try:
                for future in as_completed(futures):
                    made = future.result()
                    found[made.id] = made
                    file.add(made.to_json())
                    done += 1
                    tell(done, len(tasks))
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
    return {task.id: found[task.id] for task in tasks}


def _timed(answer: Answerer, task: Task) -> Answer:
    started = time.perf_counter()
    made = answer(task)
    return replace(made, id=task.id, seconds=time.perf_counter() - started)
