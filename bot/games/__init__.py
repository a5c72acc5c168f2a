"""One folder a game, found through the entry-point group ``bourse.games``."""
