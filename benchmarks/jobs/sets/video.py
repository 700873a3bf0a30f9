"""Jobs of people with video: families with phone films, trainers, teachers, clubs, makers of GIFs."""

from __future__ import annotations

import csv
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import av
import numpy as np
import soundfile
from PIL import Image, ImageDraw, ImageFont, ImageSequence

from benchmarks.jobs.job import Job, Results
from benchmarks.jobs.media import MEDIA

RED, GREEN, BLUE, YELLOW = (200, 30, 30), (30, 160, 40), (30, 50, 200), (230, 210, 20)
WHITE, BLACK, PURPLE, ORANGE = (255, 255, 255), (0, 0, 0), (130, 30, 150), (240, 130, 10)
JOBS: list[Job] = []


# -- making --------------------------------------------------------------------------------------------


def plain(colour, size=(320, 180)) -> np.ndarray:
    return np.full((size[1], size[0], 3), colour, np.uint8)


def printed(text: str, colour=BLACK, ink=WHITE, size=(320, 180), height=28, at=None) -> np.ndarray:
    """A picture with a text in its middle (or at a place)."""
    image = Image.fromarray(plain(colour, size))
    ImageDraw.Draw(image).text(at or (size[0] / 2, size[1] / 2), text, fill=ink, font=ImageFont.load_default(height), anchor="mm")
    return np.asarray(image)


def ball(part: float, size=(320, 180), ground=(20, 60, 30), colour=YELLOW) -> np.ndarray:
    """A ball that is at `part` of its way from left to right."""
    image = Image.fromarray(plain(ground, size))
    x, y = 30 + part * (size[0] - 60), size[1] / 2
    ImageDraw.Draw(image).ellipse([x - 20, y - 20, x + 20, y + 20], fill=colour)
    return np.asarray(image)


def scenes(*parts, fps=15) -> list[np.ndarray]:
    """Frames of pictures that each stay for so many seconds."""
    return [picture for picture, seconds in parts for _ in range(round(seconds * fps))]


def tone(hertz: float, seconds: float, loud=0.3, rate=44100) -> np.ndarray:
    return (loud * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)).astype(np.float32)


def silence(seconds: float, rate=44100) -> np.ndarray:
    return np.zeros(round(seconds * rate), np.float32)


def hiss(count: int, loud: float, seed=1) -> np.ndarray:
    return (loud * np.random.default_rng(seed).standard_normal(count)).astype(np.float32)


def spoken(name: str, rate=44100) -> np.ndarray:
    samples, given = soundfile.read(MEDIA / f"spoken-{name}.wav", dtype="float32")
    places = np.arange(round(len(samples) * rate / given)) * given / rate
    return np.interp(places, np.arange(len(samples)), samples).astype(np.float32)


def write(path: Path, frames: Iterable[np.ndarray], fps=15, sound=None, rate=44100, quality=20, layout=None) -> Path:
    """A film; `sound` is mono samples, or one row a channel."""
    suffix, frames = path.suffix.lower(), list(frames)
    with av.open(str(path), "w") as film:
        picture = film.add_stream({".webm": "libvpx", ".avi": "mpeg4"}.get(suffix, "libx264"), rate=fps)
        picture.height, picture.width = frames[0].shape[:2]
        picture.pix_fmt = "yuv420p"
        picture.options = {".webm": {"crf": "10", "b": "1M", "deadline": "realtime", "cpu-used": "8"}, ".avi": {"qscale": "3"}}.get(
            suffix, {"crf": str(quality), "preset": "veryfast"})
        if suffix == ".avi":
            picture.bit_rate = 1_500_000
        voice = None
        if sound is not None:
            sound = np.atleast_2d(np.asarray(sound, np.float32))
            layout = layout or {1: "mono", 2: "stereo"}[len(sound)]
            voice = film.add_stream({".webm": "libopus", ".avi": "libmp3lame"}.get(suffix, "aac"), rate=48000 if suffix == ".webm" else rate)
            voice.layout = layout
        for frame in frames:
            film.mux(picture.encode(av.VideoFrame.from_ndarray(np.ascontiguousarray(frame), "rgb24")))
        film.mux(picture.encode())
        if voice is not None:
            _encode(film, voice, sound, layout, rate)
    return path


def _encode(film, voice, sound, layout, rate) -> None:
    resampler, fifo = av.AudioResampler(voice.format, voice.layout, voice.rate), 0
    for start in range(0, sound.shape[1], 1024):
        block = av.AudioFrame.from_ndarray(np.ascontiguousarray(sound[:, start:start + 1024]), "fltp", layout)
        block.sample_rate, block.pts = rate, start
        for part in resampler.resample(block):
            film.mux(voice.encode(part))
    for part in resampler.resample(None):
        film.mux(voice.encode(part))
    film.mux(voice.encode())


def write_sound(path: Path, sound, rate=44100) -> Path:
    sound = np.atleast_2d(sound)
    if path.suffix == ".wav":
        soundfile.write(path, sound.T, rate)
        return path
    with av.open(str(path), "w") as file:
        voice = file.add_stream({".mp3": "libmp3lame"}.get(path.suffix, "aac"), rate=rate)
        layout = {1: "mono", 2: "stereo"}[len(sound)]
        voice.layout = layout
        _encode(file, voice, sound.astype(np.float32), layout, rate)
    return path


def write_gif(path: Path, frames, fps: float, loop=0) -> Path:
    first, *rest = [Image.fromarray(np.ascontiguousarray(frame)) for frame in frames]
    first.save(path, save_all=True, append_images=rest, duration=round(1000 / fps), loop=loop)
    return path


def turned_by_flag(path: Path, width: int, height: int) -> None:
    """Sets an MP4's or MOV's flag, as phones do: to be shown turned clockwise by a quarter."""
    data = bytearray(path.read_bytes())
    place = data.index(b"tkhd") + 4 + 40
    numbers = [0, 0x10000, 0, -0x10000, 0, 0, height << 16, 0, 0x40000000]
    data[place:place + 36] = b"".join(number.to_bytes(4, "big", signed=True) for number in numbers)
    path.write_bytes(data)


def scaled(picture: np.ndarray, width: int, height: int) -> np.ndarray:
    return np.asarray(Image.fromarray(np.ascontiguousarray(picture)).resize((width, height)))


def copy(source: Path, target: Path) -> Path:
    shutil.copy(source, target)
    return target


# -- looking -------------------------------------------------------------------------------------------

RATE = 16000


@dataclass
class Film:
    path: Path
    pictures: list[np.ndarray]
    times: list[float]
    sound: np.ndarray | None  # mono, 16 kHz
    channels: int
    codecs: list[str]
    subtitles: int

    @property
    def size(self):
        return self.pictures[0].shape[1], self.pictures[0].shape[0]

    @property
    def fps(self):
        return (len(self.times) - 1) / (self.times[-1] - self.times[0])

    @property
    def length(self):
        return self.times[-1] - self.times[0] + 1 / self.fps

    def at(self, second: float) -> np.ndarray:
        return self.pictures[int(np.searchsorted(np.array(self.times) - self.times[0], second + 1e-6, "right")) - 1]

    @property
    def silent(self):
        return self.sound is None or loud(self.sound) < 0.002


