"""All tools with their implementations: the project's own and those of other folders."""

from __future__ import annotations

import importlib
import importlib.util
import json
import pkgutil
import sys
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from controlllm.core.reasons import Reason
from controlllm.layout import TOOLS_PACKAGE
from controlllm.resources import TypeLattice, plain_name
from controlllm.toolbox.capabilities import ALONE, Capabilities
from controlllm.toolbox.definitions import DefinitionError, ToolDefinition
from controlllm.toolbox.implementations import RUNTIMES, Implementation, Runtime, _has_gpu_for
from controlllm.toolbox.rooms import tool_module
from controlllm.toolbox.tools import Argument, Tool

PACKAGE_FOLDER = Path(__file__).resolve().parents[2]
#: What lies among the rooms of tools and defines none.
_WITHOUT_TOOLS = frozenset({"cloud", "hub", "shared"})


@dataclass(frozen=True)
class Toolbox:
    """The registry of tools. Names are unique; aliases find the same tool. `folders` are those
    that tools of one's own were read from, `own` is the toolbox without tools from elsewhere where
    it has such."""

    tools: tuple[Tool, ...] = ()
    implementations: Mapping[str, tuple[Implementation, ...]] = field(default_factory=dict)
    lattice: TypeLattice = field(default_factory=TypeLattice)
    folders: tuple[Path, ...] = ()
    own: Toolbox | None = None

    def __post_init__(self) -> None:
        names: set[str] = set()
        for item in self.tools:
            for name in (item.name, *item.aliases):
                if name in names:
                    raise DefinitionError(f"Two tools are called {name!r}; rename one of them.")
                names.add(name)
        object.__setattr__(
            self,
            "_by_name",
            {name: item for item in self.tools for name in (item.name, *item.aliases)},
        )

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self.tools)

    def __contains__(self, name: str) -> bool:
        return name in self._by_name  # type: ignore[attr-defined]

    def __getitem__(self, name: str) -> Tool:
        """The tool of this name or alias; raises KeyError with the name where there is none."""
        return self._by_name[name]  # type: ignore[attr-defined]

    def is_foreign(self, name: str) -> bool:
        """Whether the tool of this name is from elsewhere; `name` need not be one's here."""
        return self.own is not None and name not in self.own

    def is_shipped(self, name: str) -> bool:
        """Whether the tool of this name is one of the program's own rooms."""
        return any(
            way.function.__module__.partition(".")[0] == TOOLS_PACKAGE
            for way in self.implementations.get(name, ())
        )

    def available(
        self,
        name: str,
        capabilities: Capabilities = ALONE,
        preference: Sequence[Runtime] = RUNTIMES,
    ) -> tuple[Implementation, ...]:
        """The implementations of a tool that can run here, the preferred ones first."""
        found = [
            implementation
            for implementation in self.implementations.get(self[name].name, ())
            if implementation.runtime in preference
            and implementation.reason_unavailable(capabilities) is None
        ]
        found.sort(key=lambda implementation: preference.index(implementation.runtime))
        return tuple(found)

    def with_weights(self, name: str, capabilities: Capabilities = ALONE) -> Implementation | None:
        """A tool's first implementation with downloaded weights that this machine is made for; the
        first of all where it is made for none, None where the tool has none."""
        found = [way for way in self.implementations.get(self[name].name, ()) if way.weights]
        fitting = [way for way in found if _has_gpu_for(way, capabilities)]
        return next(iter(fitting + found), None)

    def reasons_unavailable(
        self, capabilities: Capabilities = ALONE, preference: Sequence[Runtime] = RUNTIMES
    ) -> dict[str, str]:
        """Why a tool cannot run here, in words, by the name of every tool that cannot."""
        return {
            tool.name: self.reason_unavailable(tool.name, capabilities)
            for tool in self.tools
            if not self.available(tool.name, capabilities, preference)
        }

    def reason_unavailable(self, name: str, capabilities: Capabilities = ALONE) -> str:
        """Why no implementation of a tool can run here, in words: what a person can most easily
        do about it. That a GPU or a program elsewhere would do is said only where nothing else
        would.
        """
        ways = self.implementations.get(self[name].name, ())
        easy = [way for way in ways if not way.is_hosted and _has_gpu_for(way, capabilities)]
        reasons = [way.reason_unavailable(capabilities) for way in easy or ways]
        told = tuple(dict.fromkeys(filter(None, reasons)))
        return Reason.one_of(told) if told else Reason("nothing here can do it", "nothing")

    @classmethod
    def of(cls, definitions: Iterable[ToolDefinition]) -> Toolbox:
        """A toolbox of definitions, in the order of their names so that order never matters."""
        ordered = sorted(definitions, key=lambda definition: definition.tool.name)
        return cls(
            tuple(definition.tool for definition in ordered),
            {definition.tool.name: tuple(definition.implementations) for definition in ordered},
        )

    @classmethod
    def load(cls, *folders: Path) -> Toolbox:
        """The project's own tools and those of every module in the extra `folders`."""
        own = tool_module()
        modules = [*_modules_of(own)]
        for room in _rooms_of(own):
            modules += _modules_of(room)
        for folder in folders:
            if not Path(folder).is_dir():
                raise DefinitionError(f"There is no folder of tools at {folder}.")
            modules.extend(_import_file(path) for path in sorted(Path(folder).glob("[!_]*.py")))
        return replace(cls.of(definitions_in(modules)), folders=tuple(map(Path, folders)))

    @classmethod
    def from_catalogue(cls, entries: Sequence[Mapping[str, Any]]) -> Toolbox:
        """A toolbox to plan with and not to run: a list of tools in JSON, whose types may be
        dotted (``image.mask``).

        Raises ValueError with the entry's position and what is wrong with it.
        """
        tools = []
        dotted: list[str] = []
        for position, entry in enumerate(entries):
            try:
                args = tuple(_catalogue_argument(item, dotted) for item in entry["args"])
                returned = entry["returns"]
                if len(returned) != 1:
                    raise ValueError(f"it has {len(returned)} returns, expected one")
                tools.append(
                    Tool(
                        str(entry["name"]),
                        str(entry["description"]),
                        str(entry.get("domain", "general")),
                        args,
                        _catalogue_argument(returned[0], dotted),
                        tuple(entry.get("examples", ())),
                    )
                )
            except (KeyError, TypeError, ValueError) as error:
                what = f"it has no {error}" if isinstance(error, KeyError) else str(error)
                raise ValueError(f"Tool {position} of the catalogue: {what}.") from error
        tools.sort(key=lambda item: item.name)
        return cls(tuple(tools), {}, TypeLattice().extended(dotted))


