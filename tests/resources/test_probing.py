"""Taking files in: what they are by content, what is changed, what is refused and how."""

from __future__ import annotations

import io
import struct
import tracemalloc
import wave
import zlib
from collections.abc import Callable
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import av
import numpy as np
import PIL.Image
import pytest
import soundfile
from PIL import ImageCms
from PIL.PngImagePlugin import PngInfo

from controlllm.resources import BadInput, Ingested, Limits, decode, details_of, encode, ingest
from controlllm.resources.encoding import REGIONS_CHUNK
from controlllm.resources.picture_modes import was_turned_upright
from controlllm.resources.values import Box, ClickedPoint, Clip, Sound
from tests.every_case import every_case

MEDIA = Path(str(files("gradio"))) / "media_assets"
GENERATOR = np.random.default_rng(7)

Take = Callable[..., Ingested]


@pytest.fixture
def take(tmp_path: Path) -> Take:
    """Take in bytes, or a file, under a name."""

    def run(content: bytes | Path, name: str, limits: Limits | None = None) -> Ingested:
        path = content
        if isinstance(content, bytes):
            path = tmp_path / "upload"
            path.write_bytes(content)
        before = path.read_bytes()
        try:
            return ingest(path, name, tmp_path / "work", limits)
        finally:
            assert path.read_bytes() == before, "the original was changed"

    return run


@pytest.fixture
def refused(take: Take) -> Callable[..., str]:
    """The sentence with which a file is refused."""

    def run(content: bytes | Path, name: str, limits: Limits | None = None) -> str:
        with pytest.raises(BadInput) as caught:
            take(content, name, limits)
        sentence = str(caught.value)
        assert sentence.count(" ") > 3
        assert sentence.endswith("."), sentence
        return sentence

    return run


def picture(mode: str = "RGB", size: tuple[int, int] = (40, 30)) -> PIL.Image.Image:
    channels = len(PIL.Image.new(mode, (1, 1)).getbands())
    levels = GENERATOR.integers(0, 256, (size[1], size[0], channels), np.uint8)
    return PIL.Image.frombytes(mode, size, levels.tobytes())


def saved(image: PIL.Image.Image, format_name: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format_name, **options)
    return buffer.getvalue()


def png_chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)


def png_with_header(width: int, height: int, rows: bytes = b"") -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + png_chunk(b"IHDR", header)
        + png_chunk(b"IDAT", rows or zlib.compress(b"\0"))
        + png_chunk(b"IEND", b"")
    )


def wav(seconds: float = 1.0, rate: int = 8000, channels: int = 1) -> bytes:
    times = np.arange(int(seconds * rate)) / rate
    tone = (np.sin(times * 2 * np.pi * 440) * 12000).astype("<i2")
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(np.repeat(tone[:, None], channels, 1).tobytes())
    return buffer.getvalue()


def with_data_length(content: bytes, length: int) -> bytes:
    start = content.index(b"data") + 4
    return content[:start] + struct.pack("<I", length) + content[start + 4 :]


def video(
    path: Path,
    codec: str = "libx264",
    container: str | None = None,
    frames: int = 12,
    size: tuple[int, int] = (64, 48),
    sound: str | None = None,
    pixels: str = "yuv420p",
    rate: int = 12,
    index_first: bool = False,
) -> Path:
    """A video of a white square that moves over black, left to right."""
    options = {"movflags": "faststart"} if index_first else {}
    with av.open(str(path), "w", format=container, options=options) as output:
        pictures = output.add_stream(codec, rate=rate)
        pictures.width, pictures.height = size
        pictures.pix_fmt = pixels
        sounds = output.add_stream(sound, rate=48000, layout="mono") if sound else None
        for index in range(frames):
            levels = np.zeros((size[1], size[0], 3), np.uint8)
            levels[8:24, index : index + 16] = 255
            output.mux(pictures.encode(av.VideoFrame.from_ndarray(levels, format="rgb24")))
        output.mux(pictures.encode(None))
        if sounds:
            for index in range(frames):
                tone = np.sin(np.arange(4000) / 10)[None].astype(np.float32) * 0.3
                frame = av.AudioFrame.from_ndarray(tone, format="fltp", layout="mono")
                frame.sample_rate, frame.pts = 48000, index * 4000
                frame.time_base = Fraction(1, 48000)
                output.mux(sounds.encode(frame))
            output.mux(sounds.encode(None))
    return path


def decoded_pictures(path: Path) -> list[np.ndarray]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


