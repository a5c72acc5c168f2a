"""The one reader of goods, whatever the game: ``2 tg``, ``ur cf & a couple c``.

A game gives a `Lexicon`: what its words mean. The reader takes off what surrounds them, and finds
counts, owners and names. What is left over is refused: with the whole text as it was probably
meant, if that is the same trade, else with what was understood and what was not.

All that it looks at is what the person who writes may see (`Here`). The work is linear in the
length of the text.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import zip_longest
from typing import Any, Literal, NamedTuple, cast

from rapidfuzz.distance import OSA

from bot.rules.model.goods import COUNT_MAX, NOTHING, Goods, kind_of
from bot.rules.model.text import excerpt, quoted, unquoted
from bot.rules.model.violation import Refused, Violation
from bot.rules.views import TableView
from data import NotTraded, words

NUMBER = r"[-+]?\d[\d.,]*(?:e\d+)?"
"""A regular expression for anything like a number. `read_count` refuses those that are not a valid
count.

>>> re.fullmatch(NUMBER, "12")[0]
'12'
"""

_SPOKEN = words("", "around")

NUMBER_WORDS = {
    word: int(role) for word, role in _SPOKEN.items() if role.isdecimal() and role > "0"
}
"""What number words mean, in lower case.

>>> NUMBER_WORDS["two"]
2
"""

_TIMES = words("", "times")
_FOR = {word for word, role in words("", "sentence").items() if role == "for"}

WORDS_MAX = 8
"""The most words of a name."""

LONG = 6
"""The letters of a word in which a typing slip is read without asking."""

SHORT = 4
"""The letters of a word that is compared with others at all."""

GUESSES_MAX = 3
"""The most words of a text that a suggestion replaces."""

_ATOM = re.compile(
    r"<@!?\d+>|[:;]-?[)(dp](?!\w)|\([^()]*\)|(?<![\w)])-?\d+(?:[.,]\d+)*(?:e\d+)?|\d+(?:[.,]\d+)*(?:e\d+)?"
    r"|(?<=\d)[xX×*](?=\s|[^\W\d_]{2})|[wW]/|'[sS]?(?!\w)|[^\W\d_](?:\w|'(?=\w\w))*|<?[-=]{1,2}>|\n|\S"
)
"""A person's mention, a bracket, a number, a word, or a sign."""

_SIGN = re.compile(r"[^\w ]")
_DASHES = ("-", "–", "—")
_PLAIN = re.compile(r"(?:[^\W_]|[ ,;+&'?()])*")
_SEPARATORS = frozenset("+&,;/|·•.\n")
_ENDS_NAME = frozenset({",", ";", "+", "&", "\n", "·", "|", "and"})
_TIMES_SIGNS = frozenset("x×*")
_MEANT = frozenset("%~=-–—<…/")
"""Signs that say something; all others are only decoration."""


class Atom(NamedTuple):
    """A word or sign of a text, in lower case, and its place."""

    word: str
    start: int
    end: int


def atoms(text: str) -> list[Atom]:
    """Return the words and signs of a text."""
    plain = re.sub(r"(?<=[^\W\d_])-(?=[^\W\d_])", " ", text.replace("’", "'"))
    found = _ATOM.finditer(plain)
    return [Atom(each[0].casefold(), *each.span()) for each in found if each[0] != "@"]


@cache
def spelled(text: str) -> str:
    """Return a name as the reader compares it: its words and signs with single spaces."""
    return " ".join(atom.word for atom in atoms(text))


_AROUND = {spelled(word): role for word, role in _SPOKEN.items()}
"""What each word around goods is: a number, a separator, an owner, a filler."""


# ---------------------------------------------------------------- what a game gives


