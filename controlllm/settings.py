"""What a person can set: which language model to use, and for what."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

DEFAULT_MODEL = "gpt-4o-mini"


@dataclass(frozen=True)
class Settings:
    """Settings of one session. Without a `base_url` or a key nothing leaves the machine.

    The key is kept out of every printed form.
    """

    base_url: str = ""
    api_key: str = field(default="", repr=False)
    model: str = DEFAULT_MODEL
    answer_with_model: bool = True

    @property
    def has_model(self) -> bool:
        """Whether a language model is set: an address of one's own, or a key for the usual one."""
        return bool(self.base_url or self.api_key)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """The settings that ``OPENAI_BASE_URL``, ``OPENAI_API_KEY`` and ``OPENAI_MODEL`` make."""
        return cls(
            environment.get("OPENAI_BASE_URL", ""),
            environment.get("OPENAI_API_KEY", ""),
            environment.get("OPENAI_MODEL", "") or DEFAULT_MODEL,
        )
