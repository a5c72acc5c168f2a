"""A message as people read it: Discord's payload as plain text, and its controls.

Markdown is removed, mentions become names, and components are read top to bottom. The text does not
depend on the reader; `bot.rehearsal.scene` knows who may see which message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from simcord.components import walk_components
from simcord.enums import ComponentType

from bot.rules.model.values import frozen

Payload = Mapping[str, Any]

LOADING = 1 << 7
"""The message flag of a deferred reply that has not arrived yet."""


NameLookup = Callable[[str, int], str | None]
"""Returns the name of a ``user``, ``role`` or ``channel`` by its id; None for an unknown id."""


@frozen
class SelectChoice:
    """One option of a select."""

    label: str
    value: str
    chosen: bool = False


@frozen
class Control:
    """A button or select of a message."""

    kind: int
    label: str
    custom_id: str
    enabled: bool
    choices: tuple[SelectChoice, ...] = ()

    @property
    def is_button(self) -> bool:
        """Whether it is a button, not a select."""
        return self.kind == ComponentType.BUTTON


@frozen
class ModalField:
    """A field of a modal with its initial content: a text, or the chosen values."""

    kind: int
    label: str
    custom_id: str
    values: tuple[str, ...]
    choices: tuple[SelectChoice, ...] = ()


# ---------------------------------------------------------------- messages


def read_message(message: Payload, names: NameLookup, now: datetime) -> str:
    """Return a message's text: content, attachments, embeds, components, one below the other."""
    if int(message.get("flags") or 0) & LOADING:
        return "(thinking)"
    lines = [plain(str(message.get("content") or ""), names, now)]
    lines += [str(item.get("filename", "")) for item in message.get("attachments") or ()]
    for embed in message.get("embeds") or ():
        lines.append(plain(str(embed.get("description") or ""), names, now))
    lines += _components(message.get("components") or (), names, now)
    return _tidy(lines)


def controls(message: Payload) -> tuple[Control, ...]:
    """Return a message's buttons and selects, top to bottom."""
    if int(message.get("flags") or 0) & LOADING:
        return ()
    kinds = (ComponentType.BUTTON, ComponentType.SELECT)
    components = walk_components(message.get("components") or ())
    return tuple(
        _control(component)
        for component in components
        if component.get("type") in kinds and "custom_id" in component
    )


def _control(component: Payload) -> Control:
    label = component.get("label") or component.get("placeholder") or _with_emoji(component, "")
    return Control(
        int(component["type"]),
        str(label),
        str(component["custom_id"]),
        not component.get("disabled"),
        _choices(component),
    )


def images(message: Payload) -> tuple[str, ...]:
    """Return the URLs of a message's pictures, each once: attachments, embeds, galleries."""
    urls = []
    for attachment in message.get("attachments") or ():
        if str(attachment.get("content_type") or "").startswith("image/"):
            urls.append(str(attachment.get("url")))
    for embed in message.get("embeds") or ():
        if embed.get("image"):
            urls.append(str(embed["image"]["url"]))
    for component in walk_components(message.get("components") or ()):
        if component.get("type") == ComponentType.MEDIA_GALLERY:
            for item in component.get("items") or ():
                urls.append(str(item["media"]["url"]))
    return tuple(dict.fromkeys(urls))


def _components(components: Sequence[Payload], names: NameLookup, now: datetime) -> Iterator[str]:
    for component in components:
        match component.get("type"):
            case ComponentType.TEXT_DISPLAY:
                yield plain(str(component.get("content") or ""), names, now)
            case ComponentType.ACTION_ROW:
                # Buttons stand side by side; a select has its row to itself.
                inside = component.get("components") or ()
                buttons = all(each.get("type") == ComponentType.BUTTON for each in inside)
                between = " " if buttons else "\n"
                yield between.join(_components(inside, names, now))
            case ComponentType.BUTTON:
                yield f"[{_with_emoji(component, str(component.get('label') or ''))}]"
            case ComponentType.CONTAINER:
                yield from _components(component.get("components") or (), names, now)
            case ComponentType.MEDIA_GALLERY:
                yield from (
                    str(item.get("description") or "") for item in component.get("items") or ()
                )
            case ComponentType.LABEL:
                yield str(component.get("label") or "")
                yield str(component.get("description") or "")
                yield from _components((component["component"],), names, now)
            case ComponentType.TEXT_INPUT:
                yield from (str(component.get(key) or "") for key in ("placeholder", "value"))
            case _:  # a select or radio buttons; an unknown kind usually reads as nothing
                yield str(component.get("placeholder") or "")
                for option in component.get("options") or ():
                    label = _with_emoji(option, str(option.get("label") or ""))
                    note = option.get("description")
                    yield f"{label}: {note}" if note else label


