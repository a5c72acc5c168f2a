"""What a game imports to draw the picture on its board (`Game.draw`). It is in `bot.api.discord` too, for its cogs."""

from __future__ import annotations

from bot.show.pictures.canvas import Canvas, drawn

__all__ = ["Canvas", "drawn"]
