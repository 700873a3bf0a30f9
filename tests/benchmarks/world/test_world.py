"""The APIs answer from one set of facts, and what they change can be seen and undone by a copy."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from benchmarks.world.apis import apis, lattice, setting, tools, type_of
from benchmarks.world.facts import FOLDER, read_tables
from benchmarks.world.rows import fulfilling
from benchmarks.world.world import World
from controlllm.toolbox import Code, ToolError
from tests.every_case import every_case


def asked(api: str, world: World | None = None, /, **arguments: Any) -> Any:
    told = (world or World()).call(api, arguments)
    return json.loads(told) if told.startswith("{") else told


def refused(api: str, /, **arguments: Any) -> ToolError:
    with pytest.raises(ToolError) as raised:
        World().call(api, arguments)
    return raised.value


def values(told: Any) -> list[Any]:
    """All that stands anywhere in JSON."""
    if isinstance(told, dict):
        return [found for item in told.values() for found in values(item)]
    return [found for item in told for found in values(item)] if isinstance(told, list) else [told]


def test_the_world_is_as_large_as_promised_and_its_files_are_small():
    assert len(apis()) >= 120
    assert len({api.area for api in apis().values()}) == 10
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 500_000


def test_every_id_that_a_table_refers_to_is_one_of_a_row():
    tables = read_tables()
    for name in tables:
        for column, other in tables[name].keys.items():
            for row in tables[name].rows:
                found = row[column]
                assert not found or tables.row(other, found) is not None, (name, column, found)


def test_ids_are_unique_and_those_of_a_kind_look_alike():
    tables = read_tables()
    for kind, table in setting().kinds.items():
        ids = [row["id"] for row in tables[table].rows]
        assert len(ids) == len(set(ids)), kind
        assert len({item[:4] for item in ids}) == 1, kind
        assert all(re.fullmatch(r"[a-z]{3}_\d+", item) for item in ids), kind


@every_case("api", apis().values(), ids=lambda api: api.name)
def test_what_an_api_declares_exists(api):
    tables = read_tables()
    assert api.provider in setting().providers
    kinds = {"text", "number", *setting().kinds}
    assert {api.returns, *(item.kind for item in api.args)} <= kinds
    assert api.about
    assert api.compute or api.table or api.insert
    assert api.acts == bool(api.insert or api.update or api.delete)
    table = api.insert["table"] if api.insert else api.table
    rows = tables[table].rows if table else ()
    for told in api.give if rows else ():
        tables.value(table, rows[0], told.partition(" as ")[0])
    if api.table and api.table != table:
        assert tables[api.table].rows


def test_entities_have_types_of_their_own_that_tools_chain_by():
    known = lattice()
    assert known.is_a("world_city", "world_city")
    assert not known.is_a("world_city", "text")
    makers = {tool.returns.type for tool in tools()}
    takers = {argument.type for tool in tools() for argument in tool.args}
    assert {item for item in takers if item.startswith("world_")} <= makers
    assert type_of("city") in makers & takers


def test_an_answer_has_irrelevant_fields_around_what_is_needed():
    told = asked("skyview_forecast", city="cty_101", date="2026-05-16")
    assert told["daily"]["temp_max_c"] == 23
    assert "attribution" in told


def test_three_providers_of_weather_know_the_same_facts_two_of_them_of_fewer_places():
    wide = asked("skyview_forecast", city="cty_112", date="2026-05-16")["daily"]["temp_max_c"]
    north = asked("nordwetter_day", ort="Hamburg", tag="2026-05-16")["max"]
    grid = asked("meteo_daily", lat=53.5, lon=10.0, date="2026-05-16")["data"]
    assert wide == north == grid["temperature_2m_max"] == 20
    assert refused("nordwetter_day", ort="Lisbon", tag="2026-05-16").code is Code.NOT_FOUND
    assert refused("meteo_daily", lat=53.5, lon=10.0, date="16 May").code is Code.BAD_INPUT


@every_case(
    ("name", "arguments", "found"),
    [
        ("find_city", {"name": "lisboa"}, "cty_101"),
        ("find_city", {"name": "Copenhagn"}, "cty_119"),
        ("find_city", {"name": "Lisbon, Portugal"}, "cty_101"),
        ("find_city", {"name": "Valencia"}, "cty_105"),
        ("find_city", {"name": "Valencia", "country": "spain"}, "cty_104"),
        ("find_contact", {"name": "Tom"}, "con_20"),
        ("find_contact", {"name": "Tom B."}, "con_38"),
        ("find_contact", {"name": "landlord"}, "con_38"),
        ("find_film", {"title": "Harbour Lights"}, "flm_382"),
        ("find_film", {"title": "harbor lights"}, "flm_391"),
        ("find_film", {"title": "Comet Season", "year": 2026}, "flm_337"),
    ],
)
def test_names_are_found_as_people_write_them(name, arguments, found):
    assert found in values(asked(name, **arguments))


@every_case(
    ("words", "day"),
    [
        ("2026-05-16", "2026-05-16"),
        ("today", "2026-05-14"),
        ("tomorrow", "2026-05-15"),
        ("next Friday", "2026-05-15"),
        ("Thursday", "2026-05-14"),
        ("on 3 June", "2026-06-03"),
        ("May 22nd, 2026", "2026-05-22"),
        ("22.5.", "2026-05-22"),
    ],
)
def test_dates_are_read_as_people_write_them(words, day):
    assert asked("resolve_date", words=words)["date"] == day


@every_case("words", ["", "soon", "31 February", "the 45th of May"])
def test_what_is_no_date_is_refused(words):
    assert refused("resolve_date", words=words).code is Code.BAD_INPUT


def test_an_entity_is_taken_as_json_or_as_its_id_and_nothing_else():
    city = World().call("find_city", {"name": "Bergen"})
    assert asked("rain_chance", city=city, day="Saturday") == "97"
    assert asked("rain_chance", city="cty_122", day="Saturday") == "97"
    for wrong in ("Bergen", "cty_999", '{"id": "flm_310"}'):
        assert refused("rain_chance", city=wrong, day="Saturday").code is Code.BAD_INPUT


def test_an_id_may_come_in_the_answer_that_gave_it_if_it_is_the_only_one():
    one = World().call("contacts_in_city", {"city": "cty_122"})
    assert "Henrik Solberg" in values(asked("contact_by_id", contact_id=one))
    several = World().call("contacts_in_circle", {"circle": "family"})
    assert refused("contact_by_id", contact_id=several).code is Code.BAD_INPUT


def test_a_very_long_text_is_refused():
    assert "too long" in str(refused("find_city", name="x" * 3_000))


def test_nothing_known_is_not_found_or_an_empty_list():
    assert refused("find_city", name="Reykjavik").code is Code.NOT_FOUND
    assert asked("places_in_city", city="cty_121", category="zoo")["result"]["places"] == []


@every_case(
    ("name", "arguments", "value"),
    [
        ("exchange_rate", {"base": "EUR", "quote": "EUR"}, "1"),
        ("exchange_rate", {"base": "euro", "quote": "US dollars"}, "1.0842"),
        ("city_distance", {"a": "cty_112", "b": "cty_112"}, "0"),
        ("days_between", {"start": "2026-05-14", "end": "2026-05-10"}, "-4"),
        ("loan_payment", {"amount": 1200, "percent": 0, "years": 1}, "100"),
        ("split_bill", {"total": 100, "people": 4}, "25"),
        ("kitchen_units", {"amount": 2, "unit": "cups", "to_unit": "ml"}, "480"),
        ("kitchen_units", {"amount": 1, "unit": "kg", "to_unit": "oz"}, "35.27"),
    ],
)
def test_what_is_reckoned_by_hand_is_what_the_apis_reckon(name, arguments, value):
    assert asked(name, **arguments) == value


@every_case(
    ("name", "arguments"),
    [
        ("split_bill", {"total": 100, "people": 0}),
        ("loan_payment", {"amount": 1, "percent": 1, "years": 0}),
        ("kitchen_units", {"amount": 1, "unit": "kg", "to_unit": "ml"}),
        ("city_distance", {"a": "cty_112"}),
        ("split_bill", {"total": "much", "people": 2}),
    ],
)
def test_what_cannot_be_reckoned_is_refused(name, arguments):
    assert refused(name, **arguments).code is Code.BAD_INPUT


def test_london_is_as_far_from_paris_as_maps_say():
    assert float(asked("city_distance", a="cty_108", b="cty_106")) == pytest.approx(344, abs=2)


def test_times_go_round_the_world():
    told = asked("local_time", time="7 pm", from_city="cty_128", to_city="cty_112")
    assert told["to"] == {"city": "Hamburg", "time": "01:00", "day": "next day"}


def test_what_is_booked_is_in_this_world_and_not_in_the_one_it_was_copied_from():
    world = World()
    copy = world.copy()
    copy.call("book_seats", {"screening": "scr_7003", "seats": 2})
    free = [
        asked("screening_by_id", each, screening_id="scr_7003")["programm"]["free"]
        for each in (world, copy)
    ]
    assert free == [3, 1]
    assert [effect.table for effect in copy.effects] == ["tickets"]
    assert not world.effects
    with pytest.raises(ToolError) as raised:
        copy.call("book_seats", {"screening": "scr_7003", "seats": 2})
    assert raised.value.code is Code.BAD_INPUT
    assert len(copy.effects) == 1


def test_what_was_done_can_be_looked_up():
    world = World()
    world.call("create_event", {"title": "Chess", "day": "Friday", "start": "20:00"})
    told = asked("agenda_for_day", world, day="2026-05-15")
    assert "Chess" in values(told)
    world.call("move_event", {"event": "evt_9001", "day": "Saturday", "start": "8 pm"})
    assert "Chess" not in values(asked("agenda_for_day", world, day="2026-05-15"))
    world.call("delete_event", {"event": "evt_9001"})
    assert "Chess" not in values(asked("agenda_for_day", world, day="2026-05-16"))
    assert [effect.change for effect in world.effects] == ["insert", "update", "delete"]


def test_a_message_to_a_circle_is_one_to_each_in_it():
    world = World()
    world.call("post_to_circle", {"circle": "family", "text": "hello"})
    assert [effect.row["contact"] for effect in world.effects] == ["con_11", "con_14", "con_17"]


def test_what_is_sold_out_or_sent_cannot_be_had_or_cancelled():
    world = World()
    for name, arguments in (
        ("place_order", {"product": "prd_5247", "shop": "Kontora"}),
        ("cancel_order", {"order": "ord_88121"}),
    ):
        with pytest.raises(ToolError):
            world.call(name, arguments)
    assert not world.effects


def arguments_for(api, row) -> dict[str, Any] | None:
    """Arguments that ask for a row; None where the API does not know it."""
    tables, given = read_tables(), {}
    for condition in api.where:
        columns, operator, value = condition.split(" ", 2)
        found = tables.value(api.table, row, columns.split("|")[0])
        if found is None:
            return None
        if not value.startswith("'"):
            given[value] = found
        elif row not in fulfilling(tables, api.table, [condition], {}):
            return None
    return given


#: What the APIs are given that cannot be told from their tables.
BESIDE = {
    **{"quantity": 1, "seats": 1, "people": 1, "nights": 1, "text": "hello", "subject": "hello"},
    **{"title": "Chess", "day": "2026-05-18", "start": "20:00", "address": "a@b.example"},
    **{"event": "evt_200", "contact": "con_11", "amount": 5, "from_currency": "EUR"},
    **{"to_currency": "USD", "base": "EUR", "quote": "USD", "words": "tomorrow", "time": "9:00"},
    **{"from_city": "cty_112", "to_city": "cty_129", "a": "cty_112", "b": "cty_113"},
    **{"end": "2026-05-20", "date": "2026-05-18", "percent": 5, "years": 2, "total": 60},
    **{"recipe": "rcp_81", "unit": "kg", "to_unit": "g"},
}


@every_case("api", apis().values(), ids=lambda api: api.name)
def test_every_api_can_be_asked_for_what_it_knows(api):
    rows = read_tables()[api.table].rows if api.table else [{}]
    told = []
    for row in rows:
        given = arguments_for(api, row)
        if given is None:
            continue
        beside = {
            item.name: "2026-05-18" if item.reading == "date" else BESIDE[item.name]
            for item in api.args
            if item.name in BESIDE
        }
        if any(item.name not in {**beside, **given} for item in api.args if not item.optional):
            continue
        try:
            world = World()
            told.append(world.call(api.name, {**beside, **given}))
        except ToolError:
            continue
        assert bool(world.effects) == api.acts
        if api.returns == "number":
            assert float(told[-1]) or told[-1] == "0"
        elif not api.say:
            answer = json.loads(told[-1])
            assert not api.list or any(
                isinstance(item, dict) and item.get(api.list) for item in (answer, *answer.values())
            )
        if api.returns not in ("text", "number"):
            assert re.search(r'"id": "[a-z]{3}_\d+"', told[-1])
        break
    assert told
