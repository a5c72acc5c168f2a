"""The rules of a definition by number, as they are at the tables that play it."""

from __future__ import annotations

from collections.abc import Mapping

from bot.api import Agreements, Rule, Table, part
from bot.games.any.book import Book, either
from bot.games.any.deeds import bank_text
from bot.games.any.definition import Definition
from data import rules

WHO = {
    "all": "Everybody trades with everybody.",
    "turn": "Every trade is with the player whose turn it is.",
    "neighbours": "The two must sit side by side, in the order of the seats.",
}

PROMISES = {
    "free": "Words are a promise, and nobody has to keep it.",
    "bind": "What two agree on in words binds both.",
    "none": "Offers have no words: nobody promises anything.",
}


def said(found: Definition) -> dict[str, str]:
    """Return what each rule says by this definition."""
    trade = found.trade
    who = WHO.get(trade.who) or f"These trade with each other: {pairs_text(found)}."
    minutes = "a minute" if trade.bell == 1 else f"{trade.bell} minutes"
    bell = f" A bell ends it after {minutes}." if trade.bell else ""
    when = "At any time."
    if trade.when:
        when = f"There is trade only in the {either(trade.when)} phase.{bell}"
    how_often = "As often as they like."
    if trade.per_partner:
        times = "once" if trade.per_partner == 1 else f"{trade.per_partner} times"
        how_often = f"Two trade with each other at most {times} in a turn or phase."
    kept = [good.several for good in found.goods.values() if good.kept]
    amounts = []
    if trade.least:
        amounts.append(f"Each side gives at least {trade.least}.")
    if trade.equal:
        amounts.append("Both sides give the same number.")
    if trade.one_kind:
        amounts.append("Each side gives one kind of goods.")
    return {
        "H1": "You can only give and spend what you have.",
        "H2": who,
        "H3": when,
        "H4": how_often,
        "H5": f"{', '.join(kept).capitalize()} stay with their owner." if kept else "Nothing.",
        "H6": "Allowed." if trade.gifts else "Both sides must give something.",
        "H7": "Allowed." if trade.same else "The same kind can't stand on both sides.",
        "H8": " ".join(amounts) or "As much as they like.",
        "H9": bank_text(found),
        "H10": limits_text(found),
        "H11": PROMISES[trade.promises],
    }


def pairs_text(found: Definition) -> str:
    """Return who trades with whom."""
    pairs = []
    for one, other in found.trade.pairs:
        pairs.append(f"all of {one}" if one == other else f"{one} and {other}")
    return "; ".join(pairs)


def limits_text(found: Definition) -> str:
    """Return the limits of hands and of kinds."""
    lines = []
    if found.hand:
        lines.append(f"Nobody holds more than {found.hand} goods.")
    for good in found.goods.values():
        if good.numbered:
            lines.append(f"There is one each of {good.name} 1 to {good.numbered}.")
        if good.total:
            lines.append(f"There are {good.total * good.step} {good.several}.")
        if good.most:
            lines.append(f"A seat holds at most {good.most * good.step} {good.several}.")
    if found.secrets and lines:
        lines.append("Of what is hidden, its owner alone sees to that.")
    return " ".join(lines) or "There are none."


def rulebook(found: Definition) -> Mapping[str, Rule]:
    """Return the rules as they are by this definition."""
    text, book = said(found), dict(rules("any"))
    for number, words in text.items():
        rule = book[number]
        book[number] = rule.model_copy(update={"text": f"{rule.text}\n**Here:** {words}"})
    return book


def status(table: Table, number: str) -> str:
    """Return how a rule stands at the table now; empty for nothing to say."""
    holder, book = table.window.holder, part(table, Book)
    if number == "H2" and holder:
        return f"It is <player:{holder}>'s turn."
    if number == "H3" and book.begun:
        ends = f", until <t:{book.bell // 1000}:t>" if book.bell else ""
        return f"It is the {table.phase} phase{ends}."
    if number == "H4" and book.trades:
        trades = []
        for pair, count in book.trades.items():
            first, second = pair.split("+")
            trades.append(f"<=name:{first}> with <=name:{second}>: {count}")
        return f"In this turn or phase: {', '.join(trades)}."
    return ""


def agreements(found: Definition) -> Agreements:
    """Return what agreements in words are worth."""
    if found.trade.promises != "bind":
        return Agreements(terms="These words are a promise: they bind nobody.")
    return Agreements(
        deals_bind=True,
        deal={
            "": "**It binds both** [H11].",
            "later": "**A promise** for later: nobody has to keep it.",
            "card": "**A promise**: nobody has to keep it.",
        },
        unbreakable="Deal {deal} binds both [H11].",
        terms="These words bind both [H11].",
    )
