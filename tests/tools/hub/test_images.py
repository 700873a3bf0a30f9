"""How pictures are made step by step, on tiny random models: sizes, stopping, faults."""

from __future__ import annotations

import inspect
import json
import shutil
import threading
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
import skimage.data
import torch

from controlllm.toolbox import Cancelled, Context, ToolError
from tests.every_case import every_case
from tests.tools.tiny_models import QUIETLY
from tests.waiting import wait_until
from tools.hub import (
    catalogue_images,
    diffusion,
    enlarged_pictures,
    moving_pictures,
    pictures,
)
from tools.hub.device import Placement

pytestmark = QUIETLY

PLAIN = catalogue_images.STABLE_DIFFUSION
FILLING = catalogue_images.STABLE_DIFFUSION_FILLING
LARGE = catalogue_images.STABLE_DIFFUSION_XL


@pytest.fixture(scope="module")
def coffee() -> PIL.Image.Image:
    return PIL.Image.fromarray(skimage.data.coffee()).resize((300, 200))


class Listener:
    """A context's report that stops the run at a step."""

    def __init__(self, stop_at: int | None = None) -> None:
        self.told: list[tuple[float, str]] = []
        self.stopped = threading.Event()
        self.stop_at = stop_at

    def __call__(self, fraction: float, words: str) -> None:
        self.told.append((fraction, words))
        if self.stop_at is not None and len(self.steps) >= self.stop_at:
            self.stopped.set()

    @property
    def steps(self) -> list[str]:
        return [words for _, words in self.told if "tep " in words]

    def context(self, **more) -> Context:
        return Context(self, self.stopped, **more)


def counted(monkeypatch, painter) -> list[int]:
    """A list that grows each time the network of a pipeline works."""
    passes: list[int] = []
    forward = painter.pipeline.unet.forward

    def counting(*args, **kwargs):
        passes.append(1)
        return forward(*args, **kwargs)

    monkeypatch.setattr(painter.pipeline.unet, "forward", counting)
    return passes


@pytest.mark.long
def test_every_step_is_told(built, monkeypatch):
    listener = Listener()
    painter = diffusion.painter(built(PLAIN), Context())
    passes = counted(monkeypatch, painter)
    picture = pictures.draw(built(PLAIN), "a red cup", listener.context())
    assert picture.size == (64, 64)
    steps = len(passes)
    assert listener.steps == [f"Step {step + 1} of {steps}" for step in range(steps)]
    fractions = [fraction for fraction, _ in listener.told]
    assert fractions == sorted(fractions) and fractions[-1] < 1


@pytest.mark.parametrize("stop_at", [1, 4])
@pytest.mark.long
def test_stopping_ends_it_at_the_next_step(built, monkeypatch, stop_at):
    listener = Listener(stop_at)
    painter = diffusion.painter(built(PLAIN), Context())
    passes = counted(monkeypatch, painter)
    with pytest.raises(Cancelled):
        pictures.draw(built(PLAIN), "a red cup", listener.context())
    assert len(listener.steps) == stop_at
    # It is stopped when the step after the last one that was told is told.
    assert len(passes) == stop_at + 1
    # What was stopped leaves nothing behind that keeps the next one from being made.
    assert pictures.draw(built(PLAIN), "a red cup", Context()).size == (64, 64)


def test_pictures_of_one_model_are_made_one_after_the_other(built):
    painter = diffusion.painter(built(PLAIN), Context())
    listener = Listener()
    with painter.lock:
        thread = threading.Thread(
            target=pictures.draw, args=(built(PLAIN), "a cup", listener.context())
        )
        thread.start()
        wait_until(lambda: any("Waiting" in words for _, words in listener.told))
        assert not listener.steps
    thread.join()
    assert listener.steps


def test_who_waits_can_stop(built):
    painter = diffusion.painter(built(PLAIN), Context())
    listener = Listener()
    listener.stopped.set()
    with painter.lock, pytest.raises(Cancelled):
        diffusion.paint(painter, listener.context(), prompt="a cup")


def test_pictures_differ_from_call_to_call(built):
    first, second = (
        np.asarray(pictures.draw(built(PLAIN), "a red cup", Context())) for _ in range(2)
    )
    assert (first != second).any()


@every_case("words", ["", "  \n"])
def test_no_words_are_no_wish(built, words):
    with pytest.raises(ToolError, match="no words"):
        pictures.draw(built(PLAIN), words, Context())


