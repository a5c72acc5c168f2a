"""Views: what a person may see of a table or an entry. `bot.rules.visibility` is the only place that makes them.

A view has no field for what its viewer may not know. Everything outside the rules, the ledger and the service works
with views: presentation draws them and decides nothing. Texts in views carry the markup of `bot.rules.model.markup`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from bot.rules.agreements import NotBinding
from bot.rules.entries import Entry
from bot.rules.model.actions import Action, LabelledAction
from bot.rules.model.deals import DealStatus, Mark
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.offers import LIVE, OfferStatus, Sides
from bot.rules.model.people import Hosting, Names, Parties, Person, Tenure
from bot.rules.model.table import DEFAULT_SETTINGS, TableSettings
from bot.rules.model.violation import Violation
from bot.rules.model.windows import Pair, Window


@dataclass(frozen=True, slots=True)
class Viewer:
    """The person or place that looks, and what determines what they may know.

    ``person`` is 0 for everybody (a channel that all read). ``seat`` is the person's seat now; ``tenures`` their time
    in each seat, from entry to entry. ``hosts``: they host the table or moderate its server. ``audits``: they do so
    and have never sat at the table, so that hands are open to them. ``opened``: the table is closed and its secrets
    are open to all. ``room`` is the negotiation whose thread this is: its two know of its offers, but hidden cards
    stay out. ``overheard``: a card for ``seat`` that others read too, so it knows no more than they do.
    ``people`` and ``roster`` are all persons and all tenures, so that an entry names people as they were then;
    ``hosted`` is who hosted the table when.
    """

    person: int = 0
    seat: str | None = None
    tenures: tuple[Tenure, ...] = ()
    hosts: bool = False
    audits: bool = False
    opened: bool = False
    room: int | None = None
    overheard: bool = False
    people: Mapping[int, Person] = field(default_factory=dict)
    roster: tuple[Tenure, ...] = ()
    hosted: tuple[Hosting, ...] = ()

    @property
    def knowing_seat(self) -> str | None:
        """The seat whose secrets this viewer may read now; None where others read along."""
        return None if self.overheard else self.seat

    def belongs_to(self, parties: Parties) -> bool:
        """Return whether this is one of the people that something is between, with nobody reading along."""
        return parties.include(self.person, self.knowing_seat)

    @property
    def sees_all(self) -> bool:
        """Whether nothing sealed for parties is hidden from this viewer."""
        return self.audits or self.opened

    def held(self, seat: str, seq: int) -> bool:
        """Return whether this person sat in this seat at the entry with this number."""
        return any(each.seat == seat and each.covers(seq) for each in self.tenures)


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat: who sits there, what lies open before it, and its hidden goods if this viewer may know them.

    ``hidden_count`` is how many of them there are, in a game in which everybody can see that, or if this viewer may.
    ``exchangeable`` are the goods it could hand over, in a game with that step, if this viewer may know. ``settings``
    are those of its table, which may decide what exists there. ``barred``: nobody can take it any more.
    """

    id: str
    name: str
    short: str
    person: int | None
    open: Goods = NOTHING
    in_play: Goods = NOTHING
    hidden: Goods | None = None
    hidden_count: int | None = None
    exchangeable: Goods | None = None
    settings: TableSettings = DEFAULT_SETTINGS
    barred: bool = False

    @property
    def known(self) -> Goods:
        """Everything in the hand that this viewer may know of."""
        return self.open + (self.hidden or NOTHING)


@dataclass(frozen=True, slots=True)
class HandOverView:
    """What the viewer is asked to hand over for an offer: the cards named, how many in all, and what to choose from.

    ``chosen`` are the cards handed over so far, or else those that are named.
    """

    named: Goods
    total: int
    hand: Goods
    chosen: Goods


