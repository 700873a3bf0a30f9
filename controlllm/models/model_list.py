"""Every model: those that ship with the program or its packages, and the weights to download.

Nothing is written down here: shipped models are found in the modules that use them, weights in the
tools that can use them.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import sys
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from controlllm.layout import TOOLS_PACKAGE
from controlllm.models import Model, ModelFile, encoder
from controlllm.models.weights import SIZES, Size, Weights
from controlllm.readers import wish_networks
from controlllm.toolbox import Implementation, Toolbox, ToolDefinition
from controlllm.toolbox.rooms import tool_module


@dataclass(frozen=True)
class ShippedModel:
    """A model that needs no download, its files, and the names of the tools that use it."""

    model: Model
    files: tuple[ModelFile, ...]
    tools: tuple[str, ...] = ()


@dataclass(frozen=True)
class Use:
    """A tool that can use some weights, for which role and as which size."""

    tool: str
    role: str
    size: Size


@dataclass(frozen=True)
class DownloadableWeights:
    """Weights of a model hub with every use of them."""

    weights: Weights
    uses: tuple[Use, ...]

    @property
    def tools(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(use.tool for use in self.uses))


def shipped_models(toolbox: Toolbox | None = None) -> tuple[ShippedModel, ...]:
    """The models that ship, by name, with the tools of the toolbox that use each."""
    files: dict[Model, dict[ModelFile, None]] = {}
    for module in _modules():
        for file in _files_in(vars(module).values()):
            files.setdefault(file.model, {})[file] = None
    users: dict[ModelFile, list[str]] = {}
    for name, implementations in sorted((toolbox.implementations if toolbox else {}).items()):
        for item in implementations:
            for file in files_used_by(item.function):
                users.setdefault(file, []).append(name)
    return tuple(
        ShippedModel(
            model,
            tuple(found),
            tuple(sorted({name for file in found for name in users.get(file, ())})),
        )
        for model, found in sorted(files.items(), key=lambda item: item[0].name.lower())
    )


def downloadable_weights(toolbox: Toolbox) -> tuple[DownloadableWeights, ...]:
    """All weights that some tool can use, in the order of the repositories' names."""
    found: dict[Weights, list[Use]] = {}
    for name, implementations in sorted(toolbox.implementations.items()):
        for item in implementations:
            for role, choice in item.weights.items():
                for size in SIZES:
                    if size in choice:
                        found.setdefault(choice[size], []).append(Use(name, role, size))
    return tuple(
        DownloadableWeights(weights, tuple(dict.fromkeys(uses)))
        for weights, uses in sorted(
            found.items(), key=lambda item: (item[0].repository.lower(), item[0].revision)
        )
    )


def weights_of_size(implementation: Implementation, size: Size) -> tuple[Weights, ...]:
    """The weights of a size, or of the usual one for a role that has none of that size."""
    chosen = (choice.get(size, choice["usual"]) for choice in implementation.weights.values())
    return tuple(dict.fromkeys(chosen))


def files_used_by(function: Any) -> frozenset[ModelFile]:
    """The shipped model files that a function, and all it calls within the project, may use."""
    # A module that a function imports can be looked into only once it is loaded.
    _modules()
    found: set[ModelFile] = set()
    seen: set[int] = set()
    waiting: list[Any] = [function]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, ModelFile):
            found.add(value)
        else:
            waiting.extend(_mentioned_by(value))
    return frozenset(found)


@functools.cache
def _modules() -> tuple[types.ModuleType, ...]:
    """The modules that hold shipped models and what uses them, loaded when they are first asked
    for."""
    package = tool_module()
    within = f"{TOOLS_PACKAGE}."
    elsewhere = (f"{within}hub.", f"{within}cloud.")
    inside = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(package.__path__, within)
        if not found.ispkg and not found.name.startswith(elsewhere)
    ]
    return (encoder, wish_networks, *inside)


def _files_in(values: Iterable[Any]) -> Iterator[ModelFile]:
    for value in values:
        if isinstance(value, ModelFile):
            yield value
        elif isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, ModelFile))


def _mentioned_by(value: Any) -> Iterator[Any]:
    """The values that the code of a value of the project's own refers to."""
    if isinstance(value, ToolDefinition):
        yield from (item.function for item in value.implementations)
    elif isinstance(value, functools.partial):
        yield value.func
    elif isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, tuple | list | frozenset | set):
        yield from value
    elif isinstance(value, type):
        if _is_ours(value.__module__):
            yield from vars(value).values()
    elif isinstance(value, functools.cached_property):
        yield value.func
    elif isinstance(value, property):
        yield value.fget
    elif isinstance(value, staticmethod | classmethod):
        yield value.__func__
    elif callable(value):
        plain = inspect.unwrap(value)
        if isinstance(plain, types.FunctionType) and _is_ours(plain.__module__):
            for cell in plain.__closure__ or ():
                yield cell.cell_contents
            for code in _codes(plain.__code__):
                yield from _named(code.co_names, plain.__globals__)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _named(names: tuple[str, ...], known: dict[str, Any]) -> Iterator[Any]:
    modules = []
    for name in names:
        value = known.get(name)
        if value is None:
            value = _imported_inside(name, str(known.get("__package__") or ""))
        if isinstance(value, types.ModuleType):
            modules.append(value)
        elif value is not None:
            yield value
    looked_at = set()
    while modules:
        module = modules.pop()
        if module.__name__ in looked_at or not _is_ours(module.__name__):
            continue
        looked_at.add(module.__name__)
        for value in (vars(module)[name] for name in names if name in vars(module)):
            if isinstance(value, types.ModuleType):
                modules.append(value)
            else:
                yield value


def _imported_inside(name: str, package: str) -> types.ModuleType | None:
    """The module that code of a package imports by a name: one of the project's own, named in full
    or from this package or one around it."""
    for around in (package, *(package[:place] for place in _dots_from_the_right(package))):
        found = sys.modules.get(f"{around}.{name}".rstrip("."))
        if found is not None and _is_ours(found.__name__):
            return found
    return sys.modules.get(name) if "." in name else None


def _dots_from_the_right(package: str) -> Iterator[int]:
    return (place for place in range(len(package) - 1, 0, -1) if package[place] == ".")


def _is_ours(module: str) -> bool:
    return module.startswith(f"{TOOLS_PACKAGE}.") or module in (
        encoder.__name__,
        wish_networks.__name__,
    )