Whose = Callable[[str], str | None]
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

    find: Callable[[str], str | None]
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
        known = {spelled(word): meaning for word, meaning in {**own, **names}.items()}
        spoken = {word for name in known for word in name.split()}
        return cls(
            find=lambda word: (
                known.get(word) or known.get(word.removesuffix("s").removesuffix(" "))
            ),
            begun=sorted((name, known[name]) for name in known if here(known[name])),
            vocabulary=[word for word in spoken if len(word) >= SHORT],
            after=words(game, "after") if game else (),
            nearly={spelled(word): meant for word, meant in words(game, "nearly").items()}
            if game
            else {},
            joined={name.replace(" ", ""): name for name in known if " " in name},
            **more,
        )

    def beginning(self, word: str) -> str | None:
        """Return the meanings of the names that begin so, with three letters or more; None for
        none.
        """
        if len(word) < 3:
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
            distance = min(OSA.distance(typed, other) for typed in (word, word.removesuffix("s")))
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


LabelKind = Literal[
    "name",
    "owner",
    "nobody",
    "number",
    "article",
    "all",
    "half",
    "rest",
    "later",
    "times",
    "colon",
    "bracket",
    "after",
    "filler",
    "nothing",
    "and",
    "for",
    "vague",
    "strange",
]


class Label(NamedTuple):
    """What some words of a text are, with the value that they stand for, and their place."""

    kind: LabelKind
    value: str
    start: int
    end: int


