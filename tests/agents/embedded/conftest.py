"""A small town of services over JSON, the loop of an agent, and the roles over them."""

from __future__ import annotations

import json
from datetime import date

import pytest

from controlllm.agents.embedded.keeper import EmbeddedKeeper
from controlllm.agents.embedded.router import EmbeddedRouter
from controlllm.agents.environment import fingerprint
from controlllm.agents.roles import Taken, Task
from controlllm.agents.tool_environment import ToolEnvironment
from controlllm.core.state import State
from controlllm.models.encoder import encode
from controlllm.resources import TypeLattice
from controlllm.runs.planners import embedded_planner
from controlllm.toolbox import Argument, Code, Tool, ToolError

TODAY = date(2026, 5, 14)
LATTICE = TypeLattice().extended(["town_city"])
CITIES = {
    "Lisbon": ("cty_1", "WET", 545000),
    "Oslo": ("cty_2", "CET", 709000),
    "Porto": ("cty_3", "WET", 231000),
}


def tool(name, description, *args, returns="text", **more):
    given = tuple(Argument(*item) for item in args)
    return Tool(name, description, "public-api", given, Argument("result", returns), **more)


TOOLS = (
    tool("find_city", "Finds a city by its name.", ("name", "text"), returns="town_city"),
    tool("city_time_zone", "The time zone of a city.", ("city", "town_city")),
    tool(
        "forecast",
        "Weather forecast for a city on a day: temperature, rain and wind.",
        ("city", "text", "name of the city"),
        ("date", "text", "YYYY-MM-DD"),
    ),
    tool(
        "daily_weather",
        "The weather of a day in a city.",
        ("city_id", "text", "the city's id, cty_..."),
        ("day", "text", "YYYY-MM-DD"),
    ),
    tool(
        "convert_money",
        "Converts an amount of money from one currency to another.",
        ("amount", "number"),
        ("from_currency", "text", "three letters"),
        ("to_currency", "text", "three letters"),
        returns="number",
    ),
    tool("search_products", "Searches the shop for products.", ("query", "text", "words")),
    tool(
        "product_stock",
        "How many of a product are in stock.",
        ("product_id", "text", "id of a product"),
        returns="number",
    ),
    tool("find_person", "Phone number and e-mail address of a person.", ("name", "text")),
    tool(
        "send_mail",
        "Sends an e-mail to an address.",
        ("to", "text", "e-mail address"),
        ("subject", "text"),
        ("body", "text", "the text of the e-mail"),
        acts_outside=True,
    ),
)


class Town:
    """Answers calls; `faults` are errors raised by the names of tools, `instead` other answers."""

    def __init__(self, faults=None, instead=None):
        self.faults = faults or {}
        self.instead = instead or {}
        self.calls = []

    def __call__(self, tool, inputs):
        self.calls.append(tool.name)
        if tool.name in self.faults:
            raise ToolError("Not now.", self.faults[tool.name])
        if tool.name in self.instead:
            return self.instead[tool.name]
        plain = {
            name: json.loads(item.details["text"]) if hasattr(item, "details") else item
            for name, item in inputs.items()
        }
        found = getattr(self, tool.name)(**plain)
        return found if isinstance(found, str) else json.dumps(found)

    def find_city(self, name):
        if name not in CITIES:
            raise ToolError(f"There is no city called {name}.", Code.NOT_FOUND)
        return {"id": CITIES[name][0], "name": name, "population": CITIES[name][2]}

    def city_time_zone(self, city):
        return {"city": city["name"], "time_zone": CITIES[city["name"]][1]}

    def forecast(self, city, date):
        return {"daily": {"city": city, "date": date, "high": 23, "low": 12, "wind_kmh": 9}}

    def daily_weather(self, city_id, day):
        return {"city_id": city_id, "day": day, "temperature": {"high": 23, "low": 12}}

    def convert_money(self, amount, from_currency, to_currency):
        return str(round(amount * {("EUR", "JPY"): 160.5}[from_currency, to_currency], 2))

    def search_products(self, query):
        found = [
            {"id": "p-7", "name": "Red kettle", "price": 31.0},
            {"id": "p-9", "name": "Steel kettle", "price": 24.5},
        ]
        return {"results": found if "kettle" in query.lower() else []}

    def product_stock(self, product_id):
        return str({"p-7": 4, "p-9": 11}[product_id])

    def find_person(self, name):
        return {"name": name, "phone": "+351 555 0101", "email": "ana@town.example"}

    def send_mail(self, to, subject, body):
        return {"sent": True, "to": to, "subject": subject}


@pytest.fixture(scope="session")
def router():
    return EmbeddedRouter(embedded_planner, encode, lambda: TODAY)


@pytest.fixture(scope="session")
def keeper():
    return EmbeddedKeeper(encode, lambda: TODAY)


def environment_of(town):
    return ToolEnvironment(TOOLS, town, lattice=LATTICE, permitted=lambda tool, inputs: True)


def act(router, keeper, environment, instruction, limit=15, **more):
    """The steps of an agent and its state at the end, as Sum2Act goes."""
    task, state, steps = Task(instruction, **more), State(), []
    for step in range(limit):
        counts = {}
        for item in state.failures:
            counts[item.tool] = counts.get(item.tool, 0) + 1
        hidden = {name for name, count in counts.items() if count > 2}
        decision = router.decide(task, state, environment, hidden)
        if decision.finishes:
            return steps, state, decision
        tried = {fingerprint(item.tool, item.arguments) for item in state.failures}
        assert fingerprint(decision.tool, decision.arguments) not in tried
        observation = environment.step(decision.tool, decision.arguments)
        steps.append(Taken(decision, observation))
        state, _ = keeper.updated(task, state, steps[-1], step)
    raise AssertionError(f"not finished: {[item.decision for item in steps]}")
