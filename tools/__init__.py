"""The toolbox: one module for each domain, one tool in one place."""
