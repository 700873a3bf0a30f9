"""Who imports whom, what is loaded when, and what nobody may call."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from scripts import draw_rooms
from tests.program import ROOMS, ROOT, modules_in, program, statements

#: What all code of tools may import.
_ALL_TOOLS = {"layout", "resources", "toolbox", "models", "tools.shared", "values"}
#: Each room of tools with what it takes from rooms below it. What a room runs by itself lies in its
#: `embedded`, below the definitions of all tools.
_ROOMS: dict[str, set[str]] = {
    "documents": {"tools.seeing.embedded", "tools.words.embedded"},
    "facts": set(),
    "music": set(),
    "speech": set(),
    "seeing": set(),
    "words": {"tools.speech.embedded"},
    "sound": {"tools.speech.embedded"},
    "masks": {"tools.seeing.embedded"},
    "pictures": {"tools.seeing.embedded", "tools.masks.embedded", "tools.words.embedded"},
    "video": {"tools.seeing.embedded", "tools.sound.embedded", "tools.speech.embedded"},
}

#: Each part of the program with all parts that it may import, from below upward. A part that is not
#: here has not been given its place yet. A dotted name is a part of a room with a place of its own.
ALLOWED: dict[str, set[str]] = {
    "layout": set(),
    "accounts": {"resources"},
    "resources": set(),
    "values": set(),
    "models.weights": set(),
    "observing.logs": {"layout"},
    "models": {"layout"},
    "core": {"resources"},
    "toolbox": {"core", "layout", "models.weights", "resources", "values"},
    "network": {"toolbox"},
    "settings": {"models.weights", "resources", "toolbox"},
    "planning": {"core", "layout", "resources", "toolbox", "values"},
    "editing": {"core", "planning", "resources", "toolbox"},
    "readers": {"models", "planning", "toolbox"},
    "models.model_list": {"layout", "models", "models.weights", "readers", "toolbox"},
    "language": {"core", "network", "planning", "resources", "toolbox"},
    "retrieval": {"core", "models", "planning", "readers", "resources", "toolbox"},
    "agents": {"core", "language", "planning", "resources", "toolbox"},
    "answers": {"core", "language", "planning", "resources", "toolbox"},
    "sources": {"network", "resources", "toolbox"},
    "store": {"core", "resources", "settings"},
    "admission": {"core", "resources", "settings", "store"},
    "self_test": {*("core", "layout", "models", "resources", "settings", "sources", "toolbox")},
    "pointing": {"core", "models", "resources", "store", "toolbox"},
    "engine": {
        *("core", "models", "observing.logs", "resources", "settings", "sources", "store"),
        "toolbox",
    },
    "observing": {"core", "engine", "observing.logs"},
    "runs": {
        *("agents", "answers", "core", "engine", "language", "models", "planning", "readers"),
        *("resources", "retrieval", "settings", "store", "toolbox"),
    },
    "comparing": {
        *("core", "engine", "layout", "planning", "resources", "runs", "settings", "sources"),
        *("store", "toolbox"),
    },
    "runs.tools_in_use": {
        *("core", "planning", "retrieval", "runs", "settings", "sources", "toolbox"),
    },
    "runs.request_planning": {
        *("answers", "comparing", "core", "language", "planning", "resources", "runs", "settings"),
        *("store", "toolbox"),
    },
    "runs.request_run": {
        *("answers", "comparing", "core", "engine", "language", "planning", "resources", "runs"),
        *("runs.request_planning", "settings", "store"),
    },
    "runs.recovery": {"core", "runs.request_run", "settings", "store"},
    "runs.assistant": {
        *("agents", "answers", "core", "engine", "language", "models", "planning", "resources"),
        *("runs", "runs.recovery", "runs.request_run", "runs.tools_in_use", "settings", "store"),
        "toolbox",
    },
    "editing.why_not": {"core", "planning", "runs.assistant", "settings"},
    "recipes": {"core", "resources", "runs", "runs.assistant", "settings", "store", "toolbox"},
    "library": {
        *("core", "resources", "runs", "runs.assistant", "settings", "sources", "store", "toolbox"),
    },
    "api": {
        *("__version__", "admission", "answers", "core", "recipes", "resources", "runs"),
        *("runs.assistant", "runs.request_planning", "settings", "store", "toolbox"),
    },
    "ui": {
        *(
            "accounts",
            "admission",
            "answers",
            "api",
            "comparing",
            "core",
            "editing",
            "editing.why_not",
        ),
        *("language", "layout", "models.weights", "network", "observing", "pointing", "recipes"),
        *("resources", "runs", "runs.assistant", "self_test", "settings", "sources", "store"),
        "toolbox",
    },
    # What a server is made of; nothing of it is imported until its port answers.
    "ui.starting": {
        *("accounts", "admission", "engine", "observing", "observing.logs", "runs.assistant"),
        *("api", "settings", "sources", "store", "ui"),
    },
    "serve": {"store", "ui", "ui.starting"},
    "cli": {
        *("__version__", "accounts", "admission", "core", "engine", "language", "models"),
        *("models.model_list", "models.weights", "planning", "recipes", "resources", "runs"),
        *("api", "runs.assistant", "self_test", "serve", "settings", "sources", "store"),
        "toolbox",
    },
    "__main__": {"cli"},
    "app.py": {"serve"},
    "benchmarks": {
        *("agents", "core", "engine", "language", "layout", "models", "models.weights"),
        *("planning", "resources", "retrieval", "runs", "runs.assistant", "self_test", "settings"),
        *("cli", "sources", "store", "toolbox"),
    },
    "tools.shared": _ALL_TOOLS - {"tools.shared"},
    **{f"tools.{room}.embedded": _ALL_TOOLS | below for room, below in _ROOMS.items()},
    "tools.hub": _ALL_TOOLS
    | {"models.weights"}
    | {f"tools.{room}.embedded" for room in ("seeing", "speech", "video", "words")},
    "tools.cloud": _ALL_TOOLS
    | {"network"}
    | {f"tools.{room}.embedded" for room in ("seeing", "words")},
    **{
        f"tools.{room}": _ALL_TOOLS
        | {"models.weights", "network", "tools.hub", "tools.cloud", f"tools.{room}.embedded"}
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
#: Sets of jobs, which are imported where one is done.
JOBS = "benchmarks/jobs/sets/"
#: Is imported by nobody who does not serve an app of Gradio.
OF_GRADIO = {"controlllm/api/programs.py"}

#: Each would run what someone else wrote.
FORBIDDEN_CALLS = {"eval", "exec", "os.system", "os.popen", "torch.load", "joblib.load"}
FORBIDDEN_MODULES = {"pickle", "cPickle", "dill", "marshal", "shelve"}
#: A module without any of these words has nothing of the kind.
TOLD_BY = {
    *("shell", "allow_pickle"),
    *FORBIDDEN_MODULES,
    *(name.rpartition(".")[2] for name in FORBIDDEN_CALLS - {"torch.load", "joblib.load"}),
    *("torch", "joblib"),
}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def part_of(path: Path) -> str:
    """The part of the program that a file belongs to."""
    top, *folders = path.relative_to(ROOT).with_suffix("").parts
    if top == "controlllm":
        return placed(".".join(folders)) or folders[0]
    if top == "tools":
        return ".".join((top, *folders[:-1]))
    return top if folders else path.name


def imported_part(module: str) -> str | None:
    """The part of the program that a module's name belongs to, None for others' modules."""
    top, *names = module.split(".")
    if top == "controlllm":
        return placed(".".join(names)) or names[0]
    if top == "tools":
        return placed(module) or top
    return {"app": "app.py", "benchmarks": "benchmarks"}.get(top)


def placed(module: str) -> str | None:
    """The innermost part that a module lies in, None where it has no place yet."""
    around = (part for part in ALLOWED if f"{module}.".startswith(f"{part}."))
    return max(around, key=len, default=None)


def imports(tree: ast.AST, path: Path) -> Iterator[str]:
    """The full names of all modules, and of what is taken from them, that a tree imports."""
    package = path.relative_to(ROOT).parts
    for node in statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # An installed package has the tools inside: they name each other from where they are.
            wrong = "write the full name" if package[0] != "tools" else "write it with dots"
            assert (node.level > 0) == (
                package[0] == "tools" and not (node.module or "").startswith("controlllm")
            ) or not ours(node.module), f"{name_of(path)} line {node.lineno}: {wrong}"
            around = ".".join(package[: -node.level]) + "." if node.level else ""
            module = f"{around}{node.module or ''}".rstrip(".")
            yield from (f"{module}.{alias.name}" for alias in node.names)


def ours(module: str | None) -> bool:
    return module is None or module.split(".")[0] in ROOMS


def test_there_is_a_program_to_check():
    for room in ROOMS:
        assert sum(path.is_relative_to(ROOT / room) for path in program()) > 40


def test_a_part_imports_only_what_lies_below_it():
    wrong = []
    for path, tree in program().items():
        part = part_of(path)
        if part == "__init__":
            # Only what switches other libraries' reporting off and makes their import quick, before
            # any of them is imported, and what imports the names that the package offers when they
            # are first asked for.
            assert set(imports(at_run_time(tree), path)) <= {
                *("importlib", "importlib.abc", "importlib.machinery", "os", "sys"),
                "typing.TYPE_CHECKING",
            }
            continue
        assert part in ALLOWED, f"{part} has no place in the layering yet; give it one in this test"
        for module in imports(at_run_time(tree), path):
            wanted = imported_part(module)
            if wanted not in (None, part) and wanted not in ALLOWED[part]:
                wrong.append(f"{name_of(path)} imports {module}: {part} may not")
    assert not wrong, "\n".join(wrong)


def at_run_time(tree: ast.Module) -> ast.Module:
    """A module without what only those who check types read."""
    kept = [
        node
        for node in tree.body
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    ]
    return ast.Module(kept, [])


def test_only_one_function_knows_where_the_tools_are():
    """So that they lie at the top in a checkout, and inside an installed package."""
    knowing = {
        name_of(path)
        for path in program()
        if path.is_relative_to(ROOT / "controlllm")
        and says(path, {"TOOLS"})
        and any(
            isinstance(node, ast.Name) and node.id == "TOOLS" for node in ast.walk(program()[path])
        )
    }
    assert knowing == {"controlllm/layout.py", "controlllm/toolbox/rooms.py"}
    assert not [part for part, needs in ALLOWED.items() if "tools" in needs]


@cache
def words_of(path: Path) -> frozenset[str]:
    """The names and words in a module, as Python reads them."""
    return frozenset(re.findall(r"\w+", unicodedata.normalize("NFKC", path.read_text("utf-8"))))


def says(path: Path, names: Iterable[str]) -> bool:
    """Whether a module has some of these names, so that its trees are worth looking through."""
    return not words_of(path).isdisjoint(names)


def test_the_layering_has_no_circles():
    done: set[str] = set()
    waiting = {part: needs & set(ALLOWED) for part, needs in ALLOWED.items()}
    while waiting:
        ready = {part for part, needs in waiting.items() if needs <= done}
        assert ready, f"these import each other in a circle: {sorted(waiting)}"
        done |= ready
        waiting = {part: needs for part, needs in waiting.items() if part not in ready}


def test_modules_import_each_other_in_no_circle():
    """As they are loaded; what a function imports when it is called may lead back."""
    names = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in program()
    }
    needs: dict[str, set[str]] = {}
    for name, path in names.items():
        loaded = outside_of_functions(at_run_time(program()[path]))
        at_once = [node for node in loaded if isinstance(node, ast.Import | ast.ImportFrom)]
        named = set(imports(ast.Module([*at_once], []), path))
        found = {module if module in names else module.rpartition(".")[0] for module in named}
        needs[name] = (found & names.keys()) - {name}
    TopologicalSorter(needs).prepare()  # raises CycleError, with the circle


def test_the_picture_of_the_rooms_is_true(monkeypatch):
    read = {path.read_text("utf-8"): tree for path, tree in program().items()}
    monkeypatch.setattr(draw_rooms.ast, "parse", read.__getitem__)
    monkeypatch.setattr(draw_rooms.ast, "walk", statements)
    drawn = draw_rooms.PICTURE.read_text("utf-8")
    assert drawn == draw_rooms.drawing(draw_rooms.rooms()), "run `python -m scripts.draw_rooms`"


def test_planning_knows_no_language_model_and_only_the_app_knows_the_page():
    assert "language" not in ALLOWED["planning"]
    assert [part for part, needs in ALLOWED.items() if "ui" in needs] == ["ui.starting", "serve"]


def test_heavy_packages_are_imported_where_they_are_used():
    wrong = []
    for path, tree in program().items():
        is_excused = name_of(path) in OF_GRADIO or name_of(path).startswith(JOBS)
        if part_of(path) == "ui" or is_excused:
            continue
        for node in outside_of_functions(tree):
            if not isinstance(node, ast.Import | ast.ImportFrom):
                continue
            if isinstance(node, ast.ImportFrom):
                modules = [node.module or ""]
            else:
                modules = [alias.name for alias in node.names]
            wrong += [
                f"{name_of(path)} line {node.lineno} imports {module}"
                for module in modules
                if module.split(".")[0] in HEAVY
            ]
    assert not wrong, "\n".join(wrong)


def outside_of_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """What of a module is done when it is imported."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
            yield from outside_of_functions(node)


