"""/help: what this person can do next, and topics to read; the first hello on a server; the
rulebook.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from difflib import get_close_matches
from itertools import islice

from bot import __version__
from bot.rules.game import Game
from bot.rules.model.text import quoted
from bot.rules.model.violation import Refused
from bot.rules.views import DealView, OfferView, TableView
from bot.show.actions import (
    OpenGame,
    SetUpHere,
    ShowPrivacy,
    ShowTopic,
    WhatIsThis,
    WithoutChannel,
)
from bot.show.board import (
    NEW_OFFER,
    board_button,
    closing_card,
    made_final,
    new_offer_button,
    paused_card,
)
from bot.show.cards import (
    Button,
    Card,
    Rows,
    Select,
    buttons_of,
    drawn,
    plural,
    rows_of,
    rules_last,
    selects,
)
from bot.show.hand_over import hands_over
from bot.show.names import Named, escape, format_text, game_of, mention, player, seat_name
from bot.show.offer_cards import browse_selects
from bot.show.setup import mention_host, next_rows, seat_buttons
from data import Rule, other_numbers

TABLES_MAX = 9
"""The most tables to choose from."""

Topics = Mapping[str, str]
"""The texts of /help by their names."""

# ---------------------------------------------------------------- what to do next


def no_table_card(
    games: Iterable[Game], topics: Topics, *, in_dm: bool, elsewhere: str = ""
) -> Card:
    """Return what a person can do where there is no table. ``elsewhere``: where they have one."""
    more = topic_rows(0, topics)
    if in_dm:
        text = (
            "### You don't sit at a table\nGo to the channel where you play and press **Take a "
            "seat**, or open a table there: **/table open**."
        )
        return Card("waiting", text, more)
    played = ", ".join(game.info.name for game in games)
    text = f"One tap opens one here: {played}. Then I guide you to your first trade."
    text = "\n".join(filter(None, ("### No table in this channel", elsewhere, text)))
    return Card("waiting", text, (FIRST_ROW, *more))


@drawn
def guide_card(view: TableView, topics: Topics, *, room: int | None, in_dm: bool) -> Card:
    """Return what the viewer can do next at their table. ``room`` is the negotiation of this
    thread, if any.
    """
    topic = topic_rows(view.id, topics)
    if view.closing is not None:
        news = closing_card(view)
        return Card("waiting", news.blocks, (*news.rows, (SET_UP_BUTTON,), *topic))
    if view.paused is not None and view.open:
        news = paused_card(view)
        return Card("waiting", news.blocks, (*news.rows, *topic))
    rows: Rows
    if view.setup is not None:
        head, rows = _setting_up(view), next_rows(view)
    elif view.seat is None:
        head, rows = _watching(view), rows_of(seat_buttons(view, "primary"))
    else:
        offers = [offer for offer in view.offers.values() if offer.status == "open"]
        asked = [offer for offer in offers if offer.role == "addressed" and offer.to]
        head, rows = _playing(view, room, len(asked)), _playing_rows(view, asked)
    blocks = [head]
    if in_dm:
        blocks.append(f"-# In our DMs you act at **{escape(view.name)}**.")
    if view.hosts and not view.setup:
        blocks.append(HOSTS)
    return Card("open", blocks, (*rows, *topic))


def _watching(view: TableView) -> str:
    heading = format_text(view, view.board.lines[0]) if view.board.lines else ""
    plays = ", ".join(player(view, seat) for seat in view.seated()) or "nobody yet"
    can = "**Who has what** under **Menu** shows more."
    return f"### You watch {escape(view.name)}\n{heading}\nWho plays: {plays}. {can}"


def _playing_rows(view: TableView, asked: list[OfferView]) -> Rows:
    """Return the offers to the viewer, the first question to them, and their next moves."""
    rows: list[Select | tuple[Button, ...] | str] = []
    if asked:
        rows += browse_selects(view, asked)
    if view.prompts:
        rows += rows_of(buttons_of(view, view.prompts[0].buttons))
    last = [new_offer_button(view)] if view.board.trades else []
    if view.hosts or view.window.holder in (None, view.seat):
        last += buttons_of(view, view.board.buttons)
    rows += rows_of(last)
    return tuple(filter(None, rows))


HOSTS = "-# As the host: **Host…** under **Menu**, and **/holdings set** to fix a count."


def _setting_up(view: TableView) -> str:
    assert view.setup is not None
    now = view.setup.next
    you = f"You play **{seat_name(view, view.seat)}**." if view.seat else "You have no seat yet."
    if now is None:
        return f"### Everything is ready\n{you} The first offer begins the game."
    lines = " ".join(format_text(view, line) for line in now.lines)
    host = "You are the host." if view.hosts else f"{mention_host(view)} is the host."
    return f"### Next: {now.title.lower()}\n{you} {host}\n{lines}"


def _playing(view: TableView, room: int | None, asked: int) -> str:
    """Return whose turn it is, what waits for the viewer, such as offers ``asked``, and how to make
    an offer.
    """
    holder = view.window.holder
    whose = escape(view.name)
    if holder is not None:
        turn = f"{mention(view, holder)}'s" if holder != view.seat else "your"
        whose = f"It is {turn} turn"
    elif view.board.lines:
        whose = format_text(view, view.board.lines[0]).replace("**", "")
    lines = [f"### {whose}"]
    if asked:
        lines.append(f"**Waiting for you:** {plural(asked, 'offer')}.")
    if view.prompts:
        lines.append(f"{plural(len(view.prompts), 'question')} in our DMs, and below.")
    talks = view.negotiations.get(room or 0)
    if talks is not None:
        partner = mention(view, talks.partner(view.seat or ""))
        lines.append(f"**{NEW_OFFER}** here is for {partner} only; nobody else reads it.")
    else:
        agrees = hands_over(view) or view.settings.confirm == "twice"
        accept = "Agree" if agrees else "Accept"
        lines.append(f"**{NEW_OFFER}** or **/trade** makes an offer; others press **{accept}**.")
    return "\n".join(lines)


# ---------------------------------------------------------------- topics


def topic_card(table: int, topics: Topics, topic: str) -> Card:
    """Return a topic, with a select of the others."""
    others = topic_rows(table, topics, topic)
    return Card("open", rules_last(topics[topic]), others)


def topic_rows(table: int, topics: Topics, now: str = "") -> Rows:
    """Return the menus of topics, and the button about privacy."""
    options = [(title(text), name) for name, text in topics.items()]
    menus = selects("More about…", ShowTopic(table), options, "/help topic:", chosen=(now,))
    return (*menus, (Button("Privacy", ShowPrivacy(table)),))


def title(text: str) -> str:
    """Return a topic's heading."""
    heading = text.partition("\n")[0].removeprefix("### ")
    return heading.removeprefix("**").removesuffix("**")