def watched(path: Path) -> Film:
    pictures, times, sounds, channels = [], [], [], 0
    with av.open(str(path)) as file:
        codecs = [stream.codec_context.name for stream in file.streams if stream.type in ("video", "audio")]
        subtitles = len(file.streams.subtitles)
        assert file.streams.video, "there is no picture in the film"
        chosen = [file.streams.video[0], *file.streams.audio[:1]]
        resampler = av.AudioResampler("flt", "mono", RATE)
        for packet in file.demux(chosen):
            for frame in packet.decode():
                if isinstance(frame, av.VideoFrame):
                    pictures.append(np.rot90(frame.to_ndarray(format="rgb24"), round(frame.rotation / 90) % 4))
                    times.append(float(frame.time if frame.time is not None else len(times) / 25))
                else:
                    channels = frame.layout.nb_channels
                    missing = (frame.time or 0) - sum(map(len, sounds)) / RATE
                    if missing > 0.1:  # a sound that starts later, or has a gap
                        sounds.append(np.zeros(int(missing * RATE), np.float32))
                    sounds += [part.to_ndarray().ravel() for part in resampler.resample(frame)]
        if sounds:
            sounds += [part.to_ndarray().ravel() for part in resampler.resample(None)]
    assert len(pictures) > 1, "the film has no moving pictures"
    return Film(path, pictures, times, np.concatenate(sounds) if sounds else None, channels, codecs, subtitles)


def heard(path: Path) -> np.ndarray:
    with av.open(str(path)) as file:
        resampler, parts = av.AudioResampler("flt", "mono", RATE), []
        for frame in file.decode(audio=0):
            parts += [part.to_ndarray().ravel() for part in resampler.resample(frame)]
        parts += [part.to_ndarray().ravel() for part in resampler.resample(None)]
    return np.concatenate(parts)


def one_film(results: Results) -> Film:
    assert results.videos, "no film was handed over"
    assert len(results.videos) == 1, f"one film was wanted, not {len(results.videos)}"
    return watched(results.videos[0])


def one_gif(results: Results) -> tuple[list[np.ndarray], float, int | None]:
    """A GIF's frames, its length in seconds, how often it is repeated (0: for ever)."""
    assert len(results.of(".gif")) == 1, "exactly one GIF was wanted"
    image = Image.open(results.of(".gif")[0])
    frames, length = [], 0.0
    for frame in ImageSequence.Iterator(image):
        frames.append(np.asarray(frame.convert("RGB")))
        length += frame.info.get("duration", 100) / 1000
    assert len(frames) > 3, "the GIF does not move"
    return frames, length, image.info.get("loop")


def all_pictures(results: Results) -> list[np.ndarray]:
    """The still pictures, also those in a ZIP."""
    paths = list(results.pictures)
    for archive in results.of(".zip"):
        folder = Path(tempfile.mkdtemp())
        zipfile.ZipFile(archive).extractall(folder)
        paths += sorted(path for path in folder.rglob("*") if path.suffix.lower() in (".png", ".jpg", ".jpeg", ".webp"))
    return [np.asarray(Image.open(path).convert("RGB")) for path in paths]


def part_of(picture: np.ndarray, left=0.0, top=0.0, right=1.0, bottom=1.0) -> np.ndarray:
    height, width = picture.shape[:2]
    return picture[int(top * height):max(int(bottom * height), int(top * height) + 1), int(left * width):max(int(right * width), int(left * width) + 1)]


def mean(picture: np.ndarray, *box) -> np.ndarray:
    return part_of(picture, *box).reshape(-1, 3).mean(0)


def like(picture: np.ndarray, colour, *box, tolerance=45) -> bool:
    """Has this part of the picture this colour, by its mean?"""
    return float(np.abs(mean(picture, *box) - np.array(colour)).max()) < tolerance


def share(picture: np.ndarray, colour, tolerance=70) -> float:
    return float((np.abs(picture.astype(int) - np.array(colour)).max(-1) < tolerance).mean())


def place_of(picture: np.ndarray, colour, tolerance=80) -> tuple[float, float]:
    """The middle of all that has this colour, as parts of width and height."""
    rows, columns = np.nonzero(np.abs(picture.astype(int) - np.array(colour)).max(-1) < tolerance)
    assert len(rows) > 5, "what should be seen in the picture is missing"
    return columns.mean() / picture.shape[1], rows.mean() / picture.shape[0]


def similar(picture: np.ndarray, other: np.ndarray, within=28) -> bool:
    return float(np.abs(scaled(picture, 32, 32).astype(float) - scaled(other, 32, 32)).mean()) < within


def loud(sound: np.ndarray, start=0.0, end=1e9) -> float:
    part = sound[int(start * RATE):int(min(end * RATE, len(sound)))]
    return float(np.sqrt(np.mean(part**2))) if len(part) else 0.0


def pitch(sound: np.ndarray, start=0.0, end=1e9) -> float:
    part = sound[int(start * RATE):int(min(end * RATE, len(sound)))]
    spectrum = np.abs(np.fft.rfft(part * np.hanning(len(part))))
    return float(np.fft.rfftfreq(len(part), 1 / RATE)[spectrum.argmax()])


def strength(sound: np.ndarray, hertz: float, start=0.0, end=1e9) -> float:
    """How strong one tone is in a sound (its amplitude)."""
    part = sound[int(start * RATE):int(min(end * RATE, len(sound)))]
    window = np.hanning(len(part))
    return float(2 * abs((part * window * np.exp(-2j * np.pi * hertz * np.arange(len(part)) / RATE)).sum()) / window.sum())


def contains(sound: np.ndarray, other: np.ndarray) -> float:
    """How well `other` is found somewhere in `sound` (1: exactly)."""
    count = len(sound) + len(other)
    product = np.fft.irfft(np.fft.rfft(sound, count) * np.conj(np.fft.rfft(other, count)), count)
    return float(np.abs(product).max() / (np.linalg.norm(sound) * np.linalg.norm(other) + 1e-9))


def about(value: float, wanted: float, within: float, what: str) -> None:
    assert abs(value - wanted) <= within, f"{what} is {value:.3g}, not {wanted:.3g}"


WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split() + ["once", "twice"]


def numbers(text: str) -> list[float]:
    """All numbers in a text, digits, times like 0:04.5 and small words."""
    found = [float(number.replace(",", ".")) for number in re.findall(r"\d+(?:[.,]\d+)?", text)]
    words = [{"once": 1, "twice": 2}.get(word, WORDS.index(word)) for word in re.findall(r"[a-z]+", text.lower()) if word in WORDS]
    return [*found, *map(float, words)]


def tells(text: str, wanted: float, within: float, what: str) -> None:
    assert any(abs(number - wanted) <= within for number in numbers(text)), f"the answer does not say {what} ({wanted:g})"


def original(folder: Path, files: list[Path]) -> Results:
    """A plausible wrong result: the first file, as it was."""
    return Results((files[0],), "Done.")


# -- jobs 1 to 10 --------------------------------------------------------------------------------------


def job(name, words, make, right, reference, wrong=original) -> None:
    JOBS.append(Job(name, words, make, right, reference, wrong))


def two_parts(path: Path, first=2.0, second=4.0) -> Path:
    """Red with 440 Hz, then green with 880 Hz."""
    return write(path, scenes((printed("warm up", RED), first), (printed("match", GREEN), second)),
                 sound=np.concatenate([tone(440, first), tone(880, second)]))


def start_gone(results, files):
    film = one_film(results)
    about(film.length, 4, 0.3, "the length")
    assert like(film.pictures[1], GREEN) and like(film.at(3.8), GREEN), "it does not begin with the match"
    assert film.sound is not None, "the sound is gone"
    about(pitch(film.sound, 0.2, 3.5), 880, 15, "the sound's pitch")


job("cut-the-start", "hi, the first 2 seconds of this clip are only the warm up, pls cut them off",
    lambda folder: [two_parts(folder / "IMG_2231.mp4")],
    start_gone,
    lambda folder, files: Results((write(folder / "out.mp4", scenes((printed("match", GREEN), 4)), sound=tone(880, 4)),)),
    lambda folder, files: Results((write(folder / "no.mp4", scenes((printed("warm up", RED), 2)), sound=tone(440, 2)),)))


