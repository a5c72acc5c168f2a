"""When something goes wrong, in order of precedence.

1. `Refused`: the rule's number, why, and what would make it legal. Only who acted sees it; the ledger is as it was.
2. Discord will not let us: said in a sentence where that is possible, else logged.
3. The ledger cannot be written: said in a sentence, logged; nothing has happened.
4. Anything else is a defect: logged with its traceback, and an apology with a word to quote.
"""

from __future__ import annotations

import logging

import discord
from discord import app_commands

from bot.ledger import LedgerError
from bot.rules.ruling import Refused
from bot.rules.words import parts
from bot.show import names
from bot.show.cards import Card, Select
from cogs.door import WhichTable, answer

log = logging.getLogger(__name__)


async def explain(interaction: discord.Interaction, error: BaseException) -> None:
    """Tell who acted what went wrong."""
    while isinstance(error, app_commands.CommandInvokeError | app_commands.TransformerError) and error.__cause__:
        error = error.__cause__
    match error:
        case WhichTable(rows=rows):
            options = tuple((f"{row.name} ({row.game})", str(row.id)) for row in rows[:25])
            ask = "You sit at several tables. Which one are your DMs about? I remember it; then ask me once more."
            await answer(interaction, Card("waiting", (ask,), (Select("Table", "dm-table", options),)))
        case Refused():
            await answer(interaction, f"🚫 {parts(error.ruling.sentence(), str, names.escape)}")
        case discord.HTTPException():
            log.warning("Discord refused: %s %s", error.status, error.code)
            await answer(interaction, f"Discord would not let me do that ({error.code}). What you entered is kept.")
        case LedgerError():
            log.error("the ledger failed: %s", error)
            await answer(interaction, "I can't write to my ledger just now, so nothing has happened. Try again soon.")
        case app_commands.CheckFailure():
            await answer(interaction, "You may not use this command here.")
        case _:
            word = f"{interaction.id:x}"[-6:]
            log.error("defect %s", word, exc_info=error)
            await answer(interaction, f"That went wrong, and it is my fault. Please tell my owner this word: {word}")
