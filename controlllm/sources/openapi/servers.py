"""Where the operations of an OpenAPI document are asked, which of these places may be nearby, and
which keys they want.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
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


_METHODS = ("get", "post", "put", "patch", "delete")
#: Where a request holds a key: the place and the name there, in small letters.
Spot = tuple[str, str]


def role_of(
    scheme: str, schemes: Mapping[str, Mapping[str, Any]], secrets: Mapping[str, str]
) -> str:
    """What the secret for a security scheme is kept under; empty where there is none."""
    if scheme not in schemes:
        return ""
    kind = schemes[scheme].get("kind", "")
    return next((role for role in (scheme, kind) if role and role in secrets), "")


class Keys:
    """The security schemes of a document, with the names of secrets by what they are for."""

    def __init__(self, document: Document, secrets: Mapping[str, str]) -> None:
        self.schemes = _schemes(document)
        self._root = document.root
        self._secrets = secrets
        self._named = [name for name in self.schemes if role_of(name, self.schemes, secrets)]
        self._is_told = "security" in document.root or any(
            "security" in operation
            for item in document.root["paths"].values()
            for operation in _operations(document, item)
        )

    def wanted(self, operation: Mapping[str, Any], spots: Iterable[Spot]) -> list[list[str]]:
        """The schemes that an operation needs, each choice with all that it needs together.

        Where a document declares schemes and says of no operation that it needs one, a secret that
        was named goes where an operation has a parameter for it, or everywhere where there is but
        one scheme. `spots` are those of the operation's parameters.
        """
        if self._is_told:
            given = operation.get("security", self._root.get("security"))
            choices = given if isinstance(given, list) else []
            return [list(map(str, choice)) for choice in choices if isinstance(choice, Mapping)]
        known = set(spots)
        fitting = [name for name in self._named if self._spot(name) in known]
        if not fitting and len(self.schemes) == 1:
            fitting = self._named
        return [fitting] if fitting else []

    def spots(self, choices: Sequence[Sequence[str]]) -> frozenset[Spot]:
        """Where a request holds keys for any of these choices."""
        return frozenset(
            self._spot(scheme) for choice in choices for scheme in choice if scheme in self.schemes
        )

    def unused(self, used: Iterable[Sequence[Sequence[str]]]) -> list[str]:
        """A sentence about each secret that is for nothing; `used` are the choices of all tools."""
        roles = {
            role_of(scheme, self.schemes, self._secrets)
            for choices in used
            for choice in choices
            for scheme in choice
        }
        return [
            f"The secret for {role[:60]!r} is used nowhere: no operation of the document says that "
            "it wants it."
            for role in self._secrets
            if role not in roles
        ]

    def _spot(self, scheme: str) -> Spot:
        told = self.schemes[scheme]
        kind = told["kind"]
        if kind in ("header", "query", "cookie"):
            return kind, told["name"].lower()
        return "header", "authorization"


def _operations(document: Document, item: Any) -> list[Mapping[str, Any]]:
    """The operations of a path; none where it cannot be read."""
    try:
        told = document.mapping(item)
    except Unreadable:
        return []
    found = [told.get(method) for method in _METHODS]
    return [operation for operation in found if isinstance(operation, Mapping)]


def _schemes(document: Document) -> dict[str, dict[str, Any]]:
    """The document's security schemes that can be kept, by name."""
    found: dict[str, dict[str, Any]] = {}
    components = document.mapping(document.root.get("components"))
    for name, value in document.mapping(components.get("securitySchemes")).items():
        told = document.mapping(value)
        kind, scheme = told.get("type"), str(told.get("scheme") or "").lower()
        if kind == "apiKey" and told.get("in") in ("header", "query", "cookie"):
            found[name] = {"kind": told["in"], "name": str(told.get("name") or "")}
        elif kind == "http" and scheme in ("basic", "bearer"):
            found[name] = {"kind": scheme}
        elif kind == "oauth2":
            flows = document.mapping(told.get("flows"))
            flow = document.mapping(flows.get("clientCredentials"))
            if flow.get("tokenUrl"):
                found[name] = {"kind": "oauth2", "token": str(flow["tokenUrl"])}
            else:
                # A token that the person has got elsewhere does as well.
                found[name] = {"kind": "bearer"}
        elif kind == "openIdConnect":
            found[name] = {"kind": "bearer"}
    return found
