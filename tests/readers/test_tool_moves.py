"""Where the tools that ship lie among people's wishes."""

from __future__ import annotations

import numpy as np

from controlllm.planning.wishes import RequestText, Slot
from controlllm.readers.tool_moves import NO_TOOL, tool_moves
from controlllm.readers.wish_networks import WIDTH
from controlllm.readers.wishes import WishReader, text_of
from controlllm.toolbox import Toolbox
from training.match_tools import Wishes, moved, right


def test_every_tool_that_ships_has_a_place(own_toolbox: Toolbox) -> None:
    moves = tool_moves()
    assert set(moves) == {tool.name for tool in own_toolbox} | {NO_TOOL}
    for move in moves.values():
        assert move.shape == (WIDTH,) and move.dtype == np.float32 and np.linalg.norm(move) < 2


def test_a_wish_is_matched_where_the_tool_was_moved_to(own_toolbox: Toolbox) -> None:
    told = {name: text_of(own_toolbox[name]) for name in ("flip_image", "rotate_image")}
    shown = RequestText("mirror it", (Slot("image1"),))
    still = WishReader(told)
    (heard,) = still.heard(shown)
    (wish,) = still(shown)
    best = max(wish.ends, key=wish.ends.__getitem__)
    other = next(name for name in told if name != best)
    (wish,) = WishReader(told, moves={other: 3 * heard.ends})(shown)
    assert max(wish.ends, key=wish.ends.__getitem__) == other
    # What stays where it was is read as it was.
    assert still(shown) == WishReader(told, moves={"something else": heard.ends})(shown)


def test_vectors_go_to_the_wishes_that_mean_them_and_not_far() -> None:
    draw = np.random.default_rng(1)
    start = draw.normal(size=(4, WIDTH)).astype(np.float32)
    start /= np.linalg.norm(start, axis=1, keepdims=True)
    # Each tool is asked for half-way to the next one.
    tools = np.arange(80) % 4
    vectors = start[tools] * 0.8 + start[(tools + 1) % 4]
    vectors += 0.02 * draw.normal(size=vectors.shape)
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    wishes = Wishes(vectors, tools, np.full(80, 1 / 80, np.float32))
    assert right(start, wishes) < 0.1
    found = moved(start, wishes, 18.0)
    assert right(found, wishes) > 0.9
    assert np.linalg.norm(found - start, axis=1).max() < 1
