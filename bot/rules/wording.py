"""Words: what people type about goods, label by label, and the parts that the labels make.

A text is taken apart from left to right, the longest run of words first. Each run has a label, a
letter that says what it is; a part of the text is a pattern of such letters:

| letter | what it is |
|---|---|
| ``n`` | a name; ``k`` words behind it that add nothing, ``b`` a bracket behind it |
| ``#`` ``a`` ``s`` | a number; an article, which is a weak 1; a share: all, half or the rest |
| ``o`` ``f`` | an owner; one that stands behind a name: ``of bob`` |
| ``l`` ``L`` | owed: before a name, or behind it |
| ``x`` ``:`` | between a name and a number |
| ``,`` ``>`` ``0`` | between two parts; between the two sides of a trade; “nothing” |
| ``~`` ``?`` | leaves the number open; is not understood |
| a space | says nothing: courtesies, decoration |
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import zip_longest
from typing import Any, Literal, NamedTuple

from rapidfuzz.distance import OSA

from bot.rules.model.goods import COUNT_MAX
from bot.rules.model.text import excerpt
from bot.rules.model.values import frozen
from bot.rules.model.violation import Refused
from data import words

WORDS_MAX = 8
"""The most words of a name."""

LONG = 6
"""The letters of a word in which a typing slip is read without asking."""

SHORT = 4
"""The letters of a word that others are compared with, and of one that may begin a name."""

_ATOM = re.compile(
    r"<@!?\d+>|[:;]-?[)(dp](?!\w)|\([^()]*\)|(?<![\w)])-?\d+(?:\.\d+)*(?:e\d+)?"
    r"|\d+(?:\.\d+)*(?:e\d+)?|(?<=\d)[xX×*](?=\s|[^\W\d_]{2})|[wW]/|'[sS]?(?!\w)"
    r"|[^\W\d_](?:[^\W\d_]|'(?=\w\w))*|<?[-=]{1,2}>|\n|\S"
)
"""A person's mention, a bracket, a number, a word, or a sign."""

_SEPARATORS = frozenset("+&,;/|·•.\n")
_ENDS_NAME = frozenset({",", ";", "+", "&", "\n", "·", "|", "and"})
_DASHES = ("-", "–", "—")
_MEANT = frozenset("%~=-–—<…/")
"""Signs that say something; all others but currencies are only decoration."""


class Atom(NamedTuple):
    """A word or sign of a text, in lower case, and its place."""

    word: str
    start: int
    end: int


def atoms(text: str, offset: int = 0) -> list[Atom]:
    """Return the words and signs of a text that begins at this place."""
    plain = re.sub(r"(?<=[^\W\d_])-(?=[^\W\d_])", " ", text.replace("’", "'"))
    found = []
    for match in _ATOM.finditer(plain):
        start, end = match.span()
        if match[0] != "@":
            found.append(Atom(match[0].casefold(), start + offset, end + offset))
    return found


@cache
def spelled(text: str) -> str:
    """Return a name as the reader compares it: its words and signs with single spaces."""
    return " ".join(atom.word for atom in atoms(text))


AROUND = {spelled(word): role for word, role in words("", "around").items()}
"""What each word around goods is: a number, a separator, an owner, a filler."""

_LETTERS = {
    "and": ",",
    "filler": " ",
    "later": "l",
    "nothing": "0",
    "all": "s",
    "half": "s",
    "rest": "s",
    "vague": "~",
    "mine": "o",
    "yours": "o",
    "1": "a",
}
"""The letter of each role; of all others it is a number."""

_FOR = {word for word, role in words("", "sentence").items() if role == "for"}


Find = Callable[[str], str | None]
"""What words stand for; None for nothing."""

