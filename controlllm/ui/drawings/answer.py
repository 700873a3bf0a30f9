"""What came of a request: the answer, each piece of which leads to what it rests on, questions to
the person, what came on the way, and transcripts whose words can be pointed at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape

from controlllm.core.citations import Citation
from controlllm.core.plans import Literal, Step, generated
from controlllm.core.questions import Question
from controlllm.resources import Box, Resource
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.markdown import to_html
from controlllm.ui.drawings.markup import attributes, button
from controlllm.ui.drawings.media import Media, chip
from controlllm.ui.drawings.wording import tool_label, without_commands
from controlllm.ui.texts import say, say_html
from controlllm.ui.view import TurnView

#: Characters that no text has: where a piece begins, its number between two, and where it ends.
_OPEN, _OPENED, _CLOSE = "\ue000", "\ue001", "\ue002"
_FOREIGN = str.maketrans({_OPEN: " ", _OPENED: " ", _CLOSE: " "})
#: How much of a thing's surroundings is shown around it, as a part of its size: enough to see where
#: in the picture it is, since things that lie over each other look alike.
_AROUND = 0.35
#: A sound as long as the video that it was taken out of, to so many seconds, lies at its times.
_SAME_LENGTH = 0.15


def answer(view: TurnView, known: Mapping[str, Resource], marks: bool = True) -> str:
    """The answer as far as it is written, and what was done in another way than first tried.

    Without `marks` its pieces lead nowhere, for where there are no scripts.
    """
    if not view.answer:
        return ""
    busy = " is-writing" if view.state == "running" else ""
    text = without_commands(view.answer)
    # Where something was left out of the text, the places in it mean others.
    grounds = view.grounds if marks and text == view.answer else ()
    html = to_html(_with_signs(text, grounds), known)
    return f'<div class="answer{busy}">{_with_marks(html, grounds, view)}</div>{_fallbacks(view)}'


def _with_signs(text: str, grounds: tuple[Citation, ...]) -> str:
    text = text.translate(_FOREIGN)
    end = len(text)
    for number, ground in reversed(list(enumerate(grounds))):
        if not 0 <= ground.start < ground.end <= end:
            continue
        piece = f"{_OPEN}{number}{_OPENED}{text[ground.start : ground.end]}{_CLOSE}"
        text = text[: ground.start] + piece + text[ground.end :]
        end = ground.start
    return text


def _with_marks(html: str, grounds: tuple[Citation, ...], view: TurnView) -> str:
    tools = {step.key: step.action.tool for step in view.steps()}
    reached: set[tuple[str, int | None]] = set()

    def opened(found: re.Match[str]) -> str:
        ground = grounds[int(found.group(1))]
        if ground.key not in tools:
            return "<span>"
        resource = view.action(ground.key).resource
        place = (ground.key, ground.region)
        words = say("sources_of_answer.rests_on", tool=tool_label(tools[ground.key]))
        mark = attributes(
            class_="ground", role="button", data_do="ground", data_step=ground.key,
            data_turn=view.number, data_region=ground.region, title=words, aria_description=words,
            data_figure=f"{resource.value}-{resource.digest[:12]}" if resource else None,
            # One stop of the keyboard for what leads to the same place.
            tabindex=-1 if place in reached else 0,
        )  # fmt: skip
        reached.add(place)
        return f"<span {mark}>"

    html = re.sub(f"{_OPEN}(\\d+){_OPENED}", opened, html)
    return html.replace(_CLOSE, "</span>")


def _fallbacks(view: TurnView) -> str:
    if not view.fallbacks or view.state == "running":
        return ""
    told = "".join(f"<li>{escape(without_commands(said))}</li>" for said in view.fallbacks)
    return (
        f'<div class="fallbacks" role="note">{icon("info")}<div>'
        f"<strong>{say_html('sources_of_answer.fallbacks')}</strong><ul>{told}</ul></div></div>"
    )


# Questions.


def questions(view: TurnView, media: Media, known: Mapping[str, Resource]) -> str:
    """The questions of a turn that wait for an answer, with choices to take: words, or pictures of
    what may be meant. `known` are the session's resources."""
    return "".join(
        f'<div class="question" role="group" aria-label="{escape(asked.message)}">{icon("info")}'
        f'<div><p>{escape(asked.message)}</p><p class="choices-of">'
        f"{_choices(view, place, asked, media, known)}</p></div></div>"
        for place, asked in enumerate(view.questions)
    )


