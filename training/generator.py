"""Requests with known readings, composed at random from phrasings, fillers and connecting words.

A request is put together from one to six clauses. Of every clause it is known where it begins and
ends, what is wanted (its intent) and where the words that matter stand (an object, a description,
a question, a text). File names are written as the program shows them to the model: kind and number
(``image1``). All that is composed comes from ``training/data``.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.intents import Intent, read_intents

DATA = Path(__file__).resolve().parent / "data"
KINDS_FILE = Path(__file__).resolve().parents[1] / "assets" / "models" / "imagenet-classes.txt"

#: What part of the requests has how many clauses.
CLAUSE_COUNTS = {1: 0.42, 2: 0.24, 3: 0.15, 4: 0.10, 5: 0.06, 6: 0.03}
#: How often each slip is made: a wrong letter in a word, an opening or closing politeness.
_TYPO, _OPENER, _CLOSER, _PREFACE, _AFTER = 0.012, 0.25, 0.1, 0.08, 0.03
#: What words can be to what is asked for.
WORD_ROLES = ("object", "prompt", "question", "content", "language")
#: The role of the words that fill a slot; slots that are missing here name files.
SLOT_ROLES = {
    "object": "object",
    "kind": "object",
    "prompt": "prompt",
    "question": "question",
    "text": "content",
    "place": "content",
    "activity": "object",
    "language": "language",
}
#: What part of the general questions goes on for more sentences.
_TAILS = 0.2
#: What part of the requests was written as a whole.
_WRITTEN = 0.28
_MAPS = ("line", "hed", "scribble", "pose", "segmentation", "edge", "canny", "depth", "normal")
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Span:
    """Characters `start` to `end` of a request play the role of this name."""

    start: int
    end: int
    role: str


@dataclass(frozen=True)
class LabelledClause:
    """Characters `start` to `end` ask for one thing. `spans` is None where it is not known which
    words matter."""

    start: int
    end: int
    intent: str
    spans: tuple[Span, ...] | None


@dataclass(frozen=True)
class LabelledRequest:
    """A request with its clauses in order."""

    text: str
    clauses: tuple[LabelledClause, ...]


@dataclass(frozen=True)
class Wordings:
    """Everything that requests are composed from. `requests` are whole ones, each part with the
    words that lead to it, its own words and its intent."""

    intents: tuple[Intent, ...]
    fillers: Mapping[str, Sequence[str]]
    words: Mapping[str, object]
    requests: tuple[tuple[tuple[str, str, str], ...], ...]

    def phrases(self, name: str, part: str = "") -> list[str]:
        found = self.words[name]
        if part:
            assert isinstance(found, dict)
            found = found[part]
        assert isinstance(found, list)
        return found


def read_wordings(intents: Sequence[Intent] | None = None) -> Wordings:
    """The wordings of this repository, with other intents where they are given."""
    fillers = json.loads((DATA / "fillers.json").read_text())
    everyday = set(fillers["object"])
    kinds = [name for name in KINDS_FILE.read_text().splitlines() if name not in everyday]
    return Wordings(
        tuple(read_intents() if intents is None else intents),
        {**fillers, "kind": kinds},
        json.loads((DATA / "wordings.json").read_text()),
        tuple(
            tuple((leading, text, intent) for leading, text, intent in request)
            for request in json.loads((DATA / "requests.json").read_text())
        ),
    )


class _Writer:
    """A request under way: its text so far, and where what stands."""

    def __init__(self) -> None:
        self.text = ""
        self.clauses: list[LabelledClause] = []

    def write(self, words: str) -> None:
        self.text += words

    def clause(self, pieces: Sequence[tuple[str, str]], intent: str, known: bool) -> None:
        """Write a clause from (words, role) pieces; `known` says whether the roles are all told."""
        begin = len(self.text)
        spans = []
        for words, role in pieces:
            start = len(self.text)
            self.text += words
            if role and words.strip():
                spans.append(Span(start, len(self.text), role))
        told = tuple(spans) if known or spans else None
        self.clauses.append(LabelledClause(begin, len(self.text), intent, told))


class Generator:
    """Composes requests; the same seed gives the same requests."""

    def __init__(self, wordings: Wordings, seed: int) -> None:
        self.wordings = wordings
        self.random = random.Random(seed)
        self._by_name = {intent.name: intent for intent in wordings.intents}
        self._names = list(self._by_name)
        self._weights = [_weight(intent) for intent in wordings.intents]
        self._files: dict[str, list[str]] = {}
        self._medium = ""

    def request(self) -> LabelledRequest:
        """One more request."""
        self._files, self._medium = {}, ""
        draw = self.random.random()
        if draw < 0.03:
            return self._side_by_side()
        if draw < 0.06:
            return self._elliptical()
        if draw < 0.06 + _WRITTEN:
            return self._written()
        count = self.random.choices(list(CLAUSE_COUNTS), list(CLAUSE_COUNTS.values()))[0]
        writer = _Writer()
        if self._chance(_PREFACE):
            writer.write(self._preface() + " ")
        previous = ""
        for place in range(count):
            if place:
                self._connect(writer)
            previous = self._add_clause(writer, previous, first=place == 0, alone=count == 1)
        return self._finished(writer)

    def _add_clause(self, writer: _Writer, previous: str, first: bool, alone: bool) -> str:
        name = self._next_intent(previous)
        intent = self._by_name[name]
        if name == "open_question" and self._chance(0.6):
            template = self._pick("open_questions")
            pieces = [(words, "") for words, _ in self._fill(template, intent, first)]
            if self._chance(0.25):
                more = self._fill(self._pick("open_questions"), intent, first)
                pieces += [(". " if self._chance(0.7) else "? ", "")]
                pieces += [(words, "") for words, _ in more]
            pieces = self._with_tails(pieces)
        else:
            follows = not first and intent.follow_ups and self._chance(0.4)
            phrasings = intent.follow_ups if follows else intent.phrasings
            pieces = self._fill(self.random.choice(phrasings), intent, first)
        if not alone:
            pieces = _without_full_stop(pieces)
        pieces = self._with_lead(pieces, intent, first)
        if self._chance(_OPENER if first else _OPENER / 4):
            pieces = [(self._pick("openers"), ""), *pieces]
        wants_prompt = intent.domain == "image-generation" and intent.text == "none"
        if intent.domain == "image-generation" and self._chance(0.35) and intent.takes:
            pieces = self._with_detail(pieces, intent, first, wants_prompt)
        known = intent.text == "none" or any(role for _, role in pieces)
        writer.clause(pieces, name, known and not wants_prompt)
        if self._chance(_CLOSER):
            writer.write(self._pick("closers"))
        return name

    def _with_lead(
        self, pieces: list[tuple[str, str]], intent: Intent, first: bool
    ) -> list[tuple[str, str]]:
        """A clause whose file, which it does not name, is told before: "Given image1, ..."."""
        medium = intent.takes[0] if len(intent.takes) == 1 else ""
        asks = intent.text == "question"
        if medium not in ("image", "video", "audio") or not self._chance(0.6 if asks else 0.1):
            return pieces
        words = "".join(words for words, _ in pieces)
        named = rf"{medium}\d|\b(?:image|picture|photo|pic|video|clip|it|this|these)\b"
        if re.search(named, words):
            return pieces
        return [*self._fill(self._pick("leads", medium), intent, first), *pieces]

    def _with_tails(self, pieces: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """A question that goes on for some sentences, none of which is a wish of its own."""
        if not self._chance(_TAILS):
            return pieces
        pieces = [*pieces, (self.random.choice((". ", ". ", "? ", ".\n", "\n- ")), "")]
        for _ in range(self.random.choice((1, 1, 2, 3, 5))):
            pieces.append((self._pick("question_tails") + " ", ""))
        words, role = pieces[-1]
        return [*pieces[:-1], (words.rstrip(), role)]

    def _preface(self) -> str:
        """Words that lead in and wish nothing."""
        return _SLOT.sub(lambda slot: self._mention(slot.group(1), True)[0], self._pick("prefaces"))

    def _with_detail(
        self, pieces: list[tuple[str, str]], intent: Intent, first: bool, alone: bool
    ) -> list[tuple[str, str]]:
        """A wish for a picture whose content is told in a sentence of its own."""
        detail = self._fill(self._pick("details"), intent, first)
        bare = [(words, "") for words, role in pieces]
        if not alone and any(role == "prompt" for _, role in pieces):
            return pieces
        return [*bare, (self.random.choice((". ", ". ", "; ", " ", ", ")), ""), *detail]

    def _next_intent(self, previous: str) -> str:
        """An intent: often one that works on the same medium as the clause before."""
        name = self.random.choices(self._names, self._weights)[0]
        if previous and self._chance(0.5):
            medium = _medium_of(self._by_name[previous])
            for _ in range(6):
                if _medium_of(self._by_name[name]) == medium:
                    break
                name = self.random.choices(self._names, self._weights)[0]
        return name

    def _connect(self, writer: _Writer) -> None:
        rare = "joins" if self._chance(0.5) else "breaks"
        writer.write(self._pick("common_joins" if self._chance(0.6) else rare))

    def _finished(self, writer: _Writer) -> LabelledRequest:
        if not writer.text.rstrip().endswith((".", "?", "!")) and self._chance(0.55):
            writer.write(self.random.choice((".", ".", "?", "!", " .")))
        if self._chance(_AFTER):
            writer.write(" " + self._pick("afters"))
        return self._with_typos(LabelledRequest(writer.text, tuple(writer.clauses)))

    def _written(self) -> LabelledRequest:
        """A request that somebody wrote as a whole, its slots filled anew each time."""
        writer = _Writer()
        for leading, text, name in self.random.choice(self.wordings.requests):
            writer.write(leading)
            intent = self._by_name[name]
            pieces = self._fill(text, intent, not writer.clauses)
            known = intent.text == "none" or any(role for _, role in pieces)
            writer.clause(pieces, name, known)
        return self._finished(writer)

    def _side_by_side(self) -> LabelledRequest:
        """ "Give me a transcript and a summary of audio1": results named beside each other."""
        results = self.wordings.words["results"]
        assert isinstance(results, dict)
        media = {name: _medium_of(self._by_name[name]) for name in results if name in self._by_name}
        first = self.random.choice(list(media))
        near = [name for name in media if name != first and media[name] == media[first]]
        if media[first] == "audio" or not near:
            near = ["summarise_text", "title_for_text", "tags_for_text", "sentiment"]
        names = [first, *self.random.sample(near, min(len(near), self.random.choice((1, 1, 2))))]
        writer = _Writer()
        writer.write(self._pick("gives"))
        for place, name in enumerate(names):
            if place:
                writer.write(self.random.choice((" and ", ", ", ", and ", " plus ", " and also ")))
            pieces = self._fill(self.random.choice(results[name]), self._by_name[name], False)
            if place == (0 if self._chance(0.4) else len(names) - 1):
                medium = media[first] or "text"
                about = self.random.choice((" of ", " for ", " from "))
                target = "the text" if medium == "text" else self._mention(medium, True)[0]
                pieces = [*pieces, (about + target, "")]
            writer.clause(pieces, name, True)
        return self._finished(writer)

    def _elliptical(self) -> LabelledRequest:
        """ "Crop the dog in image1 and the cat in image2": the verb stands once."""
        ellipsis = self.wordings.words["ellipsis"]
        assert isinstance(ellipsis, dict)
        intent = self._by_name[self.random.choice(ellipsis["intents"])]
        fitting = [
            text for text in intent.phrasings if "{object}" in text and "{image}" in text
        ] or list(intent.phrasings)
        writer = _Writer()
        writer.clause(self._fill(self.random.choice(fitting), intent, True), intent.name, True)
        for _ in range(self.random.choice((1, 1, 2))):
            writer.write(self.random.choice(ellipsis["joins"]))
            self._files.pop("image", None)
            writer.clause(
                self._fill(self.random.choice(ellipsis["clauses"]), intent, True), intent.name, True
            )
        return self._finished(writer)

    def _fill(self, phrasing: str, intent: Intent, first: bool) -> list[tuple[str, str]]:
        """The pieces of a phrasing with its slots filled, each with its role."""
        phrasing = self._with_maps(phrasing, intent)
        pieces: list[tuple[str, str]] = []
        place = 0
        for found in _SLOT.finditer(phrasing):
            pieces.append((phrasing[place : found.start()], ""))
            pieces.append(self._filler(found.group(1), intent, first, phrasing[: found.start()]))
            place = found.end()
        pieces.append((phrasing[place:], ""))
        return _mended(pieces)

    def _with_maps(self, phrasing: str, intent: Intent) -> str:
        """A phrasing whose map or mask is sometimes named by its file: "the mask mask1"."""
        for name in (*_MAPS, "mask"):
            if name not in intent.takes or re.search(rf"{name}\d", phrasing):
                continue
            if not self._chance(0.5):
                continue
            spoken = rf"\b{name}s?(?: (?:map|image|drawing|file|art|result|sketch|picture))?\b"
            found = re.search(spoken, phrasing, re.IGNORECASE)
            if found:
                name_of_file = self._new_file(name)
                both = name_of_file if self._chance(0.3) else f"{found.group()} {name_of_file}"
                phrasing = phrasing[: found.start()] + both + phrasing[found.end() :]
        return phrasing

    def _filler(self, slot: str, intent: Intent, first: bool, before: str) -> tuple[str, str]:
        if slot in ("image", "images", "video", "videos", "audio"):
            medium = slot.removesuffix("s")
            many = slot.endswith("s") or (first and self._chance(0.06))
            return self._mention(medium, first, many)
        role = SLOT_ROLES.get(slot, "")
        if slot == "object":
            if not first and re.search(r"\bthe $", before) and self._chance(0.3):
                return "\0" + self._pick("things"), ""
            return self._object(before, intent), role
        if slot == "prompt" and intent.name == "edit_image" and self._chance(0.5):
            return self.random.choice(self.wordings.fillers["change"]), role
        if slot == "text" and self._chance(0.7):
            opening, closing = self.random.choice((('"', '"'), ("“", "”"), ("'", "'"), ("", "")))
            return f"{opening}{self.random.choice(self.wordings.fillers['text'])}{closing}", role
        return self.random.choice(self.wordings.fillers[slot]), role

    def _object(self, before: str, intent: Intent) -> str:
        fillers = self.wordings.fillers
        # Whether there is a dog a detector can tell, whether there is a bittern a classifier.
        told_by_detector = intent.name in ("check_object", "detect_objects")
        rare = "" if told_by_detector else self.random.choices(("", "thing", "kind"), (6, 3, 1))[0]
        words = self.random.choice(fillers[rare or "object"])
        if self._chance(0.15):
            words = f"{self.random.choice(fillers['adjective'])} {words}"
        if self._chance(0.18) and before.rstrip().endswith("the"):
            words = f"{words} {self.random.choice(fillers['whereabouts'])}"
        elif self._chance(0.08) and before.rstrip().endswith("the"):
            words = f"{words} and the {self.random.choice(fillers['object'])}"
        if re.search(r"(?:many|all|all the|the two|number of|both) $", before):
            words = _plural(words)
        return words

    def _mention(self, medium: str, first: bool, many: bool = False) -> tuple[str, str]:
        """Words for a file: by its name, by its kind, or as something spoken of before."""
        kind = "" if medium == "image" else medium
        used = self._files.get(medium, [])
        if many:
            if medium == "image" and self._chance(0.35):
                return self._pick("mentions", "many_unnamed"), ""
            if medium != "audio":
                names = [self._new_file(medium) for _ in range(self.random.choice((2, 2, 3, 4, 5)))]
                frame = self._pick("mentions", "videos_named" if kind else "many")
                return frame.replace("{files}", self._listed(names)), ""
        if not first and self._medium == medium and self._chance(0.45):
            return self._pick("mentions", f"{kind}_again" if kind else "again"), ""
        self._medium = medium
        if self._chance(0.45):
            return self._pick("mentions", kind or "unnamed"), ""
        file = used[-1] if used and not first and self._chance(0.55) else self._new_file(medium)
        return self._pick("mentions", f"{kind}_named" if kind else "named").replace(
            "{file}", file
        ), ""

    def _listed(self, names: Sequence[str]) -> str:
        text = names[0]
        for name in names[1:]:
            text += self._pick("lists") + name
        return text

    def _new_file(self, medium: str) -> str:
        files = self._files.setdefault(medium, [])
        files.append(f"{medium}{len(files) + 1}")
        return files[-1]

    def _with_typos(self, request: LabelledRequest) -> LabelledRequest:
        """The request with a letter here and there that took its neighbour's place."""
        letters = list(request.text)
        for place in range(1, len(letters) - 2):
            here, after = letters[place], letters[place + 1]
            if here.isalpha() and after.isalpha() and self._chance(_TYPO / 3):
                letters[place], letters[place + 1] = after, here
        return LabelledRequest("".join(letters), request.clauses)

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    def _pick(self, name: str, part: str = "") -> str:
        return self.random.choice(self.wordings.phrases(name, part))


