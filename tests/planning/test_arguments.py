"""What a text argument of a tool is for."""

from __future__ import annotations

from controlllm.planning.arguments import works_on
from controlllm.resources import TypeLattice


def test_a_text_is_worked_on_only_where_it_is_no_order(own_toolbox):
    lattice = TypeLattice()
    assert works_on(own_toolbox["summarization"], "text", lattice)
    assert not works_on(own_toolbox["text_image_editing"], "text", lattice)
    assert works_on(own_toolbox["text_image_editing"], "image", lattice)