def corrupt(folder):
    (folder / "unet" / "diffusion_pytorch_model.fp16.safetensors").write_bytes(b"no weights" * 9)


def without_a_part(folder):
    shutil.rmtree(folder / "vae")


def that_could_run_code(folder):
    for path in folder.rglob("*.safetensors"):
        torch.save({}, path.with_suffix(".bin"))
        path.unlink()


@every_case("spoil", [shutil.rmtree, corrupt, without_a_part, that_could_run_code])
def test_weights_that_cannot_be_read_are_told(built, tmp_path, spoil):
    spoil(shutil.copytree(built(PLAIN), tmp_path / "some--model"))
    with pytest.raises(ToolError, match=r"some/model.*cannot be loaded.*models pull"):
        pictures.draw(tmp_path / "some--model", "a cup", Context())


def test_code_beside_weights_is_not_run(built, tmp_path):
    changed = tmp_path / "some--model"
    shutil.copytree(built(PLAIN), changed)
    trace = tmp_path / "was-run"
    (changed / "unet" / "own_code.py").write_text(f"open({str(trace)!r}, 'w').close()")
    index = json.loads((changed / "model_index.json").read_text())
    index["unet"] = ["own_code", "Network"]
    (changed / "model_index.json").write_text(json.dumps(index))
    with pytest.raises(ToolError, match="cannot be loaded"):
        pictures.draw(changed, "a cup", Context())
    assert not trace.exists()


def test_a_picture_that_the_models_own_check_refuses_is_not_returned(built, tmp_path):
    from safetensors.torch import load_file, save_file

    strict = tmp_path / "strict--model"
    shutil.copytree(built(PLAIN), strict)
    path = next((strict / "safety_checker").glob("*.safetensors"))
    weights = load_file(path)
    for name in weights:
        if name.endswith("embeds_weights"):
            weights[name] = torch.full_like(weights[name], -2.0)
    save_file(weights, path, metadata={"format": "pt"})
    with pytest.raises(ToolError, match="held its picture back"):
        pictures.draw(strict, "a cup", Context())


def test_lack_of_memory_on_a_gpu_is_told(built, monkeypatch):
    painter = diffusion.painter(built(PLAIN), Context())

    def too_much(*args, **kwargs):
        raise torch.OutOfMemoryError("CUDA out of memory.")

    monkeypatch.setattr(painter.pipeline.unet, "forward", too_much)
    with pytest.raises(ToolError, match="memory did not suffice"):
        pictures.draw(built(PLAIN), "a cup", Context())


class Parts:
    """Stands for a pipeline: it has parts of a size and notes where it is put."""

    def __init__(self, numbers: int) -> None:
        self.components = {"network": torch.nn.Linear(numbers, 1, bias=False), "words": None}
        self.vae = object()
        self.put: list[str] = []

    def to(self, device: str) -> None:
        self.put.append(device)

    def enable_model_cpu_offload(self) -> None:
        self.put.append("each part while it works")


@pytest.mark.parametrize(
    "free, where", [(8_000_000_000, "cuda"), (1_000_000_000, "each part while it works")]
)
def test_what_a_gpu_cannot_hold_is_put_there_part_by_part(monkeypatch, free, where):
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda: (free, 8_000_000_000))
    parts = Parts(1000)
    diffusion._place(parts, Placement("cuda", torch.bfloat16))
    assert parts.put == [where]


def test_without_a_gpu_nothing_is_asked_of_one(monkeypatch):
    monkeypatch.delattr(torch.cuda, "mem_get_info")
    parts = Parts(1000)
    diffusion._place(parts, Placement("cpu", torch.float32))
    assert parts.put == ["cpu"]


def test_lack_of_memory_while_loading_is_told(tmp_path):
    with pytest.raises(ToolError, match=r"too little memory.*some/model.*small weights"):
        diffusion.opened(load_too_much, tmp_path / "some--model")


def load_too_much(folder, placement):
    raise MemoryError


@every_case(
    "size, side", [((600, 400), 512), ((400, 600), 1024), ((3000, 500), 1024), ((7, 7), 64)]
)
def test_sizes_keep_the_proportions_and_the_pixels_of_a_square(size, side):
    width, height = diffusion.fitted(size, side)
    assert width % 8 == height % 8 == 0
    assert 0.8 < width * height / side**2 < 1.25
    assert abs(width / height / (size[0] / size[1]) - 1) < 0.15


