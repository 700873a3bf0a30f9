"""How long a server on the network asks to wait before it is asked again."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that a reply's headers ask to wait, None where they do not say."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        told = headers.get(name, "")
        try:
            seconds = float(told) * unit
        except ValueError:
            try:
                seconds = parsedate_to_datetime(told).timestamp() - time.time()
            except ValueError:
                continue
        if seconds == seconds:
            return max(seconds, 0.0)
    return None
