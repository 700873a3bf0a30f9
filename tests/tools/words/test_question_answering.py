"""Questions about a text written for this test."""

from __future__ import annotations

import pytest

from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.words.embedded.answer_spans import kind_of
from tools.words.question_answering import question_answering

BRIDGE = (
    "The city council approved a new bridge across the Ohio River on Tuesday after two years of "
    "debate. The bridge, which will cost 340 million dollars, is expected to open in 2031. Mayor "
    "Linda Torres said that the crossing would cut the average commute by eleven minutes. "
    '"We are building for the last century," said Paul Reed, who leads a group of transit riders. '
    "Engineers found in March that the old bridge, built in 1938, carries three times the traffic "
    "it was designed for. Construction of the new one will begin in September, and about 1,200 "
    "workers will be hired. The state pays for 60 percent of the project. A toll of two dollars "
    "will be charged for thirty years. Trucks must not use it because they are too heavy."
)
CAPTION = "A black cat sits in front of a laptop on a wooden desk, and a mouse lies next to it."


@every_case(
    ("text", "question", "answer"),
    [
        (BRIDGE, "Who leads a group of transit riders?", "Paul Reed"),
        (BRIDGE, "Who is the mayor?", "Mayor Linda Torres"),
        (BRIDGE, "When will the bridge open?", "In 2031"),
        (BRIDGE, "When was the old bridge built?", "In 1938"),
        (BRIDGE, "When will construction begin?", "In September"),
        (BRIDGE, "How much will the bridge cost?", "340 million dollars"),
        (BRIDGE, "How many workers will be hired?", "1,200 workers"),
        (BRIDGE, "What percent does the state pay?", "60 percent"),
        (BRIDGE, "How long will the toll be charged?", "Thirty years"),
        (BRIDGE, "Why must trucks not use it?", "Because they are too heavy"),
        (CAPTION, "What color is the cat?", "Black"),
        (CAPTION, "Where is the cat?", "In front of a laptop"),
    ],
)
def test_the_words_of_the_text_that_answer(text: str, question: str, answer: str) -> None:
    found = question_answering(text, question)
    assert found.startswith(f"{answer}. The text says: “")


def test_an_open_question_is_answered_with_the_sentence() -> None:
    assert question_answering(BRIDGE, "What would the crossing do to the commute?") == (
        "Mayor Linda Torres said that the crossing would cut the average commute by eleven minutes."
    )


@every_case(
    "question",
    [
        "What is the capital of France?",
        "How many birds nest there?",
        "Which song does the singer like best?",
        "Is there a dog?",
    ],
)
def test_a_silent_text_is_said_to_be_silent(question: str) -> None:
    assert question_answering(BRIDGE, question) == "The text does not answer this question."


def test_a_number_that_is_not_there_is_not_invented() -> None:
    found = question_answering(
        "The old bridge carries trucks.", "How many trucks cross the bridge?"
    )
    assert found.startswith("The text does not say so directly.")


@every_case(
    ("question", "name"),
    [
        ("Who won?", "person"),
        ("At what time does it start?", "clock"),
        ("When does it start?", "time"),
        ("Which city is it in?", "place"),
        ("How many eggs?", "count"),
        ("How tall is the tower?", "measure"),
        ("What was the price of the ticket?", "money"),
        ("Explain the plan.", "sentence"),
    ],
)
def test_kinds_of_questions(question: str, name: str) -> None:
    assert kind_of(question).name == name


def test_nothing_to_ask_or_to_read_is_refused() -> None:
    with pytest.raises(ToolError, match="no question"):
        question_answering("Some text.", "?")
    with pytest.raises(ToolError, match="no text"):
        question_answering(" ", "Who?")


