"""/help: what this person can do next, with buttons; and topics to read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.rules.game import Game
from bot.rules.model.actions import SetupAction
from bot.rules.views import OfferView, TableView
from bot.show.actions import ShowTopic, WhatIsThis
from bot.show.arrival import SET_UP
from bot.show.board import NEW_OFFER, new_offer_button
from bot.show.cards import BUTTONS_MAX, Button, Card, Rows, Select, buttons
from bot.show.names import escape, format_text, mention, player, seat_name
from bot.show.offers import browse_select
from bot.show.seating import free_seats
from bot.show.setup import mention_host, next_rows

Topics = Mapping[str, str]

# ---------------------------------------------------------------- what is next


def no_table_card(games: Iterable[Game], topics: Topics, *, in_dm: bool) -> Card:
    """Return what a person can do where there is no table."""
    played = " or ".join(game.info.name for game in games)
    if in_dm:
        text = "### You sit at no table\nGo to the channel where you play and press **Take a seat**, or open a table "
        text += "there: **/table open**."
        return Card("waiting", (text,), (topic_select(0, topics),))
    text = f"### No table in this channel\nOne press opens one for {played}; then I lead you to the first trade."
    first = (SET_UP, Button("What is this?", WhatIsThis(0)))
    return Card("waiting", (text,), (first, topic_select(0, topics)))


def guide_card(view: TableView, topics: Topics, *, room: int | None, in_dm: bool) -> Card:
    """Return what the viewer can do next at their table. ``room`` is the negotiation of this thread, if any."""
    if view.setup is not None:
        head, rows = _setting_up(view), next_rows(view)
    elif view.seat is None:
        head, rows = _watching(view), _watching_rows(view)
    else:
        head, rows = _playing(view, room), _playing_rows(view)
    where = f"-# In our DMs you act at **{escape(view.name)}**." if in_dm else ""
    hosts = "" if view.setup or not view.hosts else HOSTS
    blocks = tuple(filter(None, (head, where, hosts)))
    return Card("open", blocks, (*rows, topic_select(view.id, topics)))


HOSTS = "-# As the host: **/phase set**, **/holdings set** mends a count, **/table settings**, **/table host**."


def _setting_up(view: TableView) -> str:
    assert view.setup is not None
    now = view.setup.next
    you = f"You play **{seat_name(view, view.seat)}**." if view.seat else "You have no seat yet."
    if now is None:
        return f"### Everything is ready\n{you} The first offer begins the game."
    lines = " ".join(format_text(view, line) for line in now.lines)
    leads = "You lead." if view.hosts else f"{mention_host(view)} leads."
    return f"### Next: {now.title.lower()}\n{you} {leads}\n{lines}"


def _watching(view: TableView) -> str:
    lines = "\n".join(format_text(view, line) for line in view.board.lines[:1])
    plays = ", ".join(player(view, seat) for seat in view.seated()) or "nobody yet"
    return (
        f"### You watch {escape(view.name)}\n{lines}\nWho plays: {plays}. **/table show** says who can trade with whom."
    )


def _watching_rows(view: TableView) -> Rows:
    return ((Button("Take a seat", SetupAction(view.id, "seat"), "primary"),),) if free_seats(view) else ()


def _playing(view: TableView, room: int | None) -> str:
    """Return whose turn it is, what waits for the viewer, and how to make an offer."""
    holder = view.window.holder
    if holder is not None:
        whose = "It is your turn" if holder == view.seat else f"It is {mention(view, holder)}'s turn"
    else:
        whose = format_text(view, view.board.lines[0]).replace("**", "") if view.board.lines else escape(view.name)
    lines = [f"### {whose}"]
    if asked := _asked(view):
        lines.append(f"**Waiting for you:** {_count(len(asked), 'offer')}.")
    if view.prompts:
        lines.append(f"{_count(len(view.prompts), 'question')} in our DMs, and below.")
    talks = view.negotiations.get(room or 0)
    if talks is not None:
        partner = mention(view, talks.partner(view.seat or ""))
        lines.append(f"**/offer post** here is for {partner} alone, and only you two read it.")
    else:
        lines.append(f"**{NEW_OFFER}** makes an offer, and so does **/trade**; others press **Accept**.")
    return "\n".join(lines)


def _playing_rows(view: TableView) -> Rows:
    rows: Rows = ()
    if asked := _asked(view):
        rows = (browse_select(view, asked),)
    if view.prompts:
        rows = (*rows, buttons(view.prompts[0].buttons)[:BUTTONS_MAX])
    moves = view.board.buttons if view.hosts or view.window.holder in (None, view.seat) else ()
    rows = (*rows, (*((new_offer_button(view),) if view.board.trades else ()), *buttons(moves))[:BUTTONS_MAX])
    return tuple(row for row in rows if row)


def _asked(view: TableView) -> list[OfferView]:
    """Return the offers that wait for the viewer's answer."""
    return [
        offer for offer in view.offers.values() if offer.status == "open" and offer.role == "addressed" and offer.to
    ]


def _count(many: int, what: str) -> str:
    return f"1 {what}" if many == 1 else f"{many} {what}s"


# ---------------------------------------------------------------- topics


def topic_card(table: int, topics: Topics, topic: str) -> Card:
    """Return a topic, with a select of the others."""
    return Card("open", (topics[topic],), (topic_select(table, topics, topic),))


def topic_select(table: int, topics: Topics, now: str = "") -> Select:
    """Return the select of topics."""
    chosen = (now,) if now in topics else ()
    return Select(
        "More about…", ShowTopic(table), tuple((title(text), name) for name, text in topics.items()), 1, chosen
    )


def title(text: str) -> str:
    """Return a topic's heading."""
    return text.partition("\n")[0].removeprefix("### ").removeprefix("**").removesuffix("**")
