"""The world: what its APIs answer, and what calls have changed in it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.world.apis import Api, apis, setting
from benchmarks.world.computing import compute
from benchmarks.world.facts import Row, Tables, read_tables
from benchmarks.world.readings import read
from benchmarks.world.rows import fulfilling, given_of, ordered
from controlllm.toolbox import Code, ToolError

#: The number of the first entity that a call makes.
_FIRST_NEW = 9001


@dataclass(frozen=True)
class Effect:
    """What a call changed: `change` is ``insert``, ``update`` or ``delete``, `row` what was put in,
    what it is after the update, or what was taken out."""

    api: str
    change: str
    table: str
    row: Row


@dataclass(frozen=True)
class Body:
    """An answer before its provider wraps it: JSON, a sentence or a number."""

    content: Any
    api: Api


class World:
    """The facts as they are now, and the effects of all calls, in order."""

    def __init__(self) -> None:
        self._tables = read_tables()
        self._effects: list[Effect] = []

    @property
    def effects(self) -> tuple[Effect, ...]:
        return tuple(self._effects)

    @property
    def tables(self) -> Tables:
        return self._tables

    def copy(self) -> World:
        """A world like this one, whose changes do not change this one."""
        other = World.__new__(World)
        other._tables = self._tables.copy()
        other._effects = list(self._effects)
        return other

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """What an API answers: JSON, a sentence, or a number in digits.

        An entity is given as the JSON, or the id, that another API has answered. Raises ToolError:
        BAD_INPUT for what cannot be read, NOT_FOUND where nothing is known, ERROR where it cannot
        be done.
        """
        return written(self.body(name, arguments))

    def body(self, name: str, arguments: Mapping[str, Any]) -> Body:
        """The answer of a call before it is written; changes the world where the API acts."""
        api = apis()[name]
        given = {
            item.name: read(item, arguments[item.name], self._tables)
            for item in api.args
            if arguments.get(item.name) not in (None, "")
        }
        missing = [item.name for item in api.args if not item.optional and item.name not in given]
        if missing:
            raise ToolError(f"{name} needs {missing[0]}.", Code.BAD_INPUT)
        if api.compute:
            return Body(compute(api.compute, self._tables, given), api)
        rows = self._rows(api, given)
        return Body(self._acted(api, rows, given) if api.acts else self._told(api, rows), api)

    def other_body(self, name: str, arguments: Mapping[str, Any], choice: int) -> Body | None:
        """What the API would answer of something else than was asked; None where it knows nothing
        else. Changes nothing."""
        api = apis()[name]
        if api.compute or api.acts or not api.table:
            return None
        given = {
            item.name: read(item, arguments[item.name], self._tables)
            for item in api.args
            if arguments.get(item.name) not in (None, "")
        }
        asked = fulfilling(self._tables, api.table, api.where, given)
        others = [row for row in self._tables[api.table].rows if row not in asked]
        if not asked or not others:
            return None
        first = choice % len(others)
        return Body(self._told(api, (others[first:] + others)[: len(asked)]), api)

    def _rows(self, api: Api, given: Mapping[str, Any]) -> list[Row]:
        if not api.table:
            return []
        found = fulfilling(self._tables, api.table, api.where, given)
        found = ordered(self._tables, api.table, found, api.order)
        if not found and (api.acts or not api.list):
            raise ToolError("No match for: " + _said(given), Code.NOT_FOUND)
        return found[: api.limit or None]

    def _told(self, api: Api, rows: Sequence[Row]) -> Any:
        if api.say:
            return api.say.format(**rows[0])
        found = [given_of(self._tables, api.table, row, api.give) for row in rows]
        if api.list:
            return {api.list: found}
        if api.returns != "number":
            return found[0]
        (value,) = found[0].values()
        if value is None:
            raise ToolError("There is no such figure.", Code.NOT_FOUND)
        return value

    def _acted(self, api: Api, rows: Sequence[Row], given: Mapping[str, Any]) -> Any:
        """Change the world as the API says, and tell of the rows as they are then."""
        for row in rows[:1]:
            self._check(api, row, given)
        if api.take:
            self._put(api, "update", rows[0], _taken(rows[0], api.take, given), is_effect=False)
        if api.insert:
            table = api.insert["table"]
            made = [self._insert(api, table, row, given) for row in rows or [{}]]
        else:
            table = api.table
            made = [self._changed(api, row, given) for row in rows[:1]]
        told = [given_of(self._tables, table, row, api.give) for row in made]
        return {api.list: told} if api.list else told[0]

    def _check(self, api: Api, row: Row, given: Mapping[str, Any]) -> None:
        for condition in api.require:
            column, operator, value = condition.split(" ", 2)
            wanted = value.strip("'") if value.startswith("'") else given.get(value, 1)
            # The same conditions as everywhere, on this row alone.
            one = Tables({api.table: type(self._tables[api.table])({}, (row,))})
            if not fulfilling(one, api.table, (f"{column} {operator} wanted",), {"wanted": wanted}):
                raise ToolError(f"Not possible: {column} is {row[column]}.", Code.BAD_INPUT)

    def _insert(self, api: Api, table: str, row: Row, given: Mapping[str, Any]) -> Row:
        def value(told: Any) -> Any:
            if isinstance(told, str) and told.startswith("$"):
                name, _, default = told[1:].partition("|")
                return given.get(name, default)
            if isinstance(told, str) and told.startswith("@"):
                return self._tables.value(api.table, row, told[1:])
            return told

        number = _FIRST_NEW + len(self._effects)
        prefix = str(self._tables[table].rows[0]["id"])[:3] if self._tables[table].rows else "new"
        made = {
            "id": f"{prefix}_{number}",
            **{name: value(told) for name, told in api.insert["row"].items()},
        }
        self._tables.replace_rows(table, (*self._tables[table].rows, made))
        self._effects.append(Effect(api.name, "insert", table, made))
        return made

    def _changed(self, api: Api, row: Row, given: Mapping[str, Any]) -> Row:
        if api.delete:
            left = [item for item in self._tables[api.table].rows if item is not row]
            self._tables.replace_rows(api.table, left)
            self._effects.append(Effect(api.name, "delete", api.table, row))
            return row
        changes = {
            name: given[told[1:]] if told.startswith("$") else told
            for name, told in api.update.items()
        }
        return self._put(api, "update", row, {**row, **changes})

    def _put(self, api: Api, change: str, old: Row, new: Row, is_effect: bool = True) -> Row:
        rows = [new if item is old else item for item in self._tables[api.table].rows]
        self._tables.replace_rows(api.table, rows)
        if is_effect:
            self._effects.append(Effect(api.name, change, api.table, new))
        return new


def written(body: Body) -> str:
    """An answer as its provider writes it, irrelevant fields around."""
    content, api = body.content, body.api
    if not isinstance(content, dict):
        return (
            str(int(content))
            if isinstance(content, float) and content.is_integer()
            else str(content)
        )
    return json.dumps(wrapped(content, api), ensure_ascii=False)


def wrapped(content: Mapping[str, Any], api: Api) -> dict[str, Any]:
    """JSON with what stands around it."""
    provider = setting().providers[api.provider]
    around = dict(provider.around)
    if provider.wrap:
        return {**around, provider.wrap: dict(content)}
    return {**content, **around}


def _taken(row: Row, take: Mapping[str, str], given: Mapping[str, Any]) -> Row:
    less = {column: row[column] - int(given[name]) for column, name in take.items()}
    return {**row, **less}


def _said(given: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in given.items())[:200] or "nothing"
