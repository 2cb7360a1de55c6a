"""A source while it is set up: what stands in the form, which is its only memory, so that two tabs never collide."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from windrow.harvest.setting_up import schedule_to_text
from windrow.harvest.settings import SourceSettings
from windrow.harvest.toml import without_secrets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.store.sources import SourceRow
    from windrow.web.screen import Call
    from windrow.wrapper import Wrapper

KINDS = {"text": "Text", "link": "Link", "picture": "Picture"}
WAYS = {
    "only": "Only this page",
    "list": "Pages linked from a list",
    "these": "These addresses",
    "sitemap": "Pages of a sitemap",
    "feed": "Entries of a feed",
}
LISTS = {"region": "list", "links": "list", "toplist": "list", "sitemap": "sitemap", "feed": "feed"}
MOST_FIELDS = 60


@dataclass(frozen=True)
class FieldDraft:
    """One field of the form."""

    label: str = ""
    text: str = ""
    """As it was pasted; several values are lines."""
    at: str = ""
    """Where it was pointed at: ``start-end`` in the page's text, one for each value, with commas between."""
    other: str = ""
    """Its text in another row of a list."""
    several: bool = False
    kind: str = "text"
    type: str = ""
    optional: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether nothing was filled in."""
        return not (self.label.strip() or self.text.strip())

    @property
    def texts(self) -> list[str]:
        """The values: lines, where there may be several."""
        lines = self.text.splitlines() if self.several else [self.text]
        return [line.strip() for line in lines if line.strip()]


@dataclass(frozen=True)
class Correction:
    """A page that was tried, and what a person said stands on it."""

    url: str
    page: str = ""
    """Its name on the shelf."""
    values: Mapping[str, str] = field(default_factory=dict)
    """By label; an empty text says that the page lacks it."""


@dataclass(frozen=True)
class Draft:
    """What was filled in so far."""

    address: str = ""
    page: str = ""
    """The name of the loaded page on the shelf."""
    region: str = ""
    region_at: str = ""
    rows: bool = False
    """Whether the fields are those of the rows of a list."""
    fields: tuple[FieldDraft, ...] = (FieldDraft(),)
    way: str = "only"
    addresses: str = ""
    next: bool = True
    detail: str = ""
    tries: str = ""
    corrections: tuple[Correction, ...] = ()
    name: str = ""
    key: str = ""
    schedule: str = ""
    zone: str = "UTC"
    send: str = ""
    keep: bool = True
    version: str = ""
    """The versions of the settings and of the wrapper that are edited."""
    toml: str = ""

    @property
    def filled(self) -> list[FieldDraft]:
        """The fields that something stands in."""
        return [each for each in self.fields if not each.is_blank]

    @property
    def labels(self) -> list[str]:
        """The names of the fields."""
        return list(dict.fromkeys(each.label.strip() for each in self.filled if each.label.strip()))

    def with_field(self, number: int, **changes: Any) -> Draft:  # noqa: ANN401 - fields of a field
        """Return the same with something of a field changed."""
        fields = list(self.fields)
        fields[number] = replace(fields[number], **changes)
        return replace(self, fields=tuple(fields))


def lines_of(text: str) -> list[str]:
    """Return the lines of a text that are not blank."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def form_to_draft(call: Call) -> Draft:
    """Read the form."""
    return Draft(
        address=call.text("address").strip(),
        page=call.text("page"),
        region=call.text("region"),
        region_at=call.text("region-at"),
        rows=bool(call.text("rows")),
        fields=_read_fields(call) or (FieldDraft(),),
        way=way if (way := call.text("way", "only")) in WAYS else "only",
        addresses=call.text("addresses"),
        next=bool(call.text("next")),
        detail=call.text("detail").strip(),
        tries=call.text("tries"),
        corrections=() if call.text("forget") else _read_corrections(call),
        name=call.text("name").strip(),
        key=call.text("key"),
        schedule=call.text("schedule").strip(),
        zone=call.text("zone").strip() or "UTC",
        send=call.text("send"),
        keep=bool(call.text("keep")),
        version=call.text("version"),
        toml=call.text("toml").replace("\r\n", "\n"),
    )


