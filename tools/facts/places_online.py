"""Where places are: asked of OpenStreetMap's search."""

from __future__ import annotations

from typing import Any

from controlllm.toolbox import Context, ToolError

from ..cloud.public_services import Service, fetch_json, reading
from .embedded.time_zones import position_said

#: Its rules allow one request in a second.
NOMINATIM = Service("OpenStreetMap", "https://nominatim.openstreetmap.org", interval=1.0)


def find_places(name: str, context: Context | None = None) -> list[dict[str, Any]]:
    """The places that a name may mean, the best first, as OpenStreetMap has them: with at least
    their "display_name", "lat" and "lon", these two as numbers. Raises ToolError without any."""
    asked = {"q": name, "format": "jsonv2", "limit": 3, "addressdetails": 1}
    found = fetch_json(NOMINATIM, "search", {**asked, "accept-language": "en"}, context=context)
    if not found:
        more = "check the spelling or name the next larger town"
        raise ToolError(f"{NOMINATIM.name} knows no place called “{name}”; {more}.")
    with reading(NOMINATIM):
        placed = [{**item, **{at: float(item[at]) for at in ("lat", "lon")}} for item in found]
        return [item for item in placed if item["display_name"]]


def describe_place(name: str, context: Context | None = None) -> str:
    """Where a place, a sight or an address is, in sentences; raises ToolError."""
    best, *others = find_places(name, context)
    first, _, rest = best["display_name"].partition(", ")
    kind = str(best.get("addresstype") or "place").replace("_", " ")
    position = position_said(best["lat"], best["lon"])
    with reading(NOMINATIM):
        postcode = (best.get("address") or {}).get("postcode")
        lines = [
            f"{first} ({kind}) lies in {rest or first}, at {position}.",
            f"Postcode: {postcode}." if postcode else "",
            f"Map: https://www.openstreetmap.org/{best['osm_type']}/{best['osm_id']}",
        ]
    if others:
        lines.append(f"Others of that name: {'; '.join(item['display_name'] for item in others)}.")
    return "\n".join(filter(None, [*lines, "Source: OpenStreetMap contributors."]))
