"""All three kinds of tools in one graph: some of the requests that need two of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.sources.one_graph import HELD_OUT, ask, one_graph, requests

REQUESTS = {item.number: item for item in requests()}


@pytest.fixture(scope="module")
def assistant(tmp_path_factory):
    with one_graph(tmp_path_factory.mktemp("home") / "home") as assistant:
        yield assistant


def test_each_needs_the_kinds_that_it_names():
    held_out = requests(HELD_OUT)
    assert (len(REQUESTS), len(held_out)) == (60, 15)
    for wanted in [*REQUESTS.values(), *held_out]:
        kinds = {name.partition("_")[0] for tools in wanted.tools for name in tools}
        named = {"facts": "api", "town": "mcp"}
        assert {named.get(kind, "ours") for kind in kinds} == set(wanted.kinds)
        assert len(wanted.kinds) >= 2


@pytest.mark.long
def test_all_three_kinds_are_in_the_graph(assistant):
    sources = [tool.name.partition("_")[0] for tool in assistant.toolbox]
    assert sources.count("facts") == 200
    assert sources.count("town") == 21
    assert len(sources) > 300


@pytest.mark.long
@pytest.mark.parametrize(
    "number",
    [7, 27, 11, 14, 24, 26, 117, 23],
)
def test_requests_are_planned_and_run(assistant, number):
    """Ours with the web API's, ours with the MCP server's, and these with each other; 27 writes a
    note, which is asked about and allowed."""
    came = ask(assistant, REQUESTS[number])
    assert came.planned and came.ran, came


@pytest.mark.long
def test_what_is_not_allowed_is_not_done(assistant):
    """The same plan, and the person says no."""
    came = ask(assistant, replace(REQUESTS[27], does=False))
    assert came.planned and not came.ran
    assert came.wrong == "not all of the plan was done"
