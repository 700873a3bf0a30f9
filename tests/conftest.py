"""What holds for every test, and what all of them share.

Plain `pytest` runs the tests as `make test` does: nobody outside this machine is asked, and a model
takes one thread, since the tests of two processes keep a small machine busy.
"""

from __future__ import annotations

import os

# Libraries read these when they are first imported.
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

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


@pytest.fixture(scope="session")
def own_toolbox() -> Toolbox:
    """The project's own tools."""
    return Toolbox.load()


@pytest.fixture(scope="session")
def own_planner(own_toolbox: Toolbox) -> Planner:
    """The embedded planner over them, with its readers and its encoder loaded."""
    return embedded_planner(own_toolbox)