def _choices(component: Payload) -> tuple[SelectChoice, ...]:
    choices = []
    for option in component.get("options") or ():
        chosen = bool(option.get("default"))
        choices.append(SelectChoice(str(option["label"]), str(option["value"]), chosen))
    return tuple(choices)


def _with_emoji(component: Payload, text: str) -> str:
    emoji = component.get("emoji") or {}
    name = str(emoji.get("name") or "")
    if emoji.get("id"):
        name = f":{name}:"
    return f"{name} {text}".strip()


def _mention(kind: str, id: int, names: NameLookup) -> str:
    sign, unknown = {"channel": ("#", "unknown"), "role": ("@", "unknown-role")}.get(
        kind, ("@", "unknown-user")
    )
    return f"{sign}{names(kind, id) or unknown}"


def _tidy(lines: Sequence[str] | Iterator[str]) -> str:
    """Join lines, without empty lines and invisible characters."""
    text = "\n".join(lines).translate(_INVISIBLE)
    written = [line.rstrip() for line in text.splitlines()]
    return "\n".join(filter(None, written))


_INVISIBLE = {
    0x00A0: " ",
    0x202F: " ",
    0x2007: " ",
    **dict.fromkeys((0x200B, 0x200C, 0x2060, 0xFEFF)),
}


# ---------------------------------------------------------------- modals


def read_modal(modal: Payload, names: NameLookup, now: datetime) -> str:
    """Return a modal's text as it opens: title, then each field's label, description, content."""
    lines = [str(modal.get("title") or "")]
    lines += _components(modal.get("components") or (), names, now)
    return _tidy(lines)


def fields(modal: Payload) -> tuple[ModalField, ...]:
    """Return a modal's fields, top to bottom, with their initial content."""
    components = modal.get("components") or ()
    labels = [each for each in components if each["type"] == ComponentType.LABEL]
    return tuple(_field(str(each["label"]), each["component"]) for each in labels)


def _field(label: str, component: Payload) -> ModalField:
    kind, choices = int(component["type"]), _choices(component)
    if kind == ComponentType.TEXT_INPUT:
        values = [str(component["value"])] if component.get("value") else []
    else:
        values = [choice.value for choice in choices if choice.chosen]
    return ModalField(kind, label, str(component["custom_id"]), tuple(values), choices)


# ---------------------------------------------------------------- markdown


_MARKS = re.compile(r"[*_~|`#>\\<\[\-]")
_CODE_BLOCK = re.compile(r"```(?:[A-Za-z0-9_+.#-]+\n)?\n?(.+?)\n?```", re.DOTALL)
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_ESCAPE = re.compile(r"\\([^A-Za-z0-9\s])")
_ANGLE_LINK = re.compile(r"<(https?://[^\s>]+)>")
_LINK = re.compile(
    r"\[([^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]\(<?https?://[^\s)>]+>?(?:\s+\"[^\"]*\")?\)"
)
_ADDRESS = re.compile(r"https?://[^\s<>]+")
_TAG = re.compile(
    r"<(?:@!?(?P<user>\d+)|@&(?P<role>\d+)|#(?P<channel>\d+)|/(?P<command>[^:>]+):\d+"
    r"|a?:(?P<emoji>\w+):\d+|t:(?P<time>-?\d+)(?::(?P<style>[tTdDfFRsS]))?)>"
)
_BLOCKS = (
    (re.compile(r"^[ \t]*>>> ", re.MULTILINE), ""),
    (re.compile(r"^[ \t]*> ", re.MULTILINE), ""),
    (re.compile(r"^[ \t]*-# ", re.MULTILINE), ""),
    (re.compile(r"^[ \t]*#{1,3}[ \t]+", re.MULTILINE), ""),
    (re.compile(r"^([ \t]*)[-*] ", re.MULTILINE), r"\1• "),
)
_SPANS = (
    re.compile(r"\|\|(.+?)\|\|", re.DOTALL),
    re.compile(r"\*\*(?=\S)(.+?)\*\*(?!\*)", re.DOTALL),
    re.compile(r"__(?=\S)(.+?)__(?!_)", re.DOTALL),
    re.compile(r"~~(?=\S)(.+?)~~", re.DOTALL),
    re.compile(r"\*(?=\S)((?:[^*]|\*\*)+?)(?<=\S)\*(?!\*)", re.DOTALL),
    re.compile(r"(?<!\w)_(?=\S)(.+?)(?<=\S)_(?!\w)", re.DOTALL),
)
_KEPT = re.compile("\ue000(\\d+)\ue001")


