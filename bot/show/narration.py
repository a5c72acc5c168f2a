"""Narration: what happened, a sentence for each entry, from what the viewer may see of it.

An entry whose sentence depends on nothing else has it itself (`Entry.sentence`); this module adds
those that name goods or settings, in the game's words. Seats are named after the people who held
them at the time. `headline` is the line that the channel reads when something happens; `narrate` is
the ledger's exact sentence, for audits and files; `narrate_story` tells the same as friends would,
offers without revisions and windows. All three return markup.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from bot.rules.features.deals import DealProposed, DealVoided
from bot.rules.features.holdings import Corrected, Gained, GoodsMoved, Spent
from bot.rules.features.negotiations import NegotiationClosed
from bot.rules.features.offers.entries import (
    HandedOver,
    OfferAgreed,
    OfferAltered,
    OfferBecameDeal,
    OfferCountered,
    OfferEntry,
    OfferPicked,
    OfferPosted,
    OfferStands,
    OfferVoided,
    Signed,
    Transaction,
)
from bot.rules.features.tables import SettingsChanged
from bot.rules.model.goods import NOTHING, Change, Goods
from bot.rules.model.text import convert, quoted
from bot.rules.uninstalled import UnknownEntry, id_in
from bot.rules.views import EntryView
from bot.show.debts import said_in
from bot.show.goods import all_hidden, with_icon
from bot.show.names import Named, format_text, game_of, plain_text
from bot.show.offer_sides import terms_sentence

RAW_MAX = 200
"""The most characters shown of an entry that can't be read."""

# ---------------------------------------------------------------- for Discord and for files


def sentence(entry: EntryView) -> str:
    """Return the ledger's exact sentence for Discord."""
    return format_text(entry, narrate(entry))


def plain_sentence(entry: EntryView) -> str:
    """Return the exact sentence without markdown or mentions, for a file."""
    return plain_text(entry, convert(narrate(entry), lambda ours: ours.replace("**", ""), quoted))


def story(entry: EntryView) -> str:
    """Return the sentence as friends would tell it, for Discord."""
    return format_text(entry, narrate_story(entry))


def headlines_text(entries: Iterable[EntryView]) -> str:
    """Return the headlines of these entries, one per line.

    >>> async def ring(request: Request, command: SetPhase) -> None:
    ...     outcome = await request.execute(command)
    ...     await request.reply(headlines_text(outcome.public))
    """
    return "\n".join(text for entry in entries if (text := headline_text(entry)))


def told_text(entries: Iterable[EntryView]) -> str:
    """Return what happened in these entries, a sentence per line, for the person who did it."""
    return "\n".join(text for entry in entries if (text := format_text(entry, _sentence(entry))))


def headline_text(entry: EntryView) -> str:
    """Return an entry's headline for Discord; empty for none."""
    return format_text(entry, headline(entry))


def has_line(entry: EntryView, newer: EntryView | None) -> bool:
    """Return whether an entry gets a line of its own in a story. ``newer`` is the entry that
    followed it, if known.

    False for the poster's signature on their own offer, and for an acceptance that completed the
    trade.
    """
    signed = entry.entry
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
    return _sentence(entry) if entry.entry.is_news() else ""


def narrate(entry: EntryView) -> str:
    """Return the ledger's exact sentence, with everything the viewer may know."""
    text, moved = _sentence(entry) or _generic(entry), entry.entry
    # A transaction's sentence has its hidden goods already.
    if isinstance(moved, GoodsMoved) and not isinstance(moved, Transaction) and moved.hidden:
        text += f" In secret: {_moves_text(entry, moved.hidden)}."
    return f"{text}{_by_another(entry)}"


