"""Instructions of which only the kind is known: what counts as right."""

from __future__ import annotations

import json

import pytest

from benchmarks.kinds import Instruction, outcomes, read_instructions, table
from controlllm.core.costs import SearchCost
from controlllm.core.plans import Action, Literal, Plan, Reference, Solution, Subtask
from controlllm.core.plans import TypedValue as Value
from controlllm.toolbox import Toolbox

IMAGE = {"name": "image", "type": "image", "description": "a picture"}
MASK = {"name": "mask", "type": "image.mask", "description": "a mask"}
QUERY = {"name": "query", "type": "text", "description": "what to look for"}


def tool(name: str, domain: str, returns: str, *args):
    returned = [{"name": "result", "type": returns, "description": "what comes out"}]
    return {
        "name": name,
        "description": name.replace("_", " "),
        "domain": domain,
        "args": list(args),
        "returns": returned,
    }


TOOLBOX = Toolbox.from_catalogue(
    [
        tool("visual_grounding", "image-perception", "bbox", IMAGE, QUERY),
        tool("find_mask", "image-perception", "image.mask", IMAGE, QUERY),
        tool("image_inpainting", "image-editing", "image", IMAGE, MASK),
        tool("text_image_editing", "image-editing", "image", IMAGE, QUERY),
    ]
)


class Planned:
    """A planner whose plan is known."""

    def __init__(self, *actions: Action):
        self.actions = actions
        self.graph = self
        self.toolbox = TOOLBOX

    def plan(self, request):
        returns = self.actions[-1].output
        subtask = Subtask(0, request.text, (), (), returns)
        solution = Solution(self.actions, 4.0, "")
        return Plan((subtask,), {0: (solution,)}), SearchCost("best-first")


def judged(text: str, kind: str, *actions: Action):
    (outcome,) = outcomes(Planned(*actions), [Instruction(text, (kind,), kind)])
    return outcome


FIND = Action(
    "visual_grounding",
    {"image": Reference("a_image.png"), "query": Literal("owl")},
    Value("bbox", "<GEN>-0"),
)
MARK = Action(
    "find_mask",
    {"image": Reference("a_image.png"), "query": Literal("owl")},
    Value("mask", "<GEN>-0-1"),
)
FILL = Action(
    "image_inpainting",
    {"image": Reference("a_image.png"), "mask": Reference("<GEN>-0-1")},
    Value("image", "<GEN>-0"),
)
EDIT = Action(
    "text_image_editing",
    {"image": Reference("a_image.png"), "query": Literal("owl")},
    Value("image", "<GEN>-0"),
)


def test_the_right_tool_on_the_right_file():
    assert judged("Where is the owl in a_image.png?", "image_detection", FIND).right
    other = judged("Where is the owl in b_image.png?", "image_detection", FIND)
    assert other.tools and not other.files and not other.right
    assert not judged("Cut the owl out of a_image.png", "image_segmentation", FIND).tools


def test_editing_needs_a_place_in_the_picture():
    assert judged("Take the owl out of a_image.png", "image_editing", MARK, FILL).right
    assert not judged("Take the owl out of a_image.png", "image_editing", EDIT).right


def test_files_have_the_type_that_their_name_implies():
    asked = Instruction("Use x_mask.png on x_image.png and y.mp4", ("image_editing",), "").asked()
    assert [(file.type, file.value) for file in asked.resources] == [
        ("mask", "x_mask.png"),
        ("image", "x_image.png"),
        ("video", "y.mp4"),
    ]


def test_the_table_tells_single_from_compound(tmp_path):
    path = tmp_path / "asked.json"
    entries = [
        {"type": "image_detection", "instruction": "Find the owl in a_image.png"},
        {"type": "parallel_image_detection", "instruction": "Owls in a_image.png, b_image.png?"},
        {"type": "image_detection,image_QA", "instruction": "Find the owl in a_image.png. Why?"},
    ]
    path.write_text(json.dumps(entries))
    found = list(outcomes(Planned(FIND), read_instructions(path)))
    assert [item.right for item in found] == [True, False, False]
    assert "| **single, all** | 1 | 1 | 1.000 |" in table(found)
    assert "| **several files and compound** | 0 | 2 | 0.000 |" in table(found)


def test_another_file_is_refused_in_words(tmp_path):
    path = tmp_path / "other.json"
    path.write_text('{"type": 1}')
    with pytest.raises(ValueError, match="no file of instructions"):
        read_instructions(path)
