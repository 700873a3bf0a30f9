"""What the tools that make pictures promise, where they run, and what they hand on."""

from __future__ import annotations

import numpy as np
import PIL.Image
import pytest
import skimage.data

from controlllm.models import release_models
from controlllm.models.weights import FOLDER_SETTING
from controlllm.resources import Region
from controlllm.toolbox import Context, Toolbox, ToolError, Unavailable
from controlllm.toolbox.capabilities import ALONE, Capabilities, CloudEndpoint
from tests.every_case import every_case
from tests.tools.tiny_models import QUIETLY, build
from tools.hub import catalogue_images
from tools.pictures import generation as image_generation
from tools.pictures.along_maps import ALONG_MAPS
from tools.pictures.backgrounds import replace_background
from tools.pictures.editing import image_inpainting, partial_image_editing
from tools.pictures.effects import style_transfer, super_resolution, text_image_editing
from tools.video.editing import image_to_video, text_to_video

pytestmark = QUIETLY

NEW = (
    *ALONG_MAPS.values(),
    image_generation.text_to_image,
    image_generation.image_to_image,
    partial_image_editing,
    text_to_video,
)
WITH_BOTH = (
    *ALONG_MAPS.values(),
    image_generation.text_to_image,
    image_generation.image_to_image,
    partial_image_editing,
    image_inpainting,
    text_image_editing,
    style_transfer,
    replace_background,
)


def way(definition, needs_gpu: bool):
    """The implementation of a tool with downloaded weights, for machines with or without a GPU."""
    return next(
        item
        for item in definition.implementations
        if item.runtime == "hub" and item.needs_gpu is needs_gpu
    )


@pytest.fixture
def models(tmp_path, monkeypatch):
    """Builds tiny weights where the program looks for them."""
    monkeypatch.setenv(FOLDER_SETTING, str(tmp_path))

    def build_all(*wanted):
        for weights in wanted:
            build(weights)

    yield build_all
    release_models()


@pytest.fixture(scope="module")
def coffee() -> PIL.Image.Image:
    return PIL.Image.fromarray(skimage.data.coffee()).resize((240, 160))


@every_case("kind", ALONG_MAPS)
def test_each_kind_of_map_has_a_tool_of_its_own(kind):
    tool = ALONG_MAPS[kind].tool
    assert tool.name == f"{kind}_text_to_image" and tool.domain == "image-generation"
    assert [argument.type for argument in tool.args] == [kind, "text"]
    assert all(not argument.optional for argument in tool.args)
    assert tool.returns.type == "image"


@every_case("definition", NEW)
def test_a_new_tool_has_varied_examples_of_its_own(definition):
    examples = definition.tool.examples
    assert 7 <= len(examples) <= 9
    assert len({text.split()[0] for text in examples}) >= 5, "they begin in different ways"
    others = {
        text.lower()
        for tool in Toolbox.load()
        if tool.name != definition.tool.name
        for text in tool.examples
    }
    assert not {text.lower() for text in examples} & others


@every_case("definition", NEW)
def test_nothing_is_made_where_nothing_can_make_it(definition, models):
    """There is no stand-in for a model that makes pictures."""
    assert all(item.runtime != "embedded" for item in definition.implementations)
    for item in definition.implementations:
        assert item.reason_unavailable(ALONE)
    with pytest.raises(Unavailable, match="cannot run here"):
        definition(**{argument.name: None for argument in definition.tool.args})


@every_case("definition", WITH_BOTH)
def test_there_is_a_way_without_a_gpu_and_one_by_an_endpoint(definition):
    assert way(definition, needs_gpu=True) and way(definition, needs_gpu=False)
    order = [item.needs_gpu for item in definition.implementations if item.runtime == "hub"]
    assert order[0], "the better one is tried first"
    endpoint = Capabilities(endpoint=CloudEndpoint(api_key="key", image_model="painter"))
    reasons = [
        item.reason_unavailable(endpoint)
        for item in definition.implementations
        if item.runtime == "cloud" and "openai" in item.packages
    ]
    assert reasons == [None]
    silent = Capabilities(endpoint=CloudEndpoint(api_key="key", chat_model="talker"))
    assert all(
        item.reason_unavailable(silent)
        for item in definition.implementations
        if item.runtime == "cloud"
    )


