"""The answer of a request: what its plan made is handed over, and told by rules or by a model."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace

from controlllm.answers.fallbacks import Fallbacks
from controlllm.answers.rejections import HELP
from controlllm.answers.responder import Answer, citations_in, model_answer, written_answer
from controlllm.answers.run_results import RunResult, run_results_of
from controlllm.core.events import AnswerFinished, AnswerToken, Event
from controlllm.core.lineage import finals
from controlllm.core.plans import Plan
from controlllm.language.asking import Asker
from controlllm.language.endpoint import EndpointError
from controlllm.language.reading import Unusable
from controlllm.resources import Resource
from controlllm.runs.run_context import RunContext

#: An answer of a language model that is longer than this many characters, or takes longer than this
#: many seconds, has no end of its own.
MOST_CHARACTERS = 30_000
MOST_SECONDS = 240.0
NO_END = "The language model did not come to an end. Its answer was cut off here."
#: Asks for several files in one.
_ZIP = re.compile(r"\b(?:zip\w*|archives?|archiv)\b", re.IGNORECASE)


class Answering:
    """Answers a turn; `fallbacks` are what stood in for what."""

    def __init__(self, context: RunContext, fallbacks: Fallbacks) -> None:
        self._context = context
        self.kept, self.telling, self.cancelled = context.kept, context.telling, context.cancelled
        self.fallbacks = fallbacks

    async def answer(self, plan: Plan) -> AsyncIterator[Event]:
        """Hand over what a plan made, and write the answer; the turn is kept as answered."""
        chosen = {step.key for step in plan.steps()}
        results = {key: item for key, item in self.kept.turn.results.items() if key in chosen}
        said = {
            number: view.answer
            for number, view in self.kept.turn.agents.items()
            if number in {subtask.id for subtask in plan.subtasks}
            and plan.chosen.get(number, 0 if plan.solutions.get(number) else -1) == view.way
        }
        ends = finals(plan, results)
        for key in self._several(results, ends):
            handing = self.telling.in_thread(self._context.threads, self.kept.hand_over, key)
            async for event in self.telling.during(handing):
                yield event
            if self.cancelled.is_set():
                return
            handing.result()
        on_the_way = {key for key in plan.ends() if key in results} - set(ends)
        outcomes = tuple(
            replace(
                outcome,
                is_on_the_way=outcome.key in on_the_way,
                members=self.kept.turn.members.get(outcome.key, ()),
            )
            for outcome in run_results_of(
                plan,
                results,
                self._context.problems,
                self.kept.read,
                self.kept.known().get,
                said,
            )
        )
        text = ""
        asker = self._context.asker if self._context.settings.answer_with_model else None
        if asker is not None and not asker.rests("answer"):
            work = self.telling.started(self._write(asker, outcomes))
            async for event in self.telling.during(work):
                text += event.text if isinstance(event, AnswerToken) else ""
                yield event
            if self.cancelled.is_set():
                return
            try:
                work.result()
            except (EndpointError, Unusable) as error:
                text = ""
                asker.give_up("answer", error)
                await asyncio.sleep(0)
                for event in self.telling.left():
                    yield event
        answer = Answer(text, citations_in(text, outcomes))
        if not text:
            answer = written_answer(outcomes)
            async for piece in _pieces(answer.text or HELP):
                text += piece
                yield AnswerToken(piece)
        shown = self.kept.turn.in_members(results[key] for key in ends)
        done = {outcome.subtask.id for outcome in outcomes if outcome.resource is not None}
        told, grounds = self.fallbacks.told(done), answer.grounds
        self.kept.keep(answer=text, state="answered", fallbacks=told, grounds=grounds)
        yield AnswerFinished(text, shown, told, grounds)

    def _several(self, results: Mapping[str, Resource], ends: Sequence[str]) -> list[str]:
        """The keys of several files that are handed over each by itself: where a ZIP was wished for
        and nothing else is one, they are handed over as that."""
        types = {results[key].type for key in ends}
        if "archive" not in types and _ZIP.search(self.kept.turn.text):
            return []
        return [key for key in ends if results[key].type == "files"]

    async def _write(self, asker: Asker, outcomes: tuple[RunResult, ...]) -> None:
        """Tell the model's answer piece by piece; raises EndpointError or Unusable."""
        text, limit = "", time.monotonic() + MOST_SECONDS
        pieces = model_answer(asker, self.kept.turn.text, outcomes)
        async with contextlib.aclosing(pieces):
            async for piece in pieces:
                text += piece
                self.telling.tell(AnswerToken(piece))
                if len(text) > MOST_CHARACTERS or time.monotonic() > limit:
                    self.telling.tell(AnswerToken(f" …\n\n*{NO_END}*"))
                    break
        if not text.strip():
            raise Unusable("It is empty.")


async def _pieces(text: str) -> AsyncIterator[str]:
    """A text a few words at a time, so that it is read as it comes."""
    words = text.split(" ")
    for start in range(0, len(words), 4):
        end = start + 4
        yield " ".join(words[start:end]) + (" " if end < len(words) else "")
        await asyncio.sleep(0)
