"""Names: fill people's names into the rules' sentences. `bot.rules.model.text` describes the
markup.

People can call themselves anything. So an ambiguous name (`is_doubtful`) always has the seat beside
it, and is not accepted when people type goods.

>>> names.mention(view, "green"), names.seat_name(view, "green")
('<@102>', 'Green')
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import combinations, filterfalse
from operator import attrgetter
from typing import Literal

from confusable_homoglyphs import utils

from bot.rules.game import Game
from bot.rules.model.people import Names, Person
from bot.rules.model.text import MARKED, convert, one_line, visible
from bot.rules.registry import game_named
from bot.rules.views import DealView, EntryView, OfferView, TableView

Named = Names | TableView | EntryView | OfferView | DealView
"""Anything that carries names.

A table has today's names, an entry those of its time, an offer or deal those of its two sides.
"""

_MARKUP = re.compile(
    r"<=?(seat|player|person|name|They|they|them|Their|their|and|faction|beside|word):([^>]+)>"
)
Style = Literal["mentions", "names", "plain"]
"""How people are named: by mentions, or by their names, escaped for markdown or as they are."""

_MARKDOWN = re.compile(
    r"@(?=everyone|here)|[\\*_~`|<>\[\]#]|(?:^|(?<=^\d)|(?<=^\d\d))[-+.)](?= )"
    r"|(?<=:)/(?=/)|(?<=\.gg)/|(?<=\.com)/(?=invite)"
)
"""Discord's markdown: calls to all, these signs anywhere, list markers at the beginning of a line,
and links and invitations, of which Discord would show a preview under each message.
"""

OUR_WORDS = (
    "Bourse",
    "the host",
    "host",
    "moderator",
    "everybody",
    "everyone",
    "all",
    "here",
    "somebody",
    "somebody else",
    "nobody",
    "you",
    "no seat",
)
"""Our own words for people. No name may be confused with them."""

_LIKE_OUR_WORDS = re.compile(r"player\s*\d+|.*[()\[\],:;+#@/·→–].*", re.IGNORECASE | re.DOTALL)
"""Our name for people whose names were erased, and the punctuation that we put around names."""


def format_text(named: Named, text: str) -> str:
    """Return a sentence for Discord, with names as mentions and quoted text escaped."""
    return _filled(named, text, "mentions")


def name_text(named: Named, text: str) -> str:
    """Return a sentence for Discord, with plain names: only a person who has to act is
    mentioned.
    """
    return _filled(named, text, "names")


def plain_text(named: Named, text: str) -> str:
    """Return a sentence with plain names, for selects, forms and files, which draw neither mentions
    nor markdown.

    Everybody is named, the reader too: a file is for others, and a label says who does it.
    """
    return _filled(named, text, "plain")


def _filled(named: Named, text: str, style: Style) -> str:
    """Return a sentence with its markup replaced, written in this style."""
    if not MARKED.search(text):
        return text
    names, plain = names_of(named), style == "plain"

    def replacement(mark: re.Match[str]) -> str:
        return _replacement(names, mark[1], mark[2], style)

    def ours(part: str) -> str:
        addressed = part if plain else _addressed(names, part)
        return _MARKUP.sub(replacement, addressed)

    return convert(text, ours, (lambda typed: isolated(one_line(typed))) if plain else escape)


@lru_cache(maxsize=4096)
def escape(text: str) -> str:
    """Escape markdown in typed text, put it on one line, and remove invisible characters.
    `isolated` names stay so.
    """
    parts = re.split(f"([{FSI}{PDI}])", text)
    shown = "".join(part if part in (FSI, PDI) else visible(part) for part in parts)
    line = _MARKDOWN.sub(r"\\\g<0>", " ".join(shown.split()))
    return line if FSI in line else isolated(line)


FSI, PDI = "\u2068", "\u2069"
"""Around a text that is written in its own direction. Nobody can type these: they are removed from
what arrives.
"""


def isolated(text: str) -> str:
    """Return a typed text; one with letters written from right to left is isolated from the text
    around it.
    """
    turns = not text.isascii() and any(
        unicodedata.bidirectional(each) in ("R", "AL") for each in text
    )
    return f"{FSI}{text}{PDI}" if turns else text


def mention(named: Named, seat: str) -> str:
    """Return a mention of the person in a seat; their stored name if they have no user id, else the
    seat's name.
    """
    names = names_of(named)
    person = names.holder(seat)
    if person is None or not _known(person):
        return seat_name(names, seat)
    return f"{_mention(person)}{_mark(names, person, seat)}"


def mention_user(named: Named, user_id: int) -> str:
    """Return a mention of a Discord user; if the table knows them, as it mentions that person."""
    names = names_of(named)
    for person in names.people.values():
        if person.user_id == user_id:
            return _person(names, person)
    return f"<@{user_id}>"


def player(named: Named, seat: str) -> str:
    """Return a mention of the person in a seat, with the seat: ``@alice (Hacan)``; the seat alone
    if nobody sits there.
    """
    person, short = names_of(named).holder(seat), seat_name(named, seat)
    return f"{_mention(person)} ({short})" if person and _known(person) else short


def name(named: Named, seat: str) -> str:
    """Return the plain name of the person in a seat; if ambiguous, marked with the seat."""
    names = names_of(named)
    person = names.holder(seat)
    if person is None or not person.name:
        return seat_name(names, seat)
    return f"{isolated(person.name)}{_mark(names, person, seat)}"


def bare_name(named: Named, seat: str) -> str:
    """Return the plain name of the person in a seat, for places that show the seat anyway."""
    person = names_of(named).holder(seat)
    return isolated(person.name if person else "") or seat_name(named, seat)


def phone_line(view: TableView, text: str) -> str:
    """Return what a locked phone shows of a message: this text, and the table. See ``line`` of a
    card.
    """
    return f"{text} · {escape(view.name)}"


def escaped(named: Named, seat: str) -> str:
    """Return `name`, escaped for a message."""
    return escape(name(named, seat))


def who_plays(named: Named, seat: str) -> str:
    """Return `plain_player`, escaped for a message."""
    return escape(plain_player(named, seat))


def plain_player(named: Named, seat: str) -> str:
    """Return the plain name of the person in a seat, with the seat: ``alice (Hacan)``; the seat
    alone if nobody sits there.
    """
    person, short = names_of(named).holder(seat), seat_name(named, seat)
    return f"{isolated(person.name)} ({short})" if person and person.name else short


def is_doubtful(names: Names, person: Person) -> bool:
    """Return whether a person's name could be mistaken for another person's, a seat's, or one of
    our words.
    """
    everybody = tuple(map(attrgetter("name"), names.people.values()))
    return person.name in _looking_alike(everybody) or _reads_as_ours(names, person)


def seat_name(named: Named, seat: str) -> str:
    """Return a seat's short name: ``Hacan``."""
    option = game_of(named).seats.find(seat)
    return option.short if option else seat


