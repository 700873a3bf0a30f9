from __future__ import annotations

import numpy as np
import PIL.Image
import pytest

from controlllm.language.asking import Asker
from controlllm.language.endpoint import ChatEndpoint
from controlllm.language.kinds import Kinds
from controlllm.planning.graph import ToolGraph
from controlllm.runs.assistant import Assistant
from controlllm.store import Store
from controlllm.store.handed_over import add_file
from controlllm.toolbox import Toolbox
from tests.language.scripted_server import KEY, serving


@pytest.fixture
def server():
    with serving() as found:
        yield found


@pytest.fixture
def endpoint(server):
    return ChatEndpoint(server.base_url, KEY, "small-model")


@pytest.fixture
def told():
    """The events that an asker tells."""
    return []


@pytest.fixture
def asker(endpoint, told):
    return Asker(endpoint, told.append)


def entry(name, description, args, returned, domain="general"):
    """A tool of a catalogue; `args` are pairs of names and types, the optional ones with a "?"."""
    return {
        "name": name,
        "description": description,
        "domain": domain,
        "args": [
            {"name": key, "type": kind.strip("?"), "optional": kind.endswith("?")}
            for key, kind in args
        ],
        "returns": [{"name": "result", "type": returned}],
    }


def kinds_of(*tools):
    """The kinds of a toolbox with tools as (name, domain, types taken, type made)."""
    return Kinds(
        ToolGraph(
            Toolbox.from_catalogue(
                [
                    entry(name, "It does.", [(f"the_{kind}", kind) for kind in takes], made, domain)
                    for name, domain, takes, made in tools
                ]
            )
        )
    )


class Talk:
    """An assistant with a picture, and a server that plays the language model."""

    def __init__(self, folder, planner, server, name):
        self.server = server
        self.assistant = Assistant(planner.graph.toolbox, Store(folder / "home"), planner=planner)
        self.id = self.assistant.open_session(None).id
        path = folder / "a.png"
        PIL.Image.fromarray(np.zeros((20, 30, 3), np.uint8)).save(path)
        self.value = add_file(self.assistant.store, self.id, path, name)[0].value
