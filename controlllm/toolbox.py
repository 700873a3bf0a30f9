"""Tools, their implementations, and the toolbox that holds them.

A tool is a promise: a description, a domain, typed arguments and a return (paper Sec. 3.2.1). An
implementation keeps it on one runtime. Authors write both with the `tool` decorator::

    @tool(domain="image-editing", examples=["Erase the car from this photo."])
    def image_inpainting(image: Image, mask: Mask) -> Image:
        \"\"\"Fill the masked area so that it matches what surrounds it.\"\"\"

    @image_inpainting.implementation("embedded")
    def _(image, mask): ...

    @image_inpainting.implementation("hub", weights={"model": INPAINTING}, packages=DIFFUSERS)
    def _(image, mask, context): ...  # context.weights["model"] is the folder of the weights

A function with a body is its own embedded implementation.
"""

from __future__ import annotations

import copy
import dis
import importlib
import importlib.util
import inspect
import json
import pkgutil
import re
import sys
import tempfile
import threading
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from controlllm.resources import Box, TypeLattice, plain_name, resource_type_of
from controlllm.surroundings import ALONE, Surroundings
from controlllm.weights import Size, Weights, size_in_words

Runtime = Literal["embedded", "hub", "cloud"]
RUNTIMES: tuple[Runtime, ...] = ("embedded", "hub", "cloud")

DOMAINS = (
    "question-answering",
    "visual-question-answering",
    "natural-language-processing",
    "image-perception",
    "image-generation",
    "image-editing",
    "image-processing",
    "video-perception",
    "video-processing",
    "video-editing",
    "video-generation",
    "video-question-answering",
    "audio-perception",
    "audio-generation",
    "audio-editing",
    "public-api",
    "general",
)

PACKAGE_FOLDER = Path(__file__).resolve().parent.parent


class ToolError(Exception):
    """A tool could not do its work. The message is a sentence for the person who asked."""


class Unavailable(ToolError):
    """An implementation cannot run here. The message says why and how to get it."""


class Cancelled(Exception):
    """The person stopped the run; raised by `Context.check`."""


class Undecided(Exception):
    """What a tool was told may mean any of these `boxes`; raised by `Context.which` where a person
    can be asked."""

    def __init__(self, boxes: Sequence[Box], thing: str) -> None:
        super().__init__(thing)
        self.boxes = tuple(boxes)
        self.thing = thing


class DefinitionError(TypeError):
    """A tool is not written as a tool must be. The message names the tool and what to change."""


@dataclass(frozen=True)
class Argument:
    """One argument or the return of a tool. `many` takes a list of resources of the type."""

    name: str
    type: str
    description: str = ""
    many: bool = False
    optional: bool = False


@dataclass(frozen=True)
class Parameter:
    """A plain setting of a tool (a number, a choice), outside the tool graph."""

    name: str
    default: Any
    description: str = ""


@dataclass(frozen=True)
class Tool:
    """A node of the tool graph: description, domain, args and return (paper Sec. 3.2.1)."""

    name: str
    description: str
    domain: str
    args: tuple[Argument, ...]
    returns: Argument
    examples: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    aliases: tuple[str, ...] = ()

    @property
    def required(self) -> tuple[Argument, ...]:
        return tuple(argument for argument in self.args if not argument.optional)


class Context:
    """What an implementation may ask of the run: say how far it is, stop in time, keep files.

    Parameters
    ----------
    report: called with a fraction 0..1 and a few words.
    cancelled: set when the person stops the run.
    folder: where the implementation writes new files; made on first use where not given.
    surroundings: what it may use.
    weights: the folders of its downloaded weights, by their role.
    chosen: what a person answered to `which`, one place for each time that it asks; None where
        there is nobody to ask.
    """

    def __init__(
        self,
        report: Callable[[float, str], None] | None = None,
        cancelled: threading.Event | None = None,
        folder: Path | None = None,
        surroundings: Surroundings = ALONE,
        weights: Mapping[str, Path] | None = None,
        chosen: Sequence[int] | None = None,
    ) -> None:
        self._report = report
        self._cancelled = cancelled
        self._folder = folder
        self.surroundings = surroundings
        self.weights: Mapping[str, Path] = weights or {}
        self._left = None if chosen is None else list(chosen)
        #: Filled by `which` and shared by copies of this context.
        self._guesses: list[str] = []

    def with_weights(self, weights: Mapping[str, Path]) -> Context:
        """The same context with the folders of downloaded weights."""
        changed = copy.copy(self)
        changed.weights = weights
        return changed

    def part(self, first: float, last: float) -> Context:
        """The same context for a part of the run, whose progress 0..1 is `first`..`last` of it."""
        changed = copy.copy(self)
        changed._report = lambda fraction, words: self.progress(
            first + (last - first) * fraction, words
        )
        return changed

    def progress(self, fraction: float, words: str = "") -> None:
        """Tell how much is done, 0..1; raises Cancelled where the person stopped the run."""
        self.check()
        if self._report is not None:
            self._report(min(max(fraction, 0.0), 1.0), words)

    def which(self, boxes: Sequence[Box], thing: str) -> int:
        """The place of the box that is meant, where `thing` names one and fits several as well.

        The first, the best guess, where nobody can be asked; raises Undecided where a person can
        be and has not answered yet.
        """
        if self._left is None:
            self._guesses.append(thing)
            return 0
        if not self._left:
            raise Undecided(boxes, thing)
        return min(self._left.pop(0), len(boxes) - 1)

    @property
    def has_guessed(self) -> bool:
        """Whether `which` was answered by nobody."""
        return bool(self._guesses)

    def check(self) -> None:
        """Raise Cancelled where the person stopped the run."""
        if self._cancelled is not None and self._cancelled.is_set():
            raise Cancelled

    @property
    def folder(self) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="controlllm-"))
        self._folder.mkdir(parents=True, exist_ok=True)
        return self._folder


