"""/note: playing, giving and returning promissory notes; and the answers to the question about a
Trade Agreement.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Annotated

from discord import User, app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.api import NOTHING, Command, Goods, Refused, TableView, Undecided, game_named, replace
from bot.api.discord import (
    BoardPress,
    Button,
    Card,
    Choices,
    Outcome,
    Request,
    Router,
    Seat,
    Select,
    buttons_of,
    choices,
    headlines_text,
    in_dms_too,
    names,
    own_seat,
    read_goods,
    rows_of,
    seat_of,
    selects,
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


def _choices(
    notes: Callable[[TableView], list[str]],
    view: TableView,
    typed: str,
    more: tuple[str, ...] = (),
) -> Choices:
    """Return choices for these notes, described as people may also type them, and for ``more``."""
    describe = game_named(view.game).goods.describe_card
    also: dict[str, Sequence[str]] = dict.fromkeys(more, ())
    for token in notes(view):
        text = names.plain_text(view, describe(token))
        note = note_named(token)
        also[text] = (note.name, *note.aliases)
    return choices([(text, text) for text in also], typed, also)


def _purged(view: TableView, typed: str) -> Choices:
    held = view.seats[view.seat].known if view.seat else NOTHING
    fragments: list[Goods] = []
    for note in notes_in_hand(view):
        fragments += purges(note, held).values()
    return words(map(describe, fragments), typed)


async def _effects(request: Request, typed: str) -> Choices:
    return words(EFFECTS, typed)


def _told_text(outcome: Outcome) -> str:
    return headlines_text(outcome.entries)


@in_dms_too
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
        note: Annotated[
            str, "Which note, for example: ceasefire", partial(_choices, notes_in_hand)
        ],
        player: Annotated[
            User | None, "For hosts: this is the note's moment, and this player may play it now"
        ] = None,
        fragments: Annotated[
            str | None, "Black Market Forgery: what you purge, for example: 2 cultural", _purged
        ] = None,
    ) -> None:
        """Play a note. A host lets another player play it, without learning if they have it."""
        view = await request.view()
        seat = seat_of(view, player)
        purged = purged_as(read_goods(view, fragments, view.seat)) if fragments else ("", False)
        if seat is None or seat == view.seat:
            token = _meant(view, note)
        else:
            token = note_by_name(view, note, names.aliases(view))
        await request.respond(PlayNote(token, seat, *purged))

    @slash("give", "An effect makes you give a promissory note away. Only you two learn which")
    async def give(
        self,
        request: Request,
        note: Annotated[str, "Which note from your hand", partial(_choices, notes_to_give)],
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
        token = note_meant(view, note, names.aliases(view), own=True)
        command = GiveNote(token, seat_of(view, to), reason or "")

        def text(outcome: Outcome) -> str:
            secret = ""
            for each in outcome.entries:
                if isinstance(each.entry, NoteGiven) and each.entry.hidden:
                    secret = " Only you two know which note it is."
            given = f"You give <seat:{command.to}> **{describe_token(command.note)}**.{secret}"
            return names.format_text(outcome.view, given)

        await request.respond(command, text)

    @slash("show", "Show a player promissory notes from your hand")
    async def show(
        self,
        request: Request,
        note: Annotated[
            str, "Which note, or all of them: all", partial(_choices, notes_to_give, more=(EVERY,))
        ],
        to: Annotated[User, "Who sees it. Only you two learn which"],
    ) -> None:
        view = await request.view()
        token = None
        if note.strip().casefold() != EVERY:
            token = note_meant(view, note, names.aliases(view), own=True)
        await request.respond(ShowNotes(token, seat_of(view, to)), _told_text)

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
        note: Annotated[
            str, "Which note, for example: bob's trade convoys", partial(_choices, notes_to_return)
        ],
    ) -> None:
        view = await request.view()
        await request.respond(ReturnNote(_meant(view, note)))

    @slash("planet", "The planet with Terraform on it is another player's now")
    def planet(self, player: Annotated[Seat, "Who controls the planet now"]) -> Command:
        return MoveWithPlanet(player)

    @slash("effect", "Spy Net, Keleres Rider: what the note waits for came about, or not")
    def effect(
        self,
        says: Annotated[
            str,
            "You played it: it came about. Others: not so. The host settles it",
            [Choice(name=each, value=each) for each in SAYS],
        ],
    ) -> Command:
        return SAYS[says]

    @slash("table", "All promissory notes in play: whose they are and what they do")
    async def table(self, request: Request) -> None:
        await _show_in_play(request)

    async def ask_in_play(self, request: Request, press: AskNotesInPlay) -> None:
        """Handle **Notes in play** in the board's menu."""
        await _show_in_play(request)

    async def ask_whose(self, request: Request, press: AskWhosePlanet) -> None:
        """Handle the item of the board's menu about the planet with a note on it."""
        view = await request.view()
        buttons = buttons_of(view, whose_planet(view.id, view.seated(), press.holder))
        text = "Whose is the planet now? The note stays with it.\n-# [12.2]"
        await request.reply(Card("waiting", text, rows_of(buttons)))

    async def ask_notes(self, request: Request, press: AskNotes) -> None:
        """Handle **Notes…** under a player's own goods."""
        view = await request.view()
        await request.answer.update(notes_card(view))

    async def note_picked(self, request: Request, select: PickNote) -> None:
        """Handle the choice of a note, or of a player: show what can be done with both."""
        view, chosen = await request.view(), request.chosen()[0]
        if select.what == "note":
            card = notes_card(view, chosen, select.to)
        else:
            card = notes_card(view, select.note, chosen)
        await request.answer.update(card)

    async def agreement(self, request: Request, press: AgreementAnswer) -> None:
        """Handle **Play** and **Not now** under the question about a Trade Agreement.

        **Not now** changes nothing at the table, not even its ledger: others would learn who holds
        the note.
        """
        view = await request.view()
        if not press.since:
            _ask_again(view, press)
        buttons = chain.from_iterable(prompt.buttons for prompt in view.prompts)
        if all(press != button.action for button in buttons):
            raise Refused("That question is already answered.", "**My goods** lists what you have.")
        note = agreement_of(press.owner)
        if press.plays:
            await request.respond(PlayNote(note, since=press.since), _told_text)
            return
        text = (
            f"You keep **{describe_token(note)}**. **Notes…** under **My goods** plays it {UNTIL}."
        )
        await request.answer.replace(Card("over", names.format_text(view, text)))


