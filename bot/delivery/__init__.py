"""Delivery: makes Discord show the messages of every table.

- Plan: ``planner`` and ``offers`` compute the desired messages, which ``desired`` defines, from a briefing of the
  service.
- Send: ``render`` turns cards into Discord's components, ``transport`` makes the requests within the ``budget``, and
  ``outcomes`` says what to do about an error.
- Recover: ``records`` keeps what is shown and what is owed, ``intents`` says what work a step needs, the
  ``reconciler`` with ``threads`` does it, and ``claims`` lets an interaction's response show a message.

`Delivery` is the interface for the rest of the program.
"""

from __future__ import annotations

from bot.delivery.budget import OVERALL, Budget
from bot.delivery.claims import CommandDelivery, InteractionSource, ResponseMessage
from bot.delivery.delivery import Delivery
from bot.delivery.desired import (
    ROLES,
    Board,
    Closing,
    Headlines,
    OfferCard,
    PersonalOffer,
    Prompt,
    PublicDeal,
    SetUp,
    Subject,
    ToConfirm,
)
from bot.delivery.outcomes import is_outage
from bot.delivery.render import have_icons, render_card, render_files, render_form, with_icons, with_picture
from bot.delivery.transport import marker_of, membership, mentions, tried_once, without_retries

__all__ = (
    "OVERALL",
    "ROLES",
    "Board",
    "Budget",
    "Closing",
    "CommandDelivery",
    "Delivery",
    "Headlines",
    "InteractionSource",
    "OfferCard",
    "PersonalOffer",
    "Prompt",
    "PublicDeal",
    "ResponseMessage",
    "SetUp",
    "Subject",
    "ToConfirm",
    "have_icons",
    "is_outage",
    "marker_of",
    "membership",
    "mentions",
    "render_card",
    "render_files",
    "render_form",
    "tried_once",
    "with_icons",
    "with_picture",
    "without_retries",
)  # fmt: skip