def test_nothing_runs_what_others_wrote():
    wrong = []
    for path in modules_in(*ROOMS, "scripts"):
        if not says(path, TOLD_BY):
            continue
        name = name_of(path)
        for node in ast.walk(program().get(path) or ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                modules = [getattr(node, "module", None) or "", *(it.name for it in node.names)]
                if FORBIDDEN_MODULES & {module.split(".")[0] for module in modules}:
                    wrong.append(f"{name} line {node.lineno} imports what unpickles")
            if isinstance(node, ast.Call):
                wrong += [f"{name} line {node.lineno} {what}" for what in _runs_of(node)]
    assert not wrong, "\n".join(wrong)


#: What any forbidden call ends in, and the arguments that make a call one that is or is not.
_LAST_NAMES = {name.rpartition(".")[2] for name in FORBIDDEN_CALLS}
_TELLING = {"shell", "allow_pickle", "weights_only"}


def _runs_of(call: ast.Call) -> Iterator[str]:
    """What a call may run that others wrote."""
    last = getattr(call.func, "attr", getattr(call.func, "id", ""))
    called = ast.unparse(call.func) if last in _LAST_NAMES else ""
    told = {it.arg: ast.unparse(it.value) for it in call.keywords if it.arg in _TELLING}
    trusted = called == "torch.load" and told.get("weights_only") == "True"
    if called in FORBIDDEN_CALLS and not trusted:
        yield f"calls {called}"
    if told.get("shell", "False") != "False":
        yield "runs a shell"
    if told.get("allow_pickle", "False") != "False":
        yield "reads pickles"
