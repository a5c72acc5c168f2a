"""Privacy: what is stored about somebody, and how it can be taken out."""

from __future__ import annotations

from bot.desk import Look
from bot.show import names
from bot.show.cards import Button, Card

STORED = (
    "### What I keep\n"
    "**For each table:** what happened at it, entry by entry, with times; the words people typed as terms, topics and "
    "reasons; where my messages about it are.\n"
    "**For each of its people:** your Discord id and the name you go by here. Entries call you by a number of that "
    "table; which number is you stands in one place beside them.\n"
    "**Not:** what you write in the channel, anything of you elsewhere, whom you know. I can't read messages."
)

WHO_SEES = (
    "**Who sees it:** what is open at the table, everybody in its channel. Hidden cards and private offers, only the "
    "players they belong to, and a moderator or host who does not play; whenever they look, an entry says so. When a "
    "table closes, its secrets open to all, unless its host chose otherwise at opening."
)


def privacy_card(closed: int, still_open: int, removable: Look | None) -> Card:
    """What is stored, how many tables know somebody, and what they can have taken out here."""
    tables = f"You are known at {_tables(closed, 'closed')} and {_tables(still_open, 'open')}."
    can = (
        "**To be forgotten:** I can take your name and id out of all closed tables. You become “Player 2” there, or "
        "whatever your number was; the entries stay, and their chain still verifies. Words you typed and messages "
        "already in a channel stay where they are. A host can also have a closed table removed as a whole."
    )
    buttons = [Button("Take my name out", "privacy:me:ask", "danger")] if closed else []
    if removable is not None:
        buttons.append(Button("Remove this table", f"privacy:table:{removable.table_id}:ask", "danger"))
    return Card("open", (STORED, WHO_SEES, can, tables), (tuple(buttons),) if buttons else ())


def ask_me_card(closed: int) -> Card:
    """Whether somebody is sure."""
    told = f"Your name and id will be taken out of {_tables(closed, 'closed')}. I can't put them back."
    return Card("waiting", (told,), ((Button("Yes, take it out", "privacy:me:yes", "danger"),),))


def ask_table_card(look: Look) -> Card:
    """Whether a host is sure."""
    told = (
        f"All {look.table.seq} entries of **{names.escape(look.table.name)}** will be deleted, for everybody, for "
        "good. What stays is that there was a table, and the head of its chain. Want a copy first? **/audit export**."
    )
    action = f"privacy:table:{look.table_id}:yes"
    return Card("waiting", (told,), ((Button("Yes, remove it", action, "danger"),),))


def _tables(count: int, which: str) -> str:
    return f"**{count}** {which} {'table' if count == 1 else 'tables'}"
