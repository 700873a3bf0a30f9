"""What the reader is shown of a request, and what it says: the wishes, one after the other.

The reader (``training/``) writes the subtasks itself (paper Sec. 7 trains a language model for the
same purpose): for each wish in turn which words ask for it, which files and earlier wishes it works
on, which tools serve it and which of its words they are to be given. Files stand in the text that
it reads by kind and number (``image1``), so that no file name is ever taken for a wish.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from controlllm.core.lineage import ends_of
from controlllm.core.plans import Request
from controlllm.resources import Resource, TypeLattice

#: What words of a request can be to a tool; ``other`` are addresses and the like.
ROLES = (
    "object", "question", "prompt", "content", "language", "labels", "query", "place", "time",
    "other",
)  # fmt: skip

#: The most wishes that one request has.
MOST_WISHES = 13
#: A request longer than this holds a text to work on; its middle is not read, in characters.
LONGEST_READ = 1000
#: How much of the beginning and of the end of a longer request is read, in characters.
_HEAD, _TAIL = 320, 220
#: What stands for the middle that is left out.
OMITTED = " [text] "
#: How many words of a file's name are shown, and the kinds that say nothing beside a number there.
_NAME_WORDS = 7
_KINDS_IN_NAMES = frozenset({"image", "audio", "video", "text", "document", "table", "file"})
_SAYS_NOTHING = _KINDS_IN_NAMES | {"photo", "picture", "clip", "film", "sound", "recording", "pdf"}
#: How many files of the session are shown beside those that came with the request, the newest.
_MOST_OTHERS = 8
#: How many earlier requests are shown, the last, and how many words of each.
_MOST_EARLIER, _EARLIER_WORDS = 3, 24


@dataclass(frozen=True)
class Slot:
    """A file as the reader sees it: kind and number, a `note` on how it came about, see `noted`,
    and what it is `called`, see `spoken_name`."""

    name: str
    note: str = ""
    called: str = ""


@dataclass(frozen=True)
class RequestText:
    """What the reader is shown: the text with files by kind and number, the files at hand, and
    what was asked before with what came of it, see `told_of`."""

    text: str
    slots: tuple[Slot, ...] = ()
    earlier: str = ""

    def without_names(self) -> RequestText:
        """The same without what the files are called, for a reader that never learnt of that."""
        return replace(self, slots=tuple(replace(slot, called="") for slot in self.slots))


@dataclass(frozen=True)
class Wish:
    """One result or step that a request asks for, as the reader hears it.

    `spans` are the characters that ask for it; `files` are places in the slots, `wishes` places of
    earlier wishes that it works on. `ends` is how likely each tool is to make its result, by name,
    `impossible` how likely it is that none does: together they come to 1. `steps` is how likely
    each tool is needed on the way, one by one. `words` are the characters of words by their role,
    `certainty` is how sure the reader is that this is a wish, 0..1.
    """

    spans: tuple[tuple[int, int], ...]
    files: tuple[int, ...]
    wishes: tuple[int, ...]
    ends: Mapping[str, float]
    impossible: float
    steps: Mapping[str, float]
    words: Mapping[str, tuple[int, int]]
    certainty: float

    @property
    def likeliest(self) -> str:
        """The tool that most likely makes its result; empty where there is none."""
        return max(self.ends, key=self.ends.__getitem__, default="")


Read = Callable[[RequestText], tuple[Wish, ...]]


@dataclass(frozen=True)
class ShownText:
    """A request as the reader is shown it, with the way back to the original.

    `places` has for each character of the shown text its place in the original, and one entry more
    for the end; `resources` are those that the slots stand for, `asked` the stretches of the shown
    text that express wishes, once it was read.
    """

    shown: RequestText
    places: tuple[int, ...]
    resources: tuple[Resource, ...]
    asked: tuple[tuple[int, int], ...] = ()

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the original that these characters of the text stand for."""
        return self.places[start], self.places[end]


