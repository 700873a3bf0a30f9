"""How well tools fit a wish that the reader heard: on the paper's scale, given what is at hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from types import MappingProxyType

from controlllm.core.plans import TypedValue
from controlllm.planning.arguments import role_of, roles_of
from controlllm.planning.graph import ToolGraph, files_of
from controlllm.planning.said_wish import SaidWish
from controlllm.toolbox import Tool

#: What part of its likelihood a tool keeps that cannot be run on what a wish works on, and one
#: that could with what else there is.
_OUT_OF_REACH, _AROUND = 0.03, 0.6
#: And one that would take a table, or a PDF, for nothing but the words in it, where there are tools
#: for just this kind of file.
_AS_TEXT = 0.3
#: And what part one keeps that changes a thing or the whole, where all but the thing was meant and
#: a tool for that is at least so likely.
_INSIDE, _OTHER_PLACES = 0.1, 0.1
#: A tool is a step on the way that a wish needs where that is likelier than this.
_NEEDED = 0.5
#: The least score of a tool that makes the same as one that is needed, and of the likeliest few
#: that make the same as the likeliest: these are other ways, to be chosen by who wants them.
_TWIN, _OTHER_WAY, _OTHER_WAYS = 1.5, 3.6, 2
#: A tool may help on the way where that is likelier than this.
_MAY_HELP = 0.1
#: The likelihood that has the best score, and how much less an e-th part of it has (paper Table 7).
_JUST_THIS, _LESS = 0.9, 0.8
#: Other types of result are tried where they have at least this share of the likelihood.
_OTHER_TYPE = 0.1
#: Two types are about equally likely where one has this part of the other's likelihood or more.
_ABOUT_AS_LIKELY = 0.6
#: So many tools count where it is asked what a wish may need.
_LIKELIEST = 3


@dataclass(frozen=True)
class Fitting:
    """The tools for one wish.

    `ends` are scores 1..5 of each tool as the one that makes the result, `helps` as a step on the
    way, both by name. `likeliest` are the tools that most likely make the result, `chain` the first
    of them, the steps that are needed and what finds by words the things that it takes. `returns`
    is the type to make, `other_returns` are those that could be meant, `between` the two likeliest
    where one is about as likely as the other, `sureness` the share of the likeliest type. `lacks`
    are types of files that the likeliest tool takes and that nothing at hand can give, `takes` all
    that it takes, `needs_text` says that it works on a text, `is_told` that it takes but a
    description. `gathers` says that several files go into one result, `finds` that what the
    likeliest tool takes has to be found first, by the name of an object. `taken` are types that the
    likeliest tool, or one on the way to it, takes, `on_the_way` those that steps may make.
    """

    ends: Mapping[str, float]
    helps: Mapping[str, float]
    likeliest: tuple[Tool, ...]
    returns: str
    other_returns: tuple[str, ...]
    domains: tuple[str, ...]
    lacks: tuple[str, ...]
    sureness: float
    takes: tuple[str, ...]
    gathers: bool
    needs_text: bool
    is_told: bool
    chain: tuple[Tool, ...]
    finds: bool
    taken: frozenset[str]
    on_the_way: frozenset[str]
    between: tuple[str, ...]


def fitting(
    said: SaidWish, inputs: Sequence[TypedValue], graph: ToolGraph, beside: Sequence[str] = ()
) -> Fitting:
    """How well the tools of a graph fit a wish that works on these inputs.

    `beside` are the types of what else was handed over or made. Something can be made of words in
    quotation marks that the wish tells.
    """
    wish = said.wish
    # Whether there is something in which an answer may stand.
    has_text = bool(inputs or beside) or said.holds_text()
    given = [item.type for item in inputs]
    handed = graph.handed_types(given)
    at_hand = graph.makeable(given)
    if any(graph.lattice.is_a(name, "text") for name in given):
        # What is only another form of words, such as an address in a text.
        at_hand |= {tool.returns.type for tool in graph.toolbox if graph.is_about_text(tool)}
    steps = tuple(graph.toolbox[name] for name, likely in wish.steps.items() if likely > _NEEDED)
    # A voice that reads out a caption is conjured up, and in reach where the wish needs it.
    at_hand |= {tool.returns.type for tool in steps}
    if said.quoted:
        at_hand |= {tool.returns.type for tool in graph.toolbox if _takes_only(tool, "content")}
    around = at_hand | graph.makeable([*given, *beside])
    as_text = _AS_TEXT if _has_tools_of_its_own(given, graph) else 1.0
    shares = {
        tool.name: wish.ends[tool.name]
        * _within_reach(files_of(tool), at_hand, around)
        * (1.0 if files_of(tool) else as_text)
        * (1.0 if has_text or not _answers_from_text(tool) else _OUT_OF_REACH)
        for tool in graph.toolbox
        if tool.name in wish.ends
    }
    places = {name: graph.toolbox[name].places for name in shares}
    if said.all_but and any(
        places[n] == "around" and s >= _OTHER_PLACES for n, s in shares.items()
    ):
        shares = {n: s * (1 if places[n] == "around" else _INSIDE) for n, s in shares.items()}
    whole = sum(shares.values()) or 1.0
    shares = {name: share / whole for name, share in shares.items()}
    ranked = sorted(shares, key=lambda name: (-shares[name], name))
    likeliest = tuple(graph.toolbox[name] for name in ranked[:_LIKELIEST])
    best = graph.toolbox[max(wish.ends, key=lambda name: (wish.ends[name], name))]
    by_type: dict[str, float] = {}
    for name, share in shares.items():
        made = graph.toolbox[name].returns.type
        by_type[made] = by_type.get(made, 0.0) + share
    types = sorted(by_type, key=lambda name: (-by_type[name], name))
    returns = likeliest[0].returns.type
    others = tuple(name for name in types if name != returns and by_type[name] >= _OTHER_TYPE)
    ends = {name: score_of_share(share) for name, share in shares.items()}
    like_it = [
        name
        for name in ranked[1:]
        if graph.toolbox[name].returns.type == returns
        and files_of(graph.toolbox[name]) & handed == files_of(graph.toolbox[ranked[0]]) & handed
    ]
    for name in like_it[:_OTHER_WAYS]:
        ends[name] = max(ends[name], min(_OTHER_WAY, ends[ranked[0]] - 1))
    needed = {tool.returns.type for tool in steps}
    helps = {
        name: max(
            score_of_share(likely), _TWIN if graph.toolbox[name].returns.type in needed else 1.0
        )
        for name, likely in wish.steps.items()
    }
    for name, likely in _sought(likeliest, shares, wish.steps, handed, graph).items():
        helps[name] = max(helps.get(name, 1.0), score_of_share(likely))
    makers = _makers(likeliest[0], given, graph)
    finders = [
        maker
        for name in sorted(files_of(likeliest[0]) - handed)
        for maker in graph.producers(name)
        if graph.finds(maker) and maker not in steps
    ]
    return Fitting(
        ends=MappingProxyType(ends),
        helps=MappingProxyType(helps),
        likeliest=likeliest,
        returns=returns,
        other_returns=others,
        domains=tuple(dict.fromkeys(tool.domain for tool in likeliest)),
        lacks=tuple(sorted(files_of(best) - at_hand)),
        sureness=by_type[returns],
        takes=tuple(item.type for item in likeliest[0].required if item.type != "text"),
        gathers=_gathers(
            [best, *steps],
            given,
            graph,
            [graph.toolbox[name] for name, likely in wish.steps.items() if likely > _MAY_HELP],
        ),
        needs_text="content" in roles_of(best.required),
        is_told=_takes_only(best, "prompt"),
        chain=(likeliest[0], *steps, *finders),
        finds=any("object" in roles_of(maker.args) for maker in makers),
        taken=frozenset(
            item.type for tool in (likeliest[0], *steps, *makers) for item in tool.args
        ),
        on_the_way=frozenset(
            graph.toolbox[name].returns.type
            for name, likely in wish.steps.items()
            if likely > _MAY_HELP
        ),
        between=_about_equal(types, by_type),
    )


def _about_equal(types: Sequence[str], shares: Mapping[str, float]) -> tuple[str, ...]:
    """The two likeliest types where neither is much likelier than the other."""
    if len(types) < 2 or shares[types[1]] < _ABOUT_AS_LIKELY * shares[types[0]]:
        return ()
    return types[0], types[1]


def score_of_share(share: float) -> float:
    """A likelihood on the paper's scale 1..5 (Table 7)."""
    if share <= 0:
        return 1.0
    return round(min(5.0, max(1.0, 5.0 + _LESS * math.log(share / _JUST_THIS))), 3)


