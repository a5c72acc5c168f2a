"""Advanced Civilization: commodities, calamities and nations."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Annotated, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from data._read import index, names_of, objects, plain, read

Id = Annotated[str, Field(pattern=r"^[a-z0-9]+(_[a-z0-9]+)*$")]

PLAYERS_MAX = 8
"""The most players of the game."""

CARDS_A_SIDE = 3
"""The fewest trade cards that each side of a trade gives [28.3]."""

NAMED_A_SIDE = 2
"""The fewest cards that each side of a trade names truthfully [28.3]."""

HAND_LIMIT = 8
"""The most commodity cards that a player keeps for the next turn [31.71]."""

NINTH_STACK_PRICE = 18
"""The price of a card from the ninth stack, in treasury tokens [27.5]."""

CALAMITIES_MAX = 2
"""The most calamities that a player can be the primary victim of in one turn [29.5]."""


class Printed(BaseModel):
    """A named component of the box."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Id
    name: str = Field(min_length=1)


class Commodity(Printed):
    """A commodity, of which there are several cards.

    ``stack`` is the stack that its cards are drawn from [27.2]. ``count`` is the number printed,
    and so the size of the largest set [28.52]. ``mineable``: Mining can count for it [28.53].
    """

    aliases: tuple[str, ...] = ()
    stack: int = Field(ge=1, le=9)
    count: int = Field(ge=1)
    mineable: bool = False

    @property
    def value(self) -> int:
        """The value of one card: the number of its stack."""
        return self.stack

    def set_value(self, n: int) -> int:
        """Return the value of a set of ``n`` cards [28.51]; 0 for no cards.

        Raises ValueError when ``n`` is negative or more than were printed [28.52].
        """
        if not 0 <= n <= self.count:
            raise ValueError(f"a set of {n} {self.id}: there are {self.count}")
        return n * n * self.value


class Calamity(Printed):
    """A calamity, of which there is one card.

    ``stack`` is the stack that it is drawn from. ``order`` is its place in the order of resolution,
    from 1 [29.6]. ``trader_matters``: its effect depends on who traded it to the primary victim.
    ``never`` are the nations that can't be its primary victim. ``reminder`` says in our own words
    what it does; ``untraded`` says so where nobody has traded it and that reads otherwise.
    """

    aliases: tuple[str, ...] = ()
    stack: int = Field(ge=2, le=9)
    tradable: bool
    order: int = Field(ge=1)
    trader_matters: bool
    never: tuple[Id, ...] = ()
    reminder: str = Field(min_length=1, max_length=200)
    untraded: str = Field(default="", max_length=200)


class Nation(Printed):
    """A nation. ``short`` is its name at the table, ``symbol`` an emoji of ours beside it.

    ``ast`` is its place in A.S.T. order, from 1.
    """

    short: str = Field(min_length=1)
    symbol: str = ""
    ast: int = Field(ge=1)


TradeCard: TypeAlias = Commodity | Calamity


@cache
def commodities() -> Mapping[str, Commodity]:
    """Return every commodity by its id, in the order of the stacks. Raises pydantic's
    ValidationError.
    """
    rows = read("advciv", "trade_cards")["commodities"]
    return objects(Commodity, rows, order="stack")


@cache
def calamities() -> Mapping[str, Calamity]:
    """Return every calamity by its id, in the order they are resolved. Raises pydantic's
    ValidationError.
    """
    rows = read("advciv", "calamities")["calamities"]
    return objects(Calamity, rows, order="order")


@cache
def nations() -> Mapping[str, Nation]:
    """Return every nation by its id, in A.S.T. order. Raises pydantic's ValidationError."""
    rows = read("advciv", "nations")["nations"]
    return objects(Nation, rows, order="ast")


def find_trade_card(text: str) -> TradeCard | None:
    """Return the commodity or calamity with this id, name or alias, in singular or plural; None if
    there is none.

    Case, spaces and punctuation do not matter.
    """
    id = _card_index().get(plain(text))
    return None if id is None else commodities().get(id) or calamities()[id]


def find_nation(text: str) -> Nation | None:
    """Return the nation with this id, name or short name, or None. Case, spaces and punctuation do
    not matter.
    """
    id = _nation_index().get(plain(text))
    return None if id is None else nations()[id]


@cache
def _card_index() -> Mapping[str, str]:
    names = names_of({**commodities(), **calamities()})
    forms = {}
    for id, texts in names.items():
        forms[id] = chain.from_iterable(map(_forms, texts))
    return index(names, forms)


@cache
def _nation_index() -> Mapping[str, str]:
    names = {}
    for id, nation in nations().items():
        names[id] = (id, nation.name, nation.short)
    return index(names)


def _forms(text: str) -> Iterator[str]:
    """Yield the singular, and the plural if an s makes it. Irregular plurals are aliases."""
    singular = text.removesuffix("s")
    if not text.endswith("us"):
        yield singular
        yield f"{singular}s"
    if text.endswith("y"):
        yield f"{text.removesuffix('y')}ies"
