"""Schemas that consist of others, and of themselves."""

from __future__ import annotations

import time

import pytest

from controlllm.sources.documents import Document, Unreadable
from controlllm.sources.schemas import Schemas
from tests.every_case import every_case


def schemas(**components):
    return Schemas(Document({"components": {"schemas": components}}))


def to(name, **beside):
    return {"$ref": f"#/components/schemas/{name}", **beside}


@every_case("beside", [{}, {"description": "Itself"}])
@every_case("count", [4, 40])
def test_what_consists_of_itself_has_an_end(count, beside):
    own = {"allOf": [to("A", **beside)] * count, "type": "object"}
    started = time.perf_counter()
    assert schemas(A=own).read(to("A")).type == "object"
    assert time.perf_counter() - started < 1


def test_what_consists_of_too_much_is_refused_once_and_costs_nothing_else():
    many = {f"A{n}": {"allOf": [to(f"A{m}") for m in range(30)]} for n in range(30)}
    found = schemas(**many, Plain={"type": "string"})
    started = time.perf_counter()
    for _ in range(1000):
        with pytest.raises(Unreadable, match="too much"):
            found.read(to("A0"))
    assert time.perf_counter() - started < 2
    assert found.read(to("Plain")).type == "string"


def test_a_kind_and_its_kinds_may_name_each_other():
    """As documents with discriminators do: a pet is a cat or a dog, and a cat is a pet."""
    name, lives = {"type": "string"}, {"type": "integer"}
    found = schemas(
        Pet={"properties": {"name": name}, "oneOf": [to("Cat"), to("Dog")]},
        Cat={"allOf": [to("Pet"), {"properties": {"lives": lives}}]},
        Dog={"allOf": [to("Pet")]},
    )
    for one in ("Pet", "Cat", "Pet", "Cat"):
        assert set(found.read(to(one)).properties) == {"name", "lives"}


def test_alternatives_are_kept():
    found = schemas(Id={"oneOf": [{"type": "integer"}, {"type": "string"}]})
    read = found.read(to("Id"))
    assert read.type == "integer"
    assert [item.type for item in found.scalars(read)] == ["integer", "string"]
    assert found.scalars(found.read({"type": ["string", "null"]})) == []
