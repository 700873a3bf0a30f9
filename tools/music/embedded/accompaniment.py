"""What is played under a melody: patterns of chords, bass and drums by genre and metre.

A pattern is a bar of signs, all of the same length. Chords: ``C`` the whole chord, ``1``-``5`` its
voices from the bottom, ``B`` and ``F`` the root and the fifth below; ``.`` holds, ``-`` is silent.
Bass: ``R`` root, ``T`` third, ``F`` fifth, ``O`` octave, ``A`` a tone that leads to the next root.
Drums: ``X`` loud, ``x`` middling, ``o`` soft.
"""

from __future__ import annotations

CHORDS: dict[str, dict[str, tuple[str, ...]]] = {
    "held": {"4/4": ("C.......",), "3/4": ("C.....",), "6/8": ("C.....",)},
    "alberti": {"4/4": ("13231323",), "3/4": ("132323",), "6/8": ("123432",)},
    "arpeggio": {"4/4": ("12343432",), "3/4": ("123432",), "6/8": ("123432",)},
    "broken": {"4/4": ("B2343432", "B2343234"), "3/4": ("B23432",), "6/8": ("B23432",)},
    "wide": {"4/4": ("B.3.4.3.", "B.3.4.5."), "3/4": ("B.3.4.",), "6/8": ("B.3.4.",)},
    "picking": {"4/4": ("B2F4B2F3", "B3F2B4F2"), "3/4": ("B23432",), "6/8": ("B23432",)},
    "oompah": {"4/4": ("B-C-F-C-",), "3/4": ("B-C-C-",), "6/8": ("B-CF-C",)},
    "afterbeat": {"4/4": ("--C---C-",), "3/4": ("--C-C-",), "6/8": ("--C--C",)},
    "strum": {"4/4": ("C.CC.CCC",), "3/4": ("C.CCCC",), "6/8": ("C.CC.C",)},
    "offbeat": {"4/4": ("-C-C-C-C",), "3/4": ("-C-C-C",), "6/8": ("-C-C-C",)},
    "skank": {"4/4": ("--C---C-",), "3/4": ("--C-C-",), "6/8": ("--C--C",)},
    "comp": {
        "4/4": ("C--C----", "--C--C--", "-C---C--", "C----C--", "---C--C-"),
        "3/4": ("--C-C-", "C--C--", "--C---"),
        "6/8": ("C-C---", "--C--C"),
    },
    "bossa": {"4/4": ("C--C--C-", "--C--C--"), "3/4": ("C--C--",), "6/8": ("C-CC-C",)},
    "power": {"4/4": ("CCCCCCCC", "C.CCC.CC"), "3/4": ("CCCCCC",), "6/8": ("CCCCCC",)},
    "ballad": {"4/4": ("C---C---", "C---C-C-"), "3/4": ("C-C-C-",), "6/8": ("C--C--",)},
    "pulse": {"4/4": ("CCCCCCCC",), "3/4": ("CCCCCC",), "6/8": ("CCCCCC",)},
    "sequence": {
        "4/4": ("1.3241.31.324231", "13-413-413-41323"),
        "3/4": ("132413241324",),
        "6/8": ("123432123432",),
    },
    "fast arpeggio": {
        "4/4": ("1234123412341234",), "3/4": ("123412341234",), "6/8": ("123432123432",),
    },
    "ostinato": {
        "4/4": ("1113111311131113", "1131113111311131"),
        "3/4": ("113113113113",),
        "6/8": ("113113113113",),
    },
    "lofi": {"4/4": ("C....C..", "C.....C-"), "3/4": ("C...C.",), "6/8": ("C....C",)},
}  # fmt: skip