class _Labels:
    """Finds what the words of a text are, from left to right, the longest run of words first."""

    def __init__(self, text: str, lexicon: Lexicon, whose: Whose) -> None:
        self.text, self.lexicon, self.whose = text, lexicon, whose
        self.atoms, self.found = atoms(text), list[Label]()
        self.place = 0
        while self.place < len(self.atoms):
            self._next()

    def _next(self) -> None:
        atom = self.atoms[self.place]
        if atom.word in _SEPARATORS:
            self._sign(atom)
            return
        name, names = self._longest(self.place, self.lexicon.find)
        role, roles = self._longest(self.place, _AROUND.get)
        owner, owned = self._owner(self.place)
        barred = self._run(self.lexicon.barred)
        if barred > max(names, owned):
            self._add("strange", length=barred)
        elif owner is not None and owned > max(names, roles):
            self._add("owner" if owner else "nobody", owner, owned)
        elif self._after_name and (after := self._run(self.lexicon.after)):
            self._add("after", length=after)
        elif self._parted():
            return
        elif name and names >= roles:
            self._name(name, names)
        elif role and atom.word in _DASHES and self._between_numbers:
            self._add("vague")
        elif role:
            self._around(role, roles)
        elif owner is not None:
            self._add("owner" if owner else "nobody", owner, owned)
        elif atom.word[-1].isdecimal() and not atom.word[0].isalpha():
            self._add("number", atom.word)
        elif atom.word[0].isalpha():
            self._word(atom)
        else:
            self._sign(atom)

    def _add(self, kind: LabelKind, value: str = "", length: int = 1) -> None:
        start, end = self.atoms[self.place].start, self.atoms[self.place + length - 1].end
        self.found.append(Label(kind, value, start, end))
        self.place += length

    def _longest(self, place: int, find: Callable[[str], str | None]) -> tuple[str | None, int]:
        """Return what the longest run of words from here stands for, and how many words it has."""
        spoken = [atom.word for atom in self.atoms[place : place + WORDS_MAX]]
        for length in range(len(spoken), 0, -1):
            if (found := find(" ".join(spoken[:length]))) is not None:
                return found, length
        return None, 0

    def _parted(self) -> bool:
        """Add a name with its owner inside: ``captured sol dread``. Return whether there is one."""
        first = self.atoms[self.place].word
        if first not in self.lexicon.parted or self.place + 1 == len(self.atoms):
            return False
        owner, owned = self._owner(self.place + 1)
        if not owner:
            return False
        rest = self.place + 1 + owned
        meaning, length = self._longest(rest, lambda words: self.lexicon.find(f"{first} {words}"))
        if meaning is None:
            return False
        self.place += 1
        self._add("owner", owner, owned)
        self._add("name", meaning, length)
        return True

    def _owner(self, place: int) -> tuple[str | None, int]:
        """Return the seat of an owner who is named here, and by how many words: ``sol's``,
        ``bobs``, ``of bob``.
        """
        before = 1 if self.atoms[place].word in ("of", "from") else 0
        seat, length = self._longest(place + before, self._called)
        if seat is None:
            return None, 0
        end = place + before + length
        return seat, before + length + self._is(end, "'s", "'")

    def _called(self, words: str) -> str | None:
        seat = self.whose(words)
        if seat is None and words.endswith("s") and len(words) > 1:
            seat = self.whose(words.removesuffix("s"))
        return seat

    def _is(self, place: int, *words: str) -> bool:
        return place < len(self.atoms) and self.atoms[place].word in words

    @property
    def _between_numbers(self) -> bool:
        following = self.atoms[self.place + 1 : self.place + 2]
        before = bool(self.found) and self.found[-1].kind == "number"
        return before and bool(following) and following[0].word.isdecimal()

    @property
    def _in_part(self) -> bool:
        """Whether a name stands before, without a separator between."""
        for label in reversed(self.found):
            if label.kind in ("name", "and"):
                return label.kind == "name"
        return False

    @property
    def _after_name(self) -> bool:
        return bool(self.found) and self.found[-1].kind == "name"

    # ---- what is found

    def _name(self, meaning: str, length: int) -> None:
        """Add a name, with the words behind it that belong to it: ``planet Arretze``. A sign right
        behind a name is unclear: ``salt?``.
        """
        start = self.atoms[self.place].start
        if self._after_name and self.found[-1].end == start and self.text[start - 1].isalnum():
            self._add("strange", length=length)
            return
        if meaning in self.lexicon.free:
            first = last = self.place + length
            while last < len(self.atoms) and self.atoms[last].word not in _ENDS_NAME:
                last += 1
            while last > first and _AROUND.get(self.atoms[last - 1].word) == "filler":
                last -= 1
            called = self._text(first, last).strip(" .!?*")
            if not called:
                self._add("strange", length=length)
                return
            meaning, length = f"{meaning}:{called}", last - self.place
        self._add("name", meaning, length)

    def _text(self, first: int, last: int) -> str:
        if first >= last:
            return ""
        return self.text[self.atoms[first].start : self.atoms[last - 1].end]

    def _around(self, role: str, length: int) -> None:
        """Add a word that stands around goods."""
        if role.isdecimal():
            kind: LabelKind = "article" if role == "1" else "number"
            self._add(kind, role, length)
        elif role in ("mine", "yours"):
            owner = self.whose(self._text(self.place, self.place + length).casefold())
            self._add("owner" if owner else "nobody", owner or "", length)
        else:
            self._add(cast(LabelKind, role), self._text(self.place, self.place + length), length)

    def _sign(self, atom: Atom) -> None:
        if atom.word.startswith("(") and len(atom.word) > 1:
            self._bracket(atom)
        elif atom.word in _SEPARATORS:
            glued = atom.word == "." and bool(self.found) and self.found[-1].kind == "number"
            self._add("filler" if glued else "and")
        elif atom.word in _FOR:
            self._add("for")
        elif atom.word in _TIMES_SIGNS:
            after = self.atoms[self.place + 1 :][:1]
            counts = self.found and self.found[-1].kind == "number"
            self._add("times" if counts or (after and after[0].word.isdecimal()) else "filler")
        elif atom.word == ":":
            self._add("colon")
        elif atom.word in ("'s", "'") and self._after_name:
            self._add("filler")
        else:
            says_something = atom.word in _MEANT or unicodedata.category(atom.word[0]) == "Sc"
            self._add("strange" if says_something else "filler")

    def _bracket(self, atom: Atom) -> None:
        """Keep a bracket behind a name; take any other off."""
        inner = atom.word[1:-1]
        if all(_AROUND.get(each.word) == "filler" for each in atoms(inner)):
            self._add("filler")
        elif self._in_part:
            self._add("bracket", self.text[atom.start + 1 : atom.end - 1])
        else:
            moved = [
                Atom(word, start + atom.start + 1, end + atom.start + 1)
                for word, start, end in atoms(inner)
            ]
            self.atoms[self.place : self.place + 1] = moved

    def _word(self, atom: Atom) -> None:
        """Add a word that is no whole name: the beginning of one, a slip, one with its number or
        with an owner inside; or one that is not understood.
        """
        spoken = atom.word
        if spoken in _FOR:
            self._add("for")
            return
        if spoken in _TIMES_SIGNS:
            self._add("times")
            return
        counted = re.fullmatch(r"([^\W\d]*?)x?(\d{1,3})", spoken)
        behind = re.match(r"([^\W\d]+)(?=\d)", spoken)
        if behind and not counted and self.lexicon.find(behind[1]):
            middle = atom.start + behind.end()
            rest = atoms(spoken[behind.end() :])
            moved = [Atom(word, start + middle, end + middle) for word, start, end in rest]
            self.atoms[self.place : self.place + 1] = [Atom(behind[1], atom.start, middle), *moved]
            return
        if counted and (not counted[1] or self.lexicon.find(counted[1])):
            middle = atom.start + counted.end(1)
            number = Atom(counted[2], atom.start + counted.start(2), atom.end)
            name = [Atom(counted[1], atom.start, middle)] if counted[1] else []
            self.atoms[self.place : self.place + 1] = [*name, Atom("×", middle, middle), number]
            return
        if self._is(self.place + 1, "'s"):
            self._add("nobody", length=2)
            return
        meanings, length = self._longest(self.place, self.lexicon.beginning)
        following = self._longest(self.place + length, self.lexicon.find)[1]
        asked = length == 1 and spoken in self.lexicon.nearly
        if meanings is not None and not following and not asked:
            self._add("name", meanings, length)
            return
        if (right := self.lexicon.slip(spoken)) is not None:
            self.atoms[self.place] = atom._replace(word=right)
            return
        of_nobody = len(self.found) > 1 and self.found[-1].value in ("of", "from")
        named = of_nobody and self.found[-2].kind in ("name", "after")
        self._add("nobody" if named else "strange")

    def _barred(self, words: str) -> bool | None:
        return (
            words in self.lexicon.barred or words.removesuffix("s") in self.lexicon.barred or None
        )

    def _run(self, several: Collection[str]) -> int:
        """Return how many words from here are one of several, maybe in the plural."""

        def known(words: str) -> str | None:
            return words if words in several or words.removesuffix("s") in several else None

        return self._longest(self.place, known)[1]


