"""Twilight Imperium 4: factions and promissory notes."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from data._read import index, names_of, objects, plain, read
from data._rules import Rule, rules

PLAYERS_MAX = 8
"""The most players of the game, with all its expansions."""

Expansion = Literal["base", "codex1", "codex2", "pok", "codex3", "codex4", "thunders_edge"]
TradeLift = Literal["neighbors", "limit", "window", "goods", "notes"]
"""A rule on trades: neighbours only, once a turn, only on the turn of one side, what may be traded,
one note a side.
"""

Lift = Literal[TradeLift, "commodities", "hands"]
"""What a permit can lift: a rule on trades, the maximum of commodities, or that neighbours' notes
are hidden.
"""

Id = Annotated[str, Field(pattern=r"^[a-z0-9]+(_[a-z0-9]+)*$")]

Returns = Literal[
    "at_once", "combat_ends", "turn_ends", "agenda_ends", "status_ends", "activation", "never"
]
"""When a played note goes back to its owner [69.3].

``at_once``: as it is played. ``combat_ends``, ``turn_ends``, ``agenda_ends``, ``status_ends`` (the
status phase): automatically at that point; a combat ends with its turn at the latest.
``activation``: when the holder activates a system with the owner's units. ``never``: it does not go
back.
"""


Moment = Literal[
    "any",
    "never",
    "action",
    "own_turn_start",
    "own_turn",
    "owner_turn_start",
    "owner_turn",
    "other_turn",
    "any_turn",
    "combat_end",
    "own_combat",
    "rival_combat",
    "agenda",
    "strategy",
    "status",
]
"""When a note is played [69.1], as far as the bot can see it.

``any``: at a time that the bot can't see. ``never``: its effect needs no playing. ``action``: as an
action of its holder [22]. A turn is that of the holder (``own``), of the note's owner, of another
player than the holder, or any. A combat is always one of the holder. ``combat_end``: it goes on or
has ended in this turn. ``own_combat``: it goes on; ``rival_combat``: not against the owner alone.
``strategy`` and ``status`` are phases.
"""


class Printed(BaseModel):
    """A named component of a box."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Id
    name: str = Field(min_length=1)
    aliases: tuple[str, ...] = ()
    expansion: Expansion


class Faction(Printed):
    """The part of a faction sheet that concerns trade.

    ``short`` is its name at the table, ``symbol`` an emoji of ours beside it. ``commodity_value``
    is the number printed on the sheet: the most commodities its player can have [21.2]. ``notes``
    are the ids of the faction's own promissory notes; ``lacks`` are the notes of every colour that
    this faction does not have. ``becomes`` is the faction that its sheet can be exchanged for
    during the game. ``any_hand``: it may hold any number of action cards [2.4].
    """

    short: str = Field(min_length=1)
    symbol: str = ""
    commodity_value: int = Field(ge=0, le=9)
    notes: tuple[Id, ...] = Field(min_length=1)
    lacks: tuple[Id, ...] = ()
    playable_from_start: bool = True
    becomes: Id | None = None
    any_hand: bool = False


class PromissoryNote(Printed):
    """The part of a promissory note that concerns trade.

    ``owner`` is a faction's id, or ``any`` for the notes that every colour has. ``moment`` is when
    it is played, ``timing`` the same in words, and ``effect`` what it does: ``timing`` and
    ``effect`` are reminders in our own words; in them "owner" is the player whose note it is and
    "holder" the player who has it. ``enters_play`` is when it moves from the hand to the play area,
    where it can't be traded any more [69.5]. ``return_condition`` says in words when it goes back
    to its owner, None for never; ``returns`` is the same as a value. ``victory_points`` are the
    holder's while it is in play. ``public_on_trade``: everybody sees that it changed hands.
    ``purged_on_receipt``: it takes effect on its receiver, who gains ``receiver_gains`` trade goods
    and ``receiver_tokens`` command tokens, and leaves the game. ``attached``: once played, it stays
    on a planet [12.2]. ``passes_on``: its own text passes it to a neighbour. ``never_to`` are the
    factions that can't receive it. As it is played, the owner loses up to ``owner_loses`` trade
    goods, and the holder purges ``purges`` fragments of one kind. With the button ``claim`` the
    holder says that its effect came about at the table: they get ``claim_cards`` action cards and
    ``claim_goods`` trade goods, the cards from the owner if ``claim_from_owner``. ``replaces`` is
    the older printing of the same note.
    """

    owner: Id
    moment: Moment = "any"
    timing: str = Field(min_length=1)
    effect: str = Field(min_length=1)
    enters_play: Literal["never", "on_receipt", "when_played"] = "never"
    return_condition: str | None = None
    returns: Returns = "at_once"
    victory_points: int = Field(default=0, ge=0)
    public_on_trade: bool = False
    purged_on_receipt: bool = False
    receiver_gains: int = Field(default=0, ge=0)
    receiver_tokens: int = Field(default=0, ge=0)
    attached: bool = False
    passes_on: bool = False
    never_to: tuple[Id, ...] = ()
    owner_loses: int = Field(default=0, ge=0)
    purges: int = Field(default=0, ge=0)
    claim: str = ""
    claim_cards: int = Field(default=0, ge=0)
    claim_goods: int = Field(default=0, ge=0)
    claim_from_owner: bool = False
    replaces: Id | None = None


