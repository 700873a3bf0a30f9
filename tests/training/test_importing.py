"""Written networks read back: what training goes on from is what was written."""

from __future__ import annotations

import copy

import pytest
import torch
import transformers

from controlllm.readers.wish_networks import WIDTH
from training.exporting import export
from training.importing import read_back
from training.network import Decided, ReaderNetwork


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(0)
    config = transformers.BertConfig(
        hidden_size=WIDTH, num_hidden_layers=1, num_attention_heads=6, intermediate_size=64
    )
    made = ReaderNetwork(transformers.BertModel(config)).eval()
    # Trained layers are no two alike; the exporter writes those that are as one.
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(0.02 * torch.randn_like(parameter))
    return made


@pytest.fixture(scope="module")
def written(network, tmp_path_factory):
    folder = tmp_path_factory.mktemp("written")
    export(network, folder)
    return folder


# The exporter used is an old one, which says so.
@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_what_is_read_back_says_what_was_written(network, written):
    other = copy.deepcopy(network)
    with torch.no_grad():
        for name, parameter in other.named_parameters():
            if not name.startswith("encoder.embeddings."):
                parameter.normal_()
    read_back(other, written)
    ids, mask = torch.arange(1, 10)[None], torch.ones(1, 9)
    decided = Decided(
        torch.rand(1, 2, 9), torch.randn(1, 2, WIDTH), torch.rand(1, 2, 1), torch.zeros(1, 2, 2)
    )
    with torch.no_grad():
        said = [
            net.decode(net.hidden(ids, mask), mask, torch.rand(1, 1, 9), decided)
            for net in (network, other)
            if torch.manual_seed(1)
        ]
    for one, again in zip(said[0].__dict__.values(), said[1].__dict__.values(), strict=True):
        assert torch.nn.functional.cosine_similarity(one.flatten(), again.flatten(), dim=0) > 0.99


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_files_of_another_network_are_refused(network, written):
    config = transformers.BertConfig(
        hidden_size=WIDTH, num_hidden_layers=2, num_attention_heads=6, intermediate_size=64
    )
    with pytest.raises(ValueError, match=r"not in the files of .*encoder\.layer\.1"):
        read_back(ReaderNetwork(transformers.BertModel(config)), written)