# ---------------------------------------------------------------- parts


@dataclass(frozen=True, slots=True)
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


_LETTERS: Mapping[LabelKind, str] = {
    "name": "n",
    "after": "k",
    "owner": "o",
    "nobody": "o",
    "number": "#",
    "article": "a",
    "all": "s",
    "half": "s",
    "rest": "s",
    "later": "l",
    "times": "x",
    "colon": ":",
    "bracket": "b",
    "nothing": "0",
}
"""A letter for each kind of label that can be in a part; “?” for the others."""

_BEFORE = re.compile(r"(?:[osal#xfL]|(?<=[olL]):)*")
_BETWEEN = re.compile(r"(?:[kbfL]|[x:]#|x)*")
_BEHIND = re.compile(r"(?:[kbfLolx]|[x:]#|#(?=[lL]*$))*")
"""What stands before a name, behind one that another follows, and behind the last one."""


def _letter(text: str, label: Label) -> str:
    written = text[label.start : label.end].casefold()
    if label.kind == "owner" and written.startswith(("of ", "from ")):
        return "f"
    return "L" if written == "later" else _LETTERS.get(label.kind, "?")


def parts_of(text: str, lexicon: Lexicon, whose: Whose) -> Reading:
    """Read a text."""
    labels = _Labels(text, lexicon, whose).found
    reading = Reading([], [])
    segment: list[Label] = []
    for label in [*labels, Label("and", "", len(text), len(text))]:
        if label.kind == "and":
            _read_segment(text, segment, lexicon, reading)
            segment = []
        elif label.kind != "filler":
            segment.append(label)
    kinds = {label.kind for label in labels}
    said = text.strip(" ,;+&.\n")
    if said and not (reading.parts or reading.strange or "nothing" in kinds):
        reading.strange.append(Strange(0, len(text), said, alone=True))
    if "for" in kinds:
        return reading._replace(broken="for")
    return reading._replace(broken="vague") if "vague" in kinds else reading