Whose = Find
"""The seat that words mean; empty for nobody who is clear, None for no name."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Lexicon:
    """What words mean at a table. ``find`` returns what a whole name means, None for no name.

    ``begun`` are the names whose beginning may stand for them, in alphabetical order with their
    meanings, ``vocabulary`` the words with which a slip is compared. ``after`` are words that add
    nothing behind a name, ``nearly`` what to write for words that are not understood, ``joined``
    names without their spaces. ``free`` are the meanings that a name of any words follows,
    ``owned`` the kinds that have an owner, ``parted`` the first words of names that an owner may
    stand behind, ``barred`` words for what can't be traded, ``last`` the meanings that no other
    name follows without a separator. ``fits``: whether a meaning goes with a number and an owner.
    ``whole``: a word without an s may be several, such as “salt”.

    >>> silk = Lexicon.of("", {"silk": "silk"}, lambda meaning: True)
    >>> [part.meaning for part in silk.read("2 silk, pls", {}.get).parts]
    ['silk']
    """

    find: Find
    begun: Sequence[tuple[str, str]] = ()
    vocabulary: Collection[str] = ()
    after: Collection[str] = ()
    nearly: Mapping[str, str] = field(default_factory=dict)
    joined: Mapping[str, str] = field(default_factory=dict)
    free: Collection[str] = ()
    owned: Collection[str] = ()
    parted: Collection[str] = ()
    barred: Collection[str] = ()
    last: Collection[str] = ()
    fits: Callable[[str, str | None, str | None], bool] = lambda meaning, number, owner: True
    whole: bool = False

    @classmethod
    def of(
        cls, game: str, names: Mapping[str, str], here: Callable[[str], bool], **more: Any
    ) -> Lexicon:
        """Return the words of a game's ``words.toml`` with more ``names``. ``here``: whether a
        meaning can be at the table, so that the beginning of a name could mean it.
        """
        own = words(game, "names") if game else {}
        both = {**own, **names}
        known = {spelled(word): meaning for word, meaning in both.items()}
        spoken = set(" ".join(known).split())
        return cls(
            find=lambda word: (
                known.get(word) or known.get(word.removesuffix("s").removesuffix(" "))
            ),
            begun=[(name, known[name]) for name in sorted(known) if here(known[name])],
            vocabulary=[word for word in spoken if len(word) >= SHORT],
            after=words(game, "after") if game else (),
            nearly={spelled(word): meant for word, meant in words(game, "nearly").items()}
            if game
            else {},
            joined={name.replace(" ", ""): name for name in known if " " in name},
            **more,
        )

    def beginning(self, word: str) -> str | None:
        """Return the meanings of the names that begin so, with four letters or more; None for
        none.
        """
        if len(word) < SHORT:
            return None
        meanings = set[str]()
        for name, meaning in self.begun[bisect_left(self.begun, (word, "")) :]:
            if not name.startswith(word):
                break
            meanings.add(meaning)
        return OR.join(sorted(meanings)) or None

    def near(self, word: str) -> dict[str, int]:
        """Return the words that this one could be meant for, with the letters that differ: of a
        short word one, of a long one two.
        """
        most = 1 if len(word) < LONG else 2
        found: dict[str, int] = {}
        for other in self.vocabulary if len(word) >= SHORT - 1 else ():
            single = OSA.distance(word.removesuffix("s"), other)
            distance = min(single, OSA.distance(word, other))
            if distance <= most:
                found[other] = distance
        return found

    def nearest(self, word: str) -> str | None:
        """Return the word that was probably meant; None if two are as near, or none is."""
        near = self.near(word)
        nearest = [other for other in near if near[other] == min(near.values())]
        if len({other.removesuffix("s") for other in nearest}) != 1:
            return None
        return max(nearest) if word.endswith("s") else min(nearest)

    def slip(self, word: str) -> str | None:
        """Return the word meant by a long one with one slip, if nothing else is near."""
        if len(word) < LONG or word in self.vocabulary:
            return None
        near, meant = self.near(word), self.nearest(word)
        if meant is None or near[meant] > 1:
            return None
        others = [other for other in near if other[: LONG - 2] != meant[: LONG - 2]]
        return None if others else meant

    def read(self, text: str, whose: Whose) -> Reading:
        """Return a text in parts."""
        return parts_of(text, self, whose)


OR = " | "
"""Between the meanings that a beginning could have."""


# ---------------------------------------------------------------- words, one after the other


class Label(NamedTuple):
    """What some words of a text stand for, and their place."""

    value: str
    start: int
    end: int


class _Labels:
    """The labels of a text, and their ``letters``."""

    def __init__(self, text: str, lexicon: Lexicon, whose: Whose) -> None:
        self.text, self.lexicon, self.whose = text, lexicon, whose
        self.atoms, self.place = atoms(text), 0
        self.found = list[Label]()
        self.letters = ""
        while self.place < len(self.atoms):
            self._next()

    def _next(self) -> None:
        word = self.atoms[self.place].word
        if word in _SEPARATORS:
            numbered = word == "." and self.letters.endswith("#")  # an item of a list
            self._add(" " if numbered else ",")
            return
        name, names = self._longest(self.place, self.lexicon.find)
        role, roles = self._longest(self.place, AROUND.get)
        owner, owned = self._owner(self.place)
        barred = self._run(self.lexicon.barred)
        if barred > max(names, owned):
            self._add("?", length=barred)
        elif owner is not None and owned > max(names, roles):
            self._add(self._owning(word), owner, owned)
        elif self.letters.endswith("n") and (after := self._run(self.lexicon.after)):
            self._add("k", length=after)
        elif (kind := self._run(self.lexicon.after)) and self._heads(kind):
            self._add(" ", length=kind + (self._next_word(kind) == ":"))
        elif self._parted():
            return
        elif name and names >= roles:
            self._name(name, names)
        elif role:
            self._around(word, role, roles)
        elif owner is not None:
            self._add(self._owning(word), owner, owned)
        elif word[0].isalpha():
            self._word(word)
        else:
            self._sign(word)

    def _add(self, letter: str, value: str = "", length: int = 1) -> None:
        first, last = self.atoms[self.place], self.atoms[self.place + length - 1]
        self.found.append(Label(value, first.start, last.end))
        self.letters += letter
        self.place += length

    def _next_word(self, ahead: int = 1) -> str:
        place = self.place + ahead
        return self.atoms[place].word if place < len(self.atoms) else ""

    def _longest(self, place: int, find: Find) -> tuple[str | None, int]:
        """Return what the longest run of words from here stands for, and how many words it has."""
        spoken = [atom.word for atom in self.atoms[place : place + WORDS_MAX]]
        for length in range(len(spoken), 0, -1):
            if (found := find(" ".join(spoken[:length]))) is not None:
                return found, length
        return None, 0

    def _run(self, several: Collection[str]) -> int:
        """Return how many words from here are one of several, maybe in the plural."""

        def known(words: str) -> str | None:
            return words if words in several or words.removesuffix("s") in several else None

        return self._longest(self.place, known)[1] if several else 0

    # ---- owners and names

    def _owner(self, place: int) -> tuple[str | None, int]:
        """Return the seat of an owner who is named here, and by how many words: ``sol's``,
        ``bobs``, ``of bob``.
        """
        before = int(self.atoms[place].word in ("of", "from"))
        seat, length = self._longest(place + before, self._called)
        if seat is None:
            return None, 0
        length += before
        behind = self._next_word(place - self.place + length)
        return seat, length + (behind in ("'s", "'"))

    def _called(self, words: str) -> str | None:
        seat = self.whose(words)
        if seat is None and words.endswith("s") and len(words) > 1:
            seat = self.whose(words.removesuffix("s"))
        return seat

    def _owning(self, word: str) -> str:
        return "f" if word in ("of", "from") else "o"

    def _heads(self, length: int) -> bool:
        """Return whether so many words only say of what kind the next name is: ``pn: alliance``."""
        colon = self._next_word(length) == ":"
        following = self.place + length + colon
        named = self._longest(following, self.lexicon.find)[1]
        if colon and not named and following < len(self.atoms):
            named = self._owner(following)[1]
        return named > 0 and not self.letters.endswith("#")

    def _parted(self) -> bool:
        """Add a name with its owner inside: ``captured sol dread``. Return whether there is one."""
        first = self.atoms[self.place].word
        if first not in self.lexicon.parted or not self._next_word():
            return False
        owner, owned = self._owner(self.place + 1)
        rest = self.place + 1 + owned
        meaning, length = self._longest(rest, lambda words: self.lexicon.find(f"{first} {words}"))
        if not owner or meaning is None:
            return False
        self.place += 1
        self._add("o", owner, owned)
        self._add("n", meaning, length)
        return True

    def _name(self, meaning: str, length: int) -> None:
        """Add a name, with the words behind it that belong to it: ``planet Arretze``. A sign right
        behind a name is unclear: ``salt?``.
        """
        start = self.atoms[self.place].start
        glued = self.letters.endswith("n") and self.found[-1].end == start
        first = last = self.place + length
        if meaning in self.lexicon.free:
            while last < len(self.atoms) and self.atoms[last].word not in _ENDS_NAME:
                last += 1
            while last > first and AROUND.get(self.atoms[last - 1].word) == "filler":
                last -= 1
            called = ""
            if last > first:
                begins, ends = self.atoms[first].start, self.atoms[last - 1].end
                called = self.text[begins:ends].strip(" .!?*")
            meaning = f"{meaning}:{called}"
        unclear = meaning.endswith(":") or (glued and self.text[start - 1].isalnum())
        self._add("?" if unclear else "n", meaning, last - self.place)

    # ---- everything else

    def _around(self, word: str, role: str, length: int) -> None:
        """Add a word that stands around goods."""
        spoken = self.atoms[self.place : self.place + length]
        said = " ".join(atom.word for atom in spoken)
        letter = "L" if said == "later" else _LETTERS.get(role, "#")
        value = said if letter == " " else role
        if letter == "o":
            value = self.whose(said) or ""
        if word in _DASHES and self.letters.endswith("#") and self._next_word().isdecimal():
            letter = "~"  # from one number to another
        self._add(letter, value, length)

    def _sign(self, word: str) -> None:
        if word[-1].isdecimal() and not word.startswith("<"):
            self._add("#", word)
        elif word.startswith("(") and len(word) > 1:
            self._bracket()
        elif word in _FOR:
            self._add(">")
        elif word in ("×", "*"):
            counts = self.letters.endswith("#") or self._next_word().isdecimal()
            self._add("x" if counts else " ")
        elif word == ":":
            self._add(":")
        else:
            says = word in _MEANT or unicodedata.category(word[0]) == "Sc"
            alone = word in ("'s", "'") and not self.letters.endswith("n")
            self._add("?" if says or alone else " ")

    def _bracket(self) -> None:
        """Keep a bracket behind a name; take any other off."""
        bracket = self.atoms[self.place]
        start, end = bracket.start + 1, bracket.end - 1
        inside = atoms(self.text[start:end], start)
        if all(AROUND.get(atom.word) == "filler" for atom in inside):
            self._add(" ")
        elif "n" in self.letters.rpartition(",")[2]:
            self._add("b", self.text[start:end])
        else:
            self.atoms[self.place : self.place + 1] = inside

    def _word(self, word: str) -> None:
        """Add a word that is no whole name: the beginning of one, a slip, one with its number; or
        one that is not understood.
        """
        atom = self.atoms[self.place]
        if word in _FOR:
            self._add(">")
        elif word == "x":
            self._add("x")
        elif word.endswith("x") and self._next_word().isdecimal():
            name = atom._replace(word=word[:-1], end=atom.end - 1)
            times = atom._replace(word="x", start=atom.end - 1)
            self.atoms[self.place : self.place + 1] = [name, times]
        elif self._next_word() == "'s":
            self._add("o", length=2)
        elif not self._begun(word):
            right = self.lexicon.slip(word)
            if right is not None:
                self.atoms[self.place] = atom._replace(word=right)
                return
            behind_name = self.letters.endswith(("n ", "k "))
            of = behind_name and self.found[-1].value in ("of", "from")
            self._add("o" if of else "?")

    def _begun(self, word: str) -> bool:
        """Add the beginning of a name, if no other name stands behind it."""
        meanings, length = self._longest(self.place, self.lexicon.beginning)
        asked = length == 1 and word in self.lexicon.nearly
        if meanings is None or asked:
            return False
        if self._longest(self.place + length, self.lexicon.find)[1]:
            return False
        self._add("n", meanings, length)
        return True


# ---------------------------------------------------------------- parts


@frozen
class Part:
    """One part of a text: its number as typed (None: none), the name, and the whole part as
    written.

    ``meaning`` is what the game says the name means, ``owner`` the seat whose it is said to be
    (empty: nobody who is clear), ``later`` that it is promised. ``beside`` stands in brackets
    behind it. ``share`` is how many of all there are: ``all``, ``half`` or ``rest``. ``whole`` is
    the whole text, of a part that was not understood.

    >>> [part] = parse("two silk", knows=lambda name: name == "silk")
    >>> part == Part("2", "silk", "two silk", "silk"), part.count
    (True, 2)
    """

    number: str | None
    what: str
    written: str
    meaning: str = ""
    owner: str | None = None
    later: bool = False
    beside: str | None = None
    share: str = ""
    whole: str = ""

    @property
    def count(self) -> int:
        """The count, 1 if no number is written. Raises `Refused` for an invalid count."""
        return read_count(self.number, excerpt(self.written))


class Strange(NamedTuple):
    """Words that were not understood, their place, and all that stands between the separators
    around them. ``alone``: nothing else there was understood.

    >>> Strange(2, 5, "2 oil", alone=True).around
    '2 oil'
    """

    start: int
    end: int
    around: str
    alone: bool


class Reading(NamedTuple):
    """A text in parts, and what was not understood. ``broken``: it has both sides of a trade, or
    says no number.
    """

    parts: list[Part]
    strange: list[Strange]
    broken: Literal["", "for", "vague"] = ""


_UNKNOWN = "?~>"

_BEFORE = re.compile(r"(?:[osal#xfL]|(?<=[olL]):)*")
_BETWEEN = re.compile(r"(?:[kbfL]|[x:]#|x)*")
_BEHIND = re.compile(r"(?:[kbfLolx]|[x:]#|#(?=[lL]*$))*")
"""What stands before a name, behind one that another follows, and behind the last one."""


def parts_of(text: str, lexicon: Lexicon, whose: Whose) -> Reading:
    """Read a text."""
    found = _Labels(text, lexicon, whose)
    reading = Reading([], [])
    place = 0
    for letters in found.letters.split(","):
        labels = found.found[place : place + len(letters)]
        place += len(letters) + 1
        told: list[tuple[str, Label]] = []
        for letter, label in zip(letters, labels, strict=True):
            marks_item = not told and text[label.start : label.end] in _DASHES and len(labels) > 1
            if letter != " " and not marks_item:
                told.append((letter, label))
        if told:
            _Segment(text, told, lexicon).read_into(reading)
    said = text.strip(" ,;+&.\n")
    if said and not (reading.parts or reading.strange or "0" in found.letters):
        reading.strange.append(Strange(0, len(text), said, alone=True))
    if ">" in found.letters:
        return reading._replace(broken="for")
    return reading._replace(broken="vague") if "~" in found.letters else reading


class _Segment:
    """What stands between two separators: mostly one part, or several in a row."""

    def __init__(self, text: str, told: list[tuple[str, Label]], lexicon: Lexicon) -> None:
        self.text, self.lexicon = text, lexicon
        self.letters = "".join(letter for letter, _ in told)
        self.labels = [label for _, label in told]

    def read_into(self, reading: Reading) -> None:
        """Add the parts to a reading, and what is left over."""
        parts, left, start = list[Part](), list[int](), 0
        names = [place for place, letter in enumerate(self.letters) if letter == "n"]
        for name, following in zip_longest(names, names[1:]):
            pattern = _BEHIND if following is None else _BETWEEN
            behind = pattern.match(self.letters, name + 1, following or len(self.letters))
            end = behind.end() if behind else name + 1
            part = self._part(start, name, end)
            if part is not None:
                parts.append(part)
            if part is None or not _BEFORE.fullmatch(self.letters, start, name):
                left += range(start, end if part is None else name)
            start = end
        left += range(start, len(self.labels))
        if self._unclear(parts):
            parts, left = [], [*range(len(self.labels))]
        if not parts and self._belongs(reading):
            return
        reading.parts.extend(parts)
        first, final = self.labels[0], self.labels[-1]
        around = self.text[first.start : final.end]
        unknown = [place for place in left if self.letters[place] in _UNKNOWN]
        for place in unknown or left:
            label = self.labels[place]
            reading.strange.append(Strange(label.start, label.end, around, alone=not parts))

    def _unclear(self, parts: Sequence[Part]) -> bool:
        """Return whether something stands behind what only comes last: ``any salt``, ``other
        card``. Question marks may stand in a row.
        """
        last = [part for part in parts[:-1] if part.meaning in self.lexicon.last]
        if any(part.what.isalpha() for part in last):
            return True
        return bool(last) and parts[-1].meaning not in self.lexicon.last

    def _belongs(self, reading: Reading) -> bool:
        """Read a segment without a name: a bare number, an owner or “later” of what stood before,
        or “nothing”. Return whether it is one.
        """
        label, before = self.labels[0], reading.parts[-1] if reading.parts else None
        match self.letters:
            case "#" | "a":
                written = self.text[label.start : label.end]
                reading.parts.append(Part(label.value, "", written))
            case "o" if before is not None and before.owner is None:
                reading.parts[-1] = replace(before, owner=label.value)
            case "L" if before is not None and len(reading.parts) == 1:
                reading.parts[-1] = replace(before, later=True)
            case _:
                return self.letters == "0"
        return True

    def _part(self, start: int, name: int, end: int) -> Part | None:
        """Return the part of these labels; None if it has two numbers or owners, or its name means
        nothing here.
        """
        by_letter: dict[str, list[str]] = {}
        known = [place for place in range(start, end) if self.letters[place] not in _UNKNOWN]
        for place in known:
            values = by_letter.setdefault(self.letters[place], [])
            values.append(self.labels[place].value)
        numbers = by_letter.get("#", by_letter.get("a", []))
        owners = by_letter.get("o", []) + by_letter.get("f", [])
        number = numbers[0] if numbers else None
        owner = owners[0] if owners else None
        meanings = self.labels[name].value.split(OR)
        if len(meanings) > 1:
            meanings = [each for each in meanings if self.lexicon.fits(each, number, owner)]
        several = len(numbers) > 1 or len({*owners}) > 1
        if several or len(meanings) != 1:
            return None
        called, first, final = (self.labels[place] for place in (name, known[0], end - 1))
        return Part(
            number,
            self.text[called.start : called.end],
            self.text[first.start : final.end],
            meanings[0],
            owner,
            later="l" in by_letter or "L" in by_letter,
            beside=by_letter["b"][0] if "b" in by_letter else None,
            share=by_letter["s"][0] if "s" in by_letter else "",
        )


def read_count(number: str | None, part: str) -> int:
    """Return the count before goods, 1 for None. Raises `Refused` for an invalid count, with the
    quoted ``part``.

    >>> read_count("12", "12 silk"), read_count(None, "silk")
    (12, 1)
    """
    if number is None:
        return 1
    # Check the length first: Python refuses to convert thousands of digits.
    short = len(number) <= len(str(COUNT_MAX)) and re.fullmatch(r"\d+", number)
    if not short or not 1 <= int(number) <= COUNT_MAX:
        raise Refused(f"I can't move “{part}”.", f"Write a whole number from 1 to {COUNT_MAX}.")
    return int(number)
