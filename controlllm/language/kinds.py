"""What a toolbox makes and takes, as a language model is told of it: only that, each explained."""

from __future__ import annotations

from collections.abc import Iterable

from controlllm.planning.addresses import address_type
from controlllm.planning.graph import ToolGraph
from controlllm.toolbox import Tool

#: What the types of our own lattice are. Types of other catalogues speak by their names and by the
#: tools that take and make them.
_MEANINGS = {
    "text": "words: a description, an answer, a transcript, a translation, any text",
    "title": "a headline of a few words",
    "tags": "a list of key words, names or labels",
    "category": "the name of a class that something belongs to, with how likely it is",
    "number": "a count",
    "html": "a web page",
    "image": "a picture to look at",
    "mask": "an object in a picture, marked pixel by pixel; nothing to look at",
    "segmentation": "a whole picture divided into regions, each in a colour of its own",
    "edge": "a soft grey map of the edges in a picture",
    "line": "a map of the straight lines in a picture",
    "hed": "a map of the soft outlines of objects in a picture",
    "canny": "a map of thin, sharp edges in a picture (Canny)",
    "scribble": "a rough hand-drawn sketch",
    "pose": "a map of people's poses as skeletons",
    "depth": "a map of what is near and what is far in a picture",
    "normal": "a map of which way surfaces face in a picture",
    "audio": "a sound: a recording, speech, music",
    "video": "a film with or without sound",
    "point": "a person's clicks on a picture",
    "bbox": "boxes around objects in a picture, each with a name; nothing to look at",
    "document": "a PDF with its pages",
    "table": "a table: rows and columns",
    "files": "several files, each handed over by itself: pages, parts, stills",
    "archive": "several files in one ZIP",
    "url": "an address on the web",
}
#: How many tools are shown at most, and of how many in each field where there are more.
_MOST_SHOWN, _SHOWN_OF_EACH = 120, 6


class Kinds:
    """The types and fields of a toolbox.

    `made` are the types that tools make, `taken` those that they take, both in the lattice's order;
    `address` is the type that stands for an address on the web, empty where there is none.
    """

    def __init__(self, graph: ToolGraph) -> None:
        self.lattice = graph.lattice
        self._tools = tuple(graph.toolbox)
        made = {tool.returns.type for tool in self._tools}
        taken = {argument.type for tool in self._tools for argument in tool.args}
        self.made = tuple(name for name in self.lattice.parents if name in made)
        self.taken = tuple(name for name in self.lattice.parents if name in taken)
        self.domains = tuple(dict.fromkeys(tool.domain for tool in self._tools))
        self.address = address_type(graph)

    @property
    def known(self) -> tuple[str, ...]:
        """All types that a subtask here can have to do with."""
        return tuple(dict.fromkeys((*self.made, *self.taken)))

    def kin(self, type_name: str) -> tuple[str, ...]:
        """The other types made here that are of the same general kind, nearest first."""
        if type_name not in self.lattice:
            return ()
        above = self.lattice.ancestors(type_name)
        alike = [name for name in self.made if self.lattice.ancestors(name)[-1] == above[-1]]
        alike.sort(
            key=lambda name: (
                (0, above.index(name))
                if name in above
                else (1, 0)
                if self.lattice.is_a(name, type_name)
                else (2, 0)
            )
        )
        return tuple(name for name in alike if name != type_name)

    def nearest(self, type_name: str) -> str:
        """The type made here that stands for another: itself, or else the nearest of its kind.

        A count is a text where the counting tools here return text. Empty where nothing is near.
        """
        if type_name in self.made:
            return type_name
        return next(iter(self.kin(type_name)), "")

    def types_explained(self, more: Iterable[str] = ()) -> str:
        """A line for each type with its meaning; `more` are types of files at hand."""
        lines = []
        for name in dict.fromkeys((*self.known, *more)):
            meaning = _MEANINGS.get(name, name.replace("_", " "))
            parent = self.lattice.parents.get(name)
            kind = f" (a kind of {parent})" if parent else ""
            never = "" if name in self.made else "; no tool here makes it"
            lines.append(f"- {name}{kind}: {meaning}{never}")
        return "\n".join(lines)

    def domains_explained(self) -> str:
        """A line for each field with the tools that belong to it, or some of them."""
        lines = []
        for domain in self.domains:
            own = [tool for tool in self._tools if tool.domain == domain]
            most = len(own) if len(self._tools) <= _MOST_SHOWN else _SHOWN_OF_EACH
            shown = [signature(tool) for tool in own[:most]]
            more = f", and {len(own) - most} more" if len(own) > most else ""
            lines.append(f"- {domain}: {', '.join(shown)}{more}")
        return "\n".join(lines)


def signature(tool: Tool) -> str:
    """A tool as ``name(what it takes) -> what it makes``."""
    takes = ", ".join(
        argument.type if argument.type != "text" else argument.name for argument in tool.args
    )
    return f"{tool.name}({takes}) -> {tool.returns.type}"
