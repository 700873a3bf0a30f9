"""Agents that act, look and decide, step by step, over the same tools and events as plans."""
