"""Subtitles moved in time, and saved in another form."""

from __future__ import annotations

import pytest

from controlllm.resources import Filed
from controlllm.toolbox import Context, ToolError
from tests.every_case import every_case
from tools.shared.subtitles import read_subtitles
from tools.speech.embedded.subtitling import shift_in
from tools.speech.subtitles import change_subtitles

TALK = (
    "1\n00:00:00,500 --> 00:00:01,500\nHello there\n\n2\n00:00:02,000 --> 00:00:03,500\nGood bye\n"
)


@every_case(
    "words, expected",
    [
        ("The subtitles come 2 seconds too early; shift them.", 2),
        ("My captions are half a second late, can you fix that?", -0.5),
        ("My srt is half a second late, move it forward", -0.5),
        ("Move the SRT 300 ms earlier.", -0.3),
        ("they appear two seconds before the speech", 2),
        ("they come 1.2 seconds after the words are spoken", -1.2),
        ("shift by -2 s", -2),
        ("make a vtt of this", 0),
        ("delay them by 1 minute and 30 seconds", 90),
        ("make the subtitles appear 2 seconds later than now", 2),
        ("let them run 1 second earlier than they do", -1),
        ("The voice comes 2 seconds after the subtitles", 2),
        ("the sound is 2 seconds too early", -2),
        ("the lines come up 2 seconds before he speaks", 2),
        ("they show a second after they say it", -1),
    ],
)
def test_how_far_they_are_moved_is_heard(words: str, expected: float) -> None:
    assert shift_in(words) == pytest.approx(expected)


def test_subtitles_are_moved_and_keep_their_form() -> None:
    made = change_subtitles(TALK, "They come 2 seconds too early")
    assert isinstance(made, Filed) and made.media_type == "application/x-subrip"
    cues = read_subtitles(made.content.decode())
    assert [(cue.start, cue.end, cue.words) for cue in cues] == [
        (2.5, 3.5, "Hello there"),
        (4.0, 5.5, "Good bye"),
    ]
    page = change_subtitles(TALK, "a VTT, one second earlier", "vtt")
    assert page.media_type == "text/vtt" and page.content.startswith(b"WEBVTT")
    early = read_subtitles(page.content.decode())
    assert [(cue.start, cue.end) for cue in early] == [(0.0, 0.5), (1.0, 2.5)]
    context = Context()
    change_subtitles(TALK, "1.8 s earlier", context=context)
    assert "1 of 2 subtitles are left out" in context.remarks[0]
    again = change_subtitles(page.content.decode(), "delay them by 1 s")
    assert again.media_type == "text/vtt"


def test_what_cannot_be_done_with_subtitles_is_told() -> None:
    for text, words, reason in (
        (TALK, "shift them", "by how many seconds"),
        (TALK, "Move them by 2 seconds", "earlier or later"),
        (TALK, "10 seconds earlier", "before the start"),
        ("Just words.", "2 seconds later", "no subtitles with times"),
    ):
        with pytest.raises(ToolError, match=reason):
            change_subtitles(text, words)
