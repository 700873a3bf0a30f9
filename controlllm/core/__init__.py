"""What is passed from stage to stage: plans, events, sessions, questions; plain data."""