def game_of(named: Named) -> Game:
    """Return the table's game. Raises `Refused` when it is not installed."""
    names = names_of(named)
    return game_named(names.game, names.variant)


def names_of(named: Named) -> Names:
    """Return the names of a view."""
    return named if isinstance(named, Names) else named.names


def aliases(named: Named) -> dict[str, str]:
    """Return the seat for each way to write it, in lower case: its id and names, its person's name
    and mention.

    Ambiguous names are left out.
    """
    names, find = names_of(named), game_of(named).seats.find
    found: dict[str, str] = {}
    for seat in names.holders:
        option, person = find(seat), names.holder(seat)
        found[seat.casefold()] = seat
        if option is not None:
            found[option.name.casefold()] = found[option.short.casefold()] = seat
        if person is not None and person.user_id is not None:
            found[f"<@{person.user_id}>"] = seat
        if person is not None and not is_doubtful(names, person):
            found[person.name.casefold().replace("’", "'")] = seat
    return found


def _known(person: Person) -> bool:
    return bool(person.user_id or person.name)


def _mention(person: Person) -> str:
    return f"<@{person.user_id}>" if person.user_id else escape(person.name)


def _mark(names: Names, person: Person, seat: str | None) -> str:
    """Return the suffix of an ambiguous name: the person's seat, else their number; empty for other
    names.
    """
    if not is_doubtful(names, person):
        return ""
    return (
        f" ({seat_name(names, seat)})"
        if seat is not None
        else f" (no seat, person {person.number})"
    )


