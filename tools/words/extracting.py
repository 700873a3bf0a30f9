"""What is pulled out of a text as a list: addresses, phone numbers, links, amounts, dates."""

from __future__ import annotations

from typing import Annotated

from controlllm.resources import Text
from controlllm.toolbox import ToolError, tool

from .embedded import contacts
from .embedded.contact_kinds import KINDS
from .embedded.given_text import check_text

_NAMES = {
    "emails": "e-mail address",
    "phones": "phone number",
    "links": "link",
    "amounts": "sum of money",
    "dates": "date",
}
_USUAL = ("emails", "phones", "links")


@tool(
    domain="natural-language-processing",
    examples=[
        "Pull all e-mail addresses out of this text.",
        "Which phone numbers are in the letter?",
        "List the links in this article.",
        "What dates are mentioned?",
        "Get me every amount of money in the contract.",
        "Give me the contact details from this page.",
        "extract emails",
        "Are there any web addresses in the notes?",
    ],
)
def extract_contacts(
    text: Text,
    kind: Annotated[str, KINDS] = "",
) -> Text:
    """Pull the e-mail addresses, phone numbers, links, amounts or dates out of a text, as a list.

    Args:
        text: the text in which they stand
        kind: which of these, such as emails or phones,links; e-mail addresses, phone numbers and
            links where nothing is said
    """
    check_text(text, "look through")
    kinds = tuple(kind.split(",")) if kind else _USUAL
    found = [one for each in kinds for one in contacts.FINDERS[each](text)]
    if not found:
        names = [_NAMES[each] for each in kinds]
        listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
        article = "an" if listed[0] in "aeiou" and len(names) > 1 else ""
        raise ToolError(f"There is no {listed} in this text.".replace(f"no {article} ", "no "))
    return "\n".join(found)
