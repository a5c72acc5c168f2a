"""Narration: what happened, a sentence for each entry, from what the viewer may see of it.

An entry whose sentence depends on nothing else has it itself (`Entry.sentence`); this module adds
those that name goods or settings, in the game's words. Seats are named after the people who held
them at the time. There is one way from an entry to words, `narrate`, in two details: the ledger's
exact sentence, for audits and files; and the story, as friends would tell it. `headline` is the
line that the channel reads when something happens. All return markup.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from bot.rules.features.deals import DealProposed, DealVoided
from bot.rules.features.holdings import Corrected, Gained, GoodsMoved, Spent
from bot.rules.features.negotiations import NegotiationClosed
from bot.rules.features.offers.entries import (
    HandedOver,
    OfferAgreed,
    OfferAltered,
    OfferBecameDeal,
    OfferConfided,
    OfferCountered,
    OfferEntry,
    OfferPicked,
    OfferPosted,
    OfferStands,
    OfferVoided,
    Signed,
    Transaction,
)
from bot.rules.features.tables import PhaseSet, SettingsChanged
from bot.rules.guard import FALLBACKS, presented, safely
from bot.rules.model.debts import OWED
from bot.rules.model.goods import NOTHING, Change, Goods
from bot.rules.model.text import convert, quoted
from bot.rules.uninstalled import UnknownEntry, id_in
from bot.rules.views import EntryView
from bot.show.debts import said_in
from bot.show.goods import all_hidden, with_icon
from bot.show.names import Named, format_text, game_of, plain_text
from bot.show.offer_sides import terms_sentence

NO_CHANGE = Change()

RAW_MAX = 200
"""The most characters shown of an entry that can't be read."""

Detail = Literal["exact", "story"]
"""How much a sentence says: everything that the ledger has; or no revisions and windows, and goods
with their icons.
"""

# ---------------------------------------------------------------- for Discord and for files


def sentence(entry: EntryView) -> str:
    """Return the ledger's exact sentence for Discord."""
    return format_text(entry, narrate(entry, "exact"))


def plain_sentence(entry: EntryView) -> str:
    """Return the exact sentence without markdown or mentions, for a file."""
    markup = narrate(entry, "exact")
    return plain_text(entry, convert(markup, lambda ours: ours.replace("**", ""), quoted))


def story(entry: EntryView) -> str:
    """Return the sentence as friends would tell it, for Discord."""
    return format_text(entry, narrate(entry, "story"))


def headlines_text(entries: Iterable[EntryView]) -> str:
    """Return the headlines of these entries, one per line.

    >>> async def ring(request: Request, command: SetPhase) -> None:
    ...     outcome = await request.execute(command)
    ...     await request.reply(headlines_text(outcome.public))
    """
    return "\n".join(filter(None, map(headline_text, entries)))


def told_text(entries: Iterable[EntryView]) -> str:
    """Return what happened in these entries, a sentence per line, for the person who did it."""
    sentences = [format_text(entry, _plainly(entry, _sentence, "exact")) for entry in entries]
    return "\n".join(filter(None, sentences))


def headline_text(entry: EntryView) -> str:
    """Return an entry's headline for Discord; empty for none."""
    return format_text(entry, headline(entry))


def heading_text(entry: EntryView) -> str:
    """Return the heading of the turn or phase that an entry begins, for Discord."""
    game = entry.names.game
    title = game_of(entry).info.phase_titles.get(presented(game, entry.entry.begins_phase))
    return format_text(entry, title or presented(game, entry.entry.heading))


def has_line(entry: EntryView, newer: EntryView | None) -> bool:
    """Return whether an entry gets a line of its own in a story. ``newer`` is the entry that
    followed it, if known.

    False for the poster's signature on their own offer, for an acceptance that completed the
    trade, for how others' offer stands, and for what is only for two others.
    """
    signed = entry.entry
    if isinstance(signed, OfferConfided):
        return False
    if isinstance(signed, OfferStands):
        return signed.short is not None
    if not isinstance(signed, Signed):
        return True
    completed = (
        newer is not None
        and isinstance(newer.entry, Transaction)
        and newer.entry.offer == signed.offer
    )
    return not completed and signed.seat != next(iter(signed.between), "")


