"""Two seats that talk in private."""
