"""What runs here without a download for the tools of `controlllm.tools.seeing`."""
