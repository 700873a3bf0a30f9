"""Values found in plain words, and what they mean for one file."""

from typing import Annotated, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlllm.toolbox import Parameter
from controlllm.values import (
    Choice,
    Colour,
    Decibels,
    Degrees,
    FileSize,
    Flag,
    Hertz,
    Length,
    Pages,
    Passage,
    Passages,
    Percent,
    Pixels,
    Place,
    Ratio,
    Seconds,
    Size,
    SomePages,
    ToldPages,
    kind_of_hint,
    pages_of,
    passage_within,
    ratio_of,
    size_in_pixels,
    values_in,
)
from controlllm.values.measures import measure_of
from controlllm.values.said_words import words_alone
from tests.every_case import every_case


def kind(hint):
    return get_args(hint)[1]


@pytest.mark.parametrize(
    ("words", "hint", "value"),
    [
        ("make it 800 px wide", Size, "800x"),
        ("a height of 600 pixels", Size, "x600"),
        ("resize to 1,200 x 800", Size, "1200x800"),
        ("1200 pixels wide and 300 high", Size, "1200x300"),
        ("300 high, 1200 wide", Size, "1200x300"),
        ("a width of 640 and a height of 480", Size, "640x480"),
        ("half as large please", Size, "50%"),
        ("longest side 1600", Size, "max1600"),
        ("print it at 10 × 15 cm", Size, "10x15cm"),
        ("a passport format 35x45 with the head in the middle", Size, "35x45mm"),
        ("2x2 for a US passport", Size, "2x2in"),
        ("passport photo please", Size, "35x45mm"),
        ("a 4x6 print", Size, "4x6in"),
        ("50x70 poster", Size, "50x70cm"),
        ("visa photo 50 by 70", Size, "50x70mm"),
        ("get it down to 10x15", Size, "10x15cm"),
        ("a 20x30 px thumbnail", Size, "20x30"),
        ("64x64", Size, "64x64"),
        ("my passport scan 800 px wide", Size, "800x"),
        ("twice as large", Size, "200%"),
        ("blow it up threefold", Size, "300%"),
        ("two-fold please", Percent, 200),
        ("half a degree to the right", Degrees, 0.5),
        ("written under that one", Place, "bottom"),
        ("small, under both pictures", Place, "bottom"),
        ("the black and white photo with a red edge", Colour, "#ff0000"),
        ("a square of 1000 px", Size, "1000x1000"),
        ("3543 px square", Size, "3543x3543"),
        ("600 pixels on every side", Size, "600x600"),
        ("640x480 is all I have, make it larger by factor 3", Size, "300%"),
        ("it's only 800x600, I need 1600 wide", Size, "1600x"),
        ("the scan is barely 220 pixels wide, four times please", Size, "400%"),
        ("in full hd", Size, "1920x1080"),
        ("They measure in inches, 2 by 2", Size, "2x2in"),
        ("13 x 17, that is in centimetres", Size, "13x17cm"),
        ("it is mm, 55 by 85", Size, "55x85mm"),
        ("sides are 4:5, in centimetres it may be what it likes", Ratio, "4:5"),
        ("it throws out whatever is over 2 mb", FileSize, 2_000_000),
        ("anything that's above 700 kB comes back", FileSize, 700_000),
        ("they bounce everything over 10 MB", FileSize, 10_000_000),
        ("turn 180", Degrees, 180),
        ("second half only, turn it by 270 please", Degrees, 270),
        ("rotate 90 to the left", Degrees, -90),
        ("tilt it 12 to the right", Degrees, 12),
        ("about a fifth of the width", Percent, 20),
        ("a tenth of the picture", Percent, 10),
        ("a brown frame", Colour, "#7a5234"),
        ("an eighth as wide", Percent, 12.5),
        ("two thirds of it", Percent, 200 / 3),
        ("crop to 16:9", Ratio, "16:9"),
        ("Long and thin, 3:1. Lose the sky", Ratio, "3:1"),
        ("I need 4:5.", Ratio, "4:5"),
        ("a square one for the shop", Ratio, "1:1"),
        ("upright for tiktok", Ratio, "9:16"),
        ("under half a megabyte", FileSize, 500_000),
        ("max 200kb", FileSize, 200_000),
        ("smaller than 1,5 MB", FileSize, 1_500_000),
        ("this scan is 12 MB, 300 kB at most please", FileSize, 300_000),
        ("it weighs about 9 MB and the portal stops at 2 MB", FileSize, 2_000_000),
        ("get my 4 MB photo to 500 kB", FileSize, 500_000),
        ("from 12 MB down to 3 MB", FileSize, 3_000_000),
        ("the limit is 2 MB and mine is 5 MB", FileSize, 2_000_000),
        ("fade in over two seconds", Seconds, 2),
        ("a minute and a half", Seconds, 90),
        ("1 hour, 2 minutes and 5 seconds", Seconds, 3725),
        ("a full minute is nicer", Seconds, 60),
        ("give it a whole second", Seconds, 1),
        ("10 minutes and 15 minutes", Seconds, 600),
        ("at 1:05", Seconds, 65),
        ("quieter by 6 dB", Decibels, -6),
        ("louder by 6 dB", Decibels, 6),
        ("far too quiet, put it up by 9 dB", Decibels, 9),
        ("it's so soft, 4 dB more", Decibels, 4),
        ("too loud by 5 dB", Decibels, -5),
        ("bring it to 16 LUFS", Decibels, -16),
        ("-18 rather", Decibels, -18),
        ("oh, it has to be -23.", Decibels, -23),
        ("turn it left", Degrees, -90),
        ("rotate by 90 degrees clockwise", Degrees, 90),
        ("it is upside down", Degrees, 180),
        ("turn it the right way up, it is upside down", Degrees, 180),
        ("the sheet went in with its head down", Degrees, 180),
        ("hung the wrong way up", Degrees, 180),
        ("the table lies on its left side", Degrees, 90),
        ("the film lies on its right side", Degrees, -90),
        ("at 80 % quality", Percent, 80),
        ("a border of 20 pixels", Pixels, 20),
        ("a tone of 1.5 kHz", Hertz, 1500),
        ("in dark blue", Colour, "#00008b"),
        ("on #f80", Colour, "#ff8800"),
        ("our light blue, #1B4F8A", Colour, "#1b4f8a"),
        ("a sage green frame", Colour, "#9caf88"),
        ("a pale yellow square", Colour, "#ffffa6"),
        ("in dark teal", Colour, "#004646"),
        ("faded rose", Colour, "#ffa3c8"),
        ("at the bottom right", Place, "bottom right"),
        ("in the upper left hand corner", Place, "top left"),
        ("right in the middle", Place, "centre"),
        ("in the lower left of what's left over", Place, "bottom left"),
        ("crop what is left to the top", Place, "top"),
        ("write it under the picture", Place, "bottom"),
        ("put the date under him", Place, "bottom"),
        ("from 0:05 to 0:12", Passage, "5..12"),
        ("the first ten seconds", Passage, "..10"),
        ("its last 3 seconds", Passage, "-3.."),
        ("8 seconds of it starting at second 5", Passage, "5..13"),
        ("between 5 and 9 seconds", Passage, "5..9"),
        ("everything after 1:30", Passage, "90.."),
        ("the second half", Passage, "50%.."),
        ("only the train bit (from second 8 on) 320 wide", Passage, "8.."),
        ("(the last 4 seconds)", Passage, "-4.."),
        ("from the 8th second", Passage, "8.."),
        ("from second eight onwards", Passage, "8.."),
        ("from sec 8 to the end", Passage, "8.."),
        ("from 8 till the end", Passage, "8.."),
        ("from 0:08 on", Passage, "8.."),
        ("second 8 onwards", Passage, "8.."),
        ("from minute 2 on", Passage, "120.."),
        ("up to second 5", Passage, "..5"),
        ("before the 4th second", Passage, "..4"),
        ("from second 1 to second 3", Passage, "1..3"),
        ("from minute 2 to minute 4", Passage, "120..240"),
        ("between minute 3 and minute 3:20", Passage, "180..200"),
        ("from 1 min 5 to 1 min 20", Passage, "65..80"),
        ("the last half minute", Passage, "-30.."),
        ("the last minute and a half", Passage, "-90.."),
        ("at 0:05 for 3 seconds", Passage, "5..8"),
        ("from 0:10 for four seconds", Passage, "10..14"),
        ("3 seconds long from 0:12", Passage, "12..15"),
        ("at the end for 3 s", Passage, "-3.."),
        ("for two seconds at the beginning", Passage, "..2"),
        ("at 0:42 he swears, so mute from there to 0:46", Passage, "42..46"),
        ("0:10-0:12 and 0:30-0:33", Passages, "10..12,30..33"),
        ("only the last 4 seconds", Passages, "-4.."),
        ("mute this clip last 10 sec", Passage, "-10.."),
        ("turn it by 180", Degrees, 180),
        ("rotate 90 to the left", Degrees, -90),
        ("ten decibles more", Decibels, 10),
        ("pages two to five and 7", Pages, "2-5,7"),
        ("only the last page", Pages, "last"),
        ("the first three pages", Pages, "1-3"),
        ("pg 2 upside down", Pages, "2"),
        ("w/o the first 2 pgs", Pages, "1-2"),
        ("a stamp on each pg", Pages, "all"),
        ("the signed one, the very last", Pages, "last"),
        ("page 3 was fine, turn only page 2", Pages, "2"),
        ("leave page 5 in. the contract without page 1", Pages, "1"),
        ("take the blank ones out, i think 4, 8 and 11", ToldPages, "4,8,11"),
        ("one file a chapter: 1-12, 13-30, 31-44", ToldPages, "1-12,13-30,31-44"),
        ("in five sentences at most", Length, "5 sentences"),
        ("ten lines is all she reads", Length, "10 sentences"),
        ("two or three plain sentences", Length, "3 sentences"),
        ("a sentence or two on it", Length, "2 sentences"),
        ("a couple of sentences", Length, "2 sentences"),
        ("as three bullet points", Length, "3 sentences"),
        ("boil it down to 120 words", Length, "120 words"),
        ("80 words at most", Length, "80 words"),
    ],
)
def test_values_are_read_out_of_words(words, hint, value):
    assert values_in(words, {"it": kind(hint)}) == {"it": value}


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("write “50 % off” on it", Percent),
        ("crop photo-800x600.jpg", Size),
        ("make it nicer", Size),
        ("in black and white", Degrees),
        ("half a second", FileSize),
        ("my photo is 12 MB, make it smaller", FileSize),
        ("crop what's left", Place),
        ("send it right away, the right way up", Place),
        ("make the film last 20 seconds", Passage),
        ("ten seconds in all", Passage),
        ("mirror it left-right", Degrees),
        ("turn it the right way round", Degrees),
        ("sum up my essay of some 3000 words", Length),
        ("the gist in a few sentences", Length),
        ("swap left and right", Degrees),
        ("bars on the left and on the right", Place),
        ("strips top & bottom", Place),
    ],
)
def test_what_is_quoted_named_or_not_said_is_no_value(words, hint):
    assert values_in(words, {"it": kind(hint)}) == {}


