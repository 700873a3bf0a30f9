"""Schemas that consist of others, and of themselves."""

from __future__ import annotations

import pytest

from controlllm.sources.documents import Document, Unreadable
from controlllm.sources.schemas import Schemas
from tests.counting import lines_run
from tests.every_case import every_case


def schemas(**components):
    return Schemas(Document({"components": {"schemas": components}}))


def to(name, **beside):
    return {"$ref": f"#/components/schemas/{name}", **beside}


@every_case("beside", [{}, {"description": "Itself"}])
@every_case("count", [4, 40])
def test_what_consists_of_itself_has_an_end(count, beside):
    own = {"allOf": [to("A", **beside)] * count, "type": "object"}
    found = schemas(A=own)
    # Followed anew each time that it is met, it would be read without end.
    assert lines_run(lambda: found.read(to("A"))) < 50_000
    assert found.read(to("A")).type == "object"


def test_what_consists_of_too_much_is_refused_once_and_costs_nothing_else():
    many = {f"A{n}": {"allOf": [to(f"A{m}") for m in range(30)]} for n in range(30)}
    found = schemas(**many, Plain={"type": "string"})

    def refuse():
        with pytest.raises(Unreadable, match="too much"):
            found.read(to("A0"))

    refuse()
    assert lines_run(refuse) < 500
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
