"""The embedded decomposer: a request becomes subtasks without a language model (paper Sec. 3.1).

The trained reader says which wishes a request has, what each works on and which tools serve it.
Here its wishes become subtasks by the protocol of paper Table 5: files and results as arguments,
words with their roles, the type to return, and how well each tool fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import replace

from controlllm.core.plans import (
    OUTSIDE,
    Request,
    Subtask,
    TypedValue,
    deps_of,
    generated,
    is_generated,
)
from controlllm.planning.addresses import ADDRESS, address_type
from controlllm.planning.arguments import works_on
from controlllm.planning.clauses import SMALL_TALK
from controlllm.planning.file_order import order_spoken_of
from controlllm.planning.graph import ToolGraph
from controlllm.planning.matching import Fitting, fitting
from controlllm.planning.mentions import APART, names_kind
from controlllm.planning.naming import named
from controlllm.planning.one_question import one_question
from controlllm.planning.said_wish import SaidWish
from controlllm.planning.wishes import Read, ShownText, Wish, only_meant, shown_to_reader
from controlllm.planning.words import told_words, words_of

#: No tool serves a wish where that is likelier than this and than this share of what the likeliest
#: tool has, where the reader was taught that one; where it was not, and may have missed its words,
#: where that is likelier than this, or than a tool that is hardly likely itself.
_IMPOSSIBLE, _OF_LIKELIEST, _IMPOSSIBLE_ELSEWHERE, _HARDLY = 0.05, 0.2, 0.75, 0.3
#: Who marks something in a picture still means the thing, not the marked picture, by "it".
_MARKS = re.compile(r"\b(?:highlight|mark|outline|circle|box)", re.IGNORECASE)
#: Words for something that was spoken of before.
_POINTS_BACK = re.compile(r"\b(?:it|them|this|that|these|those)\b", re.IGNORECASE)
#: A tool is likely from here on, and among the likeliest with this part of what the likeliest has.
_LIKELY = 0.5


class WishDecomposer:
    """Decomposes requests with the trained reader; no language model."""

    def __init__(self, graph: ToolGraph, read: Read) -> None:
        self.graph = graph
        self._read = read

    def decompose(self, request: Request) -> tuple[Subtask, ...]:
        """The subtasks of a request, each after those it depends on; none where it asks nothing."""
        if SMALL_TALK.match(request.text):
            return ()
        shown = shown_to_reader(request, self.graph.lattice)
        wishes = one_question(self._read(shown.shown), shown.shown.text, self.graph.toolbox)
        shown, wishes = only_meant(shown, wishes, request)
        shown = replace(shown, asked=tuple(span for wish in wishes for span in wish.spans))
        building = _Building(self.graph, request, shown)
        for wish in wishes:
            building.add(wish)
        return tuple(building.subtasks)


class _Building:
    """Subtasks being made of wishes, one after the other."""

    def __init__(self, graph: ToolGraph, request: Request, shown: ShownText) -> None:
        self.graph = graph
        self.lattice = graph.lattice
        self.request = request
        self.shown = shown
        self.subtasks: list[Subtask] = []
        self._address_type = address_type(graph)
        self._there = [TypedValue.of(resource) for resource in shown.resources]
        #: What each wish makes, as what comes after reads it: several things where it was asked of
        #: several files.
        self._made: list[tuple[TypedValue, ...]] = []
        spoken = [item.value for task in request.earlier for item in task.args if _is_object(item)]
        #: The object spoken of last, which "it" may mean, and, by the results of subtasks that only
        #: marked one, what they worked on: what is asked of it is asked of that.
        self._object = spoken[-1] if spoken else ""
        self._marked: dict[str, list[TypedValue]] = {}

    def add(self, wish: Wish) -> None:
        """Append the subtasks of a wish: one, or one for each file that it is about."""
        said, inputs = self._said(wish), self._inputs(wish)
        spoken = said.spoken
        fits = self._fitting(said, [*inputs, *self._address(spoken)])
        if any(item.type == self._address_type for tool in fits.chain for item in tool.required):
            inputs += self._address(spoken)
        has_text = bool(self._of_type("text", inputs))
        told = told_words(said, fits, has_text)
        meant: list[TypedValue] = []
        if not told:
            others = [*inputs, *self._besides(inputs, fits)] if inputs else self._meant(fits)
            meant = self._rather(wish, inputs, fits) or others or self._answering(wish, fits)
        meant = self._as_taken(meant, fits, spoken)
        if meant != inputs:
            inputs = meant
            fits = self._fitting(said, inputs)
        words = words_of(said, fits, bool(inputs), self._object, told)
        if not told:
            words = named(words, said, fits, self.graph)
        if fits.finds and self._object and any(map(_is_object, words)):
            found = (now for item in inputs for now in self._marked.get(item.value, [item]))
            inputs = list(dict.fromkeys(found))
        lacks = () if inputs or any(it.role == "content" for it in words) else fits.lacks
        self._object = next((item.value for item in words if _is_object(item)), self._object)
        if not inputs and not words and not lacks and fits.needs_text:
            lacks = ("text",)
        made = []
        for group in self._groups(inputs, fits):
            number = len(self.subtasks)
            task = Subtask(
                number,
                spoken,
                fits.domains,
                (*group, *words),
                TypedValue(fits.returns, generated(number)),
                deps_of(group),
                confidence=round(min(1.0, wish.certainty * fits.sureness), 3),
                other_returns=fits.other_returns,
                lacks=lacks,
                between=fits.between,
                ends=fits.ends,
                helps=fits.helps,
            )
            if self._is_impossible(wish):
                task = replace(task, returns=TypedValue(OUTSIDE, generated(number)))
            if _MARKS.search(spoken) and any(map(_is_object, words)):
                self._marked[task.returns.value] = list(group)
            self.subtasks.append(task)
            made.append(self._one_of(task))
        self._made.append(tuple(made))

    def _is_impossible(self, wish: Wish) -> bool:
        """Whether no tool serves a wish."""
        share = wish.ends.get(wish.likeliest, 0.0)
        if self.graph.toolbox.is_shipped(wish.likeliest):
            return wish.impossible > max(_IMPOSSIBLE, _OF_LIKELIEST * share)
        return wish.impossible > (share if share < _HARDLY else _IMPOSSIBLE_ELSEWHERE)

    def _said(self, wish: Wish) -> SaidWish:
        return SaidWish(wish, self.shown, self.request.text)

    def _fitting(self, said: SaidWish, inputs: list[TypedValue]) -> Fitting:
        beside = [item.type for pool in (*self._made, self._attached()) for item in pool]
        return fitting(said, inputs, self.graph, beside)

    def _attached(self) -> list[TypedValue]:
        """The files that came with the request."""
        return [item for item in self._there if item.value in self.request.attached]

    def _rather(self, wish: Wish, inputs: list[TypedValue], fits: Fitting) -> list[TypedValue]:
        """The last result that the likeliest tool takes as it is, where all that the reader took to
        be meant would have to be changed first: "describe it and speak the description"; or else
        the files that it takes so: "describe the picture and crop the cup"."""
        wanted = {*fits.takes, *(["text"] if fits.needs_text else [])}
        handed = self.graph.handed_types([item.type for item in inputs])
        # What steps may make on the way, such as boxes, is made of something too.
        lacking = wanted - fits.on_the_way
        if not lacking or wanted & handed:
            return []
        if not inputs and (not fits.needs_text or _tells_facts(wish)):
            return []
        if not inputs and "content" not in wish.words:
            handed_texts = self._of_type("text", self._attached())
            if handed_texts:
                return handed_texts[-1:]
        if not inputs and self._said(wish).hands_over():
            return []
        made = _first(reversed(self._made), lacking.__contains__)
        if made or not inputs:
            return made
        files = [item for item in self._there if item.type in lacking]
        return [item for item in files if item.value in self.request.attached] or files[-1:]

    def _as_taken(self, inputs: list[TypedValue], fits: Fitting, spoken: str) -> list[TypedValue]:
        """Inputs without results that could only stand in for another: of a photo and its edge map,
        what counts the dogs takes the photo."""
        inputs = self._seen_in(inputs, fits)
        if not any(item.type in fits.taken for item in inputs):
            # A song is written from words, whatever picture came with them.
            return [] if fits.is_told and "text" not in fits.on_the_way else inputs
        inputs = self._of_now(inputs, fits, spoken)
        named = [item for item in inputs if _is_made(item) and names_kind(spoken, item.type)]
        if named:
            # "This title" is the title, though the text that it was made from would do as well.
            return [item for item in inputs if not self._is_source(item, named)]
        return [
            item for item in inputs if not _is_made(item) or not self._stands_in(item, fits.taken)
        ]

    def _seen_in(self, inputs: list[TypedValue], fits: Fitting) -> list[TypedValue]:
        """Inputs with the photo in place of a map that was drawn of it, where what is to be seen is
        told: "get the edge map and count the dogs"."""
        if self.lattice.is_a(fits.returns, "image"):
            return inputs
        drawn_of = sorted(self._there, key=lambda item: item.value)
        drawn_of = [item for item in drawn_of if item.type in fits.taken]
        found = []
        for item in inputs:
            sources = [one for one in drawn_of if one.value in self._sources(item.value)]
            is_map = _is_made(item) and self._stands_in(item, fits.taken)
            found += sources if is_map and sources else [item]
        return found

    def _of_now(self, inputs: list[TypedValue], fits: Fitting, spoken: str) -> list[TypedValue]:
        """Inputs without earlier results that the likeliest tool does not take, where it takes what
        this request makes: "read it out" after a sound of the request before."""
        types = [item.type for tool in fits.likeliest[:1] for item in tool.args]
        taken = [item for name in types for item in self._of_type(name, inputs)]
        if not any(map(_is_made, taken)):
            return inputs
        return [
            item
            for item in inputs
            if _is_made(item)
            or item.value in self.request.attached
            or item.value.lower() in spoken.lower()
            or item in taken
        ]

    def _is_source(self, item: TypedValue, made: Sequence[TypedValue]) -> bool:
        """Whether something else of an input's kind was made from it."""
        return any(
            self.lattice.is_a(other.type, item.type) and item.value in self._sources(other.value)
            for other in made
        )

    def _stands_in(self, item: TypedValue, taken: Set[str]) -> bool:
        kinds = self.lattice.ancestors(item.type)
        return item.type not in taken and bool(taken & set(kinds))

    def _inputs(self, wish: Wish) -> list[TypedValue]:
        """The files and earlier results that a wish works on."""
        slots, text = self.shown.shown.slots, self.shown.shown.text
        said = " ".join(text[start:end] for start, end in wish.spans)
        named = [p for p, slot in enumerate(slots) if re.search(rf"\b{slot.name}\b", said)]
        kinds = {self._there[place].type for place in named}
        # A name is surer than what the reader takes to be meant.
        others = [p for p in self._files_of(wish) if self._there[p].type not in kinds]
        found = [self._there[place] for place in sorted({*named, *others})]
        for place in wish.wishes:
            found += [item for item in self._made[place] if item.type != OUTSIDE]
        return found or (self._pointed_back(wish) if _POINTS_BACK.search(said) else [])

    def _pointed_back(self, wish: Wish) -> list[TypedValue]:
        """The last result, where one of the likeliest tools for a wish takes such a thing: "it" is
        about something, whether or not the reader heard what. Where it heard facts, such as a
        place, or a text is handed over, that is what the wish is about."""
        last = self._made[-1] if self._made and not _tells_facts(wish) else ()
        if self._said(wish).hands_over():
            last = tuple(item for item in last if not self.lattice.is_a(item.type, "text"))
        best = max(wish.ends.values(), default=0.0)
        return [item for item in last if self._works_likely(wish, item, best)]

    def _works_likely(self, wish: Wish, item: TypedValue, best: float) -> bool:
        """Whether a tool among the likeliest for a wish has to be given this, one that is likelier
        than all others together where it is a text, which every other tool takes."""
        is_text = self.lattice.is_a(item.type, "text")
        least = _LIKELY if is_text else max(wish.impossible, _LIKELY * best)
        return any(
            share >= least and works_on(self.graph.toolbox[name], item.type, self.lattice)
            for name, share in wish.ends.items()
        )

    def _files_of(self, wish: Wish) -> Sequence[int]:
        """The places of the files that a wish works on: all of a kind where the reader took some
        and neither what was said nor a name tells them apart, since it has not seen what is in
        them."""
        text = self.shown.shown.text
        named = any(
            slot.called or re.search(rf"\b{slot.name}\b", text) for slot in self.shown.shown.slots
        )
        if named or APART.search(text):
            return wish.files
        kinds = {self._there[place].type for place in wish.files}
        attached = (self.request.as_said or self.request).attached
        handed = {item.type for item in self._there if item.value in attached}
        is_handed = self.request.attached.__contains__
        return [
            place
            for place, item in enumerate(self._there)
            if (is_handed(item.value) and item.type in kinds)
            or (place in wish.files and item.type not in handed)
        ]

    def _address(self, spoken: str) -> list[TypedValue]:
        """The address that a wish speaks of, or the only one of the request, where tools take any.

        One that an earlier wish has taken is not meant again.
        """
        taken = {item.value for task in self.subtasks for item in task.args}
        said = (*ADDRESS.findall(spoken), *ADDRESS.findall(self.request.text))
        left = [TypedValue(self._address_type, found) for found in said if found not in taken]
        return left[:1] if self._address_type else []

    def _meant(self, fits: Fitting) -> list[TypedValue]:
        """What a wish that names nothing to work on must be about: the last result that its tools
        can use, or else the files that came with the request and fit, or the last that was there
        before and does: the table, though a chart was made of it since."""
        if not fits.lacks:
            return []
        before = ([item] for item in reversed(self._there))
        pools = (*reversed(self._made), self._attached(), *before)
        return _first(pools, lambda name: set(fits.lacks) <= self.graph.makeable([name]))

    def _answering(self, wish: Wish, fits: Fitting) -> list[TypedValue]:
        """The files in whose words the answer to a question may stand that was asked beside them:
        a photo of a receipt, a PDF; none where a text is in the request itself."""
        asks = fits.needs_text and "question" in wish.words
        if not asks or self._said(wish).hands_over():
            return []
        return [item for item in self._attached() if "text" in self.graph.makeable([item.type])]

    def _besides(self, inputs: list[TypedValue], fits: Fitting) -> list[TypedValue]:
        """What the likeliest tool takes beside what a wish was said to work on, where that was made
        or handed over: "make some music and put it under the film" is about both."""
        have = self.graph.handed_types([item.type for item in inputs])
        made = [item for pool in self._made for item in pool]
        found: list[TypedValue] = []
        for wanted in dict.fromkeys(name for name in fits.takes if name not in have):
            fitting_in = self._of_type(wanted, made) or self._of_type(wanted, self._attached())
            found += fitting_in[-1:]
        return found

    def _of_type(self, type_name: str, items: Iterable[TypedValue]) -> list[TypedValue]:
        return [item for item in items if self.lattice.is_a(item.type, type_name)]

    def _one_of(self, task: Subtask) -> TypedValue:
        """The result of a subtask as what comes after it reads it: of several files any one."""
        likely = sorted(task.ends, key=task.ends.__getitem__, reverse=True)
        makers = (self.graph.toolbox[name].returns for name in likely)
        members = next((made.members for made in makers if made.type == task.returns.type), "")
        return TypedValue(members, task.returns.value) if members else task.returns

    def _groups(self, inputs: list[TypedValue], fits: Fitting) -> list[tuple[TypedValue, ...]]:
        """The inputs of each subtask: what is asked of several files alike becomes a subtask for
        each, unless the tools put them together."""
        by_type: dict[str, list[TypedValue]] = {}
        for item in inputs:
            by_type.setdefault(item.type, []).append(item)
        if fits.gathers:
            return [tuple(self._in_order(inputs))]
        if all(len(items) == 1 for items in by_type.values()):
            return [tuple(inputs)]
        by_type = {name: self._latest(items) for name, items in by_type.items()}
        count = max(len(items) for items in by_type.values())
        return [
            tuple(items[min(place, len(items) - 1)] for items in by_type.values())
            for place in range(count)
        ]

    def _in_order(self, inputs: list[TypedValue]) -> list[TypedValue]:
        """Files in the order in which the request speaks of them."""
        places = {item.value: place for place, item in enumerate(self._there)}
        if not all(item.value in places for item in inputs):
            return inputs
        slots = [self.shown.shown.slots[places[item.value]] for item in inputs]
        return [inputs[place] for place in order_spoken_of(slots, self.shown.shown.text)]

    def _latest(self, items: list[TypedValue]) -> list[TypedValue]:
        """Inputs of one type without those that another of them was made from: after "crop it and
        brighten it", "describe it" is about the last."""
        sources = {value for item in items for value in self._sources(item.value)}
        return [item for item in items if item.value not in sources]

    def _sources(self, value: str) -> frozenset[str]:
        """All files and results that a result was made from."""
        task = next((task for task in self.subtasks if task.returns.value == value), None)
        read = [item.value for item in task.args if not item.role] if task else []
        return frozenset(read).union(*map(self._sources, read))


def _first(
    pools: Iterable[Iterable[TypedValue]], is_usable: Callable[[str], bool]
) -> list[TypedValue]:
    """What can be used, by its type, of the first of several in which something can."""
    found = ([item for item in pool if is_usable(item.type)] for pool in pools)
    return next(filter(None, found), [])


def _tells_facts(wish: Wish) -> bool:
    """Whether a wish names what it is about, such as a place or a time."""
    return not wish.words.keys() <= {"prompt", "content"}


def _is_made(item: TypedValue) -> bool:
    return is_generated(item.value)


def _is_object(item: TypedValue) -> bool:
    return item.role == "object"
