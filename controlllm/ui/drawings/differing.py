"""What differs between two ways, what to expect of one, and what it would do, in plain words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from html import escape

from controlllm.comparing.differences import Difference, Expression, calls_of, differences
from controlllm.comparing.outlook import PUBLIC_SERVICES, Outlook, Quality, quality
from controlllm.core.plans import Solution
from controlllm.resources import Resource
from controlllm.ui.drawings.icons import icon, type_icon
from controlllm.ui.drawings.markup import attributes, quiet
from controlllm.ui.drawings.media import WORDS, Media, figure, has_thumbnail, quoted, thumbnail
from controlllm.ui.drawings.wording import seconds_label, shorten, tool_label, type_label
from controlllm.ui.texts import in_figures, say, say_html
from controlllm.ui.view import TurnView

#: Of words that are given to a tool, in characters.
_MOST_WORDS = 60
#: Of a text that is shown in small, in characters.
_MOST_SHOWN = 300


def differing(way: Solution, other: Solution) -> str:
    """What a way does otherwise than another one, as a list, with figures that compare both."""
    found = differences(way, other)
    figures = [figure for item in found for figure in quality(item.mine, item.theirs)]
    lines = [escape(_in_words(item)) for item in found] or [say_html("compare.other_inputs")]
    lines += [_figure(item) for item in figures]
    listed = "".join(f"<li>{line}</li>" for line in lines)
    return f'<ul class="differs">{listed}</ul>'


def in_one_line(way: Solution, other: Solution) -> str:
    """The same in a few words."""
    found = [_in_words(item) for item in differences(way, other)]
    return "; ".join(found) or say("compare.other_inputs")


def expected(way: Solution, outlook: Outlook | None, done: Set[Expression]) -> Iterator[str]:
    """What to expect of a way: how long it takes and what leaves the machine. `done` are calls
    whose results are there."""
    if outlook is None or way.missing:
        return
    whole, left = outlook.time(way), outlook.time(way, done)
    if left.known == len(way.actions):
        yield icon("check") + say_html("compare.is_known")
    elif whole.measured == "nowhere":
        yield icon("clock") + say_html("compare.time_nowhere")
    else:
        said = say(f"compare.time_{whole.measured}", time=seconds_label(whole.seconds))
        if left.known:
            said += " " + say("compare.time_left", time=seconds_label(left.seconds))
        yield icon("clock") + escape(said)
    for host in outlook.hosts(way):
        name = say("compare.public_services") if host == PUBLIC_SERVICES else host
        yield icon("leaves") + say_html("compare.leaves", host=name)


def done_calls(view: TurnView) -> frozenset[Expression]:
    """The calls of a turn's ways whose results are there."""
    found = set()
    for subtask, ways in view.solutions.items():
        for index, way in enumerate(ways):
            for position, call in enumerate(calls_of(way)):
                if view.action(f"{subtask}.{index}.{position}").resource is not None:
                    found.add(call)
    return frozenset(found)


def _in_words(item: Difference) -> str:
    if item.kind == "makes":
        names = {"mine": type_label(item.mine[0]), "theirs": type_label(item.theirs[0])}
        return say("compare.makes", **names)
    if item.kind == "words":
        return _words(item)
    if item.kind == "reads":
        read = {"mine": _sources(item.mine), "theirs": _sources(item.theirs)}
        return say("compare.reads", tool=tool_label(item.tool), **read)
    if item.kind == "also" and not item.tool:
        return say("compare.also_last", mine=_tools(item.mine))
    return say(
        f"compare.{item.kind}",
        mine=_tools(item.mine),
        theirs=_tools(item.theirs),
        tool=tool_label(item.tool),
    )


def _words(item: Difference) -> str:
    tool = tool_label(item.tool)
    mine, theirs = (shorten(" ".join(words), _MOST_WORDS) for words in (item.mine, item.theirs))
    if not theirs:
        return say("compare.more_words", tool=tool, mine=mine)
    if not mine:
        return say("compare.fewer_words", tool=tool, theirs=theirs)
    return say("compare.other_words", tool=tool, mine=mine, theirs=theirs)


def _tools(names: tuple[str, ...]) -> str:
    return say("compare.and_then").join(tool_label(name) for name in names)


def _sources(names: tuple[str, ...]) -> str:
    said = [
        name if "." in name else say("compare.result_of", tool=tool_label(name)) for name in names
    ]
    return ", ".join(said) or say("compare.nothing")


def _figure(item: Quality) -> str:
    return say_html(
        f"compare.{item.measure}",
        mine=in_figures(item.figure, 2),
        theirs=in_figures(item.other_figure, 2),
        count=item.things,
    )


def preview(
    view: TurnView,
    subtask: int,
    index: int,
    found: Mapping[str, Resource],
    media: Media,
    resources: Iterable[Resource],
) -> str:
    """The result of a way where it is known; else its steps, with small pictures of what goes in.

    `found` are the results of its steps that are known, by the steps' keys.
    """
    way = view.solutions[subtask][index]
    last = found.get(f"{subtask}.{index}.{len(way.actions) - 1}")
    if last is not None:
        said = say_html("compare.known_before")
        return _small(last, media) + quiet(f"{icon('check')}{said}")
    known = {item.value: item for item in resources}
    given = dict.fromkeys(value for action in way.actions for value in action.references())
    inputs = "".join(
        f'<li class="preview-given">{thumbnail(known[value], media)}</li>'
        for value in given
        if value in known
    )
    steps = ""
    for place, action in enumerate(way.actions):
        made = found.get(f"{subtask}.{index}.{place}")
        shown = thumbnail(made, media) if made is not None and has_thumbnail(made) else ""
        state, sign = ("known", "check") if made is not None else ("open", "wait")
        mark = attributes(class_=f"preview-step is-{state}", title=say(f"compare.step_{state}"))
        note = f'<span class="for-screen-readers">, {say_html(f"compare.step_{state}")}</span>'
        name = f"<span>{escape(tool_label(action.tool))}</span>"
        steps += f"<li {mark}>{icon(sign)}{name}{note}{shown}</li>"
    kind = icon(type_icon(way.actions[-1].output.type))
    return (
        f"<p>{say_html('compare.preview')}</p>"
        f'<ol class="preview-chain">{inputs}{steps}<li class="preview-given">{kind}</li></ol>'
        f"{quiet(say_html('compare.preview_steps'))}"
    )


def _small(made: Resource, media: Media) -> str:
    if has_thumbnail(made):
        return f'<div class="preview-made">{thumbnail(made, media)}</div>'
    if made.type in WORDS:
        text = shorten(media.text(made, _MOST_SHOWN), _MOST_SHOWN)
        return quoted(escape(text))
    return figure(made, media, "preview-made", caption=False)
