"""What is said in a sound, as subtitles that can be read in time; and how much later or earlier
they shall come, as people say it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from controlllm.resources import Sound
from controlllm.toolbox import Context, ToolError
from controlllm.values.plain import plain
from controlllm.values.times import find_seconds

from ...shared.subtitles import CLAUSE_END, LINE, SENTENCE_END, Cue, laid_out
from . import whisper

_LONGEST = 6.0  # seconds that words of speech stay at most
_SHORTEST = 1.0  # and at least, where the next ones do not come sooner
_PAUSE = 0.6  # seconds of silence after which new words begin anew
_LINGERING = 0.4  # seconds that words stay after they were said


def cues_of(sound: Sound, context: Context) -> list[Cue]:
    """What is said in a sound, in English, as subtitles with times.

    Raises ToolError where nobody speaks or the words cannot be made out.
    """
    heard = whisper.understood(whisper.utterances(sound, context, is_timed=True))
    return _in_step(cue for utterance in heard for cue in _parted(utterance))


def _parted(utterance: whisper.Utterance) -> Iterator[Cue]:
    """An utterance as cues that fit on two lines and do not stay too long."""
    if not utterance.single:
        yield Cue(utterance.start, utterance.end, laid_out(utterance.words))
        return
    held: list[whisper.Word] = []
    for word in utterance.single:
        if held and _ends_before(word, held):
            cut = _best_cut(held) if _is_full(word, held) else len(held)
            yield _cue(held[:cut])
            held = held[cut:]
        held.append(word)
    yield _cue(held)


def _text(words: Iterable[whisper.Word]) -> str:
    return " ".join(word.text for word in words)


def _cue(words: Sequence[whisper.Word]) -> Cue:
    return Cue(words[0].start, words[-1].end, laid_out(_text(words)))


def _is_full(word: whisper.Word, held: Sequence[whisper.Word]) -> bool:
    lines = laid_out(_text([*held, word])).split("\n")
    return len(lines) > 2 or word.end - held[0].start > _LONGEST


def _ends_before(word: whisper.Word, held: Sequence[whisper.Word]) -> bool:
    if _is_full(word, held) or word.start - held[-1].end > _PAUSE:
        return True
    return bool(SENTENCE_END.search(held[-1].text)) and len(_text(held)) > LINE // 2


def _best_cut(held: Sequence[whisper.Word]) -> int:
    """After how many words a cue that is full ends best: at the end of a clause in its second
    half."""
    for pattern in (SENTENCE_END, CLAUSE_END):
        for cut in range(len(held), len(held) // 2, -1):
            if pattern.search(held[cut - 1].text):
                return cut
    return len(held)


def _in_step(cues: Iterable[Cue]) -> list[Cue]:
    """The cues so long that they can be read, but never two at once."""
    ordered = sorted(cues, key=lambda cue: cue.start)
    starts = [*(cue.start for cue in ordered[1:]), float("inf")]
    lasting = []
    for cue, following in zip(ordered, starts, strict=True):
        end = max(cue.end + _LINGERING, cue.start + _SHORTEST)
        end = max(min(end, following), cue.start + 0.05)
        lasting.append(replace(cue, end=end))
    return lasting


#: How they come now, which is to be put right.
_EARLY = re.compile(
    r"\btoo (?:early|soon|fast)\b|\b(?:is|are|comes?|appears?|runs?|shows?) (?:\S+ ){0,3}"
    r"(?:early|ahead|earlier than|before (?:the|any|he|she|it|they|we|i)\b)|\bearly by\b"
)
_LATE = re.compile(
    r"\btoo (?:late|slow)\b|\b(?:is|are|comes?|appears?|runs?|shows?) (?:\S+ ){0,3}"
    r"(?:late|behind|later than|after (?:the|any|he|she|it|they|we|i)\b)|"
    r"\b(?:lag|lags|lagging|late by)\b"
)
#: How they shall come is no fault: "make them appear 2 seconds later than now".
_WISHED = re.compile(
    r"\b(?:should|shall|must|let|make|want|need)\b(?: (?!too\b)\S+){0,4}? (?:be|come|appear|run)\b"
)
#: "The voice comes 2 seconds after the subtitles": these are early.
_SOUND = re.compile(r"\b(?:voices?|speech|sound|audio|speakers?)\W*$")
_LATER = re.compile(
    r"\b(?:later|delay\w*|postpone\w*|back(?:wards?)?|add(?:ed|ing)?|push\w*|to the right)\b"
)
_EARLIER = re.compile(r"\b(?:earlier|sooner|forwards?|advance\w*|subtract\w*|to the left)\b")


def shift_in(words: str) -> float:
    """By how many seconds they shall come later, below zero for earlier; 0 where no time is said.

    Raises ToolError where it is not said which way.
    """
    said = plain(words)
    found = next(find_seconds(said), None)
    if found is None:
        return 0.0
    seconds = found.value
    sign = re.search(r"([+-]) ?$", said[: found.start])
    if sign:
        return seconds if sign[1] == "+" else -seconds
    said = _WISHED.sub(" ", said)
    for pattern, way in ((_EARLY, 1), (_LATE, -1)):
        if fault := pattern.search(said):
            return (-way if _SOUND.search(said[: fault.start()]) else way) * seconds
    for pattern, way in ((_LATER, 1), (_EARLIER, -1)):
        if pattern.search(said):
            return way * seconds
    raise ToolError(
        f"It is not said whether they shall come {seconds:g} seconds earlier or later. Say one."
    )
