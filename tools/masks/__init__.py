"""Which pixels belong to a thing: from clicks, boxes, strokes, names, or of everything."""
