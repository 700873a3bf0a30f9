"""The time in a place, from the time zone database alone: cities of zones, countries, states."""

from __future__ import annotations

import importlib.resources
import re
import unicodedata
import zoneinfo
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from controlllm.toolbox import ToolError
from tools.facts.embedded.calendar_facts import today_facts

#: Well-known places that give no zone its name, by the city of their zone.
_OTHER_NAMES = {
    "Europe/London": "manchester,birmingham,edinburgh,glasgow,"
    "liverpool,cardiff,belfast,oxford,cambridge",
    "Europe/Berlin": "germany,munich,hamburg,frankfurt,cologne,stuttgart,dusseldorf,leipzig",
    "Europe/Paris": "france,lyon,marseille,nice,toulouse,bordeaux,strasbourg",
    "Europe/Madrid": "barcelona,seville,valencia,bilbao",
    "Europe/Rome": "milan,naples,venice,florence,turin,italy",
    "Europe/Zurich": "geneva,basel,bern",
    "Europe/Moscow": "saint petersburg,st petersburg",
    "Europe/Amsterdam": "rotterdam,the hague,holland,netherlands,utrecht",
    "Europe/Warsaw": "krakow,gdansk",
    "Europe/Istanbul": "ankara,izmir,turkey",
    "Europe/Kyiv": "kiev,ukraine,odessa,lviv",
    "Asia/Shanghai": "beijing,china,shenzhen,guangzhou,chengdu,wuhan",
    "Asia/Kolkata": "india,delhi,new delhi,mumbai,bombay,bangalore,bengaluru,chennai,hyderabad",
    "Asia/Tokyo": "osaka,kyoto,yokohama,nagoya,hiroshima,sapporo",
    "Asia/Seoul": "south korea,korea,busan",
    "Asia/Pyongyang": "north korea",
    "Asia/Ho_Chi_Minh": "vietnam,hanoi,saigon",
    "Asia/Dubai": "abu dhabi,united arab emirates,uae",
    "Asia/Jerusalem": "tel aviv,haifa",
    "Asia/Riyadh": "mecca,jeddah",
    "Asia/Karachi": "islamabad,lahore",
    "Africa/Johannesburg": "cape town,pretoria,durban",
    "Africa/Lagos": "abuja,nigeria",
    "Africa/Casablanca": "marrakesh,marrakech,rabat,morocco",
    "America/New_York": "washington,washington dc,boston,miami,philadelphia,atlanta,baltimore,"
    "orlando,florida,new york city,nyc,georgia usa,massachusetts,pennsylvania,eastern time,est,edt",
    "America/Chicago": "houston,dallas,austin,texas,new orleans,minneapolis,memphis,nashville,"
    "illinois,central time,cst,cdt",
    "America/Denver": "salt lake city,colorado,utah,new mexico,mountain time,mst,mdt",
    "America/Phoenix": "arizona",
    "America/Los_Angeles": "california,san francisco,san diego,seattle,las vegas,portland,"
    "sacramento,silicon valley,hollywood,nevada,oregon,la,pacific time,pst,pdt",
    "Pacific/Honolulu": "hawaii",
    "America/Anchorage": "alaska",
    "America/Toronto": "montreal,ottawa,quebec,ontario",
    "America/Edmonton": "calgary,alberta",
    "America/Vancouver": "british columbia",
    "America/Sao_Paulo": "rio de janeiro,rio,brasilia",
    "America/Argentina/Buenos_Aires": "argentina,buenos aires",
    "Australia/Sydney": "canberra",
    "Pacific/Auckland": "wellington,christchurch",
    "UTC": "utc,gmt,greenwich,zulu,greenwich mean time,universal time",
}
#: Parts of zone names that are no places by themselves.
_NO_PLACES = frozenset("north south east west central eastern mountain pacific general".split())


_ARTICLE = re.compile(r"^(?:the|in)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class ZonePlace:
    """A city that a time zone is named after. `country` is a name, "" where it is not known."""

    name: str
    zone: str
    country: str = ""
    latitude: float | None = None
    longitude: float | None = None


def time_said(place: str, now: datetime) -> str:
    """The time now, with the date, here or in a place; raises ToolError where it is not known.

    `now` is a moment with a time zone; without a place its own zone's time is told.
    """
    if not place:
        offset = now.utcoffset() or timedelta()
        zone = now.tzname() or ""
        named = zone if re.fullmatch(r"[A-Z]{2,5}", zone) and zone != "UTC" else ""
        shown = ", ".join(filter(None, [named, _offset(offset)]))
        return f"It is {now:%H:%M} ({shown}) on {today_facts(now.date())}."
    found = zones_of(place)
    if not found:
        raise ToolError(
            f"I know no time zone for “{place}” without asking a service on the network. Name a "
            "larger city or the country, or allow public services."
        )
    moments: dict[timedelta, list[tuple[ZonePlace, datetime]]] = {}
    for item in found:
        local = now.astimezone(zoneinfo.ZoneInfo(item.zone))
        moments.setdefault(local.utcoffset() or timedelta(), []).append((item, local))
    if len(moments) == 1:
        item, local = next(iter(moments.values()))[0]
        name = _shown(place) if len(found) > 1 or _plain(place) != _plain(item.name) else item.name
        return time_at(name, local)
    lines = [f"{_shown(place)} has {len(moments)} times now:"]
    for offset in sorted(moments):
        group = moments[offset]
        cities = ", ".join(item.name for item, _ in group[:3])
        local = group[0][1]
        lines.append(f"{local:%H:%M} on {local:%A} ({_offset(offset)}) in {cities}")
    return "\n".join(lines)


def time_at(name: str, local: datetime) -> str:
    """The sentence for the time in one place; `local` is in that place's zone."""
    offset = local.utcoffset() or timedelta()
    summer = ", summer time" if local.dst() else ""
    return (
        f"In {name} it is {local:%H:%M} on {today_facts(local.date())} ({_offset(offset)}{summer})."
    )


def _offset(offset: timedelta) -> str:
    minutes = round(offset.total_seconds() / 60)
    hours, rest = divmod(abs(minutes), 60)
    if not minutes:
        return "UTC"
    return f"UTC{'−' if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")


