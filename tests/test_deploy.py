"""The files for containers and clusters: they can be read, and name what is really there."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
INSTRUCTIONS = {
    *("ARG", "FROM", "RUN", "WORKDIR", "COPY", "USER", "ENV", "VOLUME", "EXPOSE", "HEALTHCHECK"),
    "CMD",
}


def instructions() -> list[tuple[str, str]]:
    text = (DEPLOY / "Containerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in lines]


def test_the_containerfile_has_only_known_instructions_and_runs_without_rights():
    found = instructions()
    assert found[0][0] == "FROM"
    assert {name for name, _ in found} == INSTRUCTIONS
    names = [name for name, _ in found]
    assert names.index("USER") < names.index("CMD")


def test_what_the_containerfile_copies_is_there():
    for name, given in instructions():
        if name == "COPY":
            *sources, _ = [word for word in given.split() if not word.startswith("--")]
            assert all((ROOT / source).exists() for source in sources), given


@pytest.mark.parametrize("name", ["raycluster.yaml", "page.yaml"])
def test_the_manifests_can_be_read(name):
    for document in yaml.safe_load_all((DEPLOY / name).read_text("utf-8")):
        assert {"apiVersion", "kind", "metadata", "spec"} <= document.keys()


def test_the_cluster_runs_the_ray_that_is_required():
    (cluster,) = yaml.safe_load_all((DEPLOY / "raycluster.yaml").read_text("utf-8"))
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    assert groups["cluster"] == [f"ray=={cluster['spec']['rayVersion']}"]


def test_the_page_is_asked_what_it_answers():
    deployment = next(yaml.safe_load_all((DEPLOY / "page.yaml").read_text("utf-8")))
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    probes = [container[kind]["httpGet"]["path"] for kind in ("readinessProbe", "livenessProbe")]
    assert probes == ["/ready", "/health"]
    settings = (ROOT / "docs" / "settings.md").read_text("utf-8")
    named = [item["name"] for item in container["env"] if item["name"].startswith("CONTROLLLM")]
    assert all(f"`{name}`" in settings for name in named)
