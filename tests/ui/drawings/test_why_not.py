"""Each reason why a tool is not in the ways has its sentence, and what helps beside it."""

from __future__ import annotations

from typing import get_args

from controlllm.core.reasons import Reason
from controlllm.editing.why_not import Answer
from controlllm.planning.explaining import Kind, Proof, Verdict
from controlllm.ui.drawings.solutions import why_not_answer
from tests.every_case import every_case

SURE = Proof("best-first", True, False)


def said(verdict=None, missing=None, proof=SURE, is_same=True):
    verdicts = () if verdict is None else (verdict,)
    return why_not_answer(Answer(verdicts, missing or {}, proof, 2, is_same))


@every_case("kind", get_args(Kind))
def test_every_reason_has_words_of_its_own(kind):
    verdict = Verdict("hum", kind, 3, ("audio", "point"), "audio", ("edge",), 1.5, 4.5, "paint")
    told = said(verdict)
    others = {said(Verdict("hum", other)) for other in get_args(Kind) if other != kind}
    assert "<strong>Hum</strong>" in told and told not in others
    wanted = {
        "beyond": "in way 3", "needs": "sound, points", "nowhere": "(edges)", "low": "scored 4.5",
    }  # fmt: skip
    assert wanted.get(kind, "") in told


def test_more_steps_are_told_apart_from_as_many():
    longer = said(Verdict("hum", "costs", steps=3, best_steps=1))
    assert "it takes 3 steps, the best one 1" in longer
    assert "no more steps" in said(Verdict("hum", "costs", steps=1, best_steps=1))


def test_what_keeps_it_from_running_leads_to_where_it_is_had():
    told = said(Verdict("hum", "low"), {"hum": "needs weights, 3 <GB>"})
    assert "needs weights, 3 &lt;GB&gt;" in told
    assert 'data-do="toolbox" data-find="hum"' in told
    service = Reason("needs a public service, allowed in the settings", "public_service")
    told = said(Verdict("hum", "low"), {"hum": service})
    assert 'data-do="settings" data-find="public_services"' in told


def test_how_far_the_search_can_be_relied_on_is_said():
    verdict = Verdict("hum", "unused")
    assert "nothing better was missed." in said(verdict)
    assert "counted as useful" in said(verdict, proof=Proof("best-first", True, True))
    assert "stopped at its limit" in said(verdict, proof=Proof("best-first", False, True))
    assert "some ways only" in said(verdict, proof=Proof("greedy", False, False))
    assert "made again just now" in said(verdict, is_same=False)
    assert "no tool like that" in said()
