"""The networks' plumbing on random weights: batches go in, a loss comes out, files are written."""

from __future__ import annotations

import random

import pytest
import torch
import transformers

from controlllm.planning.wishes import RequestText, Slot
from controlllm.readers.wish_networks import WIDTH, Networks
from controlllm.readers.wishes import WishReader
from training.batches import UNKNOWN, batch_of, shown_tools
from training.examples import Example, WantedWish, read_examples
from training.exporting import export
from training.losses import loss_of
from training.network import Decided, ReaderNetwork
from training.train import STAGES, counted, mean_state


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(0)
    config = transformers.BertConfig(
        hidden_size=WIDTH, num_hidden_layers=1, num_attention_heads=6, intermediate_size=64
    )
    return ReaderNetwork(transformers.BertModel(config))


def example(text, *wishes):
    return Example(RequestText(text, (Slot("image1"),)), tuple(wishes), "own", "somebody")


CROP = WantedWish(((0, 4),), ("find", "crop"), (0,), (), {"object": ((9, 12),)})
NOTHING = WantedWish(((0, 5),), (), None, None, {})


def test_a_batch_says_what_the_examples_say():
    batch = batch_of(
        [example("Crop the dog", CROP), example("Print", NOTHING)], ["crop", "find"], ["a", "b"]
    )
    assert batch.tool[0].tolist() == [0, UNKNOWN] and batch.tool[1].tolist() == [2, UNKNOWN]
    assert batch.steps[0, 0].tolist() == [0, 1, 0] and batch.knows_steps.tolist() == [
        [1, 0],
        [0, 0],
    ]
    assert batch.files[0, 0].tolist() == [1] and batch.knows_inputs[1, 0] == 0
    assert batch.says[0, 0].sum() == 1 and batch.own[0].sum() == 3
    assert batch.more.tolist() == [[1, 0], [1, 0]]


def test_those_most_like_a_tool_that_is_needed_are_shown_beside_it():
    told = {f"tool_{number:03}": "a tool" for number in range(100)} | {"crop": "c", "find": "f"}
    twins = ["tool_005", "tool_077", "not_here"]
    names, _ = shown_tools(
        [example("Crop the dog", CROP)], told, {}, 14, random.Random(0),
        lambda name: twins if name == "crop" else [],
    )  # fmt: skip
    assert set(names[:2]) == {"crop", "find"} and len(names) == 14
    assert {"tool_005", "tool_077"} < set(names) and "not_here" not in names


@pytest.mark.long
def test_the_loss_of_written_requests_falls(network):
    boxes, examples = read_examples()
    few = [item for item in examples if item.box == "own" and len(item.shown.text) < 80][:8]
    names, told = shown_tools(few, boxes["own"], {}, 12, random.Random(0))
    batch = batch_of(few, names, told)
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-3)
    network.train()
    losses = []
    for _ in range(8):
        loss, tools = loss_of(network, batch)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.8 * losses[0]


def test_a_wish_does_not_see_those_after_it(network):
    network.eval()
    hidden, mask = torch.randn(1, 5, WIDTH), torch.ones(1, 5)
    slots = torch.rand(1, 1, 5)

    def scores(last):
        says, tools = torch.rand(1, 3, 5), torch.rand(1, 3, WIDTH)
        torch.manual_seed(1)
        says[:, :2], tools[:, :2] = torch.rand(1, 2, 5), torch.rand(1, 2, WIDTH)
        says[:, 2] = last
        decided = Decided(says, tools, torch.zeros(1, 3, 1), torch.zeros(1, 3, 3))
        with torch.no_grad():
            return network.decode(hidden, mask, slots, decided)

    one, other = scores(0.0), scores(1.0)
    assert torch.allclose(one.more, other.more) and torch.allclose(one.says, other.says)
    assert torch.allclose(one.ends[:, :2], other.ends[:, :2])


# The exporter used is an old one, which says so.
@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_what_is_written_can_be_read(network, tmp_path):
    export(network, tmp_path)
    reader = WishReader({"crop": "crop: Cut.", "draw": "draw: Draw."}, Networks.of(tmp_path))
    for wish in reader(RequestText("Crop the dog in image1", (Slot("image1"),))):
        assert set(wish.ends) == {"crop", "draw"}


def test_the_mean_of_states_is_weighed(tmp_path):
    for number in (1, 3):
        torch.save({"a": torch.tensor([float(number)])}, tmp_path / f"{number}.pt")
    found = mean_state([tmp_path / "1.pt", tmp_path / "3.pt"], [0.25, 0.75])
    assert found["a"].item() == pytest.approx(2.5)


def test_a_mean_is_of_the_stages_since_the_mean_before():
    means = [counted(STAGES[:count]) for count in (1, 3, 4, 6, 8)]
    assert means == [[0], [2], [2, 3], [4, 5], [7]]
    for places in (counted(STAGES[:4]), counted(STAGES[:6])):
        assert sum(STAGES[place].share for place in places) == 1
    # What ships is the mean of this one's end and of what it began with.
    assert 0 < STAGES[7].share < 1
