"""What visitors ask for: short requests of several kinds, each with a mark of its own that has to
come back in its result and in nobody else's.

The mark is a number. It stands in the words, is painted into the picture (as words and as a row of
black and white cells) or sounds as a row of tones.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from controlllm.layout import ASSETS

_PICTURES = ("chelsea.jpg", "coffee.jpg", "rocket.jpg", "astronaut.jpg")
_WIDTH, _HEIGHT = 480, 320
#: Cells of the row that holds a mark: 20 of 8 pixels are in the left half.
_CELLS, _CELL = 20, 8
_RATE = 16_000
_TONE = 0.12
_LOWEST, _STEP = 500.0, 120.0
_DIGITS = 6
_NAMES = "zero one two three four five six seven eight nine".split()

#: How a mark looks in words; wherever one is found, it says whose it is.
WORDS = re.compile(r"KEST\s?(\d{6})")


@dataclass(frozen=True)
class Mark:
    """A visitor (0-998) and the number (0-999) of the request."""

    visitor: int
    request: int

    @property
    def number(self) -> int:
        return (self.visitor + 1) * 1000 + self.request

    @property
    def words(self) -> str:
        return f"KEST{self.number:0{_DIGITS}}"

    @property
    def digits(self) -> list[int]:
        return [int(digit) for digit in f"{self.number:0{_DIGITS}}"]


@dataclass(frozen=True)
class Result:
    """Something that a request made: the type of the resource and what is in the file."""

    type: str
    content: bytes


@dataclass(frozen=True)
class Wish:
    """A request.

    Parameters
    ----------
    kind: text, picture or sound; `name` in a word or two what is asked for.
    text: the words; ``{words}``, ``{number}`` and ``{spoken}`` stand for the mark.
    file: makes the name and the content of what is handed over with it, if anything is.
    fault: says what is wrong with the results, nothing where they are right.
    """

    kind: str
    name: str
    text: str
    file: Callable[[Mark], tuple[str, bytes]] | None
    fault: Callable[[Mark, Sequence[Result]], str]

    def words(self, mark: Mark) -> str:
        spoken = " ".join(_NAMES[digit] for digit in mark.digits)
        return self.text.format(words=mark.words, number=mark.number, spoken=spoken)


def note(mark: Mark) -> tuple[str, bytes]:
    """A text that names an order by its mark."""
    text = (
        "The night train from Hamburg to Vienna was cancelled on Monday after a storm brought down "
        "trees near Passau. About two hundred passengers waited in the station hall, where Maria "
        f"Huber handed out tea and bread. The order number of the bread is {mark.words}. A "
        "replacement bus left at two in the morning."
    )
    return f"note-{mark.words}.txt", text.encode()


def card(mark: Mark) -> tuple[str, bytes]:
    """A photo with its mark in words below and as a row of cells above."""
    import PIL.Image
    import PIL.ImageDraw
    import PIL.ImageFont

    name = _PICTURES[mark.number % len(_PICTURES)]
    photo = PIL.Image.open(ASSETS / "examples" / name).convert("RGB")
    photo = photo.resize((_WIDTH, _HEIGHT))
    drawn = PIL.ImageDraw.Draw(photo)
    drawn.rectangle((0, _HEIGHT - 60, _WIDTH, _HEIGHT), fill="white")
    font = PIL.ImageFont.load_default(40)
    drawn.text((110, _HEIGHT - 54), mark.words, fill="black", font=font)
    for place in range(_CELLS):
        colour = "white" if mark.number >> place & 1 else "black"
        left = place * _CELL
        drawn.rectangle((left, 0, left + _CELL - 1, _CELL - 1), fill=colour)
    buffer = io.BytesIO()
    photo.save(buffer, "PNG")
    return f"card-{mark.words}.png", buffer.getvalue()


def tones(mark: Mark) -> tuple[str, bytes]:
    """A recording whose tones are the digits of its mark."""
    import soundfile

    times = np.arange(int(_RATE * _TONE)) / _RATE
    fading = np.hanning(times.size)
    pieces = [
        0.2 * fading * np.sin(2 * np.pi * (_LOWEST + _STEP * digit) * times)
        for digit in mark.digits
    ]
    buffer = io.BytesIO()
    soundfile.write(buffer, np.concatenate(pieces), _RATE, format="WAV")
    return f"tones-{mark.words}.wav", buffer.getvalue()


def numbers_in(picture: bytes) -> set[int]:
    """The numbers that the row of cells can be read as, in a picture that stands on its head: as it
    is mirrored (read from the left) and turned (read from the right)."""
    import PIL.Image

    grey = np.asarray(PIL.Image.open(io.BytesIO(picture)).convert("L"))
    row = grey[-_CELL // 2]
    middles = np.arange(_CELLS) * _CELL + _CELL // 2
    return {
        sum(1 << place for place in range(_CELLS) if cells[middles[place]] > 127)
        for cells in (row, row[::-1])
    }


def digits_in(sound: bytes) -> list[int]:
    """The digits in a recording's tones."""
    import soundfile

    samples, rate = soundfile.read(io.BytesIO(sound), always_2d=True)
    found = []
    for piece in np.array_split(samples.mean(axis=1), _DIGITS):
        spectrum = np.abs(np.fft.rfft(piece * np.hanning(len(piece)), 1 << 15))
        loudest = np.fft.rfftfreq(1 << 15, 1 / rate)[int(spectrum.argmax())]
        found.append(round((loudest - _LOWEST) / _STEP))
    return found


