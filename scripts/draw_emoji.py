"""Draw the emoji of ``assets/emoji`` from Noto Emoji, as the npm package @iconify-json/noto has it.

    python -m venv /tmp/emoji && /tmp/emoji/bin/pip install resvg-py==0.5.0 pillow==12.3.0
    cd /tmp/emoji && npm pack @iconify-json/noto@1.2.9 && tar xzf iconify-json-noto-1.2.9.tgz; cd -
    /tmp/emoji/bin/python scripts/draw_emoji.py /tmp/emoji/package/icons.json assets/emoji

Which ones, and what each is called there, is in `NAMES`.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
from pathlib import Path

import PIL.Image
import resvg_py

SOURCE_SHA256 = "9eac6ef4e7ec122b6f0e7ac281d61008afdbc720d0ce861e398b939daaa347c6"
SIDE = 420
#: What each is called here and in the package.
NAMES = {
    "sunglasses": "smiling-face-with-sunglasses",
    "heart eyes": "smiling-face-with-heart-eyes",
    "wink": "winking-face",
    "laughing": "face-with-tears-of-joy",
    "angry": "angry-face",
    "sad": "crying-face",
    "surprised": "astonished-face",
    "ghost": "ghost",
    "cat": "cat-face",
    "heart": "red-heart",
    "star": "star",
    "fire": "fire",
    "sun": "sun-with-face",
    "smiley": "slightly-smiling-face",
}


def draw(body: str) -> PIL.Image.Image:
    """A square RGBA picture of the inside of an SVG of 128 x 128, without an empty rim."""
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 128 128" width="{SIDE}" height="{SIDE}">{body}</svg>'
    )
    drawn = PIL.Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg))))
    drawn = drawn.convert("RGBA")
    drawn = drawn.crop(drawn.getchannel("A").getbbox())
    side = max(drawn.size)
    square = PIL.Image.new("RGBA", (side, side))
    square.paste(drawn, ((side - drawn.width) // 2, (side - drawn.height) // 2))
    return square


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("icons", type=Path)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    data = arguments.icons.read_bytes()
    if hashlib.sha256(data).hexdigest() != SOURCE_SHA256:
        raise SystemExit(f"{arguments.icons} is not the file of @iconify-json/noto 1.2.9.")
    icons = json.loads(data)["icons"]
    for name, source in NAMES.items():
        target = arguments.folder / f"{name.replace(' ', '-')}.webp"
        draw(icons[source]["body"]).save(target, quality=90, method=6)
