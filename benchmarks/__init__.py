"""Measuring: benchmarks of speed and, later, the paper's metrics (Sec. 4.2)."""
