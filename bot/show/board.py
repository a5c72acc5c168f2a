"""The table's board: the message at the end of the channel that says what is going on and leads
everywhere else.

It is the same for everybody and holds nothing secret. Its buttons answer the presser alone. /table
show lists the players, with whom the viewer can trade, and their open goods.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bot.rules.commands import Press
from bot.rules.features.tables import BeginClosing, ReopenTable, ResumeTable
from bot.rules.model.goods import Goods
from bot.rules.model.violation import Violation
from bot.rules.model.windows import Pair, pair
from bot.rules.registry import games
from bot.rules.views import STEPS_MAX, OfferView, PairView, TableView
from bot.show.actions import (
    AskWhen,
    BoardMove,
    BoardPress,
    ChoosePlayer,
    PlayAgain,
    TurnHistory,
    WithoutChannel,
)
from bot.show.cards import (
    BUTTONS_MAX,
    SELECT_MAX,
    TEXT_MAX,
    Button,
    Card,
    Rows,
    Select,
    buttons_of,
    fitting,
    link,
    truncate,
    truncate_lines,
)
from bot.show.goods import all_hidden, with_icon
from bot.show.names import (
    escape,
    format_text,
    game_of,
    mention,
    name,
    name_text,
    phone_line,
    plain_player,
    plain_text,
    player,
    seat_name,
)
from bot.show.offer_sides import chains, wanted
from bot.show.pictures import ALT_MAX, Picture, Sketch

BOARD_OFFERS = 5
"""The most offers on the board: what a phone shows without scrolling."""

KINDS, WORDS = 3, 60
"""Limits of a short line: kinds of goods on each side, and characters in the name of a kind."""

NEW_OFFER, PARTNERS, MORE = "New offer", "Who can I trade with?", "More…"


def board_card(view: TableView) -> Card:
    """Return the table's board: the state of the game, the open offers, and the buttons.

    At a table whose game is not here, hosts can only close it.
    """
    if view.paused is not None and view.open:
        return paused_card(view)
    offers = on_board(view)
    title = " · ".join(filter(None, (escape(view.name), format_text(view, view.board.heading))))
    blocks = [f"### {title}", "\n".join(state_lines(view))]
    if offers:
        lines = fitting((short_line(view, offer) for offer in offers[:BOARD_OFFERS]), TEXT_MAX // 2)
        left = len(offers) - len(lines)
        more = [f"-# and {left} more: **Offers** shows all"] if left else []
        blocks.append("**Open offers**\n" + "\n".join((*lines, *more)))
    elif view.open and view.board.trades and len(view.seated()) > 1:
        blocks.append("-# No open offers. **New offer** makes one.")
    shown = tuple(filter(None, blocks))
    heading = format_text(view, view.board.heading) or "The board"
    holder = view.window.holder
    line = phone_line(
        view, f"{mention(view, holder)} your turn" if holder in view.seated() else heading
    )
    if view.open and view.game not in games():
        return Card("over", shown, ((_close(view),),), line=line)
    if not view.open:
        return Card("over", shown, line=line)
    alt = plain_text(view, view.board.pictured)[:ALT_MAX]
    picture = Sketch(view.game, view.public, alt) if alt else None
    return Card("open", shown, board_rows(view), picture, line=line)


def paused_card(view: TableView) -> Card:
    """Return what replaces the board while the table is paused."""
    assert view.paused is not None
    lines = (
        f"⏸️ **Paused** since <t:{view.paused // 1000}:f>. Every clock stands still, and all is "
        "kept as it is."
    )
    go_on = Button("Go on", Press(view.id, ResumeTable()), "success")
    return Card(
        "over",
        (f"### {escape(view.name)}", lines),
        ((go_on, remind_button(view)),),
        line=phone_line(view, "Paused"),
    )


def gone_card(view: TableView) -> Card:
    """Return what the host of a table reads whose channel was deleted."""
    lines = (
        "Its channel was deleted, and nothing else is lost. The table goes on in any other channel "
        "of the server."
    )
    how = Button("How to move it", WithoutChannel(view.id, "how"), "primary")
    row = (how, Button("Close it", WithoutChannel(view.id, "close")))
    return Card(
        "waiting",
        (f"### {escape(view.name)}", lines),
        (row,),
        line=phone_line(view, "Its channel was deleted"),
    )


def closing_question(view: TableView) -> Card:
    """Ask a host whether to close a table with hidden goods, and say what will be shown to whom."""
    shown = (
        "Ten minutes later, or as soon as you or a moderator opens a new table here, everybody who "
        "can read this "
        "channel can look up all that was hidden: every hand, and what was offered and traded in "
        "secret."
    )
    if view.settings.open_on_close == "no":
        shown = (
            "What is hidden stays hidden, as was chosen when the table opened: each player goes on "
            "seeing their own."
        )
    again = (
        "For ten minutes **Open again** brings the table back, with every hand as it was. Open "
        "offers end now."
    )
    return Card("waiting", (f"### Close {escape(view.name)}?", shown, again), ((_close(view),),))


def _close(view: TableView) -> Button:
    return Button("Close the table", Press(view.id, BeginClosing()), "danger")


def closing_card(view: TableView) -> Card:
    """Return the news that a table was closed, with the button that opens it again."""
    assert view.closing is not None
    until = f"<t:{view.closing // 1000}:t>"
    then = (
        "Then what was hidden is shown"
        if view.settings.open_on_close == "yes"
        else "Then it is closed for good"
    )
    text = (
        f"**{escape(view.name)}** is closed. Until {until} its host can open it again, with all "
        "hands as they were."
    )
    again = Button("Open again", Press(view.id, ReopenTable()))
    sooner = "or as soon as its host or a moderator opens a new table here."
    return Card("over", (text, f"-# {then}, {sooner}"), ((again, *_afterwards(view)),))


def closed_card(view: TableView) -> Card:
    """Return what replaces the news that a table was closed: it is open again, or closed for
    good.
    """
    if view.open:
        return Card("over", (f"**{escape(view.name)}** is open again.",))
    return Card("over", (f"**{escape(view.name)}** is closed.",), (_afterwards(view),))


def _afterwards(view: TableView) -> tuple[Button, ...]:
    """Return the buttons of a table that is over, for those who sat there."""
    return (Button("Same table again…", PlayAgain(view.id)), remind_button(view))


def remind_button(view: TableView) -> Button:
    """Return the button that asks when people meet again."""
    return Button("Remind us…", AskWhen(view.id))


def state_lines(view: TableView) -> list[str]:
    """Return the game's own lines, such as whose turn it is."""
    if view.paused is not None and view.open:
        return ["⏸️ This table is **paused**."]
    return (
        [format_text(view, line) for line in view.board.lines]
        if view.open
        else ["This table is **closed**."]
    )


