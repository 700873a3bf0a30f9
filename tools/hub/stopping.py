"""Progress of a model that writes token by token, and a stop between two of them."""

from __future__ import annotations

from typing import Any

from controlllm.toolbox import Context


def watched(context: Context, most: int, words: str) -> Any:
    """The `stopping_criteria` of a `generate` call that report each token and end the call with
    Cancelled where the person stopped the run; `most` is how many tokens there can be."""
    import torch
    from transformers import StoppingCriteriaList

    written = 0

    def heard(tokens: torch.Tensor, scores: Any, **_: Any) -> torch.Tensor:
        nonlocal written
        written += 1
        context.progress(min(written / max(most, 1), 1.0), f"{words}, {written} tokens")
        return torch.zeros(tokens.shape[0], dtype=torch.bool, device=tokens.device)

    return StoppingCriteriaList([heard])