BASS: dict[str, dict[str, tuple[str, ...]]] = {
    "held": {"4/4": ("R.......",), "3/4": ("R.....",), "6/8": ("R.....",)},
    "half": {"4/4": ("R...F...",), "3/4": ("R.....",), "6/8": ("R..F..",)},
    "two": {"4/4": ("R.--F.--",), "3/4": ("R.----",), "6/8": ("R--F--",)},
    "walking": {
        "4/4": ("R.T.F.A.", "R.F.T.A.", "R.O.F.A.", "R.T.R.A."),
        "3/4": ("R.F.A.", "R.T.A."),
        "6/8": ("R..F.A",),
    },
    "eighths": {"4/4": ("RRRRRRRR", "RRRRRRRA"), "3/4": ("RRRRRR",), "6/8": ("RRRRRR",)},
    "pop": {"4/4": ("R..R..RR", "R..RR..A"), "3/4": ("R...RR",), "6/8": ("R..R.A",)},
    "offbeat": {"4/4": ("-R-R-R-R",), "3/4": ("-R-R-R",), "6/8": ("-R-R-R",)},
    "rolling": {"4/4": ("-RRR-RRR-RRR-RRO",), "3/4": ("-RRR-RRR-RRO",), "6/8": ("R.RR.R",)},
    "bossa": {"4/4": ("R..FF..R", "R..FF..F"), "3/4": ("R..F.A",), "6/8": ("R..F.A",)},
    "reggae": {"4/4": ("R..R-FT-", "--RR-FR-"), "3/4": ("R..F-T",), "6/8": ("R.-F.T",)},
    "boogie": {"4/4": ("R.T.F.O.", "R.T.F.T."), "3/4": ("R.T.F.",), "6/8": ("R.TF.O",)},
    "hip hop": {"4/4": ("R....R--", "R-----RA"), "3/4": ("R...R-",), "6/8": ("R....R",)},
    "march": {"4/4": ("R---F---",), "3/4": ("R-----",), "6/8": ("R--F--",)},
    "chip": {"4/4": ("RROORROO", "R-ROR-RO"), "3/4": ("RROORO",), "6/8": ("R.OR.O",)},
}  # fmt: skip

_Bars = dict[str, str]
DRUMS: dict[str, dict[str, _Bars]] = {
    "rock": {
        "4/4": {"kick": "X.......X.x.....", "snare": "....X.......X...", "hat": "x.o.x.o.x.o.x.o."},
        "3/4": {"kick": "X...........", "snare": "....x...x...", "hat": "x.o.x.o.x.o."},
        "6/8": {"kick": "X.........x.", "snare": "......X.....", "hat": "x.o.o.x.o.o."},
    },
    "pop": {
        "4/4": {
            "kick": "X.....x.X.......",
            "snare": "....X.......X...",
            "hat": "o.x.o.x.o.x.o.x.",
            "shaker": "o.o.o.o.o.o.o.o.",
        },
        "3/4": {"kick": "X...........", "rim": "....x...x...", "shaker": "x.o.x.o.x.o."},
        "6/8": {"kick": "X...........", "snare": "......x.....", "hat": "x.o.o.x.o.o."},
    },
    "techno": {
        "4/4": {
            "electronic kick": "X...X...X...X...",
            "clap": "....x.......x...",
            "open hat": "..x...x...x...x.",
            "hat": "o.ooo.ooo.ooo.oo",
        },
        "3/4": {
            "electronic kick": "X...X...X...",
            "open hat": "..x...x...x.",
            "hat": "o.ooo.ooo.oo",
        },
        "6/8": {"electronic kick": "X.....X.....", "clap": "......x.....", "hat": "x.o.o.x.o.o."},
    },
    "jazz": {
        "4/4": {
            "ride": "x...x.o.x...x.o.",
            "hat": "....o.......o...",
            "brush": "o...x...o...x...",
            "kick": "o.......o.......",
        },
        "3/4": {
            "ride": "x...x.o.x...",
            "hat": "....o...o...",
            "brush": "....o...o...",
            "kick": "o...........",
        },
        "6/8": {"ride": "x...o.x...o.", "hat": "......o....."},
    },
    "blues": {
        "4/4": {
            "kick": "X.......x.......",
            "snare": "....x.......x...",
            "ride": "x.o.x.o.x.o.x.o.",
        },
        "3/4": {"kick": "X...........", "snare": "....x...x...", "ride": "x.o.x.o.x.o."},
        "6/8": {"kick": "X...........", "snare": "......x.....", "hat": "x.o.o.x.o.o."},
    },
    "bossa": {
        "4/4": {
            "kick": "x.....oox.....oo",
            "clave": "x.....x.....x...",
            "shaker": "x.o.o.o.x.o.o.o.",
            "conga": "......o.......oo",
        },
        "3/4": {"kick": "x...........", "clave": "x...o...x...", "shaker": "x.o.x.o.x.o."},
        "6/8": {"kick": "x.....o.....", "rim": "x...x...x...", "shaker": "x.o.o.x.o.o."},
    },
    "hip hop": {
        "4/4": {
            "sub kick": "X......x..X.....",
            "electronic snare": "....X.......X...",
            "hat": "x.x.x.x.x.xox.x.",
        },
        "3/4": {
            "sub kick": "X.....x.....",
            "electronic snare": "....X.......",
            "hat": "x.x.x.x.x.x.",
        },
        "6/8": {
            "sub kick": "X.........x.",
            "electronic snare": "......X.....",
            "hat": "x.x.x.x.x.x.",
        },
    },
    "reggae": {
        "4/4": {"kick": "........X.......", "rim": "........x.....o.", "hat": "o.x.o.x.o.x.o.xo"},
        "3/4": {"kick": "....X.......", "hat": "o.x.o.x.o.x."},
        "6/8": {"kick": "......X.....", "hat": "o.x.o.o.x.o."},
    },
    "march": {
        "4/4": {"big drum": "X.......x.......", "march snare": "....x.oo....x.oo"},
        "3/4": {"big drum": "X...........", "march snare": "....x...x.oo"},
        "6/8": {"big drum": "X.....x.....", "march snare": "....o.x...oo"},
    },
    "waltz": {
        "3/4": {"brush": "....x...x...", "kick": "o..........."},
        "4/4": {"brush": "....x...x...x...", "kick": "o..............."},
        "6/8": {"brush": "....o.....o.", "kick": "o.....o....."},
    },
    "chip": {
        "4/4": {
            "electronic kick": "X.......X.......",
            "noise snare": "....x.......x..o",
            "noise hat": "o.x.o.x.o.x.o.x.",
        },
        "3/4": {
            "electronic kick": "X...........",
            "noise snare": "....x...x...",
            "noise hat": "o.x.o.x.o.x.",
        },
        "6/8": {
            "electronic kick": "X...........",
            "noise snare": "......x.....",
            "noise hat": "x.o.o.x.o.o.",
        },
    },
    "folk": {
        "4/4": {"kick": "x.......x.......", "shaker": "o.x.o.x.o.x.o.x."},
        "3/4": {"kick": "x...........", "shaker": "o.x.o.x.o.x."},
        "6/8": {"kick": "x.....o.....", "shaker": "x.o.o.x.o.o."},
    },
    "epic": {
        "4/4": {
            "big drum": "X.....x.X.......",
            "timpani": "x...........x.x.",
            "low tom": "..o.o...o.o.o.oo",
        },
        "3/4": {"big drum": "X...........", "timpani": "........x.x.", "low tom": "..o.o.o.o.oo"},
        "6/8": {"big drum": "X.....x.....", "timpani": "x.........x.", "low tom": "..o.o...o.oo"},
    },
}

