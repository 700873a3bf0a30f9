"""Who imports whom, what is loaded when, and what nobody may call."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts import draw_rooms

ROOT = Path(__file__).resolve().parent.parent

#: What all code of tools may import.
_ALL_TOOLS = {"asset_folder", "resources", "capabilities", "toolbox", "models", "tools.shared"}
#: Each room of tools with what it takes from rooms below it. What a room runs by itself lies in its
#: `embedded`, below the definitions of all tools.
_ROOMS: dict[str, set[str]] = {
    "facts": set(),
    "music": set(),
    "speech": set(),
    "seeing": set(),
    "words": {"tools.speech.embedded"},
    "sound": {"tools.speech.embedded"},
    "masks": {"tools.seeing.embedded"},
    "pictures": {"tools.seeing.embedded", "tools.masks.embedded"},
    "video": {"tools.seeing.embedded", "tools.speech.embedded"},
}

#: Each part of the program with all parts that it may import. A part that is not here has not been
#: given its place yet.
ALLOWED: dict[str, set[str]] = {
    "resources": set(),
    "asset_folder": set(),
    "models": {"asset_folder"},
    "models.weights": set(),
    "retry_after": set(),
    "standard_input": set(),
    "logs": set(),
    "environment": set(),
    "quotas": {"environment"},
    "capabilities": {"models.weights"},
    "toolbox": {"reasons", "resources", "capabilities", "models.weights"},
    "network": {"toolbox"},
    "sources": {"network", "resources", "retry_after", "capabilities", "toolbox", "tools.cloud"},
    "graph": {"resources", "toolbox"},
    "reasons": set(),
    "plans": {"reasons", "resources"},
    "questions": {"resources"},
    "state": set(),
    "events": {"grounds", "resources", "plans", "questions", "state"},
    "editing": {"reasons", "resources", "toolbox", "plans", "planning"},
    "planning": {"asset_folder", "reasons", "resources", "toolbox", "graph", "plans"},
    "readers": {"models", "planning", "toolbox"},
    "model_list": {"models", "models.weights", "readers", "capabilities", "toolbox"},
    "language": {
        "network",
        "resources",
        "retry_after",
        "toolbox",
        "graph",
        "plans",
        "events",
        "planning",
    },
    "retrieval": {
        *("resources", "models", "toolbox", "graph", "plans", "planning", "readers"),
    },
    "agents": {
        "asset_folder",
        *("resources", "toolbox", "graph", "plans", "state", "events", "planning", "language"),
        *("engine", "readers"),
    },
    "beside": set(),
    "grounds": set(),
    "session": {"beside", "grounds", "resources", "plans", "questions", "state"},
    "branches": {"resources", "session"},
    "store": {"environment", "resources", "session"},
    "engine": {
        "resources",
        "capabilities",
        "models",
        "toolbox",
        "sources",
        "plans",
        "questions",
        "events",
        "session",
        "store",
        "logs",
        "environment",
        "standard_input",
    },
    "sent_plans": {"resources", "plans", "engine", "toolbox"},
    "leaving": {"settings"},
    "self_test": {
        *("asset_folder", "models", "reasons", "resources", "settings", "sources", "toolbox"),
    },
    "pointing": {
        *("resources", "session", "standard_input", "store", "toolbox"),
        *("models", "tools.shared", "tools.masks.embedded", "tools.speech.embedded"),
        "tools.video.embedded",
    },
    "observing": {"events", "engine", "logs"},
    "outcomes": {"resources", "plans"},
    "told_results": {"outcomes", "resources"},
    "quoted": {"grounds", "outcomes", "told_results"},
    "responder": {"grounds", "language", "outcomes", "told_results"},
    "settings": {"capabilities", "models.weights"},
    "refusals": {"resources", "plans", "planning"},
    "fallbacks": {"events"},
    "result_words": {"resources"},
    "document_pages": {"resources", "session", "store"},
    "renaming": {"resources", "session"},
    "provenance": {"resources", "toolbox", "plans", "session"},
    "result_names": {"resources", "toolbox", "plans", "planning", "result_words"},
    "kept_turn": {
        "reuse",
        "settings",
        "capabilities",
        "resources",
        "toolbox",
        "plans",
        "events",
        "session",
        "store",
        "result_names",
    },
    "telling": {"events"},
    "agent_run": {"reasons", "resources", "toolbox", "plans", "state", "events", "agents"},
    "reuse": {"settings", "store", "capabilities"},
    "plan_run": {
        *("resources", "plans", "questions", "events", "planning", "language", "engine"),
        *("toolbox", "settings", "kept_turn", "telling", "agent_run", "agents", "branches"),
    },
    "comparing": {
        *("reasons", "reuse"),
        *("beside", "plans", "events", "planning", "toolbox", "sources", "settings", "session"),
        *("store", "engine", "kept_turn", "plan_run", "resources"),
    },
    "request_run": {
        "comparing",
        *("resources", "plans", "questions", "events", "planning", "language", "engine"),
        *("responder", "kept_turn", "telling", "plan_run", "outcomes", "quoted"),
        "document_pages",
        *("session", "store", "settings", "refusals", "branches", "fallbacks", "grounds"),
    },
    "unfinished": {"session", "settings", "store", "request_run"},
    "planners": {
        *("models", "readers", "toolbox", "graph", "events", "planning", "language", "settings"),
        "retrieval",
    },
    "availability": {"settings", "toolbox"},
    "tools_in_use": {
        "availability",
        "planners",
        "planning",
        "plans",
        "retrieval",
        "settings",
        "sources",
        "toolbox",
    },
    "assistant": {
        "document_pages",
        *("tools_in_use", "questions"),
        *("resources", "toolbox", "plans", "events", "planning", "language", "engine"),
        *("models", "agents", "retrieval", "session", "store", "settings", "refusals"),
        *("planners", "plan_run", "request_run", "unfinished"),
    },
    "recipes": {
        *("resources", "toolbox", "plans", "session", "sent_plans"),
        *("events", "assistant", "settings", "store"),
    },
    "why_not": {"assistant", "graph", "planning", "plans", "session", "settings"},
    "accounts": set(),
    "admission": {"resources", "store", "quotas", "events"},
    "serving": {
        "planners",
        "kept_turn",
        *("admission", "assistant", "engine", "environment", "events", "plans", "quotas"),
        *("refusals", "request_run", "resources", "session", "settings", "store", "toolbox"),
        *("recipes", "sent_plans", "__version__"),
    },
    "ui": {
        "reasons",
        *("accounts", "network"),
        "recipes",
        "sent_plans",
        "refusals",
        "branches",
        "grounds",
        *("language", "leaving"),
        "self_test",
        "editing",
        *("document_pages", "provenance", "renaming"),
        "why_not",
        "asset_folder",
        "admission",
        "resources",
        "capabilities",
        "models.weights",
        "toolbox",
        "sources",
        "plans",
        "questions",
        "events",
        "session",
        "state",
        "store",
        "settings",
        "assistant",
        "beside",
        "comparing",
        "observing",
        "pointing",
        "quotas",
    },
    "evaluation": {
        "self_test",
        "asset_folder",
        *("resources", "models.weights", "models", "toolbox", "graph", "plans", "events"),
        *("planning", "state", "agents", "language", "planners", "retrieval"),
        *("session", "store", "engine", "settings", "assistant"),
    },
    "cli": {
        *(
            "resources",
            "models",
            "models.weights",
            "capabilities",
            "toolbox",
            "graph",
            "plans",
            "questions",
            "events",
        ),
        *(
            "recipes",
            "sent_plans",
            "session",
            "store",
            "settings",
            "assistant",
            "evaluation",
            "model_list",
            "__version__",
        ),
        *("admission", "engine", "quotas", "serving", "sources", "agents", "language"),
        *("accounts", "home", "planners", "self_test", "serve"),
    },
    "__main__": {"cli"},
    "app.py": {"serve"},
    "home": set(),
    "library": {
        *(
            "assistant",
            "events",
            "home",
            "kept_turn",
            "plans",
            "planners",
            "resources",
            "sent_plans",
        ),
        *("settings", "sources", "store", "toolbox"),
    },
    "serve": {
        *("accounts", "home"),
        *(
            "sources",
            "engine",
            "store",
            "settings",
            "admission",
            "assistant",
            "serving",
            "ui",
            "logs",
            "observing",
            "quotas",
        ),
    },
    "tools.shared": _ALL_TOOLS - {"tools.shared"},
    **{f"tools.{room}.embedded": _ALL_TOOLS | below for room, below in _ROOMS.items()},
    "tools.hub": _ALL_TOOLS
    | {"models.weights"}
    | {f"tools.{room}.embedded" for room in ("seeing", "speech", "video", "words")},
    "tools.cloud": _ALL_TOOLS
    | {"network", "retry_after"}
    | {f"tools.{room}.embedded" for room in ("seeing", "words")},
    **{
        f"tools.{room}": _ALL_TOOLS
        | {"models.weights", "tools.hub", "tools.cloud", f"tools.{room}.embedded"}
        | below
        for room, below in _ROOMS.items()
    },
    "tools": _ALL_TOOLS | {"tools.seeing.embedded"},
}

#: Loading one of these takes long or much memory, so functions import them, modules do not.
HEAVY = {
    *("av", "cv2", "diffusers", "faster_whisper", "gradio", "onnxruntime", "openai", "rapidocr"),
    *("ray", "sherpa_onnx", "torch", "transformers"),
}

#: Each would run what someone else wrote.
FORBIDDEN_CALLS = {"eval", "exec", "os.system", "os.popen", "torch.load", "joblib.load"}
FORBIDDEN_MODULES = {"pickle", "cPickle", "dill", "marshal", "shelve"}


def sources(*folders: str) -> list[Path]:
    found = [ROOT / "app.py"]
    for folder in folders:
        found += sorted((ROOT / folder).rglob("*.py"))
    return [path for path in found if path.is_file()]


PROGRAM = sources("controlllm")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def part_of(path: Path) -> str:
    """The part of the program that a file belongs to."""
    folders = path.relative_to(ROOT).with_suffix("").parts
    if folders[:2] == ("controlllm", "tools"):
        return ".".join(folders[1:-1])
    if folders[0] == "controlllm":
        return placed(".".join(folders[1:])) or folders[1]
    return path.name


def imported_part(module: str) -> str | None:
    """The part of the program that a module's name belongs to, None for others' modules."""
    names = module.split(".")
    if names[0] == "controlllm":
        return placed(".".join(names[1:])) or names[1]
    return "app.py" if module == "app" else None


def placed(module: str) -> str | None:
    """The innermost part that a module lies in, None where it has no place yet."""
    around = (part for part in ALLOWED if f"{module}.".startswith(f"{part}."))
    return max(around, key=len, default=None)


def imports(tree: ast.AST, path: Path) -> Iterator[str]:
    """The full names of all modules, and of what is taken from them, that a tree imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)}: relative import; write the full name"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def read(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), name_of(path))


