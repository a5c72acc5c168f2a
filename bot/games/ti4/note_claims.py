"""What a played note brings once something unseen happened at the table: Spy Net, Keleres Rider.

The message about the play has a button with which its holder says so. The others may then say **Not
so**, which a host settles who is neither of the two.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from bot.api import (
    NOTHING,
    Caller,
    Change,
    Command,
    Entry,
    Feature,
    Goods,
    GoodsOfSeat,
    NoticeView,
    PromptView,
    Refused,
    SeatId,
    StatePart,
    Table,
    ToAnother,
    button,
    frozen,
    own_seat,
    part,
    replace,
    require_host,
    require_tracked,
    with_part,
)
from bot.games.ti4.agendas import AgendaRevealed
from bot.games.ti4.components import (
    ACTION_CARD,
    describe,
    describe_token,
    note_named,
    note_owner,
    trade_goods,
)
from bot.games.ti4.note_returns import stays_in_play
from bot.games.ti4.notes import NotePlayed
from bot.games.ti4.settling import A_THIRD, BACK, STANDS, Appeal, asked, require_third
from bot.games.ti4.state import Agenda, out_of_game

CLAIMS_KEPT = 4
"""How many claims are remembered."""

WINDOWS = 2
"""How many windows may end before a claim can't be made any more: an agenda, and a gap."""


@frozen
class NoteClaim:
    """A claim of ``seat`` for ``note``, played with entry ``number``.

    ``got`` is what they got, ``paid`` what of it the owner paid. ``doubted``: the seat that says
    that it isn't so. ``left``: so many windows may still end. ``over``: nothing can be said any
    more. ``undone``: the note was taken back with its agenda.
    """

    number: int
    seat: SeatId
    note: str
    left: int = WINDOWS
    claimed: bool = False
    got: Goods = NOTHING
    paid: Goods = NOTHING
    doubted: SeatId = ""
    over: bool = False
    undone: bool = False

    def window_over(self) -> NoteClaim:
        """Return the claim with one window less to be made, or denied, in."""
        missed = self.left <= 1 and not self.doubted
        return replace(self, left=self.left - 1, over=self.over or missed)


@frozen
class NoteClaims(StatePart):
    """The last claims, oldest first."""

    claims: tuple[NoteClaim, ...] = ()

    def window_over(self) -> NoteClaims:
        if not self.claims:
            return self
        return NoteClaims(tuple(claim.window_over() for claim in self.claims))

    def without_plays(self, numbers: Collection[int]) -> NoteClaims:
        """Return the claims without those of these plays."""
        return NoteClaims(tuple(claim for claim in self.claims if claim.number not in numbers))

    def with_undone(self, claims: Iterable[NoteClaim]) -> NoteClaims:
        """Return the claims with these, whose plays were taken back."""
        undone = (replace(claim, over=True, undone=True) for claim in claims)
        return NoteClaims((*self.claims, *undone)[-CLAIMS_KEPT:])


def _too_early(table: Table, claim: NoteClaim) -> bool:
    """Return whether the agenda goes on on which a note was played."""
    lies_there = claim.note in table.seats[claim.seat].in_play
    about_agenda = note_named(claim.note).returns == "agenda_ends"
    return lies_there and about_agenda and part(table, Agenda).title is not None


def after(table: Table, entry: Entry) -> Table:
    """Remember a played note that may bring something later. With an agenda that is replaced,
    nothing comes of it any more.
    """
    if isinstance(entry, AgendaRevealed) and entry.replaces:
        for claim in part(table, NoteClaims).claims:
            if not claim.claimed and _too_early(table, claim):
                table = _changed(table, claim.number, over=True)
        return table
    if not isinstance(entry, NotePlayed) or not note_named(entry.note).claim:
        return table
    claim = NoteClaim(table.seq + 1, entry.seat, entry.note)
    claims = (*part(table, NoteClaims).claims, claim)
    return with_part(table, NoteClaims(claims[-CLAIMS_KEPT:]))


