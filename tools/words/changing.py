"""Texts changed by a rule: words replaced, capitals, lines in another order."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Annotated

from controlllm.resources import Text
from controlllm.toolbox import ToolError, tool
from controlllm.values import Choice, Flag

from .embedded import text_edits
from .embedded.given_text import check_length, check_text
from .embedded.word_edits import exchanged, inner_pattern, named, said_exchange

_SHOUTED = 0.6


@tool(
    domain="natural-language-processing",
    examples=[
        "Change every 'colour' to 'color' in the text.",
        "Replace Monday by Tuesday in this letter.",
        "Swap the name Anna for Julia everywhere in the story.",
        "In the contract, use the word tenant instead of renter.",
        "find and replace 2025 with 2026",
        "Everywhere it says Ltd. it should say GmbH.",
        "Take the word 'very' out of my essay.",
    ],
)
def replace_words(text: Text, prompt: Text) -> Text:
    """Find a word or phrase in a written text and write another in its place, everywhere.

    Args:
        text: the text in which words are replaced
        prompt: the instruction, which names both: "replace Monday by Tuesday"
    """
    check_text(text, "change")
    said = said_exchange(prompt)
    if said is None:
        raise ToolError(
            "I do not know which word to replace by which. Say it as in “replace Monday by "
            "Tuesday”."
        )
    old, new = said
    changed, count = exchanged(text, old, new)
    if count == 0:
        inside = inner_pattern(old).search(text)
        where = " as a word of its own, only inside longer words" if inside else ""
        raise ToolError(f"{named(old)} is not in the text{where}. Name a word that is.")
    if not changed.strip():
        raise ToolError("Nothing would be left of the text. Name another word.")
    return changed


@tool(
    domain="natural-language-processing",
    examples=[
        "Put this text in capitals.",
        "Make everything lower case.",
        "MY CAPS LOCK WAS ON, please fix the text.",
        "Write the headline with capitals as in a title.",
        "all caps please",
        "Only the first letter of each sentence should be big.",
        "Turn the capital letters into small ones.",
    ],
)
def change_case(
    text: Text,
    case: Annotated[
        str,
        Choice(
            upper="capitals uppercase upper_case caps all_caps capital_letters "
            "big_letters block_letters",
            lower="lowercase lower_case small_letters small no_capitals little_letters",
            title="title title_case titlecase headline headline_case each_word every_word",
            sentence="sentence sentences sentence_case normal_case first_letter "
            "each_sentence normal",
        ),
    ] = "",
) -> Text:
    """Put a text in capitals, in small letters, or with capitals as in a title or a sentence.

    Args:
        text: the text whose letters are changed
        case: which letters it gets; without a word about it, a text in capitals is written as
            sentences, another in capitals
    """
    check_length(text)
    letters = [letter for letter in text if letter.isalpha()]
    if not letters:
        raise ToolError("There are no letters in this text to change. Give me some words.")
    shouted = sum(letter.isupper() for letter in letters) > _SHOUTED * len(letters)
    changes: dict[str, Callable[[str], str]] = {
        "upper": str.upper,
        "lower": str.lower,
        "title": text_edits.title_case,
        "sentence": _as_sentences,
    }
    return changes[case or ("sentence" if shouted else "upper")](text)


def _as_sentences(text: str) -> str:
    """Capitals at the start of sentences; those of a title are brought down first."""
    words = re.findall(r"[^\W\d_][\w'’]{3,}", text)
    words = [word for word in words if not word.isupper()]
    capitals = sum(word[0].isupper() for word in words)
    if len(words) >= 3 and capitals > 0.8 * len(words):
        text = re.sub(
            r"[^\W\d_][\w'’]*",
            lambda match: match[0] if match[0].isupper() else match[0].lower(),
            text,
        )
        text = re.sub(r"\bi\b(?=['’ ])", "I", text)
    return text_edits.sentence_case(text)


@tool(
    domain="natural-language-processing",
    examples=[
        "Sort these lines alphabetically.",
        "Number the lines of my list.",
        "Turn the order of the lines round.",
        "Take the double lines out.",
        "Shuffle the names in this list.",
        "Put the shopping list in alphabetical order.",
        "Bring the entries in the order of their numbers, highest first.",
    ],
)
def arrange_lines(
    text: Text,
    numbered: Annotated[
        bool,
        Flag(
            "numbered",
            "numbering",
            "number them",
            "number it",
            "number the",
            "number each",
            "number these",
            "number my",
            "number all",
            "with numbers",
            "put numbers",
            "add numbers",
            "write numbers",
            "give numbers",
            "numbers in front",
            "number in front",
            "numbers before",
            "number before",
            "line numbers",
            "running number",
            "running numbers",
            "consecutive numbers",
            "consecutively",
            "enumerate",
            "enumerated",
        ),
    ] = False,
    way: Annotated[
        str,
        Choice(
            sort="sort sorted alphabetical alphabetically in_order alphabetical_order a_to_z",
            reverse="reverse reversed turn_round turned_round around round "
            "turned_around upside_down last_first last_line_first newest_first newest_line_first "
            "newest_on_top other_way_round bottom_to_top backwards",
            number="number",
            unique="unique double doubles duplicate duplicates repeated once twice",
            shuffle="shuffle shuffled mix mixed random randomly jumble",
        ),
    ] = "",
    by: Annotated[
        str,
        Choice(
            last_word="last_word surname surnames last_name last_names family_name family_names",
            second_word="second_word",
            first_word="first_word first_name first_names given_name forename",
            length="length shortest shortest_first shortest_to_longest",
            longest="longest_first longest_to_shortest",
        ),
    ] = "",
    descending: Annotated[
        bool,
        Flag(
            "descending",
            "z to a",
            "highest first",
            "largest first",
            "biggest first",
            "downwards",
        ),
    ] = False,
) -> Text:
    """Sort the lines of a text, number them, turn their order round, take out double ones, or mix
    them.

    Args:
        text: the text whose lines are arranged
        numbered: whether the lines get numbers, after all else
        way: what is done with them; sorted where nothing is said
        by: what they are sorted by; the whole line where nothing is said
        descending: from the end of the alphabet or the largest on
    """


@arrange_lines.implementation("embedded", deterministic=False)
def _arrange_lines(
    text: str, numbered: bool = False, way: str = "", by: str = "", descending: bool = False
) -> str:
    check_text(text, "arrange")
    numbered = numbered or way == "number"
    is_in_order = not (way in ("", "number") and numbered and not by and not descending)
    arranged = _in_order(text, way, by, descending) if is_in_order else text
    return text_edits.numbered_lines(arranged) if numbered else arranged


def _in_order(text: str, way: str, by: str, descending: bool) -> str:
    if way == "unique":
        unit = "lines" if len(text_edits.lines_of(text)) > 1 else ""
        return text_edits.without_duplicates(text, unit)

    def arranged(parts: list[str]) -> list[str]:
        if len(parts) < 2:
            raise ToolError(
                "There is only one line, so there is nothing to arrange. Put each entry on its "
                "own line."
            )
        if way == "reverse":
            return parts[::-1]
        if way == "shuffle":
            # Another order, not the one that they were in where there is another.
            mixes = (random.sample(parts, len(parts)) for _ in range(20))
            return next((mixed for mixed in mixes if mixed != parts), parts)
        return sorted(parts, key=lambda part: text_edits.place_of(part, by), reverse=descending)

    return text_edits.on_units(text, "", arranged)
