"""What is to be left out, in the many ways in which people say it, written as "without"."""

from __future__ import annotations

import re

from controlllm.toolbox import ToolError

from .asking import Asked, columns_of
from .condition_words import AT_LEAST, AT_MOST, LESS, MORE

_ITEM = r"[VD]\d+(?!\w)"
#: What may stand before a value: "without any of the Berlin orders".
_LEAD = (
    r"(?:(?:the|all|any|every|our|my|those|these|of|for|from|in|on|with|rows?|lines?|entries|"
    r"records?|ones?|sales|orders|costs|expenses|months?|about|C\d+) )*"
)
_ITEMS = rf"{_LEAD}{_ITEM}(?:(?: ?,| and| or| nor| &)+ {_LEAD}{_ITEM})*"
_VERB = (
    r"(?:(?:please|pls|just) )?(?:(?:leave|leaving|take|taking|left) out|omit(?:ting)?|"
    r"ignor(?:e|ing)|skip(?:ping)?|exclud(?:e|es|ing)|drop(?:ping)?|disregard(?:ing)?|"
    r"forget(?:ting)?(?: about)?|not (?:counting|including|considering)|"
    r"(?:don't|do not|doesn't|does not|without|never mind) "
    r"(?:count|counting|include|including|show|showing|want|take|taking|use|consider|considering)|"
    r"minus|less|barring|bar|other than|besides|save for|apart from|aside from|except(?: for)?|"
    r"excepting|(?:everything|everybody|everyone|all|anything|any)(?: \w+)? (?:but|except|besides)|"
    r"but not|but no|but|no|not|hid(?:e|ing)|remov(?:e|ing)|delet(?:e|ing)|bin|scrap|lose|"
    r"get rid of|getting rid of|filter out|without|outside(?: of)?)"
)
_OUT = r"(?:out|off|aside|away)"
_SPLIT = re.compile(
    rf"(?<!\w)(?:leave|leaving|left|take|taking|taken|throw|throwing|kick|kicking|cut|cutting|"
    rf"keep|keeping|with|filter|filtering) "
    rf"(?P<what>{_ITEMS})(?: [a-z]+)?(?: left| taken| thrown| cut)? {_OUT}(?!\w)"
)
_BEFORE = re.compile(rf"(?<!\w){_VERB} (?P<what>{_ITEMS})")
_BEHIND = re.compile(
    rf"(?<!\w)(?P<what>{_ITEMS}) (?:(?:is|are|being) )?(?:excluded|left out|not included|excepted|"
    r"aside)(?!\w)"
)
#: "Without everything over 500" is not over 500.
_COMPARED = re.compile(
    rf"(?<!\w){_VERB} (?:(?:everything|anything|everybody|everyone|anyone|all|any|those|the|amounts|rows|ones|"
    r"that|which|is|are) )+"
    rf"(?=(?:C\d+ )?(?:{MORE}|{LESS}|{AT_LEAST}|{AT_MOST}) )"
)
_LEFT = re.compile(
    r"(?<!\w)(?:without|except|excluding|exclude|excludes|omit|omitting|ignore|ignoring|skip|"
    r"skipping|apart from|leave out|leaving out|left out|not counting|not including|but not|"
    r"don't count|do not count|other than|disregard|everything but|all but)(?!\w)|"
    r"(?<!\w)(?:only|just)(?: the| those| these)?(?: very| really| most)? (?:big|bigger|large|larger|small|"
    r"smaller|high|higher|low|lower|important|expensive|cheap|main|good|bad|old|new|usual|regular)"
    r"(?: ones?| things?| rows?| entries| amounts?| ;|$)"
)


def as_without(asked: Asked) -> None:
    """Write what is left out in the line as "without" its values, which conditions read.

    "Leave the rent out", "not counting rent" and "no rent" are all "without rent".
    """
    line = " ".join(asked.line.split())
    for pattern in (_SPLIT, _BEFORE, _BEHIND):
        line = pattern.sub(lambda found: f"; without {_bare(found['what'])}", line)
    asked.line = _COMPARED.sub("; not ", line)


def _bare(words: str) -> str:
    """Values without what stands before them, joined by "or": without rent or gifts."""
    return " or ".join(re.findall(_ITEM, words))


def reject_unread_exclusions(asked: Asked) -> None:
    """Raise ToolError where something is to be left out and it was not found what."""
    found = _LEFT.search(" ".join(asked.line.split()))
    if found:
        raise ToolError(
            f"It is not clear what is meant by “{found[0]}”. Name a value of the table, or a "
            f"condition such as “without amounts over 100”. Its columns are "
            f"{columns_of(asked.sheet)}."
        )