class TestPictures:
    @every_case(
        ("format_name", "mode", "media_type"),
        [
            ("JPEG", "RGB", "image/jpeg"),
            ("JPEG", "L", "image/jpeg"),
            ("PNG", "RGB", "image/png"),
            ("PNG", "RGBA", "image/png"),
            ("WEBP", "RGB", "image/webp"),
        ],
        anew=(take,),
    )
    def test_common_pictures_are_kept_as_they_are(self, take, format_name, mode, media_type):
        content = saved(picture(mode), format_name)
        taken = take(content, "a picture")
        assert (taken.type, taken.media_type) == ("image", media_type)
        assert taken.path.read_bytes() == content
        assert taken.details == {"width": 40, "height": 30}
        assert taken.notices == ()

    @every_case("format_name", ["GIF", "BMP", "TIFF", "AVIF"], anew=(take,))
    def test_other_formats_become_png(self, take, format_name):
        taken = take(saved(picture(), format_name), "holiday.xyz")
        assert (taken.type, taken.media_type) == ("image", "image/png")
        assert taken.path.read_bytes().startswith(b"\x89PNG")
        assert decode("image", taken.path).size == (40, 30)

    def test_bmp_keeps_its_pixels(self, take):
        original = picture()
        taken = take(saved(original, "BMP"), "a.bmp")
        assert taken.name == "a.png"
        assert decode("image", taken.path).tobytes() == original.tobytes()

    def test_the_content_decides_and_the_name_follows(self, take):
        assert take(saved(picture(), "PNG"), "photo.jpg").name == "photo.png"
        assert take(saved(picture(), "JPEG"), "photo.JPEG").name == "photo.jpeg"
        assert take(saved(picture(), "JPEG"), "song.mp3").name == "song.jpg"

    def test_a_photo_is_turned_upright_once(self, take):
        exif = PIL.Image.Exif()
        exif[0x0112] = 6  # the camera was held a quarter turn clockwise
        levels = np.zeros((20, 40, 3), np.uint8)
        levels[:, :20] = 255
        taken = take(saved(PIL.Image.fromarray(levels), "JPEG", exif=exif), "camera.jpg")
        assert taken.details == {"width": 20, "height": 40}
        assert taken.notices == ("It was turned upright, as the camera noted.",)
        with PIL.Image.open(taken.path) as upright:
            assert upright.getexif().get(0x0112, 1) == 1
            assert was_turned_upright(upright)
        upright = np.asarray(decode("image", taken.path))
        assert upright[:15].mean() > 250
        assert upright[25:].mean() < 5

    def test_the_first_frame_of_an_animation(self, take):
        first, second = PIL.Image.new("RGB", (9, 7), "red"), PIL.Image.new("RGB", (9, 7), "blue")
        for format_name in ("GIF", "WEBP", "PNG"):
            content = saved(first, format_name, save_all=True, append_images=[second])
            taken = take(content, "moving.gif")
            (notice,) = taken.notices
            assert notice.startswith("It moves: it has 2 frames"), notice
            assert notice.endswith("takes the first frame.")
            assert taken.media_type == "image/png"
            # All of it is kept besides, for what works on every frame.
            assert taken.original_type == f"image/{format_name.lower()}"
            image = decode("image", taken.path).convert("RGB")
            red, green, blue = image.getpixel((3, 3))
            assert red > 240 and green < 15 and blue < 15
            with PIL.Image.open(taken.path) as stored:
                assert not getattr(stored, "is_animated", False)

    def test_the_first_page_of_a_tiff(self, take):
        pages = [PIL.Image.new("RGB", (9, 7), colour) for colour in ("red", "blue")]
        content = saved(pages[0], "TIFF", save_all=True, append_images=pages[1:])
        taken = take(content, "scan.tif")
        assert taken.notices == ("Only the first page of it is used.",)
        assert decode("image", taken.path).getpixel((0, 0)) == (255, 0, 0)

    def test_print_colours_become_screen_colours(self, take):
        content = saved(PIL.Image.new("CMYK", (8, 8), (0, 255, 255, 0)), "JPEG")
        taken = take(content, "print.jpg")
        red, green, blue = decode("image", taken.path).getpixel((4, 4))
        assert red > 200 and green < 60 and blue < 60
        assert taken.media_type == "image/jpeg"
        assert "CMYK" in taken.notices[0]

    def test_a_broken_colour_profile_does_not_stop_print_colours(self, take):
        content = saved(PIL.Image.new("CMYK", (8, 8)), "TIFF", icc_profile=b"not a profile")
        assert decode("image", take(content, "print.tif").path).mode == "RGB"

    def test_a_colour_profile_is_kept_where_a_picture_is_rewritten(self, take):
        profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        taken = take(saved(picture(), "TIFF", icc_profile=profile), "a.tif")
        with PIL.Image.open(taken.path) as stored:
            assert stored.info["icc_profile"] == profile

    def test_sixteen_bits_become_eight_without_clipping(self, take):
        levels = np.linspace(0, 65535, 64 * 64).astype(np.uint16).reshape(64, 64)
        taken = take(saved(PIL.Image.fromarray(levels), "PNG"), "depth.png")
        stored = np.asarray(decode("image", taken.path))
        assert stored.dtype == np.uint8
        assert np.array_equal(stored, levels >> 8)
        assert taken.notices == ("It was reduced to 8 bits of grey.",)

    def test_floating_point_brightness_is_stretched(self, take):
        levels = np.linspace(-2, 3, 100, dtype=np.float32).reshape(10, 10)
        levels[0, 0] = np.nan
        taken = take(saved(PIL.Image.fromarray(levels), "TIFF"), "height.tif")
        stored = np.asarray(decode("image", taken.path))
        assert (stored.min(), stored.max()) == (0, 255)

    def test_palettes(self, take):
        opaque = picture().quantize(16)
        expected = opaque.convert("RGB").tobytes()
        taken = take(saved(opaque, "PNG"), "p.png")
        assert decode("image", taken.path).tobytes() == expected
        clear = picture().quantize(16)
        taken = take(saved(clear, "PNG", transparency=0), "p.png")
        stored = decode("image", taken.path)
        assert stored.mode == "RGBA"
        assert stored.getextrema()[3] == (0, 255)

    def test_grey_with_transparency(self, take):
        taken = take(saved(picture("LA"), "PNG"), "la.png")
        assert decode("image", taken.path).mode == "RGBA"

    @every_case("size", [(1, 1), (1, 3), (1, 20_000), (20_000, 1)], anew=(take,))
    def test_tiny_and_narrow_pictures(self, take, size):
        taken = take(saved(picture("RGB", size), "PNG"), "narrow.png")
        assert taken.details == {"width": size[0], "height": size[1]}

    def test_a_preview_behind_a_photo_is_no_animation(self, take):
        content = saved(picture(), "MPO", save_all=True, append_images=[picture()])
        taken = take(content, "phone.jpg")
        assert (taken.media_type, taken.notices) == ("image/jpeg", ())

    def test_details_of_a_stored_picture(self, take):
        taken = take(saved(picture(), "PNG"), "a.png")
        assert details_of("depth", taken.path) == dict(taken.details)


