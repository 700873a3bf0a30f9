"""Words and pictures that lie over a video for a time, and words beside its pictures: on a strip
below or above them, on a card before or behind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

import numpy as np
import PIL.Image

from controlllm.resources import Clip
from controlllm.toolbox import Context, ToolError

from ...shared import letter_looks, lettering, video_files
from ...shared.letter_looks import Look
from ...shared.sounds import kept
from ...shared.subtitles import Cue
from ...shared.time_phrases import in_words
from ...shared.video_files import VideoFacts
from ...shared.video_rewriting import Change, even_size, rewritten, sound_of
from .canvas import resized

_LETTERS, _OF_WIDTH = 0.058, 0.044  # how tall subtitles are, of the height and of the width at most
_LEAST_LETTERS = 13  # pixels
_MOST_AT_ONCE = 3  # subtitles, the latest ones


class Layer:
    """A picture with transparency that is laid on others of the same size, quickly."""

    def __init__(self, picture: PIL.Image.Image) -> None:
        box = picture.getbbox() or (0, 0, 1, 1)
        part = np.asarray(picture.crop(box).convert("RGBA"), np.uint16)
        self._place = slice(box[1], box[3]), slice(box[0], box[2])
        strength = part[..., 3:]
        self._left = 255 - strength
        self._ink = part[..., :3] * strength + 127

    def on(self, picture: np.ndarray) -> np.ndarray:
        """A copy of a picture with the layer on it."""
        result = picture.copy()
        under = result[self._place]
        result[self._place] = ((under * self._left + self._ink) // 255).astype(np.uint8)
        return result


def laid_over(
    video: Clip,
    facts: VideoFacts,
    make: Callable[[tuple[int, int]], PIL.Image.Image],
    span: tuple[float, float],
    context: Context,
    words: str,
) -> Clip:
    """A video with one layer over it for a time; `make` makes it for a size."""
    size = even_size(facts.width, facts.height)
    layer = Layer(make(size))
    start, end = span

    def change(time: float, picture: np.ndarray) -> np.ndarray:
        is_there = start - 1e-3 <= time < end - 1e-3 or (end >= facts.seconds and time >= start)
        return layer.on(resized(picture, size)) if is_there else picture

    return rewritten(video, facts, Change(change, size=size, moments=[start, end]), context, words)


def subtitled(
    video: Clip, facts: VideoFacts, cues: Sequence[Cue], look: Look, context: Context
) -> Clip:
    """A video with subtitles in its pictures. Raises ToolError where none is seen in it."""
    shown = [cue for cue in cues if cue.start < facts.seconds - 0.02]
    if not shown:
        raise ToolError(
            f"The first subtitle comes at {in_words(cues[0].start)}, but the video lasts only "
            f"{in_words(facts.seconds)}. Give me the subtitles of this video."
        )
    for cue in shown:
        lettering.clean_words(cue.words)  # that something cannot be written is said at once
    size = even_size(facts.width, facts.height)
    letters = max(min(_LETTERS * size[1], _OF_WIDTH * size[0]), min(_LEAST_LETTERS, 0.1 * size[1]))
    share = letters * look.times / size[1]
    spans = _spans(shown)
    drawn: dict[str, Layer] = {}
    place = 0

    def change(time: float, picture: np.ndarray) -> np.ndarray:
        nonlocal place
        while place < len(spans) - 1 and time >= spans[place][1] - 1e-3:
            place += 1
        start, end, words = spans[place]
        if not words or not start - 1e-3 <= time < end - 1e-3:
            return picture
        if words not in drawn:
            drawn.clear()
            layer = lettering.words_layer(size, words, look.place, look.colour, share, look.around)
            drawn[words] = Layer(layer)
        return drawn[words].on(resized(picture, size))

    moments = sorted({moment for span in spans for moment in span[:2]})
    return rewritten(
        video, facts, Change(change, size=size, moments=moments), context, "Writing the subtitles"
    )


def _spans(cues: Iterable[Cue]) -> list[tuple[float, float, str]]:
    """What is to be read from when to when, one after the other; several cues at a time become one
    text."""
    cues = sorted(cues, key=lambda cue: cue.start)
    edges = sorted({edge for cue in cues for edge in (cue.start, cue.end)})
    spans = []
    active: list[Cue] = []
    following = 0
    for start, end in zip(edges, edges[1:], strict=False):
        active = [cue for cue in active if cue.end > start]
        while following < len(cues) and cues[following].start <= start:
            active.append(cues[following])
            following += 1
        words = dict.fromkeys(cue.words for cue in active[-_MOST_AT_ONCE:])
        spans.append((start, end, "\n".join(words)))
    return spans


def stamped(
    image: PIL.Image.Image, size: tuple[int, int], place: str, share: float
) -> PIL.Image.Image:
    """A picture on nothing, at a place of a size, as wide as a share of its width, whole."""
    width, height = image.size
    usual = min(0.22 * size[0] / width, 0.22 * size[1] / height)
    scale = share * size[0] / width if share else usual
    scale = min(scale, size[0] / width, size[1] / height)
    small = (max(round(width * scale), 1), max(round(height * scale), 1))
    picture = image.convert("RGBA").resize(small, PIL.Image.Resampling.LANCZOS)
    layer = PIL.Image.new("RGBA", size, (0, 0, 0, 0))
    layer.paste(picture, lettering.placed(size, small, place))
    return layer


def facts_of(video: Clip, context: Context) -> VideoFacts:
    """What is known of a video, with a word that it is being read."""
    context.progress(0.0, "Reading the video")
    return video_files.read_facts(video)


_WORDS = "Writing beside the video"
_QUALITY = 19
#: So often a card is written, so that a player can begin anywhere in it.
_STEP = 0.2


def with_strip(
    video: Clip, facts: VideoFacts, words: str, look: tuple[str, str], value: str, context: Context
) -> Clip:
    """A video with a strip of words below it, or above; `look` is the place and the colour of the
    letters."""
    place, colour = look
    size = even_size(facts.width, facts.height)
    band = np.asarray(letter_looks.strip(size, words, colour, letter_looks.Apart.of(value).ground))
    whole = even_size(size[0], size[1] + len(band))

    def change(time: float, picture: np.ndarray) -> np.ndarray:
        shown = resized(picture, size)
        return np.vstack((band, shown) if "top" in place else (shown, band))

    return rewritten(video, facts, Change(change, size=whole), context, _WORDS)


def with_card(
    video: Clip, facts: VideoFacts, words: str, colour: str, value: str, context: Context
) -> Clip:
    """A video with a silent card of words before it, or behind it."""
    told = letter_looks.Apart.of(value)
    size = even_size(facts.width, facts.height)
    card = np.asarray(letter_looks.card(size, words, colour, told.ground))
    begins = 0.0 if told.way == "before" else facts.seconds
    offset = told.seconds - begins if told.way == "before" else 0.0

    def frames() -> Iterator[tuple[float, np.ndarray]]:
        times = np.arange(0.0, told.seconds - _STEP / 2, _STEP)
        own = ((begins + float(time), card) for time in times)
        shown = video_files.read_frames(video, context=context)
        rest = ((offset + time, resized(picture, size)) for time, picture in shown)
        yield from chain(own, rest) if told.way == "before" else chain(rest, own)

    sound = sound_of(video, facts, context.part(0.0, 0.1))
    if sound is not None and told.way == "before":
        silent = np.zeros((round(told.seconds * sound.rate), sound.channels), np.float32)
        sound = kept(chain((silent,), sound.blocks()), sound.rate, context)
    return video_files.write_video(
        video_files.Film(frames(), facts.seconds + told.seconds, size, sound),
        context.part(0.1, 1.0),
        video_files.Coding(quality=_QUALITY),
        words=_WORDS,
    )
