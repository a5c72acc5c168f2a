"""The texts of /help, the texts about agreements, and the table for the rehearsal."""

from __future__ import annotations

from bot.api import Agreements, Rehearsal, RehearsalSeat, Tap, Try

HELP = {
    "start": (
        "### A first trade\n"
        "1. **Set up a table** posts a message in the channel. Each of you presses **Take a "
        "seat**.\n"
        "2. **Bourse deals** or **Real cards**. If I deal, say **My cities**: once everybody has, "
        "all draw, fewest cities first. Real cards you type: **Cards came…** under **My "
        "hand**, which is your secret.\n"
        "3. The host presses **Open trading**.\n"
        "4. **New offer**: pick the cards you give and get, and **Offer it, hand over …** puts "
        "yours in at once. They press **Agree**. Whoever has not handed over gets a button with "
        "the likely cards. Once both have, the cards move.\n"
        "In one line: **/offer post** `give: 2 salt, ?` `want: grain, iron, ?`.\n"
        "-# I refuse what the rules forbid, and tell you the rule's number and what would work."
    ),
    "goods": (
        "### Writing cards\n"
        "Write the parts in any order, with commas, `+`, `&`, `and` or nothing between them: `2 "
        "salt, iron, ?`, `two "
        "salt and an iron`, `salt salt ?`.\n"
        "`salt`, `2 iron` name cards, and must be true · `?`, `1 hidden` are any cards · `3 cards: "
        "salt, salt` are two "
        "named cards and one that is not named · `? (silver)` is any card that you say is silver, "
        "which binds nobody.\n"
        "Write as you would say it: `2 of my salt & whatever`, `all my iron`, or both sides at "
        "once: `3 salt for 2 grain, ?`.\n"
        "Each side gives three cards or more and names at least two before you agree [28.3]. "
        "Calamities hide in a `?`."
    ),
    "turns": (
        "### A turn\n"
        "**My cities**, and once everybody has said, all draw; **/cards draw** draws yours at "
        "once. Then **Buy a card** under **Menu**, from the ninth stack, for 18 treasury tokens. "
        "The host opens trading: **Open trading**. Too early? **Undo a slip** under **Menu**, "
        "**Host…**. The board shows the time left, the offers, and **Done trading**.\n"
        "Wishes: **Who gives?** Others answer with **Another price…**, and you alone read it. "
        "They answer with **Counter** if you name what you give and leave open what you want: "
        "`give: 2 salt + 1`, or `want: 2 grain or 2 oil, ?`. If two offers fit each other, I tell "
        "both players.\n"
        "To be quick, hand over with the offer: its button, or `hand: 2 salt, hides`. It closes as "
        "soon as they hand over. An offer to everyone closes with the only player who has handed "
        "over; among several, you pick one.\n"
        "When trading is over: **Show calamities**, then **Spend cards**: what you spend, and "
        "down to eight; **Take back cards I turned in** under **Menu** mends a slip, until the "
        "next turn. **/cards sets** shows what your sets are worth, with Mining or without.\n"
        "You eliminated a city? Before anybody draws: **Take a card** under **Menu**, and chance "
        "picks a card from that hand. Somebody leaves for good? **Lose cards** there keeps a card "
        "for each city."
    ),
}
"""Each topic in a few lines that fit on a phone; ``start`` has the first steps."""

AGREEMENTS = Agreements(
    deal={"never": "**Words only**: nothing binds before the exchange [28.1], and words never do."},
    terms="Nothing binds before the exchange [28.1], and words never do.",
    terms_hint="Words only: nothing binds before the exchange",
    ahead="Nothing binds before the exchange [28.1]. Once it is possible, I ask you both to "
    "confirm.",
    ahead_mark="; nothing binds before the exchange [28.1]",
    to_be_exchanged="Nothing binds before the exchange [28.1].",
)
"""Nothing binds before cards have been exchanged [28.1]. Words never bind."""

REHEARSAL = Rehearsal(
    channel="market",
    seats={
        "alice": RehearsalSeat("egypt", "Egypt", "3 salt, grain, oil, silver, epidemic"),
        "bob": RehearsalSeat("crete", "Crete", "3 grain, 2 salt, iron, bronze"),
        "carol": RehearsalSeat("babylon", "Babylon", "2 oil, 2 iron, hides, cloth, famine"),
        "dave": RehearsalSeat("italy", "Italy", "2 silver, bronze, gems, ochre, timber"),
    },
    begins=(("alice", "trading open", {"minutes": 60}),),
    tries=(
        Tap("alice.table", ("New offer", "Bob"), "Then say what you give, and what you want."),
        Try(
            "alice.table",
            "offer post",
            (
                ("to", "Bob", True),
                ("give", "grain, oil, ? (silver)", False),
                ("want", "2 salt, ?", False),
            ),
            "Bob agrees in his DM; then both hand over. Only Alice decides what the third card "
            "really is.",
        ),
        Try(
            "carol.table",
            "offer post",
            (("want", "silver", False),),
            "A wish, open to everyone. Dave answers it with Another price…",
        ),
        Try(
            "bob.table",
            "cards sets",
            (("mining", "bronze", False),),
            "What Bob's sets are worth, with Mining.",
        ),
    ),
)
"""Four nations with hands, and trading open."""
