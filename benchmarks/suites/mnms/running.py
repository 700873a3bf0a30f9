"""Running predicted and expected plans for the pass rate and the execution accuracy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.suites.answers import Answer, Call
from benchmarks.suites.kept import Kept, mark_of
from benchmarks.suites.mnms.execution import Execution, Output, Outputs
from benchmarks.suites.mnms.reading import Sample
from benchmarks.suites.mnms.results import Likeness, Made, likeness
from benchmarks.suites.scoring import mean
from benchmarks.suites.suite import Options
from controlllm.resources import Region, Resource


@dataclass(frozen=True)
class Executed:
    """Whether a plan ran to its end, and how alike its outputs are to the expected plan's, None
    where that one could not be run here."""

    passed: bool
    message: str
    alike: Likeness | None

    def to_json(self) -> dict[str, Any]:
        alike = None if self.alike is None else dict(vars(self.alike))
        return {"passed": self.passed, "message": self.message, "alike": alike}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Executed:
        alike = None if data["alike"] is None else Likeness(**data["alike"])
        return cls(bool(data["passed"]), str(data["message"]), alike)


def executed(
    samples: Sequence[Sample],
    answers: Mapping[str, Answer],
    options: Options,
    kept: Path | None = None,
) -> dict[str, Executed]:
    """Run the plan of every answer, and the expected one beside it.

    Each is kept as a line of the file `kept` as soon as it has run; what that holds of these plans
    is not run again. One at a time: the tools' models are large. Raises ValueError where the file
    was made with other settings.
    """
    found = {}
    with (
        Kept(kept, options.told(), "executions") as file,
        closing(Execution(options.media, options.tools, options.settings)) as run,
    ):
        # A plan may be another by now, where the answers were removed and asked for again.
        known = {(line["id"], line["plans"]): line for line in file.lines}
        for sample in samples:
            calls = answers[sample.id].calls
            plans = mark_of([[call.to_json() for call in plan] for plan in (calls, sample.plan)])
            line = known.get((sample.id, plans))
            if line is None:
                ran = _executed(run, calls, sample.plan)
                file.add({"id": sample.id, "plans": plans, **ran.to_json()})
            else:
                ran = Executed.from_json(line)
            found[sample.id] = ran
    return found


def _executed(run: Execution, calls: Sequence[Call], expected: Sequence[Call]) -> Executed:
    got, wanted = run.outputs(calls), run.outputs(expected)
    alike = None
    if not wanted.kind:
        alike = likeness(_made(run, got), _made(run, wanted))
    return Executed(bool(calls) and not got.kind, got.message, alike)


def _made(run: Execution, outputs: Outputs) -> list[dict[str, Made]]:
    return [
        {name: _comparable(run, value) for name, value in made.items()}
        for made in outputs.made.values()
    ]


def _comparable(run: Execution, value: Output) -> Made:
    if isinstance(value, float):
        return Made("number", value)
    if not isinstance(value, Resource):
        return Made("text", str(value))
    content = run.value(value)
    if value.type == "bbox":
        boxes = [
            (box.label, (box.left, box.top, box.right, box.bottom), box.score) for box in content
        ]
        return Made("objects", boxes)
    if value.type == "mask":
        return Made("objects", [_framed(region) for region in content])
    return Made("image" if value.type == "image" else "other", content)


def _framed(region: Region) -> tuple[str, tuple[float, float, float, float], float]:
    """A mask as its label, the box around it, and its score."""
    import numpy as np

    pixels = np.asarray(region.pixels)
    rows, columns = np.nonzero(pixels.any(axis=1))[0], np.nonzero(pixels.any(axis=0))[0]
    box = (0.0, 0.0, 0.0, 0.0)
    if len(rows):
        box = (float(columns[0]), float(rows[0]), float(columns[-1] + 1), float(rows[-1] + 1))
    return region.label, box, region.score


def execution_figures(runs: Sequence[Executed]) -> dict[str, float]:
    """The pass rate, and execution accuracy over those whose expected plan ran: theirs, strict, and
    strict by modality."""
    alike = [item.alike for item in runs if item.alike is not None]
    found = {"pass rate": mean(item.passed for item in runs)}
    found["could be compared"] = len(alike) / len(runs) if runs else 0.0
    if alike:
        found["execution accuracy"] = mean(item.theirs for item in alike)
        found["execution accuracy, strict"] = mean(item.strict for item in alike)
        for kind in sorted({kind for item in alike for kind in item.by_modality}):
            found[f"execution accuracy, strict, {kind}"] = mean(
                item.by_modality[kind] for item in alike if kind in item.by_modality
            )
    return found