def goal_gif(results, files):
    frames, length, loop = one_gif(results)
    assert frames[0].shape[1] == 240, f"it is {frames[0].shape[1]} pixels wide"
    about(frames[0].shape[0], 135, 2, "the height")
    about(length, 2, 0.3, "the GIF's length")
    about(place_of(frames[0], YELLOW)[0], 0.25, 0.08, "where the ball starts")
    about(place_of(frames[-1], YELLOW)[0], 0.59, 0.1, "where the ball ends")


job("gif-of-the-goal", "Make me a GIF of the goal, that's from second 1 to second 3 in the film. 240 pixels wide so it fits our chat",
    lambda folder: [write(folder / "goal.mp4", [ball(i / 75) for i in range(75)])],
    goal_gif,
    lambda folder, files: Results((write_gif(folder / "goal.gif", [scaled(ball(i / 75), 240, 135) for i in range(15, 45, 2)], 7.5),)),
    lambda folder, files: Results((write_gif(folder / "all.gif", [scaled(ball(i / 75), 240, 135) for i in range(0, 75, 2)], 7.5),)))


def song_mp3(results, files):
    assert len(results.sounds) == 1 and results.of(".mp3"), "no single MP3 was handed over"
    with av.open(str(results.of(".mp3")[0])) as file:
        assert file.streams.audio[0].codec_context.name.startswith("mp3"), "it is called MP3 but is none"
    sound = heard(results.of(".mp3")[0])
    about(len(sound) / RATE, 5, 0.3, "the length")
    about(pitch(sound, 0.3, 2.2), 523, 10, "the first half's pitch")
    about(pitch(sound, 2.8, 4.7), 659, 10, "the second half's pitch")


job("song-out-of-the-film", "I only want the song they sing here. As mp3 for the car please!",
    lambda folder: [write(folder / "Klärchens 80. Geburtstag – Ständchen im Garten (Onkel Jürgen).mp4", scenes((printed("80", PURPLE), 5)),
                          sound=np.concatenate([tone(523, 2.5), tone(659, 2.5)]))],
    song_mp3,
    lambda folder, files: Results((write_sound(folder / "song.mp3", np.concatenate([tone(523, 2.5), tone(659, 2.5)])),)),
    lambda folder, files: Results((write_sound(folder / "song.mp3", silence(5)),)))


def muted(results, files):
    film, before = one_film(results), watched(files[0])
    assert film.silent, "there is still sound"
    assert film.size == before.size, "the size of the picture has changed"
    about(film.length, before.length, 0.2, "the length")
    about(place_of(film.at(1), YELLOW)[0], place_of(before.at(1), YELLOW)[0], 0.06, "the ball's place")


job("no-names-please", "The parents dont want the children's names to be heard on our website. Take the sound out completely but leave the picture how it is",
    lambda folder: [write(folder / "swim group 3.mp4", [ball(i / 45) for i in range(45)], sound=spoken("meeting"))],
    muted,
    lambda folder, files: Results((write(folder / "mute.mp4", [ball(i / 45) for i in range(45)]),)))


def beach(colour=BLUE) -> np.ndarray:
    picture = plain(colour, (180, 320)).copy()
    picture[200:] = YELLOW
    picture[100:140, 20:60] = WHITE  # a sail, on the left
    return picture


def make_beach(folder):
    path = write(folder / "IMG_0007.MOV", [np.rot90(picture) for picture in scenes((beach(PURPLE), 1.5), (beach(), 1.5))])
    turned_by_flag(path, 320, 180)
    return [path]


def upright_still(results, files):
    pictures = all_pictures(results)
    assert len(pictures) == 1, f"one picture was wanted, not {len(pictures)}"
    assert results.of(".jpg", ".jpeg"), "it is no JPEG"
    picture = pictures[0]
    assert picture.shape[0] > picture.shape[1], "the picture lies on its side"
    about(picture.shape[1] / picture.shape[0], 180 / 320, 0.02, "the shape")
    assert like(picture, BLUE, 0.5, 0.05, 0.95, 0.25), "the sky is not on top, or it is not from second two"
    assert like(picture, YELLOW, 0.1, 0.8, 0.9, 0.95), "the sand is not below"
    assert like(picture, WHITE, 0.17, 0.34, 0.28, 0.41), "the sail is not on the left"


job("still-for-grandma", "can you take a photo out of this, at 2 seconds, for Grandma's fridge. jpg",
    make_beach, upright_still,
    lambda folder, files: (Image.fromarray(beach()).save(folder / "a.jpg"), Results((folder / "a.jpg",)))[1],
    lambda folder, files: (Image.fromarray(np.rot90(beach())).save(folder / "b.jpg"), Results((folder / "b.jpg",)))[1])


def make_three(folder):
    return [write(folder / "1 arrival.mp4", scenes((printed("arrival", RED), 2)), sound=tone(440, 2)),
            write(folder / "2 the lake.mp4", scenes((printed("lake", GREEN), 1.5))),
            write(folder / "3 home.mp4", scenes((printed("home", BLUE), 2)), sound=tone(880, 2))]


def three_joined(results, files):
    film = one_film(results)
    about(film.length, 5.5, 0.3, "the length")
    for second, colour in ((0.2, RED), (1.7, RED), (2.4, GREEN), (3.2, GREEN), (3.8, BLUE), (5.2, BLUE)):
        assert like(film.at(second), colour), f"the wrong clip is seen at second {second}"
    assert film.sound is not None, "there is no sound"
    about(pitch(film.sound, 0.2, 1.7), 440, 10, "the first clip's sound")
    assert loud(film.sound, 2.3, 3.2) < 0.02, "the clip without sound has got one"
    about(pitch(film.sound, 3.8, 5.2), 880, 10, "the last clip's sound")


job("three-clips-one-film", "Our holiday: put the three clips one after the other, in this order, so that we have one film",
    make_three, three_joined,
    lambda folder, files: Results((write(folder / "all.mp4", [p for f in files for p in watched(f).pictures],
                                         sound=np.concatenate([tone(440, 2), silence(1.5), tone(880, 2)])),)),
    lambda folder, files: Results((write(folder / "all.mp4", [p for f in files for p in watched(f).pictures],
                                         sound=np.concatenate([tone(440, 2), tone(880, 2)])),)))


def swing_slow(results, files):
    film = one_film(results)
    about(film.length, 4, 0.3, "the length")
    for second, place in ((0.2, 0.13), (2, 0.5), (3.7, 0.84)):
        about(place_of(film.at(second), YELLOW)[0], place, 0.08, f"the ball's place at second {second}")


job("swing-at-half-speed", "slow motion of the swing: it should run at half the speed, sound doesn't matter",
    lambda folder: [write(folder / "swing.mp4", [ball(i / 60) for i in range(60)], fps=30, sound=tone(300, 2))],
    swing_slow,
    lambda folder, files: Results((write(folder / "slow.mp4", [ball(i / 60) for i in range(60)]),)))


SECONDS = (RED, GREEN, BLUE, YELLOW, PURPLE)


def still_each_second(results, files):
    pictures = all_pictures(results)
    assert len(pictures) in (5, 6), f"{len(pictures)} pictures came, not one for each of the five seconds"
    assert not results.of(".jpg", ".jpeg", ".webp"), "they are no PNGs"
    assert len({picture.shape for picture in pictures}) == 1 and pictures[0].shape[:2] == (180, 320), "the pictures have the wrong size"
    seen = [min(range(5), key=lambda i: np.abs(mean(picture) - np.array(SECONDS[i])).sum()) for picture in pictures]
    assert set(seen) == set(range(5)), "not every second is shown"
    assert seen == sorted(seen), "the pictures are not in order"


