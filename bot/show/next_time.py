"""The next time that people meet, and a table that is played again: what the channel and those who
come read.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.commands import Press
from bot.rules.features.next_time import Come, SetNextTime
from bot.rules.model.actions import SetupAction
from bot.rules.views import TableView
from bot.show.actions import AskWhen, WhenForm
from bot.show.cards import Button, Card, drawn, link
from bot.show.forms import Form, Text
from bot.show.names import escape, format_text, name_text, phone_line


def when_form(view: TableView) -> Form:
    """Return the form for the next time, with the time zone that the table keeps."""
    when = Text("when", "When do you meet again?", hint="Friday 19:30", max_length=60)
    where = "A city, or a name such as Europe/Berlin. The table keeps it"
    zone = Text("zone", "Your time zone", view.zone, "Berlin", max_length=60, description=where)
    return Form("Remind us", WhenForm(view.id), (when, zone))


@drawn
def sure_card(view: TableView, at: int, zone: str) -> Card:
    """Return the time that was read, as the reader's own device shows it, with the button that
    sends it.
    """
    text = f"You meet <t:{at // 1000}:F>, <t:{at // 1000}:R>?"
    small = f"-# In your own time, as your device shows it. I read it as time in {zone}."
    yes = Button("Yes, then", Press(view.id, SetNextTime(at, zone)), "success")
    another = Button("Another time…", AskWhen(view.id))
    return Card("waiting", (text, small), ((yes, another),))


@drawn
def next_time_card(view: TableView) -> Card:
    """Return when people meet again, for the channel, and who has said that they come."""
    assert view.next_time is not None
    at = view.next_time.at // 1000
    who = (
        name_text(view, ", ".join(f"<person:{each}>" for each in view.next_time.coming))
        or "nobody has said so yet"
    )
    small = "-# Whoever presses gets a DM an hour before."
    row = (
        Button("Coming", Press(view.id, Come(since=view.next_time.since)), "success"),
        Button("Another time…", AskWhen(view.id)),
    )
    return Card(
        "open",
        (f"### {escape(view.name)}\nNext time: <t:{at}:F>, <t:{at}:R>", f"Coming: {who}", small),
        (row,),
    )


@drawn
def met_card(view: TableView) -> Card:
    """Return what replaces the next time once everybody who comes was reminded."""
    return Card("over", f"**{escape(view.name)}**: whoever comes has been reminded.")


@drawn
def come_card(view: TableView, *, comes: bool) -> Card:
    """Return the answer to **Coming**, with the button that takes it back."""
    if not comes or view.next_time is None:
        return Card("over", "You are not coming, and get no DM.")
    text = f"You come <t:{view.next_time.at // 1000}:F>, and get a DM an hour before."
    stays = Come(comes=False, since=view.next_time.since)
    stay = Button("Not coming", Press(view.id, stays))
    return Card("done", text, ((stay,),))


@drawn
def reminder_card(view: TableView, at: int) -> Card:
    """Return the reminder, an hour before, for one who said that they come."""
    text = (
        f"**{escape(view.name)}** begins <t:{at // 1000}:R>, at <t:{at // 1000}:t>, in "
        f"{link('table', 'its channel')}."
    )
    return Card("open", text, line=phone_line(view, "Begins in an hour"))


@drawn
def call_card(view: TableView, people: Sequence[int]) -> Card:
    """Return the call to the people of the table that this one repeats: each chooses whom they
    play.
    """
    called = format_text(view, " ".join(f"<person:{each}>" for each in people))
    text = "The same table again: choose who you play. Who you were last time comes first."
    seat = Button("Take a seat", SetupAction(view.id, "seat"), "primary")
    return Card("open", text, ((seat,),), line=phone_line(view, f"{called} the same table again"))