def _read_fields(call: Call) -> tuple[FieldDraft, ...]:
    found = []
    for number in range(1, MOST_FIELDS + 1):
        if f"label-{number}" not in call.form:
            break
        found.append(
            FieldDraft(
                label=call.text(f"label-{number}").strip(),
                text=call.text(f"text-{number}").replace("\r\n", "\n"),
                at=next((text for text in call.texts(f"at-{number}") if text), ""),
                other=call.text(f"other-{number}"),
                several=bool(call.text(f"several-{number}")),
                kind=kind if (kind := call.text(f"kind-{number}")) in KINDS else "text",
                type=call.text(f"type-{number}"),
                optional=bool(call.text(f"optional-{number}")),
            )
        )
    return tuple(found)


def _read_corrections(call: Call) -> tuple[Correction, ...]:
    """Return the tried pages on which a cell was changed, or had been changed before."""
    found = []
    labels = call.texts("tried-label")
    for row, url in enumerate(call.texts("tried-url"), 1):
        values = {}
        for column, label in enumerate(labels, 1):
            was, now = call.text(f"was-{row}-{column}"), call.text(f"now-{row}-{column}").strip()
            if now != was.strip() or call.text(f"said-{row}-{column}"):
                values[label] = now.replace("\r\n", "\n")
        if values:
            found.append(Correction(url, call.text(f"tried-page-{row}"), values))
    return tuple(found)


def source_to_draft(source: SourceRow, wrapper: Wrapper | None, wrapper_version: int, toml: str) -> Draft:
    """Fill the form with what is stored of a source, but for its secrets."""
    settings, _ = without_secrets(SourceSettings.from_dict(source.settings))
    follow, way = settings.follow, LISTS.get(settings.follow.list, "these")
    address = wrapper.reference.url if wrapper is not None else settings.start[0] if settings.start else ""
    if way == "these" and settings.start == (address,):
        way = "only"
    return Draft(
        address=address,
        rows=wrapper is not None and wrapper.list_rule is not None,
        region=wrapper.examples[0].region if wrapper is not None else "",
        fields=() if wrapper is None else _wrapper_to_fields(wrapper),
        corrections=_wrapper_to_corrections(wrapper),
        way=way,
        addresses="" if way == "only" else "\n".join(settings.start),
        next=follow.next != "none",
        detail=follow.detail or "",
        name=source.name,
        key=", ".join(settings.read.key),
        schedule=schedule_to_text(settings.schedule),
        zone="UTC" if settings.schedule is None else settings.schedule.zone,
        send="\n".join(settings.warn.send),
        keep=settings.keep.pages,
        version=f"{source.version}.{wrapper_version}",
        toml=toml,
    )


def _wrapper_to_corrections(wrapper: Wrapper | None) -> tuple[Correction, ...]:
    """Return the further examples of a wrapper, which are learned again with the first."""
    if wrapper is None or wrapper.list_rule is not None:
        return ()
    return tuple(
        Correction(each.url, values={label: "\n".join(texts) for label, texts in each.values.items()})
        for each in wrapper.examples[1:]
        if each.url
    )


def _wrapper_to_fields(wrapper: Wrapper) -> tuple[FieldDraft, ...]:
    example = wrapper.examples[0]
    rows: Sequence[Mapping[str, tuple[str, ...]]] = example.rows or (example.values,)
    found = []
    for label in wrapper.labels:
        first, *more = [row.get(label, ()) for row in rows]
        said = wrapper.fields.get(label)
        found.append(
            FieldDraft(
                label=label,
                text="\n".join(first),
                other="\n".join(more[0]) if more else "",
                several=len(first) > 1 or bool(said and said.several),
                type=(said.type or "") if said else "",
                optional=bool(said and not said.required),
            )
        )
    return tuple(found)
