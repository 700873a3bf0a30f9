"""Models that look at pictures and videos: what goes in, what comes out, and where it lies."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import PIL.Image
import PIL.ImageDraw
import pytest
import skimage.data
import torch

from controlllm.models.weights import FOLDER_SETTING
from controlllm.resources import Box, ClickedPoint, Label, Region
from controlllm.toolbox import Cancelled, Context, Toolbox, ToolError
from controlllm.toolbox.capabilities import Capabilities
from tests.every_case import every_case
from tests.tools.made_videos import make_video, pan, tone
from tests.tools.tiny_models import QUIETLY
from tools.cloud import chat
from tools.cloud import seeing as seeing_elsewhere
from tools.hub import (
    perception,
    prompted_masks,
    seeing,
    video_kinds,
)
from tools.hub.catalogue_perception import (
    ACTIVITIES,
    JOINTS,
    KINDS,
    MASKS,
    OBJECTS,
    SEEING,
)
from tools.pictures.embedded import contours
from tools.pictures.embedded.movenet import KEYPOINTS
from tools.seeing.embedded import seeing_requests

pytestmark = QUIETLY


@pytest.fixture(scope="module")
def cat() -> PIL.Image.Image:
    return PIL.Image.fromarray(skimage.data.chelsea())


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    frames = list(pan(skimage.data.coffee(), 20, 160, 120))
    return make_video(tmp_path_factory.mktemp("film") / "pan.mp4", frames, rate=10, sound=tone(2.0))


def context_telling(told: list[tuple[float, str]]) -> Context:
    return Context(report=lambda fraction, words: told.append((fraction, words)))


# Detectors


def test_objects_are_in_the_pixels_of_the_picture_surest_first(built, cat):
    found = perception.detect(built(OBJECTS["usual"]), cat.resize((400, 100)), Context())
    assert found
    assert [box.score for box in found] == sorted((box.score for box in found), reverse=True)
    for box in found:
        assert box.label == "person"
        assert 0 <= box.left < box.right <= 400 and 0 <= box.top < box.bottom <= 100
    assert max(box.right for box in found) > 200, "wider than the square that the model sees"


def test_objects_have_the_names_that_other_tools_know(built, cat):
    processor, model = perception.loaded(perception.load_detector, built(OBJECTS["usual"]))
    number = next(key for key, name in model.config.id2label.items() if name == "motorbike")
    biases = [
        values
        for name, values in model.named_parameters()
        if "bbox" not in name and name.endswith("bias") and values.shape == (80,)
    ]
    assert biases
    kept = [values.detach().clone() for values in biases]
    try:
        for values in biases:
            values.data[0], values.data[number] = -8.0, 4.0
        found = perception.detect(built(OBJECTS["usual"]), cat, Context())
    finally:
        for values, before in zip(biases, kept, strict=True):
            values.data.copy_(before)
    assert {box.label for box in found} == {"motorcycle"}


def test_a_box_ends_where_the_picture_does_and_slivers_are_left_out():
    corners = [[-5, -5, 20, 30], [90, 40, 200, 80], [120, 10, 140, 20], [10, 10, 10.4, 40]]
    found = {"boxes": torch.tensor(corners), "scores": torch.full((4,), 0.5)}
    kept = perception._boxes(found, ["cup"] * 4, PIL.Image.new("RGB", (100, 50)), 0.8)
    assert kept == (Box(0, 0, 20, 30, "cup", 0.5), Box(90, 40, 100, 50, "cup", 0.5))


@pytest.mark.parametrize(
    "query, expected",
    [
        ("Where is the cat on the left?", [10]),
        ("find the second cat from the left", [200]),
        ("all the cats", [10, 200, 400]),
        ("the largest cat", [400]),
    ],
)
def test_the_place_words_of_a_phrase_choose_among_what_fits(monkeypatch, query, expected):
    boxes = (
        Box(200, 50, 300, 150, "cat", 0.9),
        Box(10, 50, 100, 150, "cat", 0.8),
        Box(400, 20, 590, 200, "cat", 0.7),
    )
    asked = []

    def fitting(folder, image, phrase, label, context):
        asked.append((phrase, label))
        return boxes

    monkeypatch.setattr(perception, "_fitting", fitting)
    picture = PIL.Image.new("RGB", (600, 220))
    found = perception.ground(Path("none"), picture, query, Context())
    assert sorted(box.left for box in found) == expected
    assert asked[0][1] == "cat" and "where is" not in asked[0][0]


# Kinds


@pytest.mark.parametrize("size", ["usual", "large"])
def test_five_kinds_most_likely_first_with_one_name_each(built, cat, size):
    found = perception.classify(built(KINDS[size]), cat, Context())
    assert len(found) == 5
    scores = [label.score for label in found]
    assert scores == sorted(scores, reverse=True) and 0 < sum(scores) <= 1.001
    assert all("," not in label.name for label in found)


# Depth


class RisingToTheRight:
    """Stands for a depth model: what is to the right is nearer."""

    def __call__(self, **inputs: Any) -> Any:
        height, width = inputs["pixel_values"].shape[-2:]
        return SimpleNamespace(predicted_depth=torch.linspace(3, 7, width).expand(1, height, width))


class Inputs(dict):
    def to(self, device: str) -> Inputs:
        return self


@pytest.fixture
def ramp(monkeypatch):
    def processor(images, return_tensors):
        return Inputs(pixel_values=torch.zeros(1, 3, 30, 60))

    monkeypatch.setattr(perception, "loaded", lambda load, folder: (processor, RisingToTheRight()))


def test_near_is_bright_and_the_size_stays(ramp):
    found = perception.depth_picture(Path("none"), PIL.Image.new("RGB", (301, 97)), Context())
    assert (found.mode, found.size) == ("L", (301, 97))
    row = np.asarray(found)[50].astype(int)
    assert row[0] < 5 and row[-1] > 250 and (np.diff(row) >= -1).all()


def test_surfaces_face_as_they_do_without_downloads(ramp):
    grey = PIL.Image.fromarray(np.tile(np.linspace(0, 255, 300).astype(np.uint8), (100, 1)))
    expected = contours.relief(np.asarray(grey.convert("RGB")))[50, 150].astype(int)
    normal = perception.normal_picture(Path("none"), PIL.Image.new("RGB", (300, 100)), Context())
    assert normal.size == (300, 100)
    found = np.asarray(normal)[50, 150].astype(int)
    assert found[0] < 126 and expected[0] < 128, "what rises to the right faces left"
    assert abs(found[1] - 128) <= 1 and found[2] > 200
    length = np.linalg.norm(found / 127.5 - 1)
    assert length == pytest.approx(1, abs=0.03)


# Joints


@pytest.mark.parametrize("size", ["small", "usual"])
def test_joints_lie_where_the_model_sees_them(built, monkeypatch, size):
    """Every heatmap peaks in the middle of what it sees, so every joint is in the box's middle."""
    processor, model = perception.loaded(perception.load_joints, built(JOINTS[size]))
    assert model(
        torch.zeros(1, 3, 64, 48), dataset_index=torch.zeros(1, dtype=torch.long)
    ).heatmaps.shape == (1, 17, 16, 12)
    asked: list[Any] = []

    def peaked(pixel_values, dataset_index=None):
        asked.append(dataset_index)
        rows, columns = torch.meshgrid(torch.arange(16.0), torch.arange(12.0), indexing="ij")
        hill = 0.9 * torch.exp(-((rows - 7.5) ** 2 + (columns - 5.5) ** 2) / 8)
        return SimpleNamespace(heatmaps=hill.expand(len(pixel_values), 17, 16, 12).clone())

    monkeypatch.setattr(peaked, "config", model.config, raising=False)
    monkeypatch.setattr(perception, "loaded", lambda load, folder: (processor, peaked))
    people = tuple(Box(x, 20, x + 60, 180, "person", 0.9) for x in (10, 100, 200, 300, 390))
    found = perception.keypoints(Path("none"), PIL.Image.new("RGB", (500, 200)), people, Context())
    assert len(found) == 5
    for box, person in zip(people, found, strict=True):
        assert person.shape == (len(KEYPOINTS), 3)
        assert np.allclose(person[:, 0], (box.left + box.right) / 2, atol=4)
        assert np.allclose(person[:, 1], 100, atol=4)
        assert ((person[:, 2] > 0.5) & (person[:, 2] <= 1)).all()
    assert all((index is not None) == (size == "small") for index in asked)


