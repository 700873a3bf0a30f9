"""Answers to questions about a video, from its file and looks at frames over its length.

Each look is a `Scene` as for a picture. What is counted, found or read is put together over time;
any other question is put to each look as one about a picture, and the answer that most of them give
is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from controlllm.resources import Box, Clip
from controlllm.toolbox import Context
from tools.seeing.embedded import choosing
from tools.seeing.embedded.answers import answer as answer_from_picture
from tools.seeing.embedded.grammar import (
    counted,
    is_plural,
    listed,
    plural,
    sentence,
    with_article,
)
from tools.seeing.embedded.phrases_to_boxes import ground
from tools.seeing.embedded.scene import Scene
from tools.seeing.embedded.text_reader import as_text
from tools.shared import video_files
from tools.shared.time_phrases import Clock, Span, in_words, marked, passages
from tools.video.embedded import file_answers, shots, stills

_FEWEST_LOOKS, _MOST_LOOKS = 5, 16
_SURE_ONCE = 0.5  # the score from which one look is enough
_FITTING = 0.3
_SURE_OF_SEVERAL = 0.4
_YES_NO = ("Yes,", "No,")
_BEYOND = "The models at work here"
_VIDEO = r"(?:video|clip|film|movie|recording|footage)"
_ASKING = re.compile(
    r"^(?:(?:please|hey|ok|so|do you know|(?:can|could|would) you (?=tell|say|describe|count|read|"
    r"explain))\s+)*(?:tell me|let me know|say|i want to know|answer(?: me)?)?[,:]?\s*"
    r"(?:if |whether )?"
)
#: What stands after the thing that a question names.
_AROUND = re.compile(
    r"\s+(?:(?:in|of|on|from|during) (?:the|this|that|my|it)(?: \w+)?|at once|at most|overall|"
    r"(?:at|for) (?:the|any|one) (?:same |first )?(?:time|moment|point)|appear\w*|at all|anywhere|"
    r"can (?:you|we|i|be) seen?|do (?:you|we) see|here|there|visible|present|shown|seen|in total|"
    r"altogether|are|is)$"
)
#: Where in its length a question looks, with the words for it.
_ENDS = {
    "start": r"start|beginning|first frame|opening",
    "end": r"(?:very )?end|last frame|finish",
    # "In the middle" may be a place in the picture, "at the end" only one in time.
    "middle": rf"middle(?= of the {_VIDEO})",
}


@dataclass
class Watched:
    """A video that is asked about: its looks are taken when they are first needed."""

    clip: Clip
    context: Context
    span: Span | None = None
    done: float = 0.0

    @cached_property
    def facts(self) -> video_files.VideoFacts:
        return video_files.read_facts(self.clip)

    @cached_property
    def looks(self) -> list[tuple[float, Scene]]:
        """Seconds and scenes, in order; the same scene again where the picture stands still."""
        start, end = self.span or (0.0, self.facts.seconds)
        count = int(np.clip(round(1.5 * (end - start)), _FEWEST_LOOKS, _MOST_LOOKS))
        frames = video_files.sample_frames(self.clip, count)
        if self.span is not None:
            count = 1 if end - start < 0.2 else min(count, 8)
            times = [start + (number + 0.5) * (end - start) / count for number in range(count)]
            frames = ((time, stills.at_time(self.clip, time, self.context)) for time in times)
        found: list[tuple[float, Scene]] = []
        for look in shots.looks(frames):
            self.context.progress(0.2 * len(found) / count, "Looking through the video")
            found.append(look)
        return found

    def each(self, look: Callable[[Scene], object], words: str) -> list[object]:
        """What `look` says of every look; a picture that stands still is looked at once."""
        known: dict[int, object] = {}
        for number, (_, scene) in enumerate(self.looks):
            # A question may need several rounds; what was reported is never taken back.
            self.done = max(self.done, 0.2 + 0.75 * number / len(self.looks))
            self.context.progress(self.done, words)
            if id(scene) not in known:
                known[id(scene)] = look(scene)
        return [known[id(scene)] for _, scene in self.looks]

    def found(self, thing: str) -> list[tuple[Box, ...]]:
        """The boxes of a thing in every look."""
        found = self.each(partial(_boxes, thing=thing), f"Looking for {thing}")
        return [boxes for boxes in found if isinstance(boxes, tuple)]

    def without(self, thing: str) -> str:
        return f"I see no {thing} in any of the {len(self.looks)} frames that I looked at."


def _boxes(scene: Scene, thing: str) -> tuple[Box, ...]:
    boxes = ground(scene, f"all {thing}")
    if choosing.parse(thing).noun == "person" and len(scene.faces) > len(boxes):
        return scene.faces
    return boxes


Rule = Callable[[Watched, re.Match[str]], str | None]


def answer(clip: Clip, question: str, context: Context) -> str:
    """An answer in one to three sentences; it says so where the models cannot tell.

    Raises ToolError where the question is about a time that the video has not.
    """
    watched = Watched(clip, context)
    text = " ".join(question.lower().replace("’", "'").split()).rstrip("?.! ")
    text = _ASKING.sub("", text, count=1)
    found = file_answers.answer(clip, text, context)
    if found:
        return found
    watched.span, text = _span(text, watched.facts)
    within = rf"\b(?:in|of|from|on|during|throughout) (?:the|this|that|my) (?:\w+ )?{_VIDEO}\b"
    text = " ".join(re.sub(within, "", text).split()).strip(" ,")
    for pattern, rule in _OF_WHAT_IS_SEEN:
        match = re.search(pattern, text)
        found = rule(watched, match) if match else None
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


def _how_many(watched: Watched, match: re.Match[str]) -> str | None:
    thing = _thing(match)
    noun = choosing.parse(thing).noun
    if noun in choosing.ANYTHING or not noun:
        return _seen(watched)
    words = _most_at_once(watched, thing, noun)
    if re.search(r"\b(?:different|in total|altogether|overall|in all)\b", match.string):
        words += " Whether one that comes back is the same one I cannot tell."
    return words


def _who(watched: Watched, match: re.Match[str]) -> str:
    words = _most_at_once(watched, "people", "person")
    return f"{words} I do not recognise who people are."


def _most_at_once(watched: Watched, thing: str, noun: str) -> str:
    # Over many looks a doubtful box would sooner or later count twice.
    counts = [
        max(sum(box.score >= _SURE_OF_SEVERAL for box in boxes), min(len(boxes), 1))
        for boxes in watched.found(thing)
    ]
    seen = sorted(count for count in counts if count)
    if not seen:
        return f"None: {watched.without(thing)}"
    # A number that only one look gives may be a slip of the detector.
    is_slip = len(counts) > 3 and len(seen) > 1 and seen[-2] < seen[-1]
    most = seen[-2] if is_slip else seen[-1]
    name = thing if re.match(r"[a-z]+ [a-z]+$", thing) and not is_plural(thing) else noun
    if len(set(counts)) == 1:
        words = f"I see {counted(most, name)} throughout."
    else:
        words = f"At most {counted(most, name)} at once, at about "
        words += f"{_clock(watched.looks[counts.index(most)][0])}."
        if len(seen) < 0.7 * len(counts):
            words += f" In {len(counts) - len(seen)} of {len(counts)} frames I see none."
    return words


def _is_there(watched: Watched, match: re.Match[str]) -> str | None:
    thing = _thing(match)
    options = re.split(r"\s+or\s+(?:an?\s+)?", thing)
    sure = [option for option in options if option and _presence(watched, option)[0] == "sure"]
    if len(options) == 2 and len(sure) == 1:
        return f"I see {_named(sure[0])}, and no {options[options[0] == sure[0]]} for sure."
    if not thing:
        return None
    if re.fullmatch(
        r"(?:anything )?(?:text|writing|written|words|letters|subtitles|captions)", thing
    ):
        return _text(watched, match)
    certainty, shown = _presence(watched, thing)
    if certainty == "absent":
        return f"No, {watched.without(thing)}"
    when = _when_seen(watched, shown)
    if certainty == "doubtful":
        return f"Perhaps: something that may be {_named(thing)} is seen {when}, but I am not sure."
    return f"Yes, I see {_named(thing)} {when}."


def _when(watched: Watched, match: re.Match[str]) -> str | None:
    """When something is seen, and for how long where that is asked."""
    thing = _thing(match)
    certainty, shown = _presence(watched, thing) if thing else ("absent", [])
    if certainty == "absent":
        return watched.without(thing) if thing else None
    verb = "are" if _named(thing).endswith(plural(thing)) else "is"
    words = f"{_named(thing)} {verb} seen {_when_seen(watched, shown)}."
    if "how long" in match[0]:
        seconds = sum(end - start for start, end in _spans(watched, shown))
        return f"About {seconds:.0f} of {watched.facts.seconds:.0f} seconds: {words}"
    return sentence(words) + ("" if certainty == "sure" else " I am not sure of it.")


def _presence(watched: Watched, thing: str) -> tuple[str, list[bool]]:
    """Whether a thing is there ("sure", "doubtful" or "absent"), and in which looks."""
    found = watched.found(thing)
    scores = [max((box.score for box in boxes), default=0.0) for boxes in found]
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


def _text(watched: Watched, match: re.Match[str]) -> str:
    said: dict[str, str] = {}
    readings = watched.each(lambda scene: as_text(scene.lines), "Reading the text")
    for (time, _), text in zip(watched.looks, readings, strict=True):
        for line in str(text).splitlines():
            key = re.sub(r"\W+", "", line.lower())
            if key and not any(key in other for other in said):
                said[key] = f"“{line.strip()}” (from about {_clock(time)})"
    is_asked = re.match(r"(?:is|are|does|do|can)\b", match.string) is not None
    if not said:
        return f"{'No, ' if is_asked else ''}I can find no readable text in the video."
    more = " There is more text than that." if len(said) > 6 else ""
    return f"{'Yes, it' if is_asked else 'It'} says {listed(list(said.values())[:6])}.{more}"


def _contents(watched: Watched, match: re.Match[str]) -> str:
    return _seen(watched)


def _seen(watched: Watched) -> str:
    """What can be seen and when, most lasting first."""
    labels = watched.each(
        lambda scene: sorted({box.label for box in scene.objects}), "Looking at the frames"
    )
    groups = [group if isinstance(group, list) else [] for group in labels]
    lasting = Counter(label for group in groups for label in group).most_common()
    kept = [label for label, count in lasting if count >= 2 or len(groups) < 4][:6]
    if not kept:
        words = answer_from_picture(watched.looks[len(watched.looks) // 2][1], "what is this")
        return words.replace("picture", "video")
    times = {label: _when_seen(watched, [label in group for group in groups]) for label in kept}
    if len(set(times.values())) == 1:
        return f"I see {listed([with_article(label) for label in times])} {times[kept[0]]}."
    return f"I see {listed([f'{with_article(label)} {when}' for label, when in times.items()])}."


_ONE_SEES = r"(?:you|we|i|one)"
_OF_WHAT_IS_SEEN: tuple[tuple[str, Rule], ...] = (
    (r"\b(?:how many|count|number of) (?:of )?(?:the |all |different )?(?P<thing>.+)", _how_many),
    (r"^(?:for )?how long (?:is|are|can|do|does|will) (?P<thing>.+?) (?:be )?(?:seen|visible|"
     r"appear\w*|shown?|on screen|in view)", _when),
    (r"^(?:when|at (?:what|which) (?:time|point|moment|second)|what time)\b(?: in)? ?(?:do|does|"
     rf"did|is|are|can|could|will)?\b(?: {_ONE_SEES} see| there)? ?(?P<thing>.+?)(?: (?:be )?"
     r"(?:first )?(?:seen|visible|appear\w*|shown?|come\w*(?: in(?:to view)?)?|there|on screen|"
     r"enter\w*))?$", _when),
    (r"\bwhat (?:does|do|is|are) .*\b(?:say|says|read|written|printed)\b|\bread (?:the|this|what)|"
     r"^what (?:text|words?|writing|letters?|titles?|subtitles?)\b|\bwhat is the text\b", _text),
    (r"^(?:is|are|was|were) there (?:also |ever )?(?P<thing>.+)|^(?:does|do|did|has) (?:the|this|"
     r"that|it|these)(?: (?:video|clip|film|movie|picture|scene))? ?(?:show|have|contain|include|"
     r"feature|depict)s?\s+(?P<shown>.+)|^(?:does|do|did|will|can|is|are) (?P<appearing>(?:an?|any|"
     r"some|the) [a-z ]+?) (?:ever )?(?:appears?|seen|visible|shown|show up|be seen|come into "
     rf"view)$|^(?:do|can|could|did) {_ONE_SEES} (?:see|find|spot|make out) (?P<found>.+)",
     _is_there),
    (r"^who\b", _who),
    (r"^what(?:'s| is| are| can| do| does)?\s*(?:you |we |i |be )?(?:see|seen|shown?|depicted|"
     r"this|that|it|there|visible|(?:the )?(?:main )?(?:subject|content|things|objects))?\s*"
     r"(?:about|on it|in it)?$|^(?:describe|caption|summari[sz]e|what(?:'s| is) (?:happening|going "
     r"on)|what happens)\b", _contents),
)  # fmt: skip


def _asked_of_each(watched: Watched, question: str) -> str | None:
    """The answer that most of the looks give, None where none of them can tell."""
    answers = watched.each(
        lambda scene: answer_from_picture(scene, question), "Looking at the frames"
    )
    telling = [str(said) for said in answers if _BEYOND not in str(said)]
    unknowing = r"^(?:I see no\b|None:|I can find no|I see nobody|I see too few|I cannot)"
    positive = [said for said in telling if not re.match(unknowing, said)]
    if telling and not positive:
        return _of_the_video(f"{telling[0].split('. ')[0].rstrip('.')}.")
    affirmed, denied = ([said for said in positive if said.startswith(word)] for word in _YES_NO)
    positive = (affirmed if len(affirmed) >= len(denied) else denied) or positive
    if not positive:
        return None
    gist = [re.sub(r"\(\d+% sure\)|[.,]", "", said.split(". ")[0]) for said in positive]
    best, votes = Counter(gist).most_common(1)[0]
    words = _of_the_video(positive[gist.index(best)])
    if len(positive) > 2 and votes < 0.5 * len(positive):
        words += f" ({votes} of {len(positive)} frames say so; it changes or is unsure.)"
    return words


def _of_the_video(words: str) -> str:
    return re.sub(r"\b([Tt]he|[Aa]|black-and-white) picture\b", r"\1 video", words)


def _beyond(watched: Watched, question: str) -> str:
    return (
        f"{_seen(watched)} {_BEYOND} see things in single frames and cannot tell actions or "
        f"reasons; to answer “{question.strip()}”, add an API key for a vision-language model in "
        "the settings."
    )


def _clock(seconds: float) -> str:
    """A time in whole seconds: looks lie too far apart for more."""
    return in_words(round(seconds))


def _thing(match: re.Match[str]) -> str:
    """What a question names, without its article and what else stands around it."""
    thing = f" {next(filter(None, match.groupdict().values()), '')}"
    before = ""
    while before != thing:
        before, thing = thing, _AROUND.sub("", thing.strip(" ,?"))
    return re.sub(r"^(?:(?:the|most|maximum|at most|an?|any|some|one|you|we|i|see)\s+)+", "", thing)


def _named(thing: str) -> str:
    return thing if is_plural(thing.split()[-1]) else with_article(thing)