def test_a_value_goes_to_the_parameter_that_is_named_beside_it():
    kinds = {"gap": kind(Pixels), "border": kind(Pixels)}
    words = "a border of 20 pixels and a 5 px gap"
    assert values_in(words, kinds) == {"border": 20, "gap": 5}


def test_what_one_parameter_has_taken_is_not_taken_again():
    kinds = {"size": kind(Size), "quality": kind(Percent)}
    assert values_in("half as large, 80 % quality", kinds) == {"size": "50%", "quality": 80}


def test_choices_are_told_by_what_people_say_and_the_last_counts():
    choice = Choice(jpeg="jpg jpeg", png="png", side_by_side="next_to_each_other")
    assert values_in("turn the PNG into a JPG", {"format": choice}) == {"format": "jpeg"}
    assert values_in("next to each other", {"how": choice}) == {"how": "side_by_side"}
    assert values_in("a JPG, PNGs are not allowed there", {"how": choice}) == {"how": "jpeg"}
    assert values_in("as png, jpgs are forbidden", {"how": choice}) == {"how": "png"}
    assert values_in("the form only takes .jpg here", {"format": choice}) == {"format": "jpeg"}
    assert values_in("the site a.png is down", {"format": choice}) == {}


def test_a_number_in_a_phrase_may_be_said_in_words_or_figures():
    choice = Choice(below="one_below_the_other", three="in_three_parts")
    assert values_in("the four of them one below the other", {"how": choice}) == {"how": "below"}
    assert values_in("cut it in 3 parts", {"how": choice}) == {"how": "three"}
    assert values_in("in three parts", {"how": choice}) == {"how": "three"}
    assert choice.read("one_below_the_other") == "below"


