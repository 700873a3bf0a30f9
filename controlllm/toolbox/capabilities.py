"""What a tool finds where it runs: what the person allows, and what this machine has.

An implementation is asked with these whether it can run, and gets them when it does. The defaults
allow nothing that leaves the machine.
"""

from __future__ import annotations

import functools
import os
import platform
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field

from controlllm.models.weights import Size, Weights


@dataclass(frozen=True)
class CloudEndpoint:
    """An OpenAI-compatible address that tools may send their work to.

    `base_url` is empty for the usual one. A model's name is empty where the endpoint has none of
    that kind; `chat_model` also looks at pictures. The key is kept out of every printed form.
    `only_public` has it asked only while it stands for machines on the public network.
    """

    base_url: str = ""
    api_key: str = field(default="", repr=False)
    chat_model: str = ""
    image_model: str = ""
    speech_model: str = ""
    speech_voice: str = ""
    transcription_model: str = ""
    only_public: bool = False


@dataclass(frozen=True)
class HostedTool:
    """Another program that does one tool's work: a Gradio app, or a Hugging Face inference
    endpoint. The key is kept out of every printed form; `only_public` as for `CloudEndpoint`."""

    address: str
    kind: str = "gradio"
    api_key: str = field(default="", repr=False)
    only_public: bool = False


@dataclass(frozen=True)
class Capabilities:
    """What implementations may use.

    Parameters
    ----------
    endpoint: where tools may send their work; None where they may not.
    hosted: other programs by the name of the tool whose work they do.
    public_services: whether public services (weather, encyclopaedia, ...) may be asked.
    weights_size: which of a tool's downloaded weights are preferred.
    whose: results are taken again only where this is the same; empty where they are everybody's.
    """

    endpoint: CloudEndpoint | None = None
    hosted: Mapping[str, HostedTool] = field(default_factory=dict)
    public_services: bool = False
    weights_size: Size = "usual"
    whose: str = ""

    @property
    def accelerator(self) -> str:
        """``cuda`` or ``mps`` where models find such a thing, else nothing."""
        return _accelerator()

    def weights_of(self, choices: Mapping[str, Mapping[Size, Weights]]) -> dict[str, Weights]:
        """The weights that an implementation uses here, by their role: of the size preferred, or
        of another that is here already."""
        return {role: _chosen(sizes, self.weights_size) for role, sizes in choices.items()}


def _chosen(sizes: Mapping[Size, Weights], preferred: Size) -> Weights:
    order = [preferred, "usual", "small", "large"]
    known = [sizes[size] for size in order if size in sizes]
    return next((weights for weights in known if weights.is_here), known[0])


@functools.cache
def _accelerator() -> str:
    said = os.environ.get("CONTROLLLM_ACCELERATOR", "").strip()
    if said:
        return "" if said == "none" else said
    # Told from the driver, since importing torch to ask takes seconds.
    if shutil.which("nvidia-smi") is not None:
        return "cuda"
    if platform.system() == "Darwin" and platform.machine() == "arm64":
        return "mps"
    return ""


#: Nothing leaves the machine.
ALONE = Capabilities()