# Masks


@pytest.fixture
def discs(monkeypatch, built):
    """The tiny model, whose masks are replaced by a disc at the last click or in the box."""
    calls: list[dict[str, Any]] = []

    def masks(self, several, places=None, meant=None, corners=None, rough=None):
        calls.append({"several": several, "meant": meant, "rough": rough, "places": places})
        rows, columns = np.mgrid[:64, :64] * (self._side / 64)
        found = []
        for number in range(len(places or corners)):
            if corners is not None:
                left, top, right, bottom = corners[number]
            else:
                x, y = places[number][-1]
                left, top, right, bottom = x - 16, y - 16, x + 16, y + 16
            across = (columns - (left + right) / 2) / ((right - left) / 2)
            down = (rows - (top + bottom) / 2) / ((bottom - top) / 2)
            found.append([20 * (1 - np.hypot(across, down))] * (3 if several else 1))
        scores = np.tile([0.4, 0.95, 0.5] if several else [0.9], (len(found), 1))
        return np.array(found, np.float32), scores

    monkeypatch.setattr(prompted_masks.Looked, "_masks", masks)
    return lambda picture: prompted_masks.Looked(built(MASKS["usual"]), picture, Context()), calls


def middle(pixels: np.ndarray) -> tuple[float, float]:
    rows, columns = np.nonzero(pixels)
    return float(columns.mean()), float(rows.mean())


