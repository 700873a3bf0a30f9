"""The paper's variants: which of the planner's roles a language model keeps (Sec. 4.4, 6-8)."""

from __future__ import annotations

from collections.abc import Collection

from controlllm.language.arguments import PromptedResourceExpert
from controlllm.language.asking import Asker
from controlllm.language.assessing import PromptedAssessor
from controlllm.language.decomposing import PromptedDecomposer
from controlllm.language.ranking import PromptedSolutionExpert
from controlllm.planning.planner import Planner


def prompted_planner(embedded: Planner, asker: Asker, roles: Collection[str]) -> Planner:
    """A planner for one request with these roles prompted and the others as they are.

    `roles` are names of `asking.ROLES`; the embedded planner's parts take over where the model
    fails.
    """
    graph = embedded.graph
    return embedded.with_parts(
        decomposer=PromptedDecomposer(asker, graph, embedded.decomposer)
        if "decompose" in roles
        else None,
        assessor=PromptedAssessor(asker, embedded.assessor) if "assess" in roles else None,
        resource_expert=PromptedResourceExpert(asker, graph.lattice, embedded.resource_expert)
        if "arguments" in roles
        else None,
        solution_expert=PromptedSolutionExpert(asker, graph.toolbox, embedded.solution_expert)
        if "rank" in roles
        else None,
        llm_calls=lambda: asker.usage.calls,
    )
