"""Words that are to stand somewhere as they are, out of what was said of them: "SOLD" of "the words
SOLD in red across the top"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from controlllm.values.kinds import Kind
from controlllm.values.plain import plain

_QUOTED = re.compile(
    r"\"([^\"\n]{2,})\"|[“„]([^”“\n]{2,})[”“]|«([^»\n]{2,})»|(?<!\w)['‘]([^'’\n]{2,})['’](?!\w)"
)
_LEAD = re.compile(
    r"(?:with )?(?:(?:(?:the|these|this|our|my|a) )?(?:words?|text|caption|title|headline|names?|"
    r"sentence|line|note|password|dates?|year|slogan)(?: is)?:? (?!of\b)|"
    r"(?<=with )(?=[A-ZÀ-Þ\d]))(?=\S)"
)
#: An order to write something, with what is said before it: "next: this is Tom, write me at work".
_ORDER = re.compile(r"(?:.*[,;:.!?] |.*\band )?(?:please )?(?:write|print) (?=\S)")
_WRITTEN = re.compile(r"(?<=\S) written$")
#: Words in capitals among others.
_CAPITALS = re.compile(
    r"(?<![\w©])[A-ZÀ-Þ©®][A-ZÀ-Þ\d&'’.-]*(?:\s+(?:[–&+-]\s+)?[A-ZÀ-Þ\d][A-ZÀ-Þ\d&'’.-]*)*(?!\w)"
)
_BEFORE_A_VALUE = frozenset(
    "in on at across along over under below above into to near for during from".split()
)
#: After these a word is one of the words before: "the name of the rose".
_GO_ON = _BEFORE_A_VALUE | frozenset("the a an of and or my our your its is".split())
_BEHIND_A_VALUE = re.compile(
    r"(?:[ -](?:hand|side|corner|edge|margin|part|half|third|end|letters?|lettering|font|type|ink|"
    r"colou?r|of (?:it|them|(?:the|each|every|all) \w+)))*"
)
_ON_WHAT = re.compile(
    r"(?:on|across|over|onto|in|into|of) "
    r"(?:it|them|this|that|these|(?:all|each|every|both|any)\b.*|"
    r"(?:the|this|my) (?:whole )?"
    r"(?:picture|photo|image|pic|page|video|film|clip|scan|drawing|document|corner)s?)"
)
_ON_EACH = re.compile(
    r"^[^A-ZÀ-Þ]*\b(?:on|across|over|onto) (?:all|each|every|both|the|this|my) "
    r"(?:pages?|sheets?|picture|photo|image|document|scan)s?\b[^A-ZÀ-Þ]*$"
)
_AS = re.compile(r"as (?:an? )?(\w+)")
#: No aside behind the words has more.
_LONGEST = 7


def words_alone(
    said: str, order: str, kinds: Collection[Kind], called: Collection[str] = ()
) -> str:
    """The words to be written out of what was heard of them in an order: what stands there in
    quotation marks, without what announces them, and without what says where and how they shall
    stand, which are values of some kinds, or what it is that is `called` so: "as a watermark"."""
    quoted = [next(filter(None, each.groups())) for each in _QUOTED.finditer(order)]
    if any(words in said and words != said for words in quoted):
        return "\n".join(quoted) if "instead of" not in order else said
    if said in quoted:
        return said
    runs = [run for run in _CAPITALS.findall(order) if re.search(r"[A-ZÀ-Þ]{3}", run)]
    if said.strip(" .!?") == order.strip(" .!?"):
        if runs and not said.isupper():
            return max(runs, key=len)
        said = _ORDER.sub("", said, count=1)
    own = [run for run in runs if run in said]
    if len(own) == 1 and _ON_EACH.search(said.replace(own[0], " ")):
        # "Big grey DRAFT slanting over every page": what is small says how it stands there.
        return own[0]
    if said.isupper() and not order.isupper():
        # What was heard of words in capitals may be only their beginning.
        goes_on = re.compile(rf"(?<!\w){re.escape(said)} [^.!?]+")
        return next((found[0] for run in runs if (found := goes_on.search(run))), said)
    words = _WRITTEN.sub("", _after_aside(said, kinds))
    words = words[lead.end() :] if (lead := _LEAD.match(words)) else words
    pieces = words.split()
    while (cut := _aside(pieces, kinds, called)) is not None:
        pieces = pieces[:cut]
    kept = words if len(pieces) == len(words.split()) else " ".join(pieces)
    return kept.strip(" ,;") or said


def _after_aside(said: str, kinds: Collection[Kind]) -> str:
    """Words without what says before them where and how they stand: "in white, The Rose"."""
    first, comma, rest = said.partition(", ")
    is_aside = first.split(" ")[0] in _BEFORE_A_VALUE and _ends_in_a_value(first, kinds)
    return rest if comma and is_aside else said


def _aside(pieces: Sequence[str], kinds: Collection[Kind], called: Collection[str]) -> int | None:
    """Where the last aside behind some words begins; None where there is none."""
    for place in range(len(pieces) - 1, max(len(pieces) - _LONGEST, 0), -1):
        tail = " ".join(pieces[place:]).rstrip(".,;!")
        if tail != tail.lower():
            break
        named = _AS.fullmatch(tail)
        if _ON_WHAT.fullmatch(tail) or (named and named[1] in called):
            return place
        if pieces[place] in _BEFORE_A_VALUE and _ends_in_a_value(tail, kinds):
            return place
    for place in range(max(len(pieces) - 3, 1), len(pieces)):
        told = plain(" ".join(pieces[place:]).rstrip(".,;!"))
        is_loud = " ".join(pieces).isupper()
        if pieces[place - 1] not in _GO_ON and told and not is_loud and _are_values(told, kinds):
            return place
    return None


def _are_values(told: str, kinds: Collection[Kind]) -> bool:
    """Whether plain words are values of some kinds and nothing else."""
    spans = [(found.start, found.end) for kind in kinds for found in kind.find(told)]
    return all(
        letter == " " or any(start <= place < end for start, end in spans)
        for place, letter in enumerate(told)
    )


def _ends_in_a_value(tail: str, kinds: Collection[Kind]) -> bool:
    told = plain(tail)
    return any(
        _BEHIND_A_VALUE.fullmatch(told[found.end :]) for kind in kinds for found in kind.find(told)
    )
