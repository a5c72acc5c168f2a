"""Presentation: what people see, as plain values (text, cards, buttons). It imports neither discord.py nor SQL."""
