"""The toolbox: a room for each medium; the modules of a room define its tools."""
