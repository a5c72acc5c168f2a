"""Audits: the ledger in pages, the story of one transaction, one player's books, and the head of the chain.

A page is drawn anew from the entries each time it is turned, for whoever turns it: its buttons carry the table, up to
which entry it reads, the page and what it is filtered by.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from bot.desk import Look
from bot.rules import books
from bot.rules.books import Move, Step
from bot.rules.entries import Corrected, Recorded, SeatTaken, Signed, Transaction
from bot.rules.goods import Goods
from bot.rules.offer_state import rulings, trade_of
from bot.rules.ruling import Ruling
from bot.rules.views import Viewer
from bot.show import names
from bot.show.cards import Button, Card
from bot.show.story import sentence

LINES, LINE_MOST = 8, 400
"""Entries on a page, and characters of one: together well under the 4000 of a message."""

STORY_LINES, STORY_MOST = 6, 540
"""The same for a transaction's story, where everything is told in full."""

TRACED = 12
"""Entries named beside a balance: the newest of those that it is the sum of."""


Line = Callable[[], str]
"""A line of a page, written when it is shown."""


@dataclass(frozen=True)
class Page:
    """Which page of what. ``what`` and ``filters`` are as the buttons carry them; ``upto`` is the last entry read."""

    what: str
    upto: int
    number: int = 1
    filters: str = ""

    def turn(self, look: Look, last: int) -> tuple[tuple[Button, ...], ...]:
        """The buttons to the pages before and after."""

        def to(label: str, number: int) -> tuple[Button, ...]:
            action = f"{self.what}:{look.table_id}:{self.upto}:{number}:{self.filters}"
            return (Button(label, action),) if 1 <= number <= last else ()

        row = (*to("Back", self.number - 1), *to("More", self.number + 1))
        return (row,) if row else ()


@dataclass(frozen=True)
class Filter:
    """Which entries of the ledger: of one person, of one kind, from one number on, of one offer."""

    person: int = 0
    kind: str = ""
    since: int = 0
    offer: int = 0

    def fits(self, step: Step, viewer: Viewer) -> bool:
        """Whether an entry passes."""
        kind = step.entry.kind
        return (
            step.recorded.seq >= self.since
            and (not self.kind or kind == self.kind or kind.startswith(f"{self.kind}."))
            and (not self.offer or getattr(step.entry, "offer", None) == self.offer)
            and (not self.person or books.concerns(step, self.person, viewer))
        )


def ledger_card(look: Look, life: Sequence[Step], viewer: Viewer, page: Page, only: Filter) -> Card:
    """The entries that pass the filter, newest first."""
    found = [step for step in reversed(life) if only.fits(step, viewer)]
    title = f"### Ledger of {names.escape(look.table.name)}{_filtered(look, only)}"
    return _paged(look, (title,), _lines(look, found, viewer), page, LINES)


def history_card(look: Look, life: Sequence[Step], viewer: Viewer, page: Page, only: Filter) -> Card:
    """What happened, as far as this viewer may know it, newest first; of one player also what became of promises."""
    found = [step for step in reversed(life) if only.fits(step, viewer)]
    head = [f"### What happened at {names.escape(look.table.name)}{_filtered(look, only)}"]
    seat = books.seat_of(life, only.person) if only.person else None
    if seat is not None:
        head += [promises_text(life, only.person), *_since(life, only.person, seat)]
    return _paged(look, tuple(head), _lines(look, found, viewer), page, LINES)


def trade_card(look: Look, life: Sequence[Step], viewer: Viewer, page: Page, number: int) -> Card:
    """The whole story of a transaction, from its first offer to what followed."""
    done = books.transaction(life, number)
    entry = done.entry
    assert isinstance(entry, Transaction)
    two = f"{names.player(look, entry.first)} and {names.player(look, entry.second)}"
    head = (f"### Transaction {number}\n{two} · resolved <t:{done.recorded.at // 1000}:f>",)
    told = [_told(look, step, viewer, "f", _asked(look, step, viewer)) for step in books.story(life, number)]
    lines = [partial(str, line) for line in (*told, *_follows(look, done, viewer))]
    return _paged(look, head, lines, page, STORY_LINES, STORY_MOST)


