"""Writes docs/toolbox.md from the toolbox and from what was measured: run it after a change.

python -m scripts.write_toolbox_page          write the page
python -m scripts.write_toolbox_page --check  say whether it is up to date
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.tool_cost import kept
from benchmarks.toolbox_page import toolbox_page
from controlllm.toolbox import Toolbox

PAGE = Path(__file__).resolve().parent.parent / "docs" / "toolbox.md"


def main() -> int:
    """Write the page, or compare it."""
    page = toolbox_page(Toolbox.load(), kept())
    if "--check" in sys.argv[1:]:
        return 0 if PAGE.is_file() and PAGE.read_text("utf-8") == page else 1
    PAGE.write_text(page, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
