"""The same graphs of waiting actions, run by libraries that people know: LangGraph and Dask.

They are installed by ``make bench-engine`` alone; nothing else needs them.
"""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

#: Runs actions of some seconds that read others' results; returns the seconds it took.
Run = Callable[[Sequence[float], Sequence[Sequence[int]]], float]


def wait(name: str, seconds: float, *parts: str) -> str:
    """What `waiting_tools` does, as a plain function."""
    time.sleep(seconds)
    return f"{name} {hashlib.sha256(''.join(parts).encode()).hexdigest()[:16]}"


@contextmanager
def _langgraph(workers: int, kept: bool) -> Iterator[Run]:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
    from langgraph.graph import END, START, StateGraph

    def built(seconds: Sequence[float], parents: Sequence[Sequence[int]]) -> Any:
        graph = StateGraph(_state())
        read = {parent for of in parents for parent in of}
        for node, (own, of) in enumerate(zip(seconds, parents, strict=True)):
            graph.add_node(f"n{node}", _node(node, own, tuple(of)))
            if of:
                graph.add_edge([f"n{parent}" for parent in of], f"n{node}")
            else:
                graph.add_edge(START, f"n{node}")
            if node not in read:
                graph.add_edge(f"n{node}", END)
        return graph

    def _node(node: int, own: float, of: tuple[int, ...]) -> Callable[[Any], Any]:
        def work(state: Any) -> dict[str, Any]:
            made = state["made"]
            return {"made": {node: wait(str(node), own, *(made[parent] for parent in of))}}

        return work

    async def drained(graph: Any, config: dict[str, Any], size: int) -> float:
        async with AsyncSqliteSaver.from_conn_string(f"{folder}/kept.db") as saver:
            compiled = graph.compile(checkpointer=saver if kept else None)
            started = time.perf_counter()
            found = await compiled.ainvoke({"made": {}}, config)
            seconds = time.perf_counter() - started
        if len(found["made"]) != size:
            raise RuntimeError("Some actions were not done.")
        return seconds

    with tempfile.TemporaryDirectory() as folder:
        turn = iter(range(1_000_000))

        def run(seconds: Sequence[float], parents: Sequence[Sequence[int]]) -> float:
            config = {
                "max_concurrency": workers,
                "recursion_limit": 10_000,
                "configurable": {"thread_id": str(next(turn))},
            }
            return asyncio.run(drained(built(seconds, parents), config, len(seconds)))

        yield run


def _state() -> Any:
    """What LangGraph's nodes share: the results so far, by action."""
    from typing import Annotated, TypedDict

    def joined(known: dict[int, str], new: dict[int, str]) -> dict[int, str]:
        return {**known, **new}

    made: Any = TypedDict
    return made("State", {"made": Annotated[dict[int, str], joined]})


def _dask_graph(seconds: Sequence[float], parents: Sequence[Sequence[int]]) -> dict[str, Any]:
    return {
        f"n{node}": (wait, str(node), own, *(f"n{parent}" for parent in of))
        for node, (own, of) in enumerate(zip(seconds, parents, strict=True))
    }


@contextmanager
def _dask_threads(workers: int) -> Iterator[Run]:
    import dask.threaded

    def run(seconds: Sequence[float], parents: Sequence[Sequence[int]]) -> float:
        graph = _dask_graph(seconds, parents)
        started = time.perf_counter()
        dask.threaded.get(graph, list(graph), num_workers=workers)
        return time.perf_counter() - started

    yield run


@contextmanager
def _dask_processes(workers: int) -> Iterator[Run]:
    from distributed import Client, LocalCluster

    cluster = LocalCluster(
        n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0", host="127.0.0.1"
    )
    with cluster, Client(cluster) as client:

        def run(seconds: Sequence[float], parents: Sequence[Sequence[int]]) -> float:
            graph = _dask_graph(seconds, parents)
            # Results of an earlier graph must not be taken for those of this one.
            client.cancel([])
            started = time.perf_counter()
            client.get(graph, list(graph))
            return time.perf_counter() - started

        yield run


def _kept(workers: int) -> AbstractContextManager[Run]:
    return _langgraph(workers, kept=True)


def _unkept(workers: int) -> AbstractContextManager[Run]:
    return _langgraph(workers, kept=False)


WAYS: dict[str, Callable[[int], AbstractContextManager[Run]]] = {
    "LangGraph, nothing kept": _unkept,
    "LangGraph, checkpoints in SQLite": _kept,
    "Dask, threads, nothing kept": _dask_threads,
    "Dask, processes (distributed), nothing kept": _dask_processes,
}
