"""What is said where no way was found for a subtask: what is missing, and what comes near."""

from __future__ import annotations

from collections.abc import Sequence

from controlllm.core.plans import OUTSIDE, Request, Subtask, TypedValue
from controlllm.planning.graph import ToolGraph
from controlllm.planning.search import Assess

_TYPE_WORDS = {
    "text": "a text", "title": "a title", "tags": "tags", "category": "a category",
    "number": "a number", "html": "a web page", "image": "a picture", "mask": "a mask",
    "document": "a PDF", "table": "a table",
    "segmentation": "a segmentation map", "edge": "an edge map", "line": "a line drawing",
    "hed": "a soft edge map", "canny": "a Canny edge map", "scribble": "a scribble",
    "pose": "a pose map", "depth": "a depth map", "normal": "a normal map", "audio": "a sound",
    "video": "a video", "point": "clicked points", "bbox": "boxes around objects",
    "files": "several files", "archive": "a ZIP",
}  # fmt: skip


def what_is_missing(
    subtask: Subtask,
    given: Sequence[TypedValue],
    request: Request,
    graph: ToolGraph,
    assess: Assess,
    fit_needed: float,
) -> str:
    """A sentence on why nothing was found for a subtask, and what comes near.

    `given` are the resources that it works on; a tool that fits it at least `fit_needed`, on the
    scale 1..5, would do it.
    """
    wanted = subtask.returns.type
    if subtask.cannot:
        return f"This cannot be done here: {subtask.cannot.rstrip('.')}."
    if wanted == OUTSIDE:
        return (
            "No tool here does this: it has to be done outside of here, by another program, a "
            "device or a person. I work on pictures, sound, video, documents, tables and text."
        )
    if subtask.lacks:
        needed = " and ".join(_TYPE_WORDS.get(name, name) for name in subtask.lacks)
        if not request.resources:
            return f"For this I need a file to work on, such as {needed}. Add it and ask again."
        return f"For this I need {needed}. Add it and ask again."
    words = _TYPE_WORDS.get(wanted, f"a {wanted}")
    runnable = graph.runnable([item.type for item in given])
    makers = graph.producers(wanted)
    if not makers:
        reason = f"no tool here makes {words}"
    else:
        scores = assess(makers)
        best = max(makers, key=lambda tool: (scores[tool.name], tool.name))
        at_hand = (
            graph.handed_types([item.type for item in given])
            | {"text"}
            | {graph.toolbox[name].returns.type for name in runnable}
        )
        lacking = [item.type for item in best.required if item.type not in at_hand]
        if lacking and scores[best.name] >= fit_needed:
            needs = " and ".join(_TYPE_WORDS.get(name, name) for name in dict.fromkeys(lacking))
            reason = f"{best.name.replace('_', ' ')} would do it but needs {needs}"
        else:
            reason = "no tool here does this"
    near = [graph.toolbox[name] for name in sorted(runnable)]
    if given:
        handed = graph.handed_types([item.type for item in given])
        near = [tool for tool in near if {item.type for item in tool.args} & handed]
    scores = assess(near)
    closest = sorted(near, key=lambda tool: -scores[tool.name])[:3]
    names = [tool.in_words for tool in closest if scores[tool.name] > 1.5]
    offer = f" What comes near: {', '.join(names)}." if names else ""
    return f"I found no way to do this: {reason}.{offer}"
