"""Views: what a person may see of a table or an entry.

Only `bot.rules.visible_table` and `bot.rules.visible_entry` make them.

A view holds nothing that its viewer may not know. All code outside the rules, the ledger and the
service works with views; presentation only draws them. Texts in views have the markup of
`bot.rules.model.text`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from bot.rules.agreements import NotBinding
from bot.rules.entries import Entry
from bot.rules.model.actions import Action, LabelledAction
from bot.rules.model.deals import DealFacts, NegotiationFacts
from bot.rules.model.debts import Debt
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.offer import LIVE, OfferStatus, Sides
from bot.rules.model.people import Holders, Hosting, Names, Parties, Person, Tenure
from bot.rules.model.table import DEFAULT_SETTINGS, TableFacts, TableSettings
from bot.rules.model.values import frozen, frozen_by_name
from bot.rules.model.violation import Violation
from bot.rules.model.windows import Pair


@frozen
class Viewer:
    """A person or channel that looks, and everything that determines what they may know.

    ``person`` is 0 for everybody (a public channel). ``seat`` is the person's current seat;
    ``tenures`` are their times in seats. ``hosts``: they host the table or moderate its server.
    ``audits``: they also have never sat at the table, and may see hands. ``opened``: the table is
    closed and its secrets are open to all. ``room`` is the negotiation whose thread this is: it
    shows the offers of the negotiation, but no hidden cards. ``shared``: a card for ``seat`` that
    others can read, so it shows only what everybody may know. ``people`` and ``roster`` are all
    persons and tenures, needed to name people as they were at an entry; ``hosted`` says who hosted
    the table when. ``words`` are the table's own words for things, ``variant`` the text by which it
    plays its game.
    """

    person: int = 0
    seat: str | None = None
    tenures: tuple[Tenure, ...] = ()
    hosts: bool = False
    audits: bool = False
    opened: bool = False
    room: int | None = None
    shared: bool = False
    people: Mapping[int, Person] = field(default_factory=dict)
    roster: tuple[Tenure, ...] = ()
    hosted: tuple[Hosting, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    variant: str = ""

    @property
    def knowing_seat(self) -> str | None:
        """The seat whose secrets this viewer may read now; None if others can read the card."""
        return None if self.shared else self.seat

    @property
    def given(self) -> bool:
        """Whether another gave this person their seat, and they have done nothing there since."""
        return any(tenure.given and tenure.until is None for tenure in self.tenures)

    @property
    def reader(self) -> int:
        """The person who alone reads it, and is called *you*; 0 if others can read the card."""
        return 0 if self.shared else self.person

    def names(self, game: str, holders: Holders) -> Names:
        """Return the names that this viewer reads where these people hold the seats."""
        return Names(game, self.people, holders, self.words, self.reader, self.variant)

    def belongs_to(self, parties: Parties) -> bool:
        """Return whether the viewer is one of these parties, and nobody else can read the card."""
        return parties.include(self.person, self.knowing_seat)

    @property
    def sees_all(self) -> bool:
        """Whether the viewer may see everything sealed for parties."""
        return self.audits or self.opened

    def held(self, seq: int) -> frozenset[str]:
        """Return the seats in which this person sat at entry ``seq``."""
        return frozenset(tenure.seat for tenure in self.tenures if tenure.covers(seq))


@frozen
class SeatView:
    """A seat: its person, its open goods, and its hidden goods if this viewer may know them.

    ``hidden_count`` is the number of hidden goods, if this viewer may know it. ``exchangeable`` are
    the goods that the seat could hand over, in a game with that step, if this viewer may know them.
    ``settings`` are the table's, which may decide what exists there. ``barred``: nobody can take
    the seat any more. ``mine``: it is the viewer's own.

    >>> seat: SeatView = view.seats["green"]
    >>> seat.known
    Goods({'spice': 1})
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
    mine: bool = False

    @property
    def known(self) -> Goods:
        """All goods of the seat that this viewer may know."""
        return self.open + (self.hidden or NOTHING)


