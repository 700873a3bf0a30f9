"""Proposals made sound by the graph: what stands as it is, what is mended, and what cannot be."""

from __future__ import annotations

import pytest

from controlllm.core.plans import (
    OUTSIDE,
    Action,
    Literal,
    Reference,
    Request,
    Subtask,
    TypedValue,
    generated,
)
from controlllm.core.proposals import GO_BACK, Proposal, ProposedStep, Refused
from controlllm.planning.graph import ToolGraph
from controlllm.planning.planner import Planner
from controlllm.planning.proposed import divided
from controlllm.planning.roles import Judgement
from controlllm.resources import Audio, Boxes, Image, Mask, Number, Resource, Text, Video
from controlllm.toolbox import Toolbox, tool
from controlllm.values import Size
from tests.every_case import every_case


@tool(domain="image-perception")
def spotter(image: Image, query: Text) -> Boxes:
    """Locate a named object.

    Parameters
    ----------
    query: the object to find
    """


@tool(domain="general")
def tally(boxes: Boxes) -> Number:
    """Count boxes."""


@tool(domain="image-perception")
def outliner(image: Image, boxes: Boxes) -> Mask:
    """Give the shape of the object in each box."""


@tool(domain="image-perception")
def divider(image: Image, query: Text) -> Mask:
    """Find an object and give its shape.

    Parameters
    ----------
    query: the object to find
    """


@tool(domain="image-editing")
def healer(image: Image, mask: Mask) -> Image:
    """Remove what a mask covers."""


@tool(domain="image-editing")
def resize_picture(image: Image, size: Size = "") -> Image:
    """Change the size of a picture."""


@tool(domain="image-editing")
def grey(image: Image) -> Image:
    """Take the colour out."""


@tool(domain="image-editing")
def beside(images: list[Image]) -> Image:
    """Put pictures side by side."""


@tool(domain="audio-perception")
def typist(audio: Audio) -> Text:
    """Write down what is said."""


@tool(domain="video-processing")
def sound_of(video: Video) -> Audio:
    """Take the sound out of a film."""


@tool(domain="audio-editing")
def louder(audio: Audio, by: float = 2.0) -> Audio:
    """Raise the volume."""


@tool(domain="natural-language-processing")
def digest(text: Text) -> Text:
    """Shorten a text."""


@tool(domain="public-api", acts_outside=True)
def order(text: Text) -> Text:
    """Order something; the text says when it comes."""


BOX = Toolbox.of(
    [spotter, outliner, divider, healer, resize_picture, grey, beside, typist, sound_of, digest]
    + [order, tally, louder]
)
GRAPH = ToolGraph(BOX)
HAND = (
    Resource("image", "a.jpg"),
    Resource("image", "b.jpg"),
    Resource("video", "film.mp4"),
    Resource("image", "old.jpg"),
)


class Scores:
    """Stands for the assessor: whatever is asked about fits a little."""

    asked = 0

    def assess(self, subtask, tools):
        self.asked += 1
        return {item.name: 2.0 for item in tools}


def step(number, tool, does="", **inputs):
    def value(told):
        names = {item.value for item in HAND}
        if isinstance(told, int):
            return Reference(generated(told))
        return Reference(told) if told in names else Literal(told)

    read = {
        name: tuple(map(value, told if isinstance(told, tuple) else (told,)))
        for name, told in inputs.items()
    }
    return ProposedStep(number, tool, read, does)


def found(*steps, wanted=(), attached=("a.jpg",), says="do it", **more):
    request = Request(says, HAND, attached)
    return divided(Proposal(steps, wanted, **more), request, GRAPH, Scores().assess)


def shown(subtask):
    return [call(action) for action in subtask.way]


def call(action: Action) -> str:
    told = []
    for name, given in action.inputs.items():
        values = given if isinstance(given, tuple) else (given,)
        words = [item.text if isinstance(item, Literal) else item.value for item in values]
        told.append(f"{name}={'+'.join(words)}")
    return f"{action.tool}({', '.join(told)})"