#: The choice of downloaded weights for one role: by size, "usual" at least.
Choice = Mapping[Size, Weights]
Check = Callable[[Surroundings], str | None]


@dataclass(frozen=True)
class Implementation:
    """One way to keep a tool's promise.

    `packages` are the import names it needs; `weights` the downloaded weights by their role;
    `needs_gpu` says that without one it would take unbearably long; `check` returns None where it
    can run in given surroundings, else the reason in words; `is_hosted` says that a program named
    in the settings does the work; `memory` is what it needs loaded ("200 MiB"); `version` changes
    when its results do, since results are cached by it; `deterministic` says that equal inputs give
    equal results.
    """

    tool: str
    runtime: Runtime
    function: Callable[..., Any]
    packages: tuple[str, ...] = ()
    check: Check | None = None
    memory: str = ""
    version: str = "1"
    deterministic: bool = True
    weights: Mapping[str, Choice] = field(default_factory=dict)
    needs_gpu: bool = False
    is_hosted: bool = False

    @property
    def name(self) -> str:
        return f"{self.tool}/{self.runtime}"

    def reason_unavailable(self, surroundings: Surroundings = ALONE) -> str | None:
        """Why this cannot run here, in words, or None where it can."""
        if not _has_gpu_for(self, surroundings):
            return "needs a GPU, and none was found here"
        missing = self.missing_weights(surroundings)
        if missing:
            size = size_in_words(sum(weights.size for weights in missing))
            return f"needs weights, {size}: `python -m controlllm models pull {self.tool}`"
        for package in self.packages:
            if not _is_installed(package):
                said = f"needs the Python package {package}, which is not installed here"
                hint = f"; `python -m controlllm models pull {self.tool}` installs it"
                return said + (hint if self.runtime == "hub" else "")
        return self.check(surroundings) if self.check is not None else None

    def missing_weights(self, surroundings: Surroundings = ALONE) -> tuple[Weights, ...]:
        """The weights that it would use and that are not here."""
        chosen = surroundings.weights_of(self.weights).values()
        return tuple(dict.fromkeys(weights for weights in chosen if not weights.is_here))

    def identity(self, surroundings: Surroundings = ALONE) -> tuple[str, ...]:
        """What a result depends on besides its inputs: implementation, weights, cloud models."""
        found = [self.name, self.version]
        found += [
            f"{role}={weights.repository}@{weights.revision}"
            for role, weights in sorted(surroundings.weights_of(self.weights).items())
        ]
        if self.runtime == "cloud":
            endpoint, hosted = surroundings.endpoint, surroundings.hosted.get(self.tool)
            # Their printed forms hold no key.
            found += [repr(endpoint) if endpoint else "", repr(hosted) if hosted else ""]
        return tuple(found)

    def run(self, inputs: Mapping[str, Any], context: Context) -> Any:
        """Call the function with the inputs, and the context where it asks for one."""
        if "context" not in inspect.signature(self.function).parameters:
            return self.function(**inputs)
        if self.weights:
            chosen = context.surroundings.weights_of(self.weights)
            context = context.with_weights({role: item.folder for role, item in chosen.items()})
        return self.function(**inputs, context=context)


def _has_gpu_for(way: Implementation, surroundings: Surroundings) -> bool:
    return not way.needs_gpu or bool(surroundings.accelerator)


#: Packages that were found once; looking for one takes a while, and this is asked all the time.
_installed: set[str] = set()


def _is_installed(package: str) -> bool:
    if package not in _installed and importlib.util.find_spec(package) is not None:
        _installed.add(package)
    return package in _installed