# ---------------------------------------------------------------- as markup


def headline(entry: EntryView) -> str:
    """Return the line that the channel reads when this happens; empty for what cards, replies or
    the board report.
    """
    if not presented(entry.names.game, entry.entry.is_news):
        return ""
    return _plainly(entry, _sentence, "exact")


def narrate(entry: EntryView, detail: Detail) -> str:
    """Return the entry's sentence in this detail, with everything the viewer may know."""
    return _plainly(entry, _narrated, detail)


def _plainly(entry: EntryView, tell: Callable[[EntryView, Detail], str], detail: Detail) -> str:
    """Return what this function tells of an entry, or else that it is recorded."""
    recorded: str = FALLBACKS["sentence"](entry.entry, entry.ruler)
    return safely(entry.names.game, recorded, tell, entry, detail)


def _narrated(entry: EntryView, detail: Detail) -> str:
    text, moved = _sentence(entry, detail) or _generic(entry), entry.entry
    # A transaction's sentence has its hidden goods already.
    if isinstance(moved, GoodsMoved) and not isinstance(moved, Transaction) and moved.hidden:
        text += f" In secret: {_moves_text(entry, moved.hidden)}."
    return f"{text}{_by_another(entry)}"


def _sentence(entry: EntryView, detail: Detail) -> str:
    """Return the entry's own sentence, or the one for goods and settings; empty for kinds that have
    neither.
    """
    match entry.entry:
        case Gained() | Spent() | Corrected() as changed:
            return _changed(entry, changed)
        case SettingsChanged(settings=settings, changed=names):
            values = settings.items()
            new = [f"**{name}: {values[name]}**" for name in names if name in values]
            return f"From now on this table plays with {', '.join(new)}."
        case OfferPosted() as posted:
            return _posted(entry, posted, detail)
        case OfferAltered() as altered:
            return _altered(entry, altered, detail)
        case HandedOver() as handed:
            return _handed_over(entry, handed, detail)
        case Transaction() as done:
            return _transaction(entry, done, detail)
        case OfferBecameDeal(offer=offer, first=first, second=second) as deal:
            owes = " ".join(said_in(entry, deal)) or "Only the two know what it says."
            return f"🤝 Offer {offer} is a deal of <seat:{first}> and <seat:{second}>. {owes}"
        case OfferEntry() as step if detail == "story":
            return step.story()
        case PhaseSet(phase=phase) if title := game_of(entry).info.phase_titles.get(phase):
            return f"**{title}** begins."
        case GoodsMoved() as moved if told := _told(entry, moved, detail):
            return told
        case other:
            return presented(entry.names.game, other.sentence, entry.ruler)


# ---------------------------------------------------------------- goods and settings


def _told(entry: EntryView, moved: GoodsMoved, detail: Detail) -> str:
    """Return the sentence of an entry that names goods; empty if it has none."""
    game, teams = game_of(entry), dict[str, str]()
    for seat, person in entry.names.holders.items():
        option = game.seats.find(seat)
        if person is not None and option is not None:
            teams[seat] = option.group

    def describe(goods: Goods) -> str:
        return _goods(entry, goods, detail)

    return safely(entry.names.game, "", moved.moves_text, describe, teams)


def _goods(entry: EntryView, goods: Goods, detail: Detail = "exact") -> str:
    """Return goods in words, as markup; in a story each kind with its icon."""
    game = game_of(entry)
    describe = game.goods.describe
    if detail == "exact":
        return f"**{describe(goods)}**"
    kinds = []
    for token in game.goods.listed(goods):
        words = describe(Goods({token: goods[token]}))
        kinds.append(with_icon(game, token, f"**{words}**"))
    if len(kinds) > 1:
        return f"{', '.join(kinds[:-1])} and {kinds[-1]}"
    return kinds[0] if kinds else "nothing"