@pytest.mark.parametrize(
    ("text", "taken", "rest"),
    [
        ("take 50 pixels off", {"edge": "50"}, {}),
        ("take 50 pixels off, then 300 wide", {"edge": "50"}, {"size": "300x"}),
        ("20 px wide gaps, 60 pixels around", {"edge": "60"}, {"size": "20x"}),
    ],
)
def test_words_for_a_value_that_is_given_already_are_no_other_s(text, taken, rest):
    kinds = {"edge": kind(Pixels), "size": kind(Size)}
    assert values_in(text, kinds, taken) == rest


ON_PICTURE = (
    kind(Place),
    kind(Colour),
    kind(Passage),
    Choice(large="big large", small="small tiny"),
)


@pytest.mark.parametrize(
    ("said", "order", "alone"),
    [
        (
            "the words SOLD in red across the top",
            "write the words SOLD in red across the top",
            "SOLD",
        ),
        ("Lady in Red at the bottom", "put Lady in Red at the bottom", "Lady in Red"),
        ("Lost in the middle of nowhere", "write Lost in the middle of nowhere on it", None),
        ("Fish in the sea", "write Fish in the sea", None),
        (
            "© Ida small in the left corner as a stamp",
            "put © Ida small in the left corner",
            "© Ida",
        ),
        ("happy birthday on it in big blue letters", "put happy birthday on it", "happy birthday"),
        ("our name 'Brandt & Sons' faintly", "our name 'Brandt & Sons' faintly", "Brandt & Sons"),
        ("Kiel' in a nice red", "write 'Kiel' in a nice red", "Kiel"),
        ("top 'ONE TWO', bottom", "top 'ONE TWO', bottom 'OR NOT'", "ONE TWO\nOR NOT"),
        (
            "mark all with NOT PAID – YET please",
            "mark all with NOT PAID – YET please",
            "NOT PAID – YET",
        ),
        ("date Easter 1998", "print the date Easter 1998 small", "Easter 1998"),
        ("with Ben is 9! written", "with Ben is 9! written on top", "Ben is 9!"),
        ("with love", "write with love on it", None),
        ("in red, The Socks", "our name in red, The Socks", "The Socks"),
        ("SOME GOOD", "below it SOME GOOD FOOD", "SOME GOOD FOOD"),
        ("ROLL OF GOLD", "caption ROLL OF GOLD below", None),
        ("COPY 1.2.", "stamp the PDF COPY 1.2. in red", None),
        ("@ida in the corner as stamp", "put @ida in the corner as stamp", "@ida"),
        ("next: my cat, write me today", "next: my cat, write me today", "me today"),
        ("write 1, 2 and 3 on them", "write 1, 2 and 3 on them", "1, 2 and 3"),
        ("Norway 2022 for the first 4 seconds", "put Norway 2022 there", "Norway 2022"),
        ("Part one from 0:03 to 0:08", "title it Part one from 0:03 to 0:08", "Part one"),
        ("Letters from 9 to 5", "write Letters from 9 to 5", None),
        ("grey DRAFT slanting over every page", "grey DRAFT over every page, lock it", "DRAFT"),
        ("VOID across the page, and faint", "put VOID across the page, and faint, please", "VOID"),
        ("I love NASA on the moon", "write I love NASA on the moon there", None),
        ("the name of the rose", "write the name of the rose", None),
        ("the caption Summer in Rome", "put the caption Summer in Rome there", "Summer in Rome"),
    ],
)
def test_words_to_be_written_stand_alone(said, order, alone):
    assert words_alone(said, order, ON_PICTURE, ("add", "stamp")) == (alone or said)


