"""Goods that leave a player by an effect: Pillage, Salvage, Law's Order. None of it is a transaction.

Nobody takes another's goods: who loses them says so, or is asked by one tap, or the host says it.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    COUNT_MAX,
    Caller,
    Change,
    Entry,
    Goods,
    Handlers,
    LabelledAction,
    PromptView,
    Refused,
    Seat,
    Table,
    handler,
    is_host,
    own_seat,
    require_tracked,
    seat_meant,
    taken_seat,
)
from bot.games.ti4.actions import PillageAction, PillageAnswer, TakeAction
from bot.games.ti4.commands import AnswerPillage, LoseCommodities, Pillage, TakeGain
from bot.games.ti4.components import COMMODITY, TRADE_GOOD, commodities, describe, trade_goods
from bot.games.ti4.entries import CommoditiesLost, GainedByEffect, GivenByEffect, PillageAsked, PillageDenied
from bot.games.ti4.state import Chance, Effect, Pillaging, Take, state_of
from data.ti4 import CommodityLoss, factions, find_commodity_loss

PILLAGE = "Pillage"
DARK_PACT = "Dark Pact"

# ---------------------------------------------------------------- commodities are lost


def lose(table: Table, command: LoseCommodities, caller: Caller) -> Iterable[Entry]:
    """Lose commodities by an effect; who receives them gets trade goods (21.6). A host says so for others.

    Raises `Refused` for another's commodities, for more than there are, and for what the effect named does not do.
    """
    require_tracked(table)
    seat = seat_meant(table, command.seat, caller)
    by_host = seat.person != caller.person
    if by_host and not is_host(table, caller):
        raise Refused("", "Only they themselves or the host may say what they lose.", "Leave out the player.")
    amount, effect = command.amount, find_commodity_loss(command.effect) if command.effect else None
    _require_there(seat, amount, own=not by_host)
    to = _receiver(table, seat, command.to, effect)
    if effect is not None:
        _require_amount(effect, seat, amount)
    name = effect.name if effect else command.effect
    lost = commodities(amount)
    if to is None:
        return [
            CommoditiesLost(
                seat=seat.id, amount=amount, effect=name, by_host=by_host, changes={seat.id: Change(lost=lost)}
            )
        ]
    since = _pillaged_since(table, seat.id) if name == PILLAGE else None
    return [given(seat.id, to, lost, name, by_host=by_host, since=since)]


def given(seat: str, to: str, goods: Goods, effect: str, *, by_host: bool, since: int | None = None) -> GivenByEffect:
    """Return that an effect gives a seat's goods to another. 21.6: commodities become trade goods."""
    got = goods.without_kind(COMMODITY) + trade_goods(goods.count(COMMODITY))
    changes = {seat: Change(lost=goods), to: Change(gained=got)}
    return GivenByEffect(seat=seat, to=to, goods=goods, effect=effect, by_host=by_host, since=since, changes=changes)


def _pillaged_since(table: Table, of: str) -> int | None:
    """Return the entry because of which a seat is pillaged: what is asked for, or else what may be; None for none."""
    asked = [each.since for each in waiting(table) if each.of == of]
    chance = _chance(table, "pillage", "mentak", of, None)
    return asked[0] if asked else chance.seq if chance else None


def _require_there(seat: Seat, amount: int, *, own: bool) -> None:
    if not 1 <= amount <= COUNT_MAX:
        raise Refused("", f"{amount} is no amount I can move.", f"Write a whole number from 1 to {COUNT_MAX}.")
    held = seat.holdings.count(COMMODITY)
    if amount > held:
        who = "You have" if own else f"<seat:{seat.id}> has"
        raise Refused("", f"{who} {describe(commodities(held)) if held else 'no commodities'}.", "Write how many left.")


def _receiver(table: Table, seat: Seat, named: str | None, effect: CommodityLoss | None) -> str | None:
    """Return who receives them, None for nobody. Raises `Refused` where the effect says otherwise."""
    if effect is None:
        return None if named is None else _other(table, seat, named)
    if not effect.given:
        if named is not None:
            raise Refused("", f"{effect.name} gives them to nobody.", "Leave out `to`.")
        return None
    only = effect.to_faction
    if named is None and only is None:
        raise Refused("21.6", f"{effect.name} gives them to somebody.", "Name them: `to`.")
    if only is not None and (named or only) != only:
        raise Refused("", f"{effect.name} is {factions()[only].short}'s ability.", "Name them, or leave out `to`.")
    return _other(table, seat, named or only or "")


def _other(table: Table, seat: Seat, named: str) -> str:
    if named == seat.id:
        raise Refused("", "Nobody gives commodities to themselves.", "/commodities convert turns them over.")
    return taken_seat(table, named).id


def _require_amount(effect: CommodityLoss, seat: Seat, amount: int) -> None:
    held = seat.holdings.count(COMMODITY)
    right = held if effect.all else effect.amount or amount
    if amount != right:
        every = "all of them" if effect.all else describe(commodities(right))
        raise Refused("", f"{effect.name} is about {every}.", f"Write {right}.")


# ---------------------------------------------------------------- Pillage