def test_there_is_a_program_to_check():
    assert len(PROGRAM) > 40


@pytest.mark.parametrize("path", PROGRAM, ids=name_of)
def test_a_part_imports_only_what_lies_below_it(path):
    part = part_of(path)
    if part == "__init__":
        # Only what switches other libraries' reporting off, before any of them is imported, and
        # what imports the names that the package offers when they are first asked for.
        tree = read(path)
        tree.body = [
            node
            for node in tree.body
            if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        ]
        assert set(imports(tree, path)) <= {"importlib", "os", "typing.TYPE_CHECKING"}
        return
    assert part in ALLOWED, f"{part} has no place in the layering yet; give it one in this test"
    for module in imports(read(path), path):
        wanted = imported_part(module)
        if wanted is None or wanted == part:
            continue
        assert wanted in ALLOWED[part], f"{name_of(path)} imports {module}: {part} may not"


def test_the_layering_has_no_circles():
    done: set[str] = set()
    waiting = {part: needs & set(ALLOWED) for part, needs in ALLOWED.items()}
    while waiting:
        ready = {part for part, needs in waiting.items() if needs <= done}
        assert ready, f"these import each other in a circle: {sorted(waiting)}"
        done |= ready
        waiting = {part: needs for part, needs in waiting.items() if part not in ready}


