"""Pointing: what a person marks in a picture, or takes out of a recording, becomes a resource that
words can mean by its number, ``[1]``."""