def test_a_drawn_picture_is_never_blown_up():
    drawn = PIL.Image.new("RGB", (128, 64))
    assert diffusion.reshaped(drawn, (4000, 2100)).size == (128, 67)
    assert diffusion.reshaped(drawn, (20, 10)).size == (20, 10)


@pytest.mark.few(1)
@pytest.mark.parametrize("size", [(300, 200), (200, 300), (256, 256)])
def test_a_map_is_handed_over_in_the_size_of_the_picture(built, coffee, monkeypatch, size):
    from diffusers import StableDiffusionControlNetPipeline

    seen = {}
    call = StableDiffusionControlNetPipeline.__call__

    def watching(self, *args, **kwargs):
        seen.update(kwargs)
        return call(self, *args, **kwargs)

    watching.__signature__ = inspect.signature(call)
    monkeypatch.setattr(StableDiffusionControlNetPipeline, "__call__", watching)
    given = coffee.resize(size).convert("L")
    context = Context().with_weights(
        {"model": built(PLAIN), "map": built(catalogue_images.MAPS["depth"])}
    )
    drawn = pictures.draw_along("depth", given, "a cup", context)
    assert seen["image"].size == (seen["width"], seen["height"])
    assert seen["image"].mode == "RGB"
    assert abs(seen["width"] / seen["height"] / (size[0] / size[1]) - 1) < 0.15
    assert abs(drawn.width / drawn.height / (size[0] / size[1]) - 1) < 0.05


@pytest.mark.long
def test_what_a_map_shows_changes_the_picture(built, monkeypatch):
    context = Context().with_weights(
        {"model": built(LARGE), "map": built(catalogue_images.EVERY_MAP["usual"])}
    )
    reader = diffusion.opened(pictures.load_reader_of_every_map, context.weights["map"])
    # A new network of this kind adds nothing before it is trained: some of it is all noughts.
    with torch.no_grad():
        for values in reader.parameters():
            if not values.any():
                torch.nn.init.normal_(values, std=0.5)
    monkeypatch.setattr(diffusion.random, "SystemRandom", lambda: diffusion.random.Random(1))
    black = PIL.Image.new("L", (64, 64))
    white = PIL.Image.new("L", (64, 64), 255)

    def drawn(kind, given):
        return np.asarray(pictures.draw_along_any(kind, given, "a cup", context))

    assert (drawn("depth", black) == drawn("depth", black)).all()
    assert (drawn("depth", black) != drawn("depth", white)).any()
    assert (drawn("depth", white) != drawn("segmentation", white)).any()


def test_a_map_reader_for_another_family_is_refused(built, coffee):
    context = Context().with_weights(
        {"model": built(LARGE), "map": built(catalogue_images.FLUX_KLEIN)}
    )
    with pytest.raises(ToolError, match="cannot be loaded"):
        pictures.draw_along_any("depth", coffee, "a cup", context)


def test_only_the_marked_part_changes(built, coffee):
    part = np.zeros((200, 300), bool)
    part[60:140, 100:180] = True
    changed = pictures.repaint(built(FILLING), coffee, part, "a plum", Context())
    before, after = np.asarray(coffee), np.asarray(changed)
    assert (after[~part] == before[~part]).all()
    assert (after[part] != before[part]).any(axis=-1).mean() > 0.9


def test_a_part_at_the_picture_s_edge_is_drawn_up_to_it(built, coffee):
    part = np.zeros((200, 300), bool)
    part[:, 200:] = True
    changed = pictures.repaint(built(FILLING), coffee, part, "a plum", Context())
    difference = (np.asarray(changed)[part] != np.asarray(coffee)[part]).any(axis=-1)
    assert difference.reshape(200, 100)[:, -3:].mean() > 0.9


def test_a_transparent_part_is_seen_once_it_is_drawn(built, coffee):
    part = np.zeros((200, 300), bool)
    part[60:140, 100:180] = True
    see_through = coffee.copy()
    see_through.putalpha(0)
    changed = pictures.repaint(built(FILLING), see_through, part, "a plum", Context())
    assert changed.mode == "RGBA"
    alpha = np.asarray(changed.getchannel("A"))
    assert (alpha[part] == 255).all() and (alpha[~part] == 0).all()


