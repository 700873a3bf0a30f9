"""The planners there are: the embedded one over a toolbox, and those with prompted roles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from controlllm.core.events import Event
from controlllm.language.asking import Asker
from controlllm.language.endpoint import ChatEndpoint
from controlllm.language.prompted import prompted_planner
from controlllm.models.encoder import encode as encode_sentences
from controlllm.planning.assessment import EmbeddedAssessor
from controlllm.planning.graph import ToolGraph
from controlllm.planning.overheard import reading_overheard
from controlllm.planning.own_examples import reading_own_examples
from controlllm.planning.picked import reading_picked
from controlllm.planning.planner import Planner
from controlllm.planning.pointed import PointingDecomposer, spoken_of
from controlllm.planning.staying import reading_past_what_stays
from controlllm.planning.strategies import BEAM, DEFAULT_STRATEGY, STRATEGIES, THRESHOLD
from controlllm.planning.surer import the_surer
from controlllm.planning.text_vectors import TextVectors
from controlllm.planning.wish_decomposer import WishDecomposer
from controlllm.planning.wishes import Read
from controlllm.readers.wishes import WishReader, text_of
from controlllm.retrieval import ToolIndex
from controlllm.settings import Settings
from controlllm.toolbox import Toolbox

__all__ = [
    "BEAM",
    "STRATEGIES",
    "THRESHOLD",
    "Planner",
    "embedded_planner",
    "embedded_planner_over",
    "planners_of",
]


def embedded_planner(
    toolbox: Toolbox,
    encode_texts: Callable[[Sequence[str]], Any] = encode_sentences,
    *,
    index: ToolIndex | None = None,
    strategy: str = DEFAULT_STRATEGY,
    beam: int = BEAM,
    threshold: float = THRESHOLD,
) -> Planner:
    """The planner that needs no language model; an `index` may have read the toolbox already.

    Raises ValueError where there is no such strategy: see `controlllm.planning.strategies`.
    """
    vectors = TextVectors(encode_texts)
    graph = ToolGraph(toolbox)
    # What is only meant where somebody pointed is never heard in words alone.
    spoken = ToolGraph(spoken_of(toolbox))
    vectors_of_tools = None if index is None else index.tool_vectors(spoken.toolbox)
    told = {tool.name: text_of(tool) for tool in spoken.toolbox}
    read: Read = WishReader(told)
    if index is not None or any(toolbox.is_foreign(tool.name) for tool in toolbox):
        read = the_surer(
            WishReader(told, vectors=vectors_of_tools, is_foreign=True),
            read,
            lambda name: toolbox.own is not None and name in toolbox.own,
        )
    read = reading_picked(reading_overheard(reading_past_what_stays(read), spoken), spoken)
    read = reading_own_examples(read, spoken.toolbox)
    wishes = WishDecomposer(spoken, read)
    return Planner(
        graph,
        PointingDecomposer(graph, wishes),
        EmbeddedAssessor(encode_texts, vectors),
        strategy=strategy,
        beam=beam,
        threshold=threshold,
    )


def planners_of(
    planner: Planner, settings: Settings, tell: Callable[[Event], None]
) -> Callable[[], Planner]:
    """Makes a planner for each request by these settings, out of the embedded one.

    `tell` is called with what happens with the language model. Such a planner raises
    LanguageModelFailed where the model fails and the settings let nothing take over.
    """
    if not (settings.has_model and settings.prompted):
        return lambda: planner
    endpoint = ChatEndpoint(settings.base_url, settings.api_key, settings.model)
    return lambda: prompted_planner(
        planner, Asker(endpoint, tell, settings.fall_back), settings.prompted
    )


def embedded_planner_over(toolbox: Toolbox, index: ToolIndex | None) -> Planner:
    """The embedded planner, over tools that an index has read where there is one."""
    return embedded_planner(toolbox, index=index)
