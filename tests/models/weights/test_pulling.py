"""Fetching weights from a hub on this machine that speaks the real hub's protocol."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import huggingface_hub.constants
import pytest

from controlllm.cli.main import main
from controlllm.models.model_list import weights_of_size
from controlllm.models.weights import MANIFEST, Weights, pulling, receiving
from controlllm.models.weights.downloading import broken_files, fetch
from controlllm.models.weights.hub import chosen_files
from controlllm.models.weights.packages import missing_packages
from controlllm.models.weights.pulling import Progress, Pull
from controlllm.models.weights.receiving import DownloadFault
from controlllm.toolbox import Toolbox
from controlllm.toolbox import capabilities as capabilities
from tests.every_case import every_case
from tests.models.weights.hub_server import Hub, Repository, running_hub

PAINTER = Weights("painters/usual", "apache-2.0", 700_000)
LARGE = "unet/diffusion.safetensors"

TOOL = '''
from controlllm.resources import Image, Text
from controlllm.toolbox import tool
from controlllm.models.weights import Weights

USUAL = Weights("painters/usual", "apache-2.0", 700_000)
SMALL = Weights("painters/small", "apache-2.0", 100_000)
EXAMPLES = ["Paint a cat.", "Draw me a house."]


@tool(domain="image-generation", examples=EXAMPLES)
def paint_wish(text: Text) -> Image:
    """Paint a picture of what a text describes."""


@paint_wish.implementation("hub", weights={"painter": {"small": SMALL, "usual": USUAL}})
def _(text, context):
    raise NotImplementedError
'''


def some_bytes(count: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(count)


def painter() -> Repository:
    return Repository(
        {
            "README.md": b"# Painter",
            "config.json": b'{"width": 8}',
            LARGE: some_bytes(600_000),
            "text/model.safetensors": some_bytes(100_000, seed=2),
            "pytorch_model.bin": b"a pickle",
            "pipeline.py": b"raise SystemExit",
        },
        large=frozenset({LARGE, "text/model.safetensors", "pytorch_model.bin"}),
    )


@pytest.fixture
def hub(monkeypatch, tmp_path):
    monkeypatch.setenv("CONTROLLLM_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub home"))
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(huggingface_hub.constants, "HF_TOKEN_PATH", str(tmp_path / "no token"))
    monkeypatch.setattr(receiving, "_SECONDS_BETWEEN_TRIES", (0.01, 0.01))
    with running_hub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        hub.repositories["painters/usual"] = painter()
        yield hub


@pytest.fixture
def tools(tmp_path) -> Path:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "painting.py").write_text(TOOL)
    return tmp_path / "tools"


def pulled(weights: Weights = PAINTER) -> list[Progress]:
    told: list[Progress] = []
    fetch(weights, told.append)
    return told


def refusal(weights: Weights = PAINTER) -> str:
    with pytest.raises(DownloadFault) as caught:
        fetch(weights, lambda told: None)
    assert not weights.is_here
    return str(caught.value)


def command(tools: Path, *arguments: str) -> list[str]:
    return [
        *(sys.executable, "-m", "controlllm", "models", *arguments),
        *("--tools", str(tools)),
    ]


def test_weights_are_fetched_whole_and_written_down(hub: Hub):
    told = pulled()
    files = hub.repositories["painters/usual"].files
    kept = {
        str(path.relative_to(PAINTER.folder)): path.read_bytes()
        for path in PAINTER.folder.rglob("*")
        if path.is_file() and path.name != MANIFEST
    }
    # Neither the pickle nor the program: both could run something.
    assert kept == {
        name: content
        for name, content in files.items()
        if name not in ("pytorch_model.bin", "pipeline.py")
    }
    manifest = PAINTER.manifest()
    assert manifest["commit"] == hub.repositories["painters/usual"].commit
    assert manifest["licence"] == "apache-2.0"
    assert manifest["files"][LARGE] == {
        "size": 600_000,
        "sha256": hashlib.sha256(files[LARGE]).hexdigest(),
    }
    assert manifest["files"]["config.json"]["sha256"] == hashlib.sha256(b'{"width": 8}').hexdigest()
    assert PAINTER.is_here and not broken_files(PAINTER, thoroughly=True)
    assert [told[0].step, told[-1].step] == ["asking", "finished"]
    fractions = [item.fraction for item in told if item.step == "downloading"]
    assert fractions == sorted(fractions) and len(set(fractions)) > 2


def test_only_what_changed_here_is_fetched_again(hub: Hub):
    pulled()
    before = len(hub.requests)
    assert pulled()[-1].words == "painters/usual is here already."
    assert len(hub.requests) == before
    sent = hub.sent.copy()
    (PAINTER.folder / LARGE).write_bytes(b"x" * 600_000)
    pulled()
    assert hub.sent - sent == {LARGE: 600_000}
    assert not broken_files(PAINTER, thoroughly=True)


def test_only_what_matches_the_patterns(hub: Hub):
    weights = Weights("painters/usual", "apache-2.0", 1, ("text/*", "*.json"))
    pulled(weights)
    assert set(weights.manifest()["files"]) == {"config.json", "text/model.safetensors"}
    assert hub.sent[LARGE] == 0


def test_a_cut_connection_is_gone_on_with(hub: Hub):
    hub.cuts = [200_000, 150_000]
    pulled()
    assert hub.sent[LARGE] == 600_000
    assert hub.asked("Signature=1 bytes=200000-") == hub.asked("Signature=1 bytes=350000-") == 1
    assert not broken_files(PAINTER, thoroughly=True)


def test_another_day_goes_on_where_the_first_stopped(hub: Hub):
    def stop_early(told: Progress) -> None:
        if told.done > 200_000:
            raise KeyboardInterrupt

    hub.slow_after = 250_000
    with pytest.raises(KeyboardInterrupt):
        fetch(PAINTER, stop_early)
    assert not PAINTER.is_here
    [part] = [path for path in (PAINTER.folder / ".parts").iterdir() if path.stat().st_size]
    had = part.stat().st_size
    assert 0 < had < 600_000
    hub.slow_after = None
    asked = len(hub.requests)
    pulled()
    ranges = [line.rsplit(" ", 1)[1] for line in hub.requests[asked:] if "bytes=" in line]
    assert f"bytes={had}-" in ranges
    assert not broken_files(PAINTER, thoroughly=True)


def test_a_hub_that_cannot_go_on_begins_the_file_anew(hub: Hub):
    hub.cuts, hub.ranges = [200_000], False
    pulled()
    assert hub.sent[LARGE] == 800_000
    assert not broken_files(PAINTER, thoroughly=True)


def test_a_newer_state_replaces_what_was_begun(hub: Hub):
    hub.cuts = [200_000, 0, 0, 0]
    assert "could not be reached, or the connection broke off" in refusal()
    files = hub.repositories["painters/usual"].files
    files[LARGE] = some_bytes(500_000, seed=9)
    del files["README.md"]
    pulled()
    assert (PAINTER.folder / LARGE).read_bytes() == files[LARGE]
    assert not (PAINTER.folder / "README.md").exists()
    assert not (PAINTER.folder / ".parts").exists()


def test_another_revision_is_fetched_when_it_is_wanted(hub: Hub):
    pulled()
    commit = hub.repositories["painters/usual"].commit
    pinned = Weights("painters/usual", "apache-2.0", 700_000, revision=commit)
    sent = hub.sent.copy()
    pulled(pinned)
    assert pinned.manifest()["revision"] == commit
    assert hub.sent == sent


def test_a_revision_that_is_proposed_only(hub: Hub):
    weights = Weights("painters/usual", "apache-2.0", 700_000, revision="refs/pr/1")
    pulled(weights)
    assert weights.manifest()["revision"] == "refs/pr/1"


@every_case("seed", range(3), anew=(hub,))
def test_a_wrong_checksum_throws_the_file_away(hub: Hub, seed: int):
    name = [LARGE, "text/model.safetensors", LARGE][seed]
    repository = hub.repositories["painters/usual"]
    wrong = bytearray(repository.files[name])
    wrong[seed * 1000] ^= 1
    repository.sent_instead[name] = bytes(wrong)
    said = refusal()
    assert "checksum is wrong" in said and name in said
    assert not (PAINTER.folder / name).exists()
    assert not [path for path in (PAINTER.folder / ".parts").iterdir() if path.stat().st_size]
    repository.sent_instead.clear()
    pulled()
    assert PAINTER.is_here


def test_a_small_file_with_another_content(hub: Hub, monkeypatch):
    # Git's number is what the hub gives for these.
    described = Repository.described

    def wrongly(self, name):
        answer = described(self, name)
        for sibling in answer["siblings"]:
            if sibling["rfilename"] == "config.json":
                sibling["blobId"] = "0" * 40
        return answer

    monkeypatch.setattr(Repository, "described", wrongly)
    assert "config.json of painters/usual is not what the model hub promised" in refusal()


NOBODY = Weights("painters/nobody", "MIT", 1)


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@every_case(
    ("change", "weights", "said"),
    [
        (lambda hub, patch: patch.setenv("HF_TOKEN", "hf_secret"), PAINTER, "not know the token"),
        (lambda hub, patch: None, NOBODY, "has no repository painters/nobody"),
        (lambda hub, patch: patch.setenv("HF_TOKEN", "hf_right"), NOBODY, "has no repository"),
        (lambda hub, patch: None, replace(PAINTER, revision="no"), "has no revision 'no'"),
        (
            lambda hub, patch: patch.setenv("HF_ENDPOINT", "http://127.0.0.1:9"),
            *(PAINTER, "http://127.0.0.1:9 could not be reached"),
        ),
        (
            lambda hub, patch: patch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True),
            *(PAINTER, "models pull painters/usual"),
        ),
        (lambda hub, patch: hub.faults.extend([500] * 20), PAINTER, "with the fault 500"),
        (
            lambda hub, patch: patch.setattr(
                shutil, "disk_usage", lambda path: SimpleNamespace(free=200_000_000)
            ),
            *(PAINTER, "needs 1 MB more on the disk and 200 MB are free"),
        ),
        (lambda hub, patch: patch.setattr(os, "replace", full), PAINTER, "The disk is full"),
        (
            lambda hub, patch: hub.repositories["painters/usual"].sent_instead.update(
                {LARGE: some_bytes(2_000_000)}
            ),
            *(PAINTER, "is larger than was promised"),
        ),
    ],
    anew=(hub,),
)
def test_what_keeps_weights_from_being_fetched_is_told(
    hub: Hub, monkeypatch, change, weights, said
):
    change(hub, monkeypatch)
    told = refusal(weights)
    assert said in told and "hf_secret" not in told


def test_a_hub_that_stumbles_is_asked_again(hub: Hub):
    hub.faults = [503, 429]
    pulled()
    assert PAINTER.is_here


def test_a_repository_with_conditions(hub: Hub, monkeypatch):
    hub.repositories["painters/usual"].gated = True
    said = refusal()
    assert "accepted its conditions" in said and "HF_TOKEN" in said
    monkeypatch.setenv("HF_TOKEN", "hf_right")
    pulled()
    assert PAINTER.is_here
    # The other host has the file's signed address and needs no token.
    assert hub.tokens_on_other_host == []


def test_two_do_not_fetch_the_same_at_once(hub: Hub):
    def tell(told: Progress) -> None:
        if told.step == "downloading":
            with pytest.raises(DownloadFault, match="being fetched already"):
                fetch(PAINTER, lambda told: None)
            seen.append(told)

    seen: list[Progress] = []
    fetch(PAINTER, tell)
    assert seen and PAINTER.is_here


@every_case("name", ["../../evil.json", "/etc/evil.json", "a/../../b.json", "c:\\x.json"])
def test_a_name_that_would_leave_the_folder(name):
    with pytest.raises(DownloadFault, match="wrong name"):
        chosen_files(PAINTER, ["model.safetensors", name])


@every_case("name", ["model.bin", "model.pt", "x/model.ckpt", "model.pkl", "model.h5"])
def test_weights_that_could_run_code_are_refused(name):
    with pytest.raises(DownloadFault, match="could run code"):
        chosen_files(PAINTER, ["config.json", name])
    assert chosen_files(PAINTER, ["a.safetensors", name, "run.py"]) == {"a.safetensors"}


def test_a_repository_without_anything_that_is_needed():
    with pytest.raises(DownloadFault, match="none of the files"):
        chosen_files(Weights("a/b", "MIT", 1, ("*.gguf",)), ["config.json"])


@pytest.mark.long
def test_the_command_fetches_though_the_program_is_kept_offline(hub: Hub, tools):
    hub.repositories["painters/small"] = Repository({"model.safetensors": some_bytes(100_000)})
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    ran = subprocess.run(
        command(tools, "pull", "paint_wish", "--size", "small", "--json"),
        capture_output=True, text=True, timeout=280, env=environment,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert set(lines[0]) == {"step", "words", "fraction", "done", "total"}
    assert lines[-1]["step"] == "finished"
    assert lines[-1]["words"] == "Here now: painters/small."
    assert Weights("painters/small", "MIT", 1).is_here and not PAINTER.is_here


def test_the_command_tells_people(hub: Hub, tools, capsys):
    pull = ["models", "pull", "painters/usual", "--tools", str(tools)]
    assert main(pull) == 0
    said = capsys.readouterr().out
    assert "Fetching unet/diffusion.safetensors" in said
    assert said.endswith("Here now: painters/usual.\n")
    hub.repositories.clear()
    shutil.rmtree(PAINTER.folder)
    assert main(pull) == 1
    said = capsys.readouterr().err
    assert "has no repository painters/usual" in said and "Traceback" not in said


def test_each_line_of_the_command_is_progress_up_to_a_failure(hub: Hub, tools, capsys):
    hub.repositories["painters/usual"].gated = True
    main(["models", "pull", "painters/usual", "--json", "--tools", str(tools)])
    *_, last = [pulling._read(line) for line in capsys.readouterr().out.encode().splitlines()]
    assert last is not None and last.step == "failed"
    assert "accepted its conditions" in last.words


GPU_TOOL = TOOL.replace(
    '@paint_wish.implementation("hub", weights={"painter": {"small": SMALL, "usual": USUAL}})',
    """@paint_wish.implementation(
    "hub", weights={"painter": {"usual": Weights("painters/huge", "MIT", 9)}}, needs_gpu=True
)
def _(text, context):
    raise NotImplementedError


