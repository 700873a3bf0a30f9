"""Write the tables of ``docs/models.md`` anew, from what the modules and tools say themselves.

Run it with ``python -m scripts.write_models_page`` after adding a model or weights; a test says
when it is due.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from controlllm.models import ModelFile
from controlllm.models.model_list import DownloadableWeights, downloadable_weights, shipped_models
from controlllm.models.weights import size_in_words
from controlllm.toolbox import Toolbox

PAGE = Path(__file__).resolve().parent.parent / "docs" / "models.md"


def shipped_table() -> str:
    """The models that ship, a row each."""
    rows = ["| model | what for | source | version | file, SHA-256 | licence |", "| --- " * 6 + "|"]
    for item in shipped_models():
        model = item.model
        name = f"[{model.name}](models/{model.page})" if model.page else model.name
        files = ", ".join(_file(file) for file in item.files)
        cells = (name, model.used_for, model.source, model.version, files, model.licence)
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _file(file: ModelFile) -> str:
    place = f"`{file.package}/{file.name}`" if file.package else f"`assets/models/{file.name}`"
    return f"{place} `{file.sha256[:8]}…`"


def weights_table(toolbox: Toolbox) -> str:
    """The weights that can be fetched, a row each."""
    rows = ["| repository | size | licence | tools, and as which size |", "| --- " * 4 + "|"]
    for item in downloadable_weights(toolbox):
        weights = item.weights
        cells = (
            f"`{weights.repository}`",
            size_in_words(weights.size),
            weights.licence,
            ", ".join(_uses(item)),
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _uses(item: DownloadableWeights) -> Iterator[str]:
    for tool in item.tools:
        sizes = dict.fromkeys(use.size for use in item.uses if use.tool == tool)
        yield f"`{tool}` {' and '.join(sizes)}"


def written(page: str) -> str:
    """The page with its tables as they are to be."""
    tables = {"shipped": shipped_table(), "weights": weights_table(Toolbox.load())}
    for name, table in tables.items():
        start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        if page.count(start) != 1 or page.count(end) != 1:
            raise ValueError(f"{PAGE.name} has no one place for the table of {name}.")
        before, rest = page.split(start)
        page = f"{before}{start}\n{table}\n{end}{rest.split(end)[1]}"
    return page


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
    print(f"Wrote the tables of {PAGE}")
