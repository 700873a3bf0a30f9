"""Edits by rule, and a small language model that really writes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from controlllm.models import release_models
from controlllm.self_test.samples import Samples
from controlllm.toolbox import Cancelled, Context, Toolbox, ToolError
from tests.every_case import every_case
from tools.words.embedded import drafts, small_language_model
from tools.words.embedded.spelling_correction import corrected
from tools.words.embedded.text_instructions import steps_of
from tools.words.generation import text_generation, text_to_text_generation, translation

LINES = "pear\napple\nBanana\napple\ncherry 10\ncherry 9"
PROSE = (
    "The  cat sat on the the mat .It was late, and nobody came. Write to ann@example.com or see "
    "https://example.com/a?b=1. Call +44 20 7946 0958 or pay 12 euros!"
)
MESSAGE = (
    "hey, i cant come tmrw cause my kid is sick. can u send me the slides? its really annoying"
)


def by_rules(prompt: str, text: str | None = None) -> str:
    """What the edits by rule alone make of it, as where the packages are missing."""
    _, rules = (
        item for item in text_to_text_generation.implementations if item.runtime == "embedded"
    )
    return rules.run({"prompt": prompt, "text": text}, Context())


@every_case(
    ("prompt", "text", "edited"),
    [
        ("Write it in upper case", "Good day", "GOOD DAY"),
        ("make everything lower case please", "Good DAY", "good day"),
        (
            "Can you put this in title case?",
            "the lord of the rings: a return",
            "The Lord of the Rings: A Return",
        ),
        ("capitalize every word", "the end of it", "The End Of It"),
        ("Use sentence case", "IT RAINED. I STAYED HOME.", "It rained. I stayed home."),
        ("turn it into a bullet list", "We need eggs, milk and flour.", "- Eggs\n- Milk\n- Flour"),
        ("as bullet points", "It rained. We left.", "- It rained.\n- We left."),
        ("Number the lines", "pear\napple", "1. pear\n2. apple"),
        ("Sort the lines", LINES, "apple\napple\nBanana\ncherry 9\ncherry 10\npear"),
        ("Sort the lines and remove duplicates", LINES, "apple\nBanana\ncherry 9\ncherry 10\npear"),
        ("sort by length", "ccc, a, bb", "a, bb, ccc"),
        ("sort numerically", "10, 9, 100", "9, 10, 100"),
        ("put the words in reverse alphabetical order", "pear apple fig", "pear fig apple"),
        ("remove repeated words", "It was the the end.", "It was the end."),
        ("remove duplicates", "a, b, a", "a, b"),
        ("reverse the text", "abe\u0301", "e\u0301ba"),
        ("Reverse the order of the words", "one two three", "three two one"),
        ("How many words are there?", "It's a well-known fact.", "4 words"),
        ("count the sentences", "It rained. We left. Bye!", "3 sentences"),
        ("how often does “apple” occur?", LINES, "“apple” occurs 2 times."),
        ("Shorten it to 3 words", "one two three four five", "one two three…"),
        (
            "Shorten it to 5 words",
            "It rained all day. We left early in the car.",
            "It rained all day.",
        ),
        ("keep only the last two sentences", "A was. B was. C was.", "B was. C was."),
        ("fix the spacing", "Yes , of  course .He said", "Yes, of course. He said"),
        ("make a slug of it", "Crème brûlée: It's the best!", "creme-brulee-its-the-best"),
        ("convert to snake case", "My Name is", "my_name_is"),
        ("Extract all e-mail addresses", PROSE, "ann@example.com"),
        ("Which links does it contain?", PROSE, "https://example.com/a?b=1"),
        ("find the phone numbers", PROSE, "+44 20 7946 0958"),
        ("list the numbers", "7 of 1,200 cost 3.5 %", "7\n1,200\n3.5"),
        ("Extract the hashtags", "no such thing", "There are no hashtags in this text."),
        ("replace cat by dog", "Cat, cats and a cat. CAT!", "Dog, cats and a dog. DOG!"),
        ("replace 'the mat' with 'a rug' and make it upper case", "on the mat", "ON A RUG"),
        ("Replace all commas with semicolons", "a, b, c", "a; b; c"),
        ("Delete the word “very”", "a very big, very old oak", "a big, old oak"),
        ("remove punctuation", "Well, it's late!", "Well its late"),
        ("Put '> ' before every line", "a\n\nb", "> a\n\n> b"),
        ("one sentence per line", "It rained. We left.", "It rained.\nWe left."),
        ("remove the line breaks", "a\nb", "a b"),
        ("expand the contractions", "I don't know, it's late", "I do not know, it is late"),
        (
            "correct the spelling",
            "i recieve teh mail tommorow, thx",
            "I receive the mail tomorrow, thanks.",
        ),
        (
            "Make it more formal",
            MESSAGE,
            "Hello, I cannot come tomorrow because my child is sick. Could you please send me the "
            "slides? It is very inconvenient.",
        ),
        (
            "Make it more concise",
            "We met in order to utilise it prior to noon.",
            "We met to use it before noon.",
        ),
    ],
)
def test_edits_by_rule(prompt: str, text: str, edited: str) -> None:
    assert by_rules(prompt, text) == edited


@every_case(
    ("text", "mended"),
    [
        ("I dont think they is home.", "I don't think they are home."),
        ("She bought a umbrella and an new coat.", "She bought an umbrella and a new coat."),
        ("We could of stayed, but he has went.", "We could have stayed, but he has gone."),
        ("The dog wagged it's tail everyday.", "The dog wagged its tail every day."),
        ("There house was definately to old.", "Their house was definitely too old."),
        ("Have you and they seen the film?", "Have you and they seen the film?"),
        ("Mytholmroyd is near Hebden Bridge.", "Mytholmroyd is near Hebden Bridge."),
        ("Karl von Frisch saw the plc's json file.", "Karl von Frisch saw the plc's json file."),
        ("The colour is gray, my favorite.", "The colour is gray, my favorite."),
        ("Die Fähre fährt um neun .", "Die Fähre fährt um neun."),
    ],
)
def test_spelling_and_grammar_are_mended_and_names_are_left(text: str, mended: str) -> None:
    assert by_rules("Correct the spelling and grammar", text) == mended


def test_mistakes_are_mended_by_several_threads_at_once() -> None:
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(corrected("We could of stayed.")))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["We could have stayed."] * 6


@every_case(
    ("prompt", "edited"),
    [
        ("Sort these words: pear, apple, fig", "apple, fig, pear"),
        ("Put “hello world” in upper case", "HELLO WORLD"),
    ],
)
def test_the_text_may_be_in_the_prompt(prompt: str, edited: str) -> None:
    assert by_rules(prompt) == edited


@every_case(
    "prompt",
    [
        "Write a story about a slug and a snail",
        "Write a poem about links",
        "Write an order letter to a shop",
        "List the strongest arguments for nuclear power",
        "Summarise in two sentences",
        "Write a text of 50 words about cats",
        "How many planets are there?",
        "Sort out my life",
        "What is a slug?",
        "Write a letter about the lines at the airport",
    ],
)
def test_what_no_rule_reads_whole_is_left_to_the_model(prompt: str) -> None:
    assert [step.edit for step in steps_of(prompt)] == [None]
    with pytest.raises(ToolError, match="xllamacpp"):
        by_rules(prompt)


def test_what_is_not_in_the_text_cannot_be_replaced() -> None:
    with pytest.raises(ToolError, match="“lion” is not in the text"):
        by_rules("replace lion by dog", "A cat.")
    with pytest.raises(ToolError, match="nothing to remove"):
        by_rules("remove the word “lion”", "A cat.")


@every_case(
    ("prompt", "text", "message"),
    [
        ("", "A cat.", "no instruction"),
        ("…", None, "no instruction"),
        ("sort it", " \n", "is empty"),
        ("Sort the lines", None, "no text to do this with"),
        ("upper case", "x" * 400_001, "at most 400,000"),
        ("remove the numbers", "1 2 3", "Nothing is left"),
    ],
)
def test_bad_input_is_told(prompt: str, text: str | None, message: str) -> None:
    with pytest.raises(ToolError, match=message):
        by_rules(prompt, text)


def test_a_draft_is_made_presentable() -> None:
    assert drafts.presentable("Sure! Here is a poem:\n\nRain falls.", True) == "Rain falls."
    repeated = "The sea is wide and blue. A ship. The sea is wide and blue."
    assert drafts.repeats_itself(f"{repeated} ")
    assert drafts.presentable(repeated, True) == "The sea is wide and blue. A ship."
    assert drafts.presentable("It rained all day. Then the sun ca", False) == "It rained all day."
    assert drafts.fault_of("As a helpful AI assistant, I can help.")
    assert drafts.fault_of("The sea is wide.") is None


def test_a_rewriting_that_changes_facts_is_found_out() -> None:
    source = "The bridge in Leeds costs 340 million dollars and opens in 2031."
    assert drafts.is_faithful(source, "Leeds's bridge opens in 2031 and costs 340 million dollars.")
    assert not drafts.is_faithful(source, "The bridge in Leeds opens in 2030.")
    assert not drafts.is_faithful(source, "The bridge in York costs 340 million dollars.")
    assert not drafts.is_faithful(source, "My cat sleeps on the sofa all day.")


@pytest.mark.long
def test_the_model_writes_what_it_is_asked_for() -> None:
    pytest.importorskip("xllamacpp")
    told: list[str] = []
    context = Context(lambda part, words: told.append(words))
    story = text_to_text_generation("Write one sentence about the sea.", context=context)
    assert 3 < len(story.split()) < 120
    assert drafts.likeness("Write one sentence about the sea.", story) > 0.35
    assert any(words.startswith("writing, 3 of") for words in told)
    loud = text_to_text_generation("Write one sentence about rain and put it in upper case.")
    assert loud == loud.upper()


def test_writing_can_be_stopped_between_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in tokens, because a token takes as long as the machine lets it."""
    pytest.importorskip("xllamacpp")
    stop = threading.Event()
    counts: list[int] = []
    draft = small_language_model.draft

    def counted(system: str, request: str, most: int, heard: Callable, **more: Any) -> Any:
        def count(said: str, number: int) -> bool:
            counts.append(number)
            return heard(said, number)

        return draft(system, request, most, count, **more)

    def report(part: float, words: str) -> None:
        if words.startswith("writing, 5 of"):
            stop.set()

    monkeypatch.setattr(small_language_model, "draft", counted)
    with pytest.raises(Cancelled):
        text_to_text_generation("Write a long story.", context=Context(report, stop))
    # The stop is noticed when the next token comes, which is the last.
    assert counts[-1] == 6