@frozen
class HandOverView:
    """Cards that the viewer must hand over for an offer: those named, the total number, and the
    hand to choose from.

    ``promised`` is what the offer says that they give, ``gets`` that they get. ``chosen`` are the
    cards handed over so far, by default those that they most likely hand over.
    """

    named: Goods
    total: int
    hand: Goods
    chosen: Goods
    promised: Goods = NOTHING
    gets: Goods = NOTHING


@frozen
class BalanceView:
    """The count of a component that a seat has now, and would have after a trade."""

    token: str
    before: int
    after: int


OfferMove = Literal[
    "accept",
    "agree",
    "have",
    "confirm",
    "counter",
    "decline",
    "alter",
    "suspend",
    "resume",
    "withdraw",
    "back_out",
    "again",
    "same",
    "show",
    "hand_over",
    "accept_and_hand_over",
    "choose_again",
    "more",
    "details",
]
"""A viewer's move about an offer. With ``same``, a third player makes the poster the same offer.

On the card of the one it is for, ``agree`` or ``have`` may take the place of ``accept``: to agree
where it can't settle yet, and to say first that the counted goods one is short of lie before one.
"""


@frozen
class OfferLinks:
    """Numbers that belong to an offer: of the offer it answers, its negotiation, and the
    transaction it became.

    ``fits``: another open offer matches it. ``answer`` stands in place of a countered offer, or
    ended a superseded one. ``counters`` are the live counters to an offer to all that the viewer
    may know of. ``of_many``: it is one of those. ``stands_again``: the offer to one seat that does,
    now that this counter to it is over. ``taken_back``: so was its transaction.
    """

    parent: int | None = None
    negotiation: int | None = None
    transaction: int | None = None
    fits: bool = False
    answer: int | None = None
    counters: tuple[int, ...] = ()
    of_many: bool = False
    stands_again: int | None = None
    taken_back: bool = False


@frozen
class OfferProgress:
    """How far an offer has come, as seats; the same for every viewer who may read the offer.

    ``ahead``: both have agreed without signing, so both must confirm. ``confirming`` and
    ``handing_over`` must do so now; ``confirmed`` and ``sealed`` have confirmed and handed over.
    ``takers`` accepted an offer to all, ``pickable`` are those whom its poster can pick or turn to,
    and ``missed`` are the takers who were not picked. ``accepted`` are all seats but the poster's
    that agreed to the current revision, even if the offer is over. ``uncovered`` are short for what
    both agreed on, and nothing else stands against it, or it lasts; that, and who confirms, may
    rest on what only the two know. ``altered`` are those
    whose acceptance is gone since the offer was altered. ``lapsed``: their acceptance of an
    offer to all is gone with the turn of that seat.
    """

    agreed_by_both: bool = False
    ahead: bool = False
    confirming: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    handing_over: tuple[str, ...] = ()
    takers: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    pickable: tuple[str, ...] = ()
    uncovered: tuple[str, ...] = ()
    lapsed: Mapping[str, str | None] = field(default_factory=dict)
    altered: tuple[str, ...] = ()
    sealed: tuple[str, ...] = ()

    @property
    def waits_for(self) -> tuple[str, ...]:
        """The seats that must act before the offer resolves."""
        return self.confirming or self.handing_over

    @property
    def sealed_takers(self) -> tuple[str, ...]:
        """The seats that accepted an offer to all and have handed over for it."""
        return tuple(seat for seat in self.takers if seat in self.sealed)


@frozen
class OfferRuling:
    """The rules' judgement of an offer, as far as the viewer may know.

    ``when``: it was not possible when posted; this says when it is, see `Violation`. ``why_not`` is
    the first violation. At a table that only warns, ``overruled`` is the rule that the offer
    breaks, and ``warns_of`` the rule if it is about goods, so that no turn cures it. ``end_reason``
    says why the offer became void, or why what the viewer handed over is undone. ``remark`` is what
    may follow from the trade, while the offer is open. ``left_open``: one of the two, of whom the
    viewer is one, chooses what they give.
    """

    why_not: Violation | None = None
    overruled: str = ""
    warns_of: str = ""
    end_reason: str = ""
    when: str = ""
    remark: str = ""
    left_open: bool = False