def _choices(
    view: TurnView, question: int, asked: Question, media: Media, known: Mapping[str, Resource]
) -> str:
    picture = known.get(asked.picture)
    drawn = ""
    # As they stand in the picture, whichever is likeliest.
    for place in sorted(
        range(len(asked.choices)),
        key=lambda place: asked.boxes[place].left if asked.boxes else place,
    ):
        words = asked.choices[place]
        shown = _cut_out(asked.boxes[place], picture, media) if asked.boxes and picture else ""
        told = f'<span class="choice-words">{escape(words)}</span>' if shown else escape(words)
        drawn += button(
            "choose", shown + told, class_="choice", data_turn=view.number, aria_label=words,
            data_question=question, data_choice=place, disabled=view.state == "running",
        )  # fmt: skip
    return drawn


def _cut_out(box: Box, picture: Resource, media: Media) -> str:
    """The part of a picture around a box, as a small drawing in which what lies outside of the box
    is darker and the box has a frame; empty where the picture's size is unknown."""
    width, height = picture.details.get("width"), picture.details.get("height")
    if not width or not height:
        return ""
    wide, high = box.right - box.left, box.bottom - box.top
    left, top = max(box.left - _AROUND * wide, 0), max(box.top - _AROUND * high, 0)
    right = min(box.right + _AROUND * wide, width)
    bottom = min(box.bottom + _AROUND * high, height)
    seen = f"{left:.0f} {top:.0f} {max(right - left, 1):.0f} {max(bottom - top, 1):.0f}"
    image = attributes(href=media.address(picture), width=width, height=height)
    inside = f"M{box.left:.0f} {box.top:.0f}h{wide:.0f}v{high:.0f}h{-wide:.0f}z"
    return (
        f'<svg class="cut-out" viewBox="{seen}" aria-hidden="true"><image {image}/>'
        f'<path class="not-meant" d="M0 0h{width}v{height}h-{width}z{inside}"/>'
        f'<path class="meant" d="{inside}"/></svg>'
    )


# On the way.


def on_the_way(view: TurnView, media: Media) -> str:
    """A fold with what the steps before the last made; empty where there is nothing of that."""
    if view.state == "running":
        return ""
    shown = {resource.value for resource in view.shown}
    made: dict[str, Resource] = {}
    for step in view.steps():
        resource = view.action(step.key).resource
        if resource is not None and not resource.holds_nothing and resource.value not in shown:
            made[resource.value] = resource
    if not made:
        return ""
    chips = "".join(chip(resource, media) for resource in made.values())
    return (
        '<details class="on-the-way" data-key="on-the-way"><summary>'
        f'{say("files.on_the_way", count=len(made))}</summary><div class="said">{chips}</div>'
        "</details>"
    )


def steps_and_inputs(
    view: TurnView, known: Mapping[str, Resource]
) -> Iterator[tuple[Step, list[Resource | None], Resource | None]]:
    """Each step of the plan with what it was given and what it made, as far as that is there."""
    made: dict[str, Resource | None] = {}
    for step in view.steps():
        given = [made.get(name) or known.get(name) for name in step.action.references()]
        result = view.action(step.key).resource
        made[step.action.output.value] = made[generated(step.subtask)] = result
        yield step, given, result


def words_to_point_at(view: TurnView, known: Mapping[str, Resource]) -> str:
    """For each transcript that is shown a button that points at its words; empty without one."""
    buttons = ""
    recordings = _recordings(view, known)
    for resource in view.shown:
        recording = recordings.get(resource.value)
        if recording is not None:
            says = say("pointing.point_at_word_of", text=resource.value, name=recording.value)
            buttons += button(
                "point-at-word", say_html("pointing.point_at_word"), "point", says,
                data_value=recording.value, data_transcript=resource.value,
            )  # fmt: skip
    return buttons


def _recordings(view: TurnView, known: Mapping[str, Resource]) -> dict[str, Resource]:
    """The recording of each text that was made of nothing but the sound of one."""
    found: dict[str, Resource] = {}
    videos: dict[str, Resource] = {}
    for step, given, result in steps_and_inputs(view, known):
        if result is None or len(given) != 1 or given[0] is None:
            continue
        if any(isinstance(it, Literal) for it in step.action.inputs.values()):
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
