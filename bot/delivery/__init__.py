"""Delivery: makes Discord show the messages of every table.

- Plan: ``planner``, ``offer_messages`` and ``deal_messages`` compute the desired messages, which
  ``desired`` defines, from a briefing of the service.
- Send: ``render`` turns cards into Discord's components, ``transport`` makes the requests within
  the ``budget``, and ``verdicts`` says what to do about an error.
- Recover: ``records`` keeps what is shown and what is owed, ``life`` says what a message needs
  next, and the ``reconciler`` with ``threads`` does it.

`Delivery` is the interface for the rest of the program. Its `CommandDelivery` lets the response to
a press edit the pressed message.
"""

from __future__ import annotations

from bot.delivery.budget import OVERALL, Budget
from bot.delivery.delivery import CommandDelivery, Delivery, PressedMessage
from bot.delivery.desired import ROLES, PersonalOffer, Prompt, ToConfirm, Way
from bot.delivery.put_back import tell_put_back
from bot.delivery.receipts import PrivateMessage
from bot.delivery.render import have_icons, payload, render_form, with_picture
from bot.delivery.transport import (
    Notice,
    marker_of,
    membership,
    tried_once,
    way_of,
    without_retries,
)
from bot.delivery.verdicts import FAILURES, is_outage

__all__ = (
    "FAILURES",
    "OVERALL",
    "ROLES",
    "Budget",
    "CommandDelivery",
    "Delivery",
    "Notice",
    "PersonalOffer",
    "PressedMessage",
    "PrivateMessage",
    "Prompt",
    "ToConfirm",
    "Way",
    "have_icons",
    "is_outage",
    "marker_of",
    "membership",
    "payload",
    "render_form",
    "tell_put_back",
    "tried_once",
    "way_of",
    "with_picture",
    "without_retries",
)