def test_a_good_one_stands_as_it_is():
    made = found(
        step(1, "spotter", image="a.jpg", query="the dog"),
        step(2, "outliner", image="a.jpg", boxes=1),
        step(3, "healer", "Take the dog out.", image="a.jpg", mask=2),
        step(4, "resize_picture", "Make it 800 wide.", image=3, size="800 wide"),
        wanted=(4,),
    )
    assert made.problems == made.repairs == ()
    first, second = made.subtasks
    assert shown(first) == [
        "spotter(image=a.jpg, query=the dog)",
        "outliner(image=a.jpg, boxes=<GEN>-0-1)",
        "healer(image=a.jpg, mask=<GEN>-0-2)",
    ]
    assert shown(second) == ["resize_picture(image=<GEN>-0, size=800 wide)"]
    assert (first.is_wanted, second.is_wanted) == (False, True)
    assert second.deps == (0,)
    assert first.description == "Take the dog out."
    assert [(item.value, item.role) for item in first.args] == [
        ("a.jpg", ""), ("the dog", "object"),
    ]  # fmt: skip


@every_case(
    ("steps", "ways"),
    [
        # An input of the wrong type is reached by a step that is put in.
        ([step(1, "typist", audio="film.mp4")],
         [["sound_of(video=film.mp4)", "typist(audio=<GEN>-0-1)"]]),
        ([step(1, "spotter", image="a.jpg", query="dog"),
          step(2, "healer", image="a.jpg", mask=1)],
         [["spotter(image=a.jpg, query=dog)", "outliner(image=a.jpg, boxes=<GEN>-0-1)",
           "healer(image=a.jpg, mask=<GEN>-0-2)"]]),
        ([step(1, "healer", image="a.jpg", mask="the dog")],
         [["divider(image=a.jpg, query=the dog)", "healer(image=a.jpg, mask=<GEN>-0-1)"]]),
        # One that is missing is put in, or bound to the one thing that fits.
        ([step(1, "healer", "the dog", image="a.jpg")],
         [["divider(image=a.jpg, query=the dog)", "healer(image=a.jpg, mask=<GEN>-0-1)"]]),
        ([step(1, "grey")], [["grey(image=a.jpg)"]]),
        ([step(1, "tally", "the dogs")],
         [["spotter(image=a.jpg, query=the dogs)", "tally(boxes=<GEN>-0-1)"]]),
        ([step(1, "spotter", "the cat", image="a.jpg")],
         [["spotter(image=a.jpg, query=the cat)"]]),
        # A file that is not there is the one that came along.
        ([step(1, "grey", image="photo.png")], [["grey(image=a.jpg)"]]),
        # Names of inputs and tools that nobody knows.
        ([step(1, "grey", picture="b.jpg")], [["grey(image=b.jpg)"]]),
        ([step(1, "Resize-Picture", image="a.jpg", sizes="50%")],
         [["resize_picture(image=a.jpg, size=50%)"]]),
        ([step(1, "picture-resize", image="a.jpg", size="50%")],
         [["resize_picture(image=a.jpg, size=50%)"]]),
        ([step(1, "resize", image="a.jpg", size="50%")],
         [["resize_picture(image=a.jpg, size=50%)"]]),
        # A figure without its unit, where the step says both.
        ([step(1, "resize_picture", "Make it 800 pixels wide.", image="a.jpg", size="800")],
         [["resize_picture(image=a.jpg, size=800x)"]]),
        # Steps in another order than they can be done in.
        ([step(1, "grey", image=2), step(2, "resize_picture", image="a.jpg", size="50%")],
         [["resize_picture(image=a.jpg, size=50%)"], ["grey(image=<GEN>-0)"]]),
        # What takes several keeps their order.
        ([step(1, "beside", images=("b.jpg", "a.jpg"))], [["beside(images=b.jpg+a.jpg)"]]),
    ],
)  # fmt: skip
def test_what_is_wrong_in_one_way_is_mended(steps, ways):
    made = found(*steps)
    assert made.problems == ()
    assert [shown(subtask) for subtask in made.subtasks] == ways


