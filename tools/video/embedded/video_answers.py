"""Answers to questions about a video, from looks at frames over its length.

Each look is a `Scene` as for a picture. What is counted, found or coloured is put together over
time; other questions are put to each look, and the answer that most of them give is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import PIL.Image

from controlllm.resources import Box, Clip, Sound
from controlllm.toolbox import Context, ToolError
from tools.seeing.embedded import choosing, colours, object_colours
from tools.seeing.embedded.answers import answer as answer_from_picture
from tools.seeing.embedded.phrases_to_boxes import ground
from tools.seeing.embedded.scene import Scene
from tools.seeing.embedded.text_reader import as_text
from tools.seeing.embedded.wording import (
    counted,
    is_plural,
    listed,
    plural,
    sentence,
    with_article,
)
from tools.shared import video_files
from tools.video.embedded import camera_motion, shots
from tools.video.embedded.time_phrases import Clock, Span, in_words, marked, passages
from tools.video.embedded.timeline import frames_between

_FEWEST_LOOKS, _MOST_LOOKS = 5, 16
_LARGEST = 1280
_SAME_PICTURE = 1.5  # mean difference in grey levels, of 255
_SURE_ONCE = 0.5  # the score from which one look is enough
_FITTING = 0.3
_SURE_OF_SEVERAL = 0.4
_BEYOND = "The models at work here"


@dataclass
class Watched:
    """A video that is asked about: its looks are taken when they are first needed."""

    clip: Clip
    context: Context
    span: Span | None = None
    done: float = 0.0
    _looks: list[tuple[float, Scene]] | None = field(default=None, repr=False)

    @cached_property
    def facts(self) -> video_files.VideoFacts:
        return video_files.read_facts(self.clip)

    @cached_property
    def sound(self) -> Sound | None:
        return video_files.read_sound(self.clip)

    @property
    def looks(self) -> list[tuple[float, Scene]]:
        """Seconds and scenes, in order; the same scene again where the picture stands still."""
        if self._looks is None:
            self._looks = []
            before: np.ndarray | None = None
            for time, frame in self._frames():
                small = np.asarray(frame.convert("L").resize((48, 48)), np.float32)
                still = before is not None and float(np.abs(small - before).mean()) < _SAME_PICTURE
                if still:
                    scene = self._looks[-1][1]
                else:
                    frame.thumbnail((_LARGEST, _LARGEST))
                    scene, before = Scene(frame), small
                self._looks.append((time, scene))
        return self._looks

    def _frames(self) -> Sequence[tuple[float, PIL.Image.Image]]:
        start, end = self.span or (0.0, self.facts.seconds)
        count = int(np.clip(round(1.5 * (end - start)), _FEWEST_LOOKS, _MOST_LOOKS))
        found: list[tuple[float, PIL.Image.Image]] = []
        if self.span is None:
            for time, frame in video_files.sample_frames(self.clip, count):
                self.context.progress(0.2 * len(found) / count, "Looking through the video")
                frame.thumbnail((_LARGEST, _LARGEST))
                found.append((time, frame))
            return found
        count = 1 if end - start < 0.2 else min(count, 8)
        for number in range(count):
            self.context.progress(0.2 * number / count, "Looking through the video")
            time = start + (number + 0.5) * (end - start) / count
            for _, picture in frames_between(self.clip, time, time + 1e-3, self.context):
                found.append((time, PIL.Image.fromarray(picture)))
        return found

    def each(self, look: Callable[[Scene], object], words: str) -> list[object]:
        """What `look` says of every look; a picture that stands still is looked at once."""
        results: list[object] = []
        known: dict[int, object] = {}
        for number, (_, scene) in enumerate(self.looks):
            # A question may need several rounds; what was reported is never taken back.
            self.done = max(self.done, 0.2 + 0.75 * number / len(self.looks))
            self.context.progress(self.done, words)
            if id(scene) not in known:
                known[id(scene)] = look(scene)
            results.append(known[id(scene)])
        return results

    def found(self, thing: str) -> list[tuple[Box, ...]]:
        """The boxes of a thing in every look."""
        return [
            boxes if isinstance(boxes, tuple) else ()
            for boxes in self.each(lambda scene: _boxes(scene, thing), f"Looking for {thing}")
        ]


def _boxes(scene: Scene, thing: str) -> tuple[Box, ...]:
    boxes = ground(scene, f"all {thing}")
    if choosing.parse(thing).noun == "person" and len(scene.faces) > len(boxes):
        return scene.faces
    return boxes


def answer(clip: Clip, question: str, context: Context) -> str:
    """An answer in one to three sentences; it says so where the models cannot tell."""
    watched = Watched(clip, context)
    text = " ".join(question.lower().replace("’", "'").split()).rstrip("?.! ")
    text = re.sub(
        r"^(?:(?:please|do you know|(?:can|could|would) you (?=tell|say|describe|count|read|"
        r"explain)|"
        r"hey|ok|so)\s+)*(?:tell me|let me know|say|i want to know|answer(?: me)?)?[,:]?\s*(?:if |"
        r"whether )?",
        "",
        text,
    )
    for pattern, rule in _OF_THE_FILE:
        match = re.search(pattern, text)
        if match:
            found = rule(watched, match)
            if found:
                return found
    watched.span, text = _span(text, watched.facts)
    text = re.sub(
        r"\b(?:in|of|from|on|during|throughout) (?:the|this|that|my) (?:\w+ )?(?:video|clip|"
        r"film|movie|"
        r"recording|footage)\b",
        "",
        text,
    )
    text = " ".join(text.split()).strip(" ,")
    for pattern, rule in _OF_WHAT_IS_SEEN:
        match = re.search(pattern, text)
        if match:
            found = rule(watched, match)
            if found:
                return found
    return _asked_of_each(watched, text) or _beyond(watched, question)


def _span(text: str, facts: video_files.VideoFacts) -> tuple[Span | None, str]:
    """The passage that a question is about, and the question without it."""
    clock = Clock(facts.seconds, facts.frame_rate)
    plain = marked(text, clock)
    point = re.search(r"\b(?:at|around) (?:about |around )?(@\d+)(?! ?(?:to|-|and))", plain)
    if point:
        time = clock[point[1]]
        if time > facts.seconds + 0.5:
            raise ToolError(
                f"The video lasts only {_clock(facts.seconds)}; ask about a time within it."
            )
        time = min(time, max(facts.seconds - 0.02, 0.0))
        return (time, time + 0.02), plain.replace(point[0], " ")
    tenth = max(0.12 * facts.seconds, min(1.0, facts.seconds / 2))
    for words, span in (
        (r"start|beginning|first frame|opening", (0.0, tenth)),
        (r"(?:very )?end|last frame|finish", (facts.seconds - tenth, facts.seconds)),
        (r"middle", ((facts.seconds - tenth) / 2, (facts.seconds + tenth) / 2)),
    ):
        edge = re.search(
            rf"\b(?:at|in|towards|near|on) the (?:{words})(?! @| half| third)\b", plain
        )
        # "In the middle" may be a place in the picture, "at the end" only one in time.
        if edge and (words != "middle" or re.search(r"middle of the (?:video|clip|film)", plain)):
            return span, plain.replace(edge[0], " ")
    found = passages(plain, clock, bare=False)
    if not found.spans:
        return None, text
    start, end = found.spans[0]
    if start >= facts.seconds:
        raise ToolError(
            f"The video lasts only {_clock(facts.seconds)}; ask about a time within it."
        )
    rest = re.sub(r"\b(?:in|during|within|between|for)?\s*#", " ", found.rest)
    return (start, min(end, facts.seconds)), rest


# What the file itself and its sound tell.


def _length(watched: Watched, match: re.Match[str]) -> str:
    seconds = watched.facts.seconds
    exact = f"{seconds:.1f} seconds".replace(".0 ", " ")
    return f"It lasts {exact} ({_clock(seconds)})." if seconds >= 60 else f"It lasts {exact}."


def _size(watched: Watched, match: re.Match[str]) -> str:
    facts = watched.facts
    return f"The pictures are {facts.width} pixels wide and {facts.height} high."


def _rate(watched: Watched, match: re.Match[str]) -> str:
    return f"It shows about {watched.facts.frame_rate:.3g} pictures a second."


def _orientation(watched: Watched, match: re.Match[str]) -> str:
    width, height = watched.facts.width, watched.facts.height
    shape = "square" if width == height else "wider than high (landscape)"
    if height > width:
        shape = "higher than wide (portrait)"
    return f"It is {shape}: {width} by {height} pixels."


def _format(watched: Watched, match: re.Match[str]) -> str:
    facts = watched.facts
    kind = facts.container
    return f"Its pictures are encoded as {facts.codec.upper()} in a file of the kind {kind}."


def _spoken_spans(watched: Watched) -> list[Span]:
    from tools.speech.embedded import whisper

    watched.context.progress(0.3, "Listening to the sound")
    assert watched.sound is not None
    return whisper.speech_spans(whisper.at_listening_rate(watched.sound))


def _is_silent(watched: Watched) -> str | None:
    """Why nothing can be heard, None where something can."""
    if watched.sound is None:
        return "it has no sound track"
    # A thousandth of full scale is the hiss of an empty recording.
    if float(np.abs(watched.sound.samples).max(initial=0.0)) < 1e-3:
        return "its sound track is silent"
    return None


def _sound(watched: Watched, match: re.Match[str]) -> str:
    silent = _is_silent(watched)
    denied = re.search(r"\b(?:silent|mute[d]?|without sound|no sound)\b", match.string)
    if silent:
        return f"{'Yes' if denied else 'No'}, {silent}."
    spoken = sum(end - start for start, end in _spoken_spans(watched))
    detail = "I hear no speech in it"
    if spoken > 0.4:
        detail = f"someone speaks for about {max(round(spoken), 1)} seconds of it"
    return f"{'No, it has' if denied else 'Yes, it has'} sound; {detail}."


def _music(watched: Watched, match: re.Match[str]) -> str:
    silent = _is_silent(watched)
    if silent:
        return f"No, {silent}."
    spoken = sum(end - start for start, end in _spoken_spans(watched))
    assert watched.sound is not None
    if spoken > 0.9 * watched.sound.seconds:
        return "Someone speaks almost throughout; whether there is music behind it I cannot tell."
    return (
        "It has sound that is not speech, but whether that is music or something else I cannot "
        "tell with the models at work here."
    )


def _speech(watched: Watched, match: re.Match[str]) -> str:
    silent = _is_silent(watched)
    if silent:
        return f"No, {silent}."
    spans = _spoken_spans(watched)
    spoken = sum(end - start for start, end in spans)
    if spoken < 0.4:
        return "No, there is sound but I hear no speech in it."
    when = f"from {_clock(spans[0][0])} on"
    return f"Yes, someone speaks for about {max(round(spoken), 1)} seconds, {when}."


def _said(watched: Watched, match: re.Match[str]) -> str:
    from tools.speech.embedded import whisper

    silent = _is_silent(watched)
    if silent:
        return f"Nothing is said: {silent}."
    assert watched.sound is not None
    words: list[str] = []
    for heard in whisper.transcribe(whisper.at_listening_rate(watched.sound)):
        done = min(heard.end / max(watched.sound.seconds, 1e-3), 1.0)
        watched.context.progress(0.1 + 0.85 * done, "Listening to what is said")
        words += heard.words.split()
        if len(words) > 120:
            break
    if not words:
        return "There is sound, but I hear no English words in it."
    shown = " ".join(words[:120]) + (" …" if len(words) > 120 else "")
    return f"I hear: “{shown}”"


def _scenes(watched: Watched, match: re.Match[str]) -> str:
    count = shots.sample_count(watched.facts.seconds)
    frames: list[tuple[float, PIL.Image.Image]] = []
    for time, frame in video_files.sample_frames(watched.clip, count):
        watched.context.progress(0.9 * len(frames) / count, "Looking for cuts")
        frame.thumbnail((160, 160))
        frames.append((time, frame))
    found = shots.split(frames, watched.facts.seconds)
    if len(found) == 1:
        return "It shows one scene; I find no cut in it."
    cuts = listed([_clock(shot.start) for shot in found[1:9]])
    return f"It shows {counted(len(found), 'scene')}, with cuts at about {cuts}."


def _camera(watched: Watched, match: re.Match[str]) -> str:
    motion = camera_motion.measure(watched.clip, watched.facts.seconds, watched.context)
    if motion is None:
        return (
            "I cannot tell whether the camera moves: there is too little in the pictures to follow."
        )
    if motion.words in ("still camera", "almost still camera"):
        if motion.share < 0.8:
            return "For part of the time: mostly the camera is still."
        still = motion.words == "still camera"
        return "No, the camera stands still." if still else "Hardly: the camera is almost still."
    if motion.words == "moving camera":
        return "Yes, the camera moves, in changing ways."
    doing = motion.words.removeprefix("camera ")
    throughout = "" if motion.share > 0.8 else " for much of it"
    return f"Yes, the camera is {doing}{throughout}."


def _grey(watched: Watched, match: re.Match[str]) -> str:
    spread = [
        float(np.ptp(np.asarray(scene.image.convert("RGB").resize((48, 48))), axis=2).mean())
        for _, scene in watched.looks
    ]
    grey = sum(value < 6 for value in spread) / len(spread)
    asks_colour = "in colour" in match[0] or "in color" in match[0]
    if grey > 0.9:
        return f"{'No' if asks_colour else 'Yes'}, it is in black and white."
    if grey < 0.1:
        return f"{'Yes' if asks_colour else 'No'}, it is in colour."
    return "Parts of it are in black and white and parts in colour."


_OF_THE_FILE: tuple[tuple[str, Callable[[Watched, re.Match[str]], str | None]], ...] = (
    (r"^how long (?:is|does|will|lasts?)\b(?!.*\b(?:seen|visible|appear|speak|talk|shown?)\w*\b)|"
     r"\b(?:length|duration|running time|run ?time) (?:of|is)\b|what(?:'s| is) (?:its|"
     r"the) (?:length|"
     r"duration|running time)|^how many (?:seconds|minutes)\b(?!.*\b(?:seen|visible|"
     r"appear))", _length),
    (r"\b(?:resolution|how (?:large|big|wide|high) (?:is|are) (?:the|this|it)(?: (?:video|clip|"
     r"picture|"
     r"frame|image)s?)?$|pixels|dimensions)\b", _size),
    (r"\b(?:frame rate|fps|frames per second|pictures a second)\b", _rate),
    (r"\b(?:portrait or landscape|landscape or portrait|vertical or horizontal|"
     r"horizontal or vertical|"
     r"orientation|aspect ratio|upright)\b", _orientation),
    (r"\b(?:codec|file format|which format|what format|container|encoded)\b", _format),
    (r"\bwhat (?:do|does|did|is|are|was)\b.*\b(?:said|saying|talk(?:s|ing)? about|speak(?:s|"
     r"ing)? about)\b|"
     r"\bwhat (?:do|does|did) (?:he|she|they|the (?:speaker|man|woman|person|voice|narrator|"
     r"people)) "
     r"say\b|\btranscri\w+|\bwhat words\b|\bwhat can (?:i|you|we|be) hear", _said),
    (r"\b(?:is|are|can|does|do|did|has)\b.*\b(?:speech|speaks?|speaking|spoken|talk(?:s|ing)?|"
     r"voices?|"
     r"narrat\w+|dialogue|conversation)\b", _speech),
    (r"\b(?:music|song|melody|singing)\b", _music),
    (r"\b(?:sound|audio|silent|mute[d]?|noise|hear)\b", _sound),
    (r"\b(?:how many|number of|are there|is there) (?:\w+ )?(?:scenes?|cuts?|shots?)\b|"
     r"\bscene change",
     _scenes),
    (r"\bcamera\b.*\b(?:mov\w+|pan\w*|still|static|zoom\w*|shak\w+|stead\w+|handheld|tilt\w*|"
     r"doing|do)\b|"
     r"\bmov\w+ camera\b|\b(?:zooming|panning)\b", _camera),
    (r"\bblack and white\b|\bblack-and-white\b|\bin colou?r\b|\bmonochrome\b|"
     r"\bgr[ae]yscale\b", _grey),
)  # fmt: skip


# What is seen over time.


def _how_many(watched: Watched, match: re.Match[str]) -> str | None:
    thing = _tidy(match["thing"])
    noun = choosing.parse(thing).noun
    if noun in choosing.ANYTHING or not noun:
        return _contents(watched, match)
    counts = [_sure_count(boxes) for boxes in watched.found(thing)]
    times = [time for time, _ in watched.looks]
    most = max(counts, default=0)
    if not most:
        return f"None: I see no {thing} in any of the {len(counts)} frames that I looked at."
    # A number that only one look gives may be a slip of the detector.
    sure = most if counts.count(most) > 1 or len(counts) < 4 else sorted(counts)[-2] or most
    seen = [count for count in counts if count]
    usual = Counter(seen).most_common(1)[0][0]
    name = thing if re.match(r"[a-z]+ [a-z]+$", thing) and not is_plural(thing) else noun
    when = _clock(times[counts.index(sure)] if sure in counts else times[counts.index(most)])
    if len(set(counts)) == 1:
        words = f"I see {counted(most, name)} throughout."
    else:
        words = f"At most {counted(sure, name)} at once, at about {when}"
        words += f"; mostly {_number(usual, name)}." if usual != sure else "."
        if len(seen) < 0.7 * len(counts):
            words += f" In {len(counts) - len(seen)} of {len(counts)} frames I see none."
    if re.search(r"\b(?:different|in total|altogether|overall|in all)\b", match.string):
        words += " Whether one that comes back is the same one I cannot tell."
    return words


def _sure_count(boxes: tuple[Box, ...]) -> int:
    """How many there are: over many looks a doubtful box would sooner or later count twice."""
    return max(sum(box.score >= _SURE_OF_SEVERAL for box in boxes), min(len(boxes), 1))


def _number(count: int, name: str) -> str:
    return counted(count, name).split(" ")[0]


def _is_there(watched: Watched, match: re.Match[str]) -> str | None:
    thing = re.sub(r"^(?:any|some|an?|one|the)\s+", "", _tidy(match["thing"]))
    if not thing:
        return None
    if re.fullmatch(r"(?:any |some )?(?:text|writing|words|letters|subtitles|captions)", thing):
        return _text(watched, match)
    options = re.split(r"\s+or\s+(?:an?\s+)?", thing)
    if len(options) == 2:
        sure = [option for option in options if _presence(watched, option)[0] == "sure"]
        if len(sure) == 1:
            return (
                f"I see {_named(sure[0])}, and no {options[1 - options.index(sure[0])]} for sure."
            )
    certainty, shown = _presence(watched, thing)
    if certainty == "absent":
        return f"No, I see no {thing} in any of the {len(shown)} frames that I looked at."
    when = _when_seen(watched, shown)
    if certainty == "doubtful":
        return f"Perhaps: something that may be {_named(thing)} is seen {when}, but I am not sure."
    return f"Yes, I see {_named(thing)} {when}."


def _presence(watched: Watched, thing: str) -> tuple[str, list[bool]]:
    """Whether a thing is there ("sure", "doubtful" or "absent"), and in which looks."""
    found = watched.found(thing)
    scores = [max((box.score for box in boxes), default=0.0) for boxes in found]
    shown = [score > 0 for score in scores]
    if not any(shown):
        return "absent", shown
    agreeing = sum(score >= _FITTING for score in scores)
    sure = agreeing >= 2 or max(scores) >= _SURE_ONCE
    if not sure and sum(shown) < 2 and max(scores) < _FITTING:
        return "absent", [False] * len(shown)
    return ("sure" if sure else "doubtful"), shown


def _when_seen(watched: Watched, shown: Sequence[bool]) -> str:
    """In words when something is seen, from whether each look shows it."""
    if all(shown):
        return "throughout" if watched.span is None else "there"
    spans = _spans(watched, shown)
    if sum(shown) >= 0.85 * len(shown):
        return "almost throughout"
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
    middles = [(one + two) / 2 for one, two in zip(times, times[1:], strict=False)]
    edges = [low, *middles, high]
    spans: list[Span] = []
    for number, there in enumerate(shown):
        if not there:
            continue
        if spans and abs(spans[-1][1] - edges[number]) < 1e-6:
            spans[-1] = (spans[-1][0], edges[number + 1])
        else:
            spans.append((edges[number], edges[number + 1]))
    return spans


def _when(watched: Watched, match: re.Match[str]) -> str | None:
    thing = re.sub(r"^(?:the|an?|any|some|one|you|we|i|see)\s+", "", _tidy(match["thing"]))
    certainty, shown = _presence(watched, thing)
    if certainty == "absent":
        return f"I see no {thing} in any of the {len(shown)} frames that I looked at."
    doubt = "" if certainty == "sure" else " I am not sure of it."
    return sentence(f"{_named(thing)} is seen {_when_seen(watched, shown)}.{doubt}").replace(
        f"{plural(thing)} is", f"{plural(thing)} are"
    )


def _how_long_seen(watched: Watched, match: re.Match[str]) -> str | None:
    thing = re.sub(r"^(?:the|an?|any|some)\s+", "", _tidy(match["thing"]))
    certainty, shown = _presence(watched, thing)
    if certainty == "absent":
        return f"I see no {thing} in any of the {len(shown)} frames that I looked at."
    seconds = sum(end - start for start, end in _spans(watched, shown))
    return (
        f"About {seconds:.0f} of {watched.facts.seconds:.0f} seconds: "
        f"{_named(thing)} is seen {_when_seen(watched, shown)}."
    )


def _colour(watched: Watched, match: re.Match[str]) -> str | None:
    thing = re.sub(r"^(?:the|this|that)\s+", "", _tidy(match["thing"]))
    if re.fullmatch(r"(?:video|clip|film|movie|picture|it|this|that|scene|)", thing):
        names = [colours.main_colours(scene.image)[:2] for _, scene in watched.looks]
        return f"It is mostly {listed(_most_common(names))}."
    if re.search(
        r"\b(?:sky|background|floor|ground|grass|hair|shirt|dress|jacket|coat|top)\b", thing
    ):
        return None
    seen = []
    for (_, scene), boxes in zip(watched.looks, watched.found(thing), strict=True):
        seen += [object_colours.named(scene.image, box) for box in boxes[:3] if box.score >= 0.3]
    if not seen:
        return f"I see no {thing} in any of the {len(watched.looks)} frames that I looked at."
    tally = Counter(names[0] for names in seen)
    best, votes = tally.most_common(1)[0]
    others = [name for name, count in tally.most_common(3)[1:] if count >= 0.35 * len(seen)]
    if others:
        return f"The {thing} looks {best} in some frames and {listed(others)} in others."
    second = Counter(names[1] for names in seen if len(names) > 1 and names[0] == best)
    both = [best] + [name for name, count in second.most_common(1) if count > 0.5 * votes]
    verb = "are" if is_plural(thing.split()[-1]) else "is"
    return f"The {thing} {verb} {listed(both)}."


def _most_common(names: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    tally = Counter(name for group in names for name in group)
    return tuple(name for name, count in tally.most_common(2) if count >= 0.4 * len(names))


def _text(watched: Watched, match: re.Match[str]) -> str:
    said: list[tuple[float, str]] = []
    known: set[str] = set()
    readings = watched.each(lambda scene: as_text(scene.lines), "Reading the text")
    for (time, _), text in zip(watched.looks, readings, strict=True):
        for line in str(text).splitlines():
            key = re.sub(r"\W+", "", line.lower())
            if key and key not in known and not any(key in other for other in known):
                known.add(key)
                said.append((time, line.strip()))
    yes = re.match(r"(?:is|are|does|do|can)\b", match.string) is not None
    if not said:
        return f"{'No, ' if yes else ''}I can find no readable text in the video."
    shown = listed([f"“{line}” (from about {_clock(time)})" for time, line in said[:6]])
    more = " There is more text than that." if len(said) > 6 else ""
    return f"{'Yes, it' if yes else 'It'} says {shown}.{more}"


def _who(watched: Watched, match: re.Match[str]) -> str:
    counts = [len(boxes) for boxes in watched.found("people")]
    if not any(counts):
        return f"I see nobody in the video. {_seen(watched)}"
    most = sorted(counts)[-2] if len(counts) > 3 and counts.count(max(counts)) == 1 else max(counts)
    when = _when_seen(watched, [count > 0 for count in counts])
    return (
        f"I see {'at most ' if len(set(counts)) > 1 else ''}{counted(max(most, 1), 'person')} "
        f"at once, "
        f"{when}, but I do not recognise who people are."
    )


def _contents(watched: Watched, match: re.Match[str]) -> str:
    return _seen(watched)


def _seen(watched: Watched) -> str:
    """What can be seen and when, most lasting first."""
    labels = watched.each(
        lambda scene: frozenset(box.label for box in scene.objects), "Looking at the frames"
    )
    shown: dict[str, list[bool]] = {}
    for number, group in enumerate(labels):
        assert isinstance(group, frozenset)
        for label in sorted(group):
            shown.setdefault(label, [False] * len(labels))[number] = True
    lasting = sorted(shown.items(), key=lambda item: (-sum(item[1]), item[0]))
    kept = [item for item in lasting if sum(item[1]) >= 2 or len(labels) < 4][:6]
    if not kept:
        words = answer_from_picture(watched.looks[len(watched.looks) // 2][1], "what is this")
        return words.replace("picture", "video")
    times = {label: _when_seen(watched, flags) for label, flags in kept}
    if len(set(times.values())) == 1:
        return sentence(
            f"I see {listed([with_article(label) for label in times])} "
            f"{next(iter(times.values()))}."
        )
    return f"I see {listed([f'{with_article(label)} {when}' for label, when in times.items()])}."


_OF_WHAT_IS_SEEN: tuple[tuple[str, Callable[[Watched, re.Match[str]], str | None]], ...] = (
    (r"\b(?:how many|count|number of) (?:of )?(?:the |all |different )?(?P<thing>.+)", _how_many),
    (r"^(?:for )?how long (?:is|are|can|do|does|will) (?P<thing>.+?) (?:be )?(?:seen|visible|"
     r"appear\w*|"
     r"shown?|on screen|in view)", _how_long_seen),
    (r"^(?:when|at (?:what|which) (?:time|point|moment|second)|what time)\b(?: in)? ?(?:do|does|"
     r"did|is|"
     r"are|can|could|will)?\b(?: (?:you|we|i|one) see|"
     r" there)? ?(?P<thing>.+?)(?: (?:be )?(?:first )?(?:seen|"
     r"visible|appear\w*|shown?|come\w*(?: in(?:to view)?)?|there|on screen|enter\w*))?$", _when),
    (r"\bwhat colou?rs? (?:is|are|of|does|do|has|was)?\s*(?P<thing>.*)", _colour),
    (r"\bcolou?rs? of\s+(?P<thing>.+)", _colour),
    (r"\bwhat (?:does|do|is|are) .*\b(?:say|says|read|written|printed)\b|\bread (?:the|this|what)|"
     r"^what (?:text|words?|writing|letters?|titles?|subtitles?)\b|\bwhat is the text\b", _text),
    (r"^(?:is|are|was|were) there (?:also |ever )?(?P<thing>.+)", _is_there),
    (r"^(?:does|do|did|has) (?:the|this|that|it|these)(?: (?:video|clip|film|movie|picture|"
     r"scene))? ?"
     r"(?:show|have|contain|include|feature|depict)s?\s+(?P<thing>.+)", _is_there),
    (r"^(?:does|do|did|will|can|is|are) (?P<thing>(?:an?|any|some|"
     r"the) [a-z ]+?) (?:ever )?(?:appears?|"
     r"seen|visible|shown|show up|be seen|come into view)$", _is_there),
    (r"^(?:do|can|could|did) (?:you|we|i|one) (?:see|find|spot|make out) (?P<thing>.+)", _is_there),
    (r"^who\b", _who),
    (r"^what(?:'s| is| are| can| do| does)?\s*(?:you |we |i |be )?(?:see|seen|shown?|depicted|"
     r"this|that|"
     r"it|there|visible|(?:the )?(?:main )?(?:subject|content|things|objects))?\s*(?:about|"
     r"on it|in it)?$|"
     r"^(?:describe|caption|summari[sz]e|what(?:'s| is) (?:happening|going on)|what happens)\b",
     _contents),
)  # fmt: skip


def _asked_of_each(watched: Watched, question: str) -> str | None:
    """The answer that most of the looks give, None where none of them can tell."""
    answers = [
        str(said)
        for said in watched.each(
            lambda scene: answer_from_picture(scene, question), "Looking at the frames"
        )
    ]
    telling = [said for said in answers if _BEYOND not in said]
    if not telling:
        return None
    unknowing = re.compile(
        r"^(?:I see no\b|None:|I can find no|I see nobody|I see too few|I cannot)"
    )
    positive = [said for said in telling if not unknowing.match(said)]
    if not positive:
        return _of_the_video(Counter(telling).most_common(1)[0][0])
    denied = [said for said in positive if said.startswith("No,")]
    affirmed = [said for said in positive if said.startswith("Yes,")]
    if denied or affirmed:
        group = affirmed if len(affirmed) >= len(denied) else denied
        positive = group or positive
    tally = Counter(re.sub(r"\(\d+% sure\)|[.,]", "", said.split(". ")[0]) for said in positive)
    best, votes = tally.most_common(1)[0]
    chosen = next(
        said for said in positive if re.sub(r"\(\d+% sure\)|[.,]", "", said.split(". ")[0]) == best
    )
    words = _of_the_video(chosen)
    if len(answers) > 2 and votes < 0.5 * len(answers):
        words += f" ({votes} of {len(answers)} frames say so; it changes or is unsure.)"
    return words


def _of_the_video(words: str) -> str:
    words = re.sub(r"\b(?:in|of) the picture\b", lambda m: m[0].replace("picture", "video"), words)
    return words.replace("The picture", "The video")


def _beyond(watched: Watched, question: str) -> str:
    return (
        f"{_seen(watched)} {_BEYOND} see things in single frames and cannot tell actions or "
        f"reasons; "
        f"to answer “{question.strip()}”, add an API key for a vision-language model in the "
        f"settings."
    )


def _clock(seconds: float) -> str:
    """A time in whole seconds: looks lie too far apart for more."""
    return in_words(round(seconds))


def _tidy(thing: str) -> str:
    thing = re.sub(
        r"\s+(?:here|there|visible|present|shown|seen|in total|altogether|overall|at once|at most|"
        r"at (?:the|any) (?:same )?(?:time|moment)|can (?:you|we|i|be) see[n]?|do (?:you|"
        r"we) see|are there|"
        r"is there|are visible|is visible|appear\w*|are|is|anywhere|at any (?:point|time)|in it|"
        r"on it|"
        r"at all)(?=\s|$)",
        "",
        " " + thing.strip(" ,?"),
    )
    thing = re.sub(r"\s+(?:in|of|on|from|during) (?:the|this|that|my|it)(?: \w+)?$", "", thing)
    return re.sub(r"^(?:the|most|maximum|at most)\s+", "", thing.strip()).strip()


def _named(thing: str) -> str:
    words = re.sub(r"^(?:the|an?|any|some)\s+", "", thing)
    return words if is_plural(words.split()[-1]) else with_article(words)
