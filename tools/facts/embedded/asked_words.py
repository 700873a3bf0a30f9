"""What a request asks about, without the asking: a place, a title, a topic, two names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tools.facts.embedded.data import table
from tools.shared.function_words import FUNCTION_WORDS

#: Words inside names; in titles there are more.
_LINKS = frozenset("of the upon de la del von le sur".split())
_TITLE_LINKS = _LINKS | frozenset("and in to for a an at on with from".split())
_ASKING = frozenset("who what where when which how is do".split())
_BEFORE = frozenset("in at near around to for over of about on from visit is".split())


@dataclass(frozen=True)
class _Run:
    """Neighbouring words that ask nothing; `rank` is lower the surer they are a name."""

    words: list[str]
    rank: int

    def __str__(self) -> str:
        return re.sub(r"['’]s$", "", " ".join(self.words))


def _runs(text: str, kind: str, links: frozenset[str] = frozenset()) -> list[_Run]:
    """The runs of words in a request of some kind, in their order; one with all words where it
    asks nothing and so is a name as it stands."""
    asking = frozenset(" ".join(table("asking-words")[kind]).split())
    pieces = re.findall(r"[\w'’.-]*[\w]|[^\w\s]", text.lower() if text.isupper() else text)
    found: list[_Run] = []
    held: list[str] = []
    run: list[str] = []
    is_asked, before, rank = False, "", 2
    for index, piece in enumerate([*pieces, "."]):
        bare = re.sub(r"['’]s$", "", piece.lower().replace("’", "'"))
        starts = not index or pieces[index - 1] in ".?!"
        is_name = piece[:1].isupper() and not starts and bare[:2] not in ("i", "i'")
        is_idle = bare in asking or piece.lower() in asking
        # "Tokyo Story": what asks elsewhere ends a name here.
        is_idle = is_idle and not (is_name and run and rank == 0 and kind != "place")
        opens = not index and kind != "film" and bare in FUNCTION_WORDS
        is_asked |= is_idle or opens or bare in _ASKING
        is_kept = bare not in FUNCTION_WORDS or (is_name and bool(links))
        if re.match(r"\w", piece) and is_kept and not is_idle:
            if not run:
                rank = 1 if before in _BEFORE else 2
            rank = 0 if is_name and (run or bare not in FUNCTION_WORDS) else rank
            run, held = [*run, *held, piece], []
        elif run and bare in links:
            held.append(piece)
        else:
            if run:
                found.append(_Run(run, rank))
            run, held = [], []
        before = bare
    return found if is_asked else [_Run([text], 0)] * bool(text)


def _quoted(text: str) -> str:
    found = re.search(r"[\"“]([^\"”]+)[\"”]|‘([^’]+)’", text)
    return (found[1] or found[2]).strip() if found else ""


def _capital(run: _Run) -> str:
    """The part of a run from its first to its last word with a capital, all of it without any."""
    capital = [index for index, word in enumerate(run.words) if not word[0].islower()]
    words = run.words[capital[0] : capital[-1] + 1] if capital else run.words
    return str(_Run(words, run.rank))


def place_asked(text: str) -> str:
    """The place that a request names, "" where it names none: "Will it rain in Lisbon?"."""
    plain = " ".join(text.split()).strip(" .!?")
    runs = _runs(plain, "place", _LINKS)
    if _quoted(text) or not runs:
        return _quoted(text)
    runs.sort(key=lambda run: run.rank)
    place = _capital(runs[0])
    # "Paris, Texas": the second name says which of several is meant.
    wider = [name for run in runs[1:] if f"{place}, {(name := _capital(run))}" in plain]
    return f"{place}, {wider[0]}" if wider else place


def title_asked(text: str) -> tuple[str, int | None]:
    """The title of the film that a request names, with its year where it says one."""
    plain = " ".join(text.split()).strip(" .!?")
    year = re.search(r"\s*(?:\(((?:18|19|20)\d\d)\)|\b(?:from|of|in)\s((?:18|19|20)\d\d))", plain)
    runs = _runs(plain.replace(year[0], "") if year else plain, "film", _TITLE_LINKS)
    title = plain.replace(year[0], "") if year else plain
    if runs:
        title = _capital(min(runs, key=lambda run: (run.rank, -len(run.words))))
    return _quoted(text) or title, int(year[1] or year[2]) if year else None


def topic_asked(text: str) -> str:
    """The topic of a request to an encyclopedia: "Look up the Moka pot in Wikipedia"."""
    plain = " ".join(text.split()).strip(" .!?")
    runs = _runs(plain, "article", _LINKS)
    return _quoted(text) or (str(min(runs, key=lambda run: run.rank)) if runs else plain)


def names_asked(text: str) -> tuple[str, str] | None:
    """The two names in a request, None where it does not name two: "Do Ann and Bo match?"."""
    runs = _runs("love " + re.sub(r"\bx\b", ",", text), "names")
    words = [word for run in runs for word in run.words]
    if len(runs) == 1 and len(words) == 2:
        return words[0], words[1]
    names = [_capital(run) for run in runs]
    capital = [name for name in names if name[0].isupper()]
    names = capital if len(capital) > 1 else names
    return (names[0], names[1]) if len(names) > 1 else None