def _open(table: Table, number: int | None, fits: Callable[[NoteClaim], bool]) -> NoteClaim:
    """Return this claim, or (None) the newest that ``fits``. Raises `Refused` if it is over."""
    for claim in reversed(part(table, NoteClaims).claims):
        meant = fits(claim) if number is None else claim.number == number
        if meant and not claim.over:
            return claim
    raise Refused("No note waits for that now.", "The host can fix a count: /holdings set.")


class ClaimNote(Command):
    """Say that what a played note waits for came about.

    ``number`` is that of the play's entry, None for the newest.
    """

    kind = "ti4.note.claim"
    number: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_tracked(table)
        seat = own_seat(table, caller).id
        claim = _open(table, self.number, lambda each: each.seat == seat and not each.claimed)
        if seat != claim.seat:
            raise Refused(f"Only <seat:{claim.seat}>, who played it, says so.", rule="69.1")
        if claim.claimed:
            raise Refused("You have said so already.", "**My goods** lists what you have.")
        if _too_early(table, claim):
            later = "Once it is resolved, the message about your note has the button."
            raise Refused("The agenda is still being resolved.", later, rule="69.1")
        note, owner = note_named(claim.note), note_owner(claim.note)[1]
        got = Goods({ACTION_CARD: note.claim_cards}) + trade_goods(note.claim_goods)
        changes = {seat: Change(gained=got)}
        cards = table.seats[owner].holdings.of_kind(ACTION_CARD).common(got)
        if note.claim_from_owner and cards:
            changes[owner] = Change(lost=cards)
        return [NoteClaimed(seat=seat, number=claim.number, note=claim.note, changes=changes)]


class NoteClaimed(GoodsOfSeat):
    """The holder of a note said that what it waits for came about, and got what it brings."""

    announced = False
    kind = "ti4.note.claimed"
    number: int
    note: str

    def sentence(self, ruler: str) -> str:
        got, note = describe(self.changes[self.seat].gained), describe_token(self.note)
        why = note_named(self.note).claim
        return f"<player:{self.seat}> gets **{got}** by **{note}**: {why}."

    def apply(self, table: Table) -> Table:
        table, owner = super().apply(table), note_owner(self.note)[1]
        got, paid = self.changes[self.seat].gained, self.changes.get(owner, Change()).lost
        return _changed(table, self.number, claimed=True, got=got, paid=paid)


def _changed(table: Table, number: int, **changes: Any) -> Table:
    claims = []
    for claim in part(table, NoteClaims).claims:
        claims.append(replace(claim, **changes) if claim.number == number else claim)
    return with_part(table, NoteClaims(tuple(claims)))


class DoubtClaim(Command):
    """**Not so**: say that what a note waited for did not come about."""

    kind = "ti4.note.doubt"
    number: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        seat = own_seat(table, caller).id
        claim = _open(table, self.number, lambda each: each.seat != seat and each.claimed)
        if seat == claim.seat or not claim.claimed:
            for_others = "That is for the other players, once it was said."
            raise Refused(for_others, "**My goods** lists what you have.")
        if claim.doubted:
            raise Refused(f"<seat:{claim.doubted}> has said so already.", "A host settles it.")
        number, note = claim.number, claim.note
        return [ClaimDoubted(seat=seat, other=claim.seat, number=number, note=note)]


class ClaimDoubted(ToAnother):
    """A player said that what the note of ``other`` waited for did not come about."""

    kind = "ti4.note.doubted"
    number: int
    note: str

    def sentence(self, ruler: str) -> str:
        says = f"<seat:{self.seat}> says of **{describe_token(self.note)}** that it isn't so."
        return f"{says} {A_THIRD}"

    def apply(self, table: Table) -> Table:
        return _changed(table, self.number, doubted=self.seat)


