"""Cities, countries and states that the time zone database knows: their time and position."""

from __future__ import annotations

import importlib.resources
import re
import unicodedata
import zoneinfo
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import cache

from controlllm.toolbox import ToolError

from ...shared.tables import table_beside


@dataclass(frozen=True)
class ZonePlace:
    """A city that a time zone is named after. `position` is in degrees north and east."""

    name: str
    zone: str
    country: str = ""
    position: tuple[float, float] | None = None


def time_said(place: str, now: datetime) -> str:
    """The time now, with the date, here or in a place; raises ToolError where it is not known.

    `now` is a moment with a time zone; without a place its own zone's time is told.
    """
    if not place:
        return f"It is {_moment(now)}."
    cities: dict[str, list[str]] = {}
    for item in zones_of(place):
        local = now.astimezone(zoneinfo.ZoneInfo(item.zone))
        cities.setdefault(f"{local:%H:%M} on {local:%A} ({_offset(local)})", []).append(item.name)
    if not cities:
        more = "name a larger city or the country, or allow public services on the network"
        raise ToolError(f"I know no time zone for “{place}”; {more}.")
    shown = place.title() if place == place.lower() else place
    if len(cities) == 1:
        return time_at(shown, local)
    lines = [f"{time} in {', '.join(names[:3])}" for time, names in cities.items()]
    return "\n".join([f"{shown} has {len(cities)} times now:", *lines])


def time_at(name: str, local: datetime) -> str:
    """The sentence for the time in one place; `local` is in that place's zone."""
    return f"In {name} it is {_moment(local)}{', summer time' if local.dst() else ''}."


def _moment(local: datetime) -> str:
    week, number = local.isocalendar().week, local.timetuple().tm_yday
    date = f"{local:%A} {local.day} {local:%B %Y}, calendar week {week}, day {number} of the year"
    return f"{local:%H:%M} ({_offset(local)}) on {date}"


def _offset(moment: datetime) -> str:
    """``UTC+02:00``, ``UTC``."""
    offset = moment.utcoffset()
    assert offset is not None
    return str(timezone(offset))


def place_known_here(name: str) -> str:
    """Where a city that a time zone is named after lies; raises ToolError for other places."""
    for item in zones_of(name):
        if item.position and _plain(item.name) == _plain(name.split(",")[0]):
            return (
                f"{item.name} lies in {item.country}, at about {position_said(*item.position)}.\n"
                f"Its time zone is {item.zone}."
            )
    more = "allow public services on the network to look it up"
    raise ToolError(f"I know only some large cities, and “{name}” is none of them; {more}.")


def position_said(latitude: float, longitude: float) -> str:
    """``48.87° N, 2.33° E``."""
    north, east = "N" if latitude >= 0 else "S", "E" if longitude >= 0 else "W"
    return f"{abs(latitude):.2f}° {north}, {abs(longitude):.2f}° {east}"


def zones_of(place: str) -> list[ZonePlace]:
    """The cities whose zones a place lies in: one for a city, all of them for a country."""
    known = _places()
    narrow, _, wider = (known.get(_plain(part), []) for part in place.partition(","))
    if wider and not {item.zone for item in narrow} & {item.zone for item in wider}:
        # "Paris, Texas": not the city that the zone is named after.
        return wider
    return narrow or known.get(_plain(place.rpartition("/")[2]), [])


def _plain(name: str) -> str:
    """A name in small letters without accents, marks and articles."""
    bare = unicodedata.normalize("NFKD", re.sub("[-_]", " ", name.lower().replace("&", " and ")))
    bare = re.sub(r"[^\w\s]|[\u0300-\u036f]", "", bare)
    return " ".join(re.sub(r"^\s*(?:the|in)\s", "", bare).split())


@cache
def _places() -> dict[str, list[ZonePlace]]:
    """Places of zones by plain name: cities, countries, and what else people call them."""
    folder = importlib.resources.files("tzdata") / "zoneinfo"

    def rows(name: str) -> list[list[str]]:
        lines = (folder / name).read_text("utf-8").splitlines()
        return [line.split("\t") for line in lines if not line.startswith("#")]

    countries = {row[0]: row[1] for row in rows("iso3166.tab")}
    known: dict[str, list[ZonePlace]] = {}
    cities: dict[str, list[ZonePlace]] = {}
    zones: dict[str, ZonePlace] = {}
    for code, where, zone, *_ in rows("zone.tab"):
        # Degrees and minutes, perhaps seconds: +4852+00220 or +404251-0740023.
        (north, east) = re.findall(r"[+-]\d+", where)
        position = (_degrees(north, 3), _degrees(east, 4))
        city, country = zone.rpartition("/")[2].replace("_", " "), countries[code]
        item = zones[zone] = ZonePlace(city, zone, country, position)
        known.setdefault(_plain(country), []).append(item)
        cities[_plain(city)] = [item]
    for zone, names in table_beside(__file__).items():
        here = known.get(_plain(zone), [zones.get(zone, ZonePlace(zone, zone))])
        cities |= dict.fromkeys(names.split(","), here)
    # A city comes before a country of its name: Singapore, Luxembourg, Panama, all the same time.
    return known | cities


def _degrees(written: str, width: int) -> float:
    return float(written[:width]) + float(written[0] + written[width : width + 2]) / 60
