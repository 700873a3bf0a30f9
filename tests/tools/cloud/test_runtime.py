"""Every way of every tool over the network, against servers here that speak the real protocols."""

from __future__ import annotations

import base64
import contextlib
import functools
import io
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest

from controlllm.engine.values import keep_value
from controlllm.resources import Box, ClickedPoint, Clip, Label, Region, Sound, details_of
from controlllm.store import Store
from controlllm.toolbox import (
    Argument,
    Cancelled,
    Context,
    Implementation,
    Tool,
    Toolbox,
    ToolError,
)
from controlllm.toolbox.capabilities import ALONE, Capabilities, CloudEndpoint, HostedTool
from tests.every_case import every_case
from tests.tools.cloud.servers import (
    KEY,
    GradioApp,
    InferenceServer,
    OpenAIServer,
    drawn,
    gradio_app,
    running,
    tone_samples,
)
from tests.tools.facts.test_lookup import FakeServices
from tests.tools.made_videos import make_video, tone
from tests.waiting import wait_until
from tools.cloud import calls, public_services, waiting
from tools.cloud.payloads import on_white
from tools.facts import encyclopedia, films, places_online, weather_report

TOOLBOX = Toolbox.load()
ALL = [
    implementation
    for _, implementations in sorted(TOOLBOX.implementations.items())
    for implementation in implementations
    if implementation.runtime == "cloud"
]


def first_of_each_kind() -> list[Implementation]:
    """A way for each server that is asked and each function that asks it."""
    found: dict[Any, Implementation] = {}
    for way in ALL:
        found.setdefault((way.check.__name__, way.function.__code__), way)  # type: ignore[union-attr]
    return list(found.values())


SERVICES = (
    *(encyclopedia.WIKIPEDIA, films.WIKIDATA),
    *(places_online.NOMINATIM, weather_report.FORECAST),
)
_PICTURES = (
    *("image", "segmentation", "edge", "line", "hed", "canny", "scribble", "pose", "depth"),
    "normal",
)

#: Words for arguments and tools whose words have to be of a kind.
_WORDS = {
    "question": "What lies on the lake?",
    "query": "the boat",
    "condition": "the boat",
    "language": "French",
    "labels": "boat, ship",
    "place": "Paris",
    "number": "42",
    "year": "What happened in 1848?",
    "date": "What happened on the 4th of July?",
    "title": "Casablanca",
}
_WORDS_FOR_TOOLS = {"wikipedia_simple_search": "Casablanca", "get_location": "Eiffel Tower"}

#: Tools that first look for what a picture is of; they are given one that is cut out.
_NEED_A_SUBJECT = ("replace_background",)
_TEXT = (
    "Three red boats lie on a calm lake near Geneva. Anna Miller paints them every morning, and in "
    "the evening she sells her pictures to visitors from all over the world. "
    "The oldest boat belonged to her grandfather, who caught fish with it for forty years. "
    "Its paint has faded, and its engine was taken out long ago. "
    "Last summer a museum in Lausanne asked for it, but she would not give it away. "
    "Instead she lent them the other two, which came back in the autumn with new sails."
)


@dataclass
class Network:
    """All servers, and the capabilities that name them."""

    endpoint: OpenAIServer
    inference: InferenceServer
    start_app: Callable[[], GradioApp]
    services: FakeServices
    video: Clip

    @functools.cached_property
    def app(self) -> GradioApp:
        """Started when it is first asked for: few tests need it."""
        return self.start_app()

    @property
    def is_app_started(self) -> bool:
        return "app" in self.__dict__

    def capabilities(self, kind: str = "gradio") -> Capabilities:
        def hosted(tool: Tool) -> HostedTool:
            if kind == "gradio":
                return HostedTool(self.app.address, "gradio", KEY)
            return HostedTool(f"{self.inference.address}/{_given_as(tool)}", "endpoint", KEY)

        return Capabilities(
            endpoint_at(self.endpoint.base_url),
            {tool.name: hosted(tool) for tool in TOOLBOX},
            public_services=True,
        )

    def asked(self) -> int:
        """How many requests came, to all servers."""
        servers = len(self.endpoint.received) + len(self.inference.received)
        apps = len(self.app.seen) if self.is_app_started else 0
        return servers + apps + len(self.services.asked)

    def clear(self) -> None:
        for server in (self.endpoint, self.inference):
            server.received.clear()
            server.replies.clear()
            server.left.clear()
            server.mode = ""
            server.on_request = lambda: None
        self.endpoint.refuses.clear()
        if self.is_app_started:
            self.app.clear()
        self.services.asked.clear()
        self.services.on_request = lambda: None
        calls.forget()
        public_services.forget()


def endpoint_at(address: str) -> CloudEndpoint:
    return CloudEndpoint(address, KEY, "seer", "painter", "speaker", "alloy", "listener")