@frozen
class OfferButtons:
    """The viewer's moves about an offer: ``more`` stands behind **More…**, ``remedies`` cure the
    ``why_not``.

    ``settles``: when this viewer accepts now, the goods move, as far as they may know.
    ``only_agrees``: accepting moves nothing yet, because goods are handed over, or everything is
    confirmed, in a separate step.
    """

    actions: tuple[OfferMove, ...] = ()
    more: tuple[OfferMove, ...] = ()
    remedies: tuple[LabelledAction, ...] = ()
    settles: bool = False
    only_agrees: bool = False


@frozen
class OwnPart:
    """An offer's effect on the viewer's own goods.

    ``balances`` are the changes to them, if both sides are known. The rest is for games in which
    goods are handed over: ``handed`` is what the viewer has handed over, ``hand_over`` what they
    must hand over now, ``choices`` what they could hand over at any time, ``advice`` what the trade
    would mean for their hand, in one line, and ``details`` by what that depends on.
    """

    balances: tuple[BalanceView, ...] = ()
    handed: Goods | None = None
    hand_over: HandOverView | None = None
    choices: HandOverView | None = None
    advice: tuple[str, ...] = ()
    details: tuple[str, ...] = ()


@frozen
class OfferView:
    """An offer as this viewer may read it, with what they may do about it.

    ``sides`` is what it gives and wants, exact if ``exact``, otherwise redacted by the game; the
    terms are empty if the viewer may not read them. ``was`` are the sides before the last change,
    until the other side answers. ``asks_only``: it does not say yet what it gives. ``opens``: it
    only opens talks, and is answered with another offer. ``until`` is when it expires. ``names``
    are those of its people, even if they have left their seats. ``role`` is the viewer's: the
    poster, or the addressed seat (any other seat, if the offer is open to all), else None.
    ``promised_by`` is the seat that promises its terms for later; empty for none, or if that is
    not known any more. ``made`` is as in `Offer`.
    """

    table: int
    number: int
    revision: int
    status: OfferStatus
    poster: str
    to: str | None
    sides: Sides
    exact: bool
    private: bool
    names: Names
    role: Literal["poster", "addressed"] | None = None
    was: Sides | None = None
    asks_only: bool = False
    opens: bool = False
    promised_by: str = ""
    until: int | None = None
    links: OfferLinks = OfferLinks()
    progress: OfferProgress = OfferProgress()
    ruling: OfferRuling = OfferRuling()
    buttons: OfferButtons = OfferButtons()
    own: OwnPart = OwnPart()
    made: int = 0

    @property
    def live(self) -> bool:
        """Whether the offer is not over."""
        return self.status in LIVE

    def party(self, seat: str | None) -> bool:
        """Return whether this seat posted the offer or is named as its addressee."""
        return seat is not None and seat in (self.poster, self.to)


@frozen_by_name
class DealView(DealFacts):
    """A deal that this viewer may know of.

    ``not_binding`` is why it binds nobody, empty if it binds. ``mine``: the viewer is a party.
    ``names`` are those of the parties, even if they have left their seats. ``buttons`` are the
    viewer's, or, in a channel, those of both parties.
    """

    table: int
    names: Names
    mine: bool = False
    not_binding: NotBinding = ""
    buttons: tuple[LabelledAction, ...] = ()

    @property
    def over(self) -> bool:
        """Whether nothing is left to do: it was declined or voided, or both parties have marked
        it.
        """
        return self.status in ("declined", "void") or len(self.marks) > 1


@frozen_by_name
class NegotiationView(NegotiationFacts):
    """A negotiation of the viewer, or of the thread that looks. ``close`` ends it."""

    table: int
    close: Action


