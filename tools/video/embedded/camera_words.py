"""Which camera move over a still picture a request asks for; the words are in ``camera.toml``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from controlllm.toolbox import ToolError

from ...seeing.embedded.questions import patterns
from ...shared import instructions
from ...shared.amounts import amounts

USUAL_SECONDS = 6.0
LONGEST = 120.0
SHORTEST = 0.5

_SAID = patterns(Path(__file__).with_suffix(".toml"))
_SHAPES = ("wide", "tall", "square")


@dataclass(frozen=True)
class Move:
    """A camera move. `zoom` is above 1 towards the subject, below 1 away from it; `across` and
    `down` are -1, 0 or 1; `target` names what the camera looks at, empty for the main subject."""

    seconds: float = USUAL_SECONDS
    zoom: float = 1.0
    across: int = 0
    down: int = 0
    target: str = ""
    shape: str = ""
    usual: bool = False


def read_move(prompt: str | None) -> Move:
    """The move that a request names, the usual one where it names none.

    Raises ToolError where it asks that something in the picture itself moves, or for a length that
    no camera move can have.
    """
    table = instructions.table(Path(__file__).with_name("camera.toml"))
    edits = [edit for edit in table.read(prompt or "") if isinstance(edit, instructions.Edit)]
    names = [edit.name for edit in edits]
    if "acts" in names and not set(names) - {"acts", *_SHAPES}:
        raise ToolError(
            "Only the camera can move over a still picture here; what is shown in it cannot be "
            "made to move. Ask for a camera move, such as “zoom in slowly” or “pan left”."
        )
    shape = next((name for name in names if name in _SHAPES), "")
    plain = table.plain(prompt or "")
    seconds = _seconds(plain)
    if "still" in names:
        return Move(seconds, shape=shape)
    across = {"left": -1, "right": 1}.get(_last(names, "left", "right"), 0)
    down = {"up": -1, "down": 1}.get(_last(names, "up", "down"), 0)
    strength = 1.7 if table.pattern("<strong>").search(plain) else 1.4
    if table.pattern("<gentle>").search(plain):
        strength = 1.22
    zoom = 1.0
    if "out" in names:
        zoom = 1 / strength
    elif "in" in names or ("zoom" in names and not across and not down):
        zoom = strength
    if not across and not down and zoom == 1.0:
        if "sideways" in names:
            across = 1
        elif "tilt" in names:
            down = -1
        else:
            return Move(seconds, shape=shape, usual=True, target=_target(plain), zoom=1.28)
    return Move(seconds, zoom, across, down, _target(plain), shape)


def _last(names: list[str], *of: str) -> str:
    """The last of some names: where "from left to right" ends is where the camera goes."""
    return next((name for name in reversed(names) if name in of), "")


def _seconds(plain: str) -> float:
    lengths = [amount.value for amount in amounts(plain) if amount.kind == "seconds"]
    seconds = lengths[0] if lengths else USUAL_SECONDS
    if not SHORTEST <= seconds <= LONGEST:
        raise ToolError(
            f"A camera move over a picture can last from {SHORTEST:g} to {LONGEST:.0f} seconds; "
            "ask for a length between them."
        )
    return seconds


def _target(plain: str) -> str:
    found = _SAID["target"].search(plain)
    thing = _SAID["behind_it"].split(found["thing"])[0].strip() if found else ""
    return "" if _SAID["no_target"].search(thing) else thing