@lru_cache(maxsize=4096)
def _looking_alike(everybody: tuple[str, ...]) -> frozenset[str]:
    """Return those of these people's names that look alike."""
    alike: set[str] = set()
    for called, other in combinations(everybody, 2):
        if called and other and confusable(called, other):
            alike |= {called, other}
    return frozenset(alike)


def _reads_as_ours(names: Names, person: Person) -> bool:
    """Return whether a chosen name could be mistaken for our own words."""
    return person.user_id is not None and _is_reserved(names.game, names.variant, person.name)


@lru_cache(maxsize=4096)
def _is_reserved(game: str, variant: str, called: str) -> bool:
    """Return whether a name looks like a seat of the game or one of our words, or contains our
    punctuation.
    """
    seats = game_named(game, variant).seats
    # empty if the game is not installed: any word could be a seat's name there
    options = seats.every()
    if options and seats.find(called) is not None:
        return True
    words = list(OUR_WORDS)
    for seat in options:
        words += [seat.id, seat.name, seat.short]
    reserved = any(confusable(called, word) for word in words)
    return reserved or bool(_LIKE_OUR_WORDS.fullmatch(called))


def _replacement(names: Names, mark: str, which: str, style: Style) -> str:
    """Return what a markup tag stands for in this style; for an unknown seat or word, the text
    after the colon.
    """
    seated, mentions = which in names.holders, style == "mentions"
    written = (lambda text: text) if style == "plain" else escape
    match mark:
        case "seat" if seated:
            return mention(names, which) if mentions else written(name(names, which))
        case "player" if seated:
            return player(names, which) if mentions else written(plain_player(names, which))
        case "name" if seated:
            return written(name(names, which))
        case "person" | "name" if which.isdigit():
            person = names.people.get(int(which))
            if (mentions and mark == "person") or person is None or not _known(person):
                return _person(names, person)
            called = isolated(person.name) or f"Player {person.number}"
            return written(f"{called}{_mark(names, person, names.seat_of(person.number))}")
        case "beside":  # a name among goods; none if it is ambiguous
            person = names.holder(which) if seated else None
            called = isolated(person.name) if person and not _reads_as_ours(names, person) else ""
            return f" ({written(called)})" if called else ""
        case "word" if which in names.words:
            word = names.words[which]
            return isolated(one_line(word)) if style == "plain" else escape(word)
        case "faction":
            option = game_of(names).seats.find(which)
            return option.name if option else which
        case _:
            return mark if mark.lower() in _WORDS else which


def _person(names: Names, person: Person | None) -> str:
    if person is None or not _known(person):
        return "somebody"
    return f"{_mention(person)}{_mark(names, person, names.seat_of(person.number))}"


# ---------------------------------------------------------------- you

_WORDS = {"they": "you", "them": "you", "their": "your", "and": "and"}
"""The words that depend on a person, each with its form for the reader."""

_ADDRESSABLE = re.compile(
    r"(?<!:)<(?P<mark>seat|player|person|name|They|they|them|Their|their|and):(?P<which>[^>]+)>(?P<whose>'s)?"
    r"(?P<between> (?:(?:already|also|never|no longer|now|only|still) )?)?(?P<verb>(?<= "
    r")[a-z]+(?:n't)?)?"
)
"""A name, or a word that depends on a person, and the word after it. After a colon it is typed in a
command.
"""

