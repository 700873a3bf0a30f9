"""Ways whose types fit and that make no sense stay away."""

from __future__ import annotations

from controlllm.core.plans import Action, Literal, Reference, Solution, Subtask, TypedValue
from controlllm.planning.sense import (
    without_echoes,
    without_misused,
    without_round_trips,
    without_strays,
)
from controlllm.toolbox import Argument, Tool, Toolbox

VIDEO, AUDIO, IMAGE = (Argument(kind, kind) for kind in ("video", "audio", "image"))
WISH = Argument("wish", "text", optional=True)
BOX = Toolbox(
    (
        Tool("sound_of", "Take the sound out.", "general", (VIDEO,), Argument("result", "audio")),
        Tool("edit", "Edit a sound.", "general", (AUDIO, WISH), Argument("result", "audio")),
        Tool("dub", "Put a sound on.", "general", (VIDEO, AUDIO), Argument("result", "video")),
        Tool("hum", "Hum a picture.", "general", (IMAGE,), Argument("result", "audio")),
        Tool("film", "Show and play.", "general", (IMAGE, AUDIO), Argument("result", "video")),
    )
)


def step(tool: str, made: str, **given: str) -> Action:
    inputs = {name: Reference(value) for name, value in given.items()}
    return Action(tool, inputs, TypedValue(BOX[tool].returns.type, made))


TAKEN = step("sound_of", "a", video="clip.mp4")
CHANGED = step("edit", "c", audio="a")
BACK = step("dub", "b", video="clip.mp4", audio="c")


def kept(*actions: Action) -> bool:
    return bool(without_round_trips([(1.0, Solution(actions, 4.0))], BOX))


def test_a_sound_put_back_as_it_was_is_no_way():
    assert not kept(TAKEN, step("dub", "b", video="clip.mp4", audio="a"))


def test_another_sound_a_changed_one_and_another_film_are():
    assert kept(TAKEN, CHANGED, BACK)
    assert kept(TAKEN, step("dub", "b", video="other.mp4", audio="a"))
    assert kept(step("hum", "a", image="a.png"), step("film", "b", image="a.png", audio="a"))
    assert kept(TAKEN)


def test_what_is_done_in_between_is_told_where_it_can_be():
    untold = Solution((TAKEN, CHANGED, BACK), 4.0)
    wish = {**CHANGED.inputs, "wish": Literal("mute it")}
    told = Solution((TAKEN, Action("edit", wish, CHANGED.output), BACK), 3.8)
    assert without_round_trips([(1.0, untold), (1.2, told)], BOX) == [(1.2, told)]
    assert without_round_trips([(1.0, untold)], BOX) == [(1.0, untold)]


# Looking things up.

TEXT = Argument("text", "text", "the text that is read")
SAID = Argument("result", "text")
FACTS = Toolbox(
    (
        Tool("ask", "Answer from a text.", "question-answering", (TEXT,), SAID),
        Tool("films", "Look a film up.", "public-api", (Argument("title", "text"),), SAID),
    )
)
ASK, LOOK, BOTH, ASK_ABOVE_ALL = (
    Solution(actions, score)
    for actions, score in (
        ((Action("ask", {"text": Literal("Metropolis")}, TypedValue("text", "a")),), 3.4),
        ((Action("films", {"title": Literal("Metropolis")}, TypedValue("text", "a")),), 3.5),
        (
            (
                Action("films", {"title": Literal("Metropolis")}, TypedValue("text", "f")),
                Action("ask", {"text": Reference("f")}, TypedValue("text", "a")),
            ),
            3.0,
        ),
        ((Action("ask", {"text": Literal("Metropolis")}, TypedValue("text", "a")),), 4.9),
    )
)


def told(role: str, *ways: Solution) -> list[Solution]:
    subtask = Subtask(
        0,
        "Who directed Metropolis?",
        ("public-api",),
        (TypedValue("text", "Metropolis", role),),
        TypedValue("text", "a"),
    )
    return [way for _, way in without_echoes([(5 - it.score, it) for it in ways], subtask, FACTS)]


