"""Rule 24.51: a player who attacks and eliminates a city takes a random card from its owner's hand.

The bot does not see the map, so it asks the owner. A host may also confirm it, even for a nation
that nobody plays any more. Only the two players learn which card it was, or that there was none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import ClassVar

from bot.api import (
    Action,
    Caller,
    Change,
    Command,
    Entry,
    Feature,
    FollowUpView,
    GoodsOfSeat,
    LabelledAction,
    PromptView,
    Reads,
    Refused,
    Since,
    Table,
    ToAnother,
    button,
    frozen,
    own_seat,
    part,
    replace,
    require_host,
    require_since,
    require_tracked,
    taken_seat,
    with_part,
)
from bot.api.chance import with_draw
from bot.games.advciv.cards import describe
from bot.games.advciv.chance import from_hand, may_be_taken, wrong_pick
from bot.games.advciv.holdings import has_played
from bot.games.advciv.state import ACQUIRE, AFTER, TRADE, OfTurn, Status, cards_stay


@frozen
class CardRequest:
    """An unanswered request of ``seat`` to take a card from the hand of ``other`` [24.51], made by
    the entry ``since``.

    ``ahead``: it was made after trading, so it is about an attack of the turn that comes.
    """

    seat: str
    other: str
    since: int = field(default=0, compare=False)
    ahead: bool = field(default=False, compare=False)


@frozen
class Requests(OfTurn):
    """The unanswered requests."""

    waiting: frozenset[CardRequest] = frozenset()

    def vacated(self, seat: str) -> Requests:
        return Requests(
            frozenset(each for each in self.waiting if seat not in (each.seat, each.other))
        )

    def turn_over(self) -> Requests:
        return Requests(
            frozenset(replace(each, ahead=False) for each in self.waiting if each.ahead)
        )

    def in_order(self) -> list[CardRequest]:
        """Return the requests in display order."""
        return sorted(self.waiting, key=lambda each: (each.other, each.seat))


# ---------------------------------------------------------------- taking a card


class TakePrompt(Action):
    """The item **Take a card** of the board's menu: asks whose city it was."""

    name = "advciv.take_from"


class TakeCard(Command):
    """Take a random card from the hand of ``other``, whose city was eliminated [24.51].

    Without ``seat``, the caller takes it, and ``other`` is asked first. With ``seat``, a host
    confirms that this seat takes it. A host who plays confirms only what another player has asked
    for, or for a nation that nobody plays.
    """

    kind = "advciv.take"
    other: str
    seat: str | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_tracked(table)
        if self.seat is not None:
            require_host(table, caller, "say that somebody takes a card")
        seat = own_seat(table, caller) if self.seat is None else taken_seat(table, self.seat)
        other = table.seats.get(self.other)
        if other is None:
            raise Refused(
                "Nobody has played that nation here.",
                "**Who has what** under **Menu** lists the players.",
            )
        if other.id == seat.id:
            raise Refused(
                "You can't take a card from your own hand.",
                "Name the player whose city was eliminated.",
                rule="24.51",
            )
        _require_in_time(table)
        if self.seat is not None:
            if other.person is not None and has_played(table, caller):
                if seat.person == caller.person:
                    raise Refused(
                        "You play, too, so that you take a card isn't for you alone to say.",
                        f"Ask <seat:{other.id}>: **Take a card: you eliminated a city** under "
                        "**Menu**. Or ask a moderator who doesn't play.",
                        rule="24.51",
                    )
                if CardRequest(seat.id, other.id) not in part(table, Requests).waiting:
                    raise Refused(
                        f"<seat:{seat.id}> hasn't asked for it.",
                        "They ask first: **Take a card: you eliminated a city** under **Menu**.",
                        rule="24.51",
                    )
            return [_taken(table, seat.id, other.id, caller.chance, by_host=True)]
        if other.person is None:
            raise Refused(
                f"Nobody plays <faction:{other.id}> any more, so nobody can be asked.",
                f"<person:{table.host}> can say so: /cards take, with you as the player.",
                rule="24.51",
            )
        if CardRequest(seat.id, other.id) in part(table, Requests).waiting:
            raise Refused(
                f"You have already asked <seat:{other.id}>.",
                "Wait for the answer, or ask the host.",
            )
        return [CardRequested(seat=seat.id, other=other.id, ahead=table.phase == AFTER)]


def _require_in_time(table: Table) -> None:
    """Raise `Refused` while hands may hold calamities: chance must not take one out of a hand
    [29.3].
    """
    if cards_stay(table):
        past = {
            ACQUIRE: "cards have been drawn",
            TRADE: "trading is already open",
            AFTER: "trading is over",
        }
        raise Refused(
            f"Cities are attacked before cards are drawn, and {past[table.phase]}.",
            "Once calamities have been shown, the card can be taken.",
            rule="24.51",
        )


class CardRequested(ToAnother):
    """A seat asks to take a random card from another's hand; ``ahead`` as in `CardRequest`."""

    kind = "advciv.cards.requested"
    v: int = 2  # 2: ahead
    reads: ClassVar[Reads] = {("advciv.cards.requested", 1): None}
    ahead: bool = False

    def sentence(self, ruler: str) -> str:
        takes = f"<and:{self.seat}> takes a card, once <they:{self.other}> agree [24.51]"
        return f"<player:{self.seat}> eliminated a city of <seat:{self.other}> {takes}."

    def apply(self, table: Table) -> Table:
        request = CardRequest(self.seat, self.other, table.seq + 1, self.ahead)
        return with_part(table, Requests(part(table, Requests).waiting | {request}))


