"""Language models that follow instructions, downloaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from controlllm.toolbox import Context

from ..words.embedded.language_requests import LanguageModel, Reply
from .device import loaded, pretrained, watched

#: About 2,500 tokens of English; on a processor alone they are read in about a minute.
_LONGEST = 10_000


load_writer = pretrained("AutoModelForCausalLM", "AutoTokenizer")


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
    tokenizer, model = loaded(load_writer, folder)
    tokens = tokenizer.apply_chat_template(
        [{"role": "system", "content": instruction}, {"role": "user", "content": text}],
        add_generation_prompt=True,
        return_dict=True,
        return_tensors="pt",
        # Models that can think aloud first take a minute longer and say the same.
        enable_thinking=False,
    ).to(model.device)
    # A token is two characters at least in most scripts; where it is one, twice as many are few.
    room = max(most // 2, 48)
    start = tokens["input_ids"].shape[1]
    chance: dict[str, Any] = {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
    if freely:
        chance = {"do_sample": True, "temperature": 0.7, "top_p": 0.8, "top_k": 20}
    context.progress(0.0, "reading")
    with torch.inference_mode():
        found = model.generate(
            **tokens,
            max_new_tokens=room,
            stopping_criteria=watched(context, room, "writing"),
            pad_token_id=tokenizer.pad_token_id or tokenizer.eos_token_id,
            **chance,
        )
    said = found[0, start:]
    text = tokenizer.decode(said, skip_special_tokens=True)
    context.progress(1.0, "written")
    return Reply(text.strip(), len(said) < room)
