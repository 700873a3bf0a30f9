"""What the tests of the page share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from controlllm.runs.assistant import Assistant
from controlllm.store import Store
from controlllm.toolbox import Toolbox
from controlllm.ui.application import Served, create_app
from tests.ui.person import Person, conversations_of


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path / "home")
    yield made
    made.close()


@pytest.fixture
def person(store: Store) -> Person:
    """Somebody at a page without tools."""
    return Person(conversations_of(Assistant(Toolbox.of([]), store)))


async def built(assistant: Assistant, **options: Any) -> FastAPI:
    """An application; where no event loop runs Gradio leaves some behind."""
    return create_app(assistant, Served(**options))


@pytest.fixture(scope="session")
def application(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    """The whole page without tools: to build it takes seconds, so what asks it shares it."""
    store = Store(tmp_path_factory.mktemp("page"))
    with pytest.MonkeyPatch.context() as kept:
        # It says there where uploads lie.
        kept.setenv("GRADIO_TEMP_DIR", "")
        yield asyncio.run(built(Assistant(Toolbox.of([]), store)))
    store.close()


@pytest.fixture(scope="session")
def browser_of(application: FastAPI) -> Iterator[Callable[..., TestClient]]:
    """Makes browsers that have opened the page; each has its own cookies."""
    address = "http://127.0.0.1:7860"
    with TestClient(application, base_url=address, client=("127.0.0.1", 1)) as running:

        def made(**options: Any) -> TestClient:
            browser = TestClient(
                application, **{"base_url": address, "client": ("127.0.0.1", 1), **options}
            )
            browser.portal = running.portal  # one event loop, as a server has
            browser.get("/")
            return browser

        yield made