RECEIPT = (
    "CAFE LUNA\n12 Harbour Street\n14.03.2026 10:42\n2 x Cappuccino 7.60\n1 x Croissant 2.40\n"
    "1 x Orange juice 3.90\nTOTAL EUR 13.90\nThank you!"
)
INVOICE = (
    "Invoice 2026-117\nMiller & Sons, 4 Mill Lane\nDate: 2 April 2026\n40 tables x 6.50 = 260.00\n"
    "120 chairs x 1.20 = 144.00\nDelivery 35.00\nTotal 439.00 euros, due within 14 days"
)
REPORT = (
    "The garden has 64 plots, of which 61 are rented.\nIncome was 9,420 euros from rents and 1,200 "
    "euros from the summer fair. We spent 7,980 euros,\nmost of it on the new water pump (3,150 "
    "euros).\nContact: Helen Moore,\ngarden@example.org, phone 0131 496 0999."
)
LETTER = (
    "Dear Mrs Braun,\nthank you for your letter of 3 May 2026. The fee is 85 euros, payable within "
    "30 days.\nKind regards\nPeter Lang"
)


@every_case(
    ("text", "question", "answer"),
    [
        (RECEIPT, "how much was the total and from which date it is", "The total is EUR 13.90."),
        (RECEIPT, "how much was the total and from which date it is", "14 March 2026"),
        (RECEIPT, "is the sum on the receipt right??", "Yes, it adds up"),
        (RECEIPT, "how much for one cappuccino", "EUR 3.80 each"),
        (INVOICE, "until when do I have to pay", "16 April 2026, a Thursday"),
        (INVOICE, "until which day we must pay, which weekday is that?", "16 April 2026"),
        (INVOICE, "how much do I owe and to whom", "Miller & Sons"),
        (INVOICE, "does it add up?", "40 × 6.50 = 260.00, right"),
        (INVOICE.replace("144", "154"), "does it add up?", "does not add up"),
        (REPORT, "how much did the garden take in last year", "10,620 euros"),
        (REPORT, "how much came in from the fair", "1,200 euros"),
        (REPORT, "how much was left over after spending?", "2,640 euros"),
        (REPORT, "who do i ring if i want a plot", "Helen Moore, phone 0131 496 0999"),
        (REPORT, "how many plots are free", "3 plots"),
        (LETTER, "how much does it cost", "85 euros"),
        (LETTER, "who wrote it", "Peter Lang"),
    ],
)
def test_papers_are_asked_for_their_fields(text: str, question: str, answer: str) -> None:
    assert answer in question_answering(text, question)


@every_case(
    ("text", "question"),
    [
        (RECEIPT, "how much was the tip"),
        (RECEIPT, "how much did I pay for parking"),
        (LETTER, "how much was left"),
        (LETTER, "is the sum right"),
        (REPORT, "who is the treasurer"),
    ],
)
def test_what_a_paper_does_not_say_is_not_made_up(text: str, question: str) -> None:
    assert "does not" in question_answering(text, question)


RECEIPT = (
    "Hartley\nDate: 14/11/2026\nKettle 1 x 34.99 34.99\nMug, blue 3 x 6.25 18.75\nTotal GBP 53.74\n"
    "Returns within 28 days with this receipt"
)
LEASE = (
    "The rent is 785.00 pounds per month, due on the 1st. The deposit is 905.00 pounds and is "
    "returned within 10 days of leaving. No pets without the landlord's written consent. "
    "The tenant may end the agreement with two months' written notice."
)


@every_case(
    ("text", "question", "answer"),
    [
        (RECEIPT, "how much were the mugs and whats the last day i can take it back", "GBP 18.75"),
        (
            RECEIPT,
            "how much were the mugs and whats the last day i can take it back",
            "12 December",
        ),
        (
            RECEIPT.replace("28 days", "two weeks"),
            "until when can I return the kettle?",
            "28 November",
        ),
        (LEASE, "how much notice do i have to give, and am i allowed a cat", "Two months"),
        (LEASE, "how much notice do i have to give, and am i allowed a cat", "No pets without"),
        (LEASE, "what do i pay in rent for the whole 12 months", "9,420.00 pounds"),
        (LEASE, "How much is the rent for six months?", "4,710.00 pounds"),
        (LEASE, "How much is the rent for a year?", "12 × 785.00 pounds"),
    ],
)
def test_papers_are_asked_for_their_terms(text: str, question: str, answer: str) -> None:
    assert answer in question_answering(text, question)
