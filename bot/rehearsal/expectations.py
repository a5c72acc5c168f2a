"""What one action led to, and whether it meets what was expected of it."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO

from PIL import Image, UnidentifiedImageError

from bot.rehearsal.scene import Seen
from bot.rehearsal.script import (
    Condition,
    Has,
    IsRefused,
    NeverSees,
    Pictured,
    Records,
    Sees,
    SeesNothing,
    Sought,
)
from bot.rehearsal.stage import Reply, Stage
from bot.rules.vocabulary import kind_matches


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one action led to. ``who`` acted, None for nobody; ``kinds`` are the entries that the ledger gained."""

    stage: Stage
    who: str | None
    reply: Reply
    kinds: tuple[str, ...]

    def saw(self) -> dict[str, list[str]]:
        """Return what each person saw of it, for a report."""
        saw: dict[str, list[str]] = {}
        if self.who is not None:
            saw[f"reply to {self.who}"] = self._reply()
        for name in self.stage.people:
            saw[name] = [_placed(message) for message in self.stage.came(name)]
        return saw

    def _reply(self) -> list[str]:
        """Return what was replied to the person who acted."""
        reply = self.reply
        texts = [_placed(message) for message in reply.messages]
        texts += [_placed(reply.pressed)] if reply.pressed else []
        texts += [f"a modal\n{reply.modal}"] if reply.modal is not None else []
        texts += ["choices\n" + "\n".join(reply.choices)] if reply.choices is not None else []
        return texts


def _placed(message: Seen) -> str:
    """Return a message below the place where it is."""
    return f"{message.where}\n{message.text}"


def failure(condition: Condition, outcome: Outcome) -> str | None:
    """Return a sentence that says what was expected and did not happen; None when it did."""
    match condition:
        case Sees(None, sought):
            return _not_replied(sought, outcome)
        case Sees(str(who), sought):
            return _not_seen(who, sought, outcome)
        case NeverSees(who, sought):
            return _seen(who, sought, outcome)
        case SeesNothing(who):
            return None if not outcome.stage.came(who) else f"Expected: nothing came or changed for {who}."
        case IsRefused(rule):
            return _not_refused(rule, outcome)
        case Records(kind):
            return _not_recorded(kind, outcome.kinds)
        case Has(who, label, wanted):
            return _not_offered(who, label, wanted, outcome)
        case Pictured():
            return _not_pictured(outcome)
    return None


def _not_replied(sought: Sought, outcome: Outcome) -> str | None:
    """Look for a text in the reply."""
    if any(sought.found_in(text) for text in outcome.reply.texts()):
        return None
    return f"Expected: the reply to {outcome.who} holds {sought}."


def _not_seen(who: str, sought: Sought, outcome: Outcome) -> str | None:
    """Look for a text in what came for a person."""
    if any(sought.found_in(message.text) for message in outcome.stage.came(who)):
        return None
    return f"Expected: a message that came or changed for {who} holds {sought}."


def _seen(who: str, sought: Sought, outcome: Outcome) -> str | None:
    """Look for a text that must not be in what came for a person."""
    if not any(sought.found_in(message.text) for message in outcome.stage.came(who)):
        return None
    return f"Expected: no message that came or changed for {who} holds {sought}."


def _not_offered(who: str, label: str, wanted: bool, outcome: Outcome) -> str | None:
    """Look for a button or select."""
    if outcome.stage.has(who, label) == wanted:
        return None
    what = f'{"an" if wanted else "no"} enabled button or select "{label}"'
    return f"Expected: {who} sees {what}. {outcome.stage.offered(who)}"


def _not_refused(rule: str | None, outcome: Outcome) -> str | None:
    """Check that the reply is private and cites the rule, and that the ledger gained nothing."""
    cited = "" if rule is None else f" that cites [{rule}]"
    messages = outcome.reply.messages
    if not messages or outcome.reply.modal is not None:
        return f"Expected: a refusal{cited}, seen by {outcome.who} alone. There was no such reply."
    if not all(message.private for message in messages):
        return f"Expected: a refusal{cited}, seen by {outcome.who} alone. This reply is public."
    if rule is not None and not any(f"[{rule}]" in message.text for message in messages):
        return f"Expected: a refusal{cited}. The reply does not cite it."
    if outcome.kinds:
        return f"Expected: a refusal{cited}, and the ledger as it was. It grew by {', '.join(outcome.kinds)}."
    return None


def _not_recorded(kind: str | None, kinds: tuple[str, ...]) -> str | None:
    """Look for a kind among those that the ledger gained."""
    grew = f"It grew by {', '.join(kinds) or 'nothing'}."
    if kind is None:
        return f"Expected: the ledger does not grow. {grew}" if kinds else None
    if any(kind_matches(each, kind) for each in kinds):
        return None
    return f"Expected: the ledger grows by {kind}. {grew}"


def _not_pictured(outcome: Outcome) -> str | None:
    """Look for a picture in the reply and in everything that came or changed for anyone."""
    messages = [*outcome.reply.messages]
    for name in outcome.stage.people:
        messages += outcome.stage.came(name)
    faults = []
    for url in dict.fromkeys(url for message in messages for url in message.images):
        fault = _undecoded(outcome.stage.image(url))
        if fault is None:
            return None
        faults.append(fault)
    return "Expected: a picture that decodes. " + (" ".join(faults) or "There was none.")


def _undecoded(data: bytes | None) -> str | None:
    """Return why a picture cannot be decoded; None when it can."""
    if data is None:
        return "One lies elsewhere and was not uploaded."
    try:
        with Image.open(BytesIO(data)) as image:
            image.load()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        return f"One does not decode: {error}."
    return None
