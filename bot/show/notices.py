"""Notices: questions and news to one person, calls that bring people to the table, and /pings to
switch them off.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from bot.rules.commands import Press
from bot.rules.entries import CALL_KINDS, CallKind
from bot.rules.features.offers.entries import OfferAltered, Transaction
from bot.rules.features.offers.signing import Sign
from bot.rules.views import EntryView, FollowUpView, NoticeView, OfferView, PromptView, TableView
from bot.show.actions import MutePing, OfferAgain, RevealPrompt, TellEntry
from bot.show.board import MENU, NEW_OFFER, board_button
from bot.show.cards import (
    LINE_MAX,
    Button,
    Card,
    Mood,
    buttons_of,
    drawn,
    link,
    rows_of,
    rules_last,
    truncate,
)
from bot.show.deals import deal_card, proposal
from bot.show.goods import goods_text
from bot.show.hand_over import hands_over
from bot.show.names import (
    Named,
    escape,
    escaped,
    format_text,
    game_of,
    mention,
    name_text,
    phone_line,
    seat_name,
    who_plays,
)
from bot.show.offer_cards import (
    is_backed_out,
    look_button,
    offer_line,
    something_private,
    stands_again_text,
    status_text,
)

WAITS = 5
"""The most lines about who waits for a person who has left the server."""

# ---------------------------------------------------------------- questions and hints to one person


@drawn
def prompt_card(view: TableView, prompt: PromptView) -> Card:
    """Return a prompt for its recipient; if it proposes a deal, the deal's card."""
    if (deal := proposal(view, prompt)) is not None:
        return deal_card(view, deal)
    row = list(buttons_of(view, prompt.buttons))
    if row:
        action = row[0].action
        signs = isinstance(action, Press) and isinstance(action.command, Sign)
        row[0] = replace(row[0], style="primary" if signs else "success")
    text = name_text(view, prompt.text)
    if (offer := view.offers.get(prompt.offer or 0)) is not None:
        text += f"\n{escape(offer_line(view, offer))}"
    line = phone_line(view, "A question for you")
    return Card("waiting", rules_last(text), rows_of(row), line=line)


@drawn
def shared_prompt_card(view: TableView, prompt: PromptView) -> Card:
    """Return a prompt for a place with other readers. A secret prompt only says that there is
    something.
    """
    if not prompt.secret:
        return prompt_card(view, prompt)
    return something_private(view, Button("Show me", RevealPrompt(view.id, prompt.key), "primary"))


@drawn
def settled_card(view: TableView, became: str = "") -> Card:
    """Return the replacement for a prompt that was answered or whose time is over: what came of it,
    or that it needs no answer any more.
    """
    line = phone_line(view, "No answer needed")
    return Card("over", became or "This question needs no answer any more.", line=line)


@drawn
def follow_up_card(view: TableView, follow_up: FollowUpView, named: Named | None = None) -> Card:
    """Return a follow-up for its seat. ``named`` gives the names; the default is the view's."""
    names = named or view
    text = rules_last(name_text(names, follow_up.text))
    line = phone_line(view, "News for you")
    rows = rows_of(buttons_of(names, follow_up.buttons))
    return Card("waiting", (text, "-# only you see this"), rows, line=line)


@drawn
def notice_card(public: TableView, notice: NoticeView) -> Card:
    """Return a message of the game in the channel, which rings for some seats."""
    called = " ".join(mention(public, seat) for seat in notice.seats)
    head = "News" if notice.current else "Settled"
    line = phone_line(public, f"{called} your answer is wanted" if called else head)
    rows = rows_of(buttons_of(public, notice.buttons, "primary"))
    mood: Mood = "open" if notice.current else "over"
    return Card(mood, format_text(public, notice.text), rows, line=line)


