"""Cards: messages as plain values, with typed actions, and cutting texts to Discord's limits.

`bot.delivery.render` draws cards on Discord.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from hashlib import sha256
from typing import Concatenate, Literal, ParamSpec, TypeVar

from bot.rules.game import Icon
from bot.rules.guard import safely
from bot.rules.model.actions import Action, Choice, LabelledAction
from bot.rules.model.stamps import Stamp
from bot.rules.model.values import frozen
from bot.rules.views import EntryView, MenuItem, TableView
from bot.show.names import Named, names_of, plain_text
from bot.show.pictures import Picture, Sketch
from bot.show.stamps import stamp_of

Style = Literal["primary", "secondary", "success", "danger"]
Mood = Literal["open", "waiting", "done", "over"]
"""The state of what a card shows. It decides the card's colour."""

SELECT_MAX = 25
"""Discord's limit on the options of a select.

>>> len(["silk", "spice"][:SELECT_MAX])
2
"""

BUTTONS_MAX = ROWS_MAX = 5
"""Discord's limits on the buttons in a row, and on the rows of a message that may ring."""

LABEL_MAX = 80
"""Discord's limit on a button's label, in characters.

>>> len("Open the market"[:LABEL_MAX])
15
"""


@frozen
class Button:
    """A button with its action. ``icon`` stands before the label, which says the same in words.
    A label is cut to `LABEL_MAX` characters.

    >>> Button("Accept", Press(table.id, SetPhase("market")), "success").disabled
    False
    """

    label: str
    action: Action
    style: Style = "secondary"
    disabled: bool = False
    icon: Icon | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label[:LABEL_MAX])


@frozen
class Select:
    """A choice from a list of (label, value), at most `SELECT_MAX`. Choosing changes nothing;
    buttons do.

    Selects are for private messages. A choice updates its message and never opens a form: Discord's
    client keeps what was chosen until then, and sends nothing if the same is chosen again.

    ``min_values`` and ``max_values`` bound the number of choices; ``chosen`` are the values already
    chosen. ``details`` are small lines under the labels, one for each option, or none. ``place`` is
    the place among the menus of one message with the same action; see `selects`.

    >>> class PickStall(Choice):
    ...     name = "bazaar.pick"
    >>> Select("Which stall?", PickStall(table.id), (("Red", "red"), ("Green", "green"))).max_values
    1
    """

    placeholder: str
    action: Choice
    options: tuple[tuple[str, str], ...]
    max_values: int = 1
    chosen: tuple[str, ...] = ()
    min_values: int = 1
    details: tuple[str, ...] = ()
    place: int = 0


Rows = tuple[tuple[Button, ...] | Select | str, ...]
"""The components under a card: rows of buttons, selects, or small headings, which what may ring
does not have.
"""


SELECTS = 2
"""The most menus with one action in a message."""


def selects(
    placeholder: str,
    action: Choice,
    options: Sequence[tuple[str, str]],
    more: str,
    *,
    chosen: Sequence[str] = (),
    details: Mapping[str, str] | None = None,
) -> tuple[Select | str, ...]:
    """Return the menus of all these options, and how many have no place in them.

    What one menu does not hold is in a second; then what is chosen comes first. ``more`` says how
    to reach the others, such as ``/holdings show``. Every menu from which one thing is chosen is
    made here, so that none ends in silence.

    >>> class PickStall(Choice):
    ...     name = "bazaar.stall"
    >>> stalls = [(f"Stall {number}", f"{number}") for number in range(60)]
    >>> *_, rest = selects("Which stall?", PickStall(table.id), stalls, "walk there")
    >>> rest
    '10 more: walk there'
    """
    ordered = list(options)
    if len(ordered) > SELECT_MAX:
        ordered.sort(key=lambda option: option[1] not in chosen)
    rows: list[Select | str] = []
    shown = ordered[: SELECTS * SELECT_MAX]
    for place, first in enumerate(range(0, len(shown), SELECT_MAX)):
        part = tuple(shown[first : first + SELECT_MAX])
        values = {value for _, value in part}
        heading = placeholder
        if len(shown) > SELECT_MAX:
            heading = f"{placeholder} ({place + 1} of {SELECTS})"
        here = tuple(value for value in chosen if value in values)
        below = tuple(details[value] for _, value in part) if details else ()
        rows.append(Select(heading, action, part, chosen=here, details=below, place=place))
    if len(ordered) > len(shown):
        rows.append(f"{len(ordered) - len(shown)} more: {more}")
    return tuple(rows)


