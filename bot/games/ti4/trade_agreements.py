"""Trade Agreement: its holder is asked in private when its owner replenishes [69.1.1].

The table only remembers that a seat has just replenished, which is public. Nobody else may learn
who holds the note. So only the holder sees the question, it never pings, and ignoring it leaves no
trace. The note is played like any other: `bot.games.ti4.notes.PlayNote`.

What happens "when" comes before everything else [1.16], but here the holder answers later. The
owner may use the commodities meanwhile, because refusing it would tell that somebody holds the
note; their trade goods make up for it.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    Action,
    Change,
    Entry,
    Feature,
    Goods,
    GoodsMoved,
    LabelledAction,
    PromptView,
    Refused,
    SeatId,
    Since,
    StatePart,
    Table,
    TableView,
    Window,
    frozen,
    part,
    replace,
    with_part,
)
from bot.games.ti4.agendas import BEGIN_WINDOWS
from bot.games.ti4.commodities import MayReplenish
from bot.games.ti4.components import (
    COMMODITY,
    TRADE_GOOD,
    commodities,
    describe,
    describe_token,
    note_owner,
    trade_goods,
)
from bot.games.ti4.holdings import unlimited
from bot.games.ti4.take_back import TradeTakenBack

NOTE = "trade_agreement"

UNTIL = "until the next turn of another player than its owner, or the next agenda, has ended"
"""How long a Trade Agreement can be played."""

# ---------------------------------------------------------------- when it can be played


@frozen
class Replenishing:
    """A seat replenished, so its Trade Agreement can be played.

    ``number`` is that of the entry by which it did. ``held`` is the number of commodities it had
    then, ``left`` the number that has not left it since. ``window`` is the current window's number;
    ``last``: the chance ends with that window.
    """

    seat: SeatId
    number: int
    held: int
    left: int
    window: int
    last: bool = False


@frozen
class Replenishings(StatePart):
    """The replenishings on which a Trade Agreement can still be played.

    Each ends when another seat's next turn or the next agenda ends, when the seat replenishes
    again, or when the note is played. The seat's own turns don't count, because its player could
    end them at once.
    """

    recent: tuple[Replenishing, ...] = ()

    def in_window(self, window: Window) -> Replenishings:
        """Return the part in this window, which may have just begun."""
        if all(each.window == window.number for each in self.recent):
            return self
        recent = []
        for one in self.recent:
            if not one.last:
                last = window.kind != "none" and window.holder != one.seat
                recent.append(replace(one, window=window.number, last=last))
        return Replenishings(tuple(recent))

    def latest(self, seat: str) -> Replenishing | None:
        """Return the replenishing of a seat; None for none."""
        for replenishing in self.recent:
            if replenishing.seat == seat:
                return replenishing
        return None


def followed(table: Table, entry: Entry) -> Table:
    """Update the replenishings, as a seat replenishes, commodities move, or a window begins."""
    before = part(table, Replenishings)
    now = before.in_window(table.window)
    if isinstance(entry, MayReplenish) and entry.replenishes() and table.tracked:
        seat, window = entry.seat, table.window.number
        held = _held(table, seat)
        if unlimited(table, seat):  # Age of Commerce
            held = entry.changes[seat].gained.count(COMMODITY)
        replenishing = Replenishing(seat, table.seq + 1, held=held, left=held, window=window)
        now = Replenishings((*now.without(seat).recent, replenishing))
    recent = []
    for one in now.recent:
        left = one.left
        if isinstance(entry, TradeTakenBack) and one.seat in entry.changes:
            back = entry.changes[one.seat].gained.count(COMMODITY)
            left = min(one.held, left + back)
        recent.append(replace(one, left=min(left, _held(table, one.seat))))
    now = Replenishings(tuple(recent))
    return table if now == before else with_part(table, now)


def _held(table: Table, seat: str) -> int:
    return table.seats[seat].holdings.count(COMMODITY)


# ---------------------------------------------------------------- playing it


def agreement_of(owner: str) -> str:
    """Return the token of this seat's Trade Agreement."""
    return f"note:{NOTE}:{owner}"


def is_agreement(token: str) -> bool:
    """Return whether this note is a Trade Agreement."""
    return note_owner(token)[0] == NOTE


def played(table: Table, holder: str, token: str) -> dict[str, Change]:
    """Return the changes: the owner's commodities become the holder's trade goods [21.6].

    The note goes back to its owner. The holder gets as many as the owner had on replenishing: what
    is left of those, then the owner's own trade goods, as far as there are any. This is not a
    transaction, so the two need not be neighbours. Raises `Refused` by 69.1 unless the owner has
    just replenished.
    """
    owner, card = note_owner(token)[1], Goods({token: 1})
    just = part(table, Replenishings).latest(owner)
    if just is None:
        raise Refused(
            f"{describe_token(token)} is played when <seat:{owner}> replenishes, and "
            f"<they:{owner}> haven't just now.",
            f"I ask you when they do. You can then play it {UNTIL}.",
            rule="69.1",
        )
    has = table.seats[owner].holdings.count(TRADE_GOOD)
    rest = min(just.held - just.left, has)
    return {
        owner: Change(lost=commodities(just.left) + trade_goods(rest), gained=card),
        holder: Change(lost=card, gained=trade_goods(just.left + rest)),
    }


# ---------------------------------------------------------------- asking the holder


class AgreementAnswer(Action):
    """The answer of ``seat``: play the Trade Agreement of ``owner``, or put it aside.

    ``since`` is the entry by which the owner replenished.

    It is not a command, because putting it aside is not recorded.
    """

    name = "ti4.agreement"
    owner: str
    seat: str
    plays: bool
    since: Since = None


def prompts(table: Table) -> Iterable[PromptView]:
    """Yield the questions to the holders of Trade Agreements whose owners have just replenished."""
    for just in part(table, Replenishings).recent:
        owner, note = just.seat, agreement_of(just.seat)
        for holder in table.seats.values():
            if holder.id == owner or note not in holder.holdings:
                continue
            plays = AgreementAnswer(table.id, owner, holder.id, True, just.number)
            had = f"<seat:{owner}> replenished and then had {describe(commodities(just.held))}."
            # The text must not change while the question is open: a message that was put aside
            # would be sent again.
            yield PromptView(
                table=table.id,
                key=f"ti4-agreement-{owner}-{just.number - 1}",  # a message keeps its name
                seat=holder.id,
                secret=True,
                text=f"{had} You may play **{describe_token(note)}**: as many trade goods come to "
                "you, from what is left of them, then their own trade goods, as far as there are "
                f"any. You can play it {UNTIL}.",
                buttons=(
                    LabelledAction("Play", plays),
                    LabelledAction("Not now", replace(plays, plays=False)),
                ),
            )


def asked_since(view: TableView, token: str) -> int:
    """Return the entry since which the viewer is asked about this Trade Agreement; 0 for none."""
    for prompt in view.prompts:
        for answer in prompt.buttons:
            action = answer.action
            if isinstance(action, AgreementAnswer) and agreement_of(action.owner) == token:
                return action.since or 0
    return 0


FEATURE = Feature(
    state=Replenishings,
    opens=(AgreementAnswer,),
    hears=(GoodsMoved, *BEGIN_WINDOWS),
    after=followed,
    prompts=prompts,
)
