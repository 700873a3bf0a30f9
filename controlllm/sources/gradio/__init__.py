"""Gradio apps: what they offer, and calls to them."""
