"""/note: playing, giving and returning promissory notes; and the answers to the question about a
Trade Agreement.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated

from discord import Interaction, User, app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.api import NOTHING, Command, Refused, TableView, game_named
from bot.api.discord import (
    LABEL_MAX,
    SELECT_MAX,
    BoardPress,
    Button,
    Card,
    Outcome,
    Request,
    Router,
    Seat,
    Select,
    choices,
    headlines_text,
    names,
    own_seat,
    read_goods,
    rows_of,
    seat_of,
    slash,
    words,
)
from bot.games.ti4.colors import COLORS, SayColor
from bot.games.ti4.components import describe, describe_token, note_named
from bot.games.ti4.my_goods import AskNotes, PickNote, deeds, notes_of, where
from bot.games.ti4.note_claims import SAYS
from bot.games.ti4.note_gifts import EFFECTS, GiveNote, NoteGiven
from bot.games.ti4.note_shows import LookAtNotes, ShowNotes
from bot.games.ti4.notes import (
    AskNotesInPlay,
    AskWhosePlanet,
    MoveWithPlanet,
    PlayNote,
    ReturnNote,
    note_by_name,
    note_meant,
    notes_in_hand,
    notes_in_play,
    notes_to_give,
    notes_to_return,
    purged_as,
    purges,
    whose_planet,
)
from bot.games.ti4.trade_agreements import UNTIL, AgreementAnswer, agreement_of

EVERY = "all"
"""The text for all notes of a hand."""

Effect = app_commands.Range[str, 1, 60]


async def _in_hand(request: Request, typed: str) -> list[Choice[str]]:
    return await _choices(request.interaction, notes_in_hand, typed)


async def _purged(request: Request, typed: str) -> list[Choice[str]]:
    view = await request.view()
    held = view.seats[view.seat].known if view.seat else NOTHING
    return words(
        [describe(goods) for note in notes_in_hand(view) for goods in purges(note, held).values()],
        typed,
    )


async def _givable(request: Request, typed: str) -> list[Choice[str]]:
    return await _choices(request.interaction, notes_to_give, typed)


async def _showable(request: Request, typed: str) -> list[Choice[str]]:
    return await _choices(request.interaction, notes_to_give, typed, (EVERY,))


async def _effects(request: Request, typed: str) -> list[Choice[str]]:
    return words(EFFECTS, typed)


async def _anywhere(request: Request, typed: str) -> list[Choice[str]]:
    return await _choices(request.interaction, notes_to_return, typed)


def _told_text(outcome: Outcome) -> str:
    return headlines_text(outcome.entries)


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Notes(
    commands.GroupCog, group_name="note", group_description="Promissory notes: play, give, return"
):
    """The /note commands."""

    def __init__(self, router: Router) -> None:
        router.on(AgreementAnswer, self.agreement)
        router.on(AskWhosePlanet, self.ask_whose)
        router.on(AskNotesInPlay, self.ask_in_play)
        router.on(AskNotes, self.ask_notes)
        router.on(PickNote, self.note_picked)

    @slash("color", "Say a player's colour. Then “red's ceasefire” is understood")
    def color(
        self,
        color: Annotated[
            str, "The colour of the units", [Choice(name=color, value=color) for color in COLORS]
        ],
        player: Annotated[Seat | None, "For hosts: who has it. Leave out for your own"] = None,
    ) -> Command:
        return SayColor(color, player)

    @slash("play", "Play another player's promissory note")
    async def play(
        self,
        request: Request,
        note: Annotated[str, "Which note, for example: ceasefire", _in_hand],
        player: Annotated[
            User | None, "For hosts: this is the note's moment, and this player may play it now"
        ] = None,
        fragments: Annotated[
            str | None, "Black Market Forgery: what you purge, for example: 2 cultural", _purged
        ] = None,
    ) -> None:
        """Play a note. A host who names another player lets them play it, without learning whether
        they have it.
        """
        view = await request.view()
        seat = seat_of(view, player)
        theirs = seat is not None and seat != view.seat
        purged = purged_as(read_goods(view, fragments, view.seat)) if fragments else ("", False)
        await request.respond(PlayNote(_meant(view, note, anyones=theirs), seat, *purged))

    @slash("give", "An effect makes you give a promissory note away. Only you two learn which")
    async def give(
        self,
        request: Request,
        note: Annotated[str, "Which note from your hand", _givable],
        to: Annotated[User, "Who gets it"],
        reason: Annotated[
            Effect | None,
            "The effect, such as Diplomatic Pressure. Everybody reads it. Not needed to pass "
            "Malevolency on",
            _effects,
        ] = None,
    ) -> None:
        """Give a note by an effect. The public reply says which note only if everybody sees it."""
        view = await request.view()
        command = GiveNote(_meant(view, note, own=True), seat_of(view, to), reason or "")

        def text(outcome: Outcome) -> str:
            hidden = any(
                isinstance(each.entry, NoteGiven) and each.entry.hidden for each in outcome.entries
            )
            secret = " Only you two know which note it is." if hidden else ""
            given = f"You give <seat:{command.to}> **{describe_token(command.note)}**.{secret}"
            return names.format_text(outcome.view, given)

        await request.respond(command, text)

    @slash("show", "Show a player promissory notes from your hand")
    async def show(
        self,
        request: Request,
        note: Annotated[str, "Which note, or all of them: all", _showable],
        to: Annotated[User, "Who sees it. Only you two learn which"],
    ) -> None:
        view = await request.view()
        shown = None if note.strip().casefold() == EVERY else _meant(view, note, own=True)
        await request.respond(ShowNotes(shown, seat_of(view, to)), _told_text)

    @slash(
        "look",
        "Naalu with M'aban: look at a neighbour's promissory notes",
        partial(Request.respond, said=_told_text),
    )
    def look(self, player: Annotated[Seat, "Whose notes. They are told"]) -> Command:
        return LookAtNotes(player)

    @slash("return", "A promissory note in play goes back to its owner")
    async def give_back(
        self,
        request: Request,
        note: Annotated[str, "Which note, for example: bob's trade convoys", _anywhere],
    ) -> None:
        await request.respond(ReturnNote(_meant(await request.view(), note)))

    @slash("planet", "The planet with Terraform on it is another player's now")
    def planet(self, player: Annotated[Seat, "Who controls the planet now"]) -> Command:
        return MoveWithPlanet(player)

    @slash("effect", "Spy Net, Keleres Rider: what the note waits for came about, or not")
    async def effect(
        self,
        request: Request,
        says: Annotated[
            str,
            "You played it: it came about. Others: not so. The host settles it",
            [Choice(name=each, value=each) for each in SAYS],
        ],
    ) -> None:
        await request.respond(SAYS[says])

    @slash("table", "All promissory notes in play: whose they are and what they do")
    async def table(self, request: Request) -> None:
        await _show_in_play(request)

    async def ask_in_play(self, request: Request, press: AskNotesInPlay) -> None:
        """Handle **Notes in play** in the board's menu."""
        await _show_in_play(request)

    async def ask_whose(self, request: Request, press: AskWhosePlanet) -> None:
        """Handle the item of the board's menu about the planet with a note on it."""
        view = await request.view()
        every = [
            Button(names.plain_text(view, each.label)[:LABEL_MAX], each.action)
            for each in whose_planet(view.id, view.seated(), press.holder)
        ]
        text = "Whose is the planet now? The note stays with it.\n-# [12.2]"
        await request.reply(Card("waiting", (text,), rows_of(every)))

    async def ask_notes(self, request: Request, press: AskNotes) -> None:
        """Handle **Notes…** under a player's own goods."""
        view = await request.view()
        await request.answer.update(notes_card(view))

    async def note_picked(self, request: Request, select: PickNote) -> None:
        """Handle the choice of a note, or of a player: show what can be done with both."""
        view, chosen = await request.view(), request.chosen()[0]
        note, to = (chosen, select.to) if select.what == "note" else (select.note, chosen)
        await request.answer.update(notes_card(view, note, to))

    async def agreement(self, request: Request, press: AgreementAnswer) -> None:
        """Handle **Play** and **Not now** under the question about a Trade Agreement.

        **Not now** changes nothing at the table, not even its ledger: others would learn who holds
        the note.
        """
        view = await request.view()
        if all(press != option.action for prompt in view.prompts for option in prompt.buttons):
            raise Refused(
                "", "That question is already answered.", "/holdings show lists what you have."
            )
        note = agreement_of(press.owner)
        if press.plays:
            await request.respond(PlayNote(note), _told_text)
            return
        text = (
            f"You keep **{describe_token(note)}**. You can still play it with /note play {UNTIL}."
        )
        await request.answer.replace(Card("over", (names.format_text(view, text),)))