class Box(BaseModel):
    """A set of expansions that a table can choose, with its name and aliases."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Id
    name: str = Field(min_length=1)
    has: tuple[Expansion, ...] = Field(min_length=1)
    aliases: tuple[str, ...] = ()


class Ability(BaseModel):
    """An ability or a card that lifts a rule on trade. The head of permits.toml explains the
    fields.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Id
    name: str = Field(min_length=1)
    lifts: Literal["neighbors", "goods", "commodity_value", "replenish"]
    expansion: Expansion = "base"
    faction: Id | None = None
    copied_by: tuple[Id, ...] = ()
    held: str | None = None
    by_both: bool = False
    given_by_faction: bool = False
    not_in_combat: bool = False
    window: Literal["turn", "agenda"] | None = None
    components: tuple[str, ...] = ()
    amount: int = 0
    rule: str = Field(min_length=1)
    says: str = Field(min_length=1)
    doubt: str = ""


class PermitCard(Printed):
    """A card that lifts rules once the host says it was played. The head of permit_cards.toml
    explains the fields.
    """

    lifts: tuple[Lift, ...] = Field(min_length=1)
    components: tuple[str, ...] = ()
    everybody: bool = False
    faction: Id | None = None
    once: bool = False
    until: Literal["window", "revoked"]
    says: str = Field(min_length=1)
    doubt: str = ""


class CommodityLoss(Printed):
    """An effect that takes commodities from a player. The head of commodity_losses.toml explains
    the fields.
    """

    given: bool = False
    to_faction: Id | None = None
    amount: int | None = Field(default=None, ge=1)
    all: bool = False
    spent_by: Id | None = None


class StrategyCard(BaseModel):
    """A strategy card. Who has the lowest ``initiative`` has the first turn [48]."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Id
    name: str = Field(min_length=1)
    initiative: int = Field(ge=1, le=8)


class ZeroToken(BaseModel):
    """Who has the initiative 0: a faction or, while it is in play, whoever has its ``note``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    faction: Id
    note: Id

    @property
    def token(self) -> str:
        """The note as a component."""
        return f"note:{self.note}:{self.faction}"


@cache
def abilities() -> tuple[Ability, ...]:
    """Return every ability that lifts a rule. Raises pydantic's ValidationError."""
    return tuple(objects(Ability, read("ti4", "permits")).values())


@cache
def agenda_titles() -> Mapping[Expansion, tuple[str, ...]]:
    """Return the titles of the agendas that came with each expansion, for expansions that have
    any.
    """
    found: Any = read("ti4", "agendas")
    return MappingProxyType({expansion: tuple(titles) for expansion, titles in found.items()})


@cache
def boxes() -> Mapping[str, Box]:
    """Return the boxes that a table can choose, by id. Raises pydantic's ValidationError."""
    return objects(Box, read("ti4", "factions")["boxes"])


@cache
def components() -> Mapping[str, Expansion]:
    """Return the expansion of each component that is not in every box, by its kind or, for a single
    card, its token.
    """
    return MappingProxyType(dict(read("ti4", "factions")["components"]))


@cache
def commodity_losses() -> Mapping[str, CommodityLoss]:
    """Return every effect that takes commodities from a player, by its id. Raises pydantic's
    ValidationError.
    """
    return objects(CommodityLoss, read("ti4", "commodity_losses"))


@cache
def permit_cards() -> Mapping[str, PermitCard]:
    """Return every card that a host can say is in force, by its id. Raises pydantic's
    ValidationError.
    """
    return objects(PermitCard, read("ti4", "permit_cards"))


@cache
def expansions() -> Mapping[Expansion, str]:
    """Return every expansion's name by its id, in the order of publication."""
    return MappingProxyType(dict(read("ti4", "factions")["expansions"]))


@cache
def factions() -> Mapping[str, Faction]:
    """Return every faction by its id. Raises ValueError (pydantic's included) when the data
    contradicts itself.
    """
    found = objects(Faction, read("ti4", "factions")["factions"])
    _check(found, promissory_notes())
    return found


@cache
def promissory_notes() -> Mapping[str, PromissoryNote]:
    """Return every promissory note by its id. Raises pydantic's ValidationError."""
    return objects(PromissoryNote, read("ti4", "promissory_notes")["promissory_notes"])


@cache
def strategy_cards() -> Mapping[str, StrategyCard]:
    """Return every strategy card by its id, the lowest initiative first. Raises pydantic's
    ValidationError.
    """
    return objects(StrategyCard, read("ti4", "strategy_cards")["cards"], "initiative")


