"""What a person can set: which language model to use and for what, and how tools may work."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, cast, get_args

from controlllm.models.weights import SIZES, Size
from controlllm.resources.well_formed import well_formed
from controlllm.toolbox.capabilities import Capabilities, CloudEndpoint, HostedTool

DEFAULT_MODEL = "gpt-4o-mini"

#: The paper's variants (Sec. 4.4, 6-8) with the planner's roles that a language model keeps in
#: each; the embedded planner keeps the others. In one more, the model proposes the whole plan in
#: one call, and the graph makes it sound.
VARIANTS: Mapping[str, frozenset[str]] = {
    "llama": frozenset(),
    "mix": frozenset({"assess", "rank"}),
    "chatgpt": frozenset({"decompose", "assess", "rank"}),
    "proposal": frozenset({"propose"}),
}
#: The variant that measures best where a language model is set, and the one that needs none.
BEST_VARIANT, OWN_VARIANT = "proposal", "llama"

#: What a person cares about most where a tool can work in several ways, and the order in which
#: runtimes are tried then.
Preference = Literal["private", "quality", "fast"]
PREFERENCES: Mapping[Preference, tuple[Literal["embedded", "hub", "cloud"], ...]] = {
    "private": ("hub", "embedded", "cloud"),
    "quality": ("cloud", "hub", "embedded"),
    "fast": ("embedded", "cloud", "hub"),
}

#: Whether a request is planned before anything runs, or an agent decides step by step.
Manner = Literal["plan", "act"]
#: Which agent decides, where one does; docs/agents.md tells them apart.
AgentName = Literal["sum2act", "react", "dfsdt"]

#: Whether a request that the program ended in the middle of goes on by itself at the next start.
GoOn = Literal["itself", "asked"]
#: What becomes of a tool that acts outside where nobody can be asked.
Acting = Literal["ask", "allow"]

#: What OpenAI's own endpoint calls its models; another endpoint's have to be named.
_USUAL_MODELS = {
    "image_model": "gpt-image-1",
    "speech_model": "gpt-4o-mini-tts",
    "speech_voice": "alloy",
    "transcription_model": "gpt-4o-mini-transcribe",
}

NO_MODEL = (
    "No language model is set. Set one in the settings, or in OPENAI_BASE_URL and OPENAI_API_KEY."
)

#: What is one of a few, and what is said of another value.
_CHOICES: Mapping[str, tuple[str, Iterable[str]]] = {
    "preference": ("There is no preference {!r}", PREFERENCES),
    "weights_size": ("There is no size {!r}", SIZES),
    "variant": ("There is no variant {!r}", VARIANTS),
    "manner": ("A request cannot be worked on by {!r}", get_args(Manner)),
    "agent": ("There is no agent {!r}", get_args(AgentName)),
    "go_on": ("A request cannot go on by {!r}", get_args(GoOn)),
    "acting": ("Acting outside cannot be set to {!r}", get_args(Acting)),
}


@dataclass(frozen=True)
class Settings:
    """Settings of one session. Without a `base_url` or a key nothing leaves the machine.

    `variant` is one of `VARIANTS`: who plans; where it is empty, nobody chose, and the best one is
    used that can be. `fall_back` lets the embedded planner and the rules
    take over where the language model fails. The key is kept out of every printed form.

    `preference` orders the ways in which a tool can work. `tools_use_endpoint` lets tools send the
    files they work on to the same address; the names of its other models follow. `hosted` are
    other programs by the name of the tool whose work they do. `public_services` lets tools look
    things up on the network. `weights_size` says which downloaded weights are preferred.

    `go_on` says whether what was interrupted by the program's end goes on by itself or when the
    person asks for it; `stop_when_left`, whether a request stops when its page is closed or loaded
    again. `manner` says whether requests are planned or worked on step by step; `act_when_stuck`,
    whether an agent takes over where all ways of a part of a plan have failed. `agent` is which
    one, `divide_first` whether it is told the parts of its task before it begins.

    `recipes_in_files` lets results that are downloaded carry the plan that made them.

    `acting` is what becomes of a tool that acts outside where nobody can be asked about it: it is
    left out with ``ask``, called with ``allow``. Where a person can be asked, they always are.
    `only_public` has the `base_url` asked only while it stands for machines on the public network.
    `results_apart` has what was made for one person never taken again for another.
    `one_try` is for a call that is made by itself: it is not made again after a failure, nor in
    another way after it took too long.
    """

    base_url: str = ""
    api_key: str = field(default="", repr=False)
    model: str = DEFAULT_MODEL
    answer_with_model: bool = True
    variant: str = ""
    fall_back: bool = True
    preference: Preference = "private"
    tools_use_endpoint: bool = False
    image_model: str = ""
    speech_model: str = ""
    speech_voice: str = ""
    transcription_model: str = ""
    hosted: Mapping[str, HostedTool] = field(default_factory=dict)
    public_services: bool = False
    weights_size: Size = "usual"
    go_on: GoOn = "itself"
    stop_when_left: bool = False
    manner: Manner = "plan"
    act_when_stuck: bool = True
    recipes_in_files: bool = True
    agent: AgentName = "sum2act"
    divide_first: bool = False
    acting: Acting = "ask"
    only_public: bool = False
    results_apart: bool = False
    one_try: bool = False

    def __post_init__(self) -> None:
        for name, (told, choices) in _CHOICES.items():
            said = getattr(self, name)
            if said not in choices and (said or name != "variant"):
                raise ValueError(f"{told.format(said)}; choose one of {', '.join(choices)}.")

    @property
    def mark(self) -> str:
        """What stands for all that decides how a request is answered and what leaves the machine,
        without telling it: equal for equal settings. Keys count only as being there."""
        told = replace(
            self,
            go_on="itself",
            stop_when_left=False,
            recipes_in_files=True,
            results_apart=False,
            one_try=False,
        )
        keys = [bool(self.api_key), *(bool(item.api_key) for item in self.hosted.values())]
        return hashlib.sha256(repr((told, keys)).encode()).hexdigest()[:16]

    @property
    def has_model(self) -> bool:
        """Whether a language model is set: an address of one's own, or a key for the usual one."""
        return bool(self.base_url or self.api_key)

    @property
    def prompted(self) -> frozenset[str]:
        """The planner's roles that the language model is to keep."""
        return VARIANTS[self.used_variant]

    @property
    def used_variant(self) -> str:
        """Who plans: what the person chose, or else the best that can be used."""
        return self.variant or (BEST_VARIANT if self.has_model else OWN_VARIANT)

    @property
    def runtimes(self) -> tuple[Literal["embedded", "hub", "cloud"], ...]:
        """The order in which a tool's runtimes are tried."""
        return PREFERENCES[self.preference]

    @property
    def capabilities(self) -> Capabilities:
        """What tools may use."""
        endpoint = None
        if self.tools_use_endpoint and self.has_model:
            usual = {} if self.base_url else _USUAL_MODELS
            names = {name: getattr(self, name) or usual.get(name, "") for name in _USUAL_MODELS}
            endpoint = CloudEndpoint(
                self.base_url, self.api_key, self.model, **names, only_public=self.only_public
            )
        return Capabilities(endpoint, self.hosted, self.public_services, self.weights_size)

    def as_variant(self, variant: str) -> Settings:
        """These settings as one of the variants, all of it: with ``llama`` no language
        model is used at all, with the others it also writes the answer.

        Raises ValueError where there is no such variant, or it needs a model and none is set.
        """
        changed = replace(self, variant=variant)
        if variant == OWN_VARIANT:
            return replace(changed, base_url="", api_key="")
        if not self.has_model:
            raise ValueError(f"The variant {variant} needs a language model. {NO_MODEL}")
        return replace(changed, answer_with_model=True)

    def acting_by(self, agent: str | None, divide_first: bool | None = None) -> Settings:
        """These settings for one request that an agent of this name works on from the start, told
        its parts before or not; what is None stays as it is set.

        Raises ValueError where there is no such agent.
        """
        changed = self
        if agent is not None:
            changed = replace(changed, manner="act", agent=cast(AgentName, agent))
        return changed if divide_first is None else replace(changed, divide_first=divide_first)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """The settings that environment variables make; docs/settings.md lists them.

        Raises ValueError where there is no such variant, preference, size, agent, way to go on or
        to act.
        """

        def named(name: str, usual: str = "") -> str:
            return well_formed(environment.get(name, "").strip()) or usual

        return cls(
            named("OPENAI_BASE_URL"),
            named("OPENAI_API_KEY"),
            named("OPENAI_MODEL", DEFAULT_MODEL),
            variant=named("CONTROLLLM_VARIANT"),
            preference=cast(Preference, named("CONTROLLLM_PREFERENCE", "private")),
            tools_use_endpoint=named("CONTROLLLM_TOOLS_USE_ENDPOINT") == "1",
            image_model=named("CONTROLLLM_IMAGE_MODEL"),
            speech_model=named("CONTROLLLM_SPEECH_MODEL"),
            speech_voice=named("CONTROLLLM_SPEECH_VOICE"),
            transcription_model=named("CONTROLLLM_TRANSCRIPTION_MODEL"),
            public_services=named("CONTROLLLM_PUBLIC_SERVICES") == "1",
            weights_size=cast(Size, named("CONTROLLLM_WEIGHTS_SIZE", "usual")),
            go_on=cast(GoOn, named("CONTROLLLM_GO_ON", "itself")),
            stop_when_left=named("CONTROLLLM_STOP_WHEN_LEFT") == "1",
            manner=cast(Manner, named("CONTROLLLM_MANNER", "plan")),
            act_when_stuck=named("CONTROLLLM_ACT_WHEN_STUCK", "1") == "1",
            recipes_in_files=named("CONTROLLLM_RECIPES_IN_FILES", "1") == "1",
            agent=cast(AgentName, named("CONTROLLLM_AGENT", "sum2act")),
            divide_first=named("CONTROLLLM_DIVIDE_FIRST") == "1",
            acting=cast(Acting, named("CONTROLLLM_ACT_OUTSIDE", "ask")),
            results_apart=named("CONTROLLLM_RESULTS") == "apart",
        )
