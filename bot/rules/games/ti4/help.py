"""How to trade at a table of Twilight Imperium 4, by topic: what /help tells."""

HELP = {
    "start": (
        "### A first trade\n"
        "1. **/table open** in a channel, then everybody **/table sit**.\n"
        "2. The host says what each has: **/holdings set**; who are neighbours: **/neighbors join**; "
        "and whose turn it is: **/turn start**.\n"
        "3. **/offer post** `to:` somebody `give: 3 tg` `want: 2 c`. They press **Accept**, and the goods have moved.\n"
        "-# What the rules forbid is refused, with the rule's number and what would make it legal."
    ),
    "goods": (
        "### Writing goods\n"
        "Parts in any order, with commas, `+`, `&` or `and` between them: `3 tg, 1 c, ceasefire`, "
        "`two tg and a commodity`.\n"
        "`tg` trade goods · `c` commodities · `ceasefire`, `sol's ceasefire` promissory notes · "
        "`2 cultural fragments` or `crf`, `hrf`, `irf`, `urf` · `action card` · `captured cruiser of sol`.\n"
        "Tokens, units, planets and the like can't be traded [94.3]; what you promise besides goes into the terms."
    ),
    "turns": (
        "### Keeping up with the table\n"
        "When the turn has changed since you both agreed, I ask you to confirm an offer once more.\n"
        "The board in the channel has **End turn** and **Pass** for whose turn it is, and **Combat**, **Agenda** and "
        "**Phase**. **/table order** sets who comes next.\n"
        "Gains and losses away from trade: **/holdings gain**, **/holdings spend**, **/commodities replenish**, "
        "**/note play**. A card that I don't know, a host allows with **/permit grant**."
    ),
}
"""Each topic in a few lines that fit on a phone."""
