"""The board of a table that plays a text, and the steps of its set-up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.api import (
    BoardView,
    LabelledAction,
    MenuItem,
    Press,
    Refused,
    Setup,
    StepView,
    Table,
    button,
    part,
)
from bot.games.any.book import Book, Defined, definition
from bot.games.any.deeds import (
    Ask,
    Begin,
    Next,
    Play,
    happen_button,
    next_button,
    start_text,
)
from bot.games.any.definition import Definition, digest
from bot.games.any.rulebook import said
from bot.games.any.trade import in_order

PRESETS = {
    "island": "Settlers' island",
    "shops": "Shops and lots",
    "summit": "Summit of thirty",
    "market": "A classroom's market",
}
"""The presets, as buttons name them."""


EVENTS_MAX = 2
"""The most events that are a tap away; the host's menu has the others."""


def board(table: Table) -> BoardView:
    """Return the board: whose turn and which phase it is, who is in which team, and the rules."""
    found, book = definition(table), part(table, Book)
    if found is None:
        return BoardView(("The host says what is played.",), trades=False)
    heading = table.phase.capitalize()
    if table.window.holder:
        heading = f"<name:{table.window.holder}>'s turn"
        if table.phase != "turn":
            heading += f" · {table.phase}"
    if book.bell:
        heading += f" · ends <t:{book.bell // 1000}:R>"
    return BoardView(
        (*_rules(found), *_teams(table, found), f"-# Rules {digest(book.text)}"),
        buttons=_steps(table, found) if book.begun else (),
        heading=heading,
        menu=tuple(_menu(table, found, book)),
        trades=book.begun,
        small=f"{found.name} {digest(book.text)}",
    )


def _steps(table: Table, found: Definition) -> tuple[LabelledAction, ...]:
    """Return the button that goes on, where something comes to an end, and the first events."""
    steps = []
    if found.trade.who == "turn" or found.trade.per_partner or len(found.phases) > 1:
        steps.append(next_button(table))
    return (*steps, *_events(table, found)[:EVENTS_MAX])


def _events(table: Table, found: Definition) -> list[LabelledAction]:
    """Return a button for each event."""
    names = found.events if table.tracked else ()
    return [happen_button(table, name) for name in names]


def _rules(found: Definition) -> list[str]:
    """Return the rules that limit who trades, when and how often, and what the bank takes."""
    text, trade = said(found), found.trade
    limits: dict[str, object] = {
        "H2": trade.who != "all",
        "H3": trade.when,
        "H4": trade.per_partner,
        "H9": found.bank,
    }
    return [f"{text[number]} [{number}]" for number, limited in limits.items() if limited]


def _teams(table: Table, found: Definition) -> Iterator[str]:
    """Yield a line for each team with those who play in it."""
    seated = in_order(table)
    for team in found.teams:
        members = [f"<=name:{seat}>" for seat in found.meant(team) if seat in seated]
        if members:
            yield f"**{team}**: {', '.join(members)}"


def _menu(table: Table, found: Definition, book: Book) -> Iterator[MenuItem]:
    yield MenuItem("What is played", Ask(table.id, "show"))
    if not book.begun:
        return
    if found.bank and table.tracked:
        yield MenuItem("The bank", Ask(table.id, "bank"), "you")
    for phase in found.phases:
        if phase != table.phase:
            begin = Press(table.id, Next(phase, table.window.since))
            yield MenuItem(f"Begin: {phase}", begin, "host")
    for event in _events(table, found)[EVENTS_MAX:]:
        yield MenuItem(event.label, event.action, "host")
    yield MenuItem("Change the rules", Ask(table.id, "rules"), "host")


# ---------------------------------------------------------------- setting up


def first(table: Table) -> Sequence[StepView]:
    """Return the step that says what is played: a preset by one tap, then what to change."""
    found = definition(table)
    buttons = []
    for name, label in PRESETS.items():
        buttons.append(button(label, table, Play(name)))
    line = "Choose one, write a text of your own, or send it as a file: **/any text**."
    if found is None:
        buttons.append(LabelledAction("Write a text", Ask(table.id, "text")))
        buttons.append(LabelledAction("As at my last table", Ask(table.id, "last")))
    else:
        buttons.append(LabelledAction("Change the rules", Ask(table.id, "rules")))
        line = f"**{found.name}** · {len(found.seats)} seats · {_listed(found)}"
    chosen = found is not None
    return (StepView("What is played", (line,), chosen, tuple(buttons), hosts=True),)


def _listed(found: Definition) -> str:
    names = list(found.goods)
    return ", ".join(names[:6]) + (" …" if len(names) > 6 else "")


def steps(table: Table) -> Sequence[StepView]:
    """Return the last step: **Begin**."""
    if definition(table) is None:
        return (StepView("Begin", (), False, (), hosts=True),)
    begin = (button("Begin", table, Begin()),)
    gets = f"Everybody gets what they begin with{start_text(table, in_order(table))}."
    return (StepView("Begin", (gets,), False, begin, hosts=True),)


def barred(table: Table, seat: str) -> Refused | None:
    """Return why nobody can take this seat; None if nothing keeps them."""
    found = definition(table)
    if found is None:
        return Refused(
            "No game is chosen yet.", "The host does that: Choose one, or /any text.", rule="H0"
        )
    return None


SETUP = Setup(
    begun=lambda table: part(table, Book).begun,
    first=first,
    steps=steps,
    goods=False,
    shown_kinds=(Defined,),
)
