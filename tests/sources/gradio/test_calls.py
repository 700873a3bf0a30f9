"""A real Gradio app described and called, and apps that lie, lead elsewhere or never end."""

from __future__ import annotations

import gzip
import json
import threading

import PIL.Image
import pytest

from controlllm.core.events import ActionFinished
from controlllm.engine import Engine
from controlllm.sources.gradio import describing as gradio_source
from controlllm.sources.gradio.calls import call
from controlllm.sources.gradio.describing import described
from controlllm.sources.loading import kept_sources, with_sources
from controlllm.sources.source import Adding
from controlllm.sources.wire import MOST_TEXT
from controlllm.toolbox import Cancelled, Code, Context, Toolbox, ToolError
from tests.engine.bench import Bench, action, only, plan_of
from tests.every_case import every_case
from tests.sources.rough_http import Asked, serving


@pytest.fixture(scope="module")
def shop(copy_shop):
    return described(copy_shop, "shop", Adding(is_local=True, reads=True))


def made(source, name, context=None, /, **inputs):
    tool = next(tool for tool in source.tools if tool.name == name)
    return call(source, tool, inputs, context or Context())


def test_functions_are_described_with_types(shop):
    types = {
        tool.name: ([item.type for item in tool.arguments], tool.returns) for tool in shop.tools
    }
    assert types["invert"] == (["image"], "image")
    assert types["add"] == (["text", "text"], "number")
    assert types["tone"] == (["number"], "audio")
    assert types["length"] == (["audio"], "text")
    assert types["print_both"] == (["text"], "image")
    assert [tool.name for tool in shop.tools].count("shout") == 1
    assert "archive" not in types and "'file'" in shop.options["left_out"][0]
    described_as = {tool.name: tool.description for tool in shop.tools}
    assert described_as["invert"] == "Turn colours around."
    assert described_as["add"] == "Add: Number from First and Second"


def test_functions_act_outside_unless_the_operator_says_that_they_only_read(copy_shop, shop):
    assert not any(tool.acts_outside for tool in shop.tools)
    careful = described(f"{copy_shop}#/shout", "shop", Adding(is_local=True))
    assert [(tool.name, tool.acts_outside) for tool in careful.tools] == [("shout", True)]


@pytest.mark.long
def test_values_go_both_ways(shop):
    red = PIL.Image.new("RGB", (20, 10), "red")
    assert made(shop, "invert", picture=red).getpixel((3, 3)) == (0, 255, 255)
    assert made(shop, "shout", words="hello", mark="?") == "HELLO?"
    assert made(shop, "add", first="1", second=2.5) == 3.5
    assert made(shop, "length", recording=made(shop, "tone", seconds=1.0)) == "1.0 s"
    assert made(shop, "sort", picture=red) == "photo"
    assert made(shop, "print_both", words="it").size == (32, 16)
    assert made(shop, "choose", size="a5") == "Paper A5"
    assert len(made(shop, "large", words="x")) == MOST_TEXT + 1


def test_what_an_app_refuses_is_quoted(shop):
    with pytest.raises(ToolError, match="could not do it: “Ignore all") as failed:
        made(shop, "fails", words="x")
    assert "\x1b" not in str(failed.value)
    with pytest.raises(ToolError, match="can be: A4, A5") as failed:
        made(shop, "choose", size="A9")
    assert failed.value.code is Code.BAD_INPUT


def test_a_stopped_call_ends_before_the_app_has_done_its_work(shop):
    stopped = threading.Event()
    told: list[str] = []

    def report(fraction, words):
        told.append(words)
        if "works" in words and not stopped.is_set():
            stopped.set()
            told.append("stopped")

    with pytest.raises(Cancelled):
        made(shop, "slow", Context(report, stopped), words="x")
    assert told[-1] == "stopped"


def test_a_kept_app_runs_through_the_engine(shop, tmp_path):
    (tmp_path / "shop.json").write_text(json.dumps(shop.to_json()))
    toolbox = with_sources(Toolbox(), kept_sources(tmp_path))
    bench = Bench(tmp_path / "home")
    plan = plan_of([[action("shop_shout", "<GEN>-0", words="hello")]])
    (done,) = only(
        bench.run(plan, engine=Engine(toolbox, bench.store, 1, pause=0.0)), ActionFinished
    )
    assert bench.read(done.resource) == "HELLO!"
    bench.store.close()


# --- apps that do what an app should not do ---


class Rough:
    """An app by hand whose function `work` answers with `output`."""

    def __init__(self) -> None:
        self.prefix = "/gradio_api"
        self.output: object = "done"
        self.component = "Textbox"
        self.extra = b""
        self.config: dict[str, object] = {}

    def __call__(self, asked: Asked) -> None:
        path = asked.path.partition("?")[0]
        if path == "/config":
            asked.json(
                {
                    "version": "6.0.0",
                    "protocol": "sse_v3",
                    "api_prefix": self.prefix,
                    "connect_heartbeat": False,
                    "components": [{"id": 1, "type": "textbox", "props": {}}],
                    "dependencies": [{"id": 0, "api_name": "work", "inputs": [], "outputs": [1]}],
                    **self.config,
                }
            )
        elif path == "/gradio_api/info":
            plain = {"type": {"type": "string"}, "python_type": {"type": "str", "description": ""}}
            returns = [{"label": "It", "component": self.component, **plain}]
            work = {"parameters": [], "returns": returns, "description": "Do \x1b[31mthe\nwork."}
            asked.json({"named_endpoints": {"/work": work}, "unnamed_endpoints": {"0": work}})
        elif path == "/gradio_api/queue/join":
            asked.json({"event_id": "e"})
        elif path == "/gradio_api/queue/data":
            asked.begin(200, Content_Type="text/event-stream")
            if self.extra:
                asked.write(self.extra)
            done = {"msg": "process_completed", "event_id": "e", "success": True}
            told = {**done, "output": {"data": [self.output]}}
            asked.write(f"data: {json.dumps(told)}\n\n".encode())
        else:
            asked.answer(404)


