"""What ties foreign operations together: who returns the things that others ask about."""

from __future__ import annotations

import itertools

from controlllm.sources.entities import entities
from controlllm.sources.inference import Operation, Wanted
from controlllm.sources.schemas import Schema
from tests.counting import lines_run


def operation(name, method, path, *wanted, fields=(), entity="", take=()):
    arguments = tuple(
        Wanted(item, item, "path" if f"{{{item}}}" in path else "query", Schema("string"), True)
        for item in wanted
    )
    known = {field: Schema("string") for field in fields}
    return Operation(name, method, path, arguments, "application/json", None, known, take, entity)


def types_of(*operations):
    returned, taken = entities(operations, "s")
    return (
        {name: item.type for name, item in returned.items()},
        {key: f"{item.type}/{item.part}" for key, item in taken.items()},
    )


def test_an_id_is_a_part_of_what_returns_it():
    find = operation("find", "get", "/users", "name", fields=("id",), entity="user", take=(0,))
    get = operation("get", "get", "/users/{user_id}", "user_id", fields=("id",), entity="user")
    drop = operation("drop", "delete", "/users/{user_id}", "user_id")
    nested = operation("posts", "get", "/users/{id}/posts", "id")
    assert types_of(find, get, drop, nested) == (
        {"find": "s.user", "get": "s.user"},
        {("drop", "user_id"): "s.user/id", ("posts", "id"): "s.user/id"},
    )


def test_other_keys_codes_and_places():
    port = operation("port", "get", "/ports", "q", fields=("iata", "code"), entity="port")
    delay = operation("delay", "get", "/delay", "port_code")
    where = operation("where", "get", "/where", "q", fields=("lat", "lng"), entity="place")
    sun = operation("sun", "get", "/sun", "latitude", "longitude")
    assert types_of(port, delay, where, sun)[1] == {
        ("delay", "port_code"): "s.port/code",
        ("sun", "latitude"): "s.place/lat",
        ("sun", "longitude"): "s.place/lng",
    }


def test_what_nobody_returns_is_simply_words():
    lone = operation("lone", "get", "/users/{user_id}", "user_id")
    everything = operation("all", "get", "/users", fields=("id",), entity="user", take=(0,))
    made = operation("make", "post", "/users", "name", fields=("id",), entity="user")
    # Of all users the first means nothing, and to make one is no way to have one.
    assert types_of(lone, everything, made) == ({}, {})
    height = operation("height", "get", "/height", "lat", fields=("lat",), entity="height")
    other = operation("other", "get", "/other", "lat")
    assert types_of(height, other) == ({}, {})


def test_who_returns_the_id_that_others_ask_by_returns_the_thing():
    """Whatever the path is called, and where no schema has a name."""
    find = operation("find_cheese", "get", "/counter/find", "name", fields=("cheese_id", "name"))
    price = operation("price", "get", "/cheeses/{cheese_id}/price", "cheese_id", fields=("euro",))
    order = operation("order", "post", "/orders", "cheese_id", fields=("order_id", "cheese_id"))
    assert types_of(find, price, order) == (
        {"find_cheese": "s.cheese"},
        {
            ("price", "cheese_id"): "s.cheese/cheese_id",
            ("order", "cheese_id"): "s.cheese/cheese_id",
        },
    )


def test_what_only_repeats_what_it_was_asked_by_returns_nothing_new():
    price = operation(
        "price", "get", "/price", "cheese_id", fields=("cheese_id", "euro"), entity="price"
    )
    wines = operation("wines", "get", "/wines", "cheese_id")
    assert types_of(price, wines) == ({}, {})


def test_a_thing_with_the_ids_of_others_is_what_it_is_called():
    """A book that names its author is a book; an edition that nobody asks for is its book."""
    book = operation("book", "get", "/books", "q", fields=("author_id", "book_id"), entity="book")
    edition = operation(
        "edition_of_book", "get", "/e", "q", fields=("author_id", "book_id"), entity="edition"
    )
    author = operation("author", "get", "/authors", "q", fields=("author_id",), entity="author")
    reviews = operation("reviews", "get", "/reviews", "book_id")
    works = operation("works", "get", "/works", "author_id")
    returned, taken = types_of(book, edition, author, reviews, works)
    assert returned == {"book": "s.book", "edition_of_book": "s.book", "author": "s.author"}
    assert taken == {
        ("reviews", "book_id"): "s.book/book_id",
        ("works", "author_id"): "s.author/author_id",
    }


def test_a_symbol_stands_for_what_its_path_speaks_of():
    find = operation("find_company", "get", "/companies", "name", fields=("symbol", "name"))
    price = operation("price", "get", "/shares/{symbol}/price", "symbol")
    by_isin = operation("by_isin", "get", "/shares/isin/{isin}", "isin", fields=("symbol",))
    assert types_of(find, price, by_isin) == (
        {"find_company": "s.share", "by_isin": "s.share"},
        {("price", "symbol"): "s.share/symbol"},
    )


def test_all_who_return_a_thing_name_it_alike():
    """One that has the id under another name than the rest is not taken for one of them."""
    one = operation("one", "get", "/hives", "q", fields=("id",), entity="hive")
    other = operation("other", "get", "/search", "q", fields=("hive_id",))
    weight = operation("weight", "get", "/weight", "hive_id")
    assert types_of(one, other, weight) == (
        {"one": "s.hive"},
        {("weight", "hive_id"): "s.hive/id"},
    )


def test_the_order_of_operations_does_not_matter():
    find = operation("find_cheese", "get", "/counter/find", "name", fields=("cheese_id",))
    by_code = operation("by_code", "get", "/counter/code", "code", fields=("cheese_id",))
    price = operation("price", "get", "/cheeses/{cheese_id}/price", "cheese_id")
    found = [types_of(*order) for order in itertools.permutations((find, by_code, price))]
    assert all(one == found[0] for one in found)


def test_a_place_is_not_where_its_own_operation_says():
    """Who asks by coordinates and gives them back is no maker of them for itself."""
    sun = operation("sun", "get", "/sun", "lat", "lng", fields=("lat", "lng"), entity="sun")
    port = operation("port", "get", "/ports", "q", fields=("lat", "lng"), entity="port")
    assert types_of(sun, port) == (
        {"port": "s.port"},
        {("sun", "lat"): "s.port/lat", ("sun", "lng"): "s.port/lng"},
    )


def test_many_operations_are_tied_together_without_looking_at_each_beside_each():
    """Many kinds of things that lie somewhere, and many operations for one kind."""

    def operations(many):
        kinds = [
            operation(
                *(f"get_{n}", "get", f"/k{n}/{{k{n}_id}}", f"k{n}_id", "lat", "lon"),
                fields=("id", "lat", "lng"),
                entity=f"k{n}",
            )
            for n in range(many)
        ]
        alike = [
            operation(
                *(f"user_{n}", "get", f"/users/{{user_id}}/a{n}", "user_id", "lat", "lon"),
                fields=("user_id", "lat", "lng"),
                entity="user",
            )
            for n in range(many)
        ]
        return [*kinds, *alike]

    _, taken = entities(operations(1500), "s")
    assert taken["get_7", "lat"].type == "s.k0" and taken["get_0", "lon"].type == "s.k1"
    few, many = operations(50), operations(200)
    first, second = (lines_run(lambda given=given: entities(given, "s")) for given in (few, many))
    # Four times as many cost about four times as much; each looked at beside each other, sixteen.
    assert second < 6 * first