# ---------------------------------------------------------------- the first hello

SET_UP_BUTTON = Button("Set up a table", SetUpHere(0), "success")


FIRST_ROW = (SET_UP_BUTTON, Button("What is this?", WhatIsThis(0)))
"""The buttons for a server or a channel that does not know the bot yet."""

PERMISSIONS = {
    "view_channel": "see this channel (**View Channel**)",
    "connect": "come into this voice channel (**Connect**)",
    "send_messages": "write here (**Send Messages**)",
    "send_messages_in_threads": "write in threads (**Send Messages in Threads**)",
    "create_private_threads": "open private threads for two (**Create Private Threads**)",
    "read_message_history": "find my own messages again (**Read Message History**)",
    "attach_files": "show pictures (**Attach Files**)",
}
"""The permissions that the bot needs in a table's channel, one for voice among them: Discord's name
to ours.
"""


MUST = frozenset({"view_channel", "connect", "send_messages", "send_messages_in_threads"})
"""The permissions without which the bot can't post at all."""


def arrival_card() -> Card:
    """Return the bot's greeting on a new server."""
    return Card("open", "I run the **trading** at your table.", (FIRST_ROW,))


def about_card(games: Iterable[Game]) -> Card:
    """Return what the bot is, for a newcomer."""
    played = " or ".join(game.info.name for game in games)
    text = (
        f"### You play at a real table. I keep the deals\n{played}, each of you with a phone.\n"
        "- One player posts an offer, another presses **Accept**, and the goods change hands.\n"
        "- I know the rules of trading. I refuse what they forbid, and name the rule.\n"
        "- Secrets stay secret, and everything is recorded in a ledger that nobody can alter."
    )
    return Card("open", text, ((SET_UP_BUTTON,),))


