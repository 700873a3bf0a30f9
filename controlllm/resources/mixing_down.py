"""Many channels of sound made one or two, so that nothing of it is lost, and levels over full.

Averaging channels loses a voice that one of them holds upside down (a cable soldered the wrong way
round); averaging six loses most of a voice that is in one of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

#: Frames over which it is told whether channels cancel each other.
WINDOW = 1 << 14
#: Shares of what unrelated channels keep in their mean: under the upper one channels cancel each
#: other to some degree, under the lower one they do.
_CANCELS, _MAY_CANCEL = 0.3, 0.5
#: Samples over this are damage, not loudness.
_DAMAGE = 1e6

#: How much of a channel goes to the left and to the right, by its name in FFmpeg.
_GAINS: dict[str, tuple[float, float]] = {
    "FL": (1.0, 0.0), "FR": (0.0, 1.0), "FC": (0.7071, 0.7071), "LFE": (0.5, 0.5),
    "BL": (0.7071, 0.0), "BR": (0.0, 0.7071), "SL": (0.7071, 0.0), "SR": (0.0, 0.7071),
    "FLC": (0.9239, 0.3827), "FRC": (0.3827, 0.9239), "BC": (0.5, 0.5),
}  # fmt: skip
#: The channels of a file that names none, as they usually lie there.
_USUAL = {
    1: "FC", 2: "FL FR", 3: "FL FR FC", 4: "FL FR BL BR", 5: "FL FR FC BL BR",
    6: "FL FR FC LFE BL BR", 7: "FL FR FC LFE BC SL SR", 8: "FL FR FC LFE BL BR SL SR",
}  # fmt: skip


class MonoMixer:
    """Makes one channel of several, block by block.

    It is their mean, but where they cancel each other the louder of them; from one to the other it
    goes smoothly.
    """

    def __init__(self) -> None:
        self._chosen: int | None = None

    def mixed(self, samples: np.ndarray) -> np.ndarray:
        """Samples of shape (frames, channels) as (frames,)."""
        mean = samples.mean(axis=1, dtype=np.float32)
        if samples.shape[1] < 2 or not len(samples):
            return mean
        share, sounds = self._share_of_one(samples, mean)
        if not share.any():
            return mean
        if self._chosen is None:
            self._chosen = int(np.argmax(_energies(samples).sum(axis=0)))
        middles = (np.flatnonzero(sounds) + 0.5) * WINDOW
        places = np.arange(len(samples))
        weight = np.interp(places, middles, share[sounds]).astype(np.float32)
        one = samples[:, self._chosen].astype(np.float32, copy=False)
        made: np.ndarray = mean + weight * (one - mean)
        return made

    @staticmethod
    def _share_of_one(samples: np.ndarray, mean: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For each window how much one channel stands in for the mean of all, 0..1, and whether
        there is any sound in it that tells."""
        count = samples.shape[1]
        alone = _energies(samples).sum(axis=1) / count
        together = _energies(mean[:, None])[:, 0]
        # Unrelated channels keep one part in `count` of their energy.
        kept = together * count / np.maximum(alone, 1e-20)
        share = np.clip((_MAY_CANCEL - kept) / (_MAY_CANCEL - _CANCELS), 0.0, 1.0)
        sounds = alone > 1e-6 * max(float(alone.max()), 1e-9)
        return np.where(sounds, share, 0.0), sounds


def mono(samples: np.ndarray) -> np.ndarray:
    """Samples of shape (frames, channels) as one channel, (frames,)."""
    return MonoMixer().mixed(np.asarray(samples))


def _energies(samples: np.ndarray) -> np.ndarray:
    """The energy of each channel in each window, (windows, channels)."""
    edges = np.arange(0, max(len(samples), 1), WINDOW)
    squares = np.square(samples, dtype=np.float32)
    found = np.add.reduceat(squares, edges, axis=0, dtype=np.float64)
    if not np.isfinite(found).all():
        squares = np.square(np.nan_to_num(samples, posinf=1.0, neginf=-1.0), dtype=np.float64)
        found = np.add.reduceat(squares, edges, axis=0)
    return np.asarray(found)


def stereo_gains(channels: Sequence[str] | int) -> np.ndarray:
    """How much of each channel goes to the left and to the right, (channels, 2).

    `channels` are their names in FFmpeg, or how many there are.
    """
    if not isinstance(channels, int) and not any(name in _GAINS for name in channels):
        channels = len(channels)
    if isinstance(channels, int):
        usual = _USUAL.get(channels)
        if usual is None:  # microphones side by side, none of them left or right
            return np.full((channels, 2), 0.7071, np.float32)
        channels = usual.split()
    return np.array([_GAINS.get(name, (0.7071, 0.7071)) for name in channels], np.float32)


def stereo(samples: np.ndarray, gains: np.ndarray | None = None) -> np.ndarray:
    """Samples of more than two channels as two, each as loud as it was: a single channel that
    sounds keeps its level. They may reach over 1 together."""
    gains = stereo_gains(samples.shape[1]) if gains is None else gains
    return np.asarray(samples.astype(np.float32, copy=False) @ gains)


def finite(samples: np.ndarray) -> np.ndarray:
    """The samples with a number everywhere, none of it absurd."""
    clean = np.nan_to_num(samples, posinf=1.0, neginf=-1.0)
    absurd = np.abs(clean) > _DAMAGE
    if absurd.any():
        clean[absurd] = np.sign(clean[absurd])
    return clean


def within_reach(samples: np.ndarray) -> np.ndarray:
    """The samples as finite values within -1..1: what is louder than full is turned down as a
    whole, so that nothing is cut off. What is so already is not copied."""
    low, high = float(samples.min(initial=0.0)), float(samples.max(initial=0.0))
    if low >= -1 and high <= 1:  # not a number is neither
        return samples
    clean = finite(samples)
    loudest = float(np.abs(clean).max(initial=0.0))
    return np.clip(clean / max(loudest, 1.0), -1, 1, dtype=clean.dtype)


def plain_samples(samples: np.ndarray) -> np.ndarray:
    """Samples as finite float32 within -1..1, frames by one or two channels.

    What is in that form already is not copied; what is louder than full is turned down as a whole.
    """
    if samples.ndim == 1:
        samples = samples[:, None]
    if samples.dtype.kind in "iu":
        reach = np.iinfo(samples.dtype)
        middle = 0 if samples.dtype.kind == "i" else (reach.max + 1) / 2
        samples = ((samples - middle) / ((reach.max + 1.0) - middle)).astype(np.float32)
    if samples.shape[1] > 2:
        samples = stereo(np.nan_to_num(samples, posinf=1.0, neginf=-1.0))
    return within_reach(samples.astype(np.float32, copy=False))