@drawn
def welcome_card(view: TableView) -> Card:
    """Return what a newcomer should know: what to press, who sees what, and what DMs are for."""
    plays = ""
    if view.seat:
        plays = f" You play **{escape(seat_name(view, view.seat))}** at **{escape(view.name)}**."
    hands = " Hidden cards are for their owner alone." if game_of(view).hidden else ""
    lines = (
        f"👋 Hello!{plays} The board in the channel has every button: **{NEW_OFFER}**, "
        f"**{view.board.goods}**, **{MENU}**",
        f"👀 Everybody reads the channel; “only you can see this” is for you.{hands}",
        "✉️ What waits for you comes here, and you can answer here. **Pings** under **Menu** makes "
        "me quieter.",
    )
    row = (board_button(view, view.board.goods, "goods"),)
    return Card("open", lines, (row,), line=phone_line(view, "Welcome"))


@drawn
def departed_card(view: TableView, seat: str) -> Card:
    """Return the news for the table that the person in a seat has left the server, and who waits
    for them.
    """
    who = who_plays(view, seat)
    text = f"🚪 **{who}** has left this server, so nothing reaches them."
    waits = []
    for offer in view.offers.values():
        if offer.live and offer.to == seat and not offer.private:
            number = link(f"offer:{offer.number}", f"offer {offer.number}")
            waits.append(f"{escaped(offer, offer.poster)} waits for their answer to {number}.")
    if view.window.holder == seat:
        waits.append("It is their turn.")
    frees = "A host or moderator who never played here" if game_of(view).hidden else "A host"
    stays = f"-# Their seat and goods stay. {frees} can free it: **Menu**, **Host…**, **Seats**."
    return Card("waiting", ("\n".join((text, *waits[:WAITS])), stays))


@drawn
def undelivered_card(view: TableView, entry: EntryView) -> Card:
    """Return the card in place of an undelivered DM, with a button that shows its text."""
    about = ""
    if isinstance(entry.entry, Transaction):
        about = f" about transaction {entry.entry.number}"
    text = f"There is something{about} that only you can read."
    button = Button("Tell me", TellEntry(view.id, entry.seq), "primary")
    line = phone_line(view, "Something that only you can read")
    return Card("waiting", text, ((button,),), line=line)


# ---------------------------------------------------------------- news of what the counterparty did


@drawn
def declined_card(view: TableView, offer: OfferView, other: str) -> Card:
    """Return the news for the poster that an offer was declined. If ``other`` had accepted it, they
    backed out.
    """
    did = "backed out of" if other in offer.progress.accepted else "declined"
    news = f"{escaped(offer, other)} {did} offer {offer.number}"
    again = Button("Offer again", OfferAgain(offer.table, offer.number), "primary")
    if (first := offer.links.stands_again) is None:
        return _news(view, offer, news, "", (again,))
    row = (look_button(view, first), replace(again, style="secondary"))
    return _news(view, offer, news, stands_again_text(view, offer), row)


@drawn
def backed_out_card(view: TableView, offer: OfferView, other: str) -> Card:
    """Return the news for the poster of an offer to all that somebody withdrew their acceptance."""
    news = f"{escaped(view, other)} backed out of offer {offer.number}"
    return _news(view, offer, news, "It is still open for the others.")


@drawn
def withdrawn_card(view: TableView, offer: OfferView) -> Card:
    """Return the news for a taker that the poster withdrew the offer, or backed out of it."""
    agreed = "agreed to" if offer.buttons.only_agrees else "accepted"
    did = "backed out of" if is_backed_out(offer) else "withdrew"
    news = f"{escaped(offer, offer.poster)} {did} offer {offer.number}"
    return _news(view, offer, news, f"You had {agreed} it.")


@drawn
def passed_over_card(view: TableView, altered: OfferAltered) -> Card:
    """Return the news for a taker of an offer to all that it was altered for another.

    The offer may be private by now: this says nothing else of it.
    """
    poster, other = escaped(view, altered.seat), escaped(view, altered.to or "")
    free = " Any cards you handed over for it are free again." if hands_over(view) else ""
    news = f"{poster} changed offer {altered.offer} for {other}"
    text = f"{news}: your yes to it is gone.{free}"
    return Card("over", text, line=phone_line(view, news))


