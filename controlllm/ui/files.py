"""Files on their way out: alone with what protects them, as data inside of a page, several in one
ZIP that is sent while it is written."""

from __future__ import annotations

import base64
import io
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

import PIL.Image
from starlette.responses import FileResponse, Response

from controlllm.admission.security import FILE_POLICY
from controlllm.resources import Resource
from controlllm.resources.large_pictures import reduced, room_for
from controlllm.resources.picture_modes import in_usual_colours
from controlllm.ui.drawings.media import is_picture

_THUMBNAIL = 360
#: The longer side of a picture, and of a small one, in pixels.
_SIDE, _SMALL = 1280, 240
#: A sound or video that is larger is only named, in bytes.
MOST_BYTES = 6_000_000
#: All files together, in bytes; what comes after that is only named.
MOST_TOGETHER = 40_000_000
#: What is read of a file at once, in bytes.
_PIECE = 256 * 1024
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
        buffer = io.BytesIO()
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


class Contents:
    """Gives the data of files, as long as there is room.

    Parameters
    ----------
    find: gives the stored file of a resource's value; raises KeyError where there is none.
    """

    def __init__(self, find: Callable[[str], Path]) -> None:
        self._find = find
        self._left = MOST_TOGETHER
        self._made: dict[tuple[str, bool], str] = {}

    def address(self, resource: Resource, small: bool) -> str:
        """The data of a file as an address; empty where it is too large or cannot be read."""
        key = (resource.value, small)
        if key not in self._made:
            media_type, content = self._content(resource, small)
            self._left -= len(content)
            data = base64.b64encode(content).decode()
            self._made[key] = f"data:{media_type};base64,{data}" if content else ""
        elif self._made[key]:
            self._left -= len(self._made[key]) * 3 // 4
        return self._made[key] if self._left >= 0 else ""

    def _content(self, resource: Resource, small: bool) -> tuple[str, bytes]:
        try:
            path = self._find(resource.value)
            if is_picture(resource) or small:
                side = _SMALL if small else _SIDE
                found = scaled(path, resource.media_type.startswith("video/"), side)
                return "image/webp", found or b""
            if path.stat().st_size > min(MOST_BYTES, max(self._left, 0)):
                return "", b""
            return resource.media_type, path.read_bytes()
        except (OSError, KeyError):
            return "", b""


class _Passing(io.RawIOBase):
    """Holds what was written until it is taken; cannot be gone back in."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._place = 0

    def writable(self) -> bool:
        return True

    def write(self, content: object) -> int:
        piece = bytes(content)  # type: ignore[call-overload]
        self._held += piece
        self._place += len(piece)
        return len(piece)

    def tell(self) -> int:
        return self._place

    def taken(self) -> bytes:
        piece, self._held = bytes(self._held), bytearray()
        return piece


def zipped(members: Iterable[tuple[str, Path | bytes]]) -> Iterator[bytes]:
    """The bytes of a ZIP file with these members, piece by piece; a file that is gone is left out.

    Names have to differ. What is a file is stored as it is: media are compressed already.
    """
    target = _Passing()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members:
            if isinstance(content, bytes):
                archive.writestr(name, content, zipfile.ZIP_DEFLATED)
                yield target.taken()
                continue
            try:
                source = content.open("rb")
            except OSError:
                continue
            with source, archive.open(name, "w", force_zip64=True) as member:
                while piece := source.read(_PIECE):
                    member.write(piece)
                    yield target.taken()
    yield target.taken()
