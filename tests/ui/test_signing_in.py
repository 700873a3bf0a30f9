"""The page of a server with accounts: nobody gets in without one, and each keeps what is theirs."""

from __future__ import annotations

import asyncio

import gradio as gr
import pytest
from starlette.testclient import TestClient

from controlllm.accounts import accounts_from_environment
from controlllm.accounts.password_file import PasswordFile
from controlllm.resources.probing import BadInput
from controlllm.runs.assistant import Assistant
from controlllm.store import Store
from controlllm.toolbox import Toolbox
from controlllm.ui.dialogs.settings import SettingsDialog
from controlllm.ui.handlers import Handlers
from controlllm.ui.owned import Owners
from controlllm.ui.signing_in import COOKIE
from controlllm.ui.verbs.settings import model_tried, set_fields
from tests.accounts.provider import CLIENT, SECRET, provided
from tests.every_case import every_case
from tests.ui.conftest import built
from tests.ui.person import Person

GOOD = "correct horse battery"


@pytest.fixture(scope="module")
def provider():
    with provided() as server:
        yield server


@pytest.fixture(scope="module")
def served(tmp_path_factory, provider):
    home = tmp_path_factory.mktemp("home")
    accounts = accounts_from_environment(
        home,
        {
            "CONTROLLLM_ACCOUNTS": "password, openid",
            "CONTROLLLM_OPENID_ISSUER": provider.issuer,
            "CONTROLLLM_OPENID_CLIENT_ID": CLIENT,
            "CONTROLLLM_OPENID_CLIENT_SECRET": SECRET,
            "CONTROLLLM_OPENID_ADDRESS": "http://127.0.0.1:7860",
        },
    )
    assert accounts is not None and accounts.passwords is not None
    accounts.passwords.add("ada", GOOD, "operator")
    accounts.passwords.add("ben", GOOD)
    accounts.passwords.add("eve", GOOD)
    store = Store(home)
    with pytest.MonkeyPatch.context() as kept:
        kept.setenv("GRADIO_TEMP_DIR", "")
        yield asyncio.run(built(Assistant(Toolbox.of([]), store), accounts=accounts))
    store.close()


def browser(served) -> TestClient:
    return TestClient(served, base_url="http://127.0.0.1:7860", follow_redirects=False)


def signed_in(served, name: str) -> TestClient:
    client = browser(served)
    answer = client.post("/sign-in", data={"name": name, "password": GOOD})
    assert answer.status_code == 303 and answer.headers["location"] == "/"
    return client


def person_of(served, client: TestClient) -> Person:
    """Whoever has signed in with a browser, in a conversation of theirs."""
    conversations = served.state.conversations
    accounts = next(
        one.kwargs["accounts"] for one in served.user_middleware if "accounts" in one.kwargs
    )
    logins = accounts.logins(conversations.assistant.store.sign_ins)
    account = logins.account(client.cookies[COOKIE])
    assert account is not None
    return Person(conversations, account=account)


def sees(client: TestClient, person: Person) -> bool:
    """Whether a browser gets what belongs to somebody's conversation."""
    answer = client.get(f"/conversations/{person.handle}/shared")
    assert answer.status_code in (200, 404)
    return answer.status_code == 200


def test_who_has_not_signed_in_gets_the_way_in_and_nothing_else(served):
    client = browser(served)
    there = client.get("/")
    assert there.status_code == 303 and there.headers["location"] == "/sign-in"
    for method, path in (
        ("POST", "/gradio_api/queue/join"), ("POST", "/gradio_api/upload"), ("GET", "/config"),
        ("POST", "/gradio_api/component_server"), ("GET", "/gradio_api/queue/data"),
        ("GET", "/gradio_api/info"), ("GET", "/media/x/y"), ("GET", "/nowhere"),
    ):  # fmt: skip
        answer = client.request(method, path, json={})
        assert answer.status_code == 401 and "sign in" in answer.json()["detail"]
    shown = client.get("/sign-in")
    assert shown.status_code == 200 and 'name="password"' in shown.text
    assert "form-action 'self'" in shown.headers["content-security-policy"]
    assert client.get("/page/style.css").status_code == client.get("/health").status_code == 200


def test_a_wrong_password_says_no_more_than_that(served):
    client = browser(served)
    for name in ("ben", "nobody"):
        answer = client.post("/sign-in", data={"name": name, "password": "not this one"})
        assert answer.status_code == 403 and "do not belong together" in answer.text
        assert "set-cookie" not in answer.headers


def test_a_persons_conversations_are_theirs_in_each_browser(served):
    first, second, other = (signed_in(served, name) for name in ("ben", "ben", "eve"))
    ben = person_of(served, first)
    assert sees(first, ben) and sees(second, ben) and not sees(other, ben)
    assert ben.session_id in person_of(served, second).visitor.ids
    assert ben.session_id not in person_of(served, other).visitor.ids
    line = Handlers(ben.conversations, Owners()).account(gr.Request(ben.request))
    assert "ben" in line["parts"][0] and "sign-out" in line["parts"][0]


def test_uploads_are_their_owners_in_each_of_their_browsers_and_nobody_elses(served):
    first, second, other = (signed_in(served, name) for name in ("ben", "ben", "eve"))
    sent = {"files": ("a.txt", b"words of ben", "text/plain")}
    (path,) = first.post("/gradio_api/upload", files=sent).json()
    found = [one.get(f"/gradio_api/file={path}").status_code for one in (first, second, other)]
    assert found == [200, 200, 404]


