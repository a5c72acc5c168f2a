"""The components of Twilight Imperium 4: their tokens, how they are described and drawn, and which
are secret.

| token | what it is |
|---|---|
| ``trade_good`` ``commodity`` ``action_card`` ``secret_objective`` | counted, all alike |
| ``fragment:cultural`` ``:hazardous`` ``:industrial`` ``:unknown`` | relic fragments |
| ``note:<note>:<seat>`` | a promissory note and its owner; ``own`` in an offer to all: its giver |
| ``played:<note>:<seat>`` | a promissory note that the host says is in play |
| ``captured:<unit>:<seat>`` | a captured unit and its owner |
| ``planet:<name>`` ``relic:<name>`` ``zone:<planet>`` | tradable only by an ability or permit |
| ``station:<name>`` | a space station that a player controls |
| ``note`` | a promissory note, for viewers who may not know which one |
| ``any:note`` | in an offer, a note that its giver chooses when they agree last |
"""

from __future__ import annotations

from bot.api import (
    NOTHING,
    OWED,
    PAYS,
    Goods,
    Icon,
    Outdated,
    Refused,
    Seat,
    Violation,
    kind_of,
    quoted,
)
from data.ti4 import PromissoryNote, factions, promissory_notes

TRADE_GOOD, COMMODITY = "trade_good", "commodity"
ACTION_CARD, SECRET_OBJECTIVE = "action_card", "secret_objective"
FRAGMENTS = ("cultural", "hazardous", "industrial", "unknown")
UNITS = (
    "fighter",
    "infantry",
    "mech",
    "destroyer",
    "cruiser",
    "carrier",
    "dreadnought",
    "war sun",
    "flagship",
    "space dock",
    "pds",
)

NAMED = {
    "planet": "planet ",
    "relic": "relic ",
    "zone": "demilitarized zone ",
    "station": "space station ",
}
"""Kinds of components that are written as a word and a name."""

_ORDER = (
    "trade_good",
    "commodity",
    "note",
    "any",
    "fragment",
    "action_card",
    "secret_objective",
    "captured",
    "planet",
    "zone",
    "station",
    "relic",
    "played",
    "owed",
    "pays",
)
"""The kinds of components in display order."""


def note_owner(token: str) -> tuple[str, str]:
    """Return the id of a promissory note, and the seat that owns it."""
    _, note, owner = token.split(":")
    return note, owner


def note_named(token: str) -> PromissoryNote:
    """Return the promissory note of a token."""
    return promissory_notes()[note_owner(token)[0]]


ANY_NOTE = "any:note"

MY_CHOICE = "any:mine"
"""A note that its giver chooses, in words for the giver."""

OWN = "own"
"""In place of a note's owner, in an offer to all: whoever gives it gives their own."""


def with_own_notes(goods: Goods, giver: str) -> Goods:
    """Return goods with the giver's notes in place of ``own`` ones."""
    if not giver or not any(map(_is_own, goods)):
        return goods
    named = (
        Goods({token.removesuffix(OWN) + giver if _is_own(token) else token: goods[token]})
        for token in goods
    )
    return sum(named, NOTHING)


def _is_own(token: str) -> bool:
    return token.startswith("note:") and token.endswith(f":{OWN}")


def require_note(token: str) -> None:
    """Raise `Outdated` for what is no promissory note, as a button may name it."""
    kind, _, rest = token.partition(":")
    note, _, owner = rest.partition(":")
    if kind != "note" or note not in promissory_notes() or owner not in factions():
        raise Outdated


def require_in_hand(seat: Seat, token: str) -> None:
    """Raise `Refused` by 69.5 if a seat does not have this note in hand."""
    if token not in seat.holdings:
        card = describe_token(token)
        raise Refused(
            f"You don't have {card} in hand.", "**My goods** lists the notes you hold.", rule="69.5"
        )


def captured_unit(token: str) -> tuple[str, str]:
    """Return the type of a captured unit, and the seat that owns it."""
    _, unit, owner = token.split(":")
    return unit, owner


def commodities(amount: int) -> Goods:
    """Return this number of commodities as goods."""
    return Goods({COMMODITY: amount} if amount else {})


def trade_goods(amount: int) -> Goods:
    """Return this number of trade goods as goods."""
    return Goods({TRADE_GOOD: amount} if amount else {})


def describe(goods: Goods) -> str:
    """Return goods in words: ``3 trade goods, 1 commodity, Sol's Ceasefire<beside:sol>``;
    ``nothing`` for none.
    """
    return ", ".join(describe_one(token, goods[token]) for token in in_order(goods)) or "nothing"


def describe_token(token: str) -> str:
    """Return one component in words."""
    return describe_one(token, 1)


def in_order(goods: Goods) -> list[str]:
    """Return the components of these goods in display order."""
    return sorted(goods.keys(), key=lambda token: (_ORDER.index(token.partition(":")[0]), token))


