"""Train the reader and write it as ``assets/models/reader.onnx``: what `make train` runs.

Everything it learns from is composed by `training.generator` from files of this repository; the
encoder that it starts from comes inside a pip package. The figures that it prints at the end are
those of the model card, ``docs/models/reader.md``.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import tokenizers
import torch
from torch.nn.functional import cross_entropy

from controlllm.planning.phrasebook import Intent, read_intents
from controlllm.planning.reading import clauses_of
from controlllm.readers.phrasings import MAXIMUM_TOKENS, scores_of
from training.exporting import write_quantised
from training.generator import Generator, LabelledRequest, read_wordings
from training.labels import UNKNOWN, LabelledTokens, label
from training.model import Reader, pretrained_encoder

ASSETS = Path(__file__).resolve().parents[1] / "assets" / "models"
_ENCODER_RATE, _HEAD_RATE = 1e-4, 1e-3
_WARM_UP = 0.06


def batches(
    generator: Generator,
    tokenizer: tokenizers.Tokenizer,
    intents: Sequence[str],
    size: int,
    count: int,
) -> Iterator[list[LabelledTokens]]:
    """Batches of requests of like length, so that little is computed for padding."""
    pool = size * 32
    order = random.Random(0)
    left = count
    while left > 0:
        drawn = [label(generator.request(), tokenizer, intents) for _ in range(min(pool, left))]
        left -= len(drawn)
        drawn.sort(key=lambda item: len(item.ids))
        grouped = [drawn[start : start + size] for start in range(0, len(drawn), size)]
        order.shuffle(grouped)
        yield from grouped


def loss_of(model: Reader, batch: Sequence[LabelledTokens]) -> torch.Tensor:
    """The mean loss of a batch: boundaries, roles and the intent of every clause."""
    width = max(len(item.ids) for item in batch)
    ids = torch.zeros(len(batch), width, dtype=torch.int64)
    mask = torch.zeros(len(batch), width, dtype=torch.int64)
    boundary = torch.full((len(batch), width), UNKNOWN)
    roles = torch.full((len(batch), width), UNKNOWN)
    most = max(len(item.intents) for item in batch)
    pooling = torch.zeros(len(batch), most, width)
    wanted = torch.full((len(batch), most), UNKNOWN)
    for row, item in enumerate(batch):
        length = len(item.ids)
        ids[row, :length] = torch.tensor(item.ids)
        mask[row, :length] = 1
        boundary[row, :length] = torch.tensor(item.boundary)
        roles[row, :length] = torch.tensor(item.roles)
        for place, intent in enumerate(item.intents):
            members = torch.tensor([number == place for number in item.clause]).float()
            if members.sum() > 0:
                pooling[row, place, :length] = members / members.sum()
                wanted[row, place] = intent
    edges, played, logits = model(ids, mask)
    pooled = pooling.to(logits.dtype) @ logits
    edge_weights = torch.tensor([1.0, 2.0, 1.0])
    return (
        cross_entropy(edges.float().flatten(0, 1), boundary.flatten(), weight=edge_weights)
        + 0.5 * cross_entropy(played.float().flatten(0, 1), roles.flatten())
        + cross_entropy(pooled.float().flatten(0, 1), wanted.flatten(), label_smoothing=0.05)
    )


def freeze_words(model: Reader) -> None:
    """Keep the word embeddings as they are: rare words would drift from those that are trained."""
    for parameter in model.encoder.embeddings.parameters():
        parameter.requires_grad = False


def train(
    model: Reader, stream: Iterator[list[LabelledTokens]], steps: int, report: float = 30.0
) -> None:
    """Train in place; prints the loss now and then."""
    heads = [p for name, p in model.named_parameters() if not name.startswith("encoder.")]
    rates = [_ENCODER_RATE, _HEAD_RATE]
    optimiser = torch.optim.AdamW(
        [
            {"params": [p for p in model.encoder.parameters() if p.requires_grad], "lr": rates[0]},
            {"params": heads, "lr": rates[1]},
        ],
        weight_decay=0.01,
    )
    model.train()
    started = told = time.monotonic()
    total, counted = 0.0, 0
    for step, batch in enumerate(itertools.islice(stream, steps)):
        share = step / steps
        factor = share / _WARM_UP if share < _WARM_UP else (1 - share) / (1 - _WARM_UP)
        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * max(factor, 0.01)
        loss = loss_of(model, batch)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        total, counted = total + float(loss.detach()), counted + 1
        if time.monotonic() - told > report:
            told = time.monotonic()
            print(f"step {step + 1} of {steps}, {told - started:.0f} s, loss {total / counted:.3f}")
            total, counted = 0.0, 0
    model.eval()


def export(model: Reader, intents: Sequence[str], path: Path) -> None:
    """Write the network with 8-bit weights; the names of the intents go into its metadata."""
    import onnx

    path.parent.mkdir(parents=True, exist_ok=True)
    example = torch.ones(1, 9, dtype=torch.int64)
    tokens = {0: "batch", 1: "tokens"}
    write_quantised(
        model.float(),
        {"input_ids": example, "attention_mask": example},
        {"boundary": tokens, "roles": tokens, "intents": tokens},
        {"input_ids": tokens, "attention_mask": tokens},
        path,
    )
    network = onnx.load(str(path))
    onnx.helper.set_model_props(network, {"intents": json.dumps(list(intents))})
    onnx.save(network, str(path))


@dataclass(frozen=True)
class Accuracy:
    """Shares of requests whose clauses, and of clauses whose intent and words, come out right."""

    requests: int
    clauses_found: float
    intents_right: float
    roles_right: float
    exact: float


def measure(
    path: Path, requests: Sequence[LabelledRequest], tokenizer: tokenizers.Tokenizer
) -> Accuracy:
    """How often the written network reads requests as they were composed."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path))
    names = json.loads(session.get_modelmeta().custom_metadata_map["intents"])
    found = intents = words = exact = told = total = 0
    for request in requests:
        read = clauses_of(scores_of(session, tokenizer, request.text), request.text)
        where = [(clause.start, clause.end) for clause in read]
        same = where == [(clause.start, clause.end) for clause in request.clauses]
        found += same
        right = True
        for clause in request.clauses:
            total += 1
            near = max(
                read,
                key=lambda item: min(item.end, clause.end) - max(item.start, clause.start),
                default=None,
            )
            hit = near is not None and names[int(near.intents.argmax())] == clause.intent
            intents += hit
            right = right and hit
            if clause.spans is not None:
                told += 1
                words += near is not None and {
                    (span.start, span.end, span.role) for span in near.spans
                } == {(span.start, span.end, span.role) for span in clause.spans}
        exact += same and right
    count = len(requests)
    return Accuracy(count, found / count, intents / total, words / max(told, 1), exact / count)


