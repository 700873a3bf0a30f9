"""How useful tools are for a subtask, by meaning."""

from __future__ import annotations

from controlllm.core.plans import Subtask, TypedValue
from controlllm.models.encoder import encode
from controlllm.planning.assessment import EmbeddedAssessor
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


def test_what_does_what_is_wanted_scores_most():
    wanted = Subtask(0, "Say what goes on in the film", (), (), TypedValue("text", "<GEN>-0"))
    scores = EmbeddedAssessor(encode).assess(wanted, tuple(TOOLBOX))
    assert max(scores, key=lambda name: scores[name]) == "teller"
    assert all(1 <= score <= 5 for score in scores.values())


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