def test_a_flag_is_switched_on_by_its_phrases():
    flag = Flag("without sound", "silent")
    assert values_in("a silent film", {"mute": flag}) == {"mute": True}
    assert values_in("a loud film", {"mute": flag}) == {}


@pytest.mark.parametrize("hint", [Size, Ratio, Colour, Passage, Pages])
def test_what_stands_in_a_plan_is_read_as_it_is(hint):
    written = {Size: "800x", Ratio: "16:9", Colour: "#00ff00", Passage: "-3..", Pages: "2-5,last"}
    assert kind(hint).read(written[hint]) == written[hint]


def test_an_annotation_names_its_kind():
    base, found = kind_of_hint(Annotated[str, Choice(a="b")])
    assert base is str
    assert found.read("b") == "a"
    assert kind_of_hint(str) is None


def test_sizes_mean_pixels_of_one_picture():
    assert size_in_pixels("50%", (501, 400)) == (250, 200, False)
    assert size_in_pixels("x600", (500, 400)) == (750, 600, False)
    assert size_in_pixels("10x15cm", (500, 400)) == (1772, 1181, True)
    assert size_in_pixels("10x15cm", (400, 500)) == (1181, 1772, True)
    with pytest.raises(ValueError, match="no size"):
        size_in_pixels("large", (5, 4))