def board_rows(view: TableView) -> Rows:
    """Return the board's buttons, two rows at most: the presser's own trading, then the game and
    all offers.

    If all trade with all, the next steps of the game take the place of **Who can I trade with?**
    """
    steps = buttons_of(view, view.board.buttons[:STEPS_MAX])
    rest = (Button("Offers", _press(view, "offers")), Button(MORE, _press(view, "more")))
    goods = Button(view.board.goods, _press(view, "goods"))
    if not view.board.trades:
        return _in_rows((*steps, goods), rest)
    new = new_offer_button(view)
    if not view.pairwise:
        return _in_rows((new, goods, *steps), rest)
    return (new, goods, Button(PARTNERS, _press(view, "partners"))), (*steps, *rest)


def _in_rows(first: tuple[Button, ...], second: tuple[Button, ...]) -> Rows:
    """Return one row if all buttons fit into it, else two."""
    return ((*first, *second),) if len(first) + len(second) <= BUTTONS_MAX else (first, second)


def new_offer_button(view: TableView) -> Button:
    """Return the button that begins an offer."""
    return Button(NEW_OFFER, _press(view, "new"), "primary")


def _press(view: TableView, what: BoardMove) -> BoardPress:
    return BoardPress(view.id, what)


# ---------------------------------------------------------------- offers


def on_board(view: TableView) -> list[OfferView]:
    """Return the board's offers: those to the person whose turn it is, then those that match
    another, then the newest.

    If all trade with all, offers to a single seat are left out: they concern nobody else.
    """
    shown = [offer for offer in chains(view.offers.values()) if view.pairwise or offer.to is None]
    turn = view.window.holder
    return sorted(
        shown,
        key=lambda offer: (
            offer.to is not None and offer.to == turn,
            offer.links.fits,
            offer.number,
        ),
        reverse=True,
    )


def short_line(view: TableView, offer: OfferView) -> str:
    """Return an offer in one short line: whether it is possible now, from whom to whom, and what
    for what.
    """
    to = f" → {escape(name(offer, offer.to))}" if offer.to else " → all" if view.pairwise else ""
    wants = wanted(offer, short_goods(view, offer.sides.want))
    sides = (
        f"asks for {wants}"
        if offer.asks_only
        else f"{short_goods(view, offer.sides.give)} for {wants}"
    )
    sign, fits = "", " 🧩" if offer.links.fits else ""
    if offer.status == "suspended":
        sign = "⏸️ "
    elif view.pairwise:  # if all trade with all, only suspended offers have a sign
        sign = "✅ " if offer.ruling.why_not is None else "⏳ "
    found = offer.ruling.why_not if view.pairwise and offer.status == "open" else None
    cited = f" [{found.rule}]" if found is not None and found.rule else ""
    counters = f" · ↪️ {len(offer.links.counters)}" if offer.links.counters else ""
    # without names, which could end the link
    number = link(f"offer:{offer.number}", f"#{offer.number}")
    return (
        f"{sign}{number} {escape(name(offer, offer.poster))}{to} · {sides}{counters}{fits}{cited}"
    )