@frozen
class PromptView:
    """A question that waits for the viewer's answer. ``key`` is unique at the table and has no
    colon.

    ``secret``: nobody else may read it. ``evident``: public knowledge tells everybody that it is
    asked, and when; never set for a question that depends on a hidden hand. ``deal`` or ``offer``:
    shown with the question.

    >>> pay = button("Pay", table, SetPhase("market"))
    >>> PromptView(table.id, "tax", "red", "Do you pay?", (pay,)).secret
    False
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


@frozen
class MenuItem:
    """An item of the board's **Menu**. ``label`` may have markup for names.

    ``seat``: only this seat's player and hosts see the item, without ``hosts`` the player alone;
    None for everybody. ``part``: ``game`` is for everybody, ``you`` about a player's own place in
    the game, ``host`` for hosts, and ``undo`` for hosts to take a mistake back.

    >>> MenuItem("Next day", Press(table.id, SetPhase("market")), "host").part
    'host'
    """

    label: str
    action: Action
    part: Literal["game", "you", "host", "undo"] = "game"
    seat: str | None = None
    hosts: bool = True


@frozen
class NoticeView:
    """A message of the game in the table's channel, kept up to date while it is ``current``; then
    its last line.

    ``number`` is that of the entry it is about. ``seats`` are the seats it notifies when it is
    sent.

    >>> NoticeView(12, "Rain falls on the red stall.", current=True, seats=("red",)).seats
    ('red',)
    """

    number: int
    text: str
    current: bool
    seats: tuple[str, ...] = ()
    buttons: tuple[LabelledAction, ...] = ()


STEPS_MAX = 3
"""The most next steps of a game on its board; the others would stand in the menu."""


@frozen
class BoardView:
    """The table's board: the ``heading`` beside the table's name, and ``lines`` below it.

    ``buttons`` are the game's next steps, at most `STEPS_MAX`; the ``menu`` has all other actions.
    ``choices`` are what each player can take now, with a button for each; in the set-up they stand
    beside the last step.
    ``trades``: offers can be posted now. ``goods`` is the label of the button for a player's own
    goods; ``gains`` is the step by which players gain goods now, shown below their own goods while
    nobody can trade, and in a new offer while nobody has any. ``about`` is the seat that the board
    asks about; None if it asks nothing. ``called`` are the table's own words for seats;
    ``in_force`` the cards in force, by id. ``notices`` are the game's other messages in the
    channel. ``pictured`` says in words what the picture that `Game.draw` draws shows; empty for no
    picture. ``settings`` are settings of which not all values are possible now: the value that
    holds, then those that it can be changed to. ``small`` is a sentence in small print at the foot
    of the set-up message, which is kept when play begins.

    >>> BoardView(("Everybody may trade.",), heading="The market is open").buttons
    ()
    """

    lines: tuple[str, ...]
    buttons: tuple[LabelledAction, ...] = ()
    heading: str = ""
    menu: tuple[MenuItem, ...] = ()
    trades: bool = True
    goods: str = "My goods"
    gains: LabelledAction | None = None
    about: str | None = None
    called: Mapping[str, str] = field(default_factory=dict)
    in_force: tuple[str, ...] = ()
    notices: tuple[NoticeView, ...] = ()
    pictured: str = ""
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    small: str = ""
    choices: tuple[LabelledAction, ...] = ()


@frozen
class StepView:
    """A step of setting up a table. ``lines`` say what was done, or what to do if it is not
    ``done``.

    ``hosts``: only a host can do it.

    >>> StepView("Stalls", ("Choose your stall.",), done=False).hosts
    False
    """

    title: str
    lines: tuple[str, ...]
    done: bool
    buttons: tuple[LabelledAction, ...] = ()
    hosts: bool = False


@frozen
class SetupView:
    """The set-up of a table, before play begins. ``before`` steps come before that for seats."""

    steps: tuple[StepView, ...]
    before: int = 0

    @property
    def next(self) -> StepView | None:
        """The first step that is not done; None if all are done."""
        return next((step for step in self.steps if not step.done), None)


@frozen
class PairView:
    """Whether two seats can trade now, whatever the goods, as far as the viewer may know.

    ``used``: they have had their trade in this window. ``remedy``: the button that cures
    ``why_not``, for a viewer in one of these seats.

    >>> PairView(pair("red", "green"), why_not=None, used=False, neighbors=True).seats
    ('green', 'red')
    """

    seats: Pair
    why_not: Violation | None
    used: bool
    neighbors: bool
    remedy: LabelledAction | None = None


@frozen_by_name
class TableView(TableFacts):
    """A table as one viewer may see it.

    ``offers`` are the live offers (and any recalled by number); ``by_interest`` are their numbers,
    most interesting for the viewer first. ``deals`` are those that wait for an answer (and any
    recalled). ``pairwise``: some pairs can trade while others can't. ``seat`` is the viewer's own.
    ``hosts`` and ``shared`` are as in `Viewer`. ``setup`` is None once play has begun. ``open``:
    play goes on. ``debts`` are those that the viewer may know of, and ``due`` the numbers of those
    that they could pay now; of ``slips`` it can be said that some was forgiven by mistake: of
    public ones by a host, of private ones by whoever owed it.
    ``given``: another gave the viewer their seat, and they have done nothing here since.
    ``barred`` are the seats that nobody can take now, even if they are empty. ``public`` is what
    the game tells everybody of its own state; see `Game.public`.

    >>> isinstance(view, TableView)
    True
    >>> view.seat, view.hosts, sorted(view.offers)
    ('red', True, [1])
    """

    open: bool
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
    shared: bool = False
    setup: SetupView | None = None
    public: Any = None
    debts: tuple[Debt, ...] = ()
    due: frozenset[int] = frozenset()
    slips: tuple[Debt, ...] = ()
    given: bool = False
    barred: frozenset[str] = frozenset()

    def seated(self) -> list[str]:
        """Return the seats that are taken, in the order in which they were first taken."""
        return [seat.id for seat in self.seats.values() if seat.person is not None]

    def others(self, seat: str | None) -> list[str]:
        """Return the seats that are taken, but this one."""
        return [other for other in self.seated() if other != seat]

    def seat_of_user(self, user_id: int) -> str | None:
        """Return the seat of a Discord user, if they have one."""
        person = self.person_of_user(user_id)
        return None if person is None else self.names.seat_of(person.number)

    def person_of_user(self, user_id: int) -> Person | None:
        """Return a Discord user as a person of this table, if they are known here."""
        for person in self.names.people.values():
            if person.user_id == user_id:
                return person
        return None


@frozen
class OtherOfferView:
    """Another live offer that the viewer has posted or accepted, shown after a trade of theirs.

    ``wish``: it does not say yet what it gives. ``unmet`` is why they can't give their part any
    more, empty if they can. ``end`` withdraws or backs out of it; if it is enough to hand over
    other cards, ``again`` chooses them.
    """

    offer: int
    posted: bool
    wish: bool
    suspended: bool
    unmet: str
    end: Action
    again: Action | None = None


@frozen
class EntryView:
    """An entry as one viewer may see it: fields of ``entry`` that they may not know are None.

    ``names`` call each seat by its holder at that entry. ``seats`` are the seats it is about, as
    far as the viewer may know; ``mine`` are those that the viewer held then. ``complete``: nothing
    is hidden from the viewer; ``secret``: all of it is, even what it is about. ``by_host``: the
    host at that time did it.

    The following need the table right after the entry, and are empty without it. ``follow_ups``:
    what this viewer may do now. ``other_offers``: the viewer's other offers, if the entry is a
    trade of theirs. ``take_back``: the button that takes it back.

    >>> EntryView.ruler.fget(EntryView(7, 1, 0, 1, "bazaar.bell", SetPhase, view.names, True))
    'the host'
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
    other_offers: tuple[OtherOfferView, ...] = ()
    take_back: LabelledAction | None = None
    hash: str = ""
    by_host: bool = True
    secret: bool = False

    @property
    def ruler(self) -> str:
        """The name for the person who did what only a host or moderator may do."""
        return "the host" if self.by_host else "a moderator"


@frozen
class FollowUpView:
    """A text for one seat after an entry, with buttons for what it may do. ``evident`` is as in
    `PromptView`.

    >>> FollowUpView("red", "You may trade again.").evident
    False
    """

    seat: str
    text: str
    evident: bool = False
    buttons: tuple[LabelledAction, ...] = ()
