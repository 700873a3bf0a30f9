"""What each embedded tool costs: the first call, a later one, and memory.

Each implementation is measured in a process of its own, on one sample input. What was found is kept
in ``data/tool_cost.json``, from which docs/toolbox.md is written.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from controlllm.layout import ASSETS
from controlllm.models import release_models
from controlllm.self_test.samples import Samples
from controlllm.self_test.trying import MemoryWatch
from controlllm.toolbox import PACKAGE_FOLDER, Context, Toolbox, ToolError

KEPT = ASSETS / "planner" / "tool_cost.json"
#: A process that takes longer than this, in seconds, has failed.
_LONGEST = 300
#: Further calls go on until they have taken so long together, in seconds; the quickest counts.
_WARM_SECONDS = 2.0
#: What runs downloaded models; what is embedded has to do without.
_NOT_EMBEDDED = {"torch", "transformers", "diffusers"}


@dataclass(frozen=True)
class ToolCost:
    """Seconds of the first call (with loading) and of a later one; memory in MiB that the process
    needed at most beyond what it had before the first call. `failed` says why there is none."""

    cold: float = 0.0
    warm: float = 0.0
    memory: int = 0
    failed: str = ""


def measured(names: Sequence[str] = ()) -> Iterator[tuple[str, ToolCost]]:
    """The cost of every tool with an embedded implementation that can run here, or of those named,
    by ``tool/embedded``; one process after the other."""
    toolbox = Toolbox.load()
    for tool in toolbox:
        ways = toolbox.available(tool.name, preference=("embedded",))
        if ways and (not names or tool.name in names):
            yield ways[0].name, _in_a_process(tool.name)


def measure(name: str) -> ToolCost:
    """The cost of a tool, in this process."""
    before = set(sys.modules)
    toolbox = Toolbox.load()
    tool = toolbox[name]
    way = toolbox.available(tool.name, preference=("embedded",))[0]
    with tempfile.TemporaryDirectory() as folder:
        inputs = Samples(toolbox, Path(folder)).of(tool)
        # What other tools loaded to make the inputs is not this one's.
        release_models()
        gc.collect()

        def call(number: int) -> float:
            context = Context(folder=Path(folder) / str(number))
            started = time.perf_counter()
            way.run(inputs, context)
            return time.perf_counter() - started

        try:
            with MemoryWatch() as memory:
                cold = call(0)
            warm, spent, count = cold, 0.0, 0
            while spent < _WARM_SECONDS and count < 20:
                count += 1
                seconds = call(count)
                warm, spent = min(warm, seconds), spent + seconds
        except ToolError as error:
            return ToolCost(failed=str(error))
    loaded = (_NOT_EMBEDDED & set(sys.modules)) - before
    if loaded:
        return ToolCost(failed=f"It loaded {', '.join(sorted(loaded))}.")
    return ToolCost(round(cold, 3), round(warm, 3), memory.most)


def keep(found: Mapping[str, ToolCost], path: Path = KEPT) -> None:
    """Write costs where `kept` finds them, beside those of other tools that are there."""
    together = {**kept(path), **found}
    content = {name: asdict(cost) for name, cost in sorted(together.items())}
    path.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def kept(path: Path = KEPT) -> dict[str, ToolCost]:
    """The costs that were measured last."""
    if not path.is_file():
        return {}
    return {name: ToolCost(**cost) for name, cost in json.loads(path.read_text("utf-8")).items()}


def table(found: Mapping[str, ToolCost]) -> str:
    """The costs as lines to read."""
    lines = [f"{'implementation':<44} {'first':>8} {'later':>8} {'memory':>9}"]
    for name, cost in found.items():
        figures = f"{cost.cold:>7.2f}s {cost.warm:>7.3f}s {cost.memory:>5} MiB"
        lines.append(f"{name:<44} {cost.failed or figures}")
    return "\n".join(lines)


def _in_a_process(name: str) -> ToolCost:
    command = [sys.executable, "-m", "benchmarks", "tool-cost", "--here", name]
    try:
        done = subprocess.run(
            command, cwd=PACKAGE_FOLDER, capture_output=True, text=True, timeout=_LONGEST
        )
        return ToolCost(**json.loads(done.stdout))
    except (subprocess.TimeoutExpired, ValueError, TypeError) as error:
        return ToolCost(failed=f"It could not be measured ({type(error).__name__}).")
