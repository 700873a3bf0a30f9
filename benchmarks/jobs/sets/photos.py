"""Jobs of people with photos and pictures."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import av
import numpy as np
import pypdfium2
from PIL import Image, ImageDraw, ImageFilter, ImageFont, ImageOps

from benchmarks.jobs.job import Job, Results
from benchmarks.jobs.media import MEDIA

RED, GREEN, BLUE, YELLOW = (210, 40, 40), (40, 150, 60), (40, 70, 200), (240, 210, 50)


# What is shared: making pictures

def plain(size, colour):
    return Image.new("RGB", size, colour)


def quad(size, colours=(RED, GREEN, BLUE, YELLOW)):
    """Four coloured quarters: top left, top right, bottom left, bottom right."""
    width, height = size
    picture = plain(size, colours[0])
    draw = ImageDraw.Draw(picture)
    draw.rectangle((width // 2, 0, width, height // 2), fill=colours[1])
    draw.rectangle((0, height // 2, width // 2, height), fill=colours[2])
    draw.rectangle((width // 2, height // 2, width, height), fill=colours[3])
    return picture


def photo(name, size=None):
    picture = Image.open(MEDIA / name).convert("RGB")
    return picture.resize(size) if size else picture


def text(picture, xy, words, size, fill, **more):
    ImageDraw.Draw(picture).text(xy, words, font=ImageFont.load_default(size), fill=fill, **more)
    return picture


def saved(folder, name, picture, **more):
    path = folder / name
    if path.suffix.lower() in (".jpg", ".jpeg"):
        more = {"quality": 92, **more}
    picture.save(path, **more)
    return path


def gives(*names_and_pictures, **more):
    """A `make` that saves these pictures."""
    return lambda folder: [saved(folder, name, maker(), **more) for name, maker in names_and_pictures]


def out(folder, *pictures, suffix=".png", answer="Done.", **more):
    return Results(tuple(saved(folder, f"out-{i}{suffix}", p, **more) for i, p in enumerate(pictures)), answer)


# What is shared: judging pictures

def seen(path):
    """The picture as a person sees it: turned by its EXIF, on white, RGB."""
    picture = ImageOps.exif_transpose(Image.open(path))
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
        white = Image.new("RGBA", picture.size, "white")
        picture = Image.alpha_composite(white, picture)
    return picture.convert("RGB")


def only(results):
    assert len(results.pictures) == 1, f"one picture is wanted, {len(results.pictures)} came"
    return seen(results.pictures[0])


def numbers(picture):
    return np.asarray(picture.convert("RGB"), dtype=float)


def apart(one, two):
    """The mean difference of two pictures, whatever their sizes (0 the same, 255 black and white)."""
    return float(np.abs(numbers(one.resize((96, 96))) - numbers(two.convert("RGB").resize((96, 96)))).mean())


def like(one, two, what="the picture", most=10):
    difference = apart(one, two)
    assert difference < most, f"{what} does not look as it should (differs by {difference:.0f})"


def colour(picture, x, y):
    """The mean colour around a place, given as parts of width and height."""
    width, height = picture.size
    left, top = min(int(x * width), width - 6), min(int(y * height), height - 6)
    return tuple(numbers(picture.crop((left, top, left + 6, top + 6))).mean((0, 1)))


def is_colour(picture, x, y, wanted, most=45):
    got = colour(picture, x, y)
    assert max(abs(a - b) for a, b in zip(got, wanted)) < most, f"colour at {x},{y} is {got}, not {wanted}"


def is_size(picture, width, height, most=1):
    assert abs(picture.width - width) <= most and abs(picture.height - height) <= most, \
        f"the size is {picture.size}, not {width} x {height}"


def is_grey(picture):
    n = numbers(picture)
    assert (n.max(2) - n.min(2)).mean() < 5, "the picture still has colour"


def is_format(path, *formats):
    got = Image.open(path).format
    assert got in formats, f"the format is {got}, not {formats}"


def box(mask):
    """left, top, right, bottom of what is true."""
    rows, columns = np.where(mask.any(1))[0], np.where(mask.any(0))[0]
    assert len(rows) and len(columns), "nothing of it can be seen"
    return columns[0], rows[0], columns[-1] + 1, rows[-1] + 1


def near(picture, wanted, most=50):
    return np.abs(numbers(picture) - np.array(wanted, dtype=float)).max(2) < most


def says(results, *patterns):
    for pattern in patterns:
        assert re.search(pattern, results.words, re.I), f"the answer lacks {pattern!r}: {results.words[:200]!r}"


def pages(results):
    pdfs = results.of(".pdf")
    assert len(pdfs) == 1, f"one PDF is wanted, {len(pdfs)} came"
    document = pypdfium2.PdfDocument(pdfs[0])
    return [(page.get_size(), page.render(scale=1).to_pil().convert("RGB")) for page in document]


JOBS: list[Job] = []


def job(name, words, make, right, reference, wrong):
    JOBS.append(Job(name, words, make, right, reference, wrong))


# 1 to 10

def right(results, files):
    picture = only(results)
    is_size(picture, 400, 400)
    like(picture, ImageOps.fit(seen(files[0]), (400, 400)), "the middle, cut square,", 7)


job("square-profile-photo", "crop the middle of this to a square pls, 400x400, its for my profile picture",
    gives(("me in florida.jpg", lambda: photo("rocket.jpg", (1200, 800)))), right,
    lambda d, f: out(d, ImageOps.fit(seen(f[0]), (400, 400)), suffix=".jpg"),
    lambda d, f: out(d, seen(f[0]).resize((400, 400)), suffix=".jpg"))


def right(results, files):
    picture = only(results)
    size = results.pictures[0].stat().st_size
    assert size <= 300 * 1024, f"the file is {size // 1000} KB, more than 300"
    assert picture.width >= 500, "the picture became tiny"
    assert abs(picture.width / picture.height - 1000 / 872) < 0.02, "the proportions are not kept"
    like(picture, seen(files[0]))


job("mail-under-300-kb", "This picture is too big for the contest's upload form. It says max. 300 KB. Can you make the file small enough? It should still look nice.",
    gives(("stars.jpg", lambda: photo("hubble_deep_field.jpg")), quality=100), right,
    lambda d, f: out(d, seen(f[0]).resize((860, 750)), suffix=".jpg", quality=75),
    lambda d, f: out(d, seen(f[0]), suffix=".png"))


def person():
    picture = plain((1200, 900), (170, 200, 230))
    draw = ImageDraw.Draw(picture)
    draw.ellipse((380, 560, 820, 1200), fill=(50, 60, 80))
    draw.ellipse((470, 180, 730, 580), fill=(225, 170, 140))
    return picture


def right(results, files):
    picture = only(results)
    is_size(picture, 413, 531, 3)
    is_format(results.pictures[0], "JPEG")
    left, top, end, bottom = box(near(picture, (225, 170, 140), 25))
    assert abs((end - left) / (bottom - top) - 260 / 400) < 0.05, "the face is stretched or cut"
    is_colour(picture, 0, 0, (170, 200, 230))


job("form-photo-35x45", "I need a photo for an application form: 35 x 45 mm at 300 dpi, so 413 x 531 pixels, as JPG. Cut off what is too much left and right, but don't squeeze my face!",
    gives(("DSC_0412.jpg", person)), right,
    lambda d, f: out(d, ImageOps.fit(seen(f[0]), (413, 531)), suffix=".jpg", dpi=(300, 300)),
    lambda d, f: out(d, seen(f[0]).resize((413, 531)), suffix=".jpg", dpi=(300, 300)))


def make(folder):
    exif = Image.Exif()
    exif[0x0112] = 6
    return [saved(folder, "IMG_0007.JPG", quad((800, 600)), exif=exif)]


def right(results, files):
    only(results)
    raw = Image.open(results.pictures[0])
    assert raw.getexif().get(0x0112, 1) == 1, "the file still asks to be turned"
    is_size(raw, 600, 800)
    like(raw, seen(files[0]))


job("upright-for-good", "on my phone this photo stands upright but on our club's website it lies on its side. can you save it so that it is really upright everywhere, without needing the hidden rotate flag",
    make, right,
    lambda d, f: out(d, seen(f[0]), suffix=".jpg"),
    lambda d, f: out(d, Image.open(f[0]).convert("RGB"), suffix=".jpg"))


def right(results, files):
    assert len(results.pictures) == 2, f"two pictures are wanted, {len(results.pictures)} came"
    for file in files:
        path = min(results.pictures, key=lambda p: apart(seen(p), seen(file)))
        is_format(path, "JPEG")
        is_size(seen(path), *seen(file).size)
        like(seen(path), seen(file), file.name)


job("webp-to-jpg", "the print shop doesnt take webp. jpg please, both",
    gives(("kaffee.webp", lambda: photo("coffee.jpg")), ("moto.webp", lambda: photo("stereo_motorcycle.jpg"))), right,
    lambda d, f: out(d, *[seen(p) for p in f], suffix=".jpg"),
    lambda d, f: out(d, *[seen(p) for p in f], suffix=".png"))


def make(folder):
    return [saved(folder, "logo_final_v3.png", Image.open(MEDIA / "hf-logo_transpng.png"))]


def right(results, files):
    picture = only(results)
    is_format(results.pictures[0], "JPEG")
    is_size(picture, 256, 256)
    for x, y in ((0, 0), (0.99, 0), (0, 0.99), (0.99, 0.99)):
        is_colour(picture, x, y, (255, 255, 255), 12)
    like(picture, seen(files[0]), "the logo on white")


job("logo-to-jpg-on-white", "Need our logo as JPG for the market stall form. Last time the background came out black, it must be white.",
    make, right,
    lambda d, f: out(d, seen(f[0]), suffix=".jpg"),
    lambda d, f: out(d, Image.alpha_composite(Image.new("RGBA", (256, 256), "black"), Image.open(f[0]).convert("RGBA")).convert("RGB"), suffix=".jpg"))


def right(results, files):
    got = pages(results)
    assert len(got) == 3, f"three pages are wanted, {len(got)} came"
    for (_, page), file in zip(got, files):
        wanted = colour(seen(file), 0.5, 0.5)
        is_colour(page, 0.5, 0.5, wanted)
        part = near(page, wanted).mean()
        assert part > 0.15, f"{file.name} is tiny on its page"


def pdf(folder, pictures):
    path = folder / "out.pdf"
    pictures[0].save(path, save_all=True, append_images=pictures[1:], resolution=100)
    return Results((path,), "Here is the PDF.")


job("three-pictures-one-pdf", "Please put these three scans into ONE pdf, a page each, in this order. Thank you!!",
    gives(("scan1.png", lambda: plain((600, 840), YELLOW)), ("scan3.png", lambda: plain((840, 600), BLUE)), ("scan2.png", lambda: plain((600, 840), RED))), right,
    lambda d, f: pdf(d, [seen(p) for p in f]),
    lambda d, f: pdf(d, [seen(p) for p in sorted(f)]))


def kitchen(size, wall):
    picture = plain(size, wall)
    ImageDraw.Draw(picture).rectangle((size[0] // 3, size[1] // 2, size[0] * 2 // 3, size[1]), fill=(120, 80, 40))
    return picture


def beside(*pictures, height=600):
    pictures = [p.resize((round(p.width * height / p.height), height)) for p in pictures]
    picture, left = plain((sum(p.width for p in pictures), height), (255, 255, 255)), 0
    for p in pictures:
        picture.paste(p, (left, 0))
        left += p.width
    return picture


def right(results, files):
    picture = only(results)
    assert 2.4 < picture.width / picture.height < 3, f"not two equally high pictures side by side: {picture.size}"
    assert picture.height >= 290, "the picture became too small"
    is_colour(picture, 0.08, 0.2, BLUE)
    is_colour(picture, 0.42, 0.2, BLUE)
    is_colour(picture, 0.58, 0.2, (150, 150, 140))
    is_colour(picture, 0.92, 0.2, (150, 150, 140))


job("before-after-swapped", ("put these two pictures of the kitchen next to each other in one picture, same height",
                             "no, other way round: the blue wall left, the grey one right"),
    gives(("before.jpg", lambda: kitchen((400, 300), (150, 150, 140))), ("after.jpg", lambda: kitchen((800, 600), BLUE))), right,
    lambda d, f: out(d, beside(seen(f[1]), seen(f[0]), height=300)),
    lambda d, f: out(d, beside(seen(f[0]), seen(f[1]))))


def right(results, files):
    picture = only(results)
    original = seen(files[0])
    is_size(picture, *original.size)
    is_grey(picture)
    like(picture, ImageOps.mirror(original).convert("L").convert("RGB"), "the mirrored grey picture")


job("bw-and-mirrored", "make it black & white and mirror it (left-right), i want to draw it as a linocut",
    gives(("rocket start.jpg", lambda: photo("rocket.jpg"))), right,
    lambda d, f: out(d, ImageOps.mirror(seen(f[0])).convert("L")),
    lambda d, f: out(d, seen(f[0]).convert("L")))


def changed(picture, original, most=40):
    return np.abs(numbers(picture) - numbers(original)).max(2) > most


def right(results, files):
    picture, original = only(results), seen(files[0])
    is_size(picture, *original.size, 0)
    mask = changed(picture, original, 60)
    assert mask.sum() > 80, "nothing is written on it"
    left, top, end, bottom = box(mask)
    width, height = original.size
    assert left > 0.35 * width and top > 0.75 * height, "the writing is not in the bottom right corner"
    assert end > 0.8 * width and bottom > 0.88 * height, "the writing is not in the corner"
    assert end - left > 1.5 * (bottom - top), "this is not a line of writing"


job("copyright-in-corner", "Please write © Anna Meyer in small white letters into the bottom right corner of my photo, before I post it.",
    gives(("Cappuccino.jpg", lambda: photo("coffee.jpg", (900, 600)))), right,
    lambda d, f: out(d, text(seen(f[0]), (885, 588), "© Anna Meyer", 24, "white", anchor="rs")),
    lambda d, f: out(d, text(seen(f[0]), (15, 40), "© Anna Meyer", 24, "white", anchor="ls")))


# 11 to 20

def captioned(picture, over=False):
    picture = picture.resize((600, 400))
    whole = plain((600, 400 if over else 460), (255, 255, 255))
    whole.paste(picture, (0, 0))
    return text(whole, (300, 370 if over else 430), "SUMMER 1987", 36, "black", anchor="mm")


def right(results, files):
    picture = only(results)
    assert abs(picture.width - 600) <= 1, f"the width is {picture.width}, not 600"
    assert 415 <= picture.height <= 620, f"no strip below a 600 x 400 photo: {picture.size}"
    like(picture.crop((0, 0, 600, 400)), seen(files[0]), "the photo above the strip")
    strip = numbers(picture.crop((0, 402, 600, picture.height)))
    white, dark = (strip.min(2) > 230).mean(), (strip.max(2) < 110).mean()
    assert white > 0.5, "the strip is not white"
    assert dark > 0.004, "nothing is written on the strip"


job("caption-strip-and-600-wide", "Two things for the album. 1) make the photo 600 px wide, 2) then add a white strip UNDER it (don't cover the photo) with the words SUMMER 1987 in black",
    gives(("dias 14.jpg", lambda: photo("coffee.jpg", (1200, 800)))), right,
    lambda d, f: out(d, captioned(seen(f[0]))),
    lambda d, f: out(d, captioned(seen(f[0]), over=True)))


def letter():
    picture = plain((800, 600), (235, 228, 210))
    text(picture, (40, 60), "Thank you for the lovely postcard!", 36, (40, 40, 40))
    return text(picture, (40, 530), "Lindenweg 7, 50667 Cologne", 32, (40, 40, 40))


def covered(picture, top):
    ImageDraw.Draw(picture).rectangle((0, top, picture.width, picture.height), fill="black")
    return picture


def right(results, files):
    picture, original = only(results), seen(files[0])
    is_size(picture, *original.size, 0)
    assert numbers(picture.crop((0, 512, 800, 600))).max() < 60, "the address strip is not black"
    assert changed(picture.crop((0, 0, 800, 508)), original.crop((0, 0, 800, 508)), 60).mean() < 0.001, "more than the strip was changed"


job("black-out-address", "I want to post this card but our address is at the bottom. Paint the lowest 90 pixels completely black, over the whole width. rest stays",
    gives(("card.png", letter)), right,
    lambda d, f: out(d, covered(seen(f[0]), 510)),
    lambda d, f: out(d, seen(f[0]).crop((0, 0, 800, 510))))


def make(folder):
    exif = Image.Exif()
    exif[0x010F] = "Pixel"
    exif.get_ifd(0x8825).update({1: "N", 2: (50.0, 56.0, 29.0), 3: "E", 4: (6.0, 57.0, 30.0)})
    path = saved(folder, "for_sale.jpg", photo("stereo_motorcycle.jpg", (1482, 1000)), exif=exif)
    assert Image.open(path).getexif().get_ifd(0x8825), "the photo has no place"
    return [path]


def right(results, files):
    picture = only(results)
    assert not Image.open(results.pictures[0]).getexif().get_ifd(0x8825), "the file still says where it was taken"
    is_size(picture, 800, 540, 1)
    like(picture, seen(files[0]))


job("remove-place-and-800-wide", "selling my bike online and dont want strangers to see where i live. Take the GPS location out of the file, and make the pic 800 pixels wide.",
    make, right,
    lambda d, f: out(d, seen(f[0]).resize((800, 540)), suffix=".jpg"),
    lambda d, f: out(d, seen(f[0]).resize((800, 540)), suffix=".jpg", exif=Image.open(f[0]).getexif()))


def make(folder):
    exif = Image.Exif()
    exif[0x010F], exif[0x0110], exif[0x0132] = "Canon", "Canon PowerShot A95", "2020:01:05 10:00:00"
    exif.get_ifd(0x8769)[0x9003] = "2011:07:23 15:42:10"
    return [saved(folder, "hochzeit.jpg", photo("astronaut.jpg"), exif=exif)]


job("when-and-which-camera", "when did we take this photo, and with what camera?",
    make, lambda results, files: says(results, r"2011", r"jul|\b0?7[-:./ ]|[-:./ ]0?7\b", r"\b23(rd)?\b", r"canon|powershot|a95"),
    lambda d, f: Results((), "It was taken on 23 July 2011 at 15:42 with a Canon PowerShot A95."),
    lambda d, f: Results((), "It was taken on 5 January 2020 with a Canon PowerShot A95."))


def buttons():
    picture = plain((900, 600), (250, 250, 250))
    draw = ImageDraw.Draw(picture)
    colours = [RED, BLUE, RED, GREEN, BLUE, RED, GREEN, RED, RED, BLUE, GREEN, RED, BLUE, RED, GREEN, BLUE]
    for i, fill in enumerate(colours):
        x, y = 110 + i % 6 * 135 + i * 7 % 20, 110 + i // 6 * 180 + i * 11 % 30
        draw.ellipse((x - 42, y - 42, x + 42, y + 42), fill=fill)
    return picture


job("count-red-buttons", "For my sewing class: how many red buttons are on this picture? (only the red ones)",
    gives(("buttons.png", buttons)), lambda results, files: says(results, r"\b(7|seven)\b"),
    lambda d, f: Results((), "There are **seven** red buttons."),
    lambda d, f: Results((), "There are 16 buttons."))


def right(results, files):
    picture = only(results)
    is_grey(picture)
    is_size(picture, *seen(files[2]).size)
    like(picture, seen(files[2]).convert("L"), "the cat in black and white")


job("find-cat-make-bw", "one of these four is our cat Minka. make that one black and white. I don't need the other ones",
    gives(("IMG_2031.jpg", lambda: photo("coffee.jpg")), ("IMG_2032.jpg", lambda: photo("tower.jpg")),
          ("IMG_2033.jpg", lambda: photo("cat.jpg")), ("IMG_2034.jpg", lambda: photo("stereo_motorcycle.jpg"))), right,
    lambda d, f: out(d, seen(f[2]).convert("L")),
    lambda d, f: out(d, seen(f[1]).convert("L")))


def sign():
    picture = plain((1000, 640), (252, 248, 235))
    for i, line in enumerate(("FRESH BREAD", "Monday to Friday", "7:30 - 18:00", "Closed on Sunday")):
        text(picture, (500, 110 + i * 140), line, 76, (30, 30, 30), anchor="mm")
    return picture


job("read-the-shop-sign", "Could you type out what is written on our shop sign so I can paste it on Facebook?",
    gives(("bakery sign.jpg", sign)),
    lambda results, files: says(results, r"fresh\s+bread", r"monday\s+to\s+friday", r"7[:.]30", r"18[:.]00", r"closed\s+on\s+sunday"),
    lambda d, f: Results((), "FRESH BREAD\nMonday to Friday\n7:30 – 18:00\nClosed on Sunday"),
    lambda d, f: Results((), "FRESH BREAD\nMonday to Friday"))


def zipped(folder, pictures):
    path = folder / "out.zip"
    with zipfile.ZipFile(path, "w") as z:
        for i, picture in enumerate(pictures):
            into = io.BytesIO()
            picture.save(into, "JPEG")
            z.writestr(f"product-{i}.jpg", into.getvalue())
    return Results((path,), "Here is the zip.")


def right(results, files):
    zips = results.of(".zip")
    assert len(zips) == 1, f"one zip is wanted, {len(zips)} came"
    with zipfile.ZipFile(zips[0]) as z:
        names = [n for n in z.namelist() if not n.endswith("/")]
        got = [seen(io.BytesIO(z.read(n))) for n in names]
    assert len(got) == 3, f"there are {len(got)} files in the zip, not 3"
    for file in files:
        wanted = seen(file)
        picture = min(got, key=lambda p: apart(p, wanted))
        like(picture, wanted, file.name)
        is_size(picture, 800, round(wanted.height * 800 / wanted.width))


job("shop-pictures-800-zip", "these are for the web shop. all 800 wide please (heights as they come, not squashed) and then everything into one zip file",
    gives(("mug.jpg", lambda: photo("coffee.jpg", (1200, 800))), ("grass mat.jpg", lambda: photo("grass.jpg", (1024, 1024))),
          ("tile_red.jpg", lambda: photo("brick.jpg", (900, 1200)))), right,
    lambda d, f: zipped(d, [p.resize((800, round(p.height * 800 / p.width))) for p in map(seen, f)]),
    lambda d, f: zipped(d, [seen(p).resize((800, 800)) for p in f]))


def bottle():
    picture = plain((500, 1250), (0, 128, 128))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, 500, 125), fill=RED)
    draw.rectangle((0, 1125, 500, 1250), fill=BLUE)
    return picture


def right(results, files):
    picture = only(results)
    is_size(picture, 1000, 1000, 0)
    is_colour(picture, 0, 0.5, (255, 255, 255), 10)
    is_colour(picture, 0.99, 0.5, (255, 255, 255), 10)
    left, top, end, bottom = box(numbers(picture).min(2) < 200)
    assert bottom - top > 700, "the product became too small"
    assert abs((end - left) / (bottom - top) - 0.4) < 0.02, "the product is squashed"
    assert abs(left - (1000 - end)) < 12 and abs(top - (1000 - bottom)) < 12, "it is not in the middle"
    is_colour(picture, 0.5, (top + 20) / 1000, RED)
    is_colour(picture, 0.5, (bottom - 25) / 1000, BLUE)


job("white-square-1000", "The marketplace wants square pictures 1000 x 1000. Don't cut anything off the bottle and don't stretch it, just fill up with white left and right.",
    gives(("bottle.jpg", bottle)), right,
    lambda d, f: out(d, ImageOps.pad(seen(f[0]), (1000, 1000), color="white"), suffix=".jpg"),
    lambda d, f: out(d, ImageOps.fit(seen(f[0]), (1000, 1000)), suffix=".jpg"))


def right(results, files):
    picture = only(results)
    is_size(picture, 450, 300)
    is_format(results.pictures[0], "PNG")
    like(picture, seen(files[0]))


job("smaller-then-smaller-then-png", ("make this 900 px wide", "hmm still too big for the newsletter. 450 wide", "perfect! now the same as png please"),
    gives(("Sommerfest.jpg", lambda: photo("coffee.jpg", (1500, 1000)))), right,
    lambda d, f: out(d, seen(f[0]).resize((450, 300))),
    lambda d, f: out(d, seen(f[0]).resize((900, 600))))


# 21 to 30

def lighter(picture, factor):
    return Image.fromarray(np.clip(numbers(picture) * factor, 0, 255).astype("uint8"))


def right(results, files):
    picture, original = only(results), seen(files[0])
    is_size(picture, *original.size)
    was, became = numbers(original).mean(), numbers(picture).mean()
    assert became > 1.6 * was, f"not much lighter: {was:.0f} became {became:.0f}"
    assert (numbers(picture).min(2) > 250).mean() < 0.25, "much of it is burnt out to white"
    one, two = (np.asarray(p.convert("L").resize((96, 96)), float).ravel() for p in (original, picture))
    assert np.corrcoef(one, two)[0, 1] > 0.8, "it is not the same picture any more"


job("lighter-and-lighter", ("The photo from our cellar party is way too dark, make it lighter", "still too dark, quite a bit lighter please!"),
    gives(("cellar.jpg", lambda: lighter(photo("coffee.jpg"), 0.25))), right,
    lambda d, f: out(d, lighter(seen(f[0]), 2.6), suffix=".jpg"),
    lambda d, f: out(d, lighter(seen(f[0]), 1.05), suffix=".jpg"))


def right(results, files):
    picture = only(results)
    is_size(picture, *seen(files[0]).size)
    like(picture, ImageOps.mirror(seen(files[0])), "the mirrored picture")


job("undo-then-mirror", ("turn the picture upside down", "oh no that was a mistake, undo that. I only want left and right swapped, like in a mirror"),
    gives(("quilt.png", lambda: quad((640, 480)))), right,
    lambda d, f: out(d, ImageOps.mirror(seen(f[0]))),
    lambda d, f: out(d, ImageOps.mirror(seen(f[0]).rotate(180))))


def animated(folder, pictures, ms):
    path = folder / "out.gif"
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=ms, loop=0)
    return Results((path,), "Here is the GIF.")


def right(results, files):
    gifs = results.of(".gif")
    assert len(gifs) == 1, f"one GIF is wanted, {len(gifs)} came"
    gif = Image.open(gifs[0])
    assert gif.n_frames >= 4, f"it has {gif.n_frames} pictures"
    shown = []
    for i in range(gif.n_frames):
        gif.seek(i)
        shown.append((gif.convert("RGB").copy(), gif.info.get("duration", 0)))
    total = sum(ms for _, ms in shown)
    assert 1800 <= total <= 2200, f"it takes {total} ms, not 2 s"
    assert gif.info.get("loop") == 0, "it does not go round for ever"
    for i, file in enumerate(files):
        when, passed = i * total / 4 + total / 8, 0
        for frame, ms in shown:
            passed += ms
            if passed > when:
                break
        like(frame, seen(file), f"picture {i + 1} of the GIF", 20)


def step(n):
    picture = plain((480, 360), ((250, 240, 230), (200, 220, 250), (220, 250, 210), (250, 220, 240))[n])
    ImageDraw.Draw(picture).rectangle((40 + n * 100, 120, 130 + n * 100, 260), fill=RED)
    return picture


job("gif-from-four", "Make a gif out of my 4 drawings pls. each half a second, in a loop forever",
    gives(*[(f"flip{n + 1}.png", lambda n=n: step(n)) for n in range(4)]), right,
    lambda d, f: animated(d, [seen(p) for p in f], 500),
    lambda d, f: animated(d, [seen(p) for p in f], 100))


def sheet(pictures, landscape=False):
    page = plain((1754, 1240) if landscape else (1240, 1754), (255, 255, 255))
    for i, picture in enumerate(pictures):
        page.paste(picture.resize((520, 390)), (80 + i % 2 * 560, 120 + i // 2 * (420 if landscape else 800)))
    return page


def sheet_pdf(folder, page):
    page.save(folder / "out.pdf", resolution=150)
    return Results((folder / "out.pdf",), "Here is the sheet.")


SHEET = (RED, GREEN, BLUE, YELLOW)


def right(results, files):
    got = pages(results)
    assert len(got) == 1, f"one page is wanted, {len(got)} came"
    (width, height), page = got[0]
    assert abs(width - 595) < 6 and abs(height - 842) < 6, f"the page is {width:.0f} x {height:.0f} points, not A4 upright"
    for i, wanted in enumerate(SHEET):
        left, top, end, bottom = box(near(page, wanted, 35))
        assert abs((end - left) / (bottom - top) - 4 / 3) < 0.12, f"picture {i + 1} is distorted or cut"
        assert end - left > 120, f"picture {i + 1} is too small"
        middle = ((left + end) / 2 > width / 2, (top + bottom) / 2 > height / 2)
        assert middle == (i % 2 == 1, i // 2 == 1), f"picture {i + 1} is at the wrong place"


job("handout-a4-two-by-two", "I'm a teacher. I need a worksheet: the four pictures on ONE upright A4 page, 2 x 2 (first two on top, the other two below), not distorted. As PDF for printing.",
    gives(*[(f"{name}.png", lambda c=c: plain((800, 600), c)) for name, c in zip(("a apple", "b leaf", "c sea", "d sun"), SHEET)]), right,
    lambda d, f: sheet_pdf(d, sheet([seen(p) for p in f])),
    lambda d, f: sheet_pdf(d, sheet([seen(p) for p in f], landscape=True)))


def panorama():
    picture = beside(plain((1500, 600), RED), plain((1500, 600), GREEN), plain((1500, 600), BLUE))
    ImageDraw.Draw(picture).ellipse((1350, 200, 1650, 400), fill=YELLOW)
    return picture


def thirds(picture):
    return [picture.crop((i * picture.width // 3, 0, (i + 1) * picture.width // 3, picture.height)) for i in range(3)]


def right(results, files):
    assert len(results.pictures) == 3, f"three pictures are wanted, {len(results.pictures)} came"
    for path, wanted in zip(results.pictures, thirds(seen(files[0]))):
        is_size(seen(path), 1500, 600, 2)
        like(seen(path), wanted, f"the part {path.name}", 6)


job("panorama-in-three", "cut my panorama in three equal pieces next to each other so i can post it as a swipe thing on insta. left one first",
    gives(("PANO_20230811_alps.jpg", panorama)), right,
    lambda d, f: out(d, *thirds(seen(f[0])), suffix=".jpg"),
    lambda d, f: out(d, *[p.resize((1500, 600)) for p in [seen(f[0])] * 3], suffix=".jpg"))


def right(results, files):
    picture = only(results)
    is_size(picture, *seen(files[0]).size)
    like(picture, photo("cat.jpg"), "the positive", 25)


job("negative-to-positive", "I photographed an old colour negative on a light table. Can you invert the colours so that I see the real picture?",
    gives(("negativ 22a.png", lambda: ImageOps.invert(photo("cat.jpg")))), right,
    lambda d, f: out(d, ImageOps.invert(seen(f[0]))),
    lambda d, f: out(d, ImageOps.mirror(seen(f[0]))))


def green_logo():
    picture = plain((600, 400), (0x1E, 0x7A, 0x4C))
    return text(picture, (300, 200), "Bio-Hof Lang", 70, "white", anchor="mm")


job("hex-of-the-green", "whats the hex code of the green background in our logo? need it for the flyer",
    gives(("hof_logo.png", green_logo)), lambda results, files: says(results, r"1e\s?7a\s?4c"),
    lambda d, f: Results((), "The green is `#1E7A4C`, which covers most of the picture."),
    lambda d, f: Results((), "The most frequent colour is #FFFFFF."))


def mug():
    picture = plain((800, 800), (255, 255, 255))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((200, 220, 560, 640), fill=RED)
    draw.rectangle((560, 330, 680, 520), fill=BLUE)
    return picture


def without_white(picture):
    picture = picture.convert("RGBA")
    n = np.array(picture)
    n[..., 3] = np.where(n[..., :3].min(2) > 240, 0, 255)
    return Image.fromarray(n)


def right(results, files):
    assert len(results.pictures) == 1, f"one picture is wanted, {len(results.pictures)} came"
    picture = Image.open(results.pictures[0]).convert("RGBA")
    alpha = np.asarray(picture)[..., 3]
    assert (alpha > 200).mean() > 0.05 and (alpha < 40).mean() > 0.05, "nothing, or all, is transparent"
    if picture.size == (800, 800):  # cut to the mug would be right, too
        assert alpha[5, 5] < 10 and alpha[790, 790] < 10 and alpha[250, 700] < 10, "the background is not transparent"
        assert alpha[400, 300] > 245 and alpha[420, 620] > 245, "the mug has become transparent"
        is_colour(picture, 0.4, 0.5, RED)
        is_colour(picture, 0.77, 0.5, BLUE)
    else:
        assert alpha[3, -3] < 10, "the background is not transparent"
        is_colour(picture, 0.3, 0.5, RED)


job("white-becomes-transparent", "the white around the mug should be transparent so that I can lay it over my poster",
    gives(("mug on white.png", mug)), right,
    lambda d, f: out(d, without_white(seen(f[0]))),
    lambda d, f: out(d, seen(f[0])))


def framed(picture, colour=(255, 0, 0)):
    return ImageOps.expand(picture, 20, colour)


def right(results, files):
    picture = only(results)
    is_size(picture, 440, 640, 0)
    for x, y in ((0.01, 0.01), (0.5, 0.01), (0.01, 0.5), (0.97, 0.5), (0.5, 0.98)):
        red, green, blue = colour(picture, x, y)
        assert red > 150 and green < 80 and blue < 80, f"the frame is not red at {x},{y}"
    like(picture.crop((20, 20, 420, 620)), seen(files[0]).rotate(-90, expand=True), "the turned photo in the frame")


job("turn-right-then-frame", "Turn the photo to the right by 90° (clockwise) and then put a red frame of 20 pixels around it, outside, so nothing gets covered",
    gives(("Oma & Opa.png", lambda: quad((600, 400), (YELLOW, GREEN, BLUE, (120, 60, 140))))), right,
    lambda d, f: out(d, framed(seen(f[0]).rotate(-90, expand=True))),
    lambda d, f: out(d, framed(seen(f[0]).rotate(90, expand=True))))


job("print-size-in-cm", "How big in centimetres can I print this photo at 300 dpi? width and height please",
    gives(("beach.jpg", lambda: photo("rocket.jpg", (1500, 900)))),
    lambda results, files: says(results, r"12[.,]7", r"\b7[.,]6"),
    lambda d, f: Results((), "At 300 dpi it prints at 12.7 × 7.62 cm."),
    lambda d, f: Results((), "At 300 dpi it prints at 5 × 3 cm."))


# 31 to 34

def right(results, files):
    picture = only(results)
    is_format(results.pictures[0], "PNG")
    is_size(picture, 500, 375)
    like(picture, seen(files[0]))


job("umlaut-name-half-png", "bitte... sorry, English: half the size (in width and height) and as PNG please. Thanks!",
    gives(("Tante Käthes 70. Geburtstag – Köln, Biergarten (Kopie 2) größer.jpg", lambda: photo("coffee.jpg", (1000, 750)))), right,
    lambda d, f: out(d, seen(f[0]).resize((500, 375))),
    lambda d, f: out(d, seen(f[0])))


def scan():
    picture = plain((1400, 800), (255, 255, 255))
    picture.paste(photo("coffee.jpg", (600, 450)), (60, 150))
    picture.paste(photo("brick.jpg", (500, 600)), (800, 90))
    return picture


def right(results, files):
    assert len(results.pictures) == 2, f"two pictures are wanted, {len(results.pictures)} came"
    for path, (place, what) in zip(results.pictures, (((60, 150, 660, 600), "the left photo"), ((800, 90, 1300, 690), "the right photo"))):
        is_format(path, "JPEG")
        picture = seen(path)
        is_size(picture, place[2] - place[0], place[3] - place[1], 14)
        like(picture, seen(files[0]).crop(place), what, 16)


job("two-photos-on-one-scan", "I scanned two photos at once. Please cut them apart into two pictures, without the white around them, left one first, and save both as jpg",
    gives(("Scan_0001.png", scan)), right,
    lambda d, f: out(d, seen(f[0]).crop((60, 150, 660, 600)), seen(f[0]).crop((800, 90, 1300, 690)), suffix=".jpg"),
    lambda d, f: out(d, seen(f[0]).crop((0, 0, 700, 800)), seen(f[0]).crop((700, 0, 1400, 800)), suffix=".jpg"))


def film(folder, pictures, seconds, sound=None):
    """Each picture for so many seconds, with the beginning of a sound."""
    path = folder / "out.mp4"
    with av.open(path, "w") as box_:
        video = box_.add_stream("mpeg4", rate=10)
        video.width, video.height, video.pix_fmt, video.bit_rate = 480, 360, "yuv420p", 1_000_000
        if sound:
            audio = box_.add_stream("aac", rate=44100)
        for picture in pictures:
            for _ in range(seconds * 10):
                box_.mux(video.encode(av.VideoFrame.from_image(picture.resize((480, 360)))))
        box_.mux(video.encode())
        if sound:
            resampler, left = av.AudioResampler("fltp", "stereo", 44100), len(pictures) * seconds * 44100
            with av.open(sound) as source:
                for frame in source.decode(audio=0):
                    for part in resampler.resample(frame):
                        if left > 0:
                            left -= part.samples
                            part.pts = None
                            box_.mux(audio.encode(part))
            box_.mux(audio.encode())
    return Results((path,), "Here is the film.")


def right(results, files):
    assert len(results.videos) == 1, f"one film is wanted, {len(results.videos)} came"
    assert results.videos[0].suffix.lower() == ".mp4", "it is not an mp4"
    with av.open(results.videos[0]) as source:
        long = source.duration / 1e6
        shown = [(frame.time, frame.to_image()) for frame in source.decode(video=0)]
    assert 5.5 <= long <= 6.7, f"the film takes {long:.1f} s, not 6"
    for i, wanted in enumerate((RED, GREEN, BLUE)):
        frame = [image for when, image in shown if when <= 2 * i + 1.05][-1]
        is_colour(frame, 0.5, 0.5, wanted, 60)
    with av.open(results.videos[0]) as source:
        assert source.streams.audio, "the film has no sound"
        resampler = av.AudioResampler("flt", "mono", 16000)
        sound = np.concatenate([part.to_ndarray().ravel() for f in source.decode(audio=0) for part in resampler.resample(f)])
    assert len(sound) / 16000 > 5, "the music stops early"
    assert np.sqrt((sound ** 2).mean()) > 0.003, "the film is silent"


job("slideshow-with-music", "A slideshow for grandma's birthday: every photo 2 seconds, in this order, and the music underneath. The film should end with the last photo. mp4",
    lambda d: [*gives(*[(f"{n}.png", lambda c=c: plain((640, 480), c)) for n, c in zip(("z1", "m2", "a3"), (RED, GREEN, BLUE))])(d), *sax(d)], right,
    lambda d, f: film(d, [seen(p) for p in f[:3]], 2, f[3]),
    lambda d, f: film(d, [seen(p) for p in f[:3]], 2))


def sax(folder):
    (folder / "music.wav").write_bytes((MEDIA / "sax.wav").read_bytes())
    return [folder / "music.wav"]


FACE = (188, 85, 260, 168)  # inside of the face, in the photo of 512 x 512


def detail(picture, place):
    """How much there is of edges."""
    n = np.asarray(picture.crop(place).convert("L"), float)
    return np.abs(np.diff(n, axis=0)).mean() + np.abs(np.diff(n, axis=1)).mean()


def blurred(picture, place):
    picture.paste(picture.crop(place).filter(ImageFilter.GaussianBlur(14)), place[:2])
    return picture


def right(results, files):
    picture, original = only(results), seen(files[0])
    is_size(picture, *original.size, 0)
    for place in (FACE, (190, 92, 262, 120), (204, 142, 244, 164)):  # the whole, the eyes, the mouth
        assert detail(picture, place) < 0.6 * detail(original, place), "the face can still be recognised"
    faces = [numbers(p.crop(FACE)).mean((0, 1)) for p in (picture, original)]
    assert np.abs(faces[0] - faces[1]).max() < 45, "the face is covered, not blurred"
    for place in ((0, 260, 200, 512), (330, 0, 512, 250), (280, 300, 512, 512)):
        like(picture.crop(place), original.crop(place), "what is not the face", 6)


job("blur-her-face", "she doesn't want to be recognised on our homepage, please make her face blurry (only the face, the suit should stay sharp)",
    gives(("visit at the museum.png", lambda: photo("astronaut.jpg"))), right,
    lambda d, f: out(d, blurred(seen(f[0]), (165, 50, 280, 175))),
    lambda d, f: out(d, seen(f[0]).filter(ImageFilter.GaussianBlur(8))))
