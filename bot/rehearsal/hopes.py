"""What one action came to, and whether what was expected of it holds."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO

from bot.rehearsal.scene import Seen
from bot.rehearsal.script import Has, Hope, IsRefused, NeverSees, Pictured, Records, Sees, SeesNothing
from bot.rehearsal.stage import Reply, Stage


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one action came to. ``who`` is None where nobody acted."""

    stage: Stage
    who: str | None
    reply: Reply
    kinds: tuple[str, ...]

    def saw(self) -> dict[str, list[str]]:
        """Give what each person saw in it, as is told when something else happened."""
        saw: dict[str, list[str]] = {}
        if self.who is not None:
            saw[f"reply to {self.who}"] = [
                *(_placed(message) for message in self.reply.messages),
                *([_placed(self.reply.pressed)] if self.reply.pressed else []),
                *([f"a modal\n{self.reply.modal}"] if self.reply.modal is not None else []),
                *(["choices\n" + "\n".join(self.reply.choices)] if self.reply.choices is not None else []),
            ]
        for name in self.stage.people:
            saw[name] = [_placed(message) for message in self.stage.came(name)]
        return saw


def _placed(message: Seen) -> str:
    return f"{message.where}\n{message.text}"


def against(hope: Hope, outcome: Outcome) -> str | None:
    """Say in a sentence what was expected and did not happen; None when it did."""
    match hope:
        case Sees(None, sought):
            if any(sought.found_in(text) for text in outcome.reply.texts()):
                return None
            return f"Expected: the reply to {outcome.who} holds {sought}."
        case Sees(who, sought):
            if any(sought.found_in(message.text) for message in outcome.stage.came(who or "")):
                return None
            return f"Expected: a message that came or changed for {who} holds {sought}."
        case NeverSees(who, sought):
            if not any(sought.found_in(message.text) for message in outcome.stage.came(who)):
                return None
            return f"Expected: no message that came or changed for {who} holds {sought}."
        case SeesNothing(who):
            return None if not outcome.stage.came(who) else f"Expected: nothing came or changed for {who}."
        case IsRefused(rule):
            return _not_refused(rule, outcome)
        case Records(kind):
            return _not_recorded(kind, outcome.kinds)
        case Has(who, label, wanted):
            if outcome.stage.has(who, label) == wanted:
                return None
            what = f'{"an" if wanted else "no"} enabled button or select "{label}"'
            return f"Expected: {who} sees {what}. {outcome.stage.offered(who)}"
        case Pictured():
            return _not_pictured(outcome)


def _not_refused(rule: str | None, outcome: Outcome) -> str | None:
    cited = "" if rule is None else f" that cites [{rule}]"
    messages = outcome.reply.messages
    if not messages or outcome.reply.modal is not None:
        return f"Expected: a refusal{cited}, seen by {outcome.who} alone. There was no such reply."
    public = [message for message in messages if not message.private]
    if public:
        return f"Expected: a refusal{cited}, seen by {outcome.who} alone. This reply is public."
    if rule is not None and not any(f"[{rule}]" in message.text for message in messages):
        return f"Expected: a refusal{cited}. The reply does not cite it."
    if outcome.kinds:
        return f"Expected: a refusal{cited}, and the ledger as it was. It grew by {', '.join(outcome.kinds)}."
    return None


def _not_recorded(kind: str | None, kinds: tuple[str, ...]) -> str | None:
    grew = f"It grew by {', '.join(kinds) or 'nothing'}."
    if kind is None:
        return f"Expected: the ledger does not grow. {grew}" if kinds else None
    if any(each == kind or each.startswith(f"{kind}.") for each in kinds):
        return None
    return f"Expected: the ledger grows by {kind}. {grew}"


def _not_pictured(outcome: Outcome) -> str | None:
    """Look for a picture in the reply, and in whatever came or changed for anybody."""
    messages = [*outcome.reply.messages]
    for name in outcome.stage.people:
        messages += outcome.stage.came(name)
    whys = []
    for url in dict.fromkeys(url for message in messages for url in message.images):
        why = _undecoded(outcome.stage.image(url))
        if why is None:
            return None
        whys.append(why)
    return "Expected: a picture that decodes. " + (" ".join(whys) or "There was none.")


def _undecoded(data: bytes | None) -> str | None:
    """Say why a picture cannot be drawn; None when it can."""
    from PIL import Image, UnidentifiedImageError

    if data is None:
        return "One lies elsewhere and was not uploaded."
    try:
        with Image.open(BytesIO(data)) as image:
            image.load()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        return f"One does not decode: {error}."
    return None