class ToolDefinition:
    """What the `tool` decorator makes of a function: the tool and its implementations."""

    def __init__(self, tool: Tool) -> None:
        self.tool = tool
        self.implementations: list[Implementation] = []
        self._input_names = [argument.name for argument in tool.args]
        self._input_names += [parameter.name for parameter in tool.parameters]

    def implementation(
        self,
        runtime: Runtime,
        *,
        packages: Sequence[str] = (),
        check: Check | None = None,
        memory: str = "",
        version: str = "1",
        deterministic: bool = True,
        weights: Mapping[str, Choice] | None = None,
        needs_gpu: bool = False,
        is_hosted: bool = False,
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Say how the tool's promise is kept on a runtime. Several may share a runtime: the first
        that can run here does, the next takes over where it fails."""
        if runtime not in RUNTIMES:
            raise DefinitionError(
                f"Tool {self.tool.name}: runtime is {runtime!r}, expected one of {RUNTIMES}."
            )
        for role, choice in (weights or {}).items():
            if "usual" not in choice:
                raise DefinitionError(
                    f"Tool {self.tool.name}: its weights {role!r} have no usual size."
                )

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            expected = set(self._input_names)
            found = set(inspect.signature(function).parameters) - {"context"}
            if found != expected:
                raise DefinitionError(
                    f"Tool {self.tool.name}: its {runtime} implementation takes "
                    f"{sorted(found)}, expected {sorted(expected)}."
                )
            self.implementations.append(
                Implementation(
                    self.tool.name,
                    runtime,
                    function,
                    tuple(packages),
                    check,
                    memory,
                    version,
                    deterministic,
                    weights or {},
                    needs_gpu,
                    is_hosted,
                )
            )
            return function

        return register

    def __call__(self, *args: Any, context: Context | None = None, **kwargs: Any) -> Any:
        """Run the first implementation that can run here, as a plain function."""
        inputs = {**dict(zip(self._input_names, args, strict=False)), **kwargs}
        for argument in self.tool.args:
            if argument.optional:
                inputs.setdefault(argument.name, None)
        for parameter in self.tool.parameters:
            inputs.setdefault(parameter.name, parameter.default)
        context = context or Context()
        reasons = []
        for implementation in self.implementations:
            reason = implementation.reason_unavailable(context.surroundings)
            if reason is None:
                return implementation.run(inputs, context)
            reasons.append(reason)
        raise Unavailable(f"{self.tool.name} cannot run here: {'; '.join(reasons) or 'no way'}.")


def tool(
    *,
    domain: str,
    examples: Sequence[str] = (),
    aliases: Sequence[str] = (),
    packages: Sequence[str] = (),
    memory: str = "",
    version: str = "1",
) -> Callable[[Callable[..., Any]], ToolDefinition]:
    """Make a tool of a function with typed arguments, a typed return and a docstring.

    Raises DefinitionError, with the tool's name and what was expected, where the function is not
    written so.
    """

    def define(function: Callable[..., Any]) -> ToolDefinition:
        definition = ToolDefinition(_read_tool(function, domain, examples, aliases))
        if not _is_promise_only(function):
            definition.implementation(
                "embedded", packages=packages, memory=memory, version=version
            )(function)
        return definition

    return define


def _is_promise_only(function: Callable[..., Any]) -> bool:
    ignored = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}
    return all(step.opname in ignored for step in dis.get_instructions(function)) and not any(
        step.opname == "LOAD_CONST" and step.argval is not None
        for step in dis.get_instructions(function)
    )


def _read_tool(
    function: Callable[..., Any], domain: str, examples: Sequence[str], aliases: Sequence[str]
) -> Tool:
    name = function.__name__
    if domain not in DOMAINS:
        raise DefinitionError(f"Tool {name}: domain is {domain!r}, expected one of {DOMAINS}.")
    if not function.__doc__:
        raise DefinitionError(f"Tool {name}: it has no docstring; the planner reads it.")
    hints = typing.get_type_hints(function, include_extras=True)
    description, notes = _read_docstring(function.__doc__)
    args: list[Argument] = []
    parameters: list[Parameter] = []
    for item in inspect.signature(function).parameters.values():
        if item.name == "context":
            continue
        hint = hints.get(item.name)
        note = notes.get(item.name, "")
        type_name, many, optional = _read_hint(hint)
        has_default = item.default is not inspect.Parameter.empty
        if type_name is not None:
            args.append(Argument(item.name, type_name, note, many, optional or has_default))
        elif has_default and hint in (int, float, bool, str):
            parameters.append(Parameter(item.name, item.default, note))
        else:
            raise DefinitionError(
                f"Tool {name}: argument {item.name!r} has the type {hint!r}, expected a resource "
                "type of controlllm.resources (Image, Text, ...), or int, float, bool or str with "
                "a default."
            )
    returned, many, _ = _read_hint(hints.get("return"))
    if returned is None or many:
        raise DefinitionError(
            f"Tool {name}: it returns {hints.get('return')!r}, expected one resource type of "
            "controlllm.resources."
        )
    return Tool(
        name,
        description,
        domain,
        tuple(args),
        Argument("result", returned, notes.get("returns", "")),
        tuple(examples),
        tuple(parameters),
        tuple(aliases),
    )


def _read_hint(hint: Any) -> tuple[str | None, bool, bool]:
    """The resource type of a hint, whether it is a list of them, whether None is allowed."""
    optional = False
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        options = [option for option in typing.get_args(hint) if option is not type(None)]
        optional = len(options) < len(typing.get_args(hint))
        if len(options) != 1:
            return None, False, optional
        hint = options[0]
    found = resource_type_of(hint)
    if found is not None:
        return found, False, optional
    if typing.get_origin(hint) is list:
        return resource_type_of(typing.get_args(hint)[0]), True, optional
    return None, False, optional


def _read_docstring(docstring: str) -> tuple[str, dict[str, str]]:
    """The description, and what an ``Args:`` section says of each argument."""
    head, _, tail = inspect.cleandoc(docstring).partition("\nArgs:")
    notes = dict(re.findall(r"^\s*(\w+):\s*(.+)$", tail, re.MULTILINE))
    return " ".join(head.split()), notes


@dataclass(frozen=True)
class Toolbox:
    """The registry of tools. Names are unique; aliases find the same tool. `folders` are those
    that tools of one's own were read from."""

    tools: tuple[Tool, ...] = ()
    implementations: Mapping[str, tuple[Implementation, ...]] = field(default_factory=dict)
    lattice: TypeLattice = field(default_factory=TypeLattice)
    folders: tuple[Path, ...] = ()

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

    def available(
        self,
        name: str,
        surroundings: Surroundings = ALONE,
        preference: Sequence[Runtime] = RUNTIMES,
    ) -> tuple[Implementation, ...]:
        """The implementations of a tool that can run here, the preferred ones first."""
        found = [
            implementation
            for implementation in self.implementations.get(self[name].name, ())
            if implementation.runtime in preference
            and implementation.reason_unavailable(surroundings) is None
        ]
        found.sort(key=lambda implementation: preference.index(implementation.runtime))
        return tuple(found)

    def with_weights(self, name: str, surroundings: Surroundings = ALONE) -> Implementation | None:
        """A tool's first implementation with downloaded weights that this machine is made for; the
        first of all where it is made for none, None where the tool has none."""
        found = [way for way in self.implementations.get(self[name].name, ()) if way.weights]
        fitting = [way for way in found if _has_gpu_for(way, surroundings)]
        return next(iter(fitting + found), None)

    def reasons_unavailable(
        self, surroundings: Surroundings = ALONE, preference: Sequence[Runtime] = RUNTIMES
    ) -> dict[str, str]:
        """Why a tool cannot run here, in words, by the name of every tool that cannot."""
        return {
            tool.name: self.reason_unavailable(tool.name, surroundings)
            for tool in self.tools
            if not self.available(tool.name, surroundings, preference)
        }

    def reason_unavailable(self, name: str, surroundings: Surroundings = ALONE) -> str:
        """Why no implementation of a tool can run here, in words: what a person can most easily
        do about it. That a GPU or a program elsewhere would do is said only where nothing else
        would.
        """
        ways = self.implementations.get(self[name].name, ())
        easy = [way for way in ways if not way.is_hosted and _has_gpu_for(way, surroundings)]
        reasons = [way.reason_unavailable(surroundings) for way in easy or ways]
        return "; or ".join(dict.fromkeys(filter(None, reasons))) or "nothing here can do it"

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
        if str(PACKAGE_FOLDER) not in sys.path:
            sys.path.insert(0, str(PACKAGE_FOLDER))
        package = importlib.import_module("tools")
        modules = [
            importlib.import_module(f"tools.{found.name}")
            for found in pkgutil.iter_modules(package.__path__)
            if not found.ispkg and not found.name.startswith("_")
        ]
        for folder in folders:
            if not Path(folder).is_dir():
                raise DefinitionError(f"There is no folder of tools at {folder}.")
            modules.extend(_import_file(path) for path in sorted(Path(folder).glob("[!_]*.py")))
        return replace(cls.of(_definitions_in(modules)), folders=tuple(map(Path, folders)))

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


def _definitions_in(modules: Iterable[types.ModuleType]) -> Iterator[ToolDefinition]:
    seen: set[int] = set()
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, ToolDefinition) and id(value) not in seen:
                seen.add(id(value))
                yield value
