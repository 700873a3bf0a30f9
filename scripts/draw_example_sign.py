"""Draw the sign of the example requests: ``python scripts/draw_example_sign.py``."""

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

TARGET = Path(__file__).resolve().parent.parent / "assets" / "examples" / "sign.png"
LINES = (
    ("THE CORNER CAFE", 54, "#ffd9a0"),
    ("Fresh bread and coffee", 38, "#f4f1e8"),
    ("Open every day from eight to six", 32, "#f4f1e8"),
    ("Cakes on Sundays", 32, "#a9dcd3"),
)


def draw_sign() -> Image.Image:
    """A chalkboard with four lines of text, 640 x 420."""
    sign = Image.new("RGB", (640, 420), "#7a5230")
    pen = ImageDraw.Draw(sign)
    pen.rounded_rectangle((18, 18, 622, 402), 14, fill="#22332f", outline="#5d3c22", width=5)
    top = 70
    for words, size, colour in LINES:
        font = ImageFont.load_default(size)
        pen.text((320, top), words, fill=colour, font=font, anchor="ma")
        top += size + 32
    pen.line((190, 142, 450, 142), fill="#a9dcd3", width=2)
    return sign


if __name__ == "__main__":
    draw_sign().save(TARGET, optimize=True)
