"""The self-test in the toolbox: how far it is, and a card with a picture for every tool tried."""

from __future__ import annotations

from html import escape

from controlllm.self_test.watching import Progress, Trial
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.wording import (
    attributes,
    reason_label,
    runtime_label,
    tool_label,
)
from controlllm.ui.texts import say, say_html

#: What is looked at first stands first.
_ORDER = ("failed", "works", "skipped", "missing")


def self_test_panel(progress: Progress | None, may_run: bool) -> str:
    """What it does, how far it is, and what came of each tool.

    `progress` is None before the first one.
    """
    goes_on = progress is not None and not progress.ended
    about = f'<p class="quiet-words">{say_html("selftest.about")}</p>'
    if not may_run:
        about += f'<p class="quiet-words">{say_html("selftest.not_here")}</p>'
    wish, words = ("stop", "selftest.stop") if goes_on else ("begin", "selftest.begin")
    button = attributes(
        type="button", class_="small", data_do="self-test", data_wish=wish, disabled=not may_run
    )
    row = f'<div class="row"><button {button}>{say_html(words)}</button></div>'
    if progress is None:
        return about + row
    done = attributes(max=str(max(1, progress.count)), value=str(len(progress.trials)))
    bar = (
        f'<p class="self-test-now" role="status">{escape(_now(progress))}</p>'
        f'<progress {done} aria-label="{say_html("selftest.progress")}"></progress>'
        if goes_on
        else f'<p role="status">{escape(_counted(progress))}</p>'
    )
    ordered = sorted(progress.trials, key=lambda trial: _ORDER.index(trial.state))
    cards = "".join(map(_card, ordered))
    state = attributes(class_="trials", data_goes_on="true" if goes_on else "false")
    return f"{about}{row}{bar}<ul {state}>{cards}</ul>"


def _now(progress: Progress) -> str:
    return say(
        "selftest.now",
        tool=tool_label(progress.now) if progress.now else "…",
        number=min(len(progress.trials) + 1, progress.count),
        count=progress.count,
    )


def _counted(progress: Progress) -> str:
    states = [trial.state for trial in progress.trials]
    words = say(
        "selftest.counted",
        works=states.count("works"),
        missing=states.count("missing"),
        failed=states.count("failed"),
        tried=len(states),
    )
    return f"{words} {say('selftest.was_stopped')}" if progress.ended == "stopped" else words


def _card(trial: Trial) -> str:
    image = attributes(
        src=f"/self-test/{trial.tool}.webp", alt="", loading="lazy", width="96", height="72"
    )
    top = f"<img {image}>" if trial.picture else f'<span class="trial-sign">{_sign(trial)}</span>'
    lines = []
    if trial.state == "works":
        lines.append(
            say("selftest.took", seconds=f"{trial.seconds:.2f}", memory=trial.memory)
            + (f" · {runtime_label(trial.runtime)}" if trial.runtime else "")
        )
    if trial.words:
        lines.append(reason_label(trial.words) if trial.state == "missing" else trial.words)
    if trial.state == "skipped":
        lines.append(say("selftest.skipped_because"))
    told = "".join(f"<p>{escape(line)}</p>" for line in lines)
    open_ = attributes(type="button", class_="small quiet", data_do="toolbox", data_find=trial.tool)
    card = (
        f"<button {open_}>{say_html('selftest.show_tool')}</button>"
        if trial.state == "missing"
        else ""
    )
    state = say_html(f"selftest.state_{trial.state}")
    return (
        f'<li class="trial is-{trial.state}">{top}<div><strong>{escape(tool_label(trial.tool))}'
        f'</strong> <span class="badge is-{trial.state}">{state}</span>{told}{card}</div></li>'
    )


def _sign(trial: Trial) -> str:
    signs = {"works": "check", "failed": "cross", "missing": "info", "skipped": "info"}
    return icon(signs[trial.state])
