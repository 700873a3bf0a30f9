"""Every implementation with downloaded weights, run on tiny random models of the same families."""

from __future__ import annotations

import ast
import importlib.util
import inspect
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
import skimage.data

from controlllm.engine.scheduler import details_of
from controlllm.engine.values import keep_value
from controlllm.models import release_models
from controlllm.models.weights import FOLDER_SETTING, SIZES, Size
from controlllm.planning.arguments import role_of
from controlllm.resources import Box, ClickedPoint, Label, Region
from controlllm.store import Store
from controlllm.toolbox import Argument, Context, Implementation, Toolbox
from controlllm.toolbox.capabilities import Capabilities
from tests.every_case import every_case
from tests.tools.made_videos import make_video, pan, tone
from tests.tools.tiny_models import BUILDERS, QUIETLY
from tools.hub import diffusion, moving_pictures
from tools.speech.synthesis import text_to_speech

pytestmark = QUIETLY

TOOLBOX = Toolbox.load()
ON_HUB = [
    implementation
    for tool in TOOLBOX
    for implementation in TOOLBOX.implementations[tool.name]
    if implementation.runtime == "hub"
]
REPOSITORIES = sorted(
    {
        weights.repository
        for implementation in ON_HUB
        for choice in implementation.weights.values()
        for weights in choice.values()
    }
)
ROOT = Path(__file__).resolve().parents[3]

#: What is asked of a text argument, by what it is for.
WORDS = {
    "question": "What is on the table?",
    "object": "cup",
    "language": "German",
    "labels": "sport, travel, cooking",
    "prompt": "a red cup on a wooden table",
    "content": (
        "The ship left the harbour of Hamburg on Monday. Anna was glad to be on board, since the "
        "trains had been late for weeks. In the evening a storm came up from the west and the "
        "captain turned north. Nobody slept that night. On Tuesday morning the sea was calm again, "
        "and the passengers met for breakfast on the upper deck. The cook had baked fresh bread. "
        "Two days later they reached Bergen, tired and happy. Anna wrote a long letter to her "
        "brother in London and told him everything."
    ),
}
#: What only one tool takes.
SPECIAL = {
    ("text_classification", "labels"): "travel, food",
    ("translation", "text"): "The ship left. Anna was glad.",
    ("video_speed", "prompt"): "half the speed",
    # Both what a model paints and what can be drawn.
    ("replace_background", "prompt"): "a beach",
}


def kind_of(implementation: Implementation) -> Any:
    """What does the work.

    Where a function only hands its inputs on, what does the work is not to be seen from outside,
    so there every tool is a kind of its own.
    """
    function = implementation.function
    held = [cell.cell_contents for cell in function.__closure__ or ()]
    return (
        function.__code__,
        implementation.tool if function.__code__.co_name == "handed_on" else "",
        tuple(work.__code__ for work in held if inspect.isfunction(work)),
    )


def cases() -> list[Any]:
    """Each way with each of its sizes.

    Those of one kind run the same lines, so the first of a kind with weights of the usual size
    tells what the others would. The others show besides that each name, folder and map of the
    catalogue leads to its own model; that changes seldom, and running them takes long.
    """
    found, kinds = [], set()
    for number, implementation in enumerate(ON_HUB):
        sizes = {size for choice in implementation.weights.values() for size in choice}
        for size in sorted(sizes, key=lambda size: (size != "usual", SIZES.index(size))):
            kind = kind_of(implementation)
            marks = [pytest.mark.long] if kind in kinds else []
            kinds.add(kind)
            name = f"{implementation.tool}-{number}-{size}"
            found.append(pytest.param(implementation, size, id=name, marks=marks))
    return found


@pytest.fixture
def small_drawings(monkeypatch):
    """Small pictures and short videos from the families whose models do not say their size."""
    monkeypatch.setattr(diffusion, "_USUAL_SIDE", 128)
    monkeypatch.setattr(moving_pictures, "_SMALL", (64, 64))
    monkeypatch.setattr(moving_pictures, "_SECONDS", 0.5)


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    frames = list(pan(skimage.data.coffee(), 8, 160, 120))
    sound = tone(8 / 12)
    return make_video(tmp_path_factory.mktemp("clip") / "pan.mp4", frames, rate=12, sound=sound)


