"""What a person is told when something goes wrong, in order of precedence.

1. `SeveralTables`: in a DM, which table is meant; the choice is remembered.
2. `Refused`: the rule's number, the reason, what would make it legal, and buttons for what can be done instead. Only
   the person who acted sees it; the ledger is as it was.
3. Discord refuses: said in a sentence where that is possible, and logged.
4. The ledger can't be written: said in a sentence, and logged; nothing has happened.
5. Anything else is a defect: logged with its traceback, and an apology with a word to quote.
"""

from __future__ import annotations

import logging

import discord
from discord import app_commands

from bot.ledger import LedgerError
from bot.rules.model.violation import Refused
from bot.show.actions import ChooseTable
from bot.show.cards import SELECT_MAX, Card, Select
from bot.show.refusals import refusal_card, refusal_text
from cogs.context import SeveralTables, reply

log = logging.getLogger(__name__)


async def explain(interaction: discord.Interaction, error: BaseException) -> None:
    """Tell the person who acted what went wrong."""
    match _cause(error):
        case SeveralTables() as several:
            await reply(interaction, _tables_card(several))
        case Refused() as refused:
            plain, card = refusal_text(refused, refused.names), refusal_card(refused, refused.names)
            await reply(interaction, card if refused.options else plain)
        case discord.HTTPException() as failed:
            log.warning("Discord refused: %s %s", failed.status, failed.code)
            await reply(interaction, f"Discord would not let me do that ({failed.code}). What you entered is kept.")
        case LedgerError() as failed:
            log.error("the ledger failed: %s", failed)
            await reply(interaction, "I can't write to my ledger just now, so nothing has happened. Try again soon.")
        case app_commands.CheckFailure():
            await reply(interaction, "You may not use this command here.")
        case defect:
            word = f"{interaction.id:x}"[-6:]
            log.error("defect %s", word, exc_info=defect)
            await reply(interaction, f"That went wrong, and it is my fault. Please tell my owner this word: {word}")


def _tables_card(several: SeveralTables) -> Card:
    options = tuple((f"{row.name} ({row.game})", str(row.id)) for row in several.rows[:SELECT_MAX])
    text = "You sit at several tables. Which one are your DMs about? I remember it; then ask me once more."
    return Card("waiting", (text,), (Select("Table", ChooseTable(0), options),))


def _cause(error: BaseException) -> BaseException:
    """Return what a command's own error was; discord.py wraps it."""
    while isinstance(error, app_commands.CommandInvokeError | app_commands.TransformerError) and error.__cause__:
        error = error.__cause__
    return error
