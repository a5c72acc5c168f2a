"""Taking and leaving seats."""
