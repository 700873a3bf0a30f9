"""Editing, mixing, drawing sound and taking it from a video, on sounds that the tests make."""

from __future__ import annotations

import importlib.util
import math
import threading
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
import skimage.data
import soundfile

from controlllm.resources import Clip, Sound
from controlllm.toolbox import Cancelled, Context, ToolError
from controlllm.values import values_in
from tests.every_case import every_case
from tests.tools.made_videos import make_video, pan, tone
from tests.tools.sound.test_channels import is_alike
from tools.shared.time_stretch import at_rate
from tools.sound.editing import (
    audio_mixing,
    audio_to_audio,
    audio_to_image,
    video_to_audio,
)
from tools.sound.embedded import (
    deep_filter,
    noise_reduction,
    sound_effects,
    sound_pictures,
)
from tools.sound.embedded.sound_wishes import Wish, read
from tools.speech.synthesis import text_to_speech

RATE = 16_000


def voice(seconds: float = 6.0, rate: int = RATE) -> np.ndarray:
    """Something like speech: gliding tones with overtones in syllables, and pauses."""
    times = np.arange(round(seconds * rate)) / rate
    pitch = 140 + 30 * np.sin(2 * np.pi * 0.7 * times)
    phase = 2 * np.pi * np.cumsum(pitch) / rate
    overtones = range(1, min(20, int(rate / 2 / 175)))
    formants = [math.exp(-(((n * 140 - 600) / 500) ** 2)) + 0.3 / n for n in overtones]
    wave = sum(level * np.sin(n * phase) for n, level in zip(overtones, formants, strict=True))
    syllables = np.clip(np.sin(2 * np.pi * 3 * times), 0, 1) * (times % 2 < 1.5)
    return (0.1 * wave * syllables).astype(np.float32)


def sound(wave: np.ndarray, rate: int = RATE) -> Sound:
    return Sound(
        np.asarray(wave, np.float32).reshape(
            len(wave), 1 if np.ndim(wave) == 1 else np.shape(wave)[1]
        ),
        rate,
    )


def real_recording(name: str, rate: int | None = None) -> tuple[np.ndarray, int]:
    """A recording of Gradio, at most ten seconds, mono, with its rate or the one asked for."""
    path = Path(str(importlib.util.find_spec("gradio").origin)).parent / "media_assets/audio" / name
    samples, found = soundfile.read(path, dtype="float32", always_2d=True)
    samples = samples[: 10 * found].mean(axis=1, keepdims=True)
    return at_rate(samples, found, rate or found)[:, 0], rate or found


def mixed_in(clean: np.ndarray, noise: np.ndarray, decibels: float) -> np.ndarray:
    level = math.sqrt(float(np.mean(clean**2) / np.mean(noise**2)))
    return clean + noise * level * 10 ** (-decibels / 20)


def ratio(clean: np.ndarray, result: np.ndarray) -> float:
    """Signal to everything else in decibels, whatever the volume."""
    clean, result = clean.astype(float), result.astype(float)
    own = (clean @ result) / (clean @ clean) * clean
    return 10 * math.log10(float(own @ own) / max(float(np.sum((result - own) ** 2)), 1e-20))


