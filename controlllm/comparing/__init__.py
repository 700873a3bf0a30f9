"""Choosing among ways by comparing: what differs, what to expect, trying beside, what was kept."""
