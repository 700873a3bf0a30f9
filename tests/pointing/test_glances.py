"""What marks mean, told by a process of its own."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
import skimage.data

from controlllm.pointing.glance_process import Inbox
from controlllm.pointing.glances import Glances, unpacked
from controlllm.resources import BadInput, ClickedPoint
from controlllm.resources.marks import Marks
from tools.masks.segmentation import segment_by_points


@pytest.fixture(scope="module")
def coffee(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("picture") / "coffee.png"
    PIL.Image.fromarray(skimage.data.coffee()).save(path)
    return path


def test_its_process_ends_in_silence_when_nobody_has_asked_for_long() -> None:
    code = "from controlllm.pointing import glance_process as p; p._IDLE_SECONDS = 0; p.main()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        # Its standard input stays open: a thread of it still waits there.
        assert process.wait(600) == 0 and process.stderr.read() == b""


def test_its_process_ends_in_silence_when_the_server_is_gone(tmp_path: Path) -> None:
    code = "from controlllm.pointing.glance_process import main; main()"
    # That there is no such picture is an answer as well, and nobody hears it.
    path = str(tmp_path / "gone.png")
    asked = {"id": 1, "owner": "a", "turn": 1, "path": path, "marks": CUP.to_json()}
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdout.close()
    process.stdin.write(json.dumps(asked).encode() + b"\n")
    process.stdin.flush()
    assert process.wait(600) == 0 and process.stderr.read() == b""
    process.stdin.close()
    process.stderr.close()


CUP = Marks(points=(ClickedPoint(310, 140),))


async def answers(glances: Glances, owner: str, path: Path, marks: Marks) -> list[dict]:
    return [answer async for answer in glances.look(owner, path, marks)]


def test_what_is_shown_is_what_the_tool_does_and_old_questions_are_dropped(coffee: Path) -> None:
    async def ask() -> tuple[list[dict], list[list[dict]], tuple[np.ndarray, str]]:
        glances = Glances()
        try:
            prepared = await answers(glances, "me", coffee, Marks())
            others = [Marks(points=(ClickedPoint(310 + step, 140),)) for step in range(4)]
            asked = [
                asyncio.create_task(answers(glances, "me", coffee, marks))
                for marks in (*others, CUP)
            ]
            told = await asyncio.gather(*asked)
            return prepared, told, await glances.region(coffee, CUP)
        finally:
            await glances.end()

    prepared, told, (pixels, name) = asyncio.run(ask())
    assert prepared == []
    assert told[-1][-1]["final"]
    assert any(not any(answer["final"] for answer in found) for found in told[:-1])
    (by_tool,) = segment_by_points(PIL.Image.open(coffee), CUP.points)
    assert np.array_equal(unpacked(told[-1][-1]["mask"]), by_tool.pixels)
    assert np.array_equal(pixels, by_tool.pixels) and name == by_tool.label


def test_what_was_asked_first_and_arrives_last_is_what_is_dropped() -> None:
    told: list[dict] = []
    inbox = Inbox(told.append)
    newer, older = {"id": 1, "owner": "me", "turn": 2}, {"id": 2, "owner": "me", "turn": 1}
    inbox.put(newer)
    inbox.put(older)
    assert told == [{"id": 2, "dropped": True}]
    assert inbox.next(0) == newer and inbox.is_empty()
    inbox.put(older)
    assert not inbox.has_newer(newer)
    inbox.put(newer)
    assert inbox.has_newer(older) and told[1:] == [{"id": 2, "dropped": True}]


@pytest.mark.long
def test_a_picture_that_cannot_be_read_is_said_and_the_next_is_looked_at(
    coffee: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"no picture")

    async def ask() -> list[dict]:
        glances = Glances()
        try:
            with pytest.raises(BadInput, match="could not be looked at"):
                await answers(glances, "me", broken, CUP)
            return await answers(glances, "me", coffee, CUP)
        finally:
            await glances.end()

    assert asyncio.run(ask())[-1]["final"]
