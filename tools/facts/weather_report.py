"""The weather at a place, asked of Open-Meteo and put into words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from controlllm.toolbox import Context

from ..cloud.public_services import Service, ServiceError, fetch_json, reading
from ..shared.tables import table_beside
from .places_online import NOMINATIM, find_places

FORECAST = Service("Open-Meteo", "https://api.open-meteo.com")
_WORDS = table_beside(__file__)


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
    asked = {"current": ",".join(_WORDS["now"]), "daily": ",".join(_WORDS["day"])}
    name, answer = _asked(place, {**asked, "forecast_days": 7}, context or Context())
    try:
        daily, moment = answer["daily"], datetime.fromisoformat(answer["current"]["time"])
        now = _said(answer["current"], "now")
        lines = [f"{name}, {moment:%A} {moment.day} {moment:%B, %H:%M} there: {now}"]
        days = [date.fromisoformat(day) for day in daily["time"]]
        for index in _chosen(request, days):
            told = {what: row[index] for what, row in daily.items() if row}
            called = ("Today", "Tomorrow", f"{days[index]:%A}")[min(index, 2)]
            lines.append(f"{called}, {days[index].day} {days[index]:%B}: {_said(told, 'day')}")
    except (KeyError, TypeError, ValueError, IndexError):
        fault = f"{FORECAST.name} has no weather for {name}; name a town near it."
        raise ServiceError(fault) from None
    return "\n".join([*lines, "Source: Open-Meteo.com."])


def _said(told: Mapping[str, Any], kind: str) -> str:
    """The values in their words, without those that are missing; raises ValueError without any."""
    known = {name: told[name] for name in _WORDS[kind] if told.get(name) is not None}
    if not known:
        raise ValueError("nothing is told")
    if "weather_code" in known:
        known["weather_code"] = _WORDS["codes"].get(str(known["weather_code"]), "changeable")
    return ", ".join(_WORDS[kind][name].format(value) for name, value in known.items()) + "."


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
