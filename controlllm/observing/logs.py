"""What the program writes down about itself: lines of words, or of JSON, each with its run's id.

No line holds what anybody asked, handed over or made, nor a key. So a line has the sentence that
stands in the code, without what would be put into it; of an error its kind and the places in the
code that it came through, without its words; and beside these only the fields in `FIELDS`.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Literal, cast, get_args

from controlllm.layout import TOOLS_PACKAGE

#: The id of the run that something is done for; empty where it is for none.
current_run: ContextVar[str] = ContextVar("current_run", default="")

#: What a record may say besides (`extra=`): names of tools, numbers, words out of the code.
FIELDS = ("tool", "runtime", "outcome", "seconds", "actions", "limit", "worker")

#: Whose sentences stand in their code; those of other libraries may hold anything.
_TRUSTED = ("controlllm", TOOLS_PACKAGE, "uvicorn.error", "py.warnings")

Form = Literal["plain", "json"]
#: The deepest calls of an error that are told.
_MOST_PLACES = 12


def begin(form: Form) -> None:
    """Write records to the standard error from now on: as ``json`` from "info" on, as ``plain``
    words only warnings and what is worse."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(form))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("controlllm").setLevel(logging.INFO if form == "json" else logging.WARNING)


def form_from_environment(environment: Mapping[str, str] = os.environ) -> Form:
    """What ``CONTROLLLM_LOG`` says, ``plain`` where it is not set.

    Raises ValueError where there is no such form.
    """
    said = environment.get("CONTROLLLM_LOG", "").strip() or "plain"
    if said not in get_args(Form):
        raise ValueError(f"CONTROLLLM_LOG is {said!r}; it has to be {' or '.join(get_args(Form))}.")
    return cast(Form, said)


class Lines(logging.Formatter):
    """Makes one line of each record."""

    def __init__(self, form: Form) -> None:
        super().__init__()
        self._form = form

    def format(self, record: logging.LogRecord) -> str:
        told = entry(record)
        if self._form == "json":
            return json.dumps(told)
        time, level, message = told.pop("time"), told.pop("level"), told.pop("message")
        rest = " ".join(f"{name}={value}" for name, value in told.items())
        return f"{time} {level} {message} ({rest})"


def entry(record: logging.LogRecord) -> dict[str, Any]:
    """What may be told of a record."""
    trusted = any(f"{record.name}.".startswith(f"{name}.") for name in _TRUSTED)
    told: dict[str, Any] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname.lower(),
        "message": record.msg.strip() if trusted and isinstance(record.msg, str) else "A note.",
        "logger": record.name,
        "place": f"{record.filename}:{record.lineno}",
    }
    if current_run.get():
        told["run"] = current_run.get()
    told.update({name: getattr(record, name) for name in FIELDS if hasattr(record, name)})
    if record.exc_info and record.exc_info[0] is not None:
        told["error"] = record.exc_info[0].__name__
        told["through"] = [
            f"{os.path.basename(frame.filename)}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(record.exc_info[2])[-_MOST_PLACES:]
        ]
    return told
