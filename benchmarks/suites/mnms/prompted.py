"""A language model that plans in m&m's formats: whole plans or step by step, told what is wrong.

The loop is the benchmark's: read, verify, run, as far as the feedback goes; the first thing that
fails is told, and the model has so many turns more. The last plan that could be read is the answer,
sound or not. Requests and replies are never taken for anything but words: code is interpreted.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.suites.answers import Answer, Call, Task
from benchmarks.suites.mnms import feedback as told
from benchmarks.suites.mnms.catalogue import BenchTool, Edges, catalogue
from benchmarks.suites.mnms.formats import Parsed, read_plan, read_step
from benchmarks.suites.mnms.verifier import (
    Verdict,
    strict_check,
    their_check,
    their_check_of_step,
)
from controlllm.core.costs import Usage
from controlllm.language.asking import pause_before_retry
from controlllm.language.endpoint import ChatEndpoint, EndpointError

#: Where a reply is cut off, in tokens.
_MOST_TOKENS = 2_000
#: What is shown of one result, in characters.
_MOST_OBSERVED = 1_000
_SLOT = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True)
class Ran:
    """What came of running calls: what can be said of each one's outputs, by its id, or the sort of
    failure and a message."""

    outputs: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    kind: str = ""
    message: str = ""

    @property
    def succeeded(self) -> bool:
        return not self.kind


#: Runs calls from the first to the last, or up to one that fails.
Run = Callable[[Sequence[Call]], Ran]


@dataclass(frozen=True)
class Protocol:
    """How a model is asked: see `benchmarks.suites.suite.Options`. `run` is asked
    where the execution gives feedback."""

    mode: str
    form: str
    feedback: str
    max_reply: int
    verifier: str
    edges: Edges
    run: Run | None = None

    def verdict(self, calls: Sequence[Call]) -> Verdict:
        if self.verifier == "strict":
            return strict_check(calls, self.edges)
        if self.mode == "step-by-step":
            return their_check_of_step(calls[-1])
        return their_check(calls, self.edges)


def asks(endpoint: ChatEndpoint, protocol: Protocol) -> Callable[[Task], Answer]:
    """What answers tasks by asking a model; a fault of the endpoint is the answer's failure."""
    talk = _step_by_step if protocol.mode == "step-by-step" else _whole_plan

    def answer(task: Task) -> Answer:
        chat = _Chat(endpoint, prompt_of(task.request.text, protocol))
        outcome = _Outcome()
        try:
            talk(chat, protocol, outcome)
        except EndpointError as error:
            outcome.failure = str(error)
        return Answer(
            task.id,
            tuple(outcome.calls),
            outcome.failure if not outcome.calls else "",
            turns=chat.turns,
            usage=chat.usage,
            details={
                "program": outcome.program,
                "ended": outcome.ended,
                "last": outcome.failure,
                "said": [item["content"] for item in chat.messages[1:]],
            },
        )

    return answer


def prompt_of(request: str, protocol: Protocol) -> str:
    """The first message: the tools, the form of a plan, rules, examples and the request."""
    text = (told.PROMPTS / f"{protocol.mode}-{protocol.form}.txt").read_text("utf-8")
    tools = "\n".join(_described(tool, protocol.form) for tool in catalogue().values())
    values = {"tools": tools, "request": request}
    return _SLOT.sub(lambda found: values[found[1]], text).strip()


def _described(tool: BenchTool, form: str) -> str:
    taken = ", ".join(f"{slot.name} ({slot.kind})" for slot in tool.args)
    made = ", ".join(f"{slot.name} ({slot.kind})" for slot in tool.outputs)
    if form == "code":
        names = ", ".join(slot.name for slot in tool.args)
        outputs = ", ".join(slot.name for slot in tool.outputs)
        return f"{tool.function}({names}) -> {outputs}: {tool.description}"
    return f"{tool.name}: {tool.description} Inputs: {taken}. Outputs: {made}."


@dataclass
class _Outcome:
    """What a conversation has come to so far."""

    calls: list[Call] = field(default_factory=list)
    program: str = ""
    failure: str = "The model gave no plan."
    ended: str = "turns"


