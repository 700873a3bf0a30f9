"""The reader's networks: an encoder of requests and tools, and a decoder that writes wishes.

The encoder is a pretrained sentence encoder. The decoder is a small transformer over the encoder's
states. For each wish in turn it says whether there is one more, which tokens ask for it, which
files and earlier wishes it works on, which tokens are words of which role, and, by the angle
between vectors, which tools make its result and which are needed on the way. What it decided for
the wishes before is its input (the paper's Sec. 7 has a language model write them instead).

Shapes: B requests, S wishes, T tokens, F files, D the width, 384.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, normalize

from controlllm.planning.wishes import MOST_WISHES, ROLES
from controlllm.readers.wish_networks import WIDTH

_HEADS, _LAYERS, _ROLE_WIDTH = 6, 2, 64


@dataclass(frozen=True)
class Decided:
    """What is known of each wish when the next one is written.

    `says` (B, S, T) weighs the tokens that ask for it, `tools` (B, S, D) are the vectors of the
    tools that make its result, `files` (B, S, F) and `wishes` (B, S, S) weigh what it works on.
    Rows of weights come to 1, or to 0 where nothing is known.
    """

    says: Tensor
    tools: Tensor
    files: Tensor
    wishes: Tensor


@dataclass(frozen=True)
class Scores:
    """Logits for each wish, and vectors to compare with tools.

    `more` (B, S), `says` (B, S, T), `files` (B, S, F), `wishes` (B, S, S), `roles` (B, S, R, T);
    `ends` and `steps` (B, S, D) are of length 1.
    """

    more: Tensor
    says: Tensor
    files: Tensor
    wishes: Tensor
    roles: Tensor
    ends: Tensor
    steps: Tensor


class Attention(nn.Module):
    """Attention of several heads; `blocked` is added to its logits."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.value, self.out = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, at: Tensor, over: Tensor, blocked: Tensor) -> Tensor:
        def heads(found: Tensor) -> Tensor:
            return found.unflatten(-1, (_HEADS, WIDTH // _HEADS)).transpose(1, 2)

        query, key, value = heads(self.query(at)), heads(self.key(over)), heads(self.value(over))
        logits = query @ key.transpose(-1, -2) / math.sqrt(WIDTH // _HEADS) + blocked
        return self.out((logits.softmax(-1) @ value).transpose(1, 2).flatten(-2))


class DecoderLayer(nn.Module):
    """A wish looks at the wishes before it, then at the request."""

    def __init__(self) -> None:
        super().__init__()
        self.before, self.request = Attention(), Attention()
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.norms = nn.ModuleList([nn.LayerNorm(WIDTH) for _ in range(3)])
        self.dropout = nn.Dropout(0.1)

    def forward(self, x: Tensor, hidden: Tensor, later: Tensor, padding: Tensor) -> Tensor:
        y = self.norms[0](x)
        x = x + self.dropout(self.before(y, y, later))
        x = x + self.dropout(self.request(self.norms[1](x), hidden, padding))
        return x + self.dropout(self.narrow(self.dropout(gelu(self.wide(self.norms[2](x))))))


class ReaderNetwork(nn.Module):
    """The encoder and the decoder."""

    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder
        self.start = nn.Parameter(torch.randn(WIDTH) * 0.02)
        self.places = nn.Parameter(torch.randn(MOST_WISHES + 1, WIDTH) * 0.02)
        self.said, self.used, self.worked = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.layers = nn.ModuleList([DecoderLayer() for _ in range(_LAYERS)])
        self.norm = nn.LayerNorm(WIDTH)
        self.more = nn.Linear(WIDTH, 1)
        self.says, self.says_token = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.file, self.file_key = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.wish, self.wish_key = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.biases = nn.Parameter(torch.full((3,), -1.0))
        self.made = nn.Linear(2 * WIDTH, WIDTH)
        self.ends, self.steps = nn.Linear(3 * WIDTH, WIDTH), nn.Linear(3 * WIDTH, WIDTH)
        self.tool = nn.Linear(WIDTH, WIDTH)
        self.nothing = nn.Parameter(torch.randn(WIDTH) * 0.05)
        self.scale = nn.Parameter(torch.tensor(math.log(18.0)))
        self.step_scale = nn.Parameter(torch.tensor(math.log(12.0)))
        self.step_bias = nn.Parameter(torch.tensor(-4.0))
        roles = len(ROLES)
        self.role = nn.Linear(WIDTH, _ROLE_WIDTH * roles)
        self.role_token = nn.Linear(WIDTH, _ROLE_WIDTH * roles)
        self.role_bias = nn.Parameter(torch.full((roles, 1), -2.0))
        with torch.no_grad():
            # At first a wish is matched by the mean of its words, as the encoder was trained to.
            nn.init.eye_(self.tool.weight)
            self.tool.bias.zero_()
            for layer in (self.ends, self.steps):
                nn.init.normal_(layer.weight, std=0.01)
                layer.bias.zero_()
                layer.weight[:, WIDTH : 2 * WIDTH] += torch.eye(WIDTH)

    def hidden(self, ids: Tensor, mask: Tensor) -> Tensor:
        """The states of tokens, (B, T, D)."""
        states: Tensor = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        return states.float()

    def tool_of(self, hidden: Tensor, mask: Tensor) -> Tensor:
        """The vectors of what tools say of themselves, (B, D), of length 1."""
        weights = mask.unsqueeze(-1).float()
        return normalize(self.tool((hidden * weights).sum(1) / weights.sum(1)), dim=-1)

    def decode(self, hidden: Tensor, mask: Tensor, slots: Tensor, decided: Decided) -> Scores:
        """What is said of each wish, given the request and the wishes before it.

        `slots` (B, F, T) weigh the tokens of each file. The `ends` and `steps` of a wish rest on
        what is decided of its own words and of what it works on, all else on earlier wishes alone.
        """
        count = decided.says.shape[1]
        said = decided.says @ hidden
        files = slots @ hidden
        made = gelu(self.made(torch.cat([said, decided.tools], -1)))
        worked = decided.files @ files + decided.wishes @ made
        known = self.said(said) + self.used(decided.tools) + self.worked(worked)
        first = self.start.expand(hidden.shape[0], 1, WIDTH)
        x = torch.cat([first, known[:, :-1]], 1) + self.places[:count]
        later = torch.full((count, count), -1e4).triu(1)
        padding = (1 - mask.to(hidden.dtype))[:, None, None, :] * -1e4
        for layer in self.layers:
            x = layer(x, hidden, later, padding)
        x = self.norm(x)
        role = self.role(x).unflatten(-1, (len(ROLES), _ROLE_WIDTH)).transpose(1, 2)
        token = self.role_token(hidden).unflatten(-1, (len(ROLES), _ROLE_WIDTH)).transpose(1, 2)
        roles = (role @ token.transpose(-1, -2) / math.sqrt(_ROLE_WIDTH)).transpose(1, 2)
        about = torch.cat([x, said, worked], -1)
        return Scores(
            self.more(x).squeeze(-1),
            _pointed(self.says(x), self.says_token(hidden)) + self.biases[0],
            _pointed(self.file(x), self.file_key(files)) + self.biases[1],
            _pointed(self.wish(x), self.wish_key(made)) + self.biases[2],
            roles + self.role_bias,
            normalize(self.ends(about), dim=-1),
            normalize(self.steps(about), dim=-1),
        )


def _pointed(at: Tensor, over: Tensor) -> Tensor:
    return at @ over.transpose(-1, -2) / math.sqrt(WIDTH)
