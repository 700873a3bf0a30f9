"""A batch: its table, a row for each file, and where it was begun a line in the conversation and an
entry among the files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

from controlllm.recipes.batch import UNDONE, Item
from controlllm.ui.batches import Standing
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.markup import attributes, button, download
from controlllm.ui.drawings.media import WORDS, Media, has_thumbnail, thumbnail
from controlllm.ui.drawings.wording import seconds_label, shorten, tool_label
from controlllm.ui.texts import say, say_html

_SIGNS = {
    "pointing": "point", "waiting": "wait", "working": "spin", "stopped": "stop", "done": "check",
    "failed": "cross",
}  # fmt: skip


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
            _row(item, media, doing.get(item.number, ""))
            for item in items
            if (item.state == "failed") is apart
        ]
        for apart in (False, True)
    )
    sure = say("batch.delete_sure")
    delete = button("delete-batch", say_html("batch.delete"), "trash", data_sure=sure)
    return (
        f'<div id="batch-panel"><div id="batch-head">{head}</div>'
        f'<div class="batch-scroll"><table class="batch"><caption class="for-screen-readers">'
        f'{say_html("batch.table")}</caption><thead><tr>{columns}</tr></thead>'
        '<tbody id="batch-rows">',
        *rows,
        f'</tbody><tbody id="batch-failed" aria-label="{say_html("batch.failed_apart")}">',
        *failed,
        f'</tbody></table></div><div class="row">{download(zip, say_html("batch.zip"))}{delete}'
        "</div></div>",
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
    drawn = "".join(button(what, say_html(key), sign) for what, sign, key in buttons)
    trouble = f'<p class="trouble">{escape(problem)}</p>' if problem else ""
    return (
        f'{_bar(items, over, words)}<p class="batch-words">{escape(words)}</p>{trouble}'
        f'<div class="row">{drawn}</div>'
    )


def _bar(items: Sequence[Item], over: int, words: str) -> str:
    bar = attributes(max=max(len(items), 1), value=over, aria_label=words)
    return f'<progress class="batch-bar" {bar}></progress>'


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


def _row(item: Item, media: Media, doing: str) -> str:
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
    return button(
        what, say_html(key), sign, data_number=item.number, data_name=item.name,
        data_address=address or None, aria_label=f"{say(key)}: {item.name}",
    )  # fmt: skip


def _result(item: Item, place: int, media: Media) -> str:
    resource = item.results[place]
    address = attributes(
        href=media.address(resource), target="_blank", class_="batch-result",
        aria_label=f"{resource.value}: {item.name}",
    )  # fmt: skip
    if has_thumbnail(resource):
        return f"<a {address}>{thumbnail(resource, media)}</a>"
    if resource.type in WORDS:
        return f'<span class="made-text">{escape(shorten(media.text(resource, 300), 160))}</span>'
    return f"<a {address}>{icon('open')}{escape(resource.value)}</a>"


def batches_list(found: Sequence[tuple[str, str, Sequence[Item], bool]]) -> str:
    """All batches of a person: id, name, files and whether it is at work."""
    if not found:
        return ""
    items = "".join(
        f'<li class="recipe"><h4>{escape(name)}</h4><p>'
        f"{escape(progress_words(items, at_work, None))}</p>"
        f'<div class="row">{_pressed("open-batch", "open", "batch.open", id, name)}</div></li>'
        for id, name, items, at_work in found
    )
    return (
        f'<section class="field"><h3>{say_html("batch.batches")}</h3>'
        f'<ul class="plain recipe-list">{items}</ul></section>'
    )


def _pressed(what: str, sign: str, key: str, id: str, name: str) -> str:
    """A button that does something with a batch of this name."""
    return button(what, say_html(key), sign, data_batch=id, aria_label=f"{say(key)}: {name}")


# Where it was begun.


def batch_line(standing: Standing, handle: str) -> str:
    """The line in the conversation of this handle: how far it is, stopping it, its table, its
    results."""
    over = sum(item.state in ("done", "failed") for item in standing.items)
    words, title = _words(standing), say("batch.line", name=standing.name)
    frame = attributes(
        class_="batch-line", data_key=f"batch-{standing.id}", data_batch=standing.id,
        data_state="running" if standing.at_work else "ended", aria_label=title,
    )  # fmt: skip
    progress = _bar(standing.items, over, words) if standing.at_work else ""
    doing = ""
    if standing.at_work:
        doing = _pressed("stop-batch", "stop", "batch.stop", standing.id, standing.name)
    elif any(item.state in UNDONE for item in standing.items):
        doing = _pressed("go-on-batch", "arrow", "batch.go_on", standing.id, standing.name)
    return (
        f'<section {frame}><p class="batch-line-name">{icon("steps")}<strong dir="auto">'
        f'{escape(title)}</strong></p>{progress}<p class="batch-words">{escape(words)}</p>'
        f'<div class="row">{doing}{_buttons(standing, handle)}</div></section>'
    )


def batch_entry(standing: Standing, handle: str) -> str:
    """The entry among the files of the conversation of this handle."""
    key, name = attributes(data_value=standing.name), escape(standing.name)
    return (
        f'<li class="tray-batch" data-key="batch-file-{standing.id}" {key}>'
        f'<span class="tray-name" dir="auto">{name}</span>'
        f'<span class="tray-note">{escape(_words(standing))}</span>'
        f'<div class="row">{_buttons(standing, handle)}</div></li>'
    )


def _words(standing: Standing) -> str:
    return progress_words(standing.items, standing.at_work, standing.remaining)


def _buttons(standing: Standing, handle: str) -> str:
    table = _pressed("open-batch", "open", "batch.open_table", standing.id, standing.name)
    if not any(item.state == "done" for item in standing.items):
        return table
    address = f"/conversations/{handle}/batches/{standing.id}/zip"
    label = f"{say('batch.zip')}: {standing.name}"
    return table + download(address, say_html("batch.zip"), aria_label=label)
