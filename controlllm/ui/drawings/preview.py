"""What a way would do, shown while somebody points at it: from what is known, nothing is run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from controlllm.resources import Resource
from controlllm.ui.drawings.icons import icon, type_icon
from controlllm.ui.drawings.media import Media, figure, has_thumbnail, thumbnail
from controlllm.ui.drawings.wording import attributes, shorten, tool_label
from controlllm.ui.texts import say, say_html
from controlllm.ui.view import TurnView

_MOST_WORDS = 300


def preview(
    view: TurnView,
    subtask: int,
    index: int,
    found: Mapping[str, Resource],
    media: Media,
    resources: Iterable[Resource],
) -> str:
    """The result of a way where it is known; else its steps, with small pictures of what goes in.

    `found` are the results of its steps that are known, by the steps' keys.
    """
    way = view.solutions[subtask][index]
    last = found.get(f"{subtask}.{index}.{len(way.actions) - 1}")
    if last is not None:
        said = say_html("compare.known_before")
        return f'{_small(last, media)}<p class="quiet-words">{icon("check")}{said}</p>'
    known = {item.value: item for item in resources}
    given = dict.fromkeys(value for action in way.actions for value in action.references())
    inputs = "".join(
        f'<li class="preview-given">{thumbnail(known[value], media)}</li>'
        for value in given
        if value in known
    )
    steps = ""
    for place, action in enumerate(way.actions):
        made = found.get(f"{subtask}.{index}.{place}")
        shown = thumbnail(made, media) if made is not None and has_thumbnail(made) else ""
        state, sign = ("known", "check") if made is not None else ("open", "wait")
        mark = attributes(class_=f"preview-step is-{state}", title=say(f"compare.step_{state}"))
        note = f'<span class="for-screen-readers">, {say_html(f"compare.step_{state}")}</span>'
        name = f"<span>{escape(tool_label(action.tool))}</span>"
        steps += f"<li {mark}>{icon(sign)}{name}{note}{shown}</li>"
    kind = icon(type_icon(way.actions[-1].output.type))
    return (
        f"<p>{say_html('compare.preview')}</p>"
        f'<ol class="preview-chain">{inputs}{steps}<li class="preview-given">{kind}</li></ol>'
        f'<p class="quiet-words">{say_html("compare.preview_steps")}</p>'
    )


def _small(made: Resource, media: Media) -> str:
    if has_thumbnail(made):
        return f'<div class="preview-made">{thumbnail(made, media)}</div>'
    if made.type in ("text", "title", "tags", "number"):
        text = shorten(media.text(made, _MOST_WORDS), _MOST_WORDS)
        return f'<blockquote class="words">{escape(text)}</blockquote>'
    return figure(made, media, "preview-made", caption=False)
