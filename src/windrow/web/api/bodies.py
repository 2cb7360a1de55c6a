"""What may be sent to the API; a key that nobody knows is refused."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from windrow.readers.registry import READERS
from windrow.result import DeclaredType

MOST_PAGES = 10
"""Pages that one request may bring or name; each may take a browser half a minute."""
LONGEST_TEXT = 100_000
Url = Annotated[str, Field(min_length=8, max_length=8192, pattern=r"^[Hh][Tt][Tt][Pp][Ss]?://")]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Label = Annotated[str, Field(min_length=1, max_length=200)]
Values = Annotated[dict[Label, Text | list[Text]], Field(min_length=1, max_length=100)]


class Body(BaseModel):
    """What is sent."""

    model_config = ConfigDict(extra="forbid", strict=True)


class PageBody(Body):
    """A page: its address, or its HTML with the address that it came from."""

    url: Url | None = Field(default=None, description="Where the page is, or where the HTML came from.")
    html: str | None = Field(
        default=None, max_length=20_000_000, description="The page itself; nothing is fetched then."
    )

    @model_validator(mode="after")
    def _has_one(self) -> "PageBody":
        if self.url is None and self.html is None:
            raise ValueError("name the page by its url, or send its html")
        return self


class ReadBody(PageBody):
    """A page to read once."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {"url": "https://orchard.example/orchards", "readers": ["title", "tables"]},
                {"html": "<h1>Pears</h1><p>Ripe in October.", "readers": ["title", "text"], "render": False},
            ]
        },
    )
    readers: list[Literal[tuple(READERS)]] = Field(  # type: ignore[valid-type] # the registry's names
        default_factory=lambda: list(READERS), min_length=1, max_length=20, description="What is read; all by default."
    )
    render: bool = Field(
        default=True, description="Whether a browser lays the page out; without one, structure alone is read."
    )


class ExampleBody(PageBody):
    """A page to learn from, and texts as it displays them: by label, or rows of a list by label."""

    values: Values | None = None
    rows: list[Values] | None = Field(default=None, min_length=1, max_length=20)

    @model_validator(mode="after")
    def _says_what(self) -> "ExampleBody":
        if (self.values is None) == (self.rows is None):
            raise ValueError("give values for a page that shows one thing, or rows for one that lists several")
        return self


class FieldBody(Body):
    """What is known of a label beside its texts."""

    type: DeclaredType | None = None
    several: bool | None = None
    required: bool = True


class LearnBody(Body):
    """Pages to learn a wrapper from."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {
                    "pages": [{"html": "<h1>Pears</h1><p>Price: <b>3 €</b>", "values": {"price": "3 €"}}],
                    "render": False,
                }
            ]
        },
    )
    pages: list[ExampleBody] = Field(min_length=1, max_length=MOST_PAGES)
    region: Text | None = Field(default=None, description="The text of the whole region of interest.")
    name: Annotated[str, Field(max_length=200)] = ""
    fields: dict[Label, FieldBody] = Field(default_factory=dict, max_length=100)
    render: bool = True


class TryBody(Body):
    """Pages to try a wrapper on: one that is sent, or the one of a source."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"source": "orchards", "urls": ["https://orchard.example/p/1"]}]},
    )
    wrapper: dict[str, Any] | None = Field(default=None, description="As /learn gave it.")
    source: str | None = Field(default=None, max_length=200)
    urls: list[Url] = Field(min_length=1, max_length=MOST_PAGES)
    render: bool | None = Field(default=None, description="As the wrapper was learned, unless it is said.")

    @model_validator(mode="after")
    def _has_one(self) -> "TryBody":
        if (self.wrapper is None) == (self.source is None):
            raise ValueError("name a source, or send a wrapper")
        return self


Settings = Annotated[
    dict[str, Any],
    Field(
        description="The settings as in TOML: start, follow, read, schedule, manners, network, keep, warn.",
        json_schema_extra={
            "examples": [
                {"start": ["https://orchard.example/list"], "follow": {"list": "region"}, "read": {"reader": "records"}}
            ]
        },
    ),
]


class SettingsBody(Body):
    """The settings of a source, and what reads it where that is new."""

    settings: Settings
    wrapper: dict[str, Any] | None = Field(
        default=None, description="As /learn gave it; a new version where there is one."
    )


class SourceBody(SettingsBody):
    """A source to be made."""

    source: Annotated[str, Field(min_length=1, max_length=200, description="Its name.")]


class ChangeBody(Body):
    """Some settings of a source, by table and key; null means the default."""

    settings: Annotated[
        dict[str, Any], Field(min_length=1, json_schema_extra={"examples": [{"manners": {"rate": 2.0}}]})
    ]


class WrapperBody(Body):
    """Another wrapper for a source."""

    wrapper: dict[str, Any]


class UndoBody(Body):
    """Which version of a wrapper is meant."""

    version: int | None = Field(default=None, ge=1, le=2**31, description="The one before, where none is named.")


class RunBody(Body):
    """How a run is to be."""

    offline: bool = Field(default=False, description="Read the pages that were kept again, without the network.")
    fresh: bool = Field(default=False, description="Ask for every page as if it were new.")
    accept: bool = Field(default=False, description="Take a run as it is that falls short of the one before.")
    pages: int | None = Field(default=None, ge=1, le=10_000_000, description="Read at most so many pages.")


class CollectionBody(Body):
    """A common schema of several sources."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"key": ["sku"], "from": {"orchards": {"sku": "number", "name": "title"}}}]},
    )
    key: list[Label] = Field(min_length=1, max_length=20)
    match: Literal["normalised", "exact"] = "normalised"
    likeness: float | None = Field(default=None, ge=0, le=1)
    compare: list[Label] = Field(default_factory=list, max_length=20)
    types: dict[Label, DeclaredType] = Field(default_factory=dict)
    sources: dict[str, dict[Label, Label]] = Field(default_factory=dict, alias="from", max_length=1000)


Known = Annotated[list[Annotated[str, Field(max_length=10_000)]], Field(min_length=2, max_length=2)]
"""A record by its source and its key."""


class VerdictBody(Body):
    """Whether two records are one thing; ``records`` are those of a pair that is alike."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"records": [["linde", "7"], ["quillfold", "Q-101"]], "same": True}]},
    )
    records: list[Known] = Field(min_length=2, max_length=2)
    same: bool
