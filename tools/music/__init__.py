"""Music composed and played."""
