"""Documents that describe tools: JSON or YAML read within bounds, and the references in them.

A reference leads inside the document or, where this lies in a folder, to a file beside it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from controlllm.resources.well_formed import well_formed_value

MOST_BYTES = 16 * 1024 * 1024
#: Values in a document, each as often as it is referred to by YAML's aliases.
MOST_VALUES = 1_000_000
MOST_DEPTH = 100
MOST_FILES = 20
_MOST_STEPS = 32


class Unreadable(ValueError):
    """A document cannot be used. The message is a sentence about why."""


def parsed(content: bytes, name: str) -> Any:
    """What a document in JSON or YAML holds; raises Unreadable where it is neither, or too much."""
    if len(content) > MOST_BYTES:
        raise Unreadable(f"{name} is larger than {MOST_BYTES >> 20} MB.")
    try:
        text = content.decode("utf-8-sig")
        if text.lstrip().startswith(("{", "[")):
            try:
                found = json.loads(text)
            except ValueError:
                found = _yaml(text, name)  # which may begin so as well
        else:
            found = _yaml(text, name)
        _check_size(found, name)
        found = well_formed_value(found)
    except UnicodeDecodeError:
        raise Unreadable(f"{name} is no text in UTF-8.") from None
    except RecursionError:
        raise Unreadable(f"{name} is nested too deeply.") from None
    return found


def _check_size(found: Any, name: str) -> None:
    """Raise Unreadable where a value holds too many others, or too deep ones."""
    left, level = MOST_VALUES, [found]
    for _ in range(MOST_DEPTH):
        below: list[Any] = []
        for item in level:
            below += (
                item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
            )
            if len(below) > left:
                raise Unreadable(f"{name} holds too much: more than {MOST_VALUES:,} values.")
        left -= len(below)
        level = below
        if not level:
            return
    raise Unreadable(f"{name} is nested too deeply.")


def _yaml(text: str, name: str) -> Any:
    import yaml

    loader = _loader()
    try:
        _check_events(yaml.parse(text, Loader=loader), name)
        return yaml.load(text, Loader=loader)  # of a safe kind: see `_loader`
    except Unreadable:
        raise
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, LookupError) as error:
        # The latter where a value is none of the kind that it is marked as.
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1})" if mark is not None else ""
        raise Unreadable(f"{name} is neither JSON nor YAML{where}.") from None


def _check_events(events: Iterable[Any], name: str) -> None:
    """Raise Unreadable where a text in YAML is empty, too much, too deep, or huge or endless by its
    aliases; before anything is built that calls itself for each level."""
    import yaml

    sizes: dict[str, int] = {}
    #: The anchors of the collections that are open, and how many values each holds so far.
    above: list[tuple[str | None, int]] = []
    total = 0
    for event in events:
        size, anchor = 1, getattr(event, "anchor", None)
        if isinstance(event, yaml.CollectionStartEvent):
            above.append((anchor, 1))
            if len(above) > MOST_DEPTH:
                raise Unreadable(f"{name} is nested too deeply.")
            continue
        if isinstance(event, yaml.CollectionEndEvent):
            anchor, size = above.pop()
        elif isinstance(event, yaml.AliasEvent):
            if any(anchor == opened for opened, _ in above):
                raise Unreadable(f"{name} refers to itself by an alias.")
            size, anchor = sizes.get(event.anchor, 1), None
        elif not isinstance(event, yaml.ScalarEvent):
            continue
        if anchor:
            sizes[anchor] = size
        if above:
            above[-1] = above[-1][0], above[-1][1] + size
        total = max(total, size, above[-1][1] if above else 0)
        if total > 2 * MOST_VALUES:
            raise Unreadable(f"{name} holds too much: its aliases stand for too many values.")
    if not total:
        raise Unreadable(f"{name} is empty.")


#: Words that are more than words, with what they begin with: truth values, and numbers as JSON
#: writes them. A number with a thousand digits is none that anybody means.
_WORDS = (
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("int", r"^-?(?:0|[1-9][0-9]{0,300})$", "-0123456789"),
    (
        "float",
        r"^-?(?:0|[1-9][0-9]{0,300})(?:\.[0-9]{1,300}(?:[eE][-+]?[0-9]{1,3})?|[eE][-+]?[0-9]{1,3})$",
        "-0123456789",
    ),
)


@cache
def _loader() -> Any:
    """A loader of plain values that reads words as JSON does: neither dates nor times, neither
    "yes" nor "on", and what begins with a nought is no number."""
    import yaml

    class Plain(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        """Makes nothing but texts, numbers, truth values, lists and mappings."""

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[str, Any]:
            made = super().construct_mapping(node, deep=deep)
            return {key if isinstance(key, str) else _key(key): made[key] for key in made}

    def mapping(loader: Any, node: Any) -> Iterator[dict[str, Any]]:
        made: dict[str, Any] = {}
        yield made
        made.update(loader.construct_mapping(node))

    Plain.add_constructor("tag:yaml.org,2002:map", mapping)
    within = tuple(f"tag:yaml.org,2002:{kind}" for kind in ("null", "merge"))
    Plain.yaml_implicit_resolvers = {
        first: [(tag, rule) for tag, rule in rules if tag in within]
        for first, rules in Plain.yaml_implicit_resolvers.items()
    }
    for kind, rule, first in _WORDS:
        Plain.add_implicit_resolver(f"tag:yaml.org,2002:{kind}", re.compile(rule), list(first))
    kinds = ("null", "bool", "int", "float", "str", "seq", "map")
    Plain.yaml_constructors = {
        tag: make
        for tag, make in Plain.yaml_constructors.items()
        if tag is None or tag.removeprefix("tag:yaml.org,2002:") in kinds
    }
    return Plain


def _key(key: Any) -> str:
    return {True: "true", False: "false", None: "null"}.get(key, str(key))


class Document:
    """A document with the files beside it that it refers to.

    Parameters
    ----------
    root: what the document itself holds.
    folder: where files beside it may lie; None where there are none.
    """

    def __init__(self, root: Mapping[str, Any], folder: Path | None = None) -> None:
        self.root = root
        self._folder = folder.resolve() if folder is not None else None
        self._files: dict[str, Any] = {}

    def whole(self, value: Any) -> Any:
        """A value itself, or what its reference leads to.

        Raises Unreadable where a reference leads nowhere, in a circle or where none may.
        """
        for _ in range(_MOST_STEPS):
            if not isinstance(value, Mapping) or not isinstance(value.get("$ref"), str):
                return value
            beside = {key: item for key, item in value.items() if key != "$ref"}
            target = self._at(value["$ref"])
            # In 3.1 a description may stand beside a reference and counts more than what is there.
            is_mapping = isinstance(target, Mapping) and beside
            value = {**target, **beside} if is_mapping else target
        raise Unreadable("A reference in the document leads in a circle.")

    def mapping(self, value: Any) -> Mapping[str, Any]:
        """What `whole` gives where it is a mapping, an empty one where it is not."""
        found = self.whole(value)
        return found if isinstance(found, Mapping) else {}

    def sequence(self, value: Any) -> list[Any]:
        """What `whole` gives where it is a list, an empty one where it is not."""
        found = self.whole(value)
        return found if isinstance(found, list) else []

    def _at(self, reference: str) -> Any:
        file, _, pointer = reference.partition("#")
        found = self._file(file) if file else self.root
        for part in pointer.split("/")[1:] if pointer else ():
            part = unquote(part).replace("~1", "/").replace("~0", "~")
            if isinstance(found, Mapping) and part in found:
                found = found[part]
            elif isinstance(found, list) and part.isdigit() and int(part) < len(found):
                found = found[int(part)]
            else:
                raise Unreadable(f"The reference {reference[:100]!r} leads nowhere.")
        return found

    def _file(self, name: str) -> Any:
        if name in self._files:
            return self._files[name]
        if self._folder is None or "://" in name or len(self._files) >= MOST_FILES:
            raise Unreadable(
                f"The reference {name[:100]!r} leads out of the document, which is not followed. "
                "Put everything into one document, or the files beside it."
            )
        path = (self._folder / unquote(name)).resolve()
        if not path.is_relative_to(self._folder) or not path.is_file():
            raise Unreadable(f"The reference {name[:100]!r} leads to no file beside the document.")
        if path.stat().st_size > MOST_BYTES:
            raise Unreadable(f"{path.name} is larger than {MOST_BYTES >> 20} MB.")
        here = path.parent.relative_to(self._folder)
        own = path.relative_to(self._folder).as_posix()
        self._files[name] = _based(parsed(path.read_bytes(), path.name), own, here)
        return self._files[name]


def _based(value: Any, own: str, here: Path) -> Any:
    """A value of another file with its references as seen from the document's folder."""
    if isinstance(value, list):
        return [_based(item, own, here) for item in value]
    if not isinstance(value, dict):
        return value
    changed = {key: _based(item, own, here) for key, item in value.items()}
    reference = changed.get("$ref")
    if isinstance(reference, str):
        file, mark, pointer = reference.partition("#")
        changed["$ref"] = f"{(here / file).as_posix() if file else own}{mark}{pointer}"
    return changed