def test_a_click_means_the_same_place_to_the_model(discs):
    look, calls = discs
    looked = look(PIL.Image.new("RGB", (400, 100)))
    found = looked.at_points([ClickedPoint(300, 25)])
    assert found.pixels.shape == (100, 400) and found.pixels.dtype == bool
    assert middle(found.pixels) == pytest.approx((300, 25), abs=4)
    assert found.score == pytest.approx(0.95) and calls[-1]["several"]
    looked.at_points([ClickedPoint(300, 25), ClickedPoint(20, 20, positive=False)])
    assert calls[-1]["meant"] == [[1, 0]] and not calls[-1]["several"]


def test_a_box_keeps_its_name(discs):
    look, _ = discs
    found = look(PIL.Image.new("RGB", (400, 100))).in_box(Box(100, 20, 200, 80, "boat", 0.7))
    assert (found.label, found.score) == ("boat", 0.7)
    rows, columns = np.nonzero(found.pixels)
    assert (columns.min(), columns.max()) == pytest.approx((100, 199), abs=5)
    assert (rows.min(), rows.max()) == pytest.approx((20, 79), abs=4)


def test_a_rough_mask_is_a_mask_and_a_stroke_is_clicks(discs):
    look, calls = discs
    looked = look(PIL.Image.new("RGB", (300, 200)))
    rough = np.zeros((200, 300), bool)
    rough[50:120, 90:190] = True
    looked.marked(rough)
    given = calls[-1]["rough"]
    assert given is not None and given.min() == -10 and given.max() == 10
    stroke = PIL.Image.new("1", (300, 200))
    PIL.ImageDraw.Draw(stroke).line((40, 40, 200, 150), fill=1, width=9)
    drawn = np.asarray(stroke)
    looked.marked(drawn)
    assert calls[-1]["rough"] is None and len(calls[-1]["places"][0]) == 5
    for x, y in calls[-1]["places"][0]:
        column, row = round(x / looked._side * 300), round(y / looked._side * 200)
        assert drawn[row, column], "each click lies on the stroke"


def test_everything_is_divided_and_the_same_thing_is_found_once(discs, monkeypatch):
    look, _ = discs
    looked = look(PIL.Image.new("RGB", (200, 100)))

    def quarters(self, several, places=None, **_):
        half = self._side / 2
        found = []
        for [(x, y)] in places:
            mask = np.full((64, 64), -9.0)
            mask[32 * int(y > half) :][:32, 32 * int(x > half) :][:, :32] = 9.0
            found.append([mask] * 3)
        return np.array(found, np.float32), np.full((len(found), 3), 0.9)

    monkeypatch.setattr(prompted_masks.Looked, "_masks", quarters)
    told: list[tuple[float, str]] = []
    numbers = looked.everything((200, 100), context_telling(told))
    assert numbers.shape == (100, 200)
    corners = numbers[[10, 10, 90, 90], [10, 190, 10, 190]]
    assert sorted(corners) == [1, 2, 3, 4] and len(told) >= 8


def test_the_search_for_everything_can_be_stopped(discs):
    look, calls = discs
    looked = look(PIL.Image.new("RGB", (200, 100)))
    stop = threading.Event()

    def report(fraction: float, words: str) -> None:
        if len(calls) == 2:
            stop.set()

    with pytest.raises(Cancelled):
        looked.everything((200, 100), Context(report, stop))
    assert len(calls) <= 3


def test_the_real_model_takes_every_prompt(built, cat):
    looked = prompted_masks.Looked(built(MASKS["usual"]), cat, Context())
    rough = np.zeros((300, 451), bool)
    rough[80:220, 100:300] = True
    for found in (
        looked.at_points([ClickedPoint(200, 150)]),
        looked.at_points([ClickedPoint(200, 150), ClickedPoint(5, 5, positive=False)]),
        looked.in_box(Box(50, 50, 200, 200)),
        looked.marked(rough),
    ):
        assert found.pixels.shape == (300, 451) and 0 <= found.score <= 1


