"""Train the reader of wishes and write its networks: what `make train-wishes` runs.

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

from training.batches import Batch, batch_of, shown_tools
from training.composing import INTENTS, composed, intent_tools
from training.examples import Example, lacking, read_examples, varied
from training.exporting import export
from training.importing import read_back
from training.losses import loss_of
from training.measuring import accuracy
from training.model import pretrained_encoder
from training.network import ReaderNetwork
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
    ends of the stages `begins`, or else with the end of the one before. The mean of the last stage
    ships for our own tools alone, that of the two before it for where tools from elsewhere stand
    beside them. Where a stage is for `newer` authors, only the share `kept` of what others wrote
    is drawn for each pass, and of that over other toolboxes the share `kept_elsewhere`.
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
    # And all of it once more, slowly, so that nothing is forgotten.
    Stage(
        *(0.3, 0.05, 0.4, 0.02),
        begins=(19,),
        kept_elsewhere=0.05,
        share=1.0,
        twins=True,
    ),
)
