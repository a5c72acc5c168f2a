"""The effects of an action, and whether they are as expected."""

from __future__ import annotations

from io import BytesIO
from itertools import chain

from PIL import Image

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
)
from bot.rehearsal.stage import Reply, Stage
from bot.rules.model.values import frozen
from bot.rules.vocabulary import kind_matches


@frozen
class Effects:
    """The effects of one action. ``who`` acted, None for nobody; ``kinds`` are those of the entries
    it recorded.
    """

    stage: Stage
    who: str | None
    reply: Reply
    kinds: tuple[str, ...]

    def saw(self) -> dict[str, list[str]]:
        """Return what each person saw, for a report."""
        saw: dict[str, list[str]] = {}
        if self.who is not None:
            reply = self.reply
            texts = saw[f"reply to {self.who}"] = [_placed(message) for message in reply.messages]
            texts += [_placed(reply.pressed)] if reply.pressed else []
            texts += [f"a modal\n{reply.modal}"] if reply.modal is not None else []
            texts += ["choices\n" + "\n".join(reply.choices)] if reply.choices is not None else []
        for name in self.stage.people:
            saw[name] = [_placed(message) for message in self.stage.came(name)]
        return saw


def _placed(message: Seen) -> str:
    """Return a message with its place above it."""
    return f"{message.where}\n{message.text}"


def failure(condition: Condition, effects: Effects) -> str | None:
    """Return a sentence that says which expectation failed; None if it was met."""
    stage = effects.stage
    match condition:
        case Sees(None, sought):
            if any(sought.found_in(text) for text in effects.reply.texts()):
                return None
            return f"Expected: the reply to {effects.who} holds {sought}."
        case Sees(str(who), sought):
            if any(sought.found_in(message.text) for message in stage.came(who)):
                return None
            return f"Expected: a message that came or changed for {who} holds {sought}."
        case NeverSees(who, sought):
            if not any(sought.found_in(message.text) for message in stage.came(who)):
                return None
            return f"Expected: no message that came or changed for {who} holds {sought}."
        case SeesNothing(who):
            return f"Expected: nothing came or changed for {who}." if stage.came(who) else None
        case IsRefused(rule):
            return _not_refused(rule, effects)
        case RecordsEntries(kind):
            grew = f"It grew by {', '.join(effects.kinds) or 'nothing'}."
            if kind is None:
                return f"Expected: the ledger does not grow. {grew}" if effects.kinds else None
            if any(kind_matches(each, kind) for each in effects.kinds):
                return None
            return f"Expected: the ledger grows by {kind}. {grew}"
        case Has(who, label, wanted):
            if stage.has(who, label) == wanted:
                return None
            what = f'{"an" if wanted else "no"} enabled button or select "{label}"'
            return f"Expected: {who} sees {what}. {stage.available_controls(who)}"
        case Pictured():
            return _not_pictured(effects)
    return None


def _not_refused(rule: str | None, effects: Effects) -> str | None:
    """Return the failure unless the reply is private and cites the rule, and nothing was
    recorded.
    """
    cited = "" if rule is None else f" that cites [{rule}]"
    messages = effects.reply.messages or tuple(filter(None, (effects.reply.pressed,)))
    if not messages or effects.reply.modal is not None:
        return f"Expected: a refusal{cited}, seen by {effects.who} alone. There was no such reply."
    if not all(message.private for message in messages):
        return f"Expected: a refusal{cited}, seen by {effects.who} alone. This reply is public."
    if rule is not None and not any(f"[{rule}]" in message.text for message in messages):
        return f"Expected: a refusal{cited}. The reply does not cite it."
    if effects.kinds:
        return (
            f"Expected: a refusal{cited}, and the ledger as it was. It grew by "
            f"{', '.join(effects.kinds)}."
        )
    return None


def _not_pictured(effects: Effects) -> str | None:
    """Return the failure unless a picture that can be decoded came or changed for anyone."""
    messages = [*effects.reply.messages]
    for name in effects.stage.people:
        messages += effects.stage.came(name)
    faults = []
    for url in dict.fromkeys(chain.from_iterable(message.images for message in messages)):
        data = effects.stage.image(url)
        if data is None:
            faults.append("One is linked and was not uploaded.")
            continue
        try:
            with Image.open(BytesIO(data)) as image:
                image.load()
        except (OSError, SyntaxError, ValueError) as error:
            faults.append(f"One does not decode: {error}.")
        else:
            return None
    return "Expected: a picture that decodes. " + (" ".join(faults) or "There was none.")
