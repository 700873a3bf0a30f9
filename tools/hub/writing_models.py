"""Language models that follow instructions, downloaded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controlllm.toolbox import Context

from ..words.embedded.language_requests import LanguageModel, Reply
from .device import Placement, loaded
from .stopping import watched

#: About 2,500 tokens of English; on a processor alone they are read in about a minute.
_LONGEST = 10_000


@dataclass(frozen=True)
class Writer:
    """A language model and what makes its tokens."""

    model: Any
    tokenizer: Any
    device: str


def load_writer(folder: Path, placement: Placement) -> Writer:
    """The language model in a folder."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(
        folder, local_files_only=True, dtype=placement.dtype
    )
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    return Writer(model.to(placement.device).eval(), tokenizer, placement.device)


def language_model(folder: Path, freely: bool = False) -> LanguageModel:
    """The model in a folder as one that can be asked; `freely` draws words by chance, else each
    is the likeliest."""

    def ask(instruction: str, text: str, most: int, context: Context) -> Reply:
        return _write(folder, instruction, text, most, freely, context)

    return LanguageModel(ask, _LONGEST)


def _write(
    folder: Path, instruction: str, text: str, most: int, freely: bool, context: Context
) -> Reply:
    import torch

    context.progress(0.0, "loading the language model")
    writer = loaded(load_writer, folder)
    tokens = writer.tokenizer.apply_chat_template(
        [{"role": "system", "content": instruction}, {"role": "user", "content": text}],
        add_generation_prompt=True,
        return_dict=True,
        return_tensors="pt",
        # Models that can think aloud first take a minute longer and say the same.
        enable_thinking=False,
    ).to(writer.device)
    # A token is two characters at least in most scripts; where it is one, twice as many are few.
    room = max(most // 2, 48)
    start = tokens["input_ids"].shape[1]
    chance: dict[str, Any] = {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
    if freely:
        chance = {"do_sample": True, "temperature": 0.7, "top_p": 0.8, "top_k": 20}
    context.progress(0.0, "reading")
    with torch.inference_mode():
        found = writer.model.generate(
            **tokens,
            max_new_tokens=room,
            stopping_criteria=watched(context, room, "writing"),
            pad_token_id=writer.tokenizer.pad_token_id or writer.tokenizer.eos_token_id,
            **chance,
        )
    said = found[0, start:]
    text = writer.tokenizer.decode(said, skip_special_tokens=True)
    context.progress(1.0, "written")
    return Reply(text.strip(), len(said) < room)