_SUBJECT = re.compile(r"(?:^|[^\w\s'’]|\b(?:and|as|if|so|that|what|when|who))$")
"""Matches the text before a name that is the subject of the next word."""

_VERBS = {
    "has": "have",
    "is": "are",
    "was": "were",
    "does": "do",
    "hasn't": "haven't",
    "isn't": "aren't",
    "wasn't": "weren't",
    "doesn't": "don't",
}


def _addressed(names: Names, text: str) -> str:
    """Return a sentence in which its only reader, if there is one, is called *you*."""
    if not names.reader:
        return text

    def addressed(match: re.Match[str]) -> str:
        mark, which, verb = match["mark"], match["which"], match["verb"] or ""
        person = which if which.isdigit() else str(names.holders.get(which))
        if person != str(names.reader):
            return match[0]
        before = text[: match.start()].rstrip(" *_“(")
        word = _WORDS.get(mark.lower(), "your" if match["whose"] else "you")
        if mark[0].isupper() or _begins_sentence(before):
            word = word.capitalize()
        is_name = mark.lower() not in _WORDS and not match["whose"]
        if mark == "and" or (is_name and _SUBJECT.search(before)):
            verb = _VERBS.get(verb) or _plural_verb(verb)
        return f"{word}{match['between'] or ''}{verb}"

    return _ADDRESSABLE.sub(addressed, text)


def _begins_sentence(before: str) -> bool:
    return not before or not (before[-1].isalnum() or before[-1] in ",;:>'’”)-–")


def _plural_verb(verb: str) -> str:
    """Return a verb as it follows *you*: ``gives`` becomes ``give``."""
    verb = re.sub(r"ies$", "y", verb)
    return re.sub(r"(?<=ss|sh|ch)es$|(?<=[^su])s$", "", verb)


# ---------------------------------------------------------------- look-alikes


def confusable(first: str, second: str) -> bool:
    """Return whether a reader could mistake one of these names for the other."""
    return not skeletons(first).isdisjoint(skeletons(second))


@lru_cache(maxsize=4096)
def skeletons(name: str) -> frozenset[str]:
    """Return what a name looks like, in several spellings. Names that share a spelling look alike.

    The spellings come from the name as written, since a capital I looks like an l, and from its
    lower and upper case. They have letters and digits only; those of a name without any, such as
    one of emojis, everything but spaces.
    """
    found = set[str]()
    for text in (name, name.casefold(), name.upper()):
        # not everything draws an emoji as one that has a joiner
        seen = visible(text).replace("\u200d", "")
        prototypes = unicodedata.normalize("NFD", seen).translate(_prototypes())
        # Characters in another shape, such as in a circle, become the plain character, which may
        # look like yet another.
        letters = filterfalse(unicodedata.combining, unicodedata.normalize("NFKD", prototypes))
        alike = "".join(letters).translate(_prototypes()).casefold()
        spelling = "".join(filter(str.isalnum, alike))
        found.add(spelling or "".join(alike.split()))
    return frozenset(found)


@cache
def _prototypes() -> Mapping[int, str]:
    """Return the prototype of each character that looks like another. It may be longer: ``rn`` for
    ``m``.

    The list gives a prototype with all its look-alikes, and each look-alike with its prototype
    only.
    """
    alike: dict[str, list[str]] = {}
    for text, listed in utils.load("confusables.json").items():
        alike[text] = [other["c"].strip("\u200e") for other in listed]
    prototypes = {}
    for letter, (other, *more) in alike.items():
        if len(letter) == 1 and not more:
            is_prototype = len(alike.get(other, ())) > 1
            # Of two that look like each other only, the longer one, or else the first.
            either = min(letter, other, key=lambda text: (-len(text), text))
            prototypes[ord(letter)] = other if is_prototype else either
    return prototypes
