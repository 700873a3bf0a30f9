"""Batches on the server: fair, stopped, gone on with at the next start, nothing done twice."""

from __future__ import annotations

import asyncio
import io
import json
import time
import zipfile
from dataclasses import replace

import PIL.Image
import pytest

from controlllm.admission.shared import Shared
from controlllm.core.plans import Reference
from controlllm.core.session import handle_of
from controlllm.recipes import batch as batches
from controlllm.recipes import recipe_of, travelling
from controlllm.recipes.archive import write_zip
from controlllm.resources import BadInput, Image
from controlllm.runs.assistant import Assistant
from controlllm.settings import Settings
from controlllm.settings.quotas import Quotas
from controlllm.store import Store
from controlllm.toolbox import Toolbox, tool
from controlllm.ui.batches import Batches
from controlllm.ui.drawings.batch_view import batch_line
from controlllm.ui.watching import _with_batches
from tests.recipes.made import part, session_of, turn_of, value_of

CALLS: list[str] = []


@tool(domain="image-processing", examples=["Count me."])
def counted(image: Image) -> Image:
    """Turn a picture, slowly enough to be stopped.

    Args:
        image: the picture
    """
    CALLS.append("call")
    time.sleep(0.15)
    return image.transpose(PIL.Image.Transpose.ROTATE_180)


@pytest.fixture
def home(tmp_path):
    CALLS.clear()
    return tmp_path / "home"


def program(home):
    """A program that was started with this home."""
    store = Store(home)
    assistant = Assistant(Toolbox.of([counted]), store, Settings())
    quotas = Quotas()
    return assistant, Batches(assistant, Shared.of(assistant.store, quotas), quotas)


def recipe():
    turn = turn_of(part(0, "counted", {"image": Reference("my dog.jpg")}, "image"))
    return recipe_of(session_of(turn), turn, "Turn", value_of)


def filled(assistant, folder, many=4):
    """A batch with so many photos, and something that is none."""
    made = batches.open_batch(assistant.store, "ann", recipe())
    for number in range(many):
        path = folder / f"{number}.png"
        PIL.Image.new("RGB", (20 + number, 30), (number * 40, 0, 0)).save(path)
        batches.add_file(assistant, made, path, path.name)
    words = folder / "notes.txt"
    words.write_text("no picture at all")
    batches.add_file(assistant, made, words, words.name)
    return made


def states(assistant, batch):
    session = assistant.store.load(batch.session)
    return [item.state for item in batches.items_of(batch, session, False)]


async def ended(works, batch):
    while works.find(batch.id) is not None:
        await asyncio.sleep(0.02)


def begun(works, assistant, batch):
    return works.begin(batch, assistant.store.load(batch.session), assistant.settings)


def test_what_fails_fails_apart_and_all_is_taken_along(home, tmp_path):
    assistant, works = program(home)
    batch = filled(assistant, tmp_path)

    async def run():
        begun(works, assistant, batch)
        await ended(works, batch)

    asyncio.run(run())
    assert states(assistant, batch) == ["done"] * 4 + ["failed"]
    kept = batches.find(assistant.store.shelf, "ann", batch.id, assistant.toolbox)
    items = batches.items_of(kept, assistant.store.load(batch.session), False)
    assert "works on a picture" in items[4].reason and not items[4].again
    assert all(item.seconds > 0.1 for item in items[:4])
    with pytest.raises(KeyError):
        batches.find(assistant.store.shelf, "somebody else", batch.id, assistant.toolbox)
    target = tmp_path / "all.zip"

    def find(resource):
        return assistant.store.path(resource.digest, resource.media_type)

    write_zip(target, "=Turn/up", items, find, batch.recipe.to_text(), tmp_path)
    with zipfile.ZipFile(target) as taken:
        assert taken.namelist()[:2] == ["0 - =Turn up.png", "1 - =Turn up.png"]
        rows = json.loads(taken.read("results.json"))
        assert [row["state"] for row in rows] == ["done"] * 4 + ["failed"]
        (tmp_path / "one.png").write_bytes(taken.read("0 - =Turn up.png"))
        with PIL.Image.open(io.BytesIO(taken.read("2 - =Turn up.png"))) as picture:
            assert picture.size == (22, 30)
    assert travelling.read(tmp_path / "one.png") == batch.recipe.to_text()
    assistant.store.close()


