"""Who may add tools from elsewhere through the page, and what becomes of them: who sits here."""

from __future__ import annotations

import json

import pytest
from starlette.exceptions import HTTPException

from controlllm.resources.probing import BadInput
from controlllm.runs.assistant import Assistant
from controlllm.sources.correcting import tried
from controlllm.sources.keeping import keep, source_named
from controlllm.sources.source import ForeignArgument, ForeignTool, Source
from controlllm.toolbox import Toolbox
from controlllm.ui.drawings.sources_view import sources_about, sources_list
from controlllm.ui.verbs import sources
from controlllm.ui.verbs.sources import Wanted, add_source, remove_source, sources_of
from tests.every_case import every_case
from tests.sources.town import town_served
from tests.ui.conftest import person, store
from tests.ui.person import Person, conversations_of

DOCUMENT = {
    "openapi": "3.1.0",
    "servers": [{"url": "https://x.example"}],
    "paths": {"/a": {"get": {"operationId": "look", "responses": {"200": {}}}}},
}
KEPT = Source(
    "kept",
    "openapi",
    "https://x.example",
    "<script>alert(1)</script>",
    (
        ForeignTool(
            "send",
            "<img src=x onerror=alert(1)>",
            (ForeignArgument("<b>words</b>", "text", call={"in": "query", "name": "w"}),),
            "text",
            acts_outside=True,
            call={
                "method": "POST",
                "path": "/send",
                "reasons": [
                    {"about": "result", "type": "text", "why": "<i>so</i>", "confidence": 0.4}
                ],
            },
        ),
    ),
    options={"server": "https://x.example"},
)


@pytest.fixture(scope="module")
def town_address():
    """The address of an MCP server."""
    with town_served() as address:
        yield address


@pytest.fixture
def home(store):
    """The folder of a program that has one source."""
    keep(KEPT, store.folder)
    return store.folder


def about(source="kept", tool="send", **sent):
    """The fields of what is asked of a tool of a source."""
    return {"source": source, "tool": tool, **sent}


def drawn(person, look, *names, **sent):
    return person.look(look, **about(*names, **sent))["html"]


ELSEWHERE = (
    {"client": ("192.0.2.7", 5000)},
    {"host": "controlllm.example"},
    {"x-forwarded-for": "192.0.2.7"},
    {"forwarded": "for=192.0.2.7"},
)


@every_case("who", ELSEWHERE, anew=(store, home, person))
def test_others_see_nothing_and_change_nothing(person, home, who):
    other = Person(person.conversations, **who)
    assert sources_of(other.call()) == []
    assert "python -m controlllm tools add" in sources_about(sources.may_add(other.call()))
    for change in (
        lambda: add_source(other.call(), Wanted("https://x.example/openapi.json")),
        lambda: remove_source(other.call(), "kept"),
        lambda: drawn(other, "source-tool"),
        lambda: drawn(other, "source-type", about="result", chosen="number"),
        lambda: drawn(other, "source-acts", chosen=False),
        lambda: drawn(other, "try-source-tool", allowed=True),
    ):
        with pytest.raises(HTTPException) as refused:
            change()
        assert refused.value.status_code == 403
    assert source_named("kept", home) == KEPT


def test_whoever_sits_here_adds_corrects_and_removes(person, home, tmp_path):
    path, other = tmp_path / "api.json", tmp_path / "other.json"
    for place in (path, other):
        place.write_text(json.dumps(DOCUMENT))

    def add(address=path, secrets=""):
        return add_source(person.call(), Wanted(str(address), "mine", secrets=secrets)).name

    assert add(secrets="header=KEY, query=OTHER") == "mine"
    assert source_named("mine", home).secrets == {"header": "KEY", "query": "OTHER"}
    # The same once more takes its place; another under its name does not.
    assert add(secrets="header=KEY") == "mine"
    assert source_named("mine", home).secrets == {"header": "KEY"}
    with pytest.raises(BadInput, match="already"):
        add(other)
    assert add() == "mine"
    assert [source.name for source in sources_of(person.call())] == ["kept", "mine"]
    look = ("mine", "look")
    changed = drawn(person, "source-type", *look, about="result", chosen="number")
    assert "You said so. (100% sure)" in changed
    keep(tried(source_named("mine", home), "look"), home)
    assert 'badge is-ready">' in drawn(person, "source-tool", *look)
    for wish in ("number", "text"):
        changed = drawn(person, "source-type", *look, about="result", chosen=wish)
        assert ("is-ready" in changed) is (wish == "number")
    drawn(person, "source-type", *look, about="result", chosen="number")
    assert source_named("mine", home).tools[0].returns == "number"
    drawn(person, "source-acts", *look, chosen=True)
    assert source_named("mine", home).tools[0].acts_outside
    remove_source(person.call(), "mine")
    for gone in (
        lambda: drawn(person, "source-tool", *look),
        lambda: remove_source(person.call(), "mine"),
    ):
        with pytest.raises(HTTPException) as refused:
            gone()
        assert refused.value.status_code == 404