@every_case("definition", [image_to_video, text_to_video])
def test_videos_need_a_gpu(definition):
    found = [item for item in definition.implementations if item.runtime == "hub"]
    assert [item.needs_gpu for item in found] == [True]


def test_a_map_of_another_shape_gives_a_picture_of_that_shape(models):
    models(catalogue_images.STABLE_DIFFUSION, catalogue_images.MAPS["canny"])
    lines = PIL.Image.new("L", (300, 100))
    lines.paste(255, (140, 0, 142, 100))
    drawn = ALONG_MAPS["canny"](lines, "a bridge")
    assert abs(drawn.width / drawn.height - 3) < 0.2


@every_case("kind", ALONG_MAPS)
def test_each_kind_of_map_is_read_by_the_network_for_it(kind):
    choice = way(ALONG_MAPS[kind], needs_gpu=False).weights["map"]["usual"]
    words = {
        "edge": "softedge",
        "hed": "softedge",
        "line": "mlsd",
        "normal": "normalbae",
        "pose": "openpose",
        "segmentation": "seg",
    }
    assert choice.repository.endswith(f"_{words.get(kind, kind)}")


def test_the_two_parts_of_a_drawing_along_a_map_belong_together():
    for definition in ALONG_MAPS.values():
        large, small = way(definition, True).weights, way(definition, False).weights
        # A choice of sizes for one part only could pair it with one that does not fit.
        assert [list(choice) for choice in (*large.values(), *small.values())] == [["usual"]] * 4


def test_a_variation_needs_no_words(models, coffee):
    models(catalogue_images.STABLE_DIFFUSION)
    drawn = image_generation.image_to_image(coffee)
    assert abs(drawn.width / drawn.height - 1.5) < 0.05


def test_filling_in_by_a_model_leaves_the_rest(models, coffee):
    models(catalogue_images.STABLE_DIFFUSION_FILLING)
    pixels = np.zeros((160, 240), bool)
    pixels[60:100, 110:150] = True
    inputs = {"image": coffee, "mask": (Region(pixels),)}
    filled = np.asarray(way(image_inpainting, False).run(inputs, Context()))
    near = np.zeros((160, 240), bool)
    near[50:115, 100:160] = True
    assert (filled[~near] == np.asarray(coffee)[~near]).all()
    assert (filled[pixels] != np.asarray(coffee)[pixels]).any()


@pytest.mark.long
def test_the_subject_stays_before_a_drawn_background(models):
    models(catalogue_images.STABLE_DIFFUSION_FILLING)
    portrait = PIL.Image.fromarray(skimage.data.astronaut()).resize((256, 256))
    inputs = {"image": portrait, "prompt": "a beach"}
    changed = np.asarray(way(replace_background, False).run(inputs, Context())).astype(int)
    difference = np.abs(changed - np.asarray(portrait)).mean(axis=-1)
    assert difference[60:100, 100:130].mean() < 2, "her face stays"
    assert difference[:60, 200:].mean() > 10, "what is behind her does not"


def test_a_style_without_words_is_refused(models, coffee):
    models(catalogue_images.INSTRUCTED_EDITS)
    with pytest.raises(ToolError, match="no style"):
        way(style_transfer, False).run({"image": coffee, "prompt": " "}, Context())


def test_enlarging_by_a_network_gives_the_same_each_time(models, coffee):
    models(catalogue_images.ENLARGING["usual"])
    small = coffee.resize((60, 40))
    network = next(item for item in super_resolution.implementations if "torch" in item.packages)
    first, second = (network.run({"image": small}, Context()) for _ in range(2))
    assert network.deterministic and first.size == (240, 160)
    assert (np.asarray(first) == np.asarray(second)).all()
