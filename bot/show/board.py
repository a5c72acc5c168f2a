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
from bot.rules.registry import game_named, games
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
    TEXT_MAX,
    Button,
    Card,
    Mood,
    Rows,
    buttons_of,
    drawn,
    even_rows,
    fitting,
    link,
    selects,
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
from bot.show.offer_sides import chains, gives_text, wanted, wants_text
from bot.show.pictures import ALT_MAX, Picture, Sketch

BOARD_OFFERS = 5
"""The most offers on the board: what a phone shows without scrolling."""

KINDS, WORDS = 3, 60
"""Limits of a short line: kinds of goods on each side, and characters in the name of a kind."""

NEW_OFFER, PARTNERS, MENU = "New offer", "Who can I trade with?", "Menu"


@drawn
def board_card(view: TableView) -> Card:
    """Return the table's board: the state of the game, the open offers, and the buttons.

    At a table whose game is not here, hosts can only close it.
    """
    if view.paused is not None:
        return paused_card(view)
    heading, holder = format_text(view, view.board.heading), view.window.holder
    title = " · ".join(filter(None, (escape(view.name), heading)))
    blocks = [f"### {title}", *filter(None, ["\n".join(state_lines(view))])]
    offers = on_board(view)
    if offers:
        shown = [short_line(view, offer) for offer in offers[:BOARD_OFFERS]]
        lines = fitting(shown, TEXT_MAX // 2)
        if left := len(offers) - len(lines):
            lines.append(f"-# and {left} more: **Offers** shows all")
        blocks.append("\n".join(("**Open offers**", *lines)))
    elif view.board.trades and len(view.seated()) > 1:
        blocks.append("-# No open offers. **New offer** makes one.")
    news = heading or "The board"
    if holder in view.seated():
        news = f"{mention(view, holder)} your turn"
    line = phone_line(view, news)
    if view.game not in games():
        return Card("over", blocks, ((_close(view),),), line=line)
    alt = plain_text(view, view.board.pictured)[:ALT_MAX]
    picture = Sketch(view.game, view.public, alt) if alt else None
    return Card("open", blocks, board_rows(view), picture, line=line)


@drawn
def paused_card(view: TableView) -> Card:
    """Return what replaces the board while the table is paused."""
    assert view.paused is not None
    text = (
        f"⏸️ **Paused** since <t:{view.paused // 1000}:f>. Every clock stands still, and all is "
        "kept as it is."
    )
    go_on = Button("Go on", Press(view.id, ResumeTable(view.since)), "success")
    row, line = (go_on, remind_button(view)), phone_line(view, "Paused")
    return Card("over", (f"### {escape(view.name)}", text), (row,), line=line)


@drawn
def gone_card(view: TableView) -> Card:
    """Return what the host of a table reads whose channel was deleted."""
    text = (
        "Its channel was deleted, and nothing else is lost. The table goes on in any other channel "
        "of the server."
    )
    row = (
        Button("How to move it", WithoutChannel(view.id, "how"), "primary"),
        Button("Close it", WithoutChannel(view.id, "close")),
    )
    blocks = (f"### {escape(view.name)}", text)
    return Card("waiting", blocks, (row,), line=phone_line(view, "Its channel was deleted"))


@drawn
def closing_question(view: TableView) -> Card:
    """Ask a host whether to close a table, and say what of the hidden goods will be shown to
    whom.
    """
    shown = (
        "Ten minutes later everybody who can read this channel can look up all that was hidden: "
        "every hand, and what was offered and traded in secret. Once you or a moderator opens a "
        "new table here, they can at once."
    )
    if view.settings.open_on_close == "no":
        shown = (
            "What is hidden stays hidden, as was chosen when the table opened: each player goes on "
            "seeing their own."
        )
    again = (
        "For ten minutes **Open again** brings the table back, with every hand as it was. Open "
        "offers and negotiations end now."
    )
    if not BeginClosing.hides_goods(game_named(view.game), view.seats):
        shown, again = "", "Open offers and negotiations end now, and it can't be opened again."
    row = (_close(view), board_button(view, "Back", "host"))
    return Card("waiting", (f"### Close {escape(view.name)}?", shown, again), (row,))


def _close(view: TableView) -> Button:
    return Button("Close the table", Press(view.id, BeginClosing(view.since)), "danger")


@drawn
def closing_card(view: TableView) -> Card:
    """Return the news that a table was closed, with the button that opens it again."""
    assert view.closing is not None
    text = (
        f"**{escape(view.name)}** is closed. Until <t:{view.closing // 1000}:t> its host can open "
        "it again, with all hands as they were."
    )
    then = "it is closed for good"
    if view.settings.open_on_close == "yes":
        then = "everybody sees what was hidden"
    after = f"After that, or once a new table is opened here, {then}."
    again = Button("Open again", Press(view.id, ReopenTable(view.since)))
    return Card("over", (text, f"-# {after}"), ((again, *afterwards(view)),))


@drawn
def again_card(view: TableView) -> Card:
    """Ask a host whether to play again at once, which closes the table for good."""
    row = (
        Button("Open the new table", PlayAgain(view.id, view.since), "danger"),
        board_button(view, "Back", "closed"),
    )
    return Card("waiting", ("### Same table again, now?", *made_final(view)), (row,))


def made_final(view: TableView) -> tuple[str, str]:
    """Return what another table means for this one, which can still be opened again."""
    assert view.closing is not None
    text = (
        f"**{escape(view.name)}** can be opened again until <t:{view.closing // 1000}:t>. "
        "Another table here closes it for good, and that can't be undone."
    )
    shown = "Everybody who can read this channel can then look up all that was hidden."
    if view.settings.open_on_close == "no":
        shown = ""
    return text, shown


def afterwards(view: TableView) -> tuple[Button, ...]:
    """Return the buttons of a table that is over, for those who sat there."""
    return (Button("Same table again…", PlayAgain(view.id)), remind_button(view))


def remind_button(view: TableView) -> Button:
    """Return the button that asks when people meet again."""
    return Button("Remind us…", AskWhen(view.id))


def state_lines(view: TableView) -> list[str]:
    """Return the game's own lines, such as whose turn it is."""
    if not view.open:
        return ["This table is **closed**."]
    if view.paused is not None:
        return ["⏸️ This table is **paused**."]
    return [format_text(view, line) for line in view.board.lines]


def board_rows(view: TableView) -> Rows:
    """Return the board's buttons: what each player can take now, then two rows at most: the
    presser's own trading, then the game and all offers.

    If all trade with all, the next steps of the game take the place of **Who can I trade with?**
    """
    choices = even_rows(buttons_of(view, view.board.choices))
    steps = buttons_of(view, view.board.buttons[:STEPS_MAX])
    goods = board_button(view, view.board.goods, "goods")
    offers = board_button(view, "Offers", "offers")
    more = board_button(view, MENU, "more")
    if view.pairwise and view.board.trades:
        partners = board_button(view, PARTNERS, "partners")
        return *choices, (new_offer_button(view), goods, partners), (*steps, offers, more)
    first = (*steps, goods)
    if view.board.trades:
        first = (new_offer_button(view), goods, *steps)
    if len(first) + 2 <= BUTTONS_MAX:
        return *choices, (*first, offers, more)
    return *choices, first, (offers, more)


def new_offer_button(view: TableView) -> Button:
    """Return the button that begins an offer."""
    return Button(NEW_OFFER, BoardPress(view.id, "new"), "primary")


def board_button(view: TableView, label: str, what: BoardMove) -> Button:
    """Return a button that only shows something, or asks for confirmation."""
    return Button(label, BoardPress(view.id, what))


# ---------------------------------------------------------------- offers


def on_board(view: TableView) -> list[OfferView]:
    """Return the board's offers: those to the person whose turn it is, then those that match
    another, then the newest.

    If all trade with all, offers to a single seat are left out: they concern nobody else.
    """
    turn = view.window.holder

    def importance(offer: OfferView) -> tuple[bool, bool, int]:
        to_holder = offer.to is not None and offer.to == turn
        return to_holder, offer.links.fits, offer.number

    offers = chains(view.offers.values())
    shown = [offer for offer in offers if view.pairwise or offer.to is None]
    return sorted(shown, key=importance, reverse=True)


def short_line(view: TableView, offer: OfferView) -> str:
    """Return an offer in one short line: whether it is possible now, from whom to whom, and what
    for what.
    """
    # without names, which could end the link
    parts = [link(f"offer:{offer.number}", f"#{offer.number}")]
    why_not = offer.ruling.why_not
    if offer.status == "suspended":
        parts.insert(0, "⏸️")
    elif view.pairwise:  # if all trade with all, only suspended offers have a sign
        parts.insert(0, "✅" if why_not is None else "⏳")
    parts.append(escape(name(offer, offer.poster)))
    if offer.to or view.pairwise:
        parts.append(f"→ {escape(name(offer, offer.to)) if offer.to else 'all'}")
    wants = wanted(offer, wants_text(offer, short_goods(view, offer.sides.want)))
    gives = gives_text(offer, short_goods(view, offer.sides.give))
    parts.append(f"· asks for {wants}" if offer.asks_only else f"· {gives} for {wants}")
    if offer.links.counters:
        parts.append(f"· ↪️ {len(offer.links.counters)}")
    if offer.links.fits:
        parts.append("🧩")
    if view.pairwise and offer.status == "open" and why_not is not None and why_not.rule:
        parts.append(f"[{why_not.rule}]")
    return " ".join(parts)


def short_goods(view: TableView, goods: Goods) -> str:
    """Return goods as short as possible, each kind with its icon.

    For example: ``3 tg 🟡, 1 c 📦, Sol's Ceasefire (bob) 📜``.

    Goods of a game that is not here are ``?``.
    """
    if view.game not in games():
        return "?"
    game, parts = game_of(view), []
    listed = game.goods.listed(goods)
    for token in listed[:KINDS]:
        words = format_text(view, game.goods.describe_shortest(token, goods[token]))
        parts.append(with_icon(game, token, truncate(words, WORDS)))
    if len(listed) > KINDS:
        parts.append(f"+{len(listed) - KINDS}")
    return ", ".join(parts) or "nothing"


# ---------------------------------------------------------------- /table say


@drawn
def said_card(view: TableView) -> Card:
    """Return the table in plain sentences, to hear or to read out. ``view`` has what everybody may
    see.
    """
    lines = [escape(view.name), name_text(view, view.board.heading)]
    for line in view.board.lines if view.open else ():
        # Without bold, and without the signs before the first word.
        words = name_text(view, line).replace("**", "")
        if not line.startswith("-#"):  # small print is to read
            lines.append(re.sub(r"^[^\w<\\]+", "", words))
    describe = game_of(view).goods.describe
    for seat in view.seated():
        plays = f"{escape(name(view, seat))} plays {seat_name(view, seat)}"
        held = view.seats[seat]
        if view.tracked and not all_hidden(view) and (held.open or not held.hidden_count):
            plays += f" and has {name_text(view, describe(held.open))}"
        lines.append(plays)
    for offer in view.offers.values():
        if offer.status == "open":
            give = name_text(view, describe(offer.sides.give))
            want = name_text(view, describe(offer.sides.want))
            poster = escape(name(offer, offer.poster))
            to = escape(name(offer, offer.to)) if offer.to else "everybody"
            lines.append(f"Offer {offer.number}: {poster} offers {to} {give} for {want}")
    shown = truncate_lines([*filter(None, lines)], TEXT_MAX)
    sentences = tuple(f"{line.rstrip('.')}." for line in shown)
    more = board_button(view, MENU, "more")
    return Card("open", sentences, ((more,),))


# ---------------------------------------------------------------- /table show

WhyNot = Mapping[Pair, Violation | None]


@drawn
def table_card(view: TableView, pairs: Sequence[PairView], picture: Picture | None = None) -> Card:
    """Return the table for the viewer. ``pairs`` are all pairs of taken seats; ``picture`` is drawn
    from them.
    """
    why_not = {two.seats: two.why_not for two in pairs}
    title = f"### {escape(view.name)}"
    if view.open and view.board.heading:
        title += f" · {format_text(view, view.board.heading)}"
    host = format_text(view, f"Host: <=person:{view.host}>")
    blocks = [f"{title}\n-# {host}", "\n".join(state_lines(view))]
    blocks.append("\n".join(_players(view, why_not)))
    row, partners = [], "Who can trade with whom?"
    if view.seat:
        row.append(board_button(view, view.board.goods, "goods"))
        partners = PARTNERS
    if view.pairwise:
        row.append(board_button(view, partners, "partners"))
    row.append(board_button(view, "Offers", "offers"))
    history = TurnHistory(view.id, until_seq=view.seq, page=1)
    row.append(Button("History", history))
    mood: Mood = "open" if view.open else "over"
    rows: Rows = (tuple(row), *look_at(view))
    return Card(mood, blocks, rows, picture, picture_after=1)


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
        other = seated[1] if first == seated[0] else seated[0]
        violation = why_not.get(pair(first or "", other))
        if violation is None:
            lines.append("🤝 Everybody can trade with everybody now.")
        else:
            lines.append(f"⏳ {format_text(view, violation.sentence())}")
    return lines


def _seat_sign(view: TableView, seat: str, why_not: WhyNot) -> tuple[str, str]:
    """Return a sign for whether the viewer can trade with this seat now, and if not, the rule for
    the line's end.
    """
    if view.seat == seat:
        return "👤 ", ""
    if view.seat is None or not view.pairwise:
        return "", ""
    violation = why_not.get(pair(view.seat, seat))
    if violation is None:
        return "🤝 ", ""
    return "⏳ ", f" [{violation.rule}]" if violation.rule else ""


def look_at(view: TableView, now: str = "") -> Rows:
    """Return the menus of players whose open goods can be looked at, if any. ``now``: whose goods
    are shown.
    """
    if not view.tracked or not view.seated() or all_hidden(view):
        return ()
    options = [(plain_player(view, seat), seat) for seat in view.seated()]
    more = "/holdings show player:"
    return selects("What has …?", ChoosePlayer(view.id), options, more, chosen=(now,))
