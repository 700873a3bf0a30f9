"""A batch: what it needs to begin, and its table, a row for each file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

from controlllm.recipes.batch import UNDONE, Item
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.media import Media, has_thumbnail, thumbnail
from controlllm.ui.drawings.wording import attributes, seconds_label, shorten, tool_label
from controlllm.ui.texts import say, say_html

_SIGNS = {
    "pointing": "point",
    "waiting": "wait",
    "working": "spin",
    "stopped": "stop",
    "done": "check",
    "failed": "cross",
}
_WORDS = ("text", "title", "tags", "number")


def batch_pieces(
    items: Sequence[Item], media: Media, head: str, zip: str, doing: Mapping[int, str]
) -> tuple[str, ...]:
    """The table of a batch in pieces, a row each, of which only those that change are sent again.

    Parameters
    ----------
    zip: the address of all results. `doing` is what is done with files now, by their numbers.
    """
    columns = "".join(
        f'<th scope="col">{say_html(f"batch.column_{name}")}</th>'
        for name in ("file", "state", "time", "result")
    )
    rows, failed = (
        [
            batch_row(item, media, doing.get(item.number, ""))
            for item in items
            if (item.state == "failed") is apart
        ]
        for apart in (False, True)
    )
    link = attributes(class_="small button", href=zip, download=True)
    delete = attributes(
        type="button", class_="small", data_do="delete-batch", data_sure=say("batch.delete_sure")
    )
    return (
        f'<div id="batch-panel"><div id="batch-head">{head}</div>'
        f'<div class="batch-scroll"><table class="batch"><caption class="for-screen-readers">'
        f'{say_html("batch.table")}</caption><thead><tr>{columns}</tr></thead>'
        '<tbody id="batch-rows">',
        *rows,
        f'</tbody><tbody id="batch-failed" aria-label="{say_html("batch.failed_apart")}">',
        *failed,
        f'</tbody></table></div><div class="row"><a {link}>{icon("download")}'
        f'{say_html("batch.zip")}</a><button {delete}>{icon("trash")}{say_html("batch.delete")}'
        "</button></div></div>",
    )  # fmt: skip


def batch_head(
    items: Sequence[Item], at_work: bool, remaining: float | None, problem: str = ""
) -> str:
    """How far a batch is, and what can be done with all of it."""
    counts = Counter(item.state for item in items)
    over, words = counts["done"] + counts["failed"], progress_words(items, at_work, remaining)
    buttons = []
    if at_work:
        buttons.append(("stop-batch", "stop", "batch.stop"))
    elif any(item.state in UNDONE for item in items):
        buttons.append(("go-on-batch", "arrow", "batch.go_on"))
    if any(item.state == "failed" and item.again for item in items):
        buttons.append(("again-batch", "again", "batch.again_all"))
    drawn = "".join(
        f"<button {attributes(type='button', class_='small', data_do=what)}>{icon(sign)}"
        f"{say_html(key)}</button>"
        for what, sign, key in buttons
    )
    trouble = f'<p class="trouble">{escape(problem)}</p>' if problem else ""
    bar = attributes(max=max(len(items), 1), value=over, aria_label=words)
    return (
        f'<progress class="batch-bar" {bar}></progress>'
        f'<p class="batch-words">{escape(words)}</p>{trouble}<div class="row">{drawn}</div>'
    )


def progress_words(items: Sequence[Item], at_work: bool, remaining: float | None) -> str:
    """How far a batch is, in a sentence."""
    if not items:
        return say("batch.nothing_yet")
    counts = Counter(item.state for item in items)
    parts = [say("batch.progress", done=counts["done"], all=len(items))]
    if counts["failed"]:
        parts.append(say("batch.failures", count=counts["failed"]))
    if counts["pointing"]:
        parts.append(say("batch.pointing_left", count=counts["pointing"]))
    if at_work and remaining is not None:
        parts.append(say("batch.left", time=seconds_label(max(1.0, remaining))))
    left = any(item.state in UNDONE for item in items)
    end = "" if at_work else say("batch.stopped" if left else "batch.finished")
    if not at_work and not left and counts["pointing"]:
        end = ""
    return say("words.comma").join(parts) + (f". {end}" if end else "")


def batch_row(item: Item, media: Media, doing: str = "") -> str:
    """One file of a batch."""
    look = thumbnail(item.source, media) if item.source is not None else icon("files")
    state = say_html(f"batch.state_{item.state}")
    if item.state == "working" and doing:
        state = escape(tool_label(doing))
    took = seconds_label(item.seconds) if item.seconds else ""
    return (
        f'<tr class="batch-row is-{item.state}" data-key="row-{item.number}" '
        f'data-number="{item.number}"><th scope="row"><div class="batch-file">'
        f'<span class="batch-look">{look}</span>'
        f'<span class="batch-name" title="{escape(item.name)}">{escape(item.name)}</span>'
        "</div></th>"
        f'<td><span class="batch-mark">{icon(_SIGNS[item.state])}{state}</span></td>'
        f"<td>{escape(took)}</td><td>{_outcome(item, media)}</td></tr>"
    )


def _outcome(item: Item, media: Media) -> str:
    if item.state == "failed":
        again = ""
        if item.again:
            again = _button("again-item", "again", "batch.again", item)
        return f'<span class="why">{escape(item.reason)}</span>{again}'
    if item.state == "pointing" and item.source is not None:
        return _button("point-item", "point", "batch.point", item, media.address(item.source))
    return "".join(_result(item, place, media) for place in range(len(item.results)))


def _button(what: str, sign: str, key: str, item: Item, address: str = "") -> str:
    given = attributes(
        type="button", class_="small", data_do=what, data_number=item.number, data_name=item.name,
        data_address=address or None, aria_label=f"{say(key)}: {item.name}",
    )  # fmt: skip
    return f"<button {given}>{icon(sign)}{say_html(key)}</button>"


def _result(item: Item, place: int, media: Media) -> str:
    resource = item.results[place]
    address = attributes(
        href=media.address(resource), target="_blank", class_="batch-result",
        aria_label=f"{resource.value}: {item.name}",
    )  # fmt: skip
    if has_thumbnail(resource):
        return f"<a {address}>{thumbnail(resource, media)}</a>"
    if resource.type in _WORDS:
        return f'<span class="made-text">{escape(shorten(media.text(resource, 300), 160))}</span>'
    return f"<a {address}>{icon('open')}{escape(resource.value)}</a>"


def batches_list(found: Sequence[tuple[str, str, Sequence[Item], bool]]) -> str:
    """All batches of a person: id, name, files and whether it is at work."""
    if not found:
        return ""
    items = "".join(
        f'<li class="recipe"><h4>{escape(name)}</h4><p>'
        f"{escape(progress_words(items, at_work, None))}</p>"
        f'<div class="row"><button {_opener(id, name)}>{icon("open")}{say_html("batch.open")}'
        "</button></div></li>"
        for id, name, items, at_work in found
    )
    return (
        f'<section class="field"><h3>{say_html("batch.batches")}</h3>'
        f'<ul class="plain recipe-list">{items}</ul></section>'
    )


def _opener(id: str, name: str) -> str:
    return attributes(
        type="button", class_="small", data_do="open-batch", data_batch=id, data_name=name,
        aria_label=f"{say('batch.open')}: {name}",
    )  # fmt: skip
