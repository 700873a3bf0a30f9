"""Programs that do one tool's work: a real Gradio app, and inference endpoints' protocols."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest

from controlllm.engine.fallback import is_transient
from controlllm.resources import Box, Clip, Label, Region, Sound
from controlllm.toolbox import (
    Argument,
    Cancelled,
    Context,
    Parameter,
    Tool,
    ToolDefinition,
    ToolError,
    Unavailable,
)
from controlllm.toolbox.capabilities import ALONE, Capabilities, HostedTool
from tests.every_case import every_case
from tests.tools.cloud.servers import (
    KEY,
    GradioApp,
    InferenceServer,
    Reply,
    as_json,
    drawn,
    gradio_app,
    png,
    running,
    sound_file,
    tone_samples,
)
from tests.tools.made_videos import make_video
from tests.waiting import wait_until
from tools.cloud import gradio_apps, hosted

MARKED = np.zeros((64, 96), bool)
MARKED[10:40, 20:60] = True
SAMPLES: Mapping[str, Any] = {
    "image": drawn(),
    "mask": (Region(MARKED),),
    "audio": Sound(tone_samples()[:, None], 24_000),
    "text": "Three boats.",
}


def offered(
    name: str, takes: Mapping[str, str], gives: str, parameters: Mapping[str, Any] | None = None
) -> ToolDefinition:
    """A tool of the given arguments' and return's types that a program elsewhere may do."""
    arguments = tuple(Argument(argument, kind) for argument, kind in takes.items())
    own = tuple(Parameter(item, value) for item, value in (parameters or {}).items())
    made = Tool(name, name, "general", arguments, Argument("result", gives), parameters=own)
    definition = ToolDefinition(made)
    hosted.offer(definition)
    return definition


def run(
    definition: ToolDefinition,
    program: HostedTool,
    folder: Path,
    stop: threading.Event | None = None,
    report: Any = None,
    **inputs: Any,
) -> Any:
    """What the program makes of samples, or of the inputs given instead of them."""
    name = definition.tool.name
    capabilities = Capabilities(hosted={name: program})
    given = {item.name: SAMPLES.get(item.type) for item in definition.tool.args}
    given |= {item.name: item.default for item in definition.tool.parameters}
    way = definition.implementations[0]
    assert way.reason_unavailable(capabilities) is None and way.is_hosted
    return way.run({**given, **inputs}, Context(report, stop, folder, capabilities))


def test_it_is_offered_where_the_settings_name_it() -> None:
    way = offered("enlarge", {"image": "image"}, "image").implementations[0]
    assert way.runtime == "cloud" and not way.deterministic
    reason = "needs the address of a program that does this, in the settings"
    assert way.reason_unavailable(ALONE) == reason
    for address in ("", "  "):
        empty = Capabilities(hosted={"enlarge": HostedTool(address)})
        assert way.reason_unavailable(empty) == reason
    with pytest.raises(Unavailable, match=reason):
        way.run({"image": drawn()}, Context())
    named = Capabilities(hosted={"enlarge": HostedTool("http://127.0.0.1:9", "spell", KEY)})
    with pytest.raises(ToolError, match="no kind of program 'spell'"):
        way.run({"image": drawn()}, Context(capabilities=named))


@pytest.fixture(scope="module")
def running_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GradioApp]:
    folder = tmp_path_factory.mktemp("app")
    video = make_video(folder / "clip.mp4", [np.asarray(drawn())] * 5).path
    tools = [
        offered("upscale", {"image": "image"}, "image").tool,
        offered("film", {"video": "video"}, "video").tool,
        offered("hear", {"audio": "audio"}, "text").tool,
    ]
    with gradio_app(tools, video, folder) as made:
        yield made


@pytest.fixture
def app(running_app: GradioApp) -> GradioApp:
    running_app.clear()
    return running_app


@pytest.mark.long
class TestGradio:
    def program(self, app: GradioApp, function: str = "") -> HostedTool:
        return HostedTool(f"{app.address}#/{function}" if function else app.address, "gradio", KEY)

    def test_the_function_is_found_by_what_it_takes(self, app: GradioApp, tmp_path: Path) -> None:
        enlarge = offered("enlarge", {"image": "image"}, "image")
        made = run(enlarge, HostedTool(app.address), tmp_path)
        assert np.array_equal(np.asarray(made), np.asarray(drawn()))
        [(name, path)] = app.seen
        assert name == "upscale"
        assert np.array_equal(np.asarray(PIL.Image.open(path)), np.asarray(drawn()))

    def test_a_video_there_and_back(self, app: GradioApp, tmp_path: Path) -> None:
        clip = make_video(tmp_path / "sent.mp4", [np.asarray(drawn())] * 8)
        film = offered("change_film", {"video": "video"}, "video")
        made = run(film, self.program(app), tmp_path / "new", video=clip)
        assert isinstance(made, Clip) and made.path.parent == tmp_path / "new"
        [(name, path)] = app.seen
        assert name == "film" and Path(path).read_bytes() == clip.path.read_bytes()

    def test_a_sound_goes_there(self, app: GradioApp, tmp_path: Path) -> None:
        import soundfile

        hear = offered("hear", {"audio": "audio"}, "text")
        assert run(hear, self.program(app), tmp_path) == "Got 1 things."
        assert abs(soundfile.info(app.seen[0][1]).duration - 0.5) < 0.01

    def test_an_editor_gets_what_is_marked_painted(self, app: GradioApp, tmp_path: Path) -> None:
        takes = {"image": "image", "mask": "mask", "prompt": "text"}
        fill = offered("fill", takes, "image", {"strength": 0.25})
        made = np.asarray(run(fill, self.program(app), tmp_path, prompt="a boat"))
        assert (made[MARKED] == [255, 0, 0]).all()
        assert np.array_equal(made[~MARKED], np.asarray(drawn())[~MARKED])
        assert app.seen == [["paint", "a boat", 0.25, 1]]
        with pytest.raises(ToolError, match="Nothing is marked"):
            run(fill, self.program(app), tmp_path, prompt="a boat", mask=())

    def test_a_gallery_and_a_slider(self, app: GradioApp, tmp_path: Path) -> None:
        draw = offered("draw", {"prompt": "text"}, "image")
        assert run(draw, self.program(app), tmp_path).size == (40, 30)
        enlarge = offered("enlarge", {"image": "image"}, "image")
        assert run(enlarge, self.program(app, "compare"), tmp_path).size == (192, 128)

    def test_a_picture_as_a_mask(self, app: GradioApp, tmp_path: Path) -> None:
        mark = offered("mark", {"image": "image"}, "mask")
        [region] = run(mark, self.program(app, "upscale"), tmp_path)
        assert region.pixels.shape == (64, 96) and region.pixels.dtype == bool

    @pytest.mark.parametrize(
        ("function", "told"),
        [
            ("fails", "could not do it: “The boat has sunk.”"),
            ("silent", "could not do it"),
            ("needy", "no function '/needy' that fits"),
            ("missing", "no function '/missing' that fits"),
        ],
    )
    def test_what_cannot_be_done(
        self, app: GradioApp, tmp_path: Path, function: str, told: str
    ) -> None:
        say = offered("say", {"text": "text"}, "text")
        with pytest.raises(ToolError, match=told) as caught:
            run(say, self.program(app, function), tmp_path)
        assert "nobody shall be told" not in str(caught.value) and KEY not in str(caught.value)

    def test_a_file_that_is_none(self, app: GradioApp, tmp_path: Path) -> None:
        draw = offered("draw", {"prompt": "text"}, "image")
        with pytest.raises(ToolError, match="no picture that can be read"):
            run(draw, self.program(app, "nonsense"), tmp_path)

    def test_what_an_app_cannot_take(self, app: GradioApp, tmp_path: Path) -> None:
        sing = offered("sing", {"text": "text", "audio": "audio"}, "audio")
        with pytest.raises(ToolError, match="no function that fits sing"):
            run(sing, self.program(app), tmp_path)

    def test_a_stop_ends_the_work_there_too(self, app: GradioApp, tmp_path: Path) -> None:
        stop = threading.Event()

        def report(fraction: float, words: str) -> None:
            if app.seen:
                stop.set()

        say = offered("say", {"text": "text"}, "text")
        with pytest.raises(Cancelled):
            run(say, self.program(app, "slow"), tmp_path, stop, report)
        wait_until(lambda: ["slow ended"] in app.seen)
        assert app.seen == [["slow", "Three boats."], ["slow ended"]]

    def test_nobody_there(self, tmp_path: Path) -> None:
        say = offered("say", {"text": "text"}, "text")
        for address in ("http://127.0.0.1:9", "http://127.0.0.1:9/app#/predict"):
            with pytest.raises(ToolError, match="could not be reached") as caught:
                run(say, HostedTool(address, "gradio", KEY), tmp_path)
            assert not is_transient(caught.value)

    @pytest.mark.parametrize(
        ("config", "told"),
        [
            ({"version": "6.0.0", "api_prefix": "http://127.0.0.1:9/"}, "no Gradio app"),
            ({"version": "3.50.2", "dependencies": []}, "no Gradio app"),
            ({"hello": "world"}, "no Gradio app"),
            ([1, 2], "no Gradio app"),
        ],
    )
    def test_what_is_no_app_or_sends_elsewhere(
        self, tmp_path: Path, config: Any, told: str
    ) -> None:
        say = offered("say", {"text": "text"}, "text")
        with running(InferenceServer()) as server:
            server.answer = lambda received: as_json(config)  # type: ignore[method-assign]
            with pytest.raises(ToolError, match=told):
                run(say, HostedTool(server.address, "gradio", KEY), tmp_path)
            asked = {received.path for received in server.received}
            assert asked == {"/config"}

    def test_a_key_that_lies_on_this_machine_is_not_sent(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HF_TOKEN", "hf_that_lies_here")
        say = offered("say", {"text": "text"}, "text")
        with running(InferenceServer()) as server:
            for key in ("", KEY):
                server.answer = lambda received: as_json({}, 401)  # type: ignore[method-assign]
                with pytest.raises(ToolError, match="refused the key"):
                    run(say, HostedTool(server.address, "gradio", key), tmp_path)
            first, second = (str(received.headers) for received in server.received)
        assert "hf_that_lies_here" not in first + second
        assert KEY not in first and KEY in second

    def test_a_file_elsewhere_is_not_fetched(self, tmp_path: Path) -> None:
        class Client:
            src = src_prefixed = "http://127.0.0.1:9/"
            headers: Mapping[str, str] = {}

        for file in ({"path": "", "url": "http://127.0.0.1:10/x"}, {"url": "file:///etc/passwd"}):
            with pytest.raises(ToolError, match="for safety's sake"):
                gradio_apps._fetched(file, "picture", Client(), Context(folder=tmp_path))


class TestInferenceEndpoint:
    @pytest.fixture
    def server(self) -> Iterator[InferenceServer]:
        with running(InferenceServer()) as made:
            assert isinstance(made, InferenceServer)
            yield made

    def program(self, server: InferenceServer, path: str) -> HostedTool:
        return HostedTool(f"{server.address}/{path}", "endpoint", KEY)

    def test_words_alone(self, server: InferenceServer, tmp_path: Path) -> None:
        say = offered("say", {"text": "text"}, "text", {"length": 5})
        program = self.program(server, "text")
        assert run(say, program, tmp_path) == "Three red boats."
        run(say, program, tmp_path, length=7)
        first, second = (received.json for received in server.received)
        assert first == {"inputs": "Three boats."}
        assert second == {"inputs": "Three boats.", "parameters": {"length": 7}}
        assert server.received[0].headers["accept"] == "application/json"

    @pytest.mark.parametrize(
        ("takes", "sent"),
        [
            (
                {"text": "text", "question": "text"},
                {"inputs": {"question": "Three boats.", "context": "Three boats."}},
            ),
            (
                {"text": "text", "language": "text"},
                {"inputs": "Three boats.", "parameters": {"tgt_lang": "Three boats."}},
            ),
        ],
    )
    def test_several_words(
        self, server: InferenceServer, tmp_path: Path, takes: Mapping[str, str], sent: Any
    ) -> None:
        run(offered("say", takes, "text"), self.program(server, "text"), tmp_path)
        assert server.received[0].json == sent

    def test_a_file_alone_goes_as_it_is(self, server: InferenceServer, tmp_path: Path) -> None:
        kinds = offered("kinds", {"image": "image"}, "category")
        found = run(kinds, self.program(server, "category"), tmp_path)
        assert found == (Label("ship", 0.9), Label("boat", 0.8))
        hear = offered("hear", {"audio": "audio"}, "text")
        run(hear, self.program(server, "text"), tmp_path)
        picture, sound = server.received
        assert picture.headers["content-type"] == "image/jpeg"
        assert picture.body.startswith(b"\xff\xd8")
        assert sound.headers["content-type"] == "audio/wav" and sound.body.startswith(b"RIFF")

    @pytest.mark.parametrize(
        ("takes", "gives", "names"),
        [
            ({"image": "image", "prompt": "text"}, "image", {"prompt"}),
            (
                {"image": "image", "mask": "mask", "prompt": "text"},
                "image",
                {"prompt", "mask_image"},
            ),
            ({"image": "image", "query": "text"}, "bbox", {"candidate_labels"}),
        ],
    )
    def test_a_picture_with_words(
        self,
        server: InferenceServer,
        tmp_path: Path,
        takes: Mapping[str, str],
        gives: str,
        names: set[str],
    ) -> None:
        made = run(offered("change", takes, gives), self.program(server, gives), tmp_path)
        sent = server.received[0].json
        assert set(sent["parameters"]) == names
        assert base64.b64decode(sent["inputs"]).startswith(b"\xff\xd8")
        if gives == "bbox":
            assert made == (Box(2, 3, 40, 30, "boat", 0.8),)
        else:
            assert made.size == (96, 64)
            assert server.received[0].headers["accept"] == "image/png"

    def test_a_question_about_a_picture(self, server: InferenceServer, tmp_path: Path) -> None:
        ask = offered("ask", {"image": "image", "question": "text"}, "text")
        run(ask, self.program(server, "text"), tmp_path, question="What?")
        sent = server.received[0].json
        assert sent["inputs"]["question"] == "What?" and set(sent) == {"inputs"}

    @every_case(
        ("gives", "reply"),
        [
            ("text", as_json({"text": "Three boats."})),
            ("text", as_json("Three boats.")),
            ("text", Reply(b"Three boats.", "text/plain")),
            ("text", as_json({"answer": "Three boats.", "score": 0.5})),
            ("image", as_json({"image": base64.b64encode(png(drawn())).decode()})),
            ("image", as_json([{"generated_image": base64.b64encode(png(drawn())).decode()}])),
            ("depth", as_json({"depth": base64.b64encode(png(drawn())).decode()})),
            ("audio", Reply(sound_file(), "audio/wav")),
            ("audio", as_json([{"blob": base64.b64encode(sound_file()).decode()}])),
            ("number", as_json({"answer": 3})),
        ],
    )
    def test_answers_in_their_usual_forms(
        self, server: InferenceServer, tmp_path: Path, gives: str, reply: Reply
    ) -> None:
        server.replies = [reply]
        made = run(offered("do", {"text": "text"}, gives), self.program(server, gives), tmp_path)
        if gives in ("image", "depth"):
            assert np.array_equal(np.asarray(made), np.asarray(drawn()))
        elif gives == "audio":
            assert abs(made.seconds - 0.5) < 0.01
        else:
            assert made == (3 if gives == "number" else "Three boats.")

    @every_case(
        ("gives", "reply"),
        [
            ("text", as_json({"scores": []})),
            ("text", as_json([])),
            ("text", Reply(b"{", "application/json")),
            ("text", Reply(b"[" * 100_000, "application/json")),
            ("number", as_json("many")),
            ("number", as_json("nan")),
            ("category", as_json([{"label": 3}])),
            ("image", as_json({"image": "!"})),
            ("image", Reply(b"<html>", "text/html")),
            ("image", as_json({"other": 1})),
            ("audio", Reply(b"no sound", "audio/wav")),
            ("video", Reply(sound_file(), "video/mp4")),
        ],
    )
    def test_answers_that_are_none(
        self, server: InferenceServer, tmp_path: Path, gives: str, reply: Reply
    ) -> None:
        server.replies = [reply]
        with pytest.raises(ToolError, match="sent"):
            run(offered("do", {"text": "text"}, gives), self.program(server, gives), tmp_path)

    def test_boxes_that_are_no_boxes_are_left_out(
        self, server: InferenceServer, tmp_path: Path
    ) -> None:
        boxes = [
            {"box": {"xmin": -5, "ymin": 0, "xmax": 500, "ymax": 20}, "score": 7, "label": " a "},
            {"box": [1, 2, 3]},
            {"box": {"xmin": "1", "ymin": 0, "xmax": 5, "ymax": 20}},
            {"box": [9, 9, 9, 12]},
            {"x": 1},
            "nothing",
        ]
        server.replies = [as_json(boxes)]
        find = offered("find", {"image": "image"}, "bbox")
        found = run(find, self.program(server, "bbox"), tmp_path)
        assert found == (Box(0, 0, 96, 20, "a", 1.0),)

    @every_case(
        ("reply", "told", "times"),
        [
            (as_json({"error": "no"}, 401), "refused the key", 1),
            (as_json({"error": "no"}, 404), "no inference endpoint at this address", 1),
            (as_json({"error": "loading", "estimated_time": 0.05}, 503), "still starting", 3),
            (as_json({"error": "loading", "estimated_time": 90}, 503), "still starting", 1),
            (as_json({}, 429, retry_after="60"), "asks to wait 60 seconds", 1),
            (as_json([], 500), "fault of its own", 3),
            (as_json({"error": f"bad {KEY}"}, 400), r"\(400\): “bad …”", 1),
            (
                Reply(b"", "text/html", 302, {"Location": "http://127.0.0.1:9"}),
                "moved elsewhere",
                1,
            ),
        ],
    )
    def test_faults(
        self, server: InferenceServer, tmp_path: Path, reply: Reply, told: str, times: int
    ) -> None:
        server.received.clear()
        server.replies = [reply] * 3
        say = offered("say", {"text": "text"}, "text")
        with pytest.raises(ToolError, match=told) as caught:
            run(say, self.program(server, "text"), tmp_path)
        assert len(server.received) == times and KEY not in str(caught.value)
        assert not is_transient(caught.value)

    @every_case("address", ["ftp://127.0.0.1", "here", "file:///etc/passwd"])
    def test_addresses_that_are_none(self, tmp_path: Path, address: str) -> None:
        with pytest.raises(ToolError, match="no address of an inference endpoint"):
            run(offered("say", {"text": "text"}, "text"), HostedTool(address, "endpoint"), tmp_path)

    def test_nobody_there_and_what_cannot_be_sent(self, tmp_path: Path) -> None:
        gone = HostedTool("http://127.0.0.1:9/x", "endpoint")
        with pytest.raises(ToolError, match="could not be reached"):
            run(offered("say", {"text": "text"}, "text"), gone, tmp_path)
        both = offered("mix", {"image": "image", "audio": "audio"}, "video")
        with pytest.raises(ToolError, match="several files"):
            run(both, gone, tmp_path)
        places = offered("places", {"places": "point"}, "text")
        with pytest.raises(ToolError, match="cannot be given"):
            run(places, gone, tmp_path, places=())

    def test_without_a_key_none_is_sent(self, server: InferenceServer, tmp_path: Path) -> None:
        with pytest.raises(ToolError, match="refused the key"):
            run(
                offered("say", {"text": "text"}, "text"),
                HostedTool(f"{server.address}/text", "endpoint"),
                tmp_path,
            )
        assert "authorization" not in server.received[0].headers
        assert json.loads(server.received[0].body) == {"inputs": "Three boats."}
