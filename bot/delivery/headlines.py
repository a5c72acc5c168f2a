"""Headlines: announce in the channel what happened, and mention the people whom it calls to the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bot.delivery.desired import Desired, Priority, TableChannel
from bot.delivery.subjects import Headlines
from bot.rules.features.holdings import Corrected
from bot.rules.model.calls import Call
from bot.rules.registry import game_named
from bot.rules.reporting import told
from bot.rules.views import EntryView
from bot.service import Briefing
from bot.show.calls import called_text, turn_card
from bot.show.cards import Card, text_card
from bot.show.narration import headline_text


class _Command(NamedTuple):
    """The entries of one command that have a headline."""

    entries: list[EntryView]
    texts: list[str]

    @property
    def by_clock(self) -> bool:
        return any(entry.by is None for entry in self.entries)

    @property
    def call(self) -> Call | None:
        return next((call for entry in reversed(self.entries) if (call := entry.entry.calls())), None)


def headlines(briefing: Briefing) -> Iterator[Desired]:
    """Plan one message for each command with headlines. It notifies the people whom the command's last call is for.

    This message is also the public reply to the command. News from the clock has a frame.
    """
    for seq, command in _commands(briefing).items():
        call = command.call
        rings = _called(briefing, call) if call else ()
        yield Desired(
            Headlines(seq), TableChannel(), _card(briefing, command), final=True, entry=seq,
            priority=Priority.BELL if command.by_clock else Priority.ACT, call=call.kind if call else None, rings=rings,
        )  # fmt: skip


def _commands(briefing: Briefing) -> dict[int, _Command]:
    """Return the commands with headlines, by the number of the first entry with one."""
    found: dict[int, _Command] = {}
    for entry in briefing.entries:
        if not _has_its_own_card(briefing, entry) and (text := headline_text(entry)):
            command = found.setdefault(briefing.commands.get(entry.seq, entry.seq), _Command([], []))
            command.entries.append(entry)
            command.texts.append(text)
    return found


def _has_its_own_card(briefing: Briefing, entry: EntryView) -> bool:
    if briefing.public.setup is not None and told(game_named(briefing.public.game), entry):
        return True  # the set-up shows it
    return isinstance(entry.entry, Corrected) and bool(entry.entry.reason)


def _card(briefing: Briefing, command: _Command) -> Card:
    text, call = "\n".join(command.texts), command.call
    if call is not None and call.kind == "turn":
        return turn_card(briefing.public, text, call.seats)
    if call is not None:
        text = f"{text}\n{called_text(briefing.public)}".rstrip()
    return Card("waiting", (text,)) if command.by_clock else text_card(text)


def _called(briefing: Briefing, call: Call) -> tuple[int, ...]:
    """Return the users whom a call is for: those in its seats, or everybody who plays."""
    return tuple(seat.user_id for seat in briefing.seats.values() if not call.seats or seat.seat in call.seats)