def _given_as(tool: Tool) -> str:
    return "image" if tool.returns.type in _PICTURES else tool.returns.type


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Network]:
    folder = tmp_path_factory.mktemp("network")
    frames = [np.asarray(drawn(96, 64)) // (number + 1) for number in range(6)]
    video = make_video(folder / "clip.mp4", frames, sound=tone(0.24))
    hosted = [TOOLBOX[way.tool] for way in ALL if way.is_hosted]
    services = FakeServices()
    threading.Thread(target=services.serve_forever, args=(0.02,), daemon=True).start()
    kept = [(service, service.address, service.interval) for service in SERVICES]
    for service in SERVICES:
        # They are frozen and the defaults of many functions, so they are changed in place.
        object.__setattr__(service, "address", services.service().address)
        object.__setattr__(service, "interval", 0.0)
    with (
        running(OpenAIServer()) as endpoint,
        running(InferenceServer(video.path)) as inference,
        contextlib.ExitStack() as ended,
    ):

        def started() -> GradioApp:
            return ended.enter_context(gradio_app(hosted, video.path, folder))

        assert isinstance(endpoint, OpenAIServer) and isinstance(inference, InferenceServer)
        yield Network(endpoint, inference, started, services, video)
    for service, address, interval in kept:
        object.__setattr__(service, "address", address)
        object.__setattr__(service, "interval", interval)
    services.shutdown()
    services.server_close()


@pytest.fixture(autouse=True)
def _fresh(network: Network) -> Iterator[None]:
    network.clear()
    yield
    network.clear()


def sample(tool: Tool, argument: Argument, video: Clip) -> Any:
    """A value of an argument's type."""
    value = _sample(tool, argument, video)
    return [value, value] if argument.many else value


def _sample(tool: Tool, argument: Argument, video: Clip) -> Any:
    marked = np.zeros((64, 96), bool)
    marked[10:40, 20:60] = True
    match argument.type:
        case "mask":
            return (Region(marked, "boat", 0.9),)
        case "bbox":
            return (Box(20, 10, 60, 40, "boat", 0.9),)
        case "point":
            return (ClickedPoint(30, 20),)
        case "audio":
            return Sound(tone_samples()[:, None], 24_000)
        case "video":
            return video
        case "category":
            return (Label("boat", 0.9),)
        case "tags":
            return ("boat", "lake")
        case "number":
            return 3.0
        case kind if kind in _PICTURES:
            return cut_out() if tool.name in _NEED_A_SUBJECT else drawn()
    words = _WORDS_FOR_TOOLS.get(tool.name) or _WORDS.get(argument.name)
    if words is None and argument.name in ("prompt", "instruction", "style"):
        words = "a red boat on a lake"
    return words or _TEXT


def cut_out() -> PIL.Image.Image:
    """The picture, see-through but for a disc in its middle."""
    across, down = np.meshgrid(np.arange(96) - 48, np.arange(64) - 32)
    levels = np.where(across**2 + down**2 < 500, 255, 0).astype(np.uint8)
    picture = drawn()
    picture.putalpha(PIL.Image.fromarray(levels))
    return picture


def inputs_of(tool: Tool, video: Clip) -> dict[str, Any]:
    inputs = {argument.name: sample(tool, argument, video) for argument in tool.args}
    return {**inputs, **{item.name: item.default for item in tool.parameters}}


def run(
    implementation: Implementation,
    network: Network,
    folder: Path,
    capabilities: Capabilities,
    stop: threading.Event | None = None,
) -> Any:
    tool = TOOLBOX[implementation.tool]
    context = Context(cancelled=stop, folder=folder, capabilities=capabilities)
    return implementation.run(inputs_of(tool, network.video), context)


def is_of_its_type(tool: Tool, value: Any, folder: Path) -> None:
    store = Store(folder / "store")
    try:
        kept = keep_value(tool, value, store, details_of)
        assert kept.type == tool.returns.type
    finally:
        store.close()


def pictures_sent(network: Network) -> list[PIL.Image.Image]:
    """All pictures that the endpoint and the inference servers were sent."""
    found = []
    for received in network.endpoint.received:
        found += [received.form["image"]] if "image" in received.form else []
        text = received.body.decode("latin-1") if received.json is not None else ""
        for inside in re.findall(r"data:image/\w+;base64,([A-Za-z0-9+/=]+)", text):
            found.append(base64.b64decode(inside))
    for received in network.inference.received:
        if received.headers["content-type"].startswith("image/"):
            found.append(received.body)
        elif received.json is not None:
            given = received.json["inputs"]
            given = given.get("image", "") if isinstance(given, dict) else given
            content = base64.b64decode(given) if " " not in given else b""
            if content[:3] in (b"\xff\xd8\xff", b"\x89PN"):
                found.append(content)
    return [PIL.Image.open(io.BytesIO(content)) for content in found]


def check_what_was_sent(tool: Tool, network: Network) -> None:
    for server in (network.endpoint, network.inference):
        for received in server.received:
            assert received.headers["authorization"] == f"Bearer {KEY}"
            assert KEY not in received.path and KEY.encode() not in received.body
            others = {name: told for name, told in received.headers.items()}
            del others["authorization"]
            assert KEY not in str(others)
    assert not [path for path in network.services.asked if KEY in path]
    if any(argument.type == "mask" for argument in tool.args):
        for received in network.endpoint.received:
            if "mask" in received.form:
                # What is marked is see-through; the picture lies in the middle of its frame.
                mask = np.asarray(PIL.Image.open(io.BytesIO(received.form["mask"])))[..., 3]
                height, width = mask.shape
                assert mask[round(height * 0.4), round(width * 0.4)] == 0
                assert mask[round(height * 0.9), round(width * 0.9)] == 255
    if any(argument.type == "image" for argument in tool.args) and not (
        network.is_app_started and network.app.seen
    ):
        shown = pictures_sent(network)
        assert shown, "the picture was not sent"
        # Whole or in a frame, it is the picture that was given.
        for picture in shown:
            small = np.asarray(on_white(picture).resize((48, 32))).astype(float)
            given = cut_out() if tool.name in _NEED_A_SUBJECT else drawn()
            wanted = np.asarray(on_white(given).resize((48, 32))).astype(float)
            assert np.corrcoef(small.ravel(), wanted.ravel())[0, 1] > 0.9


def test_there_are_ways_of_every_kind() -> None:
    checks = {way.check.__name__ for way in ALL}  # type: ignore[union-attr]
    assert checks >= {"needs_chat", "needs_images", "needs_speech", "needs_transcription"}
    assert checks >= {"check", "reason_not_allowed"}


@pytest.mark.long
@every_case("implementation", ALL)
def test_it_gives_what_the_tool_promises(
    implementation: Implementation, network: Network, tmp_path: Path
) -> None:
    network.clear()
    tool = TOOLBOX[implementation.tool]
    capabilities = network.capabilities()
    assert implementation.reason_unavailable(capabilities) is None
    is_of_its_type(tool, run(implementation, network, tmp_path, capabilities), tmp_path)
    assert network.asked()
    check_what_was_sent(tool, network)
    if not implementation.is_hosted:
        assert not implementation.deterministic
        return
    network.clear()
    capabilities = network.capabilities("endpoint")
    is_of_its_type(tool, run(implementation, network, tmp_path, capabilities), tmp_path)
    assert len(network.inference.received) == 1
    check_what_was_sent(tool, network)


@every_case("implementation", ALL)
def test_nothing_is_sent_without_leave(
    implementation: Implementation, network: Network, tmp_path: Path, monkeypatch: Any
) -> None:
    network.clear()
    monkeypatch.setenv("OPENAI_BASE_URL", network.endpoint.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    reason = implementation.reason_unavailable(ALONE)
    assert reason is not None and reason.startswith("needs ")
    try:
        run(implementation, network, tmp_path, ALONE)
    except ToolError as error:
        assert "needs" in str(error) or "not asked" in str(error)
    else:
        # Only what is reckoned here in any case.
        assert "not_allowed" in implementation.check.__name__  # type: ignore[union-attr]
    assert not network.asked()


def is_stopped(implementation: Implementation, network: Network, folder: Path) -> None:
    """The person stops as soon as a server has the request, which it never answers.

    So only the stop can end the run, long before the client gives up by itself with a fault. How
    soon is told by `test_a_stop_is_looked_for_all_the_time`, whose outcome hangs on no clock.
    """
    network.clear()
    stop = threading.Event()
    for server in (network.endpoint, network.inference, network.services):
        server.on_request = stop.set
    for server in (network.endpoint, network.inference):
        server.mode = "hang"
    with network.services.silent(), pytest.raises(Cancelled):
        run(implementation, network, folder, network.capabilities("endpoint"), stop)
    assert stop.is_set()
    if implementation.check is not public_services.reason_not_allowed:
        # The connection is given up too, so that the server can stop its work.
        wait_until(lambda: network.endpoint.left or network.inference.left)


@every_case("implementation", first_of_each_kind())
def test_a_stop_is_noticed(
    implementation: Implementation, network: Network, tmp_path: Path
) -> None:
    is_stopped(implementation, network, tmp_path)


def test_a_stop_is_looked_for_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    stop, answered = threading.Event(), threading.Event()
    wait, waited = waiting.wait, []

    def waits_a_little(futures: Any, seconds: float) -> Any:
        waited.append(seconds)
        if len(waited) == 3:
            stop.set()
        return wait(futures, 0)

    monkeypatch.setattr(waiting, "wait", waits_a_little)
    with pytest.raises(Cancelled):
        waiting.wait_for(answered.wait, Context(cancelled=stop))
    answered.set()
    assert len(waited) == 3 and max(waited) < 0.6


@pytest.mark.long
@every_case("implementation", ALL)
def test_a_stop_is_noticed_by_every_tool(
    implementation: Implementation, network: Network, tmp_path: Path
) -> None:
    """Tools that share a function with another one differ only in their words for the server."""
    is_stopped(implementation, network, tmp_path)