# Vision-language models


@every_case("size", ["small", "usual"])
@every_case("sides", [(1, 1), (3, 900), (451, 300)])
def test_pictures_of_any_shape_are_looked_at(built, size, sides):
    picture = PIL.Image.new("RGBA", sides, (200, 30, 30, 120))
    said = seeing.tell(built(SEEING[size]), "What is this?", [picture], Context(), most_words=6)
    assert said and said == said.strip()


def test_the_instruction_stands_after_the_pictures_in_their_order(built, monkeypatch, cat):
    processor, model = seeing.loaded(seeing.load_seeing, built(SEEING["usual"]))
    shown: list[Any] = []

    class Heard:
        image_processor = processor.image_processor

        def __getattr__(self, name: str) -> Any:
            return getattr(processor, name)

        def __call__(self, **given: Any) -> Any:
            shown.append(given)
            return processor(**given)

    monkeypatch.setattr(seeing, "loaded", lambda load, folder: (Heard(), model))
    pictures = [cat, cat.resize((1600, 400))]
    seeing.tell(
        built(SEEING["usual"]), "Compare them.", pictures, Context(), longest=500, most_words=3
    )
    text = shown[0]["text"][0]
    assert text.count("<|image_pad|>") == 2
    assert text.index("Compare them.") > text.rindex("<|image_pad|>")
    assert [picture.size for picture in shown[0]["images"]] == [(451, 300), (500, 125)]


def test_writing_is_told_token_by_token_and_stops_when_asked(built, cat):
    told: list[tuple[float, str]] = []
    seeing.tell(built(SEEING["usual"]), "What?", [cat], context_telling(told), most_words=5)
    fractions = [fraction for fraction, _ in told]
    assert fractions == sorted(fractions)
    assert sum("Writing" in words for _, words in told) == 5
    stop, heard = threading.Event(), []

    def report(fraction: float, words: str) -> None:
        heard.append(words)
        if "Writing" in words:
            stop.set()

    with pytest.raises(Cancelled):
        seeing.tell(built(SEEING["usual"]), "What?", [cat], Context(report, stop), most_words=50)
    assert sum("Writing" in words for words in heard) == 1


def test_an_answer_that_is_cut_off_ends_with_a_whole_sentence():
    text = "A cat lies on a sofa. It looks into the camera. Behind it there is a gr"
    assert seeing._whole_sentences(text) == ("A cat lies on a sofa. It looks into the camera.")
    assert seeing._whole_sentences("Milk 2.50 and bread") == "Milk 2.50 and bread"


def test_no_words_at_all_are_a_fault_in_plain_words(built, monkeypatch, cat):
    processor, model = seeing.loaded(seeing.load_seeing, built(SEEING["usual"]))
    monkeypatch.setattr(processor, "batch_decode", lambda *_, **__: ["  "])
    with pytest.raises(ToolError, match="gave no answer"):
        seeing.tell(built(SEEING["usual"]), "What?", [cat], Context(), most_words=2)


@every_case(
    "reply, text",
    [
        ("NO TEXT", ""),
        (" no text. ", ""),
        ("```text\nOpen daily\n9 to 5\n```", "Open daily\n9 to 5"),
        ("There is NO TEXT MESSAGE here", "There is NO TEXT MESSAGE here"),
        ("\nSTOP\n", "STOP"),
    ],
)
def test_the_text_is_taken_out_of_a_reply(reply, text):
    assert seeing_requests.read_text(reply) == text


def test_a_model_is_told_what_frames_cannot_show(film, tmp_path):
    told: list[tuple[float, str]] = []
    watched = seeing_requests.Watched(film, context_telling(told))
    assert len(watched.frames) == 8 and max(watched.frames[0].size) <= 512
    assert watched.times == sorted(watched.times) and watched.times[-1] < 2
    asked = watched.to_answer("Is there {sound}?")
    assert "lasts 2.0 seconds and has a sound track" in asked and "Is there {sound}?" in asked
    silent = make_video(tmp_path / "short.mp4", [np.zeros((64, 64, 3), np.uint8)] * 2, rate=10)
    watched = seeing_requests.Watched(silent, Context())
    assert 1 <= len(watched.frames) <= 2 and "has no sound" in watched.to_describe


# Whole tools