#: Intents that are asked for in the same words and differ only in what is spoken of, and those that
#: nothing but their great variety marks, need more examples than others.
_HARD_TO_TELL = {
    "check_kind": 4.0,
    "check_object": 3.0,
    "detect_objects": 2.0,
    "ask_about_image": 3.0,
    "open_question": 3.0,
    "classify_video": 2.0,
    "unsupported": 1.6,
}


def _weight(intent: Intent) -> float:
    """How often an intent is drawn: those that are said in many ways more often."""
    if intent.domain == "public-api":
        return 0.6
    usual = 1.0 + min(len(intent.phrasings), 120) / 60
    return usual * _HARD_TO_TELL.get(intent.name, 1.0)


def _medium_of(intent: Intent) -> str:
    for medium in ("image", "video", "audio", "text"):
        if medium in intent.takes:
            return medium
    return ""


def _plural(words: str) -> str:
    if words.endswith(("s", "people", "sheep", "children", "men", "women")) or " " in words:
        return words
    if words in ("man", "woman"):
        return words[:-2] + "en"
    if words == "child":
        return "children"
    return words + ("es" if words.endswith(("ch", "sh", "x")) else "s")


def _without_full_stop(pieces: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    words, role = pieces[-1]
    return [*pieces[:-1], (words.rstrip(".") if not role else words, role)]


def _mended(pieces: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Pieces without an article before a pronoun ("the it"), and with "an" before a vowel."""
    found: list[tuple[str, str]] = []
    for words, role in pieces:
        if words.startswith("\0"):
            before, before_role = found.pop()
            found.append((re.sub(r"\bthe $", "", before), before_role))
            words = words[1:]
        elif role == "object" and found and words[:1] in "aeiou":
            before, before_role = found.pop()
            found.append((re.sub(r"\b([Aa]) $", r"\1n ", before), before_role))
        found.append((words, role))
    return [(words, role) for words, role in found if words]
