"""Which of the planner's roles a language model keeps: those of the paper's variants (Sec. 4.4,
6-8), or all of them at once by proposing the whole plan."""

from __future__ import annotations

from collections.abc import Collection

from controlllm.language.asking import Asker
from controlllm.language.assessing import PromptedAssessor
from controlllm.language.course import Course
from controlllm.language.decomposing import PromptedDecomposer
from controlllm.language.proposing import PromptedProposer
from controlllm.language.ways import PromptedWays
from controlllm.planning.planner import Planner


def prompted_planner(embedded: Planner, asker: Asker, roles: Collection[str]) -> Planner:
    """A planner for one request with these roles prompted and the others as they are.

    `roles` are names of `asking.ROLES`; the embedded planner's parts take over where the model
    fails. With "propose" a request takes one call. Otherwise it takes one to decompose it, one to
    assess the tools for all its subtasks, and one more for each subtask whose ways or inputs are
    open.
    """
    if "propose" in roles:
        return embedded.with_parts(
            decomposer=PromptedProposer(asker, embedded), llm_calls=lambda: asker.usage.calls
        )
    graph, solver = embedded.graph, embedded.solver
    course = Course(graph.lattice)
    ways = None
    if "rank" in roles:
        ways = PromptedWays(
            asker, graph.toolbox, solver.resource_expert, solver.solution_expert, course
        )
    return embedded.with_parts(
        decomposer=PromptedDecomposer(asker, graph, embedded.decomposer)
        if "decompose" in roles
        else None,
        assessor=PromptedAssessor(asker, solver.assessor, graph, course)
        if "assess" in roles
        else None,
        resource_expert=ways,
        solution_expert=ways,
        llm_calls=lambda: asker.usage.calls,
    )
