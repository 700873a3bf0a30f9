"""The resource expert: fills in what the search left open (paper Sec. 3.2.3, 6.4)."""

from __future__ import annotations

from collections.abc import Sequence

from controlllm.core.plans import Action, Literal, Reference, Subtask, TypedValue, Value, generated
from controlllm.planning.clauses import bare
from controlllm.planning.search import AllGiven, AllMade, Candidate, Given, Made, Words


class EmbeddedResourceExpert:
    """Fills in text arguments with the words of the request that are nearest to their purpose."""

    def complete(
        self,
        candidates: Sequence[Candidate],
        subtask: Subtask,
        given: Sequence[TypedValue],
        texts: Sequence[TypedValue],
    ) -> tuple[tuple[Action, ...], ...]:
        """The actions of each candidate; see `complete`."""
        return tuple(complete(candidate, subtask, given, texts) for candidate in candidates)


def complete(
    candidate: Candidate,
    subtask: Subtask,
    given: Sequence[TypedValue],
    texts: Sequence[TypedValue],
) -> tuple[Action, ...]:
    """The actions of a candidate, each after those it reads from, the return's maker last.

    Words of the request become literals: the text with the role that the argument wants, or the
    subtask's own words. Equal calls become one action.
    """
    actions: list[Action] = []
    known: dict[tuple[object, ...], str] = {}

    def add(position: int, last: bool) -> str:
        """Add the action at a position, after those it reads from; the name of its output."""
        draft = candidate.drafts[position]
        inputs: dict[str, Value | tuple[Value, ...]] = {}
        for argument, binding in zip(draft.tool.args, draft.inputs, strict=True):
            value: Value | tuple[Value, ...]
            if isinstance(binding, Given):
                value = _value_of(given[binding.index])
            elif isinstance(binding, AllGiven):
                value = tuple(_value_of(given[index]) for index in binding.indices)
            elif isinstance(binding, AllMade):
                value = tuple(Reference(add(made, False)) for made in binding.positions)
            elif isinstance(binding, Made):
                value = Reference(add(binding.position, False))
            elif isinstance(binding, Words):
                own = binding.index < 0
                value = Literal(bare(subtask.description) if own else texts[binding.index].value)
            else:
                continue
            if argument.many and not isinstance(value, tuple):
                value = (value,)
            inputs[argument.name] = value
        key = (draft.tool.name, tuple(inputs.items()))
        if not last and key in known:
            return known[key]
        output = generated(subtask.id, None if last else len(actions) + 1)
        known[key] = output
        actions.append(Action(draft.tool.name, inputs, TypedValue(draft.tool.returns.type, output)))
        return output

    add(0, True)
    return tuple(actions)


def _value_of(item: TypedValue) -> Value:
    """What is given as an input: words that every solution has to work on stay words."""
    return Literal(item.value) if item.role else Reference(item.value)