class TestMasks:
    def test_black_and_white_is_a_mask_whatever_its_name(self, take):
        levels = np.zeros((20, 30), np.uint8)
        levels[5:9, 5:9] = 255
        for mode in ("L", "RGB", "1", "RGBA", "P"):
            content = saved(PIL.Image.fromarray(levels).convert(mode), "PNG")
            taken = take(content, "holiday.png")
            assert (taken.type, taken.media_type) == ("mask", "image/png"), mode
            (region,) = decode("mask", taken.path)
            assert np.array_equal(region.pixels, levels > 0)

    def test_the_word_mask_in_a_name_decides_nothing(self, take):
        assert take(saved(picture("L"), "PNG"), "mask.png").type == "image"

    @every_case("levels", [[0, 0], [255, 255], [0, 254], [0, 255, 128], [1, 255]], anew=(take,))
    def test_anything_else_is_a_picture(self, take, levels):
        content = saved(PIL.Image.fromarray(np.array([levels], np.uint8)), "PNG")
        assert take(content, "mask.png").type == "image"

    def test_a_transparent_picture_is_no_mask(self, take):
        levels = np.zeros((4, 4, 4), np.uint8)
        levels[:2] = 255
        assert take(saved(PIL.Image.fromarray(levels), "PNG"), "logo.png").type == "image"

    @every_case("compressed", [True, False], anew=(take,))
    def test_regions_of_a_stranger_are_not_believed(self, take, compressed):
        info = PngInfo()
        info.add_itxt(REGIONS_CHUNK, '[{"label": "forged"}]', zip=compressed)
        levels = np.zeros((6, 6), np.uint8)
        levels[2:4, 2:4] = 255
        content = saved(PIL.Image.fromarray(levels), "PNG", pnginfo=info)
        taken = take(content, "mask.png")
        assert REGIONS_CHUNK.encode() not in taken.path.read_bytes()
        (region,) = decode("mask", taken.path)
        assert region.label == ""
        assert np.array_equal(region.pixels, levels > 0)


