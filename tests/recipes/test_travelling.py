"""A recipe goes into files of each kind and comes out the same; the content stays as it is."""

from __future__ import annotations

import contextlib
import io
import json
import wave
from pathlib import Path

import av
import numpy as np
import PIL.Image
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controlllm.recipes import travelling
from tests.every_case import every_case

PIXELS = np.random.default_rng(1).integers(0, 255, (24, 32, 3), np.uint8)


def _picture(kind, **options):
    buffer = io.BytesIO()
    PIL.Image.fromarray(PIXELS).save(buffer, kind, **options)
    return buffer.getvalue()


def _sound():
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(PIXELS.tobytes()[:1001] + b"\0")
    return buffer.getvalue()


def _video():
    buffer = io.BytesIO()
    with av.open(buffer, "w", format="mp4") as video:
        stream = video.add_stream("mpeg4", rate=5)
        stream.width, stream.height, stream.pix_fmt = 32, 24, "yuv420p"
        for _ in range(5):
            video.mux(stream.encode(av.VideoFrame.from_ndarray(PIXELS, "rgb24")))
        video.mux(stream.encode())
    return buffer.getvalue()


def _mp3(**options):
    """A sound with a title, in the version of tags that is asked for, or without any."""
    buffer = io.BytesIO()
    with av.open(buffer, "w", format="mp3", options=options) as sound:
        if options.get("id3v2_version") != "0":
            sound.metadata["title"] = "Ä title"
        stream = sound.add_stream("mp3", rate=16000, layout="mono")
        wave_ = np.sin(np.arange(8 * 1152) / 9)[None].astype(np.float32)
        for place in range(8):
            part = np.ascontiguousarray(wave_[:, place * 1152 : (place + 1) * 1152])
            frame = av.AudioFrame.from_ndarray(part, "fltp", "mono")
            frame.sample_rate = 16000
            sound.mux(stream.encode(frame))
        sound.mux(stream.encode())
    return buffer.getvalue()


FILES = {
    "a.png": _picture("PNG"),
    "a.jpg": _picture("JPEG"),
    "a.webp": _picture("WEBP"),
    "lossless.webp": _picture("WEBP", lossless=True),
    "extended.webp": _picture("WEBP", exif=b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0"),
    "a.wav": _sound(),
    "a.mp4": _video(),
    "third.mp3": _mp3(id3v2_version="3"),
    "fourth.mp3": _mp3(id3v2_version="4"),
    "untagged.mp3": _mp3(id3v2_version="0", write_xing="0"),
    "a.html": b"<!doctype html><html><body><p>Words</p></body></html>",
    "part.html": b"<p>Words",
}


def _content(path: Path):
    """What a person sees or hears of a file."""
    if path.suffix in (".png", ".jpg", ".webp"):
        with PIL.Image.open(path) as picture:
            return np.asarray(picture.convert("RGB")).tolist()
    if path.suffix == ".wav":
        with wave.open(str(path)) as sound:
            return sound.getparams(), sound.readframes(10_000)
    if path.suffix == ".mp3":
        with av.open(str(path)) as sound:
            heard = [frame.to_ndarray().tolist() for frame in sound.decode(audio=0)]
            return heard, sound.metadata.get("title")
    if path.suffix == ".mp4":
        with av.open(str(path)) as video:
            return [frame.to_ndarray().tolist() for frame in video.decode(video=0)]
    return path.read_bytes().count(b"<p>Words")


@every_case("name", FILES)
def test_content_stays_and_the_newest_recipe_is_the_one(tmp_path, name):
    source, first, second = (tmp_path / f"{place}-{name}" for place in "abc")
    source.write_bytes(FILES[name])
    assert travelling.read(source) is None
    travelling.write(source, first, '{"one": 1}')
    travelling.write(first, second, '{"two": "</script><!-- ]]> & &lt; Grüße"}')
    assert json.loads(travelling.read(second)) == {"two": "</script><!-- ]]> & &lt; Grüße"}
    assert _content(source) == _content(first) == _content(second)
    # The old one is gone, not only hidden.
    assert second.stat().st_size < first.stat().st_size + 300


@every_case("name", FILES)
@settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)
@given(data=st.data())
def test_garbled_files_never_raise(tmp_path, name, data):
    source, target = tmp_path / name, tmp_path / f"with-{name}"
    source.write_bytes(FILES[name])
    travelling.write(source, target, '{"words": "some"}')
    content = bytearray(target.read_bytes())
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=12)):
        content[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content)))
    target.write_bytes(content[:cut])
    found = travelling.read(target)
    assert found is None or isinstance(found, str)
    with contextlib.suppress(travelling.NoRoom):
        travelling.write(target, source, "{}")


@every_case("content", [b"", b"RIFF", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"plain words"])
def test_what_has_no_place_for_a_recipe_says_so(tmp_path, content):
    source = tmp_path / "file.bin"
    source.write_bytes(content)
    assert travelling.read(source) is None
    with pytest.raises(travelling.NoRoom):
        travelling.write(source, tmp_path / "out", "{}")


def test_a_chunk_that_unpacks_to_much_more_is_no_recipe(tmp_path):
    source, target = tmp_path / "a.png", tmp_path / "b.png"
    source.write_bytes(FILES["a.png"])
    travelling.write(source, target, '"' + "x" * 3_000_000 + '"')
    assert target.stat().st_size < 20_000
    assert travelling.read(target) is None


def test_a_recipe_that_is_too_long_for_a_jpeg_is_refused(tmp_path):
    source = tmp_path / "a.jpg"
    source.write_bytes(FILES["a.jpg"])
    with pytest.raises(travelling.NoRoom, match="too long"):
        travelling.write(source, tmp_path / "b.jpg", '"' + "x" * 70_000 + '"')
