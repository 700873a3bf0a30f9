"""The program's sentences as the page shows them: without what belongs to a terminal."""

from __future__ import annotations

import re

import pytest

from controlllm.toolbox import Reason, Toolbox
from controlllm.toolbox.capabilities import ALONE, Capabilities, CloudEndpoint
from controlllm.ui.drawings.markup import name_label
from controlllm.ui.drawings.wording import fetching_label, reason_label, without_commands
from controlllm.ui.texts import languages, speaking
from tests.every_case import every_case

PULL = "`python -m controlllm models pull translation`"


@every_case(
    ("said", "shown"),
    [
        (
            f"Translation cannot run here: needs weights, 4.1 GB: {PULL}.",
            "Translation cannot run here: needs weights, 4.1 GB.",
        ),
        (
            f"needs weights, 4.1 GB: {PULL}; or needs weights, 11.8 GB: {PULL}",
            "needs weights, 4.1 GB; or needs weights, 11.8 GB",
        ),
        (
            f"It cannot run here: needs weights, 1 GB: {PULL}; or needs a GPU; or needs weights, "
            f"1 GB: {PULL}. There is no other way.",
            "It cannot run here: needs weights, 1 GB; or needs a GPU. There is no other way.",
        ),
        (
            f"needs the Python package torch, which is not installed here; {PULL} installs it",
            "needs the Python package torch, which is not installed here",
        ),
        (
            "It cannot be loaded. Fetch it again with `python -m controlllm models pull`.",
            "It cannot be loaded. Fetch it again.",
        ),
        ("needs weights, 1 GB: `python -m controlllm mod", "needs weights, 1 GB"),
        ("One needs tea; or tea.\n\nTwo `code`.", "One needs tea; or tea.\n\nTwo `code`."),
        (
            "A cannot run here: needs x; or needs y.\n\nB cannot run here: needs y; or needs x.",
            "A cannot run here: needs x; or needs y.\n\nB cannot run here: needs y; or needs x.",
        ),
    ],
)
def test_commands_go_and_every_reason_stays_once(said: str, shown: str) -> None:
    assert without_commands(said) == shown


@pytest.fixture(scope="module")
def reasons() -> list[str]:
    """Why the tools that ship cannot run: where nothing is allowed, and where an endpoint has no
    model's name."""
    toolbox = Toolbox.load()
    nameless = Capabilities(endpoint=CloudEndpoint("https://example.com"))
    ways = [way for ways in toolbox.implementations.values() for way in ways]
    found = [
        reason
        for around in (ALONE, nameless)
        for way in ways
        for reason in (way.reason_unavailable(around), way.check and way.check(around))
        if reason
    ]
    return found + [toolbox.reason_unavailable(tool.name) for tool in toolbox]


def test_no_reason_of_a_tool_holds_a_command(reasons: list[str]) -> None:
    for reason in reasons:
        assert "controlllm" not in reason_label(reason) and "`" not in reason_label(reason)


def test_every_reason_of_a_tool_is_said_in_every_language(reasons: list[str]) -> None:
    with speaking("en"):
        english = {reason: reason_label(reason) for reason in reasons}
    assert len(set(english.values())) >= 8
    for language in set(languages()) - {"en"}:
        with speaking(language):
            for reason, said in english.items():
                assert isinstance(reason, Reason)
                assert reason_label(reason) != said
                assert "needs" not in reason_label(reason)


def test_the_english_reason_says_what_the_program_does(reasons: list[str]) -> None:
    for reason in reasons:
        assert isinstance(reason, Reason)
        if not reason.either:
            assert reason_label(reason) == without_commands(reason)


def test_a_reason_of_somebodys_own_tool_is_shown_as_it_is() -> None:
    with speaking("de"):
        assert reason_label("needs a poet") == "needs a poet"
        both = Reason.one_of(
            ("needs a poet", Reason("needs weights, 5 GB", "weights", size="5 GB"))
        )
        assert reason_label(both) == "needs a poet; oder braucht Gewichte, 5 GB"


@every_case(
    ("words", "shown"),
    [
        (
            "The model hub http://x could not be reached, or the connection broke off. Look at the "
            "network and pull some/one again; it goes on where it stopped.",
            "The model hub could not be reached; look at the network. Press ‘Get the weights’ to "
            "try again.",
        ),
        (
            "The disk is full. Make room in /models and pull some/one again; it goes on where it "
            "stopped.",
            "The disk is full. Make room in /models. Press ‘Get the weights’ to try again.",
        ),
        (
            "Accept them at http://x/y, then set HF_TOKEN to a token of your account and pull "
            "again.",
            "Accept them at http://x/y, then set HF_TOKEN to a token of your account. Press ‘Get "
            "the weights’ to try again.",
        ),
        (
            "Started without the network (HF_HUB_OFFLINE). Pull with "
            "`python -m controlllm models pull some/one`.",
            "Started without the network (HF_HUB_OFFLINE). Press ‘Get the weights’ to try again.",
        ),
        (
            "It was thrown away. Try again; where it happens again, do not use it.",
            "It was thrown away. Try again; where it happens again, do not use it.",
        ),
    ],
)
def test_a_failed_fetch_says_why_and_which_button(words: str, shown: str) -> None:
    assert fetching_label("failed", words) == shown


def test_a_fetch_that_goes_on_is_told_as_it_is() -> None:
    assert fetching_label("downloading", "Fetching a/b.") == "Fetching a/b."
    assert "pull" not in fetching_label("stopped", "Stopped. The same pull goes on from there.")


def test_like_names_that_are_too_long_are_cut_in_the_middle_and_stay_whole_for_screen_readers():
    first, second = (f"market street at noon cut out of the picture-{n}.png" for n in (2, 3))
    drawn = [name_label(name, 32) for name in (first, second)]
    shown = [re.search(r'aria-hidden="true">([^<]*)<', one).group(1) for one in drawn]
    assert shown[0].startswith("market street") and shown[0].endswith("picture-2.png")
    assert shown[0] != shown[1] and all(len(one) <= 32 for one in shown)
    assert f'for-screen-readers">{first}<' in drawn[0]
    assert name_label("a & b.png", 32) == "a &amp; b.png"
