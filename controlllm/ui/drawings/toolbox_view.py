"""The toolbox as a person sees it: which tools there are, what they take, whether they run here,
and what came of trying every one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from html import escape, unescape

from controlllm.models.weights import size_in_words
from controlllm.models.weights.pulling import ENDS, Progress
from controlllm.self_test import watching
from controlllm.self_test.watching import Trial
from controlllm.settings import Settings
from controlllm.toolbox import DOMAINS, Argument, Implementation, Tool, Toolbox
from controlllm.ui.drawings.icons import domain_icon, icon, type_icon
from controlllm.ui.drawings.markup import attributes, button, inline_code, quiet
from controlllm.ui.drawings.wording import (
    fetching_label,
    reason_label,
    runtime_label,
    tool_label,
    type_label,
)
from controlllm.ui.texts import percent, say, say_html

#: What is looked at first stands first: how a tool may have fared, and its sign.
_SIGNS = {"failed": "cross", "works": "check", "skipped": "info", "missing": "info"}


def toolbox_parts(
    toolbox: Toolbox,
    settings: Settings,
    pulls: Mapping[str, Progress],
    may_pull: bool,
    words: str = "",
) -> list[str]:
    """The same in parts; where words are searched for, the tools that have all of them, the nearest
    first: those that bear them in their names."""
    cards = {
        tool.name: tool_card(tool, toolbox, settings, pulls.get(tool.name), may_pull)
        for tool in toolbox
    }
    if not words.strip():
        counted = say_html(
            "toolbox.count", count=len(cards), ready=_ready(toolbox, settings, list(cards))
        )
        return [_counted(counted), *_domains(toolbox, cards)]
    near = {tool.name: nearness(tool, cards[tool.name], words) for tool in toolbox}
    found = [name for name in cards if near[name] is not None]
    found.sort(key=lambda name: near[name] or 0)
    ready = _ready(toolbox, settings, found)
    counted = say_html("toolbox.count_found", count=len(cards), found=len(found), ready=ready)
    if not found:
        return [_counted(counted), f'<p data-key="none">{say_html("toolbox.none_found")}</p>']
    listed = "".join(cards[name] for name in found)
    return [_counted(counted), f'<ul class="tools" data-key="found">{listed}</ul>']


def nearness(tool: Tool, card: str, words: str) -> int | None:
    """How near a tool's name comes to words, 0 the nearest; None where its card has not all of
    them."""
    asked = _plain(words)
    parts = asked.split()
    names = (_plain(tool_label(tool.name)), _plain(tool.name))
    shown = f"{_plain(unescape(re.sub('<[^>]*>', ' ', card)))} {names[1]}"
    if not all(part in shown for part in parts):
        return None
    steps = (
        lambda name: name == asked,
        lambda name: name.startswith(asked),
        lambda name: all(any(one.startswith(part) for one in name.split()) for part in parts),
        lambda name: all(part in name for part in parts),
        lambda name: all(part in _plain(tool.description) for part in parts),
    )
    return next((at for at, fits in enumerate(steps) if any(map(fits, names))), len(steps))


def _plain(words: str) -> str:
    return words.lower().replace("_", " ").strip()


def _ready(toolbox: Toolbox, settings: Settings, names: Sequence[str]) -> int:
    """How many of these would run now."""
    known, runtimes = settings.capabilities, settings.runtimes
    return sum(bool(toolbox.available(name, known, runtimes)) for name in names)


def _counted(words: str) -> str:
    return f'<p class="quiet-words" id="toolbox-count" role="status" data-key="count">{words}</p>'


def _domains(toolbox: Toolbox, cards: Mapping[str, str]) -> list[str]:
    """The cards by domain, a section each."""
    domains: dict[str, list[str]] = defaultdict(list)
    for tool in toolbox:
        domains[tool.domain].append(cards[tool.name])
    return [
        f'<section class="domain" data-key="{domain}"><h3>{icon(domain_icon(domain))}'
        f"{say_html(f'toolbox.domain_{domain}')}"
        f'<span class="quiet-words">{len(domains[domain])}</span></h3>'
        f'<ul class="tools">{"".join(domains[domain])}</ul></section>'
        for domain in DOMAINS
        if domain in domains
    ]


def tool_card(
    tool: Tool, toolbox: Toolbox, settings: Settings, pull: Progress | None, may_pull: bool
) -> str:
    """One tool of the list; `pull` is how far the fetching of its weights is."""
    ways = toolbox.implementations.get(tool.name, ())
    ready = toolbox.available(tool.name, settings.capabilities, settings.runtimes)
    if ready:
        state = (
            f'<span class="badge is-ready">{icon("check")}{runtime_label(ready[0].runtime)}</span>'
        )
    else:
        not_ready = say_html("toolbox.not_ready")
        state = f'<span class="badge is-missing">{icon("info")}{not_ready}</span>'
    order = sorted(ways, key=lambda way: settings.runtimes.index(way.runtime))
    listed = "".join(_way(way, ready, settings) for way in order)
    args = "".join(_argument(argument) for argument in tool.args)
    returned = _argument(tool.returns, named=False)
    known = f'<ul class="implementations">{listed}</ul>' if ways else ""
    name = escape(tool.name)
    return (
        f'<li class="tool-card" id="tool-{name}" data-key="tool-{name}"><div class="tool-head">'
        f"<strong>{escape(tool_label(tool.name))}</strong>{state}</div>"
        f'<p>{escape(tool.description)}</p><p class="signature">{args}'
        f"{icon('arrow')}{returned}</p>{known}"
        f"{_weights(tool, toolbox, settings, pull, may_pull)}</li>"
    )


def _way(way: Implementation, ready: Sequence[Implementation], settings: Settings) -> str:
    """One implementation: where it works, and whether it would run now."""
    reason = way.reason_unavailable(settings.capabilities)
    if reason is not None:
        if way.is_hosted:
            return ""
        # The button below does what a command would.
        mark, words = "info", inline_code(reason_label(reason))
    elif way is ready[0]:
        mark, words = "check", say_html("toolbox.runs_now")
    else:
        mark, words = "check", say_html("toolbox.takes_over")
    memory = f" <small>({escape(way.memory)})</small>" if way.memory else ""
    state = "is-missing" if reason is not None else "is-ready"
    where = f"<b>{escape(runtime_label(way.runtime))}</b>{memory}"
    said = f"{where}: {words}{_models(way, settings)}"
    return f'<li class="{state}">{icon(mark)}<span>{said}</span></li>'


def _models(way: Implementation, settings: Settings) -> str:
    """The downloaded models of an implementation by name, and what is to be expected of them."""
    chosen = settings.capabilities.weights_of(way.weights).values()
    facts = list(dict.fromkeys(weights.repository.rpartition("/")[2] for weights in chosen))
    if facts and not settings.capabilities.accelerator and not way.needs_gpu:
        facts.append(say("toolbox.slow"))
    return f' <small class="models">{escape(" · ".join(facts))}</small>' if facts else ""


def _weights(
    tool: Tool,
    toolbox: Toolbox,
    settings: Settings,
    pull: Progress | None,
    may_pull: bool,
) -> str:
    """What a person can do about a tool's downloaded weights: fetch, stop, remove."""
    way = toolbox.with_weights(tool.name, settings.capabilities)
    if way is None:
        return ""
    chosen = settings.capabilities.weights_of(way.weights).values()
    about = {"data_tool": tool.name}
    if pull is not None and pull.step not in ENDS:
        share = percent(pull.fraction)
        return (
            f'<div class="pull" data-tool="{escape(tool.name)}">'
            f'<progress max="1" value="{pull.fraction:.3f}">{share}</progress>'
            f'<span role="status">{escape(pull.words)} {share}</span>'
            f"{button('stop-pull', say_html('composer.stop'), **about)}</div>"
        )
    said = _ending(pull) if pull else ""
    comma = say("words.comma")
    licences = comma.join(dict.fromkeys(weights.licence for weights in chosen))
    missing = way.missing_weights(settings.capabilities)
    if not missing:
        size = size_in_words(sum(weights.size for weights in chosen))
        sure, words = say("toolbox.remove_weights_sure"), say_html("toolbox.remove_weights")
        return (
            f'<div class="pull">{said}<span>{escape(comma.join((size, licences)))}</span>'
            f"{button('remove-weights', words, data_sure=sure, **about)}</div>"
        )
    if not may_pull:
        return ""
    if pull is not None and pull.step == "finished":
        said = ""  # they were removed since
    size = size_in_words(sum(weights.size for weights in missing))
    names = ", ".join(weights.repository for weights in missing)
    fetch = button("pull", say_html("toolbox.get_weights"), title=names, **about)
    to_fetch = say_html("toolbox.to_fetch", size=size, licences=licences)
    return f'<div class="pull">{said}{fetch}<span>{to_fetch}</span></div>'


