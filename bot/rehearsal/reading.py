"""A message as people read it: Discord's payload as plain text, and its controls.

Markdown is removed, mentions become names, and components are read top to bottom. The text does not depend on the
reader; `bot.rehearsal.scene` knows who may see which message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

Payload = Mapping[str, Any]

# Types of components, as Discord numbers them.
ACTION_ROW, BUTTON, STRING_SELECT, TEXT_INPUT, USER_SELECT = 1, 2, 3, 4, 5
ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = 6, 7, 8
SECTION, TEXT_DISPLAY, THUMBNAIL, MEDIA_GALLERY, FILE = 9, 10, 11, 12, 13
CONTAINER, LABEL, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX = 17, 18, 19, 21, 22, 23
SELECTS = (STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT)
_CALLS_NOBODY = (5, 6)
"""Styles of buttons that open a web page or a shop and never call the bot."""
LOADING = 1 << 7
"""The message flag of a deferred reply that has not arrived yet."""


class NameLookup(Protocol):
    """Names by id; None for an unknown id."""

    def user(self, id: int) -> str | None:
        """Return a user's name."""

    def channel(self, id: int) -> str | None:
        """Return the name of a channel or thread."""

    def role(self, id: int) -> str | None:
        """Return a role's name."""


@dataclass(frozen=True, slots=True)
class SelectChoice:
    """One option of a select."""

    label: str
    value: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Control:
    """A button or select of a message. ``near`` is the text of its section."""

    kind: int
    label: str
    custom_id: str
    enabled: bool
    near: str = ""
    choices: tuple[SelectChoice, ...] = ()

    @property
    def is_button(self) -> bool:
        """Whether it is a button, not a select."""
        return self.kind == BUTTON


@dataclass(frozen=True, slots=True)
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
        lines += _embed(embed, names, now)
    lines += _components(message.get("components") or (), names, now)
    return _tidy(lines)


def controls(message: Payload, names: NameLookup, now: datetime) -> tuple[Control, ...]:
    """Return a message's buttons and selects, top to bottom, without links."""
    if int(message.get("flags") or 0) & LOADING:
        return ()
    return tuple(_controls(message.get("components") or (), "", names, now))


def images(message: Payload) -> tuple[str, ...]:
    """Return the URLs of a message's pictures, each once: attachments, embeds, thumbnails, galleries."""
    found = [str(item.get("url")) for item in message.get("attachments") or () if _is_image(item)]
    for embed in message.get("embeds") or ():
        found += [str(embed[key]["url"]) for key in ("image", "thumbnail") if embed.get(key)]
    for component in walk(message.get("components") or ()):
        if component.get("type") == THUMBNAIL:
            found.append(str(component["media"]["url"]))
        elif component.get("type") == MEDIA_GALLERY:
            found += [str(item["media"]["url"]) for item in component.get("items") or ()]
    return tuple(dict.fromkeys(found))


def walk(components: Sequence[Payload]) -> Iterator[Payload]:
    """Yield components and everything nested in them, top to bottom."""
    for component in components:
        yield component
        yield from walk(component.get("components") or ())
        for key in ("accessory", "component"):
            if component.get(key):
                yield from walk((component[key],))


def _is_image(attachment: Payload) -> bool:
    return str(attachment.get("content_type") or "").startswith("image/")


def _embed(embed: Payload, names: NameLookup, now: datetime) -> Iterator[str]:
    if author := embed.get("author"):
        yield str(author.get("name") or "")
    for key in ("title", "description"):
        yield plain(str(embed.get(key) or ""), names, now)
    for field in embed.get("fields") or ():
        yield plain(str(field.get("name") or ""), names, now)
        yield plain(str(field.get("value") or ""), names, now)
    if footer := embed.get("footer"):
        yield str(footer.get("text") or "")


def _components(components: Sequence[Payload], names: NameLookup, now: datetime) -> Iterator[str]:
    for component in components:
        match component.get("type"):  # numbers, since a bare name in a pattern would match anything
            case 10:  # text display
                yield plain(str(component.get("content") or ""), names, now)
            case 1:  # action row
                # Buttons stand side by side; a select has its row to itself.
                inside = component.get("components") or ()
                between = " " if all(each.get("type") == BUTTON for each in inside) else "\n"
                yield between.join(_components(inside, names, now))
            case 2:  # button
                yield f"[{_with_emoji(component, str(component.get('label') or ''))}]"
            case 9:  # section
                yield from _components(component.get("components") or (), names, now)
                yield from _components((component["accessory"],), names, now)
            case 17:  # container
                yield from _components(component.get("components") or (), names, now)
            case 11:  # thumbnail
                yield str(component.get("description") or "")
            case 12:  # media gallery
                yield from (str(item.get("description") or "") for item in component.get("items") or ())
            case 13:  # file
                yield str(component.get("name") or "")
            case 18:  # label
                yield str(component.get("label") or "")
                yield str(component.get("description") or "")
                yield from _components((component["component"],), names, now)
            case 4:  # text input
                yield from (str(component.get(key) or "") for key in ("label", "placeholder", "value"))
            case _:
                yield from _options(component, names)


def _options(component: Payload, names: NameLookup) -> Iterator[str]:
    """Yield the texts of a select, or of a group of radio buttons or checkboxes."""
    yield str(component.get("placeholder") or "")
    for option in component.get("options") or ():
        note = option.get("description")
        yield _with_emoji(option, str(option.get("label") or "")) + (f": {note}" if note else "")
    for default in component.get("default_values") or ():
        yield _entity(default, names)


