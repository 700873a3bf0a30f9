"""A simulated world of APIs for agents that decide as they go: facts, APIs, tasks, faults, a judge.

It is shipped as small files and needs no network, so that what was measured once can be measured
again; see docs/world.md.
"""
