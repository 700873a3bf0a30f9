"""The weather at a place, asked of Open-Meteo and put into words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from controlllm.toolbox import Context
from tools.cloud.public_services import Service, ServiceError, fetch_json, reading
from tools.facts.places_online import NOMINATIM, find_places
from tools.shared.tables import table_beside

FORECAST = Service("Open-Meteo", "https://api.open-meteo.com")
_CODES = table_beside(__file__)
_ASKED = {
    "current": "temperature_2m,apparent_temperature,relative_humidity_2m,weather_code,"
    "wind_speed_10m,wind_direction_10m",
    "daily": "weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,"
    "precipitation_probability_max,wind_speed_10m_max",
    "forecast_days": 7,
}
_WINDS = "north north-east east south-east south south-west west north-west".split()


def _asked(place: str, asked: dict[str, object], context: Context) -> tuple[str, Any]:
    """The full name of a place, and what the forecast says of it."""
    context.progress(0.1, f"asking {NOMINATIM.name} where {place} is")
    found = find_places(place, context)[0]
    context.progress(0.5, f"asking {FORECAST.name}")
    where = {"latitude": f"{found['lat']:.4f}", "longitude": f"{found['lon']:.4f}"}
    asked = {**where, "timezone": "auto", **asked}
    return found["display_name"], fetch_json(FORECAST, "v1/forecast", asked, context=context)


def zone_of(place: str, context: Context | None = None) -> tuple[str, str]:
    """The full name of a place and its time zone, such as "Europe/Paris"; raises ToolError."""
    name, answer = _asked(place, {"current": "is_day"}, context or Context())
    with reading(FORECAST):
        return name, str(answer["timezone"])


def weather(place: str, request: str = "", context: Context | None = None) -> str:
    """The weather now and the forecast for a place, of the days that `request` names."""
    name, answer = _asked(place, dict(_ASKED), context or Context())
    try:
        now, daily = answer["current"], answer["daily"]
        days = [date.fromisoformat(day) for day in daily["time"]]
        lines = [f"{name}, {_now(now)}"]
        for index in _chosen(request, days):
            told = {what: row[index] for what, row in daily.items() if row}
            called = ("Today", "Tomorrow", f"{days[index]:%A}")[min(index, 2)]
            lines.append(f"{called}, {days[index].day} {days[index]:%B}: {_day(told)}")
    except (KeyError, TypeError, ValueError, IndexError):
        raise ServiceError(
            f"{FORECAST.name} has no weather for {name}; name a town near it."
        ) from None
    return "\n".join([*lines, "Source: Open-Meteo.com."])


def _now(told: Mapping[str, Any]) -> str:
    moment = datetime.fromisoformat(told["time"])
    warmth, felt = told.get("temperature_2m"), told.get("apparent_temperature")
    differs = warmth is not None and felt is not None and abs(warmth - felt) >= 1
    direction = told.get("wind_direction_10m")
    wind = "" if direction is None else f" from the {_WINDS[round(direction / 45) % 8]}"
    said = _said(
        told,
        weather_code="{}",
        temperature_2m="{:.0f} °C" + (f" (feels like {felt:.0f} °C)" if differs else ""),
        relative_humidity_2m="humidity {:.0f} %",
        wind_speed_10m=f"wind {{:.0f}} km/h{wind}",
    )
    return f"{moment:%A} {moment.day} {moment:%B, %H:%M} there: {said}"


def _day(told: Mapping[str, Any]) -> str:
    lowest = told.get("temperature_2m_min")
    return _said(
        {**told, "precipitation_sum": told.get("precipitation_sum") or None},
        weather_code="{}",
        temperature_2m_max=("" if lowest is None else f"{lowest:.0f} to ") + "{:.0f} °C",
        precipitation_probability_max="{:.0f} % chance of rain or snow",
        precipitation_sum="{:.1f} mm of rain or snow",
        wind_speed_10m_max="wind up to {:.0f} km/h",
    )


def _said(told: Mapping[str, Any], **words: str) -> str:
    """The values in their words, without those that are missing; raises ValueError without any."""
    said = []
    for name, form in words.items():
        if (value := told.get(name)) is not None:
            is_code = name == "weather_code"
            said.append(form.format(_CODES.get(str(value), "changeable") if is_code else value))
    if not said:
        raise ValueError("nothing is told")
    return re.sub(r"-(?=\d)", "−", ", ".join(said)).replace("−0 ", "0 ") + "."


def _chosen(request: str, days: Sequence[date]) -> Sequence[int]:
    """The places of the days that a request names among those of the forecast; else four."""
    asked, every = request.lower(), range(len(days))
    for pattern, chosen in (
        (r"\bday after tomorrow\b", every[2:3]),
        (r"\btomorrow\b", every[1:2]),
        (r"\b(?:today|tonight|now)\b", every[:1]),
        (r"\bweek-?end\b", [index for index in every if days[index].weekday() >= 5]),
        (r"\b(?:week|days)\b", every),
    ):
        if re.search(pattern, asked):
            return chosen
    return [index for index in every if f"{days[index]:%A}".lower() in asked] or every[:4]
