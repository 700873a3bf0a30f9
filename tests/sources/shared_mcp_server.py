"""An MCP server whose calls go on beside each other: ``shared_mcp_server.py FOLDER``.

It is written by hand. `who` tells its number at once, `wait` does so when a file ``go on`` lies in
the folder, `hang` keeps it from reading anything more, and `act` and `read` answer with the message
that they are given. A file in the folder for each `wait` and `hang` says that it has begun.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

FOLDER = Path(sys.argv[1])
SAYING = threading.Lock()


def say(**message: Any) -> None:
    with SAYING:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def tool(name: str, kind: str = "", reads: bool = True) -> dict[str, Any]:
    properties = {"given": {"type": kind}} if kind else {}
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"name": name, "inputSchema": schema, "annotations": {"readOnlyHint": reads}}


TOOLS = [
    *(tool("who"), tool("wait"), tool("hang")),
    *(tool("act", "string", reads=False), tool("read", "string")),
]


def note(name: str, number: Any) -> None:
    (FOLDER / f"{name} {os.getpid()} {number}").touch()


def work(number: Any, name: str, given: Any) -> None:
    if name in ("act", "read"):
        say(id=number, **json.loads(given))
        return
    if name == "wait":
        note(name, number)
        while not (FOLDER / "go on").exists():
            time.sleep(0.02)
    say(id=number, result={"content": [{"type": "text", "text": str(os.getpid())}]})


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
            note("hang", number)
            time.sleep(1000)
        case "tools/call":
            given = (params.get("arguments") or {}).get("given")
            threading.Thread(target=work, args=(number, params["name"], given), daemon=True).start()
        case method if number is not None and method is not None:
            say(id=number, error={"code": -32601, "message": "There is no such method."})
