"""What an instruction in plain words wants done to a sound: "higher by two semitones, then echo".

Free words are read leniently: only what names an edit counts, and where a part of a longer request
is about something else, it is left out. The words are in ``sound_edits.toml``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ...shared.amounts import ratio
from ...shared.cut_words import kept_passages
from ...shared.instructions import Edit, table
from ...shared.time_phrases import Span


@dataclass(frozen=True)
class Wish:
    """One edit: its action, how much (what of depends on the action), and a second amount.

    `further` are the other passages where more than one is kept.
    """

    action: str
    amount: float = 0.0
    second: float = 0.0
    further: tuple[Span, ...] = ()


#: Beats a minute that music has; a bare number of these is no other amount.
_SLOWEST, _FASTEST = 40.0, 220.0


class UnclearWishError(ValueError):
    """The words name no edit, or one without what it needs; the message is a sentence."""


POSSIBLE = (
    "I can take noise, hum, crackle or room echo out, change the pitch, the speed or the volume, "
    "normalise the loudness, add echo or reverb, fade in or out, play it backwards, make it mono, "
    "make it sound like a telephone, muffled or like a robot, change bass and treble, filter "
    "frequencies, cut out silence, or keep a part of it"
)


def read(instruction: str, seconds: float = math.inf) -> list[Wish]:
    """The edits that an instruction asks for, in its order; empty where it asks for none.

    `seconds` is how long the sound lasts. Raises UnclearWishError, with a sentence, where the
    instruction asks for something that is no edit here, ToolError where it names a passage that
    the sound has not.
    """
    found = table(Path(__file__).with_name("sound_edits.toml")).read(instruction)
    edits = [edit for edit in found if isinstance(edit, Edit)]
    beyond = next((edit for edit in edits if edit.name == "impossible"), None)
    if beyond:
        raise UnclearWishError(f"I cannot do this to a sound: {beyond.said}.")
    if any(edit.name != "better" for edit in edits):
        edits = [edit for edit in edits if edit.name != "better"]
    elif not edits and found:
        asked = " ".join(instruction.split())
        asked = asked if len(asked) <= 120 else f"{asked[:119].rstrip()}…"
        raise UnclearWishError(f"I do not know how to do this to a sound: {asked}.")
    wishes: list[Wish] = []
    for edit in edits:
        for wish in _wishes(edit, seconds):
            if wish.action == "part":
                spans = ((wish.amount, wish.second), *wish.further)
                seconds = sum(min(end, seconds) - start for start, end in spans)
            once = wish.action in ("denoise", "room", "clicks", "normalise", "mono")
            if wish not in wishes and not (once and wish.action in {own.action for own in wishes}):
                wishes.append(wish)
                seconds /= wish.amount if wish.action in ("tempo", "speed") else 1.0
    return wishes


def _wishes(edit: Edit, seconds: float) -> list[Wish]:
    length = edit.amount("seconds")
    if edit.name == "tempo" and length and edit.says("last* | fit* | long | (to|into) <time>"):
        return [Wish("tempo", seconds / length)]
    beats = edit.amount("beats") or edit.amount("") or 0.0
    if edit.name == "tempo" and _SLOWEST <= beats <= _FASTEST and ratio(edit.words, 0) is None:
        return [Wish("beats", beats)]
    if "unclear" in edit.row and not edit.direction and ratio(edit.words, 0) is None:
        raise UnclearWishError(edit.row["unclear"])
    if "made" in edit.row:
        return [Wish(*made) for made in edit.row["made"]]
    if edit.name in _READ:
        return [_READ[edit.name](edit)]
    match edit.name:
        case "fade_both":
            return [Wish("fade_in", length or 2.0), Wish("fade_out", length or 2.0)]
        case "part":
            (start, end), *further = kept_passages(edit.words, seconds, what="sound")
            return [Wish("part", start, end, tuple(further))]
        case "silence":
            first = edit.says("start | beginning | leading | front | intro | before")
            last = edit.says("end | trailing | ending | outro | tail | after")
            ends = first or last or edit.says("ends | edges")
            inside = edit.says("pause* | gap* | silences | all | every | any | dead air | between |"
                               " inside | middle | long")  # fmt: skip
            if first != last and not edit.says("ends | edges | both"):
                return [Wish("silence_first" if first else "silence_last")]
            return [Wish("pauses" if inside and not ends else "silence")]
    return [Wish(edit.name)]


def _pitch(edit: Edit) -> Wish:
    fixed, share = edit.amount("semitones"), edit.amount("share")
    if fixed is None and share is not None:
        return Wish("pitch", 12 * math.log2(max(1 + edit.direction * share, 0.1)))
    if fixed is None:
        fixed = next((size for name, size in edit.row["intervals"] if edit.says(name)), None)
    if fixed is None:
        fixed = edit.amount("")
    return Wish("pitch", edit.direction * abs(fixed or edit.size(*edit.row["usual"])))


def _tempo(edit: Edit) -> Wish:
    pitched = edit.says("like a (tape|record|vinyl) | pitch (too|as well) | nightcore")
    action = "speed" if pitched else "tempo"
    factor = ratio(edit.words, edit.direction, of_speed=True)
    if factor is not None:
        return Wish(action, factor)
    if not edit.direction:
        raise UnclearWishError(edit.row["unclear"])
    usual = edit.size(*edit.row["usual"])
    return Wish(action, usual if edit.direction > 0 else 1 / usual)


def _volume(edit: Edit) -> Wish:
    decibels = edit.amount("decibels")
    if decibels is not None:
        return Wish("volume", math.copysign(decibels, edit.direction or decibels))
    share = ratio(edit.words, edit.direction)
    if share is not None:
        # Twice as loud is 6 dB, as people who turn knobs have it.
        return Wish("volume", max(6 * math.log2(max(share, 1e-3)), -60.0))
    return Wish("volume", edit.direction * edit.size(*edit.row["usual"]))


def _tone(edit: Edit) -> Wish:
    amount = abs(edit.amount("decibels") or edit.size(*edit.row["usual"]))
    return Wish(edit.name, edit.direction * min(amount, 24.0))


def _filter(edit: Edit) -> Wish:
    action = {"cut_above": "low_pass", "cut_below": "high_pass"}.get(edit.name, edit.name)
    return Wish(action, edit.amount("hertz") or edit.row.get("usual", 1000.0))


def _echo(edit: Edit) -> Wish:
    usual, little, much = edit.row["usual"]
    strength = much if edit.says("big | long | huge") else edit.size(usual, little, much)
    return Wish("echo", edit.amount("seconds") or 0.35, strength)


def _reverb(edit: Edit) -> Wish:
    rooms = edit.row["rooms"].items()
    rings = next((rings for room, rings in rooms if edit.says(f"{room} | {room}s")), 1.6)
    return Wish("reverb", edit.amount("seconds") or rings, edit.size(*edit.row["usual"]))


def _fade(edit: Edit) -> Wish:
    usual, little, much = edit.row["usual"]
    length = much if edit.says("long | slow*") else edit.size(usual, little, much)
    return Wish(edit.name, edit.amount("seconds") or length)


def _voice(edit: Edit) -> Wish:
    return Wish("pitch", next(size for names, size in edit.row["semitones"] if edit.says(names)))


_READ: dict[str, Callable[[Edit], Wish]] = {
    "pitch": _pitch, "tempo": _tempo, "volume": _volume, "bass": _tone, "treble": _tone,
    "low_pass": _filter, "high_pass": _filter, "cut_above": _filter, "cut_below": _filter,
    "echo": _echo, "reverb": _reverb, "fade_in": _fade, "fade_out": _fade, "voice": _voice,
}  # fmt: skip
