"""What came on the way to what was asked for, folded under a turn's results."""

from __future__ import annotations

from controlllm.resources import Resource
from controlllm.ui.drawings.media import Media, chip
from controlllm.ui.drawings.wording import attributes
from controlllm.ui.texts import say
from controlllm.ui.view import TurnView


def on_the_way(view: TurnView, media: Media) -> str:
    """A fold with what the steps before the last made; empty where there is nothing of that."""
    if view.state == "running":
        return ""
    shown = {resource.value for resource in view.shown}
    made: dict[str, Resource] = {}
    for step in view.steps():
        resource = view.action(step.key).resource
        if resource is None or resource.holds_nothing:
            continue
        if resource.value not in shown:
            made[resource.value] = resource
    if not made:
        return ""
    fold = attributes(class_="on-the-way", data_key="on-the-way")
    chips = "".join(chip(resource, media) for resource in made.values())
    words = say("files.on_the_way", count=len(made))
    return f'<details {fold}><summary>{words}</summary><div class="said">{chips}</div></details>'
