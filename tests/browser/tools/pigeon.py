"""A tool that does what cannot be taken back."""

from controlllm.resources import Text
from controlllm.toolbox import tool


@tool(
    domain="general",
    examples=[
        "Send a pigeon.",
        "Send a carrier pigeon to the castle.",
        "Let a pigeon carry this message.",
        "Please send off a pigeon.",
    ],
    acts_outside=True,
)
def send_pigeon(text: Text) -> Text:
    """Send a carrier pigeon with a message.

    Args:
        text: the message
    """
    return f"The pigeon has flown off with {len(text)} letters."
