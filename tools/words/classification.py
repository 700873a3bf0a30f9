"""Tools that tell what a text is and whom and what it names."""

from __future__ import annotations

from collections.abc import Iterable

from controlllm.resources import Category, Label, Tags, Text
from controlllm.toolbox import Context, ToolError, tool

from ..cloud.endpoint import needs_chat
from ..hub.catalogue_language_and_sound import NAME_FINDERS, READERS
from .embedded.given_text import check_text
from .embedded.language_requests import entity_tag, pieces_of
from .embedded.named_entities import named_entities as entities_of
from .embedded.text_classes import labels_in, shares_of

_MOST_LABELS = 40
_LONGEST_LABEL = 80
_CHARACTERS_AT_ONCE = 8_000


@tool(
    domain="natural-language-processing",
    examples=[
        "Is this text about sport, politics or cooking?",
        "Sort the e-mail into complaint, question or order.",
        "Classify the article as technology, health or business.",
        "Which of these fits the message best: spam or not spam?",
        "Does the review praise or complain?",
        "Label the paragraph as fact or opinion.",
        "I have the categories travel, food and music; where does this belong?",
        "Decide whether the ticket is urgent or not urgent.",
    ],
    aliases=["zero_shot_classification", "topic_classification"],
)
def text_classification(text: Text, labels: Text, context: Context | None = None) -> Category:
    """Sort a text into one of several labels given in words, with how well each of them fits.

    The shares of all labels together are 1; the best comes first. It says which label fits
    better than the others, not that it fits well.

    Args:
        text: the text to sort
        labels: the labels to choose from, such as "sport, politics or cooking"
    """
    names = _labels(text, labels)
    context = context or Context()
    shares = shares_of(text, names, lambda part: context.progress(part, "reading the text"))
    return _ordered(names, shares)


@text_classification.implementation(
    "hub", packages=("torch", "transformers"), weights={"model": READERS}, memory="1 GiB"
)
def _sorted_by_downloaded_model(text: str, labels: str, context: Context) -> tuple[Label, ...]:
    from ..hub import reading_models

    names = _labels(text, labels)
    return _ordered(names, reading_models.shares_of(context.weights["model"], text, names, context))


@text_classification.implementation(
    "cloud", packages=("openai",), check=needs_chat, deterministic=False
)
def _sorted_by_endpoint(text: str, labels: str, context: Context) -> tuple[Label, ...]:
    from ..cloud import language

    return language.sorted_into(text, _labels(text, labels), context)


def _labels(text: str, labels: str) -> list[str]:
    """The labels to choose from; raises ToolError where they or the text cannot be used."""
    check_text(text, "sort")
    names = labels_in(labels)
    if len(names) < 2:
        raise ToolError(
            "I need at least two labels to choose from; name them like “sport, politics or "
            "cooking”."
        )
    if len(names) > _MOST_LABELS:
        raise ToolError(
            f"There are {len(names)} labels and I compare at most {_MOST_LABELS}; leave some out."
        )
    if any(len(name) > _LONGEST_LABEL for name in names):
        raise ToolError(
            "One of the labels is as long as a sentence; give short ones, parted by commas."
        )
    return names


def _ordered(names: list[str], shares: Iterable[float]) -> tuple[Label, ...]:
    ordered = sorted(zip(names, shares, strict=True), key=lambda item: -item[1])
    return tuple(Label(name, float(share)) for name, share in ordered)


@tool(
    domain="natural-language-processing",
    examples=[
        "Which people and places are mentioned in this text?",
        "Find the named entities.",
        "Extract all names, dates and amounts of money from the article.",
        "List the organisations that the report talks about.",
        "Who is in the story?",
        "Pull out every date and number in the letter.",
        "Tag the companies and persons in the transcript.",
        "What proper names does the passage contain?",
    ],
    aliases=["entity_recognition"],
)
def named_entity_recognition(text: Text, context: Context | None = None) -> Tags:
    """List the people, places, organisations, dates, sums of money and numbers that an English
    text names, each once with its kind, such as "Angela Merkel (person)".

    Args:
        text: the text to look through
    """
    check_text(text, "look through")
    context = context or Context()
    parts = pieces_of(text, _CHARACTERS_AT_ONCE)
    found: dict[tuple[str, str], str] = {}
    for place, part in enumerate(parts):
        context.progress(place / len(parts), "looking for names")
        for entity in entities_of(part):
            tag = entity_tag(entity.name, entity.kind)
            found.setdefault((tag.lower(), entity.kind), tag)
    return tuple(found.values())


@named_entity_recognition.implementation(
    "hub", packages=("torch", "transformers"), weights={"model": NAME_FINDERS}, memory="2 GiB"
)
def _named_by_downloaded_model(text: str, context: Context) -> tuple[str, ...]:
    from ..hub import reading_models

    check_text(text, "look through")
    found = reading_models.named_entities(context.weights["model"], text, context)
    return _each_once(entity_tag(name, kind) for name, kind in found)


@named_entity_recognition.implementation(
    "cloud", packages=("openai",), check=needs_chat, deterministic=False
)
def _named_by_endpoint(text: str, context: Context) -> tuple[str, ...]:
    from ..cloud import language

    check_text(text, "look through")
    return _each_once(language.named_entities(text, context))


def _each_once(tags: Iterable[str]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for tag in tags:
        found.setdefault(tag.lower(), tag)
    return tuple(found.values())
