"""Stills of a video: the frame at a time, the most telling one, and a sheet of several."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont

from controlllm.resources import Clip
from controlllm.toolbox import Context, ToolError
from tools.seeing.embedded.phrases_to_boxes import ground
from tools.seeing.embedded.scene import Scene
from tools.seeing.embedded.things import is_known
from tools.seeing.embedded.wording import singular
from tools.shared import video_files
from tools.video.embedded import shots
from tools.video.embedded.time_phrases import Clock, in_figures, in_words, marked, passages
from tools.video.embedded.timeline import frames_between

_MOST_ON_SHEET = 60
_USUAL_ON_SHEET = 9
_SHEET_WIDTH = 1600
_SMALL = 256
_SEARCHED = 16  # frames that are searched for a thing
_SAME_PICTURE = 1.5  # mean difference in grey levels, of 255
_NEAR = 0.3  # seconds around a good frame in which a sharper one is looked for

_MANY = re.compile(
    r"\b(?:contact ?sheet|proof ?sheet|story ?board|overview|montage|mosaic|grid|collage|"
    r"film ?strip|thumbnails|(?:all|several|some|many|multiple|various|key|a few|\d+) "
    r"(?:\w+ )?(?:key ?)?(?:frames|stills|pictures|images|photos|screenshots|shots|snapshots)|"
    r"frames|stills|screenshots|snapshots|key ?frames)\b"
)
_COUNT = re.compile(
    r"(?<![@:.\d])(\d+)(?! ?(?:s\b|sec|min|:))(?:[- ](?!by|x)\w+){0,2}?[- ](?:frames?|stills?|"
    r"pictures?|images?|photos?|screenshots?|shots?|snapshots?|thumbnails?|cells?|tiles?|panels?)\b"
)
_GRID = re.compile(r"(?<!\d)(\d{1,2}) ?(?:x|×|by) ?(\d{1,2})(?!\d)")
_EVERY = re.compile(r"\b(?:every|each|per)(?: other)? (@\d+|second\b|minute\b|\d+)")
_NUMBERED = re.compile(r"\bframe (?:number |no\.? ?|#)?(\d+)\b|\b(\d+)(?:st|nd|rd|th) frame\b")
_STILL = r"(?:frame|picture|image|still|moment|shot|screenshot|photo|one|thing)"
_EDGE = r"\b(?:at|of|from) the (?:very )?"
_LAST = re.compile(
    rf"\b(?:last|final|closing) (?:\w+ )?{_STILL}\b|{_EDGE}end\b|^(?:the )?(?:end|last)$"
)
_FIRST = re.compile(
    rf"\b(?:first|opening|initial|starting|1st) (?:\w+ )?{_STILL}\b|{_EDGE}(?:start|beginning)\b|"
    r"^(?:the )?(?:start|beginning|first)$"
)
_THING = re.compile(
    r"\b(?:with|showing|shows|where|when|of|that has|containing|in which)(?: there (?:is|are)|"
    r" we see|"
    r" you (?:can )?see| one sees)? (?P<thing>(?:the|an?|some|my|both|all|\d+) [a-z -]+|[a-z -]+)"
)


@dataclass(frozen=True)
class Wanted:
    """What still is asked for: the times, several for a sheet; none for the most telling frame.

    `thing` is an object that must be in it; `columns` are those of a sheet, 0 for what fits.
    """

    times: tuple[float, ...] = ()
    sheet: bool = False
    columns: int = 0
    thing: str = ""


def read_request(prompt: str | None, facts: video_files.VideoFacts) -> Wanted:
    """What a request asks for. Raises ToolError where it names a time that the video has not."""
    text = (prompt or "").strip()
    if not text:
        return Wanted()
    lowered = " ".join(text.lower().split())
    numbered = _NUMBERED.search(lowered)
    if numbered:
        number = int(numbered[1] or numbered[2])
        return Wanted((_checked((max(number, 1) - 1) / facts.frame_rate, facts),))
    clock = Clock(facts.seconds, facts.frame_rate)
    grid = _GRID.search(lowered)
    counted = _COUNT.search(in_figures(lowered))
    # "6 frames" counts frames here and is no length of time.
    plain = marked(_COUNT.sub(" several frames ", in_figures(lowered)), clock)
    every = _EVERY.search(plain)
    many = bool(_MANY.search(plain)) or grid is not None
    count = int(counted[1]) if counted else 0
    if every:
        step = _step(every[1], clock)
        return _sheet(list(np.arange(0, facts.seconds, max(step, 0.05))), 0)
    if grid and not counted:
        rows, columns = int(grid[2]), int(grid[1])
        return _sheet(_spread(rows * columns, facts), columns)
    if count > 1 or (many and count != 1 and not re.search(r"\b(?:first|last) frame\b", lowered)):
        found = passages(plain, clock, bare=False).spans
        start, end = found[0] if found else (0.0, facts.seconds)
        places = _spread(count or _USUAL_ON_SHEET, facts, start, min(end, facts.seconds))
        return _sheet(places, int(grid[1]) if grid else 0)
    time = _one_time(lowered, plain, clock, facts)
    if time is not None:
        return Wanted((time,))
    return Wanted(thing=_thing(plain))


def _step(words: str, clock: Clock) -> float:
    if words.startswith("@"):
        return clock[words]
    return {"second": 1.0, "minute": 60.0}.get(words) or float(words)


def _sheet(times: list[float], columns: int) -> Wanted:
    if len(times) > _MOST_ON_SHEET:
        raise ToolError(
            f"That would be {len(times)} frames; a contact sheet holds at most {_MOST_ON_SHEET}. "
            "Ask for fewer."
        )
    return Wanted(tuple(times), True, columns)


def _spread(
    count: int, facts: video_files.VideoFacts, start: float = 0.0, end: float | None = None
) -> list[float]:
    if count > _MOST_ON_SHEET:
        return [0.0] * count  # `_sheet` says that it is too many
    end = facts.seconds if end is None else end
    frames = max(round((end - start) * facts.frame_rate), 1)
    count = max(min(count, frames), 1)
    return [start + (number + 0.5) * (end - start) / count for number in range(count)]


def _one_time(text: str, plain: str, clock: Clock, facts: video_files.VideoFacts) -> float | None:
    """The single time that a text names, given with its plain form, None where there is none."""
    back = re.search(r"(@\d+) (?:before|from) the (?:very )?end\b", plain)
    if back:
        return _checked(facts.seconds - clock[back[1]], facts)
    if _LAST.search(text):
        return max(facts.seconds - 0.5 / facts.frame_rate, 0.0)
    if _FIRST.search(text):
        return 0.0
    if re.search(r"\b(?:middle|half ?way|mid ?point|centre|center)\b", plain):
        return facts.seconds / 2
    mark = re.search(r"@\d+", plain)
    if mark:
        return _checked(clock[mark[0]], facts)
    bare = re.search(r"\bat (?:about |around |time )?(\d+(?:\.\d+)?)\b|^(\d+(?:\.\d+)?)$", plain)
    return _checked(float(bare[1] or bare[2]), facts) if bare else None


def _checked(time: float, facts: video_files.VideoFacts) -> float:
    if time > facts.seconds + 0.5 or time < 0:
        raise ToolError(
            f"The video lasts only {in_words(facts.seconds)}, so there is no frame at "
            f"{in_words(abs(time))}{' before its start' if time < 0 else ''}; name a time "
            f"within it."
        )
    return min(time, max(facts.seconds - 0.5 / facts.frame_rate, 0.0))


def _thing(plain: str) -> str:
    """An object that the frame is to show, empty where none is named."""
    found = _THING.search(plain)
    if not found:
        return ""
    thing = re.sub(
        r"\s+(?:is|are|can|appears?|comes?|in (?:it|the|this)|looks?|smiles?|from|of)\b.*$",
        "",
        found["thing"],
    ).strip()
    words = thing.split()
    if not words or not any(is_known(singular(word)) or word == "face" for word in words):
        return ""
    return thing


def at_time(clip: Clip, time: float, context: Context) -> PIL.Image.Image:
    """The frame that is shown at a time in seconds."""
    for _, picture in frames_between(clip, time, time + 1e-3, context):
        return PIL.Image.fromarray(picture)
    raise ToolError(f"No picture could be read at {in_words(time)}; name another time.")


def most_telling(clip: Clip, facts: video_files.VideoFacts, context: Context) -> PIL.Image.Image:
    """The frame that stands best for the video: sharp, well exposed, and like most of the "
    "others."""
    count = shots.sample_count(facts.seconds)
    small: list[np.ndarray] = []
    times: list[float] = []
    for time, frame in video_files.sample_frames(clip, count):
        context.progress(0.7 * len(times) / count, "Looking through the video")
        times.append(time)
        small.append(_small(frame))
    scores = _scores(small)
    best = times[int(np.argmax(scores))]
    return _sharpest_near(clip, best, facts, context)