def describe_one(token: str, count: int) -> str:
    """Return a number of one component in words."""
    kind, _, rest = token.partition(":")
    match kind:
        case "trade_good" | "action_card" | "secret_objective":
            return _plural(count, kind.replace("_", " "))
        case "commodity":
            return f"{count} {'commodity' if count == 1 else 'commodities'}"
        case "fragment":
            return _plural(count, f"{rest} fragment")
        case "any" if token == MY_CHOICE:
            return "a promissory note of your choice"
        case "any":
            return "a promissory note that the giver chooses"
        case "note" if not rest:
            return _plural(count, "promissory note")
        case "note":
            name, owner = note_named(token).name, note_owner(token)[1]
            if owner == OWN:
                return f"the giver's own {name}"
            short = factions()[owner].short  # a person's name could be anything
            return f"{short}'{'' if short.endswith('s') else 's'} {name}<beside:{owner}>"
        case "played":
            return f"in play: {describe_one(f'note:{rest}', count)}"
        case "captured":
            unit, owner = captured_unit(token)
            units = (
                f"{count} captured {unit}"
                if unit in ("infantry", "pds")
                else _plural(count, f"captured {unit}")
            )
            return f"{units} of {factions()[owner].short}<beside:{owner}>"
        case "owed":
            return f"{describe_one(rest, count)} later"
        case "pays":
            number, left = rest.split(":")[:2]
            return f"pays {count} of {left} owed (debt {number})"
        case _:
            return NAMED[kind] + quoted(rest)


def _plural(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def to_giver(goods: Goods) -> Goods:
    """Return goods as their giver reads them in an offer."""
    chosen = goods.count(ANY_NOTE)
    return goods.without_kind("any") + Goods({MY_CHOICE: chosen}) if chosen else goods


# ---------------------------------------------------------------- secret components

WHICH_NOTES = Violation(
    "",
    "Which notes another player holds is secret.",
    "A host who doesn't sit at the table can look.",
)
"""Why others may not see a hand: which notes it holds is secret, how many is public."""


def open_goods(goods: Goods) -> Goods:
    """Return the open goods: everything but promissory notes in hand."""
    return goods.without_kind("note")


def in_front_of(seat: Seat) -> Goods:
    """Return all open goods of a seat, including its play area."""
    return open_goods(seat.holdings) + seat.in_play


def redact(goods: Goods) -> Goods:
    """Return goods as everybody may read them: promissory notes are there, but not which ones."""
    hidden = secret(goods)
    count = hidden.total() + goods.count(ANY_NOTE)
    return hidden.missing(goods).without_kind("any") + Goods({"note": count}) if count else goods


def secret(goods: Goods) -> Goods:
    """Return the promissory notes that only the parties of a trade may identify."""
    found = goods.of_kind("note")
    return (
        Goods({token: 1 for token in found if token != "note" and not public(token)})
        if found
        else NOTHING
    )


def public(token: str) -> bool:
    """Return whether everybody sees which note this is when it changes hands."""
    return note_named(token).public_on_trade or arrives_in_play(token)


def arrives_in_play(token: str) -> bool:
    """Return whether a note goes into play on receipt: Support for the Throne, Alliance."""
    return note_named(token).enters_play == "on_receipt"


def lying_before(goods: Goods, seat: str) -> Goods:
    """Return the notes that this seat never has in hand: they go into play on receipt."""
    notes = goods.of_kind("note")
    others = [token for token in notes if note_owner(token)[1] != seat]
    return Goods({token: notes[token] for token in others if arrives_in_play(token)})


# ---------------------------------------------------------------- icons

ICONS = {
    "trade_good": Icon("ti4_trade_good", "🟡", "coin", "#f2c230"),
    "commodity": Icon("ti4_commodity", "📦", "crate", "#c98f4e"),
    "note": Icon("ti4_note", "📜", "scroll", "#ead9b0"),
    "fragment": Icon("ti4_fragment", "🔷", "shard", "#4f9dff"),
    "action_card": Icon("ti4_action_card", "⚡", "bolt", "#ff8a3d"),
    "secret_objective": Icon("ti4_secret_objective", "🎯", "target", "#e5484d"),
    "captured": Icon("ti4_captured", "🚀", "ship", "#a0a9b8"),
    "planet": Icon("ti4_planet", "🪐", "globe", "#8f7ce6"),
    "relic": Icon("ti4_relic", "🏺", "urn", "#d9a441"),
    "zone": Icon("ti4_zone", "🏳️", "flag", "#3ddc97"),
    "station": Icon("ti4_station", "📡", "satellite", "#5fc9d8"),
}
"""The icon of each kind of component."""


def icon(token: str) -> Icon | None:
    """Return the icon of a component; None for the words of an offer that pay a debt."""
    token = token.removeprefix(f"{OWED}:")
    if kind_of(token) == PAYS:
        return None
    return ICONS["note" if token.startswith(("played:", "any:")) else kind_of(token)]
