"""Regions that a person pointed at, in requests: "blur [1] and put [2] where [3] is".

A region is a mask with a number that knows its picture. The reader hears it as a thing,
``part1``, which is what words for things are to it; here what it heard is put back to the
regions. Each region is a thing of its own, also of one picture. How a wish is meant of a region
follows from what its likeliest tool does with places (`controlllm.toolbox.Tool.places`): it takes
the mask; or it changes every place, and then what lies in the region is put back into the picture;
or it looks at a picture, and then at what was cut out of it. Wishes that change places of one
picture go on with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from controlllm.core.plans import (
    OUTSIDE,
    Request,
    Scope,
    Subtask,
    TypedValue,
    deps_of,
    generated,
    is_generated,
)
from controlllm.planning.arguments import roles_of
from controlllm.planning.clauses import bare
from controlllm.planning.graph import ToolGraph
from controlllm.planning.recorded import about_parts, in_recordings, likeliest
from controlllm.planning.roles import Decomposer
from controlllm.resources import Resource
from controlllm.toolbox import Tool, Toolbox

_NUMBERED = re.compile(r"\[(\d{1,3})\]")
_HEARD = re.compile(r"\bpart(\d{1,3})\b")
#: What means a region where none is named, and what means several.
_THIS = re.compile(
    r"\b(?:this|that|it)\b(?!\s+(?:picture|image|photo|pic|video|clip|recording|file|sound|text)\b)"
    r"|\bwhat\s+I\s+(?:clicked|pointed|marked|selected|brushed|framed)(?:\s+(?:on|at|over))?\b",
    re.IGNORECASE,
)
_THESE = re.compile(r"\b(?:these|those|them|both)\b(?:\s+(?:things|objects|ones))?", re.IGNORECASE)
#: Only words that join: "[1], [2] and [3]" are all meant alike.
_JOINED = re.compile(r"[\s,&]*(?:and|or)?[\s,]*", re.IGNORECASE)
_IT = re.compile(r"\b(?:it|that|him|her|them)\b", re.IGNORECASE)
_SWAPS = re.compile(r"\b(?:swap|switch|exchange|trade)\b", re.IGNORECASE)
_REPLACES = re.compile(r"\b(?:replace|substitute|cover|hide)\b", re.IGNORECASE)
_COPIES = re.compile(r"\b(?:copy|copies|clone|duplicate|also|too|as well)\b", re.IGNORECASE)
_OVER = re.compile(r"\b(?:on|onto|on top of|over|into|in front of)\s+part\d", re.IGNORECASE)
#: Everything but the region.
_ALL_BUT = re.compile(
    r"(?:\b(?:everything|all|anything|the\s+rest|the\s+background|what\s+is)\s+)?"
    r"\b(?:(?:but|except|besides|around|behind|outside|other\s+than|apart\s+from)(?:\s+(?:for|of))?)"
    r"\s+part\d+(?:[\s,]+(?:and\s+)?part\d+)*",
    re.IGNORECASE,
)
_REST = re.compile(
    r"\b(?:everything|the\s+rest|background|surroundings|only|keep|leave|stays?)\b", re.IGNORECASE
)
_SURE = 4.9
#: What tools do with places that is only meant where somebody pointed.
_POINTED = frozenset({"back", "moves"})


class PointingDecomposer:
    """Decomposes requests, those that speak of regions as if each were a thing."""

    def __init__(self, graph: ToolGraph, decomposer: Decomposer) -> None:
        self._graph = graph
        self._decomposer = decomposer

    def decompose(self, request: Request) -> tuple[Subtask, ...]:
        """The subtasks of a request, each after those it depends on; none where it asks nothing."""
        known = request = _named(request)
        request = about_parts(request)
        regions = regions_in(request)
        if not regions:
            return in_recordings(self._decomposer.decompose(request), known, self._graph)
        found = self._decomposer.decompose(_heard(request, regions))
        return _Building(self._graph, request, regions).built(found)

    def __getattr__(self, name: str) -> object:
        return getattr(self._decomposer, name)


def regions_in(request: Request) -> dict[str, Resource]:
    """The regions that a request names, by their number."""
    known = {item.value for item in request.resources}
    return {
        str(item.details["number"]): item
        for item in request.resources
        if is_region(item) and item.value in request.text and item.details["image"] in known
    }


def is_region(resource: Resource) -> bool:
    """Whether a resource is a part of a picture that somebody pointed at."""
    return resource.type == "mask" and {"image", "number"} <= resource.details.keys()


def spoken_of(toolbox: Toolbox) -> Toolbox:
    """The tools that words alone can mean; the others need somebody who points."""
    tools = tuple(tool for tool in toolbox if tool.places not in _POINTED)
    return replace(toolbox, tools=tools)


def _named(request: Request) -> Request:
    """A request whose "this" stands as the number of what came along pointed at."""
    attached = [
        it.value for it in request.resources if it.value in request.attached and is_region(it)
    ]
    if not attached or _NUMBERED.search(request.text):
        return request
    several = " and ".join(attached)
    text = _THESE.sub(several, request.text, count=1)
    if text == request.text:
        text = _THIS.sub(several, request.text, count=1)
    return replace(request, text=text)


def _heard(request: Request, regions: Mapping[str, Resource]) -> Request:
    """A request as it is heard: regions as things, beside their pictures."""
    pictures = {str(item.details["image"]) for item in regions.values()}
    values = {item.value for item in regions.values()}
    text = _NUMBERED.sub(
        lambda found: f"part{found[1]}" if found[1] in regions else found[0], request.text
    )
    others = [item for item in request.resources if not is_region(item)]
    attached = [value for value in request.attached if value not in values]
    return replace(
        request,
        text=text,
        resources=tuple(others),
        there=tuple(item for item in request.there if not is_region(item)),
        attached=tuple(dict.fromkeys([*attached, *sorted(pictures)])),
    )


class _Building:
    """Subtasks about things, being made ones about regions."""

    def __init__(self, graph: ToolGraph, request: Request, regions: Mapping[str, Resource]) -> None:
        self.graph = graph
        self.regions = regions
        self._numbers = {item.value: number for number, item in regions.items()}
        self.types = {item.value: item.type for item in request.resources}
        self.made: list[Subtask] = []
        #: What the results of subtasks as they were heard are now.
        self._now: dict[str, TypedValue] = {}
        #: Pictures as the last subtask that changed places of them left them.
        self._latest: dict[str, TypedValue] = {}

    def built(self, heard: Sequence[Subtask]) -> tuple[Subtask, ...]:
        said: dict[str, TypedValue] = {}
        for subtask in heard:
            if subtask.description in said and self._groups(subtask.description):
                # Heard once for each picture; what was pointed at lies in its own.
                self._now[subtask.returns.value] = said[subtask.description]
                continue
            for part in self._parts(subtask):
                said[subtask.description] = part.returns
                self._now[subtask.returns.value] = part.returns
                self.made.append(part)
                scope = part.scope
                if scope is not None and scope.how != "cut" and self._keeps_places(part):
                    self._latest[scope.source] = part.returns
        return tuple(self.made)

    def _parts(self, subtask: Subtask) -> Iterator[Subtask]:
        args = tuple(
            self._now.get(item.value, item) if not item.role else item for item in subtask.args
        )
        subtask = replace(subtask, args=args)
        groups = self._groups(subtask.description)
        if not groups:
            number = self._gone_on_with(subtask)
            yield self._scoped(subtask, number) if number else self._numbered(subtask, args)
            return
        first, *others = groups
        flat = [number for group in groups for number in group]
        other = self._other_picture(subtask)
        if self._moves() and len(flat) > 1 and _SWAPS.search(subtask.description):
            yield self._moving(subtask, flat[1], self._region(flat[0]), swaps=True)
        elif self._moves() and others and self._changes(subtask):
            replaces = _REPLACES.search(subtask.description)
            thing, place = (others[0], first) if replaces else groups[:2]
            yield self._moving(subtask, place[0], self._region(thing[0]))
        elif self._moves() and other is not None and self._changes(subtask):
            yield self._moving(subtask, first[0], other)
        else:
            for number in dict.fromkeys(flat):
                yield self._scoped(subtask, number)

    def _gone_on_with(self, subtask: Subtask) -> str:
        """The region that is "it" after a wish that only told of it: "describe [1], remove it"."""
        before = self.made[-1].scope if self.made else None
        if before is None or before.how != "cut" or not _IT.search(subtask.description):
            return ""
        if self.graph.lattice.is_a(self.made[-1].returns.type, "image"):
            return ""
        return self._numbers[before.region.value] if self._changes(subtask) else ""

    def _groups(self, said: str) -> list[list[str]]:
        """The regions that are spoken of, those that are meant alike together."""
        groups: list[list[str]] = []
        end = -1
        for found in _HEARD.finditer(said):
            if found[1] not in self.regions:
                continue
            if groups and _JOINED.fullmatch(said[end : found.start()]):
                groups[-1].append(found[1])
            else:
                groups.append([found[1]])
            end = found.end()
        return groups

    def _moves(self) -> Tool | None:
        return next((tool for tool in self.graph.toolbox if tool.places == "moves"), None)

    def _changes(self, subtask: Subtask) -> bool:
        """Whether a wish about two things wants a changed picture. What takes words alone is not
        about what was pointed at: "replace [1] with [2]" replaces no word, and "where [2] is" asks
        for no place on a map."""
        ranked = sorted(subtask.ends, key=lambda name: -subtask.ends[name])
        tools = [
            tool
            for tool in map(self.graph.toolbox.__getitem__, ranked)
            if any(item.type != "text" for item in tool.args)
        ]
        return any(tool.returns.type == "image" for tool in tools[:1]) or not any(
            tool.returns.type in ("text", "category", "number") for tool in tools[:1]
        )

    def _other_picture(self, subtask: Subtask) -> TypedValue | None:
        """A picture that is named beside a region, and not the region's own."""
        own = {str(item.details["image"]) for item in self.regions.values()}
        return next(
            (
                item
                for item in subtask.args
                if item.type == "image"
                and item.value not in own
                and item not in self._latest.values()
                and (item.value in subtask.description or is_generated(item.value))
            ),
            None,
        )

    def _region(self, number: str) -> TypedValue:
        return TypedValue("mask", self.regions[number].value)

    def _picture(self, number: str) -> TypedValue:
        source = str(self.regions[number].details["image"])
        return self._latest.get(source, TypedValue(self.types.get(source, "image"), source))

    def _moving(
        self, subtask: Subtask, place: str, thing: TypedValue, swaps: bool = False
    ) -> Subtask:
        """Something is put where a region is."""
        tool = self._moves()
        assert tool is not None
        said = subtask.description
        own = self._picture(self._numbers[thing.value]) if thing.type == "mask" else None
        scope = Scope(
            "move",
            str(self.regions[place].details["image"]),
            self._picture(place),
            self._region(place),
            own or thing,
            thing if own else None,
            tuple(
                name
                for name, is_so in (
                    ("swaps", swaps),
                    ("copies", bool(_COPIES.search(said))),
                    ("over", bool(_OVER.search(said)) and not _REPLACES.search(said)),
                )
                if is_so
            ),
        )
        files = [scope.picture, scope.region, scope.thing, scope.thing_region]
        args = tuple(dict.fromkeys(item for item in files if item is not None))
        made = replace(
            subtask,
            returns=replace(subtask.returns, type="image"),
            ends={tool.name: _SURE},
            helps={},
            lacks=(),
            other_returns=(),
            between=(),
            scope=scope,
        )
        return self._numbered(made, args)

    def _scoped(self, subtask: Subtask, number: str) -> Subtask:
        """A wish about one region."""
        said = subtask.description
        all_but = bool(_ALL_BUT.search(said))
        how, ends = self._how(subtask, all_but or bool(_REST.search(said)))
        if how == "inside" and all_but:
            how = "around"
        region, picture = self._region(number), self._picture(number)
        thing = str(self.regions[number].details.get("thing", ""))
        words = tuple(self._words(subtask, thing))
        takes_prompt = any("prompt" in roles_of(self.graph.toolbox[name].args) for name in ends)
        if how in ("inside", "around") and takes_prompt:
            words = (TypedValue("text", _order(said), "prompt"),)
        source = str(self.regions[number].details["image"])
        scope = Scope(how, source, picture, region)
        others = [
            item
            for item in subtask.args
            if not item.role
            and item.type not in ("image", "mask")
            and item.type in self.types.values()
        ]
        # Where a region marks a thing nothing has to find it.
        finds = {tool.name for tool in self.graph.toolbox if tool.returns.type in ("mask", "bbox")}
        helps = {
            name: it for name, it in subtask.helps.items() if how == "cut" or name not in finds
        }
        best = likeliest(ends)
        made = subtask.returns.type
        if best and (made == OUTSIDE or how in ("inside", "around")):
            made = self.graph.toolbox[best].returns.type
        changed = replace(
            subtask,
            returns=replace(subtask.returns, type=made),
            ends=ends,
            helps=helps,
            lacks=(),
            other_returns=() if how in ("inside", "around") else subtask.other_returns,
            between=(),
            scope=scope,
        )
        return self._numbered(changed, (picture, region, *others, *words))

    def _how(self, subtask: Subtask, around: bool) -> tuple[str, Mapping[str, float]]:
        """How a wish is meant of a region, and the scores of the tools by which it is."""
        ranked = sorted(subtask.ends, key=lambda name: (-subtask.ends[name], name))
        ways = {name: self._way_of(self.graph.toolbox[name]) for name in ranked}
        for name in ranked:
            places = self.graph.toolbox[name].places
            if places == "around" and not around:
                # "Blur [1]" wants the region itself blurred, whatever usually is.
                score = subtask.ends[name]
                inside = [one for one in ranked if ways[one] == "inside"]
                if not inside:
                    continue
                scores = {one: min(score, subtask.ends[one]) for one in inside}
                return "inside", {**scores, inside[0]: score}
            same = {one: score for one, score in subtask.ends.items() if ways[one] == ways[name]}
            return ways[name], same
        return "cut", subtask.ends

    def _way_of(self, tool: Tool) -> str:
        if any(item.type in ("mask", "bbox") for item in tool.args):
            return "mask"
        makes_picture = self.graph.lattice.is_a(tool.returns.type, "image")
        return "inside" if tool.places == "everywhere" and makes_picture else "cut"

    def _words(self, subtask: Subtask, thing: str) -> Iterator[TypedValue]:
        """The words of a wish without those that only say which region is meant."""
        called = f"the {thing}" if thing else "this"
        for item in subtask.args:
            only_says = item.role == "object" and _HEARD.search(item.value)
            if item.role and not only_says:
                yield replace(item, value=_HEARD.sub(called, item.value))

    def _keeps_places(self, subtask: Subtask) -> bool:
        """Whether a subtask leaves everything in its picture where it was."""
        scope = subtask.scope
        if scope is None or scope.how in ("inside", "around", "move"):
            return scope is not None
        best = likeliest(subtask.ends)
        return bool(best) and self.graph.toolbox[best].places in ("inside", "around")

    def _numbered(self, subtask: Subtask, args: Sequence[TypedValue]) -> Subtask:
        """A subtask as the next one, said with the numbers of regions."""
        number = len(self.made)
        said = _HEARD.sub(
            lambda it: f"[{it[1]}]" if it[1] in self.regions else it[0], subtask.description
        )
        return replace(
            subtask,
            id=number,
            description=said,
            args=tuple(args),
            deps=deps_of(args),
            returns=replace(subtask.returns, value=generated(number)),
        )


def _order(said: str) -> str:
    """What is to be done, said of all of a picture: "make it brighter"."""
    order = bare(_HEARD.sub("it", _ALL_BUT.sub("it", said))).strip(" .,!")
    return re.sub(r"\bit(?:[\s,]+(?:and\s+)?it)+\b", "it", order)