def button_rows(
    buttons: Sequence[Button], most: int, more: str
) -> tuple[tuple[Button, ...] | str, ...]:
    """Return rows of the first buttons, and how many have no place there; ``more`` says how to
    reach those.
    """
    rows = rows_of(buttons[:most])
    left = len(buttons) - most
    return (*rows, f"{left} more: {more}") if left > 0 else rows


@dataclass(frozen=True)
class Card:
    """A message: text blocks from top to bottom, then a picture, then rows of buttons or selects.
    Empty blocks are left out, and a text alone is one block.

    A ``picture`` that is a `Sketch` is drawn when the card is sent. ``picture_after`` is the number
    of blocks above the picture; None for all. Everything in the picture is also in words, in its
    ``alt`` or the blocks. A ``plain`` card is drawn without a frame, like a person's message; it
    has blocks only.

    ``line`` is what a locked phone shows of a message that may ring, which lies on the table for
    all to see: who wants what from whom at which table, and never goods. Other messages don't show
    it. ``stamp`` is that of the newest entry that its buttons are about.

    >>> Card("open", ("### The market", "Everybody may trade.")).mood
    'open'
    """

    mood: Mood
    blocks: Sequence[str]
    rows: Rows = ()
    picture: Picture | Sketch | None = None
    plain: bool = False
    picture_after: int | None = None
    line: str = ""
    stamp: Stamp | None = None

    def __post_init__(self) -> None:
        blocks = [self.blocks] if isinstance(self.blocks, str) else self.blocks
        object.__setattr__(self, "blocks", tuple(filter(None, blocks)))

    @cached_property
    def digest(self) -> str:
        """A digest of everything the card shows, to tell whether a message needs an edit."""
        return sha256(repr(self).encode()).hexdigest()[:16]

    def stamped(self, stamp: Stamp | None) -> Card:
        """Return the card with this stamp, unless it has a newer one."""
        newer = stamp is not None and (self.stamp is None or self.stamp.seq < stamp.seq)
        return replace(self, stamp=stamp) if newer and self.rows else self

    def actions(self) -> Iterator[Action]:
        """Yield the actions of its buttons and menus."""
        for row in self.rows:
            if isinstance(row, Select):
                yield row.action
            elif not isinstance(row, str):
                for button in row:
                    yield button.action


UNSHOWN = Card("open", "I can't show this. It counts all the same.", line="There is news")
"""What stands in place of a card that can't be made."""

C = TypeVar("C", Card, Card | None)
N = TypeVar("N", TableView, EntryView)
P = ParamSpec("P")


def drawn(make: Callable[Concatenate[N, P], C]) -> Callable[Concatenate[N, P], C]:
    """Give a card its stamp, and have one that can't be made of what a game returned be `UNSHOWN`.

    The log says which game, and where: no message stays away for it.
    """

    @wraps(make)
    def card(named: N, /, *args: P.args, **options: P.kwargs) -> C:
        shown = safely(names_of(named).game, UNSHOWN, make, named, *args, **options)
        if not isinstance(shown, Card):
            return shown
        about = (*args, *options.values())
        return shown.stamped(stamp_of(named, about, shown.actions()))

    return card


def link(subject: str, text: str) -> str:
    """Return a text that leads to the message about a subject of delivery, such as ``offer:12``,
    where that is known.

    ``table`` leads to the table's channel. `bot.delivery.render` draws the link. The text has no
    mentions.
    """
    return f"<at:{subject}>{text}</at>"


def text_card(text: str) -> Card:
    """Return the text as a card without a frame.

    >>> text_card("The market is open.").plain
    True
    """
    return Card("open", text, plain=True)


def button_of(
    named: Named, option: LabelledAction | MenuItem, style: Style = "secondary"
) -> Button:
    """Return the button of this action."""
    return Button(plain_text(named, option.label), option.action, style)


def buttons_of(
    named: Named, options: Iterable[LabelledAction], style: Style = "secondary"
) -> tuple[Button, ...]:
    """Return a button for each of these actions.

    >>> begin = button("Begin", table, SetPhase("market"))
    >>> [shown.label for shown in buttons_of(view, (begin,))]
    ['Begin']
    """
    return tuple(button_of(named, option, style) for option in options)


def rows_of(every: Sequence[Button]) -> tuple[tuple[Button, ...], ...]:
    """Return these buttons in rows of Discord's maximum length.

    >>> market = Press(table.id, SetPhase("market"))
    >>> len(rows_of([Button(str(number), market) for number in range(7)]))
    2
    """
    return tuple(
        tuple(every[first : first + BUTTONS_MAX]) for first in range(0, len(every), BUTTONS_MAX)
    )


