"""Tool assessment: how useful a tool is for a subtask, 1..5 (paper Sec. 3.2.2, Table 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from controlllm.plan import Subtask
from controlllm.planning.phrasebook import Encode, filled
from controlllm.toolbox import Tool

#: Nearness of sentence vectors against the paper's scale: not related, intermediate, closely
#: related, just this. Between these the scale is straight.
_NEARNESS, _SCORES = (0.2, 0.44, 0.68, 0.9), (1.0, 3.0, 4.6, 5.0)
#: What it adds that a tool belongs to one of the subtask's domains.
_DOMAIN = 0.06


class EmbeddedAssessor:
    """Scores tools by meaning: the subtask's words against a tool's examples and description.

    The guidance of the subtask (the paper's prior knowledge) is compared with descriptions, so that
    tools without examples, as in a catalogue that is not ours, are found too.
    """

    def __init__(self, encode: Encode, vectors: Encode | None = None) -> None:
        self._encode = encode
        self._vectors = vectors or encode

    def assess(self, subtask: Subtask, tools: Sequence[Tool]) -> Mapping[str, float]:
        """A score 1..5 for each tool by name; all of them in one batch."""
        if not tools:
            return {}
        wish, guidance = self._encode(
            [subtask.description, subtask.guidance or subtask.description]
        )
        descriptions = self._vectors([described(tool) for tool in tools])
        examples = self._vectors([filled(text) for tool in tools for text in tool.examples])
        ends = np.cumsum([len(tool.examples) for tool in tools])
        to_wish, to_guidance = descriptions @ wish, descriptions @ guidance
        near_examples = examples @ wish if len(examples) else np.zeros(0)
        scores = {}
        for index, tool in enumerate(tools):
            said = 0.2 * to_wish[index] + 0.8 * to_guidance[index]
            if tool.examples:
                own = np.sort(near_examples[ends[index] - len(tool.examples) : ends[index]])[::-1]
                asked = 0.7 * own[0] + 0.3 * own[:3].mean()
                said = max(said, 0.55 * asked + 0.45 * said)
            if tool.domain in subtask.domains:
                said += _DOMAIN
            scores[tool.name] = calibrated(float(said))
        return scores


def described(tool: Tool) -> str:
    """The text that stands for a tool: its name as words and what it says of itself."""
    return f"{tool.name.replace('_', ' ')}: {tool.description}"


def calibrated(nearness: float) -> float:
    """A nearness of sentence vectors on the paper's scale 1..5."""
    return float(np.interp(nearness, _NEARNESS, _SCORES))
