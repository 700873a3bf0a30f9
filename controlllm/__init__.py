"""ControlLLM: plain requests about media become plans of tools, which run and are explained."""

__version__ = "0.1.0"
