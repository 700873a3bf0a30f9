"""Implementations with weights from a model hub, by transformers and diffusers."""
