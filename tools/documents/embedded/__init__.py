"""What runs here without a download for the tools of `tools.documents`."""
