"""Compares the ledger with what people see: lost, doubled, orphaned, frozen or leaked messages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Literal

from bot.rules.registry import games
from tests.loopback import screen
from tests.loopback.exchange import Exchange, Refusal
from tests.loopback.screen import Json
from tests.loopback.world import World
from tests.soak.books import Done, Offer, Table
from tests.soak.follow_ups import FollowUp
from tests.soak.sights import CALAMITIES, SECRET, Sights, Telling, custom_ids, raw_ids, revision_of
from tests.soak.wanted import Wanted, Wants

BOARD = ("board", "more")  # the button that every board has, and no other message
HARMLESS = "show"  # of any offer this may stay
# and these of one that is over: they only show what became of it
LOOKS = frozenset({"more", "details"})
BY_DM_ONLY = frozenset({"advciv"})  # where hands are secret, a ping would tell too much
# what asks for a word beside the card, once more after the offer was altered
QUESTIONS = frozenset({"Confirm", "Agree again", "Accept again"})


EDITED_IN, AGAIN_IN = 1.0, 2.6
"""Seconds for an edit in a channel, where Discord lets 5 pass in 5; and for one that only repeats
another, of which the bot makes 2 in that time.
"""

A_PRESS = 1000
"""Milliseconds that a person needs at least for two commands with the same words."""

IN_PLACE_OF_ANSWER = "so-"
"""The nonce of a DM begins with this, and goes on with the interaction that it answers, if Discord
did not take the answer in time.
"""

TWINS = "live cards"
"""Of one offer in one place: the older one is deleted in a moment."""


@dataclass
class Findings:
    """What is wrong, a sentence each; and how much was looked at."""

    told: int = 0
    excused: int = 0  # their interaction was under way at a kill
    lost: set[str] = field(default_factory=set)
    doubled: set[str] = field(default_factory=set)
    orphaned: set[str] = field(default_factory=set)
    frozen: set[str] = field(default_factory=set)  # it does not show what its table wants
    leaked: set[str] = field(default_factory=set)
    # of a finding about an offer: when that last changed
    since: dict[str, float] = field(default_factory=dict)
    # of a finding about live cards: the messages
    twins: dict[str, list[str]] = field(default_factory=dict)
    # seconds of edits in a channel
    queued: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(
        self, kind: Literal["lost", "doubled", "orphaned"], what: str, offer: Offer | None
    ) -> None:
        """Adds a finding about an offer, which nobody could mend before that last changed."""
        getattr(self, kind).add(what)
        if offer is not None:
            self.since[what] = offer.changed_at

    def owed(self) -> set[str]:
        """What time can mend."""
        return (
            self.lost
            | self.orphaned
            | self.frozen
            | {each for each in self.doubled if TWINS in each}
        )


@dataclass
class Evidence:
    """What the oracle looks at beside the ledger."""

    world: World
    sights: Sights
    exchanges: dict[str, Exchange]  # by the interaction's id
    in_flight: set[str]  # interactions that were under way at a kill, or while the gateway was down
    # tables and offers whose card somebody deleted
    removed: set[tuple[str, int]] = field(default_factory=set)
    secrets: dict[str, set[str]] = field(default_factory=dict)  # word -> the users who may read it
    # words of offers whose interaction came twice
    delivered_twice: set[str] = field(default_factory=set)
    judges: set[str] = field(default_factory=set)  # users who know every hand
    follow_ups: list[FollowUp] = field(default_factory=list)
    shut: set[str] = field(default_factory=set)  # users whose DMs were closed for a while
    wants: Wants = field(default_factory=Wants)
    owed: int = 0  # messages that the bots say they owe


def look(tables: Iterable[Table], evidence: Evidence) -> Findings:
    """Compares everything."""
    found = Findings()
    for table in tables:
        for done in table.done:
            _results(table, done, evidence, found)
        for offer in table.offers.values():
            if offer.live and table.open:
                _offered(table, offer, evidence, found)
        _carried_out_twice(table, evidence, found)
        _opened_twice(table, evidence, found)
        _standing(table, evidence, found)
        _calamities(table, evidence, found)
    found.orphaned |= {
        f"message {each} was changed and lost its marker" for each in evidence.sights.unrecognised
    }
    for each in evidence.follow_ups:
        _followed_up(each, evidence, found)
    _frozen(evidence, found)
    for word, users in evidence.sights.secrets.items():
        for user in users - evidence.secrets.get(word, set()):
            found.leaked.add(f"user {user} read {word}")
    return found


# ---------------------------------------------------------------- results


def _results(table: Table, done: Done, evidence: Evidence, found: Findings) -> None:
    for user in done.people:
        what = f"{table.name}: transaction {done.number} for user {user}"
        told = evidence.sights.told
        tellings = set(chain.from_iterable(told[name, done.number, user] for name in _names(table)))
        acted = user == done.actor
        if any(each.personal or acted for each in tellings):
            found.told += 1
        elif acted and _unanswered(done, evidence):
            found.excused += 1
        else:
            found.lost.add(what)
        results = {
            each
            for each in tellings
            if each.result and each.personal and _counts(each.message, done, evidence)
        }
        if _twice(results, evidence):
            found.doubled.add(what)


def _twice(results: set[Telling], evidence: Evidence) -> bool:
    """Whether these are more than one result. A reply, and the person's own card that came to say
    so, are one.
    """
    messages = {each.message for each in results}
    replies = {mid for mid in messages if screen.is_ephemeral(evidence.world.messages[mid])}
    sent = {each.message for each in results if not each.edited}
    return (
        len(messages - replies) > 1
        or len(replies) > 1
        or bool(replies and (messages - replies) & sent)
    )


def _unanswered(done: Done, evidence: Evidence) -> bool:
    """Whether the one who caused it got no answer: that is counted there."""
    exchange = evidence.exchanges.get(done.interaction or "")
    return exchange is None or exchange.answered_at is None or exchange.id in evidence.in_flight


def _counts(message: str, done: Done, evidence: Evidence) -> bool:
    """Replies count as telling somebody twice only if they answer what caused it: whoever asks
    again is told again.

    A message that was replaced does not count: it is deleted. Nor does the DM to somebody whose
    interaction Discord took no answer to.
    """
    shown = evidence.world.messages.get(message)
    if shown is None:
        return False
    unread = evidence.exchanges.get(str(shown.get("nonce", "")).removeprefix(IN_PLACE_OF_ANSWER))
    if unread is not None and unread.id == done.interaction and unread.answered_at is None:
        return False
    answers = str(shown.get("interaction_metadata", {}).get("id", ""))
    return not screen.is_ephemeral(shown) or answers == done.interaction


def _followed_up(each: FollowUp, evidence: Evidence, found: Findings) -> None:
    told = (each.table, each.seq, each.user) in evidence.sights.tells
    read = evidence.sights.read[each.user]
    if told or any(each.text in text for text in read):
        found.told += 1
    elif each.game not in BY_DM_ONLY or each.user not in evidence.shut:
        found.lost.add(
            f"table {each.table}: entry {each.seq} for user {each.user}: {each.text[:60]}"
        )


def _carried_out_twice(table: Table, evidence: Evidence, found: Findings) -> None:
    """Whether a command whose interaction came twice is in the ledger twice. **Again** takes a
    person longer.
    """
    for word in evidence.delivered_twice:
        times = sorted((by, at) for by, at, text in table.posted if word in text)
        for (by, at), (other, later) in pairwise(times):
            if by == other and later - at < A_PRESS:
                found.doubled.add(f"{table.name}: what has {word} was posted twice")


def _opened_twice(table: Table, evidence: Evidence, found: Findings) -> None:
    """Whether some negotiation has two threads. Those of the same two people have the same name."""
    world = evidence.world
    threads = sum(world.parent(each) == table.channel for each in world.threads())
    if threads > table.negotiations:
        found.doubled.add(f"{table.name}: {threads} threads for {table.negotiations} negotiations")


# ---------------------------------------------------------------- offers


def _offered(table: Table, offer: Offer, evidence: Evidence, found: Findings) -> None:
    what = f"{table.name}: offer {offer.number}"
    if offer.to is not None:
        told = any(
            (name, offer.number, offer.to) in evidence.sights.offered for name in _names(table)
        )
        found.told += told
        if not told:
            found.add("lost", f"{what} for user {offer.to}", offer)
    if (
        offer.negotiation is None
        and not offer.private
        and _reachable(evidence.world, table.channel)
    ):
        messages = _in(evidence.world, table.channel)
        cards = [message for message in messages if _shows(message, offer)]
        found.told += bool(cards)
        if not cards and (table.name, offer.number) not in evidence.removed:
            found.add(
                "lost", f"{what}, revision {offer.revision}, has no card in its channel", offer
            )


def _shows(message: Json, offer: Offer) -> bool:
    """Return whether a message is the offer's card, at its revision: that is named if it is another
    than the first. Whoever can't be reached by DM has the one card of it, with their name.
    """
    text, later = screen.text_of(message), offer.live and offer.revision > 1
    marked = f" · revision {offer.revision}" in text if later else " · revision " not in text
    called = [each["id"] for each in message["mentions"]]
    if called == [offer.to]:
        return marked and re.search(rf"\bOffer {offer.number}\b", text) is not None
    return f"Offer {offer.number} ·" in text and marked and not called


Twins = tuple[str, int, bool, tuple[str, ...]]
"""What only one card may stand for: a channel, an offer, whether it asks, and who is pinged."""


def _standing(table: Table, evidence: Evidence, found: Findings) -> None:
    """Looks through all messages with buttons that still stand."""
    live: defaultdict[Twins, list[Json]] = defaultdict(list)
    boards: list[Json] = []
    for message in evidence.world.messages.values():
        ids = [parts for parts in custom_ids(message) if parts[1:2] == [str(table.id)]]
        if (
            not ids
            or screen.is_ephemeral(message)
            or not _reachable(evidence.world, message["channel_id"])
        ):
            continue
        if any((parts[0], parts[-1]) == BOARD for parts in ids):
            boards.append(message)
        for number, stale in _bound(table, ids):
            readers = tuple(sorted(each["id"] for each in message["mentions"]))
            # To be asked for a word beside the card, or to be told of an offer that fits, is no
            # twin.
            asked = QUESTIONS.intersection(screen.labels(message))
            asks = bool(asked) or any(parts[-1] == HARMLESS for parts in ids)
            if not stale:
                live[message["channel_id"], number, asks, readers].append(message)
            else:
                what = (
                    f"{table.name}: message {message['id']} has buttons of offer {number} that is "
                    "over"
                )
                found.add("orphaned", what, table.offers.get(number))
    newest = max((int(board["id"]) for board in boards), default=0)
    for board in boards:
        if int(board["id"]) != newest or not table.open:
            found.orphaned.add(f"{table.name}: board {board['id']} was replaced and has buttons")
    for (channel, number, _, _), cards in live.items():
        if len(cards) > 1:
            what = f"{table.name}: offer {number} has {len(cards)} {TWINS} in channel {channel}"
            found.add("doubled", what, table.offers.get(number))
            found.twins[what] = [origin(card) for card in cards]


def origin(message: Json) -> str:
    """Return how a message came to be and what it shows, in one line of the trace."""
    answers = message.get("interaction_metadata", {}).get("id")
    how = f"answers {answers}" if answers else f"was sent with nonce {message.get('nonce')}"
    where = f"message {message['id']} in channel {message['channel_id']}"
    return f"{where} {how}: {screen.text_of(message)[:80]!r} {screen.labels(message)}"


def _bound(table: Table, ids: list[list[str]]) -> Iterator[tuple[int, bool]]:
    """The offers that these buttons are about, and whether they can't be pressed with success any
    more.
    """
    revisions: dict[int, set[int]] = {}
    for parts in ids:
        if (named := revision_of(parts)) and parts[-1] != HARMLESS:
            number, revision = named
            offer = table.offers.get(number)
            if parts[-1] not in LOOKS or offer is None or offer.live:
                revisions.setdefault(number, set()).add(revision)
        match parts:
            case ["do", _, "offer.end", ended, *_] if (
                offer := table.offers.get(int(ended))
            ) is None or not offer.live:
                revisions.setdefault(int(ended), set())
    for number, drawn in revisions.items():
        offer = table.offers.get(number)
        yield number, offer is None or not offer.live or not table.open or drawn != {offer.revision}


# ---------------------------------------------------------------- as it should be

EMOJI = re.compile(r"<:(\w+):\d+>")
ICONS = chain.from_iterable(game.goods.icons for game in games().values())
SYMBOLS = {icon.name: icon.symbol for icon in ICONS}
"""What stands for the application's emoji until they are uploaded, which takes a minute after the
first start.
"""

LINK = re.compile(r"\[([^]]*)\]\(https://discord\.com/[^)]*\)")


def _frozen(evidence: Evidence, found: Findings) -> None:
    """Compares what stands with what is wanted, and both with what the bots say that they owe."""
    drawn = set(chain.from_iterable(each.answers for each in evidence.exchanges.values()))
    for each in evidence.wants.messages:
        message = _found(each, evidence.world)
        # it may be in a thread
        places = {each.channel, message["channel_id"]} if message else {each.channel}
        if not all(_reachable(evidence.world, place) for place in places):
            continue
        as_wanted = _as_wanted(each, evidence.world, drawn)
        if message is not None and not (as_wanted and each.resting):
            found.queued[message["channel_id"]] += AGAIN_IN if each.settled else EDITED_IN
        if as_wanted:
            found.told += 1
        else:
            found.frozen.add(
                f"{each.table}: {each.what} is not as it should be: {_state(each, evidence.world)}"
            )
    if evidence.owed > evidence.wants.unsettled or (found.frozen and not evidence.owed):
        found.frozen.add(
            f"the bots say that they owe {evidence.owed}, and {evidence.wants.unsettled} records "
            "say so"
        )


def _as_wanted(each: Wanted, world: World, drawn: set[str]) -> bool:
    """Whether a message is as its table wants it. ``drawn``: messages that interactions' answers
    showed or changed.
    """
    message = _found(each, world)
    if each.card is None:
        return bool(each.message) and (message is None or not screen.labels(message))
    if message is None or (each.message in drawn and world.is_dm(message["channel_id"])):
        # somebody deleted it; or it shows its reader the answer to what they pressed
        return each.settled
    return _says(message) == _says(each.card)


def _found(each: Wanted, world: World) -> Json | None:
    """The message by its id, or by its marker: its record may learn the id only when it has been
    edited once more.
    """
    if each.message or each.card is None:
        return world.messages.get(each.message)
    marker = each.card["components"][0].get("id")
    for message in world.messages.values():
        if message["components"] and message["components"][0]["id"] == marker:
            return message
    return None


def _says(message: Json) -> tuple[str, list[str]]:
    """What a message says, without its links and with symbols for icons, and what can be
    pressed.
    """

    def symbol(emoji: re.Match[str]) -> str:
        return SYMBOLS.get(emoji[1], emoji[0])

    text = EMOJI.sub(symbol, screen.text_of(message))
    return LINK.sub(r"\1", text), raw_ids(message)


def _state(each: Wanted, world: World) -> str:
    """What there is, and where it begins to differ from what is wanted."""
    message = _found(each, world)
    if message is None or each.card is None:
        return origin(message) if message else f"message {each.message or 'none'} is not there"
    shown, wanted = str(_says(message)), str(_says(each.card))
    same = 0
    while shown[same : same + 1] == wanted[same : same + 1] != "":
        same += 1
    has, should = shown[same:][:60], wanted[same:][:60]
    return f"{origin(message)}, which has {has!r} and should have {should!r}"


# ---------------------------------------------------------------- secrets


def _calamities(table: Table, evidence: Evidence, found: Findings) -> None:
    for (name, word), users in evidence.sights.calamities.items():
        if name in _names(table):
            knowers = table.knowers(word.lower().replace(" ", "_")) | evidence.judges
            found.leaked |= {f"{table.name}: user {user} read {word}" for user in users - knowers}


# ---------------------------------------------------------------- interactions


def answers(exchanges: Iterable[Exchange], in_flight: set[str]) -> tuple[set[str], set[str]]:
    """The interactions that were never answered, and those that were answered too late."""
    unanswered, late = set(), set()
    for exchange in exchanges:
        if exchange.answered_at is not None or exchange.id in in_flight:
            continue
        what = f"{exchange.id}: {exchange.user.name} {exchange.body['data']}"
        (late if exchange.too_late else unanswered).add(what)
    return unanswered, late


# ---------------------------------------------------------------- places


def _names(table: Table) -> tuple[str, str]:
    return table.name, f"#{table.id}"


def _in(world: World, channel: str) -> list[Json]:
    return [
        m
        for m in world.messages.values()
        if m["channel_id"] == channel and not screen.is_ephemeral(m)
    ]


def _reachable(world: World, channel: str) -> bool:
    """Whether the bot could send and edit there."""
    try:
        world.editable(channel)
    except Refusal:
        return False
    return True


__all__ = ("CALAMITIES", "SECRET", "Evidence", "Findings", "answers", "look", "origin")
