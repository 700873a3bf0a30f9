"""QR codes and bar codes: what is made is read again, also from photos."""

from __future__ import annotations

import numpy as np
import PIL.Image
import PIL.ImageColor
import PIL.ImageFilter
import PIL.ImageOps
import pytest
import skimage.data

from controlllm.toolbox import Context, ToolError
from controlllm.values import values_in
from tests.every_case import every_case
from tools.pictures.codes import make_qr_code, read_qr_code
from tools.pictures.embedded.codes import content_of
from tools.pictures.lettered import without_quotes

LINK = "https://example.org/menu?day=5"


MEANT = [
    (LINK, LINK),
    (f"“{LINK}”", LINK),
    ("Grüße aus Köln, 東京 🎉", "Grüße aus Köln, 東京 🎉"),
    ("Wi-Fi “My Net” with the password “pa ss”", "WIFI:T:WPA;S:My Net;P:pa ss;;"),
    (f"{LINK} for our club's leaflet", LINK),
    ("www.garden-club.org", "https://www.garden-club.org"),
    ("example.org/a", "https://example.org/a"),
    ("anna.berg@example.org", "mailto:anna.berg@example.org"),
    ("+49 30 / 123 45-67", "tel:+49301234567"),
    ("phone number: 030 123456", "tel:030123456"),
    ("Happy birthday, Tom!", "Happy birthday, Tom!"),
    ("2024-05-12", "2024-05-12"),
    ("4006381333931", "4006381333931"),
    ("WIFI:T:WPA;S:Home;P:abc;;", "WIFI:T:WPA;S:Home;P:abc;;"),
    ("network Cafe Lila, password sunshine22", "WIFI:T:WPA;S:Cafe Lila;P:sunshine22;;"),
    ("SSID: Home; Password: a;b:c", r"WIFI:T:WPA;S:Home;P:a\;b\:c;;"),
    ("Wi-Fi: Home\nPassword: secret99!", "WIFI:T:WPA;S:Home;P:secret99!;;"),
    ("wifi called Guest, open", "WIFI:T:nopass;S:Guest;;"),
    ("Our Wi-Fi is slow today", "Our Wi-Fi is slow today"),
    ("qr of bakery.example", "https://bakery.example"),
    ("a QR code for www.garden-club.org to print on the flyer", "https://www.garden-club.org"),
    ("I need a qr code to anna@example.org", "mailto:anna@example.org"),
    ("my guests' wlan, name See-Gast, password moewe24!", "WIFI:T:WPA;S:See-Gast;P:moewe24!;;"),
    ("wifi, it is called See and the password is x2!.", "WIFI:T:WPA;S:See;P:x2!;;"),
    ("A wifi code: network “Tom's Net”, key “a b”. Dark", "WIFI:T:WPA;S:Tom's Net;P:a b;;"),
    (
        "Wifi name: Sun and Bar, password: 1234 5678 9012",
        "WIFI:T:WPA;S:Sun and Bar;P:123456789012;;",
    ),
    ("a qr code with the text Table 12", "Table 12"),
    ("text Table 12", "Table 12"),
    ("Please scan the QR code for details", "Please scan the QR code for details"),
]


@every_case(("text", "content"), MEANT)
def test_words_become_what_a_phone_understands(text: str, content: str) -> None:
    assert content_of(without_quotes(text)) == content


@every_case("content", ["Grüße aus Köln, 東京 🎉", "WIFI:T:WPA;S:My Net;P:pa ss;;"])
def test_a_code_holds_what_was_meant(content: str) -> None:
    assert read_qr_code(make_qr_code(content)) == content


def test_a_code_is_large_sharp_black_on_white_with_a_quiet_edge() -> None:
    code = make_qr_code(LINK)
    pixels = np.asarray(code)
    assert code.width == code.height >= 800 and set(np.unique(pixels)) == {0, 255}
    edge = np.flatnonzero((pixels == 0).any(axis=1))[0]
    assert edge >= 0.05 * code.width


@every_case(
    ("words", "said"),
    [
        (
            "a dark blue QR code for https://a.example on a cream background, 1200 px wide",
            {"colour": "#00008b", "background": "#fff5dc", "size": 1200},
        ),
        (
            "white code on black, 500x500",
            {"colour": "#ffffff", "background": "#000000", "size": 500},
        ),
        ("make it green on a transparent background", {"colour": "#008000", "background": "clear"}),
        ("QR for the Green Party in Black Rock, table 12", {}),
        ("wifi See, password moewe24!", {"ending": "!"}),
    ],
)
def test_the_look_of_a_code_is_said_in_words_and_is_read(words: str, said: dict) -> None:
    kinds = {item.name: item.kind for item in make_qr_code.tool.parameters if item.kind}
    assert values_in(words, kinds) == said
    code = make_qr_code(LINK, **said)
    assert read_qr_code(code) == LINK
    assert not said.get("size") or code.size == (said["size"],) * 2
    ground = PIL.Image.new(
        "RGBA", code.size, said.get("background", "").replace("clear", "#fff") or "#fff"
    )
    shown = PIL.Image.alpha_composite(ground, code.convert("RGBA")).convert("RGB")
    inks = {PIL.ImageColor.getrgb(said.get("colour", "#000000")), ground.getpixel((0, 0))[:3]}
    assert {colour for _, colour in shown.getcolors()} == inks


