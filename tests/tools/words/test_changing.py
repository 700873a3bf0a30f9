"""Words replaced, capitals, and lines in another order."""

from __future__ import annotations

import pytest

from controlllm.toolbox import ToolError
from controlllm.values.filling import values_in
from tests.every_case import every_case
from tools.words.changing import arrange_lines, change_case, replace_words
from tools.words.embedded.word_edits import said_exchange


def replacing(old: str, new: str) -> str:
    """The instruction, with words in quotation marks that have none."""
    marked = [words if words[:1] in ("“", "'") else f"“{words or ' '}”" for words in (old, new)]
    return f"replace {marked[0]} by {marked[1]}"


@every_case(
    "text, old, new, expected",
    [
        ("See you on Monday.", "Monday", "Tuesday", "See you on Tuesday."),
        ("Monday, MONDAY, monday", "monday", "tuesday", "Tuesday, TUESDAY, tuesday"),
        ("Cats chase a cat.", "cat", "dog", "Cats chase a dog."),
        ("A color. Colors stay. COLOR!", "“color”", "'colour'", "A colour. Colors stay. COLOUR!"),
        ("the end of\nthe day", "end of the day", "evening", "the evening"),
        ("It’s late, it's dark.", "it's", "it is", "It is late, it is dark."),
        ("C++ and C", "C++", "Rust", "Rust and C"),
        ("very good, very!", "very", "", "good,!"),
        ("a really big, really red dog", "really", "", "a big, red dog"),
        ("1.5 and 11.5", "1.5", "2.0", "2.0 and 11.5"),
        ("back\\slash $1", "$1", r"\1 \g<0>", r"back\slash \1 \g<0>"),
        ("Anna met anna.", "Anna", "Julia", "Julia met julia."),
        ("use IBM", "IBM", "eBay", "use eBay"),
    ],
)
def test_words_are_replaced(text: str, old: str, new: str, expected: str) -> None:
    assert replace_words(text, replacing(old, new)).strip() == expected


@every_case(
    "said, old, new",
    [
        ("Change every 'colour' to 'color' in the text.", "colour", "color"),
        ("Replace Monday by Tuesday in this letter.", "Monday", "Tuesday"),
        ("Swap the name Anna for Julia everywhere in the story.", "Anna", "Julia"),
        ("In the contract, use the word tenant instead of renter.", "renter", "tenant"),
        ("find and replace 2025 with 2026", "2025", "2026"),
        ("Everywhere it says Ltd. it should say GmbH.", "Ltd.", "GmbH"),
        ("Take the word 'very' out of my essay.", "very", ""),
        ("Replace 'flat' by 'apartment' everywhere, but flatmate stays!", "flat", "apartment"),
        ("Put 2025 wherever it says 2024", "2024", "2025"),
        ("change Mr Smith's name to Mr Jones", "Mr Smith's name", "Mr Jones"),
        ("can you swap out Bob with Rob please", "Bob", "Rob"),
        ("replace “Dear Sir” with “Dear Madam”, thanks", "Dear Sir", "Dear Madam"),
        ("Delete every 'just'.", "just", ""),
        ("use 'autumn' for every 'fall'", "fall", "autumn"),
        ("London -> Paris", "London", "Paris"),
        ("the year must be 2026, not 2025", "2025", "2026"),
        ("it should say tenant and not renter, everywhere", "renter", "tenant"),
    ],
)
def test_which_words_are_meant(said: str, old: str, new: str) -> None:
    assert said_exchange(said) == (old, new)


@every_case("said", ["make it nicer", "change it to a poem", "oh no, it must be 2026", ""])
def test_where_no_words_are_named_none_are_made_up(said: str) -> None:
    assert said_exchange(said) is None


@every_case(
    "text, old, new, said",
    [
        ("Hello there", "goodbye", "bye", "goodbye"),
        ("colours", "colour", "color", "longer words"),
        ("Hello there", "  ", "x", "which word"),
        ("", "a", "b", "no text"),
        ("away", "away", "", "Nothing"),
    ],
)
def test_what_cannot_be_replaced(text: str, old: str, new: str, said: str) -> None:
    with pytest.raises(ToolError, match=said):
        replace_words(text, replacing(old, new))


