"""What players read of promissory notes that came to them, by a trade or by an effect.

F1: a note can be played in the window in which it was received. This reveals nothing: everybody
knows that a note was received, and which notes can't be played from hand [69.6]. Notes that take
effect on receipt are public.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.api import Change, Entry, Feature, FollowUpView, Table, Transaction
from bot.games.ti4.components import arrives_in_play, describe, describe_token, note_named
from bot.games.ti4.note_gifts import NoteGiven
from bot.games.ti4.notes import gained_with, purged


def took_effect(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell a receiver about each note that took effect as they got it."""
    counted = " The trade goods are in your holdings." if table.tracked else ""
    for _, receiver, note in _purged(entry):
        name = note_named(note).name
        text = f"{name} took effect on you: you {_effect(note, receiver)}{counted}"
        yield FollowUpView(seat=receiver, evident=True, text=text)


def took_effect_on_another(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell a giver about each note that took effect as another got it."""
    for giver, receiver, note in _purged(entry):
        name, plot = note_named(note).name, "You may lay a plot card with their token on it."
        effect = f"they {_effect(note, receiver)} {plot}"
        text = f"{name} took effect on <seat:{receiver}>: {effect}"
        yield FollowUpView(seat=giver, evident=True, text=text)


def _purged(entry: Entry) -> Iterator[tuple[str, str, str]]:
    """Yield giver, receiver and token of each note that took effect on receipt."""
    if not isinstance(entry, Transaction | NoteGiven):
        return
    for giver in sorted(entry.seats()):
        (receiver,) = entry.seats() - {giver}
        given = entry.changes.get(giver, Change()).lost
        for token in given.of_kind("note"):
            if purged(token, receiver):
                yield giver, receiver, token


def _effect(token: str, receiver: str) -> str:
    note, goods = note_named(token), describe(gained_with([token], receiver))
    return f"gain {goods} and {note.receiver_tokens} command tokens, and the note leaves the game."


def lies_there(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell a receiver what each note does that went into play as they got it."""
    if not isinstance(entry, Transaction | NoteGiven):
        return
    for seat in sorted(entry.seats()):
        for token in entry.changes.get(seat, Change()).entered_play:
            lies = f"**{describe_token(token)}** lies in play in front of you."
            text = f"{lies} {note_named(token).effect}"
            yield FollowUpView(seat=seat, evident=True, text=text)


def traded(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell a receiver when to play each note that they traded for."""
    if not isinstance(entry, Transaction):
        return
    for seat in sorted(entry.seats()):
        gained = (entry.hidden or {}).get(seat, Change()).gained
        for token in gained.of_kind("note"):
            if not arrives_in_play(token):
                yield FollowUpView(seat=seat, evident=True, text=_reminder(token))


def given(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell a receiver which note an effect gave them, and when to play it."""
    if not isinstance(entry, NoteGiven):
        return
    for token in (entry.hidden or {}).get(entry.to, Change()).gained:
        gave = f"<seat:{entry.seat}> gave you **{describe_token(token)}**."
        text = f"{gave} {_reminder(token)}"
        yield FollowUpView(seat=entry.to, evident=True, text=text)


def _reminder(token: str) -> str:
    """Return what a note just received does, and when, in words for its holder."""
    note = note_named(token)
    if note.passes_on:
        passes = f"For 1 influence you pass it to a neighbour {note.timing}: /note give."
        return f"{note.name} isn't played. {passes}"
    now = "If it can be played right now, you may play it at once [F1]."
    return f"{now} {note.name}, {note.timing}: {note.effect}"


FEATURE = Feature(
    hears=(Transaction, NoteGiven),
    follow_ups=(took_effect, took_effect_on_another, lies_there, traded, given),
)
