"""What waits for somebody's answer: questions put to one person, with the buttons that answer them."""

from __future__ import annotations

from bot.desk import Look
from bot.rules.game import Answer, Ask, Follow
from bot.rules.market import matches
from bot.rules.words import typed
from bot.show import names
from bot.show.cards import Button, Card, offer_line
from bot.show.deals import deal_card, deal_text


def asks(look: Look) -> list[Ask]:
    """Everything at this table that waits for one seat's answer."""
    deals = [
        Ask(
            key=f"deal:{deal.number}",
            seat=deal.to,
            text=deal_text(look, deal),
            answers=(Answer(label="Accept", action="yes"), Answer(label="Decline", action="no")),
            secret=deal.private,
        )
        for deal in look.table.deals.values()
        if deal.status == "proposed"
    ]
    return [*deals, *_matches(look), *names.game_of(look).asks(look.table)] if look.table.open else []


def _matches(look: Look) -> list[Ask]:
    """Of two offers that fit one another, each poster is told of the other's."""
    found = []
    for match in matches(look.table):
        two = (look.table.offers[match.first], look.table.offers[match.second])
        for mine, theirs in (two, two[::-1]):
            accept = (Answer(label="Accept", action=f"sign:{theirs.revision}"),) if theirs.give and mine.give else ()
            found.append(
                Ask(
                    key=f"match:{mine.number}:{theirs.number}", seat=mine.seat, secret=True,
                    text=f"🧩 **Your offer #{mine.number} and <seat:{theirs.seat}>'s #{theirs.number} fit together.**\n"
                    f"{typed(offer_line(look, theirs, mine.seat))}",
                    answers=(*accept, Answer(label="Look at it", action="show")),
                )
            )  # fmt: skip
    return found


def ask_card(look: Look, ask: Ask) -> Card:
    """A question, for the one it is put to."""
    buttons = tuple(
        Button(
            answer.label, f"ask:{look.table_id}:{ask.key}:{answer.action}", "success" if number == 0 else "secondary"
        )
        for number, answer in enumerate(ask.answers)
    )
    return Card("waiting", (names.tell(look, ask.text), _where(look)), (buttons,))


def overheard_card(look: Look, ask: Ask) -> Card:
    """The same where others read too: of what is secret, only that there is something."""
    if not ask.secret:
        return ask_card(look, ask)
    button = Button("Show me", f"ask:{look.table_id}:{ask.key}:reveal", "primary")
    return Card("waiting", ("There is something private for you.", _where(look)), ((button,),))


def settled_card(look: Look, subject: str) -> Card:
    """What stands where a question stood that needs no answer any more; of a deal, the deal as it is now."""
    kind, number = subject.split(":")[1:3] if subject.startswith("ask:") else ("", "")
    if kind == "deal" and int(number) in look.table.deals:
        return deal_card(look, look.table.deals[int(number)])
    told = "A newer message has what stood here." if subject.startswith("offer:") else "This question is settled."
    return Card("over", (told, _where(look)))


def follow_card(look: Look, follow: Follow) -> Card:
    """What may follow from a transaction, for the one it matters to."""
    return Card("waiting", (names.tell(look, follow.text), f"{_where(look)} · only you were told"))


def told_card(look: Look, transaction: int) -> Card:
    """In place of a DM that somebody does not take: that there is something for them, and a button that tells it."""
    button = Button("Tell me", f"told:{look.table_id}:{transaction}", "primary")
    return Card(
        "waiting", (f"There is something about transaction {transaction} that only you are told.",), ((button,),)
    )


def _where(look: Look) -> str:
    return f"-# {names.escape(look.table.name)}"
