"""Pictures cut into equal pieces that are the picture again when they are put together."""

from __future__ import annotations

import numpy as np
import PIL.Image
import pytest
from skimage import data

from controlllm.toolbox import Context, ToolError
from tools.pictures.splitting import split_image

CAT = PIL.Image.fromarray(data.chelsea())  # 451 by 300


def pieces(folder, picture, **settings):
    made = split_image(picture, **settings, context=Context(folder=folder))
    assert all(member.type == "image" for member in made)
    shown = []
    for member in made:
        with PIL.Image.open(member.value) as piece:
            shown.append(np.asarray(piece))
    return [member.name for member in made], shown


@pytest.mark.parametrize(
    ("settings", "names", "axis"),
    [
        ({"count": 3}, ["1", "2", "3"], 1),
        ({"count": 4, "way": "below"}, ["1", "2", "3", "4"], 0),
        ({"way": "beside"}, ["1", "2"], 1),
        ({}, ["1", "2"], 1),
        ({"grid": "1x5"}, ["1", "2", "3", "4", "5"], 1),
    ],
)
def test_strips_are_equal_and_make_the_whole(tmp_path, settings, names, axis):
    found, shown = pieces(tmp_path, CAT, **settings)
    assert found == names
    lengths = [piece.shape[axis] for piece in shown]
    assert max(lengths) - min(lengths) <= 1
    assert np.array_equal(np.concatenate(shown, axis), data.chelsea())


def test_a_grid_goes_row_by_row(tmp_path):
    found, shown = pieces(tmp_path, CAT, grid="2x3")
    assert found[0] == "row 1 column 1" and found[3] == "row 2 column 1"
    rows = [np.concatenate(shown[:3], 1), np.concatenate(shown[3:], 1)]
    assert np.array_equal(np.concatenate(rows, 0), data.chelsea())


def test_a_tall_picture_is_cut_below_and_holes_stay(tmp_path):
    tall = PIL.Image.new("RGBA", (20, 90), (10, 20, 30, 128))
    _, shown = pieces(tmp_path, tall, count=3)
    assert [piece.shape for piece in shown] == [(30, 20, 4)] * 3
    assert shown[1][5, 5].tolist() == [10, 20, 30, 128]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"grid": "20x20"}, "at most 100"),
        ({"grid": "1x1"}, "whole picture"),
        ({"count": 1}, "whole picture"),
        ({"grid": "0x3"}, "whole picture"),
    ],
)
def test_what_cannot_be_cut_is_said(settings, words):
    with pytest.raises(ToolError, match=words):
        split_image(CAT, **settings)
    with pytest.raises(ToolError, match="too few"):
        split_image(CAT.crop((0, 0, 3, 3)), count=8)


def test_photos_on_one_scan_are_cut_out(tmp_path):
    scan = PIL.Image.new("RGB", (1400, 900), (250, 249, 247))
    small = CAT.resize((400, 266))
    for photo, place in ((CAT, (60, 90)), (small, (820, 120)), (CAT, (300, 500))):
        scan.paste(photo, place)
    found, shown = pieces(tmp_path, scan, count=3)
    assert found == ["1", "2", "3"]
    for piece, photo in zip(shown, (CAT, small, CAT), strict=True):
        assert all(abs(piece.shape[axis] - photo.size[1 - axis]) <= 8 for axis in (0, 1))
    assert len(pieces(tmp_path, scan)[1]) == 3
    # Equal pieces where these are asked for, and where it is no scan of photos.
    assert [piece.shape[1] for piece in pieces(tmp_path, scan, grid="1x2")[1]] == [700, 700]
    assert [piece.shape[1] for piece in pieces(tmp_path, scan, count=2)[1]] == [700, 700]