def test_a_code_that_no_phone_could_read_is_not_made() -> None:
    with pytest.raises(ToolError, match="too much alike"):
        make_qr_code(LINK, colour="#ffff00")
    with pytest.raises(ToolError, match="needs a code of at least 111 pixels"):
        make_qr_code(LINK, size=60)


def test_a_login_tells_the_network_and_keeps_the_password() -> None:
    context = Context()
    code = make_qr_code("wlan, name See, password moewe24", ending="!", context=context)
    assert read_qr_code(code) == "WIFI:T:WPA;S:See;P:moewe24!;;"
    assert context.remarks == ("Phones that scan it join the Wi-Fi “See”.",)


def test_long_texts_have_room_and_too_long_ones_are_refused() -> None:
    long = "abcdefgh " * 150
    assert read_qr_code(make_qr_code(long)) == long.strip()
    with pytest.raises(ToolError, match="too long for a QR code: it has 4000 characters"):
        make_qr_code("x" * 4000)
    with pytest.raises(ToolError, match="nothing to make a code of"):
        make_qr_code(" \n")


def _on_clear_ground(code: PIL.Image.Image) -> PIL.Image.Image:
    black = PIL.Image.new("L", code.size)
    return PIL.Image.merge("RGBA", (black, black, black, PIL.ImageOps.invert(code)))


def _photo_of(code: PIL.Image.Image) -> PIL.Image.Image:
    photo = PIL.Image.fromarray(skimage.data.coffee()).resize((1500, 1000))
    photo.paste(code.resize((420, 420)).rotate(12, expand=True, fillcolor=255), (500, 300))
    return photo.filter(PIL.ImageFilter.GaussianBlur(1.5))


@pytest.mark.long
@every_case(
    "change",
    [
        _photo_of,
        PIL.ImageOps.invert,
        lambda code: code.resize((90, 90)),
        lambda code: code.resize((3400, 3400)),
        lambda code: code.crop(PIL.ImageOps.invert(code).getbbox()),
        lambda code: code.rotate(90),
        _on_clear_ground,
    ],
    ids=["photo", "inverted", "small", "large", "without an edge", "turned", "clear ground"],
)
def test_codes_are_read_however_they_look(change) -> None:
    assert read_qr_code(change(make_qr_code(LINK))) == LINK


def test_several_codes_are_told_each_in_a_line_from_the_top() -> None:
    page = PIL.Image.new("RGB", (1600, 1200), "#aabbcc")
    page.paste(make_qr_code("below").resize((320, 320)), (60, 800))
    page.paste(make_qr_code("above").resize((340, 340)), (900, 100))
    assert read_qr_code(page) == "above\nbelow"


_LEFT = "0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011".split()
_PARITY = "LLLLLL LLGLGG LLGGLG LLGGGL LGLLGG LGGLLG LGGGLL LGLGLG LGLGGL LGGLGL".split()


def _ean_13(digits: str) -> PIL.Image.Image:
    """The bars of a number on a packet, as its standard draws them."""

    def turned(bits: str) -> str:
        return "".join("10"[int(bit)] for bit in bits)

    bits = "101"
    for kind, digit in zip(_PARITY[int(digits[0])], digits[1:7], strict=True):
        own = _LEFT[int(digit)]
        bits += own if kind == "L" else turned(own)[::-1]
    bits += "01010" + "".join(turned(_LEFT[int(digit)]) for digit in digits[7:]) + "101"
    bars = np.repeat(np.array([0 if bit == "1" else 255 for bit in bits], np.uint8), 4)
    shown = np.full((260, len(bars) + 120), 255, np.uint8)
    shown[30:230, 60:-60] = bars
    return PIL.Image.fromarray(shown)


@pytest.mark.few(2)
@pytest.mark.parametrize("angle", [0, 90, 8])
def test_the_number_of_a_bar_code_is_read(angle: int) -> None:
    packet = _ean_13("4006381333931").rotate(angle, expand=True, fillcolor=255)
    assert read_qr_code(packet) == "4006381333931"


@every_case("name", ["astronaut", "page"])
def test_no_code_is_no_answer(name: str) -> None:
    with pytest.raises(ToolError, match="No QR code or bar code could be read"):
        read_qr_code(PIL.Image.fromarray(getattr(skimage.data, name)()))
