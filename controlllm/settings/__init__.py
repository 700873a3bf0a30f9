"""What can be set: by a person, by who operates a server, by the environment; and what leaves."""

from controlllm.settings.settings import (
    BEST_VARIANT,
    DEFAULT_MODEL,
    NO_MODEL,
    PREFERENCES,
    VARIANTS,
    AgentName,
    Preference,
    Settings,
)