@every_case(
    "text, case, expected",
    [
        ("Hello, wörld!", "upper", "HELLO, WÖRLD!"),
        ("Hello, WÖRLD!", "lower", "hello, wörld!"),
        ("the lord of the rings", "title", "The Lord of the Rings"),
        ("THIS IS LOUD. I'M SORRY", "sentence", "This is loud. I'm sorry"),
        ("hello there. how are you?\nfine", "sentence", "Hello there. How are you?\nFine"),
        ("The Quick Brown Fox Sees NASA", "sentence", "The quick brown fox sees NASA"),
        ("We met Anna in Paris last week.", "sentence", "We met Anna in Paris last week."),
        ("hello there", "", "HELLO THERE"),
        ("HELLO THERE", "", "Hello there"),
    ],
)
def test_capitals(text: str, case: str, expected: str) -> None:
    assert change_case(text, case=case) == expected


def test_capitals_need_letters() -> None:
    with pytest.raises(ToolError, match="no letters"):
        change_case("1, 2, 3!", case="upper")


@every_case(
    "text, way, expected",
    [
        ("item 10\nitem 2\nÉclair\nzebra\napple\nBanana", "sort",
         "apple\nBanana\nÉclair\nitem 2\nitem 10\nzebra"),
        ("pear\n\napple\n", "", "apple\npear"),
        ("2\n10\n-3\n1.5", "sort", "-3\n1.5\n2\n10"),
        ("- milk\n- eggs", "sort", "- eggs\n- milk"),
        ("a\nb\nc", "reverse", "c\nb\na"),
        ("a\n\nb", "number", "1. a\n\n2. b"),
        ("b\na\nb\nB \na", "unique", "b\na"),
        ("pears, apples, figs", "sort", "apples, figs, pears"),
        ("chapter 1.10\nchapter 1.9\nanhang", "sort", "anhang\nchapter 1.10\nchapter 1.9"),
    ],
)  # fmt: skip
def test_lines(text: str, way: str, expected: str) -> None:
    assert arrange_lines(text, way=way) == expected


def test_lines_downwards() -> None:
    assert arrange_lines("2 b\n10 a\n1 c", way="sort", descending=True) == "10 a\n2 b\n1 c"


NAMES = "Joan Pike, Tom Ashby, Lucy Obi, Sam Reed, Ida Adler"


@every_case(
    "said, expected",
    [
        ("put these in order by SURNAME and number them for the list", "Ida Tom Lucy Joan Sam"),
        ("number them and sort them alphabetically", "Ida Joan Lucy Sam Tom"),
        ("sort by last name, z to a, numbered", "Sam Joan Lucy Tom Ida"),
        ("by first name, with numbers", "Ida Joan Lucy Sam Tom"),
        ("number the names, longest first", "Ida Joan Tom Lucy Sam"),
        ("sort by second word descending and number it", "Sam Joan Lucy Tom Ida"),
        ("turned round and numbered", "Ida Sam Lucy Tom Joan"),
        ("Number the names of my list", "Joan Tom Lucy Sam Ida"),
        ("put numbers in front of the names, 1. 2. 3. and so on", "Joan Tom Lucy Sam Ida"),
        ("each guest gets a running number", "Joan Tom Lucy Sam Ida"),
    ],
)
def test_lines_in_order_by_a_word_and_numbered(said: str, expected: str) -> None:
    parameters = arrange_lines.tool.parameters
    kinds = {own.name: own.kind for own in parameters if own.kind is not None}
    lines = arrange_lines(NAMES, **values_in(said, kinds)).split("\n")
    wanted = enumerate(expected.split(), 1)
    assert [line[:-1].split()[:2] for line in lines] == [[f"{n}.", name] for n, name in wanted]


def test_a_surname_stands_before_a_comma_and_before_brackets() -> None:
    text = "Pike, Joan\nTom Ashby\n- Lucy Obi (2)\nBo van der Aa"
    lines = arrange_lines(text, by="last_word").split("\n")
    assert lines == ["Bo van der Aa", "Tom Ashby", "- Lucy Obi (2)", "Pike, Joan"]


@every_case("count", [2, 3, 50])
def test_mixed_lines_are_the_same_in_another_order(count: int) -> None:
    lines = [f"line {number}" for number in range(count)]
    mixed = arrange_lines("\n".join(lines), way="shuffle").split("\n")
    assert mixed != lines and sorted(mixed) == sorted(lines)


@every_case("text, said", [("", "no text"), ("only", "only one line"), ("?!", "no text")])
def test_nothing_to_arrange(text: str, said: str) -> None:
    with pytest.raises(ToolError, match=said):
        arrange_lines(text, way="sort")