def even_rows(buttons: Sequence[Button]) -> tuple[tuple[Button, ...], ...]:
    """Return these buttons in as few rows as there can be, of about the same length."""
    if not buttons:
        return ()
    rows = -(-len(buttons) // BUTTONS_MAX)
    size = -(-len(buttons) // rows)
    starts = range(0, len(buttons), size)
    return tuple(tuple(buttons[first : first + size]) for first in starts)


def packed(rows: Rows) -> list[tuple[Button, ...] | Select]:
    """Return the rows without headings, and with the last rows of buttons joined until a classical
    message has room.

    A private card may have more rows than that, and takes the place of a message that was sent as a
    classical one.
    """
    found = [row for row in rows if not isinstance(row, str)]
    for at in range(len(found) - 1, 0, -1):
        first, second = found[at - 1], found[at]
        if len(found) <= ROWS_MAX or isinstance(first, Select) or isinstance(second, Select):
            continue
        if len(first) + len(second) <= BUTTONS_MAX:
            found[at - 1 : at + 1] = [(*first, *second)]
    return found


def fits_classical(rows: Rows) -> bool:
    """Return whether a classical message has room for these rows."""
    return len(packed(rows)) <= ROWS_MAX


# ---------------------------------------------------------------- cutting texts and lists, saying h

TEXT_MAX = 3800
"""The most characters of variable text in a card. Discord's limit is 4000; the rest is for fixed
text.
"""

LINE_MAX = 160
"""The most characters of a list's line: about three lines on a phone."""


def truncate_lines(lines: Sequence[str], length: int) -> list[str]:
    """Return as many lines as fit into ``length`` characters, then the number of the others.

    Each line is cut to `LINE_MAX` characters.
    """
    kept: list[str] = []
    room = length - 40  # for the words at the end
    for line in lines:
        short = clipped(line, LINE_MAX)
        if room < len(short) + 1:
            return [*kept, f"-# and {len(lines) - len(kept)} more"]
        kept.append(short)
        room -= len(short) + 1
    return kept


def fitting(lines: Iterable[str], room: int) -> list[str]:
    """Return as many of the first lines as fit into ``room`` characters."""
    kept = []
    for line in lines:
        room -= len(line)
        if room <= 0:
            break
        kept.append(line)
    return kept


def truncate_list(line: str, length: int) -> str:
    """Cut a comma-separated list to ``length`` characters, at a comma, and say how many more
    follow.
    """
    if len(line) <= length:
        return line
    head = line[: length - 20].rpartition(", ")[0]
    return f"{head}, and {line[len(head) :].count(', ')} more"


_RULE = re.compile(r"(?<!gainst) \[(\w?\d[\d.]*(?: note [\d.]+)?)\]")


def rules_last(text: str, *first: str) -> str:
    """Return a text with the numbers of the rules that it cites at its end, in small print;
    ``first`` before them.

    >>> print(rules_last("Choose 2 to discard now [2.4]. They are yours."))
    Choose 2 to discard now. They are yours.
    -# [2.4]
    """
    rules = dict.fromkeys((*filter(None, first), *_RULE.findall(text)))
    if not rules:
        return text
    numbers = " ".join(f"[{number}]" for number in rules)
    return f"{_RULE.sub('', text)}\n-# {numbers}"


def clipped(text: str, length: int) -> str:
    """Cut a text, such as a label, to ``length`` characters, without a backslash that would escape
    the ellipsis.
    """
    return text if len(text) <= length else f"{text[: length - 1].rstrip(chr(92))}…"


def plural(count: int, what: str) -> str:
    """Return so many of something.

    >>> plural(1, "card"), plural(2, "card")
    ('1 card', '2 cards')
    """
    return f"{count} {what}{'' if count == 1 else 's'}"


def listed(names: Sequence[str]) -> str:
    """Return names as one says them.

    >>> listed(["Ann"]), listed(["Ann", "Bob", "Cem"])
    ('Ann', 'Ann, Bob and Cem')
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def truncate(text: str, length: int) -> str:
    """Cut text to ``length`` characters, at a space, without cutting a mention or leaving bold
    open.
    """
    if len(text) <= length:
        return text
    cut = text[: length - 4].rsplit(" ", 1)[0]
    return f"{cut}{'**' if cut.count('**') % 2 else ''} …"
