"""The `tool` decorator: a typed function with a docstring becomes a tool."""

from __future__ import annotations

import dis
import inspect
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from controlllm.resources import members_type_of, resource_type_of
from controlllm.toolbox.context import Context, Unavailable
from controlllm.toolbox.implementations import RUNTIMES, Check, Choice, Implementation, Runtime
from controlllm.toolbox.tools import DOMAINS, Argument, Parameter, Tool
from controlllm.values import kind_of_hint


class DefinitionError(TypeError):
    """A tool is not written as a tool must be. The message names the tool and what to change."""


class ToolDefinition:
    """What the `tool` decorator makes of a function: the tool and its implementations."""

    def __init__(self, tool: Tool) -> None:
        self.tool = tool
        self.implementations: list[Implementation] = []
        self._input_names = [argument.name for argument in tool.args]
        self._input_names += [parameter.name for parameter in tool.parameters]

    def implementation(  # noqa: PLR0913
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
            reason = implementation.reason_unavailable(context.capabilities)
            if reason is None:
                return implementation.run(inputs, context)
            reasons.append(reason)
        raise Unavailable(f"{self.tool.name} cannot run here: {'; '.join(reasons) or 'no way'}.")


def tool(  # noqa: PLR0913
    *,
    domain: str,
    examples: Sequence[str] = (),
    aliases: Sequence[str] = (),
    packages: Sequence[str] = (),
    memory: str = "",
    version: str = "1",
    acts_outside: bool = False,
    places: str = "",
    sets_form: Sequence[str] = (),
) -> Callable[[Callable[..., Any]], ToolDefinition]:
    """Make a tool of a function with typed arguments, a typed return and a docstring.

    `acts_outside` is for one that does what cannot be taken back, `places` for one that changes a
    picture, `sets_form` for one that gives a result the form in which it was wanted: see `Tool`.

    Raises DefinitionError, with the tool's name and what was expected, where the function is not
    written so.
    """

    def define(function: Callable[..., Any]) -> ToolDefinition:
        found = _read_tool(function, domain, examples, aliases)
        said = replace(found, acts_outside=acts_outside, places=places, sets_form=tuple(sets_form))
        definition = ToolDefinition(said)
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
        elif has_default and (typed := kind_of_hint(hint)) is not None:
            parameters.append(Parameter(item.name, typed[0](item.default), note, typed[1]))
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
        Argument(
            "result", returned, notes.get("returns", ""), members=members_type_of(hints["return"])
        ),
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
    # What goes on in the next line stands further to the right.
    notes = re.findall(r"^( *)(\w+):\s*(.+(?:\n\1 +.+)*)$", tail, re.MULTILINE)
    return " ".join(head.split()), {name: " ".join(said.split()) for _, name, said in notes}
