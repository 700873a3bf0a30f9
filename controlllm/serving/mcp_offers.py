"""What the MCP server offers: its own tools, and each tool of a toolbox where that is wished."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from controlllm.serving.arguments import is_media, schema_of
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


def offered(takes_paths: bool) -> list[types.Tool]:
    """The tools of the server itself; `takes_paths` says that files may be paths."""
    from mcp import types

    reading = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
    making = types.ToolAnnotations(read_only_hint=False, destructive_hint=False)
    how = "each a link of an earlier result (controlllm://…), " + (
        "a path in a folder that was allowed, " if takes_paths else ""
    )
    files = {
        "type": "array",
        "items": _FILE,
        "description": f"The files it is about: {how}or the bytes (base64) with a name.",
    }
    words = {"type": "string", "description": "What is to be done, in plain English."}
    session = {"type": "string", "description": "Of an earlier answer, to go on from there."}
    found = [
        types.Tool(
            name="ask",
            description="Have a request done that says in plain words what to do with files; "
            "plans with all tools, runs them, and gives the answer and the results.",
            input_schema=_object(
                {
                    "request": words,
                    "files": files,
                    "session": session,
                    "agent": {
                        "type": "string",
                        "enum": list(get_args(AgentName)),
                        "description": "Have this agent decide step by step, instead of planning "
                        "before anything runs.",
                    },
                    "divide_first": {
                        "type": "boolean",
                        "description": "Whether an agent is told the parts of its task before.",
                    },
                },
                "request",
            ),
            annotations=making,
        ),
        types.Tool(
            name="plan",
            description="Show how a request would be done: subtasks, ways and tools. Nothing "
            "is run; of files only the names are needed.",
            input_schema=_object(
                {
                    "request": words,
                    "files": {"type": "array", "items": {"type": "string"}},
                },
                "request",
            ),
            annotations=reading,
        ),
        types.Tool(
            name="run",
            description="Run a plan, as `plan` gives it or changed: checked first, and refused "
            "with the place that is wrong. A file is named in it as it was sent.",
            input_schema=_object(
                {
                    "plan": {
                        "type": "object",
                        "description": "Subtasks, each with its solutions: see `plan`.",
                    },
                    "request": {"type": "string", "description": "What it is for, in words."},
                    "files": files,
                    "session": session,
                },
                "plan",
            ),
            annotations=making,
        ),
        types.Tool(
            name="tools",
            description="List the tools: what each does, takes and makes, and whether it can "
            "run here.",
            input_schema=_object(
                {
                    "about": {
                        "type": "string",
                        "description": "Only those with this word in name, field or description.",
                    }
                }
            ),
            annotations=reading,
        ),
        types.Tool(
            name="run_tool",
            description="Call one of `tools` with its arguments; files are given as for `ask`.",
            input_schema=_object(
                {"tool": {"type": "string"}, "arguments": {"type": "object"}}, "tool"
            ),
            annotations=making,
        ),
    ]
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


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
