"""A wish as the request says it: the words for it, and what stands beside them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from controlllm.planning.clauses import bare
from controlllm.planning.wishes import OMITTED, ShownText, Wish

#: An order that says nothing of what it is about but "this": "summarise this".
_ORDER_ALONE = re.compile(
    r"[\w-]+(?:\s+(?:this|that|these|those|it|them|the|my|text|words|aloud|out\s+loud|out|up|"
    r"(?:to|for)\s+me|please|\s)+)?",
    re.IGNORECASE,
)
#: What comes before the thing that is to stay as it is.
ALL_BUT = re.compile(
    r"\b(?:(?:everything|all|anything|everyone|everybody)\s+(?:but|(?:that|who|which)(?:(?:['’]s|"
    r"\s+is|\s+are)\s+not|\s+(?:is|are)n['’]t))|except|other\s+than|apart\s+from)(?:\s+for)?\b\s*",
    re.IGNORECASE,
)
#: A name has no more words.
_NAMES = 3
#: So many words beside a wish may be a text to work on.
_BLOCK = 12
_QUOTED = re.compile(r"\"([^\"]{2,})\"|“([^”]{2,})”|(?<!\w)'([^']{3,})'(?!\w)")


@dataclass(frozen=True)
class SaidWish:
    """A wish that the reader heard in a request, as that is `shown` to it, with its whole text."""

    wish: Wish
    shown: ShownText
    text: str

    @cached_property
    def spoken(self) -> str:
        """What a person said of it, in the order in which it stands."""
        stretches = [whole_words(self.text, *self.shown.original(*it)) for it in self.wish.spans]
        words = [self.text[start:end].strip(" ,;:") for start, end in sorted(stretches)]
        return " ".join(" ".join(word.split()) for word in words if word) or self.text[:200]

    @property
    def all_but(self) -> bool:
        """Whether it is about everything but the thing that it names."""
        return bool(ALL_BUT.search(self.spoken))

    @property
    def quoted(self) -> str:
        """The longest words in quotation marks that it tells, empty where it tells none."""
        return quoted_in(self.spoken)

    def heard(self, start: int, end: int) -> str:
        """The words of the request behind what the reader heard, without marks around them; what
        stands in quotation marks belongs together, and so does "Heron!29"."""
        begin, finish = self.shown.original(start, end)
        if re.match(r"[!@#$%&*+=~^]\w", self.text[begin:]):
            begin = re.search(r"\w*$", self.text[:begin]).start()  # type: ignore[union-attr]
        within = [
            item
            for item in _QUOTED.finditer(self.text)
            if begin < item.end() and item.start() < finish
        ]
        if len(within) == 1 and within[0].start() <= begin:
            return next(filter(None, within[0].groups()))
        return self.text[begin:finish].strip(" \t\n.,;:!?\"'“”‘’()")

    def unbroken(self) -> str:
        """What was said of a wish with what stands between its parts, where no other wish does."""
        start, end = min(a for a, _ in self.wish.spans), max(b for _, b in self.wish.spans)
        first, last = self.wish.words.get("prompt", (end, end))
        if start <= first < end < last and not any(end <= a < last for a, _ in self.shown.asked):
            # What it is told may go on where the wish was heard to end.
            end = last
        for a, b in self.shown.asked:
            is_own = any(a < own_end and own_start < b for own_start, own_end in self.wish.spans)
            if not is_own and start <= a < end:
                return self.spoken
        first, last = whole_words(self.text, *self.shown.original(start, end))
        return re.sub(r"[ ,;]+(?:and|then|or|but)?$", "", " ".join(self.text[first:last].split()))

    def with_rest(self) -> str:
        """What was said of a wish, with the rest of the sentence where it has a colon before."""
        end = max(self.shown.original(*span)[1] for span in self.wish.spans)
        rest = re.match(r"[^.!?\n,;]*", self.text[end:])
        whole = self.spoken + rest[0].rstrip() if rest else self.spoken
        return whole if ":" in whole and " and " not in whole[len(self.spoken) :] else self.spoken

    def is_of_another(self, span: tuple[int, int]) -> bool:
        """Whether words stand within what another wish says."""
        start, end = span
        is_own = any(start < last and first < end for first, last in self.wish.spans)
        return not is_own and any(
            first <= start and end <= last for first, last in self.shown.asked
        )

    def names_file(self) -> bool:
        """Whether it says one of the files by its name."""
        said = " ".join(self.shown.shown.text[start:end] for start, end in self.wish.spans)
        return any(re.search(rf"\b{slot.name}\b", said) for slot in self.shown.shown.slots)

    def handed_over(self) -> str:
        """The text to work on that stands in the request beside the wish, or what the wish itself
        says, empty where that is but an order."""
        beside = self.beside()
        words = bare(self.spoken)
        return beside or ("" if _ORDER_ALONE.fullmatch(words.strip(" .!")) else words)

    def hands_over(self) -> bool:
        """Whether a text to work on stands in the request beside a wish."""
        return "content" in self.wish.words or bool(self.beside())

    def holds_text(self) -> bool:
        """Whether a text in which an answer may stand is in the request, more than what is
        asked."""
        heard = "content" in self.wish.words and self.heard(*self.wish.words["content"])
        return bool(self.beside()) or len((heard or "").split()) > _NAMES

    def beside(self) -> str:
        """The text to work on that stands in the request beside the wish, empty where there is
        none."""
        around = self._around()
        if OMITTED in self.shown.shown.text:
            return around
        return quoted_in(self.text) or (around if len(around.split()) >= _BLOCK else "")

    def _around(self) -> str:
        """The longest stretch of the request that expresses no wish."""
        ends = sorted(
            {self.shown.original(*span) for span in (*self.wish.spans, *self.shown.asked)}
        )
        edges = [0, *(place for span in ends for place in span), len(self.text)]
        stretches = [self.text[edges[i] : edges[i + 1]] for i in range(0, len(edges), 2)]
        return max(stretches, key=len).strip(" \t\n:\"'“”")


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Where a stretch of a text begins and ends with the words that it cuts: the reader takes the
    "1." of "1.4" for the end of a sentence."""
    cuts = re.match(r"['’]?\w", text[start:])
    begins = re.search(r"\w+['’]?$|\d[.,]$", text[:start]) if cuts else None
    is_cut = re.search(r"\w['’]?$|\d[.,]$", text[:end])
    goes_on = re.match(r"['’]?\w+", text[end:]) if is_cut else None
    return begins.start() if begins else start, goes_on.end() + end if goes_on else end


def quoted_in(text: str) -> str:
    """The longest words in quotation marks, empty where there are none."""
    found = [next(filter(None, each.groups())) for each in _QUOTED.finditer(text)]
    return max(found, key=len, default="")
