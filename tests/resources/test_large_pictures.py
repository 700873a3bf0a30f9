"""Large pictures: one at a time, looked at in bands, no differently than small ones."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import PIL.Image
import pytest
from PIL.JpegImagePlugin import JpegImageFile

from controlllm.resources import BadInput, ingest, large_pictures, pictures
from controlllm.resources.large_pictures import bands, reduced, room_for
from tests.waiting import PATIENCE

GENERATOR = np.random.default_rng(5)
PHOTO = PIL.Image.fromarray(GENERATOR.integers(0, 256, (90, 130, 3), np.uint8)).resize((520, 360))


@pytest.fixture(autouse=True)
def _small_bounds(monkeypatch):
    """What is large, and a band, so small that the tests' pictures are large and have several."""
    monkeypatch.setattr(large_pictures, "LARGE", 10_000)
    monkeypatch.setattr(pictures, "LARGE", 10_000)
    monkeypatch.setattr(large_pictures, "_BAND", 20_000)


def mask() -> PIL.Image.Image:
    made = PIL.Image.new("L", (480, 320))
    made.paste(255, (80, 40, 240, 200))
    return made


def taken(picture, tmp_path, name, **options):
    path = tmp_path / "upload"
    picture.save(path, name.rpartition(".")[2].replace("jpg", "jpeg"), **options)
    return ingest(path, name, tmp_path / "work")


def test_bands_make_up_the_picture():
    parts = list(bands(PHOTO, 7))
    assert len(parts) > 5 and all(top % 7 == 0 for top, _ in parts)
    rows = np.concatenate([np.asarray(band) for _, band in parts])
    assert np.array_equal(rows, np.asarray(PHOTO))


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA"])
def test_what_is_reduced_in_bands_is_as_if_it_were_done_at_once(mode):
    picture = PHOTO.convert(mode)
    if mode == "RGBA":
        picture.putalpha(PHOTO.convert("L"))
    small = reduced(picture, 50)
    assert np.array_equal(np.asarray(small), np.asarray(picture.reduce(5)))
    assert reduced(picture, 200) is picture


def test_values_and_masks_are_told_in_bands_as_at_once(monkeypatch):
    drawing = PHOTO.convert("1").convert("L")
    speck = mask()
    speck.putpixel((479, 319), 7)
    seen = [(pictures.is_two_valued(item), pictures.mask_sureness(item))
            for item in (mask(), drawing, speck, PHOTO)]  # fmt: skip
    assert [two for two, _ in seen] == [True, True, False, False]
    monkeypatch.setattr(large_pictures, "_BAND", 10**9)
    assert seen == [(pictures.is_two_valued(item), pictures.mask_sureness(item))
                    for item in (mask(), drawing, speck, PHOTO)]  # fmt: skip


def test_a_large_photograph_is_taken_in_by_a_look_and_stays_as_it_is(tmp_path, monkeypatch):
    decoded = []
    load = JpegImageFile.load

    def noted(self):
        decoded.append(self.size)
        return load(self)

    monkeypatch.setattr(JpegImageFile, "load", noted)
    found = taken(PHOTO, tmp_path, "photo.jpg", quality=90)
    assert found.path == tmp_path / "upload" and found.type == "image"
    assert found.details == {"width": 520, "height": 360}
    assert decoded and set(decoded) == {(65, 45)}


def test_a_large_mask_is_still_one_and_one_that_is_turned_is_upright(tmp_path):
    assert taken(mask(), tmp_path, "mask.png").type == "mask"
    # All its edges lie where JPEG's blocks do.
    assert taken(mask(), tmp_path, "mask.jpg", quality=100).type == "mask"
    exif = PIL.Image.Exif()
    exif[0x0112] = 6
    found = taken(PHOTO, tmp_path, "turned.jpg", exif=exif)
    assert (found.details["width"], found.details["height"]) == (360, 520)


def test_a_large_photograph_that_is_cut_off_is_refused(tmp_path):
    taken(PHOTO, tmp_path, "photo.jpg", quality=90)
    path = tmp_path / "upload"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(BadInput, match="is damaged, incomplete"):
        ingest(path, "photo.jpg", tmp_path / "work")


def test_large_pictures_come_one_at_a_time_and_small_ones_do_not_wait():
    inside, most, lock = [0], [0], threading.Lock()
    begun, goes_on = threading.Event(), threading.Event()

    def large(number):
        with room_for((200, 200)):
            with lock:
                inside[0] += 1
                most[0] = max(most[0], inside[0])
            begun.set()
            goes_on.wait(PATIENCE)
            with lock:
                inside[0] -= 1

    with ThreadPoolExecutor(4) as threads:
        done = [threads.submit(large, number) for number in range(4)]
        assert begun.wait(PATIENCE)
        with room_for((10, 10)):
            pass
        goes_on.set()
        for one in done:
            one.result(PATIENCE)
    assert most == [1]
