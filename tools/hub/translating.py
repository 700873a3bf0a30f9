"""Translation by downloaded models that do nothing else: M2M-100 and MADLAD-400."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from controlllm.toolbox import Context, ToolError

from ..words.embedded.language_requests import parted, pieces_of
from ..words.embedded.languages import code_of, language_of, name_of
from .device import loaded, pretrained, watched

#: The models learnt on sentences; more at once and they leave some out.
_LONGEST_PIECE = 350
#: How MADLAD-400 calls a few languages.
_OTHER_CODES = {"he": "iw", "tl": "fil", "jv": "jw"}


load_translator = pretrained("AutoModelForSeq2SeqLM", "AutoTokenizer")


def translate(folder: Path, text: str, language: str, context: Context) -> str:
    """The text in another language, sentence by sentence; lines stay lines."""
    code = code_of(language)
    if code is None:
        raise ToolError(
            f"I do not know the language “{language.strip()[:60]}”; name one like French or "
            "Japanese."
        )
    context.progress(0.0, "loading the translation model")
    tokenizer, model = loaded(load_translator, folder)
    lines = [piece for line in re.split(r"(\n+)", text) for piece in _pieces(line)]
    source = language_of(text) or "en"
    written = []
    for number, piece in enumerate(lines):
        before, words, after = parted(piece)
        part = context.part(number / len(lines), (number + 1) / len(lines))
        said = _translated(tokenizer, model, words, source, code, part) if words else ""
        written.append(f"{before}{said}{after}")
    translation = "".join(written)
    if not re.search(r"\w", translation):
        raise ToolError(
            "The translation model wrote nothing; put the text in whole sentences and try again."
        )
    return translation


def _pieces(line: str) -> list[str]:
    return pieces_of(line, _LONGEST_PIECE) if line else []


def _translated(
    tokenizer: Any, model: Any, words: str, source: str, target: str, context: Context
) -> str:
    import torch

    tokens, first = _tokens(tokenizer, words, source, target)
    room = 3 * len(tokens) + 40
    rows = torch.tensor([tokens], device=model.device)
    chosen: dict[str, Any] = {} if first is None else {"forced_bos_token_id": first}
    with torch.inference_mode():
        found = model.generate(
            input_ids=rows,
            attention_mask=torch.ones_like(rows),
            max_new_tokens=room,
            # A short line is else said again and again to its end.
            repetition_penalty=1.1,
            stopping_criteria=watched(context, room, "translating"),
            **chosen,
        )
    # The mark of the language that the answer begins with is no part of it.
    said = [token for token in found[0].tolist() if token != first]
    return str(tokenizer.decode(said, skip_special_tokens=True)).strip()


def _tokens(tokenizer: Any, words: str, source: str, target: str) -> tuple[list[int], int | None]:
    """The tokens of some words for a model, and the token its answer must begin with."""
    codes = getattr(tokenizer, "lang_code_to_id", None)
    if codes:
        _check_known(target, target in codes)
        plain = tokenizer(words, add_special_tokens=False)["input_ids"]
        return [codes.get(source, codes["en"]), *plain, tokenizer.eos_token_id], codes[target]
    vocabulary = tokenizer.get_vocab()
    marks = [f"<2{code}>" for code in (target, _OTHER_CODES.get(target, target))]
    known = [mark for mark in marks if mark in vocabulary]
    _check_known(target, bool(known))
    plain = tokenizer(words, add_special_tokens=False)["input_ids"]
    return [vocabulary[known[0]], *plain, tokenizer.eos_token_id], None


def _check_known(code: str, known: bool) -> None:
    if not known:
        raise ToolError(
            f"The translation model that is here cannot write {name_of(code)}; choose another "
            "language or another model."
        )
