"""Other programs that do one tool's work: Gradio apps and Hugging Face inference endpoints.

Which ones is said in the settings, tool by tool. What they answer is data to check.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controlllm.toolbox import Context, Reason, ToolDefinition, ToolError, Unavailable
from controlllm.toolbox.capabilities import Capabilities

from ..shared.forwarding import forwarded

_NO_ADDRESS = Reason(
    "needs the address of a program that does this, in the settings", "hosted_address"
)


def offer(definition: ToolDefinition) -> None:
    """Let a tool's work be done by the program that the settings name for it."""
    name = definition.tool.name

    def check(capabilities: Capabilities) -> str | None:
        hosted = capabilities.hosted.get(name)
        return None if hosted is not None and hosted.address.strip() else _NO_ADDRESS

    def hosted_elsewhere(inputs: Mapping[str, Any], context: Context) -> Any:
        hosted = context.capabilities.hosted.get(name)
        if hosted is None or not hosted.address.strip():
            raise Unavailable(f"This {_NO_ADDRESS}.")
        if hosted.kind == "gradio":
            from . import gradio_apps

            return gradio_apps.run(definition.tool, hosted, inputs, context)
        if hosted.kind == "endpoint":
            from . import inference_endpoints

            return inference_endpoints.run(definition.tool, hosted, inputs, context)
        raise ToolError(
            f"There is no kind of program {hosted.kind!r}. Choose gradio or endpoint in the "
            "settings."
        )

    definition.implementation(
        "cloud",
        packages=("httpx2", "gradio_client"),
        check=check,
        deterministic=False,
        is_hosted=True,
    )(forwarded(definition, hosted_elsewhere))
