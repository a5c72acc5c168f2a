"""First contact: the greeting on a new server, what the bot is, its games, its missing permissions."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bot.rules.game import Game
from bot.show.actions import OpenGame, SetUpHere, WhatIsThis
from bot.show.cards import LABEL_MAX, Button, Card, rows_of

SET_UP = Button("Set up a table", SetUpHere(0), "success")

PERMISSIONS = {
    "view_channel": "see this channel (**View Channel**)",
    "send_messages": "write here (**Send Messages**)",
    "send_messages_in_threads": "write in threads (**Send Messages in Threads**)",
    "create_private_threads": "open threads for two (**Create Private Threads**)",
    "read_message_history": "find my own messages again (**Read Message History**)",
    "attach_files": "show pictures (**Attach Files**)",
}
"""The permissions that the bot needs in a table's channel: Discord's name to ours."""


MUST = frozenset({"view_channel", "send_messages", "send_messages_in_threads"})
"""The permissions without which the bot can't post at all."""


def arrival_card() -> Card:
    """Return the bot's greeting on a new server."""
    return Card("open", ("I run the **trading** at your table.",), ((SET_UP, Button("What is this?", WhatIsThis(0))),))


def about_card(games: Iterable[Game]) -> Card:
    """Return what the bot is, for a newcomer."""
    played = " or ".join(game.info.name for game in games)
    text = (
        f"### You play at a real table. I keep the deals\n{played}, each of you with a phone.\n"
        "- Somebody posts an offer, another presses **Accept**, and the goods have changed hands.\n"
        "- I know the rules of trading: what they forbid I refuse, with the rule's number.\n"
        "- What is secret stays secret, and everything stands in a ledger that nobody can alter."
    )
    return Card("open", (text,), ((SET_UP,),))


def games_card(games: Iterable[Game]) -> Card:
    """Ask which game is played, with a button for each."""
    row = [Button(game.info.name[:LABEL_MAX], OpenGame(0, game.info.id), "primary") for game in games]
    return Card("waiting", ("**Which game do you play?** You become the host of the table.",), rows_of(row))


def opened_text(name: str, lacking: Collection[str]) -> str:
    """Return the reply to opening a table. ``lacking`` are the missing permissions."""
    text = f"**{name}** is open, and you are its host."
    if not MUST.intersection(lacking):
        text += " Everybody takes a seat in the message that I have posted here."
    return f"{text}\n{lacking_text(lacking)}" if lacking else text


def lacking_text(lacking: Collection[str]) -> str:
    """Return the missing permissions in words."""
    return f"⚠️ I can't {', '.join(PERMISSIONS[each] for each in lacking)}. Somebody who runs this server can allow it."
