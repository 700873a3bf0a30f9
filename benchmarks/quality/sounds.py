"""Figures of the tools that listen, speak, clean up sound and play music."""

from __future__ import annotations

import statistics
from fractions import Fraction

import numpy as np

from benchmarks.quality.figures import Findings, percent, share
from benchmarks.quality.media import Media, Tools
from benchmarks.quality.music import key_of, tempo_of
from benchmarks.quality.references import References
from benchmarks.quality.scores import (
    Errors,
    signal_to_noise,
    with_noise,
    word_errors,
)
from controlllm.resources import Sound

NOISE_LEVELS = (0.0, 10.0, 20.0)
#: Of music and of other voices behind the voice.
VOICE_LEVELS = (0.0, 10.0)
MUSIC = ("cantina.wav", "sax.wav")
#: The voice never reads a sentence twice in quite the same way.
_READINGS = 3
#: How far a measured tempo may be from the one asked for.
_TEMPO_SLACK = 0.04


def speech(tools: Tools, media: Media, references: References) -> Findings:
    """Words heard wrong in real recordings."""
    findings = Findings()
    total, clips = Errors(0, 0), 0
    for name, text in references.tables["recordings"].items():
        recording = media.recording(name)
        if recording is None:
            continue
        heard = tools.answer("speech_to_text", audio=recording)
        errors = word_errors(text, heard)
        total, clips = total + errors, clips + 1
        findings.tell(f"{name}: {errors}: {heard!r} for {text!r}")
    if clips:
        findings.add(
            "speech_to_text",
            "word error rate, real recordings",
            percent(total.rate),
            f"{clips} recordings, {total.length} words, {total.wrong} wrong",
        )
    else:
        findings.leave_out("speech_to_text on real recordings: none was given.")
    return findings


def round_trip(tools: Tools, references: References) -> Findings:
    """Words wrong after sentences were spoken by the one tool and heard by the other."""
    findings = Findings()
    readings = []
    for number in range(_READINGS):
        total = Errors(0, 0)
        for sentence in references.lists["spoken"]:
            sound = tools.call("text_to_speech", text=sentence)
            heard = tools.answer("speech_to_text", audio=sound)
            errors = word_errors(sentence, heard)
            total += errors
            findings.tell(f"reading {number + 1}: {errors}: {heard!r} for {sentence!r}")
        readings.append(total)
    rates = [percent(total.rate) for total in readings]
    findings.add(
        "text_to_speech, then speech_to_text",
        "word error rate of each reading",
        ", ".join(rates),
        f"{len(references.lists['spoken'])} sentences, {readings[0].length} words",
    )
    return findings


def denoising(tools: Tools, media: Media, references: References) -> Findings:
    """Decibels of speech over noise before and after the noise is taken out."""
    findings = Findings()
    names = list(references.tables["recordings"])
    voices = [found for name in names if (found := media.recording(name)) is not None]
    source = f"{len(voices)} real recordings"
    if not voices:
        spoken = references.lists["spoken"][:3]
        voices = [tools.call("text_to_speech", text=text) for text in spoken]
        source = f"{len(voices)} sentences of the Piper voice, since no recording was given"
    untouched = [
        signal_to_noise(voice.mono(), tools.call("audio_to_audio", audio=voice).mono())
        for voice in voices
    ]
    findings.add(
        "audio_to_audio",
        "the same without noise added: how near the result stays",
        f"{statistics.mean(untouched):.1f} dB",
        f"{source}; hardly more can be reached",
    )
    backgrounds = {
        "white noise": [_made_noise("white", voice) for voice in voices],
        "hum noise": [_made_noise("hum", voice) for voice in voices],
        "another of the voices": [*voices[1:], voices[0]],
    }
    for name in MUSIC:
        piece = media.recording(name)
        if piece is not None:
            backgrounds[f"music ({name} of Gradio)"] = [piece] * len(voices)
    for kind, behind in backgrounds.items():
        for level in NOISE_LEVELS if "noise" in kind else VOICE_LEVELS:
            before, after = [], []
            for voice, background in zip(voices, behind, strict=True):
                clean = voice.mono()
                noise = _as_long_as(background, voice)
                noisy = with_noise(clean, noise, level)
                loudest = max(1.0, float(np.abs(noisy).max()))
                edited = tools.call(
                    "audio_to_audio",
                    audio=Sound((noisy / loudest)[:, None], voice.rate),
                    prompt="Remove the background noise.",
                )
                before.append(signal_to_noise(clean, noisy))
                after.append(signal_to_noise(clean, edited.mono()))
            findings.add(
                "audio_to_audio",
                f"{kind} taken out: signal to noise before, after",
                f"{statistics.mean(before):.1f} dB, {statistics.mean(after):.1f} dB",
                source,
            )
            findings.tell(f"{kind} {level}: {[round(value, 1) for value in after]}")
    return findings