class TestRefusedPictures:
    def test_a_web_page_called_photo(self, refused):
        for page in (
            b"<!DOCTYPE html><html><body>404",
            b"\n <HTML>",
            b"\xef\xbb\xbf<!-- -->\n<html",
        ):
            sentence = refused(page, "photo.jpg")
            assert "photo.jpg is a web page" in sentence
            assert "download" in sentence

    def test_words_called_photo(self, refused):
        assert "photo.jpg is not a picture" in refused(b"Not Found", "photo.jpg")
        assert "song.mp3 is not a sound" in refused(b"Not Found", "song.mp3")

    def test_an_empty_file(self, refused):
        assert refused(b"", "photo.jpg").startswith("photo.jpg is empty.")

    @every_case("format_name", ["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF"])
    @every_case(
        "share",
        [0.05, 0.5, 0.9],
        anew=(take, refused),
    )
    def test_truncated(self, refused, format_name, share):
        content = saved(picture(size=(200, 200)), format_name)
        sentence = refused(content[: max(int(len(content) * share), 16)], "photo.jpg")
        assert "damaged" in sentence

    def test_a_signature_and_nothing_else(self, refused):
        for beginning in (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"GIF89a", b"II*\0"):
            assert "damaged" in refused(beginning + bytes(40), "a.png")

    def test_no_pixels(self, refused):
        for width, height in ((0, 0), (0, 5), (5, 0)):
            refused(png_with_header(width, height), "nothing.png")

    @every_case(
        "side",
        [8_000, 12_000, 20_000, 50_000, 2**31 - 1],
        anew=(take, refused),
    )
    def test_too_many_pixels_by_the_header_alone(self, refused, side):
        tracemalloc.start()
        try:
            sentence = refused(png_with_header(side, side), "huge.png")
            assert tracemalloc.get_traced_memory()[1] < 20_000_000
        finally:
            tracemalloc.stop()
        assert "too large" in sentence
        assert "50 million" in sentence

    def test_a_decompression_bomb(self, refused):
        packer = zlib.compressobj(9)
        row = bytes(50_001)
        rows = b"".join(packer.compress(row) for _ in range(2_000)) + packer.flush()
        content = png_with_header(50_000, 50_000, rows)
        assert len(content) < 1_000_000
        assert "too large" in refused(content, "bomb.png")

    def test_a_bomb_in_a_text_chunk(self, refused):
        info = PngInfo()
        info.add_itxt("comment", " " * 40_000_000, zip=True)
        assert "damaged" in refused(saved(picture(), "PNG", pnginfo=info), "bomb.png")

    def test_one_side_too_long(self, refused):
        sentence = refused(saved(picture("L", (1, 50_000)), "PNG"), "line.png")
        assert "1 × 50,000" in sentence

    def test_over_the_size_limit(self, refused):
        content = saved(picture(), "BMP") + bytes(100)
        sentence = refused(content, "photo.bmp", Limits(max_bytes=1000))
        assert "photo.bmp is too large" in sentence

    @every_case(
        ("content", "words"),
        [
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
            (b"<?xml version='1.0'?>\n<!-- a --><svg/>", "SVG"),
            (b"\x1f\x8b\x08", "compressed"),
            (b"8BPS\0\x01", "Photoshop"),
            (b"MThd\0\0\0\x06", "MIDI"),
            (b"\x7fELF\x02", "program"),
            (b"\0\0\0\x0cJXL \r\n\x87\n", "JPEG XL"),
        ],
        anew=(take, refused),
    )
    def test_kinds_that_are_known_and_not_taken(self, refused, content, words):
        sentence = refused(content, "thing.jpg")
        assert words in sentence
        assert "add" in sentence.lower()


