"""Jobs of podcasters, musicians, singers, makers of films and journalists: sounds and films above all."""

from __future__ import annotations

import io
import re
import struct
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageEnhance
import PIL.ImageOps
import pyloudnorm
import scipy.signal
import soundfile

from benchmarks.jobs.job import Job, Results
from benchmarks.jobs.media import MEDIA, SPOKEN

Image = PIL.Image.Image
RATE = 22050
FPS = 15
SCENES = ("coffee", "chelsea", "rocket", "astronaut", "tower", "lion", "moon", "cheetah")

# --- makers of sounds ---------------------------------------------------------------------------


def quiet(seconds: float) -> np.ndarray:
    return np.random.default_rng(1).normal(0, 1e-4, round(seconds * RATE))


def voice(name: str) -> np.ndarray:
    """A spoken sentence without the silence around it."""
    sound, rate = soundfile.read(MEDIA / f"spoken-{name}.wav")
    assert rate == RATE
    loud = np.flatnonzero(np.abs(sound) > 0.02)
    return sound[loud[0] : loud[-1] + 1]


def talk(*names: str, gap: float = 0.5, before: float = 0.0, after: float = 0.0) -> np.ndarray:
    parts = [quiet(before)]
    for i, name in enumerate(names):
        parts += [quiet(gap if i else 0), voice(name)]
    return np.concatenate([*parts, quiet(after)])


def note(hertz: float, seconds: float) -> np.ndarray:
    t = np.arange(round(seconds * RATE)) / RATE
    tone = sum(np.sin(2 * np.pi * hertz * k * t) / k**1.5 for k in (1, 2, 3, 4))
    return 0.3 * tone * np.minimum(1, np.minimum(t, t[-1] - t) / 0.03) * np.exp(-t)


def tune(notes: str, seconds: float = 0.6, factor: float = 1.0) -> np.ndarray:
    """A melody, from half-tones above A3 as numbers in a text."""
    return np.concatenate([note(220 * 2 ** (int(n) / 12) * factor, seconds) for n in notes.split()])


def chord(hertz: tuple[float, ...], seconds: float, gain: float = 0.2) -> np.ndarray:
    t = np.arange(round(seconds * RATE)) / RATE
    return gain * sum(np.sin(2 * np.pi * h * t) for h in hertz) / len(hertz)


def fade(sound: np.ndarray, start: float = 0.0, end: float = 0.0) -> np.ndarray:
    t = np.arange(len(sound)) / RATE
    gain = np.ones(len(sound))
    if start:
        gain *= np.minimum(1, t / start)
    if end:
        gain *= np.minimum(1, (len(sound) / RATE - t) / end)
    return sound * gain


def hiss(seconds: float, gain: float = 0.1) -> np.ndarray:
    return np.random.default_rng(3).normal(0, gain, round(seconds * RATE))


def save(path: Path, sound: np.ndarray, rate: int = RATE) -> Path:
    if path.suffix.lower() != ".m4a":
        soundfile.write(path, sound, rate)
        return path
    with av.open(str(path), "w", format="mp4") as out:
        _hear_into(out, sound)
    return path


def _hear_into(out: av.container.OutputContainer, sound: np.ndarray) -> None:
    stream = out.add_stream("aac", rate=RATE, layout="mono", bit_rate=96000)
    _encode(out, stream, sound)


def _encode(out: av.container.OutputContainer, stream: av.AudioStream, sound: np.ndarray) -> None:
    frame = av.AudioFrame.from_ndarray(sound[None].astype(np.float32), "fltp", "mono")
    frame.sample_rate = RATE
    for one in (frame, None):
        for packet in stream.encode(one):
            out.mux(packet)


# --- makers of films and pictures ---------------------------------------------------------------


def photo(name: str, size: tuple[int, int]) -> Image:
    return PIL.ImageOps.fit(PIL.Image.open(MEDIA / f"{name}.jpg").convert("RGB"), size)


def scenes(
    *names: str, size: tuple[int, int] = (320, 180), seconds: float = 1.0, first: float = 0.0
) -> list[Image]:
    """Frames of a film in which another photo is seen every second."""
    frames = []
    for i, name in enumerate(names):
        long = first if first and i == 0 else seconds
        frames += [photo(name, size)] * round(long * FPS)
    return frames


def film(
    path: Path, frames: list[Image], sound: np.ndarray | None = None, bits: int | None = None
) -> Path:
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=FPS)
        stream.width, stream.height = frames[0].size
        stream.pix_fmt = "yuv420p"
        stream.options = {"preset": "veryfast"}
        if bits:
            stream.bit_rate = bits
        heard_as = None
        if sound is not None:
            heard_as = out.add_stream("aac", rate=RATE, layout="mono", bit_rate=96000)
        for one in [*(av.VideoFrame.from_image(frame) for frame in frames), None]:
            for packet in stream.encode(one):
                out.mux(packet)
        if heard_as is not None and sound is not None:
            _encode(out, heard_as, sound)
    return path


