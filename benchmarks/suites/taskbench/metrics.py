"""TaskBench's figures, once as their own code computes them and once strictly.

Where theirs flatters, or lets faults of its own in, the strict figure does not:

- theirs drops a sample that cannot be read, on both sides; strictly it counts as an empty plan;
- theirs lets a tool that does not exist cost nothing; strictly it is a wrong label;
- theirs averages over tools that occur nowhere, each as 0; strictly over those that occur;
- theirs derives the links of the resource domains from ``<node-i>`` with i from 0, also where the
  file counts from 1, and drops what then points at itself; strictly the links are those listed;
- theirs labels an argument that it cannot read with the one before; strictly as it stands;
- theirs takes ``.au`` in "www.author.com" for a recording; strictly a name has to end so.

That theirs swaps wanted and predicted arguments leaves F1 as it is; only F1 is told here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.suites import scoring
from benchmarks.suites.answers import REFERENCE, Answer
from benchmarks.suites.taskbench.reading import (
    Dependency,
    Domain,
    Node,
    Sample,
    kind_of,
)

_THEIR_ENDINGS = {
    "image": "jpg png jpeg gif bmp tiff svg ico".split(),
    "audio": "mp3 wav wma ogg aac flac aiff au".split(),
    "video": "mp4 avi mov flv wmv mkv webm m4v mpg mpeg".split(),
}


@dataclass(frozen=True)
class Labels:
    """What a plan is judged by: tools in order, links, and arguments by name and with values."""

    tools: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


class Unreadable(Exception):
    """A plan from which no labels can be taken."""


class TheirLabels:
    """Takes labels as TaskBench's code does; one for a run, since a fault carries over."""

    def __init__(self, makes: Mapping[str, str]) -> None:
        self._makes = {name.replace("_", " "): kind for name, kind in makes.items()} | dict(makes)
        self._before: tuple[str, str] | None = None

    def of(
        self,
        nodes: Sequence[Node],
        links: Sequence[tuple[str, str]] | None,
        dependency: Dependency,
    ) -> Labels:
        """The labels; raises Unreadable where their code would leave the sample out."""
        if dependency == "temporal":
            return self._temporal(nodes, links or ())
        tools = tuple(node.task.replace("_", " ") for node in nodes)
        found: list[tuple[str, str]] = []
        names, values = [], []
        for place, node in enumerate(nodes):
            for given in node.arguments:
                try:
                    if isinstance(given, Mapping):
                        given = next(iter(given.values()))
                    if isinstance(given, list):
                        given = " ".join(given)
                    label = self._label(given, place, tools, node.task, found)
                    if label is None:
                        continue
                    self._before = label
                except (IndexError, TypeError, ValueError, StopIteration):
                    label = self._before
                if label is None:
                    raise Unreadable
                names.append(f"{tools[place]}-{label[0]}")
                values.append(f"{tools[place]}-{label[0]}-{label[1]}")
        return Labels(tools, tuple(found), tuple(names), tuple(values))

    def _label(
        self,
        given: Any,
        place: int,
        tools: Sequence[str],
        task: str,
        found: list[tuple[str, str]],
    ) -> tuple[str, str] | None:
        """An argument's name and value, None for a reference to its own node."""
        if "<node-" not in given:
            return _their_kind(given), given
        number = int(given[given.index("<node-") + 6 : given.index(">")])
        if number == place:
            return None
        source = tools[number]
        found.append((source, task))
        return self._makes.get(source, "other"), source

    def _temporal(self, nodes: Sequence[Node], links: Sequence[tuple[str, str]]) -> Labels:
        names, values = [], []
        for node in nodes:
            for given in node.arguments:
                if not isinstance(given, Mapping) or not {"name", "value"} <= set(given):
                    raise Unreadable
                names.append(f"{node.task}-{given['name']}")
                values.append(f"{node.task}-{given['name']}-{given['value']}")
        return Labels(tuple(n.task for n in nodes), tuple(links), tuple(names), tuple(values))


def _their_kind(content: str) -> str:
    content = content.strip("'")
    for kind, endings in _THEIR_ENDINGS.items():
        if any(f".{ending}" in content for ending in endings):
            return kind
    return "text"


def strict_labels(
    nodes: Sequence[Node],
    links: Sequence[tuple[str, str]] | None,
    dependency: Dependency,
    makes: Mapping[str, str],
) -> Labels:
    """The labels of a plan; a link is derived from references where none is listed."""
    tools = tuple(node.task for node in nodes)
    base = _base(nodes)
    found: list[tuple[str, str]] = []
    names, values = [], []
    for node in nodes:
        for given in node.arguments:
            if dependency == "temporal" and isinstance(given, Mapping):
                name, value = str(given.get("name", "")), str(given.get("value", ""))
            else:
                told = next(iter(given.values()), "") if isinstance(given, Mapping) else given
                value = " ".join(map(str, told)) if isinstance(told, list) else str(told)
                name = kind_of(value) or "text"
                reference = REFERENCE.search(value)
                number = int(reference[1]) - base if reference else -1
                if 0 <= number < len(tools):
                    found.append((tools[number], node.task))
                    name, value = makes.get(tools[number], "other"), tools[number]
            names.append(f"{node.task}-{name}")
            values.append(f"{node.task}-{name}-{value}")
    return Labels(tools, tuple(found if links is None else links), tuple(names), tuple(values))


