"""Plans as workflows: Gradio opens them, and their operators run."""

from __future__ import annotations

import json
import warnings

import numpy as np
import PIL.Image
import pytest

from controlllm.api.workflow import functions, workflow_of
from controlllm.resources import Resource
from controlllm.runs.sent_plans import read_plan
from controlllm.toolbox import Toolbox
from tests.api.programs import picture, planned

TOOLBOX = Toolbox.load()


def opened(workflow, folder, bind=None):
    """The workflow as Gradio reads it."""
    import gradio as gr

    path = folder / "workflow.json"
    path.write_text(json.dumps(workflow))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return gr.Workflow(graph=str(path), bind=bind)


PHOTO = {"photo.png": Resource("image", "photo.png")}
CHAIN = read_plan(planned("edge", ("image_crop_left", "image_to_edge")), TOOLBOX, PHOTO)


async def test_gradio_opens_a_plan_and_offers_what_comes_in_and_out(tmp_path):
    from gradio.workflow_api import WorkflowGraph, describe_workflow_api, topo_sort

    workflow = workflow_of(CHAIN, TOOLBOX, "Edges of the left half")
    graph = WorkflowGraph(json.loads(json.dumps(workflow)))
    assert [node["label"] for node in graph.references] == ["photo.png"]
    assert [node["label"] for node in graph.operators] == ["image crop left", "image to edge"]
    order = topo_sort([*graph.node_by_id], graph.edges)
    assert order == ["file-0", "image_crop_left-0-0", "image_to_edge-0-1", "result-0"]
    for edge in graph.edges:
        for node, port, side in (("from_node_id", "from_port_id", "outputs"),
                                 ("to_node_id", "to_port_id", "inputs")):  # fmt: skip
            ports = graph.node_by_id[edge[node]][side]
            assert edge["type"] in [item["type"] for item in ports if item["id"] == edge[port]]
    (endpoint,) = describe_workflow_api(graph)
    assert [(item["label"], item["type"]) for item in endpoint["parameters"]] == [
        ("photo.png", "image")
    ]
    app = opened(workflow, tmp_path)
    assert endpoint["api_name"] in app.get_api_info()["named_endpoints"]


@pytest.mark.parametrize(
    ("request_", "files"),
    [
        ("Transcribe talk.mp3, summarise it and read it out", ["talk.mp3"]),
        ("Mix a.mp3 and b.mp3", ["a.mp3", "b.mp3"]),
        ("Write a poem about the sea and draw it", []),
        ("Translate 'good morning' to French", []),
    ],
)
async def test_what_is_planned_opens(api, tmp_path, request_, files):
    workflow = api("plan", request=request_, files=files, as_workflow=True)["workflow"]
    assert workflow["operators"] and workflow["subjects"]
    assert {"fn"} == {node["kind"] for node in workflow["operators"]}
    labels = {node["label"] for node in workflow["references"]}
    assert set(files) <= labels
    bind = functions(workflow, "http://127.0.0.1:9/programs", "")
    assert opened(workflow, tmp_path, bind).get_api_info()["named_endpoints"]


async def test_an_opened_workflow_runs_its_tools_here(server, api, tmp_path):
    from gradio.workflow_api import WorkflowExecutor, WorkflowGraph

    workflow = workflow_of(CHAIN, TOOLBOX)
    bind = functions(workflow, f"{server[0]}/programs", api.token)
    app = opened(workflow, tmp_path, bind)
    assert any(fn.api_name == "predict_fn_image_to_edge-0-1" for fn in app.fns.values())
    (tmp_path / "photo.png").write_bytes(picture())

    def call_fn(data, request, token):
        # As Gradio calls what is bound.
        return json.dumps(list(bind[data[0]](*json.loads(data[1]))))

    ran = WorkflowExecutor(WorkflowGraph(workflow), {"fn": call_fn})
    made = ran.run("result-0", {"file-0": str(tmp_path / "photo.png")})
    with PIL.Image.open(made) as edges:
        assert edges.size == (32, 48) and np.asarray(edges).max() > 0
