"""What everybody shares who reaches a server, by the page or by a program."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from controlllm.admission.allowance import Allowance
from controlllm.admission.jobs import Jobs
from controlllm.admission.line import Line
from controlllm.settings.quotas import Quotas
from controlllm.store import Store


@dataclass(frozen=True)
class Shared:
    """The line in which requests wait, what everybody may take, and what is at work.

    Parameters
    ----------
    taking_in: held while a file is taken in, which may need hundreds of megabytes for a moment.
    """

    line: Line
    allowance: Allowance
    jobs: Jobs = field(default_factory=Jobs)
    taking_in: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))

    @classmethod
    def of(cls, store: Store, quotas: Quotas) -> Shared:
        """What people share of a store within quotas."""
        return cls(Line(quotas), Allowance(store, quotas))
