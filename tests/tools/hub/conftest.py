"""What the tests of downloaded models share: tiny models, each built when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controlllm.models import release_models
from controlllm.models.weights import FOLDER_SETTING, Weights
from tests.tools.tiny_models import build


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Weights], Path]:
    root = tmp_path_factory.mktemp("tiny")

    def get(weights: Weights) -> Path:
        folder = root / weights.repository.replace("/", "--")
        return folder if folder.is_dir() else build(weights, folder)

    return get


@pytest.fixture(scope="module", autouse=True)
def _released() -> Iterator[None]:
    yield
    release_models()


@pytest.fixture(scope="module")
def models(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """A folder where the program looks for weights, with those that a module of tests names."""
    folder = tmp_path_factory.mktemp("models")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER_SETTING, str(folder))
        for weights in request.module.WEIGHTS:
            build(weights)
        yield folder
