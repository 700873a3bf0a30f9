"""Words of a request that are no values by themselves, for arguments that take any words."""

from __future__ import annotations

import re
from dataclasses import replace

from controlllm.agents.embedded.facts import words_of
from controlllm.agents.embedded.relevance import LEAST, MOST
from controlllm.agents.embedded.wants import GENERAL, PEOPLE, PLACES, TEXTS, stem
from controlllm.agents.embedded.words import Choice, Words
from controlllm.planning.arguments import mismatch, role_of
from controlllm.planning.clauses import QUESTION_WORDS
from controlllm.toolbox import Argument


def phrases(argument: Argument, words: Words) -> list[Choice]:
    """Words of the part that are no value by themselves: "films about space travel"."""
    found: list[Choice] = []
    role = role_of(argument)

    def add(value: str, cost: float) -> None:
        value = _ARTICLES.sub("", value).strip(" ,.;:!?")
        said = {stem(word) for word in words_of(value).split()}
        if not said or LEAST.fullmatch(value) or MOST.fullmatch(value):
            return
        if value.replace(".", "").isdigit() and role not in ("content", "number"):
            return
        place = words.text.find(value)
        span = (place, place + len(value)) if place >= 0 else (-1, -1)
        nouns = set(words_of(argument.name).split()) - GENERAL
        if {stem(word) for word in nouns} & said:
            cost -= 0.5
        # Places and people are mostly called by name.
        cost += 0.3 * bool(nouns & (PLACES | PEOPLE))
        found.append(Choice(value, cost, span))

    for item in words.heard:
        fits = item.role not in ("time", "place", "language")
        if item.role and fits and len(item.value) < 0.7 * len(words.part):
            add(item.value, 0.4 + min(mismatch(role, item.role), 1.0))
    if set(words_of(argument.name).split()) & TEXTS:
        said = _SAYING.search(words.part)
        if said:
            add(said.group(1), 0.2)
        elif role == "question" or "question" in argument.description.lower():
            add(words.part, 0.4)
    for place, chunk in enumerate(_chunks(words)):
        add(chunk, 0.5 + 0.05 * place)
    if words.part != words.text:
        whole = replace(words, part=words.text[: words.begin], begin=0, end=words.begin)
        for place, chunk in enumerate(_chunks(whole)):
            add(chunk, (0.6 if _POINTS_BACK.search(words.part) else 0.75) + 0.05 * place)
    return found


_SAYING = re.compile(
    r"\b(?:saying|says|say|tell(?:ing)?\s+\w+|let\s+\w+\s+know|that)\s+(?:that\s+)?(.+)",
    re.IGNORECASE,
)
_ARTICLES = re.compile(
    rf"^(?:(?:the|a|an|my|our|some|any|{LEAST.pattern}|{MOST.pattern})\s+)+", re.IGNORECASE
)


def _chunks(words: Words) -> list[str]:
    """The runs of words of a part that are neither values nor join others nor ask, those after a
    preposition first: what somebody orders, searches or asks about."""
    text = words.part
    for mention in sorted(words.mentions, key=lambda item: -item.start):
        if words.holds(mention) and mention.start >= words.begin:
            start, end = mention.start - words.begin, mention.end - words.begin
            text = f"{text[:start]} | {text[end:]}"
    tokens = re.findall(r"[\w'-]+|[|,.;:!?]", text)
    if tokens and tokens[0].lower() not in _EMPTY | QUESTION_WORDS:
        # What begins with a verb is an order.
        tokens = tokens[1:]
    runs: list[tuple[int, list[str]]] = [(2, [])]
    before = ""
    for token in tokens:
        is_verb = before in _BEFORE_VERBS
        before = token.lower()
        if is_verb or token.lower() in _EMPTY or not token[0].isalnum():
            # What is ordered or asked about mostly has an article or a preposition before it.
            runs.append((0 if token.lower() in _LEADING else 2, []))
        else:
            runs[-1][1].append(token)
    ordered = sorted((item for item in runs if item[1]), key=lambda item: item[0])
    return [" ".join(run[:8]) for _, run in ordered][:5]


_BEFORE_VERBS = frozenset("i we you they to can could will would should i'll don't".split())
_POINTS_BACK = re.compile(r"\b(?:it|its|them|that|those|these|this)\b", re.IGNORECASE)
_LEADING = frozenset("of for about on the a an my our your that this".split())
_EMPTY = frozenset(
    "what which who whom whose where when why how is are was were be do does did can could will "
    "would should has have had the a an my our your me i we it its this that these those there of "
    "for to in on at from by with and or then please find tell show give get look search up out "
    "put into if so just also but not no yes want need im i'm i'd i'll am got am going "
    "let know about any some many much left again too plz yet".split()
)
