"""A batch where it was begun: a line in the conversation, an entry among the files."""

from __future__ import annotations

from html import escape

from controlllm.recipes.batch import UNDONE
from controlllm.ui.batch_standing import Standing
from controlllm.ui.drawings.batch_view import progress_words
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.wording import attributes
from controlllm.ui.texts import say, say_html


def batch_line(standing: Standing, handle: str) -> str:
    """The line in the conversation of this handle: how far it is, stopping it, its table, its
    results."""
    over = sum(item.state in ("done", "failed") for item in standing.items)
    words, title = _words(standing), say("batch.line", name=standing.name)
    frame = attributes(
        class_="batch-line", data_key=f"batch-{standing.id}", data_batch=standing.id,
        data_state="running" if standing.at_work else "ended", aria_label=title,
    )  # fmt: skip
    bar = attributes(max=max(len(standing.items), 1), value=over, aria_label=words)
    progress = f'<progress class="batch-bar" {bar}></progress>' if standing.at_work else ""
    return (
        f'<section {frame}><p class="batch-line-name">{icon("steps")}<strong dir="auto">'
        f'{escape(title)}</strong></p>{progress}<p class="batch-words">{escape(words)}</p>'
        f'<div class="row">{_doing(standing)}{_buttons(standing, handle)}</div></section>'
    )  # fmt: skip


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


def _doing(standing: Standing) -> str:
    if standing.at_work:
        return _button(standing, "stop-batch", "stop", "batch.stop")
    if any(item.state in UNDONE for item in standing.items):
        return _button(standing, "go-on-batch", "arrow", "batch.go_on")
    return ""


def _buttons(standing: Standing, handle: str) -> str:
    table = _button(standing, "open-batch", "open", "batch.open_table")
    if not any(item.state == "done" for item in standing.items):
        return table
    link = attributes(
        class_="small button", href=f"/conversations/{handle}/batches/{standing.id}/zip",
        download=True, aria_label=f"{say('batch.zip')}: {standing.name}",
    )  # fmt: skip
    return f"{table}<a {link}>{icon('download')}{say_html('batch.zip')}</a>"


def _button(standing: Standing, what: str, sign: str, key: str) -> str:
    given = attributes(
        type="button", class_="small", data_do=what, data_batch=standing.id,
        aria_label=f"{say(key)}: {standing.name}",
    )  # fmt: skip
    return f"<button {given}>{icon(sign)}{say_html(key)}</button>"
