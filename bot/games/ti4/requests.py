"""Requests from one player to another about the other's goods, which only the other or a host may
move.

The active player chooses who replenishes by Trade (92.4). They must, but they may trade commodities
away first; what they haven't done happens when the turn ends. The owner of a note in another's play
area may ask for it back (`bot.games.ti4.notes`); nothing happens until the other player answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from bot.api import (
    Apply,
    Caller,
    Change,
    Command,
    Entry,
    Feature,
    PromptView,
    Refused,
    Seat,
    Table,
    button,
    is_host,
    own_seat,
    part,
    replace,
    require_tracked,
    seat_meant,
    with_part,
)
from bot.games.ti4.agendas import BEGIN_WINDOWS
from bot.games.ti4.boxes import box_name, boxes_of, why_missing
from bot.games.ti4.commodities import Replenished, TradeFollowed, followed, replenished
from bot.games.ti4.components import commodities, describe_token
from bot.games.ti4.counting import counted
from bot.games.ti4.entries import ToAnother
from bot.games.ti4.holdings import replenishment
from bot.games.ti4.note_returns import NoteReturned, going_back
from bot.games.ti4.state import (
    Question,
    Questions,
    TradeCard,
    active_seat,
    questions,
    with_question,
    without_questions,
)

CARTH = "Carth of Golden Sands"


def after(table: Table, entry: Entry) -> Table:
    """Remove requests that have been fulfilled."""
    match entry:
        case Replenished(seat=seat, effect="") | TradeFollowed(seat=seat):
            return without_questions(
                table, *(each for each in questions(table, "replenish") if each.other == seat)
            )
        case NoteReturned(note=note):
            return without_questions(
                table, *(each for each in questions(table, "note") if _asked_note(each) == note)
            )
    return table


def choose(table: Table, seat: str, *others: str) -> Table:
    """Return the table after ``seat`` has chosen others for Trade, who must replenish."""
    for other in others:
        table = with_question(table, Question("replenish", seat, other))
    now = part(table, Questions)
    return with_part(table, replace(now, chosen=now.chosen.union(others)))


def _asked_note(question: Question) -> str:
    """Return the token of the note that a question asks for."""
    return f"note:{question.which}:{question.seat}"


# ---------------------------------------------------------------- asking


@dataclass(frozen=True, slots=True)
class Replenish(Command):
    """Replenish the commodities of a seat, None for the caller's own. ``effect`` is what does it,
    maybe empty.

    ``quiet``: pressed among the caller's own goods, so it is counted with what else they press
    there (`counting`).
    """

    kind = "ti4.replenish"
    seat: str | None = None
    effect: str = ""
    quiet: bool = False

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """The active player chooses others for Trade, Hacan replenishes them by Carth, and a host
        says so for them.

        In the turn in which Trade was played, players replenish by it unless they name another
        effect.
        """
        seat, own = seat_meant(table, self.seat, caller), table.seat_of(caller.person)
        if seat.person != caller.person or self.effect or not part(table, TradeCard).current:
            require_tracked(table)  # whoever follows Trade needs no count
        effect = CARTH if self.effect.casefold() in (CARTH.casefold(), "carth") else self.effect
        asked = own is not None and own.id == active_seat(table)
        again = seat.id in part(table, Questions).chosen and not effect
        waits = next(
            (each for each in questions(table, "replenish") if each.other == seat.id), None
        )
        if seat.person == caller.person:
            if effect == CARTH:
                raise Refused(
                    CARTH,
                    f"{CARTH} replenishes another player.",
                    "Your own 2: /commodities gain amount:2.",
                )
            if again and waits is None:
                raise Refused(
                    "92.4.2",
                    "You were chosen for Trade in this turn and have replenished: no second time "
                    "by a token.",
                    "If another effect lets you, name it: effect:.",
                )
            card = part(table, TradeCard)
            if card.current and not effect:
                if seat.id in dict(card.done):
                    raise Refused(
                        "92.4.2",
                        "You have replenished by this Trade.",
                        "If another effect lets you, name it: /commodities replenish effect:.",
                    )
                return [followed(table, seat, card.seat, chosen=waits is not None)]
            if self.quiet and waits is None and not effect:
                change = Change(gained=commodities(replenishment(table, seat)))
                return [counted(table, seat.id, change, ("replenished",), caller.at)]
            return [
                replenished(
                    table, seat, let_by=waits.seat if waits and not effect else "", effect=effect
                )
            ]
        agent = (
            not effect
            and not asked
            and own is not None
            and own.id == "hacan"
            and not is_host(table, caller)
        )
        if effect == CARTH or agent:
            return [_by_carth(table, seat, own)]
        if asked and own is not None and not effect:
            if waits is not None:
                raise Refused(
                    "92.4.1",
                    f"<seat:{seat.id}> is already chosen.",
                    "It happens at the latest when this turn ends.",
                )
            if again:
                raise Refused(
                    "92.4.2",
                    f"<seat:{seat.id}> was chosen in this turn and has replenished.",
                    "If another effect lets them, they or the host name it: effect:.",
                )
            return [ReplenishAsked(seat=own.id, other=seat.id)]
        if is_host(table, caller):
            return [replenished(table, seat, by_host=True, effect=effect)]
        own_seat(table, caller)
        raise Refused(
            "",
            "Only the active player (Trade), Hacan (Carth of Golden Sands) or the host can let "
            "another player "
            "replenish.",
            "Leave out the player.",
        )


def _by_carth(table: Table, seat: Seat, own: Seat | None) -> Entry:
    """Return the entry by which Hacan replenishes another seat. Raises `Refused` outside the action
    phase.
    """
    if own is None or own.id != "hacan":
        raise Refused(
            CARTH, "Only Hacan has that agent.", "The host can say so too, without the effect."
        )
    if "pok" not in boxes_of(table.settings):
        raise Refused(CARTH, *why_missing(CARTH, box_name("pok")))
    if table.phase != "action":
        raise Refused(
            CARTH, "Hacan can use that agent only in the action phase.", "On anybody's turn in it."
        )
    return replenished(table, seat, let_by=own.id, effect=CARTH)


class ReplenishAsked(ToAnother):
    """The active player chose another player for Trade, who then must replenish."""

    kind: Literal["ti4.commodities.asked"] = "ti4.commodities.asked"

    def sentence(self, ruler: str) -> str:
        return (
            f"<seat:{self.seat}> chooses <seat:{self.other}> for **Trade**. "
            f"<They:{self.other}> replenish, at the latest when this turn ends [92.4.1]."
        )

    def apply(self, table: Table) -> Table:
        return choose(table, self.seat, self.other)


def brings(
    table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
) -> tuple[Entry, ...]:
    """Insert the replenishing of those chosen for Trade, right before the entry that ends the
    turn.
    """
    if not table.tracked or not questions(table, "replenish"):
        return entries
    every: list[Entry] = []
    for entry in entries:
        if apply(table, entry).window.number != table.window.number:
            for each in questions(table, "replenish"):
                due = replenished(table, table.seats[each.other], let_by=each.seat, due=True)
                every.append(due)
                table = apply(table, due)
        every.append(entry)
        table = apply(table, entry)
    return tuple(every)


class NoteAsked(ToAnother):
    """The owner of a note asked its holder to return it from play. ``note`` is its id."""

    kind: Literal["ti4.note.asked"] = "ti4.note.asked"
    note: str

    def sentence(self, ruler: str) -> str:
        card = describe_token(f"note:{self.note}:{self.seat}")
        return f"<seat:{self.seat}> asks <seat:{self.other}> for **{card}** back."

    def apply(self, table: Table) -> Table:
        return with_question(table, Question("note", self.seat, self.other, self.note))


# ---------------------------------------------------------------- answering


def waiting(table: Table) -> list[Question]:
    """Return the requests that wait for an answer, except for notes that are not in play any
    more.
    """
    notes = (
        each
        for each in questions(table, "note")
        if _asked_note(each) in table.seats[each.other].in_play
    )
    return [*questions(table, "replenish"), *notes]


def prompts(table: Table) -> Iterator[PromptView]:
    """Yield the questions to the players who are asked."""
    card = part(table, TradeCard)
    for each in waiting(table) if table.tracked else ():
        if card.current and not each.which and each.other in card.chosen:
            continue  # the message about Trade asks them
        buttons = [button("Replenish", table, AnswerRequest(each.seat, each.which, agreed=True))]
        if each.which:
            key = f"ti4-note-{each.which}-{each.seat}-{each.other}"
            buttons = [
                button("Give it back", table, AnswerRequest(each.seat, each.which, agreed=True)),
                button("Keep it", table, AnswerRequest(each.seat, each.which, agreed=False)),
            ]
            note = describe_token(_asked_note(each))
            text = f"<seat:{each.seat}> asks for **{note}** back, which is in play in front of you."
        else:
            key = f"ti4-replenish-{each.seat}-{each.other}"
            text = (
                f"<seat:{each.seat}> has chosen you for **Trade**: you replenish your commodities, "
                "at the latest when "
                "this turn ends [92.4.1]. Until then you can trade commodities away first [21.5.2]."
            )
        yield PromptView(
            table=table.id, key=key, seat=each.other, text=text, buttons=tuple(buttons)
        )


@dataclass(frozen=True, slots=True)
class AnswerRequest(Command):
    """Replenish as this seat wants, or grant or deny its request to return the note with the id
    ``note``.
    """

    kind = "ti4.request"
    private_reply = True
    other: str
    note: str
    agreed: bool

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_tracked(table)
        seat = own_seat(table, caller)
        request = Question("note" if self.note else "replenish", self.other, seat.id, self.note)
        if request not in waiting(table):
            raise Refused(
                "", "That question is already answered.", "/holdings show lists what you have."
            )
        if not self.agreed and not self.note:
            raise Refused(
                "92.4.1",
                "Whom the active player chooses for Trade replenishes.",
                "Press Replenish, or it happens when this turn ends.",
            )
        if not self.agreed:
            return [RequestDenied(seat=seat.id, other=self.other, note=self.note)]
        if self.note:
            return [going_back(seat, _asked_note(request), said_by=seat.id)]
        return [replenished(table, seat, let_by=self.other)]

    def reply(self, entries: Sequence[Entry]) -> str:
        return "\n".join(entry.sentence("") for entry in entries)


class RequestDenied(ToAnother):
    """The player who was asked denied the request to return the note with this id."""

    kind: Literal["ti4.request.denied"] = "ti4.request.denied"
    note: str

    def sentence(self, ruler: str) -> str:
        return f"<seat:{self.seat}> keeps it."

    def apply(self, table: Table) -> Table:
        return without_questions(table, Question("note", self.other, self.seat, self.note))


FEATURE = Feature(
    state=Questions,
    commands=(Replenish, AnswerRequest),
    entries=(ReplenishAsked, NoteAsked, RequestDenied),
    hears=(Replenished, TradeFollowed, NoteReturned, *BEGIN_WINDOWS),
    after=after,
    brings=brings,
    prompts=prompts,
)
