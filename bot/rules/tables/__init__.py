"""The table itself: opening, closing, its host, settings and phases."""
