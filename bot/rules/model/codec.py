"""Codecs: encode values as a name and fields separated by colons, such as ``offer:1:12:3:more``,
and decode them.

Custom_ids of actions and commands, and keys of message subjects, are made in this way. A
class of values (`bot.rules.model.values.Value`) has a ``name`` (commands: a ``kind``). Each field
is an int, str, bool or Literal, possibly optional.

Cards picked from a hand are a digit for each kind of card, in order of tokens, and a digest of the
hand, because the digits would mean other cards in another hand. Goods of any kind are a code of
each token and a digit.
"""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, fields
from functools import cache, partial
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from bot.rules.model.goods import Goods
from bot.rules.model.windows import Since

CUSTOM_ID_MAX = 100
"""Discord's limit on a custom_id, in characters.

`bot.rules.game_checks` checks that each command's fields fit when it is loaded,
`bot.show.custom_ids` each custom_id when it is made.
"""

SEPARATOR = ":"

NUMBER_MAX = 2**63 - 1
"""The largest number that is accepted: a forged custom_id may hold any, but a database column has
64 bits.
"""

DIGITS_MAX = len(str(NUMBER_MAX)) + 1
"""The most characters of a number, including the sign."""


V = TypeVar("V")


class Field(NamedTuple):
    """How to write and read one field. Both functions raise ``ValueError``."""

    name: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]
    absent: Any = MISSING
    """What a text means that was written before the field was there; MISSING: its default."""
    longest: int = 15
    """The most characters that it is expected to take: a seat's id or a number."""


def kinds_in(module: Mapping[str, Any], base: type[V]) -> tuple[type[V], ...]:
    """Return the subclasses of ``base`` that a module defines, but those without a name."""
    kinds = []
    for kind in module.values():
        own = isinstance(kind, type) and kind.__module__ == module["__name__"]
        if own and issubclass(kind, base) and getattr(kind, "name", ""):
            kinds.append(kind)
    return tuple(kinds)


class Codec(Generic[V]):
    """Encodes and decodes the values of some classes.

    A class may name a bool field and the name it has instead while that field is set: ``flagged =
    ("details", "history-details")``. That field is not written.

    Raises ``ValueError`` if two classes have the same name, or if a class can't be encoded; see
    `fields_of`.
    """

    def __init__(self, kinds: Iterable[type[V]], named_by: str = "name") -> None:
        """``named_by`` is the attribute that holds the name of a class."""
        self.kinds: dict[str, type[V]] = {}
        self._fields: dict[str, tuple[Field, ...]] = {}
        self._flags: dict[str, dict[str, bool]] = {}
        self._needed: dict[str, int] = {}  # how many fields a text has at least
        self._named_by = named_by
        for kind in kinds:
            written, plain = fields_of(kind, named_by), getattr(kind, named_by)
            flag, other = getattr(kind, "flagged", ("", ""))
            flags_of: dict[str, dict[str, bool]] = {plain: {}}
            if flag:
                flags_of = {plain: {flag: False}, other: {flag: True}}
            for name, flags in flags_of.items():
                if name in self.kinds:
                    raise ValueError(
                        f"{kind.__name__} and {self.kinds[name].__name__} are both named {name}."
                    )
                self.kinds[name], self._flags[name] = kind, flags
                self._fields[name] = tuple(each for each in written if each.name != flag)
                self._needed[name] = _needed(kind, self._fields[name])

    def encode(self, value: V) -> str:
        """Return the value as text. Raises ``ValueError`` if its class is not registered."""
        flag, other = getattr(value, "flagged", ("", ""))
        name = other if flag and getattr(value, flag) else getattr(value, self._named_by)
        if self.kinds.get(name) is not type(value):
            raise ValueError(f"{type(value).__name__} is not one of the registered classes.")
        texts = [name]
        for field in self._fields[name]:
            texts.append(field.write(getattr(value, field.name)))
        return SEPARATOR.join(texts)

    def decode(self, text: str) -> V | None:
        """Return the value of a text; None if `encode` can't have produced the text.

        Last fields with a default may be missing: the text is of a version that had not got them.
        """
        name, *texts = text.split(SEPARATOR)
        kind = self.kinds.get(name)
        if kind is None or not self._needed[name] <= len(texts) <= len(self._fields[name]):
            return None
        read = {}
        try:
            for field, written in zip(self._fields[name], texts, strict=False):
                read[field.name] = field.read(written)
            for field in self._fields[name][len(texts) :]:
                if field.absent is not MISSING:
                    read[field.name] = field.absent
            return kind(**read, **self._flags[name])
        except ValueError:
            return None


def _needed(kind: type, written: tuple[Field, ...]) -> int:
    """Return how many of these fields come up to the last one without a default."""
    found: Any = fields(kind)
    without = {each.name for each in found if each.default is MISSING}
    places = [place for place, field in enumerate(written, start=1) if field.name in without]
    return max(places, default=0)


def fields_of(kind: type, named_by: str = "name") -> tuple[Field, ...]:
    """Return the fields of a class in order. Raises ``ValueError`` with a sentence if it can't be
    encoded.
    """
    name = getattr(kind, named_by)
    if not name or SEPARATOR in name:
        raise ValueError(f"{kind.__name__} needs a {named_by} without a colon, not “{name}”.")
    try:
        hints = _hints(kind)
    except NameError as error:
        raise ValueError(f"{kind.__name__} has a field of an unknown type ({error}).") from None
    found: Any = fields(kind)
    return tuple(_field(kind, field.name, hints[field.name]) for field in found)


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    """Return the types of a class's fields. Cached: computing them takes a twentieth of the
    start-up time.
    """
    return get_type_hints(kind, include_extras=True)