job("one-still-a-second", "For the climbing analysis I need single pictures out of the video, one for every second, as png.",
    lambda folder: [write(folder / "wall.mp4", scenes(*[(printed(f"hold {i + 1}", colour), 1) for i, colour in enumerate(SECONDS)]))],
    still_each_second,
    lambda folder, files: ([Image.fromarray(plain(colour)).save(folder / f"s{i}.png") for i, colour in enumerate(SECONDS)],
                           Results(tuple(folder / f"s{i}.png" for i in range(5))))[1],
    lambda folder, files: ([Image.fromarray(plain(RED)).save(folder / f"w{i}.png") for i in range(5)],
                           Results(tuple(folder / f"w{i}.png" for i in range(5))))[1])


def stage(width=480, height=270) -> np.ndarray:
    image = Image.new("RGB", (480, 270), RED)
    draw = ImageDraw.Draw(image)
    draw.rectangle([158, 0, 322, 270], fill=GREEN)
    draw.rectangle([323, 0, 480, 270], fill=BLUE)
    draw.ellipse([200, 95, 280, 175], fill=WHITE)
    return np.asarray(image.resize((width, height)))


def for_story(results, files):
    film = one_film(results)
    picture = film.at(1.5)
    about(film.size[0] / film.size[1], 9 / 16, 0.015, "width by height")
    about(film.length, 3, 0.3, "the length")
    for box in ((0, 0, 0.08, 0.1), (0.92, 0, 1, 0.1), (0, 0.9, 0.08, 1), (0.92, 0.9, 1, 1), (0.4, 0.1, 0.6, 0.2)):
        assert like(picture, GREEN, *box), "the middle does not fill the picture (bars, or cut elsewhere)"
    rows, columns = np.nonzero(np.abs(picture.astype(int) - 255).max(-1) < 100)
    assert len(rows), "the dancer in the middle is missing"
    about(np.ptp(columns) / np.ptp(rows), 1, 0.12, "the disc's width by height (squashed?)")
    assert not film.silent, "the music is gone"


job("upright-for-the-story", "I want to post our dance as a story. make it upright, 9:16, just use the middle of it and let the sides fall away. do NOT squash it pls, no black bars either",
    lambda folder: [write(folder / "dance_final.mp4", [stage()] * 45, sound=tone(392, 3))],
    for_story,
    lambda folder, files: Results((write(folder / "s.mp4", [stage()[:, 164:316]] * 45, sound=tone(392, 3)),)),
    lambda folder, files: Results((write(folder / "s.mp4", [stage(152, 270)] * 45, sound=tone(392, 3)),)))


def grainy(folder):
    noise = np.random.default_rng(3)
    frames = [np.clip(picture + noise.normal(0, 25, picture.shape), 0, 255).astype(np.uint8)
              for picture in scenes((printed("1 : 0", GREEN, size=(480, 270), height=60), 2.5), (printed("2 : 0", BLUE, size=(480, 270), height=60), 2.5))]
    return [write(folder / "handball.mp4", frames, sound=tone(500, 5), quality=22)]


def small_enough(results, files):
    film = one_film(results)
    assert files[0].stat().st_size > 800_000, "the original is not large"
    assert film.path.stat().st_size <= 500 * 1024, f"it still has {film.path.stat().st_size} bytes"
    about(film.length, 5, 0.3, "the length")
    about(film.size[0] / film.size[1], 480 / 270, 0.03, "width by height")
    assert film.size[0] >= 160, "the picture is too tiny to see anything"
    assert like(film.at(1), GREEN) and like(film.at(4), BLUE), "the picture is not that of the film"
    assert not film.silent, "the sound is gone"


job("small-enough-for-mail", "The mail program refuses this. Could you shrink the film below 500 kB? The sound has to stay in, and all of it please, nothing cut away.",
    grainy, small_enough,
    lambda folder, files: Results((write(folder / "small.mp4", [scaled(p, 320, 180) for p in watched(files[0]).pictures], sound=tone(500, 5), quality=34),)))

# -- jobs 11 to 20 -------------------------------------------------------------------------------------

PAIRS = ((RED, YELLOW), (BLUE, GREEN), (PURPLE, ORANGE), (YELLOW, BLUE))


