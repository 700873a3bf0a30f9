"""Where a program keeps what belongs to a person."""

from pathlib import Path

import pytest

from controlllm.store import home
from controlllm.store.home import home_folder


def test_the_environment_names_it(tmp_path: Path) -> None:
    assert home_folder({"CONTROLLLM_HOME": f" {tmp_path} "}) == tmp_path
    assert home_folder({"CONTROLLLM_HOME": "~/here"}) == Path.home() / "here"


def test_a_checkout_keeps_it_beside_itself() -> None:
    assert home_folder({}) == Path(home.__file__).resolve().parents[2] / ".data"


def test_an_installed_program_keeps_it_with_a_persons_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(home, "_PROJECT", tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert home_folder({}) == tmp_path / "controlllm"