@dataclass(frozen=True, slots=True)
class BalanceView:
    """How many of a component a seat has now, and would have after a trade."""

    token: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class OfferView:
    """An offer as this viewer may read it, with what they may do about it.

    ``gives`` and ``wants`` are exact for those who may know (``exact``), otherwise redacted as the game says.
    ``terms`` and ``terms_now`` are None where the viewer may not read them; ``terms_card`` as of `Offer`.
    ``role`` is the viewer's part in it: its poster, the one it is
    addressed to (or could be, when it is open to all), or neither. ``why_not`` is the first violation that the viewer
    may know of; ``overruled`` the rule it breaks at a table that only warns, ``warns_of`` the same if that is about its
    goods and so for good. ``confirming`` and ``handing_over`` are the seats that must do so now, ``confirmed`` those
    that have; ``takers`` those who accepted an offer to all, and ``missed`` those of them who were not picked;
    ``accepted`` are all but its poster who agreed to it as it is, also when it is over.
    ``sealed`` are the seats that have handed over, ``handed`` is what the viewer has handed over, ``advice`` what the
    trade would mean for them, ``end_reason`` why it became void. ``asks_only``: it does not say yet what it gives.
    ``hand_over`` is what they are asked to hand over now, ``choices`` what they could hand over at any time. ``fits``:
    another open offer matches it.
    ``was`` is what it was before it was altered, until the other side answers it. ``only_agrees``: accepting it moves
    nothing yet, since goods are handed over, or everything is confirmed, in a step of its own. ``balances`` are what it
    would change of the viewer's own goods, where it is clear who the two are.
    ``actions`` are open to this viewer, ``more`` are those behind **More…**; ``remedies`` cure ``why_not``. ``names``
    are those of its two people, also when they have left their seats since.
    """

    table: int
    number: int
    revision: int
    status: OfferStatus
    poster: str
    to: str | None
    gives: Goods
    wants: Goods
    exact: bool
    terms: str | None
    private: bool
    names: Names
    terms_now: str | None = None
    terms_card: bool = False
    parent: int | None = None
    until: int | None = None
    negotiation: int | None = None
    transaction: int | None = None
    role: Literal["poster", "addressed"] | None = None
    asks_only: bool = False
    why_not: Violation | None = None
    overruled: str = ""
    warns_of: str = ""
    agreed_by_both: bool = False
    confirming: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    handing_over: tuple[str, ...] = ()
    takers: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    sealed: tuple[str, ...] = ()
    handed: Goods | None = None
    hand_over: HandOverView | None = None
    choices: HandOverView | None = None
    advice: tuple[str, ...] = ()
    end_reason: str = ""
    fits: bool = False
    was: Sides | None = None
    only_agrees: bool = False
    balances: tuple[BalanceView, ...] = ()
    actions: tuple[Action, ...] = ()
    more: tuple[Action, ...] = ()
    remedies: tuple[LabelledAction, ...] = ()

    @property
    def live(self) -> bool:
        """Whether the offer is not over."""
        return self.status in LIVE

    @property
    def waits_for(self) -> tuple[str, ...]:
        """The seats that must act before the offer resolves."""
        return self.confirming or self.handing_over

    @property
    def sealed_takers(self) -> tuple[str, ...]:
        """Those who accepted an offer to all and have handed over for it."""
        return tuple(seat for seat in self.takers if seat in self.sealed)

    def party(self, seat: str | None) -> bool:
        """Return whether this seat posted the offer or is the only one it was made to."""
        return seat is not None and seat in (self.poster, self.to)


@dataclass(frozen=True, slots=True)
class DealView:
    """A deal that this viewer may know of. ``terms`` is None where its words are not for them.

    ``not_binding`` is why it binds nobody, empty when it binds.
    ``mine``: the viewer is one of the two people. ``names`` are theirs, whoever has the seats now. ``buttons`` are what
    the viewer can say to it, or of a channel what its two can.
    """

    table: int
    number: int
    seat: str
    to: str
    terms: str | None
    status: DealStatus
    private: bool
    names: Names
    mine: bool = False
    not_binding: NotBinding = ""
    marks: Mapping[str, Mark] = field(default_factory=dict)
    offer: int | None = None
    buttons: tuple[LabelledAction, ...] = ()

    @property
    def over(self) -> bool:
        """Whether nothing more will be said of it: it came to nothing, or both have said whether it was kept."""
        return self.status in ("declined", "void") or len(self.marks) > 1


@dataclass(frozen=True, slots=True)
class NegotiationView:
    """A negotiation of the viewer, or the one whose thread this is. ``close`` ends it."""

    table: int
    number: int
    seat: str
    other: str
    topic: str
    open: bool
    resolved: tuple[int, ...]
    close: Action

    def partner(self, seat: str) -> str:
        """Return the other one of the two."""
        return self.other if seat == self.seat else self.seat


@dataclass(frozen=True, slots=True)
class PromptView:
    """A question that waits for the viewer's answer. ``key`` is unique at the table and holds no colon.

    ``secret``: nobody else may read it. ``evident``: everybody may know that it is asked, and when, since that follows
    from what all know; never of a question that is asked because of a hidden hand. ``deal`` or ``offer`` is what it is
    about, if anything, to be shown with it.
    """

    table: int
    key: str
    seat: str
    text: str
    buttons: tuple[LabelledAction, ...]
    secret: bool = False
    evident: bool = False
    deal: int | None = None
    offer: int | None = None


@dataclass(frozen=True, slots=True)
class MenuItem:
    """An entry of the board's menu, **More…**: the words on its button, with markup for names, and what it does.

    ``seat``: only this seat's player finds it there, and hosts; None for everybody. ``part``: what is for all to press
    in the ``game``, what is the ``host``'s, and what takes a slip back (``undo``), which is the host's too.
    """

    label: str
    action: Action
    part: Literal["game", "host", "undo"] = "game"
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class BoardView:
    """What the game shows on the table's board: the ``heading`` beside the table's name, and ``lines`` below it.

    ``buttons`` are the next steps of the game, three at most; whatever else can be pressed is in the ``menu``.
    ``trades``: offers can be posted now. ``goods`` is what a player's own goods are called on their button, and
    ``gains`` the step by which players come by some now, so that it stands below a player's own goods too. When
    ``moves`` changes the board moves down to where people are reading, as it does with each window. ``about`` is the
    seat that it asks about, if it asks.
    """

    lines: tuple[str, ...]
    buttons: tuple[LabelledAction, ...] = ()
    heading: str = ""
    menu: tuple[MenuItem, ...] = ()
    trades: bool = True
    goods: str = "My goods"
    gains: LabelledAction | None = None
    moves: str = ""
    about: str | None = None


