"""Subtitles read, laid out and written."""

from __future__ import annotations

import pytest

from controlllm.toolbox import ToolError
from tools.shared.subtitles import LINE, Cue, as_srt, as_vtt, laid_out, read_subtitles

_CUES = [Cue(1.0, 2.5, "Good morning,\nhow are you?"), Cue(3661.25, 3662.0, "R & B <now>")]


def test_what_is_written_is_read_again() -> None:
    assert read_subtitles(as_srt(_CUES)) == [_CUES[0], Cue(3661.25, 3662.0, "R & B")]
    assert read_subtitles(as_vtt(_CUES)) == _CUES
    assert as_srt(_CUES).startswith("1\n00:00:01,000 --> 00:00:02,500\nGood morning,\nhow")
    assert as_vtt(_CUES).startswith("WEBVTT\n\n00:00:01.000 --> 00:00:02.500\n")


def test_files_as_people_have_them() -> None:
    windows = "\ufeff1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>Hello</i>\r\n{\\an8}you\r\n\r\n"
    assert read_subtitles(windows) == [Cue(1.0, 2.0, "Hello\nyou")]
    # Without numbers, without empty lines, out of order, and a cue without words.
    loose = (
        "WEBVTT - talk\nNOTE by me\n\nintro\n01:05.5 --> 01:07.000 align:start line:0\n"
        "- <v Bo>Hi</v>\n7\n00:03.000 --> 00:04.000\nFirst &amp; last\n\n"
        "00:08.000 --> 00:09.000\n\n"
    )
    assert read_subtitles(loose) == [Cue(3.0, 4.0, "First & last"), Cue(65.5, 67.0, "- Hi")]


@pytest.mark.parametrize("text", ["", "Only words.", "00:00:05,000 --> 00:00:04,000\nBackwards"])
def test_texts_without_subtitles(text: str) -> None:
    with pytest.raises(ToolError, match="no subtitles with times"):
        read_subtitles(text)


def test_lines_are_short_and_about_equal() -> None:
    assert laid_out("Short words") == "Short words"
    two = laid_out("When the rain came we went inside, and nobody wanted to leave again").split(
        "\n"
    )
    assert len(two) == 2 and two[0].endswith("inside,")
    many = laid_out("so many words that need more room " * 5).split("\n")
    assert len(many) > 2 and max(map(len, many)) <= LINE