class SettleClaim(Command):
    """Say whether what a note brought stands or goes back. Needs a host."""

    kind = "ti4.note.settle"
    stands: bool
    number: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Only goods that are still there go back."""
        require_host(table, caller, "settle it")
        claim = _open(table, self.number, lambda each: bool(each.doubted))
        if not claim.doubted:
            nobody = "Nobody asks for that any more."
            raise Refused(nobody, "**History** under **Menu** shows how it was settled.")
        require_third(table, caller, "", (claim.seat, claim.doubted))
        seat, owner, changes = table.seats[claim.seat], note_owner(claim.note)[1], {}
        if not self.stands and table.tracked:
            changes[seat.id] = Change(lost=seat.holdings.common(claim.got))
            if owner not in out_of_game(table):
                changes[owner] = Change(gained=claim.paid)
        return [
            ClaimSettled(
                seat=seat.id,
                number=claim.number,
                note=claim.note,
                stands=self.stands,
                changes=changes,
            )
        ]


class ClaimSettled(GoodsOfSeat):
    """A host settled whether what a note brought stands."""

    kind = "ti4.note.settled"
    number: int
    note: str
    stands: bool

    def sentence(self, ruler: str) -> str:
        says = f"<player:{self.seat}>'s **{describe_token(self.note)}**, as {ruler} says"
        if self.stands:
            return f"What the note brought stands: {says}."
        lost = describe(self.changes.get(self.seat, Change()).lost)
        return f"It was not so: {says}. <They:{self.seat}> give back **{lost}**."

    def apply(self, table: Table) -> Table:
        table = super().apply(table)
        return _changed(table, self.number, claimed=self.stands, doubted="", over=True)


# ---------------------------------------------------------------- the message, and the appeals


def notices(table: Table) -> Iterator[NoticeView]:
    """Yield the messages about these notes, with the holder's button, then that of the others."""
    for claim in part(table, NoteClaims).claims:
        note, number = note_named(claim.note), claim.number
        where = "it stays in play" if stays_in_play(claim.note) else "it goes back to its owner"
        plays = f"<player:{claim.seat}> plays **{describe_token(claim.note)}**"
        lines = [f"{plays}, and {where}. {note.effect}"]
        says = button(note.claim, table, ClaimNote(number))
        if claim.undone:
            lines = [f"{plays}. ↩️ Taken back with its agenda."]
        if claim.claimed:
            lines.append(f"✅ {note.claim}: <name:{claim.seat}> gets **{describe(claim.got)}**")
            says = button("Not so", table, DoubtClaim(number))
        if claim.doubted:
            lines.append(f"⚠️ <name:{claim.doubted}> says that it isn't so.")
        waits = not claim.claimed and _too_early(table, claim)
        yield NoticeView(
            number=number,
            text="\n".join(lines),
            current=not claim.over,
            buttons=() if waits or claim.over or claim.doubted else (says,),
        )


def appeals(table: Table) -> Iterator[Appeal]:
    """Yield the doubted claims."""
    for claim in part(table, NoteClaims).claims:
        if not claim.doubted:
            continue
        number, note = claim.number, describe_token(claim.note)
        got = f"<seat:{claim.seat}> got **{describe(claim.got)}** by **{note}**."
        denies = f"<seat:{claim.doubted}> says that it isn't so."
        yield Appeal(
            key=f"ti4-claim-{number}",
            about=note_named(claim.note).name,
            text=f"{got} {denies} You are the host: does it stand?",
            two=(claim.seat, claim.doubted),
            rulings={STANDS: SettleClaim(True, number), BACK: SettleClaim(False, number)},
        )


def prompts(table: Table) -> Iterator[PromptView]:
    """Yield the questions to the host about doubted claims."""
    return asked(table, appeals(table))


SAYS: dict[str, Command] = {
    "it came about": ClaimNote(),
    "not so": DoubtClaim(),
    "it stands": SettleClaim(True),
    "give it back": SettleClaim(False),
}
"""The values of /note effect: one for the holder, one for the others, and two for a host."""


FEATURE = Feature(
    state=NoteClaims,
    commands=(ClaimNote, DoubtClaim, SettleClaim),
    entries=(NoteClaimed, ClaimDoubted, ClaimSettled),
    hears=(NotePlayed, AgendaRevealed),
    after=after,
    prompts=prompts,
)