def short_goods(view: TableView, goods: Goods) -> str:
    """Return goods as short as possible, each kind with its icon.

    For example: ``3 tg 🟡, 1 c 📦, Sol's Ceasefire (bob) 📜``.

    Goods of a game that is not here are ``?``.
    """
    if view.game not in games():
        return "?"
    language = game_of(view).goods
    listed = language.listed(goods)
    parts = [
        with_icon(
            view,
            token,
            truncate(format_text(view, language.describe_shortest(token, goods[token])), WORDS),
        )
        for token in listed[:KINDS]
    ]
    more = f", +{len(listed) - KINDS}" if len(listed) > KINDS else ""
    return f"{', '.join(parts) or 'nothing'}{more}"


# ---------------------------------------------------------------- /table say


def said_card(view: TableView) -> Card:
    """Return the table in plain sentences, to hear or to read out. ``view`` has what everybody may
    see.
    """
    lines = [escape(view.name), view.board.heading and name_text(view, view.board.heading)]
    for line in view.board.lines if view.open else ():
        # Without bold, and without the signs before the first word.
        lines.append(re.sub(r"^[^\w<\\]+", "", name_text(view, line).replace("**", "")))
    for seat in view.seated():
        goods, has = view.seats[seat].open, ""
        if view.tracked and not all_hidden(view):
            has = f" and has {name_text(view, game_of(view).goods.describe(goods))}"
        lines.append(f"{escape(name(view, seat))} plays {seat_name(view, seat)}{has}")
    for offer in view.offers.values():
        if offer.status == "open":
            sides = (offer.sides.give, offer.sides.want)
            give, want = (name_text(view, game_of(view).goods.describe(goods)) for goods in sides)
            to = escape(name(offer, offer.to)) if offer.to else "everybody"
            lines.append(
                f"Offer {offer.number}: {escape(name(offer, offer.poster))} offers {to} {give} for "
                f"{want}"
            )
    shown = tuple(
        f"{line.rstrip('.')}." for line in truncate_lines([*filter(None, lines)], TEXT_MAX)
    )
    return Card("open", shown, ((Button(MORE, _press(view, "more")),),))


# ---------------------------------------------------------------- /table show

WhyNot = Mapping[Pair, Violation | None]


def table_card(view: TableView, pairs: Sequence[PairView], picture: Picture | None = None) -> Card:
    """Return the table for the viewer. ``pairs`` are all pairs of taken seats; ``picture`` is drawn
    from them.
    """
    why_not = {each.seats: each.why_not for each in pairs}
    heading = (
        f" · {format_text(view, view.board.heading)}" if view.open and view.board.heading else ""
    )
    title = (
        f"### {escape(view.name)}{heading}\n-# {format_text(view, f'Host: <=person:{view.host}>')}"
    )
    blocks = [title, "\n".join(state_lines(view)), "\n".join(_players(view, why_not))]
    shown = tuple(filter(None, blocks))
    mine = (Button(view.board.goods, _press(view, "goods")),) if view.seat else ()
    label = PARTNERS if view.seat else "Who can trade with whom?"
    partners = (Button(label, _press(view, "partners")),) if view.pairwise else ()
    history = Button("History", TurnHistory(view.id, until_seq=view.seq, page=1))
    row = (*mine, *partners, Button("Offers", _press(view, "offers")), history)
    return Card(
        "open" if view.open else "over", shown, (row, *look_at(view)), picture, picture_after=1
    )


def _players(view: TableView, why_not: WhyNot) -> list[str]:
    """Return a line for each player: whether the viewer can trade with them now, and their open
    goods.
    """
    seated = view.seated()
    if not seated:
        return ["Nobody sits here yet. **/table sit** takes a seat."]
    lines = []
    for seat in seated:
        sign, rule = _seat_sign(view, seat, why_not)
        goods = view.seats[seat].open
        has = f" · {short_goods(view, goods)}" if view.tracked and goods else ""
        lines.append(f"{sign}{player(view, seat)}{has}{rule}")
    if not view.pairwise and len(seated) > 1:  # all can trade with all now, or none
        first = view.seat if view.seat in seated else seated[0]
        found = why_not.get(pair(first or "", next(seat for seat in seated if seat != first)))
        lines.append(
            f"⏳ {format_text(view, found.sentence())}"
            if found
            else "🤝 Everybody can trade with everybody now."
        )
    return lines


def _seat_sign(view: TableView, seat: str, why_not: WhyNot) -> tuple[str, str]:
    """Return a sign for whether the viewer can trade with this seat now, and if not, the rule for
    the line's end.
    """
    if view.seat == seat:
        return "👤 ", ""
    if view.seat is None or not view.pairwise:
        return "", ""
    found = why_not.get(pair(view.seat, seat))
    if found is None:
        return "🤝 ", ""
    return "⏳ ", f" [{found.rule}]" if found.rule else ""


def look_at(view: TableView, now: str = "") -> tuple[Select, ...]:
    """Return the select of players whose open goods can be looked at, if any. ``now``: whose goods
    are shown.
    """
    if not view.tracked or not view.seated() or all_hidden(view):
        return ()
    options = tuple((plain_player(view, seat), seat) for seat in view.seated()[:SELECT_MAX])
    return (Select("What has …?", ChoosePlayer(view.id), options, chosen=(now,) if now else ()),)