def pillage(table: Table, command: Pillage, caller: Caller) -> Iterable[Entry]:
    """Take a trade good or commodity, as Mentak: the one who loses it is asked. A host who is Mentak says so at once.

    Raises `Refused` for others, for an empty seat, without a chance to, and for what is not there.
    """
    require_tracked(table)
    own = own_seat(table, caller)
    if own.id != "mentak":
        raise Refused("Pillage", "Only Mentak can pillage.", "What you take otherwise, the other player says.")
    victim = taken_seat(table, command.of)
    chance = _chance(table, "pillage", own.id, victim.id, command.since)
    if chance is None:
        raise Refused(
            "Pillage", f"You can't pillage <seat:{victim.id}> now, or have done so.",
            "Once they have traded or gained trade goods and have 3 or more, you can.",
        )  # fmt: skip
    goods = Goods.of([command.take])
    if victim.holdings.missing(goods):
        raise Refused("Pillage", f"<seat:{chance.of}> has no {_noun(command.take)}.", "Take the other one.")
    if is_host(table, caller):
        return [given(chance.of, own.id, goods, PILLAGE, by_host=True, since=chance.seq)]
    return [PillageAsked(seat=own.id, other=chance.of, take=command.take, since=chance.seq)]


def answer(table: Table, command: AnswerPillage, caller: Caller) -> Iterable[Entry]:
    """Hand over what Mentak takes, or say that it is not so. Raises `Refused` when nothing of the kind is asked."""
    require_tracked(table)
    seat = own_seat(table, caller)
    asked = next((each for each in waiting(table) if each.of == seat.id and each.since == command.since), None)
    if asked is None:
        raise Refused("", "That question is settled already.", "/holdings show tells what you have.")
    if not command.agreed:
        return [PillageDenied(seat=seat.id, other=asked.seat, since=asked.since)]
    return [given(seat.id, asked.seat, Goods.of([asked.take]), PILLAGE, by_host=False, since=asked.since)]


def waiting(table: Table) -> list[Pillaging]:
    """Return what Mentak takes and waits for, where it is still there to be handed over."""
    every = sorted(state_of(table).pillages, key=lambda each: (each.of, each.since))
    return [each for each in every if each.take in table.seats[each.of].holdings]


def prompts(table: Table) -> list[PromptView]:
    """Return the questions to those who are pillaged."""
    return [_prompt(table.id, each) for each in waiting(table)] if table.tracked else []


def pillage_buttons(table: Table, chance: Chance) -> tuple[LabelledAction, ...]:
    """Return the buttons under the hint that somebody may be pillaged: for what they have."""
    held = table.seats[chance.of].holdings
    kinds: tuple[Take, ...] = ("trade_good", "commodity")
    return tuple(
        LabelledAction(f"Pillage 1 {_noun(take)}", PillageAction(table.id, chance.of, take, chance.seq))
        for take in kinds
        if take in held
    )


def _prompt(table: int, asked: Pillaging) -> PromptView:
    buttons = tuple(
        LabelledAction(label, PillageAnswer(table, asked.of, asked.since, agreed))
        for label, agreed in (("Hand it over", True), ("Not so", False))
    )
    return PromptView(
        table=table, key=f"ti4-pillage-{asked.of}-{asked.since}", seat=asked.of,
        text=f"<seat:{asked.seat}> pillages you: 1 of your {_noun(asked.take, 2)} goes to them [Pillage].",
        buttons=buttons, evident=True,
    )  # fmt: skip


# ---------------------------------------------------------------- Dark Pact


def take_gain(table: Table, command: TakeGain, caller: Caller) -> Iterable[Entry]:
    """Gain the trade good that Dark Pact brings. Raises `Refused` when it brings none, or has been taken."""
    require_tracked(table)
    seat = own_seat(table, caller)
    if _chance(table, "dark_pact", seat.id, None, command.since) is None:
        raise Refused("Dark Pact", "You have it already, or that turn is long over.", "/holdings gain adds others.")
    gained = trade_goods(1)
    changes = {seat.id: Change(gained=gained)}
    return [GainedByEffect(seat=seat.id, goods=gained, effect=DARK_PACT, since=command.since, changes=changes)]


def gain_button(table: Table, chance: Chance) -> LabelledAction:
    """Return the button under the hint that Dark Pact brings a trade good."""
    return LabelledAction("Take 1 trade good", TakeAction(table.id, chance.seat, chance.seq))


def _chance(table: Table, effect: Effect, seat: str, of: str | None, since: int | None) -> Chance | None:
    """Return the newest such chance; ``of`` and ``since`` None: any."""
    return next(
        (
            each
            for each in reversed(state_of(table).chances)
            if (each.effect, each.seat) == (effect, seat) and of in (None, each.of) and since in (None, each.seq)
        ),
        None,
    )


def _noun(token: str, count: int = 1) -> str:
    one, many = ("trade good", "trade goods") if token == TRADE_GOOD else ("commodity", "commodities")
    return one if count == 1 else many


HANDLERS: Handlers = dict(
    [handler(LoseCommodities, lose), handler(Pillage, pillage), handler(AnswerPillage, answer),
     handler(TakeGain, take_gain)]
)  # fmt: skip
