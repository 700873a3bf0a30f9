"""Every tool tried on this machine: whether it works, what it makes, how long and how much memory
it takes, and what is missing for those that cannot run.

A process of its own calls one tool after the other (`trying`), so that a tool that crashes or hangs
ends nothing else; `watching` starts it, reads what it says, and goes on after such a tool.
"""
