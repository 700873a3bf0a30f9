"""What was done in another way than first tried, in words: which, and why."""

from __future__ import annotations

from collections.abc import Container

from controlllm.core.events import (
    ActionFailed,
    ActionFinished,
    ActionStarted,
    Event,
    RoleFellBack,
    SolutionSwitched,
)

_WHERE = {
    "embedded": "the small version on this computer",
    "hub": "the large model on this computer",
    "cloud": "the version over the network",
}


class Fallbacks:
    """Hears the events of a request, and tells what fell back to something else."""

    def __init__(self) -> None:
        self._runtimes: dict[str, str] = {}
        self._failed: dict[str, tuple[str, str]] = {}
        self._switched: dict[int, str] = {}
        self._said: dict[str, None] = {}

    def hear(self, event: Event) -> None:
        """Take in one more event."""
        if isinstance(event, ActionStarted):
            self._runtimes[event.key] = event.runtime
        elif isinstance(event, ActionFailed):
            self._failed[event.key] = (self._runtimes.get(event.key, ""), event.message)
        elif isinstance(event, ActionFinished):
            self._finished(event)
        elif isinstance(event, SolutionSwitched):
            failed = [why for _, why in self._failed.values()]
            if event.reason in failed:
                tools = event.plan.solutions[event.subtask][event.solution].tools
                way = ", then ".join(_name(tool) for tool in tools)
                said = f"This was done in another way, with {way}, since the first one failed: "
                self._switched[event.subtask] = said + event.reason
        elif isinstance(event, RoleFellBack):
            self._said[event.message] = None

    def _finished(self, event: ActionFinished) -> None:
        runtime, why = self._failed.pop(event.key, ("", ""))
        now = self._runtimes.get(event.key, "")
        if not why or not now:
            return
        name = _name(event.tool).capitalize()
        if runtime and runtime != now:
            first, other = _WHERE.get(runtime, runtime), _WHERE.get(now, now)
            said = f"{name} was done by {other}, since {first} failed: {why}"
        else:
            said = f"{name} was done by another version, since the first one failed: {why}"
        self._said[said] = None

    def told(self, done: Container[int]) -> tuple[str, ...]:
        """Sentences about all that fell back; of other ways, only where a result came of them:
        `done` are the subtasks with one."""
        ways = [said for subtask, said in self._switched.items() if subtask in done]
        return tuple(dict.fromkeys((*self._said, *ways)))


def _name(tool: str) -> str:
    return tool.replace("_", " ")