@every_case(
    ("steps", "words"),
    [
        ([step(1, "fax", image="a.jpg")], "no such tool"),
        ([step(1, "grey", image=("a.jpg", "b.jpg"))], "one step for each"),
        ([step(1, "resize_picture", image="a.jpg", size="huge")], "'huge' is no value for size"),
        ([step(1, "grey", image=2), step(2, "grey", image=1)], "waits for its own result"),
        ([step(1, "digest")], "text is missing"),
        ([step(1, GO_BACK, to="gone.jpg"), step(2, "grey", image=1)], "nothing at hand"),
    ],
)
def test_what_cannot_be_mended_is_told(steps, words):
    made = found(*steps)
    assert words in " ".join(made.problems)
    assert not any(subtask.way for subtask in made.subtasks)


def test_what_is_sound_stands_beside_what_is_not():
    made = found(step(1, "fax", "Fax it.", image="a.jpg"), step(2, "grey", image="b.jpg"))
    assert made.has_sound_part
    assert [(task.description, bool(task.way)) for task in made.subtasks] == [
        ("grey", True), ("Fax it.", False),
    ]  # fmt: skip


@every_case(
    ("says", "query"),
    [
        # Words to be written that read like a result are words, in the person's own letters.
        ("find STEP 1 on it", "STEP 1"),
        # A result that is no text cannot stand for them; where nobody says them, it is no words.
        ("do it", None),
    ],
)
def test_words_that_read_like_a_result_are_words(says, query):
    for steps in (
        [step(1, "spotter", image="a.jpg", query=1)],
        [step(1, "grey", image="a.jpg"), step(2, "spotter", image=1, query=1)],
    ):
        made = found(*steps, says=says)
        told = [action.inputs["query"] for task in made.subtasks for action in task.way[-1:]]
        assert Literal(query) in told if query else bool(made.problems), made
    # A text that was made is read, also where the steps are counted in the request.
    made = found(
        step(1, "digest", text="long"), step(2, "digest", text=1),
        says="Step 1: shorten this: long. Step 2: shorten step 1.", wanted=(2,),
    )  # fmt: skip
    assert [call[:6] for task in made.subtasks for call in shown(task)] == ["digest"] * 2
    assert made.subtasks[-1].way[-1].inputs["text"] != Literal("step 1")


def test_what_was_put_in_for_a_step_that_is_none_serves_no_other():
    made = found(step(1, "louder", audio="film.mp4", by="huge"), step(2, "typist"))
    assert not any(task.way for task in made.subtasks)
    assert made.repairs == ()
    assert len(made.problems) == 2


def test_a_way_is_looked_for_once_for_many_files():
    films = tuple(Resource("video", f"{n}.mp4") for n in range(40))
    files = tuple(Reference(item.value) for item in films)

    @tool(domain="audio-editing")
    def together(sounds: list[Audio]) -> Audio:
        """Play sounds at once."""

    graph, scores = ToolGraph(Toolbox.of([together, sound_of, typist])), Scores()
    proposal = Proposal((ProposedStep(1, "together", {"sounds": files}),), (1,))
    made = divided(proposal, Request("do it", films), graph, scores.assess)
    ways = [action for task in made.subtasks for action in task.way]
    read = [action.inputs["video"] for action in ways if action.tool == "sound_of"]
    assert (read, made.problems) == (list(files), ())
    assert scores.asked < 10


def test_what_cannot_be_gone_back_to_is_told_beside_what_can_be_done():
    made = found(step(1, GO_BACK, to=("old.jpg", "gone.jpg")), step(2, "grey", image="a.jpg"))
    assert "gone.jpg" in " ".join(made.problems)
    assert made.back_to == ()
    assert [shown(subtask) for subtask in made.subtasks] == [["grey(image=a.jpg)"]]


def test_going_back_needs_no_tool():
    made = found(step(1, GO_BACK, to="old.jpg"), wanted=(1,))
    assert (made.subtasks, made.back_to) == ((), ("old.jpg",))
    made = found(step(1, GO_BACK, to="old.jpg"), step(2, "grey", image=1))
    assert [shown(subtask) for subtask in made.subtasks] == [["grey(image=old.jpg)"]]
    assert made.back_to == ("old.jpg",)