def two_halves(above, below, size=(640, 480)) -> Image.Image:
    picture = plain(above, size).copy()
    picture[size[1] // 2:] = below
    return Image.fromarray(picture)


def make_slides(folder):
    files = []
    for i, (above, below) in enumerate(PAIRS):
        files.append(folder / f"Fest {i + 1}.jpg")
        image = two_halves(above, below, (480, 640) if i in (1, 2) else (640, 480))
        if i == 2:  # lies on its side and is turned by its EXIF
            exif = Image.Exif()
            exif[0x0112] = 6
            image.transpose(Image.Transpose.ROTATE_90).save(files[-1], exif=exif, quality=92)
        else:
            image.save(files[-1], quality=92)
    return [*files, write_sound(folder / "brass band.mp3", tone(349, 12))]


def slideshow(results, files):
    film = one_film(results)
    assert film.size == (640, 360), f"it is {film.size}, not 640 by 360"
    about(film.length, 8, 0.6, "the length")
    for i, (above, below) in enumerate(PAIRS):
        picture = film.at(film.length / 4 * (i + 0.5))
        assert like(picture, above, 0.42, 0.2, 0.58, 0.35), f"picture {i + 1} is not seen, or is turned wrongly (above)"
        assert like(picture, below, 0.42, 0.65, 0.58, 0.8), f"picture {i + 1} is not seen, or is turned wrongly (below)"
    assert film.sound is not None, "there is no music"
    about(len(film.sound) / RATE, film.length, 0.5, "the music's length")
    about(pitch(film.sound, 1, 5), 349, 8, "the music's pitch")
    assert loud(film.sound, film.length - 0.35, film.length) < 0.5 * loud(film.sound, 1, 4), "the music is not faded out"


def slides(folder, files):
    frames = scenes(*[(np.asarray(two_halves(*pair, (640, 360))), 2) for pair in PAIRS])
    sound = tone(349, 8)
    sound[-88200:] *= np.linspace(1, 0, 88200)
    return Results((write(folder / "show.mp4", frames, sound=sound),))


job("slideshow-with-music", "For the summer party of the choir: make a slideshow of the 4 photos, 2 seconds each, 640x360, with the music underneath. "
    "The music is longer than that, so end it with the last picture and let it fade out over the last two seconds.",
    make_slides, slideshow, slides,
    lambda folder, files: Results((write(folder / "bad.mp4", scenes(*[(np.asarray(two_halves(*pair, (640, 360))), 2) for pair in PAIRS]), sound=tone(349, 12)),)))

LAKE = (20, 40, 90)


def make_subtitled(folder):
    subtitles = folder / "lake.srt"
    subtitles.write_text("1\n00:00:01,000 --> 00:00:02,500\nHello from the lake\n\n2\n00:00:03,500 --> 00:00:05,000\nThe water is very cold\n", "utf-8")
    return [write(folder / "lake.mp4", scenes((plain(LAKE, (480, 270)), 6)), sound=tone(330, 6, 0.1)), subtitles]


def ink(picture: np.ndarray, ground, *box) -> float:
    """The share of a part of the picture that is not of the ground's colour."""
    return float((np.abs(part_of(picture, *box).astype(int) - np.array(ground)).max(-1) > 70).mean())


def burnt_in(results, files):
    film = one_film(results)
    about(film.length, 6, 0.3, "the length")
    for second in (1.6, 4.2):
        assert ink(film.at(second), LAKE, 0, 0.5, 1, 1) > 0.004, f"no words are seen at second {second}"
    for second in (0.5, 3.0, 5.6):
        assert ink(film.at(second), LAKE) < 0.001, f"something is written at second {second}, where nothing is said"
    difference = np.abs(film.at(1.6).astype(int) - film.at(4.2)).max(-1) > 70
    assert difference.mean() > 0.002, "both times the same is written"
    assert not film.silent, "the sound is gone"


def burn(folder, files, first, second):
    words = [printed(text, LAKE, size=(480, 270), height=22, at=(240, 240)) for text in ("Hello from the lake", "The water is very cold")]
    parts = [(plain(LAKE, (480, 270)), first), (words[0], 1.5), (plain(LAKE, (480, 270)), 1), (words[1], 1.5)]
    frames = (scenes(*parts) + scenes((plain(LAKE, (480, 270)), second)))[:90]
    return Results((write(folder / "burnt.mp4", frames, sound=tone(330, 6, 0.1)),))


job("subtitles-burnt-in", "burn the subtitles into the video, so facebook shows them also when the phone is muted",
    make_subtitled, burnt_in,
    lambda folder, files: burn(folder, files, 1, 1),
    lambda folder, files: burn(folder, files, 0, 2))


def make_logo(folder):
    image = Image.new("RGBA", (400, 400), (0, 0, 0, 0))
    ImageDraw.Draw(image).ellipse([10, 10, 390, 390], fill=(*YELLOW, 255))
    image.save(folder / "club logo.png")
    return [write(folder / "match report.mov", scenes((printed("first half", BLUE), 2), (printed("second half", BLUE), 2)), sound=tone(250, 4)), folder / "club logo.png"]


def logo_in_corner(results, files):
    film = one_film(results)
    assert film.path.suffix.lower() == ".mp4", "it is no MP4"
    assert film.size == (320, 180), "the film's size has changed"
    about(film.length, 4, 0.3, "the length")
    for second in (0.1, 1, 2, 3, 3.85):
        picture = film.at(second)
        x, y = place_of(picture, YELLOW)
        assert x > 0.75 and y < 0.35, f"the logo is not at the top right at second {second}"
        assert 0.004 < share(picture, YELLOW) < 0.07, "the logo has the wrong size"
        assert like(picture, BLUE, 0, 0.7, 1, 1), "the film itself is gone"
        rows, columns = np.nonzero(np.abs(picture.astype(int) - np.array(YELLOW)).max(-1) < 80)
        corners = [picture[y, x] for y in (rows.min(), rows.max()) for x in (columns.min(), columns.max())]
        assert all(np.abs(corner.astype(int) - np.array(BLUE)).max() < 70 for corner in corners), "the logo has a box about it (it is transparent)"
    assert not film.silent, "the sound is gone"


def with_logo(colour_about):
    def done(folder, files):
        frames = []
        for picture in scenes((printed("first half", BLUE), 2), (printed("second half", BLUE), 2)):
            picture = picture.copy()
            if colour_about is not None:
                picture[8:52, 268:312] = colour_about
            y, x = np.mgrid[:180, :320]
            picture[np.hypot(y - 30, x - 290) < 21] = YELLOW
            frames.append(picture)
        return Results((write(folder / "logo.mp4", frames, sound=tone(250, 4)),))
    return done


job("club-logo-top-right", "Please put our club logo small in the upper right corner, all the way through (a seventh of the width or so, it's a transparent png), and give it to me as mp4, not mov",
    make_logo, logo_in_corner, with_logo(None), with_logo(BLACK))

HUM = 300


def make_hum(folder):
    return [write(folder / "lathe.mp4", [ball(i / 90) for i in range(90)], sound=tone(HUM, 6, 0.25)), write_sound(folder / "my voice.wav", spoken("recipe"))]


def voice_and_hum(sound: np.ndarray) -> tuple[float, float]:
    """The voice's loudness, and the hum's strength, where the voice is."""
    part = sound[int(1.2 * RATE):int(5 * RATE)]
    spectrum, places = np.fft.rfft(part), np.fft.rfftfreq(len(part), 1 / RATE)
    spectrum[np.abs(places - HUM) < 12] = 0
    return loud(np.fft.irfft(spectrum, len(part))), strength(part, HUM)


def voice_over(results, files):
    film, voice = one_film(results), heard(files[1])
    about(film.length, 6, 0.3, "the length")
    assert not film.silent, "there is no sound"
    said, hum = voice_and_hum(film.sound)
    before = voice_and_hum(np.concatenate([np.zeros(RATE), voice, np.zeros(RATE)]))[0]
    assert said > 0.01, "the voice is not heard"
    assert hum / said < 0.7 * 0.25 / before, "the machine is not turned down against the voice"
    assert hum > 0.003, "the machine is not heard at all any more"
    clean = film.sound - 0
    spectrum, places = np.fft.rfft(clean), np.fft.rfftfreq(len(clean), 1 / RATE)
    spectrum[np.abs(places - HUM) < 12] = 0
    clean = np.fft.irfft(spectrum, len(clean))
    assert loud(clean, 0.1, 0.85) < 0.2 * said, "the voice begins too early"
    assert loud(clean, 1.1, 2.2) > 0.3 * said, "the voice begins too late"


def speak_over(hum, start):
    def done(folder, files):
        sound = tone(HUM, 6, hum)
        voice = spoken("recipe")
        sound[int(start * 44100):int(start * 44100) + len(voice)] += voice
        return Results((write(folder / "over.mp4", [ball(i / 90) for i in range(90)], sound=sound),))
    return done


job("voice-over-the-machine", "Lay my voice over the film, starting at second 1. The machine in the film should stay audible in the background but much quieter than now",
    make_hum, voice_over, speak_over(0.06, 1), speak_over(0.25, 1))


def make_talks(folder):
    return [write(folder / f"{day}.mp4", scenes((printed(day, BLACK), 4)), sound=np.concatenate([spoken(name), silence(4)])[:4 * 44100])
            for day, name in (("monday", "weather"), ("tuesday", "podcast"), ("wednesday", "garden"))]


def bees(results, files):
    sounds = results.of(".mp3")
    assert len(sounds) == 1 and len(results.sounds) == 1, "one MP3 was wanted"
    assert "tuesday" in (results.answer + sounds[0].name).lower(), "it does not say in which clip"
    assert contains(heard(sounds[0]), heard(MEDIA / "spoken-podcast.wav")) > 0.5, "the MP3 has another clip's sound"


job("the-clip-about-bees", "In which of the three clips do we talk about bees and honey?? I need the sound of that one as an mp3",
    make_talks, bees,
    lambda folder, files: Results((write_sound(folder / "bees.mp3", spoken("podcast")),), "They speak of bees in tuesday.mp4."),
    lambda folder, files: Results((write_sound(folder / "tuesday.mp3", spoken("garden")),), "It is tuesday.mp4."))


def photo(name: str, size=(320, 240)) -> np.ndarray:
    return np.asarray(Image.open(MEDIA / name).convert("RGB").resize(size))


def make_pets(folder):
    return [write(folder / "VID_20240518.mp4", scenes((photo("coffee.jpg"), 2), (photo("cat.jpg"), 2), (photo("rocket.jpg"), 2)), sound=tone(200, 6, 0.1))]


def cat_bit(results, files):
    film = one_film(results)
    about(film.length, 2, 0.5, "the length")
    for second in (0.3, film.length / 2, film.length - 0.3):
        assert similar(film.at(second), photo("cat.jpg")), f"there is no cat at second {second:.1f} of the clip"
    tells(results.words, 2, 0.35, "when the cat comes")
    tells(results.words, 4, 0.35, "when the cat goes")


job("where-is-the-cat", "At which point of the video can you see our cat, from when to when? And then cut out just the bit with the cat as its own clip.",
    make_pets, cat_bit,
    lambda folder, files: Results((write(folder / "cat.mp4", scenes((photo("cat.jpg"), 2)), sound=tone(200, 2, 0.1)),), "The cat is seen from 0:02 to 0:04."),
    lambda folder, files: Results((write(folder / "cat.mp4", scenes((photo("rocket.jpg"), 2))),), "From 2 to 4 seconds."))


def make_lesson(folder):
    one, two = spoken("lost"), spoken("podcast")
    sound = np.concatenate([one, silence(2.5), two])
    frames = scenes((printed("page 1", RED), 3.5), (printed("page 2", GREEN), len(sound) / 44100 - 3.5))
    return [write(folder / "Lesson 4 - screen recording.mp4", frames, sound=sound + hiss(len(sound), 0.0003))]


def no_pauses(results, files):
    film = one_film(results)
    assert film.sound is not None, "there is no sound"
    assert 5.0 < film.length < 7.4, f"it lasts {film.length:.1f} s; without the long pause it would be about 6"
    about(len(film.sound) / RATE, film.length, 0.4, "the sound's length")
    for name in ("lost", "podcast"):
        said = heard(MEDIA / f"spoken-{name}.wav")
        assert contains(film.sound, said[int(0.3 * RATE):int(1.4 * RATE)]) > 0.15, f"a spoken sentence ({name}) is missing"
    blocks = [loud(film.sound, start, start + 0.1) < 0.004 for start in np.arange(0, len(film.sound) / RATE - 0.1, 0.1)]
    longest = max(len(run) for run in "".join("s" if quiet else "." for quiet in blocks).split("."))
    assert longest <= 12, "there still is a long silence"
    assert like(film.at(0.5), RED) and like(film.at(film.length - 0.6), GREEN), "the picture does not go with the sound"


job("lesson-without-pauses", "my screen recording for class 8b has a long pause where i search for the page and say nothing. cut the silence out, picture and sound together of course",
    make_lesson, no_pauses,
    lambda folder, files: Results((write(folder / "short.mp4", scenes((printed("page 1", RED), 2.7), (printed("page 2", GREEN), 3.6)),
                                         sound=np.concatenate([spoken("lost"), silence(0.2), spoken("podcast")])),)))

BEFORE, AFTER = (120, 30, 40), (20, 60, 130)


def two_runs(folder):
    return [write(folder / f"{name}.mp4", [ball(i / 45, ground=ground) for i in range(45)]) for name, ground in (("march", BEFORE), ("september", AFTER))]


def side_by_side(results, files):
    film = one_film(results)
    about(film.length, 3, 0.3, "the length")
    about(film.size[0] / film.size[1], 640 / 180, 0.9, "width by height")
    for second in (0.3, 2.6):
        picture = film.at(second)
        middle = np.median(part_of(picture, 0.05, 0.3, 0.45, 0.7).reshape(-1, 3), 0), np.median(part_of(picture, 0.55, 0.3, 0.95, 0.7).reshape(-1, 3), 0)
        assert np.abs(middle[0] - BEFORE).max() < 40, "March is not on the left"
        assert np.abs(middle[1] - AFTER).max() < 40, "September is not on the right"
        for left, ground, name in ((0, BEFORE, "Before"), (0.5, AFTER, "After")):
            x, y = place_of(part_of(picture, left, 0, left + 0.5, 1), YELLOW)
            about(x, (30 + second / 3 * 260) / 320, 0.09, "the runner's place")
            box = part_of(picture, left + 0.01, 0, left + 0.49, 1).astype(int)
            other = (np.abs(box - ground).max(-1) > 70) & (np.abs(box - YELLOW).max(-1) > 110)
            assert other.mean() > 0.004, f"“{name}” is not written on it"


def beside(labels):
    def done(folder, files):
        frames = []
        for i in range(45):
            image = Image.fromarray(np.hstack([ball(i / 45, ground=BEFORE), ball(i / 45, ground=AFTER)]))
            for x, text in zip((160, 480), labels):
                ImageDraw.Draw(image).text((x, 25), text, fill=WHITE, font=ImageFont.load_default(26), anchor="mm")
            frames.append(np.asarray(image))
        return Results((write(folder / "both.mp4", frames),))
    return done


job("before-and-after", "Two runs of the same athlete. Show them next to each other in one video, March on the left, September on the right, both starting at the same moment, "
    "and write Before on the left one and After on the right one",
    two_runs, side_by_side, beside(("Before", "After")), beside(("", "")))


def make_archive(folder):
    return [write(folder / "U12 final.mp4", scenes((printed("final", RED), 4))),
            write(folder / "U12 semi.mov", scenes((printed("semi", GREEN, size=(240, 320)), 3)), sound=tone(300, 3)),
            write(folder / "training.webm", scenes((printed("training", BLUE, size=(320, 240)), 5)))]


def rows_of(results) -> list[str]:
    rows = []
    for path in results.of(".csv", ".tsv"):
        lines = path.read_text("utf-8-sig").splitlines()
        delimiter = max("\t;,", key=lambda sign: lines[0].count(sign) if lines else 0)
        rows += [" | ".join(row) for row in csv.reader(lines, delimiter=delimiter)]
    for path in results.of(".xlsx"):
        import openpyxl
        rows += ["; ".join(str(cell) for cell in row) for row in openpyxl.load_workbook(path, data_only=True).active.iter_rows(values_only=True)]
    return rows


def film_list(results, files):
    rows = rows_of(results)
    assert rows, "there is no table"
    for name, seconds, width, height in (("U12 final", 4, 320, 180), ("U12 semi", 3, 240, 320), ("training", 5, 320, 240)):
        own = [row for row in rows if name in row]
        assert own, f"{name} is not in the table"
        rest = own[0].replace(name, "").replace("mp4", "")
        for wanted, within, what in ((seconds, 0.15, "length"), (width, 0, "width"), (height, 0, "height")):
            tells(rest, wanted, within, f"the {what} of {name}")
    tells(results.answer, 12, 0.25, "how long all are together")


def listing(total, last):
    def done(folder, files):
        with open(folder / "films.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("file", "seconds", "width", "height"), ("U12 final.mp4", 4.0, 320, 180), ("U12 semi.mov", 3.02, 240, 320), ("training.webm", last, 320, 240)])
        return Results((folder / "films.csv",), f"Together they last {total} seconds.")
    return done


job("list-of-our-films", "I keep the club archive. Make a table (csv) of these videos: file name, length in seconds, width, height. And how many seconds are they all together?",
    make_archive, film_list, listing("12.0", 5.0), listing("12.0", 3.0))

job("undo-it-was-the-start", ("Cut off the last two seconds", "oh no sorry, undo that! It is the FIRST two seconds that must go, the end has to stay"),
    lambda folder: [two_parts(folder / "sack race.mp4")],
    start_gone,
    lambda folder, files: Results((write(folder / "out.mp4", scenes((printed("match", GREEN), 4)), sound=tone(880, 4)),)),
    lambda folder, files: Results((write(folder / "no.mp4", scenes((printed("match", GREEN), 2)), sound=tone(880, 2)),)))

# -- jobs 21 to 30 -------------------------------------------------------------------------------------


def boomerang(results, files):
    frames, length, loop = one_gif(results)
    assert loop == 0, "it does not run for ever"
    about(length, 4, 0.5, "the GIF's length")
    places = np.array([place_of(frame, YELLOW)[0] for frame in frames])
    turn = int(places.argmax())
    about(turn / len(places), 0.5, 0.12, "where it turns back")
    about(places[0], 30 / 320, 0.07, "where the jumper starts")
    about(places[turn], 290 / 320, 0.08, "where the jumper turns back")
    about(places[-1], 30 / 320, 0.1, "where the jumper ends")
    assert (np.diff(places[:turn + 1]) > -0.01).all() and (np.diff(places[turn:]) < 0.01).all(), "it does not run forward and then backward"


job("boomerang-gif", "a boomerang gif of the jump!! first forward then backward, over and over",
    lambda folder: [write(folder / "jump.mp4", [ball(i / 29) for i in range(30)])],
    boomerang,
    lambda folder, files: Results((write_gif(folder / "b.gif", [ball(i / 29) for i in [*range(30), *range(29, -1, -1)]][::2], 7.5),)),
    lambda folder, files: Results((write_gif(folder / "b.gif", [ball(i / 29) for i in [*range(30), *range(30)]][::2], 7.5),)))


def small_quick_gif(results, files):
    frames, length, loop = one_gif(results)
    assert frames[0].shape[1] == 160, f"it is {frames[0].shape[1]} pixels wide, not half of 320"
    about(frames[0].shape[0], 90, 1, "the height")
    about(length, 2, 0.35, "the GIF's length")
    about(place_of(frames[0], YELLOW)[0], 30 / 320, 0.08, "where the ball starts")
    about(place_of(frames[-1], YELLOW)[0], 290 / 320, 0.1, "where the ball ends")


job("gif-no-smaller-and-quicker", ("Turn this clip into an animated gif, 320 px wide", "Too big for the forum. Make it only half as wide.", "good. and now let it run twice as fast"),
    lambda folder: [write(folder / "juggling.mp4", [ball(i / 59, (480, 270)) for i in range(60)])],
    small_quick_gif,
    lambda folder, files: Results((write_gif(folder / "j.gif", [scaled(ball(i / 59), 160, 90) for i in range(0, 60, 3)], 10),)),
    lambda folder, files: Results((write_gif(folder / "j.gif", [scaled(ball(i / 59), 160, 90) for i in range(0, 60, 3)], 5),)))

SCREEN = (480, 270)


def make_recording(folder):
    return [write(folder / "Screen Recording 2024-03-01 at 09.14.22.mov",
                  scenes((printed("Please wait ...", (235, 235, 235), BLACK, SCREEN, 34), 3.5), (printed("Error 4711: disk is full", WHITE, (150, 0, 0), SCREEN, 34), 1), (plain((0, 90, 160), SCREEN), 1)))]


def error_read(results, files):
    assert "4711" in results.answer, "the answer does not say the number of the error"
    pictures = all_pictures(results)
    assert len(pictures) == 1, "one picture of the message was wanted"
    assert pictures[0].shape[1] / pictures[0].shape[0] > 1.5 and pictures[0].shape[1] >= 240, "the picture has another shape, or is tiny"
    assert similar(pictures[0], printed("Error 4711: disk is full", WHITE, (150, 0, 0), SCREEN, 34), 12), "the picture does not show the message"


job("error-number-too-quick", "An error message flashes up shortly before the end of this screen recording, I'm too slow to read it. What is the error number? And I need a still image of the moment where it can be seen, for our IT man",
    make_recording, error_read,
    lambda folder, files: (Image.fromarray(printed("Error 4711: disk is full", WHITE, (150, 0, 0), SCREEN, 34)).save(folder / "e.png"),
                           Results((folder / "e.png",), "The error number is **4711** (disk is full)."))[1],
    lambda folder, files: (Image.fromarray(plain((0, 90, 160), SCREEN)).save(folder / "f.png"), Results((folder / "f.png",), "The error number is 4711."))[1])


def make_spoken_film(folder):
    sound = np.concatenate([silence(0.5), spoken("train"), silence(1.3), spoken("lost")])
    return [write(folder / "interview.mp4", scenes((printed("interview", PURPLE), len(sound) / 44100 + 0.3)), sound=sound + hiss(len(sound), 0.0003))]


def seconds_of(text: str) -> float:
    hours, minutes, seconds = text.replace(",", ".").split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


def subtitles_made(results, files):
    assert len(results.of(".srt")) == 1, "there is no SRT"
    text = results.of(".srt")[0].read_text("utf-8-sig")
    cues = re.findall(r"(\d+:\d\d:\d\d[,.]\d+) --> (\d+:\d\d:\d\d[,.]\d+)[^\n]*\n(.*?)(?=\n\s*\n|\Z)", text, re.S)
    assert cues, "it has no subtitles"
    said = " ".join(words for *_, words in cues).lower()
    wanted = "train glasgow leaves half past platform lost blue umbrella bus yesterday".split()
    found = [word for word in wanted if word in said]
    assert len(found) >= 8, f"only {found} of what is said is in the subtitles"
    starts = [seconds_of(start) for start, _, words in cues]
    assert starts == sorted(starts), "the subtitles are not in order"
    ends = [seconds_of(end) for _, end, _ in cues]
    assert max(ends) < 8.9, "they go on after the film's end"
    later = [seconds_of(start) for start, _, words in cues if re.search(r"umbrella|blue", words.lower())]
    assert later and 4.2 <= later[0] <= 6.9, "the second sentence does not come when it is said"
    assert not re.search("umbrella", cues[0][2].lower()), "both sentences are shown at once"


def subtitle_file(second):
    def done(folder, files):
        (folder / "interview.srt").write_text("1\n00:00:00,500 --> 00:00:04,200\nThe train to Glasgow leaves at half past nine\nfrom platform four.\n\n"
                                              f"2\n{second} --> 00:00:08,000\nI lost my blue umbrella on the bus yesterday.\n", "utf-8")
        return Results((folder / "interview.srt",))
    return done


job("subtitles-for-my-interview", "Write subtitles for what is spoken in the interview (english). I need them as an .srt file with the right times",
    make_spoken_film, subtitles_made, subtitle_file("00:00:05,500"), subtitle_file("00:00:02,000"))


def make_surround(folder):
    silent = silence(4)
    channels = [tone(300, 4, 0.15), tone(700, 4, 0.15), tone(500, 4, 0.2), silent, silent, silent]  # left, right, middle, bass, behind
    return [write(folder / "concert 5.1.mkv", [ball(i / 60) for i in range(60)], sound=np.array(channels), layout="5.1")]


def two_channels(results, files):
    film = one_film(results)
    assert film.path.suffix.lower() == ".mp4", "it is no MP4"
    assert film.channels == 2, f"it has {film.channels} channels, not 2"
    assert film.size == (320, 180), "the size has changed"
    about(film.length, 4, 0.3, "the length")
    about(place_of(film.at(2), YELLOW)[0], 0.5, 0.06, "the ball's place")
    with av.open(str(film.path)) as file:
        resampler, parts = av.AudioResampler("fltp", "stereo", RATE), []
        for frame in file.decode(audio=0):
            parts += [part.to_ndarray() for part in resampler.resample(frame)]
    left, right = np.hstack(parts)
    assert strength(left, 500, 1, 3) > 0.02 and strength(right, 500, 1, 3) > 0.02, "the singer (middle) is lost"
    assert strength(left, 300, 1, 3) > 3 * strength(left, 700, 1, 3), "left is not left"
    assert strength(right, 700, 1, 3) > 3 * strength(right, 300, 1, 3), "right is not right"


def stereo(left, right):
    return lambda folder, files: Results((write(folder / "tv.mp4", [ball(i / 60) for i in range(60)], sound=np.array([sum(left), sum(right)])),))


job("five-one-for-the-old-tv", "the clubhouse tv can do only stereo and mp4, with this one it stays silent. make an mp4 with normal two channel sound from it please",
    make_surround, two_channels,
    stereo((tone(300, 4, 0.1), tone(500, 4, 0.1)), (tone(700, 4, 0.1), tone(500, 4, 0.1))), stereo((tone(300, 4, 0.1),), (tone(700, 4, 0.1),)))


def titled(results, files):
    film = one_film(results)
    about(film.length, 6, 0.3, "the length")
    assert film.size == (320, 180), "the size has changed"
    for second in (0.8, 1.5):
        picture = film.at(second)
        assert share(picture, BLACK) > 0.6, "the title is not on black"
        assert 0.005 < (picture.min(-1) > 150).mean() < 0.4, "no white title is seen"
        columns = np.nonzero(picture.min(-1) > 150)[1]
        assert columns.min() > 2 and columns.max() < 317, "the title runs over the edge"
    assert like(film.at(2.4), ORANGE) and like(film.at(4.6), ORANGE), "the film itself does not follow the title"
    assert mean(film.pictures[-1]).mean() < 45, "the end is not black"
    middle = mean(film.at(film.length - 0.55)).mean()
    assert 25 < middle < 0.85 * np.mean(ORANGE), "it does not fade, it breaks off"
    assert film.sound is not None and loud(film.sound, 0.2, 1.7) < 0.01, "the film's sound already comes with the title"
    about(pitch(film.sound, 2.3, 4.6), 600, 12, "the film's sound")


def fair(fade, sound):
    def done(folder, files):
        frames = scenes((printed("Summer Fair 2024", size=(320, 180)), 2), (plain(ORANGE), 4))
        if fade:
            frames[75:] = [(frame * (1 - (i + 1) / 15)).astype(np.uint8) for i, frame in enumerate(frames[75:])]
        return Results((write(folder / "fair.mp4", frames, sound=sound),))
    return done


job("title-and-fade-out", 'Put a title in front, 2 seconds long, "Summer Fair 2024" in white on black, without sound. And at the end let the picture fade to black during the last second.',
    lambda folder: [write(folder / "fair raw.mp4", scenes((plain(ORANGE), 4)), sound=tone(600, 4))],
    titled, fair(True, np.concatenate([silence(2), tone(600, 4)])), fair(False, np.concatenate([silence(2), tone(600, 4)])))

PLACES = (("coffee.jpg", 2), ("lion.jpg", 1.4), ("rocket.jpg", 2.6))


def split_there(results, files):
    assert len(results.videos) == 3, f"{len(results.videos)} films came, not 3"
    for path, (name, seconds) in zip(results.videos, PLACES):
        film = watched(path)
        about(film.length, seconds, 0.3, f"the length of the part with {name}")
        for second in (0.15, film.length - 0.2):
            assert similar(film.at(second), photo(name)), f"another scene is seen in the part with {name}"
        assert not film.silent, "the sound is gone"


def pieces(*lengths):
    def done(folder, files):
        frames, paths = watched(files[0]).pictures, []
        for i, seconds in enumerate(lengths):
            start, end = round(15 * sum(lengths[:i])), round(15 * sum(lengths[:i + 1]))
            paths.append(write(folder / f"part {i + 1}.mp4", frames[start:end], sound=tone(350, seconds)))
        return Results(tuple(paths))
    return done


job("one-clip-for-each-scene", "Someone glued three recordings together here. Can you find the places where the picture jumps and give me the three scenes as separate clips again?",
    lambda folder: [write(folder / "mixed up.mp4", scenes(*[(photo(name), seconds) for name, seconds in PLACES]), sound=tone(350, 6))],
    split_there, pieces(2, 1.4, 2.6), pieces(2, 2, 2))

WHISTLES = (0.9, 2.6, 4.8)


def make_whistles(folder):
    sound = hiss(6 * 44100, 0.01)
    for start in WHISTLES:
        sound[int(start * 44100):int((start + 0.35) * 44100)] += tone(2800, 0.35, 0.5)[:int((start + 0.35) * 44100) - int(start * 44100)]
    return [write(folder / "sprint starts.mp4", [ball(i / 90) for i in range(90)], sound=sound)]


def whistles_told(results, files):
    tells(results.answer, 3, 0, "how often it is whistled")
    for start in WHISTLES:
        tells(results.words, start, 0.2, "when it is whistled")


job("when-does-the-whistle-blow", "how often does the whistle blow in the video and at what seconds? (it's the only loud thing in it) to a tenth of a second would be nice",
    make_whistles, whistles_told,
    lambda folder, files: Results((), "The whistle blows three times: at 0.9 s, 2.6 s and 4.8 s."),
    lambda folder, files: Results((), "The whistle blows 3 times: at 1.5 s, 3.0 s and 4.5 s."))


def make_colourful(folder):
    return [write(folder / "grandpa 1.mp4", scenes((printed("I", RED), 2)), sound=tone(440, 2)),
            write(folder / "grandpa 2.mp4", scenes((printed("II", YELLOW), 2.5)), sound=tone(660, 2.5))]


def grey_and_joined(results, files):
    film = one_film(results)
    about(film.length, 4.5, 0.3, "the length")
    for second in (0.3, 1.7, 2.4, 4.2):
        assert np.ptp(mean(film.at(second))) < 12, f"it is not black and white at second {second}"
    first, second = mean(film.at(1)).mean(), mean(film.at(3.5)).mean()
    assert 30 < first < 130 and second > first + 50, "the two films do not follow each other"
    assert film.sound is not None, "the sound is gone"
    about(pitch(film.sound, 0.2, 1.8), 440, 10, "the first film's sound")
    about(pitch(film.sound, 2.3, 4.2), 660, 10, "the second film's sound")


def grey(picture):
    return np.repeat(np.asarray(Image.fromarray(picture).convert("L"))[..., None], 3, 2)


def grandpa(change):
    def done(folder, files):
        frames = [grey(p) for p in scenes((printed("I", RED), 2))] + [change(p) for p in scenes((printed("II", YELLOW), 2.5))]
        return Results((write(folder / "grandpa.mp4", frames, sound=np.concatenate([tone(440, 2), tone(660, 2.5)])),))
    return done


job("black-and-white-both-joined", ("Make the first film black and white please, like old times", "lovely! now the other one too", "And now join the two black-and-white ones to one film, 1 before 2"),
    make_colourful, grey_and_joined, grandpa(grey), grandpa(lambda picture: picture))


def make_dropped(folder):
    sound = np.concatenate([tone(440, 2, 0.03), hiss(66150, 0.05), tone(880, 2.5, 0.03)])
    return [write(folder / "wedding speech.mp4", scenes((printed("speech", GREEN), 2), (printed("floor", BLUE), 1.5), (printed("speech", ORANGE), 2.5)), sound=sound)]


def drop_gone(results, files):
    film = one_film(results)
    about(film.length, 4.5, 0.3, "the length")
    assert like(film.at(0.2), GREEN) and like(film.at(1.8), GREEN), "something of the first part is missing"
    assert like(film.at(2.25), ORANGE) and like(film.at(4.3), ORANGE), "something of the last part is missing"
    assert not any(like(picture, BLUE) for picture in film.pictures[2:]), "the floor is still seen"
    assert film.sound is not None, "the sound is gone"
    about(pitch(film.sound, 0.2, 1.8), 440, 10, "the first part's sound")
    about(pitch(film.sound, 2.3, 4.2), 880, 10, "the last part's sound")
    times = loud(film.sound, 0.3, 1.7) / (0.03 / 2**0.5)
    assert times > 1.8, f"the sound is only {times:.2g} times as loud"
    assert strength(film.sound, 1320, 0.3, 1.7) < 0.1 * strength(film.sound, 440, 0.3, 1.7), "the sound is distorted"


def speech(loudness):
    return lambda folder, files: Results((write(folder / "speech.mp4", scenes((printed("speech", GREEN), 2), (printed("speech", ORANGE), 2.5)),
                                                sound=np.concatenate([tone(440, 2, loudness), tone(880, 2.5, loudness)])),))


job("dropped-phone-and-too-quiet", "From second 2 to second 3.5 I dropped the phone, please take that bit out. Also the sound's much too quiet, at least twice as loud please",
    make_dropped, drop_gone, speech(0.12), speech(0.03))
