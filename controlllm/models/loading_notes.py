"""What somebody loads before its work can begin, noted so that it can be loaded ahead elsewhere."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import sys
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any

from controlllm.layout import TOOLS_PACKAGE
from controlllm.models.residence import loads_of

#: Modules of the program itself are noted however deep they lie, others with their package at most.
_OWN = ("controlllm.", f"{TOOLS_PACKAGE}.")


class _NotPlain(Exception):
    """An argument that cannot be written down."""


def note_of(user: str, known: Set[str]) -> dict[str, Any]:
    """The modules that are imported and were not `known`, in their order, and the models that a
    user had loaded, see `controlllm.models.residence.begin_use`; plain enough for JSON. Models
    whose arguments are not are left out."""
    modules = [
        name
        for name in list(sys.modules)
        if name not in known
        and not any(part.startswith("_") for part in name.split("."))
        and (name.count(".") <= 1 or name.startswith(_OWN))
    ]
    loads = []
    for module, loader, args, named in loads_of(user):
        with contextlib.suppress(_NotPlain):
            loads.append([module, loader, _plain(list(args)), _plain(dict(named))])
    return {"modules": modules, "loads": loads}


def follow(note: Mapping[str, Any]) -> None:
    """Import and load what a note names; what cannot be is left to whoever needs it."""
    for module in note["modules"]:
        with contextlib.suppress(Exception):
            importlib.import_module(module)
    for module, loader, args, named in note["loads"]:
        with contextlib.suppress(Exception):
            load = getattr(importlib.import_module(module), loader)
            # Nothing else is called, whatever a note names.
            if getattr(load, "keeps_models", False):
                load(*_made(args), **_made(named))


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Path):
        return {"path": str(value)}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {"fields": {str(name): _plain(item) for name, item in value.items()}}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        kind = type(value)
        fields = {
            field.name: _plain(getattr(value, field.name))
            for field in dataclasses.fields(value)
            if field.init
        }
        return {"of": [kind.__module__, kind.__qualname__], "fields": fields}
    raise _NotPlain


def _made(told: Any) -> Any:
    if isinstance(told, list):
        return tuple(_made(item) for item in told)
    if not isinstance(told, dict):
        return told
    if "path" in told:
        return Path(told["path"])
    fields = {name: _made(item) for name, item in told["fields"].items()}
    if "of" not in told:
        return fields
    module, name = told["of"]
    kind: Any = getattr(importlib.import_module(module), name)
    if not (isinstance(kind, type) and dataclasses.is_dataclass(kind)):
        raise TypeError(f"{name} is none of the values that a note can hold.")
    return kind(**fields)
