"""Looking things up: what is reckoned here, and what services on the network are asked."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from decimal import Decimal
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

import pytest

from controlllm.network import retry_after
from controlllm.toolbox import Cancelled, Context, Toolbox, ToolDefinition, ToolError, Unavailable
from controlllm.toolbox.capabilities import ALONE, Capabilities
from tests.counting import lines_run
from tests.every_case import every_case
from tools.cloud import public_services, waiting
from tools.cloud.public_services import Service, ServiceError, fetch_json
from tools.cloud.waiting import pause
from tools.facts import encyclopedia, films, places_online, weather_report
from tools.facts import lookup as public_apis
from tools.facts.embedded import asked_words, dates, numbers, time_zones
from tools.facts.embedded.numbers import from_roman, to_roman

TODAY = date(2026, 11, 21)
ALLOWED = Context(capabilities=Capabilities(public_services=True))

FORECAST = {
    "latitude": 48.86,
    "longitude": 2.3399997,
    "utc_offset_seconds": 3600,
    "timezone": "Europe/Paris",
    "current_units": {"temperature_2m": "°C"},
    "current": {
        "time": "2026-11-21T14:15",
        "interval": 900,
        "temperature_2m": 9.4,
        "apparent_temperature": 6.1,
        "relative_humidity_2m": 81,
        "weather_code": 61,
        "wind_speed_10m": 14.2,
    },
    "daily": {
        "time": [f"2026-11-{day}" for day in range(21, 28)],
        "weather_code": [61, 3, 0, 71, 95, 2, 1],
        "temperature_2m_max": [10.2, 8.0, 7.5, 1.2, 12.0, 9.0, 9.0],
        "temperature_2m_min": [6.0, 3.1, -0.2, -3.0, 5.0, 4.0, 4.0],
        "precipitation_sum": [3.4, 0.0, 0.0, 2.0, 9.9, 0.0, 0.0],
        "precipitation_probability_max": [90, 10, 0, 70, 95, None, 5],
        "wind_speed_10m_max": [22.0, 11.0, 9.0, 15.0, 45.0, 8.0, 8.0],
    },
}
PARIS_IN_TEXAS = {
    "lat": "33.6609",
    "lon": "-95.5555",
    "osm_type": "relation",
    "osm_id": 115357,
    "display_name": "Paris, Lamar County, Texas, United States",
}
PARIS = {
    "lat": "48.8534",
    "lon": "2.3488",
    "osm_type": "relation",
    "osm_id": 7444,
    "display_name": "Paris, Île-de-France, France",
}
EIFFEL_TOWER = {
    "place_id": 1,
    "osm_type": "way",
    "osm_id": 5013364,
    "lat": "48.8582599",
    "lon": "2.2945006",
    "category": "man_made",
    "type": "tower",
    "addresstype": "man_made",
    "name": "Eiffel Tower",
    "display_name": "Eiffel Tower, 5, Avenue Anatole France, Paris, 75007, France",
    "address": {"postcode": "75007", "country": "France"},
}
#: Where the services stand that are asked.
SERVICES = (
    *((encyclopedia, "WIKIPEDIA"), (films, "WIKIDATA")),
    *((places_online, "NOMINATIM"), (weather_report, "NOMINATIM"), (weather_report, "FORECAST")),
)
#: What is found by words; the longer names first.
NOMINATIM = {
    "eiffel": [EIFFEL_TOWER],
    "paris, texas": [PARIS_IN_TEXAS],
    "paris": [PARIS, PARIS_IN_TEXAS],
}


def page(
    index: int, title: str, description: str, extract: str, item: str, **extra: object
) -> dict:
    return {
        "pageid": index,
        "ns": 0,
        "title": title,
        "index": index,
        "extract": extract,
        "description": description,
        "canonicalurl": f"https://en.wikipedia.org/wiki/{title.replace(' ', '_')}",
        "pageprops": {"wikibase_item": item, **extra},
    }


CASABLANCA = {
    "batchcomplete": True,
    "query": {
        "pages": [
            page(3, "Casablanca", "City in Morocco", "Casablanca is a city.", "Q7903"),
            page(2, "Humphrey Bogart", "American actor (1899–1957)", "Bogart was …", "Q16390"),
            page(
                1,
                "Casablanca (film)",
                "1942 film by Michael Curtiz",
                "Casablanca is a 1942 American romantic drama film.",
                "Q132689",
            ),
            page(4, "Casablanca (TV series)", "American TV series", "A series.", "Q1"),
        ]
    },
}


def statement(value: object, rank: str = "normal") -> dict:
    return {"rank": rank, "mainsnak": {"snaktype": "value", "datavalue": {"value": value}}}


CLAIMS = {
    "P57": [statement({"id": "Q51492", "entity-type": "item"})],
    "P161": [statement({"id": "Q16390"}), statement({"id": "Q43247"})],
    "P577": [
        statement({"time": "+1943-01-23T00:00:00Z", "precision": 11}),
        statement({"time": "+1942-11-26T00:00:00Z", "precision": 11}),
        statement({"time": "+1900-00-00T00:00:00Z", "precision": 9}, "deprecated"),
    ],
    "P2047": [statement({"amount": "+102", "unit": "http://www.wikidata.org/entity/Q7727"})],
    "P136": [{"rank": "normal", "mainsnak": {"snaktype": "somevalue"}}],
}
LABELS = {"Q51492": "Michael Curtiz", "Q16390": "Humphrey Bogart", "Q43247": "Ingrid Bergman"}
YEAR_PAGE = """1848 was historically famous.

