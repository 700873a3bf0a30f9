"""The page of a server with accounts: nobody gets in without one, and each keeps what is theirs."""

from __future__ import annotations

import pytest
from controlllm.ui.server import create_app
from starlette.testclient import TestClient

from controlllm.accounts import accounts_from_environment
from controlllm.accounts.password_file import PasswordFile
from controlllm.runs.assistant import Assistant
from controlllm.store import Store
from controlllm.toolbox import Toolbox
from tests.accounts.provider import CLIENT, SECRET, provided
from tests.every_case import every_case

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
    yield create_app(Assistant(Toolbox.of([]), store), accounts=accounts)
    store.close()


def browser(served) -> TestClient:
    return TestClient(served, base_url="http://127.0.0.1:7860", follow_redirects=False)


def signed_in(served, name: str) -> TestClient:
    client = browser(served)
    answer = client.post("/sign-in", data={"name": name, "password": GOOD})
    assert answer.status_code == 303 and answer.headers["location"] == "/"
    return client


def opened(client: TestClient) -> dict:
    answer = client.post("/conversations", json={"handle": "", "new": False})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_who_has_not_signed_in_gets_the_way_in_and_nothing_else(served):
    client = browser(served)
    there = client.get("/")
    assert there.status_code == 303 and there.headers["location"] == "/sign-in"
    for method, path in (("POST", "/conversations"), ("GET", "/media/x/y"), ("GET", "/nowhere")):
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
    first, second = signed_in(served, "ben"), signed_in(served, "ben")
    handle = opened(first)["handle"]
    assert opened(second)["handle"] == handle
    assert opened(first)["account"] == {"shown": "ben", "role": "visitor"}
    other = signed_in(served, "eve")
    assert opened(other)["handle"] != handle
    assert other.get(f"/conversations/{handle}").status_code == 404


def test_only_an_operator_sets_addresses_and_these_are_public_ones(served):
    visitor, operator = signed_in(served, "ben"), signed_in(served, "ada")
    sent = {"base_url": "https://1.1.1.1/v1", "model": "m"}
    refused = visitor.post(f"/conversations/{opened(visitor)['handle']}/settings", json=sent)
    assert refused.status_code == 422 and "whoever runs this server" in refused.json()["detail"]
    at = f"/conversations/{opened(operator)['handle']}/settings"
    assert operator.post(at, json=sent).status_code == 200
    for address in (
        *("http://127.0.0.1:11434/v1", "http://169.254.169.254/latest", "http://[::1]:8080/v1"),
        *("http://2130706433/v1", "http://10.0.0.7/v1", "http://localhost:8080/v1"),
        *("http://user:pw@1.1.1.1/v1", "http://1.1.1.1:22/v1"),
    ):
        answer = operator.post(at, json={**sent, "base_url": address})
        assert answer.status_code == 422, address
        hosted = {**sent, "hosted_address": address, "hosted_tool": "translation"}
        assert operator.post(at, json=hosted).status_code == 422, address
        tried = operator.post(f"{at}/test", json={**sent, "base_url": address})
        assert tried.status_code == 422, address


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
    handle = opened(client)["handle"]
    passwords_of(served).remove("eve")
    assert client.get("/").status_code == 303
    passwords_of(served).add("eve", GOOD)
    assert client.get("/").status_code == 303
    successor = signed_in(served, "eve")
    assert opened(successor)["handle"] != handle
    assert successor.get(f"/conversations/{handle}").status_code == 404


def test_somebody_comes_in_by_way_of_the_provider(served):
    import httpx

    client = browser(served)
    onwards = client.post("/sign-in/begin")
    assert onwards.status_code == 200
    address = onwards.text.split("url=")[1].split('"')[0].replace("&amp;", "&")
    returned = httpx.get(address).headers["location"].removeprefix("http://127.0.0.1:7860")
    came = client.get(returned)
    assert came.status_code == 303, came.text
    assert opened(client)["account"] == {"shown": "Ada Lovelace", "role": "visitor"}
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
    visitor, operator = signed_in(served, "ben"), signed_in(served, "ada")
    forms = [
        one.get(f"/conversations/{opened(one)['handle']}/settings").text
        for one in (visitor, operator)
    ]
    seen = [form[form.index('id="base-url"') :].split(">")[0] for form in forms]
    assert "disabled" in seen[0] and "disabled" not in seen[1]
    assert "whoever runs this server" in forms[0] and "whoever runs this server" not in forms[1]
