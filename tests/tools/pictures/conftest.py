from __future__ import annotations

import PIL.Image
import pytest
import skimage.data


@pytest.fixture(scope="package")
def coffee() -> PIL.Image.Image:
    return PIL.Image.fromarray(skimage.data.coffee()).resize((300, 200))


@pytest.fixture(scope="package")
def astronaut() -> PIL.Image.Image:
    return PIL.Image.fromarray(skimage.data.astronaut()).resize((256, 256))
