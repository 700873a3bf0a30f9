"""The words of a request that tools are given."""

from types import SimpleNamespace

from controlllm.planning.said_wish import SaidWish
from controlllm.planning.words import _thing_alone


def heard(text: str, words: str) -> str:
    """What is handed over where the reader heard some words of a request."""
    shown = SimpleNamespace(original=lambda start, end: (start, end))
    start = text.index(words)
    wish = SaidWish(None, shown, text)  # type: ignore[arg-type]
    return wish.heard(start, start + len(words))


def test_what_is_quoted_ends_where_its_marks_do() -> None:
    for text, words, given in (
        ('put "Lena & Tom" at the bottom', 'Lena & Tom" at the bottom', "Lena & Tom"),
        (
            "write 'Greetings from Kiel' in red",
            "Greetings from Kiel' in red",
            "Greetings from Kiel",
        ),
        ("a title “Week 6” till second 8", "“Week 6” till second 8", "Week 6"),
        ('put "Lena & Tom" at the bottom', "Lena", "Lena & Tom"),
        ('write "one" and "two" on it', 'one" and "two', 'one" and "two'),
        ("write Week 6 on it", "Week 6", "Week 6"),
    ):
        assert heard(text, words) == given, text


def test_a_thing_is_named_without_what_leads_up_to_it_and_on_from_it() -> None:
    for words, thing in (
        ("on the boy, he", "the boy"),
        ("that to the bird", "the bird"),
        ("im the girl with the cap", "the girl with the cap"),
        ("the brown one is", "the brown one"),
        ("a crease across his", "a crease"),
        ("in red", "in red"),
        ("the man next to her", "the man next to her"),
        ("that", "that"),
    ):
        assert _thing_alone(words) == thing
