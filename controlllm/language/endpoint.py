"""Chat with any OpenAI-compatible endpoint, streamed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

PROMPTS = Path(__file__).parent / "prompts"

#: How long to wait for the first sign of an answer and between its pieces, in seconds.
TIMEOUT_SECONDS = 60.0


class EndpointError(Exception):
    """The endpoint could not answer. The message says why and what to do next; it holds no key."""


def read_prompt(name: str, **values: str) -> str:
    """The prompt file of this name with its ``{{slots}}`` filled."""
    text = (PROMPTS / f"{name}.txt").read_text()
    for slot, value in values.items():
        text = text.replace("{{" + slot + "}}", value)
    return text


class ChatEndpoint:
    """One endpoint with its model. Opened for a request and closed after it."""

    def __init__(self, base_url: str, api_key: str, model: str) -> None:
        self._base_url = base_url
        self._api_key = api_key
        self.model = model

    async def stream(self, messages: Sequence[Mapping[str, str]]) -> AsyncIterator[str]:
        """The answer's pieces of text as they come; raises EndpointError."""
        import openai

        client = openai.AsyncOpenAI(
            base_url=self._base_url or None,
            api_key=self._api_key or "none",
            timeout=TIMEOUT_SECONDS,
            max_retries=1,
        )
        try:
            stream: Any = await client.chat.completions.create(
                model=self.model,
                messages=list(messages),  # type: ignore[arg-type]
                stream=True,
            )
            ended = False
            async for chunk in stream:
                if chunk.choices:
                    ended = ended or chunk.choices[0].finish_reason is not None
                    if chunk.choices[0].delta.content:
                        yield chunk.choices[0].delta.content
            if not ended:
                raise EndpointError("The language model's answer broke off.")
        except openai.AuthenticationError as error:
            raise EndpointError(
                "The language model refused the key. Check it in the settings."
            ) from error
        except openai.NotFoundError as error:
            raise EndpointError(
                f"The endpoint has no model called {self.model!r}. Choose another in the settings."
            ) from error
        except openai.RateLimitError as error:
            raise EndpointError(
                "The language model has had too many requests. Wait a little and ask again."
            ) from error
        except openai.APITimeoutError as error:
            raise EndpointError(
                f"The language model did not answer within {TIMEOUT_SECONDS:.0f} seconds."
            ) from error
        except openai.APIConnectionError as error:
            raise EndpointError(
                "The language model could not be reached. Check its address in the settings, and "
                "that it is running."
            ) from error
        except openai.APIStatusError as error:
            raise EndpointError(
                f"The language model answered with an error ({error.status_code})."
            ) from error
        except openai.OpenAIError as error:
            raise EndpointError("The language model's answer broke off.") from error
        finally:
            await client.close()
