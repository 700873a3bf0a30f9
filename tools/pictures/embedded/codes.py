"""Drawing QR codes, and finding and reading QR and bar codes in photos."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

import numpy as np
import PIL.Image

from controlllm.toolbox import ToolError

#: How large a code is at least, so that it can be printed and seen across a room.
_SIDE = 840
_QUIET = 4
#: The longer sides in which a code is looked for: as it is first, then larger or smaller.
_LARGE, _SMALL, _MIDDLE = 2400, 900, 1500


def drawn(content: str) -> PIL.Image.Image:
    """A black QR code on white with its quiet edge. Raises ToolError where it holds too much."""
    import segno

    encoding = None if content.isascii() else "utf-8"
    try:
        code = segno.make(content, micro=False, error="m", encoding=encoding, boost_error=True)
    except segno.DataOverflowError:
        try:
            code = segno.make(content, micro=False, error="l", encoding=encoding)
        except segno.DataOverflowError:
            raise ToolError(
                f"The text is too long for a QR code: it has {len(content)} characters, and a code "
                "holds at most about 2900, fewer where they are not plain letters. Put it on a "
                "page and make a code of the link to it."
            ) from None
    wide = code.symbol_size(border=_QUIET)[0]
    file = io.BytesIO()
    code.save(file, kind="png", scale=max(4, -(-_SIDE // wide)), border=_QUIET)
    return PIL.Image.open(io.BytesIO(file.getvalue())).convert("L")


def read(image: PIL.Image.Image) -> list[str]:
    """What the codes in a picture hold, each once, from the top down."""
    for picture in _views(image):
        found = [*_qr_codes(picture), *_bar_codes(picture)]
        if found:
            lines = (text for _, text in sorted(found, key=lambda item: item[0]))
            return list(dict.fromkeys(lines))
    return []


def _views(image: PIL.Image.Image) -> Iterator[np.ndarray]:
    """The picture as the readers may like it: grey, in several sizes, framed in white, turned."""
    grey = image.convert("L")
    longest = max(grey.size)
    sides = [min(longest, _LARGE)]
    sides += [side for side in (_SMALL, _MIDDLE, _LARGE) if 0.15 < longest / side < 8]
    for side in dict.fromkeys(sides):
        scale = side / longest
        size = (max(1, round(grey.width * scale)), max(1, round(grey.height * scale)))
        how = PIL.Image.Resampling.BICUBIC if scale > 1 else PIL.Image.Resampling.BOX
        picture = np.asarray(grey if scale == 1 else grey.resize(size, how))
        # A code that reaches to the picture's edge has no quiet edge of its own.
        yield np.pad(picture, max(10, side // 20), constant_values=255)
        if side in (sides[0], _SMALL):
            yield np.pad(255 - picture, max(10, side // 20), constant_values=255)
    middle = grey.copy()
    middle.thumbnail((_MIDDLE, _MIDDLE))
    for angle in (90, 45, -45):
        turned = middle.rotate(angle, PIL.Image.Resampling.BICUBIC, expand=True, fillcolor=255)
        yield np.pad(np.asarray(turned), 40, constant_values=255)


def _qr_codes(picture: np.ndarray) -> list[tuple[float, str]]:
    import cv2

    for reader in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
        try:
            ok, texts, places, _ = reader.detectAndDecodeMulti(picture)
        except (cv2.error, UnicodeDecodeError):
            continue
        found = _with_heights(texts, places) if ok else []
        if found:
            return found
    return []


def _bar_codes(picture: np.ndarray) -> list[tuple[float, str]]:
    import cv2

    try:
        ok, texts, _, places = cv2.barcode.BarcodeDetector().detectAndDecodeWithType(picture)
    except (cv2.error, UnicodeDecodeError):
        return []
    return _with_heights(texts, places) if ok else []


def _with_heights(texts: Sequence[str], places: np.ndarray) -> list[tuple[float, str]]:
    return [
        (float(np.asarray(place).reshape(-1, 2)[:, 1].mean()), text)
        for text, place in zip(texts, places, strict=False)
        if text
    ]
