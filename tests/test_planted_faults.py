"""The list of planted faults is true: each still has its place in the product."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from tests.planted_faults import ROOT, Fault, faults


@pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.name)
def test_a_fault_has_one_place_and_the_file_with_it_compiles(fault: Fault) -> None:
    before = ast.dump(ast.parse((ROOT / fault.file).read_text("utf-8")))
    assert ast.dump(ast.parse(fault.planted())) != before
    assert fault.what.endswith(".") and fault.tests
    assert all((ROOT / place).exists() for place in fault.tests)


def test_every_fault_has_a_name_of_its_own() -> None:
    assert max(Counter(fault.name for fault in faults()).values()) == 1
