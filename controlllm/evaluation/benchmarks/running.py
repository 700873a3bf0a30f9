"""Asking a planner every task of a benchmark: several at once, and going on where it stopped."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from controlllm.evaluation.benchmarks.answers import Answer, Task

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
    told = dict(settings or {})
    found = _read(kept, told)
    waiting = [task for task in tasks if task.id not in found]
    done = len(tasks) - len(waiting)
    tell(done, len(tasks))
    out = _opened(kept, told)
    try:
        with ThreadPoolExecutor(parallel) as pool:
            futures = [pool.submit(_timed, answer, task) for task in waiting]
            try:
                for future in as_completed(futures):
                    made = future.result()
                    found[made.id] = made
                    if out is not None:
                        out.write(json.dumps(made.to_json(), ensure_ascii=False) + "\n")
                        out.flush()
                    done += 1
                    tell(done, len(tasks))
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
    finally:
        if out is not None:
            out.close()
    return {task.id: found[task.id] for task in tasks}


def _timed(answer: Answerer, task: Task) -> Answer:
    started = time.perf_counter()
    made = answer(task)
    return replace(made, id=task.id, seconds=time.perf_counter() - started)


def _opened(kept: Path | None, settings: Mapping[str, Any]) -> TextIO | None:
    if kept is None:
        return None
    is_new = not kept.exists()
    kept.parent.mkdir(parents=True, exist_ok=True)
    out = kept.open("a", encoding="utf-8")
    if is_new:
        out.write(json.dumps({"settings": settings}) + "\n")
        out.flush()
    return out


def _read(kept: Path | None, settings: Mapping[str, Any]) -> dict[str, Answer]:
    """What a file keeps. A last line that was cut off is taken away, so that writing goes on after
    a whole one."""
    if kept is None or not kept.exists():
        return {}
    whole = kept.read_bytes()
    end = whole.rfind(b"\n") + 1
    if end < len(whole):
        with kept.open("r+b") as file:
            file.truncate(end)
    lines = whole[:end].decode("utf-8").splitlines()
    if not lines:
        kept.unlink()
        return {}
    try:
        first = json.loads(lines[0])["settings"]
        answers = [Answer.from_json(json.loads(line)) for line in lines[1:]]
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{kept} holds no answers of a benchmark: {error}.") from error
    if first != json.loads(json.dumps(settings)):
        raise ValueError(
            f"{kept} was made with other settings ({first}). Choose another folder, or remove it."
        )
    return {made.id: made for made in answers}
