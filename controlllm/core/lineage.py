"""What the results of a conversation were made of, and which of them are current.

Every result is on the line of the files, its roots, that it was made of in the end. What is current
on a line is what was asked for last and not taken back; the root itself where nothing is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from controlllm.core.plans import Plan, generated, is_generated
from controlllm.core.session import Session, Turn, branch
from controlllm.resources import Resource
from controlllm.resources.types import FILE_TYPES, PARENTS, is_on_the_way

#: Tell where something is: no pictures that anybody goes on with.
_MARKINGS = frozenset({"mask", "point", "bbox"})


@dataclass(frozen=True)
class Made:
    """How a result was first made: in the turn of a number, by the step of a key with a tool, of
    `sources`; `asked` are the words that asked for it."""

    value: str
    type: str
    turn: int
    step: str
    tool: str
    sources: tuple[str, ...]
    asked: str


@dataclass(frozen=True)
class Lineage:
    """The results of turns that follow each other, and how they stand after the last one.

    `made` tells of each how it came about, the first first. `standing` are files and results that
    were asked for and are not taken back, with files that were gone back to: what was spoken of
    last is last. `on_the_way` were only made for something else, `taken_back` nobody wants.
    """

    made: Mapping[str, Made]
    standing: tuple[str, ...] = ()
    on_the_way: frozenset[str] = frozenset()
    taken_back: frozenset[str] = frozenset()

    def sources(self, value: str) -> tuple[str, ...]:
        """What a result was made of; nothing where no tool made it, or of nothing."""
        return self.made[value].sources if value in self.made else ()

    def line(self, value: str) -> tuple[str, ...]:
        """A result and all that it was made of, the nearest first."""
        found = [value]
        for item in found:
            found.extend(source for source in self.sources(item) if source not in found)
        return tuple(found)

    def roots(self, value: str) -> tuple[str, ...]:
        """What a result was made of in the end: at least one, itself where it was made of none."""
        return tuple(item for item in self.line(value) if not self.sources(item))

    def made_of(self, value: str) -> frozenset[str]:
        """All results that something was needed for."""
        return frozenset(item for item in self.made if item != value and value in self.line(item))

    def current(self, root: str, type_name: str) -> str:
        """What is current on the line of a root, of what is the same kind of thing as a type."""
        for value in reversed(self.standing):
            known = self.made.get(value)
            same = value == root if known is None else kind_of(known.type) == kind_of(type_name)
            if same and root in self.roots(value):
                return value
        return root

    def all_current(self) -> frozenset[str]:
        """What is current on the lines on which something was made to go on with."""
        return (
            frozenset(
                self.current(root, item.type)
                for item in self.made.values()
                if is_work(item.type) and item.value not in self.on_the_way
                for root in self.roots(item.value)
            )
            - self.taken_back
        )


def kind_of(type_name: str) -> str:
    """What a type is a kind of, where a result of it can go on as the same thing."""
    return type_name if type_name in _MARKINGS else PARENTS.get(type_name) or type_name


def is_work(type_name: str) -> bool:
    """Whether something of this type is a file that one goes on working with."""
    return type_name in FILE_TYPES and type_name not in _MARKINGS


def lineage(turns: Iterable[Turn]) -> Lineage:
    """The lineage of turns that follow each other, the first first."""
    made: dict[str, Made] = {}
    standing: list[str] = []
    wanted: set[str] = set()
    taken_back: set[str] = set()
    for turn in turns:
        for item in _made_in(turn, made):
            made[item.value] = item
        ends = ends_of(turn)
        wanted.update(ends, turn.restored)
        taken_back.update(value for value in turn.taken_back if value in made)
        for value in (*turn.restored, *ends):
            taken_back.discard(value)
            standing = [item for item in standing if item != value] + [value]
        standing = [item for item in standing if item not in taken_back]
    return Lineage(made, tuple(standing), frozenset(made) - wanted, frozenset(taken_back))


def lineage_of(session: Session, number: int | None = None) -> Lineage:
    """The lineage of a session's branch up to a turn, or up to where it stands."""
    return lineage(branch(session, number))


