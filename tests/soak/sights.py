"""What people could see: every message as it was sent or changed, and who could read it then."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from dataclasses import dataclass

from bot.delivery.life import MARKERS_FROM
from tests.loopback import screen
from tests.loopback.screen import Json
from tests.loopback.world import World

SECRET = re.compile(r"\bzq[a-z]{8}\b")
"""Words that people put into private terms, each of them once."""

TABLE = re.compile(r"\bTbl\d+\b")
TRANSACTION = re.compile(r"[Tt]ransaction (\d+)\b(\n(?:✅|🤝))?")
"""A transaction's number. On a result for one of its two, what it was to them follows."""
OFFER = re.compile(r"Offer #?(\d+)\b")
CALAMITIES = re.compile(
    r"\b(Treachery|Famine|Epidemic|Superstition|Civil War|Slave Revolt|Civil Disorder)\b"
)

STAMP_OR_NUMBER = re.compile(r"%(?:[A-Za-z][\w-]*|\d)$", re.ASCII)
"""What a custom_id may end with that is no part of its action: see `bot.show.custom_ids`. A percent
sign in a part has two characters after it, of which the first is a digit.
"""


@dataclass(frozen=True)
class Telling:
    """A message that told somebody of a transaction. `personal`: it was for them, by DM, ping or
    reply.
    """

    message: str
    personal: bool
    result: bool  # in the words of a result for one of the two
    interaction: str  # which it answers; empty for a message of the bot's own accord
    # the message was there before, and came to say so; or it took the place of one that could not
    edited: bool


Subject = tuple[str, int, str]
"""A table, the number of an offer or a transaction, and a user."""


class Sights:
    """Listens to a world. Tables are named by the name that their cards bear, or as "#3" by
    number.
    """

    def __init__(self, world: World) -> None:
        # table, transaction, user
        self.told: defaultdict[Subject, set[Telling]] = defaultdict(set)
        # table, offer, user: by DM, ping or reply
        self.offered: set[Subject] = set()
        self.secrets: defaultdict[str, set[str]] = defaultdict(set)  # word -> users
        # table, word -> users
        self.calamities: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        # user -> every text that was for them
        self.read: defaultdict[str, set[str]] = defaultdict(set)
        # table, entry, user: a ping with a button that tells it
        self.tells: set[tuple[int, int, str]] = set()
        self.channels: dict[str, str] = {}  # channel -> name of its table
        self.versions: list[Json] = []  # the latest, as they were
        # on time.monotonic(), since the trace was written
        self.changes: list[tuple[float, Json]] = []
        # messages that were changed so that the bot can't find them again
        self.unrecognised: set[str] = set()
        self._marked: set[str] = set()  # messages with a number that the bot finds them by
        self._known: set[str] = set()  # messages that were seen before
        self._world = world
        world.watch = self.see

    def see(self, message: Json) -> None:
        self.versions = [*self.versions[-200:], message]
        self.changes.append((time.monotonic(), message))
        tables = self._tables(message)
        for user in self._world.people:
            if self._world.can_see(user, message):
                self._sees(user, message, tables)
        if any(item["id"] >= MARKERS_FROM for item in screen.walk(message["components"])):
            self._marked.add(message["id"])
        # what has no row is looked for no more
        elif message["id"] in self._marked and message["components"]:
            self.unrecognised.add(message["id"])
        self._known.add(message["id"])

    def _sees(self, user: str, message: Json, tables: set[str]) -> None:
        text, words = screen.text_of(message), _words(message)
        for word in SECRET.findall(words):
            self.secrets[word].add(user)
        personal = _personal(self._world, user, message)
        edited = message["id"] in self._known or screen.is_silent(message)
        answers = str(message.get("interaction_metadata", {}).get("id", ""))
        if personal:
            self.read[user].add(text)
            for parts in custom_ids(message):
                if parts[0] == "tell":
                    self.tells.add((int(parts[1]), int(parts[2]), user))
        for table in tables:
            for word in CALAMITIES.findall(words):
                self.calamities[table, word].add(user)
            for number, result in TRANSACTION.findall(text):
                telling = Telling(message["id"], personal, bool(result), answers, edited)
                self.told[table, int(number), user].add(telling)
            if personal:
                offers = {int(number) for number in OFFER.findall(text)}
                self.offered |= {(table, number, user) for number in offers | _offers(message)}

    def _tables(self, message: Json) -> set[str]:
        found = set(TABLE.findall(screen.text_of(message)))
        found |= {f"#{parts[1]}" for parts in custom_ids(message) if len(parts) > 1}
        channel = message["channel_id"]
        if not found and not self._world.is_dm(channel):
            parent = self._world.parent(channel)
            found |= {self.channels[parent]} if parent in self.channels else set()
        return found


def custom_ids(message: Json) -> list[list[str]]:
    """The custom_ids of what can be pressed or chosen, in parts."""
    return [parts_of(each) for each in raw_ids(message)]


def raw_ids(message: Json) -> list[str]:
    """The custom_ids of what can be pressed or chosen, as Discord has them."""
    items = [*screen.buttons(message), *screen.selects(message)]
    return [item["custom_id"] for item in items if item.get("custom_id")]


def parts_of(custom_id: str) -> list[str]:
    """Return the parts between the colons, without a stamp or a menu's number."""
    return STAMP_OR_NUMBER.sub("", custom_id).split(":")


def revision_of(parts: list[str]) -> tuple[int, int] | None:
    """Return the number and the revision of the offer that a button names; None if it names
    none.
    """
    match parts:
        case ["offer" | "hand-pick" | "hand-give", _, number, revision, *_]:
            return int(number), int(revision)
        case [
            "do",
            _,
            "offer.sign" | "offer.agree" | "offer.pick" | "offer.same",
            number,
            revision,
            *_,
        ]:
            return int(number), int(revision)
    return None


def _offers(message: Json) -> set[int]:
    return {named[0] for parts in custom_ids(message) if (named := revision_of(parts))}


def _personal(world: World, user: str, message: Json) -> bool:
    pinged = any(each["id"] == user for each in message["mentions"])
    return pinged or screen.is_ephemeral(message) or world.is_dm(message["channel_id"])


def _words(message: Json) -> str:
    """Everything that can be read in a message, labels and options too."""
    words = [screen.text_of(message), *screen.labels(message, enabled=False)]
    for select in screen.selects(message):
        words += [option["label"] for option in select["options"]]
    return "\n".join(words)