_FACTORS = {
    "50%": lambda width, height: 0.5,
    "max300": lambda width, height: 300 / max(width, height),
    "min20": lambda width, height: 20 / min(width, height),
    "80x": lambda width, height: 80 / width,
    "x7": lambda width, height: 7 / height,
}


@given(st.sampled_from(sorted(_FACTORS)), st.integers(1, 4000), st.integers(1, 4000))
def test_a_size_that_keeps_the_shape_changes_both_sides_alike(text, width, height):
    new_width, new_height, exact = size_in_pixels(text, (width, height))
    factor = _FACTORS[text](width, height)
    assert not exact
    assert new_width == max(round(width * factor), 1)
    assert new_height == max(round(height * factor), 1)


def test_passages_lie_within_a_recording():
    assert passage_within("-3..", 10) == (7, 10)
    assert passage_within("50%..", 10) == (5, 10)
    assert passage_within("5..99", 10) == (5, 10)
    with pytest.raises(ValueError, match="outside"):
        passage_within("20..30", 10)


def test_pages_are_counted_from_nought_each_once():
    assert pages_of("2-5,7,2", 9) == [1, 2, 3, 4, 6]
    assert pages_of("odd", 5) == [0, 2, 4]
    assert pages_of("last2", 5) == [3, 4]
    with pytest.raises(ValueError, match="There is no page 7"):
        pages_of("7", 5)


def test_a_shape_is_width_by_height():
    assert ratio_of("16:9") == pytest.approx(16 / 9)
    with pytest.raises(ValueError, match="no shape"):
        ratio_of("wide")