def _shown(place: str) -> str:
    if place != place.lower():
        return place
    return place.upper() if len(place) <= 3 else place.title()


def zones_of(place: str) -> list[ZonePlace]:
    """The cities whose zones a place lies in: one for a city, all of them for a country."""
    known = _places()
    parts = [_plain(_ARTICLE.sub("", part.strip())) for part in place.split(",") if part.strip()]
    narrow = known.get(_plain(_ARTICLE.sub("", place.strip()))) or known.get(next(iter(parts), ""))
    wider = known.get(parts[-1]) if len(parts) > 1 else None
    if narrow and wider and not {item.zone for item in narrow} & {item.zone for item in wider}:
        # "Paris, Texas": not the city that the zone is named after.
        return list(wider)
    if narrow or wider:
        return list(narrow or wider or ())
    if "/" in place:
        found = {zone.lower(): zone for zone in zoneinfo.available_timezones()}
        zone = found.get(place.strip().lower().replace(" ", "_"))
        if zone:
            return [ZonePlace(zone.rpartition("/")[2].replace("_", " "), zone)]
    return []


def _plain(name: str) -> str:
    decomposed = unicodedata.normalize("NFKD", name.lower().replace("_", " ").replace("-", " "))
    bare = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return " ".join(re.sub(r"[.'’]", "", bare.replace("&", " and ")).split())


@cache
def _places() -> dict[str, tuple[ZonePlace, ...]]:
    """Places of zones by plain name: cities, countries, and what else people call them."""
    folder = importlib.resources.files("tzdata") / "zoneinfo"
    countries: dict[str, str] = {}
    for line in (folder / "iso3166.tab").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            code, name = line.split("\t")[:2]
            countries[code] = name
    known: dict[str, list[ZonePlace]] = {}
    by_zone: dict[str, ZonePlace] = {}
    for line in (folder / "zone.tab").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        code, position, zone = line.split("\t")[:3]
        country = countries.get(code, "")
        latitude, longitude = _position(position)
        city = zone.rpartition("/")[2].replace("_", " ")
        place = ZonePlace(city, zone, country, latitude, longitude)
        by_zone.setdefault(zone, place)
        known.setdefault(_plain(country), []).append(place)
    cities: dict[str, list[ZonePlace]] = {}
    for zone in sorted(zoneinfo.available_timezones()):
        city = zone.rpartition("/")[2]
        if "/" not in zone or zone.startswith(("Etc/", "SystemV/", "posix/", "right/")):
            continue
        if _plain(city) not in _NO_PLACES:
            item = by_zone.get(zone) or ZonePlace(city.replace("_", " "), zone)
            if zone in by_zone or _plain(city) not in cities:
                cities[_plain(city)] = [item]
    # A city comes before a country of its name: Singapore, Luxembourg, Panama, all the same time.
    merged = {name: tuple(found) for name, found in {**known, **cities}.items()}
    for zone, names in _OTHER_NAMES.items():
        item = by_zone.get(zone) or ZonePlace(zone.rpartition("/")[2].replace("_", " "), zone)
        for name in names.split(","):
            merged[name.strip()] = (item,)
    for name in "england|scotland|wales|britain|great britain|uk|united kingdom".split("|"):
        merged[name] = (by_zone["Europe/London"],)
    merged["northern ireland"] = (by_zone["Europe/London"],)
    for name in ("usa", "us", "united states of america", "america", "the states"):
        merged[name] = merged["united states"]
    for name, other in (("czechia", "czech republic"), ("south korea", "republic of korea")):
        if name in merged:
            merged[other] = merged[name]
    return merged


def _position(written: str) -> tuple[float, float]:
    """Degrees of ``+4852+00220`` or ``+404251-0740023``."""
    halves = re.fullmatch(r"([+-]\d+)([+-]\d+)", written)
    assert halves is not None
    return _degrees(halves[1], 2), _degrees(halves[2], 3)


def _degrees(written: str, whole: int) -> float:
    sign = -1 if written[0] == "-" else 1
    digits = written[1:]
    minutes, seconds = digits[whole : whole + 2], digits[whole + 2 :]
    return sign * (int(digits[:whole]) + int(minutes) / 60 + int(seconds or 0) / 3600)
