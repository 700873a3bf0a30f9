"""Sound saved in other formats and sizes, and its facts."""

from __future__ import annotations

import io

import av
import numpy as np
import pytest
import soundfile

from controlllm.resources import Filed, Sound, encode
from controlllm.toolbox import ToolError
from controlllm.values import values_in
from tools.sound.files import audio_information, convert_audio

RATE = 44_100


def music(seconds: float = 6.0, rate: int = RATE, channels: int = 2) -> Sound:
    """A tone of 440 Hz and one of 660 Hz over faint noise, the right channel half as loud."""
    times = np.arange(round(seconds * rate)) / rate
    wave = 0.3 * np.sin(2 * np.pi * 440 * times) + 0.2 * np.sin(2 * np.pi * 660 * times)
    wave += 0.02 * np.random.default_rng(1).standard_normal(len(times))
    columns = [wave, 0.5 * wave][:channels]
    return Sound(np.stack(columns, axis=1).astype(np.float32), rate)


def opened(filed: Filed) -> tuple[np.ndarray, int, str, str]:
    """Samples (frames x channels), rate, format and codec of a file, as FFmpeg reads it."""
    with av.open(io.BytesIO(filed.content)) as container:
        stream = container.streams.audio[0]
        rate, codec = stream.codec_context.sample_rate, stream.codec_context.name
        resampler = av.AudioResampler("fltp", stream.codec_context.layout, rate)
        blocks = [piece.to_ndarray().T for frame in [*container.decode(audio=0), None]
                  for piece in resampler.resample(frame)]  # fmt: skip
        return np.concatenate(blocks), rate, container.format.name, codec


def loudest_pitch(samples: np.ndarray, rate: int) -> float:
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples))))
    return float(spectrum.argmax() * rate / len(samples))


