"""Delivery: makes Discord show what every table's people should see.

The planner computes the desired messages from a briefing of the service; the reconciler compares them with what is
shown and makes the difference. `Delivery` is what the rest of the program uses.
"""

from __future__ import annotations

from bot.delivery.delivery import Delivery
from bot.delivery.render import render_card, render_files, render_form

__all__ = ("Delivery", "render_card", "render_files", "render_form")
