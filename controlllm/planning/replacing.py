"""What stands in place of what somebody proposed: the tool nearest to one that nobody knows, and
the short way to an input that was given something else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher

from controlllm.core.plans import Action, Reference, Subtask, TypedValue, Value, generated
from controlllm.planning.arguments import role_of
from controlllm.planning.graph import ToolGraph
from controlllm.planning.resource_expert import complete
from controlllm.planning.search import Candidate, Extent, Words, best_first
from controlllm.planning.space import Goal
from controlllm.toolbox import Tool

#: Scores 1..5 for tools by name, for a subtask.
Assess = Callable[[Subtask, Sequence[Tool]], Mapping[str, float]]
#: How many steps are put in at most for one input.
_MOST_PUT_IN = 3
#: Another tool stands for one that nobody knows where it scores this for what the step does, or
#: where the names are so alike; how alike a name within another is, how much alike names add.
_SERVES, _ALIKE, _WITHIN, _NAME = 2.5, 0.75, 0.8, 2.0


def nearest_tool(
    name: str, does: str, taken: Mapping[str, int], graph: ToolGraph, assess: Assess
) -> Tool | None:
    """The tool that a name no tool has most likely means: by the name, by what the step does and
    by how many of its values each can be given, which `taken` says; none of those that it does not
    name can. None where none is near."""
    plain = _plain(name)
    for tool in graph.toolbox:
        if plain in (tool.name, *(_plain(alias) for alias in tool.aliases)):
            return tool
    words = set(plain.split("_"))
    turned = [tool for tool in graph.toolbox if set(tool.name.split("_")) == words]
    if turned:
        return max(turned, key=lambda tool: taken.get(tool.name, 0))
    pool = [graph.toolbox[name] for name in taken]
    asked = Subtask(0, f"{plain.replace('_', ' ')}: {does}", (), (), TypedValue("", generated(0)))
    scores = assess(asked, pool)
    alike = {tool.name: _alikeness(plain, tool) for tool in pool}
    near = [tool for tool in pool if scores[tool.name] >= _SERVES or alike[tool.name] >= _ALIKE]
    return max(
        near,
        key=lambda tool: scores[tool.name] + _NAME * alike[tool.name] + taken[tool.name],
        default=None,
    )


def renamed(value: Value, names: Mapping[str, str]) -> Value:
    """A value that reads from what a name stands for; any other as it is."""
    if isinstance(value, Reference):
        return Reference(names.get(value.value, value.value))
    return value


def alike_name(name: str, names: Sequence[str]) -> str:
    """The one of some names that is most like another; empty where none is like it."""
    ratios = {item: SequenceMatcher(None, name, item).ratio() for item in names}
    best = max(ratios, key=lambda item: ratios[item], default="")
    return best if best and ratios[best] >= _ALIKE else ""


def short_way(
    sources: Sequence[Sequence[TypedValue]],
    words: str,
    wanted: str,
    does: str,
    graph: ToolGraph,
    assess: Assess,
) -> tuple[Action, ...]:
    """The actions of the cheapest short way to a type, out of all values of one of the sources and
    words for what is meant in them; none where there is no short one."""
    texts = [TypedValue("text", words, "object")] if words else []
    ways = []
    for given in sources:
        asked = Subtask(0, does or words, (), (*given, *texts), TypedValue(wanted, generated(0)))

        def scored(tools: Sequence[Tool], asked: Subtask = asked) -> Mapping[str, float]:
            return assess(asked, tools)

        for told in (texts, []) if texts else ([],):
            result = best_first(graph, Goal(given, told, wanted), scored, Extent(limit=1))
            found = [item for item in result.candidates if len(item.drafts) <= _MOST_PUT_IN]
            # No tool is put in only to have the words read.
            found = [item for item in found if not told or _looks_for(item)]
            ways += [(item.cost, complete(item, asked, given, told)) for item in found]
            if found:
                break
    return min(ways, key=lambda way: way[0])[1] if ways else ()


def _looks_for(candidate: Candidate) -> bool:
    """Whether words are read where a tool asks which thing is meant."""
    return any(
        isinstance(binding, Words) and role_of(argument) == "object"
        for draft in candidate.drafts
        for argument, binding in zip(draft.tool.args, draft.inputs, strict=True)
    )


def _alikeness(name: str, tool: Tool) -> float:
    """How much a name is like a tool's own, 0..1; one whose words are all in the other is."""
    found = 0.0
    for other in (tool.name, *map(_plain, tool.aliases)):
        words, own = set(name.split("_")), set(other.split("_"))
        within = words <= own or own <= words
        found = max(found, _WITHIN * within, SequenceMatcher(None, name, other).ratio())
    return found


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "_").replace("-", "_")
