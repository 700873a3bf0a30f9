"""The weather at a place, asked of Open-Meteo and put into words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from controlllm.toolbox import Context
from tools.facts.embedded.places_online import GEOCODING, Place, find_place
from tools.facts.embedded.web_source import Service, ServiceError, fetch_json

FORECAST = Service("Open-Meteo", "https://api.open-meteo.com")
_TEN_MINUTES = 600.0
_CURRENT = (
    "temperature_2m,apparent_temperature,relative_humidity_2m,weather_code,wind_speed_10m,"
    "wind_direction_10m"
)
_DAILY = (
    "weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,"
    "precipitation_probability_max,wind_speed_10m_max"
)
#: The weather codes of the World Meteorological Organization that Open-Meteo uses.
_CODES = {
    0: "clear sky", 1: "mainly clear", 2: "partly cloudy", 3: "overcast", 45: "fog",
    48: "freezing fog", 51: "light drizzle", 53: "drizzle", 55: "heavy drizzle",
    56: "light freezing drizzle", 57: "freezing drizzle", 61: "light rain", 63: "rain",
    65: "heavy rain", 66: "light freezing rain", 67: "freezing rain", 71: "light snow", 73: "snow",
    75: "heavy snow", 77: "snow grains", 80: "light showers", 81: "showers", 82: "violent showers",
    85: "light snow showers", 86: "heavy snow showers", 95: "thunderstorm",
    96: "thunderstorm with hail", 99: "thunderstorm with heavy hail",
}  # fmt: skip
_WINDS = "north north-east east south-east south south-west west north-west".split()


def weather(
    place: str,
    request: str = "",
    context: Context | None = None,
    geocoding: Service = GEOCODING,
    forecast: Service = FORECAST,
) -> str:
    """The weather now and the forecast for a place; days that `request` names are told first."""
    context = context or Context()
    context.progress(0.1, f"asking {geocoding.name} where {place} is")
    found = find_place(place, context, geocoding)
    context.progress(0.5, f"asking {forecast.name} for the weather")
    answer = fetch_json(
        forecast,
        "v1/forecast",
        {
            "latitude": f"{found.latitude:.4f}",
            "longitude": f"{found.longitude:.4f}",
            "current": _CURRENT,
            "daily": _DAILY,
            "timezone": "auto",
            "forecast_days": 7,
        },
        keep_seconds=_TEN_MINUTES,
        context=context,
    )
    said = _said(answer, found, request) if isinstance(answer, Mapping) else ""
    if not said:
        raise ServiceError(
            f"{forecast.name} has no weather for {found.full_name}; name a town near it."
        )
    return said


def _said(answer: Mapping[str, Any], place: Place, request: str) -> str:
    current, daily = answer.get("current"), answer.get("daily")
    if not isinstance(current, Mapping) or not isinstance(daily, Mapping):
        return ""
    days = [date.fromisoformat(str(day)) for day in daily.get("time", [])]
    lines = []
    if current.get("temperature_2m") is not None:
        lines.append(_now(current, place))
    chosen = _days_asked(request, days)
    if chosen:
        lines += [_day(daily, index, days) for index in chosen]
    else:
        lines += [_day(daily, index, days) for index in range(min(len(days), 4))]
    if not lines:
        return ""
    lines.append("Source: Open-Meteo.com.")
    return "\n".join(lines)


def _now(current: Mapping[str, Any], place: Place) -> str:
    moment = datetime.fromisoformat(str(current["time"]))
    parts = [f"{_code(current.get('weather_code'))}, {_degrees(current['temperature_2m'])}"]
    felt = current.get("apparent_temperature")
    if felt is not None and abs(felt - current["temperature_2m"]) >= 1:
        parts[0] += f" (feels like {_degrees(felt)})"
    if current.get("relative_humidity_2m") is not None:
        parts.append(f"humidity {current['relative_humidity_2m']:.0f} %")
    if current.get("wind_speed_10m") is not None:
        wind = f"wind {current['wind_speed_10m']:.0f} km/h"
        if current.get("wind_direction_10m") is not None and current["wind_speed_10m"] >= 1:
            wind += f" from the {_WINDS[round(current['wind_direction_10m'] / 45) % 8]}"
        parts.append(wind)
    when = f"{moment:%A} {moment.day} {moment:%B}, {moment:%H:%M}"
    return f"{place.full_name}, {when} there: {', '.join(parts)}."


def _day(daily: Mapping[str, Any], index: int, days: list[date]) -> str:
    def value(name: str) -> Any:
        values = daily.get(name) or []
        return values[index] if index < len(values) else None

    day = days[index]
    named = ("Today", "Tomorrow")[index] if index < 2 else f"{day:%A}"
    parts = [_code(value("weather_code"))]
    low, high = value("temperature_2m_min"), value("temperature_2m_max")
    if low is not None and high is not None:
        parts.append(f"{_degrees(low, unit=False)} to {_degrees(high)}")
    chance, rain = value("precipitation_probability_max"), value("precipitation_sum")
    if chance is not None:
        parts.append(
            f"{chance:.0f} % chance of rain or snow" + (f" ({rain:.1f} mm)" if rain else "")
        )
    if value("wind_speed_10m_max") is not None:
        parts.append(f"wind up to {value('wind_speed_10m_max'):.0f} km/h")
    return f"{named}, {day.day} {day:%B}: {', '.join(parts)}."


def _code(code: Any) -> str:
    return _CODES.get(int(code), "changeable") if code is not None else "no description"


def _degrees(value: float, unit: bool = True) -> str:
    return f"{value:.0f}".replace("-0", "0").replace("-", "−") + (" °C" if unit else "")


def _days_asked(request: str, days: list[date]) -> list[int]:
    """The places of the days that a request names among those of the forecast."""
    words = request.lower()
    if re.search(r"\bday after tomorrow\b", words):
        return [2] if len(days) > 2 else []
    if re.search(r"\btomorrow\b", words):
        return [1] if len(days) > 1 else []
    if re.search(r"\b(?:today|tonight|now)\b", words):
        return [0] if days else []
    if re.search(r"\bweek-?end\b", words):
        return [index for index, day in enumerate(days) if day.weekday() >= 5]
    if re.search(r"\b(?:week|days)\b", words):
        return list(range(len(days)))
    return [index for index, day in enumerate(days) if f"{day:%A}".lower() in words]
