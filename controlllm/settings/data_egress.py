"""What would leave this machine under some settings, and where it would go."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from controlllm.settings import Settings

#: "words": the request, names of files and of the columns of tables, and results in words, to a
#: language model; "files": what tools work on; "lookups": names of places, films and the
#: like, to public services.
What = Literal["words", "files", "lookups"]
_USUAL = "https://api.openai.com/v1"


@dataclass(frozen=True)
class DataEgress:
    """One thing that may be sent: `what` it is, to which `host` (empty where there are several),
    whether that is a program on this machine, and for which `tool` alone (empty: for any)."""

    what: What
    host: str = ""
    is_here: bool = False
    tool: str = ""


def data_egress(settings: Settings) -> tuple[DataEgress, ...]:
    """Everything that may be sent somewhere under these settings."""
    found: list[DataEgress] = []
    if settings.has_model:
        model = settings.base_url or _USUAL
        if settings.prompted or settings.answer_with_model:
            found.append(_to(model, "words"))
        if settings.tools_use_endpoint:
            found.append(_to(model, "files"))
    for tool, hosted in sorted(settings.hosted.items()):
        found.append(_to(hosted.address, "files", tool))
    if settings.public_services:
        found.append(DataEgress("lookups"))
    return tuple(found)


def _to(address: str, what: What, tool: str = "") -> DataEgress:
    host = urlsplit(address).hostname or ""
    return DataEgress(what, host, _is_here(host), tool)


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
