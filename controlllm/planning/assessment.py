"""Tool assessment: how useful a tool is for a subtask, 1..5 (paper Sec. 3.2.2, Table 7)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from controlllm.core.plans import Request, Subtask
from controlllm.planning.roles import Judgement
from controlllm.planning.text_vectors import NEUTRAL, Encode, filled, neutral
from controlllm.toolbox import Tool

#: Nearness of sentence vectors against the paper's scale: not related, intermediate, closely
#: related, just this. Between these the scale is straight.
_NEARNESS, _SCORES = (0.2, 0.44, 0.68, 0.9), (1.0, 3.0, 4.6, 5.0)
#: A tool whose description is farther than this from what is wanted does another thing, however
#: alike the wording ("blur the background", "remove the background"); it is at most related.
_ANOTHER_THING, _RELATED = 0.45, 0.4
#: Tools that a reader of wishes gives less than this are of no use; one that helps so much on the
#: way is needed there.
_USEFUL, _NEEDED = 1.3, 4.65
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
        if subtask.ends:
            known = (subtask.ends, subtask.helps)
            return {tool.name: max(each.get(tool.name, 1.0) for each in known) for tool in tools}
        asked_for = subtask.description
        aim = [subtask.guidance] if subtask.guidance else []
        told = [_without_particulars(subtask, asked_for), asked_for, *aim]
        bare_wish, wish, *aims = self._encode(told)
        guidance = aims[0] if aims else wish
        descriptions = self._vectors([described(tool) for tool in tools])
        texts = [text for tool in tools for text in tool.examples]
        examples = self._vectors([filled(text) for text in texts])
        bare_examples = self._vectors([neutral(text) for text in texts])
        ends = np.cumsum([len(tool.examples) for tool in tools])
        to_wish, to_guidance = descriptions @ wish, descriptions @ guidance
        near_examples = np.zeros(0)
        if len(examples):
            near_examples = 0.4 * (examples @ wish) + 0.6 * (bare_examples @ bare_wish)
        scores = {}
        for index, tool in enumerate(tools):
            said = 0.2 * to_wish[index] + 0.8 * to_guidance[index]
            if tool.examples:
                own = np.sort(near_examples[ends[index] - len(tool.examples) : ends[index]])[::-1]
                asked = 0.7 * own[0] + 0.3 * own[:3].mean()
                said = max(said, 0.55 * asked + 0.45 * said)
            if tool.domain in subtask.domains:
                said += _DOMAIN
            if tool.examples and subtask.guidance and to_guidance[index] < _ANOTHER_THING:
                said = min(said, _RELATED)
            scores[tool.name] = calibrated(float(said))
        return scores

    def prepare(self, subtasks: Sequence[Subtask], request: Request) -> None:
        """Nothing has to be known beforehand."""

    def judgement(self, subtask: Subtask) -> Judgement | None:
        """What the reader of wishes said of the tools; None for a subtask that it did not make."""
        if not subtask.ends:
            return None
        ends, helps = subtask.ends.items(), subtask.helps.items()
        return Judgement(
            {name: score for name, score in ends if score >= _USEFUL},
            {name: score for name, score in helps if score >= _USEFUL},
            frozenset(name for name, score in helps if score >= _NEEDED),
        )


def _without_particulars(subtask: Subtask, text: str) -> str:
    """The words of a subtask with its files and its object replaced by neutral words.

    Whether a car or a cat is to go must not decide which tool takes it away.
    """
    objects = [argument.value for argument in subtask.args if argument.role == "object"]
    for argument in subtask.args:
        if not argument.role and argument.type != "text":
            text = text.replace(argument.value, NEUTRAL.get(argument.type, "the file"))
    for mentioned in objects:
        if mentioned in text:
            text = text.replace(mentioned, NEUTRAL["object"])
        else:
            text = re.sub(r"\b(?:it|them|this|that)\b", "the object", text, count=1)
    return text


def described(tool: Tool) -> str:
    """The text that stands for a tool: its name as words and what it says of itself."""
    return f"{tool.in_words}: {tool.description}"


def calibrated(nearness: float) -> float:
    """A nearness of sentence vectors on the paper's scale 1..5."""
    return float(np.interp(nearness, _NEARNESS, _SCORES))
