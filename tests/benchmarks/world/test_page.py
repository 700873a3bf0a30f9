"""docs/world.md says what there is."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.world.apis import apis, setting
from benchmarks.world.facts import FOLDER, read_tables
from benchmarks.world.faults import _SHARES

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "world.md").read_text("utf-8")


def test_every_api_stands_in_its_field_with_a_star_where_it_acts():
    rows = {
        row.split(":")[0].strip("| "): row for row in PAGE.splitlines() if re.match(r"\| \w+:", row)
    }
    for area in {api.area for api in apis().values()}:
        names = re.findall(r"`(\w+)`(\\\*)?", rows[area])
        there = [api for api in apis().values() if api.area == area]
        assert [(name, bool(star)) for name, star in names] == [
            (api.name, api.acts) for api in there
        ]
        assert f"| {len(there)} |" in rows[area]


def test_its_numbers_are_true():
    tables = read_tables()
    assert f"{len(list(tables))} tables" in PAGE
    assert f"{sum(len(tables[name].rows) for name in tables):,} rows" in PAGE
    assert f"{len(apis())} in 10 fields" in PAGE
    assert f"{len(setting().kinds)} kinds of entities" in PAGE
    assert f"{sum(api.acts for api in apis().values())} act outside" in PAGE
    size = sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file())
    said = re.search(r"about (\d+) kB", PAGE)
    assert said is not None and abs(int(said[1]) - size / 1000) < 5


def test_the_shares_of_faults_are_those_that_are_drawn():
    said = [int(share) for share in re.findall(r"^\| (\d+) % \|", PAGE, re.MULTILINE)]
    assert sorted(said) == sorted(_SHARES.values())