== Events ==

=== January–March ===
January 3 – Joseph Jenkins Roberts is sworn in as first president of Liberia.
January 24 – California Gold Rush: James W. Marshall finds gold at Sutter's Mill.
March 13 – The revolution in Vienna forces Metternich to resign and to flee.

== Births ==
January 1 – Nobody who should be told of among the events of the year.
"""


class FakeServices(ThreadingHTTPServer):
    """Speaks the formats of the services; `faults` are statuses to be sent first, with headers."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[str] = []
        self.agents: list[str] = []
        self.faults: list[tuple[int, dict[str, str]]] = []
        self.body: bytes | None = None
        self.on_request: Callable[[], object] = lambda: None
        self.forecast: dict = FORECAST
        self.speaks = threading.Event()
        self.speaks.set()

    def service(self, name: str = "Open-Meteo") -> Service:
        return Service(name, f"http://127.0.0.1:{self.server_port}")

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Nothing is answered until what is done here is over."""
        self.speaks.clear()
        try:
            yield
        finally:
            self.speaks.set()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no fault of the test."""


class _Handler(BaseHTTPRequestHandler):
    server: FakeServices

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.server.agents.append(self.headers["User-Agent"])
        self.server.on_request()
        self.server.speaks.wait(600)
        if self.server.faults:
            status, headers = self.server.faults.pop(0)
            self._send(status, b'{"error":true,"reason":"no"}', headers)
        elif self.server.body is not None:
            self._send(200, self.server.body, {})
        else:
            found = answer_for(self.path)
            found = self.server.forecast if found is FORECAST else found
            self._send(404 if found is None else 200, json.dumps(found).encode(), {})

    def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


def answer_for(path: str) -> object:
    parts = urlsplit(path)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    match parts.path:
        case "/v1/forecast" if query.get("current") == "is_day":
            return {"timezone": "America/Chicago" if query["latitude"] == "33.6609" else "UTC"}
        case "/v1/forecast":
            return FORECAST
        case "/search":
            return next(
                (item for name, item in NOMINATIM.items() if name in query["q"].lower()), []
            )
        case "/api/rest_v1/feed/onthisday/selected/07/04":
            events = [(1862, "Lewis Carroll tells a story."), (1776, "Independence is declared.")]
            return {
                "selected": [{"text": text, "year": year, "pages": []} for year, text in events]
            }
        case "/w/api.php" if query["action"] == "wbgetentities":
            codes = query["ids"].split("|")
            if query["props"] == "claims":
                return {"entities": {codes[0]: {"id": codes[0], "claims": CLAIMS}}, "success": 1}
            return {
                "entities": {
                    code: {"labels": {"en": {"language": "en", "value": LABELS[code]}}}
                    for code in codes
                }
            }
        case "/w/api.php" if "titles" in query:
            return {"query": {"pages": [{"title": query["titles"], "extract": YEAR_PAGE}]}}
        case "/w/api.php":
            return (
                CASABLANCA if "casablanca" in query["gsrsearch"].lower() else {"batchcomplete": 1}
            )
    return None


