"""Settings of sources and collections: frozen values, each checked with a sentence that names the key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Literal, Self, TypeAlias

from windrow.errors import UsageError
from windrow.harvest.checks import (
    check_addresses,
    check_answer,
    check_choice,
    check_count,
    check_known,
    check_labels,
    check_name,
    check_number,
    check_optional_text,
    check_pairs,
    check_table,
    check_texts,
)
from windrow.harvest.secret_values import is_reference, resolve_secret
from windrow.options import Limits, Options
from windrow.result import TYPES
from windrow.schedule import Schedule

Lists: TypeAlias = Literal["none", "region", "links", "toplist", "sitemap", "feed"]
Severity: TypeAlias = Literal["info", "warning", "error"]
LISTS = ("none", "region", "links", "toplist", "sitemap", "feed")
NEXTS = ("auto", "none", "load-more", "scroll")
READERS = ("records", "tables", "toplist")
SEVERITIES = ("info", "warning", "error")
MOST_PAGES = 10_000_000
MOST_REQUESTS = 1000


@dataclass(frozen=True, kw_only=True)
class Follow:
    """How records are reached from the start pages."""

    list: Lists = "none"
    """Where links to records stand; ``none``: the start pages are the pages."""
    next: Literal["auto", "none", "load-more", "scroll"] = "auto"
    """How a list goes on."""
    detail: str | None = None
    """A glob on the path of links to records; without one, the records' own links."""
    promise: tuple[str, ...] = ()
    """Words of links that promise a table, such as ``specifications``."""
    depth: int = 1
    pages: int = 10_000

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_choice("follow.list", self.list, LISTS)
        check_choice("follow.next", self.next, NEXTS)
        check_optional_text("follow.detail", self.detail)
        object.__setattr__(self, "promise", check_texts("follow.promise", self.promise))
        check_count("follow.depth", self.depth, 0, 100)
        check_count("follow.pages", self.pages, 1, MOST_PAGES)


@dataclass(frozen=True, kw_only=True)
class Read:
    """What reads a page, and what tells its records apart."""

    wrapper: str | None = None
    """A wrapper that was learned; or else a reader."""
    reader: Literal["records", "tables", "toplist"] | None = None
    keyword: str | None = None
    """A word of the tables that are meant."""
    key: tuple[str, ...] = ("url",)
    """The labels that tell records apart; ``url`` is the address of the record's page."""

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_optional_text("read.wrapper", self.wrapper)
        # Pages have regions, and regions have records: both words are in use.
        if str(self.reader) == "regions":
            object.__setattr__(self, "reader", "records")
        if self.reader is not None:
            check_choice("read.reader", self.reader, READERS)
        if (self.wrapper is None) == (self.reader is None):
            raise UsageError(
                'read needs one of wrapper and reader. Write read.wrapper = "FILE.json", or read.reader = "records", '
                '"tables" or "toplist".'
            )
        check_optional_text("read.keyword", self.keyword)
        if self.keyword is not None and self.reader != "tables":
            raise UsageError('read.keyword is for tables only. Write read.reader = "tables", or leave it out.')
        object.__setattr__(self, "key", check_labels("read.key", self.key))


@dataclass(frozen=True, kw_only=True)
class Manners:
    """How a host is treated; what it asks for itself holds where it is slower."""

    rate: float = 0.5
    """Requests a second and host."""
    concurrency: int = 1
    retries: int = 5
    robots: bool = True

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        object.__setattr__(self, "rate", float(check_number("manners.rate", self.rate, 1e-6, MOST_REQUESTS)))
        check_count("manners.concurrency", self.concurrency, 1, 100)
        check_count("manners.retries", self.retries, 0, 100)
        check_answer("manners.robots", self.robots)