def test_nothing_marked_is_told(built, coffee):
    with pytest.raises(ToolError, match="Nothing is marked"):
        pictures.repaint(built(FILLING), coffee, np.zeros((200, 300), bool), "a plum", Context())


@pytest.mark.parametrize("mode", ["L", "RGBA", "P"])
def test_pictures_of_every_kind_can_be_edited(built, coffee, mode):
    image = coffee.convert(mode)
    edits = built(catalogue_images.INSTRUCTED_EDITS)
    changed = pictures.change(edits, image, "make it blue", Context())
    assert changed.mode == ("RGBA" if mode == "RGBA" else "RGB")
    assert abs(changed.width / changed.height - 1.5) < 0.05


def test_enlarging_goes_piece_by_piece_and_can_be_stopped(built):
    class Stop(Listener):
        def __call__(self, fraction, words):
            super().__call__(fraction, words)
            if "part 2" in words:
                self.stopped.set()

    image = PIL.Image.fromarray(skimage.data.coffee()).resize((400, 40))
    small = built(catalogue_images.ENLARGING["small"])
    listener = Listener()
    assert enlarged_pictures.enlarge(
        enlarged_pictures.swin2sr, small, image, listener.context()
    ).size == (800, 80)
    assert [words for _, words in listener.told][1:] == [
        f"Enlarging part {part} of 3" for part in (1, 2, 3)
    ]
    stopping = Stop()
    with pytest.raises(Cancelled):
        enlarged_pictures.enlarge(enlarged_pictures.swin2sr, small, image, stopping.context())
    assert "part 3" not in stopping.told[-1][1]


def test_pieces_cover_a_picture_once():
    seen = np.zeros((500, 410), int)
    for outer, inner in enlarged_pictures._pieces(410, 500):
        seen[inner[1] : inner[3], inner[0] : inner[2]] += 1
        assert outer[0] <= inner[0] and outer[1] <= inner[1]
        assert outer[2] >= inner[2] and outer[3] >= inner[3]
    assert (seen == 1).all()


def test_pieces_are_put_where_they_belong(tmp_path):
    """With plain enlarging in place of the network, the whole is the plain enlargement."""
    image = PIL.Image.fromarray(skimage.data.coffee()).resize((401, 203))
    plain = enlarged_pictures.Enlarger(lambda piece: piece.repeat(2, 0).repeat(2, 1), 2)
    enlarged = enlarged_pictures.enlarge(lambda folder: plain, tmp_path, image, Context())
    assert (np.asarray(enlarged) == np.asarray(image).repeat(2, 0).repeat(2, 1)).all()


def test_transparency_and_greys_are_kept_when_enlarging(built, coffee):
    small = built(catalogue_images.ENLARGING["small"])
    image = coffee.resize((40, 30)).convert("RGBA")
    image.putalpha(PIL.Image.linear_gradient("L").resize((40, 30)))
    enlarged = enlarged_pictures.enlarge(enlarged_pictures.swin2sr, small, image, Context())
    assert enlarged.mode == "RGBA" and enlarged.getchannel("A").getextrema()[0] < 20
    assert (
        enlarged_pictures.enlarge(
            enlarged_pictures.swin2sr, small, image.convert("L"), Context()
        ).mode
        == "L"
    )


@pytest.fixture
def short_films(monkeypatch):
    monkeypatch.setattr(moving_pictures, "_SMALL", (64, 64))
    monkeypatch.setattr(moving_pictures, "_SECONDS", 0.5)


def test_a_video_of_a_picture_has_its_proportions(built, short_films, coffee, tmp_path):
    from tools.shared import video_files

    clip = moving_pictures.animate(
        built(catalogue_images.WAN),
        coffee.resize((300, 150)),
        None,
        Context(folder=tmp_path),
    )
    facts = video_files.read_facts(clip)
    assert (facts.width, facts.height) == (96, 32) or facts.width == 2 * facts.height
    assert abs(facts.seconds - 13 / 24) < 0.1
    assert clip.path.parent == Path(tmp_path)


def test_a_model_of_pictures_makes_no_video(built, coffee, tmp_path):
    with pytest.raises(ToolError, match="cannot make a video"):
        moving_pictures.animate(built(PLAIN), coffee, None, Context(folder=tmp_path))