def divided(intents: Sequence[Intent], share: float) -> tuple[list[Intent], list[Intent]]:
    """Intents with most of their phrasings, and with the rest, which training never sees."""
    learnt, held = [], []
    for intent in intents:
        phrasings = list(intent.phrasings)
        random.Random(intent.name).shuffle(phrasings)
        cut = round(len(phrasings) * share)
        held.append(replace(intent, phrasings=tuple(phrasings[:cut])))
        learnt.append(replace(intent, phrasings=tuple(phrasings[cut:])))
    return learnt, held


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=96_000, help="how many to learn from")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--output", type=Path, default=ASSETS / "reader.onnx")
    parser.add_argument(
        "--held-out",
        type=float,
        default=0.0,
        help="the share of phrasings to keep from training and to measure with",
    )
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    tokenizer = tokenizers.Tokenizer.from_file(str(ASSETS / "minilm-tokenizer.json"))
    tokenizer.enable_truncation(MAXIMUM_TOKENS)
    tokenizer.no_padding()
    learnt, held = divided(read_intents(), options.held_out)
    names = [intent.name for intent in learnt]
    model = Reader(pretrained_encoder(), len(names))
    freeze_words(model)
    generator = Generator(read_wordings(learnt), options.seed)
    stream = batches(generator, tokenizer, names, options.batch, options.requests)
    started = time.monotonic()
    train(model, stream, -(-options.requests // options.batch))
    print(f"trained in {time.monotonic() - started:.0f} s")
    export(model, names, options.output)
    size = options.output.stat().st_size / 1e6
    digest = hashlib.sha256(options.output.read_bytes()).hexdigest()
    print(f"{options.output}  {size:.1f} MB  sha256 {digest}")
    for told, intents in (("composed of learnt phrasings", learnt), ("of held-out ones", held)):
        if all(intent.phrasings for intent in intents):
            other = Generator(read_wordings(intents), options.seed + 1)
            print(told, measure(options.output, [other.request() for _ in range(1000)], tokenizer))


if __name__ == "__main__":
    main()