def _within_reach(files: frozenset[str], at_hand: Set[str], around: Set[str]) -> float:
    """What part of its likelihood a tool keeps that takes these types."""
    if files <= at_hand:
        return 1.0
    return _AROUND if files <= around else _OUT_OF_REACH


def _has_tools_of_its_own(given: Sequence[str], graph: ToolGraph) -> bool:
    """Whether all that is given are texts of a kind that some tools take as nothing else."""
    kinds = set(given)
    if not kinds or any(name == "text" or not graph.lattice.is_a(name, "text") for name in kinds):
        return False
    return kinds <= frozenset[str]().union(*map(files_of, graph.toolbox))


def _answers_from_text(tool: Tool) -> bool:
    """Whether a tool looks for the answer to a question in a text."""
    return not files_of(tool) and {"content", "question"} <= roles_of(tool.required)


def _takes_only(tool: Tool, role: str) -> bool:
    """Whether a tool requires nothing but words of a role: a voice needs but a text to read."""
    return not files_of(tool) and roles_of(tool.required) <= {role}


def _makers(tool: Tool, given: Sequence[str], graph: ToolGraph) -> list[Tool]:
    """The tools that make, out of files, what a tool takes and what is not given, or what those
    take in turn."""
    handed = graph.handed_types(given)
    missing, seen = set(files_of(tool) - handed), set[str]()
    found = []
    while missing:
        type_name = missing.pop()
        seen.add(type_name)
        makers = [maker for maker in graph.producers(type_name) if files_of(maker)]
        found += makers
        for maker in makers:
            missing |= files_of(maker) - handed - seen
    return found


