"""m&m's: 33 tools, plans in JSON and code, verifier, feedback, execution (arXiv 2403.11085)."""
