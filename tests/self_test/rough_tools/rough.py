"""Tools that end their process, hang, fail, act outside, and do well, for the self-test."""

import os
import time

from controlllm.resources import Image, Text
from controlllm.toolbox import ToolError, tool


@tool(domain="natural-language-processing", examples=["End it all"])
def ends_its_process(text: Text) -> Text:
    """End the process that calls it."""
    os._exit(3)


@tool(domain="natural-language-processing", examples=["Wait for ever"])
def hangs(text: Text) -> Text:
    """Never come back."""
    time.sleep(600)
    return text


@tool(domain="natural-language-processing", examples=["Refuse it"])
def refuses(text: Text) -> Text:
    """Refuse to do it."""
    raise ToolError("This text has no verse in it.")


@tool(domain="natural-language-processing", examples=["Write to somebody"], acts_outside=True)
def writes_a_letter(text: Text) -> Text:
    """Send a letter."""
    raise AssertionError("nobody asked for this")


@tool(domain="image-editing", examples=["Turn it over"])
def turns_over(image: Image) -> Image:
    """Turn a picture upside down."""
    return image.transpose(1)