def _ending(pull: Progress) -> str:
    """How the fetching of weights ended."""
    words = escape(fetching_label(pull.step, pull.words))
    if pull.step == "failed":
        return f'<p class="pull-said is-failed" role="alert">{icon("info")}<span>{words}</span></p>'
    return f'<p class="pull-said" role="status">{words}</p>'


def _argument(argument: Argument, named: bool = True) -> str:
    words = type_label(argument.type)
    if argument.many:
        words = say("toolbox.several", what=words)
    if named and argument.name != argument.type:
        words = f"{argument.name.replace('_', ' ')}: {words}"
    optional = " is-optional" if argument.optional else ""
    return f'<span class="type{optional}">{icon(type_icon(argument.type))}{escape(words)}</span>'


# Every tool tried.


def self_test_panel(progress: watching.Progress | None, may_run: bool) -> str:
    """What it does, how far it is, and what came of each tool.

    `progress` is None before the first one.
    """
    goes_on = progress is not None and not progress.ended
    about = quiet(say_html("selftest.about"))
    if not may_run:
        about += quiet(say_html("selftest.not_here"))
    wish = "stop" if goes_on else "begin"
    words = say_html(f"selftest.{wish}")
    press = button("self-test", words, data_wish=wish, disabled=not may_run)
    row = f'<div class="row">{press}</div>'
    if progress is None:
        return about + row
    done = attributes(max=max(1, progress.count), value=len(progress.trials))
    bar = (
        f'<p class="self-test-now" role="status">{escape(_now(progress))}</p>'
        f'<progress {done} aria-label="{say_html("selftest.progress")}"></progress>'
        if goes_on
        else f'<p role="status">{escape(_came_to(progress))}</p>'
    )
    ordered = sorted(progress.trials, key=lambda trial: list(_SIGNS).index(trial.state))
    cards = "".join(map(_trial, ordered))
    state = attributes(class_="trials", data_goes_on="true" if goes_on else "false")
    return f"{about}{row}{bar}<ul {state}>{cards}</ul>"


