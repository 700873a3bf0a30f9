"""Settings, and what tools may use with them."""

from __future__ import annotations

import pytest

from controlllm.models.weights import MANIFEST, Weights
from controlllm.settings import Settings
from controlllm.toolbox.capabilities import ALONE, Capabilities, HostedTool
from tests.every_case import every_case

KEY = "sk-secret-of-the-tests"
SMALL = Weights("someone/small", "MIT", 10)
USUAL = Weights("someone/usual", "MIT", 20)
LARGE = Weights("someone/large", "MIT", 30)


def test_without_settings_nothing_may_leave_the_machine():
    assert Settings().capabilities == ALONE
    assert ALONE.endpoint is None
    assert not ALONE.public_services


def test_a_language_model_alone_gets_no_files():
    assert Settings(api_key=KEY).capabilities.endpoint is None


def test_tools_may_use_the_same_address():
    endpoint = Settings(api_key=KEY, model="m", tools_use_endpoint=True).capabilities.endpoint
    assert (endpoint.api_key, endpoint.chat_model) == (KEY, "m")
    assert endpoint.image_model and endpoint.speech_model and endpoint.transcription_model
    assert KEY not in repr(endpoint)


def test_the_models_of_an_address_of_ones_own_have_to_be_named():
    settings = Settings("http://localhost:1/v1", tools_use_endpoint=True, speech_model="piper")
    endpoint = settings.capabilities.endpoint
    assert (endpoint.image_model, endpoint.speech_model) == ("", "piper")


def test_a_permission_without_a_model_opens_nothing():
    assert Settings(tools_use_endpoint=True).capabilities.endpoint is None


def test_the_key_of_a_program_elsewhere_is_in_no_printed_form():
    hosted = {"text_to_image": HostedTool("https://x.example", "gradio", KEY)}
    assert KEY not in repr(Settings(hosted=hosted))


@every_case(
    ("preference", "order"),
    [
        ("private", ("hub", "embedded", "cloud")),
        ("quality", ("cloud", "hub", "embedded")),
        ("fast", ("embedded", "cloud", "hub")),
    ],
)
def test_what_matters_most_orders_the_runtimes(preference, order):
    assert Settings(preference=preference).runtimes == order


def test_choices_that_there_are_not_are_refused():
    with pytest.raises(ValueError, match="no preference 'cheap'; choose one of private"):
        Settings(preference="cheap")
    with pytest.raises(ValueError, match="no size 'huge'"):
        Settings(weights_size="huge")
    with pytest.raises(ValueError, match="no agent 'oracle'; choose one of sum2act, react, dfsdt"):
        Settings(agent="oracle")


def test_one_request_may_be_acted_on_by_another_agent_than_is_set():
    settings = Settings(divide_first=True)
    assert settings.acting_by(None) == settings
    acting = settings.acting_by("react", divide_first=False)
    assert (acting.manner, acting.agent, acting.divide_first) == ("act", "react", False)
    said = {"CONTROLLLM_AGENT": "dfsdt", "CONTROLLLM_DIVIDE_FIRST": "1"}
    known = Settings.from_environment(said)
    assert (known.agent, known.divide_first, known.manner) == ("dfsdt", True, "plan")


def test_the_environment_says_all_of_it():
    settings = Settings.from_environment(
        {
            "OPENAI_API_KEY": KEY,
            "CONTROLLLM_PREFERENCE": "fast",
            "CONTROLLLM_TOOLS_USE_ENDPOINT": "1",
            "CONTROLLLM_IMAGE_MODEL": "painter",
            "CONTROLLLM_SPEECH_VOICE": "joe",
            "CONTROLLLM_PUBLIC_SERVICES": "1",
            "CONTROLLLM_WEIGHTS_SIZE": "small",
            "CONTROLLLM_GO_ON": "asked",
            "CONTROLLLM_STOP_WHEN_LEFT": "1",
        }
    )
    assert settings.preference == "fast"
    assert settings.go_on == "asked" and settings.stop_when_left
    capabilities = settings.capabilities
    assert capabilities.endpoint.image_model == "painter"
    assert capabilities.endpoint.speech_voice == "joe"
    assert capabilities.public_services
    assert capabilities.weights_size == "small"
    assert Settings.from_environment({}) == Settings()


def test_the_mark_tells_settings_apart_and_tells_no_key():
    usual = Settings()
    assert usual.mark == Settings(go_on="asked", stop_when_left=True).mark
    others = [
        Settings(public_services=True),
        Settings(preference="fast"),
        Settings(api_key="one"),
        Settings("http://localhost/v1"),
        Settings("http://localhost/v1", "one"),
    ]
    assert len({usual.mark, *(item.mark for item in others)}) == len(others) + 1
    assert Settings(api_key="one").mark == Settings(api_key="other").mark


def test_there_is_no_other_way_to_go_on():
    with pytest.raises(ValueError, match="itself, asked"):
        Settings.from_environment({"CONTROLLLM_GO_ON": "never"})


class TestChosenWeights:
    CHOICES = {"model": {"small": SMALL, "usual": USUAL, "large": LARGE}}  # noqa: RUF012

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path, monkeypatch):
        monkeypatch.setenv("CONTROLLLM_MODELS", str(tmp_path))

    def fetch(self, weights):
        weights.folder.mkdir()
        (weights.folder / MANIFEST).write_text("{}")

    @every_case(("size", "wanted"), [("small", SMALL), ("usual", USUAL), ("large", LARGE)])
    def test_the_preferred_size_is_what_is_asked_for(self, size, wanted):
        assert Capabilities(weights_size=size).weights_of(self.CHOICES) == {"model": wanted}

    def test_another_size_that_is_here_will_do(self):
        self.fetch(SMALL)
        assert Capabilities().weights_of(self.CHOICES) == {"model": SMALL}
        self.fetch(USUAL)
        assert Capabilities().weights_of(self.CHOICES) == {"model": USUAL}

    def test_the_usual_size_stands_in_where_there_is_no_other(self):
        only = {"model": {"usual": USUAL}}
        assert Capabilities(weights_size="large").weights_of(only) == {"model": USUAL}
