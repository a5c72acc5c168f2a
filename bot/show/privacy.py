"""Privacy: what is stored about a person, and how to erase it."""

from __future__ import annotations

from bot.rules.views import TableView
from bot.show.actions import ForgetMe, RemoveTable
from bot.show.cards import Button, Card, drawn
from bot.show.names import escape

STORED = (
    "### What I keep\n"
    "**For each table:** what happened there, entry by entry, with times; the words people typed "
    "as terms, topics and "
    "reasons; where my messages about it are. **For each server:** that I have said hello there.\n"
    "**For each person:** your Discord id and the name you go by here. Entries call you by a "
    "number; which number is "
    "yours is kept in one separate place.\n"
    "**What I don't keep:** what you write in the channel, what you do elsewhere, who you know. "
)

READS = (
    "What you write to me, by DM or after my name in a table's channel, I read at once and don't "
    "store; other messages I don't read."
)

CANNOT_READ = "I can't read messages."

WHO_SEES = (
    "**Who sees it:** everybody in the channel sees what is open at the table. Only the players "
    "they belong to see "
    "hidden cards and private offers, and a moderator or host who does not play; whenever they "
    "look, an entry says so. "
    "When a table closes, everybody can see its secrets, unless its host chose otherwise when "
    "opening it."
)

TO_BE_FORGOTTEN = (
    "**To be forgotten:** I can take your name and id out of all closed tables. You become “Player "
    "2” there, or "
    "whatever your number was. The entries stay, and the ledger can still be verified. Words you "
    "typed and messages "
    "already in a channel stay too. A host can also remove a whole closed table."
)


def privacy_card(
    closed: int, still_open: int, removable: TableView | None, *, reads: bool = True
) -> Card:
    """Return what is stored, how many tables know the person, and buttons to erase what can be
    erased.

    ``removable`` is the closed table here that the person may remove, if any. ``reads``: the bot
    reads what people write to it.
    """
    stored = f"{STORED}{READS if reads else CANNOT_READ}"
    tables = f"You are known at {_tables(closed, 'closed')} and {_tables(still_open, 'open')}."
    buttons = [Button("Take my name out", ForgetMe(), "danger")] if closed else []
    if removable is not None:
        buttons.append(Button("Remove this table", RemoveTable(removable.id), "danger"))
    return Card(
        "open", (stored, WHO_SEES, TO_BE_FORGOTTEN, tables), (tuple(buttons),) if buttons else ()
    )


def ask_me_card(closed: int) -> Card:
    """Ask whether the person is sure about being forgotten."""
    text = f"I will take your name and id out of {_tables(closed, 'closed')}. This can't be undone."
    sure = Button("Yes, take it out", ForgetMe(sure=True), "danger")
    return Card("waiting", text, ((sure,),))


@drawn
def ask_table_card(view: TableView) -> Card:
    """Ask whether the host is sure about removing the table."""
    text = (
        f"All {view.seq} entries of **{escape(view.name)}** will be deleted for everybody, for "
        "good. All that stays is that there was a table, and its ledger's last hash. Want a copy "
        "first? "
        "**/audit export**."
    )
    return Card(
        "waiting",
        text,
        ((Button("Yes, remove it", RemoveTable(view.id, sure=True), "danger"),),),
    )


def _tables(count: int, which: str) -> str:
    return f"**{count}** {which} {'table' if count == 1 else 'tables'}"
