"""The field that asks why a tool is not in the ways of a part, and what is answered."""

from __future__ import annotations

from html import escape

from controlllm.core.plans import Subtask
from controlllm.editing.why_not import Answer, Proof, Verdict
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.solutions import opener_for, score
from controlllm.ui.drawings.wording import (
    attributes,
    inline_code,
    reason_label,
    tool_label,
    type_label,
)
from controlllm.ui.texts import in_figures, say, say_html
from controlllm.ui.view import TurnView


def why_not_field(view: TurnView, subtask: Subtask) -> str:
    """Where a person asks; scripts fill in what is answered. Empty while it is still planned."""
    if view.plan is None or view.state == "running":
        return ""
    name = f"why-{view.number}-{subtask.id}"
    field = attributes(
        type="search",
        id=name,
        class_="why-search",
        data_turn=view.number,
        data_subtask=subtask.id,
        placeholder=say("why_not.placeholder"),
        autocomplete="off",
    )
    return (
        f'<div class="why-not" data-key="why"><label for="{name}">{say_html("why_not.title")}'
        f'</label><input {field}><div class="why-answer" data-key="answer" data-mine=""'
        ' aria-live="polite"></div></div>'
    )


def why_not_answer(answer: Answer) -> str:
    """What is known of some tools, and whether the search can be relied on."""
    if not answer.verdicts:
        return f'<p class="quiet-words">{say_html("why_not.no_tool")}</p>'
    items = "".join(
        _item(verdict, answer.missing.get(verdict.tool, ""), answer) for verdict in answer.verdicts
    )
    proof = _proof(answer.proof) if answer.proof else ""
    again = "" if answer.is_same else f" {say('why_not.other_ways')}"
    return f'<ul class="why-list">{items}</ul><p class="quiet-words">{escape(proof + again)}</p>'


def _item(verdict: Verdict, missing: str, answer: Answer) -> str:
    lack = ""
    if missing:
        reason = inline_code(reason_label(missing))
        opener = opener_for(verdict.tool, missing)
        lack = (
            f'<p class="missing">{icon("info")}<span>{say_html("why_not.cannot_run")} {reason}.'
            f"</span></p><button {opener}>{say_html('cards.get_it')}</button>"
        )
    scores = ""
    if verdict.kind == "low":
        for tool, value in ((verdict.tool, verdict.score), (verdict.other, verdict.beside)):
            scores += f"<dt>{escape(tool_label(tool))}</dt><dd>{score(value)}</dd>"
        scores = f'<dl class="why-scores">{scores}</dl>'
    return (
        f"<li><strong>{escape(tool_label(verdict.tool))}</strong>{lack}"
        f"<p>{escape(_in_words(verdict, answer.shown))}</p>{scores}</li>"
    )


def _in_words(verdict: Verdict, shown: int) -> str:
    comma = say("words.comma")
    match verdict.kind:
        case "best":
            return say("why_not.best")
        case "shown":
            return say("why_not.shown", rank=verdict.rank)
        case "beyond":
            return say("why_not.beyond", count=shown, rank=verdict.rank)
        case "narrowed":
            return say("why_not.narrowed")
        case "not_searched":
            return say("why_not.not_searched")
        case "needs":
            return say("why_not.needs", types=comma.join(map(type_label, verdict.needs)))
        case "only_words":
            return say("why_not.only_words")
        case "too_far":
            return say("why_not.too_far")
        case "nowhere":
            wanted = comma.join(map(type_label, verdict.wanted))
            return say("why_not.nowhere", what=type_label(verdict.makes), wanted=wanted)
        case "unused":
            return say("why_not.unused")
        case "low":
            return say(
                "why_not.low",
                score=in_figures(verdict.score, 1),
                other=tool_label(verdict.other),
                beside=in_figures(verdict.beside, 1),
            )
        case "unnamed":
            return say("why_not.unnamed")
        case "costs" if verdict.steps > verdict.best_steps:
            return say("why_not.costs", count=verdict.steps, best=verdict.best_steps)
        case "costs":
            return say("why_not.costs_as_long")
        case "unclear":
            return say("why_not.unclear")


def _proof(proof: Proof) -> str:
    if proof.strategy not in ("best-first", "exhaustive"):
        return say("why_not.looks_at_some", strategy=proof.strategy)
    if not proof.is_sure:
        return say("why_not.stopped", strategy=proof.strategy)
    said = "why_not.sure_of_named" if proof.only_named else "why_not.sure"
    return say(said, strategy=proof.strategy)
