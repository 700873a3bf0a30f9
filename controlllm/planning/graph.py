"""The tool graph: tools and resource types as nodes (paper Sec. 3.2.1).

A tool-resource edge leads from a tool to the type it returns (Eq. 2), a resource-tool edge from a
type to each tool that takes it (Eq. 3). The graph answers which tools can run at all on what is
given, and what can be made of it; what leads to what is wanted is for the search to say.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping

from controlllm.resources import PARENTS, TypeLattice
from controlllm.toolbox import Tool, Toolbox

#: For how many sets of given types a graph remembers what can be made of them.
_MOST_REMEMBERED = 256
_MEDIA = ("image", "audio", "video")
#: Names that a type for addresses has in catalogues. What stands at an address is there already.
ADDRESS_TYPES = ("url", "link", "uri", "address", "web_address")


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
        self._makeable: dict[frozenset[str], frozenset[str]] = {}
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
        return self._reached(self.handed_types(given) | {"text"}, self.toolbox)[0]

    def makeable(self, given: Iterable[str]) -> frozenset[str]:
        """The types that can be had from given files, leaving out what would be conjured up.

        A picture drawn from words is no picture of anybody's, and a voice that reads out a caption
        is no recording; whether a request speaks of them must not depend on tools that
        could make such things. A video holds pictures and sound. What words alone find, such as a
        town by its name, is there already.
        """
        files = self.handed_types(given)
        found = self._makeable.get(files)
        if found is None:
            reading = [
                tool
                for tool in self.toolbox
                if (files_of(tool) and not self._conjures(tool)) or self.finds(tool)
            ]
            found = self._reached(files, reading, words=True)[1]
            if len(self._makeable) == _MOST_REMEMBERED:
                self._makeable.clear()
            self._makeable[files] = found
        return found

    def _reached(
        self, at_hand: frozenset[str], tools: Iterable[Tool], words: bool = False
    ) -> tuple[frozenset[str], frozenset[str]]:
        """The names of those of the tools that can run on what is at hand and what they make, and
        the types that are there then; with `words`, text arguments ask for nothing."""
        types = set(at_hand)
        needs = {
            tool.name: {item.type for item in tool.required if not words or item.type != "text"}
            - types
            for tool in tools
        }
        ready = deque(self.toolbox[name] for name, missing in needs.items() if not missing)
        found: set[str] = set()
        while ready:
            tool = ready.popleft()
            found.add(tool.name)
            made = tool.returns.type
            if made in types:
                continue
            types.add(made)
            for consumer in self.consumers(made):
                missing = needs.get(consumer.name, set())
                if made in missing:
                    missing.discard(made)
                    if not missing:
                        ready.append(consumer)
        return frozenset(found), frozenset(types)

    def _conjures(self, tool: Tool) -> bool:
        """Whether a tool makes a medium that is in nothing that it takes."""
        made = tool.returns.type
        if files_of(tool) & set(ADDRESS_TYPES):
            return False
        sources = {made, "video"} if made in ("image", "audio") else {made}
        return made in _MEDIA and not any(
            self.lattice.is_a(name, source) for name in files_of(tool) for source in sources
        )

    def finds(self, tool: Tool) -> bool:
        """Whether a tool looks up by words alone one of the things that only its source has: such
        a type is a kind of text of its own, see `controlllm.sources.loading`."""
        made = tool.returns.type
        is_own = made not in PARENTS and self.lattice.is_a(made, "text")
        return is_own and not files_of(tool) and bool(tool.required) and not tool.acts_outside

    def is_about_text(self, tool: Tool) -> bool:
        """Whether a tool neither takes nor makes a picture, sound, video or page."""
        types = [tool.returns.type, *(argument.type for argument in tool.required)]
        media = ("image", "audio", "video", "html")
        return not any(self.lattice.is_a(item, medium) for item in types for medium in media)


def files_of(tool: Tool) -> frozenset[str]:
    """The types that a tool requires, but for words."""
    return frozenset(item.type for item in tool.required if item.type != "text")
