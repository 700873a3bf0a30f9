"""Ordinary jobs of ordinary people, judged by what came of them: ``python -m benchmarks jobs``.

Each job has its files, its words, and a check of the results. The sets were written by authors who
knew neither the tools nor the planner. `apart` and `second-apart` are looked at by nobody: their
figures are the ones that tell how good the program is for others.
"""
