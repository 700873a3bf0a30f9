"""The roles of agents kept by a language model, over a real endpoint that is scripted."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest

from controlllm.agents.deciding import NOTES_SCHEMA
from controlllm.agents.dfsdt import dfsdt
from controlllm.agents.environment import MOST_OBSERVED
from controlllm.agents.prompted import PromptedChooser, PromptedKeeper, PromptedRouter
from controlllm.agents.react import react
from controlllm.agents.roles import Decision, Taken, Task
from controlllm.agents.running import Oversight
from controlllm.agents.sum2act import sum2act
from controlllm.agents.tool_environment import ToolEnvironment
from controlllm.core.costs import Usage
from controlllm.core.events import LanguageModelUsed, RoleFellBack, RoleRepaired, RoleRetried
from controlllm.core.plans import Request
from controlllm.core.state import Budget, Failure, Result, State
from controlllm.language.asking import Asker, LanguageModelFailed
from controlllm.language.decomposing import PromptedDecomposer
from controlllm.language.endpoint import ChatEndpoint
from controlllm.planning.graph import ToolGraph
from controlllm.resources import TypeLattice
from controlllm.toolbox import Argument, Parameter, Tool, Toolbox
from tests.agents.conftest import (
    EMPTY,
    FIND,
    TOOLS,
    Notes,
    Says,
    environment,
    give_up,
    noted,
    said,
    world,
)
from tests.every_case import every_case
from tests.language.conftest import asker, endpoint, server, told
from tests.language.scripted_server import KEY, Fault, Said

TASK = Task("What is the weather in Bern?", ("photo.jpg",))
LATTICE = TypeLattice().extended(["city"])
BY_RULES = give_up("by rules")


def router(asker):
    return PromptedRouter(asker, Says(BY_RULES, usage=Usage()), LATTICE, lambda: date(2026, 5, 14))


def keeper(asker, environment):
    return PromptedKeeper(asker, environment, Notes(Usage()))


def chooser(asker, temperature=0.0):
    return PromptedChooser(asker, Says(BY_RULES, usage=Usage()), LATTICE, temperature)


def ask_router(asker, environment):
    return router(asker).decide(TASK, EMPTY, environment, frozenset()).tool


def ask_chooser(asker, environment):
    return chooser(asker).choose(TASK, (), environment).tool


def ask_keeper(asker, environment):
    taken = Taken(Decision("", *FIND), environment.step(*FIND))
    state, _ = keeper(asker, environment).updated(TASK, EMPTY, taken, 1)
    return state.results[0].finding


FOUND = '{"name": "Bern", "id": 7}'
#: Each role: how it is asked, a good reply, what that gives, and what the embedded one gives.
ROLES = {
    "router": (ask_router, said("find_city", name="Bern"), "find_city", "Finish"),
    "chooser": (ask_chooser, said("find_city", name="Bern"), "find_city", "Finish"),
    "keeper": (ask_keeper, noted(("Bern is city 7.", "city-1")), "Bern is city 7.", FOUND),
}


#: For a test of each role by itself, with a server and a world that nobody has asked before.
each_role = every_case(
    "role",
    ROLES.values(),
    ids=list(ROLES),
    anew=(server, endpoint, told, asker, world, environment),
)


def kinds(told):
    return [type(event) for event in told]


def test_sum2act_by_a_model_from_beginning_to_end(server, asker, told, environment, world):
    server.says(
        said("find_city", name="Bern"),
        noted(("Bern is city 7.", "city-1")),
        said("weather", city="city-1"),
        noted(("It rains, 12 degrees.", "It rains in Bern, 12 degrees")),
        said("Finish", answer="It rains in Bern.", result="text-1"),
    )
    outcome = sum2act(TASK, environment, router(asker), keeper(asker, environment))
    assert (outcome.answer, outcome.result) == ("It rains in Bern.", "text-1")
    assert [name for name, _ in world.called] == ["find_city", "weather"]
    assert outcome.path == outcome.steps
    assert outcome.view.spent.model_calls == 5
    assert outcome.view.spent.tokens == 5 * 107
    assert kinds(told) == [LanguageModelUsed] * 5
    assert [event.role for event in told] == ["act", "observe", "act", "observe", "act"]
    first, last = server.data(0), server.data(4)
    assert list(first) == ["today", "instruction", "wanted", "at_hand", "tools", "state"]
    assert first["today"] == "Thursday, 2026-05-14"
    assert first["at_hand"] == [{"name": "photo.jpg", "type": "image", "from": "uploaded"}]
    assert first["tools"][1] == {
        "name": "weather",
        "does": "weather.",
        "arguments": {"city": {"type": "city"}},
        "makes": "text",
    }
    assert first["tools"][3]["acts_outside"]
    assert [item["finding"] for item in last["state"]["results"]] == [
        "Bern is city 7.",
        "It rains, 12 degrees.",
    ]
    assert server.data(3)["outcome"] == {
        "became": "done",
        "text": "It rains in Bern, 12 degrees.",
        "made": {"name": "text-1", "type": "text"},
    }


@every_case(
    ("patience", "said_so"),
    [(1, "never made again"), (2, "once more")],
    anew=(server, endpoint, told, asker, world, environment),
)
def test_a_router_is_told_whether_a_call_may_be_made_again(
    server, asker, environment, patience, said_so
):
    server.says(said("find_city", name="Bern"))
    deciding = PromptedRouter(asker, Says(BY_RULES, usage=Usage()), LATTICE, patience=patience)
    deciding.decide(TASK, EMPTY, environment, frozenset())
    told = server.asked[0]["messages"][0]["content"]
    assert said_so in told and "{{" not in told


def test_react_by_a_model_has_its_history_as_a_conversation(server, asker, environment, world):
    world.answers["find_city"] = "x" * 5_000
    server.says(
        said("find_city", name="Bern"),
        said("weather", city="city-1"),
        said("Finish", answer="Rain."),
    )
    outcome = react(TASK, environment, chooser(asker))
    assert outcome.answer == "Rain."
    spoken = server.asked[2]["messages"]
    assert [item["role"] for item in spoken] == ["system", "user"] + ["assistant", "user"] * 2
    assert json.loads(spoken[2]["content"]) == said("find_city", name="Bern")
    seen = json.loads(spoken[3]["content"])
    assert seen["became"] == "done"
    assert seen["observation"] == "x" * MOST_OBSERVED + "…"
    assert seen["made"] == {"name": "city-1", "type": "city"}
    assert json.loads(spoken[5]["content"])["observation"] == "It rains in Bern, 12 degrees."


def test_dfsdt_by_a_model_is_told_what_was_tried(server, asker, environment):
    server.says(
        said("find_city", name="Bern"),
        said("Finish", give_up="No."),
        said("other_weather", name="Bern"),
        said("Finish", answer="Rain."),
    )
    assert dfsdt(TASK, environment, chooser(asker)).answer == "Rain."
    tried = json.loads(server.asked[2]["messages"][-1]["content"])["tried"]
    assert tried == [{**said("find_city", name="Bern"), "observation": FOUND}]
    # Those that come after it are not told.
    assert all("tried" not in item["content"] for item in server.asked[3]["messages"][2:])


def test_with_a_decomposition_before(server, asker, environment):
    toolbox = Toolbox(TOOLS, lattice=LATTICE)
    parts = ["Find the city of Bern.", "Tell its weather."]
    server.says(
        {
            "subtasks": [
                {
                    "id": number,
                    "description": words,
                    "domains": ["public-api"],
                    "deps": list(range(number)),
                    "args": [],
                    "returns": {"type": "text", "value": f"<GEN>-{number}"},
                    "cannot": "",
                }
                for number, words in enumerate(parts)
            ]
        },
        said("Finish", answer="Rain."),
    )
    decomposer = PromptedDecomposer(asker, ToolGraph(toolbox), None)
    subtasks = decomposer.decompose(Request(TASK.instruction))
    task = replace(TASK, subtasks=tuple(item.description for item in subtasks))
    assert sum2act(task, environment, router(asker), keeper(asker, environment)).is_answered
    assert server.data(1)["subtasks"] == parts


def test_everything_about_a_tool_is_told_in_short(server, asker):
    long = "x" * 2_000
    tool = Tool(
        "long",
        long,
        "general",
        (
            Argument("images", "image", long, many=True),
            Argument("note", "text", "a note", optional=True),
        ),
        Argument("result", "image"),
        parameters=(Parameter("days", 3, "how many"),),
    )
    server.says(said("Finish", answer="x"))
    ask_router(asker, ToolEnvironment([tool], lambda tool, inputs: "x"))
    (shown,) = server.data()["tools"]
    assert shown["does"] == "x" * 512 + " …"
    assert shown["arguments"] == {
        "images": {"type": "image", "means": "x" * 160 + " …", "several": True},
        "note": {"type": "text", "means": "a note", "optional": True},
        "days": {"type": "int", "means": "how many", "default": 3},
    }


def test_hidden_tools_are_not_told(server, asker, environment):
    server.says(said("Finish", answer="x"))
    router(asker).decide(TASK, EMPTY, environment, {"weather"})
    assert [tool["name"] for tool in server.data()["tools"]] == [
        *("find_city", "other_weather", "send")
    ]


@each_role
def test_a_good_reply_is_taken(server, asker, told, environment, role):
    ask, reply, good, _ = role
    server.says(reply)
    assert ask(asker, environment) == good
    assert kinds(told) == [LanguageModelUsed]
    format_ = server.asked[0]["response_format"]["json_schema"]
    assert format_["strict"]
    assert (format_["schema"] == NOTES_SCHEMA) == (ask is ask_keeper)


@every_case("fault", [Said("no"), Fault(401), Said("x", cut=True)])
@each_role
def test_where_the_model_fails_the_embedded_role_takes_over(
    server, asker, told, environment, role, fault
):
    ask, _, _, embedded = role
    server.says(fault)
    assert ask(asker, environment) == embedded
    assert isinstance(told[-1], RoleFellBack)
    asked = len(server.asked)
    # And stays in its place for the rest of the request.
    assert ask(asker, environment) in (embedded, FOUND)
    assert len(server.asked) == asked


@every_case("fault", [Said("no"), Fault(401), Said("x", cut=True)])
@each_role
def test_where_nothing_may_take_over_it_fails_with_a_sentence(server, environment, role, fault):
    server.says(fault)
    asker = Asker(ChatEndpoint(server.base_url, KEY, "m"), fall_back=False)
    with pytest.raises(LanguageModelFailed, match="in the settings"):
        role[0](asker, environment)


def test_a_run_goes_on_by_rules_where_the_model_breaks_off(server, asker, told, environment):
    server.says(said("find_city", name="Bern"), Fault(401))
    outcome = sum2act(TASK, environment, router(asker), keeper(asker, environment))
    assert outcome.reason == "by rules"
    assert [result.finding for result in outcome.view.state.results] == [FOUND]
    assert kinds(told).count(RoleFellBack) == 1
    # The call that failed is counted like the one that did not.
    assert outcome.view.spent.model_calls == 2


def test_a_wrong_call_is_told_what_would_be_right(server, asker, told, environment):
    server.says(said("wether", city="Bern"), said("weather", city="Bern"))
    outcome = sum2act(
        TASK, environment, router(asker), keeper(asker, environment), Oversight(Budget(steps=1))
    )
    assert kinds(told)[:3] == [LanguageModelUsed, RoleRetried, LanguageModelUsed]
    assert "Near to it: weather" in server.asked[1]["messages"][-1]["content"]
    # Still wrong: it costs a step and is noted.
    assert "has to be the name of a resource of type city" in outcome.steps[0].observation.text


def test_a_repair_is_told(server, asker, told, environment):
    server.says(said("find_city", NAME="Bern"))
    decision = router(asker).decide(TASK, EMPTY, environment, frozenset())
    assert decision.arguments == {"name": "Bern"}
    assert kinds(told) == [LanguageModelUsed, RoleRepaired]


def full_state():
    """A state with as much in it as it can hold."""
    state = State()
    for step in range(40):
        state = state.with_result(Result("x" * 5_000, "y" * 5_000, step))
        arguments = {f"a{number}": "z" * 5_000 for number in range(3)}
        state = state.with_failure(Failure("weather", arguments, "w" * 5_000, "error", step))
    return state


def test_what_a_router_is_told_is_bounded_whatever_was_seen(server, asker, environment, world):
    for _ in range(30):
        world.answers["find_city"] = "v" * 100_000
        environment.step(*FIND)
    server.says(said("Finish", answer="x"))
    router(asker).decide(TASK, full_state(), environment, frozenset())
    sent = sum(len(item["content"]) for item in server.asked[0]["messages"])
    assert sent < 120_000
    server.says(noted(("x", "city-31")))
    taken = Taken(Decision("", *FIND), environment.step(*FIND))
    keeper(asker, environment).updated(TASK, full_state(), taken, 31)
    sent = sum(len(item["content"]) for item in server.asked[1]["messages"])
    assert sent < 120_000
