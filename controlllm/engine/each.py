"""A tool for one file, done on each of several: on every page, every chapter, every still.

A plan reads as if there were one file. Where a step is given several that an earlier one made, its
call is made once for each of them, all within one attempt, and what comes of them is several files
again, or one text where the tool tells something.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from controlllm.core.plans import Literal
from controlllm.engine.cache import Given, GivenInputs
from controlllm.resources import Member, Resource, as_text, details_of
from controlllm.resources.media_types import SUFFIXES, media_type_of
from controlllm.resources.several import member_types, take_member
from controlllm.resources.types import SEVERAL_TYPES
from controlllm.store import Store
from controlllm.toolbox import Argument, Tool, ToolError

#: What is told of each file comes as one text, what is made of each as files.
_TOLD = frozenset({"text", "title", "tags", "category", "number"})


@dataclass(frozen=True)
class OneOf:
    """One of several files with what the tool is given for it; `name` is what it is called."""

    name: str
    inputs: GivenInputs


def returned_of_each(tool: Tool) -> Argument:
    """What a tool for one file returns where it is done on each of several."""
    own = tool.returns
    if own.type in _TOLD:
        return replace(own, type="text")
    members = own.members if own.type in SEVERAL_TYPES else own.type
    return replace(own, type="files", members=members)


def unpacked(packed: Resource, store: Store, is_urgent: bool = False) -> Iterator[Resource]:
    """The members of several files as resources that are kept by themselves, each named as among
    them; `is_urgent` where they have to outlast a power cut, since nothing makes them anew.

    Raises KeyError where the files are not there any more, StoreError where one cannot be kept.
    """
    path = store.path(packed.digest, packed.media_type)
    for name, type_name in member_types(path).items():
        media_type = media_type_of(name)
        with store.work_folder() as folder:
            target = folder / f"member{SUFFIXES[media_type]}"
            take_member(path, name, target)
            digest = store.put_file(target, media_type, is_urgent=is_urgent)
        details = details_of(type_name, store.path(digest, media_type))
        yield Resource(type_name, name, digest, media_type, packed.origin, 0, details)


def for_each(tool: Tool, given: GivenInputs, store: Store) -> list[OneOf]:
    """What the tool is given for each of several files; one of no name where it is given but one.

    What takes a list gets all of them at once. Several inputs of several files go together in
    their order.

    Raises ToolError where these are not equally many, KeyError where files are not there any more.
    """
    inputs = dict(given)
    parts: dict[str, list[Resource]] = {}
    for argument in tool.args:
        found = inputs.get(argument.name)
        if found is None or argument.type in SEVERAL_TYPES:
            continue
        if argument.many:
            inputs[argument.name] = tuple(_flat(found, store))
        elif isinstance(found, Resource) and found.type in SEVERAL_TYPES:
            parts[argument.name] = list(unpacked(found, store))
    if not parts:
        return [OneOf("", inputs)]
    count = max(map(len, parts.values()))
    if any(len(members) != count for members in parts.values()):
        told = " and ".join(str(len(members)) for members in parts.values())
        raise ToolError(
            f"“{tool.in_words}” was to put several files together in pairs, and there are {told}."
        )
    first = next(iter(parts.values()))
    return [
        OneOf(
            PurePosixPath(first[place].value).stem,
            {**inputs, **{name: members[place] for name, members in parts.items()}},
        )
        for place in range(count)
    ]


def _flat(found: Given | Sequence[Given], store: Store) -> Iterator[Given]:
    for item in (found,) if isinstance(found, Literal | Resource) else found:
        if isinstance(item, Resource) and item.type in SEVERAL_TYPES:
            yield from unpacked(item, store)
        else:
            yield item


def put_together(tool: Tool, values: Sequence[tuple[str, Any]]) -> Any:
    """What a tool made of each of several files, with their names, as one value of the type of
    `returned_of_each`."""
    type_name = tool.returns.type
    if type_name in _TOLD:
        return "\n\n".join(f"**{name}**\n\n{as_text(type_name, value)}" for name, value in values)
    made: list[Member] = []
    for name, value in values:
        if type_name in SEVERAL_TYPES:
            made += [replace(member, name=f"{name} {member.name}") for member in value]
        else:
            made.append(Member(name, type_name, value))
    return tuple(made)
