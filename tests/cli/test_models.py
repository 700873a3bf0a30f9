"""Downloaded weights: where they lie, which tool means which, and what `models` says of them."""

from __future__ import annotations

import functools
import hashlib
import json
from pathlib import Path

import pytest

from controlllm.cli.main import main
from controlllm.models import model_list
from controlllm.models.model_list import (
    Use,
    downloadable_weights,
    weights_of_size,
)
from controlllm.models.weights import MANIFEST, Weights, models_folder, size_in_words
from controlllm.toolbox import Toolbox
from scripts.write_models_page import PAGE, written
from tests.every_case import every_case

TOOLS = '''
from controlllm.resources import Image, Text
from controlllm.toolbox import tool
from controlllm.models.weights import Weights

SMALL = Weights("painters/small", "MIT", 30_000_000)
USUAL = Weights("painters/usual", "Apache-2.0", 2_000_000_000, ("*.safetensors", "*.json"))
WORDS = Weights("readers/words", "MIT", 5_000_000)
EXAMPLES = ["Paint a cat.", "Draw me a house."]


@tool(domain="image-generation", examples=EXAMPLES)
def paint_wish(text: Text) -> Image:
    """Paint a picture of what a text describes."""


@paint_wish.implementation(
    "hub", weights={"painter": {"small": SMALL, "usual": USUAL}, "reader": {"usual": WORDS}}
)
def _(text, context):
    raise NotImplementedError


@tool(domain="natural-language-processing", examples=EXAMPLES)
def spell_wish(text: Text) -> Text:
    """Spell the words of a wish."""


@spell_wish.implementation("hub", weights={"reader": {"usual": WORDS}})
def _(text, context):
    raise NotImplementedError
'''


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("CONTROLLLM_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


@pytest.fixture(autouse=True, scope="module")
def looked_into_once():
    """Which shipped files a tool may use is looked up once for all lists of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model_list, "files_used_by", functools.cache(model_list.files_used_by))
        yield


@pytest.fixture
def tools(tmp_path) -> Path:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "painting.py").write_text(TOOLS)
    return tmp_path / "tools"


def put(weights: Weights, files: dict[str, bytes]) -> None:
    """Weights as a pull leaves them."""
    for name, content in files.items():
        (weights.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (weights.folder / name).write_bytes(content)
    manifest = {
        "repository": weights.repository,
        "revision": weights.revision,
        "commit": "c" * 40,
        "licence": "mit",
        "files": {
            name: {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in files.items()
        },
    }
    (weights.folder / MANIFEST).write_text(json.dumps(manifest))


def listed(capsys, tools, *more: str) -> tuple[int, dict]:
    capsys.readouterr()
    status = main(["models", "list", "--json", "--tools", str(tools), *more])
    return status, json.loads(capsys.readouterr().out)


def entry(found: dict, repository: str) -> dict:
    return next(item for item in found["weights"] if item["repository"] == repository)


def test_the_folder_is_the_one_that_is_set(folder):
    assert models_folder() == folder
    assert models_folder({}) == Path.home() / ".cache" / "controlllm" / "models"
    assert Weights("a/b", "MIT", 1).folder == folder / "a--b"


@every_case("name", ["", "b", "../b", "a/b/c", "a/..", "a b/c", "https://a/b"])
def test_what_is_no_repository(name):
    with pytest.raises(ValueError, match="no repository's name"):
        Weights(name, "MIT", 1)


def test_a_broken_manifest_holds_nothing(folder):
    weights = Weights("a/b", "MIT", 1)
    assert weights.manifest() == {}
    weights.folder.mkdir(parents=True)
    for content in ("{", "[1]", ""):
        (weights.folder / MANIFEST).write_text(content)
        assert weights.manifest() == {}


@every_case(
    ("size", "words"),
    [(10, "1 MB"), (240_400_000, "240 MB"), (5_120_000_000, "5.1 GB"), (2_000_000_000, "2 GB")],
)
def test_sizes_in_words(size, words):
    assert size_in_words(size) == words


def test_every_use_of_weights_is_known(tools):
    toolbox = Toolbox.load(tools)
    found = {item.weights.repository: item for item in downloadable_weights(toolbox)}
    assert found["painters/small"].uses == (Use("paint_wish", "painter", "small"),)
    assert found["readers/words"].tools == ("paint_wish", "spell_wish")
    implementation = toolbox.with_weights("paint_wish")
    assert implementation is not None
    named = [[item.repository for item in weights_of_size(implementation, size)]
             for size in ("small", "usual", "large")]  # fmt: skip
    usual = ["painters/usual", "readers/words"]
    assert named == [["painters/small", "readers/words"], usual, usual]
    assert toolbox.with_weights("image_to_hed") is None


def test_one_repository_is_described_one_way_by_all_tools():
    # They would overwrite each other in its folder.
    named = [item.weights.repository.lower() for item in downloadable_weights(Toolbox.load())]
    assert len(named) == len(set(named))


def test_the_page_of_models_is_up_to_date():
    page = PAGE.read_text("utf-8")
    assert page == written(page), "run `python -m scripts.write_models_page`"


def test_the_list_tells_of_weights(capsys, tools):
    status, found = listed(capsys, tools)
    assert status == 0
    words = entry(found, "readers/words")
    assert (words["state"], words["size"], words["licence"]) == ("not here", 5_000_000, "MIT")
    put(Weights("readers/words", "MIT", 5_000_000), {"model.safetensors": b"12345"})
    status, found = listed(capsys, tools)
    words = entry(found, "readers/words")
    assert (words["state"], words["size"], words["commit"]) == ("here", 5, "c" * 40)
    assert entry(listed(capsys, tools, "--check")[1], "readers/words")["state"] == "ok"


@pytest.mark.long
def test_the_list_tells_of_weights_that_changed(capsys, tools):
    weights = Weights("readers/words", "MIT", 5_000_000)
    put(weights, {"model.safetensors": b"12345", "config.json": b"{}"})
    (weights.folder / "model.safetensors").write_bytes(b"12354")
    # The size is the same, so only reading it tells.
    assert entry(listed(capsys, tools)[1], "readers/words")["state"] == "here"
    status, found = listed(capsys, tools, "--check")
    assert status == 1
    assert entry(found, "readers/words")["broken"] == ["model.safetensors"]
    (weights.folder / "config.json").unlink()
    assert entry(listed(capsys, tools)[1], "readers/words")["broken"] == ["config.json"]


def test_the_list_for_people(capsys, tools):
    put(Weights("painters/small", "MIT", 30_000_000), {"model.safetensors": b"1" * 10})
    assert main(["models", "list", "--tools", str(tools)]) == 0
    said = capsys.readouterr().out
    assert "HED: outlines (15 MB, MIT (package), checked)" in said
    assert "used by image_to_hed, image_to_scribble" in said
    assert "painters/usual (2 GB, Apache-2.0, not here)" in said
    assert "painters/small (1 MB, mit, here)" in said
    assert "for paint_wish (small)" in said


@pytest.mark.long
def test_the_list_is_what_models_alone_prints(capsys):
    assert main(["models"]) == 0
    assert "Models that ship with the program" in capsys.readouterr().out


def test_a_shipped_model_that_is_missing_is_told(capsys, tools, tmp_path, monkeypatch):
    from controlllm.models import shipped

    monkeypatch.setattr(shipped, "MODEL_FOLDER", tmp_path)
    status, found = listed(capsys, tools)
    assert status == 1
    hed = next(item for item in found["shipped"] if item["name"] == "HED")
    assert [file["state"] for file in hed["files"]] == ["missing"]


def test_where(capsys, tools, folder):
    def where(*names: str) -> list[str]:
        assert main(["models", "where", *names, "--tools", str(tools)]) == 0
        return capsys.readouterr().out.splitlines()

    assert where() == [str(folder)]
    assert where("paint_wish", "--size", "small") == [
        f"{folder / 'painters--small'} (not here)",
        f"{folder / 'readers--words'} (not here)",
    ]
    put(Weights("readers/words", "MIT", 5_000_000), {"model.safetensors": b"12345"})
    assert where("readers/words") == [str(folder / "readers--words")]
    assert where("HED")[0].endswith("assets/models/hed.onnx")


def test_remove(capsys, tools, folder):
    words = Weights("readers/words", "MIT", 5_000_000)
    put(words, {"model.safetensors": b"12345", "deep/config.json": b"{}"})
    put(Weights("painters/usual", "MIT", 5), {"model.safetensors": b"12345"})
    assert main(["models", "remove", "readers/words", "--tools", str(tools)]) == 0
    assert "it was for paint_wish, spell_wish" in capsys.readouterr().out
    assert not words.folder.exists()
    assert main(["models", "remove", "paint_wish", "--tools", str(tools)]) == 0
    assert list(folder.glob("*--*")) == []
    assert main(["models", "remove", "paint_wish", "--tools", str(tools)]) == 2
    assert "No weights of paint_wish are here" in capsys.readouterr().err


@every_case(
    ("name", "words"),
    [
        ("nothing_like_it", "no tool or repository called nothing_like_it"),
        ("nobody/nothing", "no repository that a tool uses called nobody/nothing"),
        ("image_to_hed", "image_to_hed uses no weights"),
    ],
    anew=(tools,),
)
def test_names_that_mean_nothing(name, words, capsys, tools):
    assert main(["models", "where", name, "--tools", str(tools)]) == 2
    assert words in capsys.readouterr().err
