"""What is to be expected of a way here: how long it takes, what of it leaves the machine, and how
good its tools are as far as that was measured."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from controlllm.comparing.differences import Expression, calls_of
from controlllm.comparing.habits import Habits
from controlllm.core.plans import Action, Solution
from controlllm.core.reasons import Reason
from controlllm.engine import Durations
from controlllm.layout import ASSETS
from controlllm.planning.solution_expert import JUDGED, reason_of
from controlllm.settings import Settings
from controlllm.sources.source import Source
from controlllm.toolbox import Implementation, Toolbox

#: Where a duration was measured: in this program's own calls, on another machine when it was made,
#: some here and some there, or nowhere.
Measured = Literal["here", "elsewhere", "partly", "nowhere"]

#: The host of the usual endpoint, where settings name none.
_USUAL_HOST = "api.openai.com"
#: Stands for services of several hosts, such as those for places and films.
PUBLIC_SERVICES = "public services"
_COSTS = ASSETS / "planner" / "tool_cost.json"
_QUALITY = Path(__file__).with_name("quality.toml")


@dataclass(frozen=True)
class Time:
    """How long a way takes, in seconds, and where that was measured; `known` of its steps are done
    already and take no time."""

    seconds: float = 0.0
    measured: Measured = "nowhere"
    known: int = 0


@dataclass(frozen=True)
class Quality:
    """A figure of two tools, measured on the same `things`."""

    measure: str
    things: int
    tool: str
    figure: float
    other: str
    other_figure: float


class Outlook:
    """What is to be expected here, under one person's settings. Looked up once for each tool.

    Parameters
    ----------
    find_habits: gives what the person chose before; called when it is first needed.
    """

    def __init__(
        self,
        toolbox: Toolbox,
        durations: Durations,
        settings: Settings,
        find_habits: Callable[[], Habits] = Habits,
    ) -> None:
        self._toolbox = toolbox
        self._durations = durations
        self._settings = settings
        self._capabilities = settings.capabilities
        self._find_habits = find_habits
        self._first: dict[str, Implementation | None] = {}

    @cached_property
    def habits(self) -> Habits:
        """What the person chose before."""
        return self._find_habits()

    def time(self, way: Solution, done: Set[Expression] = frozenset()) -> Time:
        """How long a way takes where the calls of these expressions are done already."""
        calls = zip(way.actions, calls_of(way), strict=True)
        left = [action for action, call in calls if call not in done]
        seconds, found = 0.0, set()
        for action in left:
            taken, measured = self._step(action)
            if measured == "nowhere":
                return Time(known=len(way.actions) - len(left))
            seconds += taken
            found.add(measured)
        where: Measured = "partly" if len(found) > 1 else next(iter(found), "here")
        return Time(seconds, where, len(way.actions) - len(left))

    def hosts(self, way: Solution) -> tuple[str, ...]:
        """The hosts that a way would send something to, each once."""
        found = (self._host(tool) for tool in dict.fromkeys(way.tools))
        return tuple(dict.fromkeys(host for host in found if host))

    def acts_outside(self, way: Solution) -> bool:
        """Whether a way does something that cannot be taken back."""
        return any(self._toolbox[tool].acts_outside for tool in way.tools if tool in self._toolbox)

    def _step(self, action: Action) -> tuple[float, Measured]:
        way = self._runs(action.tool)
        if way is None:
            return 0.0, "nowhere"
        settings = {item.name for item in self._toolbox[action.tool].parameters}
        given = action.inputs.keys() - settings
        own = self._durations.median(way, given, self._capabilities)
        if own is not None:
            return own, "here"
        shipped = _shipped_costs().get(way.name)
        return (shipped, "elsewhere") if shipped is not None else (0.0, "nowhere")

    def _host(self, tool: str) -> str:
        way = self._runs(tool)
        if way is None or way.runtime != "cloud":
            return ""
        if way.is_hosted:
            hosted = self._capabilities.hosted.get(tool)
            return (urlsplit(hosted.address).hostname or "") if hosted else ""
        source = next(iter(getattr(way.function, "args", ())), None)
        if isinstance(source, Source):
            # A program on this machine has a command, and what it does with it nobody knows.
            return urlsplit(source.address).hostname or ""
        if self._toolbox[tool].domain == "public-api":
            return PUBLIC_SERVICES
        return urlsplit(self._settings.base_url).hostname or _USUAL_HOST

    def _runs(self, tool: str) -> Implementation | None:
        """The implementation that a tool would run on."""
        if tool not in self._first:
            found = (
                self._toolbox.available(tool, self._capabilities, self._settings.runtimes)
                if tool in self._toolbox
                else ()
            )
            self._first[tool] = found[0] if found else None
        return self._first[tool]


def is_judged_by_rule(way: Solution) -> bool:
    """Whether the reason of a way is what the rules say of its score, for want of a better one."""
    if isinstance(way.reason, Reason):
        return way.reason.key == JUDGED
    # Conversations of earlier versions kept its words alone.
    return any(way.reason == reason_of(way.actions, fit) for fit in (5.0, 4.0, 3.0, 1.0))


def quality(mine: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[Quality, ...]:
    """Figures that compare tools of one way with those that another uses in their place."""
    return tuple(
        Quality(
            str(table["measure"]),
            int(str(table["things"])),
            tool,
            float(figures[tool]),
            other,
            float(figures[other]),
        )
        for table, figures in _figures()
        for tool in mine
        for other in theirs
        if tool != other and tool in figures and other in figures
    )


@cache
def _shipped_costs() -> Mapping[str, float]:
    """Seconds of a call whose models are loaded, by implementation, as measured for the toolbox's
    own figures; see `benchmarks.tool_cost`."""
    try:
        found = json.loads(_COSTS.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {name: float(one["warm"]) for name, one in found.items() if not one["failed"]}


@cache
def _figures() -> tuple[tuple[Mapping[str, object], Mapping[str, float]], ...]:
    read = tomllib.loads(_QUALITY.read_text("utf-8"))
    return tuple((table, table["tools"]) for table in read.values())
