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


@every_case(
    "text",
    [
        HOTEL,
        BAKERY,
        "Tea 2.00\nDiscount -0.50\nTotal 1.50",
        "2 x Coffee 3.80\nCake 2.40\nTotal 10.00",
        "Rent 1,850.00\nHeating 150.00\nVAT 0.00\nTotal EUR 2,000.00",
    ],
)
def test_what_adds_up(text: str) -> None:
    assert check_sums(text).startswith("Yes, it adds up")


@every_case(
    ("text", "told"),
    [
        (HOTEL.replace("Tax 10% $27.60", "Tax 0% $0.00"), "but the total says $303.60"),
        (HOTEL.replace("$240.00", "$250.00"), "3 × 80.00 = 240.00, but the bill says 250.00"),
        (HOTEL.replace("$276.00", "$286.00"), "before taxes $286.00"),
        (BAKERY.replace("5,45", "5,55"), "€5.45, but the total says €5.55"),
    ],
)
def test_what_does_not_add_up_is_shown(text: str, told: str) -> None:
    answer = check_sums(text)
    assert "does not add up" in answer and told in answer


def test_a_text_without_a_total_is_not_checked() -> None:
    with pytest.raises(ToolError, match="no total"):
        check_sums("Dear Anna, the fee is 85 euros.")
