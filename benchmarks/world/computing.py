"""What APIs reckon instead of looking it up: money, time, distances, amounts."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.world.apis import setting
from benchmarks.world.facts import Row, Tables, plain
from benchmarks.world.readings import bad_input
from controlllm.toolbox import Code, ToolError

Given = Mapping[str, Any]

#: Kitchen units in grams and in millilitres.
_GRAMS = {"g": 1.0, "kg": 1000.0, "oz": 28.3495, "lb": 453.592}
_MILLILITRES = {"ml": 1.0, "l": 1000.0, "cup": 240.0, "tbsp": 15.0, "tsp": 5.0}
#: The person's day, in hours, as far as appointments go.
_DAY_BEGINS, _DAY_ENDS = "08:00", "22:00"


def compute(function: str, tables: Tables, given: Given) -> Any:
    """The answer of a function by its name: a number or what is to become JSON."""
    return _FUNCTIONS[function](tables, given)


def _rate(tables: Tables, given: Given) -> float:
    return round(_per_euro(tables, given["quote"]) / _per_euro(tables, given["base"]), 5)


def _convert(tables: Tables, given: Given) -> dict[str, Any]:
    base, quote = given["from_currency"], given["to_currency"]
    rate = _per_euro(tables, quote) / _per_euro(tables, base)
    return {
        "query": {"amount": given["amount"], "from": base, "to": quote},
        "rate": round(rate, 5),
        "result": round(given["amount"] * rate, 2),
    }


def _per_euro(tables: Tables, currency: str) -> float:
    row = tables.row("rates", currency)
    if row is None:
        raise ToolError(f"There is no rate for {currency!r}.", Code.NOT_FOUND)
    return float(row["per_eur"])


def _distance(tables: Tables, given: Given) -> float:
    """Along a great circle on a ball of 6,371 km radius, in km."""
    (lat, lon), (other_lat, other_lon) = (
        (math.radians(row["lat"]), math.radians(row["lon"]))
        for row in (_city(tables, given["a"]), _city(tables, given["b"]))
    )
    half = (
        math.sin((other_lat - lat) / 2) ** 2
        + math.cos(lat) * math.cos(other_lat) * math.sin((other_lon - lon) / 2) ** 2
    )
    return round(2 * 6371 * math.asin(math.sqrt(half)))


def _city(tables: Tables, identifier: str) -> Row:
    row = tables.row("cities", identifier)
    assert row is not None, "an entity's id is checked when it is read"
    return row


def _local_time(tables: Tables, given: Given) -> dict[str, Any]:
    here, there = _city(tables, given["from_city"]), _city(tables, given["to_city"])
    hour, minute = map(int, given["time"].split(":"))
    hours = hour + there["utc_offset"] - here["utc_offset"]
    day = "same day" if 0 <= hours < 24 else "next day" if hours >= 24 else "day before"
    return {
        "from": {"city": here["name"], "time": given["time"]},
        "to": {"city": there["name"], "time": f"{hours % 24:02}:{minute:02}", "day": day},
    }


def _today(tables: Tables, given: Given) -> dict[str, Any]:
    return _named_day(setting().today)


def _resolve_date(tables: Tables, given: Given) -> dict[str, Any]:
    return _named_day(given.get("words") or given["date"])


def _named_day(day: str) -> dict[str, Any]:
    found = datetime.date.fromisoformat(day)
    return {"date": day, "weekday": found.strftime("%A"), "week": found.isocalendar().week}


def _days_between(tables: Tables, given: Given) -> int:
    first, last = (datetime.date.fromisoformat(given[name]) for name in ("start", "end"))
    return (last - first).days


def _free_slots(tables: Tables, given: Given) -> dict[str, Any]:
    busy = sorted(
        (row["start"], row["end"] or row["start"])
        for row in tables["events"].rows
        if row["day"] == given["day"]
    )
    free, begin = [], _DAY_BEGINS
    for start, end in busy:
        if start > begin:
            free.append({"from": begin, "to": start})
        begin = max(begin, end)
    if begin < _DAY_ENDS:
        free.append({"from": begin, "to": _DAY_ENDS})
    return {"date": given["day"], "free": free}


def _loan_payment(tables: Tables, given: Given) -> float:
    months, monthly = given["years"] * 12, given["percent"] / 1200
    if months <= 0:
        raise bad_input("years has to be more than 0.")
    if not monthly:
        return round(given["amount"] / months, 2)
    return round(given["amount"] * monthly / (1 - (1 + monthly) ** -months), 2)


def _split_bill(tables: Tables, given: Given) -> float:
    if given["people"] < 1:
        raise bad_input("people has to be 1 or more.")
    return round(given["total"] * (1 + given.get("tip", 0) / 100) / given["people"], 2)


def _scale_recipe(tables: Tables, given: Given) -> dict[str, Any]:
    recipe = tables.row("recipes", given["recipe"])
    assert recipe is not None, "an entity's id is checked when it is read"
    factor = given["people"] / recipe["servings"]
    return {
        "dish": recipe["name"],
        "for_servings": given["people"],
        "ingredients": [
            {
                "name": row["item"],
                "amount": round(row["amount"] * factor, 1),
                "unit": row["unit"],
            }
            for row in tables["ingredients"].rows
            if row["recipe"] == given["recipe"]
        ],
    }


def _kitchen_units(tables: Tables, given: Given) -> float:
    unit, other = (plain(given[name]).rstrip("s") for name in ("unit", "to_unit"))
    for known in (_GRAMS, _MILLILITRES):
        if unit in known and other in known:
            return round(given["amount"] * known[unit] / known[other], 2)
    raise bad_input(f"{unit} cannot be converted into {other}.")


_FUNCTIONS: Mapping[str, Callable[[Tables, Given], Any]] = {
    "rate": _rate,
    "convert": _convert,
    "distance": _distance,
    "local_time": _local_time,
    "today": _today,
    "resolve_date": _resolve_date,
    "days_between": _days_between,
    "free_slots": _free_slots,
    "loan_payment": _loan_payment,
    "split_bill": _split_bill,
    "scale_recipe": _scale_recipe,
    "kitchen_units": _kitchen_units,
}
