"""Tools from elsewhere: what a source offers, kept as plain data, made nodes of the graph."""
