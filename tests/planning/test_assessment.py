"""How useful tools are for a subtask, by meaning."""

from __future__ import annotations

import pytest

from controlllm.core.plans import Subtask, TypedValue
from controlllm.models.encoder import encode
from controlllm.planning.assessment import EmbeddedAssessor, aim_and_steps
from controlllm.toolbox import Toolbox

TOOLBOX = Toolbox.from_catalogue([
    {
        "name": name,
        "description": description,
        "domain": "general",
        "args": [{"name": "input", "type": taken}],
        "returns": [{"name": "result", "type": returned}],
    }
    for name, description, taken, returned in [
        ("teller", "Describe what happens in a video.", "video", "text"),
        ("speaker", "Read a text aloud.", "text", "audio"),
        ("extractor", "Take the sound track out of a video.", "video", "audio"),
        ("dubber", "Give a video another sound track.", "audio", "video"),
        ("animator", "Make a video of a text.", "text", "video"),
    ]
])  # fmt: skip


def scores(guidance: str) -> dict[str, float]:
    returns = TypedValue("video", "<GEN>-0")
    subtask = Subtask(0, "Tell over the film what it shows", (), (), returns, guidance=guidance)
    return dict(EmbeddedAssessor(encode).assess(subtask, tuple(TOOLBOX)))


def test_an_aim_and_its_steps():
    assert aim_and_steps("Crop an image.") == ("Crop an image.",)
    assert aim_and_steps("Dub it. On the way: describe the video; read the text aloud.") == (
        "Dub it.",
        "describe the video",
        "read the text aloud",
    )


def test_steps_lift_what_is_done_on_the_way():
    plain = scores("Dub a video with a spoken narration.")
    told = scores(
        "Dub a video with a spoken narration. On the way: describe what happens in the video; "
        "read the text aloud."
    )
    assert told["teller"] > 4.5 and told["speaker"] > 4.5
    assert told["teller"] > plain["teller"] and told["speaker"] > plain["speaker"]
    assert told["extractor"] < told["speaker"]


def test_steps_leave_what_makes_the_wanted_type_as_it_is():
    plain = scores("Dub a video with a spoken narration.")
    told = scores("Dub a video with a spoken narration. On the way: make a video of a text.")
    assert told["animator"] == pytest.approx(plain["animator"])
    assert told["dubber"] == pytest.approx(plain["dubber"])


def test_what_a_reader_of_wishes_said_is_the_judgement():
    assessor = EmbeddedAssessor(encode)
    plain = Subtask(0, "x", (), (), TypedValue("text", "<GEN>-0"))
    assert assessor.judgement(plain) is None
    known = Subtask(
        0, "x", (), (), TypedValue("text", "<GEN>-0"),
        ends={"teller": 4.9, "dubber": 1.2}, helps={"extractor": 4.8, "speaker": 2.5},
    )  # fmt: skip
    judgement = assessor.judgement(known)
    assert judgement.ends == {"teller": 4.9} and judgement.needed == {"extractor"}
    assert assessor.assess(known, tuple(TOOLBOX))["animator"] == 1.0