def _field(kind: type, name: str, hint: Any) -> Field:
    if hint == Since:
        return _optional(Field(name, str, read_int))._replace(absent=0, longest=7)
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if get_origin(hint) in (Union, UnionType):
        types = [each for each in get_args(hint) if each is not NoneType]
        if len(types) == 1:
            return _optional(_field(kind, name, types[0]))
    if get_origin(hint) is Literal:
        return _choice(kind, name, {value: str(value) for value in get_args(hint)})
    if hint is bool:
        return _choice(kind, name, {False: "0", True: "1"})
    if hint is int:
        return Field(name, str, read_int)
    if hint is str:
        return Field(name, _write_str, _read_str)
    raise ValueError(
        f"{kind.__name__}.{name} is neither int, str, bool nor Literal, nor one of them or None."
    )


def _optional(field: Field) -> Field:
    """Return the field with None encoded as the empty text. Other values that encode to it are
    refused.
    """

    def write(value: Any) -> str:
        text = "" if value is None else field.write(value)
        if value is not None and not text:
            raise ValueError(f"{field.name} can be None, so it can't be empty.")
        return text

    return field._replace(write=write, read=lambda text: field.read(text) if text else None)


def _choice(kind: type, name: str, written: Mapping[Any, str]) -> Field:
    """Return the field for a choice of values with distinct texts."""
    read = {text: value for value, text in written.items()}
    if len(read) < len(written) or any(SEPARATOR in text for text in read):
        raise ValueError(
            f"{kind.__name__}.{name} has two values of one text, or a colon in a value."
        )
    longest = max(map(len, read))
    return Field(name, partial(_chosen, written), partial(_chosen, read), longest=longest)


def _chosen(choices: Mapping[Any, Any], key: Any) -> Any:
    if key not in choices:
        raise ValueError(f"{key!r} is none of {', '.join(map(repr, choices))}.")
    return choices[key]


def read_int(text: str) -> int:
    """Parse the number in a field. Raises ``ValueError`` for any other text."""
    # `int` alone would also accept "1_000", " 7" and digits of other scripts, which are never
    # written.
    if not re.fullmatch(r"0|-?[1-9][0-9]*", text):
        raise ValueError(f"{text!r} is not a number.")
    number = int(text) if len(text) <= DIGITS_MAX else NUMBER_MAX + 1
    if abs(number) > NUMBER_MAX:
        raise ValueError(f"{text[:DIGITS_MAX]} has more than 64 bits.")
    return number


def _write_str(text: str) -> str:
    return text.replace("%", "%25").replace(SEPARATOR, "%3A")


def _read_str(text: str) -> str:
    read = text.replace("%3A", SEPARATOR).replace("%25", "%")
    if _write_str(read) != text:  # each value has only one encoding
        raise ValueError(f"{text!r} has a percent sign that encodes nothing.")
    return read


# ---------------------------------------------------------------- picked cards

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""The digits for the number of picked cards of a kind. No hand has more than 35 of one."""

DIGIT_MAX = len(DIGITS) - 1
"""The largest number that one digit can say."""

DIGEST = 6
"""The length of the digest of a hand, in characters."""


def write_picked(hand: Goods, picked: Goods) -> str:
    """Encode the cards picked from a hand, without the digest.

    >>> write_picked(Goods({"oil": 1, "silk": 2}), Goods({"silk": 1}))
    '01'
    """
    counts = (min(picked.count(token), DIGIT_MAX) for token in hand)
    return "".join(DIGITS[count] for count in counts)


def read_picked(hand: Goods, picked: str, digest: str) -> Goods | None:
    """Return the picked cards; None if the hand has changed or the text is invalid.

    >>> hand = Goods({"oil": 1, "silk": 2})
    >>> read_picked(hand, "01", digest_of_hand(hand))
    Goods({'silk': 1})
    """
    if digest != digest_of_hand(hand) or len(picked) != len(hand):
        return None
    counts = dict[str, int]()
    for token, digit in zip(hand, picked, strict=True):
        if digit not in DIGITS:
            return None
        if digit != "0":
            counts[token] = DIGITS.index(digit)
    goods = Goods(counts)
    return None if hand.missing(goods) else goods


def digest_of_hand(hand: Goods) -> str:
    """Return the digest of a hand.

    >>> digest_of_hand(Goods({"silk": 2}))
    'd66ecb'
    """
    text = ",".join(f"{token}*{count}" for token, count in hand.items())
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST]


# ---------------------------------------------------------------- goods

CODE = 4
"""The length of a token's code, in characters."""


def write_goods(goods: Goods) -> str:
    """Encode goods: each kind in `CODE` + 1 characters. Raises ``ValueError`` for a count above
    `DIGIT_MAX`.
    """
    if any(count > DIGIT_MAX for count in goods.values()):
        raise ValueError(f"{goods} has more than {DIGIT_MAX} of a kind.")
    return "".join(f"{_code(token)}{DIGITS[count]}" for token, count in goods.items())


def read_goods(text: str, tokens: Collection[str]) -> Goods | None:
    """Return encoded goods; None if the text is invalid or has a code of none, or of several, of
    these tokens.
    """
    codes = Counter(map(_code, tokens))
    known = {code: token for token in tokens if codes[code := _code(token)] == 1}
    counts: dict[str, int] = {}
    for start in range(0, len(text), CODE + 1):
        end = start + CODE
        token, digit = known.get(text[start:end]), text[end : end + 1]
        if token is None or token in counts:
            return None
        if not digit or digit not in DIGITS[1:]:
            return None
        counts[token] = DIGITS.index(digit)
    return Goods(counts)


@cache
def _code(token: str) -> str:
    digest = hashlib.sha256(token.encode()).digest()
    return urlsafe_b64encode(digest)[:CODE].decode()
