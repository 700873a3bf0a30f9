"""What is said in a recording, and what sounds in it, by downloaded models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from controlllm.resources import Label, Sound
from controlllm.toolbox import Context, ToolError

from ..shared.sounds import mono
from ..shared.time_stretch import at_rate
from ..speech.embedded import whisper
from .device import loaded, placement, pretrained, watched

#: Whisper hears thirty seconds at once.
_LONGEST_PIECE = 28.0
#: A pause of more seconds begins a new paragraph.
_LONG_PAUSE = 2.5
#: The sound classifier hears ten seconds at once.
_SECONDS_AT_ONCE = 10.0
_MOST_PIECES = 360
_MOST_KINDS = 5
_LEAST_SCORE = 0.05
#: Sound is measured in steps of so many seconds to find the quietest moment.
_STEP = 0.05
#: 60 decibels under full scale.
_SILENT = 0.001


load_listener = pretrained("AutoModelForSpeechSeq2Seq", "AutoProcessor")
load_sound_sorter = pretrained("AutoModelForAudioClassification", "AutoFeatureExtractor")


def write_down(folder: Path, audio: Sound, context: Context) -> str:
    """The words that are spoken in a recording, in their own language, with punctuation."""
    context.progress(0.0, "looking for speech")
    samples = whisper.at_listening_rate(audio)
    spans = whisper.speech_spans(samples)
    if not spans:
        raise ToolError(
            "I hear no speech in this recording; give me one in which somebody speaks, "
            "louder if it was very quiet."
        )
    context.progress(0.02, "loading the speech recogniser")
    processor, model = loaded(load_listener, folder)
    pieces = [
        piece
        for start, end in _gathered(spans, _LONGEST_PIECE)
        for piece in _cut(samples, whisper.RATE, start, end, _LONGEST_PIECE)
    ]
    text, end_before = "", 0.0
    for number, (start, end) in enumerate(pieces):
        words = f"listening, {number + 1} of {len(pieces)}"
        part = context.part(0.05 + 0.95 * number / len(pieces), (number + 1) / len(pieces))
        heard = _heard(processor, model, _piece(samples, start, end), words, part)
        if heard and text:
            text += "\n\n" if start - end_before > _LONG_PAUSE else " "
        text += heard
        end_before = end
    context.progress(1.0, "written down")
    if not any(character.isalnum() for character in text):
        raise ToolError(
            "I hear a voice but cannot make out the words; a clearer recording would help."
        )
    return text


def _piece(samples: np.ndarray, start: float, end: float) -> np.ndarray:
    # The first and last sounds of speech are soft and easily cut off.
    margin = 0.1
    first = max(round((start - margin) * whisper.RATE), 0)
    return samples[first : round((end + margin) * whisper.RATE)]


def _heard(processor: Any, model: Any, samples: np.ndarray, words: str, context: Context) -> str:
    import torch

    where = placement()
    sound = processor(samples, sampling_rate=whisper.RATE, return_tensors="pt")
    features = sound["input_features"].to(where.device, where.dtype)
    # The first four tokens say the language and the task.
    room = int(model.config.max_target_positions) - 6
    with torch.inference_mode():
        found = model.generate(
            features,
            task="transcribe",
            return_timestamps=False,
            max_new_tokens=room,
            stopping_criteria=watched(context, room, words),
        )
    said = processor.batch_decode(found, skip_special_tokens=True)[0]
    return " ".join(str(said).split())


def _gathered(spans: Sequence[tuple[float, float]], longest: float) -> list[tuple[float, float]]:
    """Stretches of speech put together with the pauses between them, as long as they are not
    longer than `longest` seconds; one that is longer itself stays whole."""
    found: list[tuple[float, float]] = []
    for start, end in spans:
        if found and end - found[-1][0] <= longest:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _cut(
    samples: np.ndarray, rate: int, start: float, end: float, longest: float
) -> list[tuple[float, float]]:
    """A stretch of a mono sound in stretches of at most `longest` seconds, cut at the quietest
    moment of the last third of each."""
    found: list[tuple[float, float]] = []
    while end - start > longest:
        first = round((start + longest * 2 / 3) * rate)
        last = round((start + longest) * rate)
        step = max(round(_STEP * rate), 1)
        part = np.abs(samples[first : max(last, first + step)])
        count = max(len(part) // step, 1)
        loudness = part[: count * step].reshape(count, -1).mean(axis=1)
        moment = (first + (int(loudness.argmin()) + 0.5) * step) / rate
        found.append((start, moment))
        start = moment
    return [*found, (start, end)]


def kinds_of(folder: Path, audio: Sound, context: Context) -> tuple[Label, ...]:
    """The sounds that are heard somewhere in a recording, the likeliest first; the scores sum to
    one at most."""
    import torch

    if max(float(np.abs(block).max(initial=0.0)) for block in mono(audio)) < _SILENT:
        return (Label("silence", 1.0),)
    context.progress(0.0, "loading the model")
    extractor, model = loaded(load_sound_sorter, folder)
    where = placement()
    rate = int(extractor.sampling_rate)
    heard = Sound(audio.part(0, round(_MOST_PIECES * _SECONDS_AT_ONCE * audio.rate)), audio.rate)
    samples = at_rate(heard.mono()[:, None], audio.rate, rate)[:, 0]
    step = round(_SECONDS_AT_ONCE * rate)
    starts = range(0, max(len(samples), 1), step)[:_MOST_PIECES]
    best = np.zeros(len(model.config.id2label))
    for number, start in enumerate(starts):
        context.progress(number / len(starts), f"listening, {number + 1} of {len(starts)}")
        piece = samples[start : start + step]
        if number and len(piece) < rate:
            continue
        values = extractor(piece, sampling_rate=rate, return_tensors="pt")["input_values"]
        with torch.inference_mode():
            logits = model(values.to(where.device, where.dtype)).logits[0]
        # Several sounds may be heard at once, so that each class has its own probability.
        best = np.maximum(best, logits.float().sigmoid().cpu().numpy())
    context.progress(1.0, "heard")
    order = [place for place in np.argsort(-best)[:_MOST_KINDS] if best[place] >= _LEAST_SCORE]
    total = max(float(best[order].sum()), 1.0)
    names = model.config.id2label
    kinds = [Label(str(names[int(place)]).lower(), float(best[place]) / total) for place in order]
    return tuple(kinds) or (Label("other sound", 1.0 - float(best.max())),)
