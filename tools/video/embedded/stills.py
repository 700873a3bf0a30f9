"""Stills of a video: the frame at a time, the most telling one, and a sheet of several."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont

from controlllm.resources import Clip
from controlllm.toolbox import Context, ToolError

from ...seeing.embedded.grammar import singular
from ...seeing.embedded.phrases_to_boxes import ground
from ...seeing.embedded.questions import Questions
from ...seeing.embedded.scene import Scene
from ...seeing.embedded.things import is_known
from ...shared import video_files
from ...shared.amounts import in_figures
from ...shared.time_phrases import Clock, in_words, marked, passages
from . import shots
from .watched import Watched, at_time

_MOST_ON_SHEET = 60
_USUAL_ON_SHEET = 9
_SHEET_WIDTH = 1600
_SMALL = 256

_ASKED = Questions(Path(__file__).with_suffix(".toml"))


@dataclass(frozen=True)
class Wanted:
    """What still is asked for: the times, several for a sheet; none for the most telling frame.

    `thing` is an object that must be in it, `unknown` one that cannot be told by sight; `columns`
    are those of a sheet, 0 for what fits.
    """

    times: tuple[float, ...] = ()
    sheet: bool = False
    columns: int = 0
    thing: str = ""
    unknown: str = ""


def read_request(prompt: str | None, facts: video_files.VideoFacts) -> Wanted:
    """What a request asks for. Raises ToolError where it names a time that the video has not."""
    text = (prompt or "").strip()
    if not text:
        return Wanted()
    lowered = " ".join(text.lower().split())
    said = dict(_ASKED.read(lowered))
    if numbered := said.get("numbered"):
        number = int(numbered[1] or numbered[2])
        return Wanted((within((max(number, 1) - 1) / facts.frame_rate, facts),))
    clock = Clock(facts.seconds, facts.frame_rate)
    figures = in_figures(lowered)
    # "6 frames" counts frames here and is no length of time.
    counted = dict(_ASKED.read(figures)).get("count")
    if counted:
        figures = figures.replace(counted[0], " several frames ")
    plain = marked(figures, clock)
    told = dict(_ASKED.read(plain))
    if every := told.get("every"):
        known = {"second": 1.0, "minute": 60.0}
        mark = every[1]
        step = clock[mark] if mark.startswith("@") else known.get(mark) or float(mark)
        return _sheet(tuple(np.arange(0, facts.seconds, max(step, 0.05))))
    grid = said.get("grid")
    columns, count = int(grid[1]) if grid else 0, int(counted[1]) if counted else 0
    count = count or (columns * int(grid[2]) if grid else 0)
    is_one = count == 1 or re.search(r"\b(?:first|last) frame\b", lowered)
    if count > 1 or ("many" in told and not is_one):
        start, end = next(iter(passages(plain, clock, bare=False).spans), (0.0, facts.seconds))
        length = min(end, facts.seconds) - start
        count = count or _USUAL_ON_SHEET
        if count <= _MOST_ON_SHEET:
            count = max(min(count, round(length * facts.frame_rate)), 1)
        spread = tuple(start + (number + 0.5) * length / count for number in range(count))
        return _sheet(spread, columns)
    edges = {name: said[name] for name in ("last", "first") if name in said}
    time = _one_time(told | edges, clock)
    if time is not None:
        return Wanted((within(time, facts),))
    if "thing" not in told:
        return Wanted()
    thing, is_known_thing = _thing(told["thing"]["thing"])
    return Wanted(thing=thing) if is_known_thing else Wanted(unknown=thing)


def _sheet(times: tuple[float, ...], columns: int = 0) -> Wanted:
    if len(times) > _MOST_ON_SHEET:
        raise ToolError(
            f"That would be {len(times)} frames; a contact sheet holds at most {_MOST_ON_SHEET}. "
            "Ask for fewer."
        )
    return Wanted(times, True, columns)


def _one_time(told: Mapping[str, re.Match[str]], clock: Clock) -> float | None:
    """The single time that a request tells, None where there is none."""
    if back := told.get("before_end"):
        return clock.seconds - clock[back[1]]
    for name, share in (("last", 1.0), ("first", 0.0), ("middle", 0.5)):
        if name in told:
            return share * clock.seconds
    if mark := told.get("time"):
        return clock[mark[0]]
    bare = told.get("bare")
    return float(bare[1] or bare[2]) if bare else None


def within(time: float, facts: video_files.VideoFacts) -> float:
    """A time at which a frame is shown; raises ToolError where the video has none there."""
    if time > facts.seconds + 0.5 or time < 0:
        raise ToolError(
            f"The video lasts only {in_words(facts.seconds)}, so there is no frame at "
            f"{in_words(abs(time))}{' before its start' if time < 0 else ''}; name a time "
            f"within it."
        )
    return min(time, max(facts.seconds - 0.5 / facts.frame_rate, 0.0))


_WHOLE = re.compile(r"(?:\w+ )*(?:video|clip|film|movie|recording|footage|it|this|that|all)")


def _thing(words: str) -> tuple[str, bool]:
    """An object that the frame is to show, empty where the words name none, and whether it can be
    told by sight."""
    ending = r"\s+(?:is|are|can|appears?|comes?|in (?:it|the|this)|looks?|smiles?|from|of)\b.*$"
    thing = re.sub(ending, "", words).strip()
    known = any(is_known(singular(word)) or word == "face" for word in thing.split())
    return ("" if _WHOLE.fullmatch(thing) and not known else thing), known


def most_telling(clip: Clip, facts: video_files.VideoFacts, context: Context) -> PIL.Image.Image:
    """The frame that stands best for the video: sharp, well exposed, and like most of the
    others."""
    count = shots.sample_count(facts.seconds)
    small: list[np.ndarray] = []
    times: list[float] = []
    for time, frame in video_files.sample_frames(clip, count):
        context.progress(0.9 * len(times) / count, "Looking through the video")
        times.append(time)
        small.append(_small(frame))
    return at_time(clip, times[int(np.argmax(_scores(small)))], context)


def _scores(frames: Sequence[np.ndarray]) -> np.ndarray:
    """How well each frame would stand for all: sharpness, exposure and likeness count alike."""
    sharp = np.array([_sharpness(frame) for frame in frames])
    sharp = np.minimum(sharp / max(float(np.percentile(sharp, 80)), 1e-6), 1.2)
    lit = np.array([_exposure(frame) for frame in frames])
    shares = np.sqrt([shots.colours(frame) for frame in frames])
    typical = np.median(shares @ shares.T, axis=1) if len(frames) > 2 else np.ones(len(frames))
    typical = typical / max(float(typical.max()), 1e-6)
    return sharp**0.5 * lit * typical**2


def _small(frame: PIL.Image.Image) -> np.ndarray:
    shown = frame.copy()
    shown.thumbnail((_SMALL, _SMALL), PIL.Image.Resampling.BOX)
    return np.asarray(shown)


def _sharpness(picture: np.ndarray) -> float:
    """How much fine detail a picture has; comparable among frames of one video only."""
    import cv2

    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    return float(cv2.Laplacian(grey, cv2.CV_32F, ksize=3).var())


def _exposure(picture: np.ndarray) -> float:
    """Near 1 for a picture with light and shade, near 0 for a black, white or empty one."""
    grey = picture.astype(np.float32).mean(axis=2)
    burnt, drowned = float((grey > 250).mean()), float((grey < 8).mean())
    contrast = min(float(grey.std()) / 45, 1.0)
    balanced = 1 - min(abs(float(grey.mean()) - 118) / 150, 0.8)
    return max(contrast, 0.02) * balanced * max(1 - burnt - drowned, 0.05)


def of_each_scene(clip: Clip, span: tuple[float, float], context: Context) -> list[float]:
    """The time of a sharp frame of each scene within a span."""
    seconds, samples = shots.sampled(clip, context, "Looking for the scenes")
    times = []
    for shot in shots.split(samples, seconds):
        inside = [
            (time, frame)
            for time, frame in samples
            if max(shot.start, span[0]) <= time <= min(shot.end, span[1])
        ]
        # Beside a cut one picture may still go over into the other.
        inside = inside[1:-1] or inside
        if inside:
            times.append(max(inside, key=lambda look: _sharpness(_small(look[1])))[0])
    return times


def showing(clip: Clip, thing: str, context: Context) -> PIL.Image.Image:
    """The frame that shows a thing best. Raises ToolError where no frame shows it."""
    watched = Watched(clip, context)
    scores = watched.each(lambda scene: _shown(scene, thing), f"Looking for {thing}")
    best = int(np.argmax(scores))
    if scores[best] <= 0:
        raise ToolError(
            f"I found {thing} in none of the {len(scores)} frames that I looked at; name another "
            "thing or a time, such as “at 0:12”."
        )
    return at_time(clip, watched.looks[best][0], context)


def _shown(scene: Scene, thing: str) -> float:
    """How well a scene shows a thing: surely, large and well lit."""
    shares = [box.score * scene.share(box) ** 0.3 for box in ground(scene, thing)]
    return max(shares, default=0.0) * _exposure(_small(scene.image)) ** 0.3


def contact_sheet(
    clip: Clip, times: tuple[float, ...], columns: int, context: Context
) -> PIL.Image.Image:
    """A sheet of the frames at the times, in rows, each with its time below it."""
    facts = video_files.read_facts(clip)
    # A sheet is somewhat wider than high.
    columns = columns or max(round((1.4 * len(times) * facts.height / facts.width) ** 0.5), 1)
    columns = min(columns, len(times))
    rows = -(-len(times) // columns)
    gap = max(round(0.012 * _SHEET_WIDTH), 4)
    width = min((_SHEET_WIDTH - gap * (columns + 1)) // columns, max(facts.width, 160))
    height = max(round(width * facts.height / facts.width), 1)
    letter = int(np.clip(0.085 * width, 12, 26))
    font = PIL.ImageFont.load_default(letter)
    line = round(1.7 * letter)
    sheet = PIL.Image.new(
        "RGB",
        (gap + columns * (width + gap), gap + rows * (height + line + gap // 2)),
        (24, 26, 30),
    )
    pen = PIL.ImageDraw.Draw(sheet)
    for number, time in enumerate(times):
        context.progress(number / len(times), "Making the contact sheet")
        frame = at_time(clip, time, context).resize((width, height), PIL.Image.Resampling.LANCZOS)
        left = gap + number % columns * (width + gap)
        top = gap + number // columns * (height + line + gap // 2)
        sheet.paste(frame, (left, top))
        middle = (left + width / 2, top + height + line / 2)
        pen.text(middle, in_words(time), font=font, fill=(235, 235, 235), anchor="mm")
    return sheet
