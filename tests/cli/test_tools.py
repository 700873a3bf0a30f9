"""Tools from elsewhere on the command line: added, looked at, corrected, tried, removed."""

from __future__ import annotations

import json

import PIL.Image
import pytest

from controlllm.cli.main import main
from controlllm.sources.keeping import source_named
from tests.every_case import every_case
from tests.sources.application import Served


@pytest.fixture(scope="module")
def server():
    found = Served()
    yield found
    found.close()


@pytest.fixture
def tools(tmp_path, capsys):
    """Runs ``tools`` with a home of its own: the status and what was said."""
    home = tmp_path / "home"

    def run(*words, expected=0):
        assert main(["tools", *words, "--home", str(home)]) == expected
        said = capsys.readouterr()
        return said.out + said.err

    run.home = home
    return run


@pytest.fixture
def added(tools, server):
    address = f"{server.url}/openapi.json"
    said = tools("add", address, "--local", "--name", "facts", "--secret", "header=VAULT")
    assert said.startswith(f"facts: 200 tools from {address}\n")
    assert "facts_film_plot(film_id: facts.film) -> text\n" in said
    assert "once its toolbox shows the tools from elsewhere" in said
    assert "facts_films_delete(film_id: facts.film) -> text  (acts outside)\n" in said
    return tools


def test_sources_are_listed_and_removed(added):
    assert "facts" in added("list") and "200 tools" in added("list")
    assert json.loads(added("list", "--json"))[0]["tools"] == 200
    assert added("remove", "facts") == "facts was removed.\n"
    assert "tools add URL" in added("list")
    assert "There is no source facts." in added("remove", "facts", expected=2)
    assert list((added.home / "sources").iterdir()) == []


def test_a_source_is_not_replaced_unasked(added, server):
    again = ["add", f"{server.url}/openapi.json", "--local", "--name", "facts"]
    assert "--replace" in added(*again, expected=2)
    assert added(*again, "--replace").startswith("facts: 200 tools")


def test_types_are_shown_with_their_reasons_and_corrected(added):
    said = added("show", "facts_film_plot")
    assert "facts.film, its id (90% sure)  It is the 'id' of the film that find_film" in said
    assert "text (100% sure)  You said so." in added("type", "facts_film_plot", "film_id", "text")
    assert "number (100% sure)" in added("type", "facts.film_plot", "result", "number")
    changed = added("type", "facts_film_plot", "film_id", "facts.film", "--part", "name", "--acts")
    assert "facts.film, its name" in changed and "cannot be taken back" in changed
    kept = next(
        item for item in source_named("facts", added.home).tools if item.name == "film_plot"
    )
    assert (kept.returns, kept.arguments[0].part, kept.acts_outside) == ("number", "name", True)
    entry = json.loads(added("show", "facts_film_plot", "--json"))
    assert entry["arguments"][0]["type"] == "facts.film" and entry["acts_outside"]


@every_case(
    ("words", "said"),
    [
        (["type", "facts_film_plot", "result", "poem"], "There is no type 'poem'"),
        (["type", "facts_film_plot", "result", "depth"], "tools elsewhere do not know"),
        (["type", "facts_film_plot", "result", "other.film"], "facts.something"),
        (["type", "facts_film_plot", "film_id", "facts.film"], "--part"),
        (["type", "facts_film_plot", "nothing", "text"], "no argument 'nothing'"),
        (["type", "facts_nothing", "result", "text"], "No tool 'facts_nothing'"),
        (["show", "nothing"], "No tool 'nothing'"),
        (["try", "facts_film_plot", "x=1"], "no argument 'x'"),
        (["try", "facts_film_plot", "film_id"], "ARGUMENT=VALUE"),
        (["try", "facts_turn_upside_down", "photo=x.png"], "photo=@FILE"),
        (["try", "facts_turn_upside_down", "photo=@none.png"], "There is no file none.png"),
        (["add"], "Give either an address"),
        (["add", "none.yaml"], "There is no file none.yaml"),
        (["add", "none.yaml", "--secret", "header"], "--secret FOR=NAME"),
        (["add", "none.yaml", "--name", "Not/a name"], "cannot be the name of a source"),
        (["add", "http://169.254.169.254/openapi.json", "--local"], "is not asked"),
        (["add", "ftp://example.com/openapi.json"], "http and https"),
    ],
)
def test_what_cannot_be_done_is_said(added, words, said):
    assert said in added(*words, expected=2)


def test_tools_are_tried_with_samples_and_with_ones_own(added, tmp_path, monkeypatch):
    monkeypatch.setenv("CONTROLLLM_SECRET_VAULT", "canary-header-7f3a")
    assert '"word": "alpha"' in added("try", "facts_with_header")
    assert "found nothing that fits" in added("try", "facts_find_film", expected=1)
    assert '"Emma"' in added("try", "facts_find_book", "name=Emma")
    assert "700.5" in added("try", "facts_flight_delay", "flight_id=700")
    picture = tmp_path / "photo.png"
    PIL.Image.new("RGB", (12, 8), "blue").save(picture)
    assert "a picture of 12 × 8 pixels" in added(
        "try", "facts_turn_upside_down", f"photo=@{picture}"
    )
    assert "a picture of 256 × 256 pixels" in added("try", "facts_turn_upside_down")
    assert "a sound of 1.0 seconds" in added("try", "facts_tone")
    assert added("show", "facts", "--json").count('"is_checked": true') == 5
    # What is of another type by then was not tried so.
    added("type", "facts_tone", "result", "text")
    assert added("show", "facts", "--json").count('"is_checked": true') == 4


def test_what_acts_outside_is_tried_only_where_that_is_said(added, server):
    server.log.clear()
    refused = added("try", "facts_clubs_create", "name=Test", expected=1)
    assert "cannot be taken back" in refused and server.log.asked == []
    assert '"name": "Test"' in added("try", "facts_clubs_create", "name=Test", "--yes")


def test_added_tools_are_among_all_others(added):
    known = {entry["name"]: entry for entry in json.loads(added("--json"))}
    assert known["facts_film_plot"]["args"][0]["type"] == "facts_film"
    assert "image_to_edge" in known
