"""Bills, receipts and invoices: whether their sums are right."""

from __future__ import annotations

from controlllm.resources import Text
from controlllm.toolbox import ToolError, tool

from .embedded import bills
from .embedded.given_text import check_text


@tool(
    domain="question-answering",
    examples=[
        "Does this invoice add up?",
        "Check the sums on the bill.",
        "Are the amounts on the invoice added up correctly?",
        "Is the total on this receipt right?",
        "Did they get the maths wrong on my bill?",
        "Please check if quantity times price is right in every line.",
        "I think the waiter charged us too much, can you add it up again?",
    ],
)
def check_sums(text: Text) -> Text:
    """Check whether a bill, receipt or invoice adds up: each line's quantity times its price, and
    the total.

    Args:
        text: the bill, receipt or invoice
        returns: whether the sums are right, and how they were worked out
    """
    check_text(text, "check")
    bill = bills.bill_in(text)
    if bill is None:
        raise ToolError(
            "I find no total in this text that could be checked; give me a bill with the line that "
            "names its total."
        )
    return bills.checked(bill)
