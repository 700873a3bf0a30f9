"""Which keys the operations of an OpenAPI document want, and which of them a person has named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from controlllm.sources.documents import Document, Unreadable

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
