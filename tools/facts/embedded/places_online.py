"""Where places are: asked of Open-Meteo's and OpenStreetMap's search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controlllm.toolbox import Context, ToolError
from tools.facts.embedded.time_zones import position_said
from tools.facts.embedded.web_source import Service, ServiceError, fetch_json, reading

GEOCODING = Service("Open-Meteo", "https://geocoding-api.open-meteo.com")
#: Its rules allow one request in a second.
NOMINATIM = Service("OpenStreetMap", "https://nominatim.openstreetmap.org", interval=1.0)
_DAY = 86_400.0
_CODES = {"uk": "gb", "usa": "us", "england": "gb", "scotland": "gb", "wales": "gb"}


@dataclass(frozen=True)
class Place:
    """A place on the map. `full_name` adds the region and the country; `zone` is its time zone."""

    full_name: str
    latitude: float
    longitude: float
    zone: str


def find_place(name: str, context: Context | None = None, geocoding: Service = GEOCODING) -> Place:
    """The town that a name means; the part after a comma says which. Raises ToolError."""
    wanted, _, region = (part.strip() for part in name.lower().partition(","))
    answer = fetch_json(
        geocoding,
        "v1/search",
        {"name": wanted, "count": 10, "language": "en", "format": "json"},
        keep_seconds=_DAY,
        context=context,
    )
    with reading(geocoding):
        for item in (answer or {}).get("results", []):
            if not region or _lies_in(item, region):
                parts = [str(item.get(key) or "") for key in ("name", "admin1", "country")]
                full_name = ", ".join(dict.fromkeys(filter(None, parts)))
                position = float(item["latitude"]), float(item["longitude"])
                return Place(full_name, *position, item.get("timezone") or "UTC")
    raise ToolError(
        f"{geocoding.name} knows no place called “{name}”; check the spelling or name the next "
        "larger town."
    )


def _lies_in(item: Mapping[str, Any], region: str) -> bool:
    keys = ("admin1", "admin2", "country", "country_code")
    known = [str(item.get(key) or "").lower() for key in keys]
    return region in known or _CODES.get(region) == known[3]


def describe_place(
    name: str,
    context: Context | None = None,
    nominatim: Service = NOMINATIM,
    geocoding: Service = GEOCODING,
) -> str:
    """Where a place, a sight or an address is, in sentences; raises ToolError."""
    asked = {"q": name, "format": "jsonv2", "limit": 3, "addressdetails": 1}
    asked["accept-language"] = "en"
    try:
        answer = fetch_json(
            nominatim, "search", asked, keep_seconds=_DAY, whole_seconds=6.0, context=context
        )
    except ServiceError:
        found = find_place(name, context, geocoding)
        return (
            f"{found.full_name} lies at {position_said(found.latitude, found.longitude)}.\n"
            f"Its time zone is {found.zone}.\nSource: {geocoding.name}."
        )
    if not answer:
        raise ToolError(
            f"{nominatim.name} knows no place called “{name}”; check the spelling or add the town."
        )
    with reading(nominatim):
        best = answer[0]
        first, _, rest = best["display_name"].partition(", ")
        position = position_said(float(best["lat"]), float(best["lon"]))
        kind = str(best.get("addresstype") or "place").replace("_", " ")
        lines = [f"{first} ({kind}) lies in {rest or first}, at {position}."]
        if postcode := (best.get("address") or {}).get("postcode"):
            lines.append(f"Postcode: {postcode}.")
        lines.append(f"Map: https://www.openstreetmap.org/{best['osm_type']}/{best['osm_id']}")
        if others := [item["display_name"] for item in answer[1:]]:
            lines.append("Others of that name: " + "; ".join(others) + ".")
    return "\n".join([*lines, "Source: OpenStreetMap contributors."])
