"""Plans written as Python: read by its grammar and interpreted, never run.

A plan may assign calls, plain values and a dictionary of results to names, and return. A value may
be a constant, a list, an output by ``output0['text']``, or an f-string of these. Everything else is
refused with its line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

from benchmarks.suites.answers import Call

_MOST_CHARACTERS = 100_000


class NotAPlan(Exception):
    """The code holds something that a plan may not. The message says what and where."""


def calls_in(code: str, before: Sequence[Call] = ()) -> tuple[Call, ...]:
    """The calls that a program would make, in order, and that may read those made `before`.

    Raises NotAPlan.
    """
    if len(code) > _MOST_CHARACTERS:
        raise NotAPlan("The program is too long.")
    try:
        module = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotAPlan(f"The program is no valid Python: {error}.") from None
    try:
        return _Reader(before).read(module)
    except RecursionError:
        raise NotAPlan("The program is nested too deep.") from None


class _Reader:
    """Walks the statements of one program."""

    def __init__(self, before: Sequence[Call]) -> None:
        self._calls: list[Call] = []
        self._outputs: dict[str, int] = {f"output{call.id}": call.id for call in before}
        self._values: dict[str, Any] = {}
        self._results: set[str] = set()

    def read(self, module: ast.Module) -> tuple[Call, ...]:
        body = module.body
        functions = [item for item in body if isinstance(item, ast.FunctionDef)]
        if functions:
            (function,) = functions if len(functions) == 1 else self._refuse(functions[1])
            rest = [item for item in body if item is not function]
            if function.decorator_list or any(map(self._is_more_than_a_call, rest)):
                self._refuse(function if function.decorator_list else rest[0])
            body = function.body
        for statement in body:
            self._statement(statement)
        return tuple(self._calls)

    def _is_more_than_a_call(self, statement: ast.stmt) -> bool:
        """Whether something stands beside ``solve`` that is not the call of it."""
        value = getattr(statement, "value", None)
        return not (
            isinstance(statement, ast.Expr | ast.Assign)
            and isinstance(value, ast.Call)
            and isinstance(value.func, ast.Name)
            and value.func.id == "solve"
        )

    def _refuse(self, node: ast.AST, why: str = "") -> Any:
        line = getattr(node, "lineno", 0)
        reason = why or f"{type(node).__name__} is nothing that a plan may hold"
        raise NotAPlan(f"Line {line}: {reason}.")

    def _statement(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Pass):
            return
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            return
        if isinstance(statement, ast.Return):
            if statement.value is not None:
                self._result(statement.value)
            return
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            self._call(statement.value, f"output{len(self._calls)}")
            return
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            self._refuse(statement)
            return
        target = statement.targets[0]
        if not isinstance(target, ast.Name):
            self._refuse(target)
            return
        value = statement.value
        if isinstance(value, ast.Call):
            self._call(value, target.id)
        elif isinstance(value, ast.Dict):
            self._result(value)
            self._results.add(target.id)
        else:
            self._values[target.id] = self._value(value)
            self._outputs.pop(target.id, None)

    def _call(self, call: ast.Call, name: str) -> None:
        if not isinstance(call.func, ast.Name):
            self._refuse(call.func, "only the tools of the list may be called, by their names")
            return
        tool = call.func.id.replace("_", " ")
        if call.args or any(keyword.arg is None for keyword in call.keywords):
            self._refuse(call, f"every argument of {tool} has to be named")
        arguments = {str(item.arg): self._value(item.value) for item in call.keywords}
        found = re.fullmatch(r"output(\d+)", name)
        number = int(found[1]) if found else len(self._calls)
        if any(made.id == number for made in self._calls):
            number = max(made.id for made in self._calls) + 1
        self._calls.append(Call(tool, arguments, number))
        self._values.pop(name, None)
        self._outputs[name] = number

    def _result(self, node: ast.expr) -> None:
        """What is returned only names outputs that exist."""
        for name in ast.walk(node):
            if isinstance(name, ast.Call | ast.Lambda | ast.NamedExpr | ast.Await | ast.Yield):
                self._refuse(name)
            if isinstance(name, ast.Name) and not (
                name.id in self._outputs or name.id in self._values or name.id in self._results
            ):
                self._refuse(name, f"there is no {name.id} yet")

    def _value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float | None):
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = self._value(node.operand)
            if isinstance(value, int | float):
                return -value
        if isinstance(node, ast.List | ast.Tuple):
            return [self._value(item) for item in node.elts]
        if isinstance(node, ast.Name):
            if node.id in self._outputs:
                return f"<node-{self._outputs[node.id]}>"
            if node.id in self._values:
                return self._values[node.id]
            self._refuse(node, f"there is no {node.id} yet")
        if isinstance(node, ast.Subscript):
            return self._looked_up(node)
        if isinstance(node, ast.JoinedStr):
            return "".join(str(self._value(part)) for part in node.values)
        if isinstance(node, ast.FormattedValue) and node.conversion == -1 and not node.format_spec:
            return self._value(node.value)
        return self._refuse(node)

    def _looked_up(self, node: ast.Subscript) -> str:
        if not (isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Constant)):
            return str(self._refuse(node, "only an output may be looked into, by the key's name"))
        if node.value.id not in self._outputs:
            self._refuse(node, f"there is no {node.value.id} yet")
        key = node.slice.value
        if not (isinstance(key, str) and key.isidentifier()):
            self._refuse(node, f"{key!r} is the key of no output")
        return f"<node-{self._outputs[node.value.id]}>.{key!s}"
