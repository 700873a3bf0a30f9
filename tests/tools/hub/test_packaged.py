"""What runs the weights that packages carry, with stand-ins of the same files and inputs."""

from __future__ import annotations

import inspect

import numpy as np
import PIL.Image
import pytest
import skimage.data

from controlllm.resources import Box
from controlllm.toolbox import Cancelled, Context, ToolError
from tests.tools.tiny_models import build
from tests.tools.tiny_models.packaged import SAMPLES_A_SIGN
from tools.hub import (
    catalogue_packages,
    english_voice,
    enlarged_pictures,
    frames_between,
    subjects,
)
from tools.masks.segmentation import bbox_to_mask, instance_segmentation, segment_by_box
from tools.pictures.backgrounds import (
    background_blur,
    remove_background,
    replace_background,
)
from tools.seeing.embedded import salience


@pytest.fixture
def folder(tmp_path):
    return lambda choice: build(choice["usual"], tmp_path / "weights")


def test_every_packaged_file_says_what_it_is_joined_of():
    for choice in vars(catalogue_packages).values():
        if isinstance(choice, dict) and "usual" in choice:
            weights = choice["usual"]
            assert weights.packaged and weights.licence
            for file in weights.packaged:
                assert len(file.sha256) == 64 and file.size > 0 and file.parts
            archives = {part.package for file in weights.packaged for part in file.parts}
            assert weights.size == sum(package.size for package in archives)


def test_a_voice_gets_its_own_signs_and_the_style_of_their_number(folder):
    place = folder(catalogue_packages.VOICE)
    sound = english_voice.speak(place, "haɪ ðɛɹ")
    # "aɪ" is one sign, and a pause stands before and behind.
    assert len(sound) == SAMPLES_A_SIGN * (len("hI ðɛɹ") + 2)
    assert sound.dtype == np.float32 and np.abs(sound).max() == pytest.approx(0.25, abs=0.01)
    assert len(english_voice.speak(place, "a☃b")) == SAMPLES_A_SIGN * 4
    longest = english_voice.speak(place, "a" * 900)
    assert len(longest) == SAMPLES_A_SIGN * (english_voice.LONGEST + 2)


def test_an_enlarged_photo_is_whole(folder):
    place = folder(catalogue_packages.DETAILS)
    picture = PIL.Image.fromarray(skimage.data.astronaut()[:150, :230])
    enlarged = enlarged_pictures.enlarge(enlarged_pictures.real_esrgan, place, picture, Context())
    # The stand-in repeats each pixel.
    assert enlarged.size == (920, 600)
    assert np.array_equal(np.asarray(enlarged)[::4, ::4], np.asarray(picture))


def test_broken_weights_are_told(tmp_path):
    (tmp_path / "x4plus.param").write_text("no network")
    (tmp_path / "x4plus.bin").write_bytes(b"")
    picture = PIL.Image.new("RGB", (8, 8))
    with pytest.raises(ToolError, match="cannot be read"):
        enlarged_pictures.enlarge(enlarged_pictures.real_esrgan, tmp_path, picture, Context())


@pytest.mark.parametrize("size", [(64, 96), (128, 128), (130, 50)])
def test_a_frame_between_that_knows_no_movement_is_the_mean(folder, size):
    place = folder(catalogue_packages.IN_BETWEEN)
    height, width = size
    first = skimage.data.coffee()[:height, :width]
    second = skimage.data.astronaut()[:height, :width]
    made = list(frames_between.between(place, first, second, [0.25, 0.5]))
    mean = (first.astype(float) + second) / 2
    for picture in made:
        assert picture.shape == first.shape and picture.dtype == np.uint8
        assert np.abs(picture - mean).max() <= 1


def test_slow_motion_can_be_stopped_between_two_pictures(folder, monkeypatch):
    from tools.video import editing

    place = folder(catalogue_packages.IN_BETWEEN)
    stopped = Context().with_weights({"model": place})
    monkeypatch.setattr(stopped, "check", lambda: (_ for _ in ()).throw(Cancelled))
    taken = {}
    monkeypatch.setattr(editing, "_at_speed", lambda *given: taken.update(between=given[3]))
    editing._at_speed_with_drawn_frames("a film", "slowly", stopped)
    picture = skimage.data.coffee()[:64, :64]
    with pytest.raises(Cancelled):
        next(taken["between"](picture, picture, [0.5]))


def _with_the_large_network(definition):
    choice = {"subject": catalogue_packages.SUBJECTS}
    (way,) = [way for way in definition.implementations if way.weights == choice]
    return way


def test_the_subject_is_what_the_large_network_takes_for_it(folder):
    weighted = Context().with_weights({"subject": folder(catalogue_packages.SUBJECTS)})
    pixels = np.full((200, 300, 3), 20, np.uint8)
    pixels[60:150, 90:210] = 240  # the stand-in takes what is bright for the subject
    cut = _with_the_large_network(remove_background).function(PIL.Image.fromarray(pixels), weighted)
    kept = np.asarray(cut)[..., 3] > 127
    assert kept[70:140, 100:200].all() and not kept[:40].any() and not kept[170:].any()


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "definition",
    [background_blur, remove_background, replace_background]
    + [bbox_to_mask, instance_segmentation, segment_by_box],
    ids=lambda definition: definition.tool.name,
)
def test_tools_that_look_for_subjects_look_with_the_downloaded_network(
    definition, folder, monkeypatch
):
    place = folder(catalogue_packages.SUBJECTS)
    way = _with_the_large_network(definition)
    asked = []
    monkeypatch.setattr(
        salience,
        "salience",
        lambda picture, network=None: asked.append(network) or picture[..., 0] / 255,
    )
    given = {
        "image": PIL.Image.fromarray(skimage.data.astronaut()),
        "bbox": (Box(10, 10, 400, 500, "person"),),
        "prompt": "light blue",
        "mask": None,
    }
    names = inspect.signature(way.function).parameters
    inputs = {name: given[name] for name in names if name != "context"}
    way.function(**inputs, context=Context().with_weights({"subject": place}))
    assert asked and set(asked) == {subjects.network(Context().with_weights({"subject": place}))}
    asked.clear()
    way.function(**inputs, context=Context())
    assert asked and set(asked) == {None}


def test_broken_weights_of_the_large_network_are_told(tmp_path):
    (tmp_path / "u2net.onnx").write_bytes(b"no network")
    with pytest.raises(ToolError, match="cannot be read"):
        subjects.network(Context().with_weights({"subject": tmp_path}))