def player_card(look: Look, life: Sequence[Step], viewer: Viewer, page: Page, person: int) -> Card:
    """One player's books: what they have, as sums of entries; what came and went; promises."""
    who = names.tell(look, f"<person:{person}>")
    seat = books.seat_of(life, person)
    if seat is None:
        return Card("open", (f"### {who}", "They have had no seat at this table, and so no goods."))
    head = [f"### {who} · {names.seat_name(look, seat)}", promises_text(life, person), *_since(life, person, seat)]
    if look.table.settings.inventory == "untracked":
        head.append("This table does not keep count of holdings.")
    sat = {step.recorded.seq for step in books.sat(life, person, seat)}
    moved = [
        (step, _known(look, every, seat, viewer))
        for step, every in books.moved(life, viewer)
        if step.recorded.seq <= max(sat)
    ]
    if not _sees_all(viewer, seat):
        head.append("-# Without what only they may know. It opens when the table closes, unless the host chose not so.")
    lines: list[Line] = [partial(str, line) for line in _balances(look, moved) or ["They have nothing you may see."]]
    lines += [
        partial(_told_moves, look, step, some, viewer)
        for step, some in reversed(moved)
        if some and step.recorded.seq in sat
    ]
    return _paged(look, tuple(head), lines, page, LINES)


def verify_card(table_id: int, name: str, seq: int, head: str, why: str | None) -> Card:
    """What checking a table's chain came to; ``why`` says what is wrong with entry ``seq``, if anything is."""
    if why is not None:
        told = f"❌ **The chain does not hold.** Entry {seq}: {why}. Nothing from there on can be relied upon."
        return Card("over", (f"### Ledger of {names.escape(name)}", told))
    told = f"✅ **The chain holds**, from the first entry to number {seq}. Its head:\n`{head}`"
    after = f"-# Later, `bourse verify --head {table_id}:{head}` shows whether anything up to here was changed or cut."
    return Card("done", (f"### Ledger of {names.escape(name)}", told, after))


def head_card(look: Look, recorded: Recorded) -> Card:
    """The head of the chain, for everybody in the channel to keep: when the table closes, and when it is checked."""
    closed = recorded.entry.kind == "table.closed"
    why = "This table is closed." if closed else names.tell(look, f"<person:{recorded.by}> had the ledger checked.")
    told = f"{why} Its ledger ends with entry {recorded.seq}, and the head of its chain is\n`{recorded.hash}`"
    if not closed:
        told = told.replace("ends with", "is now at")
    return Card(
        "done", (f"### {names.escape(look.table.name)}", told, "-# Whoever keeps this can show any later change.")
    )


def correction_card(look: Look, recorded: Recorded, told: str) -> Card:
    """A correction, for everybody: who made it, what it changed and why. ``told`` is its sentence."""
    by = names.tell(look, f"<person:{recorded.by}>")
    undone = names.game_of(look).cite("irrevocable")
    stays = f"Nothing before it was rewritten, and no transaction is undone by it{undone}."
    return Card("waiting", (told, f"-# Entry {recorded.seq}, by {by}. {stays}"))


def _since(life: Sequence[Step], person: int, seat: str) -> list[str]:
    """When this person had the seat, where others had it as well; what those did there is not theirs."""
    taken = [step.entry.person for step in life if isinstance(step.entry, SeatTaken) and step.entry.seat == seat]
    if set(taken) == {person}:
        return []
    sat = [step.recorded.seq for step in books.sat(life, person, seat)]
    there = life[-1].after.seats[seat].person == person
    until = "" if there else f" and left it with entry {sat[-1]}"
    return [f"-# Others have sat here too. They took this seat with entry {sat[0]}{until}; only that counts for them."]


def promises_text(life: Sequence[Step], person: int) -> str:
    """What became of a person's promises, as the others say."""
    kept, broken, unmarked = books.promises(life, person)
    said = [
        f"**{what}: {len(numbers)}**" + (f" (deal {', '.join(f'#{n}' for n in numbers[-TRACED:])})" if numbers else "")
        for what, numbers in (("kept", kept), ("broken", broken), ("nothing said yet", unmarked))
    ]
    return f"Promises {', '.join(said)}"


def fit(text: str, most: int) -> str:
    """Text of ours cut at a space, so that no mention is cut in two, and no bold is left open."""
    if len(text) <= most:
        return text
    cut = text[: most - 4].rsplit(" ", 1)[0]
    return f"{cut}{'**' if cut.count('**') % 2 else ''} …"