# ---------------------------------------------------------------- asking the owner


def prompts(table: Table) -> Iterable[PromptView]:
    """Return the questions to players whose cards are taken."""
    if not table.tracked:
        return
    for request in part(table, Requests).in_order():
        text = (
            f"<seat:{request.seat}> says that they attacked and eliminated one of your cities. So "
            "they take a card "
            "from your hand, picked by chance. Only you two learn which [24.51]."
        )
        buttons = (
            _answer(table, request, agreed=True),
            _answer(table, request, agreed=False),
        )
        key = f"advciv-take-{request.seat}-{request.other}"
        yield PromptView(
            table=table.id, key=key, seat=request.other, text=text, buttons=buttons, evident=True
        )


def _answer(table: Table, request: CardRequest, *, agreed: bool) -> LabelledAction:
    label = "Let them take it" if agreed else "No"
    return button(label, table, AnswerTake(request.seat, agreed, request.since))


class AnswerTake(Command):
    """Answer the request of ``other`` to take a card from the caller's hand [24.51], made by the
    entry ``since``.
    """

    kind = "advciv.take.answer"
    other: str
    agreed: bool
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_tracked(table)
        seat = own_seat(table, caller)
        asked = CardRequest(self.other, seat.id)
        waiting = [each for each in part(table, Requests).waiting if each == asked]
        if not waiting:
            raise Refused(
                "That player hasn't asked for a card of yours.",
                "They ask first: **Take a card: you eliminated a city** under **Menu**.",
                rule="24.51",
            )
        over = f"<=name:{self.other}> has asked again since."
        again = _answer(table, waiting[0], agreed=self.agreed)
        require_since(self.since, waiting[0].since, over, again)
        if not self.agreed:
            return [CardDenied(seat=self.other, other=seat.id)]
        _require_in_time(table)
        return [_taken(table, self.other, seat.id, caller.chance, by_host=False)]


class CardDenied(ToAnother):
    """``other`` denied the request."""

    kind = "advciv.cards.denied"

    def sentence(self, ruler: str) -> str:
        return (
            f"<player:{self.other}> says that <seat:{self.seat}> doesn't take a card from "
            f"<them:{self.other}>."
        )

    def apply(self, table: Table) -> Table:
        return _settled(table, self.seat, self.other)


# ---------------------------------------------------------------- the entry


def _taken(table: Table, seat: str, other: str, chance: str, *, by_host: bool) -> CardTaken:
    card = from_hand(table, other, 1, chance)
    hidden = {seat: Change(gained=card), other: Change(lost=card)}
    return CardTaken(seat=seat, other=other, by_host=by_host, hidden=hidden)


class CardTaken(GoodsOfSeat):
    """A seat took a random card from another's hand [24.51]. Only the two know which card, or that
    there was none.

    ``by_host``: a host confirmed it.
    """

    kind = "advciv.cards.taken"
    other: str
    by_host: bool = False

    def seats(self) -> frozenset[str]:
        return frozenset({self.seat, self.other})

    def sentence(self, ruler: str) -> str:
        says = f"{ruler.capitalize()} says: " if self.by_host else ""
        return (
            f"{says}<player:{self.seat}> takes a card from <seat:{self.other}>'s hand, picked by "
            "chance [24.51]."
        )

    def apply(self, table: Table) -> Table:
        return with_draw(_settled(super().apply(table), self.seat, self.other))


def _settled(table: Table, seat: str, other: str) -> Table:
    """Return the table without the request between these seats."""
    return with_part(table, Requests(part(table, Requests).waiting - {CardRequest(seat, other)}))


def card_taken(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell who took a card which one it is."""
    if isinstance(entry, CardTaken):
        took = f"<seat:{entry.other}> had no card to take"
        if gained := (entry.hidden or {})[entry.seat].gained:
            took = f"You took **{describe(gained)}** from <seat:{entry.other}>'s hand"
        yield FollowUpView(seat=entry.seat, text=f"{took} [24.51].", evident=True)


def card_lost(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell who lost a card which one it was. A player who agreed reads it in the reply instead."""
    if isinstance(entry, CardTaken) and entry.by_host:
        lost = f"You had no card for <seat:{entry.seat}> to take"
        if gained := (entry.hidden or {})[entry.seat].gained:
            lost = f"<seat:{entry.seat}> took **{describe(gained)}** from your hand"
        yield FollowUpView(seat=entry.other, text=f"{lost} [24.51].", evident=True)


def verify(table: Table, entry: Entry) -> str:
    """Return a fault if the card is not the one that the seed picks; else empty."""
    if not isinstance(entry, CardTaken) or not entry.hidden:
        return ""
    due = min(1, may_be_taken(table, entry.other).total())
    return wrong_pick(table, entry.other, entry.hidden[entry.other].lost, due)


def _waiting(table: Table) -> str:
    waiting = part(table, Requests).in_order()
    asked = "; ".join(f"<=seat:{each.seat}> from <=seat:{each.other}>" for each in waiting)
    return f"Waiting to take a card: {asked or 'nobody'}."


STATUS: Status = {"24.51": _waiting}

FEATURE = Feature(
    state=Requests,
    commands=(TakeCard, AnswerTake),
    entries=(CardRequested, CardDenied, CardTaken),
    opens=(TakePrompt,),
    prompts=prompts,
    hears=(CardTaken,),
    follow_ups=(card_taken, card_lost),
)
