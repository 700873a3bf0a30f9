"""The MCP server over streamable HTTP, behind the same tokens as the rest of the interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.types import Receive, Scope, Send

from controlllm.api.door import KEY, token_of
from controlllm.api.mcp_server import McpTools
from controlllm.api.service import Service
from controlllm.api.taking import Taking
from controlllm.api.tokens import Token

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

#: Of a message with files in it, in bytes: it is held in memory.
MOST_INLINE = 32_000_000
#: Connections that are open, and how long one is kept that nobody uses, in seconds.
_MOST_CONNECTIONS = 500
_IDLE = 1800.0


def manager_of(service: Service, each_tool: bool) -> StreamableHTTPSessionManager:
    """What keeps the connections of clients.

    Which hosts and origins may ask is looked at before it, for the whole server
    (`controlllm.admission.security`).
    """
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    offered = McpTools(service, Taking(service), _asking, each_tool)
    return StreamableHTTPSessionManager(
        offered.server(),
        session_idle_timeout=_IDLE,
        max_request_body_size=MOST_INLINE,
        max_sessions=_MOST_CONNECTIONS,
    )


class Known:
    """Tells the SDK who asks, so that one token's connection is of no use to another."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
        from mcp.server.auth.provider import AccessToken

        token: Token = token_of(scope)
        known = AccessToken(token="", client_id=token.id, scopes=[])
        scope["user"] = AuthenticatedUser(known)
        await self._manager.handle_request(scope, receive, send)


def _asking(context: ServerRequestContext[Any, Any]) -> Token:
    assert context.request is not None
    found: Token = context.request.scope[KEY]
    return found