def written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def poster(size: tuple[int, int], text: str, ground: str, ink: str) -> Image:
    picture = PIL.Image.new("RGB", size, ground)
    draw = PIL.ImageDraw.Draw(picture)
    w, h = size
    draw.ellipse((w * 0.1, h * 0.1, w * 0.5, h * 0.6), fill=ink)
    draw.rectangle((w * 0.6, h * 0.3, w * 0.9, h * 0.55), fill="white")
    draw.text((w * 0.12, h * 0.7), text, fill=ink, font_size=h // 8)
    return picture


def srt(cues: list[tuple[float, float, str]]) -> str:
    def clock(s: float) -> str:
        ms = round(s * 1000)
        return f"{ms // 3600000:02}:{ms // 60000 % 60:02}:{ms // 1000 % 60:02},{ms % 1000:03}"

    return "\n".join(
        f"{i}\n{clock(a)} --> {clock(b)}\n{t}\n" for i, (a, b, t) in enumerate(cues, 1)
    )


# --- looking and listening ----------------------------------------------------------------------


def one(found: list[Path], what: str) -> Path:
    assert len(found) == 1, f"{len(found)} {what}s came, not one"
    return found[0]


def unpacked(results: Results) -> Results:
    """The same with what is in archives."""
    found: list[Path] = []
    for path in results.files:
        if path.suffix.lower() == ".zip":
            folder = Path(tempfile.mkdtemp())
            with zipfile.ZipFile(path) as archive:
                archive.extractall(folder)
            found += sorted(one for one in folder.rglob("*") if one.is_file())
        else:
            found.append(path)
    return Results(tuple(found), results.answer)


def text_of(results: Results) -> str:
    """What can be read, in documents too."""
    texts = [results.words]
    for path in results.of(".docx", ".odt"):
        with zipfile.ZipFile(path) as archive:
            inner = "word/document.xml" if path.suffix.lower() == ".docx" else "content.xml"
            texts.append(re.sub(r"<[^>]+>", " ", archive.read(inner).decode("utf-8")))
    for path in results.of(".pdf"):
        import pypdf

        texts += [page.extract_text() for page in pypdf.PdfReader(path).pages]
    return "\n".join(texts)


def channels(path: Path) -> np.ndarray:
    """The samples at RATE, as (channels, samples); none where there is no sound."""
    with av.open(str(path)) as source:
        if not source.streams.audio:
            return np.zeros((0, 0))
        resampler, parts = None, []
        for frame in source.decode(audio=0):
            resampler = resampler or av.AudioResampler("fltp", frame.layout.name, RATE)
            parts += [part.to_ndarray() for part in resampler.resample(frame)]
        if resampler is not None:
            parts += [part.to_ndarray() for part in resampler.resample(None)]
    return np.concatenate(parts, axis=1).astype(float) if parts else np.zeros((0, 0))


def heard(path: Path) -> np.ndarray:
    found = channels(path)
    assert found.size, f"{path.name} has no sound"
    return found.mean(0)


def level(sound: np.ndarray) -> float:
    return float(10 * np.log10(np.mean(sound**2) + 1e-12)) if len(sound) else -120.0


def cut(sound: np.ndarray, start: float, end: float) -> np.ndarray:
    return sound[max(0, round(start * RATE)) : max(0, round(end * RATE))]


def found_at(hay: np.ndarray, needle: np.ndarray) -> tuple[float, float]:
    """Where a sound is best found in another one, in seconds, and how alike it is (0 to 1)."""
    pad = round(0.3 * RATE)
    hay = np.pad(hay, (pad, pad + max(0, len(needle) - len(hay))))
    match = np.abs(scipy.signal.correlate(hay, needle, "valid", method="fft"))
    sums = np.concatenate([[0.0], np.cumsum(hay**2)])
    energy = np.sqrt(np.maximum(sums[len(needle) :] - sums[: -len(needle)], 0))
    scores = match / (np.maximum(energy, 0.1 * energy.max() + 1e-9) * np.linalg.norm(needle))
    best = int(scores.argmax())
    return (best - pad) / RATE, float(scores[best])


def has(hay: np.ndarray, needle: np.ndarray, what: str, low: float = 0.6) -> float:
    where, alike = found_at(hay, needle)
    assert alike >= low, f"{what} is not in it ({alike:.2f})"
    return where


def near(value: float, wanted: float, within: float, what: str) -> None:
    assert abs(value - wanted) <= within, f"{what} is {value:.3f}, not {wanted:.3f}"


def lasts(sound: np.ndarray, seconds: float, within: float = 0.2) -> None:
    near(len(sound) / RATE, seconds, within, "the length")


def pitch(sound: np.ndarray, low: float, high: float) -> float:
    size = 8 * len(sound)
    power = np.abs(np.fft.rfft(sound * np.hanning(len(sound)), size))
    hertz = np.fft.rfftfreq(size, 1 / RATE)
    inside = (hertz >= low) & (hertz <= high)
    return float(hertz[inside][power[inside].argmax()])


def tone(sound: np.ndarray, hertz: tuple[float, ...], wide: float = 8.0) -> float:
    """The level of these tones alone, in decibels."""
    if len(sound) < 100:
        return -120.0
    power = np.abs(np.fft.rfft(sound * np.hanning(len(sound)))) ** 2
    all_hertz = np.fft.rfftfreq(len(sound), 1 / RATE)
    inside = np.any([np.abs(all_hertz - h) <= wide for h in hertz], axis=0)
    return float(10 * np.log10(power[inside].sum() / len(sound) ** 2 + 1e-14))


def plays(sound: np.ndarray, notes: str, seconds: float, factor: float) -> None:
    """That the melody is played so: each note so long, and as high as so many times the original."""
    for i, n in enumerate(notes.split()):
        wanted = 220 * 2 ** (int(n) / 12) * factor
        middle = cut(sound, (i + 0.2) * seconds, (i + 0.75) * seconds)
        assert level(middle) > -55, f"note {i + 1} is missing"
        got = pitch(middle, wanted * 0.72, wanted * 1.4)
        assert abs(got / wanted - 1) < 0.016, f"note {i + 1} is at {got:.0f} Hz, not {wanted:.0f}"


def shots(path: Path) -> list[tuple[float, Image]]:
    frames = []
    with av.open(str(path)) as source:
        assert source.streams.video, f"{path.name} has no picture"
        for frame in source.decode(video=0):
            picture = frame.to_image()
            turn = getattr(frame, "rotation", 0)
            frames.append(
                (frame.time or 0.0, picture.rotate(turn, expand=True) if turn else picture)
            )
    assert len(frames) > 1, f"{path.name} has no frames"
    start = frames[0][0]
    return [(t - start, picture) for t, picture in frames]


def seen(frames: list[tuple[float, Image]], at: float) -> Image:
    return min(frames, key=lambda frame: abs(frame[0] - at))[1]


def ends(frames: list[tuple[float, Image]]) -> float:
    times = [t for t, _ in frames]
    return times[-1] + (times[-1] - times[0]) / (len(times) - 1)


def _small(picture: Image) -> np.ndarray:
    pixels = np.asarray(picture.convert("RGB").resize((32, 24)), float)
    pixels -= pixels.mean()
    return (pixels / (np.linalg.norm(pixels) + 1e-9)).ravel()


def alike(a: Image, b: Image) -> float:
    return float(_small(a) @ _small(b))


def is_scene(picture: Image, name: str, at: float) -> None:
    scores = {one: alike(picture, photo(one, picture.size)) for one in SCENES}
    best = max(scores, key=lambda key: scores[key])
    assert best == name and scores[best] > 0.7, f"at {at:.1f} s {best} is seen, not {name}"


def shows(frames: list[tuple[float, Image]], *wanted: tuple[float, str]) -> None:
    for at, name in wanted:
        is_scene(seen(frames, at), name, at)


def bare(text: str) -> list[str]:
    return re.findall(r"[a-zäöüß0-9]+", text.lower())


def said(text: str, name: str) -> float:
    """Which share of a spoken sentence's words is in the text."""
    there, wanted = set(bare(text)), bare(SPOKEN[name])
    return sum(word in there for word in wanted) / len(wanted)


def cues(text: str) -> list[tuple[float, float, str]]:
    clock = r"(?:(\d+):)?(\d+):(\d+)[,.](\d+)"
    found = []
    for block in re.split(r"\n\s*\n", text.replace("\r", "").lstrip("\ufeff")):
        match = re.search(rf"{clock}\s*-->\s*{clock}[^\n]*\n?(.*)", block, re.DOTALL)
        if match:
            g = match.groups()
            a, b = (
                int(h or 0) * 3600 + int(m) * 60 + int(s) + float(f"0.{f}")
                for h, m, s, f in (g[:4], g[4:8])
            )
            found.append((a, b, g[8].strip()))
    return found


def loudness(path: Path) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(pyloudnorm.Meter(RATE).integrated_loudness(channels(path).T))


def did(*files: Path, answer: str = "Done.") -> Results:
    return Results(files, answer)


Made = Callable[[Path, list[Path]], Results]


def gives(name: str, make: Callable[[], np.ndarray]) -> Made:
    """A result that is one sound."""
    return lambda place, files: did(save(place / name, make()))


# --- the jobs: levels, silence, cuts --------------------------------------------------------------


def too_quiet() -> Job:
    episode = talk("podcast", "garden", "doctor", before=0.4, after=0.4) * 0.07

    def squeezed(gain: float) -> np.ndarray:
        return 0.95 * np.tanh(episode * gain)

    def right(results: Results, files: list[Path]) -> None:
        path = one(results.sounds, "sound")
        assert path.suffix.lower() == ".mp3", "not an mp3"
        sound = heard(path)
        lasts(sound, len(episode) / RATE, 0.25)
        has(sound, episode, "the episode", 0.8)
        near(loudness(path), -16, 1.5, "the loudness")
        assert np.mean(np.abs(sound) > 1.02) < 1e-3, "it is clipped"

    def reference(place: Path, files: list[Path]) -> Results:
        low, high = 1.0, 200.0
        for _ in range(14):
            gain = (low * high) ** 0.5
            path = save(place / "done.mp3", squeezed(gain))
            low, high = (gain, high) if loudness(path) < -16 else (low, gain)
        return did(path)

    return Job(
        "episode-to-minus-16",
        "my episode came out WAY too quiet. apple says it should be around -16 LUFS, can you bring "
        "it there without it distorting, and give me an mp3 for uploading",
        lambda place: [save(place / "ep12_final_FINAL.wav", episode)],
        right,
        reference,
        gives("up.mp3", lambda: episode / np.abs(episode).max() * 0.5),
    )


def dead_air() -> Job:
    core = talk("podcast", "garden", gap=1.6)

    def right(results: Results, files: list[Path]) -> None:
        sound = heard(one(results.sounds, "sound"))
        first = has(sound, voice("podcast"), "the first sentence")
        second = has(sound, voice("garden"), "the second sentence")
        near(second - first, len(voice("podcast")) / RATE + 1.6, 0.2, "the time between them")
        assert first < 0.6, f"it still begins with {first:.1f} s of silence"
        after = len(sound) / RATE - second - len(voice("garden")) / RATE
        assert after < 0.8, f"it still ends with {after:.1f} s of silence"

    return Job(
        "dead-air-off-the-ends",
        "Voice memo 7 has some dead air before I start and after I stop. Chop that off pls but leave "
        "the pause in the middle, that's on purpose",
        lambda place: [
            save(place / "voice memo 7.m4a", np.concatenate([quiet(2.7), core, quiet(3.2)]))
        ],
        right,
        gives("trimmed.m4a", lambda: np.concatenate([quiet(0.1), core, quiet(0.1)])),
        gives("trimmed.m4a", lambda: talk("podcast", "garden", gap=0.1)),
    )


def coughing() -> Job:
    start, end = talk("recipe"), talk("meeting")
    start = np.concatenate([start, quiet(5)])[: 5 * RATE]
    cough = hiss(2, 0.15) * (np.sin(np.arange(2 * RATE) / RATE * 9) > 0)
    whole = np.concatenate([start, cough, quiet(0.5), end])

    def right(results: Results, files: list[Path]) -> None:
        sound = heard(one(results.sounds, "sound"))
        lasts(sound, len(whole) / RATE - 2)
        near(has(sound, voice("recipe"), "what comes before"), 0, 0.12, "its start")
        near(has(sound, end, "what comes after"), 5.5, 0.15, "the start of what comes after")

    return Job(
        "cough-out",
        "from second 5 to second 7 i'm coughing like mad. take that bit out and join the rest again",
        lambda place: [save(place / "aufnahme_2024-03-11.wav", whole)],
        right,
        gives("out.wav", lambda: np.concatenate([start, quiet(0.5), end])),
        gives("out.wav", lambda: np.concatenate([start, quiet(2.5), end])),
    )


def humming() -> Job:
    clean = talk("weather", "lost", "doctor", gap=1.0, before=1.0, after=0.5) * 0.7
    hum = chord((50.0,), len(clean) / RATE, 0.12) + chord((100.0,), len(clean) / RATE, 0.02)
    hum = np.pad(hum, (0, 9))[: len(clean)]

    def right(results: Results, files: list[Path]) -> None:
        sound = heard(one(results.sounds, "sound"))
        lasts(sound, len(clean) / RATE)
        where, score = found_at(sound, voice("lost"))
        assert score > 0.75, f"the voice suffered ({score:.2f})"
        start, stop = where, where + len(voice("lost")) / RATE
        gain = level(cut(sound, start, stop)) - level(voice("lost") * 0.7)
        left = tone(cut(sound, start - 0.95, start - 0.05), (50.0, 100.0)) - gain
        less = tone(cut(hum, 0, 0.9), (50.0, 100.0)) - left
        assert less > 11.5, f"the hum is only {less:.0f} dB less"

    return Job(
        "fridge-hum",
        "There is a low hum from the fridge under the whole interview. Could you get rid of it? Her "
        "voice should sound as it is.",
        lambda place: [save(place / "Interview Küche.wav", clean + hum)],
        right,
        gives("clean.wav", lambda: clean + hum * 0.03),
        gives("clean.wav", lambda: (clean + hum) * 0.2),
    )


def one_ear() -> Job:
    speech = talk("train", "garden", after=0.3)

    def right(results: Results, files: list[Path]) -> None:
        sides = channels(one(results.sounds, "sound"))
        lasts(sides[0], len(speech) / RATE)
        for side in sides:
            has(side, speech, "the voice", 0.8)
        if len(sides) > 1:
            near(level(sides[0]), level(sides[1]), 1.0, "the left side's level")
        assert level(sides[0]) > level(speech) - 7.5, "it has become much quieter"

    return Job(
        "only-in-the-left-ear",
        "you hear me only on the left headphone, right is dead. make it so its on both",
        lambda place: [
            save(
                place / "Track01.flac",
                np.stack([speech, quiet(len(speech) / RATE + 1)[: len(speech)]], 1),
            )
        ],
        right,
        lambda place, files: did(save(place / "both.flac", np.stack([speech, speech], 1))),
        lambda place, files: did(
            save(place / "both.flac", np.stack([speech * 1.1, speech * 0.05], 1))
        ),
    )


def without(sound: np.ndarray, hertz: float) -> np.ndarray:
    """The sound without a tone and its overtones."""
    power = np.fft.rfft(sound * np.hanning(len(sound)))
    off = np.fft.rfftfreq(len(sound), 1 / RATE) / hertz
    power[(np.abs(off - np.round(off)) * hertz < 25) & (off > 0.5)] = 0
    return np.fft.irfft(power, len(sound))


def bleeped() -> Job:
    whole = talk("meeting", "lost", gap=0.4)

    def with_beep(start: float, end: float) -> np.ndarray:
        sound = whole.copy()
        beep = chord((1000.0,), end - start, 0.3)
        sound[round(start * RATE) :][: len(beep)] = beep
        return sound

    def right(results: Results, files: list[Path]) -> None:
        sound = heard(one(results.sounds, "sound"))
        lasts(sound, len(whole) / RATE)
        shift, _ = found_at(sound, cut(whole, 1.95, 5))
        shift -= 1.95
        near(shift, 0, 0.12, "the shift of the rest")
        has(cut(sound, 0, 1.2), cut(whole, 0, 1.05), "what comes before", 0.85)
        has(cut(sound, 1.9, 9), cut(whole, 1.95, 5), "what comes after", 0.85)
        inside = cut(sound, 1.25 + shift, 1.75 + shift)
        assert level(inside) > -40, "nothing is heard in place of the name"
        high = pitch(inside, 150, 6000)
        share = tone(inside, (high,), 40) - tone(inside, (5000.0,), 5000)
        assert share > -2.5, "that is no beep"
        name = cut(whole, 1.35, 1.65)
        rest = without(inside, high)
        heard_still = found_at(rest, name)[1] > 0.5 and level(rest) > level(name) - 15
        assert not heard_still, "the name is still heard"

    return Job(
        "beep-over-a-name",
        "need a beep over the name in this, it's between 1.2 and 1.8 seconds, legal says we cant air "
        "it like that",
        lambda place: [save(place / "statement_raw.wav", whole)],
        right,
        gives("beeped.wav", lambda: with_beep(1.2, 1.8)),
        gives("beeped.wav", lambda: np.concatenate([cut(whole, 0, 1.2), cut(whole, 1.8, 99)])),
    )


# --- joins and mixes ------------------------------------------------------------------------------


def episode_of_parts() -> Job:
    jingle = tune("12 16 19 24 19", 0.3)
    middle, outro = talk("meeting", "lost", gap=0.3), talk("doctor")

    def joined(parts: list[np.ndarray], gap: float = 0.5) -> np.ndarray:
        sound = [parts[0]]
        for part in parts[1:]:
            sound += [np.zeros(round(gap * RATE)), part]
        return np.concatenate(sound)

    def right(results: Results, files: list[Path]) -> None:
        sound = heard(one(results.sounds, "sound"))
        first = has(sound, jingle, "the jingle")
        second = has(sound, middle, "the interview")
        third = has(sound, outro, "the outro")
        near(second - first, len(jingle) / RATE + 0.5, 0.25, "the start of the interview")
        near(third - second, len(middle) / RATE + 0.5, 0.25, "the start of the outro")
        lasts(sound, len(joined([jingle, middle, outro])) / RATE, 0.5)

    return Job(
        "jingle-interview-outro",
        "Please put these together to one episode - jingle first, then the interview, at the end the "
        "outro. Half a second of quiet in between each.",
        lambda place: [
            save(place / "Outro neu.wav", outro),
            save(place / "interview raw.m4a", middle),
            save(place / "jingle.mp3", jingle),
        ],
        right,
        gives("episode.mp3", lambda: joined([jingle, middle, outro])),
        gives("episode.mp3", lambda: joined([outro, middle, jingle])),
    )


def music_under() -> Job:
    speech = talk("recipe", "weather", gap=0.6, before=0.2, after=0.2) * 0.7
    flute_hertz, old_hertz = (1760.0, 2217.5, 2637.0), (1480.0, 3136.0)
    flute = chord(flute_hertz, 14, 0.4)

    def mixed(gain: float, end: float) -> np.ndarray:
        return speech + fade(flute[: len(speech)], end=end) * gain

    def right(results: Results, files: list[Path]) -> None:
        sound = heard(one(results.sounds, "sound"))
        long = len(sound) / RATE
        assert len(speech) / RATE - 0.4 < long < 15, f"it lasts {long:.1f} s"
        has(sound, voice("recipe"), "the voice, understandable", 0.8)
        where = has(sound, voice("weather"), "the voice, understandable", 0.8)
        assert where > has(sound, voice("recipe"), "the voice"), "the sentences are swapped"
        spoken = level(cut(sound, 0.5, 4))
        under = tone(cut(sound, 1.5, 3.5), flute_hertz)
        alone = tone(cut(speech, 1.5, 3.5), flute_hertz) + spoken - level(cut(speech, 0.5, 4))
        assert under > alone + 5, "the flute is not heard"
        last = tone(cut(sound, long - 0.4, long), flute_hertz, 20)
        assert last < under - 6, "the flute does not fade away"
        assert tone(cut(sound, 1.5, 3.5), old_hertz) < under - 6, "the old jingle is in it"

    return Job(
        "flute-under-the-voice",
        "lay the flute thing under my voice, quiet enough that you still get every word, and it "
        "should fade away at the end. dont use the old jingle, thats just in the folder",
        lambda place: [
            save(place / "old jingle.wav", chord(old_hertz, 3, 0.4)),
            save(place / "moderation_take2.wav", speech),
            save(place / "flute-loop.mp3", flute),
        ],
        right,
        gives("mix.mp3", lambda: mixed(0.2, 2.0)),
        gives("mix.mp3", lambda: mixed(1.3, 0.0)),
    )


def run_over() -> Job:
    low, high = (330.0, 392.0), (523.3, 740.0)
    a, b = chord(low, 7, 0.5), chord(high, 6, 0.5)

    def over(seconds: float) -> np.ndarray:
        n = round(seconds * RATE)
        sound = np.zeros(len(a) + len(b) - n)
        sound[: len(a)] += fade(a, end=seconds)
        sound[-len(b) :] += fade(b, start=seconds)
        return sound

    def right(results: Results, files: list[Path]) -> None:
        path = one(results.sounds, "sound")
        assert path.suffix.lower() == ".wav", "not a wav"
        sound = heard(path)
        lasts(sound, 10, 0.5)
        for start, end, first, second in ((1, 3, 1, 0), (5, 6, 1, 1), (7.6, 9.4, 0, 1)):
            piece = cut(sound, start, end)
            for wanted, hertz, what in ((first, low, "first"), (second, high, "second")):
                there = tone(piece, hertz) > level(piece) - 19
                assert there == bool(wanted), f"the {what} song at {start} s: {there}"
        near(level(cut(sound, 5.3, 5.7)), level(cut(sound, 1, 3)), 9, "the level in the middle")

    return Job(
        "songs-run-into-each-other",
        "I'd like Abendlied to run over softly into Zugabe, without a gap - three seconds where the "
        "one fades out and the other one fades in. For the choir CD, so wav.",
        lambda place: [save(place / "Abendlied.mp3", a), save(place / "Zugabe.wav", b)],
        right,
        gives("both.wav", lambda: over(3)),
        gives("both.wav", lambda: np.concatenate([fade(a, end=1.5), fade(b, start=1.5)])),
    )


def pieces_apart() -> Job:
    pieces = [
        tune("0 4 7 12 7 4 0 4 9 12 9 4", 0.5),
        tune("14 12 11 9 7", 0.7),
        tune("2 5 9 5 2 5", 0.4),
        tune("24 19 16 12 7 0", 0.6),
    ]

    def make(place: Path) -> list[Path]:
        parts = [quiet(0.8)]
        for piece in pieces:
            parts += [piece, quiet(2.2)]
        return [save(place / "Konzert 12.5. Mitschnitt.mp3", np.concatenate(parts))]

    def right(results: Results, files: list[Path]) -> None:
        found = unpacked(results).sounds
        assert len(found) == 4, f"{len(found)} files, not 4"
        left = list(range(4))
        for path in found:
            sound = heard(path)
            scores = [found_at(sound, piece)[1] for piece in pieces]
            best = int(np.argmax(scores))
            assert scores[best] > 0.85 and best in left, f"{path.name} is no piece of its own"
            left.remove(best)
            assert len(sound) < len(pieces[best]) + 3.3 * RATE, f"{path.name} is too long"

    def cut_at(place: Path, sounds: list[np.ndarray]) -> Results:
        return did(*[save(place / f"{i}.mp3", sound) for i, sound in enumerate(sounds, 1)])

    return Job(
        "four-pieces-apart",
        "theres 4 pieces on this recording with pauses in between. i want each as its own file for "
        "the choir members to download",
        make,
        right,
        lambda place, files: cut_at(place, pieces),
        lambda place, files: cut_at(place, np.array_split(heard(files[0]), 4)),
    )


# --- music ------------------------------------------------------------------------------------------


def lower() -> Job:
    notes = "12 14 16 17 19 17 16 12"

    def right(results: Results, files: list[Path]) -> None:
        sound = heard(one(results.sounds, "sound"))
        lasts(sound, 0.75 * 8, 0.25)
        plays(sound, notes, 0.75, 2 ** (-2 / 12))

    return Job(
        "a-whole-tone-lower",
        "our altos cant get up there. two semitones down please (a whole tone), but not slower!!",
        lambda place: [save(place / "alt_stimme_uebe.mp3", tune(notes, 0.75))],
        right,
        gives("lower.mp3", lambda: tune(notes, 0.75, 2 ** (-2 / 12))),
        gives("lower.mp3", lambda: tune(notes, 0.75 / 2 ** (-2 / 12), 2 ** (-2 / 12))),
    )


def slower() -> Job:
    notes = "7 9 11 12 14 16 18 19 21 23"

    def right(results: Results, files: list[Path]) -> None:
        path = one(results.sounds, "sound")
        assert path.suffix.lower() == ".mp3", "not an mp3"
        sound = heard(path)
        lasts(sound, 10, 0.5)
        plays(sound, notes, len(sound) / RATE / 10, 1)

    return Job(
        "run-at-half-speed",
        (
            "can you slow this run down to about 75 percent? same pitch, i want to play along",
            "hm still too quick for my fingers. half of the original speed",
            "good. as mp3 so that it plays on my phone",
        ),
        lambda place: [save(place / "Klarinette T.12-16.wav", tune(notes, 0.5))],
        right,
        gives("half.mp3", lambda: tune(notes, 1.0)),
        gives("half.mp3", lambda: tune(notes, 0.5 / 0.375)),
    )


def tuning() -> Job:
    def right(results: Results, files: list[Path]) -> None:
        sound = heard(one(results.sounds, "sound"))
        lasts(sound, 10, 0.3)
        middle = cut(sound, 3, 7)
        near(pitch(middle, 300, 600), 442, 0.6, "the pitch")
        assert level(middle) > -45, "it is hardly heard"
        for edge in (sound[:220], sound[-220:]):
            assert level(edge) < level(middle) - 8, "it does not fade"

    return Job(
        "an-a-to-tune-to",
        (
            "I need an A for tuning before the rehearsal, 440 hz, 10 seconds",
            "Sorry, we tune to 442 here.",
            "can it come in and go out softly? it clicks",
        ),
        lambda place: [],
        right,
        gives("a.wav", lambda: fade(chord((442.0,), 10, 0.5), 0.5, 0.5)),
        gives("a.wav", lambda: fade(chord((440.0,), 10, 0.5), 0.5, 0.5)),
    )


def longest() -> Job:
    first, second = "0 3 7 3 0 3 7", "12 11 9 7 5 4 2 0 2 4 5 7 9 11 12 14 12 7 3 5 8 10"
    third = "5 9 12 17 12 9 5 9 12 17 5 3 1 0"
    whole = tune(second, 0.62)

    def right(results: Results, files: list[Path]) -> None:
        sound = heard(one(results.sounds, "sound"))
        lasts(sound, 10)
        near(has(sound, cut(whole, 0, 7.5), "the start of take 2", 0.75), 0, 0.2, "its start")
        before, last = level(cut(whole, 9.3, 10)), level(cut(sound, 9.7, 10))
        gain = level(cut(sound, 1, 7)) - level(cut(whole, 1, 7))
        assert last < before + gain - 8, "it does not fade out"

    return Job(
        "longest-take-cut-and-faded",
        (
            "which one of these three is the longest and how long is it",
            "ok cut that one down to the first 10 seconds and fade out over the last 2",
        ),
        lambda place: [
            save(place / "chor probe 1.mp3", tune(first)),
            save(place / "chor probe 2.m4a", whole),
            save(place / "chor probe 3.wav", tune(third)),
        ],
        right,
        gives("short.m4a", lambda: fade(whole[: 10 * RATE], end=2)),
        gives("short.wav", lambda: fade(np.pad(tune(third), (0, 2 * RATE))[: 10 * RATE], end=2)),
    )


def demo_too() -> Job:
    sounds = {
        "take 1": tune("0 2 4 5", 0.8),
        "take 2": tune("0 2 4 7", 0.9),
        "demo": tune("12 7 4 0 4", 0.7),
    }

    def make(place: Path) -> list[Path]:
        found = [save(place / f"{name}.wav", sound) for name, sound in sounds.items()]
        return [*found, written(place / "lyrics.txt", "Oh river, carry me home\n")]

    def right(results: Results, files: list[Path]) -> None:
        found = unpacked(results).of(".flac")
        assert 1 <= len(found) <= 3, f"{len(found)} flac files"
        heard_ones = [heard(path) for path in found]
        match = [
            s for s in heard_ones if abs(len(s) - len(sounds["demo"])) < RATE // 10
            and found_at(s, sounds["demo"])[1] > 0.95
        ]  # fmt: skip
        assert len(match) == 1, "the demo is not among them"

    return Job(
        "demo-to-flac-as-well",
        (
            "all the takes to flac please. not the demo and the text is just lying around",
            "hmm, the demo as well after all",
        ),
        make,
        right,
        lambda place, files: did(save(place / "demo.flac", sounds["demo"])),
        lambda place, files: did(save(place / "take 2.flac", sounds["take 2"])),
    )


# --- words: transcripts, subtitles, times -----------------------------------------------------------


def typed_up() -> Job:
    maria = talk("meeting", "doctor", gap=1.0, before=0.3, after=0.3)

    def make(place: Path) -> list[Path]:
        frames = scenes("astronaut", size=(320, 180), seconds=len(maria) / RATE)
        return [
            save(place / "interview tom.m4a", talk("garden", before=0.3)),
            film(place / "interview maria.mp4", frames, maria),
            save(place / "atmo strasse.wav", hiss(4, 0.03)),
        ]

    def right(results: Results, files: list[Path]) -> None:
        text = text_of(results)
        for name in ("meeting", "doctor"):
            share = said(text, name)
            assert share >= 0.7, f"only {share:.0%} of what she says is there"
        assert said(text, "garden") < 0.7, "Tom is in it"

    return Job(
        "type-up-maria",
        "Could you type up what Maria says? I need the quotes for tonight. Tom's I have already done.",
        make,
        right,
        lambda place, files: did(
            written(place / "maria.txt", SPOKEN["meeting"] + "\n" + SPOKEN["doctor"])
        ),
        lambda place, files: did(answer=SPOKEN["garden"]),
    )


def needs_srt() -> Job:
    sound = np.concatenate([talk("lost", "garden", gap=1.3, before=0.5), quiet(1)])[: 8 * RATE]
    second = 0.5 + len(voice("lost")) / RATE + 1.3

    def right(results: Results, files: list[Path]) -> None:
        found = cues(one(results.of(".srt"), "srt").read_text("utf-8", "replace"))
        assert found, "there is nothing in the srt"
        for a, b, _ in found:
            assert 0 <= a < b <= len(sound) / RATE + 1, f"a subtitle from {a} to {b}"
        middle = second - 0.65
        early = " ".join(text for a, b, text in found if (a + b) / 2 < middle)
        late = " ".join(text for a, b, text in found if (a + b) / 2 >= middle)
        assert said(early, "lost") >= 0.6, "the first sentence is not in time"
        assert said(late, "garden") >= 0.6, "the second sentence is not in time"

    return Job(
        "subtitles-for-upload",
        "i have to upload subtitles along with this clip, can u make me the srt? its in english",
        lambda place: [
            film(place / "VID_20240611.mp4", scenes("tower", "lion", "rocket", seconds=2.6), sound)
        ],
        right,
        lambda place, files: did(
            written(
                place / "clip.srt",
                srt([(0.5, second - 1.3, SPOKEN["lost"]), (second, second + 3, SPOKEN["garden"])]),
            )
        ),
        lambda place, files: did(
            written(place / "clip.srt", srt([(0, 8, SPOKEN["lost"] + " " + SPOKEN["garden"])]))
        ),
    )


def subtitles_late() -> Job:
    texts = (
        "Where were you?", "At the harbour.", "All night?", "The boat\nnever came.", "I don't believe you.",
        "Ask Lena.", "Lena is gone.", "Since when?", "- Since Friday.\n- Oh.", "Wait here.",
    )  # fmt: skip
    lines = [(61.5 + i * 3.4, 63.9 + i * 3.4 - (i % 3) * 0.4, text) for i, text in enumerate(texts)]

    def moved(by: float) -> Made:
        return lambda place, files: did(
            written(place / "fixed.srt", srt([(a + by, b + by, t) for a, b, t in lines]))
        )

    def right(results: Results, files: list[Path]) -> None:
        found = cues(one(results.of(".srt"), "srt").read_text("utf-8", "replace"))
        assert len(found) == len(lines), f"{len(found)} subtitles, not {len(lines)}"
        for (a, b, text), (c, d, same) in zip(lines, found, strict=True):
            near(c - a, -1.5, 0.03, "the shift of a start")
            near(d - b, -1.5, 0.03, "the shift of an end")
            assert bare(text) == bare(same), f"{text!r} became {same!r}"

    return Job(
        "subtitles-too-late",
        (
            "the subtitles come 2 seconds too late with my copy of the film, can you fix the file",
            "nearly! now they are half a second early",
        ),
        lambda place: [written(place / "hafen.en.srt", srt(lines))],
        right,
        moved(-1.5),
        moved(-2.5),
    )


def burnt_in() -> Job:
    names, size = ("rocket", "moon", "coffee"), (480, 270)
    german = srt([(1.0, 2.4, "Wir fliegen zum Mond."), (4.2, 5.6, "Und dann: Kaffee!")])
    english = srt([(0.2, 0.8, "Listen."), (2.7, 4.0, "We are flying to the moon.")])
    frames = scenes(*names, size=size, seconds=2)
    sound = np.pad(voice("garden"), (0, 6 * RATE))[: 6 * RATE]

    def changed(picture: Image, at: float) -> float:
        before = np.asarray(frames[min(round(at * FPS), len(frames) - 1)], float)
        after = np.asarray(picture.convert("RGB").resize(size), float)
        return float((np.abs(after - before).max(2) > 70)[80:].mean())

    def right(results: Results, files: list[Path]) -> None:
        path = one(results.videos, "film")
        found = shots(path)
        near(ends(found), 6, 0.3, "the length")
        shows(found, (0.3, "rocket"), (3.3, "moon"), (5.8, "coffee"))
        for at, there in ((0.5, False), (1.7, True), (3.3, False), (4.9, True), (5.8, False)):
            share = changed(seen(found, at), at)
            assert (share > 0.004) == there, f"at {at} s {share:.2%} of the picture is changed"
        has(heard(path), voice("garden"), "the sound")

    def burnt(place: Path, cues_of: str) -> Results:
        made = []
        for i, frame in enumerate(frames):
            text = next((t for a, b, t in cues(cues_of) if a <= i / FPS < b), "")
            frame = frame.copy()
            PIL.ImageDraw.Draw(frame).text(
                (240, 240), text, "white", anchor="mm", font_size=20, stroke_width=2,
                stroke_fill="black",
            )  # fmt: skip
            made.append(frame)
        return did(film(place / "burnt.mp4", made, sound))

    return Job(
        "german-subtitles-burnt-in",
        "burn the german subtitles into the picture, the tv at my parents' doesnt do srt files",
        lambda place: [
            film(place / "mondflug.mp4", frames, sound),
            written(place / "mondflug_en.srt", english),
            written(place / "mondflug_de.srt", german),
        ],
        right,
        lambda place, files: burnt(place, german),
        lambda place, files: burnt(place, english),
    )


def umbrella() -> Job:
    whole = talk("doctor", "podcast", "lost", "meeting", gap=0.9, before=0.4, after=0.4)

    def right(results: Results, files: list[Path]) -> None:
        path = one(results.sounds, "sound")
        assert path.suffix.lower() == ".mp3", "not an mp3"
        sound = heard(path)
        has(sound, voice("lost")[RATE // 4 : -RATE // 4], "the sentence", 0.7)
        long, wanted = len(sound) / RATE, len(voice("lost")) / RATE
        assert long < wanted + 2.0, f"it lasts {long:.1f} s: there is more than the sentence in it"

    return Job(
        "find-the-umbrella",
        (
            "At what second do they talk about the umbrella?",
            "ok give me only that sentence as its own clip, mp3",
        ),
        lambda place: [save(place / "vox pop bahnhof.m4a", whole)],
        right,
        gives("umbrella.mp3", lambda: talk("lost", before=0.2, after=0.2)),
        gives("umbrella.mp3", lambda: talk("podcast", before=0.2, after=0.2)),
    )


def paid_by_the_minute() -> Job:
    lengths = {"2406_bauer.mp3": 21.0, "2406_bauer_teil2.mp3": 17.5, "O-Ton Stadtrat.wav": 28.2,
               "telefonat.m4a": 25.3}  # fmt: skip
    total = sum(lengths.values())  # 92 seconds

    def make(place: Path) -> list[Path]:
        base = np.tile(talk("weather", "train", "recipe", after=0.5), 3)
        found = [save(place / name, cut(base, 0, long)) for name, long in lengths.items()]
        return [
            *found[:2],
            save(place / "station-jingle.wav", tune("12 16 19 24", 0.5)),
            *found[2:],
        ]

    def right(results: Results, files: list[Path]) -> None:
        text = text_of(results).lower().replace("*", "").replace(",", ".")
        text = re.sub(r"\b0?0:(?=\d\d:\d\d)", "", text)  # hours
        seconds = [float(n) for n in re.findall(r"(?<![\d.:])\d+(?:\.\d+)?(?![\d:])", text)]
        between = r"\s*(?::|′|'|m(?:in\w*\.?)?\b|m(?=\d))\s*(?:and\s*)?"
        clocks = re.findall(rf"(?<![\d.:])(\d+){between}(\d{{1,2}}(?:\.\d+)?)", text)
        seconds += [int(m) * 60 + float(s) for m, s in clocks]
        minutes = re.findall(r"(\d+\.\d+)\s*min", text)
        ok = any(abs(n - total) < 0.9 for n in seconds) or any(
            abs(float(n) - total / 60) <= 0.51 * 10.0 ** -min(len(n.split(".")[1]), 2)
            for n in minutes
        )
        assert ok, "the right length is not said"

    return Job(
        "how-long-together",
        "I get paid by the minute. how long are those recordings all together, w/o the jingle?",
        make,
        right,
        lambda place, files: did(answer="Together they last **1 minute 32 seconds**."),
        lambda place, files: did(answer="Together they last 1:34 (94.0 s)."),
    )


# --- cover pictures -----------------------------------------------------------------------------------


def square_cover() -> Job:
    def right(results: Results, files: list[Path]) -> None:
        path = one(results.pictures, "picture")
        assert path.suffix.lower() in (".jpg", ".jpeg"), "not a jpg"
        picture = PIL.Image.open(path)
        assert picture.format == "JPEG", "not really a jpg"
        assert picture.size == (3000, 3000), f"it is {picture.size}"
        assert path.stat().st_size <= 515 * 1024, f"it has {path.stat().st_size} bytes"
        whole = PIL.Image.open(files[0]).convert("RGB")
        w, h = whole.size
        picture = picture.resize((h, h))
        best = max(alike(picture, whole.crop((x, 0, x + h, h))) for x in range(0, w - h + 1, 10))
        assert best > 0.93, "it is not a piece of the photo"
        assert best > alike(picture, whole) + 0.02, "it is squashed"

    def square(place: Path, picture: Image, quality: int) -> Results:
        path = place / "cover.jpg"
        picture.resize((3000, 3000)).save(path, quality=quality)
        return did(path)

    def make(place: Path) -> list[Path]:
        path = place / "DSC_0817.jpg"
        PIL.Image.open(MEDIA / "coffee.jpg").save(path, quality=95)
        return [path]

    return Job(
        "square-cover-for-spotify",
        "spotify wants my cover square, 3000 x 3000, jpg and at most 512 KB.. pls make it out of this "
        "photo, cut off left and right, don't squash my cup",
        make,
        right,
        lambda place, files: square(
            place, PIL.ImageOps.fit(PIL.Image.open(files[0]), (400, 400)), 60
        ),
        lambda place, files: square(place, PIL.Image.open(files[0]), 60),
    )


def tagged() -> Job:
    episode = talk("podcast", "garden")
    cover = poster((500, 500), "BEES", "#f4c20d", "#3b2506")

    def make(place: Path) -> list[Path]:
        cover.save(place / "bees.png")
        photo("astronaut", (400, 400)).save(place / "me.jpg")
        return [place / "bees.png", save(place / "ep 7.mp3", episode), place / "me.jpg"]

    def tags(place: Path, files: list[Path], title: str, picture: Image) -> Results:
        def frame(key: str, content: bytes) -> bytes:
            return key.encode() + struct.pack(">IH", len(content), 0) + content

        image = io.BytesIO()
        picture.save(image, "JPEG")
        body = (
            frame("TIT2", b"\0" + title.encode("latin-1"))
            + frame("TPE1", b"\0Hive Radio")
            + frame("APIC", b"\0image/jpeg\0\3\0" + image.getvalue())
        )
        n = len(body)
        size = bytes((n >> shift) & 127 for shift in (21, 14, 7, 0))
        path = place / "tagged.mp3"
        path.write_bytes(b"ID3\3\0\0" + size + body + files[1].read_bytes())
        return did(path)

    def right(results: Results, files: list[Path]) -> None:
        path = one(results.sounds, "sound")
        assert path.suffix.lower() == ".mp3", "not an mp3"
        with av.open(str(path)) as source:
            told = {key.lower(): text.strip() for key, text in source.metadata.items()}
            pictures = (
                [f.to_image() for f in source.decode(video=0)] if source.streams.video else []
            )
        assert told.get("title", "").lower() == "bees and honey", (
            f"the title is {told.get('title')}"
        )
        assert told.get("artist", "").lower() == "hive radio", f"by {told.get('artist')}"
        assert pictures, "there is no cover"
        assert alike(pictures[0], cover) > 0.9, "that is not the picture of the bees"
        lasts(heard(path), len(episode) / RATE)
        has(heard(path), episode, "the episode", 0.8)

    return Job(
        "cover-and-title-into-the-mp3",
        'Put the bees picture into the mp3 as its cover and set the title to "Bees and Honey" and '
        "the artist to Hive Radio. (The photo of me is for the website, never mind it.)",
        make,
        right,
        lambda place, files: tags(place, files, "Bees and Honey", cover),
        lambda place, files: tags(place, files, "Bees and Honey", PIL.Image.open(files[2])),
    )


# --- films --------------------------------------------------------------------------------------------


def three_wishes() -> Job:
    names, size = SCENES[:7], (640, 360)
    grain = np.random.default_rng(5).normal(0, 14, (4, 360, 640, 1))
    speech = talk("train", "garden", before=0.2)
    speech = np.pad(speech, (0, 7 * RATE))[: 7 * RATE] * 0.06

    def grainy() -> list[Image]:
        return [
            PIL.Image.fromarray(np.clip(np.asarray(f) + grain[i % 4], 0, 255).astype(np.uint8))
            for i, f in enumerate(scenes(*names, size=size))
        ]

    def make(place: Path) -> list[Path]:
        path = film(place / "MVI_0093.mov", grainy(), speech, 2_400_000)
        assert path.stat().st_size > 1_300_000, path.stat().st_size
        return [path]

    def right(results: Results, files: list[Path]) -> None:
        path = one(results.videos, "film")
        assert path.stat().st_size < 1024 * 1024, f"it has {path.stat().st_size} bytes"
        found = shots(path)
        near(ends(found), 5, 0.35, "the length")
        shows(found, (0.3, names[2]), (1.5, names[3]), (3.5, names[5]), (4.6, names[6]))
        sound = heard(path)
        part = cut(speech, 2.5, 5)
        where = has(sound, part, "the sound")
        near(where, 0.5, 0.25, "the place of the sound")
        more = level(cut(sound, where, where + 2.5)) - level(part)
        assert more > 4, f"it is only {more:.1f} dB louder"
        assert min(found[0][1].size) >= 120, "it is tiny"

    def done(place: Path, gain: float) -> Results:
        frames = scenes(*names[2:], size=size)
        return did(film(place / "small.mp4", frames, cut(speech, 2, 7) * gain, 300_000))

    return Job(
        "walk-off-louder-smaller",
        "skip the first 2 seconds where i walk to the camera, then make the sound louder, one hardly "
        "hears me, and it must stay below 1 MB because of the mail server at school",
        make,
        right,
        lambda place, files: done(place, 6),
        lambda place, files: done(place, 1),
    )


def title_first() -> Job:
    title = poster((640, 360), "Summer 24", "#123a5a", "#ffcc33")
    speech = np.pad(voice("recipe"), (0, 3 * RATE))[: 3 * RATE]
    size = (480, 270)
    a, b = (
        scenes("lion", "tower", "moon", size=size),
        scenes("coffee", "chelsea", "rocket", size=size),
    )

    def make(place: Path) -> list[Path]:
        title.save(place / "titel.png")
        return [
            film(place / "clip B.mp4", b, speech),
            film(place / "clip A.mp4", a),
            place / "titel.png",
        ]

    def right(results: Results, files: list[Path]) -> None:
        path = one(results.videos, "film")
        found = shots(path)
        near(ends(found), 8, 0.5, "the length")
        for at in (0.4, 1.6):
            assert alike(seen(found, at), title) > 0.85, f"the title is not seen at {at} s"
        shows(found, (2.5, "lion"), (3.5, "tower"), (5.5, "coffee"), (7.5, "rocket"))
        near(has(heard(path), speech, "the sound of clip B"), 5, 0.4, "its start")

    def done(place: Path, one: list[Image], two: list[Image], start: float) -> Results:
        frames = [title.resize(size)] * (2 * FPS) + one + two
        sound = np.zeros(8 * RATE)
        sound[round(start * RATE) :][: len(speech)] = speech
        return did(film(place / "summer.mp4", frames, sound))

    return Job(
        "title-then-two-clips",
        "make 1 film: the title for 2 seconds, then clip A, then clip B. A has no sound thats ok",
        make,
        right,
        lambda place, files: done(place, a, b, 5),
        lambda place, files: done(place, b, a, 2),
    )


def upright() -> Job:
    names, size = ("astronaut", "lion", "chelsea", "tower"), (640, 360)
    frames = scenes(*names, size=size)
    speech = np.pad(voice("weather"), (0, 4 * RATE))[: 4 * RATE]

    def right(results: Results, files: list[Path]) -> None:
        path = one(results.videos, "film")
        found = shots(path)
        near(ends(found), 4, 0.3, "the length")
        w, h = found[0][1].size
        near(w / h, 9 / 16, 0.02, "the ratio of the sides")
        for i, name in enumerate(names):
            middle = photo(name, size).crop((219, 0, 421, 360))
            score = alike(seen(found, i + 0.5), middle)
            assert score > 0.8, f"at {i + 0.5} s not the middle is seen ({score:.2f})"
        has(heard(path), speech, "the sound")

    def done(place: Path, change: Callable[[Image], Image]) -> Results:
        return did(film(place / "reel.mp4", [change(frame) for frame in frames], speech))

    return Job(
        "upright-for-a-reel",
        "for a reel i need this upright, 9:16. simply take the middle of the picture, no black bars pls",
        lambda place: [film(place / "stage_cam2.mp4", frames, speech)],
        right,
        lambda place, files: done(place, lambda frame: frame.crop((219, 0, 421, 360))),
        lambda place, files: done(place, lambda f: PIL.ImageOps.pad(f, (202, 360))),
    )


def thumbnail() -> Job:
    names = SCENES[:7]  # each is seen from half a second before its second to half a second after

    def right(results: Results, files: list[Path]) -> None:
        picture = PIL.Image.open(one(results.pictures, "picture")).convert("RGB")
        assert picture.size == (1280, 720), f"it is {picture.size}"
        is_scene(picture, names[4], 4)

    def still(place: Path, at: int) -> Results:
        path = place / "thumb.jpg"
        photo(names[at], (320, 180)).resize((1280, 720)).save(path)
        return did(path)

    return Job(
        "thumbnail-a-second-earlier",
        (
            "grab me a picture out of the video at second 5, for the thumbnail",
            "no my eyes are closed. one second earlier",
            "Perfect, now in 1280x720",
        ),
        lambda place: [film(place / "vlog 33.mp4", scenes(*names, first=0.5))],
        right,
        lambda place, files: still(place, 4),
        lambda place, files: still(place, 5),
    )


def zoom_sound() -> Job:
    names = ("tower", "astronaut", "moon", "coffee", "lion", "rocket")
    good = np.pad(talk("podcast", before=0.6), (0, 6 * RATE))[: 6 * RATE]
    check = np.pad(talk("lost", before=0.3), (0, 6 * RATE))[: 5 * RATE]
    frames = scenes(*names)

    def right(results: Results, files: list[Path]) -> None:
        path = one(results.videos, "film")
        found = shots(path)
        near(ends(found), 6, 0.3, "the length")
        shows(found, *[(i + 0.5, name) for i, name in enumerate(names)])
        near(has(heard(path), voice("podcast"), "the good sound", 0.85), 0.6, 0.2, "its start")

    return Job(
        "better-sound-under-the-film",
        "Camera sound is awful!! Please put ZOOM0007 under the video instead of it, they start at the "
        "same moment. 0006 was only the soundcheck",
        lambda place: [
            film(place / "C0034.MP4", frames, good * 0.1 + hiss(6, 0.12)),
            save(place / "ZOOM0006.WAV", check),
            save(place / "ZOOM0007.WAV", good),
        ],
        right,
        lambda place, files: did(film(place / "new.mp4", frames, good)),
        lambda place, files: did(film(place / "new.mp4", frames, good + hiss(6, 0.12))),
    )


def brighter() -> Job:
    names = ("rocket", "chelsea", "astronaut", "coffee")
    speech = np.pad(voice("doctor"), (0, 4 * RATE))[: 4 * RATE]
    frames = [PIL.ImageEnhance.Brightness(f).enhance(0.5) for f in scenes(*names)]

    def right(results: Results, files: list[Path]) -> None:
        path = one(results.videos, "film")
        found = shots(path)
        near(ends(found), 4, 0.3, "the length")
        for i, name in enumerate(names):
            before = np.asarray(frames[i * FPS + 7], float)
            picture = seen(found, i + 0.5)
            is_scene(picture, name, i + 0.5)
            after = np.asarray(picture.convert("RGB").resize((320, 180)), float)
            more = after.mean() - before.mean()
            assert more > 4, f"{name} is only {more:.1f} brighter"
            colour, was = np.ptp(after, 2).mean(), np.ptp(before, 2).mean()
            assert colour > 0.6 * was, f"{name} lost its colours"
        has(heard(path), speech, "the sound")

    def done(place: Path, change: Callable[[Image], Image]) -> Results:
        return did(film(place / "x.mp4", [change(f) for f in frames], speech))

    def grey(f: Image) -> Image:
        return PIL.ImageEnhance.Brightness(f.convert("L").convert("RGB")).enhance(1.5)

    return Job(
        "not-grey-only-brighter",
        (
            "black and white please, like an old movie",
            "no that looks sad, undo that. only make it a bit brighter its so dark in there",
        ),
        lambda place: [film(place / "keller session.mp4", frames, speech)],
        right,
        lambda place, files: done(place, lambda f: PIL.ImageEnhance.Brightness(f).enhance(1.5)),
        lambda place, files: done(place, grey),
    )


def episode_as_film() -> Job:
    cover = poster((600, 600), "Folge 3", "#7a1f3d", "#ffe0a3")
    episode = talk("weather", "doctor", gap=0.6, after=0.3)

    def make(place: Path) -> list[Path]:
        photo("chelsea", (451, 300)).save(place / "IMG_2034.jpg")
        cover.save(place / "cover.png")
        return [place / "IMG_2034.jpg", place / "cover.png", save(place / "episode 3.mp3", episode)]

    def right(results: Results, files: list[Path]) -> None:
        path = one(results.videos, "film")
        found = shots(path)
        near(ends(found), len(episode) / RATE, 1.1, "the length")
        for at in (0.2, 3.5, ends(found) - 0.4):
            picture = seen(found, at)
            w, h = picture.size
            n = min(w, h)
            middle = picture.crop(((w - n) // 2, (h - n) // 2, (w + n) // 2, (h + n) // 2))
            score = max(
                alike(middle.crop((m, m, n - m, n - m)), cover)
                for m in range(0, n // 4, n // 60 + 1)
            )
            if w >= h:  # it may fill the width instead
                score = max(score, alike(picture, PIL.ImageOps.fit(cover, (w, h))))
            assert score > 0.88, f"the cover is not seen at {at:.1f} s ({score:.2f})"
        near(has(heard(path), episode, "the episode", 0.8), 0, 0.25, "its start")

    def done(place: Path, picture: Image) -> Results:
        frames = [PIL.ImageOps.pad(picture, (640, 360))] * round(len(episode) / RATE * FPS)
        return did(film(place / "episode.mp4", frames, episode))

    return Job(
        "episode-as-a-video",
        "youtube wont let me upload an mp3 :( make a video out of the episode, with the cover to look "
        "at for the whole time",
        make,
        right,
        lambda place, files: done(place, cover),
        lambda place, files: done(place, PIL.Image.open(files[0]).convert("RGB")),
    )


JOBS: list[Job] = [
    too_quiet(), dead_air(), coughing(), humming(), one_ear(), bleeped(),
    episode_of_parts(), music_under(), run_over(), pieces_apart(),
    lower(), slower(), tuning(), longest(), demo_too(),
    typed_up(), needs_srt(), subtitles_late(), burnt_in(), umbrella(), paid_by_the_minute(),
    square_cover(), tagged(),
    three_wishes(), title_first(), upright(), thumbnail(), zoom_sound(), brighter(), episode_as_film(),
]  # fmt: skip
