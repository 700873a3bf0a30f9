"""Two texts word by word: marks, spaces, escaping."""

from __future__ import annotations

import html
import re

from hypothesis import given
from hypothesis import strategies as st

from controlllm.ui.drawings.compared_results import compared

SAID = re.compile(r'<span class="for-screen-readers">.*?</span>')


def plain(shown: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", SAID.sub("", shown)))


def test_what_only_one_has_is_marked_on_its_side():
    found = compared("A cup of coffee.", "I see a cup of tea.")
    assert found.words == 3
    assert re.findall(r"</span>(.*?)</del>", found.left) == ["coffee"]
    assert re.findall(r"</span>(.*?)</ins>", found.right) == ["I see", "tea"]
    assert "only in A" in found.left and "only in B" in found.right


def test_case_alone_is_no_difference():
    found = compared("The cat", "the cat")
    assert found.words == 0 and found.left == "The cat"


def test_texts_are_escaped():
    assert "<b>" not in compared("a <b> c", "a <i> c").left


@given(st.text(max_size=60), st.text(max_size=60))
def test_each_side_says_its_own_text(left, right):
    found = compared(left, right)
    assert (plain(found.left), plain(found.right)) == (left, right)
