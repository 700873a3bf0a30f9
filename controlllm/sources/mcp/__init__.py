"""MCP servers: what they offer, and calls to them over connections that several share."""
