"""Bills whose sums are right and wrong, as people write them."""

from __future__ import annotations

import pytest

from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.words.bills import check_sums

HOTEL = (
    "Hotel Sun\n3 nights at $80.00 each $240.00\nBreakfast $36.00\nSubtotal $276.00\n"
    "Tax 10% $27.60\nTotal due: $303.60\nVisa 303.60"
)
BAKERY = "Bread 3,20 €\nRolls 5 x 0,45 2,25 €\nSumme 5,45 €\nMwSt 7% 0,36 €\nBar 10,00"
PLUMBER = (
    "Payment: within 30 days\nCall-out 60.00\nLabour 3.5 h x 42.00 147.00\nKitchen tap 38.40\n"
    "Pipe and fittings 12.60\nNet 258.00\nVAT 20% 51.60\nTotal due GBP 309.60"
)
RECEIPT = (
    "Kettle, steel 1.7 l 1 x 34.99 34.99\nMug, blue 3 x 6.25 18.75\nSubtotal 53.74\n"
    "Member discount 10% -5.37\nTOTAL GBP 48.37\nof which VAT 20% 8.06\nPaid by card ending 4417"
)


@every_case(
    "text",
    [
        HOTEL,
        BAKERY,
        "Tea 2.00\nDiscount -0.50\nTotal 1.50",
        "2 x Coffee 3.80\nCake 2.40\nTotal 10.00",
        "Rent 1,850.00\nHeating 150.00\nVAT 0.00\nTotal EUR 2,000.00",
        # Each bill with what its lines come to on the way, taxes, discounts and delivery.
        PLUMBER,
        RECEIPT,
        "Chair 2 45.00 90.00\nLamp 20.00\nZwischensumme 110,00\nVersand 5,00\nMwSt 19% 21,85\n"
        "Gesamtbetrag 136,85 EUR",
        "Tea 3.00\nCake 4.00\nGoods 7.00\nShipping 2.50\nTotal 9.50",
        "Tea 3.00\nCake 4.00\nThe two 7.00\nDiscount 1.00\nTotal 6.00",
        "Paint 60.00\nBrush 40.00\nAmount before tax 100.00\nVAT 20% 20.00\nTotal incl. VAT 120.00",
        "Paint 60.00\nBrush 40.00\nTotal 100.00\nVAT 20% 20.00\nTotal due 120.00\n"
        "Paid by card 120.00\nBalance due 0.00",
        "Tea 30.00\nCake 40.00\nTotal 70.00\nDeposit paid 7.00\nBalance due 63.00",
        "Subtotal 258.00\nVAT 20% 51.60\nTotal 309.60",
        "Frame 20 x 30 12.00\nGlass 3.33 h x 41.99 = 139.83\nTotal 151.83",
        "Hire 2 100.00 200.00\nTable 1 150.00 150.00\nTotal 350.00",
    ],
)
def test_what_adds_up(text: str) -> None:
    assert check_sums(text).startswith("Yes, it adds up")


@every_case(
    ("text", "told"),
    [
        (HOTEL.replace("Tax 10% $27.60", "Tax 0% $0.00"), "but the total says $303.60"),
        (HOTEL.replace("$240.00", "$250.00"), "3 × 80.00 = 240.00, but the bill says 250.00"),
        (HOTEL.replace("$276.00", "$286.00"), "Subtotal $286.00"),
        (BAKERY.replace("5,45", "5,55"), "€5.45, but the total says €5.55"),
        (PLUMBER.replace(" 147.00", " 157.00"), "3.5 × 42.00 = 147.00, but the bill says 157.00"),
        (PLUMBER.replace("309.60", "319.60"), "the difference is GBP 10.00"),
    ],
)
def test_what_does_not_add_up_is_shown(text: str, told: str) -> None:
    answer = check_sums(text)
    assert "does not add up" in answer and told in answer


def test_what_was_not_read_well_is_never_called_wrong() -> None:
    for text, told in (
        ("Tea 3.00\nOrder fee 2.00\nTotal 5.00", "what these lines are: “Order fee 2.00”"),
        ("Tea 3.00\nCake 4.00\nTotal 3.00", "Without the line “Cake 4.00” it would be right"),
        ("Tea\n3.00\nCake 4.00\nTotal 7.00", "what these lines are: “3.00”"),
        ("Tea 3 100.00\nTotal 50.00", "more than the total"),
    ):
        answer = check_sums(text)
        assert answer.startswith("I cannot say") and told in answer, answer


def test_shares_are_reckoned_of_what_stands_before_them() -> None:
    assert "20% of 258.00 = 51.60, right." in check_sums(PLUMBER)
    assert "10% of 53.74 = 5.37, right." in check_sums(RECEIPT)
    odd = PLUMBER.replace("51.60", "41.60").replace("309.60", "299.60")
    assert "Look at “VAT 20% 41.60”: 20% of 258.00 would be 51.60" in check_sums(odd)


def test_a_text_without_a_total_is_not_checked() -> None:
    with pytest.raises(ToolError, match="no total"):
        check_sums("Dear Anna, the fee is 85 euros.")
