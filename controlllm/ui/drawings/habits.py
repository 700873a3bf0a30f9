"""What is remembered of a person's choices, in the settings."""

from __future__ import annotations

from controlllm.ui.drawings.icons import icon
from controlllm.ui.texts import say_html


def remembered(places: int) -> str:
    """How many choices are remembered, and a button that forgets them."""
    if places:
        words = say_html("compare.remembered", count=places)
        button = (
            '<button type="button" class="small" data-do="forget-choices">'
            f"{icon('trash')}{say_html('compare.forget')}</button>"
        )
    else:
        words, button = say_html("compare.remembered_none"), ""
    return (
        f'<fieldset class="field" id="remembered"><legend>{say_html("compare.remembered_title")}'
        f'</legend><p class="quiet-words">{words}</p><div class="row">{button}</div></fieldset>'
    )
