"""Where the folders of the program lie: inside the package where it was installed, beside it in a
checkout.

An installed package has the tools inside, as `controlllm.tools`, so that nothing called `tools`
stands beside what others install; in a checkout they are the folder `tools/`, imported as `tools`.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _inside_or_beside(name: str) -> Path:
    return _PACKAGE / name if (_PACKAGE / name).is_dir() else _PACKAGE.parent / name


#: Models, phrasings, lists of words and the page's files.
ASSETS = _inside_or_beside("assets")
#: The rooms of tools, and the name by which they are imported.
TOOLS = _inside_or_beside("tools")
TOOLS_PACKAGE = f"{_PACKAGE.name}.tools" if TOOLS.parent == _PACKAGE else "tools"