def test_only_an_operator_sets_addresses_and_these_are_public_ones(served):
    visitor, operator = (person_of(served, signed_in(served, name)) for name in ("ben", "ada"))
    sent = {"base_url": "https://1.1.1.1/v1", "model": "m"}
    with pytest.raises(BadInput, match="whoever runs this server"):
        set_fields(visitor.call(), sent)
    assert set_fields(operator.call(), sent).base_url == "https://1.1.1.1/v1"
    for address in (
        *("http://127.0.0.1:11434/v1", "http://169.254.169.254/latest", "http://[::1]:8080/v1"),
        *("http://2130706433/v1", "http://10.0.0.7/v1", "http://localhost:8080/v1"),
        *("http://user:pw@1.1.1.1/v1", "http://1.1.1.1:22/v1"),
    ):
        hosted = {"hosted_address": address, "hosted_tool": "translation"}
        for act in (
            lambda sent={"base_url": address}: set_fields(operator.call(), sent),
            lambda sent=hosted: set_fields(operator.call(), sent),
            lambda sent={"base_url": address}: model_tried(operator.call(), sent),
        ):
            with pytest.raises(BadInput):
                act()
    assert operator.conversations.settings(operator.session_id).base_url == sent["base_url"]


def passwords_of(served) -> PasswordFile:
    kept = served.user_middleware
    return next(one.kwargs["accounts"] for one in kept if "accounts" in one.kwargs).passwords


def copied(served, client: TestClient) -> TestClient:
    """Another browser with the same cookies, as somebody has who has copied them."""
    other = browser(served)
    other.cookies.update(client.cookies)
    assert other.get("/").status_code == 200
    return other


def test_signing_out_ends_it_also_for_who_has_copied_the_cookie(served):
    client, elsewhere = signed_in(served, "eve"), signed_in(served, "eve")
    thief = copied(served, client)
    assert client.post("/sign-in/out").status_code == 303
    for gone in (client, thief):
        assert gone.get("/").headers["location"] == "/sign-in"
    assert elsewhere.get("/").status_code == 200


def test_another_password_ends_all_that_was_signed_in_with_the_old_one(served):
    clients = [signed_in(served, "eve") for _ in range(2)]
    passwords_of(served).add("eve", GOOD)
    assert [client.get("/").status_code for client in clients] == [303, 303]


def test_who_gets_a_removed_accounts_name_gets_nothing_of_it(served):
    client = signed_in(served, "eve")
    eve = person_of(served, client)
    assert sees(client, eve)
    passwords_of(served).remove("eve")
    assert client.get("/").status_code == 303
    passwords_of(served).add("eve", GOOD)
    assert client.get("/").status_code == 303
    successor = signed_in(served, "eve")
    assert not sees(successor, eve)
    assert eve.session_id not in person_of(served, successor).visitor.ids


def test_somebody_comes_in_by_way_of_the_provider(served):
    import httpx

    client = browser(served)
    onwards = client.post("/sign-in/begin")
    assert onwards.status_code == 200
    address = onwards.text.split("url=")[1].split('"')[0].replace("&amp;", "&")
    returned = httpx.get(address).headers["location"].removeprefix("http://127.0.0.1:7860")
    came = client.get(returned)
    assert came.status_code == 303, came.text
    account = person_of(served, client).call().account
    assert account is not None and (account.shown, account.role) == ("Ada Lovelace", "visitor")
    # Another browser cannot end what this one began.
    assert browser(served).get(returned).status_code == 403


@every_case(
    "wanted",
    [
        {"CONTROLLLM_ACCOUNTS": "ldap"},
        {"CONTROLLLM_ACCOUNTS": "openid"},
        {
            "CONTROLLLM_ACCOUNTS": "openid",
            "CONTROLLLM_OPENID_ISSUER": "http://login.example.org",
            "CONTROLLLM_OPENID_CLIENT_ID": "a",
            "CONTROLLLM_OPENID_CLIENT_SECRET": "b",
            "CONTROLLLM_OPENID_ADDRESS": "https://here.example.org",
        },
    ],
)
def test_what_is_missing_is_said_at_the_start(tmp_path, wanted):
    with pytest.raises(ValueError, match="CONTROLLLM_"):
        accounts_from_environment(tmp_path, wanted)


def test_without_being_asked_for_there_are_none(tmp_path):
    assert accounts_from_environment(tmp_path, {}) is None
    assert list(tmp_path.iterdir()) == []


def test_a_visitor_sees_the_address_and_cannot_type_one(served):
    # The settings are opened by what listens to the change of what opens.
    page = served.state.page
    opens = next(
        event.fn for event in page.demo.fns.values()
        if isinstance(getattr(event.fn, "__self__", None), SettingsDialog)
        and event.fn.__name__ == "open"
    )  # fmt: skip
    at = list(opens.__self__._fields).index("base_url")

    async def shown(person):
        request = gr.Request(person.request)
        drawn = await opens({"what": "settings", "find": ""}, person.handle, request)
        return drawn[4 + at]

    visitor, operator = (person_of(served, signed_in(served, name)) for name in ("ben", "ada"))
    seen = [asyncio.run(shown(one)) for one in (visitor, operator)]
    assert [one["interactive"] for one in seen] == [False, True]
    assert "whoever runs this server" in seen[0]["info"] and not seen[1]["info"]
