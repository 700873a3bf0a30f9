"""What a model replies, checked: put right where that cannot be wrong, else said to it once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.agents.deciding import DecisionReader, NotesReader, decision_schema
from controlllm.agents.environment import Observation
from controlllm.agents.roles import Decision, Taken, Task
from controlllm.agents.tool_environment import ToolEnvironment
from controlllm.core.state import Failure, Result, State
from controlllm.language.reading import Unusable
from controlllm.resources import Resource, TypeLattice
from controlllm.toolbox import Code, Tool
from tests.agents.conftest import FIND, PHOTO, TOOLS, World, environment, noted, said, world
from tests.every_case import every_case

LATTICE = TypeLattice().extended(["city"])
TASK = Task("x")


@pytest.fixture
def read(environment):
    environment.step(*FIND)
    return lambda reply, task=TASK: DecisionReader(task, environment, frozenset(), LATTICE).read(
        reply
    )


@every_case(
    ("reply", "arguments", "repairs"),
    [
        (said("weather", city="city-1"), {"city": "city-1"}, 0),
        (said("weather", City="city-1"), {"city": "city-1"}, 1),
        (said(" send ", to="Ann", words="x"), {"to": "Ann", "words": "x"}, 0),
        ({"tool": "weather", "arguments": {"city": "city-1"}}, {"city": "city-1"}, 0),
        ({"tool": "weather", "arguments": '{"city": "city-1"}'}, {"city": "city-1"}, 1),
        (said("Finish", answer="Rain.", result="", give_up=""), {"answer": "Rain."}, 0),
        (said("Finish", Give_Up="No."), {"give_up": "No."}, 1),
    ],
    anew=(world, environment, read),
)
def test_a_decision_is_read(read, reply, arguments, repairs):
    found = read(reply)
    assert found.value.tool == reply["tool"].strip()
    assert found.value.arguments == arguments
    assert len(found.repairs) == repairs


def test_a_name_that_stands_there_twice_has_several_values(environment):
    reader = DecisionReader(TASK, environment, frozenset(), LATTICE)
    with pytest.raises(Unusable, match="one value for 'name', not several"):
        reader.read(said("find_city", name=["Bern", "Basel"]))
    assert reader.read(said("find_city", name=["Bern", "Basel"])).value.arguments == {
        "name": ["Bern", "Basel"]
    }


@every_case(
    ("reply", "problem"),
    [
        ([], "has to be an object"),
        ({}, '"tool" has to be'),
        ({"tool": 3}, '"tool" has to be'),
        ({"tool": "weather", "thought": 3}, '"thought" has to be'),
        ({"tool": "weather", "arguments": 3}, '"arguments" has to be a list'),
        ({"tool": "weather", "arguments": "city-1"}, '"arguments" has to be a list'),
        ({"tool": "weather", "arguments": ["city-1"]}, 'a "name" and a "value"'),
        ({"tool": "weather", "arguments": {"city": {"a": 1}}}, "has to be a text, a number"),
    ],
    anew=(world, environment),
)
def test_what_is_no_decision_is_refused_each_time(environment, reply, problem):
    reader = DecisionReader(TASK, environment, frozenset(), LATTICE)
    for _ in range(2):
        with pytest.raises(Unusable, match=problem):
            reader.read(reply)


@every_case(
    ("reply", "problem"),
    [
        (said("wether", city="city-1"), "Near to it: weather"),
        (said("rm -rf"), 'no tool called "rm -rf"'),
        (said("other_weather", name="Bern"), 'no tool called "other_weather"'),
        (said("weather"), "needs 'city'"),
        (said("weather", city=""), "needs 'city'"),
        (said("weather", city="Bern"), 'At hand: "city-1"'),
        (said("weather", town="city-1"), 'takes no argument "town"'),
        (said("weather", city="photo.jpg"), "is of type image"),
        (said("Finish"), "needs an answer"),
        (said("Finish", answer="x", result="y"), "no resource called 'y'"),
        (said("Finish", answer="x", why="y"), "and not 'why'"),
    ],
    anew=(world, environment),
)
def test_a_wrong_call_is_said_once_and_then_left_to_the_environment(environment, reply, problem):
    environment.step(*FIND)
    reader = DecisionReader(TASK, environment, {"other_weather"}, LATTICE)
    with pytest.raises(Unusable) as caught:
        reader.read(reply)
    assert problem in str(caught.value)
    assert reader.read(reply).value.tool == reply["tool"]


def test_what_is_wanted_has_to_be_handed_over(read):
    with pytest.raises(Unusable, match="resource of type image that is wanted"):
        read(said("Finish", answer="x"), task=Task("x", returns="image"))
    done = read(said("Finish", answer="x", result="photo.jpg"), task=Task("x", returns="image"))
    assert done.value.finishes


def test_the_schema_names_what_is_offered(environment):
    schema = decision_schema(environment, {"send"})
    assert schema["properties"]["tool"]["enum"] == [
        *("find_city", "weather", "other_weather"),
        "Finish",
    ]
    many = [Tool(f"t{n}", "", "general", (), TOOLS[0].returns) for n in range(101)]
    schema = decision_schema(ToolEnvironment(many, World()), frozenset())
    assert schema["properties"]["tool"] == {"type": "string"}


SEEN = Taken(
    Decision("", "weather", {"city": "city-1"}),
    Observation("It rains, 12 degrees.", Code.DONE, Resource("text", "text-1")),
)
BROKEN = Taken(SEEN.decision, Observation("Down until noon.", Code.NOT_FOUND))
STATE = State((Result("Bern is there.", "city-1", 1), Result("It is sunny.", "sun", 2)))


def read_notes(reply, taken=SEEN, state=STATE):
    return NotesReader(state, taken, frozenset({"city-1", "photo.jpg"}), 3).read(reply)


def test_findings_are_results_with_their_evidence():
    found = read_notes(noted(("It rains.", "It rains"), ("12 degrees.", "text-1"), ("Both.", "")))
    assert found.value.results[2:] == (
        Result("It rains.", "It rains", 3),
        Result("12 degrees.", "text-1", 3),
        # What was made is what it rests on where nothing is said.
        Result("Both.", "text-1", 3),
    )
    assert not found.value.failures


def test_a_finding_that_quotes_nothing_is_said_once_then_left_out():
    reader = NotesReader(STATE, SEEN, frozenset(), 3)
    reply = noted(("It snows.", "It snows"), ("It rains.", "It rains"))
    with pytest.raises(Unusable, match='"It snows" is no resource'):
        reader.read(reply)
    found = reader.read(reply)
    assert [item.finding for item in found.value.results[2:]] == ["It rains."]
    assert len(found.repairs) == 1


def test_earlier_results_are_corrected_and_taken_back():
    found = read_notes(
        noted(corrections=[(1, "Bern is city 7.", ""), (2, "It rains.", "It rains, 12")])
    )
    assert found.value.results == (
        Result("Bern is city 7.", "city-1", 1),
        Result("It rains.", "It rains, 12", 3),
    )
    found = read_notes(noted(("It rains.", "rains"), corrections=[(2, "", "")]))
    assert [item.finding for item in found.value.results] == ["Bern is there.", "It rains."]


@every_case(("number", "evidence"), [(0, ""), (3, ""), (True, ""), ("1", ""), (1, "the moon")])
def test_a_correction_without_result_or_evidence_changes_nothing(number, evidence):
    reader = NotesReader(STATE, SEEN, frozenset(), 3)
    reply = noted(("It rains.", "rains"), corrections=[(number, "Other.", evidence)])
    with pytest.raises(Unusable):
        reader.read(reply)
    found = reader.read(reply)
    assert found.value.results[:2] == STATE.results
    assert found.repairs


def test_a_failure_has_its_reason_and_its_call():
    found = read_notes(noted(reason="It is down until noon.", kind="unavailable"), BROKEN)
    assert found.value.failures == (
        Failure("weather", {"city": "city-1"}, "It is down until noon.", "unavailable", 3),
    )
    # A kind that there is not is told from what became of the call.
    for taken, kind in ((BROKEN, "error"), (SEEN, "irrelevant")):
        found = read_notes(noted(reason="It is down.", kind="bad luck"), taken)
        assert found.value.failures[0].kind == kind


def test_saying_nothing_is_asked_about_once():
    reader = NotesReader(STATE, SEEN, frozenset(), 3)
    with pytest.raises(Unusable, match="Note a finding, or say in reason why"):
        reader.read(noted())
    assert reader.read(noted()).value == STATE


@every_case(
    "reply", [[], 3, {"findings": 3}, {"findings": ["x"]}, {"findings": [], "corrections": "x"}]
)
def test_what_are_no_notes_is_refused_each_time(reply):
    reader = NotesReader(STATE, SEEN, frozenset(), 3)
    for _ in range(2):
        with pytest.raises(Unusable):
            reader.read(reply)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 50) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["findings", "finding", "rests_on", "corrections", "result", "reason", "kind"]
                + ["tool", "thought", "arguments", "name", "value", "city"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(_JSON)
def test_no_reply_breaks_a_reader(reply):
    environment = ToolEnvironment(TOOLS, World(), [PHOTO], LATTICE)
    readers = (
        DecisionReader(TASK, environment, frozenset(), LATTICE),
        NotesReader(STATE, SEEN, frozenset(), 3),
    )
    for reader in readers:
        for _ in range(2):
            try:
                found = reader.read(reply).value
            except Unusable as problem:
                assert str(problem)
            else:
                assert isinstance(found, Decision | State)
