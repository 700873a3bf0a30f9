"""What is to be left out, in the many ways in which people say it, written as "without"."""

from __future__ import annotations

import re

from controlllm.toolbox import ToolError

from .asking import Asked
from .condition_words import AT_LEAST, AT_MOST, LESS, MORE
from .plain_requests import IGNORED
from .reading import columns_of, unknown_column

_ITEM = r"[VD]\d+(?!\w)"
_COMPARISON = rf"(?:{MORE}|{LESS}|{AT_LEAST}|{AT_MOST})"
#: What may stand before a value: "without any of the Berlin orders".
_LEAD = (
    r"(?:(?:the|all|any|every|our|my|those|these|of|for|from|in|on|with|rows?|lines?|entries|"
    r"everything|anything|everyone|everybody|those|people|that|which|who|was|were|is|are|has|have|"
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
    r"(?:isn't|aren't|is not|are not|not|don't|doesn't) (?:interested in|care about|need|bother "
    r"with)|"
    r"excepting|(?:everything|everybody|everyone|all|anything|any)(?: \w+)? (?:but|except|besides)|"
    r"but not|but no|but|no|not|hid(?:e|ing)|remov(?:e|ing)|delet(?:e|ing)|bin|scrap|lose|"
    r"get rid of|getting rid of|filter out|without|outside(?: of)?)"
)
_OUT = r"(?:out|off|aside|away)"
_SPLIT = re.compile(
    rf"(?<!\w)(?:leave|leaving|left|take|taking|taken|throw|throwing|kick|kicking|cut|cutting|"
    rf"keep|keeping|with|filter|filtering) "
    rf"(?P<what>{_ITEMS})(?: (?:C\d+|[a-z]+))?(?: left| taken| thrown| cut)? {_OUT}(?!\w)"
)
_BEFORE = re.compile(rf"(?<!\w){_VERB} (?P<what>{_ITEMS})")
_BEHIND = re.compile(
    rf"(?<!\w)(?P<what>{_ITEM}(?:(?: and| or| nor| &)+ {_LEAD}{_ITEM})*)(?: (?:ones?|rows?|"
    rf"entries|orders?|C\d+))? (?:(?:is|are|being|"
    rf"should|shall|"
    r"must|be) )*(?:excluded|left out|not included|excepted|aside|(?:don't|doesn't|do not|does not|"
    r"not|shouldn't|mustn't) (?:count(?:ed)?|matter|included?|be (?:counted|included|in it)))(?!\w)"
)
#: "Everything over 500 left out" and "leave everything over 500 out".
_COMPARED_OUT = re.compile(
    rf"(?<!\w)(?:(?:leave|leaving|take|taking|keep|with) )?(?:everything|anything|all|amounts|"
    rf"rows|those)"
    rf"(?: that is| which is)? (?P<cond>{_COMPARISON} N\d+) (?:(?:is|"
    rf"are|being) )?"
    r"(?:left out|excluded|out|not counted)(?!\w)"
)
#: "Without everything over 500" is not over 500.
_COMPARED = re.compile(
    rf"(?<!\w){_VERB} (?:(?:everything|anything|everybody|everyone|anyone|all|any|those|the|"
    rf"amounts|rows|ones|"
    r"that|which|is|are|children|kids|people|persons|passengers|members|guests|adults|orders|"
    r"sales) )+"
    rf"(?=(?:C\d+ )?{_COMPARISON} )"
)
_LEFT = re.compile(
    r"(?<!\w)(?:without|except|excluding|exclude|excludes|omit|omitting|ignore|ignoring|skip|"
    r"skipping|apart from|leave out|leaving out|left out|not counting|not including|but not|"
    r"don't count|do not count|other than|disregard|everything but|all but)(?!\w)|"
    r"(?<!\w)(?:only|just)(?: the| those| these)?(?: very| really| most)? (?:big|bigger|large|"
    r"larger|small|"
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
    line = _COMPARED_OUT.sub(lambda found: f"; not {found['cond']}", line)
    asked.line = _COMPARED.sub("; not ", line)


def _bare(words: str) -> str:
    """Values without what stands before them, joined by "or": without rent or gifts."""
    return " or ".join(re.findall(_ITEM, words))


_OF_WHAT = re.compile(
    r"(?<!\w)(?:for|of|in|per|by|during|from|only|just|about) (?:(?:the|my|our|a|an|all|each|"
    r"every) )*"
    r"(?P<word>[a-z][a-z'-]{2,})"
)
_OF_TIME = re.compile(
    r"(?<!\w)(?:first|second|third|fourth|last|next|this) (?:quarter|half|week|month|year)(?!\w)"
)
#: What a chart is for and how it looks, which is none of its numbers.
_LOOKS = frozenset(
    "slides slide presentation report meeting school homework class paper screen wall poster print "
    "background colours colors colour color white black grey gray red green blue yellow orange "
    "purple pink style font view look way form shape legend labels label percentages percents "
    "percent order size title front each boss teacher parents mum dad wife husband club website "
    "newsletter course thesis exam word powerpoint size glance context comparison detail bold "
    "thousands hundreds euros dollars pounds pastel modern".split()
)


def reject_unread_limits(asked: Asked) -> None:
    """Raise ToolError where a chart shall be of something that was not found in the table: drawn
    without it, it would show more than was asked for."""
    line = " ".join(asked.line.split())
    if found := _OF_TIME.search(line):
        raise ToolError(
            f"It is not clear what “{found[0]}” is in this table. Its columns are "
            f"{columns_of(asked.sheet)}."
        )
    for found in _OF_WHAT.finditer(line):
        word = found["word"]
        if word not in IGNORED and word not in _LOOKS and not word.endswith("ing"):
            raise unknown_column(asked.sheet, word)


def reject_unread_exclusions(asked: Asked) -> None:
    """Raise ToolError where something is to be left out and it was not found what."""
    found = _LEFT.search(" ".join(asked.line.split()))
    if found:
        raise ToolError(
            f"It is not clear what is meant by “{found[0]}”. Name a value of the table, or a "
            f"condition such as “without amounts over 100”. Its columns are "
            f"{columns_of(asked.sheet)}."
        )
