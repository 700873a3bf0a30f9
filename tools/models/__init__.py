"""Models and algorithms that the tools call, one module each."""
