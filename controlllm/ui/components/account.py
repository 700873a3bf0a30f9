"""Who is signed in, where the server has accounts, and the button that signs them out."""

from __future__ import annotations

from controlllm.ui.components.drawn import Drawn


class AccountLine(Drawn):
    """A line that is empty where there are no accounts.

    Value: ``{"parts": [html]}``. Its button is answered by itself: it leads to where one signs in.
    """

    script = "account"