def _read_segment(text: str, labels: list[Label], lexicon: Lexicon, reading: Reading) -> None:
    """Read what stands between two separators: mostly one part, or several in a row."""
    if not labels:
        return
    if len(labels) > 1 and text[labels[0].start : labels[0].end] in _DASHES:
        labels = labels[1:]  # it marks an item of a list
    letters = "".join(_letter(text, label) for label in labels)
    parts, left, start = list[Part](), list[Label](), 0
    names = [place for place, letter in enumerate(letters) if letter == "n"]
    for name, following in zip_longest(names, names[1:]):
        pattern = _BEHIND if following is None else _BETWEEN
        behind = pattern.match(letters, name + 1, following or len(letters))
        end = behind.end() if behind else name + 1
        before = [label for label in labels[start:name] if label.kind in _LETTERS]
        known = _BEFORE.fullmatch(letters, start, name) is not None
        part = _part(text, [*before, *labels[name:end]], lexicon)
        if part is not None:
            parts.append(part)
        if part is None or not known:
            left += labels[start : end if part is None else name]
        start = end
    left += labels[start:]
    last = [part.meaning in lexicon.last for part in parts]
    in_a_row = any(one.what.isalpha() and one.meaning in lexicon.last for one in parts[:-1])
    if last != sorted(last) or in_a_row:
        parts, left = [], labels
    alone = not parts
    if alone and left:
        left = _without_name(text, left, letters, parts, reading)
    reading.parts.extend(parts)
    around = text[labels[0].start : labels[-1].end]
    unknown = [label for label in left if label.kind not in _LETTERS]
    for label in unknown or left:
        reading.strange.append(Strange(label.start, label.end, around, alone))


def _without_name(
    text: str, labels: list[Label], letters: str, parts: list[Part], reading: Reading
) -> list[Label]:
    """Read a segment without a name: a bare number, an owner or “later” of what stood before, or
    “nothing”. Return the labels that stay.
    """
    before = reading.parts[-1] if reading.parts else None
    match letters:
        case "#" | "a":
            written = text[labels[0].start : labels[0].end]
            parts.append(Part(labels[0].value, "", written))
        case "0":
            pass
        case "o" if before is not None and before.owner is None:
            reading.parts[-1] = replace(before, owner=labels[0].value)
        case "l" if before is not None and len(reading.parts) == 1:
            reading.parts[-1] = replace(before, later=True)
        case _:
            return labels
    return []


def _part(text: str, labels: list[Label], lexicon: Lexicon) -> Part | None:
    """Return the part of these labels; None if it has two numbers, or its name means nothing
    here.
    """
    by_kind: dict[str, list[str]] = {}
    for label in labels:
        by_kind.setdefault(label.kind, []).append(label.value)
    numbers = by_kind.get("number", by_kind.get("article", []))
    owners = [label.value for label in labels if label.kind in ("owner", "nobody")]
    number = numbers[0] if numbers else None
    owner = owners[0] if owners else None
    [name] = [label for label in labels if label.kind == "name"]
    meanings = name.value.split(OR)
    if len(meanings) > 1:
        meanings = [each for each in meanings if lexicon.fits(each, number, owner)]
    if len(numbers) > 1 or len({*owners}) > 1 or len(meanings) != 1:
        return None
    return Part(
        number,
        text[name.start : name.end],
        text[labels[0].start : labels[-1].end],
        meanings[0],
        owner,
        later="later" in by_kind,
        beside=by_kind["bracket"][0] if "bracket" in by_kind else None,
        share=(*by_kind.keys() & {"all", "half", "rest"}, "")[0],
    )


# ---------------------------------------------------------------- goods