def test_a_name_that_is_looked_up_is_no_text_to_read_an_answer_from():
    assert told("query", ASK, LOOK, BOTH) == [LOOK, BOTH]
    assert told("place", ASK, LOOK) == [LOOK]


def test_a_text_to_work_on_stays_one():
    assert told("content", ASK, LOOK, BOTH) == [ASK, LOOK, BOTH]


def test_where_the_best_way_looks_nothing_up_all_ways_stay():
    assert told("query", ASK) == [ASK]
    assert told("query", ASK_ABOVE_ALL, LOOK) == [ASK_ABOVE_ALL, LOOK]
    assert told("query") == []


# What nobody asked for.

TABLE, WORDS = Argument("table", "table"), Argument("prompt", "text", "what to do")
SOME = Argument("images", "image", many=True)
PICTURES = Toolbox(
    (
        Tool("frame", "Frame a picture.", "general", (IMAGE, WORDS), Argument("result", "image")),
        Tool("shrink", "Make it smaller.", "general", (IMAGE, WORDS), Argument("result", "image")),
        Tool("join", "Put pictures together.", "general", (SOME,), Argument("result", "image")),
        Tool("find", "Find it.", "general", (IMAGE, Argument("query", "text", "the object")),
             Argument("result", "bbox")),
        Tool("read", "Read its words.", "general", (IMAGE,), Argument("result", "text")),
    )
)  # fmt: skip
SMALLER = Literal("half as large")


def done(tool: str, made: str, **given: Literal | Reference | tuple[Reference, ...]) -> Action:
    return Action(tool, given, TypedValue(PICTURES[tool].returns.type, made))


def wish(**helps: float) -> Subtask:
    args = (TypedValue("image", "a.png"), TypedValue("table", "t.csv"))
    return Subtask(0, "smaller", ("general",), args, TypedValue("image", "r"), helps=helps)


PLAIN = Solution((done("shrink", "r", image=Reference("a.png"), prompt=SMALLER),), 4.0)


def stay(*ways: tuple[Action, ...], **helps: float) -> int:
    """How many of some ways stay beside the plain one."""
    found = [(1.0, Solution(way, 4.5)) for way in ways] + [(2.0, PLAIN)]
    return len(without_strays(found, wish(shrink=3.5, **helps), PICTURES)) - 1


def test_an_edit_on_the_way_stands_there_only_if_it_was_asked_for():
    framed = done("frame", "f", image=Reference("a.png"), prompt=Literal("20 px"))
    way = framed, done("shrink", "r", image=Reference("f"), prompt=SMALLER)
    assert stay(way, frame=1.4) == 0
    assert stay(way, frame=4.0) == 1


def test_a_single_picture_is_put_together_with_nothing():
    alone = done("join", "j", images=(Reference("a.png"),))
    both = done("join", "j", images=(Reference("a.png"), Reference("b.png")))
    last = done("shrink", "r", image=Reference("j"), prompt=SMALLER)
    assert stay((alone, last), join=5.0) == 0
    assert stay((both, last), join=5.0) == 1


def test_no_tool_is_told_what_to_do_by_what_nobody_asked_to_read():
    read = done("read", "w", image=Reference("a.png"))
    way = read, done("shrink", "r", image=Reference("a.png"), prompt=Reference("w"))
    assert stay(way, read=1.0) == 0
    assert stay(way, read=4.0) == 1
    found = read, done("find", "b", image=Reference("a.png"), query=Reference("w"))
    assert stay(found, read=4.0) == 0


def test_a_table_tells_no_tool_what_to_do_and_is_left_out_for_it():
    told = done("shrink", "r", image=Reference("a.png"), prompt=Reference("t.csv"))
    assert stay((told,)) == 0
    left = without_misused(wish(), Solution((told,), 4.0), PICTURES)
    assert [item.value for item in left.args] == ["a.png"]
    assert without_misused(wish(), PLAIN, PICTURES) == wish()


def test_where_all_ways_go_astray_the_best_stay():
    told = done("shrink", "r", image=Reference("a.png"), prompt=Reference("t.csv"))
    found = [(1.0, Solution((told,), 4.5))]
    assert without_strays(found, wish(shrink=3.5), PICTURES) == found
    assert without_strays([], wish(), PICTURES) == []
