"""Where sun and moon stand: the moon's phase and the beginnings of the seasons (after Meeus)."""

from __future__ import annotations

import math

#: The turning points of the sun's longitude, in degrees.
_TURNS = {
    0: "the March equinox",
    90: "the June solstice",
    180: "the September equinox",
    270: "the December solstice",
}
_PHASES = {0: "new moon", 90: "first quarter", 180: "full moon", 270: "last quarter"}


def moon_angle(julian_day: float) -> float:
    """How far the moon stands before the sun, 0..360 degrees: 0 is new, 180 full moon."""
    t = (julian_day - 2451545.0) / 36525
    elongation = math.radians(297.8501921 + 445267.1114034 * t)
    sun = math.radians(357.5291092 + 35999.0502909 * t)
    moon = math.radians(134.9633964 + 477198.8675055 * t)
    angle = (
        math.degrees(elongation)
        + 6.289 * math.sin(moon)
        - 2.100 * math.sin(sun)
        + 1.274 * math.sin(2 * elongation - moon)
        + 0.658 * math.sin(2 * elongation)
        + 0.214 * math.sin(2 * moon)
        + 0.110 * math.sin(elongation)
    )
    return angle % 360


def sun_longitude(julian_day: float) -> float:
    """The sun's apparent longitude in degrees, right to about a hundredth of one."""
    t = (julian_day - 2451545.0) / 36525
    mean = 280.46646 + 36000.76983 * t + 0.0003032 * t * t
    m = math.radians(357.52911 + 35999.05029 * t - 0.0001537 * t * t)
    centre = (
        (1.914602 - 0.004817 * t) * math.sin(m)
        + 0.019993 * math.sin(2 * m)
        + 0.000289 * math.sin(3 * m)
    )
    node = math.radians(125.04 - 1934.136 * t)
    return (mean + centre - 0.00569 - 0.00478 * math.sin(node)) % 360


def moon_phase(day_number: int) -> tuple[str, float]:
    """The moon's phase on a day in universal time, and the lit share of its disc at noon, 0..1.

    `day_number` is the day's Julian day number.
    """
    start, end = moon_angle(day_number - 0.5), moon_angle(day_number + 0.5)
    lit = (1 - math.cos(math.radians(moon_angle(day_number)))) / 2
    for turn, name in _PHASES.items():
        if _passes(start, end, turn):
            return name, lit
    names = ("waxing crescent", "waxing gibbous", "waning gibbous", "waning crescent")
    return names[int(start // 90)], lit


def season_turn(day_number: int) -> str:
    """The equinox or solstice that falls on a day in universal time, empty where none does."""
    start, end = sun_longitude(day_number - 0.5), sun_longitude(day_number + 0.5)
    return next((name for turn, name in _TURNS.items() if _passes(start, end, turn)), "")


def _passes(start: float, end: float, turn: int) -> bool:
    return (turn - start) % 360 < (end - start) % 360
