"""Hundreds of random faults: every run ends, with right results or with an explanation."""

from __future__ import annotations

import random
import time

import pytest

from controlllm.core.events import ActionFailed, ActionFinished
from controlllm.core.plans import Plan
from controlllm.engine import Engine
from controlllm.engine.attempt import AttemptHere, Failed, Made
from controlllm.engine.scheduler import details_of
from controlllm.store import StoreError
from tests.engine.bench import action, only, plan_of

ACTIONS = 8
#: How likely an attempt goes wrong.
SHARE = 0.25


class Faulty:
    """Makes attempts, of which some go wrong in one of many ways."""

    def __init__(self, bench, draw: random.Random) -> None:
        self.make = AttemptHere(bench.store, details_of)
        self.bench = bench
        self.draw = draw
        self.faults = 0

    def __call__(self, call, cancelled, report):
        time.sleep(self.draw.uniform(0, 0.002))
        if self.draw.random() > SHARE:
            return self.make(call, cancelled, report)
        self.faults += 1
        match self.draw.randrange(7):
            case 0:
                return Failed("It lost its connection.", may_pass=True)
            case 1:
                return Failed("It does not work.")
            case 2:
                return Failed("Nothing could do this.", is_final=True)
            case 3:
                raise RuntimeError("an attempt never raises")
            case 4:
                raise StoreError("The disk is full.")
            case 5:
                return Failed("It was ended.", may_pass=True, is_undone=True)
            case _:
                outcome = self.make(call, cancelled, report)
                if isinstance(outcome, Made):
                    # What it made is gone before anybody reads it.
                    made = outcome.resource
                    self.bench.store.path(made.digest, made.media_type).unlink(missing_ok=True)
                return outcome


def random_plan(draw: random.Random, word: str) -> tuple[Plan, dict[int, list[int]]]:
    """Parts that read earlier parts, each with one way or two that do the same; `word` makes their
    calls differ from those of other plans."""
    parents = {
        node: sorted(draw.sample(range(node), min(node, draw.randrange(3))))
        for node in range(ACTIONS)
    }
    ways = []
    for node, of in parents.items():
        read = [f"<GEN>-{parent}" for parent in of]
        way = [action("join", f"<GEN>-{node}", text=f"{word}n{node}", parts=read)]
        ways.append([way] * draw.choice((1, 2)))
    plan = plan_of(*ways)
    return plan, parents


def text_of(node: int, parents: dict[int, list[int]], word: str) -> str:
    return f"{word}n{node}({','.join(text_of(item, parents, word) for item in parents[node])})"


@pytest.mark.timeout(600)
@pytest.mark.parametrize("faults", [100, pytest.param(500, marks=pytest.mark.long)])
def test_every_run_ends_with_right_results_or_an_explanation(bench, faults):
    draw = random.Random(20)
    attempt = Faulty(bench, draw)
    runs = finished = explained = 0
    while attempt.faults < faults:
        runs += 1
        plan, parents = random_plan(draw, f"{runs} ")
        engine = Engine(bench.toolbox, bench.store, 3, pause=0.0, attempt=attempt)
        events = bench.run(plan, engine=engine)
        done = {int(event.key.split(".")[0]): event for event in only(events, ActionFinished)}
        failed = {int(event.key.split(".")[0]) for event in only(events, ActionFailed)}
        for event in only(events, ActionFailed):
            assert event.message.strip() and "Traceback" not in event.message
        for node in range(ACTIONS):
            if node in done:
                finished += 1
                resource = done[node].resource
                try:
                    path = bench.store.path(resource.digest, resource.media_type)
                except KeyError:
                    continue  # one of those that were taken away; whoever reads it is told
                assert path.read_text() == text_of(node, parents, f"{runs} ")
            elif node in failed:
                explained += 1
            else:
                # Left undone, since something that it reads failed.
                assert any(parent in failed or parent not in done for parent in parents[node])
    assert finished and explained
