"""Train the reader of wishes and write its networks: what `make train` runs.

Everything it learns from lies in ``training/data``; the encoder that it starts from comes inside a
pip package. Two processes with one thread each learn from half of every batch, which is faster than
two threads. The figures that it prints at the end are those of the model card,
``docs/models/wish-reader.md``.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.distributed
import torch.multiprocessing

from controlllm.readers.wish_networks import TOOL_TOKENS
from training.batches import Batch, batch_of, shown_tools, tokens_read
from training.composing import INTENTS, composed, intent_tools
from training.examples import Example, lacking, read_examples, varied
from training.exporting import export
from training.importing import read_back
from training.losses import loss_of
from training.measuring import accuracy
from training.network import ReaderNetwork
from training.pretrained import pretrained_encoder
from training.strangers import Key, Remembered, Strangers
from training.toolboxes import OWN, Boxes, read_rewordings, reworded

ASSETS = Path(__file__).resolve().parents[1] / "assets" / "models"
#: Dropout in the encoder costs a fifth of the time and was not missed.
_NO_DROPOUT = {"attention_probs_dropout_prob": 0.0, "hidden_dropout_prob": 0.0}
#: Without instructions for them, products of bfloat16 take four times as long as others.
_MULTIPLIES_BFLOAT = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
_ENCODER_RATE, _DECODER_RATE, _WARM_UP, _LEAST_RATE = 2e-4, 8e-4, 0.05, 0.01
#: How many tools requests are told apart from at a time.
_TOOLS_SHOWN = 40
#: How often a toolbox lacks a tool that some request of a batch needs.
_LACKING = 0.3
#: So many tools of other toolboxes at least are read where some stand beside those of a batch.
_STRANGERS = 8
#: So many tools most like each that is needed are read beside it.
_NEAR = 4
#: The first author who knew the tools for ordinary jobs.
_FIRST_ORDINARY = 96


@dataclass(frozen=True)
class Stage:
    """A part of the training.

    How often all that was written is seen in it, the share of composed requests among all, and how
    fast it learns to what the first does, before and at the end. `share` is what its end counts in
    the next mean of states, which reads what is new better than the last state does; what shares
    leave of 1 is the state that the first of them began with. A stage begins with the mean of the
    ends of the stages `begins`, or else with the end of the one before. What the last comes to
    ships for our own tools, what 4 and 5 do for where tools from elsewhere stand beside them. Where
    a stage is for `newer` authors, only the share `kept` of what others wrote is drawn for each
    pass, and of that over other toolboxes the share `kept_elsewhere`.
    `strangers` is how often tools of other toolboxes stand beside those of a batch; with `twins`
    a request over our own tools is told apart from all of them, those that are most alike first.
    """

    passes: float
    composed: float
    rate: float
    last_rate: float = _LEAST_RATE
    share: float = 0.0
    begins: tuple[int, ...] = ()
    newer: tuple[str, ...] = ()
    kept: float = 1.0
    kept_elsewhere: float = 1.0
    strangers: float = 0.0
    twins: bool = False


#: Authors of requests to web APIs and servers of many fields at once, and to our own tools there.
OF_THE_WEB = tuple(f"invented-{number}" for number in (*range(83, 92), 93, 94, 95))

#: Authors of requests for ordinary people's tools: sizes, formats, pages, tables, sums.
ORDINARY = ("own-96", *(f"own-{number}" for number in range(101, 115)))
#: Those who wrote for the tools that give several files, change columns and listen to music.
LATEST = ("own-115", "own-116")
#: Those who wrote of what no tool can do and of what sounds like it, of tables in whole sentences,
#: of sums and documents, videos whose sound stays, sound, photos, and of what comes after.
IN_SENTENCES = tuple(f"own-{number}" for number in range(117, 126))
#: Those who wrote of one wish with many details, of chains, of several files, of what was said
#: before, of what is in a file, and again of what no tool can do.
IN_DETAIL = tuple(f"own-{number}" for number in range(126, 134))
#: Those who wrote what people ask of papers, bills and tables, of films and sounds in an order, of
#: cutouts and several photos, of sums told as stories, and follow-ups alone.
IN_CONVERSATION = tuple(f"own-{number}" for number in range(134, 139))

#: Those who wrote two wishes in one sentence, later turns of conversations of up to six, exact
#: values, several files, and what photographers, shops, schools, families and offices ask.
IN_LATER_TURNS = tuple(f"own-{number}" for number in (139, 140, 141, *range(143, 155)))

#: Those who wrote later turns alone: which file is meant, remarks that ask nothing and their twins.
ON_WHICH_FILE = ("own-140", "own-149", "own-154", "own-156", "own-157")

#: Those who wrote for files with names: which of several is meant by a word of its name, by what is
#: left out, by the part it plays; and those before them, of later turns and of two wishes in one
#: sentence.
WITH_NAMES = tuple(f"own-{number}" for number in range(183, 197))
BEFORE_NAMES = tuple(f"own-{number}" for number in range(175, 182))

#: Those who wrote of all media with names beside them or none: two wishes at once, whole
#: conversations, what no tool can do and its twins, each tool in lay words.
OF_ALL_MEDIA = tuple(f"own-{number}" for number in range(198, 211))

#: Those who wrote of what was pointed at.
POINTED_AT = ("own-212", "own-213")

#: First what people write, mostly; then, slower, more of what is composed, which tells near wishes
#: apart by many phrasings of each.
STAGES = (
    Stage(8.5, 0.22, 1.0),
    Stage(1.5, 0.6, 0.6),
    Stage(4.5, 0.25, 0.8, 0.5, share=0.4),
    Stage(3.5, 0.25, 0.5, share=0.6),
    Stage(3.2, 0.1, 0.6, 0.1, begins=(2, 3), newer=OF_THE_WEB, kept=0.3, strangers=0.6, share=0.5),
    Stage(0.5, 0.15, 0.35, 0.05, newer=OF_THE_WEB, kept=0.7, strangers=0.6, share=0.5),
    # From the first mean again, for our own tools as they have become.
    Stage(*(3.0, 0.12, 0.5, 0.02), begins=(2, 3), newer=ORDINARY, kept=0.35, kept_elsewhere=0.2),
    Stage(
        *(4.0, 0.1, 0.7, 0.03),
        newer=(*ORDINARY, *LATEST),
        kept=0.2,
        kept_elsewhere=0.1,
        share=0.7,
    ),
    # Once more, from that, for what no tool can do and for wishes told with their details.
    Stage(
        *(3.0, 0.1, 0.6, 0.03),
        begins=(7,),
        newer=(*LATEST, *IN_SENTENCES),
        kept=0.3,
        kept_elsewhere=0.1,
        share=0.1,
    ),
    Stage(
        *(3.0, 0.1, 0.6, 0.02),
        newer=(*IN_SENTENCES, *IN_DETAIL),
        kept=0.25,
        kept_elsewhere=0.1,
        share=0.7,
    ),
    # And from that, for papers, films told in an order, and what goes on from a result.
    Stage(
        *(2.0, 0.1, 0.5, 0.02),
        begins=(8, 9),
        newer=(*IN_DETAIL, *IN_CONVERSATION),
        kept=0.15,
        kept_elsewhere=0.1,
        share=0.3,
    ),
    # And from that, for later turns, where it is told what came of each turn before, and at last
    # which files the last one made.
    Stage(
        *(2.0, 0.1, 0.7, 0.02),
        begins=(10,),
        newer=(*IN_CONVERSATION, *IN_LATER_TURNS),
        kept=0.25,
        kept_elsewhere=0.1,
        share=0.7,
    ),
    Stage(
        *(1.4, 0.06, 0.6, 0.02),
        begins=(11,),
        newer=(*IN_CONVERSATION, *IN_LATER_TURNS),
        kept=0.25,
        kept_elsewhere=0.1,
        share=0.65,
    ),
    Stage(
        *(2.5, 0.06, 0.5, 0.02),
        begins=(12,),
        newer=ON_WHICH_FILE,
        kept=0.12,
        kept_elsewhere=0.1,
        share=0.35,
    ),
    # At last all that was written once more, slowly, so that nothing is forgotten.
    Stage(*(0.6, 0.1, 0.3, 0.02), begins=(12, 13), kept=0.5, kept_elsewhere=0.2, share=1.0),
    # From that, all that was written over our own tools, each request beside all of them, four
    # times: of what was taught in parts before nine tenths of the tools were learnt.
    Stage(
        *(1.0, 0.06, 0.6, 0.02),
        begins=(14,),
        kept_elsewhere=0.06,
        twins=True,
    ),
    Stage(
        *(1.0, 0.06, 1.0, 0.6),
        kept_elsewhere=0.08,
        share=0.2,
        twins=True,
    ),
    Stage(
        *(2.0, 0.06, 0.8, 0.02),
        kept_elsewhere=0.08,
        share=0.6,
        twins=True,
    ),
    # From that, where it is told what files are called.
    Stage(
        *(2.0, 0.05, 0.8, 0.02),
        newer=(*WITH_NAMES, *BEFORE_NAMES),
        kept=0.12,
        kept_elsewhere=0.05,
        share=0.7,
        twins=True,
    ),
    # Once more, where a file's name is part of what it is found by.
    Stage(
        *(2.0, 0.05, 1.0, 0.02),
        begins=(18,),
        newer=(*WITH_NAMES, *BEFORE_NAMES),
        kept=0.1,
        kept_elsewhere=0.03,
        share=1.0,
        twins=True,
    ),
    # And from that, with and without names, towards one pair that reads both.
    Stage(
        *(2.0, 0.05, 0.7, 0.02),
        begins=(19,),
        newer=(*WITH_NAMES, *OF_ALL_MEDIA),
        kept=0.3,
        kept_elsewhere=0.04,
        share=0.6,
        twins=True,
    ),
    Stage(
        *(1.5, 0.05, 0.6, 0.02),
        begins=(20,),
        newer=OF_ALL_MEDIA,
        kept=0.1,
        kept_elsewhere=0.03,
        share=0.7,
        twins=True,
    ),
    Stage(
        *(1.2, 0.05, 0.5, 0.02),
        begins=(21,),
        newer=OF_ALL_MEDIA,
        kept=0.12,
        kept_elsewhere=0.03,
        share=1.0,
        twins=True,
    ),
    # Once more most of what was written, with what people point at.
    Stage(
        *(2.0, 0.05, 0.9, 0.01),
        begins=(22,),
        newer=(*OF_ALL_MEDIA, *POINTED_AT),
        kept=0.7,
        kept_elsewhere=0.1,
        share=1.0,
        twins=True,
    ),
    # And from the mean of what was reached, plain orders to our tools, composed most of all.
    Stage(
        *(1.0, 0.6, 0.5, 0.01),
        begins=(17, 22, 23),
        newer=POINTED_AT,
        kept=0.2,
        kept_elsewhere=0.1,
        share=0.7,
        twins=True,
    ),
    # And from there what people point at, once more and slowly.
    Stage(
        *(3.0, 0.1, 0.35, 0.02),
        begins=(24,),
        newer=POINTED_AT,
        kept=0.08,
        kept_elsewhere=0.1,
        share=0.6,
        twins=True,
    ),
)


@dataclass(frozen=True)
class Options:
    """How to train; `held` are authors whose requests are kept for measuring."""

    stages: tuple[Stage, ...]
    batch: int
    seed: int
    processes: int
    output: Path
    held: frozenset[str]
    start: Path | None = None


@dataclass(frozen=True)
class Lesson:
    """A batch with how many times all that was written has been `seen` before it by all processes
    together. `keys` are its tools; `apart`, shape (tools of all toolboxes,), are those that may
    stand beside them, None where none are to."""

    seen: float
    batch: Batch
    keys: tuple[Key, ...]
    apart: np.ndarray | None


def lessons(
    examples: Sequence[Example],
    boxes: Boxes,
    tools: tuple[Strangers, Remembered],
    options: Options,
    number: int,
    rank: int,
) -> Iterator[Lesson]:
    """One process's batches of a stage without end, each of one toolbox and of requests of like
    length. `tools` are those of all toolboxes, and those of them that were read lately.

    At each step all processes get batches that take about as long, so that none waits.
    """
    strangers, remembered = tools
    stage, seed = options.stages[number], options.seed + 100 * number
    draw, change = random.Random(seed), random.Random(seed + 1 + rank)
    other = composed(seed)
    said, ways = _said(examples), read_rewordings()
    by_box: dict[tuple[str, bool], list[Example]] = {}
    for example in examples:
        by_box.setdefault((example.box, _is_early(example)), []).append(example)
    unknown_then = _named(examples, early=False) - _named(examples, early=True)
    seen = 0

    def near(name: str) -> list[str]:
        own = strangers.twins(OWN, (name,), ()).nonzero()[0].tolist()
        found = remembered.nearest(strangers.place((OWN, name)), own, _NEAR)
        return [strangers.key(place)[1] for place in found]

    while True:
        groups = [
            group
            for found in by_box.values()
            for group in _groups(
                [varied(item, found, draw) for item in _drawn(found, stage, draw)],
                options.batch,
                draw,
            )
        ]
        written = sum(map(len, groups))
        count = round(written * stage.composed / (1 - stage.composed))
        drawn = [next(other) for _ in range(count)]
        for box in (OWN, INTENTS):
            groups += _groups([item for item in drawn if item.box == box], options.batch, draw)
        groups.sort(key=lambda group: _cost(group, boxes))
        together = [
            groups[start : start + options.processes]
            for start in range(0, len(groups) - options.processes + 1, options.processes)
        ]
        draw.shuffle(together)
        for place, step in enumerate(together):
            group = step[rank]
            box = group[0].box
            early = _is_early(group[0])
            shown = group
            here = reworded(boxes[box], ways.get(box, {}), change)
            missing = None
            if change.random() < _LACKING and group[0].author != "composed":
                shown, missing = lacking(group, change)
                here = {name: told for name, told in here.items() if name != missing}
            lacks = {missing} if missing else set()
            twins = stage.twins and box == OWN
            names, told = shown_tools(
                shown, here, said.get(box, {}), _TOOLS_SHOWN, change, *((near,) if twins else ())
            )
            keys, apart = [(box, name) for name in names], None
            if twins:
                left_out = lacks | (unknown_then if early else set())
                apart = strangers.twins(OWN, names, left_out)
            if box != INTENTS and change.random() < stage.strangers:
                needed = {name for item in shown for wish in item.wishes for name in wish.tools}
                needed |= lacks
                elsewhere = strangers.apart(box, needed, _unmet(shown))
                count = max(_STRANGERS, _TOOLS_SHOWN - len(names))
                beside = strangers.drawn(elsewhere, count, change)
                apart = elsewhere if apart is None else apart | elsewhere
                keys += beside
                names += [" of ".join(reversed(key)) for key in beside]
                told += beside.values()
            batch = batch_of(shown, names, told)
            yield Lesson(seen + place / len(together), batch, tuple(keys), apart)
        seen += 1


def _is_early(example: Example) -> bool:
    """Whether a request over our own tools was written before those for ordinary jobs came, as what
    is composed was."""
    number = example.author.rpartition("-")[2]
    later = number.isdecimal() and int(number) >= _FIRST_ORDINARY
    return example.box == OWN and not later


def _named(examples: Sequence[Example], early: bool) -> set[str]:
    """Our own tools that wishes of early or of later requests name."""
    return {
        name
        for example in examples
        if example.box == OWN and _is_early(example) == early
        for wish in example.wishes
        for name in wish.tools
    }


def _drawn(examples: Sequence[Example], stage: Stage, draw: random.Random) -> list[Example]:
    """The requests of a toolbox that a pass of a stage shows."""
    return [
        item
        for item in examples
        if item.author in stage.newer
        or draw.random() < (stage.kept if item.box == OWN else stage.kept * stage.kept_elsewhere)
    ]


def _unmet(examples: Sequence[Example]) -> list[str]:
    """What is said of wishes that no tool of their toolbox serves."""
    return [
        " ".join(item.shown.text[start:end] for start, end in wish.spans)
        for item in examples
        for wish in item.wishes
        if not wish.tools
    ]


def _cost(group: Sequence[Example], boxes: Boxes) -> int:
    """About how long a batch takes: the tokens that are read."""
    return tokens_read(group[-1].shown) * len(group) + TOOL_TOKENS * min(
        len(boxes[group[0].box]), _TOOLS_SHOWN
    )


def _groups(examples: Sequence[Example], size: int, draw: random.Random) -> Iterator[list[Example]]:
    """Examples in groups of like length, the longest of each last. Of the largest toolbox twice as
    many share a batch: its tools take longer to read than they do."""
    several = 2 * size if examples and examples[0].box in (OWN, INTENTS) else size
    shuffled = list(examples)
    draw.shuffle(shuffled)
    for start in range(0, len(shuffled), several * 8):
        pool = sorted(shuffled[start : start + several * 8], key=lambda e: tokens_read(e.shown))
        for place in range(0, len(pool), several):
            yield pool[place : place + several]


def _said(examples: Sequence[Example]) -> dict[str, dict[str, list[str]]]:
    """Words in which people asked for each tool of each toolbox."""
    found: dict[str, dict[str, list[str]]] = {}
    for example in examples:
        for wish in example.wishes:
            if wish.tools and wish.spans:
                start, end = wish.spans[0]
                said = found.setdefault(example.box, {}).setdefault(wish.tools[-1], [])
                said.append(example.shown.text[start:end])
    return found


def learn(rank: int, options: Options, port: int) -> None:
    """One process's part of the training; the first writes the network's state at the end."""
    torch.set_num_threads(1 if options.processes > 1 else 2)
    torch.manual_seed(options.seed)
    if options.processes > 1:
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
        torch.distributed.init_process_group("gloo", rank=rank, world_size=options.processes)
    boxes, examples = training_data(options)
    strangers = Strangers({box: tools for box, tools in boxes.items() if box != INTENTS})
    network = ReaderNetwork(pretrained_encoder(**_NO_DROPOUT))
    if options.start and options.start.is_dir():
        read_back(network, options.start)
    elif options.start:
        network.load_state_dict(torch.load(options.start, weights_only=True))
    # Rare words would drift from those that are trained.
    for parameter in network.encoder.embeddings.parameters():
        parameter.requires_grad = False
    started = time.monotonic()
    for number, stage in enumerate(options.stages):
        if stage.begins and number:
            network.load_state_dict(_mean_of(options, stage.begins))
        if rank == 0 and (stage.begins or not number):
            torch.save(network.state_dict(), options.output / f"begin-{number}.pt")
        tools = strangers, Remembered()
        stream = lessons(examples, boxes, tools, options, number, rank)
        _learn_stage(network, stage, stream, tools, options, rank)
        if rank == 0:
            print(f"trained in {time.monotonic() - started:.0f} s", flush=True)
            torch.save(network.state_dict(), options.output / f"stage-{number}.pt")
        if options.processes > 1:
            torch.distributed.barrier()
    if options.processes > 1:
        torch.distributed.destroy_process_group()


def counted(stages: Sequence[Stage]) -> list[int]:
    """The places of the stages whose ends count in the mean after the last of some: those since one
    that began with a mean; the last alone where none counts."""
    found = [place for place in range(_first(stages), len(stages)) if stages[place].share]
    return found or [len(stages) - 1]


def _first(stages: Sequence[Stage]) -> int:
    return max((place for place, stage in enumerate(stages) if stage.begins), default=0)


def _mean_of(options: Options, places: Sequence[int]) -> dict[str, torch.Tensor]:
    """The mean of the ends of stages, and of what the first of them or of those before began with
    where shares leave some."""
    files = [options.output / f"stage-{place}.pt" for place in places]
    shares = [options.stages[place].share or 1.0 for place in places]
    left = 1 - sum(shares)
    begin = options.output / f"begin-{_first(options.stages[: places[-1] + 1])}.pt"
    return (
        mean_state([*files, begin], [*shares, left]) if left > 1e-6 else mean_state(files, shares)
    )


def mean_state(files: Sequence[Path], shares: Sequence[float]) -> dict[str, torch.Tensor]:
    """The mean of saved states of the network; shares are weighed to come to 1."""
    states = [torch.load(path, weights_only=True) for path in files]
    whole = sum(shares)
    return {
        name: sum(
            (share / whole * state[name] for share, state in zip(shares, states, strict=True)),
            torch.zeros_like(states[0][name]),
        )
        for name in states[0]
    }


def _learn_stage(
    network: ReaderNetwork,
    stage: Stage,
    stream: Iterator[Lesson],
    tools: tuple[Strangers, Remembered],
    options: Options,
    rank: int,
) -> None:
    learnt = [item for item in network.parameters() if item.requires_grad]
    encoder = {id(item) for item in network.encoder.parameters()}
    rates = [_ENCODER_RATE * stage.rate, _DECODER_RATE * stage.rate]
    optimiser = torch.optim.AdamW(
        [
            {"params": [item for item in learnt if id(item) in encoder], "lr": rates[0]},
            {"params": [item for item in learnt if id(item) not in encoder], "lr": rates[1]},
        ],
        weight_decay=0.01,
        fused=True,
    )
    network.train()
    started = told = time.monotonic()
    total, counted = 0.0, 0
    strangers, remembered = tools
    draw = random.Random(options.seed + rank)
    for lesson in stream:
        share = lesson.seen / stage.passes
        if share >= 1:
            break
        factor = share / _WARM_UP if share < _WARM_UP else (1 - share) / (1 - _WARM_UP)
        falls = stage.last_rate + (1 - stage.last_rate) * factor
        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * (factor if share < _WARM_UP else falls)
        beside = None if lesson.apart is None else remembered.beside(lesson.apart, draw)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=_MULTIPLIES_BFLOAT):
            loss, vectors = loss_of(network, lesson.batch, beside)
        if lesson.apart is not None:
            remembered.add([strangers.place(key) for key in lesson.keys], vectors)
        optimiser.zero_grad(set_to_none=False)
        loss.backward()
        _share_gradients(learnt, options.processes)
        torch.nn.utils.clip_grad_norm_(learnt, 1.0)
        optimiser.step()
        total, counted = total + float(loss.detach()), counted + 1
        if rank == 0 and time.monotonic() - told > 60:
            told = time.monotonic()
            mean = total / counted
            print(f"{lesson.seen:.2f} passes, {told - started:.0f} s, loss {mean:.3f}", flush=True)
            total, counted = 0.0, 0


def _share_gradients(learnt: Sequence[torch.nn.Parameter], processes: int) -> None:
    """Give every process the mean of all gradients."""
    if processes == 1:
        return
    for item in learnt:
        if item.grad is None:
            item.grad = torch.zeros_like(item)
    flat = torch.cat([item.grad.flatten() for item in learnt if item.grad is not None])
    torch.distributed.all_reduce(flat)
    flat /= processes
    place = 0
    for item in learnt:
        count = item.numel()
        assert item.grad is not None
        item.grad.copy_(flat[place : place + count].view_as(item))
        place += count


def training_data(options: Options) -> tuple[Boxes, list[Example]]:
    """All toolboxes and the examples to learn from."""
    boxes, examples = read_examples()
    return {**boxes, INTENTS: intent_tools()}, [
        item for item in examples if item.author not in options.held
    ]


def report(options: Options) -> None:
    """Print how the written networks read requests that they did not learn from."""
    boxes, examples = read_examples()
    held = [item for item in examples if item.author in options.held]
    by_author: Mapping[str, list[Example]] = {
        author: [item for item in held if item.author == author] for author in sorted(options.held)
    }
    for author, found in by_author.items():
        print(author, accuracy(options.output, boxes, found), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stage", type=int, help="only this one of the stages, from 0")
    parser.add_argument(
        "--start",
        type=Path,
        help="what to go on from: a state as --keep writes it, or the folder of written networks",
    )
    parser.add_argument(
        "--mean", type=Path, nargs="*", help="train nothing: states of the last stages to ship"
    )
    parser.add_argument("--keep", type=Path, help="where to keep the state of the network")
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--port", type=int, default=29517, help="on which processes meet, locally")
    parser.add_argument("--output", type=Path, default=ASSETS, help="the folder for the networks")
    parser.add_argument(
        "--hold", default="", help="authors, with commas, to keep from training and measure with"
    )
    given = parser.parse_args()
    held = frozenset(filter(None, given.hold.split(",")))
    stages = STAGES if given.stage is None else (STAGES[given.stage],)
    options = Options(
        stages, given.batch, given.seed, given.processes, given.output, held, given.start
    )
    options.output.mkdir(parents=True, exist_ok=True)
    if given.mean:
        shares = [stage.share for stage in STAGES[-len(given.mean) :]]
        state = mean_state(given.mean, shares)
    else:
        if options.processes == 1:
            learn(0, options, given.port)
        else:
            torch.multiprocessing.spawn(learn, (options, given.port), options.processes)
        state = _mean_of(options, counted(stages))
    network = ReaderNetwork(pretrained_encoder(**_NO_DROPOUT))
    network.load_state_dict(state)
    if given.keep:
        torch.save(state, given.keep)
    if not given.mean:
        for file in (*options.output.glob("stage-*.pt"), *options.output.glob("begin-*.pt")):
            file.unlink()
    for path in export(network.eval(), options.output):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        print(f"{path.name}  {path.stat().st_size / 1e6:.1f} MB  sha256 {digest}")
    if held:
        report(options)


if __name__ == "__main__":
    main()
