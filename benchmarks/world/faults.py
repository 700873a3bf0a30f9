"""What goes wrong, by seed: the same calls of the same task meet the same faults.

Two kinds: a tool that is down for the whole task, and faults of single calls, which pass. Both
together hit about the given share of calls. A fault depends on the seed, the task, the tool, its
arguments and how often it was called with them; a rate limit lasts until some more calls, of
whatever tool, were made.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from benchmarks.world.apis import Api, apis, setting
from benchmarks.world.facts import plain
from benchmarks.world.tasks import WorldTask
from benchmarks.world.world import Body, World, wrapped, written
from controlllm.toolbox import Code, ToolError

#: The shares of calls with faults that the benchmark is run at.
RATES = (0.0, 0.1, 0.3)
#: Which part of the faults is of tools that are down for the whole task.
_FOR_THE_TASK = 0.2
#: How long a call takes, and one that times out, in simulated seconds.
CALL_SECONDS, TIMED_OUT_SECONDS = 0.6, 30.0
#: How many further calls a rate limit lasts, least and most.
_LIMITED = (1, 3)
#: The size of the noise around an answer, in characters, half of it before and half behind.
NOISE = 2_000_000

Kind = Literal["", "error", "time-out", "rate limit", "lie", "noise", "shape"]

#: How often the kinds occur among the faults of single calls.
_SHARES: Mapping[Kind, int] = {
    "error": 36,
    "time-out": 14,
    "rate limit": 14,
    "lie": 16,
    "noise": 8,
    "shape": 12,
}
#: Codes of passing errors, and of tools that are down. A tool that acts outside fails before it
#: does anything and says so, so that nobody has to ask whether a letter was sent.
_ERRORS = (Code.NOT_FOUND, Code.UNAUTHORISED, Code.NOT_SUBSCRIBED, Code.ERROR, Code.NOT_SENT)
_DOWN = (Code.NOT_FOUND, Code.UNAUTHORISED, Code.NOT_SUBSCRIBED, Code.TIMED_OUT)
_UNSURE = frozenset({Code.TIMED_OUT, Code.ERROR})

_SAID: Mapping[Code, str] = {
    Code.TIMED_OUT: "The request timed out after 30 s.",
    Code.NOT_FOUND: "404: this API is not available.",
    Code.UNAUTHORISED: "401: invalid API key.",
    Code.NOT_SUBSCRIBED: "403: you are not subscribed to this API.",
    Code.TOO_MANY: "429: too many requests.",
    Code.RATE_LIMITED: "429: you have exceeded the rate limit per minute of your plan.",
    Code.ERROR: '{"error": "internal server error", "trace": "0x7f31"}',
    Code.NOT_SENT: "The request could not be sent: connection reset.",
}


@dataclass(frozen=True)
class Faults:
    """The faults of a run: `rate` is the share of calls that something goes wrong with, 0..1."""

    rate: float = 0.0
    seed: int = 0

    def down(self, task: str, tool: str) -> Code | None:
        """The code that a tool fails with throughout a task, None where it is not down."""
        if self._chance("down", task, tool) >= self.rate * _FOR_THE_TASK:
            return None
        codes = [code for code in _DOWN if code not in _UNSURE or not apis()[tool].acts]
        return codes[self._choice(len(codes), "down code", task, tool)]

    def kind(self, task: str, tool: str, arguments: str, times: int) -> Kind:
        """What goes wrong with a call, made `times` times before; empty where nothing does."""
        asked = (task, tool, arguments, times)
        for_the_task = self.rate * _FOR_THE_TASK
        if self._chance("call", *asked) >= (self.rate - for_the_task) / (1 - for_the_task):
            return ""
        kinds = [kind for kind, share in _SHARES.items() for _ in range(share)]
        if apis()[tool].acts:
            kinds = [kind for kind in kinds if kind in ("error", "rate limit")]
        elif apis()[tool].returns == "number":
            # A number has no shape and no room for noise.
            kinds = [kind for kind in kinds if kind not in ("noise", "shape")]
        return kinds[self._choice(len(kinds), "kind", *asked)]

    def code(self, task: str, tool: str, arguments: str, times: int) -> Code:
        """The code of a passing error."""
        codes = [code for code in _ERRORS if code not in _UNSURE or not apis()[tool].acts]
        return codes[self._choice(len(codes), "code", task, tool, arguments, times)]

    def solvable(self, task: WorldTask) -> bool:
        """Whether a known solution of a task is left with what is down."""
        return any(
            all(self.down(task.id, call.tool) is None for call in solution)
            for solution in task.solutions
        )

    def _chance(self, *asked: object) -> float:
        """A number in 0..1 that is always the same for the same."""
        told = json.dumps([self.seed, *asked], ensure_ascii=False, default=str)
        return int.from_bytes(hashlib.sha256(told.encode()).digest()[:8], "big") / 2**64

    def _choice(self, count: int, *asked: object) -> int:
        return int(self._chance(*asked) * count)


@dataclass
class FaultyWorld:
    """A world whose calls go wrong now and then.

    `seconds` is the simulated time that calls have taken; `log` holds every call with what went
    wrong with it.
    """

    world: World
    faults: Faults
    task: str
    seconds: float = 0.0
    log: list[tuple[str, str, Kind]] = field(default_factory=list)
    _limited: dict[str, int] = field(default_factory=dict)

    def call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """What the API answers, or what goes wrong instead; raises ToolError with a code."""
        given = _fingerprint(arguments)
        times = sum(1 for name, before, _ in self.log if (name, before) == (tool, given))
        self.seconds += CALL_SECONDS
        down = self.faults.down(self.task, tool)
        if down is not None:
            self.log.append((tool, given, "error"))
            raise self._failure(down)
        if self._limited.get(tool, 0) > len(self.log):
            self.log.append((tool, given, "rate limit"))
            raise self._failure(Code.RATE_LIMITED)
        kind = self.faults.kind(self.task, tool, given, times)
        self.log.append((tool, given, kind))
        asked = (self.task, tool, given, times)
        if kind == "error":
            raise self._failure(self.faults.code(*asked))
        if kind == "time-out":
            raise self._failure(Code.TIMED_OUT)
        if kind == "rate limit":
            least, most = _LIMITED
            more = least + self.faults._choice(most - least + 1, "limit", *asked)
            self._limited[tool] = len(self.log) + more
            raise self._failure(Code.TOO_MANY if more % 2 else Code.RATE_LIMITED)
        body = self.world.body(tool, arguments)
        if not kind:
            return written(body)
        choice = self.faults._choice(10_000, "how", *asked)
        if kind == "lie":
            return _lie(self.world, body, arguments, choice)
        return _noisy(body, choice) if kind == "noise" else _reshaped(body, choice)

    def _failure(self, code: Code) -> ToolError:
        if code is Code.TIMED_OUT:
            self.seconds += TIMED_OUT_SECONDS
        return ToolError(_SAID[code], code)


def _fingerprint(arguments: Mapping[str, Any]) -> str:
    """Arguments as a text, an entity by its id: what stood around it makes it no other."""
    found = {}
    for name, value in sorted(arguments.items()):
        told = str(value)
        known = re.search(r'"id": "([a-z]{3}_\d+)"', told)
        # Of a very long text the hash will do.
        short = told if len(told) < NOISE // 1000 else hashlib.sha256(told.encode()).hexdigest()
        found[name] = known[1] if known else plain(short)
    return json.dumps(found, ensure_ascii=False)


def _lie(world: World, body: Body, arguments: Mapping[str, Any], choice: int) -> str:
    """An answer about something else, where one can see that it is; else an empty one."""
    if body.api.returns == "number":
        return "-9999"
    other = world.other_body(body.api.name, arguments, choice)
    if other is not None and choice % 3:
        names = [plain(name) for name in _names(world, body.api, arguments)]
        true, false = plain(written(body)), plain(written(other))
        if any(name in true and name not in false for name in names):
            return written(other)
    empty: Any = {body.api.list: []} if body.api.list else {}
    return json.dumps(wrapped(empty, body.api), ensure_ascii=False)


def _names(world: World, api: Api, arguments: Mapping[str, Any]) -> Sequence[str]:
    """What tells a reader that an answer is about what was asked."""
    found = []
    for argument in api.args:
        value = str(arguments.get(argument.name) or "")
        if argument.is_entity:
            row = next(
                (
                    world.tables.row(setting().kinds[argument.kind], identifier)
                    for identifier in re.findall(r"\b[a-z]{3}_\d+\b", value)
                ),
                None,
            )
            value = str((row or {}).get("name") or (row or {}).get("title") or "")
        if value:
            found.append(value)
    return found


def _noisy(body: Body, choice: int) -> str:
    words = "lorem session cookie banner consent vendor partner pixel legacy cache node".split()
    first = choice % len(words)
    unit = " ".join(words[first:] + words[:first]) + " "
    noise = (unit * (NOISE // 2 // len(unit) + 1))[: NOISE // 2]
    content = body.content if isinstance(body.content, dict) else {"answer": body.content}
    told = {"debug_trace": noise, **wrapped(content, body.api), "related": noise}
    return json.dumps(told, ensure_ascii=False)


def _reshaped(body: Body, choice: int) -> str:
    """The same content with other names of fields, deeper, or with numbers as texts."""
    content = body.content if isinstance(body.content, dict) else {"answer": body.content}
    ways: Sequence[Callable[[Any], Any]] = (
        lambda told: {"apiVersion": "4", "response": {"items": [_renamed(told, _camel)]}},
        lambda told: _renamed(told, lambda key: f"x_{key}"),
        lambda told: {"result": {"payload": _as_texts(told)}},
    )
    return json.dumps(ways[choice % len(ways)](wrapped(content, body.api)), ensure_ascii=False)


def _camel(key: str) -> str:
    first, *rest = key.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


def _renamed(told: Any, rename: Callable[[str], str]) -> Any:
    if isinstance(told, dict):
        return {rename(key): _renamed(value, rename) for key, value in told.items()}
    return [_renamed(item, rename) for item in told] if isinstance(told, list) else told


def _as_texts(told: Any) -> Any:
    if isinstance(told, dict):
        return {key: _as_texts(value) for key, value in told.items()}
    if isinstance(told, list):
        return [_as_texts(item) for item in told]
    return str(told) if isinstance(told, int | float) and not isinstance(told, bool) else told
