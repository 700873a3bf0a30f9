"""The document that describes the interface: sound in itself, and true of what is answered."""

from __future__ import annotations

import base64
import re
import subprocess
import sys

import httpx
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from controlllm.runs.assistant import Assistant
from controlllm.serving.calls import PREFIX
from controlllm.serving.openapi import document, page
from controlllm.serving.routes import OPERATIONS
from controlllm.store import Store
from controlllm.toolbox import Argument, Tool, Toolbox
from controlllm.ui.server import create_app
from tests.every_case import every_case
from tests.serving.conftest import ROOT
from tests.serving.programs import picture, with_picture

FOUND = document(OPERATIONS, Toolbox.load(), PREFIX)
DONE = [(path, method) for path, methods in FOUND["paths"].items() for method in methods]


def refs(part):
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for inner in part.values():
            yield from refs(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from refs(inner)


def test_the_document_is_sound():
    assert FOUND["openapi"] == "3.1.0" and FOUND["servers"] == [{"url": "/api/v1"}]
    for ref in refs(FOUND):
        assert ref.removeprefix("#/components/schemas/") in FOUND["components"]["schemas"], ref
    for schema in FOUND["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    names = []
    for path, methods in FOUND["paths"].items():
        for said in methods.values():
            names.append(said["operationId"])
            told = {item["name"] for item in said.get("parameters", ()) if item["in"] == "path"}
            assert told == set(re.findall(r"{(\w+)}", path))
            for content in said.get("requestBody", {}).get("content", {}).values():
                Draft202012Validator.check_schema(content.get("schema", {}))
    assert len(names) == len(set(names)) > 100


def test_every_operation_of_the_document_is_there(api):
    tools = [path for path in FOUND["paths"] if re.fullmatch(r"/tools/\w+", path)]
    for path, method in DONE:
        if path in tools[3:]:
            continue  # one route for all
        asked = path.replace("{", "").replace("}", "")
        answer = api.request(method.upper(), asked, json={"request": "x"})
        assert answer.status_code != 405, (method, path)
        if answer.status_code == 404:
            assert answer.json()["detail"] != "Not Found", (method, path)


def matches(name, answer):
    schema = {"$ref": f"#/components/schemas/{name}", "components": FOUND["components"]}
    Draft202012Validator(schema).validate(answer.json())


def test_answers_are_what_the_document_says(api):
    session = with_picture(api)
    asked = {"request": "Turn photo.png into an edge map", "files": ["photo.png"]}
    whole = api.post(f"/sessions/{session}/ask", params={"wait": 1}, json=asked)
    matches("Outcome", whole)
    matches("ConversationShown", api.get(f"/sessions/{session}"))
    matches("Conversations", api.get("/sessions"))
    matches("Files", api.get(f"/sessions/{session}/files"))
    matches("Tools", api.get("/tools"))
    matches("Planned", api.post("/plan", json=asked))
    matches("Skipped", api.post(f"/sessions/{session}/skip", json={"turn": 0}))
    acted = api.post(f"/sessions/{session}/act", params={"wait": 1}, json={"turn": 0, "subtask": 0})
    matches("Outcome", acted)
    matches("Problem", api.post("/plan", json={}))
    for tool, sent in (
        ("image_to_canny", {"image": base64.b64encode(picture()).decode()}),
        ("sentiment_analysis", {"text": "I like it"}),
        ("text_to_speech", {"text": "Hello."}),
        ("image_classification", {"image": base64.b64encode(picture()).decode()}),
    ):
        said = FOUND["paths"][f"/tools/{tool}"]["post"]
        content = said["requestBody"]["content"]["application/json"]["schema"]
        Draft202012Validator(content).validate(sent)
        kind = api.post(f"/tools/{tool}", json=sent).headers["content-type"].partition(";")[0]
        assert kind in said["responses"]["200"]["content"], tool


def test_what_tools_say_of_themselves_is_shown_as_text():
    evil = "<script>alert(1)</script>"
    tool = Tool("x", evil, evil, (Argument("a", "text", evil),), Argument("r", "text"))
    shown = page(document(OPERATIONS, Toolbox((tool,)), PREFIX))
    assert "<script" not in shown and "&lt;script&gt;" in shown


@every_case("path", ["/api/v1/", "/api/v1/openapi.json", "/api/v1/sessions", "/mcp"])
def test_nothing_is_there_unless_it_was_asked_for(tmp_path, path):
    store = Store(tmp_path)
    client = TestClient(create_app(Assistant(Toolbox.of([]), store)), base_url="http://127.0.0.1")
    assert client.get(path).status_code == 404 and client.post(path).status_code == 404
    store.close()


def test_nothing_of_it_is_loaded_unless_it_was_asked_for():
    script = (
        "import argparse, sys\n"
        "from controlllm import serve\n"
        "parser = argparse.ArgumentParser()\n"
        "serve.add_serving_options(parser)\n"
        "chosen = parser.parse_args([])\n"
        "assert serve._programs(chosen, None, None) == (None, ())\n"
        "import controlllm.ui.server\n"
        "print(*[name for name in sys.modules if name.startswith(('controlllm.serving', 'mcp'))])\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=800
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == []


def test_the_page_of_the_document_names_everything(server):
    shown = httpx.get(f"{server[0]}/api/v1/").text
    for path, _ in DONE:
        assert f"/api/v1{path}" in shown
