"""What a new column is called in the words that ask for it, and the words without that."""

from __future__ import annotations

import re

_NEW = r"(?:an? |the |my |our |one |another |new |extra |additional |separate |further |second )*"
_NO_NAME = frozenset(
    "a an the new extra additional separate further another second next last with that which for "
    "of in to from as by where if whose who showing shows containing saying says column columns "
    "percent percentage number text help it them its each every this my our one beside and "
    "rename drop please total's".split()
)
_WORD = r"[^\W\d_][\w%/&-]*"
_SAID = (
    # In quotation marks, wherever it is said that it is a column.
    r"(?:column|field|called|named|titled|headed|as|it|name|header|heading)[ :]+[\"“‘'](?P<name>"
    r"[^\"”’']+)[\"”’']",
    # "Called open amount with ...", up to the word with which the rule begins.
    rf"(?:called|named|titled|headed|call it|name it|with (?:the )?name) (?P<name>{_WORD}(?: "
    rf"{_WORD})*?)"
    r"(?=\s*(?:[,.:;=(]|$| with\b| that\b| which\b| from\b| as\b| for\b| and\b| by\b| where\b"
    r"| showing\b| containing\b| to\b| that's\b| thats\b| is\b| being\b| where\b| holding\b))",
    # "A column Total with ...", "column grade: ...".
    rf"\b(?:column|field) (?P<name>{_WORD}(?: {_WORD})??)(?=\s*(?:[:=,(]|$| with\b| that\b| which\b"
    r"| as\b| from\b| equals?\b| showing\b| where\b| if\b| out of\b| by\b| that's\b| thats\b"
    r"| is\b| being\b| =))",
    # "A column for the total price: ...".
    rf"\bcolumn for (?:the |each |every )*(?P<name>{_WORD}(?: {_WORD})*?)(?=\s*[:=]|,? i\.?e\b)",
    # "Insert the turnover (units x price)".
    rf"\b(?:add|insert|put in|include|make|create|need|want|show|write) "
    rf"{_NEW}(?!column\b)(?P<name>{_WORD}(?: "
    rf"{_WORD})?) (?=\()",
    # "Value" = quantity * price.
    r"[\"“](?P<name>[^\"”]{1,60})[\"”] ?(?==(?!=)|:)",
    # "Put the new rent in a column".
    rf"\b(?:and )?(?:put|write|save|show) the (?P<name>{_WORD}(?: {_WORD})?) (?:in|into|as) "
    rf"{_NEW}column\b(?: (?:beside|next to it|at the end|of its own))?",
    # "Add a grade column".
    rf"\b(?:add|make|create|append|insert|want|need|with|me|give|include) {_NEW}(?P<name>{_WORD}"
    rf"(?: {_WORD})?) column\b",
    # "Write price minus 10 percent in a new column Reduced".
    rf"\b(?:in|into|as|to) {_NEW}column (?:called |named )?(?P<name>{_WORD}(?: {_WORD})?)[.!?]?$",
    # "... as Range", at the end.
    rf"\bas (?:an? |the )?(?P<name>[A-Z][\w%/&-]*(?: {_WORD})?)[.!]?$",
    # "Total = price x amount".
    r"^\W*(?:(?:please|add|compute|calculate|work out|new column|column|an?|the) "
    rf")*(?P<name>{_WORD}"
    rf"(?: {_WORD})*?) ?=(?!=)",
)  # fmt: skip
_NAMES = [re.compile(pattern, 0 if "[A-Z]" in pattern else re.IGNORECASE) for pattern in _SAID]
#: Where the column goes, which is no part of its name: "to the file", "in my Excel file".
_WHERE = re.compile(
    r"(?<!\w)(?:to|in|into|onto|for|on) (?:the |my |this |our |that |an? )?(?:(?:excel|csv|same|"
    r"whole|sales|attached) )*(?:file|table|sheet|list|spreadsheet|workbook|excel)(?! of\b)(?!\w)"
    r"(?: please)?,?",
    re.IGNORECASE,
)
#: What is said around a rule and is no part of it.
_AROUND = re.compile(
    r"[,.;]? ?(?:and )?(?:(?:please )?(?:put|write|save|show|store|place)(?: it| them| that| this| "
    rf"the results?)? )?(?:in|into|as|to) {_NEW}columns?(?: (?:beside|next to) (?:it|them|that)|"
    r" beside| of its own| at the end| on the right)?\b|\b(?:call|name) it\b",
    re.IGNORECASE,
)
#: "We pay 0.31 per kWh. Add a column": the wish itself comes last.
_WISH_LAST = re.compile(
    r"[.;,:]\s*(?:and |so |then |please |now )*(?:(?:in|to) (?:the|my|our|this) \w+,? )?(?:please "
    r")?"
    rf"(?:add|insert|make|create|give me|i (?:need|want)) {_NEW}columns?(?: (?:for|of|with) (?:it|"
    r"that|this))?\W*$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^[^\w(]*(?:(?:please|can|could|would|you|i|we|want|need|like|would|d|to|me|us|have|get|"
    r"let's) )*"
    r"(?:(?:add|append|insert|make|create|give|include|compute|calculate|work out|put in|set up|"
    r"write|put|show)"
    rf"(?: me| us)? )?(?:{_NEW}(?:column|field)s?\b)?(?: to (?:the|my|this|our) [\w ]+?(?=[:,]| "
    r"(?:with|that|which|for)\b))?"
    r"(?:\W*(?:that's|thats|with|for|that|which|of|showing|shows|says|saying|contains|containing|"
    r"is|gives|"
    r"giving|"
    r"has|as|where|whose value is|equals?|being|holding|tells|telling|the|a|an|called|named)\b)*"
    r"[\s:=,]*",
    re.IGNORECASE,
)  # fmt: skip


def name_and_rule(prompt: str) -> tuple[str, str]:
    """The name of the column, "" where none is said, and what shall stand in it."""
    text = " ".join(_WHERE.sub(" ", " ".join(prompt.split())).split())
    for pattern in _NAMES:
        found = pattern.search(text)
        if found is None or _is_no_name(found["name"]):
            continue
        name = found["name"].strip()
        inside = found[0].replace(found["name"], "", 1)
        has_end = "=" in text[found.end() : found.end() + 2] or found[0].endswith("=")
        middle = " column " if "column" in inside or has_end else " "
        text = f"{text[: found.start()]}{middle}{text[found.end() :]}"
        if re.search(r"\b(?:in|into|as)\b.*\bcolumn\b", inside):
            text = text.replace(" column ", " ")
        return _capital(name), _rule(text)
    return "", _rule(text)


def _is_no_name(name: str) -> bool:
    words = name.lower().split()
    starts = words[0] in _NO_NAME and not (words[0] in ("new", "extra") and len(words) > 1)
    return starts or words[-1] in _NO_NAME - {"percent", "percentage", "number"}


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def _rule(text: str) -> str:
    text = _WISH_LAST.sub(" ", " ".join(text.split()))
    text = _AROUND.sub(" ", " ".join(text.split()))
    if re.match(r"\W*(?:add|put|give)\b(?! (?:me |us )?(?:an? |the )?(?:\w+ )?column)", text, re.I):
        # "Add 19 % VAT to the price" is itself the rule.
        return " ".join(text.split()).strip(" ?!.,;")
    return _LEAD.sub("", " ".join(text.split()), count=1).strip(" ?!.,;:")