def version_card(since: datetime, source: str | None, *, reads: bool = True) -> Card:
    """Return which Bourse runs, since when, what it keeps, and where its source code is.

    ``reads``: it reads what people write to it.
    """
    reading = "I read only what you write to me, and don't keep it."
    if not reads:
        reading = "I can't read what you write here."
    at = int(since.timestamp())
    code = f" [Read the source code]({source})." if source else ""
    text = (
        f"### Bourse {__version__}\nI have been running since <t:{at}:f> (<t:{at}:R>).\n"
        f"**Privacy:** {reading} The button shows what I keep about you, and takes your name out "
        f"of closed tables.\n**Source:** I am free software under the MIT licence.{code}"
    )
    return Card("open", text, ((Button("Privacy", ShowPrivacy(0)),),))


def games_card(games: Iterable[Game]) -> Card:
    """Ask which game is played, with a button for each."""
    row = []
    for game in games:
        open_game = OpenGame(0, game.info.id)
        row.append(Button(game.info.name, open_game, "primary"))
    return Card("waiting", WHICH_GAME, rows_of(row))


WHICH_GAME = "**Which game do you play?** You become the host of the table."


@drawn
def instead_card(view: TableView, games: Iterable[Game]) -> Card:
    """Ask a host which game is played in place of a table that can still be opened again."""
    row = []
    for game in games:
        open_game = OpenGame(view.id, game.info.id, view.since)
        row.append(Button(game.info.name, open_game, "danger"))
    row.append(board_button(view, "Back", "closed"))
    return Card("waiting", (WHICH_GAME, *made_final(view)), rows_of(row))


def bring_card(tables: Mapping[int, str], games: Iterable[Game] = ()) -> Card:
    """Ask a host which of these tables, named by id, to bring to this channel; or to open one of
    these games.
    """
    row = []
    for table, name in islice(tables.items(), TABLES_MAX):
        row.append(Button(f"Bring {name} here", WithoutChannel(table, "bring"), "success"))
    text = "**Which table do you want here?**"
    for game in games:
        text = "**The channel of a table that you host was deleted.** It can go on here, as it was."
        row.append(Button(f"New {game.info.name} table", OpenGame(0, game.info.id)))
    return Card("waiting", text, rows_of(row))


@drawn
def bring_instead_card(view: TableView, brought: TableView) -> Card:
    """Ask a host whether to bring a table in place of this one, which can still be opened again."""
    bring = WithoutChannel(brought.id, "bring", view.since)
    row = (
        Button(f"Bring {brought.name} here", bring, "danger"),
        board_button(view, "Back", "closed"),
    )
    return Card("waiting", made_final(view), rows_of(row))


HOW_TO_MOVE = (
    "Go to the channel where it should go on and type **/table move** there. Everything stays as "
    "it is."
)


def moved_text(name: str, lacking: Collection[str]) -> str:
    """Return the reply to bringing a table to a channel. ``lacking`` are the missing
    permissions.
    """
    text = (
        f"**{name}** is here now. Its board and its open offers come anew; older messages stay "
        "where they were."
    )
    return "\n".join(filter(None, (text, lacking_text(lacking))))


def opened_text(name: str, lacking: Collection[str]) -> str:
    """Return the reply to opening a table. ``lacking`` are the missing permissions."""
    text = (
        f"**{name}** is open, and you are its host. Everybody takes a seat in the message that I "
        "post here."
    )
    return "\n".join(filter(None, (text, lacking_text(lacking))))


def unseen_text(lacking: Collection[str]) -> str:
    """Return what a person reads who acts where the bot can't post; empty where it can."""
    unable = [each for each in lacking if each in MUST]
    return f"Others can't see this. {lacking_text(unable)}" if unable else ""


