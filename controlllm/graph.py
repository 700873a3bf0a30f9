"""The tool graph: tools and resource types as nodes (paper Sec. 3.2.1).

A tool-resource edge leads from a tool to the type it returns (Eq. 2), a resource-tool edge from a
type to each tool that takes it (Eq. 3). The graph answers two questions for the search: which tools
can run at all on what is given, and which of those can lie on a way to what is wanted.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping

from controlllm.resources import TypeLattice
from controlllm.toolbox import Tool, Toolbox


class ToolGraph:
    """The graph of a toolbox. Building it and its memory are linear in tools and arguments."""

    def __init__(self, toolbox: Toolbox) -> None:
        self.toolbox = toolbox
        self.lattice: TypeLattice = toolbox.lattice
        producers: dict[str, list[Tool]] = defaultdict(list)
        consumers: dict[str, list[Tool]] = defaultdict(list)
        for tool in toolbox:
            producers[tool.returns.type].append(tool)
            for type_name in {argument.type for argument in tool.args}:
                consumers[type_name].append(tool)
        self._producers: Mapping[str, tuple[Tool, ...]] = {
            key: tuple(value) for key, value in producers.items()
        }
        self._consumers: Mapping[str, tuple[Tool, ...]] = {
            key: tuple(value) for key, value in consumers.items()
        }

    def producers(self, type_name: str) -> tuple[Tool, ...]:
        """The tools with an edge to this resource type (Eq. 2)."""
        return self._producers.get(type_name, ())

    def consumers(self, type_name: str) -> tuple[Tool, ...]:
        """The tools with an edge from this resource type (Eq. 3)."""
        return self._consumers.get(type_name, ())

    def edges(self) -> Iterator[tuple[str, str]]:
        """Every edge as (from, to); tool names and type names are the nodes."""
        for tool in self.toolbox:
            for type_name in sorted({argument.type for argument in tool.args}):
                yield type_name, tool.name
            yield tool.name, tool.returns.type

    def handed_types(self, given: Iterable[str]) -> frozenset[str]:
        """The argument types that given resources fit: their own and the more general ones.

        What a tool makes on the way fits only its own type; what a person hands over may be any
        kind of what is asked for.
        """
        return frozenset(
            ancestor for type_name in given for ancestor in self.lattice.ancestors(type_name)
        )

    def runnable(self, given: Iterable[str]) -> frozenset[str]:
        """The names of tools that some sequence of tools can run, starting from given types.

        Words are always at hand, so text arguments never stand in the way.
        """
        at_hand = set(self.handed_types(given)) | {"text"}
        waiting: dict[str, int] = {}
        found: set[str] = set()
        ready: deque[Tool] = deque()
        for tool in self.toolbox:
            missing = {item.type for item in tool.required} - at_hand
            waiting[tool.name] = len(missing)
            if not missing:
                ready.append(tool)
        while ready:
            tool = ready.popleft()
            found.add(tool.name)
            made = tool.returns.type
            if made in at_hand:
                continue
            at_hand.add(made)
            for consumer in self.consumers(made):
                if any(item.type == made for item in consumer.required):
                    waiting[consumer.name] -= 1
                    if waiting[consumer.name] == 0:
                        ready.append(consumer)
        return frozenset(found)

    def makeable(self, given: Iterable[str]) -> frozenset[str]:
        """The types that can be had from given files, leaving out what only words would conjure up.

        A picture drawn from words is no picture of anybody's; whether a request speaks of a picture
        must not depend on a tool that could draw one.
        """
        found = set(self.handed_types(given))
        grew = True
        while grew:
            grew = False
            for tool in self.toolbox:
                files = [item.type for item in tool.required if item.type != "text"]
                if tool.returns.type not in found and files and found.issuperset(files):
                    found.add(tool.returns.type)
                    grew = True
        return frozenset(found)

    def leading_to(self, wanted: str, among: frozenset[str]) -> tuple[Tool, ...]:
        """The tools `among` these that can lie on a way to the wanted type, by name."""
        found: dict[str, Tool] = {}
        types = deque([wanted])
        seen = {wanted}
        while types:
            for tool in self.producers(types.popleft()):
                if tool.name in found or tool.name not in among:
                    continue
                found[tool.name] = tool
                for argument in tool.args:
                    if argument.type not in seen:
                        seen.add(argument.type)
                        types.append(argument.type)
        return tuple(found[name] for name in sorted(found))

    def useful(self, given: Iterable[str], wanted: str) -> tuple[Tool, ...]:
        """The tools that can lie on a way from the given types to the wanted one.

        Where there are only words and only words are wanted, no picture, sound or video is made on
        the way: it would show nothing that the words do not say.
        """
        given = tuple(given)
        runnable = self.runnable(given)
        if not given and self.lattice.is_a(wanted, "text"):
            runnable = frozenset(name for name in runnable if self._is_about_text(name))
        return self.leading_to(wanted, runnable)

    def _is_about_text(self, name: str) -> bool:
        tool = self.toolbox[name]
        types = [tool.returns.type, *(argument.type for argument in tool.required)]
        media = ("image", "audio", "video", "html")
        return not any(self.lattice.is_a(item, medium) for item in types for medium in media)
