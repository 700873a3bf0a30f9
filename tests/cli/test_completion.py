"""The script that completes commands in a shell is one that the shell can read."""

from __future__ import annotations

import shutil
import subprocess

from controlllm.cli.main import main
from tests.every_case import every_case


@every_case("shell", ["bash", "zsh"])
def test_it_names_the_commands(shell, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "serve" in script and "--prefer" in script
    found = shutil.which(shell)
    if found is not None:
        subprocess.run([found, "-n"], input=script, text=True, check=True)
