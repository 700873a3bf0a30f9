"""What may be set: what is shown of it, what is taken, and what is kept from others."""

from __future__ import annotations

import pytest

from controlllm.resources.probing import BadInput
from controlllm.settings import Settings
from controlllm.toolbox.capabilities import HostedTool
from controlllm.ui.drawings.settings_panel import hosted_list
from controlllm.ui.verbs.settings import changed as settings_sent
from controlllm.ui.verbs.settings import fields_of

KEY = "sk-secret-of-the-tests"


def test_what_matters_most_is_asked_and_taken():
    shown = fields_of(Settings(preference="quality", public_services=True))
    assert shown["preference"] == "quality" and shown["public_services"] is True
    sent = {"preference": "fast", "weights_size": "large", "tools_use_endpoint": "on"}
    changed = settings_sent(Settings(public_services=True), sent)
    assert (changed.preference, changed.weights_size) == ("fast", "large")
    assert changed.tools_use_endpoint
    assert not changed.public_services
    with pytest.raises(BadInput, match="no preference"):
        settings_sent(Settings(), {"preference": "<script>"})


def test_programs_elsewhere_are_added_and_taken_away():
    sent = {
        "hosted_tool": "text_to_image",
        "hosted_address": "https://someone.example/app",
        "hosted_kind": "endpoint",
        "hosted_key": KEY,
    }
    settings = settings_sent(Settings(), sent)
    address = "https://someone.example/app"
    assert settings.hosted == {"text_to_image": HostedTool(address, "endpoint", KEY)}
    shown = hosted_list(settings, True)
    assert address in shown and 'data-tool="text_to_image"' in shown
    assert KEY not in shown
    # Who may not set it is not told where it is.
    assert address not in hosted_list(settings, False)
    assert settings_sent(settings, {"forget_hosted:text_to_image": "on"}).hosted == {}
    with pytest.raises(BadInput, match="https://"):
        settings_sent(settings, {**sent, "hosted_address": "file:///etc/passwd"})


def test_using_no_language_model_leaves_the_other_settings():
    settings = Settings("http://x/v1", KEY, preference="fast", public_services=True)
    changed = settings_sent(settings, {"forget": True})
    assert not changed.has_model
    assert (changed.preference, changed.public_services) == ("fast", True)


def test_who_decides_step_by_step_is_chosen_and_stays():
    assert fields_of(Settings())["agent"] == "sum2act"
    sent = {"agent": "dfsdt", "divide_first": "on", "acts": "on"}
    changed = settings_sent(Settings(), sent)
    assert (changed.agent, changed.divide_first, changed.manner) == ("dfsdt", True, "act")
    assert fields_of(changed)["agent"] == "dfsdt" and fields_of(changed)["acts"] is True
    without_model = settings_sent(changed, {"forget": True})
    assert (without_model.agent, without_model.divide_first) == ("dfsdt", True)
    with pytest.raises(BadInput, match="There is no agent 'oracle'"):
        settings_sent(Settings(), {"agent": "oracle"})
