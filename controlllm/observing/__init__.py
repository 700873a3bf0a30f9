"""Looking on: what is counted, logged and traced of requests, all of it read from their events."""
