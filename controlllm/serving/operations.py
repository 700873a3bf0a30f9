"""An operation of the interface: where it is, what it takes and gives. The routes and the document
that describes them are made of the same list."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel

from controlllm.serving.calls import Answer

#: What an operation is answered by: JSON, or the events of a run, or bytes.
Kind = Literal["json", "events", "bytes", "nothing"]


@dataclass(frozen=True)
class Query:
    """A parameter of the address after the question mark."""

    name: str
    description: str
    type: Literal["string", "integer", "boolean"] = "string"


@dataclass(frozen=True)
class Operation:
    """One thing that programs can do.

    Parameters
    ----------
    name: its id in the document.
    runs: whether a token that only reads may not do it.
    takes: the model of the body, ``bytes`` for a file as it is.
    """

    name: str
    method: Literal["GET", "POST", "DELETE"]
    path: str
    does: Answer = field(repr=False)
    summary: str
    description: str = ""
    kind: Kind = "json"
    runs: bool = True
    takes: type[BaseModel] | Literal["bytes"] | None = None
    gives: type[BaseModel] | None = None
    queries: tuple[Query, ...] = ()
    status: int = 200