@cache
def two_cards_each() -> frozenset[int]:
    """Return the numbers of players with which each takes two strategy cards [84.1.3]."""
    return frozenset(read("ti4", "strategy_cards")["two_each"]["players"])


@cache
def zero_token() -> ZeroToken:
    """Return who has the initiative 0. Raises pydantic's ValidationError."""
    return ZeroToken(**read("ti4", "strategy_cards")["zero"])


@cache
def rulebook() -> Mapping[str, Rule]:
    """Return the rules by number, then what each promissory note does by its name, where no rule is
    called so.
    """
    found = dict(rules("ti4"))
    for note in promissory_notes().values():
        found.setdefault(note.name, _card(note))
    return MappingProxyType(found)


def _card(note: PromissoryNote) -> Rule:
    """Return a promissory note in the form of a rule."""
    back = note.return_condition or ""
    home = (
        f" It goes back to its owner {back if back.startswith('once') else f'when {back}'}."
        if back
        else ""
    )
    works = "It works" if note.moment == "never" else "It is played"
    return Rule(
        number=note.name,
        title="Promissory note",
        text=f"{works} {note.timing}. {note.effect}{home}",
        refusable=False,
        source=f"Promissory note, {expansions()[note.expansion]}",
        also=note.aliases,
        card=True,
    )


def find_faction(text: str) -> Faction | None:
    """Return the faction that a text names, or None.

    Matches its id, an alias, its short name, its name with or without "The", or the last word of
    its name if no other faction's name ends with it. Case, spaces and punctuation do not matter.
    """
    id = _faction_index().get(plain(text))
    return None if id is None else factions()[id]


def find_note(text: str) -> PromissoryNote | None:
    """Return the promissory note with this id, name or alias, or None.

    ``stymie`` alone means the first printing.
    """
    id = _note_index().get(plain(text))
    return None if id is None else promissory_notes()[id]


def find_permit_card(text: str) -> PermitCard | None:
    """Return the card in `permit_cards` with this id, name or alias, or None."""
    id = _permit_card_index().get(plain(text))
    return None if id is None else permit_cards()[id]


def find_strategy_card(text: str) -> StrategyCard | None:
    """Return the strategy card with this id, name or initiative, or None.

    ``5``, ``trade`` and ``5 Trade`` are the same card.
    """
    for card in strategy_cards().values():
        number = str(card.initiative)
        if plain(text) in (number, card.id, f"{number}{card.id}"):
            return card
    return None


def find_commodity_loss(text: str) -> CommodityLoss | None:
    """Return the effect in `commodity_losses` with this id, name or alias, or None."""
    id = _commodity_loss_index().get(plain(text))
    return None if id is None else commodity_losses()[id]


@cache
def _faction_index() -> Mapping[str, str]:
    names = {}
    last_words = {}
    for id, faction in factions().items():
        name = faction.name
        names[id] = (id, name, name.removeprefix("The "), faction.short, *faction.aliases)
        last_words[id] = name.split()[-1:]
    return index(names, hints=last_words)


@cache
def _note_index() -> Mapping[str, str]:
    return index(names_of(promissory_notes()))


@cache
def _commodity_loss_index() -> Mapping[str, str]:
    return index(names_of(commodity_losses()))


@cache
def _permit_card_index() -> Mapping[str, str]:
    return index(names_of(permit_cards()))


def _check(factions: Mapping[str, Faction], notes: Mapping[str, PromissoryNote]) -> None:
    """Raise ValueError when factions and notes contradict each other."""
    for faction in factions.values():
        for id in faction.notes:
            if id not in notes or notes[id].owner != faction.id:
                raise ValueError(f"{faction.id} lists the note {id}, which is not its own")
        for id in faction.lacks:
            if id not in notes or notes[id].owner != "any":
                raise ValueError(
                    f"{faction.id} does without {id}, which is not a note everybody has"
                )
        if faction.becomes is not None and faction.becomes not in factions:
            raise ValueError(f"{faction.id} becomes {faction.becomes}, which is no faction")
    for note in notes.values():
        if note.owner != "any" and (
            note.owner not in factions or note.id not in factions[note.owner].notes
        ):
            raise ValueError(f"the note {note.id} belongs to {note.owner}, who does not list it")
        if (note.returns == "never") != (note.return_condition is None):
            raise ValueError(
                f"the note {note.id} returns {note.returns}, but its condition is "
                f"{note.return_condition}"
            )
        if note.returns == "at_once" and note.enters_play != "never":
            raise ValueError(f"the note {note.id} enters play, and would return at once")
        if strangers := set(note.never_to) - set(factions):
            raise ValueError(f"the note {note.id} is kept from {strangers}, who are no factions")
        if note.replaces is not None and (
            note.replaces not in notes or notes[note.replaces].owner != note.owner
        ):
            raise ValueError(
                f"the note {note.id} replaces {note.replaces}, which is not a note of the same "
                "owner"
            )
