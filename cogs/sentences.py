"""Sentences: what people write to the bot, such as “2 tg to bob for 3 c”, “ok” or “3 tg instead”.

`bot.show.said` reads the trade in a sentence. Here is what stands around it: a call for help, a yes
or a no, that it is meant in place of another offer, and terms, which no goods say.
"""

from __future__ import annotations

import re

from bot.rules.model.goods import Goods
from bot.rules.model.text import quoted
from bot.rules.model.values import frozen
from bot.rules.views import TableView
from bot.show.drafts import label_goods
from bot.show.names import aliases, bare_name
from bot.show.said import Said, understand


@frozen
class Sentence:
    """What somebody said of an offer, and its terms."""

    trade: Said
    terms: str

    @property
    def sides(self) -> dict[str, Goods]:
        """The goods of its sides, by the options of a command that have them."""
        return {"give": self.trade.give, "want": self.trade.get}


# ---------------------------------------------------------------- answers

_YES = (
    "ok(?:ay)?|k|kk|deal|done|yes|yep|yeah|ya|yup|y|sure|fine|agreed?|accept(?:ed)?|i accept|"
    "i agree|sounds good|works for me|let'?s do it|i'?m in|take it|i(?:'ll| will)? take it|"
    "👍|✅|👌|🤝"
)
_NO = "no|nope|nah|n|never|no thanks|no thank you|no deal|no way|decline[d]?|i decline|reject|👎|❌"
_POLITE = "thanks|thx|thank you|please|pls|then|ok|deal|mate|man"
_ANSWER = re.compile(rf"(?:{_YES}|{_NO})(?:[\s,.!]+(?:{_YES}|{_NO}|{_POLITE}))*", re.IGNORECASE)
_BEFORE = re.compile(
    r"(?:(?:no|nah|nope|ok|okay|yes|deal)\b[\s,.:;!]*(?:but\b|only\b|for\b|if you make it\b)?|"
    r"make it\b|make that\b|(?:how|what) about\b|rather\b|better\b|but\b)[\s,:]*",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"\b(?:instead(?: of that)?|rather|and (?:it'?s|you have|we have) (?:yours|a deal)|"
    r"and (?:i'?m in|deal|done))$",
    re.IGNORECASE,
)

_HELP = re.compile(
    r"help(?: me)?(?: please)?|hi|hello|hey|start|menu|what now|what can (?:i|you) do|"
    r"how do(?:es)? (?:i|it|this|that) \w+",
    re.IGNORECASE,
)


def asks_for_help(text: str) -> bool:
    """Return whether a text only greets, or asks what one can do.

    >>> asks_for_help("How do I trade?"), asks_for_help("hello"), asks_for_help("2 tg")
    (True, True, False)
    """
    words = text.strip(" .!?\n")
    return text.strip() == "?" or _HELP.fullmatch(words) is not None


def is_answer(text: str) -> bool:
    """Return whether a text only says yes or no.

    >>> is_answer("ok, deal!"), is_answer("no 2 tg")
    (True, False)
    """
    return _ANSWER.fullmatch(text.strip(" .!\n")) is not None


def counter_in(text: str) -> str:
    """Return what a text says in place of what was asked; empty if it says no such thing.

    >>> counter_in("3 tg instead"), counter_in("no, make it 3 tg"), counter_in("3 tg")
    ('3 tg', '3 tg', '')
    """
    whole = text.strip(" .!\n")
    words = _INSTEAD.sub("", whole).strip(" ,")
    while found := _BEFORE.match(words):
        words = words[found.end() :]
    return words if words != whole else ""


# ---------------------------------------------------------------- offers

_YOURS = {"your", "ur", "yours"}
_YOU = "(?:you|u|ya)"
_TERMS = re.compile(
    r"(?<![\w'’])(?:(?:and|but|then)\s+)?(?:if|unless|when|until|provided|as long as|"
    r"so long as|promise|promising|not to|without"
    rf"|{_YOU}\s+(?:will|won['’]?t|do not|don['’]?t|must|should|have to|can['’]?t|vote|leave|"
    r"attack|stop|let|support|promise|help|move|stay|owe)"
    r"|i\s+(?:won['’]?t|do not|don['’]?t|promise|vote|leave|let|support|help|stay|owe|"
    r"will\s+(?!give|pay|offer|trade|sell|send|swap|take|get))"
    r")(?!\w).*$",
    re.IGNORECASE | re.DOTALL,
)
"""Terms at the end of a sentence. Promises name what somebody will or won't do."""


def read_sentence(view: TableView, text: str, partner: str | None = None) -> Sentence:
    """Read what somebody says of an offer; its ``trade`` says what was not understood.

    ``partner`` is with whom they talk where only two read; None elsewhere.
    """
    head, terms = text, ""
    found = _TERMS.search(text)
    if found is not None and found.start():
        head, terms = text[: found.start()], found[0].strip(" ,;.\n")
    return Sentence(understand(view, head, partner or _owner(view, head)), terms)


def _owner(view: TableView, text: str) -> str | None:
    """Return the one other seat whose goods a text names: “bobs ta”, “your ta” of the only
    other.
    """
    plain = text.casefold().replace("’", "'")
    written = f" {plain} "
    owners = set()
    for name, seat in aliases(view).items():
        owned = f" {name}'s " in written or f" {name}s " in written
        if owned and seat != view.seat:
            owners.add(seat)
    if not _YOURS.isdisjoint(written.split()):
        others = view.others(view.seat)
        owners.update(others if len(others) == 1 else ())
    return owners.pop() if len(owners) == 1 else None


def as_command(view: TableView, sentence: Sentence, answers: int = 0) -> str:
    """Return the sentence as the command that takes all of it; ``answers`` is what it counters."""
    parts = [f"/offer counter offer:{answers}" if answers else "/offer post"]
    to = sentence.trade.to
    if to is not None and not answers:
        parts.append(f"to:@{bare_name(view, to)}")
    for option, goods in sentence.sides.items():
        if goods:
            parts.append(f'{option}:"{quoted(label_goods(view, goods))}"')
    if sentence.terms:
        parts.append(f'terms:"{quoted(sentence.terms)}"')
    return " ".join(parts)
