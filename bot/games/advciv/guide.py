"""The texts of /help, the texts about agreements, and the table for the rehearsal."""

from __future__ import annotations

from bot.api import Agreements, Rehearsal, RehearsalSeat, Try

HELP = {
    "start": (
        "### A first trade\n"
        "1. **/table open** in a channel: a message appears in which everybody takes a seat.\n"
        "2. **My cities** there, or **/cards cities** `cities: 4`: when all have said, I deal, fewest cities first; "
        "**/cards draw** deals yours at once. With real cards I tell the order, and **/holdings gain** says what you "
        "took. Your hand is your secret: **/cards hand**.\n"
        "3. The host: **/trading open** `minutes: 5`.\n"
        "4. **/offer post** `give: 2 salt, ?` `want: grain, iron, ?`, to somebody or to all. They press "
        "**Accept**; then both **Hand over** in private, and when both have, the cards have moved.\n"
        "-# What the rules forbid is refused, with the rule's number and what would make it legal."
    ),
    "goods": (
        "### Writing cards\n"
        "Parts in any order, with commas, `+`, `&`, `and` or nothing between them: `2 salt, iron, ?`, "
        "`two salt and an iron`, `salt salt ?`.\n"
        "`salt`, `2 iron` are named, and have to be true · `?`, `1 hidden` are any cards · `3 cards: salt, salt` are "
        "two that are named and one that is not · `? (silver)` is any card that you say is silver, which binds "
        "nobody.\n"
        "Each side gives three cards or more and names at least two [28.3]. Calamities hide in a `?`."
    ),
    "turns": (
        "### A turn\n"
        "**/cards cities**, and when all have said, all draw; **/cards draw** draws yours at once. Then **/cards "
        "buy** for 18 treasury tokens a card of the ninth stack. The host opens trading: **/trading open**; too early? "
        "**/trading undo**. The board has the time left, the offers, and **Done trading**.\n"
        "Wishes: **/offer post** `want: silver` alone, and others answer with **Counter**. Of two offers that fit one "
        "another I tell both.\n"
        "To be quick, hand over along with the offer: `hand: 2 salt, hides`. It closes as soon as they hand over. "
        "An offer to all closes with the only one who has handed over; among several you pick.\n"
        "When trading is over: **/calamities show**, then **/cards surrender** what you spend, and down to eight. "
        "**/cards sets** tells what your sets are worth, with Mining or without.\n"
        "You eliminated a city: **/cards take** `from: @bob`, and chance picks a card of Bob's hand. Somebody leaves "
        "for good: **/cards lose** `cities: 3` keeps a card for each city."
    ),
}
"""Each topic in a few lines that fit on a phone; ``start`` has the first steps."""

AGREEMENTS = Agreements(
    deal={"never": "**Words only**: nothing binds before the exchange [28.1], and words never do."},
    terms="Nothing binds before the exchange [28.1], and words never do.",
    terms_hint="Words only: nothing binds before the exchange",
    ahead="Nothing binds before the exchange [28.1]; once it is possible, I ask you both to confirm.",
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
        Try(
            "alice.table",
            "offer post",
            (("to", "Bob", True), ("give", "grain, oil, ? (silver)", False), ("want", "2 salt, ?", False)),
            "Bob accepts in his DM; then both hand over. What the third card really is, Alice alone decides.",
        ),
        Try(
            "carol.table",
            "offer post",
            (("want", "silver", False),),
            "A wish, open to all. Dave can answer it with Counter.",
        ),
        Try("bob.table", "cards sets", (("mining", "bronze", False),), "What Bob's sets are worth, with Mining."),
    ),
)
"""Four nations with hands, and trading open."""
