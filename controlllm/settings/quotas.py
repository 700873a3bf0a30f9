"""What people may take of a server: each of them, and all together."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from controlllm.settings.environment import number


class LimitReached(Exception):
    """Somebody may not have more of something. The message is a sentence that says what to do.

    Parameters
    ----------
    limit: the name of the limit, for an operator's figures.
    """

    def __init__(self, limit: str, message: str) -> None:
        super().__init__(message)
        self.limit = limit


@dataclass(frozen=True)
class Quotas:
    """What one visitor, one address of the network and all together may take.

    Bytes are bytes, times are seconds; zero means that there is no limit where
    docs/operating.md says so.
    """

    visitor_sessions: int = 1000
    visitor_files: int = 500
    visitor_bytes: int = 5_000_000_000
    visitor_requests: int = 8
    visitor_at_once: int = 2
    visitor_seconds: float = 0.0
    address_sessions: int = 60
    address_connections: int = 100
    all_sessions: int = 20_000
    all_bytes: int = 50_000_000_000
    all_requests: int = 64
    requests_at_once: int = 12
    all_connections: int = 1000
    free_bytes: int = 300_000_000
    body_bytes: int = 2_000_000
    slow_seconds: float = 30.0
    keep_days: float = 0.0

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str] = os.environ, is_shared: bool = False
    ) -> Quotas:
        """The limits that environment variables set; docs/operating.md lists them.

        `is_shared` says that others reach the server: then everybody's work is limited unless it is
        said otherwise. Raises ValueError, with the variable's name, where one is no such number.
        """

        def found(name: str, usual: float, unit: float = 1.0, zero: bool = False) -> float:
            return number(environment, f"CONTROLLLM_{name}", usual, unit, may_be_zero=zero)

        def whole(name: str, usual: int, unit: float = 1.0) -> int:
            return max(1, int(found(name, usual, unit)))

        return cls(
            whole("VISITOR_SESSIONS", cls.visitor_sessions),
            whole("VISITOR_FILES", cls.visitor_files),
            whole("VISITOR_GIGABYTES", cls.visitor_bytes, 1e9),
            whole("VISITOR_REQUESTS", cls.visitor_requests),
            whole("VISITOR_AT_ONCE", cls.visitor_at_once),
            found("VISITOR_SECONDS", 3600.0 if is_shared else 0.0, zero=True),
            whole("ADDRESS_SESSIONS", cls.address_sessions),
            whole("ADDRESS_CONNECTIONS", cls.address_connections),
            whole("ALL_SESSIONS", cls.all_sessions),
            whole("ALL_GIGABYTES", cls.all_bytes, 1e9),
            whole("ALL_REQUESTS", cls.all_requests),
            whole("REQUESTS_AT_ONCE", cls.requests_at_once),
            whole("ALL_CONNECTIONS", cls.all_connections),
            int(found("FREE_GIGABYTES", cls.free_bytes, 1e9, zero=True)),
            whole("BODY_MEGABYTES", cls.body_bytes, 1e6),
            found("SLOW_SECONDS", cls.slow_seconds),
            found("KEEP_DAYS", cls.keep_days, zero=True),
        )
