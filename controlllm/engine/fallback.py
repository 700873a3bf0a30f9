"""What to do when a tool has failed: whether to try again, and which way to try next."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Set

from controlllm.core.plans import Action, Literal, Plan, Solution, Value, values_of
from controlllm.engine.compile import Graph, Node
from controlllm.toolbox import Code

_ARTICLE = re.compile(r"^(?:the|an?|any|my|this|that|all(?: of)?(?: the)?)\s+", re.IGNORECASE)

#: What a call computes, as nested tuples: the tool with, for each input, words, the name of a
#: resource, or what makes it. Two solutions that share a call have equal expressions of it.
Expression = tuple[object, ...]


def expression_of(action: Action, solution: Solution) -> Expression:
    """The expression of an action of a solution."""
    makers = {other.output.value: other for other in solution.actions}

    def of_value(value: Value, above: frozenset[str]) -> Expression:
        if isinstance(value, Literal):
            return ("words", value.text)
        maker = makers.get(value.value)
        if maker is None or value.value in above:
            return ("resource", value.value)
        return of_action(maker, above | {value.value})

    def of_action(action: Action, above: frozenset[str]) -> Expression:
        inputs = tuple(
            (name, *(of_value(value, above) for value in given))
            if isinstance(given, tuple)
            else (name, of_value(given, above))
            for name, given in sorted(action.inputs.items())
        )
        return (action.tool, *inputs)

    return of_action(action, frozenset({action.output.value}))


def next_solution(
    plan: Plan,
    subtask: int,
    tried: Set[int],
    failed: Set[Expression],
    can_run: Callable[[Plan], bool],
    naming: str = "",
) -> int | None:
    """The best solution of a subtask that is worth trying now, or None where none is left.

    `tried` are the solutions that have failed already, `failed` the calls that have: a solution
    that makes one of them again would fail again. `can_run` judges the plan with it chosen. Where
    there are words `naming` a thing, only one that reads them will do: another would work on
    something else.
    """
    for index, solution in enumerate(plan.solutions.get(subtask, ())):
        if index in tried or solution.missing:
            continue
        if naming and naming not in _words_read(solution):
            continue
        if any(expression_of(action, solution) in failed for action in solution.actions):
            continue
        if can_run(plan.switched(subtask, index)):
            return index
    return None


def named_in_vain(code: Code, action: Action, solution: Solution) -> str:
    """The words by which nothing was found for an action, or which it did not know; empty where it
    failed for something else."""
    if code is Code.NOTHING_MARKED:
        return _thing_named(action, solution)
    return _first_words(action) if code is Code.NOT_KNOWN else ""


def _thing_named(action: Action, solution: Solution) -> str:
    """The words by which what an action works on was looked for by those before it; empty where it
    was not looked for by words."""
    makers = {other.output.value: other for other in solution.actions}
    before = [makers[value] for value in action.references() if value in makers]
    for maker in before:
        named = _first_words(maker)
        if named or (named := _thing_named(maker, solution)):
            return named
    return ""


def _first_words(action: Action) -> str:
    """The first words that an action itself was given; empty where there are none."""
    return next((value.text for value in _literals(action)), "")


def not_found(thing: str, picture: str) -> str:
    """What is said where a thing is not in a picture, and what to do next."""
    named = _ARTICLE.sub("", " ".join(thing.split()).strip(" .!?"))
    return (
        f"I found no {named} in {picture or 'the picture'}. Point at what you mean in the "
        "picture, or name it in other words."
    )


def _words_read(solution: Solution) -> set[str]:
    return {value.text for action in solution.actions for value in _literals(action)}


def _literals(action: Action) -> Iterator[Literal]:
    for given in action.inputs.values():
        yield from (value for value in values_of(given) if isinstance(value, Literal))


def what_is_left(
    node: Node,
    graph: Graph,
    plan: Plan,
    done: Container[str],
    failed: Container[str],
    goes_without_saying: bool,
) -> str:
    """What happens after a failure that ends a subtask, in words; that there is no other way may go
    without saying. `done` and `failed` are the keys of steps."""
    said = [] if goes_without_saying else ["There is no other way to do this here."]
    waiting = graph.dependants(node.key)
    subtasks = {graph.nodes[key].step.subtask for key in waiting} - {node.step.subtask}
    parts = [number for number, subtask in enumerate(plan.subtasks, 1) if subtask.id in subtasks]
    if parts:
        numbers = " and ".join(str(number) for number in parts)
        said.append(
            f"Part{'s' * (len(parts) > 1)} {numbers} need{'s' * (len(parts) == 1)} the result "
            f"and {'are' if len(parts) > 1 else 'is'} left out."
        )
    if any(
        key not in done
        and key not in failed
        and key not in waiting
        and other.step.subtask != node.step.subtask
        for key, other in graph.nodes.items()
    ):
        said.append("The rest goes on.")
    return " ".join(said)


def is_transient(error: BaseException | None) -> bool:
    """Whether an error is of the kind that may be gone in a moment: the network, mostly."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, ConnectionError | TimeoutError):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False