def read_catalogue(path: Path) -> Toolbox:
    """A toolbox from a JSON file; raises ValueError with the file's name where it is not one."""
    try:
        entries = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise ValueError(f"{path.name} could not be read as a list of tools: {error}") from error
    if not isinstance(entries, list):
        raise ValueError(f"{path.name} holds no list of tools.")
    return Toolbox.from_catalogue(entries)


def _catalogue_argument(item: Mapping[str, Any], dotted: list[str]) -> Argument:
    dotted.append(str(item["type"]))
    return Argument(
        str(item["name"]), plain_name(str(item["type"])), str(item.get("description", ""))
    )


def _rooms_of(package: types.ModuleType) -> Iterator[types.ModuleType]:
    """The packages in a package that define tools."""
    for found in pkgutil.iter_modules(package.__path__):
        if found.ispkg and found.name not in _WITHOUT_TOOLS:
            yield importlib.import_module(f"{package.__name__}.{found.name}")


def _modules_of(package: types.ModuleType) -> Iterator[types.ModuleType]:
    """The modules that lie in a package itself."""
    for found in pkgutil.iter_modules(package.__path__):
        if not found.ispkg:
            yield importlib.import_module(f"{package.__name__}.{found.name}")


def _import_file(path: Path) -> types.ModuleType:
    specification = importlib.util.spec_from_file_location(f"added_tools_{path.stem}", path)
    if specification is None or specification.loader is None:
        raise ImportError(f"{path} cannot be imported as a module of tools.")
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    try:
        specification.loader.exec_module(module)
    except DefinitionError:
        raise
    except Exception as error:
        raise DefinitionError(
            f"The file of tools {path.name} cannot be read: {type(error).__name__}: {error}"
        ) from error
    return module


def definitions_in(modules: Iterable[types.ModuleType]) -> Iterator[ToolDefinition]:
    """The tools that modules define, one by one or as a mapping that holds a family."""
    seen: set[int] = set()
    for module in modules:
        for value in vars(module).values():
            for found in value.values() if isinstance(value, Mapping) else (value,):
                if isinstance(found, ToolDefinition) and id(found) not in seen:
                    seen.add(id(found))
                    yield found
