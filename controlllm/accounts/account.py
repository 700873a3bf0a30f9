"""A person on a shared server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

#: A visitor has conversations; an operator also sets addresses, fetches weights, adds tools.
Role = Literal["visitor", "operator"]


@dataclass(frozen=True)
class Account:
    """Who somebody is.

    Parameters
    ----------
    name: unique on the server: a name of the password file, or the provider's own subject after
        ``openid:``.
    shown: what the page calls them.
    id: given when the account was made, and to no other; empty for one of a provider, whose
        subject is never given anew, and for one that was made before accounts had ids.
    mark: changes when the password does, or the account is made anew; what was signed in with
        another one holds no more. Empty for a provider's.
    """

    name: str
    role: Role = "visitor"
    shown: str = ""
    id: str = ""
    mark: str = field(default="", repr=False)

    @property
    def key(self) -> str:
        """By what their conversations are found: a name that is given to another person later does
        not lead to them. An account without an id, as those of earlier versions, keeps its own by
        its name; no name has a ``#`` in it."""
        return f"#{self.id}" if self.id else self.name
