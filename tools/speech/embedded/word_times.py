"""When each word of a recording is said, and where something is said in it.

Whisper's own times (its attention aligned by dynamic time warping, Radford et al. 2022) are off by
some tenths of a second where somebody pauses: it gives the pause to one of the words. So what lies
between two words is moved into the pause that is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

import numpy as np

from controlllm.resources import Sound
from controlllm.toolbox import Context

from ...shared.function_words import FUNCTION_WORDS, stem
from ...shared.time_phrases import Span
from .whisper import RATE, Word, utterances

_FRAME = RATE // 100
_SHORTEST_PAUSE = 0.03  # seconds
_SHORTEST_WORD = 0.04
#: How far from where the network puts it the pause between two words is looked for, in seconds.
_REACH = 0.35
#: What is quieter than this share of loud speech is a pause; in noise, what is hardly louder than
#: the noise, as far as speech stands out of it.
_QUIET, _IN_NOISE, _ABOVE_NOISE = 0.04, 0.2, 1.6
#: Under this share of words found again a text was not written down from this recording.
_LEAST_FOUND = 0.4
_LETTERS = re.compile(r"[^\W_]+")


def in_pauses(words: Sequence[Word], samples: np.ndarray) -> list[Word]:
    """The words as they were heard in sound at 16 kHz, their ends where the pauses are."""
    pauses = _pauses(samples)
    if not words or not len(pauses):
        return list(words)
    starts = [word.start for word in words]
    ends = [word.end for word in words]
    for place in range(len(words) + 1):
        left = ends[place - 1] if place else starts[0]
        right = starts[place] if place < len(words) else ends[-1]
        least = starts[place - 1] + _SHORTEST_WORD if place else 0.0
        most = ends[place] - _SHORTEST_WORD if place < len(words) else len(samples) / RATE
        gaps = pauses[(pauses[:, 0] >= least) & (pauses[:, 1] <= most)]
        if not len(gaps):
            continue
        away = np.maximum(0, np.maximum(gaps[:, 0] - right, left - gaps[:, 1]))
        lengths = np.minimum(gaps[:, 1] - gaps[:, 0], 2 * _REACH)
        best = int(np.argmax(lengths - away))
        if away[best] > _REACH or lengths[best] < away[best]:
            continue
        if place:
            ends[place - 1] = float(gaps[best, 0])
        if place < len(words):
            starts[place] = float(gaps[best, 1])
    return [
        Word(word.text, start, max(end, start + _SHORTEST_WORD))
        for word, start, end in zip(words, starts, ends, strict=True)
    ]


def of_text(text: str, heard: Sequence[Word]) -> list[Word]:
    """When each word of a transcript is said, as `heard` tells; the words are those of the text.

    A word that was heard otherwise has its share, by letters, of the time between those around it.
    Nothing where the text is not what was heard.
    """
    words = text.split()
    said, known = [_plain(word) for word in words], [_plain(word.text) for word in heard]
    matched = SequenceMatcher(None, said, known, autojunk=False).get_matching_blocks()
    found = sum(block.size for block in matched)
    if not words or found < _LEAST_FOUND * len(words):
        return []
    timed: list[Word] = []
    behind = 0
    for block in matched:
        between = heard[behind : block.b]
        before = timed[-1].end if timed else (heard[0].start if heard else 0.0)
        start = between[0].start if between else before
        after = heard[block.b].start if block.b < len(heard) else start
        end = between[-1].end if between else after
        timed += _shared(words[len(timed) : block.a], start, max(start, end))
        timed += [
            Word(word, at.start, at.end)
            for word, at in zip(
                words[block.a : block.a + block.size],
                heard[block.b : block.b + block.size],
                strict=True,
            )
        ]
        behind = block.b + block.size
    return timed


def _shared(words: Sequence[str], start: float, end: float) -> list[Word]:
    """Words that share a time by how long they are."""
    if not words:
        return []
    edges = np.cumsum([0, *(max(1, len(_plain(word))) for word in words)])
    times = start + (end - start) * edges / edges[-1]
    return [
        Word(word, float(times[place]), float(times[place + 1])) for place, word in enumerate(words)
    ]


def _plain(word: str) -> str:
    return "".join(_LETTERS.findall(word.lower()))


def _pauses(samples: np.ndarray) -> np.ndarray:
    """Where it is quiet, from and to, in seconds: float, shape (pauses, 2)."""
    count = len(samples) // _FRAME
    if not count:
        return np.zeros((0, 2))
    frames = samples[: count * _FRAME].reshape(count, _FRAME)
    loudness = np.sqrt(np.mean(np.square(frames, dtype=np.float64), axis=1))
    noise, loud = np.quantile(loudness, [0.05, 0.95])
    quiet = loudness < max(_QUIET * loud, min(_ABOVE_NOISE * noise, _IN_NOISE * loud), 1e-4)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], quiet.astype(np.int8), [0]])))
    spans = edges.reshape(-1, 2) * _FRAME / RATE
    return np.asarray(spans[spans[:, 1] - spans[:, 0] >= _SHORTEST_PAUSE])


_PAUSE = 0.6  # seconds of silence that part what is said into passages
_MARGIN = 0.25  # seconds kept before and behind what is said, where the pauses allow it
_LEAST = 0.5  # share of the words looked for that a passage holds


def said_passages(sound: Sound, thing: str, context: Context) -> list[Span]:
    """The passages, from pause to pause or of a sentence, in which the words for a thing are said
    best; empty where they are not heard."""
    wanted = {stem(word) for word in re.findall(r"[\w']+", thing.lower())
              if word not in FUNCTION_WORDS}  # fmt: skip
    if not wanted:
        return []
    unspoken = "so I cannot find where something is said; name the passage by its times."
    sentences = said_sentences(sound, context, unspoken)
    shares = [
        len(wanted & {stem(word.text.lower().strip(".,;:!?\"'")) for word in sentence})
        / len(wanted)
        for sentence in sentences
    ]
    best = max(shares, default=0.0)
    if best < _LEAST:
        return []
    edges = [0.0, *((one[-1].end + other[0].start) / 2 for one, other in pairwise(sentences))]
    edges.append(sound.seconds)
    return [
        (max(edges[place], sentence[0].start - _MARGIN),
         min(edges[place + 1], sentence[-1].end + _MARGIN))
        for place, sentence in enumerate(sentences) if shares[place] == best
    ]  # fmt: skip


def said_sentences(sound: Sound, context: Context, unspoken: str) -> list[list[Word]]:
    """The words of a recording, parted where a sentence ends or somebody pauses.

    Raises UnspokenError, with `unspoken` for what to do instead, where nobody speaks.
    """
    heard = utterances(sound, context, is_timed=True, unspoken=unspoken)
    return list(_sentences([word for utterance in heard for word in utterance.single]))


def _sentences(words: Sequence[Word]) -> Iterator[list[Word]]:
    held: list[Word] = []
    for word in words:
        if held and (word.start - held[-1].end > _PAUSE or held[-1].text.endswith((".", "!", "?"))):
            yield held
            held = []
        held.append(word)
    if held:
        yield held
