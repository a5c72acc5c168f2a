"""What just happened, in a sentence that everybody may read. Every sentence goes through `view`.

`line` writes it with the marks of `bot.show.names`; `bot.show.story` has the sentences for all other kinds.
"""

from __future__ import annotations

from bot.desk import Look, Outcome
from bot.rules.entries import Corrected, Entry, Gained, PhaseSet, SettingsChanged, Spent
from bot.rules.goods import Goods
from bot.rules.table import Settings
from bot.rules.views import PUBLIC, view
from bot.show import names


def told(outcome: Outcome) -> str:
    """What came of a command, a line for each entry worth one."""
    lines = (line(outcome.after, view(recorded.entry, PUBLIC)) for recorded in outcome.entries)
    return "\n".join(names.tell(outcome.after, each) for each in lines if each)


def line(look: Look, entry: Entry) -> str:
    """The sentence for an entry already seen through `view`, at the table right after it; empty for other kinds."""
    if own := names.game_of(look).tells(entry):
        return own
    match entry:
        case Gained(seat=seat):
            how = "declares" if entry.declared else "gains"
            return f"{_player(seat)} {how} **{_goods(look, entry.changes[seat].gained)}**."
        case Spent(seat=seat):
            return f"{_player(seat)} spends **{_goods(look, entry.changes[seat].lost)}**."
        case Corrected(seat=seat):
            return _corrected(look, entry, seat)
        case SettingsChanged(settings=settings):
            return f"This table plays with {settings_text(look, settings)}."
        case PhaseSet(phase=phase):
            return f"The **{phase} phase** begins."
        case _:
            return ""


def settings_text(look: Look, settings: Settings) -> str:
    """The settings that mean something in the table's game."""
    meant = names.game_of(look).settings
    return ", ".join(f"**{name}: {value}**" for name, value in settings if name in meant)


def _corrected(look: Look, entry: Corrected, seat: str) -> str:
    """What somebody has now, by the host's word; with a reason, also what they had before."""
    notes = f" Promissory notes that came to their hand: {entry.hidden_moved}." if entry.hidden_moved else ""
    if entry.reason:
        return (
            f"**Correction:** {_player(seat)} had **{_goods(look, entry.before)}**, and has "
            f"**{_goods(look, entry.after)}** now.{notes} Why: “{names.typed(entry.reason)}”"
        )
    has = names.game_of(look).open_goods(look.table.seats[seat].holdings)
    return f"Set by the host: {_player(seat)} has **{_goods(look, has)}**.{notes}"


def _player(seat: str) -> str:
    return f"<player:{seat}>"


def _goods(look: Look, goods: Goods) -> str:
    return names.game_of(look).tell_goods(goods)
