"""Networks that are listed, and the files of them."""

from __future__ import annotations

from tools.shared import networks


def test_networks_that_are_listed_are_here() -> None:
    for name in networks._KNOWN:
        assert networks.shipped(name).state() == "ok", name