@pytest.fixture
def services(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServices]:
    for name in (
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "http_proxy",
        "https_proxy",
        "all_proxy",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(waiting, "FIRST_PAUSE", 0.02)
    # So long that no answer is given up because the machine is busy, and too short for the waits
    # that are not to be waited.
    monkeypatch.setitem(fetch_json.__kwdefaults__, "whole_seconds", 60.0)
    monkeypatch.setattr(public_services, "CONNECT_SECONDS", 60.0)
    public_services.forget()
    server = FakeServices()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    for module, name in SERVICES:
        known = getattr(module, name)
        monkeypatch.setattr(module, name, server.service(known.name))
    yield server
    server.shutdown()
    server.server_close()
    thread.join()
    public_services.forget()


def on_the_network() -> list:
    found = []
    for definition in vars(public_apis).values():
        if hasattr(definition, "implementations") and hasattr(definition, "tool"):
            found += [way for way in definition.implementations if way.runtime == "cloud"]
    return found


def asked_elsewhere(definition: ToolDefinition, words: str) -> str:
    """What the way over the network tells, also where there is one that stays here."""
    way = next(way for way in definition.implementations if way.runtime == "cloud")
    return way.run({definition.tool.args[0].name: words}, ALLOWED)


class TestNothingIsSentUnasked:
    def test_every_way_over_the_network_needs_the_setting(self) -> None:
        assert len(on_the_network()) == 7
        for way in on_the_network():
            reason = way.reason_unavailable(ALONE)
            assert reason is not None and "public service on the network" in reason
            assert "settings do not allow" in reason
            assert way.reason_unavailable(ALLOWED.capabilities) is None

    @pytest.mark.parametrize("context", [None, Context(), Context(capabilities=ALONE)])
    def test_the_one_door_is_shut_too(
        self, services: FakeServices, context: Context | None
    ) -> None:
        with pytest.raises(ToolError, match="was not asked"):
            fetch_json(services.service(), "v1/search", {"name": "Paris"}, context=context)
        for way in on_the_network():
            name = way.function.__code__.co_varnames[0]
            try:
                said = way.run({name: "Casablanca, 4 July 1848"}, context or Context())
            except ToolError as error:
                said = str(error)
            assert said
        assert services.asked == []

    def test_tools_that_need_a_service_say_so(self) -> None:
        for definition in (public_apis.get_weather, public_apis.search_movie):
            with pytest.raises(Unavailable, match="public service"):
                definition("Paris")

    def test_every_tool_is_in_the_toolbox_and_where_it_belongs(self) -> None:
        toolbox = Toolbox.load()
        mine = [item for item in toolbox if item.domain == "public-api"]
        assert {item.name for item in mine} >= {
            *("get_weather", "get_location", "get_time", "get_math_fact", "get_trivia_fact"),
            *("get_year_fact", "get_date_fact", "search_movie", "love_calculator"),
            "wikipedia_simple_search",
        }
        assert toolbox["wikipedia"].name == "wikipedia_simple_search"
        for item in mine:
            assert 7 <= len(item.examples) <= 9


class TestAsking:
    def test_a_service_learns_who_asks_and_nothing_else(self, services: FakeServices) -> None:
        fetch_json(services.service(), "v1/search", {"name": "Paris"}, context=ALLOWED)
        assert services.agents[0].startswith("ControlLLM/")
        assert services.asked == ["/v1/search?name=Paris"]

    def test_faults_that_pass_are_tried_again_twice(self, services: FakeServices) -> None:
        services.faults = [(503, {}), (500, {})]
        assert fetch_json(services.service(), "v1/forecast", context=ALLOWED) == FORECAST
        services.faults = [(502, {})] * 3
        public_services.forget()
        with pytest.raises(ServiceError, match="fault of its own"):
            fetch_json(services.service(), "v1/forecast", context=ALLOWED)
        assert len(services.asked) == 6

    def test_a_refusal_is_not_tried_again(self, services: FakeServices) -> None:
        services.faults = [(400, {})]
        with pytest.raises(ServiceError, match=r"refused the request \(400\)"):
            fetch_json(services.service(), "v1/forecast", context=ALLOWED)
        assert len(services.asked) == 1

    def test_retry_after_is_honoured(self, services: FakeServices) -> None:
        services.faults = [(429, {"Retry-After": "1"})]
        began = time.monotonic()
        fetch_json(services.service(), "v1/forecast", context=ALLOWED)
        assert time.monotonic() - began >= 1

    @pytest.mark.parametrize("as_date", [False, True])
    def test_a_long_wait_is_told_and_kept(
        self, services: FakeServices, as_date: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now = 1_800_000_000.0
        monkeypatch.setattr(retry_after, "time", SimpleNamespace(time=lambda: now))
        until = datetime.fromtimestamp(now + 90, UTC)
        wait = format_datetime(until, usegmt=True) if as_date else "90"
        services.faults = [(429, {"Retry-After": wait})]
        with pytest.raises(ServiceError, match="asks to wait 90 seconds"):
            fetch_json(services.service(), "v1/forecast", context=ALLOWED)
        # The next one does not even ask.
        with pytest.raises(ServiceError, match="asks to wait"):
            fetch_json(services.service(), "v1/forecast", context=ALLOWED)
        assert len(services.asked) == 1

    def test_a_silent_service_is_given_up(self, services: FakeServices) -> None:
        with services.silent(), pytest.raises(ServiceError, match="did not answer in time"):
            fetch_json(services.service(), "v1/forecast", whole_seconds=0.3, context=ALLOWED)

    def test_offline_is_said_plainly_and_is_no_reason_for_the_engine_to_repeat(
        self, services: FakeServices
    ) -> None:
        from controlllm.engine.fallback import is_transient

        gone = Service("Open-Meteo", "http://127.0.0.1:9")
        with pytest.raises(ServiceError, match="seems to be offline") as caught:
            fetch_json(gone, "v1/forecast", context=ALLOWED)
        assert not is_transient(caught.value)

    def test_too_much_and_nonsense_are_refused(self, services: FakeServices) -> None:
        services.body = b"[" + b"1," * 50_000 + b"1]"
        with pytest.raises(ServiceError, match="too large"):
            fetch_json(services.service(), "v1/forecast", most_bytes=10_000, context=ALLOWED)
        services.body = b"<html>captive portal</html>"
        with pytest.raises(ServiceError, match="cannot be read"):
            fetch_json(services.service(), "v1/forecast", context=ALLOWED)

    def test_a_redirect_stays_at_the_service(self, services: FakeServices) -> None:
        services.faults = [(302, {"Location": "/v1/forecast"})]
        assert fetch_json(services.service(), "old", context=ALLOWED) == FORECAST
        services.faults = [(302, {"Location": "http://localhost:1/secret"})]
        with pytest.raises(ServiceError, match="moved elsewhere"):
            fetch_json(services.service(), "older", context=ALLOWED)

    def test_waiting_can_be_stopped(
        self, services: FakeServices, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        services.faults = [(429, {"Retry-After": "20"})]
        stop = threading.Event()
        pauses: list[float] = []

        def stopped(seconds: float, context: Context) -> None:
            pauses.append(seconds)
            if seconds > 1:
                threading.Timer(0.05, stop.set).start()
            pause(seconds, context)

        monkeypatch.setattr(waiting, "pause", stopped)
        with pytest.raises(Cancelled):
            fetch_json(
                services.service(),
                "v1/forecast",
                # Waited for to the end, the service would be asked again and would answer.
                whole_seconds=600,
                context=Context(cancelled=stop, capabilities=ALLOWED.capabilities),
            )
        assert len(services.asked) == 1 and pauses[-1] == 20

    def test_a_silent_service_keeps_nobody_waiting(self, services: FakeServices) -> None:
        stop = threading.Event()
        services.on_request = stop.set
        with services.silent(), pytest.raises(Cancelled):
            context = Context(cancelled=stop, capabilities=ALLOWED.capabilities)
            fetch_json(services.service(), "v1/forecast", whole_seconds=600, context=context)

    def test_a_service_is_not_hurried(self, services: FakeServices) -> None:
        slow = Service("OpenStreetMap", services.service().address, interval=0.4)
        began = time.monotonic()
        for name in ("a", "b", "c"):
            fetch_json(slow, "search", {"q": name}, context=ALLOWED)
        assert time.monotonic() - began >= 0.8


class TestWeather:
    def report(self, place: str, request: str = "") -> str:
        return weather_report.weather(place, request, ALLOWED)

    def test_now_and_the_next_days(self, services: FakeServices) -> None:
        said = self.report("Paris")
        assert "Paris, Île-de-France, France, Saturday 21 November, 14:15" in said
        assert "light rain, 9 °C, feels like 6 °C, humidity 81 %, wind 14 km/h." in said
        assert (
            "Today, 21 November: light rain, from 6 °C, up to 10 °C, 90 % chance of rain or snow"
            in said
        )
        assert "Monday, 23 November: clear sky, from 0 °C, up to 8 °C" in said
        assert "Thursday" not in said

    @pytest.mark.parametrize(
        ("request_", "told", "untold"),
        [
            ("Will it rain in Paris tomorrow?", "Tomorrow, 22 November", "Today,"),
            ("Paris on Wednesday", "Wednesday, 25 November: thunderstorm", "Tomorrow,"),
            ("the weekend in Paris", "Tomorrow, 22 November", "Monday,"),
            ("Paris this week", "Friday, 27 November", "nothing"),
        ],
    )
    def test_the_days_asked_for(
        self, services: FakeServices, request_: str, told: str, untold: str
    ) -> None:
        said = self.report("Paris", request_)
        assert told in said and untold not in said

    def test_the_part_after_a_comma_tells_which(self, services: FakeServices) -> None:
        assert "Paris, Lamar County, Texas, United States" in self.report("Paris, Texas")
        assert "longitude=-95.5555" in services.asked[-1]
        with pytest.raises(ToolError, match="knows no place called “Atlantis”"):
            self.report("Atlantis")

    def test_the_tool_asks_for_the_place_only(self, services: FakeServices) -> None:
        request_ = "My mum flies to Paris tomorrow, is rain to be expected?"
        said = public_apis.get_weather(request_, context=ALLOWED)
        assert "Tomorrow, 22 November" in said
        assert "mum" not in " ".join(services.asked)

    def test_an_answer_without_weather(self, services: FakeServices) -> None:
        services.forecast = {"current": None, "daily": None}
        with pytest.raises(ServiceError, match="has no weather for Paris"):
            self.report("Paris")

    def test_what_is_missing_is_left_out(self, services: FakeServices) -> None:
        now = FORECAST["current"] | {"apparent_temperature": None}
        days = {name: [None, *values[1:]] for name, values in FORECAST["daily"].items()}
        days |= {"time": FORECAST["daily"]["time"], "weather_code": [61] * 7}
        days["precipitation_sum"] = [3.4] * 7
        services.forecast = {"current": now, "daily": days}
        said = self.report("Paris")
        assert "light rain, 9 °C, humidity 81 %, wind 14 km/h." in said
        assert "Today, 21 November: light rain, 3.4 mm of rain or snow.\n" in said
        assert "Tomorrow, 22 November: light rain, from 3 °C, up to 8 °C, 10 % chance" in said
        days |= {"temperature_2m_min": [None] * 7, "wind_speed_10m_max": None}
        assert "Tomorrow, 22 November: light rain, up to 8 °C, 10 % chance" in self.report("Paris")


class TestPlaces:
    def test_a_sight(self, services: FakeServices) -> None:
        said = places_online.describe_place("Eiffel Tower", ALLOWED)
        assert said.startswith("Eiffel Tower (man made) lies in 5, Avenue Anatole France, Paris")
        assert "48.86° N, 2.29° E" in said and "Postcode: 75007" in said
        with pytest.raises(ToolError, match="knows no place called “Atlantis”"):
            places_online.describe_place("Atlantis", ALLOWED)

    def test_large_cities_are_known_here(self) -> None:
        said = public_apis.get_location("Where is Nairobi?")
        assert "Kenya" in said and "1.28° S, 36.82° E" in said and "Africa/Nairobi" in said
        with pytest.raises(ToolError, match="only some large cities"):
            public_apis.get_location("Where is Little Whinging?")
        with pytest.raises(ToolError, match="Which place"):
            public_apis.get_location("  ")

    @every_case(
        ("request_", "place"),
        [
            ("Paris", "Paris"),
            ("Will it rain in Lisbon tomorrow?", "Lisbon"),
            ("weather San Francisco", "San Francisco"),
            ("what's the weather like in new york this weekend", "new york"),
            ("Do I need an umbrella in London today?", "London"),
            ("My mum is flying to Oslo on Friday, is rain to be expected?", "Oslo"),
            ("Is Berlin north or south of the equator?", "Berlin"),
            ("Where is the Statue of Liberty?", "Statue of Liberty"),
            ("Isle of Man", "Isle of Man"),
            ("How is the weather in Paris, Texas?", "Paris, Texas"),
            ("São Paulo", "São Paulo"),
            ("I'm visiting my aunt in Cape Town on Friday", "Cape Town"),
            ("leeds tmrw", "leeds"),
            ("lisbon weather wknd", "lisbon"),
            ("round Ballinasloe", "Ballinasloe"),
            ("dry in Cork till Thursday?", "Cork"),
            ("What time is it?", ""),
            ("Is it Monday today?", ""),
        ],
    )
    def test_the_place_in_a_request(self, request_: str, place: str) -> None:
        assert asked_words.place_asked(request_) == place


class TestTime:
    NOW = datetime(2026, 7, 21, 14, 5, tzinfo=UTC)

    @every_case(
        ("place", "told"),
        [
            ("", "It is 14:05 (UTC) on Tuesday 21 July 2026, calendar week 30, day 202"),
            ("Tokyo", "In Tokyo it is 23:05 (UTC+09:00) on Tuesday"),
            ("sao paulo", "it is 11:05"),
            ("Germany", "In Germany it is 16:05 (UTC+02:00) on Tuesday 21 July 2026"),
            ("Kathmandu", "19:50"),
            ("California", "07:05"),
            ("Paris, France", "16:05"),
            ("Paris, Texas", "09:05"),
            ("Europe/Berlin", "calendar week 30, day 202 of the year, summer time"),
        ],
    )
    def test_times_of_places(self, place: str, told: str) -> None:
        assert told in time_zones.time_said(place, self.NOW)

    def test_a_country_with_several_times(self) -> None:
        said = time_zones.time_said("Australia", self.NOW)
        assert "Australia has 5 times now" in said
        assert "22:05 on Tuesday (UTC+08:00) in Perth" in said
        assert "00:05 on Wednesday (UTC+10:00) in" in said

    def test_the_tool(self) -> None:
        assert f"{datetime.now().astimezone():%Y}" in public_apis.get_time()
        assert "It is" in public_apis.get_time("What day is it today?")
        for here in (
            "The time, please, in 24-hour format",
            "Do you have the time?",
            "Can you tell me the time?",
            "Can you tell us the time?",
            "Which week of the year is it?",
            "I've lost track of the days, what's today?",
            "Return the current timestamp in ISO format",
            "Remind me what today's date is",
            "wat time is it",
        ):
            assert public_apis.get_time(here).startswith("It is "), here
        assert "In Tokyo it is" in public_apis.get_time("What is the time in Tokyo?")
        with pytest.raises(ToolError, match="no time zone for “Ballachulish”"):
            public_apis.get_time("What time is it in Ballachulish?")

    def test_a_service_knows_more_places(self, services: FakeServices) -> None:
        said = asked_elsewhere(public_apis.get_time, "paris, texas")
        assert said.startswith("In Paris, Lamar County, Texas, United States it is")
        chicago = datetime.now(ZoneInfo("America/Chicago"))
        assert f"{chicago:%A}" in said and f"UTC-0{5 if chicago.dst() else 6}:00" in said

    def test_no_service_is_asked_for_the_time_here(self, services: FakeServices) -> None:
        assert asked_elsewhere(public_apis.get_time, "What time is it?").startswith("It is ")
        assert services.asked == []


class TestNumbers:
    @every_case(
        ("written", "number"),
        [
            ("what is special about 1729?", 1729),
            ("forty-two", 42),
            ("one thousand seven hundred and twenty-nine", 1729),
            ("nineteen sixty-nine", 1969),
            ("1,234,567 please", 1234567),
            ("minus seven", -7),
            ("2^31", 2**31),
            ("1.5 million", 1500000),
            ("the 21st", 21),
            ("MMXXIV", 2024),
            ("3.14", Decimal("3.14")),
            ("Tell me one thing about six", 6),
        ],
    )
    def test_reading(self, written: str, number: object) -> None:
        assert numbers.number_asked(written) == number

    def test_roman_numerals_go_both_ways(self) -> None:
        assert all(from_roman(to_roman(number)) == number for number in range(1, 4000))
        assert to_roman(0) == to_roman(4000) == ""

    def test_primes_and_factors_are_right(self) -> None:
        sieve = [n for n in range(2, 2000) if all(n % d for d in range(2, int(n**0.5) + 1))]
        assert [n for n in range(2000) if numbers.factors(n) == [n]] == sieve
        for number in (*range(1, 3000), 999983 * 999979, 10**12, 10**12 - 11, 1009**2, 2**39):
            found = numbers.factors(number)
            assert math.prod(found) == number
            assert all(numbers.factors(prime) == [prime] for prime in found)

    @every_case(
        ("request_", "told"),
        [
            ("1729", "1,729 = 7 × 13 × 19"),
            ("Is 97 prime?", "97 is a prime number"),
            ("91", "91 is an odd number, not a prime: 91 = 7 × 13"),
            ("1729", "1³ + 12³ = 9³ + 10³"),
            ("1729", "Hardy–Ramanujan"),
            ("360", "24 divisors: 1, 2, 3, 4, 5, 6"),
            ("twenty-eight", "a perfect number"),
            ("144", "a square (12²), the twelfth Fibonacci number"),
            ("10", "1010 in binary"),
            ("1", "neither prime nor composite"),
            ("0", "nothing can be divided by it"),
            ("-12", "negative even whole number"),
            ("2.5", "As a fraction in lowest terms it is 5/2."),
            ("1000000007 * ", "1,000,000,007 is a prime number"),
        ],
    )
    def test_maths(self, request_: str, told: str) -> None:
        assert told in public_apis.get_math_fact(request_)

    def test_huge_numbers_take_no_long_search(self) -> None:
        def tell() -> None:
            for request_ in ("9" * 18, "9" * 100, "10^99", str(999999937 * 999999929)):
                public_apis.get_math_fact(request_)

        # To try every number up to the root of the last one would be a billion steps.
        assert lines_run(tell) < 100_000

    @every_case(
        ("request_", "told"),
        [
            ("42", "“forty-two”"),
            ("Which chemical element has the number 79?", "atomic number of gold (Au)"),
            ("118", "oganesson"),
            ("118", "“one hundred and eighteen”"),
            ("1000001", "“one million and one”"),
            ("123456", "hundred and twenty-three thousand four hundred and fifty-six"),
            ("four", "as many letters as it says"),
            ("40", "alphabetical order"),
            ("8", "octagon"),
            ("1000000", "a million"),
        ],
    )
    def test_trivia(self, request_: str, told: str) -> None:
        assert told in public_apis.get_trivia_fact(request_)

    @every_case("request_", ["", "  ", "no number here", "9" * 200, "x" * 5000])
    def test_no_number(self, request_: str) -> None:
        for definition in (public_apis.get_math_fact, public_apis.get_trivia_fact):
            with pytest.raises(ToolError):
                definition(request_)


class TestCalendar:
    @every_case(
        ("written", "told"),
        [
            ("the 4th of July", "4 July 2027 will be a Sunday, in 225 days from today"),
            ("4/7", "4 July 2027"),
            ("7/20/1969", "20 July 1969 was a Sunday"),
            ("24/12/1968", "24 December 1968 was a Tuesday"),
            ("fourth of July nineteen sixty-nine", "4 July 1969 was a Friday"),
            ("July 4, 1776", "was a Thursday"),
            ("2024-02-29", "day 60 of the 366 of 2024 (a leap year), in calendar week 9"),
            ("29 feb", "29 February 2028"),
            ("14 Febuary", "14 February"),
            ("How many days until Christmas?", "in 34 days from today"),
            ("Easter 2030", "21 April 2030 will be a Sunday"),
            ("tomorrow", "22 November 2026 will be a Sunday, tomorrow"),
            ("in three weeks", "12 December 2026"),
            ("What date is 100 days from now?", "1 March 2027"),
            ("14 October 1066", "14 October 1066 was 350,"),
            ("15 March 2024", "The moon: waxing crescent."),
            ("8 April 2024", "The moon: new moon."),
        ],
    )
    def test_dates(self, written: str, told: str) -> None:
        assert told in dates.facts_of_date(dates.read_date(written, TODAY), TODAY)

    @every_case(
        "written",
        [
            "",
            "31 June",
            "2/30",
            "4 July 10000",
            "29 February 2023",
            "soon",
            "99/99",
        ],
    )
    def test_days_that_are_none(self, written: str) -> None:
        with pytest.raises(ToolError):
            dates.read_date(written, TODAY)

    @every_case(
        ("written", "told"),
        [
            ("in 1969", "1969 was a common year of 365 days, in the twentieth century"),
            ("in nineteen eighty-four", "MCMLXXXIV"),
            ("2000", "leap year of 366 days, in the twentieth century"),
            ("1900", "common year"),
            ("2024", "the year of the dragon"),
            ("2030", "Easter Sunday is 21 April."),
            ("44 BC", "in the first century BC"),
            ("MMXXIV", "It begins on a Monday and ends on a Tuesday."),
            ("next year", "2027 is"),
            ("1500", "in the fifteenth century"),
        ],
    )
    def test_years(self, written: str, told: str) -> None:
        assert told in dates.facts_of_year(dates.read_year(written, TODAY), TODAY)

    @every_case("written", ["", "the year 0", "12000", "long ago"])
    def test_years_that_are_none(self, written: str) -> None:
        with pytest.raises(ToolError):
            dates.read_year(written, TODAY)

    @every_case(
        ("day", "phase"),
        [
            ("1999-08-11", "new moon"),
            ("2017-08-21", "new moon"),
            ("2015-09-28", "full moon"),
            ("2025-03-14", "full moon"),
        ],
    )
    def test_eclipses_fall_on_new_and_full_moons(self, day: str, phase: str) -> None:
        said = dates.facts_of_date(dates.read_date(day, TODAY), TODAY)
        assert f"The moon: {phase}." in said

    def test_history_is_owned_to_be_missing(self) -> None:
        assert "only look up" in public_apis.get_date_fact("What happened on the 4th of July?")
        assert "only look up" in public_apis.get_year_fact("What happened in 1848?")
        assert "only look up" not in public_apis.get_year_fact("Was 1900 a leap year?")

    def test_history_is_looked_up(self, services: FakeServices) -> None:
        events = encyclopedia.happened_on(date(1776, 7, 4), ALLOWED)
        assert events == [
            "1776: Independence is declared.",
            "1862: Lewis Carroll tells a story.",
        ]
        assert encyclopedia.happened_on(date(1776, 7, 5), ALLOWED) == []
        with pytest.raises(ToolError, match="only be looked up"):
            public_apis.get_year_fact("What happened in 1848?", context=ALLOWED)
        with pytest.raises(ToolError, match="only be looked up"):
            public_apis.get_date_fact("What happened on the 4th of July?", context=ALLOWED)
        assert "Easter" in public_apis.get_year_fact("When is Easter in 2030?", context=ALLOWED)
        said = asked_elsewhere(public_apis.get_year_fact, "What happened in 1848?")
        assert "24 January: California Gold Rush" in said and "MDCCCXLVIII" in said
        assert "Nobody" not in said

    def test_history_is_not_waited_for_long(
        self, services: FakeServices, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(encyclopedia, "HISTORY_SECONDS", 0.3)
        with services.silent():
            for events in (
                lambda: encyclopedia.happened_in(1848, ALLOWED),
                lambda: encyclopedia.happened_on(date(1776, 7, 4), ALLOWED),
            ):
                with pytest.raises(ServiceError, match="did not answer in time"):
                    events()


class TestFilmsAndArticles:
    def test_a_film(self, services: FakeServices) -> None:
        said = films.about_film("Casablanca", None, ALLOWED)
        assert said.startswith("Casablanca: 1942 film by Michael Curtiz")
        assert "Year: 1942" in said and "Director: Michael Curtiz" in said
        assert "With: Humphrey Bogart, Ingrid Bergman" in said and "Length: 102 minutes" in said
        assert "https://en.wikipedia.org/wiki/Casablanca_(film)" in said
        assert "Others like it: Casablanca (TV series)" in said and "Morocco" not in said

    def test_a_film_without_wikidata(
        self, services: FakeServices, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(films, "WIKIDATA", Service("Wikidata", "http://127.0.0.1:9"))
        said = films.about_film("Casablanca", 1942, ALLOWED)
        assert "romantic drama" in said and "Director and cast are missing: Wikidata" in said

    def test_no_film(self, services: FakeServices) -> None:
        with pytest.raises(ToolError, match="has no film called “Nonesuch”"):
            films.about_film("Nonesuch", None, ALLOWED)
        with pytest.raises(ToolError, match="no title"):
            films.about_film(" ?", None)

    @every_case(
        ("request_", "title", "year"),
        [
            ("Who directed Casablanca?", "Casablanca", None),
            ("What is the movie Inception about?", "Inception", None),
            ("Metropolis (1927)", "Metropolis", 1927),
            ("search for the film metropolis", "metropolis", None),
            ("Who plays in The Lord of the Rings?", "The Lord of the Rings", None),
            ("Rain Man", "Rain Man", None),
            ("Freaky Friday", "Freaky Friday", None),
            ("some like it hot", "some like it hot", None),
        ],
    )
    def test_the_title_in_a_request(self, request_: str, title: str, year: int | None) -> None:
        assert asked_words.title_asked(request_) == (title, year)

    def test_an_article(self, services: FakeServices) -> None:
        said = encyclopedia.look_up("Casablanca", ALLOWED)
        assert said.startswith("Casablanca: City in Morocco\n\nCasablanca is a city.")
        assert "Source: Wikipedia, https://en.wikipedia.org/wiki/Casablanca" in said
        assert "Other articles: Casablanca (film); Humphrey Bogart" in said
        with pytest.raises(ToolError, match="has no article on “Qwxz”"):
            encyclopedia.look_up("Qwxz", ALLOWED)

    def test_what_is_looked_up_gives_no_orders_to_the_search(self, services: FakeServices) -> None:
        encyclopedia.search_articles('-insource:"/x/" AC/DC', ALLOWED)
        sent = parse_qs(urlsplit(services.asked[-1]).query)["gsrsearch"][0]
        assert sent == "insource x AC DC"
        with pytest.raises(ToolError, match="nothing to look up"):
            encyclopedia.search_articles("?!", ALLOWED)

    @every_case(
        ("request_", "topic"),
        [
            ("Look up Ada Lovelace in Wikipedia.", "Ada Lovelace"),
            ("What does Wikipedia say about black holes?", "black holes"),
            ("Who was Nikola Tesla? Check the encyclopedia.", "Nikola Tesla"),
            ("Search Wikipedia for photosynthesis.", "photosynthesis"),
            ("I need a short encyclopedia entry on jazz.", "jazz"),
            ("wiki page of Mount Everest", "Mount Everest"),
            ("golden retriever", "golden retriever"),
            ("Tell me about the history of Rome", "history of Rome"),
        ],
    )
    def test_the_topic_in_a_request(self, request_: str, topic: str) -> None:
        assert asked_words.topic_asked(request_) == topic


class TestLoveCalculator:
    def test_it_is_a_game_with_the_letters(self) -> None:
        said = public_apis.love_calculator("How well do Romeo and Juliet match?")
        assert said.startswith("Romeo and Juliet: ") and "This is a game" in said
        assert said == public_apis.love_calculator("Romeo & Juliet")

    def test_order_case_and_accents_do_not_count(self) -> None:
        scores = {
            public_apis.love_calculator(names).split(": ")[1] for names in ("Zoë, Bob", "BOB, zoe")
        }
        assert len(scores) == 1
        # L, O, V, E, S: 1 2 0 2 0 -> 3 2 2 2 -> 5 4 4 -> 9 8
        assert ": 98 %." in public_apis.love_calculator("Romeo, Jule")

    @every_case(
        ("request_", "pair"),
        [
            ("Anna, Ben", ("Anna", "Ben")),
            ("Anna loves Tom", ("Anna", "Tom")),
            ("What per cent of love is there between Clara and Robert?", ("Clara", "Robert")),
            ("I'd like to know whether Emma and Jack are a couple", ("Emma", "Jack")),
            ("Love test: Lucy + Desi Arnaz", ("Lucy", "Desi Arnaz")),
            ("are tim & bob a good match", ("tim", "bob")),
            ("Anna Tom", ("Anna", "Tom")),
            ("Anna", None),
        ],
    )
    def test_the_names_in_a_request(self, request_: str, pair: tuple[str, str] | None) -> None:
        assert asked_words.names_asked(request_) == pair

    @every_case("names", ["", "Romeo", "?", "名前 and 愛", "x" * 3000])
    def test_two_names_are_needed(self, names: str) -> None:
        with pytest.raises(ToolError):
            public_apis.love_calculator(names)