def ends_of(turn: Turn) -> tuple[str, ...]:
    """The names of the results that end what a turn asked for; what it showed without a plan."""
    keys = turn.results if turn.plan is None else turn.plan.ends()
    found = turn.in_members(turn.results[key] for key in keys if key in turn.results)
    return tuple(item.value for item in found)


def finals(plan: Plan, made: Mapping[str, Resource]) -> list[str]:
    """The keys of those ends of a plan that a person is handed, of results by the keys of their
    steps: a picture, a sound or a film that went on into another one, or into several files, was
    only on the way, and so were several files of which others or one thing were made."""
    by_key = {step.key: step for step in plan.steps()}
    by_value = {step.action.output.value: step for step in plan.steps()}
    by_value |= {generated(step.subtask): step for step in plan.steps()}
    ends = [key for key in plan.ends() if key in made]
    wanted = {task.id for task in plan.subtasks if task.is_wanted}
    gone: set[str] = set()
    for key in ends:
        line = [by_key[key]]
        for step in line:
            sources = (by_value.get(value) for value in step.action.references())
            line.extend(found for found in sources if found is not None and found not in line)
        gone |= {
            step.key
            for step in line[1:]
            if step.key in made and is_on_the_way(made[step.key].type, made[key].type)
        }
    return [key for key in ends if key not in gone or by_key[key].subtask in wanted]


def spoken_of(turns: Sequence[Turn]) -> tuple[str, ...]:
    """The files that the last of some turns left to go on with, as they stand: what it made or went
    back to; else what it was about."""
    now = lineage(turns)
    for place in range(len(turns) - 1, -1, -1):
        turn = turns[place]
        types = {item.value: item.type for item in turn.every}
        ends = [value for value in ends_of(turn) if is_work(types[value])]
        found = ends or list(turn.restored) or _about(turn)
        left = [value for value in found if value not in now.taken_back]
        # Of parts that go on from each other, it is the last one.
        left = [
            value
            for value in left
            if not any(value in now.line(other)[1:] for other in left if other != value)
        ]
        if left:
            return tuple(dict.fromkeys(left))
    return ()


def _about(turn: Turn) -> list[str]:
    """The files that a turn was asked about, by its plan, or else those that came with it."""
    if turn.plan is None:
        return list(turn.attached)
    given = [item for task in turn.plan.subtasks for item in task.args if not item.role]
    found = [item.value for item in given if is_work(item.type) and not is_generated(item.value)]
    return found or list(turn.attached)


def _made_in(turn: Turn, before: Mapping[str, Made]) -> Iterator[Made]:
    """The results that a turn was the first to make, each after what it was made of."""
    if turn.plan is None:
        return
    asked = {task.id: task.description for task in turn.plan.subtasks}
    names: dict[str, str] = {}
    found: set[str] = set()
    for key in sorted(turn.results, key=_place):
        try:
            action = turn.plan.action(key)
        except (KeyError, IndexError, ValueError):  # of a way that was taken out of the plan
            continue
        value, way = turn.results[key].value, key.rpartition(".")[0]
        sources = []
        for name in action.references():
            # A way calls its own steps by the same names as another way of the same part.
            source = names.get(f"{way} {name}", names.get(name, name))
            if source != value and not is_generated(source):
                sources.append(source)
        names[f"{way} {action.output.value}"] = value
        if _is_last(turn.plan, key):
            names[generated(int(key.split(".")[0]))] = value
        number = int(key.split(".")[0])
        for item in (turn.results[key], *turn.members.get(key, ())):
            if item.value in before or item.value in found:
                continue
            found.add(item.value)
            yield Made(
                item.value,
                item.type,
                turn.number,
                key,
                action.tool,
                tuple(dict.fromkeys(sources)),
                asked.get(number, turn.text),
            )


def _is_last(plan: Plan, key: str) -> bool:
    number, way, place = map(int, key.split("."))
    is_chosen = plan.chosen.get(number, 0) == way
    return is_chosen and place == len(plan.solutions[number][way].actions) - 1


def _place(key: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdigit() else -1 for part in key.split("."))