def _small(frame: PIL.Image.Image) -> np.ndarray:
    shown = frame.copy()
    shown.thumbnail((_SMALL, _SMALL), PIL.Image.Resampling.BOX)
    return np.asarray(shown)


def _scores(frames: list[np.ndarray]) -> np.ndarray:
    """How well each frame would stand for all: sharpness, exposure and likeness count alike."""
    sharp = np.array([sharpness(frame) for frame in frames])
    sharp = np.minimum(sharp / max(float(np.percentile(sharp, 80)), 1e-6), 1.2)
    lit = np.array([_exposure(frame) for frame in frames])
    colours = np.array([_colours(frame) for frame in frames])
    shared = np.sqrt(colours) @ np.sqrt(colours).T
    typical = np.median(shared, axis=1) if len(frames) > 2 else np.ones(len(frames))
    typical = typical / max(float(typical.max()), 1e-6)
    return sharp**0.5 * lit * typical**2


def sharpness(picture: np.ndarray) -> float:
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


def _colours(picture: np.ndarray) -> np.ndarray:
    levels = picture // 64
    codes = levels[..., 0].astype(int) * 16 + levels[..., 1] * 4 + levels[..., 2]
    return np.bincount(codes.ravel(), minlength=64) / codes.size


def _sharpest_near(
    clip: Clip, time: float, facts: video_files.VideoFacts, context: Context
) -> PIL.Image.Image:
    context.progress(0.75, "Choosing the sharpest frame")
    start, end = max(time - _NEAR, 0.0), min(time + _NEAR, facts.seconds)
    best: np.ndarray | None = None
    best_score, middle = -1.0, None
    for moment, picture in frames_between(clip, start, end, context, spacing=0.04):
        small = _small(PIL.Image.fromarray(picture))
        if start + moment <= time + 1e-3 or middle is None:
            middle = _colours(small)
        # A cut may lie near; what comes after it is another scene.
        alike = float(np.sqrt(middle * _colours(small)).sum()) > 0.85
        score = sharpness(small)
        if alike and score > 1.02 * best_score or not alike and start + moment <= time:
            best, best_score = picture, score
    if best is None:
        return at_time(clip, time, context)
    return PIL.Image.fromarray(best)


