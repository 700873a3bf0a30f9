"""m&m's: 33 tools, plans in JSON and code, verifier, feedback, execution (arXiv 2403.11085)."""

from benchmarks.suites.mnms.suite import read

__all__ = ["read"]
