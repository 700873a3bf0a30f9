"""Web APIs that describe themselves by an OpenAPI document: read, and called."""
