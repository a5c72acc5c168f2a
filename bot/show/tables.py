"""The table as it stands: who sits where, whose turn it is, and whom the asker can trade with now."""

from __future__ import annotations

from itertools import combinations

from bot.desk import Look
from bot.rules.game import Trade
from bot.rules.goods import NOTHING
from bot.rules.market import matched, matching_first
from bot.rules.offer_state import forbidding
from bot.rules.ruling import Ruling
from bot.show import names
from bot.show.cards import SELECT_MOST, Button, Card, Rows, Select, offer_line
from bot.show.fits import TEXT_MOST, fitting


def table_card(look: Look, asker: str | None) -> Card:
    """The table for one who asks; ``asker`` is their seat, if they have one."""
    table = look.table
    blocks = [f"### {names.escape(table.name)}\n{names.tell(look, f'Host: <person:{table.host}>')}"]
    blocks.append("\n".join(_lines(look)))
    blocks.append(_seats(look, asker))
    if others := _others(look, asker):
        blocks.append("**The others, pair by pair**\n" + "\n".join(others))
    if offers := [offer for offer in table.live_offers()[::-1] if offer.shown_to(asker)]:
        lines = [names.escape(offer_line(look, offer, asker)) for offer in offers[:10]]
        room = TEXT_MOST - sum(map(len, blocks))
        blocks.append("**Open offers**\n" + "\n".join(fitting(lines, room)))
    return Card("open" if table.open else "over", tuple(blocks))


def board_card(look: Look) -> Card:
    """The table's board in its channel: where the game stands, what waits, and the buttons that move it on."""
    table = look.table
    game = names.game_of(look).board(table)
    blocks = [f"### {names.escape(table.name)}", "\n".join(_lines(look))]
    market = not names.game_of(look).pairs  # where all trade with all, what two have agreed on concerns nobody else
    shown = [o for o in table.live_offers() if o.shown_to(None) and not (market and o.to is not None)]
    offers = matching_first(table, shown)
    if offers:
        fits = matched(table)
        told = [
            names.escape(offer_line(look, offer, None)) + (" 🧩" if offer.number in fits else "")
            for offer in offers[:BOARD_OFFERS]
        ]
        lines = fitting(told, TEXT_MOST // 2)
        if len(offers) > BOARD_OFFERS:
            lines.append(f"-# and {len(offers) - BOARD_OFFERS} more: /offer list")
        blocks.append("**Open offers**\n" + "\n".join(lines))
    if not table.open:
        return Card("over", tuple(blocks))
    buttons = tuple(Button(answer.label, f"board:{look.table_id}:{answer.action}") for answer in game.answers)
    rows: Rows = (buttons,) if buttons else ()
    if offers and game.browse:
        options = tuple((offer_line(look, offer, None), str(offer.number)) for offer in offers[:SELECT_MOST])
        rows = (Select("Look at an offer", f"board:{look.table_id}:offer", options), *rows)
    return Card("open", tuple(blocks), rows)


BOARD_OFFERS = 8
"""Offers on the board: newest first, as many as a phone shows without scrolling."""


def _lines(look: Look) -> list[str]:
    if not look.table.open:
        return ["This table is **closed**."]
    return [names.tell(look, line) for line in names.game_of(look).board(look.table).lines]


def _sitting(look: Look) -> list[str]:
    return [seat.id for seat in look.table.seats.values() if seat.person is not None]


def _seats(look: Look, asker: str | None) -> str:
    """Everybody, and for who asks whether they can trade with each now."""
    if not _sitting(look):
        return "Nobody sits here yet. **/table sit** takes a seat."
    if not names.game_of(look).pairs:
        players = [f"{names.player(look, seat)}{' · you' if seat == asker else ''}" for seat in _sitting(look)]
        return "\n".join([*players, *_everybody(look, asker)])
    return "\n".join(f"{names.player(look, seat)}{_with(look, asker, seat)}" for seat in _sitting(look))


def _everybody(look: Look, asker: str | None) -> list[str]:
    """Where all trade with all, whether they can now, as far as who asks may know."""
    sitting = _sitting(look)
    if len(sitting) < 2:
        return []
    first = asker if asker in sitting else sitting[0]
    found = why_not(look, first, next(seat for seat in sitting if seat != first), asker)
    return [f"🔒 {names.tell(look, found.sentence())}" if found else "🤝 Everybody can trade with everybody now."]


def _with(look: Look, asker: str | None, seat: str) -> str:
    if asker is None:
        return ""
    if asker == seat:
        return " · you"
    found = why_not(look, asker, seat, asker)
    return f" · 🔒 {names.tell(look, found.sentence())}" if found else " · 🤝 you can trade now"


def _others(look: Look, asker: str | None) -> list[str]:
    """Who else can trade with whom now; only the rule's number where not."""
    if not names.game_of(look).pairs:
        return []
    lines = []
    for first, second in combinations([seat for seat in _sitting(look) if seat != asker], 2):
        found = why_not(look, first, second, None)
        now = f"🔒 [{found.rule}]" if found else "🤝"
        lines.append(f"{names.mention(look, first)} – {names.mention(look, second)} {now}")
    return lines


def why_not(look: Look, first: str, second: str, viewer: str | None) -> Ruling | None:
    """The first reason why these two can't trade now, whatever the goods, as far as this seat may know it (None:
    anybody); None when they can.
    """
    nothing = Trade(first=first, second=second, first_gives=NOTHING, second_gives=NOTHING)
    found = (ruling for ruling in forbidding(look.table, nothing) if not ruling.lasting)
    return next((ruling for ruling in found if ruling.known_to in ("", viewer)), None)
