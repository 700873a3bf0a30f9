"""Decisions and notes as a language model replies with them, checked against what is there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from controlllm.agents.arguments import Misfit, fitting, near_names, quoted
from controlllm.agents.environment import FINISH, Environment
from controlllm.agents.quoting import stands_in
from controlllm.agents.roles import Decision, Taken, Task
from controlllm.agents.running import KINDS_OF_FAILURE, ending, noted
from controlllm.core.state import MOST_FINDING, Failure, Result, State
from controlllm.language.reading import Checked, Unusable, strict_object
from controlllm.resources import TypeLattice
from controlllm.resources.well_formed import json_from_outside
from controlllm.toolbox import Code

#: More tools than this are named in the data only; servers bound how long a schema may be.
_MOST_IN_SCHEMA = 100
#: How many findings one step may bring.
_MOST_FINDINGS = 5
_FIELDS_OF_ENDING = ("answer", "result", "give_up")


def decision_schema(
    environment: Environment, hidden: Set[str], may_ask: bool = False
) -> dict[str, Any]:
    """A decision: every value is a text, since each tool names its arguments otherwise; `may_ask`
    where what stands for the tool can be words that ask for others."""
    words = {"type": "string"}
    offered = [tool.name for tool in environment.tools if tool.name not in hidden]
    is_listed = len(offered) <= _MOST_IN_SCHEMA and not may_ask
    one_of = {"enum": [*offered, FINISH]} if is_listed else {}
    return strict_object(
        thought=words,
        tool={**words, **one_of},
        arguments={"type": "array", "items": strict_object(name=words, value=words)},
    )


NOTES_SCHEMA = strict_object(
    findings={
        "type": "array",
        "items": strict_object(finding={"type": "string"}, rests_on={"type": "string"}),
    },
    reason={"type": "string"},
    kind={"type": "string", "enum": ["", *KINDS_OF_FAILURE]},
    corrections={
        "type": "array",
        "items": strict_object(
            result={"type": "integer"},
            finding={"type": "string"},
            rests_on={"type": "string"},
        ),
    },
)


class DecisionReader:
    """Reads a reply as a decision.

    What is wrong with the call itself is said to the model once; what is still wrong then goes to
    the environment, where it costs a step and is part of what the agent knows. `found` gives lines
    of tools that do what is asked for in words, where not all were told.
    """

    def __init__(
        self,
        task: Task,
        environment: Environment,
        hidden: Set[str],
        lattice: TypeLattice,
        found: Callable[[str], Sequence[str]] | None = None,
    ) -> None:
        self._task = task
        self._found = found
        self._environment = environment
        self._lattice = lattice
        self._tools = {tool.name: tool for tool in environment.tools if tool.name not in hidden}
        self._has_asked = False

    def read(self, reply: Any) -> Checked[Decision]:
        """The decision; raises Unusable with what is wrong, for the model to put right."""
        if not isinstance(reply, dict):
            raise Unusable('The reply has to be an object with "thought", "tool", "arguments".')
        thought, tool = reply.get("thought", ""), reply.get("tool")
        if not isinstance(tool, str) or not tool.strip():
            raise Unusable('"tool" has to be the name of a tool, or Finish.')
        if not isinstance(thought, str):
            raise Unusable('"thought" has to be a text.')
        tool = tool.strip()
        repairs: list[str] = []
        arguments = self._renamed(tool, _pairs(reply.get("arguments"), repairs), repairs)
        decision = Decision(thought.strip(), tool, arguments)
        problem = self._problem(decision)
        if problem and not self._has_asked:
            self._has_asked = True
            raise Unusable(problem)
        return Checked(decision, tuple(repairs))

    def _renamed(
        self, tool: str, arguments: Mapping[str, Any], repairs: list[str]
    ) -> dict[str, Any]:
        """Arguments by their names where only case, spaces or lines in them differ; without those
        that are left empty."""
        if tool == FINISH:
            known = list(_FIELDS_OF_ENDING)
        elif tool in self._tools:
            called = self._tools[tool]
            known = [item.name for item in called.args]
            known += [item.name for item in called.parameters]
        else:
            return dict(arguments)
        by_letters = {_letters(name): name for name in known}
        found: dict[str, Any] = {}
        for name, value in arguments.items():
            meant = name if name in known else by_letters.get(_letters(name), name)
            if meant != name and meant not in arguments:
                repairs.append(f"{quoted(name)} is called {meant!r}")
            else:
                meant = name
            if value not in ("", None, []) or meant not in known:
                found[meant] = value
        return found

    def _problem(self, decision: Decision) -> str:
        """What is wrong with a call, in words; empty where it can be made."""
        if decision.finishes:
            seen = ending(decision, self._task, self._environment)
            return seen.text if seen.code is Code.BAD_INPUT else ""
        tool = self._tools.get(decision.tool)
        if tool is None:
            if self._found is not None:
                return _asked_for(decision.tool, self._found(decision.tool.replace("_", " ")))
            near = ", ".join(near_names(decision.tool, self._tools)) or "none"
            return f"There is no tool called {quoted(decision.tool)}. Near to it: {near}."
        try:
            fitting(tool, decision.arguments, self._environment.resources, self._lattice)
        except Misfit as problem:
            return str(problem)
        return ""


def _asked_for(words: str, lines: Sequence[str]) -> str:
    """Tools for what was asked for in words; as JSON, so that what they say of themselves stays
    data."""
    told = json.dumps(list(lines), ensure_ascii=False)
    return f"No tool is called {quoted(words)}. These may do it, as name(what it takes): {told}."


class NotesReader:
    """Reads a reply as what a step brought, and puts it into the state.

    A finding that quotes nothing is said to the model once, and left out where it still does not.
    """

    def __init__(self, state: State, taken: Taken, environment_names: Set[str], step: int) -> None:
        self._state = state
        self._taken = taken
        made = taken.observation.resource
        self._made = made.value if made is not None else ""
        self._names = environment_names | {self._made} - {""}
        self._step = step
        self._has_asked = False

    def read(self, reply: Any) -> Checked[State]:
        """The new state; raises Unusable with what is wrong, for the model to put right."""
        if not isinstance(reply, dict):
            raise Unusable('The reply has to be an object with "findings" and "corrections".')
        repairs: list[str] = []
        findings = self._quoted(_objects(reply, "findings"), repairs)
        if len(findings) > _MOST_FINDINGS:
            repairs.append(f"only {_MOST_FINDINGS} findings of {len(findings)} were kept")
        state = self._corrected(_objects(reply, "corrections"), repairs)
        for item in findings[:_MOST_FINDINGS]:
            state = state.with_result(Result(item["finding"], item["rests_on"], self._step))
        reason, kind = str(reply.get("reason") or "").strip(), str(reply.get("kind") or "")
        is_done = self._taken.observation.is_done
        if is_done and not reason and state == self._state:
            self._ask_again("Note a finding, or say in reason why the call brought nothing.")
        if reason and (not is_done or not findings):
            call = self._taken.decision
            kind = kind if kind in KINDS_OF_FAILURE else "irrelevant" if is_done else "error"
            state = state.with_failure(
                Failure(call.tool, noted(call.arguments), reason, kind, self._step)
            )
        return Checked(state, tuple(repairs))

    def _quoted(self, findings: list[dict[str, Any]], repairs: list[str]) -> list[dict[str, str]]:
        kept = []
        for item in findings:
            finding = str(item.get("finding") or "").strip()
            # What was made is what a finding is about that does not say on what it rests.
            rests_on = str(item.get("rests_on") or "").strip() or self._made
            if not finding:
                continue
            if self._is_quoted(rests_on):
                kept.append({"finding": finding, "rests_on": rests_on})
                continue
            self._ask_again(
                f"{quoted(rests_on)} is no resource and does not stand in the text. Quote the "
                "text word for word, or give the name of a resource."
            )
            repairs.append("a finding that quotes nothing was left out")
        return kept

    def _corrected(self, corrections: list[dict[str, Any]], repairs: list[str]) -> State:
        changed: list[Result | None] = list(self._state.results)
        for item in corrections:
            number = item.get("result")
            if isinstance(number, bool) or not isinstance(number, int):
                number = 0
            if not 1 <= number <= len(changed):
                self._ask_again(f"There is no result {quoted(number)} to correct.")
                repairs.append("a correction of no result was left out")
                continue
            before = self._state.results[number - 1]
            finding = str(item.get("finding") or "").strip()
            rests_on = str(item.get("rests_on") or "").strip() or before.source
            if not finding:
                changed[number - 1] = None
            elif rests_on == before.source:
                changed[number - 1] = replace(before, finding=finding)
            elif self._is_quoted(rests_on):
                changed[number - 1] = Result(finding, rests_on, self._step)
            else:
                self._ask_again(f"{quoted(rests_on)} does not stand in the outcome's text.")
                repairs.append("a correction that quotes nothing was left out")
        state = replace(self._state, results=())
        for result in changed:
            if result is not None:
                state = state.with_result(result)
        return state

    def _is_quoted(self, words: str) -> bool:
        return words in self._names or stands_in(words[:MOST_FINDING], self._taken.observation.text)

    def _ask_again(self, problem: str) -> None:
        """Raise Unusable with a problem, the first time."""
        if not self._has_asked:
            self._has_asked = True
            raise Unusable(problem)


def _pairs(told: Any, repairs: list[str]) -> dict[str, Any]:
    """Arguments by name; a name that stands there several times has a list."""
    if isinstance(told, str):
        try:
            told = json_from_outside(told or "{}")
        except (ValueError, RecursionError):
            raise Unusable('"arguments" has to be a list of names with values.') from None
        repairs.append("arguments written as a text were read")
    if told is None:
        return {}
    if isinstance(told, Mapping):
        return {str(name): _plain(value) for name, value in told.items()}
    if not isinstance(told, list):
        raise Unusable('"arguments" has to be a list of names with values.')
    found: dict[str, Any] = {}
    for item in told:
        if not isinstance(item, dict) or not isinstance(item.get("name"), str):
            raise Unusable('Each of "arguments" has to have a "name" and a "value".')
        name, value = item["name"].strip(), _plain(item.get("value"))
        if name in found:
            before = found[name] if isinstance(found[name], list) else [found[name]]
            value = [*before, *(value if isinstance(value, list) else [value])]
        found[name] = value
    return found


def _plain(value: Any) -> Any:
    """A value of an argument; raises Unusable where it is none."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, str | int | float):
        return value
    raise Unusable("A value has to be a text, a number, or a list of them.")


def _objects(reply: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    found = reply.get(name) or []
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise Unusable(f'"{name}" has to be a list of objects.')
    return found


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
