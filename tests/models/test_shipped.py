"""Model files and models that stay loaded."""

from __future__ import annotations

import hashlib
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from controlllm.models import Model, ModelFile, ModelFileError, release_models, resident, shipped
from controlllm.models.model_list import files_used_by, shipped_models
from controlllm.toolbox import Toolbox
from tests.every_case import every_case

PAGES = Path(__file__).resolve().parent.parent.parent / "docs" / "models"
CONTENT = b"weights"
SHA256 = hashlib.sha256(CONTENT).hexdigest()
MODEL = Model("A model", "trying", "MIT", "made here")
SHIPPED = ModelFile("a.onnx", SHA256, MODEL)
PACKAGED = ModelFile("data/a.onnx", SHA256, MODEL, package="weights_inside")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(shipped, "MODEL_FOLDER", tmp_path)
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
    assert SHIPPED.path() == folder / "a.onnx"
    assert SHIPPED.state() == "ok"


def test_a_missing_model_says_what_to_do(folder):
    missing = replace(SHIPPED, name="b.onnx")
    with pytest.raises(ModelFileError, match="b.onnx is missing. Get a fresh copy"):
        missing.path()
    assert missing.state() == "missing"


def test_another_content_is_refused_also_when_it_changes_later(folder):
    with pytest.raises(ModelFileError, match="not the tested one"):
        replace(SHIPPED, sha256="0" * 64).path()
    SHIPPED.path()
    (folder / "a.onnx").write_bytes(CONTENT + b"!")
    with pytest.raises(ModelFileError, match="not the tested one"):
        SHIPPED.path()
    assert SHIPPED.state() == "changed"


def test_a_model_in_a_package_that_is_not_imported(package):
    assert PACKAGED.path() == package / "data" / "a.onnx"


def test_a_package_that_is_not_there():
    absent = replace(PACKAGED, package="no_such_weights")
    with pytest.raises(ModelFileError, match="no_such_weights is not installed"):
        absent.path()
    assert absent.place() is None
    assert absent.state() == "missing"


def test_another_version_of_a_package(package):
    with pytest.raises(ModelFileError, match="Install weights_inside again"):
        replace(PACKAGED, sha256="0" * 64).path()


def test_every_file_of_the_assets_belongs_to_a_listed_model():
    listed = {file.name for item in shipped_models() for file in item.files if file.package == ""}
    files = [path for path in shipped.MODEL_FOLDER.rglob("*") if path.is_file()]
    assert listed == {path.relative_to(shipped.MODEL_FOLDER).as_posix() for path in files}


@every_case("item", shipped_models(), ids=lambda item: item.model.name)
def test_what_ships_is_intact_and_said_to_be_somebodys(item):
    assert [file.state() for file in item.files] == ["ok"] * len(item.files)
    assert item.model.licence and item.model.source and item.model.used_for
    if item.model.page:
        assert (PAGES / item.model.page).is_file()


def test_tools_are_found_by_what_their_code_leads_to():
    users = {item.model.name: set(item.tools) for item in shipped_models(Toolbox.load())}
    assert users["HED"] == {"image_to_hed", "image_to_scribble"}
    assert users["MoveNet Lightning"] == {"image_to_pose"}
    assert users['Piper voice "joe"'] == {"text_to_speech"}
    assert {"object_detection", "visual_grounding"} <= users["CenterNet"]
    # Its engine is reached through a property of an object of a module of a function.
    assert "image_captioning" in users["RapidOCR"]
    assert "image_to_canny" not in set().union(*users.values())


def test_a_function_that_uses_no_model():
    assert files_used_by(len) == frozenset()
    assert files_used_by(test_a_function_that_uses_no_model) == frozenset()


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


@every_case("path", sorted(shipped.MODEL_FOLDER.glob("*.onnx")), ids=lambda path: path.name)
def test_shipped_models_open(path):
    session = shipped.onnx_session(path)
    assert session.get_inputs()
    assert session.get_outputs()
