"""The APIs of the world as they are declared in TOML, and their tools.

A file in ``data/apis`` is a field, a table in it an API:

- ``provider``: whose it is (``data/world.toml``); ``about``: its description;
- ``args``: each argument's kind (``text``, ``number`` or a kind of entity, ``?`` where it may be
  left out), how it is read (``as date``, see `readings`) and its description;
- ``returns``: ``text`` where nothing is said, ``number`` or a kind of entity;
- ``from``: the table asked; ``where``: what rows have to fulfil (see `rows`); ``order``
  (``-column`` for the largest first), ``limit``; ``compute`` instead: a function of `computing`;
- ``give``: columns of the answer, ``as`` what name, dots nest; ``list``: the name of a list of all
  rows instead of the first one; ``say``: a sentence instead;
- ``acts``: it changes the world by ``insert``, ``update`` or ``delete``, and ``take``, if what it
  ``require``s holds.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from benchmarks.world.facts import FOLDER
from controlllm.resources import TypeLattice
from controlllm.toolbox import Argument, Tool

_PLAIN = frozenset({"text", "number"})


@dataclass(frozen=True)
class ApiArgument:
    """An argument: `kind` is text, number or a kind of entity; `reading` how its value is read."""

    name: str
    kind: str
    description: str = ""
    optional: bool = False
    reading: str = ""

    @property
    def is_entity(self) -> bool:
        return self.kind not in _PLAIN


@dataclass(frozen=True)
class Api:
    """A declared API; see the module. `area` is the file that it stands in."""

    name: str
    area: str
    provider: str
    about: str
    args: tuple[ApiArgument, ...]
    returns: str = "text"
    acts: bool = False
    table: str = ""
    where: tuple[str, ...] = ()
    require: tuple[str, ...] = ()
    order: str = ""
    limit: int = 0
    give: tuple[str, ...] = ()
    list: str = ""
    say: str = ""
    compute: str = ""
    insert: Mapping[str, Any] = field(default_factory=dict)
    update: Mapping[str, Any] = field(default_factory=dict)
    take: Mapping[str, str] = field(default_factory=dict)
    delete: bool = False

    @property
    def tool(self) -> Tool:
        """The node of the tool graph."""
        return Tool(
            self.name,
            self.about,
            "public-api",
            tuple(
                Argument(item.name, type_of(item.kind), item.description, optional=item.optional)
                for item in self.args
            ),
            Argument("result", type_of(self.returns)),
            acts_outside=self.acts,
        )


@dataclass(frozen=True)
class Provider:
    """Whose an API is: what stands `around` its answers, and the key that they lie under."""

    wrap: str = ""
    around: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Setting:
    """What holds for the whole world: its day (ISO 8601), kinds of entities with their tables,
    providers."""

    today: str
    kinds: Mapping[str, str]
    providers: Mapping[str, Provider]


def type_of(kind: str) -> str:
    """The resource type of what an API takes or returns."""
    return kind if kind in _PLAIN else f"world_{kind}"


@cache
def setting() -> Setting:
    """The world's day, kinds and providers as they are shipped."""
    read = tomllib.loads((FOLDER / "world.toml").read_text("utf-8"))
    providers = {name: Provider(**item) for name, item in read["providers"].items()}
    return Setting(read["today"], read["kinds"], providers)


@cache
def apis() -> Mapping[str, Api]:
    """All APIs by their names, field by field.

    Raises ValueError where two have one name.
    """
    found: dict[str, Api] = {}
    for path in sorted((FOLDER / "apis").glob("*.toml")):
        for name, item in tomllib.loads(path.read_text("utf-8")).items():
            if name in found:
                raise ValueError(f"Two APIs are called {name!r}.")
            found[name] = _api(name, path.stem, item)
    return found


def tools() -> tuple[Tool, ...]:
    """All APIs as tools."""
    return tuple(api.tool for api in apis().values())


def lattice() -> TypeLattice:
    """The lattice of resource types with the world's entities."""
    return TypeLattice().extended(type_of(kind) for kind in setting().kinds)


def _api(name: str, field_name: str, item: Mapping[str, Any]) -> Api:
    rest = {key: value for key, value in item.items() if key not in ("args", "from")}
    for key in ("where", "require", "give"):
        rest[key] = tuple(rest.get(key, ()))
    args = tuple(_argument(key, told) for key, told in item["args"].items())
    return Api(name, field_name, args=args, table=item.get("from", ""), **rest)


def _argument(name: str, told: str) -> ApiArgument:
    """``"text? as date - when"`` as an argument."""
    kind, _, description = told.partition(" -")
    kind, _, reading = kind.partition(" as ")
    return ApiArgument(
        name, kind.rstrip("? "), description.strip(), kind.rstrip().endswith("?"), reading.strip()
    )