def plain(text: str, names: NameLookup, now: datetime) -> str:
    """Return a text as Discord displays it, with markdown, mentions and times (in UTC) resolved."""
    if not _MARKS.search(text):
        return text
    kept: list[str] = []

    def keep(value: str) -> str:
        """Replace a value by a mark that the later steps ignore."""
        kept.append(value)
        return f"\ue000{len(kept) - 1}\ue001"

    text = _CODE_BLOCK.sub(lambda match: keep(match.group(1)), text)
    text = _CODE.sub(lambda match: keep(match.group(2).strip() or match.group(2)), text)
    text = _ESCAPE.sub(lambda match: keep(match.group(1)), text)
    text = _TAG.sub(lambda match: keep(_tag(match, names, now)), text)
    text = _LINK.sub(r"\1", text)
    text = _ANGLE_LINK.sub(lambda match: keep(match.group(1)), text)
    text = _ADDRESS.sub(lambda match: keep(match.group(0)), text)
    for pattern, instead in _BLOCKS:
        text = pattern.sub(instead, text)
    for pattern in _SPANS:
        before = ""  # repeat, since a span may contain another of its kind
        while before != text:
            before, text = text, pattern.sub(r"\1", text)
    while _KEPT.search(text):
        text = _KEPT.sub(lambda match: kept[int(match.group(1))], text)
    return text


def _tag(match: re.Match[str], names: NameLookup, now: datetime) -> str:
    kind, value = match.lastgroup, match[match.lastgroup or 0]
    match kind:
        case "user" | "role" | "channel":
            return _mention(kind, int(value), names)
        case "command":
            return f"/{value}"
        case "emoji":
            return f":{value}:"
        case _:
            return when(int(match["time"]), match["style"] or "f", now)


_STYLES = {
    "t": "%H:%M",
    "T": "%H:%M:%S",
    "d": "%d/%m/%Y",
    "D": "%-d %B %Y",
    "f": "%-d %B %Y %H:%M",
    "F": "%A, %-d %B %Y %H:%M",
    "s": "%d/%m/%Y, %H:%M",
    "S": "%d/%m/%Y, %H:%M:%S",
}
_UNITS = (
    (31_536_000, "year"),
    (2_592_000, "month"),
    (86_400, "day"),
    (3_600, "hour"),
    (60, "minute"),
    (1, "second"),
)


def when(at: int, style: str, now: datetime) -> str:
    """Return a time (seconds since 1970) as ``<t:...>`` shows it, in UTC; R counts from ``now``."""
    if style != "R":
        moment = datetime.fromtimestamp(at, UTC)
        pattern = _STYLES[style].replace("%-d", str(moment.day))
        return moment.strftime(pattern)
    away = at - int(now.timestamp())
    units = [each for each in _UNITS if abs(away) >= each[0]]
    size, unit = units[0] if units else _UNITS[-1]
    count = round(abs(away) / size)
    amount = f"{count} {unit}{'' if count == 1 else 's'}"
    return f"{amount} ago" if away < 0 else f"in {amount}"
