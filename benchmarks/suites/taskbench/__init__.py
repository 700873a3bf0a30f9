"""TaskBench: three domains, resource and temporal dependencies (arXiv 2311.18760)."""

from benchmarks.suites.taskbench.suite import read

__all__ = ["read"]
