"""The weather at a place, asked of Open-Meteo and put into words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

from controlllm.toolbox import Context
from tools.cloud.public_services import Service, ServiceError, fetch_json, reading
from tools.facts.embedded.data import table
from tools.facts.places_online import NOMINATIM, find_places

FORECAST = Service("Open-Meteo", "https://api.open-meteo.com")
_ASKED = {
    "current": "temperature_2m,apparent_temperature,relative_humidity_2m,weather_code,"
    "wind_speed_10m,wind_direction_10m",
    "daily": "weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,"
    "precipitation_probability_max,wind_speed_10m_max",
    "timezone": "auto",
    "forecast_days": 7,
}
_WINDS = "north north-east east south-east south south-west west north-west".split()


def _asked(
    place: str,
    parameters: Mapping[str, object],
    context: Context,
    nominatim: Service,
    forecast: Service,
) -> tuple[str, dict[str, Any]]:
    """The full name of a place, and what the forecast says of it."""
    context.progress(0.1, f"asking {nominatim.name} where {place} is")
    found = find_places(place, context, nominatim)[0]
    context.progress(0.5, f"asking {forecast.name}")
    where = {"latitude": f"{found['lat']:.4f}", "longitude": f"{found['lon']:.4f}"}
    answer = fetch_json(forecast, "v1/forecast", {**where, **parameters}, context=context)
    return found["display_name"], answer or {}


def zone_of(
    place: str,
    context: Context | None = None,
    nominatim: Service = NOMINATIM,
    forecast: Service = FORECAST,
) -> tuple[str, str]:
    """The full name of a place and its time zone, such as "Europe/Paris"; raises ToolError."""
    asked = {"timezone": "auto", "current": "is_day"}
    name, answer = _asked(place, asked, context or Context(), nominatim, forecast)
    with reading(forecast):
        return name, str(answer["timezone"])


def weather(
    place: str,
    request: str = "",
    context: Context | None = None,
    nominatim: Service = NOMINATIM,
    forecast: Service = FORECAST,
) -> str:
    """The weather now and the forecast for a place, of the days that `request` names."""
    name, answer = _asked(place, _ASKED, context or Context(), nominatim, forecast)
    try:
        days = [date.fromisoformat(day) for day in answer["daily"]["time"]]
        told = [
            _day(
                index,
                days[index],
                {what: row[index] for what, row in answer["daily"].items() if row},
            )
            for index in _chosen(request, days)
        ]
        return "\n".join([f"{name}, {_now(answer['current'])}", *told, "Source: Open-Meteo.com."])
    except (KeyError, TypeError, ValueError, IndexError):
        raise ServiceError(
            f"{forecast.name} has no weather for {name}; name a town near it."
        ) from None


def _now(told: Mapping[str, Any]) -> str:
    moment = datetime.fromisoformat(told["time"])
    warmth, felt = told.get("temperature_2m"), told.get("apparent_temperature")
    differs = warmth is not None and felt is not None and abs(warmth - felt) >= 1
    direction = told.get("wind_direction_10m")
    wind = "" if direction is None else f" from the {_WINDS[round(direction / 45) % 8]}"
    said = _said(
        (_code(told), "{}"),
        (warmth, "{:.0f} °C" + (f" (feels like {felt:.0f} °C)" if differs else "")),
        (told.get("relative_humidity_2m"), "humidity {:.0f} %"),
        (told.get("wind_speed_10m"), f"wind {{:.0f}} km/h{wind}"),
    )
    return f"{moment:%A} {moment.day} {moment:%B, %H:%M} there: {said}"


def _day(index: int, day: date, told: Mapping[str, Any]) -> str:
    ends = [told.get("temperature_2m_min"), told.get("temperature_2m_max")]
    chance = told.get("precipitation_probability_max")
    said = _said(
        (_code(told), "{}"),
        (" to ".join(f"{end:.0f}" for end in ends if end is not None) or None, "{} °C"),
        (chance, "{:.0f} % chance of rain or snow"),
        (
            told.get("precipitation_sum") or None,
            "{:.1f} mm of " + ("rain or snow" if chance is None else "it"),
        ),
        (told.get("wind_speed_10m_max"), "wind up to {:.0f} km/h"),
    )
    return f"{('Today', 'Tomorrow', f'{day:%A}')[min(index, 2)]}, {day.day} {day:%B}: {said}"


def _said(*parts: tuple[Any, str]) -> str:
    """The values in their words, without those that are missing; raises ValueError without any."""
    said = [words.format(value) for value, words in parts if value is not None]
    if not said:
        raise ValueError("nothing is told")
    return re.sub(r"-(?=\d)", "−", ", ".join(said)).replace("−0 ", "0 ") + "."


def _code(told: Mapping[str, Any]) -> str | None:
    code = told.get("weather_code")
    return None if code is None else str(table("weather-codes").get(str(int(code)), "changeable"))


def _chosen(request: str, days: list[date]) -> Iterable[int]:
    """The places of the days that a request names among those of the forecast; else four."""
    for pattern, chosen in (
        (r"\bday after tomorrow\b", [2]),
        (r"\btomorrow\b", [1]),
        (r"\b(?:today|tonight|now)\b", [0]),
        (r"\bweek-?end\b", [index for index, day in enumerate(days) if day.weekday() >= 5]),
        (r"\b(?:week|days)\b", range(len(days))),
    ):
        if re.search(pattern, request.lower()):
            return chosen
    named = [index for index, day in enumerate(days) if f"{day:%A}".lower() in request.lower()]
    return named or range(min(len(days), 4))
