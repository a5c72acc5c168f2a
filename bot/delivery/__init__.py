"""Delivery: makes Discord show the messages of every table.

The planner computes the desired messages from a briefing of the service. The reconciler compares them with the shown
messages, and sends or edits those that differ. `Delivery` is the interface for the rest of the program.
"""

from __future__ import annotations

from bot.delivery.budget import OVERALL, Budget
from bot.delivery.delivery import Delivery
from bot.delivery.emojis import have_icons, with_icons
from bot.delivery.membership import membership
from bot.delivery.outcomes import is_outage
from bot.delivery.render import render_card, render_files, render_form
from bot.delivery.subjects import (
    ROLES,
    Headlines,
    OfferCard,
    PersonalOffer,
    Prompt,
    PublicDeal,
    SetUp,
    Subject,
    ToConfirm,
)
from bot.delivery.transport import marker_of, mentions, without_retries
from bot.delivery.turns import Claim, Turn, Where

__all__ = (
    "OVERALL", "ROLES", "Budget", "Claim", "Delivery", "Headlines", "OfferCard", "PersonalOffer", "Prompt",
    "PublicDeal", "SetUp", "Subject", "ToConfirm", "Turn", "Where", "have_icons", "is_outage", "marker_of",
    "membership", "mentions", "render_card", "render_files", "render_form", "with_icons", "without_retries",
)  # fmt: skip
