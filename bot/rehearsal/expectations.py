"""The effects of an action, and whether they are as expected."""

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
    RecordsEntries,
    Sees,
    SeesNothing,
    Sought,
)
from bot.rehearsal.stage import Reply, Stage
from bot.rules.vocabulary import kind_matches


@dataclass(frozen=True, slots=True)
class Effects:
    """The effects of one action. ``who`` acted, None for nobody; ``kinds`` are those of the entries it recorded."""

    stage: Stage
    who: str | None
    reply: Reply
    kinds: tuple[str, ...]

    def saw(self) -> dict[str, list[str]]:
        """Return what each person saw, for a report."""
        saw: dict[str, list[str]] = {}
        if self.who is not None:
            saw[f"reply to {self.who}"] = self._reply()
        for name in self.stage.people:
            saw[name] = [_placed(message) for message in self.stage.came(name)]
        return saw

    def _reply(self) -> list[str]:
        """Return the reply to the person who acted."""
        reply = self.reply
        texts = [_placed(message) for message in reply.messages]
        texts += [_placed(reply.pressed)] if reply.pressed else []
        texts += [f"a modal\n{reply.modal}"] if reply.modal is not None else []
        texts += ["choices\n" + "\n".join(reply.choices)] if reply.choices is not None else []
        return texts


def _placed(message: Seen) -> str:
    """Return a message with its place above it."""
    return f"{message.where}\n{message.text}"


def failure(condition: Condition, effects: Effects) -> str | None:
    """Return a sentence that says which expectation failed; None if it was met."""
    match condition:
        case Sees(None, sought):
            return _not_replied(sought, effects)
        case Sees(str(who), sought):
            return _not_seen(who, sought, effects)
        case NeverSees(who, sought):
            return _seen(who, sought, effects)
        case SeesNothing(who):
            return None if not effects.stage.came(who) else f"Expected: nothing came or changed for {who}."
        case IsRefused(rule):
            return _not_refused(rule, effects)
        case RecordsEntries(kind):
            return _not_recorded(kind, effects.kinds)
        case Has(who, label, wanted):
            return _not_offered(who, label, wanted, effects)
        case Pictured():
            return _not_pictured(effects)
    return None


def _not_replied(sought: Sought, effects: Effects) -> str | None:
    """Return the failure if the reply lacks this."""
    if any(sought.found_in(text) for text in effects.reply.texts()):
        return None
    return f"Expected: the reply to {effects.who} holds {sought}."


def _not_seen(who: str, sought: Sought, effects: Effects) -> str | None:
    """Return the failure if the messages to this person lack this."""
    if any(sought.found_in(message.text) for message in effects.stage.came(who)):
        return None
    return f"Expected: a message that came or changed for {who} holds {sought}."


def _seen(who: str, sought: Sought, effects: Effects) -> str | None:
    """Return the failure if a message to this person contains this."""
    if not any(sought.found_in(message.text) for message in effects.stage.came(who)):
        return None
    return f"Expected: no message that came or changed for {who} holds {sought}."


def _not_offered(who: str, label: str, wanted: bool, effects: Effects) -> str | None:
    """Return the failure if a button or select is missing, or present but not wanted."""
    if effects.stage.has(who, label) == wanted:
        return None
    what = f'{"an" if wanted else "no"} enabled button or select "{label}"'
    return f"Expected: {who} sees {what}. {effects.stage.available_controls(who)}"


def _not_refused(rule: str | None, effects: Effects) -> str | None:
    """Return the failure unless the reply is private and cites the rule, and nothing was recorded."""
    cited = "" if rule is None else f" that cites [{rule}]"
    messages = effects.reply.messages or tuple(filter(None, (effects.reply.pressed,)))
    if not messages or effects.reply.modal is not None:
        return f"Expected: a refusal{cited}, seen by {effects.who} alone. There was no such reply."
    if not all(message.private for message in messages):
        return f"Expected: a refusal{cited}, seen by {effects.who} alone. This reply is public."
    if rule is not None and not any(f"[{rule}]" in message.text for message in messages):
        return f"Expected: a refusal{cited}. The reply does not cite it."
    if effects.kinds:
        return f"Expected: a refusal{cited}, and the ledger as it was. It grew by {', '.join(effects.kinds)}."
    return None


def _not_recorded(kind: str | None, kinds: tuple[str, ...]) -> str | None:
    """Return the failure if this kind was not recorded; for None, if anything was."""
    grew = f"It grew by {', '.join(kinds) or 'nothing'}."
    if kind is None:
        return f"Expected: the ledger does not grow. {grew}" if kinds else None
    if any(kind_matches(each, kind) for each in kinds):
        return None
    return f"Expected: the ledger grows by {kind}. {grew}"


def _not_pictured(effects: Effects) -> str | None:
    """Return the failure unless a picture that can be decoded came or changed for anyone."""
    messages = [*effects.reply.messages]
    for name in effects.stage.people:
        messages += effects.stage.came(name)
    faults = []
    for url in dict.fromkeys(url for message in messages for url in message.images):
        fault = _undecoded(effects.stage.image(url))
        if fault is None:
            return None
        faults.append(fault)
    return "Expected: a picture that decodes. " + (" ".join(faults) or "There was none.")


def _undecoded(data: bytes | None) -> str | None:
    """Return why a picture cannot be decoded; None if it can."""
    if data is None:
        return "One is linked and was not uploaded."
    try:
        with Image.open(BytesIO(data)) as image:
            image.load()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        return f"One does not decode: {error}."
    return None
