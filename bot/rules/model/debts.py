"""Debts, and the words by which a side of an offer owes or pays.

Words stand among the goods of a side and move nothing: ``owed:<component>`` is given later, and
``pays:<debt>:<left>`` counts what is given against a debt. A debt has the number of the offer it
came with.
"""

from __future__ import annotations

from bot.rules.model.goods import NOTHING, Goods, kind_of
from bot.rules.model.values import frozen
from bot.rules.model.windows import SeatId

OWED = "owed"
"""The kind of the words that owe.

>>> OWED
'owed'
"""

PAYS = "pays"
"""The kind of the words that pay.

>>> PAYS
'pays'
"""

_WORDS = (f"{OWED}:", f"{PAYS}:")


@frozen
class Debt:
    """Goods that one seat owes another, whoever sits there. ``private``: only these two may know of
    it.

    ``transaction`` is the one it came with, 0 for a deal, and ``window`` the number of that window.
    ``paid`` has how much each transaction paid, 0 standing for a debt of the other that was set off
    against it. ``disputed`` is what the debtor says against it. ``forgiven`` is how much the
    creditor forgave, and ``slip`` how much of that lately, which can be undone; ``slip_age`` counts
    the windows since.
    """

    number: int
    debtor: SeatId
    creditor: SeatId
    owed: int
    private: bool = False
    transaction: int = 0
    window: int = 0
    paid: tuple[tuple[int, int], ...] = ()
    disputed: str = ""
    forgiven: int = 0
    slip: int = 0
    slip_age: int = 0

    @property
    def left(self) -> int:
        """How much is still owed."""
        return self.owed - self.forgiven - sum(amount for _, amount in self.paid)

    @property
    def payment(self) -> str:
        """The word that pays it."""
        return f"{PAYS}:{self.number}:{self.left}{':private' if self.private else ''}"

    def between(self, seat: str | None) -> bool:
        """Return whether this seat owes it, or is owed."""
        return seat in (self.debtor, self.creditor)


def owed(token: str) -> str:
    """Return the word that owes a component.

    >>> owed("silk")
    'owed:silk'
    """
    return f"{OWED}:{token}"


def debt_word(debt: int) -> str:
    """Return the word that pays this debt, as it is typed; how much is left of it is found when it
    is offered.

    >>> debt_word(3)
    'pays:3:1'
    """
    return f"{PAYS}:{debt}:1"


def debt_paid(word: str) -> int:
    """Return the number of the debt that a word pays."""
    return int(word.split(":")[1])


def left_to_pay(word: str) -> int:
    """Return how much was owed before what this word pays."""
    return int(word.split(":")[2])


def is_word(token: str) -> bool:
    """Return whether this moves nothing."""
    return token.startswith(_WORDS)


def is_private(word: str) -> bool:
    """Return whether a word pays a private debt, so that only the two may read it."""
    return word.endswith(":private") and kind_of(word) == PAYS


def words_of(goods: Goods) -> Goods:
    """Return the words of a side."""
    return goods.of_kind(OWED, PAYS) if any(map(is_word, goods)) else NOTHING


def without_words(goods: Goods) -> Goods:
    """Return what a side really gives."""
    return goods.without_kind(OWED, PAYS) if any(map(is_word, goods)) else goods


def without_private(goods: Goods) -> Goods:
    """Return the goods and words that others may read."""
    return Goods({token: count for token, count in goods.items() if not is_private(token)})
