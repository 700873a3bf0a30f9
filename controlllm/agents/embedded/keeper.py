"""The state keeper without a language model: rules on codes, types and what observations say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from controlllm.agents.embedded.facts import Fact, read, written
from controlllm.agents.embedded.parts import purpose_of
from controlllm.agents.embedded.relevance import Encode, answer_in, plain
from controlllm.agents.roles import Taken, Task
from controlllm.agents.running import kind_of
from controlllm.core.costs import Usage
from controlllm.core.state import MOST_FINDING, Failure, Result, State
from controlllm.planning.said_values import day_told, mentions_in
from controlllm.resources import TypeLattice
from controlllm.toolbox import Code

_MOST_QUOTED = 300
#: How near a field of an entity has to come to what was asked to answer it.
_TELLS = 0.35


class EmbeddedKeeper:
    """Takes each observation into the state (Sum2Act, Sec. 3.3).

    Parameters
    ----------
    encode: vectors of texts, see `controlllm.models.encoder`.
    today: the day that "tomorrow" comes after, where a request does not say which day it is.
    """

    def __init__(self, encode: Encode, today: Callable[[], date] = date.today) -> None:
        self._encode = encode
        self._today = today

    def updated(self, task: Task, state: State, taken: Taken, step: int) -> tuple[State, Usage]:
        """The state with what a step brought; see `controlllm.agents.roles.StateKeeper`."""
        return self._updated(task, state, taken, step), Usage()

    def _updated(self, task: Task, state: State, taken: Taken, step: int) -> State:
        decision, observation = taken.decision, taken.observation
        if observation.code is not Code.DONE:
            kind = kind_of(observation.code)
            said = " ".join(observation.text[:_MOST_QUOTED].split())
            if kind in ("unavailable", "error") and _speaks_of_input(said, decision.arguments):
                kind = "bad input"
            reason = said or f"It failed with code {int(observation.code)}."
            return state.with_failure(
                Failure(decision.tool, decision.arguments, reason, kind, step)
            )
        part, purpose = purpose_of(decision.thought)
        answers = purpose != "leads to"
        part = part or task.instruction
        resource = observation.resource
        source = resource.value if resource else ""
        if resource and not _says_words(resource.type):
            made_by = decision.tool.replace("_", " ").capitalize()
            finding = f"{made_by} made {resource.value} ({resource.type})."
            return state.with_result(
                Result(finding, source, step, part, answers, decision.tool, decision.arguments)
            )
        day = day_told(task.instruction, self._today())
        values = [str(item.value) for item in mentions_in(part, day)]
        things = {item.source: read(item.finding) for item in state.results}
        answer = answer_in(observation.text, part, decision.arguments, self._encode, values, things)
        if answer.reason:
            return state.with_failure(
                Failure(decision.tool, decision.arguments, answer.reason, answer.kind, step)
            )
        is_entity = resource is not None and not _is_text(resource.type)
        if purpose == "answers" and is_entity and answer.nearness < _TELLS:
            # What only finds a thing that others work on does not answer anything.
            answers = False
        finding = written(answer.facts, MOST_FINDING)
        quoted = source or " ".join(observation.text[:_MOST_QUOTED].split())
        result = Result(finding, quoted, step, part, answers, decision.tool, decision.arguments)
        return _corrected(state, result).with_result(result)


def _is_text(type_name: str) -> bool:
    return TypeLattice().is_a(type_name, "text")


def _says_words(type_name: str) -> bool:
    """Whether what is of a type is read as words: texts, and entities of other people's tools."""
    lattice = TypeLattice()
    return lattice.is_a(type_name, "text") or type_name not in lattice


def _speaks_of_input(said: str, arguments: Mapping[str, object]) -> bool:
    """Whether a failure names an argument or its value: then another one may do."""
    lower = said.lower()
    values = [str(value).lower() for value in arguments.values()]
    return any(len(value) > 2 and value in lower for value in values) or any(
        f"'{name.lower()}'" in lower or f'"{name.lower()}"' in lower for name in arguments
    )


def _corrected(state: State, new: Result) -> State:
    """The state without what a new result contradicts.

    Another source that tells another value for the same field of the same thing is believed over
    the earlier one: it was asked with what had been learnt since. What both tell stays, and so does
    what the new one was made from.
    """
    results = list(state.results)
    used = {str(item) for value in new.arguments.values() for item in _items(value)}
    for place, old in enumerate(results):
        if old.tool == new.tool or old.subtask != new.subtask or old.answers != new.answers:
            continue
        if old.source in used:
            continue
        values = {fact.path: fact.value for fact in read(new.finding)}
        kept: list[Fact] = []
        for fact in read(old.finding):
            # Words that stand for themselves are no field that two sources could tell of.
            is_field = fact.path != "" or not isinstance(fact.value, str)
            other = values.get(fact.path) if is_field else None
            if other is None or plain(other) == plain(fact.value):
                kept.append(fact)
        if kept and len(kept) < len(read(old.finding)):
            results[place] = replace(old, finding=written(kept, MOST_FINDING))
        elif not kept:
            # It answers nothing any more; that the call was made stays known, or it would be made
            # again, and the other one after it.
            results[place] = replace(old, answers=False)
    return replace(state, results=tuple(results))


def _items(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else (value,)