@pytest.mark.parametrize(
    ("name", "media_type", "codec"),
    [
        ("mp3", "audio/mpeg", "mp3float"),
        ("m4a", "audio/mp4", "aac"),
        ("ogg", "audio/ogg", "vorbis"),
        ("flac", "audio/flac", "flac"),
        ("wav", "audio/wav", "pcm_s24le"),
        ("", "audio/mpeg", "mp3float"),
    ],
)
def test_each_format_opens_with_the_same_sound(name: str, media_type: str, codec: str) -> None:
    sound = music(3)
    filed = convert_audio(sound, format=name)
    assert filed.media_type == media_type
    assert encode("audio", filed) == (filed.content, media_type)
    samples, rate, _, found = opened(filed)
    assert (found, rate, samples.shape[1]) == (codec, RATE, 2)
    assert len(samples) / rate == pytest.approx(3, abs=0.06)
    middle = samples[RATE // 2 : 5 * RATE // 2]
    assert loudest_pitch(middle[:, 0], rate) == pytest.approx(440, abs=1)
    levels = np.sqrt(np.mean(middle**2, axis=0))
    wanted = np.sqrt(np.mean(sound.samples[RATE // 2 : 5 * RATE // 2] ** 2, axis=0))
    assert levels == pytest.approx(wanted, rel=0.05)
    assert np.abs(samples).max() <= 0.7


def test_flac_and_wav_lose_nothing() -> None:
    sound = music(1)
    for name in ("flac", "wav"):
        samples, rate = soundfile.read(io.BytesIO(convert_audio(sound, format=name).content))
        assert rate == RATE and np.abs(samples - sound.samples).max() < 2**-22
    of_16_bits = Sound(np.round(sound.samples * 32768).astype(np.float32) / 32768, RATE)
    content = convert_audio(of_16_bits, format="flac").content
    assert soundfile.info(io.BytesIO(content)).subtype == "PCM_16"


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["mp3", "m4a", "ogg"])
def test_a_bit_rate_is_kept(name: str) -> None:
    for kilobits in (64, 128):
        content = convert_audio(music(5), format=name, bitrate=kilobits).content
        assert len(content) * 8 / 5 / 1000 == pytest.approx(kilobits, rel=0.2)


@pytest.mark.few(3)
@pytest.mark.parametrize("name", ["", "mp3", "m4a", "ogg", "flac"])
@pytest.mark.parametrize("limit", [62.5e3, 32.5e3])
def test_a_file_stays_under_its_size(name: str, limit: float) -> None:
    if name == "flac":
        limit *= 3
    filed = convert_audio(music(5), format=name, limit=limit)
    assert limit / 4 < len(filed.content) <= limit
    samples, rate, *_ = opened(filed)
    assert len(samples) / rate == pytest.approx(5, abs=0.1)
    assert loudest_pitch(samples[rate : 4 * rate, 0], rate) == pytest.approx(440, abs=1)


def test_what_is_small_enough_is_not_made_worse() -> None:
    sound = music(2)
    assert convert_audio(sound, format="mp3", limit=5e6) == convert_audio(sound, format="mp3")


@pytest.mark.parametrize("name", ["mp3", "m4a", "ogg", "flac", "wav"])
def test_what_cannot_be_so_small_is_said_with_what_can_be_reached(name: str) -> None:
    with pytest.raises(ToolError, match=r"do not fit into 1 kB.*about \d.* can be reached"):
        convert_audio(music(5), format=name, limit=1000)


def test_other_refusals() -> None:
    with pytest.raises(ToolError, match="no bit rate"):
        convert_audio(music(1), format="flac", bitrate=128)
    with pytest.raises(ToolError, match="8 to 320"):
        convert_audio(music(1), format="mp3", bitrate=2000)
    with pytest.raises(ToolError, match="do not know the format aiff"):
        convert_audio(music(1), format="aiff")


@pytest.mark.parametrize("name", ["mp3", "m4a", "ogg", "flac", "wav"])
@pytest.mark.parametrize("rate", [7000, 96_000])
def test_odd_rates_and_lengths(name: str, rate: int) -> None:
    for frames in (1, 777, 2 * rate):
        sound = Sound(music(3, rate, 1).samples[:frames], rate)
        samples, found, *_ = opened(convert_audio(sound, format=name))
        assert len(samples) >= min(frames, 1)
        if frames > 1000:
            assert len(samples) / found == pytest.approx(2, abs=0.3)
            pitch = loudest_pitch(samples[found // 4 : found, 0], found)
            assert pitch == pytest.approx(440, abs=2)


def test_what_people_say() -> None:
    kinds = {item.name: item.kind for item in convert_audio.tool.parameters if item.kind}
    for words, wanted in (
        ("Convert the WAV to m4a", {"format": "m4a"}),
        ("as an mp3 with 192 kbit/s", {"format": "mp3", "bitrate": 192}),
        ("ogg under 500 kB", {"format": "ogg", "limit": 500e3}),
        ("mono 64kbps", {"bitrate": 64, "channels": "mono"}),
        ("the whole lot to mp3 at 256", {"format": "mp3", "bitrate": 256}),
        ("m4as, 96k", {"format": "m4a", "bitrate": 96}),
        ("my three ogg, 320 seconds in all", {"format": "ogg"}),
        ("a flac with two channels", {"format": "flac", "channels": "stereo"}),
    ):
        assert values_in(words, kinds) == wanted


def test_a_file_has_the_channels_that_are_said() -> None:
    waves = np.sin(np.arange(16_000) / 9.0).astype(np.float32)
    stereo = Sound(np.stack([waves, waves], axis=1), 16_000)
    mono = Sound(stereo.samples[:, :1], 16_000)
    for given, said, channels in ((stereo, "mono", 1), (mono, "stereo", 2), (stereo, "", 2)):
        made = convert_audio(given, "wav", channels=said)
        assert soundfile.info(io.BytesIO(made.content)).channels == channels


def test_facts_of_a_recording() -> None:
    lines = audio_information(Sound(music(3.5).samples, RATE)).split("\n")
    assert lines[:3] == [
        "Length: 3.5 seconds (0:03)",
        "Sampling rate: 44,100 Hz",
        "Channels: 2 (stereo)",
    ]
    assert lines[3].startswith("Loudness: -1") and lines[3].endswith(" LUFS")
    peak = float(lines[4].removeprefix("Peak: ").removesuffix(" dB"))
    assert peak == pytest.approx(20 * np.log10(np.abs(music(3.5).samples).max()), abs=0.06)


def test_facts_of_unusual_sounds() -> None:
    silent = audio_information(Sound(np.zeros((125 * 8000, 1), np.float32), 8000))
    assert silent.split("\n") == [
        "Length: 125 seconds (2:05)",
        "Sampling rate: 8,000 Hz",
        "Channels: 1 (mono)",
        "Loudness: it is silent",
    ]
    wave = music(1).samples
    both = audio_information(Sound(wave[:, [0, 0]], RATE))
    assert "2 (stereo), both the same" in both
    left = audio_information(Sound(wave * np.array([1, 0], np.float32), RATE))
    assert "only the left one sounds" in left
    assert "0.0227 milliseconds" in audio_information(Sound(wave[:1], RATE))
