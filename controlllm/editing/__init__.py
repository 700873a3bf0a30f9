"""Changing a plan by hand: what fits where, and the plans that come of it."""
