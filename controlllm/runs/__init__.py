"""Requests at work: the assistant, one request, one plan, one agent; kept as they go."""