@dataclass(frozen=True, kw_only=True)
class Here:
    """What the person who writes may know of the table.

    ``whose`` is the seat that words mean. ``giver`` would give the goods; None for anybody.
    ``held`` is what the giver has, as far as the person sees it; None if nobody knows, and
    ``hidden`` why not. ``people`` says how to name an owner.

    >>> Here(whose={"bob": "red"}.get, giver="red").whose("bob")
    'red'
    """

    whose: Whose
    giver: str | None = None
    held: Goods | None = None
    hidden: Violation | None = None
    people: str = ""

    @classmethod
    def at(
        cls,
        view: TableView | None,
        giver: str | None,
        aliases: Mapping[str, str],
        hidden: Violation,
        *,
        nothing_open: bool = False,
    ) -> Here:
        """Return what a viewer may know of the table, without a view only how people are called.

        ``hidden`` is why a hand is secret, ``nothing_open`` whether all goods are in hands.
        """
        called = {spelled(word): seat for word, seat in aliases.items()}
        speaker = view.seat if view else None
        if view:
            for color, seat in view.board.called.items():
                if called.setdefault(spelled(color), seat) != seat:
                    del called[spelled(color)]  # it also names somebody else
        for word, role in _AROUND.items():
            if role == "mine":
                called.setdefault(word, speaker or "")
            if role == "yours":
                called.setdefault(word, "" if giver is None or giver == speaker else giver)
        if view is None or giver is None or not view.tracked:
            return cls(whose=called.get, giver=giver)
        giving = view.seats[giver]
        if giving.mine:
            return cls(whose=called.get, giver=giver, held=giving.known)
        held = None if nothing_open else giving.open
        return cls(whose=called.get, giver=giver, held=held, hidden=hidden)

    def not_whose(self, part: Part) -> Refused:
        """Return the refusal of an owner who is nobody here."""
        reason = f"I can't tell whose “{excerpt(part.written)}” you mean."
        return Refused("", reason, self.people)


class Misread(Refused):
    """A text has words that mean nothing here. ``meant`` is the whole text as it was probably
    meant.
    """

    def __init__(self, reason: str, meant: str) -> None:
        shown = meant if _PLAIN.fullmatch(meant) else quoted(meant)
        super().__init__("", reason, f"Did you mean “{shown}”?")
        self.meant = meant


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """What a game says of a text in parts. ``goods`` returns the components of a part, so many of
    each, and raises `Refused`. ``checked`` returns all goods of a text, or raises `Refused`.
    ``explain`` returns why words that were not understood are refused, None if there is no more to
    say. ``example`` and ``all_known`` are remedies.

    >>> said = Meaning(
    ...     goods=lambda part, count: Goods({part.meaning: count}), describe=str,
    ...     explain=lambda strange: None, checked=lambda goods: goods,
    ...     example="Try: 2 silk.", all_known="I know silk.",
    ... )
    >>> silk = Lexicon.of("", {"silk": "silk"}, lambda meaning: True)
    >>> goods_in("a couple of silk, pls", silk, Here(whose={}.get), said)
    Goods({'silk': 2})
    """

    goods: Callable[[Part, int], Goods]
    describe: Callable[[Goods], str]
    explain: Callable[[Strange], Refused | None]
    checked: Callable[[Goods], Goods]
    example: str
    all_known: str


def goods_in(text: str, lexicon: Lexicon, here: Here, meaning: Meaning) -> Goods:
    """Return the goods of a text. Raises `Refused`, as `Misread` if one can tell what was meant.

    >>> silk = Lexicon.of("", {"silk": "silk"}, lambda meaning: True)
    >>> said = Meaning(
    ...     goods=lambda part, count: Goods({part.meaning: count}), describe=str,
    ...     explain=lambda strange: None, checked=lambda goods: goods,
    ...     example="Try: 2 silk.", all_known="I know silk.",
    ... )
    >>> goods_in("a couple of silk, pls", silk, Here(whose={}.get), said)
    Goods({'silk': 2})
    """
    text = unquoted(text)
    reading = parts_of(text, lexicon, here.whose)
    if not reading.strange and not reading.broken:
        return _total(reading, lexicon, here, meaning)
    for strange in reading.strange:
        if (refused := meaning.explain(strange)) is not None:
            raise refused
    if reading.broken == "for":
        one_side = "Write here only what this side gives."
        raise Refused("", f"“{excerpt(text)}” names both sides of a trade.", one_side)
    if reading.broken == "vague":
        exactly = "Write exactly what, with one number."
        raise Refused("", f"“{excerpt(text)}” leaves open what or how many.", exactly)
    first = reading.strange[0]
    words = text[
        first.start : max(
            strange.end for strange in reading.strange if strange.around == first.around
        )
    ]
    shown = excerpt(first.around if first.alone else words)
    meant = _meant(text, reading, lexicon, here)
    if meant and _reads(meant, lexicon, here, meaning):
        raise Misread(f"I don't know “{shown}”.", meant)
    try:
        understood = _total(reading, lexicon, here, meaning)
    except Refused:
        understood = NOTHING
    if not understood:
        raise Refused("", f"I don't know “{shown}”.", meaning.all_known)
    known = f"I read {meaning.describe(understood)}. “{shown}” I don't know"
    if not any(words.casefold().startswith(time) for time in _TIMES):
        alone = excerpt(reading.parts[-1].written)
        raise Refused("", f"{known}.", f"“{alone}” alone I understand; words go into the terms.")
    promise = f"{reading.parts[-1].written} later"
    if _reads(promise, lexicon, here, meaning):
        raise Refused("", f"{known}: something for later is written “{excerpt(promise)}”.")
    raise Refused("", f"{known}.", "What comes later is a promise: put it into the terms.")


