"""What would leave this machine is told from the settings alone."""

from __future__ import annotations

import pytest

from controlllm.leaving import Leaving, leaving
from controlllm.settings import Settings
from controlllm.surroundings import HostedTool

FAR, NEAR = "https://models.example.org/v1", "http://127.0.0.1:11434/v1"


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (Settings(), ()),
        (Settings(base_url=FAR), (Leaving("words", "models.example.org"),)),
        (Settings(base_url=NEAR), (Leaving("words", "127.0.0.1", True),)),
        (Settings(api_key="k"), (Leaving("words", "api.openai.com"),)),
        (Settings(base_url=FAR, variant="llama", answer_with_model=False), ()),
        (
            Settings(base_url=FAR, tools_use_endpoint=True),
            (Leaving("words", "models.example.org"), Leaving("files", "models.example.org")),
        ),
        (Settings(public_services=True), (Leaving("lookups"),)),
        (
            Settings(hosted={"translation": HostedTool("https://a.example", "gradio", "")}),
            (Leaving("files", "a.example", tool="translation"),),
        ),
    ],
)
def test_each_way_out_is_told_with_where_it_leads(settings, expected):
    assert leaving(settings) == expected
