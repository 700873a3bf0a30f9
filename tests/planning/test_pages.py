"""Pages that words name, of documents in a request."""

from __future__ import annotations

import pytest

from controlllm.core.plans import Request, Subtask, TypedValue
from controlllm.planning.pages import named_pages, only_shows, with_pictures, works_on_pages
from controlllm.resources import Resource
from tests.every_case import every_case


def document(name: str = "report.pdf", pages: int = 5) -> Resource:
    return Resource("text", name, details={"pages": pages, "original": name})


def request(text: str, *resources: Resource) -> Request:
    handed = resources or (document(),)
    return Request(text, handed, tuple(item.value for item in handed))


def numbers(text: str, *resources: Resource) -> list[tuple[str, int]]:
    return [page for said in named_pages(request(text, *resources)) for page in said.pages]


@every_case(
    ("text", "wanted"),
    [
        ("page 3 as a picture", [3]),
        ("What does the second page show?", [2]),
        ("the last page", [5]),
        ("Show me page two of report.pdf", [2]),
        ("blur the faces on the 4th page of the document", [4]),
        ("Make pages 1, 2 and 4 black and white.", [1, 2, 4]),
        ("pages 2-4", [2, 3, 4]),
        ("pages two to three as images", [2, 3]),
        ("What is on the first two pages?", [1, 2]),
        ("describe the last 2 pages", [4, 5]),
        ("the next-to-last page", [4]),
        ("the first and the third page", [1, 3]),
        ("describe page 9", [9]),
        ("caption p. 3", [3]),
    ],
)
def test_pages_are_named_in_many_ways(text: str, wanted: list[int]) -> None:
    assert numbers(text) == [("report.pdf", number) for number in wanted]


@every_case(
    "text",
    [
        "summarise the document",
        "make a web page of it",
        "write a second page",
        "how many pages are there?",
        "turn it into a page with a title",
        "what does the first paragraph say?",
        "write a three page summary",
    ],
)
def test_other_words_name_no_page(text: str) -> None:
    assert numbers(text) == []


def test_the_document_is_the_one_named_or_handed_over_or_the_newest() -> None:
    both = (document("a.pdf"), document("b.pdf", 2))
    assert numbers("the last page of b.pdf", *both) == [("b.pdf", 2)]
    assert numbers("the last page", *both) == [("a.pdf", 5), ("b.pdf", 2)]
    later = Request("the last page", both, ())
    assert [said.pages for said in named_pages(later)] == [(("b.pdf", 2),)]
    photo = Resource("image", "photo.jpg")
    beside = Request("the last page", (*both, photo), ("photo.jpg",))
    assert named_pages(beside) == ()
    assert numbers("page 2", Resource("text", "notes.txt")) == []


def test_a_request_goes_on_with_the_pictures() -> None:
    asked = request("What does the second page of report.pdf show?")
    picture = Resource("image", "report page 2.png")
    pages = named_pages(asked)
    found = with_pictures(asked, pages, {("report.pdf", 2): picture})
    assert found.text == "What does report page 2.png show?"
    assert found.attached == ("report page 2.png",) and found.resources == (picture,)
    besides = request("compare page 2 with report.pdf")
    found = with_pictures(besides, named_pages(besides), {("report.pdf", 2): picture})
    assert found.attached == ("report.pdf", "report page 2.png")


@every_case(
    ("text", "only"),
    [
        ("page 3 as a picture", True),
        ("Please show me the last page of report.pdf.", True),
        ("convert pages 1 and 2 into PNG images", True),
        ("what does page 3 show?", False),
        ("make page 3 black and white", False),
        ("What is on page 3?", False),
    ],
)
def test_who_only_wants_to_see_a_page_is_shown_it(text: str, only: bool) -> None:
    asked = request(text)
    assert only_shows(asked, named_pages(asked)) is only


@pytest.mark.parametrize(
    ("tool", "is_of_pages"),
    [
        ("extract_pages", True),
        ("rotate_pages", True),
        ("number_pages", True),
        # A picture of the page says more than the words of all pages.
        ("document_to_text", False),
        ("image_captioning", False),
    ],
)
def test_what_is_done_to_pages_is_done_to_the_document(own_toolbox, tool, is_of_pages):
    ends = {tool: 4.5, "image_captioning": 2.0}
    subtask = Subtask(0, "keep only page 2", (), (), TypedValue("text", "<GEN>-0"), ends=ends)
    assert works_on_pages([subtask], own_toolbox) is is_of_pages