def narrate_story(entry: EntryView) -> str:
    """Return the sentence as friends would tell it: offers without revisions and windows, goods
    with their icons.
    """
    match entry.entry:
        case OfferPosted() as posted:
            seat, to = f"<seat:{posted.seat}>", _to(posted)
            number = (
                f"(offer {posted.offer}"
                f"{f', answering offer {posted.parent}' if posted.parent else ''})"
            )
            if posted.exact is None and posted.private:
                text = f"{seat} made {to} an offer in private {number}."
            else:
                shown = posted.exact or posted
                give, want = _with_icons(entry, shown.give), _with_icons(entry, shown.want)
                offered = f"offered {to} {give}{f' for {want}' if shown.want else ''}"
                said = offered if shown.give else f"asked {to} for {want}"
                text = f"{seat} {said} {number}.{terms_sentence(posted.sides())}"
        case OfferAltered(offer=offer) as altered if altered.exact is None and altered.private:
            text = f"<seat:{altered.seat}> changed offer {offer} in private."
        case OfferAltered(offer=offer) as altered:
            sides = altered.exact or altered
            now = f"{_with_icons(entry, sides.give)} for {_with_icons(entry, sides.want)}"
            text = (
                f"<seat:{altered.seat}> changed offer {offer}: now "
                f"{now}.{terms_sentence(altered.sides())}"
            )
        case HandedOver(offer=offer, seat=seat, goods=goods):
            what = _with_icons(entry, goods) if goods else f"<their:{seat}> part"
            text = f"<seat:{seat}> handed over {what} for offer {offer}, sealed."
        case Transaction() as done:
            text = _transaction_story(entry, done)
        case OfferBecameDeal() as deal:
            text = _deal(entry, deal)
        case OfferEntry() as step:
            text = step.story()
        case _:
            return narrate(entry)
    return f"{text}{_by_another(entry)}"


def _sentence(entry: EntryView) -> str:
    """Return the entry's own sentence, or the one for goods and settings; empty for kinds that have
    neither.
    """
    unseen = all_hidden(entry)
    match entry.entry:
        case Gained(seat=seat) if unseen:
            return f"<player:{seat}> took cards into <their:{seat}> hand."
        case Gained(seat=seat) as gained:
            how = "declares" if gained.declared else "gains"
            return f"<player:{seat}> {how} **{_goods(entry, gained.changes[seat].gained)}**."
        case Spent(seat=seat) if unseen:
            return f"<player:{seat}> put cards out of <their:{seat}> hand."
        case Spent(seat=seat) as spent:
            return f"<player:{seat}> spends **{_goods(entry, spent.changes[seat].lost)}**."
        case Corrected(seat=seat, reason=reason) if unseen:
            because = f" Why: “{quoted(reason)}”" if reason else ""
            knows = f"only <they:{seat}> know what it is"
            return f"{entry.ruler.capitalize()} set <player:{seat}>'s hand; {knows}.{because}"
        case Corrected() as corrected:
            return _corrected(entry, corrected)
        case SettingsChanged(settings=settings, changed=changed):
            values = settings.items()
            new = ", ".join(f"**{name}: {values[name]}**" for name in changed if name in values)
            return f"From now on this table plays with {new}."
        case OfferPosted(seat=seat) as posted:
            answers = f", in answer to #{posted.parent}," if posted.parent else ""
            until = f" It stood until <t:{posted.until // 1000}:f>." if posted.until else ""
            offered = f"<seat:{seat}> offered {_to(posted)}{answers} #{posted.offer}"
            return f"{offered}: {_sides(entry, posted)}{until}"
        case OfferAltered(offer=offer, revision=revision, seat=seat) as altered:
            return (
                f"<seat:{seat}> altered offer {offer} to revision {revision}: "
                f"{_sides(entry, altered)}"
            )
        case HandedOver(offer=offer, revision=revision, seat=seat, goods=goods):
            what = f": **{_goods(entry, goods)}**" if goods else ""
            return (
                f"<seat:{seat}> handed over <their:{seat}> part of offer {offer}, revision "
                f"{revision}, sealed{what}."
            )
        case Transaction() as done:
            return _transaction(entry, done)
        case OfferBecameDeal() as deal:
            return _deal(entry, deal)
        case other:
            return other.sentence(entry.ruler)


# ---------------------------------------------------------------- goods and settings


def _goods(entry: EntryView, goods: Goods) -> str:
    """Return goods in words."""
    return game_of(entry).goods.describe(goods)


