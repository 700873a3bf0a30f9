"""The page about the toolbox, docs/toolbox.md, written from the toolbox itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from benchmarks.tool_cost import ToolCost
from controlllm.models.weights import SIZES, Size, Weights, size_in_words
from controlllm.toolbox import DOMAINS, Implementation, Tool, Toolbox

_HEAD = """# The toolbox

Written by `scripts/write_toolbox_page.py` from the tools themselves and from what was measured; a
test checks that it is up to date. How good the embedded tools are is in
[toolbox-quality.md](toolbox-quality.md), where their models come from in [models.md](models.md),
and how to add a tool in [adding-a-tool.md](adding-a-tool.md).

A tool is a promise; an implementation keeps it on one runtime:

- **embedded**: weights inside packages or a classical algorithm, on this computer's processor,
  without a network and without torch;
- **hub**: weights that are downloaded once (`python -m controlllm models pull TOOL`), run by
  transformers or diffusers, on a GPU where there is one;
- **cloud**: an OpenAI-compatible endpoint, a Gradio app, a Hugging Face inference endpoint or a
  public service, each only where the settings allow it.

How each was tried: an embedded implementation **here, on real input**; its row has the seconds of
its first call (with loading its models), those of a later call, and the memory that it took beyond
what the program had, on 2 cores. A hub implementation was run here on **tiny models** with random
weights, of the same kind as those it downloads, made by the tests: loading, calling, progress and
stopping are known to work, quality is not, since no model hub could be reached. A cloud
implementation was run against a **protocol server** on this machine that speaks what the real one
speaks. No large model and no real service was tried from where this was built.
"""


def toolbox_page(toolbox: Toolbox, costs: Mapping[str, ToolCost]) -> str:
    """The whole page in Markdown."""
    domains: dict[str, list[Tool]] = defaultdict(list)
    for tool in toolbox:
        domains[tool.domain].append(tool)
    counts = [
        sum(
            any(way.runtime == runtime for way in toolbox.implementations[tool.name])
            for tool in toolbox
        )
        for runtime in ("embedded", "hub", "cloud")
    ]
    parts = [
        _HEAD,
        f"{len(toolbox)} tools: {counts[0]} embedded, {counts[1]} with downloaded weights, "
        f"{counts[2]} over the network.\n",
    ]
    for domain in DOMAINS:
        if domain in domains:
            parts.append(_domain(domain, domains[domain], toolbox, costs))
    parts.append(_weights(toolbox))
    return "\n".join(parts)


def _domain(domain: str, tools: list[Tool], toolbox: Toolbox, costs: Mapping[str, ToolCost]) -> str:
    lines = [
        f"## {domain.replace('-', ' ').capitalize()}\n",
        "| tool | takes → makes | runtime | how it was tried | first call | later | memory |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for tool in tools:
        names = [f"`{tool.name}`", *(f"also `{alias}`" for alias in tool.aliases)]
        takes = ", ".join(
            item.type + " list" * item.many + "?" * item.optional for item in tool.args
        )
        head = f"{'<br>'.join(names)} | {takes or 'nothing'} → {tool.returns.type}"
        for way in toolbox.implementations[tool.name]:
            lines.append(f"| {head} | {_row(way, costs)} |")
            head = " | "
    return "\n".join(lines) + "\n"


def _row(way: Implementation, costs: Mapping[str, ToolCost]) -> str:
    if way.runtime == "hub":
        needs = f"{way.memory} {'GPU' * way.needs_gpu}".strip()
        return f"hub | tiny models | | | {needs}"
    if way.runtime == "cloud":
        what = "cloud (a program named in the settings)" if way.is_hosted else "cloud"
        return f"{what} | protocol server | | |"
    reason = way.reason_unavailable()
    if reason is not None:
        return f"embedded | {reason} | | |"
    cost = costs.get(way.name)
    if cost is None or cost.failed:
        return "embedded | not measured | | |"
    memory = f"{cost.memory} MiB" if cost.memory else "< 1 MiB"
    return f"embedded | here, real input | {_seconds(cost.cold)} | {_seconds(cost.warm)} | {memory}"


def _seconds(seconds: float) -> str:
    if seconds < 0.01:
        return "< 0.01 s"
    return f"{seconds:.2f} s" if seconds < 1 else f"{seconds:.1f} s"


def _weights(toolbox: Toolbox) -> str:
    tools: dict[tuple[Weights, Size], list[str]] = defaultdict(list)
    for tool in toolbox:
        for way in toolbox.implementations[tool.name]:
            for choice in way.weights.values():
                for size, weights in choice.items():
                    if tool.name not in tools[weights, size]:
                        tools[weights, size].append(tool.name)
    lines = [
        "## Weights to download\n",
        "| repository | size | download | licence | tools |",
        "| --- | --- | --- | --- | --- |",
    ]
    for (weights, wanted), names in sorted(tools.items(), key=_by_repository):
        listed = ", ".join(f"`{name}`" for name in names)
        lines.append(
            f"| {weights.repository} | {wanted} | {size_in_words(weights.size)} | "
            f"{weights.licence} | {listed} |"
        )
    return "\n".join(lines) + "\n"


def _by_repository(item: tuple[tuple[Weights, Size], list[str]]) -> tuple[str, int]:
    (weights, size), _ = item
    return weights.repository, SIZES.index(size)