def _now(progress: watching.Progress) -> str:
    return say(
        "selftest.now",
        tool=tool_label(progress.now) if progress.now else "…",
        number=min(len(progress.trials) + 1, progress.count),
        count=progress.count,
    )


def _came_to(progress: watching.Progress) -> str:
    states = [trial.state for trial in progress.trials]
    words = say(
        "selftest.counted",
        works=states.count("works"),
        missing=states.count("missing"),
        failed=states.count("failed"),
        tried=len(states),
    )
    return f"{words} {say('selftest.was_stopped')}" if progress.ended == "stopped" else words


def _trial(trial: Trial) -> str:
    image = attributes(
        src=f"/self-test/{trial.tool}.webp", alt="", loading="lazy", width="96", height="72"
    )
    sign = icon(_SIGNS[trial.state])
    top = f"<img {image}>" if trial.picture else f'<span class="trial-sign">{sign}</span>'
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
    card = ""
    if trial.state == "missing":
        words = say_html("selftest.show_tool")
        card = button("toolbox", words, class_="small quiet", data_find=trial.tool)
    state = say_html(f"selftest.state_{trial.state}")
    return (
        f'<li class="trial is-{trial.state}">{top}<div><strong>{escape(tool_label(trial.tool))}'
        f'</strong> <span class="badge is-{trial.state}">{state}</span>{told}{card}</div></li>'
    )