def lacking_text(lacking: Collection[str]) -> str:
    """Return the missing permissions in words; empty where none is missing."""
    if not lacking:
        return ""
    return (
        f"⚠️ I can't {', '.join(PERMISSIONS[each] for each in lacking)}. Somebody who runs this "
        "server can allow it."
    )


# ---------------------------------------------------------------- the rulebook


@drawn
def rule_card(view: TableView, rule: Rule, status: str, deals: Iterable[DealView] = ()) -> Card:
    """Return a rule, its doubtful points, the table's status, and what it said when some of the
    ``deals`` were made that name it.
    """
    blocks = [f"### [{rule.number}] {rule.title}", format_text(view, rule.text)]
    if others := other_numbers(game_of(view).info.rulebook(), rule.number):
        numbers = ", ".join(f"[{number}]" for number in others)
        blocks.append(f"-# Also known as {numbers}")
    if rule.doubt:
        blocks.append(f"**Not clear in the rules:** {rule.doubt}")
    if status:
        blocks.append(f"**At this table:** {format_text(view, status)}")
    blocks += _said_before(view, rule.number, deals)
    own_words = "" if house_rule_meant(rule.number) else ", in our own words"
    blocks.append(f"-# {rule.source}{own_words}")
    return Card("open", blocks)


PROMISES_MAX = 5
"""The most promises whose rule said something else then; the newest are shown."""


def _said_before(view: TableView, number: str, deals: Iterable[DealView]) -> list[str]:
    """Return what a house rule said when deals were made that stand, where it says no more so."""
    now, lines = view.house_rules.get(number), list[str]()
    for deal in deals:
        then = deal.rules.get(number)
        if then and then != now and deal.status not in ("declined", "void"):
            lines.append(f"Deal {deal.number} was made when it said: “{escape(then)}”")
    return lines[:PROMISES_MAX]


_HOUSE_RULE = re.compile("(?:r|house rule )([1-9])")


def house_rule_meant(text: str) -> str:
    """Return the number of the house rule that this names; empty for any other text."""
    named = _HOUSE_RULE.fullmatch(_folded(text))
    return f"R{named[1]}" if named else ""


def gone_rule(number: str) -> Rule:
    """Return a house rule that is there no more, though promises name it."""
    return _house_rules({number: "The host took it away."})[number]


def _house_rules(house_rules: Mapping[str, str]) -> dict[str, Rule]:
    """Return house rules as those of a rulebook. Their text is marked as typed by a person."""
    rules = {}
    for number, text in house_rules.items():
        rules[number] = Rule(
            number=number,
            title=f"House rule {number[1:]}",
            text=quoted(text),
            refusable=False,
            source="The host of this table",
        )
    return rules


def titles(view: TableView) -> list[tuple[str, str]]:
    """Return a label and the number of every rule of the table, for autocomplete."""
    rules = (*_house_rules(view.house_rules).values(), *game_of(view).info.rulebook().values())
    return [(f"{rule.number} · {rule.title}", rule.number) for rule in rules]


def find_rule(named: Named, text: str) -> Rule:
    """Return the rule with this number, title or other name. Raises `Refused`, which suggests the
    nearest rule.
    """
    own = _house_rules(named.house_rules) if isinstance(named, TableView) else {}
    rules = (*game_of(named).info.rulebook().values(), *own.values())
    typed = _folded(text)
    # Numbers win over other names, and those over titles.
    index: dict[str, Rule] = {}
    for rule in rules:
        index.setdefault(_folded(rule.number), rule)
    for rule in rules:
        for name in rule.also:
            index.setdefault(_folded(name), rule)
    for rule in rules:
        index.setdefault(_folded(rule.title), rule)
    if typed in index:
        return index[typed]
    near = [rule for rule in rules if typed and typed in rule.title.casefold()]
    alike = get_close_matches(typed, index, n=1, cutoff=0.6)
    near += [index[name] for name in alike]
    remedy = "Pick one from the list as you type."
    if near:
        remedy = f"Did you mean {near[0].number}: {near[0].title}?"
    raise Refused(f"I don't know a rule “{quoted(text)}”.", remedy)


def _folded(text: str) -> str:
    return " ".join(re.sub(r"[\[\]]", " ", text).casefold().split())
