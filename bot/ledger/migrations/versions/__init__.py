"""The steps, oldest first. A released step is never changed."""