def settings_text(named: Named, settings: Mapping[str, str]) -> str:
    """Return the settings that the table's game honours: the core's, then the game's own."""
    info = game_of(named).info
    own = {option.name: settings.get(option.name, option.values[0]) for option in info.options}
    core = {name: value for name, value in settings.items() if name not in own}
    return ", ".join(
        f"**{name}: {value}**" for name, value in (core | own).items() if name in info.settings
    )


def _corrected(entry: EntryView, corrected: Corrected) -> str:
    """Return what a seat's holdings were set to, and what came from other seats for it.

    With a reason, it is a correction, which also shows the holdings before.
    """
    others = {seat: change for seat, change in corrected.changes.items() if seat != corrected.seat}
    moved = (
        f" {_moves_text(entry, others)}."
        if any(change != Change() for change in others.values())
        else ""
    )
    count, who_has, hidden = (
        corrected.hidden_named,
        f"<player:{corrected.seat}>",
        game_of(entry).hidden,
    )
    cards = (
        f" {hidden.noun if hidden else 'Hidden cards'} that came to <their:{corrected.seat}> hand: "
        f"{count}."
        if count
        else ""
    )
    after = _goods(entry, corrected.after)
    if not corrected.reason:
        lost = corrected.changes.get(corrected.seat, Change()).lost
        away = f" Taken away: **{_goods(entry, lost)}**." if lost else ""
        return f"Set by {entry.ruler}: {who_has} has **{after}**.{away}{moved}{cards}"
    before, reason = _goods(entry, corrected.before), quoted(corrected.reason)
    now = f"<and:{corrected.seat}> has **{after}** now"
    return f"**Correction:** {who_has} had **{before}**, {now}.{moved}{cards} Why: “{reason}”"


def _moves_text(entry: EntryView, changes: Mapping[str, Change]) -> str:
    """Return what each seat lost and gained."""
    texts = []
    for seat, change in changes.items():
        parts = (
            ("lost", change.lost + change.left_play),
            ("gained", change.gained + change.entered_play),
        )
        moved = " and ".join(f"{what} **{_goods(entry, goods)}**" for what, goods in parts if goods)
        texts += [f"<seat:{seat}> {moved}"] if moved else []
    return "; ".join(texts)


def _with_icons(entry: EntryView, goods: Goods) -> str:
    """Return goods with their icons, as markup."""
    language = game_of(entry).goods
    parts = []
    for token in language.listed(goods):
        parts.append(
            with_icon(entry, token, f"**{language.describe(Goods({token: goods[token]}))}**")
        )
    return (
        " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts) or "nothing"
    )


# ---------------------------------------------------------------- offers


def _to(posted: OfferPosted) -> str:
    return f"<seat:{posted.to}>" if posted.to else "everybody"


def _sides(entry: EntryView, posted: OfferPosted | OfferAltered) -> str:
    """Return both sides as exactly as the viewer may know; nothing of other people's private
    offers.
    """
    if posted.exact is None and posted.private:
        return "in private."
    sides = posted.exact or posted
    give, want = _goods(entry, sides.give), _goods(entry, sides.want)
    return f"**{give}** for **{want}**.{terms_sentence(posted.sides())}"


# ---------------------------------------------------------------- transactions


def _transaction(entry: EntryView, done: Transaction) -> str:
    """Return what each side gave and received, the rules it broke and the permits it used."""
    sides = []
    for seat in (done.first, done.second):
        gave, got = _goods(entry, goods_given(done, seat)), _goods(entry, received(done, seat))
        sides.append(f"<seat:{seat}> gave **{gave}** and received **{got}**.")
    permits = f" By permit {', '.join(map(str, done.permits))}." if done.permits else ""
    return (
        f"**Transaction {done.number}** from offer {done.offer}, revision {done.revision}, "
        f"in {done.during.text(done.window)}. {' '.join((*sides, *said_in(entry, done)))}"
        f"{_against(done)}{permits}"
    )


def _deal(entry: EntryView, deal: OfferBecameDeal) -> str:
    """Return who owes what by an offer that moved nothing."""
    owes = " ".join(said_in(entry, deal)) or "Only the two know what it says."
    return (
        f"🤝 Offer {deal.offer} is a deal of <seat:{deal.first}> and <seat:{deal.second}>. {owes}"
    )