def _controls(components: Sequence[Payload], near: str, names: NameLookup, now: datetime) -> Iterator[Control]:
    for component in components:
        kind = component.get("type")
        if kind == SECTION:
            text = _tidy(_components(component.get("components") or (), names, now))
            yield from _controls((component["accessory"],), text, names, now)
        elif kind == BUTTON and component.get("style") not in _CALLS_NOBODY:
            label = str(component.get("label") or "") or _with_emoji(component, "")
            yield Control(BUTTON, label, str(component["custom_id"]), not component.get("disabled"), near)
        elif kind in SELECTS:
            yield Control(
                int(kind),
                str(component.get("placeholder") or ""),
                str(component["custom_id"]),
                not component.get("disabled"),
                near,
                _choices(component),
            )
        else:
            yield from _controls(component.get("components") or (), near, names, now)


def _choices(component: Payload) -> tuple[SelectChoice, ...]:
    return tuple(
        SelectChoice(str(option["label"]), str(option["value"]), bool(option.get("default")))
        for option in component.get("options") or ()
    )


def _with_emoji(component: Payload, text: str) -> str:
    emoji = component.get("emoji") or {}
    name = str(emoji.get("name") or "")
    if emoji.get("id"):
        name = f":{name}:"
    return f"{name} {text}".strip()


def _entity(default: Payload, names: NameLookup) -> str:
    number = int(default["id"])
    match default.get("type"):
        case "channel":
            return f"#{names.channel(number) or 'unknown'}"
        case "role":
            return f"@{names.role(number) or 'unknown-role'}"
        case _:
            return f"@{names.user(number) or 'unknown-user'}"


def _tidy(lines: Sequence[str] | Iterator[str]) -> str:
    """Join lines, without empty lines and invisible characters."""
    text = "\n".join(lines).translate(_INVISIBLE)
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


_INVISIBLE = {0x00A0: " ", 0x202F: " ", 0x2007: " ", **dict.fromkeys((0x200B, 0x200C, 0x2060, 0xFEFF))}


# ---------------------------------------------------------------- modals


def read_modal(modal: Payload, names: NameLookup, now: datetime) -> str:
    """Return a modal's text as it opens: its title, then each field's label, description and content."""
    return _tidy([str(modal.get("title") or ""), *_components(modal.get("components") or (), names, now)])


def fields(modal: Payload) -> tuple[ModalField, ...]:
    """Return a modal's fields, top to bottom, with their initial content."""
    return tuple(_fields(modal.get("components") or (), ""))


def _fields(components: Sequence[Payload], label: str) -> Iterator[ModalField]:
    for component in components:
        kind = int(component["type"])
        if kind == LABEL:
            yield from _fields((component["component"],), str(component["label"]))
        elif kind == ACTION_ROW:
            yield from _fields(component.get("components") or (), "")
        elif kind != TEXT_DISPLAY:
            yield ModalField(
                kind,
                label or str(component.get("label") or component.get("placeholder") or ""),
                str(component["custom_id"]),
                _prefilled(component),
                _choices(component),
            )


def _prefilled(component: Payload) -> tuple[str, ...]:
    match component["type"]:
        case 4:  # text input
            value = component.get("value")
            return (str(value),) if value else ()
        case 23:  # checkbox
            return ("yes",) if component.get("default") else ()
        case _:
            chosen = [choice.value for choice in _choices(component) if choice.chosen]
            return (*chosen, *(str(default["id"]) for default in component.get("default_values") or ()))


# ---------------------------------------------------------------- markdown


_MARKS = re.compile(r"[*_~|`#>\\<\[\-]")
_CODE_BLOCK = re.compile(r"```(?:[A-Za-z0-9_+.#-]+\n)?\n?(.+?)\n?```", re.DOTALL)
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_ESCAPE = re.compile(r"\\([^A-Za-z0-9\s])")
_ANGLE_LINK = re.compile(r"<(https?://[^\s>]+)>")
_LINK = re.compile(r"\[([^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]\(<?https?://[^\s)>]+>?(?:\s+\"[^\"]*\")?\)")
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
    found = {key: value for key, value in match.groupdict().items() if value is not None}
    if "user" in found:
        return f"@{names.user(int(found['user'])) or 'unknown-user'}"
    if "role" in found:
        return f"@{names.role(int(found['role'])) or 'unknown-role'}"
    if "channel" in found:
        return f"#{names.channel(int(found['channel'])) or 'unknown'}"
    if "command" in found:
        return f"/{found['command']}"
    if "emoji" in found:
        return f":{found['emoji']}:"
    return when(int(found["time"]), found.get("style", "f"), now)


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
    """Return a time (in seconds since 1970) as Discord's ``<t:...>`` shows it, in UTC; style R counts from ``now``."""
    if style != "R":
        moment = datetime.fromtimestamp(at, UTC)
        pattern = _STYLES[style].replace("%-d", str(moment.day))
        return moment.strftime(pattern)
    away = at - int(now.timestamp())
    size, unit = next((each for each in _UNITS if abs(away) >= each[0]), (1, "second"))
    count = round(abs(away) / size)
    amount = f"{count} {unit}{'' if count == 1 else 's'}"
    return f"{amount} ago" if away < 0 else f"in {amount}"