def test_the_picture_of_the_rooms_is_true():
    drawn = draw_rooms.PICTURE.read_text("utf-8")
    assert drawn == draw_rooms.drawing(draw_rooms.rooms()), "run `python -m scripts.draw_rooms`"


def test_planning_knows_no_language_model_and_only_the_app_knows_the_page():
    assert "language" not in ALLOWED["planning"]
    assert [part for part, needs in ALLOWED.items() if "ui" in needs] == ["serve"]


@pytest.mark.parametrize("path", PROGRAM, ids=name_of)
def test_heavy_packages_are_imported_where_they_are_used(path):
    if part_of(path) == "ui":
        return
    tree = read(path)
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        if id(node) in inside or not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        if isinstance(node, ast.ImportFrom):
            modules = [node.module or ""]
        else:
            modules = [alias.name for alias in node.names]
        for module in modules:
            assert module.split(".")[0] not in HEAVY, f"{name_of(path)} line {node.lineno}"


def test_starting_loads_nothing_heavy():
    script = (
        "import sys\n"
        "import controlllm.run.assistant\n"
        "from controlllm.toolbox import Toolbox\n"
        "assert len(Toolbox.load()) > 0\n"
        f"print(*sorted({HEAVY!r} & set(sys.modules)))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == []


@pytest.mark.parametrize("path", sources("controlllm", "scripts"), ids=name_of)
def test_nothing_runs_what_others_wrote(path):
    tree = read(path)
    for module in imports(tree, path):
        assert module.split(".")[0] not in FORBIDDEN_MODULES, name_of(path)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            trusted = called == "torch.load" and any(
                keyword.arg == "weights_only" and ast.unparse(keyword.value) == "True"
                for keyword in node.keywords
            )
            assert called not in FORBIDDEN_CALLS or trusted, f"{name_of(path)} calls {called}"
            assert not any(
                keyword.arg == "shell" and ast.unparse(keyword.value) != "False"
                for keyword in node.keywords
            ), f"{name_of(path)} line {node.lineno} runs a shell"
            assert not any(
                keyword.arg == "allow_pickle" and ast.unparse(keyword.value) != "False"
                for keyword in node.keywords
            ), f"{name_of(path)} line {node.lineno} reads pickles"
