"""Replies to errors of commands and buttons, in order of precedence. Only the person who acted sees
them.

If what they did is recorded, the reply begins with that.

1. `AmbiguousTable`: a select of the person's tables; the choice for DMs is stored.
2. `Refused`: the rule's number, the reason, the remedy, and buttons for what can be done instead.
   Nothing was written.
3. ``discord.HTTPException``: a sentence with Discord's code. Logged as a warning.
4. `LedgerError`: a sentence that says whether anything has happened, if that is known. Logged as a
   warning.
5. ``CheckFailure``: a sentence that the command may not be used here.
6. ``CommandNotFound``, ``CommandSignatureMismatch``, `UnknownCommand`: a command from another
   version of the bot.
7. Any other error is a defect: logged with its traceback and a word that the reply asks the person
   to report.
"""

from __future__ import annotations

import logging

import discord
from discord import app_commands

from bot.ledger import Damaged, LedgerError, NotWritten, OutcomeUnknown, Tampered, Unread
from bot.rules.model.people import Names
from bot.rules.model.violation import Outdated, Refused
from bot.show.actions import ChooseTable
from bot.show.cards import Card, selects
from bot.show.results import refusal_card, refusal_text
from bot.watch import Ending
from cogs.answers import InteractionExpired, answer_to
from cogs.inquiry import AmbiguousTable

log = logging.getLogger(__name__)


class UnknownCommand(app_commands.AppCommandError):
    """A command or completion that does not fit the registered commands, such as one of another
    version of the bot.
    """


async def explain(interaction: discord.Interaction, error: BaseException) -> None:
    """Tell the person who acted what went wrong. Raises `InteractionExpired` again: nobody can be
    told any more.
    """
    answer, error = answer_to(interaction), unwrapped(error)
    if isinstance(error, InteractionExpired):  # Discord has told them that it failed
        raise error
    answer.outcome, answer.rule = outcome_of(error)
    await answer.send(explanation(error, interaction.id, answer.names, counts=answer.counts))


def unwrapped(error: BaseException) -> BaseException:
    """Return an error without discord.py's wrappers."""
    while (
        isinstance(error, app_commands.CommandInvokeError | app_commands.TransformerError)
        and error.__cause__
    ):
        error = error.__cause__
    return error


def explanation(
    error: BaseException, number: int, names: Names | None, *, counts: bool = False
) -> str | Card:
    """Return what to tell the person who acted. Log what the operator should know.

    ``number`` is the id of their interaction or message, ``names`` are those of the table that they
    looked at. ``counts``: what they did is recorded.
    """
    before = "It counts: what you did is recorded. " if counts else ""
    match error:
        case AmbiguousTable() as several:
            options = [(name, str(table)) for table, name in several.tables.items()]
            text = (
                "You sit at several tables. Which one are your DMs about? I remember it. Then try "
                "again."
            )
            more = "type the command in its channel"
            rows = selects("Table", ChooseTable(0), options, more)
            return Card("waiting", text, rows)
        case Refused() as refused if refused.options and not counts:
            return refusal_card(refused, refused.names or names)
        case Refused() as refused:
            return f"{before}{refusal_text(refused, refused.names or names)}"
        case discord.HTTPException() as failed:
            log.warning("Discord refused a request: status %s, code %s", failed.status, failed.code)
            told = f"But Discord refused my answer ({failed.code})."
            if not counts:
                told = f"Discord didn't allow that ({failed.code}). What you entered is kept."
            return f"{before}{told}"
        case Tampered() as failed:  # the ledger has told the operator
            return f"{before}{_ledger_text(failed)}"
        case LedgerError() as failed:
            # the ledger tells the owner of a broken database
            log.warning("the ledger failed", exc_info=failed)
            told = (
                "But my ledger fails just now. **History** under **Menu** shows it in a while."
                if counts
                else _ledger_text(failed)
            )
            return f"{before}{told}"
        case app_commands.CheckFailure():
            return "You may not use this command here."
        case (
            UnknownCommand()
            | app_commands.CommandNotFound()
            | app_commands.CommandSignatureMismatch()
        ):
            log.warning("a command of another version was used: %s", error)
            return "This command is from another version of me. /help shows what I can do now."
        case defect:
            word = f"{number:x}"[-6:]
            where = "".join(f" {note}" for note in getattr(defect, "__notes__", ()))
            log.error("defect %s%s", word, where, exc_info=defect)
            told = "But I can't show it" if counts else "Something went wrong"
            return f"{before}{told}, and it is my fault. Please give my owner this word: {word}"


def outcome_of(error: BaseException) -> tuple[Ending, str | None]:
    """Return how an interaction ended that raised this error, and the number of the rule if it was
    refused.
    """
    match error:
        case Outdated():
            return "outdated", None
        case Refused():
            return "refused", error.violation.rule
        case discord.HTTPException():
            return "discord", None
        case LedgerError():
            return "ledger", None
        case (
            UnknownCommand()
            | app_commands.CommandNotFound()
            | app_commands.CommandSignatureMismatch()
        ):
            return "outdated", None
        case app_commands.CheckFailure():
            return "refused", ""
        case _:
            return "defect", None


def _ledger_text(failed: LedgerError) -> str:
    """Return what to tell the person. A `LedgerError` of no special kind is of a read: nothing was
    to be changed.
    """
    match failed:
        case Tampered(table_id=None):
            return (
                "Part of my record was changed outside the bot, so I did not do that. "
                "Please tell the bot's operator: I could not trust what I would write now."
            )
        case Tampered():
            return (
                f"The record of table {failed.table_id} was changed outside the bot, so I write "
                "nothing more to it. "
                "Please tell the bot's operator. /audit verify shows a moderator what was changed. "
                "Other tables go on."
            )
        case Damaged(table_id=int(table_id)):
            return (
                f"I can't read the record of table {table_id}, and waiting does not help. "
                "Please tell the bot's operator, who can restore it from a backup. Other tables go "
                "on."
            )
        case Damaged() | NotWritten(__cause__=Damaged()):
            return (
                "My ledger is damaged, so I did not do that. Please tell the bot's operator: it "
                "needs a backup."
            )
        case NotWritten():
            return "I can't write to my ledger just now, so nothing has happened. Try again soon."
        case OutcomeUnknown():
            return (
                "My ledger failed while I wrote that, and I can't tell yet whether it counts. "
                "Look into **History** under **Menu** in a while, and do it again only if it is "
                "not there."
            )
        case Unread():
            return (
                "What you did is recorded, but I can't read my ledger just now. **History** "
                "under **Menu** shows it in a while."
            )
        case _:
            return "I can't read my ledger just now. Try again in a moment."