@paint_wish.implementation("hub", weights={"painter": {"usual": USUAL}})""",
)


@pytest.mark.parametrize(
    ("accelerator", "expected"), [("", "painters/usual"), ("cuda", "painters/huge")]
)
def test_weights_that_this_machine_can_use(tools, monkeypatch, accelerator, expected):
    monkeypatch.setattr(capabilities, "_accelerator", lambda: accelerator)
    (tools / "painting.py").write_text(GPU_TOOL)
    found = Toolbox.load(tools).with_weights("paint_wish")
    assert found is not None
    assert [item.repository for item in weights_of_size(found, "usual")] == [expected]


def test_weights_for_a_gpu_are_not_fetched_by_a_tools_name_without_one(tools, monkeypatch, capsys):
    monkeypatch.setattr(capabilities, "_accelerator", lambda: "")
    only = GPU_TOOL[: GPU_TOOL.rindex("@paint_wish")]
    (tools / "painting.py").write_text(only)
    assert main(["models", "pull", "paint_wish", "--tools", str(tools)]) == 1
    assert "needs a GPU for its weights" in capsys.readouterr().err


def test_one_that_fails_does_not_keep_the_others(hub: Hub, tools, capsys):
    names = ["nobody", "painters/small", "painters/usual"]
    assert main(["models", "pull", *names, "--tools", str(tools)]) == 1
    said = capsys.readouterr().err
    assert "There is no tool or repository called nobody" in said
    assert "has no repository painters/small" in said
    assert "Here now: painters/usual." in said
    assert PAINTER.is_here


@pytest.mark.long
async def test_a_pull_beside_a_server(hub: Hub, tools):
    pull = Pull(["paint_wish"], tools=[tools])
    steps = [told.step async for told in pull.progress()]
    assert steps[0] == "asking" and steps[-1] == "finished" and "downloading" in steps
    assert pull.ended and pull.latest.fraction == 1
    assert PAINTER.is_here
    await pull.stop()
    with pytest.raises(RuntimeError, match="runs once"):
        await anext(pull.progress())


async def test_a_pull_that_is_stopped_goes_on_next_time(hub: Hub, tools):
    hub.slow_after = 200_000
    pull = Pull(["paint_wish"], tools=[tools])
    stopping = None
    async for told in pull.progress():
        if stopping is None and told.done > 100_000:
            stopping = asyncio.create_task(pull.stop())
    assert stopping is not None
    await stopping
    assert pull.latest.step == "stopped" and "goes on from there" in pull.latest.words
    kept = sum(path.stat().st_size for path in (PAINTER.folder / ".parts").iterdir())
    assert kept > 100_000 and not PAINTER.is_here
    hub.slow_after = None
    asked = len(hub.requests)
    again = Pull(["paint_wish"], tools=[tools])
    assert [told async for told in again.progress()][-1].step == "finished"
    assert any(f"bytes={kept}-" in line for line in hub.requests[asked:])


@pytest.mark.long
async def test_a_pull_that_fails_says_why(hub: Hub, tools):
    hub.repositories["painters/usual"].gated = True
    pull = Pull(["paint_wish"], tools=[tools])
    assert [told async for told in pull.progress()][-1].step == "failed"
    assert "accepted its conditions" in pull.latest.words


@pytest.mark.long
async def test_a_pull_that_is_killed_is_told_as_a_failure(hub: Hub, tools):
    hub.slow_after = 0
    pull = Pull(["paint_wish"], tools=[tools])
    was_killed = False
    async for told in pull.progress():
        if told.step == "downloading" and not was_killed:
            assert pull._process is not None
            pull._process.kill()
            was_killed = True
    assert pull.latest.step == "failed" and "broke off" in pull.latest.words


async def test_a_pull_that_is_stopped_before_it_began(hub: Hub, tools):
    pull = Pull(["paint_wish"], tools=[tools])
    await pull.stop()
    assert [told async for told in pull.progress()][-1].step == "stopped"
    assert not PAINTER.is_here


def test_packages_that_are_missing():
    assert missing_packages(["json", "no_such_package"]) == ("no_such_package",)
