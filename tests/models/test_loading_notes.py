"""What was loaded for somebody can be loaded again from what was noted, and nothing else is run."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from controlllm.models import release_models, residence, resident
from controlllm.models.residence import begin_use, complete_users, follow, note_of

LOADED: list[object] = []


@dataclass(frozen=True)
class Place:
    path: Path
    number: int = 0


@resident
def model(place: Place, *, kind: str | None = None) -> str:
    LOADED.append((place, kind))
    return "a model"


@resident
def odd_model(value: object) -> str:
    LOADED.append(value)
    return "another"


@pytest.fixture(autouse=True)
def nothing_loaded(monkeypatch):
    monkeypatch.setattr(residence, "_user", "")
    residence._used_by.clear()
    release_models()
    LOADED.clear()
    yield
    release_models()


def test_what_one_loaded_is_loaded_again_from_its_note():
    begin_use("one")
    model(Place(Path("weights"), 2), kind="small")
    odd_model(object())
    begin_use("other")
    model(Place(Path("others")))
    note = json.loads(json.dumps(note_of("one", set(sys.modules))))
    assert note["modules"] == [] and len(note["loads"]) == 1
    release_models()
    LOADED.clear()
    begin_use("one")
    follow(note)
    assert [(Place(Path("weights"), 2), "small")] == LOADED
    model(Place(Path("weights"), 2), kind="small")
    assert len(LOADED) == 1


def test_modules_are_noted_with_their_packages(monkeypatch):
    known = set(sys.modules)
    for name in (
        "new",
        "new.part",
        "new.part.deep",
        "new._hidden",
        "tools.new.embedded.deep",
    ):
        monkeypatch.setitem(sys.modules, name, sys)
    assert note_of("", known)["modules"] == [
        "new",
        "new.part",
        "tools.new.embedded.deep",
    ]


def test_nothing_but_loaders_of_models_is_called(tmp_path):
    mark = tmp_path / "mark"
    loads = [
        ["os", "mkdir", [{"path": str(mark)}], {"fields": {}}],
        ["nowhere", "model", [], {"fields": {}}],
        [__name__, "model", [{"of": ["os", "mkdir"], "fields": {"path": str(mark)}}], {}],
        [__name__, "odd_model", ["fine"], {"fields": {}}],
    ]
    follow({"modules": ["no.such.module", "json"], "loads": loads})
    assert not mark.exists() and LOADED == ["fine"]
    assert complete_users() == []
