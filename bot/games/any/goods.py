"""How the goods of a definition are read, described and suggested.

A component is the place of its kind in the definition, ``g3``, and for numbered ones the number:
``g3:7``. So kinds can be renamed while they are in play.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from bot.api import (
    COUNT_MAX,
    NOTHING,
    OWED,
    PAYS,
    Change,
    Goods,
    Moves,
    Part,
    Refused,
    SeatView,
    Suggestion,
    TableView,
    debt_word,
    excerpt,
    kind_of,
    not_known,
    owed,
    parse,
)
from bot.games.any.definition import Definition, Good

CARD = "card"
"""Stands for any hidden component, for those who may not know which."""

_PAYS = re.compile(r"\bpays?(?: \d{1,3} of \d{1,3} owed)?(?: on)? \(?debt (\d{1,6})\)?", re.I)
"""Words for a debt that is paid: ``pays debt 3``, ``pays 2 of 2 owed (debt 3)``."""


@dataclass(frozen=True)
class Language:
    """The words of a definition for goods."""

    found: Definition

    @cached_property
    def kinds(self) -> dict[str, Good]:
        """The kinds of goods by token."""
        return self.found.kinds

    @cached_property
    def tokens(self) -> dict[str, str]:
        """The token for each word, singular and plural, in lower case."""
        tokens = dict[str, str]()
        for token, good in self.kinds.items():
            tokens[good.name.casefold()] = tokens[good.several.casefold()] = token
        return tokens

    # ------------------------------------------------------------ reading

    def read(
        self,
        text: str,
        seats: Collection[str] = (),
        giver: str | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> Goods:
        """Read goods as people type them. Raises `Refused`."""
        goods = NOTHING
        text = _PAYS.sub(r"debt \1", text)
        for part in parse(text, knows=self._knows):
            token, number = self._meant(part.what.casefold())
            if token == PAYS:
                goods += Goods({debt_word(number): 1})
                continue
            if token and part.later:
                goods += self._owed(part, token)
                continue
            if not token:
                raise not_known(part, self.tokens, (), f"For example: {self.example}.")
            good = self.kinds[token]
            if good.numbered:
                if not 1 <= number <= good.numbered or part.count != 1:
                    remedy = f"They have numbers: {good.name} 1 to {good.name} {good.numbered}."
                    raise Refused(f"Which one is “{excerpt(part.written)}”?", remedy)
                goods += Goods({f"{token}:{number}": 1})
                continue
            count, left = divmod(part.count, good.step)
            if left or not count:
                raise Refused(f"“{excerpt(part.written)}” is not in tens.", "Write 10, 20, 30.")
            goods += Goods({token: count})
        return goods

    def _owed(self, part: Part, token: str) -> Goods:
        """Return what a part says is given later. Raises `Refused` for what is not counted so."""
        debts = self.found.debts
        if not debts or token != self.found.token(debts):
            counted = f"Debts are counted in {debts} here." if debts else "Nothing is owed here."
            raise Refused(f"{counted} “{excerpt(part.written)}” is not.", "Promise it in words.")
        return Goods({owed(token): part.count})

    def _knows(self, word: str) -> bool:
        token, _ = self._meant(word)
        return bool(token)

    def _meant(self, word: str) -> tuple[str, int]:
        """Return the token and the number that a word means; an empty token for none."""
        if word in self.tokens:
            return self.tokens[word], 0
        name, _, number = word.rpartition(" ")
        if name == "debt" and number.isdecimal() and self.found.debts:
            return PAYS, int(number)
        token = self.tokens.get(name, "")
        if token and number.isdecimal() and self.kinds[token].numbered:
            return token, int(number)
        return "", 0

    @cached_property
    def example(self) -> str:
        """Goods as a player writes them."""
        for token, good in self.kinds.items():
            if not good.kept:
                return self.called(f"{token}:1" if good.numbered else token, 2)
        return ""

    # ------------------------------------------------------------ describing

    def describe(self, goods: Goods) -> str:
        """Return goods in words, in the order of the definition."""
        listed = sorted(goods, key=_place)
        return ", ".join(self.called(token, goods[token]) for token in listed) or "nothing"

    def called(self, token: str, count: int) -> str:
        """Return a number of one component in words."""
        if token == CARD:
            return f"{count} hidden card{'s' * (count != 1)}"
        kind, _, number = token.partition(":")
        if kind == OWED:
            return f"{self.called(number, count)} later"
        if kind == PAYS:
            debt, left = number.split(":")[:2]
            return f"pays {count} of {left} owed (debt {debt})"
        if kind not in self.kinds:
            return f"{count} {token}"
        good = self.kinds[kind]
        if number:
            return f"{good.name} {number}"
        count *= good.step
        return f"{count} {good.name if count == 1 else good.several}"

    def all_there(self, token: str, total: int) -> str:
        """Return the sentence that more of a component would be in play than there are."""
        if ":" in token:
            return f"There is one {self.called(token, 1)}, and somebody has it."
        return f"That is more than there are: {self.called(token, total)}."

    def describe_holdings(self, seat: SeatView) -> list[str]:
        """Return a line for each kind that a seat is known to have; its limit if it is over it."""
        lines = []
        known = seat.known
        for kind in self.kinds:
            some = known.of_kind(kind)
            if some:
                most = self.over(kind, some.total())
                lines.append(self.describe(some) + (f" (at most {most})" if most else ""))
        if seat.hidden is None and seat.hidden_count:
            lines.append(self.called(CARD, seat.hidden_count))
        return lines or ["nothing"]

    def audited(self, view: TableView) -> list[str]:
        """Return what hidden goods are over their limits, for somebody who sees all hands."""
        everything, lines = NOTHING, list[str]()
        for seat in view.seats.values():
            everything += seat.known
            for kind in self._hidden:
                count = seat.known.of_kind(kind).total()
                if most := self.over(kind, count):
                    has = f"<name:{seat.id}> has {self.called(kind, count)}"
                    lines.append(f"{has} (at most {most})")
        for token in sorted(everything.of_kind(*self._hidden), key=_place):
            good, count = self.kinds[kind_of(token)], everything.count(token)
            if good.numbered and count > 1:
                name = self.called(token, 1)
                lines.append(f"In all hands there are {count} of {name}; there is one.")
            elif good.total and count > good.total:
                should = f"there should be at most {good.total * good.step}"
                lines.append(f"In all hands there are {self.called(token, count)}; {should}.")
        return lines

    def over(self, kind: str, count: int) -> int:
        """Return the limit that so many of a kind in one hand are over, as people write it; 0 for
        none.
        """
        good = self.kinds[kind]
        limits = [limit for limit in (good.most, good.total) if limit and count > limit]
        return min(limits, default=0) * good.step

    # ------------------------------------------------------------ suggesting

    def suggestion(self, token: str, most: int) -> Suggestion:
        good = self.kinds[kind_of(token)]
        found = Suggestion(token, good.name, good.several, most, step=good.step)
        if good.numbered:
            found = Suggestion(token, self.called(token, 1))
        return found._replace(offered=not good.kept)

    def suggest(self, seat: SeatView, beside: Goods) -> list[Suggestion]:
        """Return what a seat could give beside some goods; of a hidden hand, what could be in
        it.
        """
        left = beside.common(seat.known).missing(seat.known)
        suggestions = list[Suggestion]()
        for token in sorted(left, key=_place):
            suggestions.append(self.suggestion(token, left[token]))
        if seat.hidden is None:
            most = COUNT_MAX if seat.hidden_count is None else seat.hidden_count
            suggestions += self._all(hidden=True, most=most)
        return suggestions

    def every(self, view: TableView) -> list[Suggestion]:
        lies_open = self._all(hidden=False, most=COUNT_MAX)
        return lies_open + self._all(hidden=True, most=COUNT_MAX)

    def _all(self, *, hidden: bool, most: int) -> list[Suggestion]:
        suggestions = list[Suggestion]()
        for token, good in self.kinds.items():
            if good.hidden != hidden or not most:
                continue
            numbers = [f"{token}:{number}" for number in range(1, good.numbered + 1)]
            suggestions += [self.suggestion(each, most) for each in numbers or [token]]
        return suggestions

    # ------------------------------------------------------------ what is secret

    def open(self, goods: Goods) -> Goods:
        """Return the part of goods that everybody sees."""
        return goods.of_kind(*self.kinds.keys() - self._hidden)

    @cached_property
    def _hidden(self) -> list[str]:
        return [token for token, good in self.kinds.items() if good.hidden]

    def redact(self, goods: Goods) -> Goods:
        """Return goods as everybody may read them: hidden ones are there, but not which."""
        hidden = self.open(goods).missing(goods).without_kind(OWED, PAYS)
        if not hidden:
            return goods
        return hidden.missing(goods) + Goods({CARD: hidden.total()})

    def apart(self, changes: Mapping[str, Change]) -> Moves:
        """Return changes with what everybody sees apart from what the seats alone know."""
        public, hidden = dict[str, Change](), dict[str, Change]()
        for seat, change in changes.items():
            lost, gained = self.open(change.lost), self.open(change.gained)
            public[seat] = Change(lost, gained)
            secret = Change(lost.missing(change.lost), gained.missing(change.gained))
            if secret != Change():
                hidden[seat] = secret
        return Moves(public, hidden)

    def gained(self, gains: Mapping[str, Goods]) -> Moves:
        """Return what seats gain, as `apart` does."""
        return self.apart({seat: Change(gained=goods) for seat, goods in gains.items()})

    # ------------------------------------------------------------ what a text gives

    def given(self, shares: Mapping[str, str], seats: Iterable[str]) -> dict[str, Goods]:
        """Return what each of these seats gets, by who gets what. Raises `Refused`."""
        gains = dict.fromkeys(seats, NOTHING)
        for who, text in shares.items():
            goods = self.read(text)
            for seat in self.found.meant(who):
                if seat in gains:
                    gains[seat] += goods
        return {seat: goods for seat, goods in gains.items() if goods}


def _place(token: str) -> tuple[int, int]:
    """Return where a component stands among others; hidden cards come last."""
    kind, _, number = token.partition(":")
    place = int(kind[1:]) if kind[1:].isdecimal() else COUNT_MAX
    return place, int(number) if number.isdecimal() else 0


def only_kind(goods: Goods) -> str:
    """Return the one kind of these goods; empty for several, or none."""
    kinds = {kind_of(token) for token in goods}
    return kinds.pop() if len(kinds) == 1 else ""
