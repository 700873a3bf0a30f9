"""What is said in a sound, as subtitles that can be read in time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from controlllm.resources import Sound
from controlllm.toolbox import Context, ToolError

from ...shared.sounds import parted
from ...shared.subtitles import CLAUSE_END, LINE, SENTENCE_END, Cue, laid_out
from . import whisper

_LONGEST = 6.0  # seconds that words of speech stay at most
_SHORTEST = 1.0  # and at least, where the next ones do not come sooner
_PAUSE = 0.6  # seconds of silence after which new words begin anew
_LINGERING = 0.4  # seconds that words stay after they were said
_HEARD_AT_ONCE = 300.0
_LEAST_CONFIDENCE = -0.6  # as in the tool that writes down speech


def cues_of(sound: Sound, context: Context | None = None) -> list[Cue]:
    """What is said in a sound, in English, as subtitles with times.

    Raises ToolError where nobody speaks or the words cannot be made out.
    """
    context = context or Context()
    context.progress(0.0, "Looking for speech")
    heard: list[whisper.Utterance] = []
    is_spoken = False
    listened = whisper.as_heard(sound, context)
    for first, samples in parted(listened, _HEARD_AT_ONCE):
        frames = max(listened.frames, 1)
        part = context.part(first / frames, (first + len(samples)) / frames)
        part.progress(0.0, "Looking for speech")
        if not whisper.speech_spans(samples):
            continue
        is_spoken = True
        part.progress(0.05, "Listening")
        for utterance in whisper.transcribe(samples, is_timed=True):
            heard.append(utterance.later(first / whisper.RATE))
            done = utterance.end * whisper.RATE / len(samples)
            part.progress(0.05 + 0.95 * done, "Listening")
    _expect_words(heard, is_spoken)
    return _in_step(cue for utterance in heard for cue in _parted(utterance))


def _expect_words(heard: Sequence[whisper.Utterance], is_spoken: bool) -> None:
    if not is_spoken:
        raise ToolError(
            "I hear no speech in it; give me a recording in which somebody speaks, louder if it "
            "was very quiet."
        )
    lengths = [utterance.end - utterance.start for utterance in heard]
    surely = sum(
        utterance.confidence * length for utterance, length in zip(heard, lengths, strict=True)
    )
    if not heard or surely / max(sum(lengths), 0.01) < _LEAST_CONFIDENCE:
        raise ToolError(
            "I hear a voice but cannot make out the words. I understand only English; a clearer "
            "English recording would help."
        )


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
