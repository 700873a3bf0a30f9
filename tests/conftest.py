"""What holds for every test."""

from __future__ import annotations

import hypothesis

pytest_plugins = ["tests.unsteady"]

# A busy machine makes an example slow, and slowness is no fault: neither running nor making
# examples has a limit of time.
hypothesis.settings.register_profile(
    "steady", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("steady")
