"""A person on a shared server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: A visitor has conversations; an operator also sets addresses, fetches weights, adds tools.
Role = Literal["visitor", "operator"]


@dataclass(frozen=True)
class Account:
    """Who somebody is. `name` is unique on the server: a name of the password file, or the
    provider's own subject after ``openid:``; `shown` is what the page calls them."""

    name: str
    role: Role = "visitor"
    shown: str = ""
