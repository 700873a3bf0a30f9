"""What holds for every test, and what all of them share.

Plain `pytest` runs the tests as `make test` does: nobody outside this machine is asked, and a model
takes one thread, since the tests of two processes keep a small machine busy.
"""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from typing import Any

# Libraries read these when they are first imported.
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
# What is compiled is kept, also by the programs that tests start: each would compile Gradio anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Nothing is garbage while tests are collected, and to look for some takes a third of the time.
gc.disable()

import hypothesis  # noqa: E402
import pytest  # noqa: E402

from controlllm.planning.planner import Planner  # noqa: E402
from controlllm.runs.planners import embedded_planner  # noqa: E402
from controlllm.toolbox import Toolbox  # noqa: E402

pytest_plugins = ["tests.unsteady"]

# A busy machine makes an example slow, and slowness is no fault: neither running nor making
# examples has a limit of time.
hypothesis.settings.register_profile(
    "steady", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("steady")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test that is marked `few(n)` the first n cases run always, the others are `long`."""
    seen: Counter[str] = Counter()
    for item in items:
        mark = item.get_closest_marker("few")
        if mark is None:
            continue
        test = item.nodeid.partition("[")[0]
        seen[test] += 1
        if seen[test] > mark.args[0]:
            item.add_marker(pytest.mark.long)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What was loaded stays; garbage is looked for among what comes now."""
    gc.freeze()
    gc.enable()


#: Folders, and modules by the start of their names, whose tests one process runs, since all of them
#: need the same that takes long to begin: a server, a browser, Gradio, PyTorch, the whole program
#: as trees.
TOGETHER = ("tests/api/", "tests/browser/", "tests/ui/", "tests/tools/hub/", "tests/test_")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """What shares the tests out among several processes: module by module, some folders whole."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFolder(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            module = nodeid.partition("::")[0]
            return next((folder for folder in TOGETHER if module.startswith(folder)), module)

    return ByFolder(config, log) if config.getoption("dist") == "loadscope" else None


@pytest.fixture(scope="session")
def own_toolbox() -> Toolbox:
    """The project's own tools."""
    return Toolbox.load()


@pytest.fixture(scope="session")
def own_planner(own_toolbox: Toolbox) -> Planner:
    """The embedded planner over them, with its readers and its encoder loaded."""
    return embedded_planner(own_toolbox)