def _base(nodes: Sequence[Node]) -> int:
    """From which number a plan counts its nodes: 1 where counting from 0 would have a node read
    itself or one that comes after it, and counting from 1 never does."""
    read = [
        (place, int(found[1]))
        for place, node in enumerate(nodes)
        for given in node.arguments
        for found in REFERENCE.finditer(str(given))
    ]
    from_zero = all(number < place for place, number in read)
    from_one = all(0 < number <= place for place, number in read)
    return 1 if read and from_one and not from_zero else 0


@dataclass(frozen=True)
class Judged:
    """A sample with the labels wanted and found, theirs (None where they drop it) and strict."""

    sample: Sample
    theirs: tuple[Labels, Labels] | None
    strict: tuple[Labels, Labels]
    rouge: Mapping[str, float] | None


def judged(domain: Domain, answers: Mapping[str, Answer]) -> list[Judged]:
    """Every sample that has an answer, with the labels of both."""
    labeller = TheirLabels(domain.makes)
    found = []
    for sample in domain.samples:
        answer = answers.get(sample.id)
        if answer is None:
            continue
        nodes, links = nodes_of(answer, domain)
        theirs = None
        if not answer.failure:
            try:
                # In the resource domains theirs derives the links of both from references.
                theirs = (
                    labeller.of(sample.nodes, sample.links, domain.dependency),
                    labeller.of(nodes, links, domain.dependency),
                )
            except Unreadable:
                theirs = None
        strict = (
            strict_labels(sample.nodes, sample.links, domain.dependency, domain.makes),
            strict_labels(nodes, links, domain.dependency, domain.makes),
        )
        rouge = None
        if sample.steps and not answer.failure:
            rouge = scoring.rouge("\n".join(sample.steps), "\n".join(answer.steps))
        found.append(Judged(sample, theirs, strict, rouge))
    return found


def nodes_of(
    answer: Answer, domain: Domain
) -> tuple[tuple[Node, ...], tuple[tuple[str, str], ...] | None]:
    """An answer as TaskBench writes plans. In the temporal domain calls follow each other in the
    plan's order: our plans know no other dependency there."""
    nodes = []
    for call in answer.calls:
        given: list[Any] = []
        for name, value in call.arguments.items():
            values = value if isinstance(value, list) else [value]
            if domain.dependency == "temporal":
                given += [{"name": name, "value": item} for item in values]
            else:
                given += values
        nodes.append(Node(domain.ids.get(call.tool, call.tool), tuple(given)))
    if domain.dependency == "resource":
        return tuple(nodes), None
    names = [node.task for node in nodes]
    return tuple(nodes), tuple(zip(names, names[1:], strict=False))


def figures(found: Sequence[Judged], domain: Domain) -> dict[str, float]:
    """All figures of some samples, as shares."""
    theirs = [item.theirs for item in found if item.theirs is not None]
    strict = [item.strict for item in found]
    kinds = [
        name.replace("_", " ") if domain.dependency == "resource" else name
        for name in domain.ids.values()
    ]
    index = {name: place for place, name in enumerate(kinds, 1)}

    def f1(pairs: Sequence[tuple[Labels, Labels]], part: str) -> float:
        return scoring.set_rates((getattr(w, part), getattr(g, part)) for w, g in pairs).f1

    known = [
        ([name for name in w.tools if name in index], [name for name in g.tools if name in index])
        for w, g in theirs
    ]
    occurring = {name for pair in strict for side in pair for name in side.tools}
    figures = {
        "coverage": len(theirs) / len(found) if found else 0.0,
        "n-F1 micro": scoring.set_rates(known).f1,
        "n-F1 micro, strict": f1(strict, "tools"),
        "n-F1 macro": scoring.macro_f1(known, kinds),
        "n-F1 macro, strict": scoring.macro_f1(
            [(w.tools, g.tools) for w, g in strict], sorted(occurring)
        ),
        "t-F1": f1(theirs, "names"),
        "t-F1, strict": f1(strict, "names"),
        "v-F1": f1(theirs, "values"),
        "v-F1, strict": f1(strict, "values"),
        "edit distance": 1
        - scoring.mean(
            scoring.edit_ratio(
                [index.get(name, 0) for name in w.tools], [index.get(name, 0) for name in g.tools]
            )
            for w, g in theirs
        ),
        "edit distance, strict": 1
        - scoring.mean(scoring.edit_ratio(w.tools, g.tools) for w, g in strict),
        "exact": scoring.mean(
            set(w.tools) == set(g.tools) and set(w.links) == set(g.links) for w, g in strict
        ),
    }
    if any(wanted.links for wanted, _ in strict):
        # Where no link is expected there is nothing to find: no figure says how well.
        figures["e-F1"] = f1(theirs, "links")
        figures["e-F1, strict"] = f1(strict, "links")
    rouges = [item.rouge for item in found if item.rouge is not None]
    for name in ("rouge-1", "rouge-2", "rouge-l"):
        if rouges:
            figures[name] = scoring.mean(item[name] for item in rouges)
    return figures
