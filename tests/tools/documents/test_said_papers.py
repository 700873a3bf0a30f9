"""What people say of documents and texts, as tools for them read it."""

from __future__ import annotations

import pytest

from controlllm.toolbox import Toolbox
from controlllm.values import pages_of, values_in
from tests.every_case import every_case
from tools.documents.embedded import page_marks, passwords
from tools.documents.splitting import _parts
from tools.words.counting import count_words
from tools.words.embedded import private_words
from tools.words.embedded.text_classes import labels_in
from tools.words.embedded.word_edits import said_exchange

HELD = (
    "Karin Holt and Ben Osei live here. Call 07700 900461. Mrs Holt signed for Ms Fairbairn, "
    "and Aaron Vickers paid."
)


@pytest.fixture(scope="module")
def toolbox() -> Toolbox:
    return Toolbox.load()


@every_case(
    ("words", "pages"),
    [
        ("pages 1-44 are 2021, 45-90 are 2022, 91-132 are 2023", "1-44,45-90,91-132"),
        ("1-3 for the violin and slides 4-6 viola, 7-9 cello", "4-6,7-9"),
        ("I need sheets 4, 9 and 21", "4,9,21"),
        ("cut everything after page 60", "61-"),
        ("all pages from 10 on", "10-"),
        ("from page 14 to the end", "14-"),
        ("slide 7 onwards", "7-"),
        ("keep everything up to page 12", "1-12"),
        ("pages 14 and 22, two I know of", "14,22"),
        ("pages two, three and five", "2,3,5"),
        ("the first and the last page", "1,last"),
        ("p. 5 and p. 6", "5,6"),
        ("every second page", "even"),
        ("pages 2 up to page 5", "2-5"),
        ("the first one PDF, then page 3", "3"),
        ("p.4 and page5", "4,5"),
    ],
)
def test_pages(toolbox: Toolbox, words: str, pages: str) -> None:
    kinds = {item.name: item.kind for item in toolbox["extract_pages"].parameters if item.kind}
    assert values_in(words, kinds)["pages"] == pages


def test_open_ended_pages() -> None:
    assert pages_of("3-", 5) == [2, 3, 4]
    assert _parts("4-", 0, 5) == [[0, 1, 2], [3, 4]]
    assert _parts("1-2,4-", 0, 5) == [[0, 1], [3, 4]]
    with pytest.raises(ValueError, match="no page"):
        pages_of("7-", 5)


@every_case(
    ("tool", "words", "name", "value"),
    [
        ("extract_pages", "chuck page 2 out, keep the rest", "way", "remove"),
        ("extract_pages", "all but the first page", "way", "remove"),
        ("extract_pages", "cut everything after page 3", "way", "remove"),
        ("extract_contacts", "every mail address and phone no. in it", "kind", "emails,phones"),
        ("extract_contacts", "all sums of money in this e-mail thread", "kind", "amounts"),
        ("extract_contacts", "every price in the mail as a list", "kind", "amounts"),
        ("extract_contacts", "the web addresses from my e-mail", "kind", "links"),
        ("extract_contacts", "deadlines and links, please", "kind", "links,dates"),
        ("arrange_lines", "turn the list around", "way", "reverse"),
        ("arrange_lines", "newest line first", "way", "reverse"),
        ("arrange_lines", "from bottom to top", "way", "reverse"),
    ],
)
def test_settings(toolbox: Toolbox, tool: str, words: str, name: str, value: str) -> None:
    kinds = {item.name: item.kind for item in toolbox[tool].parameters if item.kind}
    assert values_in(words, kinds)[name] == value


@every_case(
    ("words", "written"),
    [
        ("stamp 'S. Bakshi, flat 9' on top", "S. Bakshi, flat 9"),
        ("stamp 'Measured by group 4", "Measured by group 4"),
        ("header line on all pages: 'St Agnes PTA - Confidential'", "St Agnes PTA - Confidential"),
        ("Write the caption 'The club's rules' below", "The club's rules"),
        ("scribble CONFIDENTIAL across each page", "CONFIDENTIAL"),
        ("label each page with Case 12/2024", "Case 12/2024"),
        ("stamp it Received 4 May", "Received 4 May"),
        ("have every page say SAMPLE", "SAMPLE"),
        ("DRAFT", "DRAFT"),
    ],
)
def test_words_to_write(words: str, written: str) -> None:
    assert page_marks.to_write(words) == written


@every_case(
    ("words", "hidden", "shown"),
    [
        ("the names Karin Holt and Ben Osei in it", "Karin Holt|Ben Osei|Holt", "Aaron Vickers"),
        ("the client's name (Aaron Vickers)", "Aaron Vickers|Vickers", "Ben Osei"),
        ("Karin Holt is on each page: make that name unreadable", "Karin Holt|Holt", "Ben Osei"),
        ("the words 'Ms Fairbairn' and every phone number", "Ms Fairbairn|07700 900461", "Osei"),
        ("all names, also Karin Holt", "Karin Holt|Ben Osei|Aaron Vickers", "07700 900461"),
        ("black out the names", "Karin Holt|Ben Osei|Aaron Vickers", "07700 900461"),
    ],
)
def test_who_is_blacked_out(words: str, hidden: str, shown: str) -> None:
    found, missing = private_words.wanted(words, private_words.kinds_in(words), HELD)
    assert set(hidden.split("|")) <= set(found) and shown not in found and not missing


@every_case(
    ("words", "labels"),
    [
        ("fit better under science, history or sport? With percentages.", "science history sport"),
        ("does it belong under travel or food", "travel food"),
        ("polite, or already rude or sarcastic", "polite rude sarcastic"),
        ("is this more like a question or an order", "question order"),
        ("sport, politics or cooking", "sport politics cooking"),
    ],
)
def test_labels(words: str, labels: str) -> None:
    assert " ".join(labels_in(words)) == labels


@every_case(
    ("words", "old", "new"),
    [
        ("The bride is called Marta now, not Maria. Everywhere please.", "Maria", "Marta"),
        ("swap in 'Elm Ltd' for 'Oak Ltd' all over the contract", "Oak Ltd", "Elm Ltd"),
        ("change Smith to Smythe wherever it occurs", "Smith", "Smythe"),
        ("replace Monday by Tuesday all through the letter", "Monday", "Tuesday"),
    ],
)
def test_words_exchanged(words: str, old: str, new: str) -> None:
    assert said_exchange(words) == (old, new)


@every_case(
    ("word", "said"),
    [
        ("the words", "Words: 4"),
        ("the word however", "“however” occurs twice"),
        ("how often do I write 'however'", "“however” occurs twice"),
        ("however", "“however” occurs twice"),
    ],
)
def test_words_counted(word: str, said: str) -> None:
    assert said in count_words("However, he did. However", word)


def test_password_behind_protect() -> None:
    assert passwords.said("password protect with Blue.Sky") == "Blue.Sky"
