"""Where the operations of an OpenAPI document are asked, and which of these may be nearby."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin

from controlllm.network.transport import place_of
from controlllm.sources.documents import Document, Unreadable
from controlllm.toolbox import ToolError


class Servers:
    """The servers of a document: an operation's own, else those of its path, else the root's.

    Parameters
    ----------
    document: what says them.
    at: where the document came from, empty for a file.
    chosen: the address at which the person wants all operations asked, empty where none.
    is_local: whether the source may be nearby.

    Raises ToolError where `chosen` is an address that is never asked.
    """

    def __init__(self, document: Document, at: str, chosen: str, is_local: bool) -> None:
        self._document = document
        self._at = at
        self._chosen = bool(chosen)
        self._is_local = is_local
        #: What is wrong with the root's, None where nothing is.
        self.fault: Unreadable | ToolError | None = None
        self._root = ""
        #: Those that operations were found to be asked at, in order.
        self._asked: dict[str, None] = {}
        try:
            told = self._first(document.root)
            self._root = self._whole(chosen or (told if told is not None else "/"))
        except (Unreadable, ToolError) as error:
            if chosen:
                raise
            self.fault = error

    @property
    def main(self) -> str:
        """Where operations are asked that say nothing of themselves, or where all do, the first of
        them: the place that secrets are for."""
        known = self._root in self._asked or not self._asked
        return self._root if known else next(iter(self._asked))

    def of(self, item: Mapping[str, Any], operation: Mapping[str, Any]) -> str:
        """The address that an operation's path is appended to; `item` is that of its path.

        Raises Unreadable or ToolError where there is none, or it is never asked.
        """
        told = None
        if not self._chosen:
            told = self._first(operation)
            told = self._first(item) if told is None else told
        if told is not None:
            found = self._whole(told)
        elif self.fault is not None:
            raise self.fault
        else:
            found = self._root
        self._asked[found] = None
        return found

    def is_near(self, server: str) -> bool:
        """Whether operations asked there may be on this machine or a network of one's own: a
        document on the network must not choose which of the machines nearby are asked. A file is
        the operator's own."""
        is_at = not self._at or place_of(server).host == place_of(self._at).host
        return self._is_local and (self._chosen or is_at)

    def _first(self, place: Mapping[str, Any]) -> str | None:
        """The first address that a document, a path or an operation names, None without any."""
        servers = self._document.sequence(place.get("servers"))
        if not servers:
            return None
        first = self._document.mapping(servers[0])
        variables = self._document.mapping(first.get("variables"))

        def value(found: re.Match[str]) -> str:
            return str(self._document.mapping(variables.get(found[1])).get("default", ""))

        return re.sub(r"\{([^{}]+)\}", value, str(first.get("url") or "/"))

    def _whole(self, told: str) -> str:
        base = self._at or self._root
        try:
            url = urljoin(base, told) if base else told
        except ValueError:
            url = ""
        if not url.startswith(("http://", "https://")):
            raise Unreadable(
                "The document does not say where its operations are asked. Say an address "
                "(in a terminal: --server)."
            )
        place_of(url)
        return url.partition("?")[0].partition("#")[0].rstrip("/")