def _reads(text: str, lexicon: Lexicon, here: Here, meaning: Meaning) -> bool:
    """Return whether all of a text is understood, and is there at this table."""
    reading = parts_of(text, lexicon, here.whose)
    if reading.strange or reading.broken:
        return False
    try:
        return bool(_total(reading, lexicon, here, meaning))
    except Refused:
        return False


def _total(reading: Reading, lexicon: Lexicon, here: Here, meaning: Meaning) -> Goods:
    total = NOTHING
    for part in reading.parts:
        if not part.meaning and len(reading.parts) == 1:
            what = f"“{excerpt(part.written)}” says how many, but not what."
            raise Refused("", what, meaning.example)
        if part.owner is not None and kind_of(part.meaning) not in lexicon.owned:
            _require_giver(part, here)
        count = _count(part, total, lexicon, here, meaning)
        if count:
            total += meaning.goods(part, count)
    return meaning.checked(total)


def _require_giver(part: Part, here: Here) -> None:
    """Raise `Refused` for goods that are said to be another's than the giver's."""
    if not part.owner:
        raise here.not_whose(part)
    if part.owner != here.giver:
        whose = f"“{excerpt(part.written)}” is not what this side of the trade has."
        raise Refused("", whose, "Leave out whose it is.")


def _count(part: Part, before: Goods, lexicon: Lexicon, here: Here, meaning: Meaning) -> int:
    """Return how many a part means. Raises `Refused` where that is not clear."""
    if part.number is not None:
        return 0 if part.number == "0" else part.count
    written, owned = excerpt(part.written), part.owner is not None
    several = part.what.casefold().endswith("s") and not lexicon.whole
    unsure = owned and (lexicon.whole or len(part.what) < SHORT)
    share = part.share or ("all" if owned and several else "")
    if share and here.hidden is not None and kind_of(part.meaning) == "unclear":
        raise Refused.because(here.hidden)
    if kind_of(part.meaning) in lexicon.owned or not (share or unsure):
        return 1
    if here.held is None:
        if not share:
            return 1
        if here.hidden is not None:
            raise Refused.because(here.hidden)
    one = meaning.goods(part, 1)
    if here.held is None or here.giver is None or len(one) != 1:
        raise Refused("", f"I don't know how many that is: “{written}”.", "Write a number.")
    [token] = one
    held = here.held.total() if token in lexicon.last else here.held.count(token)
    if not held:
        none = f"<seat:{here.giver}> has none: “{written}”."
        raise Refused("", none, f"Write what <they:{here.giver}> can give.")
    match share:
        case "all":
            return held
        case "rest":
            return max(0, held - before.count(token))
        case "half" if held % 2 == 0:
            return held // 2
        case "" if held == 1:
            return 1
    raise Refused("", f"How many is “{written}”? There are {held}.", "Write a number.")


def _meant(text: str, reading: Reading, lexicon: Lexicon, here: Here) -> str | None:
    """Return the text with other words for those that were not understood; None if one of them
    resembles nothing.
    """
    for _ in range(GUESSES_MAX):
        start = reading.strange[0].start
        right, length = _right_word(atoms(text[start:]), lexicon)
        if right is None:
            return None
        text = f"{text[:start]}{right}{text[start + length :]}".strip()
        reading = parts_of(text, lexicon, here.whose)
        if not reading.strange:
            return text
    return None


