"""The verbs as endpoints of Gradio's API, for `gradio_client`, curl and Gradio's own API page."""

from __future__ import annotations

import inspect
import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, get_args, get_origin, get_type_hints

import gradio as gr
from pydantic import ConfigDict, validate_call
from starlette.concurrency import run_in_threadpool

from controlllm.api.door import KEY, NO_TOKEN, WRONG_TOKEN, sent_token
from controlllm.api.outcomes import sentence_of
from controlllm.api.service import How, Service
from controlllm.api.taking import Taking
from controlllm.api.tokens import Token
from controlllm.api.verbs import NAMES, Stream, Verbs
from controlllm.resources import BadInput
from controlllm.resources.well_formed import well_formed_value
from controlllm.settings.quotas import LimitReached

_log = logging.getLogger(__name__)
_WRONG = "Something went wrong on our side. Try it again, please."


def add_programs(service: Service, taking: Taking) -> None:
    """Add the verbs to an app as endpoints of its API, each called as its verb.

    Called inside ``with gr.Blocks():``. Every call needs a token (``Authorization: Bearer``);
    without one it is refused with a sentence. Before the app stands
    `controlllm.api.served.GradioDoor`: it keeps the pace, notes in the uploads of `taking` whose a
    file is that was uploaded, and hands calls on so that Gradio leaves their files alone.
    """
    verbs = Verbs(service, taking)
    for name in NAMES:
        endpoint = _endpoint(getattr(verbs, name), service)
        said = " ".join(inspect.cleandoc(endpoint.__doc__ or "").split())
        # Runs wait in a line of our own, which is fair between tokens.
        gr.api(endpoint, api_name=name, api_description=said, concurrency_limit=None)


def _endpoint(verb: Callable[..., Any], service: Service) -> Callable[..., Any]:
    """A verb as a function that Gradio calls: who asks is in the request, what was sent is made
    sound and checked, and every refusal is a sentence."""
    checked = validate_call(config=ConfigDict(strict=True, arbitrary_types_allowed=True))(verb)
    names = [name for name in inspect.signature(verb).parameters if name != "token"]

    def called(args: tuple[Any, ...], token: Token) -> Any:
        given = {
            name: well_formed_value(value)
            for name, value in zip(names, args, strict=True)
            if value is not None
        }
        return checked(token, **given)

    async def once(*args: Any) -> Any:
        try:
            return await called(args[:-1], await _who(args[-1], service))
        except Exception as error:
            raise _refused(error, service) from None

    async def streaming(*args: Any) -> AsyncGenerator[Any, None]:
        try:
            async with aclosing(await called(args[:-1], await _who(args[-1], service))) as told:
                async for event in told:
                    yield event
        except Exception as error:
            raise _refused(error, service) from None

    endpoint: Callable[..., Any] = streaming if get_type_hints(verb)["return"] == Stream else once
    endpoint.__doc__, endpoint.__name__ = verb.__doc__, verb.__name__
    _describe(endpoint, verb, names)
    return endpoint


def _describe(endpoint: Callable[..., Any], verb: Callable[..., Any], names: list[str]) -> None:
    """Give an endpoint the parameters of its verb, as Gradio reads them, and the request."""
    hints, taken = get_type_hints(verb), inspect.signature(verb).parameters
    told, kind = dict[str, Any], inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = []
    for name in names:
        hint, default = hints[name], taken[name].default
        if hint is How or get_origin(hint) is Mapping:
            hint, default = told, default if default is inspect.Parameter.empty else {}
        elif get_origin(hint) is Sequence:
            hint, default = list[get_args(hint)], [*default]  # type: ignore[misc]
        parameters.append(inspect.Parameter(name, kind, default=default, annotation=hint))
    parameters.append(inspect.Parameter("asking", kind, default=None, annotation=gr.Request))
    endpoint.__signature__ = inspect.Signature(parameters, return_annotation=told)  # type: ignore[attr-defined]
    endpoint.__annotations__ = {item.name: item.annotation for item in parameters}
    endpoint.__annotations__["return"] = told


async def _who(asking: gr.Request, service: Service) -> Token:
    request = asking.request
    if request is None:
        raise BadInput(NO_TOKEN)
    found: Token | None = request.scope.get(KEY)
    if found is None:
        sent = sent_token(request.headers)
        found = await run_in_threadpool(service.tokens.of, sent) if sent else None
        if found is None:
            raise BadInput(WRONG_TOKEN if sent else NO_TOKEN)
    return found


def _refused(error: Exception, service: Service) -> gr.Error:
    """An error as a sentence for whoever asked; what nobody expected is logged."""
    if isinstance(error, LimitReached):
        service.tell(error.limit)
    said = sentence_of(error)
    if not said:
        _log.error("A program's call ended with an unexpected error.", exc_info=error)
    return gr.Error(said or _WRONG, duration=None, print_exception=False)
