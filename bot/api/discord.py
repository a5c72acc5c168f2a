"""Names that a game's slash commands import: requests, cards, forms, pictures, autocomplete and
replies.

Each name has an example in its docstring; `bot.api` says what ``table`` and ``view`` are in it.
``interaction`` is what discord.py gives to a command, and ``request`` what the router gives to the
handler of a button.
"""

from __future__ import annotations

from bot.service import Outcome
from bot.show import names
from bot.show.actions import BoardPress
from bot.show.cards import (
    LABEL_MAX,
    SELECT_MAX,
    Button,
    Card,
    Select,
    buttons_of,
    rows_of,
    selects,
    text_card,
)
from bot.show.custom_ids import encode
from bot.show.forms import Form, Menu, MultiSelect, Text, picks
from bot.show.goods import goods_text
from bot.show.narration import headlines_text
from bot.show.picker import card_options
from bot.show.pictures import Picture
from bot.show.pictures.canvas import Canvas, drawn
from bot.show.results import holdings_card, holdings_text
from bot.show.setup import OrderQuestion, order_card, says_when, seats_of, sign
from cogs.boards import change_goods
from cogs.completion import Choices, choices, people, seat_choices, seat_in, spent_goods, words
from cogs.inputs import own_seat, read_goods, seat_of, seats_written, selected_goods
from cogs.offer_replies import up_to_date
from cogs.request import Request
from cogs.router import Router, carry_out
from cogs.slash import Seat, in_dms_too, slash

__all__ = [
    "LABEL_MAX",
    "SELECT_MAX",
    "BoardPress",
    "Button",
    "Canvas",
    "Card",
    "Choices",
    "Form",
    "Menu",
    "MultiSelect",
    "OrderQuestion",
    "Outcome",
    "Picture",
    "Request",
    "Router",
    "Seat",
    "Select",
    "Text",
    "buttons_of",
    "card_options",
    "carry_out",
    "change_goods",
    "choices",
    "drawn",
    "encode",
    "goods_text",
    "headlines_text",
    "holdings_card",
    "holdings_text",
    "in_dms_too",
    "names",
    "order_card",
    "own_seat",
    "people",
    "picks",
    "read_goods",
    "rows_of",
    "says_when",
    "seat_choices",
    "seat_in",
    "seat_of",
    "seats_of",
    "seats_written",
    "selected_goods",
    "selects",
    "sign",
    "slash",
    "spent_goods",
    "text_card",
    "up_to_date",
    "words",
]