def _says(wanted: Callable[[Mark], str]) -> Callable[[Mark, Sequence[Result]], str]:
    def fault(mark: Mark, results: Sequence[Result]) -> str:
        texts = [item.content.decode() for item in results if item.type == "text"]
        if any(wanted(mark) in re.sub(r"[\s,]", "", text) for text in texts):
            return ""
        return f"No {wanted(mark)} in what was made: {texts or [item.type for item in results]}"

    return fault


def _shows_turned(mark: Mark, results: Sequence[Result]) -> str:
    # What was made on the way is among them, too.
    pictures = [item.content for item in results if item.type == "image"]
    if not pictures:
        return "No picture was made."
    found = set[int]().union(*map(numbers_in, pictures))
    return "" if mark.number in found else f"The picture's mark is one of {found}, not its own."


def _sounds(is_turned: bool) -> Callable[[Mark, Sequence[Result]], str]:
    def fault(mark: Mark, results: Sequence[Result]) -> str:
        last = [item for item in results if item.type == "audio"][-1:]
        if not last:
            return "No sound was made."
        found = digits_in(last[0].content)
        wanted = mark.digits[::-1] if is_turned else mark.digits
        return "" if found == wanted else f"The sound has the digits {found}, not {wanted}."

    return fault


def _speaks(mark: Mark, results: Sequence[Result]) -> str:
    import soundfile

    sounds = [item.content for item in results if item.type == "audio"]
    if not sounds:
        return "No sound was made."
    seconds = soundfile.info(io.BytesIO(sounds[-1])).duration
    return "" if 1.0 < seconds < 20.0 else f"The speech takes {seconds:.1f} s."


#: What the crowd asks, each as often as the others.
WISHES = (
    Wish("text", "a question about a text", "What is the order number?", note,
         _says(lambda mark: mark.words)),
    Wish("text", "a fact", "Tell me a fact about the number {number}.", None,
         _says(lambda mark: str(mark.number))),
    Wish("picture", "reading a picture", "What text is in this picture?", card,
         _says(lambda mark: mark.words)),
    Wish("picture", "turning a picture", "Flip this picture upside down.", card, _shows_turned),
    Wish("picture", "cropping, then turning",
         "Crop the left half of this picture and turn it upside down.", card, _shows_turned),
    Wish("sound", "a louder recording", "Make this recording twice as loud.", tones,
         _sounds(False)),
    Wish("sound", "a turned recording", "Reverse this recording.", tones, _sounds(True)),
    Wish("sound", "speech", "Say “{spoken}” aloud.", None, _speaks),
)  # fmt: skip

#: What costs so little that it shows what others cost.
LIGHT = WISHES[1]