async def _show_in_play(request: Request) -> None:
    """Show the notes that lie on the table."""
    view = await request.view()
    lines = notes_in_play(view) or ["None now. **/note play** plays one from your hand."]
    await request.reply(
        Card("open", ("### Notes in play", names.format_text(view, "\n".join(lines))))
    )


def _meant(view: TableView, text: str, *, own: bool = False, anyones: bool = False) -> str:
    """Return the token of the note that the text names. Raises `Refused` as `note_meant` or
    `note_by_name`.
    """
    if anyones:
        return note_by_name(view, text, names.aliases(view))
    return note_meant(view, text, names.aliases(view), own=own)


async def _choices(
    interaction: Interaction,
    notes: Callable[[TableView], list[str]],
    typed: str,
    more: tuple[str, ...] = (),
) -> list[Choice[str]]:
    """Return choices for these notes, described as people may also type them, and for ``more``
    texts.
    """
    view = await Request(interaction).view()
    describe = game_named(view.game).goods.describe_card
    described = {
        names.plain_text(view, describe(token)): note_named(token) for token in notes(view)
    }
    also = {text: (note.name, *note.aliases) for text, note in described.items()}
    return choices(((text, text) for text in (*more, *described)), typed, also)


def notes_card(view: TableView, note: str = "", to: str = "") -> Card:
    """Return the question what the viewer does with a note, with a button for each answer to what
    is chosen.
    """
    own_seat(view)
    every = notes_of(view)
    if not every:
        return Card(
            "open",
            ("You have no promissory notes, and none is in play in front of you.",),
            (_back(view),),
        )
    note, to = note if note in every else "", to if to in view.seated() and to != view.seat else ""
    describe = game_named(view.game).goods.describe_card
    listed = every[:SELECT_MAX]
    which = Select(
        "Which note?",
        PickNote(view.id, "note", note, to),
        tuple((names.plain_text(view, describe(each)), each) for each in listed),
        chosen=(note,) if note else (),
        details=tuple(names.plain_text(view, where(view, each)) for each in listed),
    )
    others = tuple(
        (names.plain_player(view, seat), seat) for seat in view.seated() if seat != view.seat
    )
    whom = Select(
        "Show to whom?", PickNote(view.id, "to", note, to), others, chosen=(to,) if to else ()
    )
    found = [
        Button(names.plain_text(view, each.label)[:LABEL_MAX], each.action, "primary")
        for each in deeds(view, note, to)
    ]
    text = (
        "### Your promissory notes\nChoose a note. To show it, or all of them, choose a player too."
    )
    does = f"\n{note_named(note).effect}" if note else ""
    small = (
        "-# Nothing happens before you press a button. To give one away by an effect: **/note "
        "give**."
    )
    shows = (whom,) if others and view.seats[view.seat or ""].known.of_kind("note") else ()
    return Card("waiting", (text + does, small), (which, *shows, *rows_of([*found, *_back(view)])))


def _back(view: TableView) -> tuple[Button, ...]:
    return (Button("Back", BoardPress(view.id, "goods")),)