@pytest.fixture
def on_hub(monkeypatch, tmp_path, built):
    """Runs a tool's implementation with downloaded weights on tiny ones."""
    monkeypatch.setenv(FOLDER_SETTING, str(tmp_path / "models"))
    (tmp_path / "models").mkdir()
    toolbox = Toolbox.load()

    def run(name: str, **inputs: Any) -> Any:
        way = next(item for item in toolbox.implementations[name] if item.runtime == "hub")
        for choice in way.weights.values():
            weights = choice["usual"]
            if not weights.folder.exists():
                weights.folder.symlink_to(built(weights))
        return way.run(inputs, Context(capabilities=Capabilities()))

    return run


def test_a_video_is_described_with_its_length_and_sound(on_hub, film, monkeypatch):
    monkeypatch.setattr(seeing, "tell", lambda *_, **__: "A cup\nturns")
    said = on_hub("video_captioning", video=film)
    assert said.startswith("A cup turns. The video lasts 2 seconds")
    assert said.endswith("There is sound in it, but no speech.")


def test_activities_then_the_camera(built, film, tmp_path):
    found = video_kinds.classify(built(ACTIVITIES["usual"]), film, Context())
    shown = [label for label in found if label.name in video_kinds.ACTIVITIES]
    assert shown and shown == sorted(shown, key=lambda label: -label.score)
    assert found[: len(shown)] == tuple(shown)
    single = make_video(tmp_path / "one.mp4", [skimage.data.coffee()[:120, :160]] * 2, rate=10)
    assert video_kinds.classify(built(ACTIVITIES["usual"]), single, Context())


def test_a_picture_without_people_has_no_pose(on_hub, monkeypatch, cat):
    monkeypatch.setattr(perception, "detect", lambda *_, **__: (Box(0, 0, 9, 9, "cat", 0.9),))
    with pytest.raises(ToolError, match="nobody was found"):
        on_hub("image_to_pose", image=cat)


def test_where_no_object_is_seen_what_stands_out_is_given(on_hub, monkeypatch, cat):
    monkeypatch.setattr(perception, "detect", lambda *_, **__: ())
    assert all(region.label == "object" for region in on_hub("instance_segmentation", image=cat))


def test_nothing_found_at_a_mark_is_a_fault_in_plain_words(on_hub, monkeypatch, cat):
    nothing = Region(np.zeros((300, 451), bool))
    monkeypatch.setattr(prompted_masks.Looked, "at_points", lambda *_: nothing)
    with pytest.raises(ToolError, match="Nothing that stands out"):
        on_hub("segment_by_points", image=cat, points=(ClickedPoint(20, 20),))
    with pytest.raises(ToolError, match="outside the picture"):
        on_hub("segment_by_points", image=cat, points=(ClickedPoint(2000, 20),))


@pytest.mark.parametrize(
    "name, inputs",
    [("visual_grounding", {"query": " "}), ("image_question_answering", {"question": ""})],
)
def test_a_question_is_needed_before_anything_is_loaded(on_hub, cat, name, inputs):
    with pytest.raises(ToolError, match="There is no"):
        on_hub(name, image=cat, **inputs)


# On the network


def test_boxes_from_elsewhere_come_as_shares_and_empty_ones_are_left_out(monkeypatch):
    def box(left, top, right, bottom, sureness):
        sides = {"left": left, "top": top, "right": right, "bottom": bottom}
        return {"name": " red \n cup ", "sureness": sureness, **sides}

    reply = {
        "boxes": [box(0.1, 0.2, 0.5, 1, 0.6), box(0.6, 0, 1, 0.5, 0.9), box(0.9, 0, 0.1, 1, 1)]
    }
    asked: list[str] = []

    def look_for(schema, instruction, pictures, context):
        asked.append(instruction)
        return reply

    monkeypatch.setattr(chat, "look_for", look_for)
    found = seeing_elsewhere.ground(PIL.Image.new("RGB", (200, 100)), "find the red cup", Context())
    assert found == (
        Box(120, 0, 200, 50, "red cup", 0.9),
        Box(20, 20, 100, 100, "red cup", 0.6),
    )
    assert "“the red cup”" in asked[0]


def test_kinds_from_elsewhere_are_put_in_order(monkeypatch):
    given = [("dog", 0.2), ("beagle", 0.7), ("dog", 0.4), (" ", 0.9)]
    given += [(f"kind {number}", 0.01) for number in range(6)]
    reply = {"categories": [{"name": name, "sureness": share} for name, share in given]}
    monkeypatch.setattr(chat, "look_for", lambda *_: reply)
    found = seeing_elsewhere.classify(PIL.Image.new("RGB", (20, 20)), Context())
    assert found[:2] == (Label("beagle", 0.7), Label("dog", 0.4)) and len(found) == 5
