"""The engine: runs a plan's actions, as many at once as there are workers."""

from controlllm.engine.attempt import Attempt, Attempted
from controlllm.engine.calls import Terms
from controlllm.engine.learnt import Durations
from controlllm.engine.limits import Limits
from controlllm.engine.processes import WorkerProcesses
from controlllm.engine.scheduler import Engine
from controlllm.engine.workers import Workers, workers_from_environment