def settings_text(named: Named, settings: Mapping[str, str]) -> str:
    """Return the settings that the table's game honours: the core's, then the game's own."""
    info = game_of(named).info
    own = {}
    for option in info.options:
        own[option.name] = settings.get(option.name, option.values[0])
    core = {name: value for name, value in settings.items() if name not in own}
    honoured = {name: value for name, value in (core | own).items() if name in info.settings}
    return ", ".join(f"**{name}: {value}**" for name, value in honoured.items())


def _changed(entry: EntryView, changed: Gained | Spent | Corrected) -> str:
    """Return what a seat gained or spent, or what its holdings were set to."""
    seat, unseen = changed.seat, all_hidden(entry)
    in_secret = unseen or _of(changed.changes, seat) == NO_CHANGE
    match changed:
        case Gained() if in_secret:
            return f"<player:{seat}> took cards into <their:{seat}> hand."
        case Gained(declared=declared, changes=changes):
            verb = "declares" if declared else "gains"
            return f"<player:{seat}> {verb} {_goods(entry, _of(changes, seat).gained)}."
        case Spent() if in_secret:
            return f"<player:{seat}> put cards out of <their:{seat}> hand."
        case Spent(changes=changes):
            return f"<player:{seat}> spends {_goods(entry, _of(changes, seat).lost)}."
        case Corrected(reason=reason) if unseen:
            text = f"{entry.ruler.capitalize()} set <player:{seat}>'s hand; "
            text += f"only <they:{seat}> know what it is."
            return f"{text} Why: “{quoted(reason)}”" if reason else text
        case Corrected() as corrected:
            return _corrected(entry, corrected)


def _corrected(entry: EntryView, corrected: Corrected) -> str:
    """Return what a seat's holdings were set to, and what came from other seats for it.

    With a reason, it is a correction, which also shows the holdings before.
    """
    seat, changes = corrected.seat, corrected.changes
    after = _goods(entry, corrected.after)
    if corrected.reason:
        before = _goods(entry, corrected.before)
        now = f"<and:{seat}> has {after} now"
        texts = [f"**Correction:** <player:{seat}> had {before}, {now}."]
    else:
        texts = [f"Set by {entry.ruler}: <player:{seat}> has {after}."]
        if lost := corrected.taken_away():
            texts.append(f"Taken away: {_goods(entry, lost)}.")
    others = {other: change for other, change in changes.items() if other != seat}
    if any(change != NO_CHANGE for change in others.values()):
        texts.append(f"{_moves_text(entry, others)}.")
    if corrected.hidden_named:
        hidden = game_of(entry).hidden
        noun = hidden.noun if hidden else "Hidden cards"
        texts.append(f"{noun} that came to <their:{seat}> hand: {corrected.hidden_named}.")
    if corrected.reason:
        texts.append(f"Why: “{quoted(corrected.reason)}”")
    return " ".join(texts)


def _moves_text(entry: EntryView, changes: Mapping[str, Change]) -> str:
    """Return what each seat lost and gained."""
    texts = []
    for seat, change in changes.items():
        moved = []
        if lost := change.lost + change.left_play:
            moved.append(f"lost {_goods(entry, lost)}")
        if gained := change.gained + change.entered_play:
            moved.append(f"gained {_goods(entry, gained)}")
        if moved:
            texts.append(f"<seat:{seat}> {' and '.join(moved)}")
    return "; ".join(texts)


# ---------------------------------------------------------------- offers