def test_one_waits_for_the_other_and_can_be_stopped_meanwhile() -> None:
    pytest.importorskip("xllamacpp")
    written: list[str] = []

    def write() -> None:
        written.append(small_language_model.draft("", "Say yes.", 8, lambda said, n: False).text)

    threads = [threading.Thread(target=write) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(written) == 3
    assert len(set(written)) == 1


@pytest.mark.long
def test_what_was_asked_before_changes_nothing(tmp_path) -> None:
    """It shows only after many tokens, where a rounding is large enough to choose another one."""
    pytest.importorskip("xllamacpp")
    text = Samples(Toolbox(), tmp_path).of(text_to_text_generation.tool)["text"]
    text_generation("Write a short poem about the sea.")
    after_another = text_to_text_generation("Make this text more formal.", text)
    release_models()
    assert text_to_text_generation("Make this text more formal.", text) == after_another


def test_the_model_is_not_given_more_than_it_reads() -> None:
    pytest.importorskip("xllamacpp")
    with pytest.raises(ToolError, match="reads at most 5,000"):
        text_to_text_generation("Write a reply to this letter", "word " * 2000)


def test_translation_says_what_it_needs() -> None:
    assert {item.runtime for item in translation.implementations} == {"hub", "cloud"}
    assert [argument.name for argument in translation.tool.required] == ["text", "language"]
    with pytest.raises(ToolError, match="cannot run here.*models pull translation"):
        translation("Good morning", "French")
