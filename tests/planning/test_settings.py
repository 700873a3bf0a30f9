"""Numbers that a request says with the name or the unit of a tool's setting."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controlllm.planning.settings import said_for, with_settings
from controlllm.plans import Action, Literal, TypedValue
from controlllm.toolbox import Argument, Parameter, Tool, Toolbox

GRAMS = Parameter("grams", 250)
WEIGHT = Parameter("weight", 1.0, "How much it weighs in grams")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is the price of 500 grams of Sumatra coffee?", "500"),
        ("How much is Sumatra coffee, 300g?", "300"),
        ("Sumatra coffee, grams: 125", "125"),
        ("price of Kenya with grams = 80", "80"),
        ("a 1,000-gram bag of Kenya", "1000"),
        ("What does 1 gram cost?", "1"),
        ("What does Sumatra coffee cost?", None),
        ("coffee number 7", None),
        ("7 gramophones", None),
        ("0.5 grams of saffron", None),
        ("200-500 grams of coffee", None),
        ("What do 200 grams and what do 500 grams cost?", None),
        ("Two bags of 500 kg", None),
    ],
)
def test_what_a_text_says_for_a_whole_number(text, expected):
    assert said_for(GRAMS, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("The post for 2.5 grams", "2.5"), ("weight 3", "3"), ("weight of 40 grams", "40")],
)
def test_the_unit_of_a_description_bears_a_number_too(text, expected):
    assert said_for(WEIGHT, text) == expected


@pytest.mark.parametrize("default", ["fast", True])
def test_a_setting_that_is_no_number_takes_none(default):
    assert said_for(Parameter("grams", default), "500 grams") is None


@pytest.mark.parametrize(
    ("bound", "expected"), [({}, "500"), ({"grams": Literal("90")}, "90")], ids=["free", "bound"]
)
def test_a_step_takes_what_is_said_unless_it_is_bound(bound, expected):
    tool = Tool("price", "", "general", (), Argument("result", "text"), parameters=(GRAMS,))
    box = replace(Toolbox.from_catalogue([]), tools=(tool,))
    made = Action("price", bound, TypedValue("text", "<GEN>-0"))
    (found,) = with_settings([made], "500 grams", box)
    assert found.inputs == {"grams": Literal(expected)}