def _made_noise(kind: str, voice: Sound) -> Sound:
    noise = noise_of(kind, len(voice.samples), voice.rate)
    return Sound(noise[:, None].astype(np.float32), voice.rate)


def _as_long_as(sound: Sound, voice: Sound) -> np.ndarray:
    """A sound at a voice's rate, repeated or cut to its length."""
    from scipy.signal import resample_poly

    share = Fraction(voice.rate, sound.rate)
    samples = resample_poly(sound.mono(), share.numerator, share.denominator)
    return np.resize(samples, len(voice.samples))


def noise_of(kind: str, length: int, rate: int) -> np.ndarray:
    """White noise, or the hum of the mains at 50 hertz with its overtones."""
    if kind == "white":
        return np.random.default_rng(7).standard_normal(length)
    moments = 2 * np.pi * 50 * np.arange(length) / rate
    return np.asarray(
        sum(np.sin(step * moments + step) / step for step in range(1, 9)), dtype=float
    )


def music(tools: Tools, references: References) -> Findings:
    """Whether pieces have the tempo, the mode and the keynote that were asked for."""
    findings = Findings()
    tempos, octaves, modes, keynotes, sounding = [], [], [], [], 0
    entries = references.lists["music"]
    for entry in entries:
        sound = tools.call("text_to_music", prompt=entry["prompt"])
        samples = sound.mono()
        sounding += bool(np.isfinite(samples).all() and 0.05 < np.abs(samples).max() <= 1)
        tempo = tempo_of(samples, sound.rate)
        tonic, mode = key_of(samples, sound.rate)
        ratios = [tempo / (entry["tempo"] * factor) for factor in (1, 0.5, 2)]
        near = [abs(ratio - 1) <= _TEMPO_SLACK for ratio in ratios]
        tempos.append(near[0])
        octaves.append(any(near))
        if "mode" in entry:
            modes.append(mode == entry["mode"])
        if "tonic" in entry:
            keynotes.append(tonic == entry["tonic"])
        findings.tell(
            f"{entry['prompt']}: {sound.seconds:.0f} s, {tempo:.0f} beats a minute, {tonic} {mode}"
        )
    on = f"{len(entries)} requests"
    findings.add("text_to_music", "sounds, and is not cut off", share(sounding, len(entries)), on)
    findings.add("text_to_music", "tempo within 4 %", share(sum(tempos), len(tempos)), on)
    findings.add(
        "text_to_music", "the same, half or double taken too", share(sum(octaves), len(octaves)), on
    )
    findings.add(
        "text_to_music",
        "major or minor as asked",
        share(sum(modes), len(modes)),
        f"{len(modes)} requests with a mode or a mood",
    )
    findings.add(
        "text_to_music",
        "keynote as asked",
        share(sum(keynotes), len(keynotes)),
        f"{len(keynotes)} requests with a key",
    )
    return findings


def instruments(tools: Tools, references: References) -> Findings:
    """Whether instruments that play alone are named by the tool that knows kinds of sound."""
    findings = Findings()
    entries = references.lists["instruments"]
    recognised = 0
    for entry in entries:
        sound = tools.call("text_to_music", prompt=entry["prompt"])
        heard = tools.call("audio_classification", audio=sound)
        names = [label.name for label in heard if label.name != "music"]
        right = bool(names) and names[0] in entry["names"]
        recognised += right
        findings.tell(f"{entry['prompt']}: {', '.join(names)}{'' if right else ' (wrong)'}")
    findings.add(
        "text_to_music, then audio_classification",
        "instruments alone: first name after music is right",
        share(recognised, len(entries)),
        f"{len(entries)} instruments",
    )
    return findings
