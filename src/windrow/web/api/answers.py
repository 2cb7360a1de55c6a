"""What the API gives, for its document; keys may be added, none goes."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Texts = str | list[str] | None
State = Literal["active", "paused", "deferred", "running"]


class Answer(BaseModel):
    """What is given."""

    model_config = ConfigDict(extra="allow")


class Problem(Answer):
    """What went wrong, as a sentence, by RFC 9457."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str = Field(description="What happened, and what to do.", examples=["There is no source 'pears'."])
    kind: str | None = Field(default=None, description="A short word for programs.")
    current: Any = Field(default=None, description="Of something that was changed meanwhile: what it is now.")


class PageAnswer(Answer):
    """What was read from a page, by reader, and where the page came from."""

    source: str
    url: str
    provenance: dict[str, Any]
    warnings: list[dict[str, str]]


class LocatedAnswer(Answer):
    """A value and its place on the page."""

    text: str
    path: str = Field(description="Its XPath.")
    confidence: float


class ExtractionAnswer(Answer):
    """What a wrapper read from one page, or why it could not."""

    source: str
    url: str | None = None
    kind: Literal["page", "wall", "other", "empty"] | None = None
    values: dict[str, list[str]] | None = None
    rows: list[dict[str, list[str]]] | None = None
    doubtful: dict[str, list[str]] | None = Field(default=None, description="What is not sure, apart from the values.")
    missing: list[str] | None = None
    located: dict[str, list[LocatedAnswer]] | None = None
    error: dict[str, str] | None = None


class LearnedAnswer(Answer):
    """A wrapper, what a person should know of it, and what it reads from the pages that it was learned from."""

    wrapper: dict[str, Any]
    labels: list[str]
    only_here: list[str] = Field(description="Labels that are read on the learned address only.")
    choices: list[dict[str, Any]] = Field(description="Texts that stand in several places, and which was taken.")
    names_taken_off: dict[str, str]
    preview: list[ExtractionAnswer]


class TriedAnswer(Answer):
    """What a wrapper reads: pages by labels."""

    labels: list[str]
    pages: list[ExtractionAnswer]
    same: dict[str, list[str]] = Field(description="Labels that have one value on every page.")


class SourceAnswer(Answer):
    """How a source is."""

    source: str
    state: State
    reason: str
    records: int
    gone: int
    run: int | None
    last_run: str | None
    last_state: str | None
    next_run: str | None
    warnings: int


class SourcesAnswer(Answer):
    """All sources."""

    sources: list[SourceAnswer]


class WholeSourceAnswer(SourceAnswer):
    """A source with its settings, without its secrets."""

    version: int = Field(description="Of its settings.")
    wrapper: int | None = Field(description="The version of its wrapper.")
    settings: dict[str, Any]
    said: list[str] = Field(default_factory=list, description="What was decided when it was saved.")


class VersionAnswer(Answer):
    """A version of a wrapper."""

    version: int
    made_by: str
    made_at: str
    report: Any = None


class VersionsAnswer(Answer):
    """All versions of a wrapper, oldest first."""

    source: str
    wrappers: list[VersionAnswer]


class TemplateChangeAnswer(Answer):
    """Something that happened to the template of a source, or to what reads it."""

    which: str
    kind: Literal["heal", "back", "person", "refused", "warned"]
    at: str | None
    sentence: str
    before: int | None = Field(description="The version of the wrapper before.")
    after: int | None = Field(description="The version since, where there is one.")
    run: int | None
    warning: int | None = Field(description="The warning that tells of it, as long as nobody has seen to it.")
    report: dict[str, Any] = Field(description="Of a heal: each label's old and new place and value in `moves`.")


class TemplateChangesAnswer(Answer):
    """What happened to the template of a source, newest first."""

    source: str
    changes: list[TemplateChangeAnswer]


class WrapperAnswer(VersionAnswer):
    """A version of a wrapper with all that it knows."""

    source: str
    wrapper: dict[str, Any]


class RunAnswer(Answer):
    """What a run came to, so far or in all."""

    run: int
    source: str
    state: Literal["running", "whole", "partial", "deferred", "failed"]
    trigger: str
    due: str | None
    started: str | None
    ended: str | None
    pages: int
    not_modified: int
    failed: int
    records: int
    added: int
    changed: int
    removed: int
    returned: int
    seconds: float | None
    sentence: str


class PagedAnswer(Answer):
    """A part of a list."""

    next: str | None = Field(description="The cursor of the next part; null where there is none.")


class RunsAnswer(PagedAnswer):
    """Runs, newest first."""

    runs: list[RunAnswer]


class RecordAnswer(Answer):
    """A record."""

    source: str
    key: str | list[str]
    url: str | None
    state: Literal["present", "gone"]
    first_seen: str | None
    last_seen: str | None
    run: int
    values: dict[str, Texts]
    typed: dict[str, Any]
    origin: dict[str, dict[str, Any]] | None = Field(
        default=None, description="Where each value came from, where asked for."
    )


class RecordsAnswer(PagedAnswer):
    """Records of a source."""

    records: list[RecordAnswer]
    total: int | None = Field(default=None, description="How many there are in all, where that is known.")


class ChangeAnswer(Answer):
    """Something that happened to a record."""

    id: int
    source: str
    run: int
    at: str | None
    key: str | list[str]
    kind: Literal["added", "changed", "removed", "returned"]
    label: str | None
    old: Texts
    new: Texts
    url: str | None


class ChangesAnswer(PagedAnswer):
    """Changes of records, oldest first."""

    changes: list[ChangeAnswer]


class DiffAnswer(ChangesAnswer):
    """What two points of a history differ in."""

    since: str | None = Field(default=None, description="The earlier point: a run, or a moment.")
    until: str | None = Field(default=None, description="The later point.")


class WarningAnswer(Answer):
    """Something that a person should know."""

    id: int
    source: str | None
    run: int | None
    at: str | None
    kind: str
    severity: Literal["info", "warning", "error"]
    state: Literal["open", "acknowledged", "resolved"]
    url: str | None
    count: int
    text: str


class WarningsAnswer(PagedAnswer):
    """Warnings, newest first."""

    warnings: list[WarningAnswer]


class CollectionAnswer(Answer):
    """A common schema of several sources."""

    name: str
    key: list[str]


class CollectionsAnswer(Answer):
    """All collections."""

    collections: list[CollectionAnswer]


class RowAnswer(Answer):
    """One thing, as the sources of a collection have it."""

    collection: str
    key: str | list[str] | None
    values: dict[str, Texts]
    sources: dict[str, dict[str, Texts]]
    conflicts: list[str]


class RowsAnswer(PagedAnswer):
    """Rows of a collection."""

    rows: list[RowAnswer]


class PairsAnswer(PagedAnswer):
    """Rows of a collection that may be the same thing."""

    pairs: list[dict[str, Any]]


class VerdictAnswer(Answer):
    """What was said of a pair."""

    id: int
    records: list[list[str]]
    """Two, each by its source and key."""
    same: bool
    at: str | None


class VerdictsAnswer(Answer):
    """What was said of the pairs of a collection."""

    verdicts: list[VerdictAnswer]