def _ask_again(view: TableView, press: AgreementAnswer) -> None:
    """Raise `Undecided` with the question of now, for a button that doesn't say which it meant."""
    for prompt in view.prompts:
        for option in prompt.buttons:
            now = option.action
            if isinstance(now, AgreementAnswer) and replace(now, since=press.since) == press:
                raise Undecided(prompt.text, options=prompt.buttons)


async def _show_in_play(request: Request) -> None:
    """Show the notes that lie on the table."""
    view = await request.view()
    lines = notes_in_play(view) or [
        "None now. **Notes…** under **My goods** plays one from your hand."
    ]
    text = names.format_text(view, "\n".join(lines))
    await request.reply(Card("open", ("### Notes in play", text)))


def _meant(view: TableView, text: str) -> str:
    """Return the token of the note that the text names. Raises `Refused` as `note_meant`."""
    return note_meant(view, text, names.aliases(view))


def notes_card(view: TableView, note: str = "", to: str = "") -> Card:
    """Return the question what the viewer does with a note, and the answers to what is chosen."""
    seat = own_seat(view)
    all_notes = notes_of(view)
    back = Button("Back", BoardPress(view.id, "goods"))
    if not all_notes:
        text = "You have no promissory notes, and none is in play in front of you."
        return Card("open", text, ((back,),))
    others = view.others(seat)
    note = note if note in all_notes else ""
    to = to if to in others else ""
    text = (
        "### Your promissory notes\nChoose a note. To show it, or all of them, choose a player too."
    )
    if note:
        text += f"\n{note_named(note).effect}"
    small = (
        "-# Nothing happens before you press a button. To give one away by an effect: "
        "**/note give**."
    )
    rows: list[Select | str | tuple[Button, ...]] = [*_which(view, all_notes, note, to)]
    if others and view.seats[seat].known.of_kind("note"):
        players = [(names.plain_player(view, other), other) for other in others]
        action = PickNote(view.id, "to", note, to)
        rows += selects("Show to whom?", action, players, "/note show", chosen=(to,))
    buttons = buttons_of(view, deeds(view, note, to), "primary")
    return Card("waiting", (text, small), (*rows, *rows_of((*buttons, back))))


def _which(view: TableView, notes: Sequence[str], note: str, to: str) -> tuple[Select | str, ...]:
    """Return the menus of the viewer's notes, each with the place where it is."""
    describe = game_named(view.game).goods.describe_card
    options, places = [], {}
    for token in notes:
        options.append((names.plain_text(view, describe(token)), token))
        places[token] = names.plain_text(view, where(view, token))
    action = PickNote(view.id, "note", note, to)
    return selects("Which note?", action, options, "/note", chosen=(note,), details=places)
