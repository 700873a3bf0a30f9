"""A source of tools, and its tools as plain data, JSON in and out.

What is kept holds no secret: `Source.secrets` names variables, see `controlllm.sources.secrets`.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from controlllm.toolbox import Context

#: The kinds of sources, each a package beside this module.
KINDS = ("openapi", "mcp", "gradio")
#: What the name of a source, and of a tool, looks like.
NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


@dataclass(frozen=True)
class ForeignArgument:
    """An argument of a foreign tool.

    `type` is a resource type; one that begins with the source's name and a dot is the source's own
    (an entity such as a city, whose value is a text of JSON). `part` is what is taken out of such
    an entity for the call. `call` is what the kind of source needs to know (where it goes, its
    schema).
    """

    name: str
    type: str
    description: str = ""
    required: bool = True
    many: bool = False
    default: Any = None
    part: str = ""
    call: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ForeignTool:
    """A tool of a source. `name` is unique in its source; `call` is what the kind of source needs
    to call it (a method and a path, the name of a function). `is_checked` says that the person has
    looked at its types and tried it."""

    name: str
    description: str
    arguments: tuple[ForeignArgument, ...]
    returns: str
    domain: str = "public-api"
    acts_outside: bool = False
    is_checked: bool = False
    call: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Adding:
    """What whoever adds a source says of it beside its address.

    Parameters
    ----------
    is_local: whether it may lie on this machine or its network.
    secrets: the names of secrets by what they are for, which each kind of source says.
    home: the program's home folder, where secrets may lie.
    command: that the address is a command and may be started, which only who operates this may say.
    reads: that all of its tools only read, whatever it says of them itself.
    server: where all operations of a document are asked, whatever that says.
    """

    is_local: bool = False
    secrets: Mapping[str, str] = field(default_factory=dict)
    home: Path | None = None
    command: bool = False
    reads: bool = False
    server: str = ""


#: Nothing is said.
ADDRESS_ALONE = Adding()


@dataclass(frozen=True)
class Source:
    """Where foreign tools come from.

    `kind` is one of `KINDS`; `address` an URL, or a command for a
    program that speaks over its standard streams. `secrets` are the names of secrets by what they
    are for; `options` is what the kind of source needs besides.
    """

    name: str
    kind: str
    address: str
    description: str = ""
    tools: tuple[ForeignTool, ...] = ()
    secrets: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    home: Path | None = field(default=None, compare=False, repr=False)

    def call(self, tool: ForeignTool, inputs: Mapping[str, Any], context: Context) -> Any:
        """What a tool returns, by the function of this name that each kind has in ``calls``; raises
        `controlllm.toolbox.ToolError` with a code."""
        calls = importlib.import_module(f"controlllm.sources.{self.kind}.calls")
        return calls.call(self, tool, inputs, context)

    def to_json(self) -> dict[str, Any]:
        told = asdict(replace(self, home=None))
        del told["home"]
        return told

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Source:
        """Raises KeyError, TypeError or ValueError where the data are not those of a source."""
        if not NAME.fullmatch(data["name"]):
            raise ValueError(f"{data['name']!r} cannot be the name of a source.")
        tools = tuple(
            ForeignTool(
                **{
                    **item,
                    "arguments": tuple(ForeignArgument(**given) for given in item["arguments"]),
                }
            )
            for item in data["tools"]
        )
        return cls(**{**data, "tools": tools})