def test_what_is_refused_is_a_part_that_says_why():
    made = found(refused=(Refused("Print it.", "There is no printer here."),))
    (subtask,) = made.subtasks
    assert subtask.returns.type == OUTSIDE
    planner = Planner(GRAPH, None, Scores())
    (solved,) = planner.solve(made.subtasks, Request("print it", HAND))
    assert solved.message == "This cannot be done here: There is no printer here."


def test_a_file_that_two_results_go_on_from_is_a_part_of_its_own():
    made = found(
        step(1, "grey", image="a.jpg"),
        step(2, "resize_picture", image=1, size="50%"),
        step(3, "spotter", image=1, query="dog"),
        wanted=(2, 3),
    )
    assert [shown(subtask) for subtask in made.subtasks] == [
        ["grey(image=a.jpg)"],
        ["resize_picture(image=<GEN>-0, size=50%)"],
        ["spotter(image=<GEN>-0, query=dog)"],
    ]


def test_what_is_done_once_is_not_done_for_each_that_needs_it():
    made = found(
        step(1, "order", text="flowers"),
        step(2, "digest", text=1),
        step(3, "order", text=1),
        wanted=(2, 3),
    )
    assert [shown(subtask) for subtask in made.subtasks] == [
        ["order(text=flowers)"],
        ["digest(text=<GEN>-0)"],
        ["order(text=<GEN>-0)"],
    ]


@pytest.fixture
def removing():
    made = found(
        step(1, "spotter", image="a.jpg", query="the dog"),
        step(2, "outliner", image="a.jpg", boxes=1),
        step(3, "healer", "Take the dog out.", image="a.jpg", mask=2),
    )
    return made.subtasks


def test_other_ways_stand_beside_the_one_proposed(removing):
    planner = Planner(GRAPH, None, _Named())
    (solved,) = planner.solve(removing, Request("do it", HAND, ("a.jpg",)))
    assert [way.tools for way in solved.solutions] == [
        ("spotter", "outliner", "healer"),
        ("divider", "healer"),
    ]
    # What cannot run here comes after what can and does the same.
    without = planner.with_parts(unavailable={"outliner": "needs weights"})
    (solved,) = without.solve(removing, Request("do it", HAND, ("a.jpg",)))
    assert [way.tools for way in solved.solutions] == [
        ("divider", "healer"),
        ("spotter", "outliner", "healer"),
    ]
    assert "needs weights" in solved.solutions[1].missing


class _Named(Scores):
    """An assessor that takes the word of whoever divided the request, as the embedded one does."""

    def prepare(self, subtasks, request):
        pass

    def judgement(self, subtask):
        return Judgement(subtask.ends, {**subtask.helps, "divider": 4.0})


@every_case(
    ("heard", "says", "missing", "tools"),
    [
        # What the reader gave to whatever could run, and what says nothing of the like.
        (3.6, 1.5, {}, ["grey"]),
        (3.6, 3.0, {}, ["grey", "resize_picture"]),
        (4.2, 1.5, {}, ["grey", "resize_picture"]),
        # Only what is about as good comes before what was proposed and cannot run.
        (3.6, 3.0, {"grey": "needs weights"}, ["grey", "resize_picture"]),
        (4.2, 3.0, {"grey": "needs weights"}, ["resize_picture", "grey"]),
    ],
)
def test_another_tool_is_a_way_where_it_was_heard_or_says_so(heard, says, missing, tools):
    ends = {"grey": 4.8, "resize_picture": heard}
    reader = (Subtask(0, "grey", (), (), TypedValue("image", "<GEN>-0"), ends=ends),)
    proposal = Proposal((step(1, "grey", "Make it grey.", image="a.jpg"),))
    request = Request("do it", HAND, ("a.jpg",))

    def assess(subtask, pool):
        return dict.fromkeys((item.name for item in pool), says)

    made = divided(proposal, request, GRAPH, assess, reader)
    planner = Planner(GRAPH, None, _Named()).with_parts(unavailable=missing)
    (solved,) = planner.solve(made.subtasks, request)
    assert [way.tools[-1] for way in solved.solutions] == tools
