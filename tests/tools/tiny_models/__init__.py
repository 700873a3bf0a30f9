"""Tiny models with random weights of the same families as those that are downloaded.

They are for tests of loading and plumbing; what they make or say means nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from tests.tools.tiny_models import diffusion, language, packaged, sound, vision

#: What builds a tiny model in a folder, by the repository whose weights it stands for.
BUILDERS: Mapping[str, Callable[[Path], None]] = {
    **diffusion.BUILDERS,
    **language.BUILDERS,
    **packaged.BUILDERS,
    **sound.BUILDERS,
    **vision.BUILDERS,
}