class TestSounds:
    def test_kinds_that_browsers_play_are_kept(self, take, tmp_path):
        for suffix, media_type in (
            ("wav", "audio/wav"),
            ("flac", "audio/flac"),
            ("mp3", "audio/mpeg"),
            ("ogg", "audio/ogg"),
        ):
            path = tmp_path / f"tone.{suffix}"
            soundfile.write(path, np.sin(np.arange(16000) / 9) * 0.4, 16000)
            taken = take(path, "tone.jpg")
            assert (taken.type, taken.media_type) == ("audio", media_type)
            assert taken.name == f"tone.{suffix}"
            assert taken.path == path
            assert taken.details["rate"] == 16000
            assert taken.details["channels"] == 1
            assert taken.details["seconds"] == pytest.approx(1, abs=0.2)
            assert isinstance(decode("audio", taken.path), Sound)

    def test_speech_of_another_program(self, take):
        taken = take(MEDIA / "audio" / "cate_blanch.mp3", "speech.mp3")
        sound = decode("audio", taken.path)
        assert sound.seconds == pytest.approx(taken.details["seconds"], abs=0.6)
        assert np.abs(sound.samples).max() > 0.1

    @every_case(
        ("suffix", "codec", "container"),
        [("m4a", "aac", "ipod"), ("aac", "aac", "adts"), ("wma", "wmav2", "asf")],
        anew=(take,),
    )
    def test_kinds_that_soundfile_cannot_read_become_flac(
        self, take, tmp_path, suffix, codec, container
    ):
        path = tmp_path / f"tone.{suffix}"
        with av.open(str(path), "w", format=container) as output:
            stream = output.add_stream(codec, rate=44100, layout="stereo")
            stream.bit_rate = 128_000
            tone = np.sin(np.arange(88200) * 2 * np.pi * 440 / 44100).astype(np.float32) * 0.5
            frame = av.AudioFrame.from_ndarray(np.stack([tone, tone]), "fltp", "stereo")
            frame.sample_rate = 44100
            output.mux([*stream.encode(frame), *stream.encode(None)])
        taken = take(path, path.name)
        assert (taken.type, taken.media_type, taken.name) == ("audio", "audio/flac", "tone.flac")
        sound = decode("audio", taken.path)
        assert sound.rate == 44100
        assert sound.samples.shape[1] == 2
        assert sound.seconds == pytest.approx(2, abs=0.1)
        spectrum = np.abs(np.fft.rfft(sound.mono()))
        assert spectrum.argmax() / sound.seconds == pytest.approx(440, abs=2)

    def test_sound_in_a_video_container_is_sound(self, take, tmp_path):
        path = tmp_path / "only-sound.mp4"
        with av.open(str(path), "w", format="mp4") as output:
            stream = output.add_stream("aac", rate=48000, layout="mono")
            frame = av.AudioFrame.from_ndarray(
                np.zeros((1, 48000), np.float32), format="fltp", layout="mono"
            )
            frame.sample_rate = 48000
            output.mux([*stream.encode(frame), *stream.encode(None)])
        taken = take(path, "only-sound.mp4")
        assert (taken.type, taken.name) == ("audio", "only-sound.flac")

    def test_aiff_becomes_flac_with_the_same_samples(self, take, tmp_path):
        samples = GENERATOR.integers(-30000, 30000, (4000, 2)).astype(np.int16)
        path = tmp_path / "a.aiff"
        soundfile.write(path, samples, 22050)
        taken = take(path, "a.aiff")
        stored, rate = soundfile.read(taken.path, dtype="int16")
        assert rate == 22050
        assert np.array_equal(stored, samples)

    def test_a_wav_that_browsers_cannot_play_becomes_flac(self, take, tmp_path):
        path = tmp_path / "a.wav"
        soundfile.write(path, np.sin(np.arange(8000) / 9) * 0.4, 8000, "IMA_ADPCM")
        assert take(path, "a.wav").media_type == "audio/flac"

    @every_case("length", [0, 100, 1_000_000, 0x7FFFFFFF, 0xFFFFFFFF], anew=(take,))
    def test_a_wav_with_a_false_length(self, take, length):
        taken = take(with_data_length(wav(4), length), "recorder.wav")
        assert taken.details["seconds"] == pytest.approx(4, abs=0.05)
        assert decode("audio", taken.path).seconds == pytest.approx(4, abs=0.05)
        if length < 1000:
            assert "wrong length" in taken.notices[0]

    def test_a_truncated_wav_is_as_long_as_it_is(self, take):
        taken = take(wav(4)[:32_000], "cut.wav")
        assert taken.details["seconds"] == pytest.approx(2, abs=0.05)

    def test_a_truncated_flac_is_used_as_far_as_it_goes(self, take, tmp_path):
        path = tmp_path / "whole.flac"
        soundfile.write(path, GENERATOR.normal(0, 0.1, 80_000), 8000)
        content = path.read_bytes()
        taken = take(content[: len(content) // 2], "cut.flac")
        assert taken.notices == ("It is incomplete; what could be read of it is used.",)
        assert 3 < taken.details["seconds"] < 6
        assert decode("audio", taken.path).seconds == pytest.approx(taken.details["seconds"])

    def test_a_two_hour_recording_is_taken_by_its_header(self, tmp_path):
        header = with_data_length(wav(0), 2 * 3600 * 8000 * 2)
        path = tmp_path / "meeting.wav"
        path.write_bytes(header)
        with path.open("r+b") as file:
            file.truncate(len(header) + 2 * 3600 * 8000 * 2)
        tracemalloc.start()
        try:
            taken = ingest(path, path.name, tmp_path)
            assert tracemalloc.get_traced_memory()[1] < 5_000_000
        finally:
            tracemalloc.stop()
        assert taken.details == {"seconds": 7200.0, "rate": 8000, "channels": 1}
        assert taken.path == path

    def test_a_long_recording_with_many_samples_is_reduced(self, take):
        taken = take(wav(6, 44100, 2), "concert.wav", Limits(max_samples=300_000))
        kept = {"seconds": 6.0, "rate": 16000, "channels": 1}
        assert taken.details == {**kept, "given_as": "audio/wav", "kilobits": 64}
        assert taken.notices == ("It is long, so it is kept as mono at 16 kHz.",)

    def test_too_long(self, refused):
        sentence = refused(wav(30), "lecture.wav", Limits(max_audio_seconds=10))
        assert "lecture.wav is too long (30 seconds)" in sentence
        assert "10 seconds" in sentence

    def test_no_sound_in_it(self, refused):
        assert "silence.wav holds no sound" in refused(wav(0), "silence.wav")

    @every_case(
        "beginning",
        [b"fLaC", b"OggS", b"ID3\x03", b"RIFF\xff\0\0\0WAVE"],
        anew=(take, refused),
    )
    def test_noise_behind_a_signature(self, refused, beginning):
        refused(beginning + GENERATOR.bytes(3000), "noise.wav")


class TestVideos:
    def test_what_browsers_play_is_kept(self, take, tmp_path):
        path = video(tmp_path / "a.mp4", sound="aac")
        taken = take(path, "clip.mov")
        assert (taken.type, taken.media_type, taken.name) == ("video", "video/mp4", "clip.mp4")
        assert taken.path == path
        assert taken.details == {
            "seconds": pytest.approx(1, abs=0.05),
            "width": 64,
            "height": 48,
            "fps": 12.0,
            "has_audio": True,
        }
        assert details_of("video", path)["width"] == 64

    def test_webm_is_kept(self, take, tmp_path):
        path = video(tmp_path / "a.webm", codec="libvpx-vp9", sound="libopus")
        taken = take(path, "clip.webm")
        assert (taken.media_type, taken.path) == ("video/webm", path)
        assert taken.details["seconds"] == pytest.approx(1, abs=0.1)
        content, media_type = encode("video", Clip(taken.path))
        assert (content, media_type) == (path.read_bytes(), "video/webm")

    def test_without_sound(self, take, tmp_path):
        taken = take(video(tmp_path / "a.mp4"), "a.mp4")
        assert taken.type == "video"
        assert taken.details["has_audio"] is False

    def test_one_frame(self, take, tmp_path):
        taken = take(video(tmp_path / "a.mp4", frames=1), "a.mp4")
        assert taken.details["seconds"] == pytest.approx(1 / 12, abs=0.01)
        taken = take(video(tmp_path / "a.avi", "mpeg4", frames=1), "a.avi")
        assert len(decoded_pictures(taken.path)) == 1

    @every_case(
        ("name", "codec", "sound", "rate"),
        [
            ("a.avi", "mpeg4", "libmp3lame", 12),
            ("a.mkv", "mpeg4", "aac", 12),
            ("a.mpg", "mpeg2video", "mp2", 25),
            ("a.m2ts", "libx264", "aac", 12),
            ("a.flv", "flv1", "libmp3lame", 12),
            ("a.mov", "mjpeg", "pcm_s16le", 12),
        ],
        anew=(take,),
    )
    def test_other_videos_are_converted(self, take, tmp_path, name, codec, sound, rate):
        pixels = "yuvj420p" if codec == "mjpeg" else "yuv420p"
        path = video(tmp_path / name, codec, None, 25, (64, 48), sound, pixels, rate)
        taken = take(path, name)
        assert (taken.type, taken.media_type) == ("video", "video/mp4")
        assert taken.name.endswith(".mp4")
        assert "converted" in taken.notices[0]
        with av.open(str(taken.path)) as container:
            stream = container.streams.video[0]
            assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
            assert container.streams.audio[0].codec_context.name == "aac"
            samples = sum(frame.samples for frame in container.decode(audio=0))
            assert samples / 48000 == pytest.approx(25 / 12, abs=0.15)
        shown = decoded_pictures(taken.path)
        assert abs(len(shown) - 25) <= 1
        assert shown[0][16, 8].min() > 200
        assert shown[-1][16, 4].max() < 60
        assert taken.details["seconds"] == pytest.approx(len(shown) / rate, abs=1.2)

    def test_a_quicktime_or_matroska_file_with_h264_keeps_its_pictures(self, take, tmp_path):
        for name in ("a.mov", "a.mkv"):
            path = video(tmp_path / name, sound="aac")
            taken = take(path, name)
            assert taken.media_type == "video/mp4"
            assert taken.notices == ()
            before, after = decoded_pictures(path), decoded_pictures(taken.path)
            assert len(before) == len(after)
            assert all(map(np.array_equal, before, after))
            assert taken.details["seconds"] == pytest.approx(1, abs=0.1)

    def test_a_wide_video_is_made_smaller_when_converted(self, take, tmp_path):
        path = video(tmp_path / "wide.avi", "mpeg4", frames=2, size=(1920, 1082))
        details = take(path, "wide.avi").details
        assert (details["width"], details["height"]) == (1280, 722)

    def test_a_phone_video_is_turned_upright(self, take, tmp_path):
        path = video(tmp_path / "phone.mp4")
        content = bytearray(path.read_bytes())
        # The matrix of the track header: a quarter turn clockwise when shown.
        start = content.index(b"tkhd") + 4 + 40
        matrix = (0, 0x10000, 0, -0x10000, 0, 0, 48 << 16, 0, 0x40000000)
        content[start : start + 36] = struct.pack(">9i", *matrix)
        taken = take(bytes(content), "phone.mp4")
        assert (taken.details["width"], taken.details["height"]) == (48, 64)
        first = decoded_pictures(taken.path)[0]
        before = decoded_pictures(path)[0]
        assert np.abs(first.astype(int) - np.rot90(before, -1)).mean() < 8

    def test_no_conversion_of_long_videos(self, refused, tmp_path):
        path = video(tmp_path / "a.avi", "mpeg4", frames=60)
        sentence = refused(path, "a.avi", Limits(max_converted_seconds=3))
        assert "H.264" in sentence

    def test_too_long(self, refused, tmp_path):
        path = video(tmp_path / "a.mp4", frames=60)
        assert "too long" in refused(path, "a.mp4", Limits(max_video_seconds=3))

    def test_an_unknown_codec(self, refused, tmp_path):
        content = video(tmp_path / "a.avi", "mpeg4").read_bytes()
        content = content.replace(b"FMP4", b"Q9Z7")
        assert "codec" in refused(content, "a.avi")

    @every_case("share", [0.02, 0.3], anew=(take, refused))
    def test_an_mp4_cut_off_before_its_index(self, refused, tmp_path, share):
        content = video(tmp_path / "a.mp4", frames=60).read_bytes()
        assert "damaged" in refused(content[: int(len(content) * share)], "a.mp4")

    def test_a_video_that_was_cut_off_is_used_as_far_as_it_goes(self, take, tmp_path):
        content = video(tmp_path / "a.avi", "mpeg4", frames=60).read_bytes()
        taken = take(content[: (content.index(b"movi") + len(content)) // 2], "a.avi")
        assert 1 < taken.details["seconds"] < 4.5
        assert len(decoded_pictures(taken.path)) > 10

    def test_a_download_that_broke_off_gets_an_honest_length(self, take, tmp_path):
        content = video(tmp_path / "a.mp4", frames=60, index_first=True).read_bytes()
        taken = take(content[: (content.index(b"mdat") + len(content)) // 2], "a.mp4")
        assert taken.notices == ("It is incomplete; what could be read of it is used.",)
        assert 0.5 < taken.details["seconds"] < 4
        assert details_of("video", taken.path)["seconds"] < 4
        assert len(decoded_pictures(taken.path)) > 5

    def test_pictures_too_large(self, refused, tmp_path):
        path = video(tmp_path / "a.mp4", frames=1, size=(640, 480))
        assert "640 × 480" in refused(path, "a.mp4", Limits(max_pixels=1000))

    @every_case(
        "content",
        [
            b"#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile:///etc/passwd\n",
            b"ffconcat version 1.0\nfile '/etc/passwd'\n",
            b"<?xml version='1.0'?><MPD xmlns='urn:mpeg:dash:schema:mpd:2011'/>",
        ],
        anew=(take, refused),
    )
    def test_playlists_are_refused(self, refused, content):
        for name in ("film.mp4", "film.m3u8", "film.txt"):
            assert "playlist" in refused(content, name)

    def test_a_file_cannot_make_the_reader_open_another(self, refused, tmp_path):
        """A playlist behind the signature of a container is read as that container alone."""
        playlist = b"#EXTM3U\n#EXTINF:5,\n" + str(video(tmp_path / "secret.mp4")).encode()
        refused(b"\0\0\0\x18ftypisom\0\0\0\0" + playlist, "film.mp4")


class TestTexts:
    @every_case(
        "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"], anew=(take,)
    )
    def test_encodings(self, take, encoding):
        words = "Grüße aus Köln – a longer sentence, so that there is something to read.\r\n"
        taken = take(words.encode(encoding), "letter.txt")
        assert (taken.type, taken.media_type) == ("text", "text/plain")
        assert decode("text", taken.path) == words
        assert taken.details == {"characters": len(words)}

    def test_latin_letters_of_old(self, take):
        words = "Wie schön, daß es noch alte Dateien gibt, die man öffnen kann."
        taken = take(words.encode("latin-1"), "alt.txt")
        assert decode("text", taken.path) == words
        assert "Windows-1252" in taken.notices[0]

    def test_names_of_texts(self, take):
        for name, expected in (
            ("notes.md", "notes.md"),
            ("table.CSV", "table.csv"),
            ("README", "README.txt"),
            ("data.json", "data.json.txt"),
        ):
            assert take(b"some words", name).name == expected

    def test_other_scripts(self, take):
        assert decode("text", take("今日は世界".encode(), "a.txt").path) == "今日は世界"

    @every_case("content", [b" \n\t ", "\ufeff".encode()], anew=(take, refused))
    def test_blank(self, refused, content):
        assert "blank" in refused(content, "a.txt")

    def test_no_text(self, refused):
        for content in (b"words\0and nulls", bytes(range(256)), GENERATOR.bytes(5000), b"\x80\x81"):
            assert "no kind of file that I know" in refused(content, "a.txt")

    def test_too_long(self, refused):
        for factor in (1.1, 9):
            content = b"word " * int(factor * 200)
            assert "longer text" in refused(content, "a.txt", Limits(max_text_bytes=1000))

    def test_details_of_what_tools_write(self, tmp_path):
        for type_name, value, expected in (
            ("text", "five!", {"characters": 5}),
            ("bbox", (Box(0, 0, 1, 1),), {"count": 1}),
            ("point", (ClickedPoint(1, 2),), {"points": 1}),
        ):
            path = tmp_path / type_name
            path.write_bytes(encode(type_name, value)[0])
            assert details_of(type_name, path) == expected


class TestNames:
    @every_case(
        ("given", "expected"),
        [
            ("../../etc/passwd", "passwd.png"),
            ("C:\\Users\\me\\photo.png", "photo.png"),
            ("a\0b\x07c.png", "abc.png"),
            ("photo\u202egnp.exe", "photognp.exe.png"),
            ("CON.png", "file-CON.png"),
            ("com1", "file-com1.png"),
            ("concert.png", "concert.png"),
            ("", "file.png"),
            ("...", "file.png"),
            (".png", "file.png"),
            ("<GEN>-1", "_GEN_-1.png"),
            ("my holiday  photo.png ", "my holiday photo.png"),
            ("line\nbreak.png", "line break.png"),
            ("lone\ud800surrogate.png", "lonesurrogate.png"),
            ("Mus\u0065\u0301e.png", "Mus\u00e9e.png"),
            ("v1.2 final", "v1.2 final.png"),
        ],
        anew=(take,),
    )
    def test_names_are_made_safe(self, take, given, expected):
        assert take(saved(picture(), "PNG"), given).name == expected

    def test_long_names_are_cut(self, take):
        for name in ("x" * 300 + ".png", "写" * 100 + ".png"):
            short = take(saved(picture(), "PNG"), name).name
            assert len(short.encode()) <= 164
            assert short.endswith(".png")

    def test_sentences_about_strange_names_are_readable(self, refused):
        sentence = refused(b"", "../\0" + "x" * 300)
        assert "\0" not in sentence
        assert len(sentence) < 150


@pytest.mark.parametrize("channels", [0, 65, 300, 1025, 65_535])
def test_sound_of_channels_that_nobody_has_is_refused(refused, caplog, channels):
    size = 2 * channels
    samples = bytes(4 * size or 100)
    head = struct.pack("<IHHIIHH", 16, 1, channels, 8000, 8000 * size, size & 0xFFFF, 16)
    content = b"WAVEfmt " + head + b"data" + struct.pack("<I", len(samples)) + samples
    said = refused(b"RIFF" + struct.pack("<I", len(content)) + content, "crowd.wav")
    assert "channels of sound; 1 to 64 are possible" in said
    assert not caplog.records