def _posted(entry: EntryView, posted: OfferPosted, detail: Detail) -> str:
    """Return who offered what to whom; nothing of other people's private offers."""
    seat, to = f"<seat:{posted.seat}>", f"<seat:{posted.to}>" if posted.to else "everybody"
    if detail == "exact":
        answers = f", in answer to #{posted.parent}," if posted.parent else ""
        until = f" It stood until <t:{posted.until // 1000}:f>." if posted.until else ""
        sides = _sides(entry, posted, detail)
        return f"{seat} offered {to}{answers} #{posted.offer}: {sides}{until}"
    answers = f", answering offer {posted.parent}" if posted.parent else ""
    number = f"(offer {posted.offer}{answers})"
    if posted.exact is None and posted.private:
        return f"{seat} made {to} an offer in private {number}."
    known = posted.exact or posted
    give, want = _goods(entry, known.give, detail), _goods(entry, known.want, detail)
    does = f"asked {to} for {want}"
    if known.give:
        does = f"offered {to} {give}" + (f" for {want}" if known.want else "")
    return f"{seat} {does} {number}.{terms_sentence(posted.sides())}"


def _altered(entry: EntryView, altered: OfferAltered, detail: Detail) -> str:
    seat, offer, sides = f"<seat:{altered.seat}>", altered.offer, _sides(entry, altered, detail)
    if detail == "exact":
        return f"{seat} altered offer {offer} to revision {altered.revision}: {sides}"
    if altered.exact is None and altered.private:
        return f"{seat} changed offer {offer} {sides}"
    return f"{seat} changed offer {offer}: now {sides}"


def _sides(entry: EntryView, version: OfferPosted | OfferAltered, detail: Detail) -> str:
    """Return both sides as exactly as the viewer may know; nothing of other people's private
    offers.
    """
    if version.exact is None and version.private:
        return "in private."
    known = version.exact or version
    give, want = _goods(entry, known.give, detail), _goods(entry, known.want, detail)
    return f"{give} for {want}.{terms_sentence(version.sides())}"


def _handed_over(entry: EntryView, handed: HandedOver, detail: Detail) -> str:
    seat, goods = handed.seat, handed.goods
    if detail == "story":
        what = _goods(entry, goods, detail) if goods else f"<their:{seat}> part"
        return f"<seat:{seat}> handed over {what} for offer {handed.offer}, sealed."
    version = f"offer {handed.offer}, revision {handed.revision}"
    what = f": {_goods(entry, goods)}" if goods else ""
    return f"<seat:{seat}> handed over <their:{seat}> part of {version}, sealed{what}."


# ---------------------------------------------------------------- transactions


def _transaction(entry: EntryView, done: Transaction, detail: Detail) -> str:
    """Return what each side gave and received, the rules it broke and the permits it used."""
    seats, permits = (done.first, done.second), ""
    if detail == "exact":
        offer = f"offer {done.offer}, revision {done.revision}"
        when = done.during.text(done.window)
        texts = [f"**Transaction {done.number}** from {offer}, in {when}."]
        for seat in seats:
            gave = _goods(entry, goods_given(done, seat))
            got = _goods(entry, goods_received(done, seat))
            texts.append(f"<seat:{seat}> gave {gave} and received {got}.")
        if done.permits:
            permits = f" By permit {', '.join(map(str, done.permits))}."
    else:
        gifts = [_gave_and_got(entry, done, seat) for seat in seats if goods_given(done, seat)]
        told = "; ".join(gifts) or f"<seat:{done.first}> and <seat:{done.second}> traded nothing"
        texts = [f"{told} (transaction {done.number})."]
        if done.permits:
            permits = " A permit allowed it."
    texts += said_in(entry, done)
    if done.overruled:
        rules = ", ".join(f"[{rule}]" for rule in done.overruled)
        texts.append(f"Against {rules}, which this table only warns of.")
    return " ".join(texts) + permits


