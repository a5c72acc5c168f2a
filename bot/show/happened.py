"""What just happened, in a sentence that everybody may read. Every sentence goes through `view`.

`line` writes it with the marks of `bot.show.names`; `bot.show.story` has the sentences for all other kinds.
"""

from __future__ import annotations

from bot.desk import Look, Outcome
from bot.rules.entries import Corrected, Entry, Gained, PhaseSet, Spent
from bot.rules.games.ti4 import entries as ti4
from bot.rules.goods import Goods
from bot.rules.views import PUBLIC, view
from bot.show import names


def told(outcome: Outcome) -> str:
    """What came of a command, a line for each entry worth one."""
    lines = (line(outcome.after, view(recorded.entry, PUBLIC)) for recorded in outcome.entries)
    return "\n".join(names.tell(outcome.after, each) for each in lines if each)


def line(look: Look, entry: Entry) -> str:
    """The sentence for an entry already seen through `view`, at the table right after it; empty for other kinds."""
    match entry:
        case Gained(seat=seat):
            how = "declares" if entry.declared else "gains"
            return f"{_player(look, seat)} {how} **{_goods(look, entry.changes[seat].gained)}**."
        case Spent(seat=seat):
            return f"{_player(look, seat)} spends **{_goods(look, entry.changes[seat].lost)}**."
        case Corrected(seat=seat):
            return _corrected(look, entry, seat)
        case PhaseSet(phase=phase):
            return f"The **{phase} phase** begins."
        case ti4.TurnStarted(seat=seat):
            return f"It is {_player(look, seat)}'s turn."
        case ti4.TurnEnded(seat=seat):
            return f"{_player(look, seat)}'s turn is over."
        case ti4.TurnPassed(seat=seat):
            return f"{_player(look, seat)} passes."
        case ti4.OrderSet(seats=seats):
            return "They play in this order: " + ", ".join(_player(look, seat) for seat in seats) + "."
        case ti4.CombatBegun(first=first, second=second):
            return f"⚔️ <seat:{first}> and <seat:{second}> fight in the active system; meanwhile they can trade."
        case ti4.CombatEnded():
            return "The combat is over."
        case ti4.AgendaRevealed(title=title, replaces=replaces):
            how = "The agenda is replaced" if replaces else "An agenda is revealed"
            return f"{how}{_titled(title)}. Each pair may trade once, neighbours or not [94.6]."
        case ti4.AgendaResolved(title=title):
            return f"The agenda is resolved{_titled(title)}."
        case ti4.Replenished(seat=seat, amount=amount):
            return (
                f"{_player(look, seat)} replenishes **{_goods(look, Goods({'commodity': amount} if amount else {}))}**."
            )
        case ti4.Converted(seat=seat, amount=amount):
            return f"{_player(look, seat)} turns **{amount}** of their commodities into trade goods."
        case ti4.CommoditiesGained(seat=seat, amount=amount):
            return f"{_player(look, seat)} gains **{_goods(look, Goods({'commodity': amount}))}**."
        case ti4.NotePlayed(seat=seat, note=note, stays=stays):
            where = "and it stays in play" if stays else "and it goes back to its owner"
            return f"{_player(look, seat)} plays **{_goods(look, Goods({note: 1}))}**, {where}.{_paid(look, entry)}"
        case ti4.NoteReturned(seat=seat, note=note):
            return f"{_player(look, seat)} gives **{_goods(look, Goods({note: 1}))}** back to its owner."
        case ti4.PermitGranted(permit=permit):
            what = {
                "neighbors": "they need not be neighbours",
                "limit": "they may trade once more",
                "window": "it need not be their turn",
                "goods": "they may give anything",
            }[permit.lifts]
            first, second = permit.pair
            until = "for one trade" if permit.once else "from now on"
            return f"The host allows <seat:{first}> and <seat:{second}> {until}: {what}. {names.typed(permit.reason)}"
        case _:
            return ""


def _corrected(look: Look, entry: Corrected, seat: str) -> str:
    """What somebody has now, by the host's word; with a reason, also what they had before."""
    notes = f" Promissory notes that came to their hand: {entry.hidden_moved}." if entry.hidden_moved else ""
    if entry.reason:
        return (
            f"**Correction:** {_player(look, seat)} had **{_goods(look, entry.before)}**, and has "
            f"**{_goods(look, entry.after)}** now.{notes} Why: “{names.typed(entry.reason)}”"
        )
    has = names.game_of(look).open_goods(look.table.seats[seat].holdings)
    return f"Set by the host: {_player(look, seat)} has **{_goods(look, has)}**.{notes}"


def _paid(look: Look, entry: ti4.NotePlayed) -> str:
    """What a note moved besides itself: Trade Agreement hands over commodities."""
    got = entry.changes[entry.seat].gained
    return f" They receive **{_goods(look, got)}**." if got else ""


def _player(look: Look, seat: str) -> str:
    return f"<seat:{seat}> ({names.seat_name(look, seat)})"


def _goods(look: Look, goods: Goods) -> str:
    return names.game_of(look).tell_goods(goods)


def _titled(title: str) -> str:
    return f": **{names.typed(title)}**" if title else ""
