"""Nothing that a text says becomes more than text."""

from controlllm.ui.drawings.markdown import to_html
from tests.every_case import every_case


@every_case(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<iframe src=//evil.example>",
        "![shown](http://evil.example/a.png)",
        "![shown](javascript:alert(1))",
        "![`<script>alert(1)</script>`](http://evil.example/a.png)",
        "[run](javascript:alert(1))",
        "[run](data:text/html;base64,AAAA)",
        "[file](file:///etc/passwd)",
        "<http://evil.example/><style>*{}</style>",
        '[x](http://evil.example/"onmouseover="alert(1))',
    ],
)
def test_hostile_text_is_harmless(text: str) -> None:
    html = to_html(text)
    for part in ("<script", "<img", "<iframe", "<style"):
        assert part not in html
    assert 'href="javascript' not in html and 'href="data' not in html
    assert 'href="file' not in html and " onmouseover=" not in html


def test_ordinary_markdown_is_kept() -> None:
    html = to_html("**one** and\n\n- two\n- [three](https://example.org/a?b=1&c=2)\n\n`four`")
    assert "<strong>one</strong>" in html and "<li>two</li>" in html
    assert 'href="https://example.org/a?b=1&amp;c=2"' in html and "noopener" in html
    assert "<code>four</code>" in html


def test_name_of_a_file_opens_it_and_nothing_else_does() -> None:
    html = to_html("See `a<b.png` and `other.png`.", {"a<b.png"})
    assert 'data-value="a&lt;b.png"' in html
    assert "<code>other.png</code>" in html
