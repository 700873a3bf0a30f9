"""Values as what is sent, and what comes back as values, checked before anything opens it."""

from __future__ import annotations

import base64
import binascii
import io
import uuid

import numpy as np
import PIL.Image
import PIL.ImageOps

from controlllm.resources import Clip, Region, Sound, encode, union
from controlllm.resources.conversion import convert_sound, convert_video
from controlllm.resources.picture_modes import in_kept_mode, in_usual_colours
from controlllm.resources.sniffing import HEAD_BYTES, Kind, sniff
from controlllm.toolbox import Context, ToolError

from ..shared.video_files import read_facts

#: The longest side of a picture that a model looks at.
LOOKED_AT_SIDE = 1568
MOST_PIXELS = 64_000_000
MOST_SECONDS = 3600.0
MOST_SAMPLES = 160_000_000
_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")


def picture_file(picture: PIL.Image.Image, longest: int = LOOKED_AT_SIDE) -> tuple[bytes, str]:
    """A picture as the bytes of a JPEG, or of a PNG where it is see-through, and their media type;
    made smaller where a side is longer than `longest`."""
    if max(picture.size) > longest:
        picture = picture.copy() if picture.mode in ("L", "RGB", "RGBA") else _coloured(picture)
        picture.thumbnail((longest, longest), PIL.Image.Resampling.LANCZOS)
    if picture.has_transparency_data:
        picture = picture.convert("RGBA")
        if np.asarray(picture)[..., 3].min() < 255:
            return png_file(picture), "image/png"
    buffer = io.BytesIO()
    _bare(picture.convert("RGB")).save(buffer, "JPEG", quality=90)
    return buffer.getvalue(), "image/jpeg"


def png_file(picture: PIL.Image.Image) -> bytes:
    """A picture as the bytes of a PNG, with nothing in it but its pixels."""
    buffer = io.BytesIO()
    _bare(picture).save(buffer, "PNG")
    return buffer.getvalue()


def mask_picture(regions: tuple[Region, ...]) -> PIL.Image.Image:
    """A mask as a picture, white on black; raises ToolError where nothing is marked."""
    if not regions:
        raise ToolError("Nothing is marked in this picture. Mark what to change.")
    return PIL.Image.fromarray(union(regions).astype(np.uint8) * 255)


def wav_file(sound: Sound) -> bytes:
    """A sound as the bytes of a WAV file with 16 bits."""
    return encode("audio", sound)[0]


def data_url(content: bytes, media_type: str) -> str:
    return f"data:{media_type};base64,{base64.b64encode(content).decode()}"


def from_base64(text: str, source: str) -> bytes:
    """The bytes of base64, with or without the beginning of a data URL."""
    _, _, tail = text.rpartition(",") if text.startswith("data:") else ("", "", text)
    try:
        return base64.b64decode("".join(tail.split()), validate=True)
    except (binascii.Error, ValueError):
        raise ToolError(f"{source} sent something that cannot be read.") from None


def read_picture(content: bytes, source: str) -> PIL.Image.Image:
    """The picture in bytes that `source` sent; raises ToolError where there is none."""
    try:
        with PIL.Image.open(io.BytesIO(content), formats=_FORMATS) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise ToolError(
                    f"{source} sent a picture of {picture.width:,} × {picture.height:,} pixels, "
                    "too large to be worked on."
                )
            picture.load()
            upright = in_kept_mode(PIL.ImageOps.exif_transpose(picture))[0]
            return _bare(in_usual_colours(upright))
    except (OSError, SyntaxError, ValueError, PIL.Image.DecompressionBombError):
        raise ToolError(f"{source} sent no picture that can be read. Try again.") from None


def read_sound(content: bytes, media_type: str, source: str, context: Context) -> Sound:
    """The sound in bytes that `source` sent; raises ToolError where there is none.

    Bytes without a header are taken for 16 bits, mono, 24 kHz where the media type says so.
    """
    kind = sniff(content[:HEAD_BYTES])
    if (kind is None or kind.reader != "recording") and media_type in (
        *("audio/pcm", "audio/l16", "audio/x-raw", "audio/raw"),
    ):
        levels = np.frombuffer(content[: len(content) // 2 * 2], "<i2").astype(np.float32) / 32768
        return _some_sound(Sound(levels[:, None], 24_000), source)
    if kind is None or kind.reader != "recording":
        raise ToolError(f"{source} sent no sound that can be read. Try again.")
    return _some_sound(_decoded(content, kind, source, context), source)


def read_clip(content: bytes, source: str, context: Context) -> Clip:
    """The video in bytes that `source` sent, in a new file; raises ToolError where it is none."""
    import av

    kind = sniff(content[:HEAD_BYTES])
    if kind is None or kind.reader != "recording":
        raise ToolError(f"{source} sent no video that can be read. Try again.")
    suffix = {"mov": ".mp4", "matroska": ".webm"}.get(kind.format, ".video")
    path = context.folder / f"{uuid.uuid4().hex}{suffix}"
    path.write_bytes(content)
    try:
        if suffix == ".video":
            target = path.with_suffix(".mp4")
            convert_video(path, kind.format, target, False, 0)
            path.unlink()
            path = target
        read_facts(Clip(path))
    except (av.FFmpegError, EOFError, IndexError, ToolError):
        raise ToolError(f"{source} sent no video that can be read. Try again.") from None
    return Clip(path)


def _decoded(content: bytes, kind: Kind, source: str, context: Context) -> Sound:
    import av
    import soundfile

    beginning = context.folder / uuid.uuid4().hex
    path, flac = beginning.with_suffix(".sound"), beginning.with_suffix(".flac")
    path.write_bytes(content)
    try:
        taken = convert_sound(path, kind.format, flac, MOST_SECONDS, MOST_SAMPLES)
        if taken.frames is None:
            raise ToolError(f"{source} sent a sound that is too long.")
        samples, rate = soundfile.read(flac, dtype="float32", always_2d=True)
        return Sound(samples, int(rate))
    except (av.FFmpegError, EOFError, IndexError, soundfile.LibsndfileError):
        raise ToolError(f"{source} sent no sound that can be read. Try again.") from None
    finally:
        path.unlink(missing_ok=True)
        flac.unlink(missing_ok=True)


def _some_sound(sound: Sound, source: str) -> Sound:
    if not len(sound.samples):
        raise ToolError(f"{source} sent an empty sound. Try again.")
    return sound


def on_white(picture: PIL.Image.Image) -> PIL.Image.Image:
    """The picture in colours, with white behind what is see-through."""
    picture = _coloured(picture)
    if picture.mode == "RGB":
        return picture
    white = PIL.Image.new("RGBA", picture.size, "white")
    return PIL.Image.alpha_composite(white, picture).convert("RGB")


def _coloured(picture: PIL.Image.Image) -> PIL.Image.Image:
    return picture.convert("RGBA" if picture.has_transparency_data else "RGB")


def _bare(picture: PIL.Image.Image) -> PIL.Image.Image:
    """The picture without what a file says beside its pixels: a place, a camera, notes."""
    picture = picture.copy() if picture.mode in ("L", "RGB", "RGBA") else _coloured(picture)
    picture.info = {}
    return picture