def _right_word(found: Sequence[Atom], lexicon: Lexicon) -> tuple[str | None, int]:
    """Return what is meant by the words that begin a text, and the characters that it replaces."""
    for length in range(min(len(found), WORDS_MAX), 0, -1):
        words = " ".join(atom.word for atom in found[:length])
        end = found[length - 1].end
        for word in (words, words.removesuffix("s")):
            if word in lexicon.nearly:
                return lexicon.nearly[word], end
            if word in lexicon.joined:
                return lexicon.joined[word] + words.removeprefix(word), end
    word = found[0].word
    right = lexicon.nearest(word)
    if right and word.endswith("s") and not (right.endswith("s") or lexicon.whole):
        right += "s"
    return right, found[0].end


# ---------------------------------------------------------------- games of their own words

Knows = Callable[[str], bool]


def parse(
    text: str, knows: Knows, trails: Callable[[Part], bool] = lambda part: False
) -> Iterator[Part]:
    """Yield the parts of goods as people type them: ``2 salt, an iron and wine``, ``Salt x2 &
    iron``, ``salt, pls``.

    ``knows`` tells whether a text in lower case is the complete name of something, without a
    number. A part that is not understood stays whole, for the game to refuse: see `not_known`.
    ``trails`` is not needed any more: what follows a name without a separator is a part anyway.

    >>> parts = parse("2 silk and a spice", knows={"silk", "spice"}.__contains__)
    >>> [(part.count, part.what) for part in parts]
    [(2, 'silk'), (1, 'spice')]
    """
    text = unquoted(text)
    known = Lexicon(find=lambda word: word if knows(word) else None)
    reading = parts_of(text, known, lambda words: None)
    for part in reading.parts:
        yield replace(part, what=part.meaning)
    for around in dict.fromkeys(strange.around for strange in reading.strange):
        counted = re.match(rf"({NUMBER})\s*", around)
        number, end = (counted[1], counted.end()) if counted else (None, 0)
        yield Part(number, around[end:], around, whole=text)
    if reading.broken and not reading.strange:
        yield Part(None, text, text, whole=text)


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
        raise Refused("", f"I can't move “{part}”.", f"Write a whole number from 1 to {COUNT_MAX}.")
    return int(number)


def refused_as_not_traded(text: str, groups: Iterable[NotTraded]) -> Refused | None:
    """Return the refusal of something that the rules keep out of a trade; None for anything else.
    Of several words the longest answers: “fleet token” is a token, no fleet.

    >>> refused_as_not_traded("2 oil", groups=()) is None
    True
    """
    plain = f" {_SIGN.sub(' ', text.casefold())} "
    kept_out: dict[str, NotTraded] = {}
    for group in groups:
        for word in group.words:
            if f" {word} " in plain or f" {word}s " in plain:
                kept_out.setdefault(word, group)
    if not kept_out:
        return None
    group = kept_out[max(kept_out, key=len)]
    return Refused(group.rule, group.reason.format(what=f"“{excerpt(text)}”"), group.remedy)


def not_known(
    part: Part, known: Iterable[str], groups: Iterable[NotTraded], remedy: str
) -> Refused:
    """Return the refusal of a part that is not among the game's goods.

    For an evident slip it suggests the whole text with the word from ``known``. For something that
    can't be traded (``groups``) it cites the rule. For anything else it has the ``remedy``.

    >>> [part] = parse("2 oil", knows=lambda name: False)
    >>> isinstance(not_known(part, ("silk", "spice"), (), "For example: 2 silk."), Refused)
    True
    """
    if refused := refused_as_not_traded(part.what, groups):
        return refused
    right = Lexicon(find=lambda word: None, vocabulary=[*known]).nearest(part.what.casefold())
    reason = f"I don't know “{excerpt(part.written)}”."
    if right is None:
        return Refused("", reason, remedy)
    return Misread(reason, (part.whole or part.written).replace(part.what, right, 1))
