"""What those hear of a turn who do not see the page."""

from __future__ import annotations

import re
from html import unescape

from controlllm.ui.drawings.conversation import doing
from controlllm.ui.drawings.markdown import to_html
from controlllm.ui.drawings.wording import tool_label, without_commands
from controlllm.ui.texts import percent, say
from controlllm.ui.view import TurnView

_LONGEST_READ = 400


def announced(view: TurnView) -> str:
    """What happens now: what changes many times a second is left out, a long step tells its
    quarters. Where it waits for an answer, the questions."""
    if view.state != "running":
        return " ".join(asked.message for asked in view.questions)
    running = [step for step in view.steps() if view.action(step.key).state == "running"]
    if view.stage != 2 or view.acting or not running:
        return doing(view)
    tool, quarters = (
        tool_label(running[0].action.tool),
        view.action(running[0].key).fraction // 0.25,
    )
    if not quarters:
        return say("stages.tool", tool=tool)
    return say("stages.tool_share", tool=tool, share=percent(quarters / 4))


def outcome(view: TurnView) -> str:
    """What came of a turn that has ended: its questions, or the answer, where it is short."""
    if view.questions:
        return announced(view)
    if view.state == "cancelled":
        return view.message or say("turns.stopped")
    answer = _heard(without_commands(view.answer or view.message))
    is_short = 0 < len(answer) <= _LONGEST_READ
    if not view.is_met:
        return f"{say('turns.not_done')} {answer if is_short else ''}".strip()
    return say("notices.answered_with", answer=answer) if is_short else say("notices.answered")


def _heard(text: str) -> str:
    """Markdown as it is read aloud, without its signs."""
    return " ".join(unescape(re.sub("<[^>]*>", " ", to_html(text))).split())
