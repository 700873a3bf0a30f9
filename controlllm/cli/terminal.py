"""Events in a terminal: a progress display for people, or JSON lines for programs."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import TextIO

from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from controlllm.core.costs import Usage
from controlllm.core.events import (
    ActionFailed,
    ActionFinished,
    ActionProgress,
    ActionStarted,
    AgentActed,
    AnswerFinished,
    Event,
    LanguageModelUsed,
    Notice,
    PlanReady,
    RequestCancelled,
    RequestFailed,
    SolutionsReady,
    SolutionSwitched,
    SubtasksReady,
)
from controlllm.core.questions import Question
from controlllm.resources import Resource


@dataclass(frozen=True)
class Shown:
    """What a stream of events came to: how many results, and whether anything was answered."""

    made: int
    answered: bool


async def show_events(
    events: AsyncIterator[Event],
    out: TextIO,
    as_json: bool,
    keep: Callable[[Resource], None] = lambda resource: None,
) -> Shown:
    """Show events as they come; `keep` gets every result as soon as it is there, but for those
    of steps that found nothing."""
    made: set[str] = set()
    answered = in_words = False
    display = None if as_json else _Display(out)
    try:
        async for event in events:
            if display is None:
                print(json.dumps(event.to_json()), file=out, flush=True)
            else:
                display.show(event)
            if isinstance(event, ActionFinished):
                if not event.resource.holds_nothing:
                    made.add(event.resource.value)
                    keep(event.resource)
            elif isinstance(event, PlanReady):
                in_words = not any(event.plan.solutions.values())
            elif isinstance(event, AgentActed):
                # An agent that gave up leaves no answer of its own.
                in_words = bool(event.view.answer)
            elif isinstance(event, AnswerFinished):
                # An answer that shows nothing tells why it could not be done, unless a language
                # model or an agent answered in words alone.
                answered = bool(event.resources) or in_words
    finally:
        if display is not None:
            display.close()
    return Shown(len(made), answered)


def choice_of(
    questions: Sequence[Question],
    say: Callable[[str], None] = print,
    answer: Callable[[str], str] = input,
) -> tuple[int, int] | None:
    """What a person at the terminal chose: the places of the question and of the choice; None where
    nothing is asked, or they chose nothing."""
    if not questions:
        return None
    question = questions[0]
    say(question.message)
    for place, words in enumerate(question.choices, 1):
        say(f"  {place}. {words}")
    while True:
        try:
            said = answer("Which? (a number, or nothing to leave it) ").strip()
        except EOFError:
            return None
        if not said:
            return None
        if said.isdecimal() and 1 <= int(said) <= len(question.choices):
            return 0, int(said) - 1
        say(f"Type a number from 1 to {len(question.choices)}.")


class _Mark(SpinnerColumn):
    """Turns while an action runs; then says whether it was done or failed."""

    def render(self, task: Task) -> RenderableType:
        if task.finished:
            return Text("✗" if task.fields.get("failed") else "✓")
        return super().render(task)


class _Display:
    """One line for each action, with a bar while it runs."""

    def __init__(self, out: TextIO) -> None:
        self._console = Console(file=out, highlight=False)
        self._progress = Progress(
            _Mark(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[words]}", markup=False),
            TimeElapsedColumn(),
            console=self._console,
        )
        self._tasks: dict[str, TaskID] = {}
        self._descriptions: dict[int, str] = {}
        #: Failures not told of yet, by the step's key: the answer may say why itself.
        self._failures: dict[str, ActionFailed] = {}
        self._usage = Usage()
        self._progress.start()

    def close(self) -> None:
        self._progress.stop()
        self._tell_failures()
        if self._usage.calls:
            calls = "1 call" if self._usage.calls == 1 else f"{self._usage.calls} calls"
            tokens = f", {self._usage.tokens:,} tokens" if self._usage.tokens else ""
            self._say(f"Language model: {calls}{tokens}.", "dim")

    def show(self, event: Event) -> None:
        """Show one event; those that a person need not read are left out."""
        if isinstance(event, SubtasksReady):
            for subtask in event.subtasks:
                self._descriptions[subtask.id] = subtask.description
        elif isinstance(event, SolutionsReady):
            self._say(f"{event.subtask + 1}. {self._descriptions.get(event.subtask, '')}", "bold")
            for place, solution in enumerate(event.solutions):
                mark = "→" if place == 0 else " "
                self._say(f"   {mark} {solution.score:.1f}  {' → '.join(solution.tools)}")
            if event.message:
                self._say(f"   {event.message}", "yellow")
        elif isinstance(event, ActionStarted):
            self._tell_failures(f"{event.key}.")
            begun = self._task(event.key, event.tool)
            self._progress.update(begun, words="", completed=0.0, failed=False)
        elif isinstance(event, ActionProgress):
            task = self._tasks.get(event.key)
            if task is not None:
                self._progress.update(task, completed=event.fraction, words=event.words)
        elif isinstance(event, ActionFinished):
            task = self._task(event.key, event.tool)
            words = "known already" if event.cached else event.resource.value
            self._progress.update(task, completed=1.0, words=words)
        elif isinstance(event, ActionFailed):
            task = self._task(event.key, event.tool)
            self._progress.update(task, words="failed", completed=1.0, failed=True)
            self._failures[event.key] = event
        elif isinstance(event, LanguageModelUsed):
            self._usage += event.usage
        elif isinstance(event, Notice):
            self._say(event.message, "yellow")
        elif isinstance(event, SolutionSwitched):
            told = {failure.message for failure in self._failures.values()}
            self._tell_failures(f"{event.subtask}.")
            if event.reason not in told:
                self._say(event.reason, "yellow")
        elif isinstance(event, RequestFailed | RequestCancelled):
            self._progress.stop()
            self._tell_failures(said=event.message)
            self._say(event.message, "bold yellow")
        elif isinstance(event, AnswerFinished):
            self._progress.stop()
            self._tell_failures(said=event.text)
            self._console.print()
            self._console.print(Markdown(event.text))

    def _tell_failures(self, beginning: str = "", said: str = "") -> None:
        """Tell of the steps that failed, of keys with this beginning; not why where that is said
        anyway."""
        told = set()
        for key in [key for key in self._failures if f"{key}.".startswith(beginning)]:
            failure = self._failures.pop(key)
            message = "" if failure.message in said else failure.message
            words = " ".join(filter(None, (message, failure.next)))
            if words and words not in told:
                self._say(f"{failure.tool}: {words}", "yellow")
            told.add(words)

    def _task(self, key: str, tool: str) -> TaskID:
        if key not in self._tasks:
            name = tool.replace("_", " ")
            self._tasks[key] = self._progress.add_task(name, total=1.0, words="")
        return self._tasks[key]

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(text, style=style or None, markup=False)