def _transaction_story(entry: EntryView, done: Transaction) -> str:
    """Return what was exchanged, and what turned into other goods on the way."""
    parts = [
        _gave_and_got(entry, done, seat)
        for seat in (done.first, done.second)
        if goods_given(done, seat)
    ]
    story_text = "; ".join(parts) or f"<seat:{done.first}> and <seat:{done.second}> traded nothing"
    permitted = " A permit allowed it." if done.permits else ""
    said = "".join(f" {each}" for each in said_in(entry, done))
    return f"{story_text} (transaction {done.number}).{said}{_against(done)}{permitted}"


def _against(done: Transaction) -> str:
    rules = ", ".join(f"[{rule}]" for rule in done.overruled)
    return f" Against {rules}, which this table only warns of." if rules else ""


def _gave_and_got(entry: EntryView, done: Transaction, seat: str) -> str:
    """Return what one side gave, and what the other side received of it."""
    other = done.other(seat)
    gave, got = goods_given(done, seat), received(done, other)
    same, turned, became = gave.common(got), got.missing(gave), gave.missing(got)
    if not became:  # nothing turned into other goods, though some may have left the game
        return f"<seat:{seat}> gave <seat:{other}> {_with_icons(entry, gave)}"
    change = (
        f"<seat:{seat}>'s {_with_icons(entry, turned)} became <seat:{other}>'s "
        f"{_with_icons(entry, became)}"
    )
    return (
        f"<seat:{seat}> gave <seat:{other}> {_with_icons(entry, same)}, and {change}"
        if same
        else change
    )


def goods_given(done: Transaction, seat: str) -> Goods:
    """Return what a seat gave: exactly if the viewer may know, else its public description."""
    if done.hidden is None and seat in done.given:
        return done.given[seat]
    return _of(done.changes, seat).lost + _of(done.hidden, seat).lost


def gifts(entry: EntryView) -> list[str]:
    """Return what each side of a transaction gave, as everybody may read it, a line of markup
    each.
    """
    done = entry.entry
    given = (
        [(seat, done.given.get(seat)) for seat in (done.first, done.second)]
        if isinstance(done, Transaction)
        else []
    )
    return [f"<=name:{seat}> gave {_goods(entry, goods)}" for seat, goods in given if goods]


def received(done: Transaction, seat: str) -> Goods:
    """Return what a seat received, as it arrived: a component may turn into another when it
    moves.
    """
    shown, secret = _of(done.changes, seat), _of(done.hidden, seat)
    received = shown.gained + shown.entered_play
    if done.hidden is not None:
        return received + secret.gained + secret.entered_play
    # The viewer may not see the hidden part. This seat received the redacted goods that the other
    # seat lost.
    other = done.other(seat)
    return received + _of(done.changes, other).lost.missing(done.given.get(other, NOTHING))


def _of(changes: Mapping[str, Change] | None, seat: str) -> Change:
    return (changes or {}).get(seat, Change())


# ---------------------------------------------------------------- any kind


def _generic(entry: EntryView) -> str:
    """Return a sentence for a kind without one: its name, its seat, and what it moved.

    An entry that can't be read is told with its fields as they were written.
    """
    kind = entry.kind.removeprefix(f"{id_in(entry.names.game)}.").replace(".", " ")
    seat = getattr(entry.entry, "seat", None)
    title = f"**{kind}**" + (f" (<=seat:{seat}>)" if seat in entry.names.holders else "")
    if isinstance(entry.entry, UnknownEntry):
        fields = (entry.entry.model_extra or {}).items()
        said = " · ".join(
            f"{name} {json.dumps(value, ensure_ascii=False)}" for name, value in fields
        )
        return f"{title}: {quoted(said[:RAW_MAX])}" if said else f"{title}."
    moves = _moves_text(entry, entry.entry.changes) if isinstance(entry.entry, GoodsMoved) else ""
    return f"{title}: {moves}." if moves else f"{title}."


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
    if isinstance(entry.entry, FOLLOWS_FROM_ANOTHER) or entry.entry.by_itself():
        return ""
    return f" (<person:{entry.by}> did it.)"