def _gave_and_got(entry: EntryView, done: Transaction, seat: str) -> str:
    """Return what one side gave, and what the other side received of it, for a story."""
    other = done.other(seat)
    gave, got = goods_given(done, seat), goods_received(done, other)
    same, turned, became = gave.common(got), got.missing(gave), gave.missing(got)
    gift = f"<seat:{seat}> gave <seat:{other}>"
    if not became:  # nothing turned into other goods, though some may have left the game
        return f"{gift} {_goods(entry, gave, 'story')}"
    before, after = _goods(entry, turned, "story"), _goods(entry, became, "story")
    change = f"<seat:{seat}>'s {before} became <seat:{other}>'s {after}"
    return f"{gift} {_goods(entry, same, 'story')}, and {change}" if same else change


def goods_given(done: Transaction, seat: str) -> Goods:
    """Return what a seat gave: exactly if the viewer may know, else its public description."""
    if done.hidden is None and seat in done.given:
        return done.given[seat]
    return _of(done.changes, seat).lost + _of(done.hidden, seat).lost


def gifts(entry: EntryView) -> list[str]:
    """Return what each side of a transaction gave, now or later, as everybody may read it, a line
    of markup each.
    """
    done, lines = entry.entry, []
    if isinstance(done, Transaction):
        for seat in (done.first, done.second):
            owes = done.promised.get(seat, NOTHING).of_kind(OWED)
            if goods := done.given.get(seat, NOTHING) + owes:
                words = game_of(entry).goods.describe(goods)
                lines.append(f"<=name:{seat}> gave {words}")
    return lines


def goods_received(done: Transaction, seat: str) -> Goods:
    """Return what a seat received, as it arrived: a component may turn into another when it
    moves.
    """
    shown, secret = _of(done.changes, seat), _of(done.hidden, seat)
    goods = shown.gained + shown.entered_play
    if done.hidden is not None:
        return goods + secret.gained + secret.entered_play
    # The viewer may not see the hidden part. This seat received the redacted goods that the other
    # seat lost.
    other = done.other(seat)
    given = done.given.get(other, NOTHING)
    return goods + _of(done.changes, other).lost.missing(given)


def _of(changes: Mapping[str, Change] | None, seat: str) -> Change:
    return (changes or {}).get(seat, NO_CHANGE)


# ---------------------------------------------------------------- any kind


def _generic(entry: EntryView) -> str:
    """Return a sentence for a kind without one: its name, its seat, and what it moved.

    An entry that can't be read is told with its fields as they were written.
    """
    kind = entry.kind.removeprefix(f"{id_in(entry.names.game)}.").replace(".", " ")
    title, text = f"**{kind}**", ""
    seat = getattr(entry.entry, "seat", None)
    if seat in entry.names.holders:
        title += f" (<=seat:{seat}>)"
    match entry.entry:
        case UnknownEntry(model_extra=extra) if extra:
            fields = []
            for name, value in extra.items():
                fields.append(f"{name} {json.dumps(value, ensure_ascii=False)}")
            return f"{title}: {quoted(' · '.join(fields)[:RAW_MAX])}"
        case GoodsMoved(changes=changes):
            text = _moves_text(entry, changes)
    return f"{title}: {text}." if text else f"{title}."


FOLLOWS_FROM_ANOTHER = (
    OfferAgreed,
    OfferCountered,
    OfferVoided,
    OfferPicked,
    OfferStands,
    Signed,
    DealProposed,
    DealVoided,
    NegotiationClosed,
)
"""Kinds that may follow from another person's command. Naming that person would explain nothing."""


def _by_another(entry: EntryView) -> str:
    """Return who did it, if that is not the person whom the entry is about."""
    seat = getattr(entry.entry, "seat", None)
    about = getattr(entry.entry, "person", None) or entry.names.holders.get(seat or "")
    if entry.by is None or about is None or entry.by == about:
        return ""
    if isinstance(entry.entry, FOLLOWS_FROM_ANOTHER) or presented(
        entry.names.game, entry.entry.by_itself
    ):
        return ""
    return f" (<person:{entry.by}> did it.)"