def test_that_a_server_only_reads_is_said_when_it_is_added(person, home, town_address):
    def acts(reads):
        wanted = Wanted(f"mcp+{town_address}", "town", is_local=True, reads=reads)
        add_source(person.call(), wanted)
        return any(tool.acts_outside for tool in source_named("town", home).tools)

    assert acts(False) and not acts(True)


def test_a_document_says_by_itself_what_acts(person, home, tmp_path):
    path = tmp_path / "api.json"
    paths = {"/a": {"post": {"operationId": "send", "responses": {"200": {}}}}}
    path.write_text(json.dumps({**DOCUMENT, "paths": paths}))
    add_source(person.call(), Wanted(str(path), "mine", reads=True))
    assert source_named("mine", home).tools[0].acts_outside


def test_what_the_command_line_adds_counts_once_the_page_shows_it(store):
    assistant = Assistant(Toolbox(Toolbox.load().tools[:1]), store)
    person = Person(conversations_of(assistant))
    keep(KEPT, store.folder)
    assert "kept_send" not in assistant.toolbox
    assert [source.name for source in sources_of(person.call())] == ["kept"]
    assert "kept_send" in assistant.toolbox


@every_case(
    "wanted",
    [
        Wanted(""),
        Wanted("x" * 3000),
        Wanted("none.json"),
        Wanted("https://x.example", secrets="sk-canary-1"),
        Wanted("http://127.0.0.1:9/openapi.json"),
    ],
    anew=(store, person),
)
def test_what_cannot_be_added_gets_a_sentence(person, wanted):
    with pytest.raises(BadInput) as refused:
        add_source(person.call(), wanted)
    said = str(refused.value)
    assert said.endswith(".") or "--local" in said
    assert "canary" not in said


def test_what_would_be_asked_nearby_is_added_only_where_that_is_said(person, home, tmp_path):
    path = tmp_path / "near.json"
    path.write_text(json.dumps({**DOCUMENT, "servers": [{"url": "http://127.0.0.1:8009"}]}))
    with pytest.raises(BadInput, match="127.0.0.1"):
        add_source(person.call(), Wanted(str(path), "near"))
    add_source(person.call(), Wanted(str(path), "near", is_local=True))
    assert source_named("near", home).options["is_local"] is True


def test_a_path_of_the_server_counts_only_from_the_machine_itself(person, monkeypatch, tmp_path):
    path = tmp_path / "api.json"
    path.write_text(json.dumps(DOCUMENT))
    monkeypatch.setattr(sources, "may_add", lambda call: True)  # an operator, elsewhere
    other = Person(person.conversations, client=("192.0.2.7", 5000))
    with pytest.raises(BadInput, match="own computer"):
        add_source(other.call(), Wanted(str(path), "mine"))
    # A document that was sent along is read where it lies, and named as it was sent.
    added = add_source(other.call(), Wanted("api.json", "mine", document=path))
    assert (added.name, added.address) == ("mine", "api.json")


@every_case(
    ("look", "sent", "kind"),
    [
        ("source-type", {"about": "result", "chosen": "poem"}, BadInput),
        ("source-type", {"about": "result"}, BadInput),
        ("source-acts", {"chosen": "yes"}, BadInput),
        ("try-source-tool", {"values": {"no": "1"}}, BadInput),
        ("try-source-tool", {"tool": "none"}, HTTPException),
        ("try-source-tool", {"source": "../../etc", "tool": "none"}, HTTPException),
        ("source-tool", {"source": "none"}, HTTPException),
    ],
    anew=(store, home, person),
)
def test_what_cannot_be_changed_is_refused(person, home, look, sent, kind):
    with pytest.raises(kind):
        person.look(look, **about(**sent))
    assert source_named("kept", home) == KEPT


def test_what_acts_outside_is_not_tried_unasked_and_no_file_is_read(person, home, tmp_path):
    path = tmp_path / "private.txt"
    path.write_text("canary")
    tried = drawn(person, "try-source-tool", values={"<b>words</b>": f"@{path}"})
    assert "was not tried" in tried and "canary" not in tried


def test_what_sources_say_of_themselves_is_only_words(person, home):
    for found in (sources_list(sources_of(person.call())), drawn(person, "source-tool")):
        assert "send" in found
        for markup in ("<script>", "<img", "<b>words", "<i>so"):
            assert markup not in found
