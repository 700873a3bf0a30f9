"""Whether a language model answers at an address."""

from __future__ import annotations

import time
from dataclasses import dataclass

from controlllm.language.endpoint import ChatEndpoint, EndpointError

_ASKED = 'Answer with the JSON object {"ready": true} and nothing else.'
_SCHEMA = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}
#: Enough for a model that thinks before it answers; one that is still loading may take minutes.
_SECONDS, _TOKENS = 60.0, 400


@dataclass(frozen=True)
class ModelTrial:
    """It answered: after how many seconds, and whether it takes JSON schemas, which makes its plans
    more reliable. `understood` says whether the answer was what was asked for."""

    seconds: float
    takes_schemas: bool
    understood: bool


def try_model(base_url: str, api_key: str, model: str, only_public: bool = False) -> ModelTrial:
    """Ask a model for one short answer; raises EndpointError, with a sentence, where none comes."""
    endpoint = ChatEndpoint(base_url, api_key, model, _SECONDS, only_public)
    begun = time.monotonic()
    reply = endpoint.reply([{"role": "user", "content": _ASKED}], _SCHEMA, max_tokens=_TOKENS)
    if not reply.text.strip():
        raise EndpointError("The language model's reply holds no answer.", "broken")
    words = "".join(reply.text.lower().split())
    return ModelTrial(
        round(time.monotonic() - begun, 2), endpoint.takes_schemas, '"ready":true' in words
    )
