"""Implementations that hand all of a tool's inputs on to a function elsewhere."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from controlllm.toolbox import Context, ToolDefinition


def forwarded(
    definition: ToolDefinition, work: Callable[[Mapping[str, Any], Context], Any]
) -> Callable[..., Any]:
    """A function that takes a tool's inputs as an implementation has to, and gives them to `work`
    by their names, in the tool's order, with the context; settings that are not given as usual."""
    usual = {parameter.name: parameter.default for parameter in definition.tool.parameters}
    names = [*(argument.name for argument in definition.tool.args), *usual]

    def handed_on(context: Context, **given: Any) -> Any:
        whole = {**usual, **given}
        return work({name: whole[name] for name in names}, context)

    kind = inspect.Parameter.KEYWORD_ONLY
    handed_on.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(item, kind) for item in (*names, "context")]
    )
    return handed_on