def _paged(
    look: Look, head: tuple[str, ...], lines: Sequence[Line], page: Page, many: int, most: int = LINE_MOST
) -> Card:
    """One page of lines under a head, with the buttons to the others. Only the lines that are shown are written."""
    last = max(1, -(-len(lines) // many))
    shown = lines[(page.number - 1) * many : page.number * many]
    told = "\n".join(fit(line(), most) for line in shown) or "There is nothing here."
    count = f"{len(lines)} {'line' if len(lines) == 1 else 'lines'}"
    foot = f"-# Page {page.number} of {last} · {count} · as of entry {page.upto}"
    return Card("open", (*head, told, foot), page.turn(look, last))


def _lines(look: Look, found: Sequence[Step], viewer: Viewer) -> list[Line]:
    return [partial(_told, look, step, viewer, "R") for step in found]


def _told(look: Look, step: Step, viewer: Viewer, style: str, more: str = "") -> str:
    at = f"<t:{step.recorded.at // 1000}:{style}>"
    told = sentence(look.table_id, look.people, step, viewer)
    return f"**#{step.recorded.seq}** {at} {told}{more}"


def _filtered(look: Look, only: Filter) -> str:
    told = [
        f"{only.kind}" if only.kind else "",
        names.tell(look, f"<person:{only.person}>") if only.person else "",
        f"offer #{only.offer}" if only.offer else "",
        f"from #{only.since} on" if only.since else "",
    ]
    return "".join(f" · {each}" for each in told if each)


def _asked(look: Look, step: Step, viewer: Viewer) -> str:
    """What the rules said when this signature was given, or at the exchange."""
    entry, table = step.entry, step.before
    if not isinstance(entry, Signed | Transaction):
        return " This is a correction, not part of the trade." if isinstance(entry, Corrected) else ""
    offer = table.offers[entry.offer]
    shown = offer.shown_to(viewer.seat) and (offer.shown_to(None) or step.recorded.seq >= viewer.since)
    if not (shown or viewer.moderates or viewer.after_close):
        return ""  # what the rules said tells what was offered in private
    trade = trade_of(offer, entry.seat if isinstance(entry, Signed) else entry.second)
    found = [ruling for ruling in rulings(table, trade) if _may_read(ruling, viewer, step)]
    if not found:
        return " Nothing forbade it." if isinstance(entry, Transaction) else ""
    then = Look(look.table_id, step.after, look.people)
    return f" The rules said then: {names.tell(then, found[0].sentence())}"


def _may_read(ruling: Ruling, viewer: Viewer, then: Step) -> bool:
    return not ruling.known_to or _sees_all(viewer, ruling.known_to, then)


def _follows(look: Look, done: Step, viewer: Viewer) -> list[str]:
    """What could have followed by the rules, for those who were told."""
    assert isinstance(done.entry, Transaction)
    then = Look(look.table_id, done.after, look.people)
    return [
        names.tell(then, f"↳ Said to <seat:{follow.seat}> only: {follow.text}")
        for follow in names.game_of(look).follows(done.after, done.entry)
        if _sees_all(viewer, follow.seat, done)
    ]


def _sees_all(viewer: Viewer, seat: str, then: Step | None = None) -> bool:
    """Whether nothing of this seat is hidden from the viewer: now, or as of an entry."""
    mine = viewer.sits(seat, then.recorded.seq) if then else viewer.seat == seat
    return viewer.moderates or viewer.after_close or mine


def _known(look: Look, every: Sequence[Move], seat: str, viewer: Viewer) -> list[Move]:
    """A seat's moves; for who may not see its hand, only those of what always lies open, so that sums come out."""
    game = names.game_of(look)
    return [
        move
        for move in every
        if move.seat == seat
        and (_sees_all(viewer, seat) or (move.place == "hand" and game.open_goods(Goods({move.token: 1}))))
    ]


def _balances(look: Look, moved: Sequence[tuple[Step, Sequence[Move]]]) -> list[str]:
    """Each component that a seat has, with the entries that it is the sum of."""
    traced: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for step, some in moved:
        for move in some:
            if move.gained != move.lost:
                traced.setdefault((move.place, move.token), []).append((step.recorded.seq, move.gained - move.lost))
    told, open_goods = [], names.game_of(look).open_goods
    # what lies open first: that is what most questions are about
    for (place, token), parts in sorted(traced.items(), key=lambda one: (not open_goods(Goods({one[0][1]: 1})), one)):
        if total := sum(amount for _, amount in parts):
            goods = names.tell(look, names.game_of(look).tell_goods(Goods({token: total})))
            refs = " ".join(f"#{seq} {amount:+d}" for seq, amount in parts[-TRACED:])
            earlier = "… " if len(parts) > TRACED else ""
            told.append(f"**{goods}**{' in play' if place == 'play' else ''} = {earlier}{refs}")
    return told


def _told_moves(look: Look, step: Step, some: Sequence[Move], viewer: Viewer) -> str:
    """What one entry moved, and the entry."""
    tell = names.game_of(look).tell_goods
    parts = [
        f"{sign}{names.tell(look, tell(Goods({move.token: count})))}"
        for move in some
        for sign, count in (("−", move.lost), ("+", move.gained))
        if count
    ]
    at, why = f"<t:{step.recorded.at // 1000}:R>", sentence(look.table_id, look.people, step, viewer)
    return f"**#{step.recorded.seq}** {at} {fit(', '.join(parts), 150)} · {why}"
