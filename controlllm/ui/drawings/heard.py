"""What is told to those who hear the page instead of seeing it."""

from __future__ import annotations

import re
from html import unescape

from controlllm.ui.drawings.conversation import doing
from controlllm.ui.drawings.markdown import to_html
from controlllm.ui.drawings.wording import tool_label, without_commands
from controlllm.ui.texts import percent, say
from controlllm.ui.view import TurnView

#: Characters of an answer that is still read aloud.
_LONGEST = 400


def announced(view: TurnView) -> str:
    """What happens now, without what changes many times a second: a long step tells its quarters.
    Where it has ended: what it asks, or what came of it."""
    if view.state != "running":
        return " ".join(asked.message for asked in view.questions) or _outcome(view)
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


def _outcome(view: TurnView) -> str:
    """The answer itself, where it is short."""
    if view.state == "cancelled":
        return view.message or say("turns.stopped")
    shown = re.sub(r"<[^>]*>", " ", to_html(without_commands(view.answer or view.message)))
    words = " ".join(unescape(shown).split())
    short = words if 0 < len(words) <= _LONGEST else ""
    if not view.is_met:
        return f"{say('turns.not_done')} {short}".strip()
    return say("notices.answered_with", answer=short) if short else say("notices.answered")
