"""What a request says for a tool's settings."""

from __future__ import annotations

from dataclasses import replace

from controlllm.core.plans import Action, Literal, Reference, TypedValue
from controlllm.planning.settings import (
    said_for,
    unused_passages,
    unused_values,
    with_settings,
    with_values,
)
from controlllm.toolbox import Argument, Parameter, Tool, Toolbox
from controlllm.values import Choice, FileSize, Pixels, Place, Size, kind_of_hint
from tests.every_case import every_case

GRAMS = Parameter("grams", 250)
WEIGHT = Parameter("weight", 1.0, "How much it weighs in grams")


@every_case(
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


@every_case(
    ("text", "expected"),
    [("The post for 2.5 grams", "2.5"), ("weight 3", "3"), ("weight of 40 grams", "40")],
)
def test_the_unit_of_a_description_bears_a_number_too(text, expected):
    assert said_for(WEIGHT, text) == expected


@every_case("default", ["fast", True])
def test_a_setting_that_is_no_number_takes_none(default):
    assert said_for(Parameter("grams", default), "500 grams") is None


COLOUR = Parameter("card_color", "red")
UNITS = Parameter("units", "metric", "In what to tell it. One of: metric, imperial, US-customary.")
SORT = Argument("sort", "text", "One of: asc, desc.", False, True)


@every_case(
    ("setting", "text", "expected"),
    [
        (COLOUR, "a card for Ann, a Blue one please", "blue"),
        (COLOUR, "a red and a blue card", None),
        (COLOUR, "a card for Mrs Greenwood", None),
        (Parameter("colourfulness", "high"), "a blue card", None),
        (UNITS, "how warm is it, imperial units", "imperial"),
        (UNITS, "how warm, us-customary", "US-customary"),
        (UNITS, "metric or imperial?", None),
        (UNITS, "how warm is it", None),
        (SORT, "list them desc", "desc"),
        (Argument("sort", "text", "One of: asc, desc, …."), "list them desc", None),
        (Argument("count", "text"), "count 7", None),
    ],
)
def test_a_listed_value_or_a_colour_is_taken_where_one_alone_is_said(setting, text, expected):
    assert said_for(setting, text) == expected


@every_case(
    ("bound", "expected"),
    [
        ({}, {"sort": Literal("desc")}),
        ({"sort": Literal("the hotels")}, {"sort": Literal("desc")}),
        ({"sort": Literal("asc")}, {"sort": Literal("asc")}),
        ({"sort": Reference("note.txt")}, {"sort": Reference("note.txt")}),
    ],
)
def test_words_that_an_argument_does_not_list_give_way_to_one_that_it_does(bound, expected):
    tool = Tool("hotels", "", "general", (SORT,), Argument("result", "text"))
    made = Action("hotels", bound, TypedValue("text", "<GEN>-0"))
    (found,) = with_settings([made], "the hotels, desc", Toolbox((tool,)))
    assert found.inputs == expected


@every_case(
    ("bound", "expected"), [({}, "500"), ({"grams": Literal("90")}, "90")], ids=["free", "bound"]
)
def test_a_step_takes_what_is_said_unless_it_is_bound(bound, expected):
    tool = Tool("price", "", "general", (), Argument("result", "text"), parameters=(GRAMS,))
    box = replace(Toolbox.from_catalogue([]), tools=(tool,))
    made = Action("price", bound, TypedValue("text", "<GEN>-0"))
    (found,) = with_settings([made], "500 grams", box)
    assert found.inputs == {"grams": Literal(expected)}


LIMIT = Parameter("limit", 0.0, "", kind_of_hint(FileSize)[1])
SIDES = Parameter("size", "", "", kind_of_hint(Size)[1])


def test_settings_of_a_kind_are_read_out_of_the_words():
    tool = Tool("save", "", "general", (), Argument("result", "image"), parameters=(LIMIT, SIDES))
    made = Action("save", {}, TypedValue("image", "<GEN>-0"))
    (found,) = with_settings([made], "half as large and under 300 kB", Toolbox((tool,)))
    assert found.inputs == {"limit": Literal("300000"), "size": Literal("50%")}


@every_case(
    ("inputs", "unused"),
    [
        ({}, ("300 kb",)),
        ({"limit": Literal("300000")}, ()),
        ({"prompt": Literal("make it fit into 300 kB")}, ()),
        ({"limit": Literal("100000")}, ("300 kb",)),
    ],
)
def test_a_measure_that_no_step_is_given_is_told(inputs, unused):
    made = Action("save", inputs, TypedValue("image", "<GEN>-0"))
    assert unused_values([made], "make it fit into 300 kB") == unused


@every_case(
    ("inputs", "unused"),
    [
        ({"look": Literal("grey")}, ("from 0:10 to 0:20",)),
        ({"passage": Literal("10..20")}, ()),
        ({"prompt": Literal("grey from 0:10 to 0:20, please")}, ()),
    ],
)
def test_a_passage_that_no_step_is_given_is_told(inputs, unused):
    made = Action("change", inputs, TypedValue("video", "<GEN>-0"))
    assert unused_passages([made], "make it grey from 0:10 to 0:20") == unused
    assert unused_passages([made], "the first half of it is too dark") == ()


PLACE = Parameter("place", "", "", kind_of_hint(Place)[1])
ALL_OVER = Parameter("style", "", "", Choice(repeated="all_over repeated"))


@every_case(
    ("text", "words", "expected"),
    [
        (
            "mark both with NOT PAID repeated all over",
            "NOT PAID repeated all over",
            {"words": "NOT PAID", "style": "repeated"},
        ),
        (
            "happy bday mia!! on the right",
            "happy bday mia",
            {"words": "happy bday mia!!", "place": "right"},
        ),
        ("Write SOLD on it!", "SOLD", {"words": "SOLD"}),
        ("caption it First day!", "First day", {"words": "First day!"}),
        ("write Top of the Hill on it", "Top of the Hill", {"words": "Top of the Hill"}),
        ('put "Left Bank" on it', "Left Bank", {"words": "Left Bank"}),
        (
            "write Up and Left at the bottom right",
            "Up and Left at the bottom right",
            {"words": "Up and Left", "place": "bottom right"},
        ),
    ],
)
def test_what_is_to_be_written_says_no_value_and_no_value_is_written(text, words, expected):
    arguments = (Argument("image", "image"), Argument("words", "text", "the words"))
    tool = Tool(
        "mark", "", "general", arguments, Argument("result", "image"), parameters=(PLACE, ALL_OVER)
    )
    given = {"image": Reference("a.png"), "words": Literal(words)}
    made = Action("mark", given, TypedValue("image", "<GEN>-0"))
    (found,) = with_settings([made], text, Toolbox((tool,)))
    told = {name: value.text for name, value in found.inputs.items() if name != "image"}
    assert told == expected


def test_what_was_read_in_the_wish_is_not_read_again_around_it():
    edge = Parameter("edge", 0, "", kind_of_hint(Pixels)[1])
    tool = Tool("crop", "", "general", (), Argument("result", "image"), parameters=(edge, SIDES))
    made = Action("crop", {"edge": Literal("120")}, TypedValue("image", "<GEN>-0"))
    for text, size in (("120 px off, that's the stamp", None), ("120 px off, 600 wide", "600x")):
        (found,) = with_values([made], text, Toolbox((tool,)))
        assert found.inputs.get("size") == (Literal(size) if size else None)
