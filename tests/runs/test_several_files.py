"""Results of several files: handed over each by itself, gone on with, packed in one ZIP."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from skimage import data

from controlllm.answers.provenance import asked_for, how_made
from controlllm.answers.renaming import renamed
from controlllm.core.events import AnswerFinished
from controlllm.core.lineage import lineage_of, spoken_of
from controlllm.core.plans import Action, Literal, Plan, Reference, Solution, Subtask, TypedValue
from controlllm.core.session import Session
from controlllm.runs.assistant import Assistant
from controlllm.runs.following_up import request_of
from controlllm.runs.run_options import RunOptions
from controlllm.runs.turn_recorder import MOST_HANDED_OVER, keep_planned
from controlllm.settings import Settings
from controlllm.store import Store
from controlllm.store.handed_over import add_file
from controlllm.store.session_rows import digests_of
from controlllm.toolbox import Toolbox
from controlllm.ui.drawings.tray import shelved
from controlllm.ui.view import TurnView
from tests.resources.made_documents import pdf
from tests.tools.made_videos import make_video, pan


@pytest.fixture(scope="module")
def assistant(tmp_path_factory) -> Iterator[Assistant]:
    store = Store(tmp_path_factory.mktemp("home"))
    yield Assistant(Toolbox.load(), store, Settings(act_when_stuck=False))
    store.close()


def panorama(folder: Path, name: str = "panorama.png") -> Path:
    """Three fields side by side: red, green, blue."""
    pixels = np.zeros((40, 120, 3), np.uint8)
    for place in range(3):
        pixels[:, 40 * place : 40 * place + 40, place] = 200
    path = folder / name
    PIL.Image.fromarray(pixels).save(path)
    return path


def task(number: int, words: str, tool: str, made: str, deps: tuple[int, ...] = (), **inputs):
    """A part of a plan that one tool does."""
    args = tuple(
        TypedValue("image", item.value)
        for given in inputs.values()
        for item in (given if isinstance(given, tuple) else (given,))
        if isinstance(item, Reference)
    )
    result = TypedValue(made, f"<GEN>-{number}")
    action = Action(tool, inputs, TypedValue(made, f"<GEN>-{number}-0"))
    return Subtask(number, words, (), args, result, deps=deps), (Solution((action,), 4.0),)


class Asked:
    """A conversation in which plans are run, as if they had been planned."""

    def __init__(self, assistant: Assistant, *files: Path) -> None:
        self.assistant = assistant
        self.id = assistant.open_session(None).id
        self.names = [
            add_file(assistant.store, self.id, path, path.name)[0].value for path in files
        ]
        self.said = ""

    async def run(self, words: str, *tasks) -> tuple[str, ...]:
        """The names of what is handed over."""
        plan = Plan(tuple(item for item, _ in tasks), {item.id: ways for item, ways in tasks})
        settings = Settings(act_when_stuck=False)
        number = keep_planned(self.assistant.store, self.id, plan, words, settings.mark)
        async with aclosing(self.assistant.resume(self.id, number, RunOptions(settings))) as events:
            last = [event async for event in events][-1]
        assert isinstance(last, AnswerFinished), last
        self.said = last.text
        return tuple(item.value for item in last.resources)

    @property
    def session(self) -> Session:
        return self.assistant.store.load(self.id)

    def path(self, name: str) -> Path:
        return self.assistant.file(self.id, name)[0]

    def names_in(self, archive: str) -> list[str]:
        with zipfile.ZipFile(self.path(archive)) as packed:
            assert packed.testzip() is None
            return packed.namelist()


def cut(name: str, count: str = "3"):
    inputs = {"image": Reference(name), "count": Literal(count)}
    return task(0, f"Cut {name} into {count} pieces", "split_image", "files", **inputs)


async def test_several_files_are_handed_over_each_under_its_own_name(assistant, tmp_path):
    asked = Asked(assistant, panorama(tmp_path))
    names = ("panorama 1.png", "panorama 2.png", "panorama 3.png")
    assert await asked.run("Cut it into three pieces", cut("panorama.png")) == names
    first = asked.said.split("\n")[0]
    assert first == (
        "Here are 3 files: `panorama 1.png`, `panorama 2.png` and `panorama 3.png`. "
        "All together as a ZIP: `panorama.zip`."
    )
    for place, name in enumerate(names):
        with PIL.Image.open(asked.path(name)) as piece:
            assert piece.size == (40, 40)
            assert piece.convert("RGB").getpixel((20, 20))[place] == 200
    assert asked.names_in("panorama.zip") == ["1.png", "2.png", "3.png"]
    session = asked.session
    assert [session.resource(name).type for name in names] == ["image"] * 3
    assert session.resource(names[1]).details["width"] == 40
    assert session.resource("panorama.zip").details["files"] == 3
    assert Session.from_json(json.loads(json.dumps(session.to_json()))) == session
    # The page draws it again from what is kept, and nothing of it is swept away.
    view = TurnView.of(session.turns[0], session)
    assert tuple(item.value for item in view.shown) == names
    assert {session.resource(name).digest for name in names} <= digests_of(session)
    shelves = shelved(session)
    assert {item.value for item in shelves["asked"]} == {*names, "panorama.zip"}
    assert asked_for(session) == {*names, "panorama.zip"}
    assert how_made(session.resource(names[2]), session, assistant.toolbox)["tool"] == "split_image"


async def test_they_are_gone_on_with_as_any_other_file(assistant, tmp_path):
    asked = Asked(assistant, panorama(tmp_path))
    names = await asked.run("Cut it into three pieces", cut("panorama.png"))
    now = lineage_of(asked.session)
    assert now.sources(names[1]) == ("panorama.png",)
    assert now.on_the_way == {"panorama.zip"}
    assert spoken_of(asked.session.turns) == names
    mirror = task(0, "mirror it", "flip_image", "image", image=Reference(names[1]))
    (mirrored,) = await asked.run("mirror the second one", mirror)
    assert lineage_of(asked.session).line(mirrored) == (mirrored, names[1], "panorama.png")
    session, new = renamed(asked.session, names[0], "sky")
    assert new == "sky.png"
    assert [item.value for item in session.turns[0].members["0.0.0"]][0] == "sky.png"


async def test_the_second_one_is_a_piece_also_where_something_else_was_made_beside(
    assistant, tmp_path
):
    asked = Asked(assistant, panorama(tmp_path))
    mirror = task(1, "mirror it", "flip_image", "image", image=Reference("panorama.png"))
    made = await asked.run("Cut it into three, and mirror it", cut("panorama.png"), mirror)
    pieces = [name for name in made if asked.session.resource(name).details["width"] == 40]
    assert len(made) == 4 and len(pieces) == 3
    turn = asked.session.turns[0]
    asks = replace(turn, number=1, text="Mirror the second one", plan=None, results={}, members={})
    session = asked.session.with_turn(replace(asks, attached=(), before=None))
    request = request_of(session, session.turns[1])
    assert [item.value for item in request.resources if item.type == "image"] == [pieces[1]]


async def test_the_same_again_has_the_same_names(assistant, tmp_path):
    asked = Asked(assistant, panorama(tmp_path))
    names = await asked.run("Cut it into three pieces", cut("panorama.png"))
    assert await asked.run("Cut it into three pieces", cut("panorama.png")) == names
    assert len(asked.session.resources) == 5
    # Equal pieces are still as many as there are.
    plain = tmp_path / "plain.png"
    PIL.Image.new("RGB", (60, 20), (9, 9, 9)).save(plain)
    other = Asked(assistant, plain)
    assert len(await other.run("Cut it", cut("plain.png"))) == 3
    assert len(await other.run("Cut it", cut("plain.png"))) == 3


async def test_where_a_zip_was_wished_for_the_zip_is_handed_over(assistant, tmp_path):
    asked = Asked(assistant, panorama(tmp_path))
    made = await asked.run("Cut it into three pieces and give me a ZIP", cut("panorama.png"))
    assert made == ("panorama.zip",)
    assert asked.said.startswith("The ZIP with 3 files is ready: `panorama.zip`.")
    assert [item.value for item in asked.session.resources] == ["panorama.png", "panorama.zip"]


async def test_very_many_are_handed_over_as_one_zip(assistant, tmp_path):
    path = tmp_path / "minutes.pdf"
    count = MOST_HANDED_OVER + 1
    pdf(path, [f"Page {number}" for number in range(1, count + 1)])
    asked = Asked(assistant, path)
    inputs = {"document": Reference("minutes.pdf")}
    split = task(0, "Every page as a file of its own", "split_pdf", "files", **inputs)
    assert await asked.run("Every page as a file of its own", split) == ("minutes.zip",)
    assert asked.names_in("minutes.zip")[-1] == f"page {count}.pdf"
    assert f"The ZIP with {count} files is ready" in asked.said


async def test_what_goes_into_a_zip_keeps_its_format_and_its_name(assistant, tmp_path):
    beach = tmp_path / "beach.jpg"
    PIL.Image.open(panorama(tmp_path)).save(beach, "JPEG")
    page, walk = tmp_path / "offer.pdf", tmp_path / "walk.mp4"
    pdf(page, ["An offer", "Signed"])
    make_video(walk, list(pan(data.chelsea(), 20, 64, 48)))
    asked = Asked(assistant, beach, page, walk)
    inputs = {
        "images": (Reference("beach.jpg"),),
        "documents": (Reference("offer.pdf"),),
        "videos": (Reference("walk.mp4"),),
    }
    pack = task(0, "Put everything into one zip", "zip_images", "archive", **inputs)
    assert await asked.run("Put everything into one zip", pack) == ("beach and 2 more.zip",)
    assert asked.names_in("beach and 2 more.zip") == ["beach.jpg", "offer.pdf", "walk.mp4"]
    with zipfile.ZipFile(asked.path("beach and 2 more.zip")) as packed:
        assert packed.read("offer.pdf") == page.read_bytes()
        assert packed.read("beach.jpg")[:2] == b"\xff\xd8"
    # Under other names the same files are another ZIP.
    other = tmp_path / "holiday.jpg"
    other.write_bytes(beach.read_bytes())
    again = Asked(assistant, other)
    pack = task(0, "zip it", "zip_images", "archive", images=(Reference("holiday.jpg"),))
    assert await again.run("zip it", pack) == ("holiday.zip",)
    assert again.names_in("holiday.zip") == ["holiday.jpg"]


async def test_what_went_into_a_zip_is_not_handed_over_beside_it(assistant, tmp_path):
    asked = Asked(assistant, panorama(tmp_path), panorama(tmp_path, "dog.png"))
    first = task(0, "grey", "flip_image", "image", image=Reference("panorama.png"))
    second = task(1, "grey", "flip_image", "image", image=Reference("dog.png"))
    images = (Reference("<GEN>-0"), Reference("<GEN>-1"))
    pack = task(2, "then into one zip", "zip_images", "archive", (0, 1), images=images)
    (made,) = await asked.run("Mirror both, then put them into one zip", first, second, pack)
    assert made.endswith(".zip")
    assert len(asked.names_in(made)) == 2
    assert "The ZIP with 2 files is ready" in asked.said


async def test_a_step_is_done_on_each_of_the_files_of_the_step_before(assistant, tmp_path):
    asked = Asked(assistant, panorama(tmp_path))
    split = cut("panorama.png")
    turned = task(
        1, "turn each upside down", "rotate_image", "image", (0,), image=Reference("<GEN>-0")
    )
    bound = task(2, "then a PDF", "images_to_pdf", "document", (1,), images=(Reference("<GEN>-1"),))
    made = await asked.run(
        "Cut it in three, turn each upside down, then a PDF", split, turned, bound
    )
    (document,) = made
    assert document.endswith(".pdf")
    assert next(r for r in asked.session.resources if r.value == document).details["pages"] == 3
    only_turned = (cut("panorama.png"), turned)
    names = tuple(f"panorama {number}.png" for number in (1, 2, 3))
    other = Asked(assistant, panorama(tmp_path))
    assert await other.run("Cut it in three, turn each upside down", *only_turned) == names
    with PIL.Image.open(other.path(names[0])) as first:
        assert first.getpixel((0, 0)) == (200, 0, 0)


async def test_of_a_document_that_is_told_its_pages_one_is_kept(assistant, tmp_path):
    session = assistant.open_session(None).id
    path = pdf(tmp_path / "minutes.pdf", ["First", "Second", "Third"])
    attached = [add_file(assistant.store, session, path, path.name)[0].value]
    async with aclosing(assistant.answer(session, "Keep only page 2", attached)) as events:
        last = [event async for event in events][-1]
    assert isinstance(last, AnswerFinished)
    (kept,) = last.resources
    assert (kept.type, kept.details["pages"]) == ("document", 1)
