"""Speech: read aloud and written down."""
