"""The one reader of goods, whatever the game: ``2 tg``, ``ur cf & a couple c``.

A game gives a `Lexicon`: what its words mean. `bot.rules.wording` takes off what surrounds them,
and finds counts, owners and names. What is left over is refused: with the whole text as it was
probably meant, if that is the same trade, else with what was understood and what was not.

All that is looked at is what the person who writes may see (`Here`). The work is linear in the
length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from bot.rules.model.goods import NOTHING, Goods, kind_of
from bot.rules.model.text import excerpt, quoted, unquoted
from bot.rules.model.values import frozen_by_name
from bot.rules.model.violation import Refused, Violation
from bot.rules.views import TableView
from bot.rules.wording import (
    AROUND,
    SHORT,
    WORDS_MAX,
    Atom,
    Lexicon,
    Part,
    Reading,
    Strange,
    Whose,
    atoms,
    parts_of,
    read_count,
    spelled,
)
from data import NotTraded, words

__all__ = [
    "NUMBER",
    "NUMBER_WORDS",
    "Here",
    "Lexicon",
    "Meaning",
    "Misread",
    "Part",
    "Strange",
    "goods_in",
    "not_known",
    "parse",
    "read_count",
    "refused_as_not_traded",
]

NUMBER = r"[-+]?\d[\d.,]*(?:e\d+)?"
"""A regular expression for anything like a number. `read_count` refuses those that are not a valid
count.

>>> re.fullmatch(NUMBER, "12")[0]
'12'
"""

NUMBER_WORDS = {word: int(role) for word, role in AROUND.items() if role.isdecimal() and role > "0"}
"""What number words mean, in lower case.

>>> NUMBER_WORDS["two"]
2
"""

GUESSES_MAX = 3
"""The most words of a text that a suggestion replaces."""

_TIMES = tuple(words("", "times"))
_SIGN = re.compile(r"[^\w ]")
_PLAIN = re.compile(r"(?:[^\W_]|[ ,;+&'?()])*")


# ---------------------------------------------------------------- goods


@frozen_by_name
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
        for word, role in AROUND.items():
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
        return Refused(reason, self.people)


class Misread(Refused):
    """A ``text`` has words that mean nothing here. ``meant`` is the whole text as it was probably
    meant.
    """

    def __init__(self, reason: str, text: str, meant: str) -> None:
        shown = meant if _PLAIN.fullmatch(meant) else quoted(meant)
        super().__init__(reason, f"Did you mean “{shown}”?")
        self.text, self.meant = text, meant


@frozen_by_name
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
        raise Refused(f"“{excerpt(text)}” names both sides of a trade.", one_side)
    if reading.broken == "vague":
        exactly = "Write exactly what, with one number."
        raise Refused(f"“{excerpt(text)}” leaves open what or how many.", exactly)
    first = reading.strange[0]
    last = [strange for strange in reading.strange if strange.around == first.around][-1]
    words = text[first.start : last.end]
    shown = excerpt(first.around if first.alone else words)
    meant = _meant(text, reading, lexicon, here)
    if meant and _reads(meant, lexicon, here, meaning):
        raise Misread(f"I don't know “{shown}”.", text, meant)
    try:
        understood = _total(reading, lexicon, here, meaning)
    except Refused:
        understood = NOTHING
    if not understood:
        raise Refused(f"I don't know “{shown}”.", meaning.all_known)
    known = f"I read {meaning.describe(understood)}. “{shown}” I don't know"
    if not words.casefold().startswith(_TIMES):
        alone = excerpt(reading.parts[-1].written)
        raise Refused(f"{known}.", f"“{alone}” alone I understand; words go into the terms.")
    promise = f"{reading.parts[-1].written} later"
    if _reads(promise, lexicon, here, meaning):
        raise Refused(f"{known}: something for later is written “{excerpt(promise)}”.")
    raise Refused(f"{known}.", "What comes later is a promise: put it into the terms.")


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
            raise Refused(what, meaning.example)
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
        raise Refused(whose, "Leave out whose it is.")


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
        raise Refused(f"I don't know how many that is: “{written}”.", "Write a number.")
    [token] = one
    held = here.held.total() if token in lexicon.last else here.held.count(token)
    if not held:
        none = f"<seat:{here.giver}> has none: “{written}”."
        raise Refused(none, f"Write what <they:{here.giver}> can give.")
    match share:
        case "all":
            return held
        case "rest":
            return max(0, held - before.count(token))
        case "half" if held % 2 == 0:
            return held // 2
        case "" if held == 1:
            return 1
    raise Refused(f"How many is “{written}”? There are {held}.", "Write a number.")


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


def parse(text: str, knows: Knows) -> Iterator[Part]:
    """Yield the parts of goods as people type them: ``2 salt, an iron and wine``, ``Salt x2 &
    iron``, ``salt, pls``.

    ``knows`` tells whether a text in lower case is the complete name of something, without a
    number. A part that is not understood stays whole, for the game to refuse: see `not_known`.

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
    return Refused(group.reason.format(what=f"“{excerpt(text)}”"), group.remedy, rule=group.rule)


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
        return Refused(reason, remedy)
    whole = part.whole or part.written
    return Misread(reason, whole, whole.replace(part.what, right, 1))
