"""How far the reader's networks are from what they are to say."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import (
    binary_cross_entropy_with_logits as binary_loss,
)
from torch.nn.functional import cross_entropy, normalize

from training.batches import UNKNOWN, Batch
from training.network import Decided, ReaderNetwork

#: What each part counts. Words of requests and roles are many tokens, most of which are easy.
_SAYS, _STEPS, _ROLES = 2.0, 0.5, 4.0
#: How much more a step or a word that is there counts than one that is not.
_THERE = 4.0
#: How often, in training, what a wish works on is hidden from those who match it.
_HIDDEN = 0.1
#: In so many parts the tools of a batch are read.
_TOOL_PARTS = 4
#: What each file counts: in later turns most are not meant, and to say so of all is nearly right.
_FILES = 3.0


def loss_of(
    network: ReaderNetwork, batch: Batch, beside: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The mean loss of a batch over all that the network says of it, and its tools' vectors.

    `beside` (tools, D) are vectors of tools that serve none of its wishes, from which those that do
    have to be told apart as well.
    """
    tools = _vectors_of(network, batch.tools, batch.tools_mask)
    vectors = torch.cat([tools, normalize(network.nothing, dim=-1)[None]])
    hidden = network.hidden(batch.ids, batch.mask)
    files, wishes = _shares(batch.files), _shares(batch.wishes)
    if network.training:
        seen = (torch.rand(batch.is_wish.shape) > _HIDDEN).float().unsqueeze(-1)
        files, wishes = files * seen, wishes * seen
    used = vectors[batch.tool.clamp(min=0)] * (batch.tool != UNKNOWN).unsqueeze(-1)
    decided = Decided(_shares(batch.says), used, files, wishes)
    scores = network.decode(hidden, batch.mask, batch.slots, decided)
    own, there = batch.own[:, None, :], batch.is_wish.unsqueeze(-1)
    inputs = (batch.is_wish * batch.knows_inputs).unsqueeze(-1)
    before = torch.ones(batch.wishes.shape[1:]).tril(-1)[None]
    among = vectors if beside is None else torch.cat([vectors, beside])
    ends = (scores.ends @ among.T) * network.scale.exp()
    steps = (scores.steps @ vectors.T) * network.step_scale.exp() + network.step_bias
    loss = (
        _mean(binary_loss(scores.more, batch.more, reduction="none"), batch.counts_more)
        + _SAYS * _mean(binary_loss(scores.says, batch.says, reduction="none"), own * there)
        + _FILES
        * _mean(
            binary_loss(scores.files, batch.files, reduction="none"),
            batch.has_slot[:, None, :] * inputs,
        )
        + _mean(binary_loss(scores.wishes, batch.wishes, reduction="none"), before * inputs)
        + cross_entropy(
            ends.flatten(0, 1), batch.tool.flatten(), ignore_index=UNKNOWN, label_smoothing=0.05
        )
        + _STEPS * _steps_loss(steps, batch)
        + _ROLES
        * _mean(
            binary_loss(
                scores.roles, batch.roles, reduction="none", pos_weight=torch.tensor(_THERE)
            ),
            batch.knows_role.unsqueeze(-1) * own.unsqueeze(1),
        )
    )
    return loss, tools


def _vectors_of(network: ReaderNetwork, ids: Tensor, mask: Tensor) -> Tensor:
    """The vectors of tools (N, T'), read in parts of like length so that little padding is."""
    order = mask.sum(1).argsort()
    found = []
    for part in order.chunk(_TOOL_PARTS):
        length = int(mask[part].sum(1).max())
        there = mask[part, :length]
        found.append(network.tool_of(network.hidden(ids[part, :length], there), there))
    return torch.cat(found)[order.argsort()]


def _steps_loss(logits: Tensor, batch: Batch) -> Tensor:
    """The loss of the steps on the way, summed over tools: most wishes need none or one."""
    found = binary_loss(logits, batch.steps, reduction="none", pos_weight=torch.tensor(_THERE)).sum(
        -1
    )
    return _mean(found, batch.knows_steps) / 3


def _mean(losses: Tensor, counted: Tensor) -> Tensor:
    counted = counted.expand_as(losses)
    return (losses * counted).sum() / counted.sum().clamp(min=1)


def _shares(marks: Tensor) -> Tensor:
    return marks / marks.sum(-1, keepdim=True).clamp(min=1e-6)
