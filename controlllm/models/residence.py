"""Models in residence: loaded when first used, kept for the next use, gone when others need room.

A model stays until `release_models` lets go of all, or `release_until` of those that were used
longest ago. What it held goes back to the system at once. What somebody loads before its work can
begin is noted, so that it can be loaded ahead elsewhere.
"""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import gc
import importlib
import os
import sys
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping, Set
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from controlllm.layout import TOOLS_PACKAGE

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def memory_of(process: int | str = "self") -> int:
    """Bytes of memory that a process holds; 0 where the system does not say.

    What it shares with others, such as code of libraries and mapped files of weights, counts in
    equal parts (PSS), so that the sum over all workers is what they hold together, with weights
    that are only mapped. The private memory alone would leave those out; the resident size would
    count libraries once for each worker. The system takes 2 to 20 ms to tell.
    """
    with contextlib.suppress(OSError, ValueError, IndexError, StopIteration):
        told = _read(f"/proc/{process}/smaps_rollup")
        line = next(line for line in told.splitlines() if line.startswith(b"Pss:"))
        return int(line.split()[1]) * 1024
    return resident_size(process)


def resident_size(process: int | str = "self") -> int:
    """Bytes of memory that a process has at hand, shared ones counted whole: never less than
    `memory_of`, and told in no time. 0 where the system does not say."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(_read(f"/proc/{process}/statm").split()[1]) * _PAGE
    return 0


def reset_peak(process: int | str) -> bool:
    """Let `peak_of` tell what a process has at hand at most from here on; False where the system
    does not do so."""
    try:
        Path(f"/proc/{process}/clear_refs").write_text("5")
    except OSError:
        return False
    return True


def peak_of(process: int | str) -> int:
    """The most bytes of memory that a process had at hand; 0 where the system does not say."""
    with contextlib.suppress(OSError, ValueError, StopIteration):
        told = _read(f"/proc/{process}/status")
        line = next(line for line in told.splitlines() if line.startswith(b"VmHWM:"))
        return int(line.split()[1]) * 1024
    return 0


def _read(path: str) -> bytes:
    """A small file of the system; read so often that opening it as a path would cost too much."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 1 << 14)
    finally:
        os.close(descriptor)


_Parameters = ParamSpec("_Parameters")
_Model = TypeVar("_Model")
_Key = tuple[Any, ...]

#: The models that are loaded, the one used longest ago first.
_resident: OrderedDict[_Key, Any] = OrderedDict()
_locks: dict[_Key, threading.Lock] = {}
_registry_lock = threading.Lock()
#: Which models each user had, see `begin_use`.
_used_by: defaultdict[str, set[_Key]] = defaultdict(set)
_user = ""


def resident(load: Callable[_Parameters, _Model]) -> Callable[_Parameters, _Model]:
    """Keep what a loader returns, one for each set of arguments; safe to call from many threads.

    Who asks for a model while it is being loaded waits for it.
    """

    @wraps(load)
    def get(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Model:
        key = (load.__module__, load.__qualname__, args, tuple(sorted(kwargs.items())))
        with _registry_lock:
            lock = _locks.setdefault(key, threading.Lock())
        with lock:
            made = _resident[key] if key in _resident else load(*args, **kwargs)
            with _registry_lock:
                _resident[key] = made
                _resident.move_to_end(key)
                if _user:
                    _used_by[_user].add(key)
            return made

    get.keeps_models = True  # type: ignore[attr-defined]
    return get


def release_models() -> None:
    """Let go of every loaded model; each loads again when it is next needed."""
    with _registry_lock:
        _resident.clear()


def begin_use(user: str) -> None:
    """Note who uses models from here on; those that it used before count as just used."""
    global _user
    with _registry_lock:
        _user = user
        _used_by[user] |= set()
    keep_longest(user)


def keep_longest(user: str) -> None:
    """Let the models that a user had before leave last."""
    with _registry_lock:
        keys = _used_by.get(user, ())
        for key in [key for key in _resident if key in keys]:
            _resident.move_to_end(key)


def loads_of(user: str) -> list[_Key]:
    """How the models that a user had are loaded: module, name, arguments and named arguments."""
    with _registry_lock:
        return [key for key in _resident if key in _used_by.get(user, ())]


def complete_users() -> list[str]:
    """Who has every model loaded that it used before."""
    with _registry_lock:
        return [user for user, keys in _used_by.items() if keys <= _resident.keys()]


def release_until(most: int) -> None:
    """Let go of models, those used longest ago first, until this process holds no more than so many
    bytes or has no model left."""
    while resident_size() > most and memory_of() > most:
        with _registry_lock:
            if not _resident:
                return
            _resident.popitem(last=False)
        _give_back_memory()


def _give_back_memory() -> None:
    """Return to the system what is free in this process."""
    gc.collect()
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # there are systems without glibc
            ctypes.CDLL(None).malloc_trim(0)


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