@every_case(
    ("words", "expected"),
    [
        ("an mp4 from this mov", "mp4"),
        ("make an mp4 out of my mov", "mp4"),
        ("his tv plays only mp4 and this is a mov", "mp4"),
        ("I need an mp4, the file is a mov file", "mp4"),
        ("a mov from the mp4 file", "mov"),
        ("I have a mov, make that mp4", "mp4"),
        ("turn my mp4 into a mov", "mov"),
        ("save this mov", "mov"),
    ],
)
def test_what_is_there_already_is_not_chosen_where_another_is_said(words, expected):
    assert Choice(mp4="h264", mov="quicktime").read(words) == expected


def test_nothing_as_what_is_put_in_denies_nothing():
    where = Choice(start="beginning before", end="after")
    for words in ("two seconds of nothing at the start", "four seconds of nothing before the gong"):
        assert where.read(words) == "start"
    assert where.read("put nothing at the start") is None


@every_case(
    ("words", "expected"),
    [
        ("give it to me as mp4, not mov", "mp4"),
        ("as mov instead of mp4", "mov"),
        ("not in mp4 but in mov", "mov"),
        ("why not mp4", "mp4"),
        ("whatever, only not as mp4", None),
        ("I'd rather lose a few of the colours in it than have an mp4", None),
        ("the mov, the mp4 is broken", "mov"),
        ("a mov would be better than the mp4", "mov"),
        ("all of them as mp4s please", "mp4"),
    ],
)
def test_what_is_not_to_be_is_not_chosen(words, expected):
    assert Choice(mp4="h264", mov="quicktime").read(words) == expected


def test_only_a_short_name_is_said_of_several():
    form = Choice(jpeg="jpg", docx="word")
    assert form.read("five JPGs") == "jpeg"
    assert form.read("in words") is None


@every_case(
    ("words", "expected"),
    [
        ("the song is much louder than my voice, put it at 50 %", None),
        ("mum's quieter than the rest, raise her", "louder"),
        ("make the song louder than the voice", "louder"),
        ("see to it so that he is louder than the wind", "louder"),
    ],
)
def test_what_is_only_compared_is_not_chosen(words, expected):
    assert Choice(louder="raise", quieter="lower").read(words) == expected


def test_every_page_is_more_than_some_pages():
    assert kind(Pages).read("every page of it") == "all"
    assert kind(SomePages).read("every page of it") is None
    assert kind(SomePages).read("pages 2 to 4") == "2-4"


def test_what_is_not_to_be_is_not_switched_on():
    flag = Flag("reversed", "without sound")
    assert flag.read("reversed, please") and flag.read("the film without sound")
    assert flag.read("not reversed") is None and flag.read("don't have it reversed") is None


def test_a_choice_of_several_words_is_read_as_a_plan_has_it():
    kind = Choice(more_contrast="contrast")
    assert [kind.read(said) for said in ("more_contrast", "more contrast")] == ["more_contrast"] * 2


def test_a_number_with_its_unit_is_read_by_what_a_description_names():
    for text, description, expected in (
        ("150 KB", "bytes; the most that the file may take", 150_000),
        ("1,000,000 bytes", "the size in bytes", 1_000_000),
        ("1 MiB", "bytes; the most", 2**20),
        ("0.5 s", "seconds; how long a pause is", 0.5),
        ("1:30", "seconds; where it begins", 90),
        ("20px", "pixels; how much lies between them", 20),
        ("10 %", "percent; how solid it is", 10),
        ("-16 LUFS", "LUFS; the loudness to reach", -16),
        ("20 px", "seconds; how long", None),
        ("20 px", "how many", None),
        ("soon", "seconds; how long", None),
    ):
        assert measure_of(text, description) == expected, text
    every = Parameter("every", 0, "pixels; how much lies between them")
    assert (every.read("20 px"), every.read("0.5 px")) == (20, None)
