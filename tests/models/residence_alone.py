"""Models leave when room is needed, those used longest ago first, and their memory goes back."""

from __future__ import annotations

import os
import sys

import numpy as np
import pytest

from controlllm.models import release_models, residence, resident
from controlllm.models.residence import (
    begin_use,
    complete_users,
    keep_longest,
    memory_of,
    peak_of,
    release_until,
    reset_peak,
    resident_size,
)

MIB = 1 << 20
SIZE = 60 * MIB


@resident
def model(number: int) -> np.ndarray:
    return np.full(SIZE, number, np.uint8)


@pytest.fixture(autouse=True)
def nothing_loaded(monkeypatch):
    release_models()
    monkeypatch.setattr(residence, "_user", "")
    residence._used_by.clear()
    yield
    release_models()


def is_loaded(number: int) -> bool:
    return any(key[2] == (number,) for key in residence._resident)


def test_the_one_used_longest_ago_leaves_first_and_its_memory_goes_back():
    before = memory_of()
    for number in (1, 2, 3):
        model(number)
    model(1)
    assert memory_of() > before + 2.5 * SIZE
    release_until(before + int(2.3 * SIZE))
    assert [number for number in (1, 2, 3) if is_loaded(number)] == [1, 3]
    assert memory_of() < before + 2.3 * SIZE
    release_until(before + 4 * SIZE)
    assert is_loaded(3)
    release_until(0)
    assert not residence._resident


def test_who_has_all_that_it_used_is_known():
    begin_use("first")
    model(1)
    model(2)
    begin_use("second")
    model(2)
    begin_use("third")
    assert complete_users() == ["first", "second", "third"]
    # What the first had before leaves last.
    model(3)
    keep_longest("first")
    keep_longest("nobody")
    before = memory_of()
    release_until(before - SIZE // 2)
    assert is_loaded(1) and is_loaded(2) and not is_loaded(3)
    assert complete_users() == ["first", "second"]
    release_until(before - int(1.5 * SIZE))
    assert len(residence._resident) == 1 and "first" not in complete_users()


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells")
def test_a_process_tells_what_it_holds_and_held_at_most():
    number = os.getpid()
    assert 0 < memory_of(number) <= resident_size(number)
    assert reset_peak(number)
    before = resident_size(number)
    paper = np.ones(SIZE, np.uint8)
    del paper
    assert peak_of(number) >= before + 0.9 * SIZE
    assert not reset_peak("nobody") and peak_of("nobody") == memory_of("nobody") == 0
