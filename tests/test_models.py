"""Model files and models that stay loaded."""

from __future__ import annotations

import hashlib
import threading
import time
from pathlib import Path

import pytest

from controlllm import models
from controlllm.models import (
    ModelFileError,
    packaged_model,
    release_models,
    resident,
    shipped_model,
)

CONTENT = b"weights"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(models, "ASSETS", tmp_path)
    (tmp_path / "a.onnx").write_bytes(CONTENT)
    return tmp_path


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    package = tmp_path / "weights_inside"
    (package / "data").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    (package / "data" / "a.onnx").write_bytes(CONTENT)
    monkeypatch.syspath_prepend(tmp_path)
    return package


def test_a_shipped_model(folder):
    assert shipped_model("a.onnx", SHA256) == folder / "a.onnx"


def test_a_missing_model_says_what_to_do(folder):
    with pytest.raises(ModelFileError, match="b.onnx is missing. Get a fresh copy"):
        shipped_model("b.onnx", SHA256)


def test_another_content_is_refused_also_when_it_changes_later(folder):
    with pytest.raises(ModelFileError, match="not the tested one"):
        shipped_model("a.onnx", "0" * 64)
    shipped_model("a.onnx", SHA256)
    (folder / "a.onnx").write_bytes(CONTENT + b"!")
    with pytest.raises(ModelFileError, match="not the tested one"):
        shipped_model("a.onnx", SHA256)


def test_a_model_in_a_package_that_is_not_imported(package):
    assert packaged_model("weights_inside", "data/a.onnx", SHA256) == package / "data" / "a.onnx"


def test_a_package_that_is_not_there():
    with pytest.raises(ModelFileError, match="no_such_weights is not installed"):
        packaged_model("no_such_weights", "a.onnx", SHA256)


def test_another_version_of_a_package(package):
    with pytest.raises(ModelFileError, match="Install weights_inside again"):
        packaged_model("weights_inside", "data/a.onnx", "0" * 64)


def test_a_model_is_loaded_once_for_each_set_of_arguments():
    loaded = []

    @resident
    def load(name: str, size: int = 1) -> object:
        loaded.append((name, size))
        return object()

    assert load("a") is load("a")
    assert load("a", size=2) is not load("a")
    assert loaded == [("a", 1), ("a", 2)]
    first = load("a")
    release_models()
    assert load("a") is not first


def test_many_threads_load_a_model_once():
    loaded = []

    @resident
    def load() -> object:
        time.sleep(0.05)
        loaded.append(1)
        return object()

    got: list[object] = []
    threads = [threading.Thread(target=lambda: got.append(load())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loaded) == 1
    assert len(set(map(id, got))) == 1


def test_a_load_that_failed_is_tried_again():
    attempts = []

    @resident
    def load() -> str:
        attempts.append(1)
        if len(attempts) == 1:
            raise ModelFileError("missing")
        return "model"

    with pytest.raises(ModelFileError):
        load()
    assert load() == "model"


@pytest.mark.parametrize("path", sorted(models.ASSETS.glob("*.onnx")), ids=lambda path: path.name)
def test_shipped_models_open(path):
    session = models.onnx_session(path)
    assert session.get_inputs()
    assert session.get_outputs()