def showing(
    clip: Clip, thing: str, facts: video_files.VideoFacts, context: Context
) -> PIL.Image.Image:
    """The frame that shows a thing best. Raises ToolError where no frame shows it."""
    best_time, best_score = 0.0, 0.0
    before: np.ndarray | None = None
    count = int(np.clip(round(2 * facts.seconds), 3, _SEARCHED))
    for number, (time, frame) in enumerate(video_files.sample_frames(clip, count)):
        context.progress(0.9 * number / count, f"Looking for {thing}")
        small = np.asarray(frame.convert("L").resize((48, 48)), np.float32)
        if before is not None and float(np.abs(small - before).mean()) < _SAME_PICTURE:
            continue
        before = small
        frame.thumbnail((1280, 1280))
        boxes = ground(Scene(frame), thing)
        size = frame.width * frame.height
        score = max(
            (box.score * ((box.right - box.left) * (box.bottom - box.top) / size) ** 0.3
             for box in boxes),
            default=0.0,
        )  # fmt: skip
        score *= _exposure(_small(frame)) ** 0.3
        if score > best_score:
            best_time, best_score = time, score
    if best_score <= 0:
        raise ToolError(
            f"I found {thing} in none of the {count} frames that I looked at; name another thing "
            "or a time, such as “at 0:12”."
        )
    return at_time(clip, best_time, context)


def contact_sheet(
    clip: Clip, times: tuple[float, ...], columns: int, context: Context
) -> PIL.Image.Image:
    """A sheet of the frames at the times, in rows, each with its time below it."""
    facts = video_files.read_facts(clip)
    columns = columns or _columns(len(times), facts.width / facts.height)
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


def _columns(count: int, aspect: float) -> int:
    """As many columns as make the sheet's shape pleasant, with few empty places."""

    def misfit(columns: int) -> float:
        rows = -(-count // columns)
        shape = columns * aspect / rows
        return abs(float(np.log(shape / 1.4))) + 1.2 * (rows * columns - count) / count

    return min(range(1, count + 1), key=misfit)
