"""What a person can set: which language model to use, and for what."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

DEFAULT_MODEL = "gpt-4o-mini"

#: The paper's variants (Sec. 4.4, 6-8) with the planner's roles that a language model keeps in
#: each; the embedded planner keeps the others.
VARIANTS: Mapping[str, frozenset[str]] = {
    "llama": frozenset(),
    "mix": frozenset({"assess", "rank", "arguments"}),
    "chatgpt": frozenset({"decompose", "assess", "rank", "arguments"}),
}

NO_MODEL = (
    "No language model is set. Set one in the settings, or in OPENAI_BASE_URL and OPENAI_API_KEY."
)


@dataclass(frozen=True)
class Settings:
    """Settings of one session. Without a `base_url` or a key nothing leaves the machine.

    `variant` is one of `VARIANTS`: who plans. `fall_back` lets the embedded planner and the rules
    take over where the language model fails. The key is kept out of every printed form.
    """

    base_url: str = ""
    api_key: str = field(default="", repr=False)
    model: str = DEFAULT_MODEL
    answer_with_model: bool = True
    variant: str = "llama"
    fall_back: bool = True

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise ValueError(
                f"There is no variant {self.variant!r}; choose one of {', '.join(VARIANTS)}."
            )

    @property
    def has_model(self) -> bool:
        """Whether a language model is set: an address of one's own, or a key for the usual one."""
        return bool(self.base_url or self.api_key)

    @property
    def prompted(self) -> frozenset[str]:
        """The planner's roles that the language model is to keep."""
        return VARIANTS[self.variant]

    def as_variant(self, variant: str) -> Settings:
        """These settings as one of the paper's variants, all of it: with ``llama`` no language
        model is used at all, with the others it also writes the answer.

        Raises ValueError where there is no such variant, or it needs a model and none is set.
        """
        if variant == "llama":
            return replace(self, base_url="", api_key="", variant=variant)
        changed = replace(self, variant=variant, answer_with_model=True)
        if not self.has_model:
            raise ValueError(f"The variant {variant} needs a language model. {NO_MODEL}")
        return changed

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """The settings that ``OPENAI_BASE_URL``, ``OPENAI_API_KEY``, ``OPENAI_MODEL`` and
        ``CONTROLLLM_VARIANT`` make; raises ValueError where there is no such variant."""
        return cls(
            environment.get("OPENAI_BASE_URL", ""),
            environment.get("OPENAI_API_KEY", ""),
            environment.get("OPENAI_MODEL", "") or DEFAULT_MODEL,
            variant=environment.get("CONTROLLLM_VARIANT", "") or "llama",
        )