def shown_to_reader(request: Request, lattice: TypeLattice) -> ShownText:
    """A request as the reader was trained on it: ``image1`` for the first picture."""
    at_hand = _at_hand(request)
    counts: dict[str, int] = {}
    slots, numbers = [], {}
    kinds = {item.value: _spoken_kind(item.type, lattice) for item in at_hand}
    notes = noted(kinds, [ends for _, ends in _turns_before(request)])
    for item in at_hand:
        kind = kinds[item.value]
        counts[kind] = counts.get(kind, 0) + 1
        is_handed_over = item.origin in ("uploaded", "")
        note = notes.get(item.value, "" if is_handed_over else "made")
        is_named = item.value.lower() in request.text.lower()
        is_one_of_several = sum(other == kind for other in kinds.values()) > 1
        has_name = is_handed_over and not note and not is_named and is_one_of_several
        called = spoken_name(item.value) if has_name else ""
        slots.append(Slot(f"{kind}{counts[kind]}", note, called))
        numbers[item.value.lower()] = slots[-1].name
    letters: list[str] = []
    places: list[int] = []
    for start, piece in _read_pieces(request.text):
        if start:
            letters.extend(OMITTED)
            places.extend([places[-1] + 1 if places else 0] * len(OMITTED))
        _mask(piece, start, numbers, counts, letters, places)
    earlier = told_of(
        (asked, [numbers[name.lower()] for name in ends if name.lower() in numbers])
        for asked, ends in _turns_before(request)
    )
    shown = RequestText("".join(letters), tuple(slots), earlier)
    return ShownText(shown, (*places, len(request.text)), tuple(at_hand))


def spoken_name(file_name: str) -> str:
    """The words of a file's name, as somebody would say them: ``minka_sofa.JPG`` is "minka sofa",
    ``Members2026.xlsx`` "members 2026". Empty where it only says kind and number, or is a letter
    or the word for a kind alone."""
    stem = re.sub(r"\.\w{1,5}$", "", file_name)
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[^\W\d])(?=\d)", " ", stem)
    words = re.sub(r"[\W_]+", " ", apart).lower().split()
    if len(words) == 2 and words[0] in _KINDS_IN_NAMES and words[1].isdigit():
        return ""
    called = " ".join(words[:_NAME_WORDS])
    says_nothing = called in _SAYS_NOTHING or (len(called) == 1 and called.isalpha())
    return "" if says_nothing else called


def noted(kinds: Mapping[str, str], made: Sequence[Sequence[str]]) -> dict[str, str]:
    """What the reader is told of files beside their names, by these: `kinds` are the kinds of all,
    `made` the files that each earlier turn made, the first first. What the last of them made is
    ``made last``, the latest of a kind of which that made none ``made latest``, else ``made``."""
    turns = [[name for name in turn if name in kinds] for turn in made]
    results = [name for turn in turns for name in turn]
    latest = {kinds[name]: name for name in results}
    last = next((turn for turn in reversed(turns) if turn), [])
    last_kinds = {kinds[name] for name in last}
    found = {}
    for name in results:
        is_latest = latest[kinds[name]] == name and kinds[name] not in last_kinds
        found[name] = "made last" if name in last else "made latest" if is_latest else "made"
    return found


def told_of(turns: Iterable[tuple[str, Sequence[str]]]) -> str:
    """What the reader is told of earlier turns, each what was asked and the names of its results,
    the first first: ``brighten it -> image2 ; describe it -> text1``."""
    told = []
    for asked, results in [*turns][-_MOST_EARLIER:]:
        words = asked.split()
        short = " ".join(words[:_EARLIER_WORDS]) + (" ..." if words[_EARLIER_WORDS:] else "")
        told.append(f"{short} -> {', '.join(results)}" if results else short)
    return " ; ".join(told)


def _at_hand(request: Request) -> list[Resource]:
    """The files that the reader is shown: those that came with the request last, of others the
    newest; in a conversation as they came."""
    meant = {item.value for item in request.resources}
    others = [item for item in request.resources if item.value not in request.attached]
    newest = {item.value for item in others[-_MOST_OTHERS:]}
    if request.there:
        newest |= {item.value for item in request.there[-_MOST_OTHERS:]}
        return [
            item
            for item in request.there
            if item.value in newest or (item.value in meant and item.value in request.attached)
        ]
    attached = [item for item in request.resources if item.value in request.attached]
    return [*(item for item in others if item.value in newest), *attached]


