"""Tiny models of the families that write, translate and read, built in a moment.

Most have random weights. The language model says the same sentence to everything, so that what is
made of a reply can be tested.
"""

from __future__ import annotations

import functools
import json
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.tools.tiny_models.parts import (
    READS_AND_WRITES,
    THIN,
    numbered,
    save,
    tokenizers,
    transformers,
    word_pieces,
)
from tools.hub import catalogue_language_and_sound as catalogue

#: What the tiny language model replies.
REPLY = "Rivers, bridges, old towns and boats."
_CHAT = (
    "{% for message in messages %}<|{{ message.role }}|> {{ message.content }} {% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
_ROLES = ["<|system|>", "<|user|>", "<|assistant|>"]


def _writer(folder: Path) -> None:
    """A Qwen3 whose layers add nothing: each token is followed by the next one of the reply."""
    import torch

    # A token has only one follower, so that the two commas are two tokens.
    said = REPLY.replace(", ", " ##, ", 1).replace(", old", " , old").replace(".", " .")
    words = ["<unk>", "<|end|>", *_ROLES, *said.split()]
    inner = tokenizers.Tokenizer(tokenizers.models.WordLevel(numbered(words), unk_token="<unk>"))
    inner.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    inner.decoder = tokenizers.decoders.WordPiece(prefix="##", cleanup=True)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner,
        unk_token="<unk>",
        eos_token="<|end|>",
        pad_token="<|end|>",
        additional_special_tokens=_ROLES,
        chat_template=_CHAT,
    ).save_pretrained(folder)
    size = len(words)
    model = transformers.Qwen3ForCausalLM(
        transformers.Qwen3Config(
            vocab_size=size,
            hidden_size=32,
            intermediate_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            num_key_value_heads=1,
            head_dim=16,
            tie_word_embeddings=False,
            eos_token_id=1,
            pad_token_id=1,
        )
    )
    follower = [*range(2, size), 1]
    order = [0, 1, *range(2, size)]
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        model.model.norm.weight.fill_(1.0)
        for layer in model.model.layers:
            layer.input_layernorm.weight.fill_(1.0)
        model.model.embed_tokens.weight[:, :size] = torch.eye(size)
        for token, after in zip(order[1:], follower, strict=True):
            model.lm_head.weight[after, token] = 10.0
    model.save_pretrained(folder)


def _m2m(folder: Path) -> None:
    import sentencepiece
    import torch

    folder.mkdir(parents=True, exist_ok=True)
    corpus = folder / "corpus.txt"
    corpus.write_text("\n".join(f"the {a}{b} and {b}{a}" for a in _LETTERS for b in _LETTERS))
    sentencepiece.SentencePieceTrainer.train(
        input=str(corpus),
        model_prefix=str(folder / "pieces"),
        vocab_size=60,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    corpus.unlink()
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "pieces.model"))
    known = ["<s>", "<pad>", "</s>", "<unk>"]
    known += [pieces.id_to_piece(number) for number in range(3, len(pieces))]
    (folder / "vocab.json").write_text(json.dumps(numbered(known)))
    tokenizer = transformers.M2M100Tokenizer(
        str(folder / "vocab.json"), str(folder / "pieces.model")
    )
    tokenizer.save_pretrained(folder)
    size = max(tokenizer.lang_code_to_id.values()) + 9
    model = transformers.M2M100ForConditionalGeneration(
        transformers.M2M100Config(
            vocab_size=size,
            **READS_AND_WRITES,
            max_position_embeddings=1024,
        )
    )
    # The marks of languages are never the likeliest, though each may be asked for.
    with torch.no_grad():
        model.model.shared.weight[len(known) :] = 0.0
    _saved_as_talker(model, [*range(4), *range(size - 8, size)], folder)


def _madlad(folder: Path) -> None:
    marks = [f"<2{code}>" for code in ("de", "en", "fr", "iw", "ja")]
    pieces = [("<unk>", 0.0), ("</s>", 0.0), ("<pad>", 0.0), *((mark, 0.0) for mark in marks)]
    pieces += [("▁", -1.0), *((sign, -2.0) for sign in _LETTERS + ".,!?'")]
    tokenizer = transformers.T5Tokenizer(vocab=pieces, extra_ids=0)
    tokenizer.add_tokens(marks, special_tokens=True)
    tokenizer.save_pretrained(folder)
    model = transformers.T5ForConditionalGeneration(
        transformers.T5Config(
            vocab_size=len(tokenizer),
            d_model=16,
            d_kv=8,
            d_ff=16,
            num_layers=1,
            num_decoder_layers=1,
            num_heads=2,
            decoder_start_token_id=2,
            pad_token_id=2,
            eos_token_id=1,
        )
    )
    silent = [number for number, (piece, _) in enumerate(pieces) if piece.startswith("<")]
    _saved_as_talker(model, silent, folder)


def _saved_as_talker(model: Any, silent: list[int], folder: Path) -> None:
    """Save a random model that writes letters and never only signs of its own."""
    # Else the settings are made anew from the model's configuration when it is loaded.
    model.generation_config._from_model_config = False
    model.generation_config.suppress_tokens = silent
    model.save_pretrained(folder)


def _judge(folder: Path) -> None:
    pieces = [("[PAD]", 0.0), ("[CLS]", 0.0), ("[SEP]", 0.0), ("[UNK]", 0.0), ("▁", -1.0)]
    pieces += [(sign, -2.0) for sign in string.ascii_letters + ".,!?'"]
    pieces += [("[MASK]", 0.0)]
    tokenizer = transformers.DebertaV2Tokenizer(vocab=pieces)
    tokenizer.save_pretrained(folder)
    transformers.DebertaV2ForSequenceClassification(
        transformers.DebertaV2Config(
            vocab_size=len(tokenizer) + 2,
            **THIN,
            relative_attention=True,
            position_buckets=32,
            norm_rel_ebd="layer_norm",
            share_att_key=True,
            pos_att_type=["p2c", "c2p"],
            position_biased_input=False,
            type_vocab_size=0,
            max_position_embeddings=512,
            id2label={0: "entailment", 1: "not_entailment"},
            label2id={"entailment": 0, "not_entailment": 1},
        )
    ).save_pretrained(folder)


_LETTERS = string.ascii_lowercase
#: What the finders of names and the voices read.
SIGNS = string.ascii_letters + string.digits + ".,!?'-"
_CLASSES = ["O", "B-MISC", "I-MISC", "B-PER", "I-PER", "B-ORG", "I-ORG", "B-LOC", "I-LOC"]


def _names(folder: Path, family: str, **width: Any) -> None:
    tokenizer = word_pieces(SIGNS, do_lower_case=False)
    config = getattr(transformers, f"{family}Config")(
        vocab_size=len(tokenizer), id2label=dict(enumerate(_CLASSES)), **width
    )
    save(folder, tokenizer, getattr(transformers, f"{family}ForTokenClassification")(config))


BUILDERS: dict[str, Callable[[Path], None]] = {
    **{weights.repository: _writer for weights in catalogue.WRITERS.values()},
    catalogue.TRANSLATORS["small"].repository: _m2m,
    catalogue.TRANSLATORS["usual"].repository: _madlad,
    **{weights.repository: _judge for weights in catalogue.READERS.values()},
    catalogue.NAME_FINDERS["small"].repository: functools.partial(
        _names, family="DistilBert", dim=16, n_layers=1, n_heads=2, hidden_dim=16
    ),
    catalogue.NAME_FINDERS["usual"].repository: functools.partial(_names, family="Bert", **THIN),
}
