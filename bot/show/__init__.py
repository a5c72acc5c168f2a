"""Presentation: text, cards and buttons as plain values. Imports neither discord.py nor SQL."""
