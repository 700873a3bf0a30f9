"""Files on their way out, with what protects them."""

from __future__ import annotations

import threading
from functools import lru_cache
from io import BytesIO
from pathlib import Path

import PIL.Image
from starlette.responses import FileResponse, Response

from controlllm.admission.security import FILE_POLICY
from controlllm.resources.large_pictures import reduced, room_for
from controlllm.resources.picture_modes import in_usual_colours

_THUMBNAIL = 360
#: A large picture takes hundreds of megabytes while a small one is made of it.
_one_at_a_time = threading.Lock()
_SHOWN_INLINE = ("image/", "audio/", "video/", "text/", "application/json")


def media_response(path: Path, media_type: str, name: str, small: bool, download: bool) -> Response:
    """A stored file, or a small copy of a picture. Ranges are answered, so that players can seek;
    what a browser might run is shown without any rights, or only handed over as a download."""
    headers = {
        "content-security-policy": FILE_POLICY,
        "cache-control": "private, max-age=86400",
    }
    if small and media_type.startswith(("image/", "video/")):
        content = small_copy(path, media_type.startswith("video/"))
        if content is None:
            return Response(status_code=404)
        return Response(content, media_type="image/webp", headers=headers)
    inline = media_type.startswith(_SHOWN_INLINE) and not download
    if media_type in ("image/svg+xml", "text/xml"):
        inline = False
    return FileResponse(
        path,
        media_type=media_type,
        filename=name,
        content_disposition_type="inline" if inline else "attachment",
        headers=headers,
    )


@lru_cache(maxsize=256)
def small_copy(path: Path, is_video: bool) -> bytes | None:
    """A small copy of a picture, or of a video's first frame, as WebP; None where it cannot be
    read."""
    # Files are content-addressed, so a copy never goes stale.
    return scaled(path, is_video, _THUMBNAIL)


def scaled(path: Path, is_video: bool, side: int) -> bytes | None:
    """A copy of a picture, or of a video's first frame, as WebP, neither side longer than that many
    pixels; None where it cannot be read. It holds nothing but pixels."""
    try:
        with _one_at_a_time:
            small = _first_frame(path) if is_video else _small_picture(path, side)
        small.thumbnail((side, side))
        buffer = BytesIO()
        small.save(buffer, "WEBP", quality=82)
        return buffer.getvalue()
    except (OSError, ValueError, StopIteration):
        return None


def _small_picture(path: Path, side: int) -> PIL.Image.Image:
    with PIL.Image.open(path) as picture:
        picture.draft("RGB", (side, side))
        size = picture.size
    with room_for(size):
        return _reduced_picture(path, side)


def _reduced_picture(path: Path, side: int) -> PIL.Image.Image:
    with PIL.Image.open(path) as picture:
        picture.draft("RGB", (side, side))
        picture.load()
        kept = picture if picture.mode in ("RGB", "RGBA", "L") else picture.convert("RGB")
        small = reduced(kept, side)
        if profile := kept.info.get("icc_profile"):
            small.info["icc_profile"] = profile
        return in_usual_colours(small)


def _first_frame(path: Path) -> PIL.Image.Image:
    import av  # loads the decoders, so only where a video is shown

    with av.open(str(path), options={"protocol_whitelist": "file"}) as video:
        return next(video.decode(video=0)).to_image()