def main_tone(wave: np.ndarray, rate: int = RATE) -> float:
    middle = wave[len(wave) // 4 : 3 * len(wave) // 4]
    spectrum = np.abs(np.fft.rfft(middle * np.hanning(len(middle)), 8 * len(middle)))
    return float(np.argmax(spectrum)) * rate / (8 * len(middle))


def level_at(wave: np.ndarray, frequency: float, rate: int = RATE) -> float:
    """The power around a frequency in decibels."""
    spectrum = np.abs(np.fft.rfft(wave)) ** 2
    tones = np.fft.rfftfreq(len(wave), 1 / rate)
    return 10 * math.log10(float(spectrum[np.abs(tones - frequency) < frequency * 0.1].mean()))


def noise_of(kind: str, count: int) -> np.ndarray:
    random = np.random.default_rng(3)
    white = random.standard_normal(count)
    times = np.arange(count) / RATE
    if kind == "white":
        return white
    if kind == "swelling":
        return white * 10 ** (0.3 * np.sin(2 * np.pi * times / 8))
    if kind == "hum":
        return sum(np.sin(2 * np.pi * 50 * n * times + n) / n for n in range(1, 9)) + 0.02 * white
    spectrum = np.fft.rfft(white)
    tones = np.maximum(np.arange(len(spectrum)), 1)
    return np.fft.irfft(spectrum / tones ** (1.0 if kind == "brown" else 0.5), count)


class TestNoise:
    @pytest.mark.few(1)
    @pytest.mark.parametrize(
        ("kind", "gain", "quieter"),
        [
            ("white", 8, 15),
            ("pink", 8, 15),
            ("brown", 12, 20),
            ("hum", 10, 15),
            ("swelling", 8, 15),
        ],
    )
    def test_it_goes_and_the_voice_stays(self, kind, gain, quieter):
        clean = voice()
        noisy = mixed_in(clean, noise_of(kind, len(clean)), 5)
        result = audio_to_audio(sound(noisy))
        assert result.samples.shape == (len(clean), 1)
        heard = result.samples[:, 0]
        assert ratio(clean, heard) > ratio(clean, noisy) + gain
        pause = np.arange(len(clean)) / RATE % 2 > 1.6
        before, after = np.mean(noisy[pause] ** 2), np.mean(heard[pause] ** 2)
        assert 10 * np.log10(before / after) > quieter

    @pytest.mark.parametrize(
        ("kind", "gain"), [("white", 8), ("pink", 8), ("brown", 12), ("hum", 10)]
    )
    def test_it_goes_where_the_network_does_not_run(self, kind, gain, monkeypatch):
        monkeypatch.setattr(deep_filter, "runs_here", lambda: False)
        clean = voice()
        noisy = mixed_in(clean, noise_of(kind, len(clean)), 5)
        told: list[str] = []
        result = audio_to_audio(
            sound(noisy), context=Context(lambda done, words: told.append(words))
        )
        assert ratio(clean, result.samples[:, 0]) > ratio(clean, noisy) + gain
        assert kind != "white" or any("does not run on this machine" in words for words in told)

    @pytest.mark.long
    def test_music_behind_a_voice_goes(self):
        voice = text_to_speech("The lamp stands on the table beside the open window.")
        music, _ = real_recording("sax.wav", voice.rate)
        noisy = mixed_in(voice.mono(), music[: len(voice.samples)], 0)
        result = audio_to_audio(sound(noisy, voice.rate), "remove the background music noise")
        assert ratio(voice.mono(), result.mono()) > 6

    def test_music_by_itself_is_no_noise(self):
        music, rate = real_recording("sax.wav")
        noisy = mixed_in(music, np.random.default_rng(0).standard_normal(len(music)), 15)
        result = audio_to_audio(sound(noisy, rate), "remove the hiss").samples[:, 0]
        assert ratio(music, result) > 22

    @pytest.mark.long
    def test_a_clean_voice_stays_as_it_is(self):
        clean = text_to_speech("The lamp stands on the table beside the open window.")
        assert ratio(clean.mono(), audio_to_audio(clean).mono()) > 25

    def test_a_long_recording_is_cleared_in_pieces_and_can_be_stopped(self):
        hiss = 0.01 * np.random.default_rng(0).standard_normal(50 * RATE)
        melody = tone(50).samples[:, 0] * (np.arange(50 * RATE) // RATE % 3 > 0)
        told: list[tuple[float, str]] = []
        result = audio_to_audio(
            sound(melody + hiss), context=Context(lambda *said: told.append(said))
        ).samples[:, 0]
        assert len({done for done, words in told if words == "Taking the noise out"}) >= 3
        left = result - melody
        seams = [np.std(left[at * RATE - RATE : at * RATE + RATE]) for at in (20, 40)]
        assert max(seams) < 1.5 * np.std(left[10 * RATE : 20 * RATE])
        stop = threading.Event()

        def at_the_second_piece(done: float, words: str) -> None:
            if words == "Taking the noise out" and done > 0.3:
                stop.set()

        with pytest.raises(Cancelled):
            audio_to_audio(sound(melody + hiss), context=Context(at_the_second_piece, stop))

    def test_a_clean_recording_is_hardly_changed(self):
        clean = voice()
        faint = clean + 1e-4 * noise_of("white", len(clean))
        assert ratio(clean, audio_to_audio(sound(faint), "clean it up").samples[:, 0]) > 15

    @pytest.mark.long
    def test_what_is_left_does_not_chirp(self):
        clean = np.concatenate([voice(), np.zeros(3 * RATE, np.float32)])
        noisy = clean + 0.02 * np.random.default_rng(0).standard_normal(len(clean))
        left = audio_to_audio(sound(noisy)).samples[7 * RATE : -RATE // 2, 0]
        frames = left[: len(left) // 512 * 512].reshape(-1, 512) * np.hanning(512)
        power = np.abs(np.fft.rfft(frames, axis=1)) ** 2
        power /= power.mean(axis=0)
        # 2 for noise as it was; chirps are rare and strong.
        assert np.mean(power**2) < 8

    def test_steady_tones_are_found_and_a_voice_is_none(self):
        clean = voice()
        times = np.arange(len(clean)) / RATE
        hum = 0.02 * (np.sin(2 * np.pi * 60.2 * times) + np.sin(2 * np.pi * 3000 * times))
        noise = 1e-3 * noise_of("white", len(clean))
        found = noise_reduction.steady_tones(Sound((clean + hum + noise)[:, None], RATE))
        assert found == pytest.approx([60.2, 3000], abs=0.3)
        assert noise_reduction.steady_tones(Sound((clean + noise)[:, None], RATE)) == []

    def test_clicks_go_and_the_rest_stays(self):
        random = np.random.default_rng(2)
        clean = voice() + 2e-3 * random.standard_normal(6 * RATE).astype(np.float32)
        clicked = clean.copy()
        clicked[random.integers(500, len(clean) - 500, 80)] += 0.4
        result = audio_to_audio(sound(clicked), "remove the clicks").samples[:, 0]
        assert ratio(clean, result) > ratio(clean, clicked) + 10
        assert ratio(clean, audio_to_audio(sound(clean), "remove clicks").samples[:, 0]) > 25

    def test_a_room_is_heard_less(self):
        clean = voice()
        in_room = audio_to_audio(sound(clean), "add reverb").samples
        less = audio_to_audio(Sound(in_room, RATE), "remove the reverb").samples
        moments = np.arange(len(clean)) / RATE % 2
        gap, speech = (moments > 1.55) & (moments < 1.95), moments < 1.5

        def tail(samples: np.ndarray) -> float:
            wave = samples[: len(clean), 0]
            return 10 * math.log10(np.mean(wave[gap] ** 2) / np.mean(wave[speech] ** 2))

        assert tail(less) < tail(in_room) - 3


class TestPitchAndSpeed:
    @pytest.mark.parametrize("semitones", [-12, -5, 3, 7])
    def test_pitch_without_speed(self, semitones):
        before = tone(2, 44_100)
        way = "up" if semitones > 0 else "down"
        after = audio_to_audio(before, f"pitch {way} by {abs(semitones)} semitones")
        assert after.samples.shape == before.samples.shape
        wanted = 440 * 2 ** (semitones / 12)
        assert main_tone(after.samples[:, 0], 44_100) == pytest.approx(wanted, rel=0.002)
        assert after.samples.std() == pytest.approx(before.samples.std(), rel=0.05)

    @pytest.mark.parametrize(
        ("words", "factor"),
        [("twice as fast", 2), ("at half speed", 0.5), ("20% slower", 0.8), ("speed it up", 1.25)],
    )
    def test_speed_without_pitch(self, words, factor):
        after = audio_to_audio(tone(2, channels=2), words)
        assert after.samples.shape[1] == 2
        assert after.seconds == pytest.approx(2 / factor, abs=0.01)
        assert main_tone(after.samples[:, 0]) == pytest.approx(440, abs=1)
        middle = after.samples[len(after.samples) // 4 : -len(after.samples) // 4, 0]
        spectrum = np.abs(np.fft.rfft(middle * np.blackman(len(middle)))) ** 2
        at = int(np.argmax(spectrum))
        assert spectrum[at - 4 : at + 5].sum() > 0.9999 * spectrum.sum()

    def test_onsets_stay_sharp_and_in_place(self):
        wave = np.zeros(3 * RATE)
        burst = np.random.default_rng(0).standard_normal(1600) * np.exp(-np.arange(1600) / 250)
        for number in range(1, 10):
            wave[round(number * 0.3 * RATE) :][:1600] += 0.2 * burst
        slow = audio_to_audio(sound(wave), "play it at 0.75 speed").samples[:, 0]
        energy = np.convolve(slow**2, np.ones(80) / 80, "same")
        for number in range(1, 10):
            place = round(number * 0.3 / 0.75 * RATE)
            around = energy[place - 1600 : place + 1600]
            assert abs(int(np.argmax(around > 0.3 * around.max())) - 1600) < 0.015 * RATE

    def test_left_stays_left(self):
        wave = np.stack([voice(3), np.zeros(3 * RATE)], axis=1)
        after = audio_to_audio(sound(wave), "raise the pitch").samples
        assert np.abs(after[:, 1]).max() < 1e-3 * np.abs(after[:, 0]).max()

    def test_too_far(self):
        for words in ("ten times as fast", "raise the pitch by 5 octaves"):
            with pytest.raises(ToolError, match="at most"):
                audio_to_audio(tone(1), words)


class TestEffects:
    def test_louder_and_quieter(self):
        quiet = tone(1, level=0.1)
        louder = audio_to_audio(quiet, "6 dB louder").samples
        assert louder.max() == pytest.approx(0.2, rel=0.02)
        quieter = audio_to_audio(quiet, "make it quieter by 6 dB").samples
        assert quieter.max() == pytest.approx(0.05, rel=0.02)

    def test_louder_never_clips(self):
        full = 0.9 * voice() / np.abs(voice()).max()
        loud = audio_to_audio(sound(full), "make it louder").samples
        assert np.abs(loud).max() <= 0.97 + 1e-6
        before = sound_effects.loudness(Sound(full[:, None], RATE))
        assert sound_effects.loudness(Sound(loud, RATE)) > before + 2

    def test_loudness_is_that_of_the_norm(self):
        # ITU-R BS.1770: a full sine of 997 Hz in one channel has -3.01 LUFS.
        times = np.arange(48_000 * 3) / 48_000
        wave = np.sin(2 * np.pi * 997 * times)[:, None].astype(np.float32)
        assert sound_effects.loudness(Sound(wave, 48_000)) == pytest.approx(-3.01, abs=0.3)

    def test_loudness_of_what_the_norm_does_not_know(self):
        """Less than a block of sound, a rate under the norm's filters."""
        wave = tone(2, level=0.5).samples
        usual = sound_effects.loudness(Sound(wave, RATE))
        assert sound_effects.loudness(Sound(wave[: RATE // 10], RATE)) == pytest.approx(
            usual, abs=0.5
        )
        assert -70 < sound_effects.loudness(Sound(wave, 1000)) < 0
        assert sound_effects.loudness(Sound(0 * wave, RATE)) == -70

    def test_normalising(self):
        for level in (0.01, 0.9):
            result = audio_to_audio(tone(2, level=level), "normalise the volume").samples
            assert sound_effects.loudness(Sound(result, RATE)) == pytest.approx(-16, abs=0.5)

    @every_case(
        ("words", "low", "high"),
        [
            ("low-pass at 1 kHz", 0, -40),
            ("high-pass at 1000 Hz", -40, 0),
            ("boost the bass by 9 dB", 9, 0),
            ("more treble, by 9 dB", 0, 9),
            ("less bass", -8, 0),
            ("as if on the telephone", -15, -15),
        ],
    )
    def test_tone(self, words, low, high):
        noise = 0.05 * noise_of("white", 4 * RATE)
        result = audio_to_audio(sound(noise), words).samples[:, 0]
        change = [level_at(result, tone) - level_at(noise, tone) for tone in (60, 7000)]
        for found, wanted in zip(change, (low, high), strict=True):
            assert found < wanted if wanted < -10 else found == pytest.approx(wanted, abs=1.5)

    def test_echo_repeats_ever_quieter(self):
        click = np.zeros(RATE)
        click[100:110] = 0.5
        result = audio_to_audio(sound(click), "add an echo of 0.5 seconds").samples[:, 0]
        peaks = [np.abs(result[at : at + 200]).max() for at in (0, 8000, 16_000)]
        assert peaks[0] == pytest.approx(0.5)
        assert 0.2 < peaks[1] / peaks[0] < 0.7
        assert peaks[2] / peaks[1] == pytest.approx(peaks[1] / peaks[0], rel=0.01)

    def test_a_cathedral_rings_longer_than_a_bathroom(self):
        burst = np.concatenate([voice(1), np.zeros(RATE)])
        late = [
            np.mean(audio_to_audio(sound(burst), words).samples[2 * RATE : 3 * RATE] ** 2)
            for words in ("like in a cathedral", "like in a bathroom")
        ]
        assert late[0] > 30 * late[1]

    def test_fades(self):
        steady = tone(4)
        result = audio_to_audio(steady, "fade in over 1 second and fade out over 2 seconds")
        levels = [
            np.abs(result.samples[round(at * RATE) :][:400]).max() for at in (0, 0.5, 1.5, 3, 3.97)
        ]
        assert levels == pytest.approx([0.0, 0.2, 0.4, 0.2, 0.0], abs=0.03)
        assert result.seconds == 4

    def test_backwards_mono_and_parts(self):
        stereo = sound(np.stack([voice(2), -0.5 * voice(2)], axis=1))
        backwards = audio_to_audio(stereo, "Play it backwards!")
        assert np.array_equal(backwards.samples, stereo.samples[::-1])
        mono = audio_to_audio(stereo, "convert to mono")
        # The channels are each other's opposite: their mean would be half as loud as the quieter.
        assert is_alike(mono.samples, voice(2)[:, None])
        alike = sound(np.stack([voice(2), 0.5 * voice(2)], axis=1))
        made = audio_to_audio(alike, "convert to mono").samples
        assert is_alike(made, 0.75 * voice(2)[:, None])
        assert audio_to_audio(stereo, "keep only the first half a second").seconds == 0.5
        assert audio_to_audio(stereo, "cut off the last 0.5 seconds").seconds == 1.5
        with pytest.raises(ToolError, match=r"2\.0 seconds long"):
            audio_to_audio(stereo, "cut off the first 3 seconds")

    def test_silence_at_the_ends_and_inside(self):
        gap = np.zeros(2 * RATE)
        wave = np.concatenate([gap, voice(1), gap, voice(1), gap])
        noisy = wave + 1e-5 * noise_of("white", len(wave))
        ends = audio_to_audio(sound(noisy), "trim the silence").seconds
        assert 3.5 < ends < 4.2
        assert audio_to_audio(sound(noisy), "remove the long pauses").seconds < ends - 1.3

    def test_a_robot_speaks_on_one_tone(self):
        result = audio_to_audio(sound(voice()), "Turn it into a robot voice").samples[:, 0]
        part = result[RATE // 8 : RATE // 8 + 4000].astype(float)
        alike = np.correlate(part, part, "full")[len(part) - 1 :]
        period = 80 + int(np.argmax(alike[80:400]))
        assert RATE / period == pytest.approx(100, abs=3)

    def test_several_in_order(self):
        before = tone(4)
        result = audio_to_audio(before, "fade out over 1 second, then play it backwards")
        assert np.abs(result.samples[:400]).max() < 0.01
        assert np.abs(result.samples[-400:]).max() > 0.3

    @every_case("words", ["bake a cake", "add drums", "change the pitch"])
    def test_what_cannot_be_done_says_what_can(self, words):
        with pytest.raises(ToolError, match="take noise.*pitch.*echo.*fade"):
            audio_to_audio(tone(1), words)

    def test_progress_and_stopping(self):
        told: list[float] = []
        audio_to_audio(
            tone(1),
            "denoise and add reverb",
            context=Context(lambda done, words: told.append(done)),
        )
        assert told == sorted(told)
        stop = threading.Event()
        with pytest.raises(Cancelled):
            audio_to_audio(tone(1), context=Context(lambda done, words: stop.set(), stop))

    @pytest.mark.long
    @every_case("count", [1, 7, 300])
    @every_case(("rate", "channels"), [(100, 1), (8000, 2), (192_000, 2)])
    def test_tiny_sounds_of_any_kind(self, count, rate, channels):
        wave = 0.3 * np.random.default_rng(0).standard_normal((count, channels))
        for words in (
            None,
            "less echo, no clicks, 3 semitones higher, 20% faster",
            "louder, normalise, echo, reverb, fade in and out, telephone, robot",
            "low-pass, high-pass, more bass, less treble",
            "trim the silence, remove the pauses",
        ):
            result = audio_to_audio(Sound(wave.astype(np.float32), rate), words).samples
            assert np.isfinite(result).all()
            assert result.shape[1] == channels
            assert np.abs(result).max(initial=0) <= 1.0001

    def test_silent(self):
        with pytest.raises(ToolError, match="silent"):
            audio_to_audio(sound(np.zeros(RATE)))


class TestWishes:
    @every_case(
        ("words", "actions"),
        [
            ("raise the pitch, but first remove the noise", ["denoise", "pitch"]),
            ("There is so much traffic noise in it, can you help?", ["denoise"]),
            ("make it higher without changing the speed", ["pitch"]),
            ("remove the echo", ["room"]),
            ("as if sung in a big church", ["reverb"]),
            ("remove the noise recorded in the church", ["denoise"]),
            ("like on an old radio", ["telephone"]),
            ("I wish it were a cathedral", ["reverb"]),
            ("with a bit of hall", ["reverb"]),
            ("take the hall out of it", ["room"]),
            ("one can't understand her over the wind", ["denoise"]),
            ("fade in and out", ["fade_in", "fade_out"]),
            ("turn up the bass", ["bass"]),
            ("make it sound like I'm underwater", ["low_pass"]),
            ("make the man's voice louder", ["volume"]),
            ("speed up by 30 percent and transcribe it", ["tempo"]),
            ("make it better", ["denoise"]),
            ("please edit this recording", []),
            ("", []),
        ],
    )
    def test_what_is_meant(self, words, actions):
        assert [wish.action for wish in read(words)] == actions

    @every_case(
        ("words", "wish"),
        [
            ("pitch -3", Wish("pitch", -3)),
            ("chipmunk voice", Wish("pitch", 8)),
            ("from 100 to 120 bpm", Wish("tempo", 1.2)),
            ("slow it to 90 bpm, please", Wish("beats", 90)),
            ("this one has to be 128 too", Wish("beats", 128)),
            ("115", Wish("beats", 115)),
            ("half as loud", Wish("volume", -6)),
            ("play the solo at 60% but same pitch", Wish("tempo", 0.6)),
            ("run it at 75 percent, pitch as it is", Wish("tempo", 0.75)),
            ("up by 3 semitones, tempo untouched", Wish("pitch", 3)),
            ("two semitones down, the speed unchanged", Wish("pitch", -2)),
            ("remove everything above 3 kHz", Wish("low_pass", 3000)),
            ("add a delay of 500 ms", Wish("echo", 0.5, 0.42)),
        ],
    )
    def test_how_much(self, words, wish):
        assert read(words) == [wish]

    def test_how_long(self):
        for words, factor in (
            ("speed it up so that it lasts 30 seconds", 2),
            ("make it last two minutes", 0.5),
            ("fit it into 40 seconds", 1.5),
        ):
            assert read(words, 60.0) == [Wish("tempo", factor)], words


class TestMixing:
    def test_overlay_of_different_kinds(self):
        result = audio_mixing(
            [tone(1, 8000, level=0.3), Sound(np.zeros((96_000, 2), "f4"), 48_000)]
        )
        assert (result.rate, result.samples.shape) == (48_000, (96_000, 2))
        assert main_tone(result.samples[:48_000, 1], 48_000) == pytest.approx(440, abs=1)
        assert np.abs(result.samples[50_000:]).max() == 0

    def test_no_clipping(self):
        result = audio_mixing([tone(1, level=0.9)] * 3)
        assert np.abs(result.samples).max() == pytest.approx(0.97, abs=1e-3)
        # Turned down as a whole, a sine is still a sine.
        assert result.samples.std() == pytest.approx(0.97 / math.sqrt(2), rel=0.01)

    def test_one_after_the_other(self):
        low, high = tone(1), Sound(tone(1).samples[::-1] * 0.5, RATE)
        result = audio_mixing([low, high], "one after the other")
        assert result.seconds == pytest.approx(1.75)
        assert np.abs(result.samples[: RATE // 2]).max() == pytest.approx(0.4, rel=0.01)
        assert np.abs(result.samples[-RATE // 2 :]).max() == pytest.approx(0.2, rel=0.01)
        for words, seconds in (
            ("join them with a pause of 2 seconds", 4.0),
            ("append the second without crossfade", 2.0),
            ("verse 1 and verse 2 behind one another", 1.75),
            ("the second straight after the first", 1.75),
            ("let part two follow on from part one", 1.75),
            ("a, then b", 1.75),
            ("put the outro at the end of it", 1.75),
            ("blend from the one into the next", 1.75),
            ("they were taped one by one, I want to hear them sing together", 1.0),
            ("both at the same time", 1.0),
            ("half1, half2, in this order", 1.75),
            ("stick take 2 behind take 1", 1.75),
            ("put jingle.mp3 in front", 1.75),
            ("one ends where the other begins", 1.75),
            ("put the rain behind my voice", 1.0),
            ("intro.mp3 goes before talk.mp3", 1.75),
            ("string the two of them together", 1.75),
            ("no, b should be first! same gap", 3.0),
            ("the two with 5 seconds of silence in the middle", 7.0),
        ):
            assert audio_mixing([low, high], words).seconds == pytest.approx(seconds), words

    def test_quietly_in_the_background(self):
        front, behind = sound(voice(3)), Sound(tone(20, level=0.9).samples, RATE)
        result = audio_mixing([front, behind], "the music quietly in the background")
        assert result.seconds == pytest.approx(5)
        rest = result.samples[: len(front.samples)] - front.samples
        before = sound_effects.loudness(Sound(front.samples, RATE))
        assert sound_effects.loudness(Sound(rest, RATE)) == pytest.approx(before - 14, abs=1)
        assert np.abs(result.samples[-160:]).max() < 0.01
        other = audio_mixing([behind, front], "put the first in the background")
        assert other.seconds == pytest.approx(5)
        for words in ("the music more in the back", "very low below what I read", "barely audible"):
            again = audio_mixing([front, behind], words)
            assert np.array_equal(again.samples, result.samples), words

    @pytest.mark.parametrize(
        ("words", "seconds"),
        [
            ("music quietly under my voice, it should stop when I stop talking", 3),
            ("the music softly behind, ending with the speech", 3),
            ("put the song quietly under it, only as long as I speak", 3),
            ("a quiet background with the same length as the voice", 3),
            ("quietly in the background, please", 5),
            ("make it quiet when I speak", 5),
        ],
    )
    def test_a_background_may_end_with_what_is_in_front(self, words, seconds):
        result = audio_mixing([sound(voice(3)), tone(20)], words)
        assert result.seconds == pytest.approx(seconds)
        assert np.abs(result.samples[-160:]).max() < 0.02

    def test_several_times_over(self):
        kinds = {item.name: item.kind for item in audio_mixing.tool.parameters if item.kind}
        for words, count, seconds in (
            ("loop it 8 times", 1, 8.0),
            ("play it twice, one after the other", 1, 2.0),
            ("both one after the other, three times", 2, 3 * 1.75),
            ("both at once, and twice as loud", 2, 1.0),
        ):
            made = audio_mixing([tone(1)] * count, words, **values_in(words, kinds))
            assert made.seconds == pytest.approx(seconds), words

    def test_too_few(self):
        with pytest.raises(ToolError, match="two or more"):
            audio_mixing([tone(1)])


class TestPictures:
    def test_both_or_one(self):
        both, wave, spectrum = (
            audio_to_image(tone(2), words) for words in (None, "the waveform", "a spectrogram")
        )
        assert both.height > max(wave.height, spectrum.height)
        assert both.width == wave.width == spectrum.width
        for picture in (both, wave, spectrum):
            assert isinstance(picture, PIL.Image.Image)
            assert picture.mode == "RGB"
            assert picture.getpixel((2, 2)) == (255, 255, 255)
            # Dark on light.
            assert np.asarray(picture.convert("L")).min() < 90

    def test_the_waveform_is_where_the_sound_is(self):
        wave = np.concatenate([np.zeros(RATE), tone(1).samples[:, 0]])
        picture = np.asarray(audio_to_image(sound(wave), "waveform").convert("L"), float)
        middle = picture[100:450, 96:1172]
        dark = (middle < 200).sum(axis=0)
        assert dark[: len(dark) // 2 - 5].max() < 5
        assert dark[len(dark) // 2 + 5 : -5].min() > 50

    def test_tones_lie_at_their_place_on_the_mel_scale(self):
        for frequency in (440.0, 3000.0):
            wave = np.sin(2 * np.pi * frequency * np.arange(RATE) / RATE)
            levels = sound_pictures.mel_spectrogram(sound(wave), 100, 200)
            row = int(np.argmax(levels[:, 50]))
            mel = 2595 * math.log10(1 + frequency / 700)
            assert row == pytest.approx(mel / (2595 * math.log10(1 + 8000 / 700)) * 200, abs=2)
            assert levels.max() == pytest.approx(0)
            assert np.median(levels[:, 50]) < -50

    @every_case(
        "silent",
        [
            Sound(np.zeros((1, 1), "f4"), 8000),
            Sound(np.zeros((5000, 6), "f4"), 192_000),
            Sound(np.zeros((300, 2), "f4"), 100),
        ],
    )
    def test_silence_is_drawn_as_such(self, silent):
        assert audio_to_image(silent).width == 1280

    def test_a_long_sound(self):
        hour = Sound(np.zeros((1000 * 3600, 1), "f4"), 1000)
        assert audio_to_image(hour, "waveform").width == 1280

    def test_what_cannot_be_drawn(self):
        with pytest.raises(ToolError, match="waveform"):
            audio_to_image(tone(1), "paint a cover for this song")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("videos")


class TestVideoSound:
    def clip(self, path, sound: Sound | None) -> Clip:
        frames = list(pan(skimage.data.astronaut(), 75, 64, 48))
        return make_video(path, frames, sound=sound)

    @pytest.mark.parametrize("channels", [1, 2])
    @pytest.mark.parametrize("name", ["clip.mp4", "clip.mkv"])
    def test_the_sound_as_it_is(self, folder, channels, name):
        clip = self.clip(folder / f"{channels}{name}", tone(3, channels=channels))
        result = video_to_audio(clip)
        assert result.rate == 48_000
        assert result.samples.shape[1] == channels
        # It may go on when the pictures end.
        assert result.seconds == pytest.approx(3, abs=0.06)
        middle = result.samples[5000:-5000, 0]
        assert main_tone(middle, 48_000) == pytest.approx(440, abs=1)
        assert middle.std() == pytest.approx(0.4 / math.sqrt(2), rel=0.1)

    def test_a_video_without_sound(self, folder):
        with pytest.raises(ToolError, match="The video has no sound"):
            video_to_audio(self.clip(folder / "mute.mp4", None))

    def test_no_video(self, tmp_path):
        path = tmp_path / "note.mp4"
        path.write_bytes(b"only words")
        with pytest.raises(ToolError, match="The video could not be read"):
            video_to_audio(Clip(path))

    def test_stopping(self, folder):
        clip = self.clip(folder / "stopped.mp4", tone(1))
        stop = threading.Event()
        with pytest.raises(Cancelled):
            video_to_audio(clip, context=Context(lambda done, words: stop.set(), stop))
