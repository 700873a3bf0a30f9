"""Models in residence: loaded when first used, kept for the next use, gone when others need room.

A model stays until `release_models` lets go of all, or `release_until` of those that were used
longest ago. What it held goes back to the system at once.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from controlllm.models.memory import memory_of, resident_size

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
