"""Names for drawing the picture on a game's board (`Game.draw`). They are in `bot.api.discord` too,
for its cogs.
"""

from __future__ import annotations

from bot.show.pictures.canvas import Canvas, drawn

__all__ = ["Canvas", "drawn"]
