"""ControlLLM for programs: an HTTP interface under ``/api/v1`` and an MCP server.

Both do what the page does with the same assistant, line and limits; a token stands where the page
has a browser's cookie. What is documented for programs is in docs/api.md.
"""
