"""Parts of recordings that a person pointed at, in requests: "make this part louder".

A part is a recording of its own with a number, cut out of another one. What is asked of it is not
asked of all of the recording, which comes along to show where the part is from. What changes a part
(`controlllm.toolbox.Tool.places`) is followed by a tool that puts it back into the recording.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from controlllm.core.plans import Request, Scope, Subtask, TypedValue, deps_of, generated
from controlllm.planning.graph import ToolGraph
from controlllm.resources import Resource

#: What a part is called.
_PART = r"(?:\[\d{1,3}\]|it|this|that)"
#: What only says that the part is meant.
_THIS_PART = re.compile(
    r"\b(?:this|that|the\s+(?:marked|chosen|selected))\s+"
    r"(?:part|passage|section|bit|piece|span|stretch|moment|word|frame)\b"
    r"|\b(?:these|those|the\s+(?:marked|chosen|selected))\s+(?:words|seconds)\b",
    re.IGNORECASE,
)
#: Nothing shall be heard of a part, which lasts as long: it is not made shorter as a silence is.
_SILENCED = re.compile(r"\W*(?:please\W+)?(?:silence|mute)\b", re.IGNORECASE)
#: The part is to go, and what was before and after it to stay.
_LEFT_OUT = re.compile(
    r"^\W*(?:(?:please|now|then|and|can you|could you|just)\s+)*"
    r"(?:(?:remove|delete|drop|erase|skip|get\s+rid\s+of|leave\s+out|cut\s+out|take\s+out)\s+"
    rf"{_PART}|(?:cut|leave|take|throw|edit)\s+{_PART}\s+(?:out|away))"
    r"(?:\s+(?:of|from)\s+(?:the|my|it|this)?\s*[\w\s.-]*)?\W*$",
    re.IGNORECASE,
)
#: A subtask goes on with these words what the one before began.
_AND = " and "


def is_part(resource: Resource) -> bool:
    """Whether a resource is a part, or a frame, of a recording that somebody pointed at."""
    return {"number", "span", "image"} <= resource.details.keys()


def about_parts(request: Request) -> Request:
    """A request without the recordings whose parts alone are meant.

    Parts are meant that are named by their numbers, else those that came along.
    """
    parts = {item.value: item for item in request.resources if is_part(item)}
    named = [value for value in parts if value in request.text]
    meant = named or [value for value in request.attached if value in parts]
    if not meant:
        return request
    text = request.text if named or len(meant) > 1 else _THIS_PART.sub(meant[0], request.text)
    sources = {str(parts[value].details["image"]) for value in meant}
    for value in sources:
        # "[1] of talk.wav" only says where it is from.
        text = re.sub(rf"({_PART})\s+(?:out\s+)?(?:of|from|in)\s+{re.escape(value)}", r"\1", text)
    left = {value for value in {*sources, *parts} if value not in meant and value not in text}
    attached = [value for value in request.attached if value not in left]
    return replace(
        request,
        text=text,
        resources=tuple(item for item in request.resources if item.value not in left),
        there=tuple(item for item in request.there if item.value not in left),
        attached=tuple(dict.fromkeys([*attached, *meant])),
    )


def at_hand(resources: Sequence[Resource], meant: Sequence[str]) -> tuple[Resource, ...]:
    """The resources that may be worked on where those `meant` are asked about: of parts of
    recordings only they, since an answer about all of the recording would be none."""
    about = tuple(item for item in resources if item.value in meant)
    return about if any(map(is_part, about)) else tuple(resources)


def in_recordings(
    subtasks: Sequence[Subtask], request: Request, graph: ToolGraph
) -> tuple[Subtask, ...]:
    """Subtasks about parts as subtasks about parts of their recordings, which `request` knows.

    What several changes of one recording make goes on from each other.
    """
    parts = {
        item.value: item
        for item in request.resources
        if is_part(item) and item.type in ("audio", "video") and "end" in item.details
    }
    known = {item.value: item for item in request.resources}
    if not any(it.value in parts for subtask in subtasks for it in subtask.args):
        return tuple(subtasks)
    made: list[Subtask] = []
    #: The numbers of subtasks as they were read, and the results that they have become part of.
    now: dict[str, TypedValue] = {}
    latest: dict[str, tuple[TypedValue, list[Resource]]] = {}
    for subtask in subtasks:
        subtask = replace(
            subtask, args=tuple(it if it.role else now.get(it.value, it) for it in subtask.args)
        )
        files = [item for item in subtask.args if not item.role]
        before = made[-1] if made else None
        if before is not None and _goes_on(subtask, files, before, graph):
            made[-1] = _with_more(before, subtask)
            now[subtask.returns.value] = before.returns
            continue
        part = parts.get(files[0].value) if len(files) == 1 else None
        whole = known.get(str(part.details["image"])) if part is not None else None
        scoped = subtask
        if part is not None and whole is not None and _best(subtask, graph) == part.type:
            picture, changed = latest.get(whole.value, (TypedValue.of(whole), []))
            scoped = _scoped(subtask, part, whole, picture, changed)
        number = len(made)
        returns = replace(scoped.returns, value=generated(number))
        now[subtask.returns.value] = returns
        read = [*scoped.args, *([scoped.scope.picture] if scoped.scope else [])]
        made.append(replace(scoped, id=number, returns=returns, deps=deps_of(read)))
        if part is not None and whole is not None and scoped.scope is not None:
            latest[whole.value] = (returns, [*latest.get(whole.value, (returns, []))[1], part])
    return tuple(made)


def _best(subtask: Subtask, graph: ToolGraph) -> str:
    """The type of recording that the likeliest tool changes in place; empty where it does not."""
    if _LEFT_OUT.match(subtask.description) or _SILENCED.match(subtask.description):
        return next((it.type for it in subtask.args if not it.role), "")
    best = likeliest(subtask.ends)
    tool = graph.toolbox[best] if best else None
    return tool.returns.type if tool is not None and tool.places == "everywhere" else ""


def _scoped(
    subtask: Subtask,
    part: Resource,
    whole: Resource,
    picture: TypedValue,
    changed: Sequence[Resource],
) -> Subtask:
    """A wish about a part, of which the rest of the recording stays as it is.

    `changed` are the parts of it that were changed before, perhaps to other lengths: where all of
    them lie before this one, it is found by its distance from the end, which they left alone.
    """
    start, end = float(part.details["start"]), float(part.details["end"])
    seconds = float(whole.details.get("seconds", 0.0))
    if changed and seconds and all(float(it.details["end"]) <= start for it in changed):
        start, end = start - seconds, min(end - seconds, 0.0)
    region = TypedValue.of(part)
    is_left_out = bool(_LEFT_OUT.match(subtask.description))
    scope = Scope(
        "without" if is_left_out else "part", whole.value, picture, region, times=(start, end)
    )
    args = tuple(
        replace(it, value=_named_it(it.value, part)) if it.role else it for it in subtask.args
    )
    return replace(
        subtask,
        args=args,
        returns=replace(subtask.returns, type=part.type),
        other_returns=(),
        between=(),
        lacks=(),
        scope=scope,
    )


def _named_it(said: str, part: Resource) -> str:
    return said.replace(part.value, "it")


def _goes_on(
    subtask: Subtask, files: Sequence[TypedValue], before: Subtask, graph: ToolGraph
) -> bool:
    """Whether a wish goes on changing, by the same tool, the part that the one before changed."""
    return (
        before.scope is not None
        and before.scope.how == "part"
        and list(files) == [before.returns]
        and likeliest(subtask.ends) == likeliest(before.ends) != ""
        and _best(subtask, graph) == before.returns.type
        and any(it.role == "prompt" for it in before.args)
    )


def _with_more(before: Subtask, subtask: Subtask) -> Subtask:
    more = next((it.value for it in subtask.args if it.role == "prompt"), subtask.description)
    args = tuple(
        replace(it, value=it.value + _AND + more) if it.role == "prompt" else it
        for it in before.args
    )
    return replace(before, args=args, description=before.description + _AND + subtask.description)


def likeliest(ends: Mapping[str, float]) -> str:
    """The tool that most likely makes a result, of the scores of tools; empty where none does."""
    return max(ends, key=lambda name: (ends[name], name), default="")