@drawn
def taken_too_card(view: TableView, offer: OfferView, taker: str, card: str) -> Card:
    """Return the news for the poster of an offer to all that one more took it up. ``card``: the
    subject of its card.
    """
    did = "agreed to" if offer.buttons.only_agrees else "accepted"
    news = f"{escaped(offer, taker)} {did} offer {offer.number} too"
    look = link(card, f"Pick one on the card of offer {offer.number}")
    return replace(_news(view, offer, news, f"{look}."), mood="waiting")


@drawn
def lapsed_card(view: TableView, offers: Sequence[OfferView]) -> Card:
    """Return the news that offers ended by themselves, for somebody who had accepted them or
    answered with one.
    """
    lines = []
    for offer in offers:
        which = f"Your offer {offer.number}"
        if offer.role != "poster":
            agreed = "agreed to" if offer.buttons.only_agrees else "accepted"
            poster = escaped(offer, offer.poster)
            which = f"{poster}'s offer {offer.number}, which you had {agreed},"
        lines.append(f"{which} is over. {status_text(view, offer, now=False)}")
    numbers = ", ".join(str(offer.number) for offer in offers[:LAPSED])
    if len(offers) > LAPSED:
        numbers += " …"
    line = phone_line(view, f"Over: {'offer' if len(offers) == 1 else 'offers'} {numbers}")
    return Card("over", "\n".join(lines), line=line)


LAPSED = 5
"""The most offers that a line for a locked phone names."""


def _news(
    view: TableView, offer: OfferView, news: str, more: str, row: tuple[Button, ...] = ()
) -> Card:
    """Return news of an offer: a line, all that a locked phone shows; under it what there is
    ``more``, and the goods.
    """
    goods = f"{goods_text(view, offer.sides.give)} for {goods_text(view, offer.sides.want)}"
    blocks = (more, f"-# {goods}") if more else (goods,)
    return Card("over", blocks, (row,) if row else (), line=phone_line(view, news))


# ---------------------------------------------------------------- what the channel reads

CONTENT_MAX = 2000
"""Discord's limit for the text of a message without a card, in characters."""


@drawn
def news_card(public: TableView, text: str, called: Sequence[str], *, framed: bool) -> Card:
    """Return the news of a command for the channel: the text after the people it calls.

    In a frame, or if it is too long without one, a locked phone shows its first line, which stands
    above the frame and, if it is whole, not again in it. One line alone has no frame.
    """
    first, *rest = text.split("\n")
    if called:
        people = " ".join(mention(public, seat) for seat in called)
        first = phone_line(public, f"{people} {first.removesuffix('.')}")
    whole = "\n".join((first, *rest))
    if not (framed and rest) and len(whole) <= CONTENT_MAX:
        return Card("open", whole, plain=True, line=whole)
    line = truncate(first, LINE_MAX + 22 * len(called))
    blocks = rest if line == first else text.split("\n")
    return Card("waiting" if framed else "open", "\n".join(blocks), line=line)


# ---------------------------------------------------------------- a switch for each call

LABELS: dict[CallKind, str] = {
    "turn": "Your turn",
    "offer": "An offer to you",
    "confirm": "Something to confirm",
    "answer": "Your offer accepted or declined",
    "chance": "Something you may do",
    "opens": "Trading opens",
    "last_minute": "One minute left",
    "still": "Goods after your turn",
}
"""The name of each kind of call."""

IN_A_ROW = 3
"""Buttons in a row: a phone has no room for more."""


def pings_card(muted: Collection[CallKind]) -> Card:
    """Return the kinds of notifications, with a button to switch each."""
    switches = []
    for kind in CALL_KINDS:  # each shows the present state; a press reverses it
        if kind in muted:
            switches.append(Button(f"🔕 {LABELS[kind]}", MutePing(0, kind, muted=False)))
        else:
            ring = MutePing(0, kind, muted=True)
            switches.append(Button(f"🔔 {LABELS[kind]}", ring, "success"))
    rows = []
    for first in range(0, len(switches), IN_A_ROW):
        rows.append(tuple(switches[first : first + IN_A_ROW]))
    small = (
        "-# With 🔕 the message still comes, but silently; your goods are not asked about. At all "
        "your tables."
    )
    return Card("open", ("### I ping you for", small), tuple(rows))
