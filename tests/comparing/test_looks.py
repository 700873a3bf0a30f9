"""Pictures that nobody would tell from each other are said to look the same, others are not."""

from __future__ import annotations

import numpy
import PIL.Image
import pytest

from controlllm.comparing.looks import look_alike


@pytest.fixture
def saved(tmp_path):
    def save(name, pixels):
        path = tmp_path / name
        PIL.Image.fromarray(pixels).save(path)
        return path

    return save


def test_what_nobody_sees_is_told_from_what_is_seen(saved):
    photo = numpy.random.default_rng(3).integers(0, 250, (60, 80, 4), numpy.uint8)
    photo[..., 3] = 255
    photo[:20, :, 3] = 0
    first = saved("a.png", photo)
    hidden = photo + numpy.uint8(2)
    hidden[..., 3] = photo[..., 3]
    hidden[:20, :, :3] = 7  # where it is clear, no colour is seen
    assert look_alike(first, saved("b.png", hidden))
    spot = photo.copy()
    spot[30, 40, 0] ^= 128
    assert not look_alike(first, saved("c.png", spot))
    assert not look_alike(first, saved("d.png", photo[:, :40]))


def test_what_cannot_be_read_is_like_nothing(saved, tmp_path):
    photo = saved("a.png", numpy.zeros((4, 4, 3), numpy.uint8))
    broken = tmp_path / "b.png"
    broken.write_bytes(b"no picture")
    assert not look_alike(photo, broken)
