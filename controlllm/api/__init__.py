"""ControlLLM for programs: verbs on Gradio's API (`programs`), files by a token, and an MCP server.

All of it does what the page does with the same assistant, line and limits; a token stands where the
page has a browser's cookie. Only `programs`, `served` and what opens a workflow import Gradio. What
is documented for programs is in docs/api.md.
"""
