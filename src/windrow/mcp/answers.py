"""What the tools give: typed, each value with the address and the XPath where it stands, so that it can be cited."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

After = Annotated[str, Field(max_length=100, description="The `next` of the part before; empty for the beginning.")]
"""Where an answer is to go on."""


class Answer(BaseModel):
    """What a tool gives."""

    model_config = ConfigDict(extra="forbid")


class Value(Answer):
    """A text that stands on a page, and where."""

    text: str
    xpath: str | None = Field(default=None, description="Where on the page; null where it is not displayed there.")


class Part(Answer):
    """A part of what there is."""

    next: str | None = Field(default=None, description="Give it as `after` for the next part; null at the end.")
    cut: bool = Field(default=False, description="Whether texts or lists were cut because even one was too long.")


class PagePart(Part):
    """A part of a page."""

    url: str = Field(description="The address of the page, after redirects: cite it.")
    fetched: str | None = None
    rendered: bool = Field(description="Whether a browser laid it out, so that hidden text is surely left out.")


class PageText(PagePart):
    """The visible text of a page."""

    title: Value | None = None
    lines: list[Value]


class Table(Answer):
    """A table, or some rows of it."""

    number: int = Field(description="Which table of the page it is, best first, from 1 on.")
    name: str
    xpath: str
    columns: list[str]
    header_rows: int
    rows: list[list[Value]] = Field(description="Rows of cells; header rows are among them.")
    first_row: int = Field(description="The number of the first row here, from 1 on.")
    confidence: float


class Tables(PagePart):
    """The tables of a page."""

    warnings: list[str] = Field(default_factory=list, description="What was left out of tables that are very large.")
    tables: list[Table]


class ListedRecord(Answer):
    """A record of a list on a page."""

    region: int = Field(description="Which list of the page it stands in, best first, from 1 on.")
    xpath: str
    url: str | None = Field(default=None, description="The page of its own, where it has one.")
    fields: dict[str, list[Value]]


class Records(PagePart):
    """The lists of records of a page."""

    regions: int = Field(description="How many lists there are.")
    next_page: str | None = Field(default=None, description="The next page of the best list, on the site.")
    warnings: list[str] = Field(default_factory=list, description="What was left out of lists that are very long.")
    records: list[ListedRecord]


class RankedItem(Answer):
    """An entry of a ranked list."""

    rank: int
    name: Value
    url: str | None = None
    text: str = ""
    attributes: dict[str, str] = Field(default_factory=dict)


class TopList(PagePart):
    """The ranked list that a page promises, or why there is none."""

    is_toplist: bool
    reason: str
    title: str = ""
    k: int | None = None
    concept: str = ""
    criterion: str = ""
    items: list[RankedItem] = Field(default_factory=list)


class Extracted(Answer):
    """What a wrapper read from a page, or why it could not."""

    asked: str = Field(description="The address that was asked for.")
    url: str = ""
    kind: str = Field(default="", description="page, or why there are no values: wall, other, empty.")
    values: dict[str, list[Value]] = Field(default_factory=dict)
    doubtful: dict[str, list[str]] = Field(default_factory=dict, description="Not sure: not to be taken for values.")
    missing: list[str] = Field(default_factory=list)
    error: str = ""


class Extractions(Part):
    """What a wrapper read from some pages."""

    labels: list[str]
    pages: list[Extracted]


class Learned(Part):
    """A wrapper that was learned, and what it reads from the pages that it was learned from."""

    wrapper: str = Field(description="Give it to `extract`. It is kept in memory, not in the store.")
    labels: list[str]
    only_here: list[str] = Field(description="Labels that are read on the learned address only.")
    pages: list[Extracted]


class Source(Answer):
    """A source that is harvested."""

    source: str
    state: str
    reason: str
    labels: list[str]
    records: int
    last_run: str | None
    last_state: str | None
    warnings: int = Field(description="How many are open.")


class Sources(Part):
    """The sources of the store."""

    sources: list[Source]


class StoredValue(Answer):
    """A value of a stored record, and where it stood when it was read."""

    text: str | list[str]
    url: str | None
    xpath: str | None


class StoredRecord(Answer):
    """A record of the store."""

    source: str
    key: str | list[str]
    url: str | None
    state: str
    first_seen: str | None
    last_seen: str | None
    values: dict[str, StoredValue]


class StoredRecords(Part):
    """Records of a source."""

    total: int = Field(description="How many match.")
    records: list[StoredRecord]


class Warning_(Answer):  # noqa: N801 - Python has a Warning of its own
    """Something that a person should know."""

    id: int
    source: str | None
    run: int | None
    at: str | None
    kind: str
    severity: str
    state: str
    url: str | None
    count: int
    text: str


class Warnings(Part):
    """Warnings that are open."""

    warnings: list[Warning_]
