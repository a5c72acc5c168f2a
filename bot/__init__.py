"""Bourse runs the trading at a live board-game table on Discord."""

__version__ = "1.0.0"
