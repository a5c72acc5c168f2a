"""Exceptions to the rules: abilities, read from ``data/ti4/permits.toml``, and permits that a host
grants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from bot.api import (
    Action,
    Caller,
    Command,
    Entry,
    Feature,
    Reference,
    Refused,
    Seat,
    Table,
    Trade,
    Transaction,
    excerpt,
    kind_of,
    part,
    quoted,
    reference,
    replace,
    require_host,
    taken_seat,
    with_part,
)
from bot.games.ti4.boxes import boxes_of
from bot.games.ti4.components import describe_token, in_front_of
from bot.games.ti4.holdings import tokens_of
from bot.games.ti4.state import Combat, InForce, Permit, Status, each_seat, listed
from data.ti4 import Ability, Lift, TradeLift, abilities, factions, find_permit_card, permit_cards

REASONS_NAMED = 5
"""The most permits that a refusal lists."""

LIFTED: dict[Lift, tuple[str, str]] = {
    "neighbors": ("no need to be neighbours", "the neighbour rule"),
    "limit": ("one more transaction", "one trade a turn"),
    "window": ("on anybody's turn", "whose turn it is"),
    "goods": ("anything can be given", "what can change hands"),
    "notes": ("a side may give several promissory notes", "one note a side"),
    "commodities": ("there is no limit on commodities", "the commodity limit"),
    "hands": (
        "neighbours' promissory notes can be looked at, with /note look",
        "that neighbours' notes are hidden",
    ),
}
"""For each rule that a permit can lift: the text of what is then allowed, and the name of the
rule.
"""

# ---------------------------------------------------------------- granting


class GrantPermit(Command):
    """Lift a rule because of a card that the bot does not know. Needs the host.

    The permit is for two seats, for one seat with anybody (``second`` None), or for everybody (both
    None). ``until`` is as in `Permit`.
    """

    words = ("reason",)
    first: str | None
    second: str | None
    lifts: TradeLift
    reason: str
    once: bool = True
    until: Literal["window", "revoked"] = "revoked"

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "grant a permit")
        seats = _seats(table, filter(None, (self.first, self.second)))
        if not self.reason:
            name_it = "Name the card, for example: Temporal Command Suite."
            raise Refused("A permit needs a reason.", name_it)
        if self.until == "window" and table.window.kind == "none":
            nothing = "No turn or agenda is under way to end with."
            raise Refused(nothing, "Grant it in the turn it is for.")
        permit = Permit(
            number=part(table, InForce).granted + 1,
            seats=seats,
            lifts=(self.lifts,),
            once=self.once,
            reason=self.reason,
            until=self.until,
        )
        return [PermitGranted(permit=permit)]


class GrantCard(Command):
    """Put a known card in force, by its id or name. ``seats`` are the seats it was played for.
    Needs the host.

    It lifts the rules that data/ti4/permit_cards.toml says.
    """

    card: str
    seats: tuple[str, ...] = ()

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "say that a card is in force")
        card, now = find_permit_card(self.card), part(table, InForce)
        if card is None:
            looks = [each.name for each in permit_cards().values() if "hands" in each.lifts]
            trades = [each.name for each in permit_cards().values() if each.name not in looks]
            raise Refused(
                "I don't know that card.",
                f"I know {', '.join(trades)}. For a look at notes there is {', '.join(looks)}. For "
                "any other card, name it and its rule.",
            )
        seats = _seats(table, self.seats)
        if card.everybody and seats:
            raise Refused(f"{card.name} applies to everybody.", "Leave out the players.")
        if len(seats) > 2:
            raise Refused(f"{card.name} applies to two players.", "Name two players.")
        enough = 1 if card.lifts == ("hands",) else 2  # one player has it, or two trade
        if card.faction is not None and card.faction not in seats and len(seats) < enough:
            if card.faction not in table.seated():
                raise Refused(
                    f"Nobody plays {factions()[card.faction].short} here.",
                    "Name the two who trade.",
                )
            seats = tuple(sorted((card.faction, *seats)))
        if not card.once and any(permit.card == card.id for permit in now.permits):
            raise Refused(f"{card.name} is already in force.", "**Host…** under **Menu** ends it.")
        permit = Permit(
            number=now.granted + 1,
            seats=seats,
            lifts=card.lifts,
            once=card.once,
            reason=card.name,
            components=card.components,
            until=card.until,
            card=card.id,
        )
        return [PermitGranted(permit=permit)]


def _seats(table: Table, named: Iterable[str]) -> tuple[str, ...]:
    """Return these seats in a fixed order. Raises `Refused` for an empty one, or one twice."""
    seats = [taken_seat(table, each).id for each in named]
    if len(set(seats)) != len(seats):
        raise Refused("A permit is for two players.", "Name two players.")
    return tuple(sorted(seats))


class AskPermit(Action):
    """**Permit…** for the host: open the form of a card that lifts rules."""

    name = "ti4.ask.permit"


class PermitForm(Action):
    """The form of a card that lifts rules, known or not."""

    name = "ti4.form.permit"


class OfPermit(Entry):
    """An entry about a permit."""

    permit: Permit

    def subject(self) -> Reference | None:
        """Return the permit. By it, the audit of a transaction that used the permit finds this
        entry.
        """
        return reference("permit", self.permit.number)

    def seats(self) -> frozenset[str]:
        return frozenset(self.permit.seats)


class PermitGranted(OfPermit):
    """A host granted a permit."""

    kind = "ti4.permit.granted"

    def grants(self) -> int | None:
        return self.permit.number

    def sentence(self, ruler: str) -> str:
        permit = self.permit
        allowed = []
        for lift in permit.lifts:
            if lift == "goods" and permit.components:
                allowed.append(f"they may give {_kinds(permit.components)} too")
            else:
                allowed.append(LIFTED[lift][0])
        until = "for one trade" if permit.once else "from now on"
        says = f"{ruler.capitalize()} allows {_for(permit)} {until}: {'; '.join(allowed)}."
        ends = " It ends with this turn or agenda." if permit.until == "window" else ""
        return f"{says}{ends} {quoted(permit.reason)}"

    def apply(self, table: Table) -> Table:
        now, number = part(table, InForce), self.permit.number
        return with_part(table, replace(now, permits=(*now.permits, self.permit), granted=number))


def _kinds(components: Iterable[str]) -> str:
    """Return components and kinds of them in words: ``relics, planets and action cards``."""
    names = []
    for component in components:
        kind = f"{component.replace('_', ' ')}s"
        names.append(describe_token(component) if ":" in component else kind)
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


# ---------------------------------------------------------------- ending


class RevokePermit(Command):
    """End the permits for this reason or card, or the one with this ``number``. Needs the host."""

    kind = "ti4.permit.revoke"
    reason: str = ""
    number: int = 0

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "end a permit")
        permits, card = part(table, InForce).permits, find_permit_card(self.reason)
        reason = self.reason.strip().casefold()
        ended = [permit for permit in permits if permit.reason.casefold() == reason]
        if card is not None:
            ended = [permit for permit in permits if permit in ended or permit.card == card.id]
        if self.number:
            ended = [permit for permit in permits if permit.number == self.number]
        if not ended:
            latest = dict.fromkeys(quoted(permit.reason) for permit in permits[-REASONS_NAMED:])
            stand = f"In force now: {'; '.join(latest)}." if latest else "No permit is in force."
            raise Refused(f"There is no permit for “{excerpt(self.reason)}”.", stand)
        return [PermitRevoked(permit=permit) for permit in ended]


class PermitRevoked(OfPermit):
    """A host ended a permit."""

    kind = "ti4.permit.revoked"

    def sentence(self, ruler: str) -> str:
        return f"{ruler.capitalize()} ends {quoted(self.permit.reason)} for {_for(self.permit)}."

    def apply(self, table: Table) -> Table:
        number = self.permit.number
        left = part(table, InForce).without_permits(lambda permit: permit.number == number)
        return with_part(table, left)


def used_up(table: Table, entry: Entry) -> Table:
    """Use up the permits that a transaction needed."""
    if not isinstance(entry, Transaction) or not entry.permits:
        return table
    return with_part(table, part(table, InForce).with_used(entry.permits))


def permitted(permit: Permit) -> str:
    """Return a text with the seats of a permit."""
    if not permit.seats:
        return "All players"
    seats = [f"<seat:{seat}>" for seat in permit.seats]
    if len(seats) == 1 and permit.lifts != ("hands",):
        seats.append("anybody")
    return " and ".join(seats)


def _for(permit: Permit) -> str:
    return permitted(permit) if permit.seats else "everybody"


# ---------------------------------------------------------------- lifting rules for a trade


def covers(permit: Permit, trade: Trade) -> bool:
    """Return whether a permit holds for this trade, with any taker if nobody has accepted yet."""
    return set(permit.seats) <= {trade.first, trade.second}


def granted(table: Table, trade: Trade, lift: Lift) -> list[Permit]:
    """Return the permits that lift a rule for this trade, oldest first."""
    permits = part(table, InForce).permits
    return [permit for permit in permits if lift in permit.lifts and covers(permit, trade)]


def lifts_neighbors(table: Table, trade: Trade) -> bool:
    """Return whether the parties of this trade need not be neighbours."""
    if granted(table, trade, "neighbors"):
        return True
    seats = [table.seats[trade.first], table.seats[trade.second]]
    lifting = [ability for ability in abilities() if ability.lifts == "neighbors"]
    return any(_works(table, ability, seats) for ability in lifting)


def lifts_goods(table: Table, token: str, trade: Trade, giver: str) -> bool:
    """Return whether ``giver`` ("": any seat) may give this component in this trade.

    If nobody has accepted the offer yet, an ability of any seat at the table is enough.
    """
    for permit in granted(table, trade, "goods"):
        if not permit.components or _listed(permit, token):
            return True
    taking_part = (trade.first, trade.second) if trade.second else table.seated()
    seats = [table.seats[seat] for seat in taking_part]
    for ability in abilities():
        if ability.lifts != "goods" or not _listed(ability, token):
            continue
        gives = not ability.given_by_faction or giver in ("", ability.faction)
        if gives and _works(table, ability, seats):
            return True
    return False


def who_may(table: Table, ability: str) -> tuple[str, ...]:
    """Return the seats that may use an ability of a faction: its own, and those that copy it."""
    known = next(each for each in abilities() if each.id == ability)
    if known.faction not in table.seated():
        return ()
    return (known.faction, *known.copied_by)


def has(seat: Seat, held: str) -> bool:
    """Return whether a seat has a card in front of it: a note in play, a relic, a station."""
    return bool(tokens_of(held, in_front_of(seat)))


def _listed(lifting: Ability | Permit, token: str) -> bool:
    """Return whether an ability or permit names this component or its kind."""
    return token in lifting.components or kind_of(token) in lifting.components


def _works(table: Table, ability: Ability, seats: list[Seat]) -> bool:
    """Return whether an ability exists here, and holds for a trade between these seats."""
    if ability.expansion not in boxes_of(table.settings):
        return False
    if ability.window is not None and table.window.kind != ability.window:
        return False
    fighting = part(table, Combat).fighting()
    if ability.not_in_combat and ability.faction in fighting:
        return False
    if ability.held is not None:
        having = [has(seat, ability.held) for seat in seats]
        return all(having) if ability.by_both else any(having)
    return ability.faction is None or any(seat.id == ability.faction for seat in seats)


# ---------------------------------------------------------------- what /rules show says


def that_lift(*lifts: Lift) -> Callable[[Table], str]:
    """Return the sentence that says which permits lift one of these rules."""

    def status(table: Table) -> str:
        sentences = []
        for permit in part(table, InForce).permits:
            if set(permit.lifts) & set(lifts):
                lifted = ", ".join(LIFTED[lift][1] for lift in permit.lifts)
                once = " once" if permit.once else ""
                why = quoted(permit.reason)
                sentences.append(f"{permitted(permit)} can ignore {lifted}{once} ({why})")
        return f"Permits in force: {listed(sentences, most=4)}." if sentences else ""

    return status


def _in_force(card: str) -> Callable[[Table], str]:
    def status(table: Table) -> str:
        permits = (permit for permit in part(table, InForce).permits if permit.card == card)
        return f"In force for: {listed(map(permitted, permits), none='nobody')}."

    return status


def who_has(held: str) -> Callable[[Table], str]:
    """Return the sentence that says which seats have this card or token in front of them."""

    def described(table: Table, seat: Seat) -> str | None:
        return "" if has(seat, held) else None

    return each_seat("Who has it", described, none="nobody")


STATUS: Status = {
    "The Silver Flame": (who_has("relic:The Silver Flame"),),
    "Dynamis Core": (who_has("relic:Dynamis Core"),),
    **{card.name: (_in_force(card.id),) for card in permit_cards().values()},
}

FEATURE = Feature(
    state=InForce,
    commands=(GrantPermit, GrantCard, RevokePermit),
    entries=(PermitGranted, PermitRevoked),
    opens=(AskPermit, PermitForm),
    hears=(Transaction,),
    after=used_up,
)
