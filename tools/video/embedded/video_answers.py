"""Answers to questions about a video, from its file and looks at frames over its length.

Each look is a `Scene` as for a picture. What is counted, found or read is put together over time;
any other question is put to each look as one about a picture, and the answer that most of them give
is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from controlllm.resources import Clip
from controlllm.toolbox import Context

from ...seeing.embedded import answers, choosing, questions
from ...seeing.embedded.answers_on_things import everything_meant
from ...seeing.embedded.asked import Asked
from ...seeing.embedded.grammar import counted, sentence, with_article
from ...shared import video_files
from ...shared.sentences import listed
from ...shared.time_phrases import Clock, Span, in_words, marked, passages
from . import file_answers, stills
from .watched import Watched

_SURE_ONCE = 0.5  # the score from which one look is enough
_FITTING = 0.3
_SURE_OF_SEVERAL = 0.4
_BEYOND = "The models at work here"
_UNKNOWING = re.compile(r"(?:I see no\b|None:|I can find no|I see nobody|I see too few|I cannot)")
_WRITTEN = re.compile(r"(?:anything )?(?:text|writing|written|words|letters|\w*titles|captions)\b")
#: What stands in a picture in letters or figures, as a rule.
_MAY_BE_WRITTEN = re.compile(
    r"\b(?:numbers?|codes?|errors?|messages?|warnings?|scores?|prices?|names?|address(?:es)?|dates?|"
    r"titles?|plates?|results?|totals?|passwords?|links?|urls?|e-?mails?|phone|version|reads?|says?|"
    r"written|stands?)\b",
    re.IGNORECASE,
)
_VIDEO = r"(?:video|clip|film|movie|recording|footage)"
_IN_IT = re.compile(
    rf"\b(?:in|of|from|on|during|throughout) (?:the|this|that|my) (?:\w+ )?{_VIDEO}\b"
)
#: Where in its length a question looks, with the words for it.
_ENDS = {
    "start": r"start|beginning|first frame|opening",
    "end": r"(?:very )?end|last frame|finish",
    # "In the middle" may be a place in the picture, "at the end" only one in time.
    "middle": rf"middle(?= of the {_VIDEO})",
}
_QUESTIONS = questions.Questions(Path(__file__).with_suffix(".toml"))

Rule = Callable[[Watched, re.Match[str]], str | None]


def answer(clip: Clip, question: str, context: Context) -> str:
    """An answer in one to three sentences; it says so where the models cannot tell.

    Raises ToolError where the question is about a time that the video has not.
    """
    watched = Watched(clip, context)
    text = questions.plain(questions.asked(question))
    found = file_answers.answer(clip, text, context)
    if found:
        return found
    watched.span, text = _span(text, watched.facts)
    text = " ".join(_IN_IT.sub("", text).split()).strip(" ,")
    for kinds in (_QUESTIONS, answers.QUESTIONS):
        kind, match = next(kinds.read(text), ("", None))
        found = _OVER_TIME[kind](watched, match) if match and kind in _OVER_TIME else None
        if found:
            return found
    text = re.sub(rf"\b{_VIDEO}\b", "picture", text)
    return _asked_of_each(watched, text) or _beyond(watched, question)


def _span(text: str, facts: video_files.VideoFacts) -> tuple[Span | None, str]:
    """The passage that a question is about, and the question without it."""
    clock = Clock(facts.seconds, facts.frame_rate)
    plain = marked(text, clock)
    point = re.search(r"\b(?:at|around) (?:about |around )?(@\d+)(?! ?(?:to|-|and))", plain)
    if point:
        time = stills.within(clock[point[1]], facts)
        return (time, time + 0.02), plain.replace(point[0], " ")
    tenth = max(0.12 * facts.seconds, min(1.0, facts.seconds / 2))
    for place, words in _ENDS.items():
        edge = rf"\b(?:at|in|towards|near|on) the (?:{words})(?! @| half| third)\b"
        if found := re.search(edge, plain):
            room = facts.seconds - tenth
            start = {"start": 0.0, "middle": room / 2, "end": room}[place]
            return (start, start + tenth), plain.replace(found[0], " ")
    passage = passages(plain, clock, bare=False)
    if not passage.spans:
        return None, text
    start, end = passage.spans[0]
    rest = re.sub(r"\b(?:in|during|within|between|for)?\s*#", " ", passage.rest)
    return (stills.within(start, facts), min(end, facts.seconds)), rest


def _scores(watched: Watched, thing: Asked) -> list[list[float]]:
    """How sure each thing that is meant is in every look."""
    return watched.each(
        lambda scene: [box.score for box in everything_meant(Asked(scene, thing.words))],
        f"Looking for {thing.bare}",
    )


def _without(watched: Watched, thing: Asked) -> str:
    return f"I see no {thing.bare} in any of the {len(watched.looks)} frames that I looked at."


def _how_many(watched: Watched, match: re.Match[str]) -> str | None:
    thing = Asked(watched.looks[0][1], match["thing"])
    if thing.noun in choosing.ANYTHING or not thing.noun:
        return _seen(watched)
    words = _most_at_once(watched, thing)
    if re.search(r"\b(?:different|in total|altogether|overall|in all)\b", match.string):
        words += " Whether one that comes back is the same one I cannot tell."
    return words


def _who(watched: Watched, match: re.Match[str]) -> str:
    people = _most_at_once(watched, Asked(watched.looks[0][1], "people"))
    return f"{people} I do not recognise who people are."


def _most_at_once(watched: Watched, thing: Asked) -> str:
    # Over many looks a doubtful box would sooner or later count twice.
    counts = [
        max(sum(score >= _SURE_OF_SEVERAL for score in scores), min(len(scores), 1))
        for scores in _scores(watched, thing)
    ]
    seen = sorted(count for count in counts if count)
    if not seen:
        return f"None: {_without(watched, thing)}"
    # A number that only one look gives may be a slip of the detector.
    is_slip = len(counts) > 3 and len(seen) > 1 and seen[-2] < seen[-1]
    most = seen[-2] if is_slip else seen[-1]
    if len(set(counts)) == 1:
        return f"I see {counted(most, thing.name)} throughout."
    first = _clock(watched.looks[counts.index(most)][0])
    words = f"At most {counted(most, thing.name)} at once, at about {first}."
    if len(seen) < 0.7 * len(counts):
        words += f" In {len(counts) - len(seen)} of {len(counts)} frames I see none."
    return words


def _is_there(watched: Watched, match: re.Match[str]) -> str | None:
    thing = Asked(watched.looks[0][1], match["thing"])
    if not thing.bare:
        return None
    if _WRITTEN.match(thing.bare):
        return _text(watched, match)
    options = [Asked(watched.looks[0][1], option) for option in thing.bare.split(" or ")]
    sure = [option for option in options if _presence(watched, option)[0] == "sure"]
    if len(options) == 2 and len(sure) == 1:
        other = options[options[0] is sure[0]]
        return f"I see {sure[0].one}, and no {other.bare} for sure."
    certainty, shown = _presence(watched, thing)
    if certainty == "absent":
        return f"No, {_without(watched, thing)}"
    when = _when_seen(watched, shown)
    if certainty == "doubtful":
        return f"Perhaps: something that may be {thing.one} is seen {when}, but I am not sure."
    return f"Yes, I see {thing.one} {when}."


def _when(watched: Watched, match: re.Match[str]) -> str | None:
    """When something is seen, and for how long where that is asked."""
    thing = Asked(watched.looks[0][1], match["thing"])
    if not thing.bare:
        return None
    certainty, shown = _presence(watched, thing)
    if certainty == "absent":
        return _without(watched, thing)
    words = f"{thing.one} {'are' if thing.several else 'is'} seen {_when_seen(watched, shown)}."
    if "how long" in match[0]:
        seconds = sum(end - start for start, end in _spans(watched, shown))
        return f"About {seconds:.0f} of {watched.facts.seconds:.0f} seconds: {words}"
    return sentence(words) + ("" if certainty == "sure" else " I am not sure of it.")


def _presence(watched: Watched, thing: Asked) -> tuple[str, list[bool]]:
    """Whether a thing is there ("sure", "doubtful" or "absent"), and in which looks."""
    scores = [max(found, default=0.0) for found in _scores(watched, thing)]
    shown = [score > 0 for score in scores]
    if sum(score >= _FITTING for score in scores) >= 2 or max(scores) >= _SURE_ONCE:
        return "sure", shown
    return "doubtful" if sum(shown) > 1 or max(scores) >= _FITTING else "absent", shown


def _when_seen(watched: Watched, shown: Sequence[bool]) -> str:
    """In words when something is seen, from whether each look shows it."""
    if all(shown):
        return "throughout" if watched.span is None else "there"
    if sum(shown) >= 0.85 * len(shown):
        return "almost throughout"
    spans = _spans(watched, shown)
    parts = [
        f"from about {_clock(start)} to {_clock(end)}"
        if end - start > 1.0
        else f"at about {_clock((start + end) / 2)}"
        for start, end in spans[:4]
    ]
    return listed(parts) + (" and at other times" if len(spans) > 4 else "")


def _spans(watched: Watched, shown: Sequence[bool]) -> list[Span]:
    """The stretches of time in which a thing is seen; a change lies halfway between two looks."""
    times = [time for time, _ in watched.looks]
    low, high = watched.span or (0.0, watched.facts.seconds)
    edges = [low, *((one + two) / 2 for one, two in zip(times, times[1:], strict=False)), high]
    spans: list[Span] = []
    for number, there in enumerate(shown):
        if there and number and shown[number - 1]:
            spans[-1] = (spans[-1][0], edges[number + 1])
        elif there:
            spans.append((edges[number], edges[number + 1]))
    return spans


def _text(watched: Watched, match: re.Match[str] | None = None) -> str:
    said: dict[str, str] = {}
    readings = watched.each(lambda scene: scene.reading.text, "Reading the text")
    for (time, _), text in zip(watched.looks, readings, strict=True):
        for line in text.splitlines():
            key = re.sub(r"\W+", "", line.lower())
            if key and not any(key in other for other in said):
                said[key] = f"“{line.strip()}” (from about {_clock(time)})"
    is_asked = match is not None and re.match(r"(?:is|are|does|do|can)\b", match.string)
    if not said:
        return f"{'No, ' if is_asked else ''}I can find no readable text in the video."
    more = " There is more text than that." if len(said) > 6 else ""
    return f"{'Yes, it' if is_asked else 'It'} says {listed(list(said.values())[:6])}.{more}"


def _seen(watched: Watched) -> str:
    """What can be seen and when, most lasting first."""
    groups = watched.each(
        lambda scene: sorted({box.label for box in scene.objects}), "Looking at the frames"
    )
    lasting = Counter(label for group in groups for label in group).most_common()
    kept = [label for label, count in lasting if count >= 2 or len(groups) < 4][:6]
    if not kept:
        words = answers.answer(watched.looks[len(watched.looks) // 2][1], "what is this")
        return words.replace("picture", "video")
    times = {label: _when_seen(watched, [label in group for group in groups]) for label in kept}
    if len(set(times.values())) == 1:
        return f"I see {listed([with_article(label) for label in times])} {times[kept[0]]}."
    return f"I see {listed([f'{with_article(label)} {when}' for label, when in times.items()])}."


def _asked_of_each(watched: Watched, question: str) -> str | None:
    """The answer that most of the looks give, None where none of them can tell."""
    said = watched.each(lambda scene: answers.answer(scene, question), "Looking at the frames")
    telling = [words for words in said if _BEYOND not in words]
    positive = [words for words in telling if not _UNKNOWING.match(words)]
    if telling and not positive:
        return _of_the_video(f"{telling[0].split('. ')[0].rstrip('.')}.")
    affirmed, denied = (
        [words for words in positive if words.startswith(start)] for start in ("Yes,", "No,")
    )
    positive = (affirmed if len(affirmed) >= len(denied) else denied) or positive
    if not positive:
        return None
    gist = [re.sub(r"\(\d+% sure\)|[.,]", "", words.split(". ")[0]) for words in positive]
    best, votes = Counter(gist).most_common(1)[0]
    words = _of_the_video(positive[gist.index(best)])
    if len(positive) > 2 and votes < 0.5 * len(positive):
        words += f" ({votes} of {len(positive)} frames say so; it changes or is unsure.)"
    return words


def _of_the_video(words: str) -> str:
    return re.sub(r"\b([Tt]he|[Aa]|black-and-white) picture\b", r"\1 video", words)


def _beyond(watched: Watched, question: str) -> str:
    # What is asked may be written in it, for a moment only: an error, a score, a number plate.
    written = _text(watched) if _MAY_BE_WRITTEN.search(question) else ""
    told = written if written.startswith("It says") else _seen(watched)
    return (
        f"{told} {_BEYOND} see things in single frames and cannot tell actions or "
        f"reasons; to answer “{question.strip()}”, add an API key for a vision-language model in "
        "the settings."
    )


def _clock(seconds: float) -> str:
    """A time in whole seconds: looks lie too far apart for more."""
    return in_words(round(seconds))


_OVER_TIME: dict[str, Rule] = {
    "when": _when,
    "how_many": _how_many,
    "is_there": _is_there,
    "text": _text,
    "who": _who,
    "described": lambda watched, _: _seen(watched),
}
