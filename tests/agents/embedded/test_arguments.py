"""Arguments out of words and out of what was found."""

from __future__ import annotations

from datetime import date

from controlllm.agents.embedded.arguments import AtHand, fillings
from controlllm.agents.embedded.facts import Fact
from controlllm.agents.embedded.wants import listed_values
from controlllm.agents.embedded.words import Known, Words
from controlllm.models.encoder import encode
from controlllm.planning.said_values import mentions_in
from controlllm.resources import TypeLattice
from controlllm.toolbox import Argument, Parameter, Tool
from tests.every_case import every_case


def filled(tool, text, known=(), resources=None):
    words = Words(text, text, mentions_in(text, date(2026, 5, 14)), (), 0, len(text))
    lattice = TypeLattice().extended([item.type for item in tool.args])
    return next(fillings(tool, AtHand(words, known, resources or {}, lattice, encode)))


def tool(name, description, *args, **more):
    given = tuple(Argument(*item) for item in args)
    return Tool(name, description, "public-api", given, Argument("result", "text"), **more)


TRAINS = tool("trains", "Trains on a day.", ("to", "text"), ("from", "text"), ("day", "text"))


@every_case("text", ["From Oslo to Bergen on 22 May", "To Bergen from Oslo on 22 May"])
def test_prepositions_say_which_is_which(text):
    assert filled(TRAINS, text).arguments == {"from": "Oslo", "to": "Bergen", "day": "2026-05-22"}


def test_numbers_go_where_their_unit_is():
    hotel = tool(
        "book", "Books rooms.", ("nights", "number"), ("guests", "number"), ("hotel", "text")
    )
    text = "3 nights in the Hotel Miradouro for 2 guests"
    assert filled(hotel, text).arguments == {"nights": 3, "guests": 2, "hotel": "Hotel Miradouro"}


def test_a_field_of_a_result_is_taken_where_it_is_called_alike():
    stock = tool("stock", "Stock of a product.", ("product_id", "text"))
    facts = (Fact("results[0].id", "p-9"), Fact("results[0].name", "Kettle"), Fact("page", 1))
    found = filled(stock, "how many are there?", [Known(facts, "search_products")])
    assert found.arguments == {"product_id": "p-9"}


def test_what_cannot_be_had_is_missing():
    weather = tool("weather", "Weather of a city.", ("city", "town_city"), ("day", "text"))
    found = filled(weather, "How is it in Oslo tomorrow?")
    assert [item.name for item in found.missing] == ["city"]
    assert found.arguments == {"day": "2026-05-15"}


def test_an_entity_is_the_one_that_is_spoken_of():
    weather = tool("weather", "Weather of a city.", ("city", "town_city"))
    known = [
        Known((Fact("name", "Oslo"),), "find_city", {"name": "Oslo"}, "town_city-1"),
        Known((Fact("name", "Rome"),), "find_city", {"name": "Rome"}, "town_city-2"),
    ]
    resources = {"town_city-1": "town_city", "town_city-2": "town_city"}
    found = filled(weather, "How is it in Oslo?", known, resources)
    assert found.arguments == {"city": "town_city-1"}


def test_what_may_be_left_out_is_left_out():
    find = Tool(
        "find_city",
        "Finds a city.",
        "public-api",
        (Argument("name", "text"), Argument("country", "text", "code or name", optional=True)),
        Argument("result", "text"),
        parameters=(Parameter("limit", 5), Parameter("verbose", False)),
    )
    assert filled(find, "Where is Valencia?").arguments == {"name": "Valencia"}


@every_case(
    ("description", "values"),
    [
        ("one of metric, imperial", ("metric", "imperial")),
        ("(asc | desc)", ("asc", "desc")),
        ("the name of a city", ()),
    ],
)
def test_values_that_a_description_lists(description, values):
    assert listed_values(description) == values