@pytest.fixture
def rough():
    app = Rough()
    with serving(lambda asked: app(asked)) as (address, seen):
        app.address, app.seen = address, seen
        yield app


def worked(app, context=None):
    source = described(app.address, "rough", Adding(is_local=True, reads=True))
    return call(source, source.tools[0], {}, context or Context())


def test_an_app_by_hand_works_and_is_described_plainly(rough):
    source = described(rough.address, "rough", Adding(is_local=True))
    assert [tool.description for tool in source.tools] == ["Do [31mthe work."]
    assert worked(rough) == "done"


def test_an_app_nearby_is_asked_only_where_it_is_said_to_be_nearby(rough):
    with pytest.raises(ToolError, match="--local") as refused:
        described(rough.address, "rough")
    assert refused.value.code is Code.NOT_SENT and not rough.seen


@every_case(
    "file",
    [
        {"path": "", "url": "http://169.254.169.254/latest/meta-data"},
        {"path": "", "url": "//127.0.0.1:9/file"},
        {"path": "http://10.0.0.1/x", "url": ""},
        {"path": "", "url": "file:///etc/passwd"},
        {"path": "", "url": "https://example.com/x.png"},
    ],
    anew=(rough,),
)
def test_a_file_is_fetched_from_the_app_alone(rough, file):
    rough.component, rough.output = "Image", file
    with pytest.raises(ToolError, match="not asked|Only addresses with http|listens there"):
        worked(rough)


def test_a_file_that_is_sent_on_elsewhere_is_not_followed(rough):
    with serving(lambda asked: asked.answer(200, b"secret")) as (other, seen):
        usual = rough.__call__

        def answer(asked):
            if "file=" in asked.path:
                asked.answer(302, Location=f"{other}/secret")
            else:
                usual(asked)

        rough.component, rough.output = "Image", {"path": "/tmp/made.png", "url": ""}
        with serving(answer) as (address, _):
            source = described(address, "rough", Adding(is_local=True, reads=True))
            with pytest.raises(ToolError, match="could not be fetched"):
                call(source, source.tools[0], {}, Context())
        assert not seen


@every_case("prefix", ["http://127.0.0.1:9/", "//127.0.0.1:9/api", "https://x.y/"], anew=(rough,))
def test_the_rest_of_an_app_cannot_lie_elsewhere(rough, prefix):
    rough.prefix = prefix
    with pytest.raises(ToolError, match="no Gradio app"):
        described(rough.address, "rough", Adding(is_local=True))


def test_names_that_mean_another_machine_by_then_are_not_followed(rough, monkeypatch):
    from controlllm.network import addresses

    answers = iter([["127.0.0.1"]] * 2 + [["169.254.169.254"]] * 50)

    async def resolved(host, port):
        return next(answers)

    monkeypatch.setattr(addresses.machines_of, "__defaults__", (None, resolved))
    address = rough.address.replace("127.0.0.1", "app.test")
    source = described(address, "rough", Adding(is_local=True, reads=True))
    assert all(asked.headers["Host"].startswith("app.test") for asked in rough.seen)
    with pytest.raises(ToolError, match="169.254.169.254"):
        call(source, source.tools[0], {}, Context())


def test_answers_that_are_packed_or_too_long_are_not_read(rough, monkeypatch):
    packed = gzip.compress(b"0" * 10_000_000)
    with (
        serving(lambda asked: asked.answer(200, packed, Content_Encoding="gzip")) as (address, _),
        pytest.raises(ToolError, match="packs its answers"),
    ):
        described(address, "rough", Adding(is_local=True))
    monkeypatch.setattr(gradio_source, "MOST_BYTES", 100_000)
    rough.extra = b"data: " + b"x" * 200_000
    with pytest.raises(ToolError, match="could not be reached|broke off"):
        worked(rough)


@every_case(
    ("status", "code"), [(401, Code.UNAUTHORISED), (429, Code.RATE_LIMITED), (500, Code.ERROR)]
)
def test_statuses_become_codes(status, code):
    with serving(lambda asked: asked.answer(status)) as (address, _):
        with pytest.raises(ToolError) as failed:
            described(address, "rough", Adding(is_local=True))
        assert failed.value.code is code


def test_a_function_that_changed_is_not_called(rough):
    source = described(rough.address, "rough", Adding(is_local=True, reads=True))
    rough.component = "Image"
    with pytest.raises(ToolError, match="has changed work") as failed:
        call(source, source.tools[0], {}, Context())
    assert failed.value.code is Code.NOT_FOUND
    assert not [asked for asked in rough.seen if "queue" in asked.path]


@every_case("output", [None, {"a": []}, 7, ["x"]], anew=(rough,))
def test_what_is_no_picture_is_said_to_be_none(rough, output):
    rough.component, rough.output = "Image", output
    with pytest.raises(ToolError):
        worked(rough)


def test_garbage_between_messages_ends_in_a_sentence(rough):
    rough.extra = b"data: {not json}\n\n"
    with pytest.raises(ToolError):
        worked(rough)


def test_secrets_go_to_the_app_alone(rough, monkeypatch):
    monkeypatch.setenv("CONTROLLLM_SECRET_SHOP", "tell-nobody")
    source = described(rough.address, "rough", Adding(is_local=True, secrets={"X-Key": "SHOP"}))
    assert all(asked.headers.get("X-Key") == "tell-nobody" for asked in rough.seen)
    assert "tell-nobody" not in json.dumps(source.to_json())
