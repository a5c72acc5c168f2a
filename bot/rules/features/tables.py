"""The table itself: opening, closing, host, settings, phases and deadlines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import asdict, field
from typing import Any, ClassVar, Literal

from pydantic import TypeAdapter, ValidationError

from bot.rules.access import is_host, require_host, require_since
from bot.rules.apply import replay
from bot.rules.commands import Caller, Command, Press, button
from bot.rules.entries import Entry, Reads
from bot.rules.feature import Feature
from bot.rules.features.house_rules import RuleWritten
from bot.rules.features.negotiations import closed
from bot.rules.features.next_time import reminded
from bot.rules.features.offers.entries import (
    OfferExpired,
    OfferVoided,
    between,
    voided,
    with_window,
)
from bot.rules.features.offers.state import agreed_deals, runs_out
from bot.rules.game import Game
from bot.rules.model.actions import LabelledAction
from bot.rules.model.parts import open_window, with_parts
from bot.rules.model.people import Hosting
from bot.rules.model.replacing import replace
from bot.rules.model.table import MINUTE, Earlier, Table, TableSettings
from bot.rules.model.text import QUOTE_MAX, one_line, quoted
from bot.rules.model.values import frozen
from bot.rules.model.violation import Refused
from bot.rules.model.windows import Since, Window
from bot.rules.registry import game_named, game_of, installed_game, variant_of


class OpenTable(Command):
    """Open a table; the caller becomes its host.

    ``chance`` is a random secret for games that shuffle. Such a game commits to it at once.
    ``again``: the table is played once more.
    """

    words = ("name",)
    game: str
    name: str = ""
    open_on_close: Literal["yes", "no"] = "yes"
    chance: str = ""
    again: Again | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        game = installed_game(self.game)
        if self.again is not None:
            game = game_named(self.game, self.again.variant)
        info = game.info
        options = {option.name: option.first for option in info.options}
        settings = TableSettings(open_on_close=self.open_on_close, options=options)
        if self.again is not None:  # without the options that the game has no more
            kept = {
                name: value
                for name, value in self.again.settings.options.items()
                if name in options
            }
            settings = replace(self.again.settings, options={**options, **kept})
        name = one_line(self.name) or info.name
        yield TableOpened(
            game=info.id, version=game.version, name=name, host=caller.person, settings=settings
        )
        if game.chance and self.chance:
            yield game.chance.commit(self.chance)
        if self.again is not None and self.again.variant and game.variants:
            yield game.variants.begun(self.again.variant)
        if self.again is not None:
            yield PlayedAgain(earlier=self.again.earlier, zone=self.again.zone)
            for number, text in self.again.house_rules.items():
                yield RuleWritten(number=number, text=text)


@frozen
class Again:
    """Settings, people and house rules that a table takes over from an earlier one that it repeats,
    and the text by which that played its game.
    """

    settings: TableSettings
    earlier: tuple[Earlier, ...]
    zone: str
    variant: str = ""
    house_rules: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Table, caller: Caller) -> Again:
        """Return the settings and people of this table for a new one, with the numbers that people
        have here.

        Raises `Refused` while it is played, and for anyone who neither sat there nor `is_host`.
        """
        if table.running:
            raise Refused(
                f"{quoted(table.name)} is still being played.",
                "**Close…** under **Menu**, **Host…** closes it.",
            )
        sat = {tenure.person for tenure in table.tenures if tenure.counts}
        if caller.person not in sat and not is_host(table, caller):
            raise Refused("You didn't sit at that table.", "/table open opens another one.")
        setup = game_of(table).setup
        seated = table.seated() if setup is None else setup.seated(table)
        earlier = []
        for seat in seated:
            person = table.seats[seat].person
            if person is not None:
                earlier.append(Earlier(person, seat))
        variant = variant_of(table)  # its text has the house rules
        own = {} if variant else table.house_rules
        return cls(table.settings, tuple(earlier), table.zone, variant, own)


class PlayedAgain(Entry):
    """The table repeats an earlier one: its people in their order, with the seats that they had
    there.
    """

    kind = "table.again"
    announced = False
    earlier: tuple[Earlier, ...]
    zone: str = ""

    def sentence(self, ruler: str) -> str:
        return "The same people as at the table before."

    def apply(self, table: Table) -> Table:
        return replace(table, earlier=self.earlier, zone=self.zone)


class TableOpened(Entry):
    """A table was opened; the person who opened it is its host. ``version`` is that of the game's
    package.
    """

    kind = "table.opened"
    announced = False
    game: str
    version: str = ""
    name: str
    host: int
    settings: TableSettings

    def sentence(self, ruler: str) -> str:
        return f"<person:{self.host}> opened the table **{quoted(self.name)}**."

    def apply(self, table: Table) -> Table:
        game = game_named(self.game)
        return Table(
            id=table.id,
            game=self.game,
            version=self.version,
            name=self.name,
            host=self.host,
            hosts=(Hosting(self.host, 0),),
            open=True,
            settings=self.settings,
            phase=game.info.phases[0],
            state=game.features.state(),
        )


class CloseTable(Command):
    """End the table at once. Needs the host."""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """End every live offer and open negotiation too."""
        require_host(table, caller, "close the table")
        yield from (voided(offer, CLOSED) for offer in table.live_offers())
        yield from (closed(each) for each in table.negotiations.values() if each.open)
        yield TableClosed()


REOPENABLE = 10 * MINUTE
"""How long a table with hidden goods can be opened again, in milliseconds."""


class BeginClosing(Command):
    """Close the table; if goods are hidden there, so that it can be opened again for a while. Needs
    the host.

    Till then nothing hidden is shown. The clock ends the table, or its host does by a new one in
    its channel.
    """

    kind = "table.close"
    since: Since = None

    @staticmethod
    def hides_goods(game: Game, seats: Sized) -> bool:
        """Return whether something may be hidden at a table with these seats, according to public
        facts.
        """
        return game.hidden is not None and len(seats) > 0

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """End every open negotiation and live offer too, but no deal that goes on if the table is
        opened again.
        """
        close = button("Close the table", table, BeginClosing(table.since))
        require_since(self.since, table.since, GONE_ON, close)
        again = self.hides_goods(game_of(table), table.seats)
        stay = agreed_deals(table) if again else ()
        for entry in CloseTable().decide(table, caller):
            if isinstance(entry, TableClosed) and again:
                yield TableClosing(until=caller.at + REOPENABLE)
            elif not (isinstance(entry, OfferVoided) and entry.offer in stay):
                yield entry


class TableClosing(Entry):
    """Play is over, but until ``until`` (in milliseconds since 1970) the table can be opened
    again.
    """

    kind = "table.closing"
    announced = False
    until: int

    def sentence(self, ruler: str) -> str:
        return (
            f"{ruler.capitalize()} closed the table. It could be opened again until "
            f"<t:{self.until // 1000}:t>."
        )

    def apply(self, table: Table) -> Table:
        return replace(table, closing=self.until)


class ReopenTable(Command):
    """Open a table again that was closed a moment ago, with hands and all else as they were. Needs
    the host.
    """

    kind = "table.reopen"
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "open the table again")
        if table.closing is None:
            raise Refused("This table is open.", "**Close…** under **Menu**, **Host…** closes it.")
        again = button("Open again", table, ReopenTable(table.since))
        require_since(self.since, table.since, "The table was closed again since.", again)
        return [TableReopened()]

    @classmethod
    def needed(cls, table_id: int, until: int, since: int) -> Refused:
        """Return the refusal of whatever else is asked at a table that was closed with this entry.

        Its button opens the table again, which is possible ``until`` then.
        """
        return Refused(
            "This table is closed.",
            f"Its host can open it again until <t:{until // 1000}:t>: **Open again**.",
            options=(LabelledAction("Open again", Press(table_id, cls(since))),),
        )


class TableReopened(Entry):
    """The table was opened again before it had closed for good."""

    kind = "table.reopened"

    def sentence(self, ruler: str) -> str:
        return (
            f"{ruler.capitalize()} opened the table again. All is as it was, but offers and "
            "negotiations that were open have ended."
        )

    def apply(self, table: Table) -> Table:
        return replace(table, closing=None)


class TableClosed(Entry):
    """The table is over."""

    kind = "table.closed"
    announced = False

    def sentence(self, ruler: str) -> str:
        return CLOSED

    def apply(self, table: Table) -> Table:
        return replace(table, open=False, closing=None)


CLOSED = "The table was closed."

GONE_ON = "The game stopped and has gone on since."


class PauseTable(Command):
    """Pause the table, for a break or until next week. Needs the host. Nothing happens there until
    it goes on.
    """

    kind = "table.pause"
    private_reply = True
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "pause the game")
        pause = button("Pause", table, PauseTable(table.since))
        require_since(self.since, table.since, GONE_ON, pause)
        return [TablePaused(at=caller.at)]

    def reply(self, entries: Sequence[Entry]) -> str:
        where = "in the channel or our DMs"
        return (
            f"The game is paused, and every clock stands still. **Go on**, {where}, brings the "
            "board back."
        )


class TablePaused(Entry):
    """The table was paused at this time, in milliseconds since 1970."""

    kind = "table.paused"
    announced = False
    at: int

    def sentence(self, ruler: str) -> str:
        return f"{ruler.capitalize()} paused the game."

    def apply(self, table: Table) -> Table:
        return replace(table, paused=self.at)


class ResumeTable(Command):
    """Go on with a paused table. Needs the host. What had a deadline has as much time left as
    before.
    """

    kind = "table.resume"
    private_reply = True
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "go on with the game")
        if table.paused is None:
            raise Refused(
                "This table is not paused.", "**Pause** under **Menu**, **Host…** pauses it."
            )
        go_on = button("Go on", table, ResumeTable(table.since))
        require_since(self.since, table.since, "The game is paused again.", go_on)
        return [TableResumed(lasted=max(0, caller.at - table.paused))]

    def reply(self, entries: Sequence[Entry]) -> str:
        return "The game goes on, as it was. The channel has its board again."

    @classmethod
    def needed(cls, table_id: int, since: int) -> Refused:
        """Return the refusal of whatever else is asked at a table that is paused since this entry.

        Its button goes on.
        """
        button = LabelledAction("Go on", Press(table_id, cls(since)))
        return Refused(
            "The game is paused.",
            "Its host goes on with **Go on** or /table resume.",
            options=(button,),
        )


class TableResumed(Entry):
    """The table went on after a pause, which ``lasted`` so many milliseconds. Deadlines are so much
    later.
    """

    kind = "table.resumed"
    announced = False
    lasted: int

    def sentence(self, ruler: str) -> str:
        return "The game went on."

    def apply(self, table: Table) -> Table:
        offers = {
            number: replace(offer, until=offer.until + self.lasted) if offer.until else offer
            for number, offer in table.offers.items()
        }
        return replace(
            with_parts(table, lambda part: part.later(self.lasted)), offers=offers, paused=None
        )


class MoveTable(Command):
    """Bring the table to another channel of its server. Needs the host.

    The ledger keeps the place beside the entries, so the service stores ``channel_id``. No button
    carries this command: the table goes where it is called from.
    """

    channel_id: int

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "bring the table to another channel")
        return [TableMoved()]


class TableMoved(Entry):
    """The table was brought to another channel. The ledger commits to the place with this entry."""

    kind = "table.moved"

    def sentence(self, ruler: str) -> str:
        return f"{ruler.capitalize()} brought the table to this channel."


class TableNamed(Entry):
    """The table got another name, such as that of what it plays.

    >>> TableNamed(name="Dice Dynasty").apply(table).name
    'Dice Dynasty'
    """

    kind = "table.named"
    announced = False
    name: str

    def apply(self, table: Table) -> Table:
        return replace(table, name=self.name)

    def sentence(self, ruler: str) -> str:
        return f"The table is called **{quoted(self.name)}**."


class SetHost(Command):
    """Hand the table over. Needs the host."""

    kind = "table.host"
    person: int

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "name a new host")
        if self.person == table.host:
            raise Refused(f"<person:{table.host}> is already the host.", "Name another player.")
        return [HostChanged(person=self.person, given=self.person != caller.person)]


class HostChanged(Entry):
    """The table was handed over to another host; ``given``: not by themselves."""

    kind = "table.host"
    v: int = 2  # 2: given
    reads: ClassVar[Reads] = {("table.host", 1): None}
    person: int
    given: bool = False

    def sentence(self, ruler: str) -> str:
        return f"<person:{self.person}> became the host."

    def apply(self, table: Table) -> Table:
        # The new host starts at the next entry: this one (``seq`` + 1, counted after this method)
        # is the old host's.
        hosting = Hosting(self.person, table.seq + 2, self.given)
        return replace(table, host=self.person, hosts=(*table.hosts, hosting))


class ChangeSettings(Command):
    """Change settings; ``changes`` maps names to new values. Needs the host.

    >>> [entry] = ChangeSettings({"rulings": "warn"}).decide(table, caller)
    >>> entry.changed
    ('rulings',)
    """

    changes: Mapping[str, str | int] = field(default_factory=dict)

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "change the settings")
        game = game_of(table)
        settings = _with_changes(table.settings, self.changes, game)
        before, after = table.settings.items(), settings.items()
        changed = tuple(name for name, value in after.items() if value != before[name])
        if not changed:
            raise Refused("This table is already set that way.", "Name a setting to change.")
        if "open_on_close" in changed:
            raise Refused(
                "Whether secrets are shown at the end was chosen when the table opened.",
                "It can't be changed now.",
            )
        if game.exchange is not None and "inventory" in changed and table.live_offers():
            raise Refused(
                "This can't change while offers are open.", "Change it when no offer is open."
            )
        return [SettingsChanged(settings=settings, changed=changed)]


class ChangeSetting(Command):
    """Change one setting, as a button does. Needs the host.

    >>> button("Only warn", table, ChangeSetting("rulings", "warn")).label
    'Only warn'
    """

    kind = "table.setting"
    setting: str
    value: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        return ChangeSettings({self.setting: self.value}).decide(table, caller)


def _with_changes(
    settings: TableSettings, changes: Mapping[str, str | int], game: Game
) -> TableSettings:
    """Return the settings with these changes. Raises `Refused` for an unknown name or value."""
    options, core = dict(settings.options), dict[str, Any]()
    readers = {option.name: option.read or str for option in game.info.options}
    for name, value in changes.items():
        unchanged = str(value) == settings.items().get(name)
        if name not in game.info.settings and not unchanged:
            known = ", ".join(sorted(game.info.settings))
            raise Refused(f"{game.info.name} has no setting “{name}”.", f"It has {known}.")
        if name in options:
            read = readers.get(name, str)
            options[name] = read(str(value))
        elif name in game.info.settings:
            core[name] = value
    try:
        checked: TableSettings = TypeAdapter(TableSettings).validate_python(
            {**asdict(settings), **core}
        )
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
        raise Refused(
            f"“{quoted(str(core[name])[:QUOTE_MAX])}” is not a value of “{name}”.",
            "Pick one from the list.",
        ) from None
    for option in game.info.options:
        if option.read is not None:
            continue
        chosen = options.get(option.name, option.values[0])
        if chosen not in option.values:
            raise Refused(
                f"“{quoted(chosen[:QUOTE_MAX])}” is not a value of “{option.name}”.",
                f"It has {', '.join(option.values)}.",
            )
    return replace(checked, options=options)


class SettingsChanged(Entry):
    """The host changed settings. ``settings`` has all of them, ``changed`` the names of the changed
    ones.

    >>> warns = replace(table.settings, rulings="warn")
    >>> SettingsChanged(settings=warns, changed=("rulings",)).apply(table).settings.rulings
    'warn'
    """

    kind = "table.settings"
    settings: TableSettings
    changed: tuple[str, ...]

    def apply(self, table: Table) -> Table:
        return replace(table, settings=self.settings)


class SetPhase(Command):
    """Begin a phase. Needs the host.

    >>> [entry.phase for entry in SetPhase("market").decide(table, caller)]
    ['market']
    """

    kind = "table.phase"
    phase: str
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "set the phase")
        info = game_of(table).info
        if self.phase in info.own_phases:
            raise Refused(
                f"Only the game begins {info.in_phase_words(self.phase)}.",
                "The board says what comes next.",
            )
        if self.phase not in info.phases:
            raise Refused(
                f"There is no {quoted(self.phase[:QUOTE_MAX])} phase.",
                f"The phases are {', '.join(info.host_phases or info.phases)}.",
            )
        now, over = table.phase_since, f"{info.phase_words(table.phase)} has begun since."
        label = f"Begin {info.in_phase_words(self.phase)}"
        begin = button(label, table, replace(self, since=now))
        require_since(self.since, now, over, begin)
        yield from with_window(table)
        yield PhaseSet(phase=self.phase, window=table.window.number + 1)


class PhaseSet(Entry):
    """A phase began. The open window, if any, ended with it.

    >>> PhaseSet(phase="market", window=2).sentence("the host")
    'The **market phase** begins.'
    """

    kind = "table.phase"
    phase: str
    window: int

    def begins_phase(self) -> str:
        return self.phase

    def sentence(self, ruler: str) -> str:
        return f"The **{self.phase} phase** begins."

    def apply(self, table: Table) -> Table:
        return open_window(table, Window(number=self.window), self.phase)


class Tick(Command):
    """Sent by the clock: end everything whose deadline has passed."""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """End expired offers first, then let the game's clock act. At a table that is closing, only
        close it.

        People are reminded of the next time at any table.
        """
        reminder = reminded(table, caller.at)
        if table.closing is not None:
            if table.closing > caller.at:
                return reminder
            live = [voided(offer, CLOSED) for offer in table.live_offers()]
            return [*reminder, *live, TableClosed()]
        if table.paused is not None or not table.open:
            return reminder
        ended, clock = _expired(table, caller.at), game_of(table).clock
        if clock is None:
            return [*reminder, *ended]
        # Apply the ended offers first, so that the game's clock does not end them again.
        ticked = clock.tick(replay(ended, table), caller.at)
        return [*reminder, *ended, *ticked]


def _expired(table: Table, at: int) -> list[Entry]:
    """Return the end of every offer whose time is up at ``at``, in milliseconds since 1970."""
    ended: list[Entry] = []
    for offer in table.live_offers():
        until = runs_out(table, offer)
        if until is not None and until <= at:
            ended.append(OfferExpired(offer=offer.number, between=between(offer)))
    return ended


def next_deadline(table: Table) -> int | None:
    """Return the table's next deadline, in milliseconds since 1970; None for none."""
    times = [] if table.closing is None else [table.closing]
    if table.next_time is not None:
        times.append(table.next_time.reminds_at)
    if table.running and table.paused is None:
        ends = (runs_out(table, offer) for offer in table.live_offers())
        times += [until for until in ends if until is not None]
        clock = game_of(table).clock
        if clock is not None and (at := clock.deadline(table)):
            times.append(at)
    return min(times, default=None)


FEATURE = Feature(
    commands=(
        OpenTable,
        CloseTable,
        BeginClosing,
        ReopenTable,
        PauseTable,
        ResumeTable,
        MoveTable,
        SetHost,
        ChangeSettings,
        ChangeSetting,
        SetPhase,
        Tick,
    ),
    entries=(
        TableOpened,
        PlayedAgain,
        TableClosing,
        TableReopened,
        TableClosed,
        TablePaused,
        TableResumed,
        TableMoved,
        TableNamed,
        HostChanged,
        SettingsChanged,
        PhaseSet,
    ),
)
