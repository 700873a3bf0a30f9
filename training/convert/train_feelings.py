"""Train assets/models/feelings.npz, of tools/words/embedded/feeling_model.py.

It learns from the 23,700 sentences of reviews, tweets and editorials that people rated for
Hutto and Gilbert, "VADER" (ICWSM 2014), which lie in the source package of vaderSentiment 0.5
(MIT), from the short texts in ``training/convert/feelings.txt``, written for this project, and from
example requests of the tools, which feel like nothing.

    pip download --no-deps --no-build-isolation --no-binary :all: vaderSentiment==0.5 -d /tmp/rated
    unzip -d /tmp/rated /tmp/rated/vaderSentiment-0.5.zip
    tar xzf /tmp/rated/vaderSentiment-0.5/additional_resources/hutto_ICWSM_2014.tar.gz -C /tmp/rated
    python -m training.convert.train_feelings /tmp/rated/hutto_ICWSM_2014 assets/models/feelings.npz

It takes about five minutes with two cores, most of it for the vectors. With --check, a twelfth of
the rated sentences is kept out of the training and the share of right judgements on them is told.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import html
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from controlllm.models.encoder import DIMENSIONS, encode
from tools.words.embedded.feeling_model import MEANING_SCALE, word_figures, word_runs
from tools.words.embedded.feeling_words import word_feelings

ROOT = Path(__file__).resolve().parents[2]
#: The parts of the rated sentences and how much one of each counts.
PARTS = {
    "amazonReviewSnippets": 1.0,
    "nytEditorialSnippets": 1.0,
    "tweets": 1.0,
    "movieReviewSnippets": 0.6,
}
OWN_WEIGHT = 6.0
#: Ratings nearer to 0 than this are taken for neutral; they go from -4 to 4.
NEUTRAL = 0.55
EPOCHS, BATCH, HIDDEN, DROPOUT = 5, 128, 96, 0.45
LEAST_WORD, LEAST_RUN, MOST_RUNS = 4, 8, 9000


@dataclass(frozen=True)
class Example:
    text: str
    label: int
    weight: float
    rated: float = 0.0


def rated_examples(folder: Path) -> list[Example]:
    found = []
    for part, weight in PARTS.items():
        lines = (folder / f"{part}_GroundTruth.txt").read_text("latin-1").splitlines()
        for line in lines:
            _, rating, text = line.split("\t", 2)
            value = float(rating)
            label = 2 if value > NEUTRAL else 0 if value < -NEUTRAL else 1
            found.append(Example(html.unescape(text).replace("''", '"'), label, weight, value))
    return found


def own_examples() -> list[Example]:
    labels = {"negative": 0, "neutral": 1, "positive": 2}
    lines = (ROOT / "scripts" / "feelings.txt").read_text("utf-8").splitlines()
    pairs = [line.split("\t", 1) for line in lines]
    return [Example(text, labels[name], OWN_WEIGHT) for name, text in pairs]


def request_examples() -> list[Example]:
    found: list[str] = []
    for path in sorted((ROOT / "controlllm" / "tools").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "examples":
                found += [str(one.value) for one in ast.walk(node) if isinstance(one, ast.Constant)]
    plain = [text for text in found if not any(_strength(text))]
    return [Example(text, 1, 1.0) for text in plain[::4]]


def _strength(text: str) -> tuple[float, float]:
    said = word_feelings(text)
    return said.good, said.bad


class Network(torch.nn.Module):
    def __init__(self, runs: int) -> None:
        super().__init__()
        self.runs = torch.nn.EmbeddingBag(runs + 1, 3, mode="sum")
        torch.nn.init.zeros_(self.runs.weight)
        self.inner = torch.nn.Linear(DIMENSIONS, HIDDEN)
        self.outer = torch.nn.Linear(HIDDEN, 3)
        self.figures = torch.nn.Linear(5, 3, bias=False)
        self.drop = torch.nn.Dropout(DROPOUT)

    def forward(
        self, meaning: torch.Tensor, figures: torch.Tensor, runs: torch.Tensor, starts: torch.Tensor
    ) -> torch.Tensor:
        hidden = torch.relu(self.inner(self.drop(meaning) * MEANING_SCALE))
        return self.outer(self.drop(hidden)) + self.figures(figures) + self.runs(runs, starts)


class Trained:
    """The examples as numbers, and a network that learns from some of them."""

    def __init__(self, examples: list[Example], meaning: np.ndarray) -> None:
        runs_of = [word_runs(example.text) for example in examples]
        often = Counter(run for runs in runs_of for run in runs)
        known = [
            run
            for run, count in often.items()
            if count >= (LEAST_RUN if " " in run else LEAST_WORD)
        ]
        self.runs = known
        rows = {run: row for row, run in enumerate(known)}
        self.bags = [[rows[run] for run in runs if run in rows] or [len(known)] for runs in runs_of]
        self.meaning = torch.tensor(meaning)
        self.figures = torch.tensor(np.array([word_figures(one.text) for one in examples]))
        self.labels = torch.tensor([example.label for example in examples])
        self.weights = torch.tensor([example.weight for example in examples])
        self.network = Network(len(known))

    def learn(self, places: np.ndarray) -> None:
        rest = [part for name, part in self.network.named_parameters() if "runs" not in name]
        optimiser = torch.optim.AdamW(
            [
                {"params": self.network.runs.parameters(), "lr": 4e-3, "weight_decay": 0.0},
                {"params": rest, "lr": 1.5e-3, "weight_decay": 0.02},
            ]
        )
        order = np.random.default_rng(3)
        self.network.train()
        for epoch in range(EPOCHS):
            order.shuffle(places)
            for start in range(0, len(places), BATCH):
                some = places[start : start + BATCH]
                losses = torch.nn.functional.cross_entropy(
                    self.values(some), self.labels[some], reduction="none"
                )
                loss = (losses * self.weights[some]).mean()
                loss = loss + 2e-5 * self.network.runs.weight.pow(2).sum()
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
            print(f"round {epoch + 1} of {EPOCHS}")
        self.network.eval()

    def values(self, places: np.ndarray) -> torch.Tensor:
        flat: list[int] = []
        starts = []
        for place in places:
            starts.append(len(flat))
            flat += self.bags[place]
        return self.network(
            self.meaning[places], self.figures[places], torch.tensor(flat), torch.tensor(starts)
        )

    def write(self, target: Path) -> None:
        weights = {name: value.numpy() for name, value in self.network.state_dict().items()}
        runs = weights["runs.weight"][:-1]
        # What moves every feeling alike moves nothing.
        runs = runs - runs.mean(1, keepdims=True)
        kept = np.sort(np.argsort(-np.abs(runs).max(1))[:MOST_RUNS])
        scale = np.abs(runs[kept]).max() / 127
        np.savez_compressed(
            target,
            runs=np.frombuffer("\n".join(self.runs[row] for row in kept).encode(), np.uint8),
            run_weights=np.round(runs[kept] / scale).astype(np.int8),
            run_scale=np.float32(scale),
            inner=weights["inner.weight"].T.astype(np.float16),
            inner_bias=weights["inner.bias"],
            outer=weights["outer.weight"].T,
            outer_bias=weights["outer.bias"],
            figures=weights["figures.weight"].T,
        )
        print(target, target.stat().st_size, hashlib.sha256(target.read_bytes()).hexdigest())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("rated", type=Path, help="the folder hutto_ICWSM_2014")
    parser.add_argument("target", type=Path, help="where to write the network")
    parser.add_argument("--vectors", type=Path, help="where to keep the texts' vectors")
    parser.add_argument("--check", action="store_true", help="keep some out and measure")
    arguments = parser.parse_args()
    torch.manual_seed(3)
    examples = rated_examples(arguments.rated) + own_examples() + request_examples()
    trained = Trained(examples, vectors_of(examples, arguments.vectors))
    rated = np.array([example.rated for example in examples])
    out = np.random.default_rng(0).random(len(examples)) < arguments.check / 12
    out &= rated != 0
    trained.learn(np.flatnonzero(~out))
    if arguments.check:
        places = np.flatnonzero(out)
        with torch.no_grad():
            likely = trained.values(places).softmax(1).numpy()
        strong = np.abs(rated[places]) > 0.8
        right = (likely[:, 2] - likely[:, 0]) * rated[places] > 0
        print(f"praise or blame told right: {right[strong].mean():.3f} of {strong.sum()}")
    trained.write(arguments.target)


def vectors_of(examples: list[Example], kept: Path | None) -> np.ndarray:
    known: dict[str, np.ndarray] = {}
    if kept and kept.exists():
        with np.load(kept) as file:
            lines = bytes(file["texts"]).decode().split("\n")
            known = dict(zip(lines, file["vectors"], strict=True))
    texts = [example.text for example in examples]
    missing = list({text for text in texts if text not in known})
    known.update(zip(missing, encode(missing), strict=True))
    if kept:
        every = list(known)
        vectors = np.array([known[text] for text in every])
        np.savez(kept, texts=np.frombuffer("\n".join(every).encode(), np.uint8), vectors=vectors)
    return np.array([known[text] for text in texts], np.float32)


if __name__ == "__main__":
    main()
