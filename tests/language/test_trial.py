"""A language model is asked for one short answer, and what came of it is told."""

from __future__ import annotations

import pytest

from controlllm.language.endpoint import EndpointError
from controlllm.language.trial import try_model
from tests.every_case import every_case
from tests.language.conftest import server
from tests.language.scripted_server import KEY, Fault, Refuses, Said


def test_one_that_answers_is_told_with_what_it_takes(server):
    server.script = [Said('{"ready": true}')]
    found = try_model(server.base_url, KEY, "small")
    assert found.takes_schemas and found.understood and found.seconds >= 0
    assert len(server.asked) == 1


def test_one_that_takes_no_schemas_or_says_something_else_is_told_apart(server):
    server.refuses = [Refuses("response_format")]
    server.script = [Said("Certainly! I am ready.")]
    found = try_model(server.base_url, KEY, "small")
    assert not found.takes_schemas and not found.understood


@every_case("said", [Fault(401), Fault(404), Said("")], anew=(server,))
def test_what_does_not_answer_says_why_without_the_key(server, said):
    server.script = [said]
    with pytest.raises(EndpointError) as told:
        try_model(server.base_url, KEY, "small")
    assert KEY not in str(told.value) and str(told.value).endswith(".")
