"""Random definitions: any game that a host can say, in TOML."""

from __future__ import annotations

from random import Random
from typing import Any

from bot.games.any.deeds import checked_all
from bot.games.any.definition import Definition
from bot.testing.makers import likely

GOODS = ("brick", "wool", "grain", "ore", "coin", "lot", "deed", "secret", "crown")
SEATS = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")
PHASES = ("talks", "orders", "income")


def definition(dice: Random, *, secret: bool = False) -> Definition:
    """Return a random definition that the check accepts. ``secret``: hidden goods have limits."""
    goods = _goods(dice)
    if secret:
        limits = {"most": dice.randint(1, 3), "total": dice.randint(3, 6)}
        goods["letter"] = {"plural": "letters", "hidden": True, **limits}
        goods["map"] = {"hidden": True, "numbered": 4}
    seats = list(SEATS[: dice.randint(2, len(SEATS))])
    phases = list(PHASES[: dice.randint(1, 3)])
    fields: dict[str, Any] = {
        "name": dice.choice(["Fair", "Island", "Summit"]),
        "seats": seats,
        "phases": phases,
        "goods": goods,
        "trade": _trade(dice, seats, phases),
        "start": {"all": given(dice, goods, all=True), seats[0]: given(dice, goods)},
        "events": {
            "harvest": {"all": given(dice, goods, all=True)},
            "gift": {seats[1]: given(dice, goods)},
        },
    }
    if likely(dice, 30):
        fields["hand"] = dice.randint(3, 20)
    for_the_bank = [good for good in goods.values() if not {"kept", "numbered"} & good.keys()]
    if for_the_bank and likely(dice, 50):
        fields["bank"] = {"any": dice.randint(1, 4)}
    owed = [
        name for name, good in goods.items() if not {"hidden", "numbered", "tens"} & good.keys()
    ]
    if owed and likely(dice, 40):
        fields["debts"] = dice.choice(owed)
    if likely(dice, 50):
        fields["teams"] = {"North": seats[:2], "South": seats[1:]}
    if likely(dice, 50):
        fields["rules"] = {"R1": "Whoever comes late brings biscuits."}
    return checked_all(fields)


def _goods(dice: Random) -> dict[str, dict[str, Any]]:
    goods: dict[str, dict[str, Any]] = {}
    for name in dice.sample(GOODS, dice.randint(2, 5)):
        good: dict[str, Any] = {}
        if likely(dice, 40):
            good["hidden"] = True
        if likely(dice, 25):
            good["numbered"] = dice.randint(2, 9)
        else:
            good["plural"] = f"{name}s"
            if likely(dice, 20):
                good["tens"] = True
            if likely(dice, 30):
                good["total"] = dice.randint(3, 12)
            if likely(dice, 30):
                good["most"] = dice.randint(1, 6)
        if goods and likely(dice, 15):
            good["kept"] = True
        goods[name] = good
    return goods


def given(dice: Random, goods: dict[str, dict[str, Any]], *, all: bool = False) -> str:
    """Return goods as a text gives them to a seat, or to ``all``: then none of which there are
    few.
    """
    parts = []
    for name in dice.sample(list(goods), dice.randint(1, len(goods))):
        good = goods[name]
        if all and {"numbered", "total"} & good.keys():
            continue
        if "numbered" in good:
            parts.append(f"{name} {dice.randint(1, 2)}")
        else:
            parts.append(f"{dice.randint(1, 3) * (10 if good.get('tens') else 1)} {name}s")
    return ", ".join(parts)


def _trade(dice: Random, seats: list[str], phases: list[str]) -> dict[str, Any]:
    trade: dict[str, Any] = {"who": dice.choice(["all", "all", "turn", "neighbours", "pairs"])}
    if trade["who"] == "pairs":
        trade["pairs"] = [["all", seats[0]], [seats[0], seats[1]]]
    if likely(dice, 40):
        trade["when"] = dice.sample(phases, dice.randint(1, len(phases)))
        if likely(dice, 40):
            trade["bell"] = dice.randint(1, 9)
    for name, most in (("per_partner", 3), ("least", 2)):
        if likely(dice, 20):
            trade[name] = dice.randint(1, most)
    for name in ("equal", "one_kind"):
        trade[name] = likely(dice, 15)
    for name in ("gifts", "same"):
        trade[name] = likely(dice, 75)
    trade["promises"] = dice.choice(["free", "free", "bind", "none"])
    return trade
