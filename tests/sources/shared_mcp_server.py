"""An MCP server whose calls go on beside each other, written by hand: ``shared_mcp_server.py``.

`wait` takes some seconds, `hang` keeps it from reading anything more, `taken_back` tells how many
requests were taken back, and `act` and `read` answer with the message that they are given.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import Any

SAYING = threading.Lock()
taken_back: list[Any] = []


def say(**message: Any) -> None:
    with SAYING:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def tool(name: str, kind: str = "", reads: bool = True) -> dict[str, Any]:
    properties = {"given": {"type": kind}} if kind else {}
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"name": name, "inputSchema": schema, "annotations": {"readOnlyHint": reads}}


TOOLS = [
    *(tool("wait", "number"), tool("hang"), tool("taken_back")),
    *(tool("act", "string", reads=False), tool("read", "string")),
]


def work(number: Any, name: str, given: Any) -> None:
    if name in ("act", "read"):
        say(id=number, **json.loads(given))
        return
    if name == "wait":
        time.sleep(given)
    words = str(len(taken_back)) if name == "taken_back" else str(os.getpid())
    say(id=number, result={"content": [{"type": "text", "text": words}]})


for line in sys.stdin:
    told = json.loads(line)
    number, params = told.get("id"), told.get("params") or {}
    match told.get("method"):
        case "initialize":
            known = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}}
            say(id=number, result={**known, "serverInfo": {"name": "shared", "version": "1"}})
        case "tools/list":
            say(id=number, result={"tools": TOOLS})
        case "tools/call" if params["name"] == "hang":
            time.sleep(1000)
        case "tools/call":
            given = (params.get("arguments") or {}).get("given")
            threading.Thread(target=work, args=(number, params["name"], given), daemon=True).start()
        case "notifications/cancelled":
            taken_back.append(params.get("requestId"))
        case method if number is not None and method is not None:
            say(id=number, error={"code": -32601, "message": "There is no such method."})
