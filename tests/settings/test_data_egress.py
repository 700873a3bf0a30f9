"""What would leave this machine is told from the settings alone."""

from __future__ import annotations

from controlllm.settings import Settings
from controlllm.settings.data_egress import DataEgress, data_egress
from controlllm.toolbox.capabilities import HostedTool
from tests.every_case import every_case

FAR, NEAR = "https://models.example.org/v1", "http://127.0.0.1:11434/v1"


@every_case(
    ("settings", "expected"),
    [
        (Settings(), ()),
        (Settings(base_url=FAR), (DataEgress("words", "models.example.org"),)),
        (Settings(base_url=NEAR), (DataEgress("words", "127.0.0.1", True),)),
        (Settings(api_key="k"), (DataEgress("words", "api.openai.com"),)),
        (Settings(base_url=FAR, variant="llama", answer_with_model=False), ()),
        (
            Settings(base_url=FAR, tools_use_endpoint=True),
            (DataEgress("words", "models.example.org"), DataEgress("files", "models.example.org")),
        ),
        (Settings(public_services=True), (DataEgress("lookups"),)),
        (
            Settings(hosted={"translation": HostedTool("https://a.example", "gradio", "")}),
            (DataEgress("files", "a.example", tool="translation"),),
        ),
    ],
)
def test_each_way_out_is_told_with_where_it_leads(settings, expected):
    assert data_egress(settings) == expected
