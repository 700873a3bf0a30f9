"""A catalogue as large as the real hubs of APIs, for measuring retrieval: made by a seed.

``data/hub.toml`` says what there is to do (an operation upon a thing of a field: a *function*).
Providers each offer some functions of a field, in a manner of their own: names in their case,
verbs and nouns of their choice, descriptions from none at all over a path to an advertisement.
What several offer alike is one function, and each of them serves it.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from controlllm.toolbox import Argument, Tool

_TABLE = Path(__file__).resolve().parent / "data" / "hub.toml"
#: So many tools have the hubs that the papers measure with (Qin et al. 2023: 16,464).
TOOLS = 16_000
_SEED = 12
#: Of the functions of the fields it serves a provider offers this part, over so many things.
_OFFERED, _THINGS = 0.6, (1, 5)
_BEGINNINGS = (
    "ab ad al ar bo ca co da el en fi ga go hu in jo ka la li lu ma me mo "
    "na no ob or pa pi qu ra re sa si so ta te ti to ul va vi wa xe yo za ze"
).split()
_ENDINGS = (
    "bex bit co dex dio fy gen hub ify io kit la ly mo net "
    "nix ora pal rix so sta tek ter tic va vio wise x ya zen"
).split()
_PRAISE = (
    "With our easy to use API you can",
    "The #1 solution for developers!",
    "Fast and reliable.",
    "BETA. Free plan: 100 calls a month.",
    "Powered by AI.",
    "Requires an API key.",
)
_CASES: tuple[Callable[[Sequence[str]], str], ...] = (
    lambda words: "_".join(words),
    lambda words: words[0] + "".join(word.capitalize() for word in words[1:]),
    lambda words: "-".join(words),
    lambda words: "".join(word.capitalize() for word in words),
)


@dataclass(frozen=True)
class Hub:
    """The tools, and by function (``field/thing/operation``) the names of those that serve it."""

    tools: tuple[Tool, ...]
    serving: Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class _Manner:
    """How a provider writes: its name, the case of its names, and how it describes."""

    name: str
    case: Callable[[Sequence[str]], str]
    style: str
    tells_arguments: bool


@lru_cache(1)
def hub(size: int = TOOLS) -> Hub:
    """The hub of so many tools; the same at every call."""
    table = tomllib.loads(_TABLE.read_text("utf-8"))
    chance = random.Random(_SEED)
    fields = {
        name: [_thing(line) for line in lines.strip().splitlines()]
        for name, lines in table["fields"].items()
    }
    tools: dict[str, Tool] = {}
    serving: dict[str, set[str]] = {}
    for field, things in fields.items():
        # Every function is offered by somebody.
        for thing in things:
            manner = _manner(chance)
            for operation in thing[2]:
                _offer(manner, field, thing, operation, table["operations"], chance, tools, serving)
    while len(tools) < size:
        manner = _manner(chance)
        field = chance.choice(list(fields))
        for thing in chance.sample(fields[field], chance.randint(*_THINGS)):
            for operation in thing[2]:
                if chance.random() < _OFFERED and len(tools) < size:
                    _offer(
                        manner, field, thing, operation, table["operations"], chance, tools, serving
                    )
    return Hub(tuple(tools.values()), {name: frozenset(found) for name, found in serving.items()})


def _thing(line: str) -> tuple[list[str], list[str], list[str]]:
    """The names of a thing, what a call is told, and what can be done with it."""
    names, told, operations = (part.strip() for part in line.split("|"))
    return names.split(", "), told.split(", "), operations.split()


def _manner(chance: random.Random) -> _Manner:
    name = chance.choice(_BEGINNINGS) + chance.choice(_BEGINNINGS) + chance.choice(_ENDINGS)
    style = chance.choices(
        ("plain", "terse", "path", "praise", "none", "full"), (34, 20, 10, 14, 8, 14)
    )[0]
    return _Manner(name, chance.choice(_CASES), style, chance.random() < 0.5)


def _offer(
    manner: _Manner,
    field: str,
    thing: tuple[list[str], list[str], list[str]],
    operation: str,
    operations: Mapping[str, Any],
    chance: random.Random,
    tools: dict[str, Tool],
    serving: dict[str, set[str]],
) -> None:
    """Add a provider's tool for a function to `tools` and `serving`, if it has none alike."""
    names, told, _ = thing
    facts = operations[operation]
    # Most say the usual name; who writes in full says a second one beside it.
    one = names[0] if chance.random() < 0.6 else chance.choice(names)
    words = f"{chance.choice(facts['verbs'])} {one}".lower()
    tidy = "".join(letter if letter.isalnum() else " " for letter in words).split()
    name = f"{manner.name}_{manner.case(tidy)}"
    if name in tools:
        return
    entity = f"{manner.name}_{'_'.join(names[0].lower().split())}"
    args = [
        Argument(argument.replace(" ", "_").lower(), "text", "")
        for argument in facts.get("args", ())
    ]
    if facts.get("needs") == "it":
        args = [Argument("id", entity, f"the {one}" if manner.tells_arguments else ""), *args]
    else:
        args += [
            Argument(
                item.replace(" ", "_").lower(),
                "text",
                f"{item} of the {one}" if manner.tells_arguments else "",
            )
            for item in told[:2]
        ]
    made = entity if facts.get("makes") == "it" else facts.get("returns", "text")
    tools[name] = Tool(
        name,
        _described(manner, field, names, one, facts, operation, chance),
        "public-api",
        tuple({argument.name: argument for argument in args}.values()),
        Argument("result", made),
        acts_outside=facts.get("acts", False),
    )
    serving.setdefault(f"{field}/{names[0]}/{operation}", set()).add(name)


def _described(
    manner: _Manner,
    field: str,
    names: Sequence[str],
    one: str,
    facts: Mapping[str, Any],
    operation: str,
    chance: random.Random,
) -> str:
    if manner.style == "none":
        return ""
    if manner.style == "path":
        parts = "-".join(one.lower().split())
        method = "POST" if facts.get("acts") else "GET"
        return f"{method} /{field.split('_')[0]}/{parts}/{facts['verbs'][0] or operation}"
    told = facts["says"][0] if manner.style == "terse" else chance.choice(facts["says"])
    many = _plural(one)
    said = told.format(
        one=one,
        One=one[:1].upper() + one[1:],
        many=many,
        Many=many[:1].upper() + many[1:],
        field=field.replace("_", " "),
    )
    if manner.style == "terse":
        return said.rstrip(".")
    if manner.style == "praise":
        return f"{chance.choice(_PRAISE)} {said}"
    if manner.style == "full":
        others = [name for name in names if name != one]
        also = f" Also called {', '.join(others)}." if others else ""
        return f"{said}{also} Part of our {field.replace('_', ' ')} service."
    return said


def _plural(one: str) -> str:
    if one.endswith(("s", "ing", "data")) or one.isupper():
        return one
    if one.endswith("y") and one[-2] not in "aeiou":
        return one[:-1] + "ies"
    return one + ("es" if one.endswith(("ch", "x", "sh")) else "s")
