"""Two texts compared, and a text as a web page."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.words.comparing import compare_texts, text_to_webpage


def test_sentences_that_were_changed_added_and_taken_out() -> None:
    assert compare_texts(
        "The quick brown fox jumps. It was late. We went home.",
        "The fast brown fox jumps high. We went home. The end.",
    ).split("\n\n") == [
        "1 changed, 1 added, 1 taken out, of 3 sentences.",
        "Sentence 1, changed: The ~~quick~~ **fast** brown fox jumps **high**.",
        "Before sentence 2, taken out: ~~It was late.~~",
        "Sentence 3, added: **The end.**",
    ]


def test_lines() -> None:
    assert compare_texts("milk\neggs\nbread\nflour\n", "milk\neggs, 12\nbread\nsugar\nflour").split(
        "\n\n"
    ) == [
        "1 changed, 1 added, of 5 lines.",
        "Line 2, changed: eggs**, 12**",
        "Line 4, added: **sugar**",
    ]


def test_several_words_of_a_line() -> None:
    answer = compare_texts(
        "Dear Mr Smith,\nPlease pay 200 euros by 3 May.",
        "Dear Mrs Smith,\nPlease pay 250 euros by 13 June.",
    )
    assert "Dear ~~Mr~~ **Mrs** Smith," in answer
    assert "Please pay ~~200~~ **250** euros by ~~3 May~~ **13 June**." in answer


@every_case(
    "one, two, said",
    [
        ("Same text.", "Same text.", "The two texts are the same."),
        ("a\r\nb\n", "a\nb", "The two texts are the same."),
        ("a b\nc", "a  b c", "same words"),
        ("hello", "", "1 taken out"),
        ("", "hello", "1 added"),
        ("Yes", "yes", "1 changed"),
        ("!!!", "???", "~~!!!~~"),
    ],
)
def test_small_cases(one: str, two: str, said: str) -> None:
    assert said in compare_texts(one, two)


def test_two_empty_texts() -> None:
    with pytest.raises(ToolError, match="empty"):
        compare_texts(" ", "")


@pytest.mark.long
@pytest.mark.timeout(60)
def test_long_texts_are_compared_in_time() -> None:
    few = "".join(f"{'abc'[number * number % 3]}\n" for number in range(50_000))
    assert "of 50,000 lines" in compare_texts(few, few[2:] + "d\n")
    one = "\n".join(f"line {number} of a long list" for number in range(4000))
    two = one.replace("line 17 ", "row 17 ").replace("line 3999 of", "line 3999 at the end of")
    answer = compare_texts(one, two)
    assert answer.startswith("2 changed, of 4,000 lines.") and "~~line~~ **row** 17" in answer
    other = "\n".join(f"{number} something else {number * 7}" for number in range(4000))
    assert "of 4,000 lines" in compare_texts(one, other)


class Page(HTMLParser):
    """The tags of a page with their attributes, and its words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words = ""
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "link", "br", "hr", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data if "style" not in self.open else ""


MARKDOWN = """# Plum cake & <b>more</b>

A *good* cake, see [the recipe](https://example.org/cake) or [not](javascript:alert(1)).

<script>alert(1)</script> and <img src=x onerror=alert(1)>

| what | g |
|------|--:|
| plums | 500 |

- [ ] buy plums
- [x] find a tin

```
oven 180
```

> My aunt's.

~~old~~ **new**
"""


def test_a_whole_page() -> None:
    source = text_to_webpage(MARKDOWN)
    page = Page(source)
    assert source.startswith("<!doctype html>") and not page.open
    for tag in ("title", "h1", "em", "a", "table", "ul", "pre", "blockquote", "s", "strong"):
        assert tag in page.tags, tag
    assert "<title>Plum cake &amp; &lt;b&gt;more&lt;/b&gt;</title>" in source
    assert ("href", "https://example.org/cake") in page.attributes
    assert "☐ buy plums" in page.words and "☑ find a tin" in page.words
    assert "prefers-color-scheme:dark" in source and "viewport" in source


def test_html_in_the_text_is_shown_and_not_run() -> None:
    page = Page(text_to_webpage(MARKDOWN))
    assert "script" not in page.tags and "img" not in page.tags and "b" not in page.tags
    assert "<script>alert(1)</script>" in page.words
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert not [value for _, value in page.attributes if value and "javascript" in value]


@every_case(
    "text, expected",
    [
        ("Roses are red\nViolets are blue", "Roses are red<br />"),
        (f"{'word ' * 14}\n{'word ' * 14}\nend", "word word\nword"),
        ("Just words. And more.", "<title>Just words.</title>"),
        ("text\n\n## Later heading", "<title>Later heading</title>"),
        ("שלום עולם, זה דף", '<html dir="rtl">'),
        ("{style} {title} {body}", "<p>{style} {title} {body}</p>"),
        ("Müller & Söhne <3", "<p>Müller &amp; Söhne &lt;3</p>"),
    ],
)
def test_pages_of_small_texts(text: str, expected: str) -> None:
    assert expected in text_to_webpage(text)


def test_cells_are_set_to_the_right() -> None:
    assert '<td class="right">500</td>' in text_to_webpage(MARKDOWN)


@pytest.mark.timeout(60)
def test_long_and_odd_texts_become_pages_in_time() -> None:
    assert "<p>word word" in text_to_webpage("word " * 70_000)
    wide = f"|{'a|' * 5000}\n|{'-|' * 5000}\n{'|1|' + chr(10)}" + "|1|\n" * 20_000
    assert len(text_to_webpage(wide)) < 1_000_000


def test_a_page_needs_words() -> None:
    with pytest.raises(ToolError, match="no text"):
        text_to_webpage(" \n")
