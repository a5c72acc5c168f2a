"""Requests from one player to another about the other's goods.

The active player chooses who replenishes by Trade (92.4). They must, but they may trade commodities
away first; what they haven't done happens when the turn ends. The owner of a note in another's play
area may ask for it back (`bot.games.ti4.notes`); nothing happens until the other player answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
    Since,
    Table,
    ToAnother,
    button,
    is_host,
    own_seat,
    part,
    replace,
    require_since,
    require_tracked,
    seat_meant,
    with_part,
)
from bot.games.ti4.agendas import BEGIN_WINDOWS
from bot.games.ti4.boxes import box_name, boxes_of, why_missing
from bot.games.ti4.commodities import Replenished, TradeFollowed, followed, replenished
from bot.games.ti4.components import commodities, describe_token
from bot.games.ti4.counting import counted
from bot.games.ti4.holdings import replenishment
from bot.games.ti4.note_returns import NoteReturned, going_back
from bot.games.ti4.permits import who_may
from bot.games.ti4.state import (
    Question,
    Questions,
    TradeCard,
    active_seat,
    asked,
    out_of_game,
    questions,
    with_question,
    without_questions,
)

CARTH, CARTH_NAME = "carth_of_golden_sands", "Carth of Golden Sands"


def after(table: Table, entry: Entry) -> Table:
    """Remove requests that have been fulfilled."""
    match entry:
        case Replenished(seat=seat, effect="") | TradeFollowed(seat=seat):
            waiting = questions(table, "replenish")
            done = [question for question in waiting if question.other == seat]
        case NoteReturned(note=note):
            waiting = questions(table, "note")
            done = [question for question in waiting if _asked_note(question) == note]
        case _:
            return table
    return without_questions(table, *done)


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


class Replenish(Command):
    """Replenish the commodities of a seat, None for the caller's own.

    ``effect`` is what does it, maybe empty. ``quiet``: pressed among the caller's own goods, so it
    is counted with what else they press there (`counting`). ``since``: by the Trade card that this
    entry played.
    """

    words = ("effect",)
    kind = "ti4.replenish"
    seat: str | None = None
    effect: str = ""
    quiet: bool = False
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """The active player chooses others for Trade; Hacan's agent, its copy or a host replenishes
        them.

        In the turn in which Trade was played, players replenish by it unless they name another
        effect.
        """
        seat, own = seat_meant(table, self.seat, caller), table.seat_of(caller.person)
        if not self.quiet or self.effect or self.seat or self.since:
            _require_card(table, self.since)
        if seat.person != caller.person or self.effect or not part(table, TradeCard).current:
            require_tracked(table)  # whoever follows Trade needs no count
        effect = self.effect
        if effect.casefold() in (CARTH_NAME.casefold(), "carth"):
            effect = CARTH_NAME
        chosen_by = ""
        for question in questions(table, "replenish"):
            if question.other == seat.id:
                chosen_by = question.seat
        if seat.person == caller.person:
            return [self._own(table, seat, effect, chosen_by, caller.at)]
        hosts, active = is_host(table, caller), own is not None and own.id == active_seat(table)
        by_agent = own is not None and own.id in who_may(table, CARTH) and not hosts and not active
        if effect == CARTH_NAME or (by_agent and not effect):
            return [_by_carth(table, seat, own)]
        if active and own is not None and not effect:
            return [_chosen(table, own, seat, chosen_by)]
        if hosts:
            return [replenished(table, seat, by_host=True, effect=effect)]
        own_seat(table, caller)
        raise Refused(
            "Only the active player (Trade), Hacan (Carth of Golden Sands) or the host can let "
            "another player replenish.",
            "Leave out the player.",
        )

    def _own(self, table: Table, seat: Seat, effect: str, chosen_by: str, at: int) -> Entry:
        """Return the entry by which the caller replenishes this seat, their own."""
        if effect == CARTH_NAME:
            own = "Your own 2: /commodities gain amount:2."
            raise Refused(f"{CARTH_NAME} replenishes another player.", own, rule=CARTH_NAME)
        if effect:
            return replenished(table, seat, effect=effect)
        if not chosen_by and seat.id in part(table, Questions).chosen:
            raise Refused(
                "You were chosen for Trade in this turn and have replenished: no second time by a "
                "token.",
                "If another effect lets you, name it: effect:.",
                rule="92.4.2",
            )
        card = part(table, TradeCard)
        if card.current and seat.id in dict(card.done):
            raise Refused(
                "You have replenished by this Trade.",
                "If another effect lets you, name it: /commodities replenish effect:.",
                rule="92.4.2",
            )
        if card.current:
            return followed(table, seat, card.seat, chosen=bool(chosen_by))
        if self.quiet and not chosen_by:
            change = Change(gained=commodities(replenishment(table, seat)))
            return counted(table, seat.id, change, ("replenished",), at)
        return replenished(table, seat, let_by=chosen_by)


def _require_card(table: Table, since: Since) -> None:
    """Raise `Refused` unless the turn goes on in which this entry played the Trade card."""
    card = part(table, TradeCard)
    now = card.number if card.current else 0
    if since is not None and not now:
        over = "The turn of that Trade is over."
        raise Refused(over, "**Replenish** under **My goods** does it.", rule="92.4.1")
    again = button("Replenish", table, Replenish(since=now))
    require_since(since, now, "Trade has been played again since.", again)


def _chosen(table: Table, own: Seat, seat: Seat, chosen_by: str) -> Entry:
    """Return the entry by which the active player chooses another seat for Trade."""
    if chosen_by:
        at_the_end = "It happens at the latest when this turn ends."
        raise Refused(f"<seat:{seat.id}> is already chosen.", at_the_end, rule="92.4.1")
    if seat.id in part(table, Questions).chosen:
        raise Refused(
            f"<seat:{seat.id}> was chosen in this turn and has replenished.",
            "If another effect lets them, they or the host name it: effect:.",
            rule="92.4.2",
        )
    return ReplenishAsked(seat=own.id, other=seat.id)


def _by_carth(table: Table, seat: Seat, own: Seat | None) -> Entry:
    """Return the entry by which an agent of Hacan, or its copy, replenishes another seat."""
    if own is None or own.id not in who_may(table, CARTH):
        hosts = "The host can say so too, without the effect."
        only = "Only Hacan has that agent, and Yssaril where Hacan plays."
        raise Refused(only, hosts, rule=CARTH_NAME)
    if "pok" not in boxes_of(table.settings):
        raise Refused(*why_missing(CARTH_NAME, box_name("pok")), rule=CARTH_NAME)
    if table.phase != "action":
        only_then = "That agent can be used only in the action phase."
        raise Refused(only_then, "On anybody's turn in it.", rule=CARTH_NAME)
    return replenished(table, seat, let_by=own.id, effect=CARTH_NAME)


class ReplenishAsked(ToAnother):
    """The active player chose another player for Trade, who then must replenish."""

    kind = "ti4.commodities.asked"

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
    """Insert the replenishing of those chosen for Trade right before the end of the turn."""
    if not table.tracked or not questions(table, "replenish"):
        return entries
    all_entries: list[Entry] = []
    for entry in entries:
        if _ends_turn(table, apply(table, entry)):
            for question in questions(table, "replenish"):
                seat = table.seats[question.other]
                due = replenished(table, seat, let_by=question.seat, due=True)
                all_entries.append(due)
                table = apply(table, due)
        all_entries.append(entry)
        table = apply(table, entry)
    return tuple(all_entries)


def _ends_turn(before: Table, now: Table) -> bool:
    """Return whether the turn is over, or its player out of the game."""
    return before.window.number != now.window.number or active_seat(now) in out_of_game(now)


class NoteAsked(ToAnother):
    """The owner of a note asked its holder to return it from play. ``note`` is its id."""

    kind = "ti4.note.asked"
    note: str

    def sentence(self, ruler: str) -> str:
        card = describe_token(f"note:{self.note}:{self.seat}")
        return f"<seat:{self.seat}> asks <seat:{self.other}> for **{card}** back."

    def apply(self, table: Table) -> Table:
        return with_question(table, Question("note", self.seat, self.other, self.note))


# ---------------------------------------------------------------- answering


def waiting(table: Table) -> list[Question]:
    """Return the requests that wait for an answer, but those for notes that have left play."""
    waiting = questions(table, "replenish")
    for question in questions(table, "note"):
        if _asked_note(question) in table.seats[question.other].in_play:
            waiting.append(question)
    return waiting


def prompts(table: Table) -> Iterator[PromptView]:
    """Yield the questions to the players who are asked."""
    card = part(table, TradeCard)
    for question in waiting(table) if table.tracked else ():
        asker, other, note = question.seat, question.other, question.which
        if card.current and not note and other in card.chosen:
            continue  # the message about Trade asks them
        agree = AnswerRequest(asker, note, agreed=True, since=question.since)
        buttons = [button("Give it back" if note else "Replenish", table, agree)]
        if note:
            key = f"ti4-note-{note}-{asker}-{other}"
            buttons.append(button("Keep it", table, replace(agree, agreed=False)))
            name = describe_token(_asked_note(question))
            text = f"<seat:{asker}> asks for **{name}** back, which is in play in front of you."
        else:
            key = f"ti4-replenish-{asker}-{other}"
            text = (
                f"<seat:{asker}> has chosen you for **Trade**: you replenish your commodities, at "
                "the latest when this turn ends [92.4.1]. Until then you can trade commodities "
                "away first [21.5.2]."
            )
        yield PromptView(table=table.id, key=key, seat=other, text=text, buttons=tuple(buttons))


class AnswerRequest(Command):
    """Replenish as this seat wants, or grant or deny its request to return the note ``note``.

    ``since`` is the number of the entry by which it asked.
    """

    kind = "ti4.request"
    private_reply = True
    other: str
    note: str
    agreed: bool
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_tracked(table)
        seat = own_seat(table, caller)
        about: Literal["note", "replenish"] = "note" if self.note else "replenish"
        request = asked(table, Question(about, self.other, seat.id, self.note))
        if request is None or request not in waiting(table):
            answered = "That question is already answered."
            raise Refused(answered, "**My goods** lists what you have.")
        label = "Replenish"
        if self.note:
            label = "Give it back" if self.agreed else "Keep it"
        again = button(label, table, replace(self, since=request.since))
        require_since(self.since, request.since, request.asked_again, again)
        if not self.agreed and not self.note:
            raise Refused(
                "Whom the active player chooses for Trade replenishes.",
                "Press Replenish, or it happens when this turn ends.",
                rule="92.4.1",
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

    kind = "ti4.request.denied"
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
