"""Transcripts among results: the recordings that their words can be pointed at in."""

from __future__ import annotations

from collections.abc import Mapping

from controlllm.core.plans import Literal, generated
from controlllm.resources import Resource
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.wording import attributes
from controlllm.ui.texts import say, say_html
from controlllm.ui.view import TurnView

#: A sound as long as the video that it was taken out of, to so many seconds, lies at its times.
_SAME_LENGTH = 0.15


def words_to_point_at(view: TurnView, known: Mapping[str, Resource]) -> str:
    """For each transcript that is shown a button that points at its words; empty without one."""
    buttons = []
    recordings = _recordings(view, known)
    for resource in view.shown:
        recording = recordings.get(resource.value)
        if recording is None:
            continue
        names = {"text": resource.value, "name": recording.value}
        button = attributes(
            type="button",
            class_="small",
            data_do="point-at-word",
            data_value=recording.value,
            data_transcript=resource.value,
            title=say("pointing.point_at_word_of", **names),
            aria_label=say("pointing.point_at_word_of", **names),
        )
        buttons.append(
            f"<button {button}>{icon('point')}{say_html('pointing.point_at_word')}</button>"
        )
    return "".join(buttons)


def _recordings(view: TurnView, known: Mapping[str, Resource]) -> dict[str, Resource]:
    """The recording of each text that was made of nothing but the sound of one."""
    made: dict[str, Resource] = {}
    found: dict[str, Resource] = {}
    videos: dict[str, Resource] = {}
    for step in view.steps():
        result = view.action(step.key).resource
        if result is None:
            continue
        for name in (step.action.output.value, generated(step.subtask)):
            made[name] = result
        values = step.action.inputs.values()
        given = [made.get(name) or known.get(name) for name in step.action.references()]
        if len(given) != 1 or given[0] is None or any(isinstance(it, Literal) for it in values):
            continue
        source = given[0]
        if (source.type, result.type) == ("video", "audio") and _as_long(source, result):
            videos[result.value] = source
        elif source.type == "audio" and result.type == "text":
            found[result.value] = videos.get(source.value, source)
    return found


def _as_long(video: Resource, sound: Resource) -> bool:
    lengths = [float(item.details.get("seconds", 0.0)) for item in (video, sound)]
    return abs(lengths[0] - lengths[1]) <= _SAME_LENGTH
