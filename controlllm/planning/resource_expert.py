"""The resource expert: fills in what the search left open (paper Sec. 3.2.3, 6.4)."""

from __future__ import annotations

from collections.abc import Sequence

from controlllm.plan import Action, Literal, Reference, Subtask, TypedValue, Value, generated
from controlllm.planning.clauses import bare
from controlllm.planning.search import AllGiven, Candidate, Draft, Given, Made, Words


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

    def outputs_of(position: int, last: bool) -> str:
        draft = candidate.drafts[position]
        inputs = dict(_inputs(draft, outputs_of, subtask, given, texts))
        key = (draft.tool.name, tuple(inputs.items()))
        if not last and key in known:
            return known[key]
        value = generated(subtask.id, None if last else len(actions) + 1)
        known[key] = value
        actions.append(Action(draft.tool.name, inputs, TypedValue(draft.tool.returns.type, value)))
        return value

    outputs_of(0, True)
    return tuple(actions)


def _inputs(draft, outputs_of, subtask, given, texts):  # type: ignore[no-untyped-def]
    for argument, binding in zip(draft.tool.args, draft.inputs, strict=True):
        if isinstance(binding, Given):
            value: Value | tuple[Value, ...] = Reference(given[binding.index].value)
        elif isinstance(binding, AllGiven):
            value = tuple(Reference(given[index].value) for index in binding.indices)
        elif isinstance(binding, Made):
            value = Reference(outputs_of(binding.position, False))
        elif isinstance(binding, Words):
            value = Literal(
                texts[binding.index].value if binding.index >= 0 else bare(subtask.description)
            )
        else:
            continue
        if argument.many and not isinstance(value, tuple):
            value = (value,)
        yield argument.name, value