#: The last beat before a new phrase.
FILLS: dict[str, _Bars] = {
    "rock": {"snare": "xx..", "high tom": "..x.", "low tom": "...X"},
    "pop": {"snare": "x.xx"}, "techno": {"clap": "xoxX"}, "jazz": {"brush": "xoxo"},
    "blues": {"snare": "x.xx"}, "bossa": {"conga": "xoxo"}, "hip hop": {"hat": "xxxx"},
    "reggae": {"high tom": "x.x.", "rim": "..x."}, "march": {"roll": "x..."},
    "waltz": {}, "chip": {"noise snare": "xxxx"}, "folk": {}, "epic": {"timpani": "xxxx"},
}  # fmt: skip


def bar_of(patterns: dict[str, tuple[str, ...]], metre: str, number: int) -> str:
    """The signs of bar `number`; metres without patterns of their own take parts of others."""
    if metre == "2/4":
        whole = patterns["4/4"][number % len(patterns["4/4"])]
        half = whole[: len(whole) // 2]
        return half if set(half) & set("C12345BFRTOA") else whole[len(whole) // 2 :]
    if metre == "5/4":
        three = bar_of(patterns, "3/4", number)
        two = bar_of(patterns, "2/4", number)
        if len(three) * 2 != len(two) * 3:
            three, two = _finer(three, 12), _finer(two, 8)
        return three + two
    options = patterns[metre]
    return options[number % len(options)]


def drum_bar(pattern: str, metre: str) -> _Bars:
    """The signs of one bar for each drum of a pattern."""
    bars = DRUMS[pattern]
    if metre == "2/4":
        return {drum: signs[:8] for drum, signs in bars["4/4"].items() if signs[:8].strip(".")}
    if metre == "5/4":
        three, two = bars["3/4"], drum_bar(pattern, "2/4")
        return {
            drum: three.get(drum, "." * 12) + two.get(drum, "." * 8) for drum in {**three, **two}
        }
    return bars[metre]


def _finer(signs: str, length: int) -> str:
    factor = length // len(signs)
    return "".join(sign + ("-" if sign == "-" else ".") * (factor - 1) for sign in signs)
