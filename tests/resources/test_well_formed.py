"""Half a character from outside never gets further than where it came in."""

from __future__ import annotations

import json

import pytest

from controlllm.resources.well_formed import (
    WellFormedPieces,
    json_from_outside,
    well_formed,
    well_formed_value,
)

HALF, OTHER_HALF, GONE = "\ud83d", "\ude00", "\ufffd"


def test_texts_that_can_be_written_stay_the_same_object():
    for text in ("", "plain", "Grüße, 世界", "\N{GRINNING FACE}", "\0", "\ufffe", "e\u0301"):
        assert well_formed(text) is text


def test_lone_halves_are_replaced_and_pairs_joined():
    for given, wanted in (
        (HALF, GONE),
        (OTHER_HALF, GONE),
        (f"a{HALF}", f"a{GONE}"),
        (f"{HALF}b", f"{GONE}b"),
        (f"{OTHER_HALF}{HALF}", GONE + GONE),
        (f"{HALF}{HALF}{OTHER_HALF}", f"{GONE}\N{GRINNING FACE}"),
        (f"x{HALF}{OTHER_HALF}y", "x\N{GRINNING FACE}y"),
        # A name of a file that is no UTF-8, as Python reads it.
        (b"caf\xe9.png".decode("utf-8", "surrogateescape"), f"caf{GONE}.png"),
    ):
        found = well_formed(given)
        assert found == wanted and found.encode(), ascii(given)


def test_values_are_well_formed_at_every_depth_and_in_their_names():
    made = well_formed_value({HALF: [{"a": (HALF, 1, None, True)}, 2.5], "b": OTHER_HALF})
    assert made == {GONE: [{"a": (GONE, 1, None, True)}, 2.5], "b": GONE}
    json.dumps(made, ensure_ascii=False).encode()


def test_json_is_well_formed_however_it_holds_the_half():
    assert json_from_outside(r'{"text": "\ud83d"}') == {"text": GONE}
    # Written as if UTF-8 had a code for it.
    assert json_from_outside(b'"\xed\xa0\xbd"') == GONE
    assert json_from_outside(r'"\ud83d\ude00"') == "\N{GRINNING FACE}"
    with pytest.raises(ValueError):
        json_from_outside("{")


def test_a_pair_that_is_split_between_two_pieces_is_one_character():
    pieces = WellFormedPieces()
    assert [pieces.take(piece) for piece in ("a", f"b{HALF}", f"{OTHER_HALF}c", HALF, "")] == [
        "a", "b", "\N{GRINNING FACE}c", "", "",
    ]  # fmt: skip
    assert pieces.rest() == GONE
