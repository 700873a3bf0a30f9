"""Scenes that many tests ask about: what is seen in each is looked for once."""

from __future__ import annotations

import pytest

from tests.tools.photos import photo, two_cats
from tools.seeing.embedded.scene import Scene


@pytest.fixture(scope="package")
def astronaut() -> Scene:
    return Scene(photo("astronaut.png"))


@pytest.fixture(scope="package")
def cats() -> Scene:
    return Scene(two_cats())


@pytest.fixture(scope="package")
def cat() -> Scene:
    return Scene(photo("chelsea.png"))