def only_meant(
    shown: ShownText, wishes: Sequence[Wish], request: Request
) -> tuple[ShownText, tuple[Wish, ...]]:
    """What was shown, and what the reader heard in it, without the files that are not meant."""
    meant = {item.value for item in request.resources}
    kept = [p for p, item in enumerate(shown.resources) if item.value in meant]
    places = {old: new for new, old in enumerate(kept)}
    text = replace(shown.shown, slots=tuple(shown.shown.slots[place] for place in kept))
    left = tuple(
        replace(wish, files=tuple(places[place] for place in wish.files if place in places))
        for wish in wishes
    )
    resources = tuple(shown.resources[place] for place in kept)
    return replace(shown, shown=text, resources=resources), left


def _turns_before(request: Request) -> list[tuple[str, tuple[str, ...]]]:
    """What was asked before and the names of what came of it; only what was asked, where no
    conversation is known."""
    turns = (request.as_said or request).turns[:-1]
    if not turns:
        return [(task.description, ()) for task in request.earlier]
    return [(turn.text, ends_of(turn)) for turn in turns]


def _read_pieces(text: str) -> list[tuple[int, str]]:
    """What is read of a text, each piece with where it begins: all, or both ends of a long one."""
    if len(text) <= LONGEST_READ:
        return [(0, text)]
    head, tail = text[:_HEAD], text[-_TAIL:]
    cut = max((found.end() for found in re.finditer(r"[.?!:\n]\s", head)), default=len(head))
    begin = next((found.end() for found in re.finditer(r"[.?!:\n]\s", tail)), 0)
    return [(0, head[:cut]), (len(text) - len(tail) + begin, tail[begin:])]


def _mask(
    text: str,
    start: int,
    numbers: dict[str, str],
    counts: dict[str, int],
    letters: list[str],
    places: list[int],
) -> None:
    """Add a piece of text, its file names replaced; a file that is not at hand gets a number."""
    names = sorted(numbers, key=len, reverse=True)
    pattern = "|".join([*map(re.escape, names), r"[\w\-]+\.[A-Za-z][A-Za-z0-9]{1,4}\b"])
    position = 0
    for found in re.finditer(rf"(?<![\w./:])(?:{pattern})", text, re.IGNORECASE):
        name = found.group().lower()
        if name not in numbers:
            kind = kind_of_name(name)
            if not kind:
                continue
            counts[kind] = counts.get(kind, 0) + 1
            numbers[name] = f"{kind}{counts[kind]}"
        letters.extend(text[position : found.start()])
        places.extend(range(start + position, start + found.start()))
        letters.extend(numbers[name])
        places.extend([start + found.start()] * len(numbers[name]))
        position = found.end()
    letters.extend(text[position:])
    places.extend(range(start + position, start + len(text)))


#: Kinds of texts that the reader knows by a word of their own.
_OWN_WORDS = frozenset({"document", "table"})
_ENDINGS = {
    "image": frozenset("png jpg jpeg gif bmp webp tif tiff heic".split()),
    "video": frozenset("mp4 mov avi mkv webm".split()),
    "audio": frozenset("wav mp3 ogg flac m4a".split()),
    "text": frozenset("txt md".split()),
    "document": frozenset({"pdf"}),
    "table": frozenset("csv tsv xlsx".split()),
}


def kind_of_name(name: str) -> str:
    """The kind of a file told by its name's ending, empty where it tells none."""
    ending = name.rsplit(".", 1)[-1].lower()
    return next((kind for kind, endings in _ENDINGS.items() if ending in endings), "")


def _spoken_kind(type_name: str, lattice: TypeLattice) -> str:
    """The word for a type; of what is written the reader tells documents and tables apart."""
    if type_name in _OWN_WORDS:
        return type_name
    if type_name in lattice and lattice.is_a(type_name, "text"):
        return "text"
    return re.sub(r"[^a-z]", "", type_name.lower()) or "file"