def test_the_conversation_that_it_was_begun_from_knows_how_it_stands(home, tmp_path):
    assistant, works = program(home)
    store = assistant.store
    session, other = store.new_session(), store.new_session()
    store.owners.add("ann", [session.id, other.id])
    made = batches.open_batch(store, "ann", recipe(), begun_in=session)
    path = tmp_path / "one.png"
    PIL.Image.new("RGB", (20, 30)).save(path)
    batches.add_file(assistant, made, path, path.name)

    async def run():
        begun(works, assistant, made)
        (at_work,) = works.begun_in(session.id)
        assert at_work.at_work and at_work.after == -1
        await ended(works, made)

    asyncio.run(run())
    (over,) = works.begun_in(session.id)
    assert (over.name, over.at_work, [item.state for item in over.items]) == (
        "Turn", False, ["done"],
    )  # fmt: skip
    assert works.begun_in(other.id) == []
    assert "1 of 1 done. Finished." in batch_line(over, handle_of(session.id))
    # It stands after the turn that it was begun after; of another branch at the end.
    line, later = f"batch-{over.id}", replace(over, after=0)
    turns = [["turn-0", "<article>"], ["turn-1", "<article>"]]
    for standing, keys in ((later, ["turn-0", line, "turn-1"]), (over, ["turn-0", "turn-1", line])):
        placed = _with_batches(turns, [standing], handle_of(session.id))
        assert [key for key, _ in placed] == keys
    store.close()


def test_it_is_stopped_and_goes_on_without_doing_anything_twice(home, tmp_path):
    assistant, works = program(home)
    batch = filled(assistant, tmp_path)

    async def run():
        work = begun(works, assistant, batch)
        async for changed, _ in work.changes():
            if any(item.state == "done" for item in changed):
                break
        works.stop(batch.id)
        # Whoever goes on at once waits for the end of what is being stopped.
        again = begun(works, assistant, batch)
        assert again is not work
        await ended(works, batch)

    asyncio.run(run())
    assert states(assistant, batch) == ["done"] * 4 + ["failed"]
    assert len(CALLS) in (4, 5)  # the one that was stopped in the middle may have begun again
    assistant.store.close()


def test_a_batch_that_the_programs_end_interrupts_goes_on_at_the_next_start(home, tmp_path):
    assistant, works = program(home)
    batch = filled(assistant, tmp_path)

    async def run():
        begun(works, assistant, batch)
        while not CALLS:
            await asyncio.sleep(0.01)
        assistant.leave()
        await ended(works, batch)

    asyncio.run(run())
    assert "done" not in states(assistant, batch)[1:4]
    assistant.store.close()

    async def go_on():
        following, at_work = program(home)
        taken = following.take_over()
        assert (batch.session, 0) in taken
        for session_id, _ in taken:
            assert at_work.go_on(following.store.load(session_id))
        await ended(at_work, batch)
        return following

    following = asyncio.run(go_on())
    assert states(following, batch) == ["done"] * 4 + ["failed"]
    following.store.close()


def test_who_comes_late_to_watch_is_told_also_what_was_done_before(home, tmp_path):
    assistant, works = program(home)
    batch = filled(assistant, tmp_path)

    async def run():
        work = begun(works, assistant, batch)
        while not any(item.state == "done" for item in work.files):
            await asyncio.sleep(0.02)
        told = {}
        async for changed, _ in work.changes():
            told |= {item.number: item.state for item in changed}
        return list(told.values())

    assert sorted(asyncio.run(run())) == ["done"] * 4 + ["failed"]
    assistant.store.close()


def test_what_comes_while_it_works_is_done_as_well(home, tmp_path):
    assistant, works = program(home)
    batch = filled(assistant, tmp_path, many=1)

    async def run():
        begun(works, assistant, batch)
        path = tmp_path / "late.png"
        PIL.Image.new("RGB", (9, 9)).save(path)
        batches.add_file(assistant, batch, path, "late.png")
        begun(works, assistant, batch)
        await ended(works, batch)

    asyncio.run(run())
    assert states(assistant, batch) == ["done", "failed", "done"]
    assistant.store.close()


def test_a_batch_leaves_room_for_others_and_for_its_owner(home, tmp_path):
    quotas = Quotas(requests_at_once=1, visitor_at_once=1)
    assistant, _ = program(home)
    shared = Shared.of(assistant.store, quotas)
    line, works = shared.line, Batches(assistant, shared, quotas)
    batch = filled(assistant, tmp_path)
    order = []

    async def other():
        async def events():
            order.append(states(assistant, batch).count("done"))
            return
            yield

        import threading

        async for _ in line.through(events(), "ben", threading.Event()):
            pass

    async def run():
        begun(works, assistant, batch)
        while not CALLS:
            await asyncio.sleep(0.01)
        await other()
        await ended(works, batch)

    asyncio.run(run())
    # Somebody else is next after the file that is at work, not after all of them.
    assert order[0] <= 2
    assert states(assistant, batch) == ["done"] * 4 + ["failed"]
    assistant.store.close()


def test_there_is_room_for_so_many_files(home, tmp_path, monkeypatch):
    monkeypatch.setattr(batches, "MOST_FILES", 2)
    assistant, _ = program(home)
    batch = filled(assistant, tmp_path, many=1)
    with pytest.raises(BadInput, match="room for 2 files"):
        batches.add_file(assistant, batch, tmp_path / "0.png", "0.png")
    batches.remove(assistant.store, batch.id, batch.session)
    assert batches.sessions_of(assistant.store.shelf, "ann") == []
    assistant.store.close()
