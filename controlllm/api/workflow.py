"""A plan as a workflow that Gradio opens (``gr.Workflow``): what comes in are its references, the
calls of tools its operators, what comes out its subjects. Each operator calls one tool here by the
verb `call`, through the functions that `functions` gives to the workflow."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin

from controlllm.core.plans import Action, Literal, Plan, Reference, Value, values_of
from controlllm.toolbox import Tool, Toolbox

Node = dict[str, Any]
_LISTS = ("bbox", "point", "category", "tags")
_FILES = ("image", "audio", "video")
_SECONDS = 60.0


def workflow_of(plan: Plan, toolbox: Toolbox, name: str = "") -> dict[str, Any]:
    """A plan, by the ways that are chosen in it, in the form that Gradio keeps workflows in."""
    return _Workflow(toolbox).of(plan, name or "Plan")


class _Workflow:
    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox
        self._references: list[Node] = []
        self._operators: list[Node] = []
        self._edges: list[dict[str, str]] = []
        #: Where a value comes from, by its name in the plan: the node, and the port's type.
        self._made: dict[str, tuple[str, str]] = {}

    def of(self, plan: Plan, name: str) -> dict[str, Any]:
        subjects: list[Node] = []
        for subtask in plan.subtasks:
            way = plan.solution(subtask.id)
            if way is None:
                continue
            for position, action in enumerate(way.actions):
                self._operator(action, f"{action.tool}-{subtask.id}-{position}")
            last = way.actions[-1].output
            source, kind = self._made[last.value]
            # What an earlier subtask was for may be said by its own result's name alone.
            self._made.setdefault(subtask.returns.value, (source, kind))
            label = subtask.description or last.type
            subjects.append(_relay(f"result-{subtask.id}", "subject", label, kind))
            self._edge(source, subjects[-1]["id"], "in", kind)
        return {
            "schema_version": "2",
            "name": name[:100],
            "references": self._references,
            "operators": self._operators,
            "subjects": subjects,
            "edges": self._edges,
        }

    def _operator(self, action: Action, node: str) -> None:
        tool, ports = self._toolbox[action.tool], []
        kinds = {argument.name: argument.type for argument in tool.args}
        data: dict[str, str] = {}
        for name, given in action.inputs.items():
            values = values_of(given)
            for place, value in enumerate(values):
                port = name if not isinstance(given, tuple) else f"{name}.{place}"
                kind = self._port_type(kinds.get(name, "text"))
                ports.append({"id": port, "label": port, "type": kind, "required": True})
                if name not in kinds and isinstance(value, Literal):
                    data[port] = value.text
                else:
                    source = self._source(value, f"{node}-{port}", kinds.get(name, "text"), port)
                    self._edge(source, node, port, kind)
        kind = self._port_type(tool.returns.type)
        made = {"id": "out", "label": tool.returns.type, "type": kind, "output_index": 0}
        self._operators.append(
            {
                "id": node,
                "role": "operator",
                "kind": "fn",
                "fn": node,
                "label": _said(tool),
                "inputs": ports,
                "outputs": [made],
                "data": data,
            }
        )
        self._made[action.output.value] = (node, kind)

    def _source(self, value: Value, node: str, kind: str, label: str) -> str:
        """The node that a value comes from; one of its own where nothing here makes it."""
        if isinstance(value, Reference) and value.value in self._made:
            return self._made[value.value][0]
        port_type = self._port_type(kind)
        if isinstance(value, Reference):
            node, label = f"file-{len(self._references)}", value.value
            self._made[value.value] = (node, port_type)
        self._references.append(_relay(node, "reference", label, port_type))
        if isinstance(value, Literal):
            self._references[-1]["data"]["out"] = value.text
        return node

    def _edge(self, source: str, target: str, port: str, kind: str) -> None:
        self._edges.append(
            {
                "id": f"edge-{len(self._edges)}",
                "from_node_id": source,
                "from_port_id": "out",
                "to_node_id": target,
                "to_port_id": port,
                "type": kind,
            }
        )

    def _port_type(self, kind: str) -> str:
        if kind in _LISTS:
            return "json"
        general = next((name for name in _FILES if self._toolbox.lattice.is_a(kind, name)), "")
        return general or ("number" if kind == "number" else "file" if kind == "html" else "text")


def _relay(node: str, role: str, label: str, kind: str) -> Node:
    """A node at the border: what comes in, or what comes out."""
    return {
        "id": node,
        "role": role,
        "label": label[:100],
        "asset_type": kind,
        "inputs": [{"id": "in", "label": label[:100], "type": kind}],
        "outputs": [{"id": "out", "label": label[:100], "type": kind}],
        "data": {},
    }


def _said(tool: Tool) -> str:
    return tool.name.replace("_", " ")


# Opening it


def functions(
    workflow: Mapping[str, Any], address: str, token: str
) -> dict[str, Callable[..., Any]]:
    """What a workflow's operators call, for the `bind` of ``gr.Workflow``: each calls its tool at
    the verbs of a server, with a token.

    Parameters
    ----------
    address: where the verbs are, such as http://127.0.0.1:7860/programs.
    """
    server = _Server(address, token)
    return {node["fn"]: _function(node, server) for node in workflow["operators"]}


def _function(node: Node, server: _Server) -> Callable[..., Any]:
    ports, made = node["inputs"], node["outputs"][0]["type"]
    tool = node["id"].rsplit("-", 2)[0]

    def call(*values: Any) -> list[Any]:
        inputs: dict[str, Any] = {}
        for port, value in zip(ports, values, strict=True):
            name, _, is_one_of_several = port["id"].partition(".")
            sent = server.sendable(value) if port["type"] in (*_FILES, "file") else value
            if is_one_of_several:
                inputs.setdefault(name, []).append(sent)
            elif value is not None:
                inputs[name] = sent
        # A list alone would be taken for several results.
        return [server.called(tool, inputs, made in (*_FILES, "file"))]

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    names = [port["id"].replace(".", "_") for port in ports]
    call.__name__ = node["fn"].replace("-", "_")
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(name, kind) for name in names]
    )
    return call


class _Server:
    """The verbs of a server, as a client sees them."""

    def __init__(self, address: str, token: str) -> None:
        self._address = address
        self._headers = {"Authorization": f"Bearer {token}"}

    @cached_property
    def _client(self) -> Any:
        from gradio_client import Client

        return Client(self._address, headers=self._headers, verbose=False)

    def sendable(self, value: Any) -> Any:
        """A file as Gradio's client uploads it."""
        from gradio_client import handle_file

        path = (value.get("path") or value.get("url")) if isinstance(value, dict) else value
        return handle_file(path) if path else None

    def called(self, tool: str, inputs: Mapping[str, Any], as_file: bool) -> Any:
        """What a tool makes of its inputs: the value, or the file, fetched."""
        import httpx

        result = self._client.predict(tool, dict(inputs), api_name="/call")
        (made,) = result["files"]
        if not as_file and result["value"] is not None:
            return result["value"]
        answer = httpx.get(
            urljoin(self._address, made["address"]), headers=self._headers, timeout=_SECONDS
        )
        answer.raise_for_status()
        if not as_file:
            return answer.text
        path = Path(tempfile.mkdtemp(prefix="controlllm-")) / Path(made["name"]).name
        path.write_bytes(answer.content)
        return {"path": str(path), "url": f"/gradio_api/file={quote(str(path))}", "is_file": True}
