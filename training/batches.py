"""Examples as tensors: what the networks are shown, and what they are to say."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from controlllm.planning.wishes import MOST_WISHES, ROLES, RequestText
from controlllm.readers.wish_networks import TOOL_TOKENS, tokens_of
from controlllm.readers.wishes import request_tokens, with_example
from training.examples import Example, Span

#: A label that no loss is counted for.
UNKNOWN = -100
#: How often a tool is shown without its name, and how often with an example.
_NAMELESS, _WITH_EXAMPLE = 0.25, 0.3


@dataclass(frozen=True)
class Batch:
    """Requests over one toolbox. B requests, S wishes and the end, T tokens, F files, N tools.

    `ids`, `mask` (B, T); `own` (B, T) marks the tokens of the request itself; `slots` (B, F, T)
    weighs the tokens of each file, `has_slot` (B, F) says whether there is one; `is_wish` (B, S);
    `more` (B, S), counted where `counts_more`; `says` (B, S, T); `files` (B, S, F) and `wishes`
    (B, S, S), counted where `knows_inputs` (B, S); `tool` (B, S) are places among the tools, N for
    none; `steps` (B, S, N + 1), counted where `knows_steps`; `roles` (B, S, R, T), counted where
    `knows_role` (B, S, R). `tools`, `tools_mask` are the tools' token ids (N, T').
    """

    ids: Tensor
    mask: Tensor
    own: Tensor
    slots: Tensor
    has_slot: Tensor
    is_wish: Tensor
    more: Tensor
    counts_more: Tensor
    says: Tensor
    files: Tensor
    wishes: Tensor
    knows_inputs: Tensor
    tool: Tensor
    steps: Tensor
    knows_steps: Tensor
    roles: Tensor
    knows_role: Tensor
    tools: Tensor
    tools_mask: Tensor


def batch_of(examples: Sequence[Example], names: Sequence[str], told: Sequence[str]) -> Batch:
    """Examples over one toolbox as a batch; `told` is what the reader is shown of each tool."""
    read = [request_tokens(example.shown) for example in examples]
    columns = {name: place for place, name in enumerate(names)}
    size, length = len(examples), max(len(ids) for ids, _, _ in read)
    most = min(max(len(example.wishes) for example in examples), MOST_WISHES) + 1
    files = max(1, max(len(example.shown.slots) for example in examples))
    roles = len(ROLES)
    ids, mask = torch.zeros(size, length, dtype=torch.long), torch.zeros(size, length)
    own, slots = torch.zeros(size, length), torch.zeros(size, files, length)
    has_slot = torch.zeros(size, files)
    is_wish, more = torch.zeros(size, most), torch.zeros(size, most)
    counts_more, says = torch.zeros(size, most), torch.zeros(size, most, length)
    on_files, on_wishes = torch.zeros(size, most, files), torch.zeros(size, most, most)
    knows_inputs, knows_steps = torch.zeros(size, most), torch.zeros(size, most)
    tool = torch.full((size, most), UNKNOWN)
    steps = torch.zeros(size, most, len(names) + 1)
    played, knows_role = torch.zeros(size, most, roles, length), torch.zeros(size, most, roles)
    for row, (example, (tokens, offsets, file_tokens)) in enumerate(
        zip(examples, read, strict=True)
    ):
        ids[row, : len(tokens)], mask[row, : len(tokens)] = torch.tensor(tokens), 1
        own[row, list(offsets)] = 1
        for file, places in enumerate(file_tokens):
            slots[row, file, places], has_slot[row, file] = 1 / len(places), 1
        wishes = example.wishes[: most - 1]
        counts_more[row, : len(wishes) + 1], more[row, : len(wishes)] = 1, 1
        for place, wish in enumerate(wishes):
            is_wish[row, place] = 1
            says[row, place, _inside(offsets, wish.spans)] = 1
            if wish.files is not None and wish.wishes is not None:
                knows_inputs[row, place] = 1
                on_files[row, place, list(wish.files)] = 1
                on_wishes[row, place, [item for item in wish.wishes if item < place]] = 1
            tool[row, place] = columns[wish.tools[-1]] if wish.tools else len(names)
            knows_steps[row, place] = float(bool(wish.tools))
            steps[row, place, [columns[name] for name in wish.tools[:-1]]] = 1
            for number, role in enumerate(ROLES):
                spans = wish.words.get(role)
                if spans is not None:
                    knows_role[row, place, number] = 1
                    played[row, place, number, _inside(offsets, spans)] = 1
    tool_ids = [[101, *tokens_of(text)[0][:TOOL_TOKENS], 102] for text in told]
    tools = torch.zeros(len(told), max(map(len, tool_ids)), dtype=torch.long)
    tools_mask = torch.zeros(tools.shape)
    for row, tokens in enumerate(tool_ids):
        tools[row, : len(tokens)], tools_mask[row, : len(tokens)] = torch.tensor(tokens), 1
    return Batch(
        ids, mask, own, slots, has_slot, is_wish, more, counts_more, says, on_files, on_wishes,
        knows_inputs, tool, steps, knows_steps, played, knows_role, tools, tools_mask,
    )  # fmt: skip


def tokens_read(shown: RequestText) -> int:
    """How many tokens the reader is shown of a request with its files and what came before."""
    return len(request_tokens(shown)[0])


def _inside(offsets: Mapping[int, Span], spans: Sequence[Span]) -> list[int]:
    """The places of the tokens that lie in some span."""
    return [
        place
        for place, (start, end) in offsets.items()
        if any(start < last and end > first for first, last in spans)
    ]


def shown_tools(
    examples: Sequence[Example],
    told: Mapping[str, str],
    said: Mapping[str, Sequence[str]],
    most: int,
    draw: random.Random,
    near: Callable[[str], Sequence[str]] = lambda name: (),
) -> tuple[list[str], list[str]]:
    """The tools that some examples are told apart from: those they need and others, at most `most`
    where they need no more, and what the reader is shown of each. Half of the others at most are
    `near` to one that is needed.

    `said` are words in which people asked for each tool; one of them may stand as its example.
    """
    needed = list(
        dict.fromkeys(name for item in examples for wish in item.wishes for name in wish.tools)
    )
    others = [name for name in told if name not in needed]
    draw.shuffle(others)
    count = max(12, most - len(needed))
    alike = list({other: None for name in needed for other in near(name) if other in others})
    draw.shuffle(alike)
    others = list(dict.fromkeys([*alike[: count // 2], *others]))
    names = [*needed, *others[:count]]
    texts = []
    here = " ".join(example.shown.text for example in examples)
    for name in names:
        text = told[name]
        if draw.random() < _NAMELESS:
            text = text.split(": ", 1)[-1]
        if said.get(name) and draw.random() < _WITH_EXAMPLE:
            example = draw.choice(said[name])
            text = text if example in here else with_example(text, example)
        texts.append(text)
    return names, texts