def _sought(
    tools: Sequence[Tool],
    shares: Mapping[str, float],
    steps: Mapping[str, float],
    handed: Set[str],
    graph: ToolGraph,
) -> dict[str, float]:
    """How likely each tool is needed that finds by words what one of these takes: whoever asks what
    an island counts has to find the island first, whatever the reader thinks of finding islands.

    Of several that find the same, it is the one that the reader thinks likeliest on the way.
    """
    found: dict[str, float] = {}
    for tool in tools:
        for type_name in files_of(tool) - handed:
            finders = [maker for maker in graph.producers(type_name) if graph.finds(maker)]
            if finders:
                best = max(finders, key=lambda maker: (steps.get(maker.name, 0.0), maker.name))
                found[best.name] = found.get(best.name, 0.0) + shares[tool.name]
    return found


def _gathers(
    tools: Sequence[Tool], given: Sequence[str], graph: ToolGraph, helping: Sequence[Tool] = ()
) -> bool:
    """Whether one of the tools takes several of what is given at once, or the first is told in
    words what to do with what a `helping` tool puts together: the sums of two tables."""
    several = {type_name for type_name in given if given.count(type_name) > 1}
    for type_name in several:
        for tool in tools:
            taking = [item for item in tool.args if graph.lattice.is_a(type_name, item.type)]
            # What is asked or told of files is none of them.
            files = [i for i in taking if i.type != "text" or role_of(i) == "content"]
            if len(files) > 1 or any(item.many for item in files):
                return True
            joins = any(item.many for one in helping for item in one.args if item.type == type_name)
            if tool is tools[0] and len(taking) > 1 and joins:
                return True
    return False