@dataclass(frozen=True, kw_only=True)
class Network:
    """How pages are fetched and laid out."""

    render: bool | Literal["auto"] = True
    """Whether a browser lays pages out; ``auto``: only where the page needs it."""
    allow_private: bool = False
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Extra request headers; a value may be ``env:NAME`` or ``file:PATH``."""
    session: str | None = None
    """A file that ``windrow login`` made."""
    proxy: str | None = field(default=None, repr=False)
    """An address, or ``env:NAME`` or ``file:PATH`` for one."""
    user_agent: str | None = None
    language: str = "en"
    seconds: float = 30.0
    """What one page may take."""

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_choice("network.render", self.render, (True, False, "auto"))
        check_answer("network.allow_private", self.allow_private)
        for name in ("session", "proxy", "user_agent"):
            if getattr(self, name) is not None and not isinstance(getattr(self, name), str):
                raise UsageError(f"network.{name} is not text. Write it in quotes, or leave it out.")
        object.__setattr__(self, "headers", _checked_headers(self.headers))
        seconds = float(check_number("network.seconds", self.seconds, 0.001, 86_400))
        object.__setattr__(self, "seconds", seconds)
        proxy = None if self.proxy is None or is_reference(self.proxy) else self.proxy
        try:
            self._options(self.headers, proxy)
        except UsageError as error:
            raise UsageError(f"network: {error}") from None

    def options(self) -> Options:
        """Return the options that a page is fetched with; secrets are looked up now."""
        headers = {name: resolve_secret(value) for name, value in self.headers.items()}
        return self._options(headers, None if self.proxy is None else resolve_secret(self.proxy))

    def _options(self, headers: Mapping[str, str], proxy: str | None) -> Options:
        return Options(
            headers=headers,
            proxy=proxy,
            session=self.session,
            user_agent=self.user_agent,
            language=self.language,
            allow_private=self.allow_private,
            limits=Limits(seconds=self.seconds),
        )


@dataclass(frozen=True, kw_only=True)
class Keep:
    """What is kept of what was fetched."""

    pages: bool = False

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_answer("keep.pages", self.pages)


@dataclass(frozen=True, kw_only=True)
class Warn:
    """What is worth a warning, and who is told."""

    fewer: float = 0.5
    """A run with less than this share of the records of the last whole one removes nothing."""
    fall: float = 0.3
    """How far the share of records that have a label, or of values that are of its type, may fall from run to run."""
    gone: Literal["defer", "continue"] = "defer"
    """What happens when the learned page is gone."""
    send: tuple[str, ...] = field(default=(), repr=False)
    """Addresses in the form of apprise, or ``env:NAME`` or ``file:PATH`` for one."""
    least: Severity = "warning"
    """The least severity that is sent."""

    def __post_init__(self) -> None:
        """Refuse what can't be meant; addresses may hold secrets and never show in messages."""
        object.__setattr__(self, "fewer", float(check_number("warn.fewer", self.fewer, 0, 1)))
        object.__setattr__(self, "fall", float(check_number("warn.fall", self.fall, 0, 1)))
        check_choice("warn.gone", self.gone, ("defer", "continue"))
        check_choice("warn.least", self.least, SEVERITIES)
        object.__setattr__(self, "send", _checked_targets(self.send))


def _checked_headers(given: object) -> dict[str, str]:
    if not isinstance(given, Mapping):
        raise UsageError('network.headers is not a table. Write it as in {X-Name = "value"}.')
    return dict(given)


def _checked_targets(given: object) -> tuple[str, ...]:
    send = (given,) if isinstance(given, str) else given if isinstance(given, list | tuple) else (None,)
    if not all(isinstance(each, str) and (is_reference(each) or "://" in each) for each in send):
        raise UsageError(
            "warn.send has something that is no address for warnings. It should look like mailto://… or json://…, "
            "or name a variable that holds one, as in env:NAME."
        )
    return tuple(send)


SECTIONS: Mapping[str, type[Any]] = {
    "follow": Follow,
    "read": Read,
    "schedule": Schedule,
    "manners": Manners,
    "network": Network,
    "keep": Keep,
    "warn": Warn,
}


