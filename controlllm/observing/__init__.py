"""Looking on: what is counted, logged and traced of requests, all of it read from their events."""

from controlllm.observing.figures import Figures
from controlllm.observing.notes import Notes
from controlllm.observing.watching import Watching

__all__ = ["Figures", "Notes", "Watching"]
