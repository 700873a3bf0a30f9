"""Words written on pictures so that they can be read on any ground, with the letters that are here
(`tools.shared.fonts`)."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import PIL.Image
import PIL.ImageChops
import PIL.ImageColor
import PIL.ImageDraw
import PIL.ImageStat

from controlllm.toolbox import ToolError

from .fonts import font_of, length, loaded, runs

Ink = tuple[int, int, int]

WHITE: Ink = (255, 255, 255)
DARK: Ink = (12, 14, 18)
#: How tall letters are where nothing is said, of the picture's height and of its width at most.
_USUAL, _USUAL_OF_WIDTH = 0.07, 0.085
#: The least height of letters that can be read, and the least that is chosen where there is room.
_LEGIBLE, _COMFORTABLE = 6.0, 14.0
_MARGIN = 0.035
#: A size of letters: as large as the picture has room for, and how much of its width they take.
ACROSS, _SPAN = math.inf, 0.9
#: Words stand in as few lines as leave their letters so tall, of the picture's shorter side.
_TALL = 0.15
DIAGONAL = "diagonal"
_LINE = 1.2
_OUTLINE = 0.085
#: How solid a plate is, and one under letters that are neither light nor dark.
_PLATE, _SOLID_PLATE = 160, 215
#: The size at which words are measured before it is known how large they are written.
_MEASURED = 64
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]")
#: From here on signs need no blank between them to be broken into lines (Chinese, Japanese, …).
_WIDE_SIGNS = 0x2E80


def draw_words(
    picture: PIL.Image.Image,
    words: str,
    place: str = "",
    colour: str = "",
    size: float = 0.0,
    box: bool = False,
) -> PIL.Image.Image:
    """A copy of a picture with words written on it, wrapped to its width, always readable.

    `place` is one of the values of `controlllm.values.Place` ("" is the bottom) or `DIAGONAL`,
    `colour` a colour ("" picks white or black), `size` how tall the letters are as a share of the
    picture's height (0 is one that fits, `ACROSS` one that takes all of the width); with `box` the
    words stand on a translucent plate instead of having an outline.

    Raises ToolError where there are no words, a sign that cannot be written, or no room.
    """
    laid, angle = _laid(words, picture.size, size, place)
    place = place or ("centre" if size == ACROSS else "")
    corner = placed(picture.size, laid.block_size(box), place)
    ink = _ink(colour) or _standing_out(picture, corner, laid.block_size(box), box)
    block = _turned(laid.drawn(ink, _side(place), box), angle)
    corner = placed(picture.size, block.size, place)
    is_grey = picture.mode == "L" and max(ink) - min(ink) < 8
    result = picture.copy() if picture.mode == "RGBA" else picture.convert("RGB")
    layer = PIL.Image.new("RGBA", picture.size, (0, 0, 0, 0))
    layer.paste(block, corner)
    if result.mode == "RGBA":
        result.alpha_composite(layer)
    else:
        result.paste(layer, (0, 0), layer)
    return result.convert("L") if is_grey else result


def words_layer(
    size: tuple[int, int],
    words: str,
    place: str = "",
    colour: str = "",
    share: float = 0.0,
    around: str = "",
) -> PIL.Image.Image:
    """Only the words of `draw_words`, on nothing (RGBA), to be laid on many pictures of a size.

    Without a colour they are white with a dark outline. `share` is how tall the letters are of the
    height, `around` the colour of their outline, or "plate" for a plate below them.
    """
    box = around == "plate"
    laid, angle = _laid(words, size, share, place)
    place = place or ("centre" if share == ACROSS else "")
    layer = PIL.Image.new("RGBA", size, (0, 0, 0, 0))
    edge = None if box else _ink(around)
    block = _turned(laid.drawn(_ink(colour) or WHITE, _side(place), box, edge), angle)
    layer.paste(block, placed(size, block.size, place))
    return layer


def _laid(words: str, size: tuple[int, int], share: float, place: str) -> tuple[Lines, float]:
    """Words broken into lines, and by how many degrees they rise."""
    angle = math.degrees(math.atan2(size[1], size[0])) if place == DIAGONAL else 0.0
    if share != ACROSS and not angle:
        return lay_out(words, size, share), 0.0
    spanning = _spanning(words, size, angle)
    if 0 < share * size[1] < spanning.letter:
        spanning = Lines(spanning.lines, share * size[1])
    return spanning, angle


def _spanning(words: str, size: tuple[int, int], angle: float) -> Lines:
    """Words as large as a picture has room for where they rise by an angle, in degrees.

    Raises ToolError where they cannot be written, or not so that they can be read.
    """
    clean = clean_words(words)
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    paragraphs = [_units(line) for line in clean.split("\n")]
    best = Lines((), 0.0)
    for count in range(1, max(map(len, paragraphs)) + 1):
        measured = [[(unit, length(unit, _MEASURED) / _MEASURED) for unit in units]
                    for units in paragraphs]  # fmt: skip
        room = max(sum(wide for _, wide in units) for units in measured) / count
        most = count * len(paragraphs)
        while len(lines := _wrapped(measured, room, breaks=False)) not in range(1, most + 1):
            room *= 1.05
        wide = max(length(line, _MEASURED) for line in lines) / _MEASURED + 2 * _OUTLINE
        # Capitals are less tall than their line: what is clear around them may lie outside.
        tall = _LINE * len(lines) - (0.4 if angle else 0.0) + 2 * _OUTLINE
        letter = (1.0 if angle else _SPAN) * min(
            size[0] / (wide * cos + tall * sin), size[1] / (wide * sin + tall * cos)
        )
        best = max(best, Lines(tuple(lines), letter), key=lambda laid: laid.letter)
        if best.letter >= _TALL * min(size):
            break
    if best.letter < _LEGIBLE:
        return lay_out(words, size)  # says why
    return best


def _turned(block: PIL.Image.Image, angle: float) -> PIL.Image.Image:
    return block.rotate(angle, PIL.Image.Resampling.BICUBIC, expand=True) if angle else block


def placed(
    size: tuple[int, int], thing: tuple[int, int], place: str, margin: int | None = None
) -> tuple[int, int]:
    """Where the left upper corner of a thing lies at a place of a picture ("" is the bottom)."""
    words = (place or "bottom").split()
    edge = round(_MARGIN * min(size)) if margin is None else margin
    free = (size[0] - thing[0], size[1] - thing[1])
    edges = tuple(min(edge, max(room // 2, 0)) for room in free)
    shares = (
        0.0 if "left" in words else 1.0 if "right" in words else 0.5,
        0.0 if "top" in words else 1.0 if "bottom" in words else 0.5,
    )
    x, y = (
        round(edge + (room - 2 * edge) * share)
        for room, edge, share in zip(free, edges, shares, strict=True)
    )
    return x, y


@dataclass(frozen=True)
class Lines:
    """Words broken into lines, and how tall their letters are in pixels."""

    lines: tuple[str, ...]
    letter: float

    @property
    def outline(self) -> int:
        return max(1, round(_OUTLINE * self.letter))

    def _padding(self, box: bool) -> tuple[int, int]:
        if box:
            return round(0.5 * self.letter), round(0.25 * self.letter)
        return self.outline, self.outline

    def block_size(self, box: bool = False) -> tuple[int, int]:
        """How much room the words take."""
        widest = max(length(line, self.letter) for line in self.lines)
        across, down = self._padding(box)
        tall = _LINE * self.letter * len(self.lines)
        return max(1, round(widest) + 2 * across), max(1, round(tall) + 2 * down)

    def drawn(
        self, ink: Ink, side: str = "", box: bool = False, edge: Ink | None = None
    ) -> PIL.Image.Image:
        """The words in a colour on nothing (RGBA), set to the left, to the right or centred, with
        an outline of the colour `edge`."""
        size = self.block_size(box)
        across, down = self._padding(box)
        letters, around = PIL.Image.new("L", size), PIL.Image.new("L", size)
        for number, line in enumerate(self.lines):
            room = size[0] - 2 * across - length(line, self.letter)
            share = 0.0 if side == "left" else 1.0 if side == "right" else 0.5
            # Letters stand 0.93 of their size above the line that they stand on, at most.
            start = (across + room * share, down + self.letter * (0.93 + _LINE * number))
            _write(letters, start, line, self.letter, 0)
            if not box:
                _write(around, start, line, self.letter, self.outline)
        if box:
            strength = _PLATE if not 70 < lightness(ink) < 190 else _SOLID_PLATE
            PIL.ImageDraw.Draw(around).rounded_rectangle(
                (0, 0, size[0] - 1, size[1] - 1), 0.3 * self.letter, fill=strength
            )
        block = PIL.Image.new("RGB", size, edge or (WHITE if is_dark(ink) else DARK))
        block.paste(ink, (0, 0), letters)
        block.putalpha(PIL.ImageChops.lighter(letters, around))
        return block


def lay_out(words: str, size: tuple[int, int], share: float = 0.0) -> Lines:
    """Words broken into lines for a picture of a size, in letters that fit it.

    Raises ToolError where there are no words, a sign that cannot be written, or no room.
    """
    clean = clean_words(words)
    width, height = (side - 2 * round(_MARGIN * min(size)) for side in size)
    wished = share * size[1] or max(
        min(_USUAL * size[1], _USUAL_OF_WIDTH * size[0]), min(_COMFORTABLE, 0.3 * size[1])
    )
    units = [[(unit, length(unit, _MEASURED) / _MEASURED) for unit in _units(line)]
             for line in clean.split("\n")]  # fmt: skip
    letter = max(wished, _LEGIBLE)
    while letter >= _LEGIBLE:
        # Half a letter is kept free on each side, for the outline or the plate.
        room = (width - letter) / letter
        lines = _wrapped(units, room, breaks=letter < 0.55 * wished or letter < 1.3 * _LEGIBLE)
        if lines and (_LINE * len(lines) + 0.5) * letter <= height:
            return Lines(tuple(lines), letter)
        letter *= 0.94
    raise ToolError(
        f"“{_shortened(clean)}” has no room on {size[0]}x{size[1]} pixels in letters that can be "
        "read. Write fewer words, or enlarge the picture first."
    )


def lightness(ink: Ink) -> float:
    """How light a colour looks, from 0 to 255."""
    return 0.299 * ink[0] + 0.587 * ink[1] + 0.114 * ink[2]


def is_dark(ink: Ink) -> bool:
    """Whether a colour stands out from white more than from black."""
    return lightness(ink) < 110


def _side(place: str) -> str:
    return next((side for side in ("left", "right") if side in place), "")


def _ink(colour: str) -> Ink | None:
    if not colour:
        return None
    try:
        return PIL.ImageColor.getrgb(colour)[:3]
    except ValueError:
        raise ToolError(
            f"“{colour}” is not a colour that is known here. Name one such as red, or a code such "
            "as #ff8800."
        ) from None


def _standing_out(
    picture: PIL.Image.Image, corner: tuple[int, int], size: tuple[int, int], box: bool
) -> Ink:
    """White, or black where the ground is light. On its plate white is always read."""
    if box:
        return WHITE
    part = picture.crop((*corner, corner[0] + size[0], corner[1] + size[1]))
    if part.mode == "RGBA":
        ground = PIL.Image.new("RGBA", part.size, WHITE)
        part = PIL.Image.alpha_composite(ground, part)
    return DARK if PIL.ImageStat.Stat(part.convert("L")).mean[0] > 165 else WHITE


# Lines


def clean_words(words: str) -> str:
    """The words without what is not seen; raises ToolError where one cannot be written."""
    words = words.replace("\\n", "\n").replace("\r\n", "\n").replace("\r", "\n")
    words = unicodedata.normalize("NFC", _INVISIBLE.sub("", words))
    lines = [" ".join(line.split()) for line in words.strip().split("\n")]
    clean = "\n".join(line for line in lines if line)
    if not clean:
        raise ToolError("There are no words to write. Say which words, such as “Happy birthday”.")
    for sign in clean:
        if sign not in " \n":
            font_of(sign)
    return clean


def _units(line: str) -> list[str]:
    """The parts of a line between which it may be broken, each with the blank that follows it."""
    wide = f"{chr(_WIDE_SIGNS)}-\U0010ffff"
    return re.findall(rf"[{wide}] *|[^\s{wide}]+ *", line)


def _wrapped(
    paragraphs: Sequence[Sequence[tuple[str, float]]], room: float, breaks: bool
) -> list[str]:
    """Lines no wider than the room; none where a word is wider and may not be broken."""
    if room <= 0:
        return []
    lines: list[str] = []
    for units in paragraphs:
        if breaks:
            units = [part for unit in units for part in _broken(*unit, room)]
        if any(wide > room and length(unit.strip(), _MEASURED) / _MEASURED > room
               for unit, wide in units):  # fmt: skip
            return []
        count = len(_filled(units, room))
        # The narrowest lines of this number look better than a last one with a single word.
        low, high = room / max(count, 1) * 0.9, room
        for _ in range(7):
            middle = (low + high) / 2
            low, high = (low, middle) if len(_filled(units, middle)) <= count else (middle, high)
        lines += _filled(units, high)
    return lines


def _filled(units: Sequence[tuple[str, float]], room: float) -> list[str]:
    lines, used = [""], 0.0
    for unit, wide in units:
        if lines[-1] and used + wide - (0.35 if unit.endswith(" ") else 0) > room:
            lines.append("")
            used = 0.0
        lines[-1] += unit
        used += wide
    return [line.strip() for line in lines]


def _broken(unit: str, wide: float, room: float) -> Iterator[tuple[str, float]]:
    """A word, or its parts where it is wider than the room."""
    while wide > room and len(unit) > 1:
        kept = max(1, int(len(unit) * room / wide * 0.9))
        part, unit = unit[:kept], unit[kept:]
        yield part, length(part, _MEASURED) / _MEASURED
        wide = length(unit, _MEASURED) / _MEASURED
    yield unit, wide


def _write(
    layer: PIL.Image.Image, start: tuple[float, float], line: str, letter: float, outline: int
) -> None:
    pen = PIL.ImageDraw.Draw(layer)
    x, y = start
    for path, part in runs(line):
        used = loaded(path, letter)
        pen.text((x, y), part, fill=255, font=used, anchor="ls", stroke_width=outline)
        x += used.getlength(part)


def _shortened(words: str) -> str:
    words = " ".join(words.split())
    return words if len(words) <= 40 else f"{words[:38]}…"
