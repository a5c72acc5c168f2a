"""The texts of /help for Twilight Imperium 4, by topic, and the texts about agreements."""

from __future__ import annotations

from bot.api import Agreements

HELP = {
    "start": (
        "### A first trade\n"
        "1. **Set up a table** posts a message in the channel. Each of you presses **Take a "
        "seat**.\n"
        "2. Its buttons then ask who the neighbours are and who begins. Tap what you have in "
        "**My goods**.\n"
        "3. **New offer**, then a player, then an offer; **Build it…** makes another. They press "
        "**Accept**, and the goods move.\n"
        "**Who gives?** asks everyone for what you want; you alone read their answers.\n"
        "In one line: **/offer post** `to:` somebody `give: 3 tg` `want: 2 c`.\n"
        "-# I refuse what the rules forbid, and tell you the rule's number and what would work."
    ),
    "goods": (
        "### Writing goods\n"
        "Write the parts in any order, with commas, `+`, `&` or `and` between them: `3 tg, 1 c, "
        "ceasefire`, `two tg "
        "and a commodity`.\n"
        "`tg` trade goods · `c` commodities · `ceasefire`, `sol's ceasefire` promissory notes · `2 "
        "cultural fragments` "
        "or `crf`, `hrf`, `irf`, `urf` · `action card` · `captured cruiser of sol`.\n"
        "Write as you would say it: `ur cf`, `bobs ta`, `all my comms`, `half your tg`, `iou 2 "
        "tg`, or both sides at once: `3 tg for ur ceasefire`.\n"
        "Tokens, units, planets and the like can't be traded [94.3]. Put anything else you promise "
        "into the terms."
    ),
    "deals": (
        "### Words that bind\n"
        "An offer's terms are a promise, unless you say that they are done at once: `now: you "
        "retreat`, or `terms: you "
        "retreat` with `when: now`. Then they bind with the trade [28.3]. What comes later binds "
        "nobody [28.4], nor "
        "does an action card's result, `card: yes` [28.3.1]. The offer's card shows which half "
        "binds.\n"
        "**Deal…** under **Menu** is for words without goods. **They kept it** and **They broke "
        "it** on its card say whether a promise was kept; `by: turn`, `round` or `agenda` asks "
        "you both then. `owe 2 tg` in an offer is counted under **My goods**."
    ),
    "turns": (
        "### Keeping up with the table\n"
        "If the turn has changed since you both agreed to an offer, I ask you to confirm it.\n"
        "The board in the channel has **End turn**; **Menu** there has passing, combat, "
        "activation, agendas and "
        "neighbours. In the strategy phase it has the strategy cards: once all have taken theirs, "
        "the initiative order follows [48]. **Order of play** there says "
        "another; without either, **End turn** asks who is next.\n"
        "Ended by mistake? The host gives the turn back: **Undo a slip** under **Menu**, "
        "**Host…**.\n"
        "Gains and losses without a trade: **My goods** counts trade goods and commodities, and "
        "has **Replenish** and **Notes…**. Other things: **/holdings gain** and **/holdings "
        "spend**, or **/note give** when an effect makes you. When a card allows a trade, a host "
        "says so: **Permit…** under **Menu**, **Host…**."
    ),
    "seats": (
        "### Seats that leave or change, and boxes\n"
        "**/table eliminate** shows a host what leaves the game with a player and what goes back "
        "[33.2], and does it "
        "with one press. With `seat:` it clears a seat that nobody plays any more.\n"
        "**/table change** turns the Firmament into the Obsidian: the same player, goods, "
        "neighbours and turn.\n"
        "**Settings** under **Menu**, **Host…** say which boxes you play with: they decide which "
        "factions, notes and relics there are."
    ),
}
"""Each topic in a few lines that fit on a phone."""

AGREEMENTS = Agreements(
    deals_bind=True,
    deal={
        "": "**Binding**: all of it is resolved at once [D3] [28.3], and it must be kept [D4].",
        "card": "**Not binding**: an action card's result can't be promised [D5] [28.3.1]. Nobody "
        "has to keep it.",
        "later": "**Not binding**: it can't all be resolved at once [D6] [28.4]. Nobody has to "
        "keep it.",
    },
    unbreakable="Deal {deal} is binding [D3] [28.3]: it was resolved when you agreed, and must be "
    "kept.",
    terms="The trade binds; these words are a promise [D6].",
    terms_hint="Not binding, unless it is done now",
    ahead="This binds nobody yet. Once it is possible, I ask you to confirm.",
    ahead_mark=", not binding yet",
)
"""Deals bind if all of it can be resolved at once [D3] [28.3], and then must be kept [D4]."""
