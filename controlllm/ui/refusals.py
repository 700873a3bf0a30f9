"""What is said where something that was done in the page is refused, or fails."""

from __future__ import annotations

import logging

from starlette.exceptions import HTTPException

from controlllm.core.plans import NotThere
from controlllm.resources.probing import BadInput
from controlllm.settings.quotas import LimitReached
from controlllm.store import StoreError
from controlllm.ui.texts import say

_log = logging.getLogger(__name__)


def sentence_of(error: Exception) -> str:
    """What is said of a refusal; of a fault of ours no more than that it is one, and it is
    logged."""
    if isinstance(error, HTTPException):
        return str(error.detail)
    if isinstance(error, NotThere | BadInput | LimitReached | StoreError):
        return str(error)
    if isinstance(error, KeyError | IndexError):
        return say("errors.no_file")
    _log.error("unexpected: %r", error, exc_info=error)
    return say("errors.ours")