@dataclass(frozen=True, slots=True)
class StepView:
    """A step of setting up a table. ``lines`` say how it stands, or what it asks while it is not ``done``.

    ``buttons`` are what can be pressed for it. ``hosts``: only a host can do it.
    """

    title: str
    lines: tuple[str, ...]
    done: bool
    buttons: tuple[LabelledAction, ...] = ()
    hosts: bool = False


@dataclass(frozen=True, slots=True)
class SetupView:
    """How far a table is set up, before play begins."""

    steps: tuple[StepView, ...]

    @property
    def next(self) -> StepView | None:
        """The first step that is not done; None when nothing is left but to play."""
        return next((step for step in self.steps if not step.done), None)


@dataclass(frozen=True, slots=True)
class PairView:
    """Whether two seats can trade now, whatever the goods, as far as the viewer may know.

    ``remedy`` is what the viewer, who is one of the two, can press to cure ``why_not``.
    """

    seats: Pair
    why_not: Violation | None
    used: bool
    neighbors: bool
    remedy: LabelledAction | None = None


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as one viewer may see it.

    ``offers`` are those that are not over (and any that were asked for by number), ``by_interest`` their numbers in
    the order in which the viewer might want them. ``deals`` are those that wait for an answer (and any asked for).
    ``pairwise``: who can trade differs from pair to pair. ``seat`` is the viewer's own; ``hosts`` as of `Viewer`.
    ``became`` leads from each seat that is another now to that one. ``overheard`` as of `Viewer`. ``setup`` is None
    once play has begun.
    """

    id: int
    seq: int
    game: str
    name: str
    host: int
    open: bool
    phase: str
    window: Window
    settings: TableSettings
    pairwise: bool
    names: Names
    seat: str | None
    hosts: bool
    seats: Mapping[str, SeatView]
    offers: Mapping[int, OfferView]
    by_interest: tuple[int, ...]
    deals: Mapping[int, DealView]
    negotiations: Mapping[int, NegotiationView]
    prompts: tuple[PromptView, ...]
    board: BoardView
    transactions: int
    offers_posted: int
    deals_proposed: int
    became: Mapping[str, str] = field(default_factory=dict)
    overheard: bool = False
    setup: SetupView | None = None

    @property
    def tracked(self) -> bool:
        """Whether holdings are counted at this table."""
        return self.settings.inventory == "tracked"

    def seated(self) -> list[str]:
        """Return the seats that are taken, in the order in which they were first taken."""
        return [seat.id for seat in self.seats.values() if seat.person is not None]

    def seat_of_user(self, user_id: int) -> str | None:
        """Return the seat of a Discord user, if they have one."""
        person = self.person_of_user(user_id)
        return next((seat.id for seat in self.seats.values() if person and seat.person == person.number), None)

    def person_of_user(self, user_id: int) -> Person | None:
        """Return a Discord user as a person of this table, if they are known here."""
        return next((person for person in self.names.people.values() if person.user_id == user_id), None)


@dataclass(frozen=True, slots=True)
class StandingView:
    """An offer that the viewer has posted or accepted, after a trade of theirs.

    ``wish``: it does not say yet what it gives. ``unmet`` is why they can't give what it takes from them, empty when
    they can. ``end`` takes it back.
    """

    offer: int
    posted: bool
    wish: bool
    suspended: bool
    unmet: str
    end: Action


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry as one viewer may see it: sealed parts they may not know are None in ``entry``.

    ``names`` are those of the time: each seat is called by who held it at that entry. ``seats`` are the seats it is
    about, as far as the viewer may know. ``complete``: nothing of it is hidden from the viewer. ``mine`` are those of
    its seats that the viewer held then. ``follow_ups`` is what may follow from it, for this viewer only; it is filled
    where the entry is seen at the table as it was right after it. ``standing`` are the viewer's other offers, when this
    is a trade of theirs, and ``take_back`` is what they can press to take it back. ``by_host``: the host of that time
    did it.
    """

    table: int
    seq: int
    at: int
    by: int | None
    kind: str
    entry: Entry
    names: Names
    complete: bool
    seats: frozenset[str] = frozenset()
    mine: frozenset[str] = frozenset()
    follow_ups: tuple[FollowUpView, ...] = ()
    standing: tuple[StandingView, ...] = ()
    take_back: LabelledAction | None = None
    hash: str = ""
    by_host: bool = True

    @property
    def ruler(self) -> str:
        """What to call who did it, of something that only a host or a moderator of the server may do."""
        return "the host" if self.by_host else "a moderator"


@dataclass(frozen=True, slots=True)
class FollowUpView:
    """What may follow from an entry, said to one seat, with what it can press. ``evident`` as of `PromptView`."""

    seat: str
    text: str
    evident: bool = False
    buttons: tuple[LabelledAction, ...] = ()