class _Chat:
    """A conversation, with what it took."""

    def __init__(self, endpoint: ChatEndpoint, first: str) -> None:
        self._endpoint = endpoint
        self.messages = [{"role": "user", "content": first}]
        self.turns = 0
        self.usage = Usage()

    def reply(self) -> str:
        """The model's next reply; a busy server is waited for. Raises EndpointError."""
        attempt = 0
        while True:
            attempt += 1
            try:
                reply = self._endpoint.reply(self.messages, max_tokens=_MOST_TOKENS)
                break
            except EndpointError as error:
                pause = pause_before_retry(error, attempt)
                if pause is None:
                    raise
                time.sleep(pause)
        self.turns += 1
        self.usage += reply.usage
        self.messages.append({"role": "assistant", "content": reply.text})
        return reply.text

    def tell(self, message: str) -> None:
        self.messages.append({"role": "user", "content": message})


def _whole_plan(chat: _Chat, protocol: Protocol, outcome: _Outcome) -> None:
    """Ask for a plan, and again as long as something is wrong with it and turns are left."""
    for left in range(protocol.max_reply, -1, -1):
        text = chat.reply()
        parsed = read_plan(text, protocol.form)
        if parsed.ended:
            outcome.ended = "terminated"
            return
        problem = _keep_plan(parsed, protocol, outcome)
        if problem == "":
            outcome.ended = "success"
            return
        if problem is None or not left:
            return
        chat.tell(problem)


def _keep_plan(parsed: Parsed, protocol: Protocol, outcome: _Outcome) -> str | None:
    """Keep a plan that could be read, and what the model is to be told: nothing where all is well,
    None where nobody may tell it."""
    if not parsed.is_read:
        outcome.failure = parsed.message
        return told.of_parsing(parsed) if "P" in protocol.feedback else None
    outcome.calls = list(parsed.calls)
    outcome.program = parsed.program
    outcome.failure = ""
    if "V" in protocol.feedback:
        verdict = protocol.verdict(parsed.calls)
        if not verdict.is_sound:
            outcome.failure = verdict.message
            return told.of_verification(verdict)
    if "E" in protocol.feedback and protocol.run is not None:
        ran = protocol.run(parsed.calls)
        if not ran.succeeded:
            outcome.failure = ran.message
            return told.of_execution(ran.kind, ran.message)
    return ""


def _step_by_step(chat: _Chat, protocol: Protocol, outcome: _Outcome) -> None:
    """Ask for one action after the other until the model says that it is done or turns end."""
    for left in range(protocol.max_reply, -1, -1):
        text = chat.reply()
        parsed = read_step(text, protocol.form, outcome.calls)
        if parsed.ended or parsed.is_read and not parsed.calls:
            outcome.ended = "terminated"
            return
        message = _keep_step(parsed, protocol, outcome)
        if message is None or not left:
            return
        chat.tell(message)


def _keep_step(parsed: Parsed, protocol: Protocol, outcome: _Outcome) -> str | None:
    if not parsed.is_read:
        outcome.failure = parsed.message
        return told.of_parsing(parsed) if "P" in protocol.feedback else None
    call = parsed.calls[-1]
    # A node that is sent again takes the place of the one before.
    outcome.calls = [item for item in outcome.calls if item.id != call.id] + [call]
    outcome.failure = ""
    verdict = Verdict()
    if "V" in protocol.feedback:
        verdict = protocol.verdict(outcome.calls)
        if not verdict.is_sound:
            outcome.failure = verdict.message
            return told.of_verification(verdict)
    if "E" in protocol.feedback and protocol.run is not None:
        ran = protocol.run(outcome.calls)
        if not ran.succeeded:
            outcome.failure = ran.message
            return told.of_execution(ran.kind, ran.message)
        shown = json.dumps(dict(ran.outputs[call.id]), ensure_ascii=False)
        return told.of_step(call.id, shown[:_MOST_OBSERVED])
    return told.of_step(call.id, told.of_soundness("V" in protocol.feedback))
