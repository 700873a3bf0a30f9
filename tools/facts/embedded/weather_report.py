"""The weather at a place, asked of Open-Meteo and put into words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from controlllm.toolbox import Context
from tools.facts.embedded.data import table
from tools.facts.embedded.places_online import GEOCODING, find_place
from tools.facts.embedded.web_source import Service, ServiceError, fetch_json

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


def weather(
    place: str,
    request: str = "",
    context: Context | None = None,
    geocoding: Service = GEOCODING,
    forecast: Service = FORECAST,
) -> str:
    """The weather now and the forecast for a place, of the days that `request` names."""
    context = context or Context()
    context.progress(0.1, f"asking {geocoding.name} where {place} is")
    found = find_place(place, context, geocoding)
    context.progress(0.5, f"asking {forecast.name} for the weather")
    where = {"latitude": f"{found.latitude:.4f}", "longitude": f"{found.longitude:.4f}"}
    answer = fetch_json(forecast, "v1/forecast", {**where, **_ASKED}, context=context)
    try:
        days = [date.fromisoformat(day) for day in answer["daily"]["time"]]
        return "\n".join(
            [
                f"{found.full_name}, {_now(answer['current'])}",
                *(_day(answer["daily"], index, days[index]) for index in _chosen(request, days)),
                "Source: Open-Meteo.com.",
            ]
        )
    except (KeyError, TypeError, ValueError, IndexError):
        raise ServiceError(
            f"{forecast.name} has no weather for {found.full_name}; name a town near it."
        ) from None


def _now(current: Mapping[str, Any]) -> str:
    moment = datetime.fromisoformat(current["time"])
    wind = _WINDS[round(current["wind_direction_10m"] / 45) % 8]
    return (
        f"{moment:%A} {moment.day} {moment:%B, %H:%M} there: {_code(current['weather_code'])}, "
        f"{_degrees(current['temperature_2m'])} °C (feels like "
        f"{_degrees(current['apparent_temperature'])} °C), humidity "
        f"{current['relative_humidity_2m']:.0f} %, wind {current['wind_speed_10m']:.0f} km/h from "
        f"the {wind}."
    )


def _day(daily: Mapping[str, Any], index: int, day: date) -> str:
    told = {name: values[index] for name, values in daily.items()}
    chance, rain = told["precipitation_probability_max"], told["precipitation_sum"]
    said = f"{chance:.0f} % chance of rain or snow, " if chance is not None else ""
    said += f"{rain:.1f} mm of it, " if rain else ""
    return (
        f"{('Today', 'Tomorrow')[index] if index < 2 else f'{day:%A}'}, {day.day} {day:%B}: "
        f"{_code(told['weather_code'])}, {_degrees(told['temperature_2m_min'])} to "
        f"{_degrees(told['temperature_2m_max'])} °C, {said}wind up to "
        f"{told['wind_speed_10m_max']:.0f} km/h."
    )


def _code(code: float) -> str:
    return str(table("weather-codes").get(str(int(code)), "changeable"))


def _degrees(value: float) -> str:
    return f"{round(value):d}".replace("-", "−")


def _chosen(request: str, days: list[date]) -> list[int]:
    """The places of the days that a request names among those of the forecast; else four."""
    for pattern, chosen in (
        (r"\bday after tomorrow\b", [2]),
        (r"\btomorrow\b", [1]),
        (r"\b(?:today|tonight|now)\b", [0]),
        (r"\bweek-?end\b", [index for index, day in enumerate(days) if day.weekday() >= 5]),
        (r"\b(?:week|days)\b", list(range(len(days)))),
    ):
        if re.search(pattern, request.lower()):
            return chosen
    named = [index for index, day in enumerate(days) if f"{day:%A}".lower() in request.lower()]
    return named or list(range(len(days)))[:4]