@dataclass(frozen=True, kw_only=True)
class SourceSettings:
    """Everything that is set for one source."""

    name: str
    start: tuple[str, ...] = ()
    """Addresses, or patterns of them."""
    start_file: str | None = None
    """A file with an address a line."""
    follow: Follow = field(default_factory=Follow)
    read: Read
    schedule: Schedule | None = None
    manners: Manners = field(default_factory=Manners)
    network: Network = field(default_factory=Network)
    keep: Keep = field(default_factory=Keep)
    warn: Warn = field(default_factory=Warn)

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_name(self.name, "source")
        object.__setattr__(self, "start", check_addresses("start", self.start))
        check_optional_text("start_file", self.start_file)
        for name, kind in SECTIONS.items():
            value = getattr(self, name)
            if not isinstance(value, kind) and not (name == "schedule" and value is None):
                raise UsageError(f"{name} is not a {kind.__name__} value. Write it as in {kind.__name__}(…).")
        if not self.start and self.start_file is None:
            raise UsageError('start is empty. Give an address: start = ["https://…"].')

    @property
    def ways(self) -> tuple[object, ...]:
        """How records are reached and told apart; a new version of the wrapper changes neither."""
        return self.start, self.follow, self.read.reader, self.read.keyword, self.read.key

    def to_dict(self) -> dict[str, Any]:
        """Return what differs from the defaults, as JSON can hold it; plain secrets are part of it."""
        plain: dict[str, Any] = {"name": self.name}
        if self.start:
            plain["start"] = [*self.start]
        if self.start_file is not None:
            plain["start_file"] = self.start_file
        for name in SECTIONS:
            section = getattr(self, name)
            if section is not None and (described := section_to_dict(section)):
                plain[name] = described
        return plain

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """Return the settings that ``to_dict`` described; what is missing has its default."""
        given = dict(plain)
        name = check_name(given.pop("name", None), "source")
        try:
            check_known("", given, ["start", "start_file", *SECTIONS])
            for key in SECTIONS:
                # What reads the pages must be said; an empty table says so in a sentence.
                if key in given or key == "read":
                    given[key] = section_from_dict(key, given.get(key, {}))
            return cls(name=name, **given)
        except UsageError as error:
            raise UsageError(f"Source {name!r}: {error}") from None


@dataclass(frozen=True, kw_only=True)
class CollectionSettings:
    """A common schema, and how the labels of sources map to it."""

    name: str
    key: tuple[str, ...]
    """The labels of the collection that tell records apart across sources."""
    match: Literal["normalised", "exact"] = "normalised"
    """Whether keys are compared without regard to case, spaces and punctuation."""
    likeness: float | None = None
    """From which share of likeness, 0 to 1, two records are proposed as one."""
    compare: tuple[str, ...] = ()
    """The labels whose likeness counts."""
    sources: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """For each source: the label of the collection, and the label of the source."""
    types: Mapping[str, str] = field(default_factory=dict)
    """The types of labels, where somebody said them."""

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_name(self.name, "collection")
        object.__setattr__(self, "key", check_labels("key", self.key))
        check_choice("match", self.match, ("normalised", "exact"))
        object.__setattr__(self, "compare", check_texts("compare", self.compare))
        if self.likeness is not None:
            object.__setattr__(self, "likeness", float(check_number("likeness", self.likeness, 0, 1)))
        maps = check_table("from", self.sources)
        sources = {check_name(name, "source"): check_pairs(f"from.{name}", labels) for name, labels in maps.items()}
        object.__setattr__(self, "sources", sources)
        object.__setattr__(self, "types", check_pairs("types", self.types))
        for label, kind in self.types.items():
            check_choice(f"types.{label}", kind, TYPES)

    def to_dict(self) -> dict[str, Any]:
        """Return what differs from the defaults, as JSON can hold it."""
        plain = section_to_dict(self)
        if "sources" in plain:
            plain["from"] = plain.pop("sources")
        return plain

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """Return the settings that ``to_dict`` described; what is missing has its default."""
        given = dict(plain)
        name = check_name(given.pop("name", None), "collection")
        try:
            check_known("", given, ["key", "match", "likeness", "compare", "types", "from"])
            sources = given.pop("from", {})
            return cls(name=name, key=given.pop("key", ()), sources=sources, **given)
        except UsageError as error:
            raise UsageError(f"Collection {name!r}: {error}") from None


def section_to_dict(section: Any) -> dict[str, Any]:  # noqa: ANN401 - any of the dataclasses above
    """Return what differs from the defaults."""
    plain: dict[str, Any] = {}
    for each in fields(section):
        usual = each.default_factory() if each.default_factory is not MISSING else each.default
        value = getattr(section, each.name)
        if value != usual:
            plain[each.name] = [*value] if isinstance(value, tuple) else _plain(value)
    # A table that does not say it means a region.
    return {"list": section.list, **plain} if isinstance(section, Follow) and plain else plain


def section_from_dict(name: str, plain: object) -> Any:  # noqa: ANN401 - any of the dataclasses above
    """Return one section of a source."""
    given = check_table(name, plain)
    kind = SECTIONS[name]
    check_known(f"{name}.", given, [each.name for each in fields(kind)])
    if kind is Follow:
        given = {"list": "region", **given}
    try:
        return kind(**given)
    except UsageError as error:
        raise UsageError(f"{name}: {error}" if kind is Schedule else str(error)) from None


def _plain(value: object) -> object:
    return {key: _plain(each) for key, each in value.items()} if isinstance(value, Mapping) else value
