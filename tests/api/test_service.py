"""Conversations of programs: kept, passing, limited; each token's own."""

from __future__ import annotations

import pytest

from controlllm.admission.shared import Shared
from controlllm.api.service import Service, failure_of
from controlllm.api.tokens import Tokens
from controlllm.core.session import handle_of
from controlllm.resources import Text
from controlllm.runs.assistant import Assistant
from controlllm.settings import Settings
from controlllm.settings.quotas import LimitReached, Quotas
from controlllm.store import Store
from controlllm.toolbox import Toolbox, tool


@pytest.fixture
def served(tmp_path):
    quotas, store, tokens = Quotas(), Store(tmp_path), Tokens(tmp_path)
    assistant = Assistant(Toolbox.of([]), store)
    service = Service(assistant, tokens, Shared.of(store, quotas))
    yield service, *(tokens.of(tokens.add(name)) for name in ("Ada", "Ben"))
    store.close()


def test_what_was_opened_for_one_request_makes_room_for_others(served):
    service, ada, ben = served
    kept, theirs = service.open(ada), service.open(ben, passing=True)
    passing = [service.open(ada, passing=True) for _ in range(100)]
    left = {handle for handle, _, _ in service.sessions(ada)}
    assert left == {handle_of(kept.id), *(handle_of(session.id) for session in passing[-60:])}
    assert service.session(ben, handle_of(theirs.id)).id == theirs.id
    with pytest.raises(KeyError):
        service.session(ada, handle_of(theirs.id))
    with pytest.raises(KeyError):
        service.assistant.store.load(passing[0].id)


def test_a_token_has_so_many_conversations_and_no_more(served):
    service, ada, ben = served
    for _ in range(60):
        service.open(ada)
    with pytest.raises(LimitReached, match=r"in a\s+minute"):
        service.open(ada)
    service.open(ben)


def test_what_is_deleted_is_nobodys(served):
    service, ada, _ = served
    handle = handle_of(service.open(ada).id)
    service.delete(ada, handle)
    assert service.sessions(ada) == []
    with pytest.raises(KeyError):
        service.delete(ada, handle)


async def test_a_call_of_one_tool_is_made_once_and_by_no_agent(tmp_path):
    calls = []

    @tool(domain="general", examples=["Break it."])
    def breaks(text: Text) -> Text:
        """Lose the connection."""
        calls.append(text)
        raise ConnectionError

    quotas, store, tokens = Quotas(), Store(tmp_path), Tokens(tmp_path)
    settings = Settings(manner="act", act_when_stuck=True)
    assistant = Assistant(Toolbox.of([breaks]), store, settings)
    service = Service(assistant, tokens, Shared.of(store, quotas))
    token = tokens.of(tokens.add("Ada"))
    called = assistant.toolbox["breaks"]
    work = await service.call(token, service.open(token), called, {"text": "this"})
    await work.until_ended()
    assert calls == ["this"] and len(work.failures) == 1
    assert not any('"AgentActed"' in line or '"RoleFellBack"' in line for line in work.lines)
    assert "could not reach what it needs" in failure_of(work)[0]
    store.close()


def test_a_conversation_that_cannot_be_read_can_be_deleted(served):
    service, ada, ben = served
    session = service.open(ada)
    with service.assistant.store._database.transaction() as connection:
        connection.execute("UPDATE sessions SET content = '{'")
    with pytest.raises(KeyError):
        service.delete(ben, handle_of(session.id))
    service.delete(ada, handle_of(session.id))
    assert service.sessions(ada) == []
