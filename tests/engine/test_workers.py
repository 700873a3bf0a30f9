"""Where tools run is a setting."""

from __future__ import annotations

import builtins

import pytest

from controlllm.engine import Limits, WorkerProcesses, workers_from_environment
from controlllm.store import Store
from controlllm.toolbox import Toolbox


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path)
    yield made
    made.close()


def test_they_are_processes_of_this_machine_where_nothing_is_set(store):
    workers = workers_from_environment(Toolbox.of([]), store, Limits(), environment={})
    try:
        assert isinstance(workers, WorkerProcesses)
    finally:
        workers.close()


def test_an_unknown_kind_is_said(store):
    with pytest.raises(ValueError, match="'dask'.*local or ray"):
        workers_from_environment(
            Toolbox.of([]), store, Limits(), environment={"CONTROLLLM_ENGINE": "dask"}
        )


def test_what_is_not_installed_is_said(store, monkeypatch):
    found = builtins.__import__

    def without_ray(name, *rest, **named):
        if name == "ray":
            raise ImportError(name)
        return found(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without_ray)
    with pytest.raises(ValueError, match="--group cluster"):
        workers_from_environment(
            Toolbox.of([]), store, Limits(), environment={"CONTROLLLM_ENGINE": "ray"}
        )
