"""What the MCP server offers: its own tools, and each tool of a toolbox where that is wished."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from controlllm.api.arguments import is_media, schema_of
from controlllm.runs.sent_plans import Long, Name
from controlllm.settings import AgentName, Settings
from controlllm.toolbox import Tool, Toolbox

if TYPE_CHECKING:
    from mcp import types

#: A file that is handed over.
_FILE: dict[str, Any] = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {"name": {"type": "string"}, "data": {"type": "string"}},
            "required": ["data"],
            "additionalProperties": False,
        },
    ],
}
_Request = Annotated[Long, Field(description="What is to be done, in plain English.")]
_Files = Annotated[list[Any], Field(max_length=100)]
_Session = Annotated[Name | None, Field(description="Of an earlier answer, to go on from there.")]


class _Sent(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Ask(_Sent):
    """Have a request done that says in plain words what to do with files; plans with all tools,
    runs them, and gives the answer and the results."""

    request: _Request
    files: _Files = []
    session: _Session = None
    agent: Annotated[
        AgentName | None,
        Field(
            description="Have this agent decide step by step, instead of planning before anything "
            "runs."
        ),
    ] = None
    divide_first: Annotated[
        bool | None, Field(description="Whether an agent is told the parts of its task before.")
    ] = None


class ShowPlan(_Sent):
    """Show how a request would be done: subtasks, ways and tools. Nothing is run; of files only the
    names are needed."""

    request: _Request
    files: Annotated[list[Name], Field(max_length=100)] = []


class RunPlan(_Sent):
    """Run a plan, as `plan` gives it or changed: checked first, and refused with the place that is
    wrong. A file is named in it as it was sent."""

    plan: Annotated[
        dict[str, Any], Field(description="Subtasks, each with its solutions: see `plan`.")
    ]
    request: Annotated[Long, Field(description="What it is for, in words.")] = ""
    files: _Files = []
    session: _Session = None


class ListTools(_Sent):
    """List the tools: what each does, takes and makes, and whether it can run here."""

    about: Annotated[
        Name | None,
        Field(description="Only those with this word in name, field or description."),
    ] = None


class RunTool(_Sent):
    """Call one of `tools` with its arguments; files are given as for `ask`."""

    tool: Name
    arguments: dict[Name, Any] = {}


#: The tools of the server itself, and whether they only read.
OWN: dict[str, tuple[type[_Sent], bool]] = {
    "ask": (Ask, False),
    "plan": (ShowPlan, True),
    "run": (RunPlan, False),
    "tools": (ListTools, True),
    "run_tool": (RunTool, False),
}


def offered(takes_paths: bool) -> list[types.Tool]:
    """The tools of the server itself; `takes_paths` says that files may be paths."""
    from mcp import types

    reading = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
    making = types.ToolAnnotations(read_only_hint=False, destructive_hint=False)
    how = "each a link of an earlier result (controlllm://…), " + (
        "a path in a folder that was allowed, " if takes_paths else ""
    )
    found = []
    for name, (model, only_reads) in OWN.items():
        schema = model.model_json_schema()
        if model in (Ask, RunPlan):
            said = f"The files it is about: {how}or the bytes (base64) with a name."
            schema["properties"]["files"] |= {"items": _FILE, "description": said}
        found.append(
            types.Tool(
                name=name,
                description=" ".join((schema.pop("description")).split()),
                input_schema=schema,
                annotations=reading if only_reads else making,
            )
        )
    return found


def each_offered(toolbox: Toolbox | None, settings: Settings) -> list[types.Tool]:
    """Every tool of a toolbox that can run now, by itself; none without one."""
    from mcp import types

    if toolbox is None:
        return []
    left_out = toolbox.reasons_unavailable(settings.capabilities, settings.runtimes)
    return [
        types.Tool(
            name=tool.name,
            description=tool.description,
            input_schema=schema_with_files(tool, toolbox),
            annotations=types.ToolAnnotations(
                read_only_hint=False, destructive_hint=tool.acts_outside
            ),
        )
        for tool in toolbox
        if tool.name not in left_out
    ]


def schema_with_files(tool: Tool, toolbox: Toolbox) -> dict[str, Any]:
    """The schema of a tool's arguments, files as the server takes them."""
    schema = schema_of(tool, toolbox)
    for argument in tool.args:
        if is_media(argument.type):
            said = f"{argument.description or argument.type} (a file: {argument.type}, as for ask)"
            one = {"type": "array", "items": _FILE} if argument.many else _FILE
            schema["properties"][argument.name] = {**one, "description": said}
    return schema
