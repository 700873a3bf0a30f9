"""Sets of jobs as their authors wrote them, one module each; `benchmarks.jobs.doing` has their names."""
