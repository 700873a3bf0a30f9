"""Sound that lies in a file and is read a part at a time, so that memory does not grow with it."""

from __future__ import annotations

import contextlib
import tempfile
import weakref
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from controlllm.resources.mixing_down import stereo
from controlllm.resources.values import Sound

#: Values of all channels together up to which a sound is held in memory: 25 minutes of speech.
MOST_IN_MEMORY = 24_000_000
_TAIL = 1 << 18  # frames: the longest that pieces overlap


class LongSound(Sound):
    """A sound whose parts are read when they are asked for; `samples` reads all of it."""

    def __init__(self, rate: int, frames: int, channels: int) -> None:
        object.__setattr__(self, "rate", rate)
        self._shape = (frames, channels)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(rate={self.rate}, shape={self._shape})"

    @property
    def samples(self) -> np.ndarray:
        return self.part(0, self.frames)

    @property
    def shape(self) -> tuple[int, int]:
        return self._shape

    def part(self, first: int, last: int) -> np.ndarray:
        first, last = max(first, 0), min(last, self.frames)
        return self._read(first, max(last, first))

    def _read(self, first: int, last: int) -> np.ndarray:
        raise NotImplementedError


class StoredSound(LongSound):
    """The sound in a stored file: finite, within -1..1, more than two channels made two.

    What follows after a damaged place is silent. Raises soundfile.LibsndfileError where the file is
    no sound.
    """

    def __init__(self, path: Path) -> None:
        import soundfile

        self._file = soundfile.SoundFile(path)
        channels = min(self._file.channels, 2)
        super().__init__(self._file.samplerate, self._file.frames, channels)
        # The end of what was read last: pieces overlap, and to seek costs more.
        self._held = np.zeros((0, channels), np.float32)
        self._end = 0

    def _read(self, first: int, last: int) -> np.ndarray:
        samples = np.zeros((last - first, self.channels), np.float32)
        begin = self._end - len(self._held)
        kept = self._held[first - begin : last - begin] if begin <= first else self._held[:0]
        samples[: len(kept)] = kept
        if first + len(kept) < last:
            self._fill(samples[len(kept) :], first + len(kept))
            self._held, self._end = samples[-_TAIL:].copy(), last
        return samples

    def _fill(self, samples: np.ndarray, first: int) -> None:
        import soundfile

        try:
            if self._file.tell() != first:
                self._file.seek(first)
            found = self._file.read(len(samples), dtype="float32", always_2d=True)
        except soundfile.LibsndfileError:
            return
        if found.shape[1] != self.channels:
            found = stereo(np.nan_to_num(found, copy=False))
        found = np.nan_to_num(found, copy=False)
        samples[: len(found)] = np.clip(found, -1, 1, out=found)


class _NotedSound(LongSound):
    """A sound in a nameless file of plain float32 values, which goes with it."""

    def __init__(self, file: Any, rate: int, frames: int, channels: int) -> None:
        super().__init__(rate, frames, channels)
        self._file = file
        weakref.finalize(self, file.close)

    def _read(self, first: int, last: int) -> np.ndarray:
        self._file.seek(first * self.channels * 4)
        content = self._file.read((last - first) * self.channels * 4)
        return np.frombuffer(bytearray(content), np.float32).reshape(-1, self.channels)


def gathered(blocks: Iterable[np.ndarray], rate: int, folder: Callable[[], Path]) -> Sound:
    """Blocks, frames x channels, as one sound: a short one in memory, a long one in a file.

    The file lies nameless in the folder that `folder` gives. Raises ValueError where there is no
    block.
    """
    held: list[np.ndarray] = []
    frames = channels = 0
    with contextlib.ExitStack() as opened:
        file: Any = None
        for block in blocks:
            frames, channels = frames + len(block), block.shape[1]
            held.append(block)
            if file is None and frames * channels > MOST_IN_MEMORY:
                file = opened.enter_context(tempfile.TemporaryFile(dir=folder()))
            if file is not None:
                for piece in held:
                    file.write(np.ascontiguousarray(piece, np.float32).data)
                held.clear()
        if file is not None:
            opened.pop_all()
            return _NotedSound(file, rate, frames, channels)
    return Sound(np.ascontiguousarray(np.concatenate(held), np.float32), rate)
