"""Where places are: asked of Open-Meteo's and OpenStreetMap's search, or of the time zone table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controlllm.toolbox import Context, ToolError
from tools.facts.embedded.time_zones import zones_of
from tools.facts.embedded.web_source import Service, ServiceError, fetch_json

GEOCODING = Service("Open-Meteo", "https://geocoding-api.open-meteo.com")
#: Its rules allow one request in a second.
NOMINATIM = Service("OpenStreetMap", "https://nominatim.openstreetmap.org", interval=1.0)
_DAY = 86_400.0
_LONGEST = 120


@dataclass(frozen=True)
class Place:
    """A place on the map. `full_name` adds the region and the country; `zone` is its time zone."""

    name: str
    full_name: str
    latitude: float
    longitude: float
    zone: str = ""
    country: str = ""
    kind: str = ""
    population: int = 0
    height: float | None = None


def find_place(name: str, context: Context | None = None, geocoding: Service = GEOCODING) -> Place:
    """The town that a name means; the part after a comma says which. Raises ToolError."""
    _check(name)
    wanted, _, region = (part.strip() for part in name.partition(","))
    answer = fetch_json(
        geocoding,
        "v1/search",
        {"name": wanted, "count": 10, "language": "en", "format": "json"},
        keep_seconds=_DAY,
        context=context,
    )
    results = answer.get("results", []) if isinstance(answer, Mapping) else []
    places = [item for item in results if isinstance(item, Mapping) and "latitude" in item]
    if region:
        places = [item for item in places if _lies_in(item, region)]
    if not places:
        raise ToolError(
            f"{geocoding.name} knows no place called “{name}”; check the spelling or name the next "
            "larger town."
        )
    found = places[0]
    parts = [str(found.get(key) or "") for key in ("name", "admin1", "country")]
    return Place(
        parts[0],
        ", ".join(dict.fromkeys(filter(None, parts))),
        float(found["latitude"]),
        float(found["longitude"]),
        str(found.get("timezone") or ""),
        parts[2],
        population=int(found.get("population") or 0),
        height=float(found["elevation"]) if found.get("elevation") is not None else None,
    )


def _check(name: str) -> None:
    if not name.strip():
        raise ToolError("There is no place to look for; name a town or a country.")
    if len(name) > _LONGEST:
        raise ToolError("That is too long for the name of a place; give me the name alone.")


def _lies_in(item: Mapping[str, Any], region: str) -> bool:
    wanted = region.lower()
    known = [str(item.get(key) or "").lower() for key in ("admin1", "admin2", "country")]
    code = str(item.get("country_code") or "").lower()
    aliases = {"uk": "gb", "usa": "us", "england": "gb", "scotland": "gb", "wales": "gb"}
    return wanted in known or code in (wanted, aliases.get(wanted, "-"))


def describe_place(
    name: str,
    context: Context | None = None,
    nominatim: Service = NOMINATIM,
    geocoding: Service = GEOCODING,
) -> str:
    """Where a place, a sight or an address is, in sentences; raises ToolError."""
    _check(name)
    answer: Any = None
    fault: ServiceError | None = None
    try:
        answer = fetch_json(
            nominatim,
            "search",
            {
                "q": name,
                "format": "jsonv2",
                "limit": 3,
                "addressdetails": 1,
                "accept-language": "en",
            },
            keep_seconds=_DAY,
            whole_seconds=6.0,
            context=context,
        )
    except ServiceError as error:
        fault = error
    if isinstance(answer, list) and answer:
        return _described(answer, nominatim)
    if fault is None:
        raise ToolError(
            f"{nominatim.name} knows no place called “{name}”; check the spelling or add the town."
        )
    place = find_place(name, context, geocoding)
    lines = [f"{place.full_name} lies at {position_said(place.latitude, place.longitude)}."]
    if place.population:
        lines.append(f"It has about {place.population:,} inhabitants.")
    if place.height is not None:
        lines.append(f"It lies {place.height:.0f} metres above the sea.")
    if place.zone:
        lines.append(f"Its time zone is {place.zone}.")
    lines.append(f"Source: {geocoding.name}.")
    return "\n".join(lines)


def _described(answer: list[Any], service: Service) -> str:
    best = answer[0]
    if not isinstance(best, Mapping) or "lat" not in best or "lon" not in best:
        raise ServiceError(f"{service.name} sent an answer that cannot be read; ask again later.")
    full = str(best.get("display_name") or best.get("name") or "")
    first, _, rest = full.partition(", ")
    kind = str(best.get("addresstype") or best.get("type") or "").replace("_", " ")
    latitude, longitude = float(best["lat"]), float(best["lon"])
    opening = f"{first} ({kind})" if kind and kind.lower() not in first.lower() else first
    lies = f"{opening} lies in {rest}" if rest else f"{opening} lies"
    lines = [f"{lies}, at {position_said(latitude, longitude)}."]
    address = best.get("address")
    if isinstance(address, Mapping) and address.get("postcode"):
        lines.append(f"Postcode: {address['postcode']}.")
    numbers = f"{best.get('osm_type', '')}/{best.get('osm_id', '')}"
    if numbers.strip("/").count("/"):
        lines.append(f"Map: https://www.openstreetmap.org/{numbers}")
    others = [str(item.get("display_name")) for item in answer[1:] if isinstance(item, Mapping)]
    others = [other for other in dict.fromkeys(others) if other and other != full]
    if others:
        lines.append("Others of that name: " + "; ".join(others) + ".")
    lines.append("Source: OpenStreetMap contributors.")
    return "\n".join(lines)


def position_said(latitude: float, longitude: float) -> str:
    """``48.87° N, 2.33° E``."""
    north, east = "N" if latitude >= 0 else "S", "E" if longitude >= 0 else "W"
    return f"{abs(latitude):.2f}° {north}, {abs(longitude):.2f}° {east}"


def place_known_here(name: str) -> str:
    """Where a city that a time zone is named after lies; raises ToolError for other places."""
    _check(name)
    cities = [item for item in zones_of(name) if item.latitude is not None]
    wanted = name.split(",")[0].strip().casefold()
    exact = [item for item in cities if item.name.casefold() == wanted]
    if exact and exact[0].latitude is not None and exact[0].longitude is not None:
        city = exact[0]
        return (
            f"{city.name} lies in {city.country}, at about "
            f"{position_said(exact[0].latitude, exact[0].longitude)}.\nIts time zone is "
            f"{city.zone}."
        )
    raise ToolError(
        f"Without asking a service on the network I know only some large cities, and “{name}” is "
        "none of them; allow public services to look it up."
    )