@pytest.fixture(scope="module")
def speech():
    return text_to_speech("The ship left the harbour on Monday morning.")


@pytest.fixture(autouse=True)
def released():
    yield
    release_models()


def sample(tool: str, argument: Argument, clip: Any, speech: Any) -> Any:
    """Something to hand over for an argument."""
    coffee = PIL.Image.fromarray(skimage.data.coffee()).resize((240, 160))
    region = np.zeros((160, 240), bool)
    region[50:110, 80:150] = True
    values: dict[str, Any] = {
        "image": coffee,
        "pose": coffee,
        "normal": coffee,
        "segmentation": coffee,
        "mask": (Region(region, "cup"),),
        "bbox": (Box(80, 50, 150, 110, "cup"),),
        "point": (ClickedPoint(115, 80),),
        "text": SPECIAL.get((tool, argument.name), WORDS[role_of(argument)]),
        "title": "The journey",
        "tags": ("ship", "harbour"),
        "category": (Label("ship", 0.9),),
        "number": 3,
        "html": "<p>The ship left.</p>",
        "audio": speech,
        "video": clip,
    }
    value = values.get(argument.type, coffee.convert("L"))
    return [value, value] if argument.many else value


def test_there_are_implementations_to_check():
    assert len(ON_HUB) > 40


@every_case("repository", REPOSITORIES)
def test_every_choice_of_weights_has_a_tiny_model(repository):
    assert repository in BUILDERS


@pytest.mark.parametrize("implementation, size", cases())
def test_it_loads_and_runs(
    implementation: Implementation,
    size: Size,
    built,
    small_drawings,
    clip,
    speech,
    tmp_path,
    monkeypatch,
):
    monkeypatch.setenv(FOLDER_SETTING, str(tmp_path / "models"))
    (tmp_path / "models").mkdir()
    capabilities = Capabilities(weights_size=size)
    assert implementation.missing_weights(capabilities)
    for weights in capabilities.weights_of(implementation.weights).values():
        weights.folder.unlink(missing_ok=True)
        weights.folder.symlink_to(built(weights))
    assert not implementation.missing_weights(capabilities)
    tool = TOOLBOX[implementation.tool]
    inputs = {argument.name: sample(tool.name, argument, clip, speech) for argument in tool.args}
    inputs.update({parameter.name: parameter.default for parameter in tool.parameters})
    told: list[float] = []
    context = Context(
        report=lambda fraction, words: told.append(fraction),
        folder=tmp_path / "new",
        capabilities=capabilities,
    )
    value = implementation.run(inputs, context)
    kept = keep_value(tool, value, Store(tmp_path / "store"), details_of)
    assert kept.type == tool.returns.type
    assert told and told == sorted(told), "progress is told, and never runs backwards"


@every_case("implementation", ON_HUB)
def test_it_says_what_it_needs(implementation: Implementation):
    assert implementation.packages and implementation.memory
    assert implementation.weights
    for choice in implementation.weights.values():
        for weights in choice.values():
            assert 1_000_000 < weights.size < 100_000_000_000
            assert weights.files or weights.packaged, "only what is needed is fetched"
            assert weights.licence
            closed = ("-nc", "noncommercial", "non-commercial", "research")
            assert not any(word in weights.licence.lower() for word in closed)


@every_case("path", sorted((ROOT / "tools" / "hub").glob("*.py")))
def test_models_are_read_from_this_machine_only(path):
    """No loader may ask a hub, nor run code that lies beside weights."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        named = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
        assert "trust_remote_code" not in named
        if isinstance(node.func, ast.Attribute) and node.func.attr == "from_pretrained":
            assert named.get("local_files_only") == "True", f"line {node.lineno}"


@every_case("implementation", ON_HUB)
def test_its_packages_are_ones_that_exist_here(implementation: Implementation):
    """A wrong name would say for ever that something is to be installed."""
    for package in implementation.packages:
        assert importlib.util.find_spec(package) is not None, package


def test_what_draws_by_chance_says_so():
    for implementation in ON_HUB:
        if "diffusers" in implementation.packages:
            assert not implementation.deterministic, implementation.name
            assert "context" in inspect.signature(implementation.function).parameters
