"""What of a changed plan is there already, so that only the rest is made."""

from __future__ import annotations

from collections.abc import Mapping

from controlllm.core.plans import Literal, Plan, Reference, generated, values_of
from controlllm.resources import Resource


class _Calls:
    """Numbers for calls, the same for those that compute the same of the same."""

    def __init__(
        self, plan: Plan, known: dict[tuple[object, ...], int], makers: Mapping[str, int]
    ) -> None:
        """`makers` are the calls that made what may be pinned, by its value."""
        self._plan = plan
        self._known = known
        self._makers = makers
        self._done: dict[tuple[int, int], list[int]] = {}
        self._results = {
            name: subtask.id
            for subtask in plan.subtasks
            for name in (subtask.returns.value, generated(subtask.id))
        }

    def of(self, subtask: int, index: int) -> list[int]:
        """The numbers of the calls of a solution, in order."""
        if (subtask, index) in self._done:
            return self._done[subtask, index]
        # Noted before it is known: parts may wait for each other in a circle.
        found = self._done[subtask, index] = []
        solution = self._plan.solutions[subtask][index]
        own: dict[str, int] = {}
        for action in solution.actions:
            inputs: list[object] = []
            for name, given in sorted(action.inputs.items()):
                values = values_of(given)
                inputs.append((name, *(self._value(value, subtask, own) for value in values)))
            call: tuple[object, ...] = (action.tool, action.version, *inputs)
            if action.pinned:
                call = ("pinned", action.pinned)
            number = self._makers.get(action.pinned, -1)
            if number < 0:
                number = self._known.setdefault(call, len(self._known))
            own[action.output.value] = number
            found.append(number)
        return found

    def _value(self, value: Literal | Reference, subtask: int, own: Mapping[str, int]) -> object:
        if isinstance(value, Literal):
            return ("words", value.text)
        if value.value in own:
            return own[value.value]
        maker = self._results.get(value.value)
        if maker is None or maker == subtask or self._plan.solution(maker) is None:
            return ("file", value.value)
        chosen = self._plan.chosen.get(maker, 0)
        made = self.of(maker, chosen)
        is_whole = len(made) == len(self._plan.solutions[maker][chosen].actions)
        return made[-1] if is_whole else ("file", value.value)


def results_kept(
    old: Plan, results: Mapping[str, Resource], new: Plan, resources: Mapping[str, Resource]
) -> dict[str, Resource]:
    """The results of a plan's chosen steps, by their keys in it, that an old plan's steps have made
    already, or that are pinned.

    `results` are by the old plan's keys. Results of ways that were left count as long as what they
    read of other parts is what is chosen there.
    """
    known: dict[tuple[object, ...], int] = {}
    before = _Calls(old, known, {})
    made: dict[int, Resource] = {}
    for subtask, ways in old.solutions.items():
        for index in range(len(ways)):
            for position, number in enumerate(before.of(subtask, index)):
                resource = results.get(f"{subtask}.{index}.{position}")
                if resource is not None:
                    made.setdefault(number, resource)
    makers: dict[str, int] = {}
    for number, resource in made.items():
        makers.setdefault(resource.value, number)
    now = _Calls(new, known, makers)
    found: dict[str, Resource] = {}
    for subtask in new.solutions:
        if new.solution(subtask) is None:
            continue
        index = new.chosen.get(subtask, 0)
        for position, number in enumerate(now.of(subtask, index)):
            action = new.solutions[subtask][index].actions[position]
            resource = resources.get(action.pinned) or made.get(number)
            if resource is not None:
                found[f"{subtask}.{index}.{position}"] = resource
    return found
