"""What an instruction in plain words wants done to a sound: "higher by two semitones, then echo".

Free words are read leniently: only what names an edit counts, and where a part of a longer request
is about something else, it is left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from tools.shared.function_words import FUNCTION_WORDS


@dataclass(frozen=True)
class Wish:
    """One edit: its action, how much (what of depends on the action), and a second amount."""

    action: str
    amount: float = 0.0
    second: float = 0.0


class UnclearWishError(ValueError):
    """The words name no edit, or one without what it needs; the message is a sentence."""


POSSIBLE = (
    "I can take noise, hum, crackle or room echo out, change the pitch, the speed or the volume, "
    "normalise the loudness, add echo or reverb, fade in or out, play it backwards, make it mono, "
    "make it sound like a telephone, muffled or like a robot, change bass and treble, filter "
    "frequencies, cut out silence, or keep a part of it"
)

_NUMBERS = {
    word: float(value)
    for value, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen twenty".split(),
        start=1,
    )
} | {
    "thirty": 30.0,
    "forty": 40.0,
    "fifty": 50.0,
    "sixty": 60.0,
    "a couple of": 2.0,
    "a few": 3.0,
    "half a": 0.5,
    "half an": 0.5,
    "one and a half": 1.5,
    "an": 1.0,
    "a": 1.0,
}
_NUMBER = (
    r"(?:\d+(?:[.,]\d+)?|\b(?:" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + r")(?=[\s-]))"
)
_SECONDS = r"(?P<unit>s|secs?|seconds?|ms|milliseconds?|m|mins?|minutes?)\b"
_CLAUSE_END = re.compile(
    r"\s*(?:[;!?\n]|\.(?!\d)|,(?!\d|\sby\s)|\s(?:and|then|but|plus|also|while|after that|"
    r"before that|so that|because)\s)\s*"
)
_KEPT = r"(?:pitch|speed|tempo|tone|volume|duration|length|key|loudness|pace|bass|treble|timing)"
#: Said of the sound as it is, or as it must stay.
_ASIDES = re.compile(
    rf"\b(?:without|not|don't|never|no|nor|instead of)\s(?:\w+ing\s|change\s|alter\s|affect\s|"
    rf"touch\s|make\s|a\s|any\s|change\sin\s)*(?:the\s|its\s|their\s|my\s|any\s|overall\s)*{_KEPT}"
    rf"(?:\schanges?)?(?:\s(?:and|or|nor)\s(?:the\s)?{_KEPT})?\b"
    rf"|\b(?:keep|keeps|keeping|leave|leaving|preserv\w+|maintain\w*|retain\w*)\s(?:the\s|its\s|"
    rf"my\s|"
    rf"same\s|original\s|overall\s|their\s)*{_KEPT}(?:\s(?:and|or)\s(?:the\s)?{_KEPT})?"
    r"(?:\s(?:the same|unchanged|constant|intact|as (?:it|they) (?:is|are|was|were)|alone|"
    r"untouched))?\b"
    rf"|\b(?:at|with|in)?\s?(?:the\s)?(?:same|original|unchanged)\s{_KEPT}(?:\s(?:and|"
    rf"or)\s{_KEPT})?\b"
    r"|\b(?:recorded|captured|taken|filmed|made|that i made)\s(?:it\s)?(?:with|on|over|by|in|at|"
    r"inside|through|via|from)\s(?:\w+\s){0,3}?(?:phone|telephone|hall|church|room|bathroom|"
    r"cathedral|cave|stadium|kitchen|radio)\b"
    r"|\b(?:phone|telephone|room|radio)\s(?:recording|interview|message)\b",
)
_LITTLE = re.compile(
    r"\b(?:slightly|slight|little|bit|touch|subtle|subtly|gently|gentle|light|lightly|small|tad|"
    r"somewhat)\b"
)
_MUCH = re.compile(
    r"\b(?:much|a lot|very|far|way|strong|strongly|heavy|heavily|really|massive|extreme|"
    r"extremely|big|huge|significantly|considerably|lots|long)\b"
)
_UP = re.compile(
    r"\b(?:up|higher|raise|raises|raised|raising|increas\w*|boost\w*|more|add|adding|lift|louder|"
    r"faster|quicker|sharper|upwards?|stronger|deep bass|heavier|extra|enhance|amplif\w*|bump|"
    r"brighter|brighten|crisper|highest|accelerat\w*|bigger|double|twice|too quiet|too slow|"
    r"richer|fuller|shift up)\b|\+\s?\d"
)
_DOWN = re.compile(
    r"\b(?:down|lower|lowers|lowered|lowering|decreas\w*|reduc\w*|less|drop|deeper|deepen|quieter|"
    r"softer|slower|slow|cut|remove|downwards?|weaker|tame|soften|darker|flatter|lessen|too much|"
    r"too loud|too fast|too high|half|take out|halve|attenuate|roll off|deep)\b|"
    r"(?<![\w\d])[-−]\s?\d"
)
_OUT = (
    r"(?:remove|removes|removing|removal of|reduce|reduces|reducing|less|get rid of|getting rid of|"
    r"rid of|take out|take away|taking out|eliminate|kill|minimi[sz]e|suppress|suppressing|"
    r"without|no|too much|cancel|dry up|strip|cut|cut out|fix|delete|clean up|tame|stop|lower|"
    r"decrease|dampen|tone down|clear|clean)"
)
_GAP = r"(?:\s[\w'-]+){0,4}?\s"


@dataclass(frozen=True)
class _Clause:
    """The words around a match, with whether they, or those before them, mean more or less."""

    words: str
    direction: int

    def much(self, usual: float, little: float, more: float) -> float:
        if _LITTLE.search(self.words):
            return little
        return more if _MUCH.search(self.words) else usual

    def number(self, unit: str) -> float | None:
        found = re.search(rf"({_NUMBER})[\s-]?(?:{unit})", self.words)
        return _value(found[1]) if found else None

    def seconds(self) -> float | None:
        found = re.search(rf"(?P<number>{_NUMBER})[\s-]?{_SECONDS}", self.words)
        return _seconds(found) if found else None

    def hertz(self) -> float | None:
        found = re.search(r"(\d+(?:[.,]\d+)?)\s?(k\b|khz|kilohertz|hz|hertz)", self.words)
        if found is None:
            return None
        return _value(found[1]) * (1000 if found[2].startswith("k") else 1)

    def percent(self) -> float | None:
        return self.number(r"%|per ?cent")


def _value(written: str) -> float:
    return _NUMBERS[written] if written in _NUMBERS else float(written.replace(",", "."))


def _seconds(found: re.Match[str]) -> float:
    unit = found["unit"]
    factor = 0.001 if unit.startswith(("ms", "mil")) else 60.0 if unit.startswith("m") else 1.0
    return _value(found["number"]) * factor


Reading = Callable[[re.Match[str], _Clause], Wish | list[Wish] | None]


def _always(*wishes: Wish) -> Reading:
    return lambda found, clause: list(wishes)


def _pitch(found: re.Match[str], clause: _Clause) -> Wish:
    fixed = clause.number(r"semi-?\s?tones?|half[\s-]?(?:tones?|steps?)|steps?\b")
    for unit, size in (
        (r"(?:whole[\s-])?tones?\b|whole[\s-]steps?", 2.0),
        (r"octaves?", 12.0),
        (r"cents?\b", 0.01),
    ):
        if fixed is None and (number := clause.number(unit)) is not None:
            fixed = number * size
    if fixed is None:
        for word, size in (("third", 4.0), ("fourth", 5.0), ("fifth", 7.0)):
            if re.search(rf"\ba (?:perfect |major )?{word}\b", clause.words):
                fixed = size
    if fixed is None and re.search(r"\boctave\b", clause.words):
        fixed = 12.0
    percent = clause.percent()
    if fixed is None and percent is not None:
        sign = -1 if clause.direction < 0 else 1
        return Wish("pitch", 12 * math.log2(max(1 + sign * percent / 100, 0.1)))
    signed = re.search(r"(?<![\w\d])([-+−])\s?(\d+(?:\.\d+)?)", clause.words)
    if fixed is None and signed:
        fixed = float(signed[2])
    if not clause.direction:
        raise UnclearWishError("Say whether the pitch shall be higher or lower, and by how much.")
    return Wish("pitch", clause.direction * (fixed or clause.much(4.0, 2.0, 8.0)))


def _tempo(found: re.Match[str], clause: _Clause) -> Wish:
    words = clause.words
    slower = re.search(r"\bslow\w*|\bdecelerat\w*|\blonger\b|\bas long\b|\bstretch", words)
    faster = re.search(
        r"\bfast\w*|\bquick\w*|\baccelerat\w*|\bspeed(?:s|ing)?\s(?:\w+\s){0,3}?up\b|\brush|"
        r"\bshorter\b|\bsped up\b|\bhurry",
        words,
    )
    direction = -1 if slower else 1 if faster else clause.direction
    action = "tempo"
    if re.search(r"\b(?:like a (?:tape|record|vinyl)|pitch (?:too|as well)|nightcore)\b", words):
        action = "speed"
    beats = re.search(r"from (\d+)(?: ?bpm)? to (\d+) ?bpm", words)
    if beats:
        return Wish(action, float(beats[2]) / float(beats[1]))
    if re.search(
        r"\bhalf as (?:fast|quick)|\bhalf (?:the |its |of the )?(?:\w+ )?(?:speed|tempo|pace|time)|"
        r"\bhalf-?\s?time|\btwice as (?:slow|long)|\bhalve",
        words,
    ):
        return Wish(action, 0.5)
    if re.search(r"\b(?:double|twice|half as long|two times)\b", words):
        return Wish(action, 0.5 if slower and "half as long" not in words else 2.0)
    times = re.search(
        rf"({_NUMBER})\s?(?:x\b|×|times\b)|\b(?:x|×)\s?(\d+(?:\.\d+)?)|"
        r"\bfactor (?:of )?(\d+(?:\.\d+)?)|\bto (\d\.\d+)\b|\bat (\d\.\d+)\b",
        words,
    )
    if times:
        value = _value(next(group for group in times.groups() if group))
        inverse = direction < 0 and value > 1 and re.search(r"slow|longer", words)
        return Wish(action, 1 / value if inverse else value)
    percent = clause.percent()
    if percent is not None:
        if re.search(r"\b(?:to|at)\s\d+(?:[.,]\d+)?\s?(?:%|per)", words):
            return Wish(action, percent / 100)
        return Wish(action, 1 + percent / 100 if direction >= 0 else 1 - percent / 100)
    if not direction:
        raise UnclearWishError("Say whether it shall run faster or slower, and by how much.")
    faster_by = clause.much(1.25, 1.1, 1.6)
    return Wish(action, faster_by if direction > 0 else 1 / faster_by)


def _volume(found: re.Match[str], clause: _Clause) -> Wish:
    words = clause.words
    up = re.search(
        r"\blouder|\blouden|\btoo (?:quiet|soft|low)|\bhard to hear|hardly hear|barely hear|"
        r"can't hear|\bamplif|\bmore (?:volume|gain|loud)|\bso quiet|\bvery quiet",
        words,
    )
    down = re.search(
        r"\bquieter|\bsofter|\btoo loud|\bless (?:loud|volume)|\bquieten|\bmore quiet|"
        r"\bquietly|\bso loud|\bmake (?:it|this) (?:\w+ )?quiet",
        words,
    )
    direction = 1 if up else -1 if down else clause.direction
    decibels = clause.number(r"d\s?b\b|decibels?")
    if decibels is not None:
        return Wish("volume", decibels if direction >= 0 else -decibels)
    if re.search(
        r"\bhalf (?:as loud|the (?:volume|loudness)|volume)|\bhalve|\btwice as quiet", words
    ):
        return Wish("volume", -6.0)
    if re.search(r"\b(?:twice|double|two times)\b", words):
        return Wish("volume", 6.0)
    percent = clause.percent()
    if percent is not None:
        absolute = re.search(r"\b(?:to|at)\s\d+(?:[.,]\d+)?\s?(?:%|per)", words)
        share = percent / 100 if absolute else 1 + math.copysign(percent / 100, direction or 1)
        return Wish("volume", max(20 * math.log10(max(share, 1e-3)), -60.0))
    times = clause.number(r"x\b|×|times\b")
    if times:
        return Wish("volume", math.copysign(20 * math.log10(max(times, 1.0)), direction or 1))
    if not direction:
        raise UnclearWishError("Say whether it shall be louder or quieter, and by how much.")
    return Wish("volume", direction * clause.much(6.0, 3.0, 12.0))


def _tone(action: str) -> Reading:
    def read(found: re.Match[str], clause: _Clause) -> Wish:
        if re.search(r"\b(?:boost|brighten|brighter|crisp\w*|bassier|warm\w*)\b", found[0]):
            direction = 1
        elif re.search(r"\b(?:harsh|shrill|sibilan\w*|boomy|too)\b", found[0]):
            direction = -1
        else:
            direction = clause.direction or 1
        amount = clause.number(r"d\s?b\b|decibels?") or clause.much(8.0, 4.0, 12.0)
        return Wish(action, direction * min(amount, 24.0))

    return read


def _filter(action: str, usual: float) -> Reading:
    return lambda found, clause: Wish(action, clause.hertz() or usual)


def _between(found: re.Match[str], clause: _Clause) -> Wish:
    return Wish(
        "high_pass" if found["side"] in ("below", "under") else "low_pass", clause.hertz() or 1000.0
    )


def _echo(found: re.Match[str], clause: _Clause) -> Wish:
    return Wish("echo", clause.seconds() or 0.35, clause.much(0.42, 0.25, 0.6))


_ROOMS = {
    "cathedral": 4.5,
    "church": 3.0,
    "cave": 3.0,
    "stadium": 3.0,
    "arena": 2.8,
    "tunnel": 2.5,
    "hall": 2.0,
    "bathroom": 0.9,
    "shower": 0.9,
    "room": 0.6,
    "plate": 1.8,
}


def _reverb(found: re.Match[str], clause: _Clause) -> Wish:
    seconds = next((length for room, length in _ROOMS.items() if room in clause.words), 1.6)
    # A big church is a big room, not a lot of it.
    said = re.sub(r"\b(?:big|huge|small|little|long)\b", "", clause.words)
    wet = _Clause(said, clause.direction).much(0.4, 0.22, 0.75)
    return Wish("reverb", clause.seconds() or seconds, wet)


def _fade(action: str) -> Reading:
    def read(found: re.Match[str], clause: _Clause) -> Wish:
        return Wish(action, clause.seconds() or clause.much(2.0, 1.0, 5.0))

    return read


def _both_fades(found: re.Match[str], clause: _Clause) -> list[Wish]:
    lengths = [
        _seconds(length)
        for length in re.finditer(rf"(?P<number>{_NUMBER})[\s-]?{_SECONDS}", found[0])
    ]
    first = lengths[0] if lengths else clause.seconds() or 2.0
    return [Wish("fade_in", first), Wish("fade_out", lengths[-1] if lengths else first)]


def _silence(found: re.Match[str], clause: _Clause) -> Wish:
    inside = re.search(
        r"\b(?:pauses?|gaps?|silences|all|every|any|dead air|between|inside|middle|long)\b",
        found[0] + " " + clause.words,
    )
    ends = re.search(
        r"\b(?:start|beginning|end|ends|ending|leading|trailing|edges)\b", clause.words
    )
    return Wish("pauses" if inside and not ends else "silence")


def _part(found: re.Match[str], clause: _Clause) -> Wish:
    length = _seconds(found)
    off = found["off"] is not None and "to the" not in found[0]
    last = (found["end"] or "first") in ("last", "final")
    if off:
        return Wish("part", 0.0, -length) if last else Wish("part", length, math.inf)
    return Wish("part", -length, math.inf) if last else Wish("part", 0.0, length)


def _from_to(found: re.Match[str], clause: _Clause) -> Wish:
    def moment(written: str, unit: str | None) -> float:
        pieces = [float(piece) for piece in written.split(":")]
        value = pieces[0] if len(pieces) == 1 else 60 * pieces[0] + pieces[1]
        return value * 60 if unit and unit.startswith("m") and len(pieces) == 1 else value

    return Wish(
        "part",
        moment(found["start"], found["unit"] or found["unit2"]),
        moment(found["stop"], found["unit2"]),
    )


def _voice(semitones: float) -> Reading:
    return _always(Wish("pitch", semitones))


_CLEAN = Wish("denoise")
_LIKE = r"\b(?:like|as|into|to|by)\s(?:\w+\s){0,3}?"
_MOMENT = r"\d+:\d\d(?:\.\d+)?|\d+(?:\.\d+)?"

#: The first rule that fits takes its words; the order among edits is that of the instruction.
_RULES: tuple[tuple[re.Pattern[str], Reading], ...] = tuple(
    (re.compile(pattern), reading)
    for pattern, reading in (
        (
            rf"\b{_OUT}{_GAP}(?:echo\w*|reverb\w*|room sound|roominess|resonance)\b|"
            rf"\bde-?reverb\w*|"
            r"\bde-?echo\w*|\b(?:too|sounds?|is|so) (?:\w+ )?(?:echoey|echoy|roomy|reverberant)\b|"
            r"\b(?:echo|reverb)[\s-](?:removal|reduction|cancell?ation)\b",
            _always(Wish("room")),
        ),
        (
            r"\bcrackl\w*|\bvinyl noise\b|\bscratchy\b|\bscratches\b",
            _always(Wish("clicks"), _CLEAN),
        ),
        (r"\b(?:de-?)?click(?:s|ing)?\b|\bpops\b|\bpopping\b", _always(Wish("clicks"))),
        (
            r"\b(?:noises?|noisy|de-?nois\w*|hiss\w*|hum|hums|humming|buzz\w*|static|rumbl\w*|"
            r"whine|whining|interference|wind|background (?:chatter|sounds?)|"
            r"clean(?:ed|er|s|ing|se)?(?:[\s-](?:it |this |that |the \w+ )?up)?|clearer|clarity|"
            r"clarify|restore)\b|\b(?:reduce|remove|lower|quiet|quieten|mute|silence|suppress|"
            r"turn down)\s"
            r"(?:the |any |that |all )*(?:background|traffic|fan|engine|street|crowd|rain|"
            r"chatter)\b",
            _always(_CLEAN),
        ),
        (
            r"\bfad(?:e|es|ed|ing)\b[^,.;]*?\bin\b[^.;]*?\band\b[^.;]*?\bout\b[^.;,]*|"
            r"\bfad(?:e|es|ed|ing)\b[^,.;]*?\bout\b[^.;]*?\band\b[^.;]*?\bin\b[^.;,]*|"
            r"\bfad(?:e|es|ed|ing)\b[^,.;]*?\b(?:both (?:ends|sides)|"
            r"(?:start|beginning) and (?:\w+ )*?end)\b[^.;,]*",
            _both_fades,
        ),
        (
            r"\bfad(?:e|es|ed|ing)(?:[\s-]\w+){0,4}?[\s-](?:in|start|beginning|from silence)\b",
            _fade("fade_in"),
        ),
        (
            r"\bfad(?:e|es|ed|ing)(?:[\s-]\w+){0,4}?[\s-](?:out|away|end|ending|to silence|"
            r"to nothing)\b",
            _fade("fade_out"),
        ),
        (
            rf"\bfrom (?:the )?(?:second )?(?P<start>{_MOMENT})\s?(?P<unit>s\b|secs?|seconds?|"
            rf"mins?|"
            rf"minutes?)?\s(?:to|until|till)\s(?:the )?(?:second )?(?P<stop>{_MOMENT})(?![\d.:])\s?"
            r"(?P<unit2>s\b|secs?|seconds?|mins?|minutes?)?(?!\s?(?:bpm|hz|khz|%|semi|db))",
            _from_to,
        ),
        (
            r"\b(?:(?P<off>remove|delete|cut off|trim off|drop|skip|cut out|chop off|cut|trim)|"
            r"keep|"
            r"only|just|give me|take|extract|crop)\s(?:\w+\s){0,4}?the (?:very )?"
            rf"(?P<end>first|last|opening|final)\s(?P<number>{_NUMBER})?[\s-]?{_SECONDS}",
            lambda found, clause: _part(found, clause) if found["number"] else None,
        ),
        (
            r"\b(?P<off>(?!))?(?:trim|cut|shorten|crop)\s(?:\w+\s){0,3}?(?:down )?to (?:the )?"
            rf"(?P<end>first|last)?\s?(?P<number>{_NUMBER})[\s-]?{_SECONDS}",
            _part,
        ),
        (
            r"\b(?:trim\w*|remov\w*|cut\w*|delet\w*|strip\w*|skip\w*|get rid of|take out|"
            r"shorten\w*|"
            rf"drop|eliminate|no|without|tighten){_GAP}(?:silence|silences|silent|pauses?|gaps?|"
            r"dead air|quiet (?:parts?|bits?)|blank parts?)\b|\bdead air\b|"
            r"\btrim(?:\s\w+){0,3}\s(?:both ends|(?:start|beginning) and (?:the )?end|edges)\b|"
            r"\bsilence (?:removal|trimming)\b",
            _silence,
        ),
        (
            r"\brevers(?:e|ed|ing|al)\b|\bbackwards?\b|\bback to front\b|\bend to start\b|"
            r"\bfrom the end to the (?:start|beginning)\b",
            _always(Wish("reverse")),
        ),
        (
            r"\b(?:like|as if|as though|over|through|via|into|on|from|as)(?:\s\w+){0,5}?\s"
            r"(?:telephone|phone|walkie-?\s?talkie|megaphone|intercom|transistor|(?:old|"
            r"am) radio)\b"
            r"(?:\s(?:call|line|radio))?|\b(?:telephone|phone|megaphone|walkie-?\s?talkie|"
            r"(?:old |am |lo-?fi )?radio)\s(?:effect|filter|sound|voice|quality|eq)\b",
            _always(Wish("telephone")),
        ),
        (
            r"\b(?:sounds|is|too|less|isn't|very|so|was)\s(?:\w+\s)?(?:muffled|dull|dark)\b",
            _always(Wish("treble", 8.0)),
        ),
        (r"\bunder-?\s?water\b|\bsubmerged\b", _always(Wish("low_pass", 500.0))),
        (
            r"\b(?:frequenc(?:y|ies)|everything|anything|all|sounds?|tones?|what is|what's)\s"
            r"(?:that (?:is|are) )?(?P<side>above|below|over|under|higher than|lower than)\s"
            r"(?=\d[\d.,]*\s?k?(?:hz|hertz|ilo|\b))",
            _between,
        ),
        (
            r"\blow[\s-]?pass\w*|\bhigh[\s-]?cut\b|\bmuffl\w*|\b(?:through|behind) (?:a|the) "
            r"(?:\w+ )?(?:wall|door)\b|\bnext (?:room|door)\b",
            _filter("low_pass", 1000.0),
        ),
        (r"\bhigh[\s-]?pass\w*|\blow[\s-]?cut\b", _filter("high_pass", 200.0)),
        (r"\btinny\b", _filter("high_pass", 800.0)),
        (
            r"\b(?:too )?(?:boomy)\b|\b(?:bass(?:es|ier|y)?|low end|lows|low (?:frequencies|tones)|"
            r"warmer|warmth)(?:\s(?:boost(?:ed)?))?\b",
            _tone("bass"),
        ),
        (
            r"\b(?:too )?(?:harsh|shrill|sibilan\w*)\b|\b(?:trebles?|highs|high end|"
            r"high (?:frequencies|tones)|brighter|brighten|brightness|crisper|crisp)\b",
            _tone("treble"),
        ),
        (rf"\bchipmunks?\b|\bhelium\b|{_LIKE}(?:squirrel|mouse|smurf)s?\b", _voice(8.0)),
        (rf"\b(?:monster|demon\w*|villain)\b|{_LIKE}(?:giant|ogre|vader)s?\b", _voice(-6.0)),
        (rf"{_LIKE}(?:child|kid|baby|children)\b", _voice(5.0)),
        (rf"{_LIKE}(?:woman|female|girl)\b", _voice(4.0)),
        (rf"{_LIKE}(?:man|male|guy)\b", _voice(-4.0)),
        (
            r"\brobot\w*|\bandroid\b|\bdalek\b|\bcyborg\b|\bmonotone\b|\bvocoder\b",
            _always(Wish("robot")),
        ),
        (
            r"\bpitch\w*|\bsemi-?\s?tones?\b|\bhalf[\s-]?steps?\b|\boctaves?\b|\btranspos\w*|"
            r"\b(?:higher|lower|deeper)[\s-](?:\w+[\s-])?(?:voice|tone|key|pitch|note)s?\b|"
            r"\b(?:voice|tone|note|key)s?\s(?:\w+\s)?(?:higher|lower|deeper)\b",
            _pitch,
        ),
        (
            r"\bspeed\w*|\bsped\b|\btempo\b|\bfast\w*|\bslow\w*|\bquick(?:er|en|ly)\b|\bpace\b|"
            r"\baccelerat\w*|\bdecelerat\w*|\b(?:half|double)-?\s?time\b|\b(?:twice|"
            r"half) as long\b|"
            r"\btime-?\s?stretch\w*|\bstretch\w*|\bnightcore\b|\bbpm\b",
            _tempo,
        ),
        (
            r"\bnormali[sz]\w*|\beven out\b|\blevel(?:s)? out\b|\bconsistent\b|\bmaximi[sz]e\b|"
            r"\b(?:balance|equali[sz]e|fix|adjust)(?:\s\w+){0,2}\s(?:levels?|volumes?|loudness)\b",
            _always(Wish("normalise")),
        ),
        (
            r"\bloud\w*|\bvolume\b|\bquiet\w*|\bsoft(?:er|ly)\b|\bgain\b|\bamplif\w*|"
            r"\b(?:hard to|hardly|barely|can't) hear\b",
            _volume,
        ),
        (r"\becho\w*|\bdelay\b|\bcanyon\b|\bmountains?\b", _echo),
        (
            r"\breverb\w*|\bspacious\b|\b(?:like|in|inside|ambience of|acoustics of|as if|"
            r"into)(?:\s\w+){0,4}?\s(?:"
            rf"{'|'.join(_ROOMS)})\b|\b(?:{'|'.join(_ROOMS)})\s(?:effect|sound|ambien\w+|reverb)\b",
            _reverb,
        ),
        (r"\bmono\b|\bmonaural\b|\b(?:single|one) channel\b|\bmonophonic\b", _always(Wish("mono"))),
    )
)
#: Actions that have taken a clause's words: "normalise the volume", "noise of people in a room".
_INSTEAD: dict[Reading, set[str]] = {
    _volume: {"normalise", "bass", "treble", "fade_in", "fade_out", "low_pass", "high_pass"},
    _reverb: {"denoise", "room", "clicks", "part", "silence", "pauses"},
    _echo: {"room"},
    _tempo: {"fade_in", "fade_out"},
}
#: Read only in clauses where no rule found anything.
_WEAK_RULES: tuple[tuple[re.Pattern[str], Reading], ...] = tuple(
    (re.compile(pattern), reading)
    for pattern, reading in (
        (
            r"\bturn (?:(?:it|this|that|them|the (?:sound|audio|recording|music|song|voice))\s)?"
            r"(?:up|down)\b|\bdecibels?\b|\d\s?db\b",
            _volume,
        ),
        (r"\b(?:higher|lower|deeper|deep)\b|\b(?:shift|tune|move)\b.*\b(?:up|down)\b", _pitch),
        (r"\bfad(?:e|es|ed|ing)\b", _always(Wish("fade_in", 2.0), Wish("fade_out", 2.0))),
        (r"\b(?:tele)?phone(?: call)?\b", _always(Wish("telephone"))),
    )
)
_VAGUE = re.compile(
    r"\b(?:better|improv\w*|enhanc\w*|nicer?|clear|good|quality|studio|fix|repair|professional|"
    r"polish|crystal|understand\w*|intelligible)\b"
)
_BEYOND = re.compile(
    r"\bauto-?\s?tun\w*|\bkaraoke\b|\bvocals?\b|\binstrumental\b|\bacap+ella\b|\bdrums?\b|"
    r"\bbeats?\b|\bbleep\w*|\bcensor\w*|\bstereo\b|\baccent\b|"
    r"\badd(?:\s\w+){0,3}\s(?:noise|silence|applause|laughter|instruments?|birds?|rain)\b"
)
_SAYS_NOTHING = FUNCTION_WORDS | frozenset(
    "sound sounds audio recording record file clip track voice music song speech edit process "
    "change work please make do something thing things tape podcast interview message help need "
    "want would like you me apply filter give get use take wav mp3 flac let".split()
)


def read(instruction: str) -> list[Wish]:
    """The edits that an instruction asks for, in its order; empty where it asks for none.

    Raises UnclearWishError, with a sentence, where it asks for something that is no edit here.
    """
    text = " ".join(instruction.lower().replace("’", "'").replace("_", " ").split())
    text = re.sub(r"\S+\.(?:wav|mp3|flac|ogg|m4a|aac|mp4|opus)\b", "it", text)
    plain = _ASIDES.sub(lambda aside: "·" * len(aside[0]), text)
    # Fades and parts have an "and" or a point of their own, so matches come before clauses.
    clauses = _clauses(plain)
    directions = _directions([plain[start:end] for start, end in clauses])
    beyond = _BEYOND.search(plain)
    if beyond:
        raise UnclearWishError(f"I cannot do this to a sound: {_clause_at(text, beyond.start())}.")
    found: list[tuple[tuple[int, int], Wish]] = []
    actions: dict[int, set[str]] = {}
    remaining = plain

    def take(rules: tuple[tuple[re.Pattern[str], Reading], ...], weak: bool) -> None:
        nonlocal remaining
        for pattern, reading in rules:
            for match in list(pattern.finditer(remaining)):
                number = next(
                    (
                        place
                        for place, (start, end) in enumerate(clauses)
                        if start <= match.start() < end
                    ),
                    0,
                )
                done = actions.get(number, set())
                if done & _INSTEAD.get(reading, set()) or (weak and done):
                    continue
                start = clauses[number][0]
                end = max(clauses[number][1], match.end())
                made = reading(match, _Clause(plain[start:end].strip(), directions[number]))
                if made is None:
                    continue
                remaining = (
                    remaining[: match.start()]
                    + "·" * (match.end() - match.start())
                    + remaining[match.end() :]
                )
                first = re.match(r"\s*(?:but |and )?first\b", plain[start:end]) is not None
                for wish in made if isinstance(made, list) else [made]:
                    once = wish.action in ("denoise", "room", "clicks", "normalise", "mono")
                    again = wish in (other for _, other in found)
                    if (wish.action in done and found) or again or (once and seen(wish.action)):
                        continue
                    found.append(((0 if first else 1, match.start()), wish))
                    actions.setdefault(number, set()).add(wish.action)

    def seen(action: str) -> bool:
        return any(action in done for done in actions.values())

    take(_RULES, weak=False)
    take(_WEAK_RULES, weak=True)
    wishes = [wish for _, wish in sorted(found, key=lambda item: item[0])]
    if not wishes and _VAGUE.search(plain):
        return [_CLEAN]
    if not wishes and any(
        word not in _SAYS_NOTHING for word in re.findall(r"[^\W\d_]+(?:'\w+)?", text)
    ):
        asked = " ".join(instruction.split())
        asked = asked if len(asked) <= 120 else f"{asked[:119].rstrip()}…"
        raise UnclearWishError(f"I do not know how to do this to a sound: {asked}.")
    return wishes


def _clauses(text: str) -> list[tuple[int, int]]:
    cuts = [cut for cut in _CLAUSE_END.finditer(text) if cut.end() < len(text)]
    starts = [0, *(cut.end() for cut in cuts)]
    ends = [*(cut.start() for cut in cuts), len(text)]
    return [(start, max(end, start)) for start, end in zip(starts, ends, strict=True)]


def _clause_at(text: str, place: int) -> str:
    start, end = next(
        ((start, end) for start, end in _clauses(text) if start <= place <= end), (0, len(text))
    )
    return text[start:end].strip(" .,!?")


def _directions(clauses: list[str]) -> list[int]:
    """1 where a clause means more, -1 less; a clause that says neither goes on with the last."""
    directions = []
    last = 0
    for clause in clauses:
        up, down = _UP.search(clause), _DOWN.search(clause)
        if up and down:
            last = 1 if up.start() > down.start() else -1
            if re.search(r"\b(?:speed|volume|pitch|bass|treble)\w*\b.*\bup\b", clause):
                last = 1
        elif up or down:
            last = 1 if up else -1
        directions.append(last)
    return directions
