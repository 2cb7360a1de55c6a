"""The tables, the same in SQLite and PostgreSQL; the name of a source is free for the view of its records.

What a page gave is written in one transaction together with the fact that the page is done. A record belongs to the
address that shows it, so that seeing an unchanged page again is one update of that address, however many records it
has. Moments are texts in ISO 8601 and UTC, which sort as they are.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    UniqueConstraint,
    text,
)

from windrow.store.text import Json, Text

VERSION = "0004"
"""The newest migration, which these tables are the outcome of."""
PREFIX = "windrow_"
Id = BigInteger().with_variant(Integer, "sqlite")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _id() -> Column[int]:
    return Column("id", Id, primary_key=True, autoincrement=True)


def _of(name: str, table: str, *, nullable: bool = False, index: bool = False) -> Column[int]:
    return Column(name, Id, ForeignKey(f"{PREFIX}{table}.id"), nullable=nullable, index=index)


source = Table(
    f"{PREFIX}source",
    metadata,
    _id(),
    Column("name", Text, nullable=False, unique=True),
    Column("state", String, nullable=False),  # active, paused, deferred
    Column("reason", Text, nullable=False, default=""),
    Column("made_at", String, nullable=False),
    Column("changed_at", String, nullable=False),
    Column("view", Text),  # the name of its view, once it has one
    Column("ignored", Json),  # parameters of addresses that do not decide what a page shows
    Column("due_at", String),  # the next fire of its schedule
    Column("plan", Json),  # how that was planned
)
fire = Table(
    f"{PREFIX}fire",
    metadata,
    Column("source_id", Id, ForeignKey(f"{PREFIX}source.id"), primary_key=True, autoincrement=False),
    Column("due_at", String, primary_key=True),
)
settings = Table(
    f"{PREFIX}settings",
    metadata,
    _id(),
    _of("source_id", "source"),
    Column("version", Integer, nullable=False),
    Column("body", Json, nullable=False),
    Column("made_at", String, nullable=False),
    UniqueConstraint("source_id", "version"),
)
wrapper = Table(
    f"{PREFIX}wrapper",
    metadata,
    _id(),
    _of("source_id", "source"),
    Column("version", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("made_by", String, nullable=False),  # person, heal
    Column("report", Json),
    Column("made_at", String, nullable=False),
    UniqueConstraint("source_id", "version"),
)
run = Table(
    f"{PREFIX}run",
    metadata,
    _id(),
    _of("source_id", "source"),
    Column("trigger", String, nullable=False),  # hand, schedule, resume, offline
    Column("state", String, nullable=False),  # running, whole, partial, deferred, failed
    Column("due_at", String),
    Column("started_at", String, nullable=False),
    Column("ended_at", String),
    Column("settings_version", Integer, nullable=False),
    Column("owner", Json),
    Column("epoch", Integer, nullable=False, default=1),
    Column("lease_until", String),
    Column("counts", Json, nullable=False),
    Column("stats", Json),  # how often each label was there, to compare runs by
    Column("sentence", Text, nullable=False, default=""),
)
Index(
    "ix_windrow_run_under_way",
    run.c.source_id,
    unique=True,
    sqlite_where=run.c.ended_at.is_(None),
    postgresql_where=run.c.ended_at.is_(None),
)
host = Table(
    f"{PREFIX}host",
    metadata,
    Column("name", String, primary_key=True),  # the origin: scheme, host and port
    Column("robots", LargeBinary),
    Column("robots_status", Integer),
    Column("robots_until", Float),
    Column("next_at", Float, nullable=False, default=0.0),
    Column("closed_until", Float, nullable=False, default=0.0),
)
address = Table(
    f"{PREFIX}address",
    metadata,
    _id(),
    _of("source_id", "source"),
    Column("digest", LargeBinary, nullable=False),  # of the url
    Column("url", Text, nullable=False),  # in the form in which addresses are compared
    Column("as_found", Text, nullable=False),
    Column("validators", Json),  # etag, last_modified, and the address that gave them
    Column("body_digest", LargeBinary),
    Column("read_by", LargeBinary),  # the digest of the settings and the wrapper that read it
    Column("links", Json),  # what it led to
    Column("seen_run", Id),
    UniqueConstraint("source_id", "digest"),
)
queue = Table(
    f"{PREFIX}queue",
    metadata,
    Column("run_id", Id, ForeignKey(f"{PREFIX}run.id"), primary_key=True, autoincrement=False),
    Column("address_id", Id, ForeignKey(f"{PREFIX}address.id"), primary_key=True, autoincrement=False),
    Column("role", String, nullable=False),
    Column("depth", Integer, nullable=False),
    Column("rank", Integer, nullable=False),
    Column("done", Integer, nullable=False, default=0),
    Column("attempts", Integer, nullable=False, default=0),
    Column("not_before", Float, nullable=False, default=0.0),
    Column("parent_id", Id),
)
page = Table(
    f"{PREFIX}page",
    metadata,
    _id(),
    _of("run_id", "run"),
    _of("address_id", "address", index=True),
    Column("final_url", Text),
    Column("status", Integer),
    Column("at", String, nullable=False),
    Column("millis", Integer),
    Column("bytes", Integer),
    Column("body_digest", LargeBinary),
    Column("verdict", String, nullable=False),
    Column("wrapper_version", Integer),
    Column("error", Text),
    UniqueConstraint("run_id", "address_id"),
)
body = Table(
    f"{PREFIX}body",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("address_id", Id, ForeignKey(f"{PREFIX}address.id"), index=True),
    Column("at", String, nullable=False),
    Column("kind", String, nullable=False),  # html, or page: the captured page
    Column("role", String, nullable=False),
    Column("headers", Json),
    Column("size", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
)
field = Table(
    f"{PREFIX}field",
    metadata,
    _id(),
    _of("source_id", "source"),
    Column("digest", LargeBinary, nullable=False),  # of the label
    Column("label", Text, nullable=False),
    Column("kind", String),
    Column("column_name", Text, nullable=False),
    Column("place", Integer, nullable=False),
    UniqueConstraint("source_id", "digest"),
)
spot = Table(
    f"{PREFIX}spot",
    metadata,
    _id(),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("path", Text, nullable=False),
)
record = Table(
    f"{PREFIX}record",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=False),
    _of("source_id", "source"),
    Column("lookup", LargeBinary, nullable=False),  # the key, or the beginning of a long one with its digest
    Column("digest", LargeBinary, nullable=False),  # of what was last seen of it
    _of("address_id", "address", nullable=True, index=True),  # none: its page no longer shows it
    Column("first_run", Id, nullable=False),
    Column("last_run", Id, nullable=False),  # where no address says more
    Column("gone_run", Id),
    Column("page_id", Id),  # that showed it first, or first to the version of the wrapper that reads it
    Column("wrapper_version", Integer),
    Column("key", Text, nullable=False),
    Column("url", Text),
    Column("texts", Json, nullable=False),  # by field
    Column("typed", Json),  # by field, of those that say more than their text
    Column("origin", Json),  # by field: spot, confidence and box on that page; a change has its own
    Column("lacking", Json),  # the fields that are kept though they were last not seen
    UniqueConstraint("source_id", "lookup"),
    Index("ix_windrow_record_key", "key", postgresql_using="hash"),
    Index("ix_windrow_record_state", "source_id", "gone_run", "id"),  # for paging and counting
    postgresql_with={"fillfactor": 90},  # room for some to change on their page, which spares their indexes
)
change = Table(
    f"{PREFIX}change",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=False),
    _of("source_id", "source"),
    _of("run_id", "run"),
    _of("record_id", "record", index=True),
    Column("at", String, nullable=False),
    Column("kind", String, nullable=False),  # added, changed, removed, returned
    Column("field_id", Id),
    Column("old", Json),
    Column("new", Json),
    Column("page_id", Id),  # that brought the new value
    Column("wrapper_version", Integer),
    Column("origin", Json),  # spot, confidence and box on that page
    Index("ix_windrow_change_run", "source_id", "run_id"),
)
claim = Table(
    f"{PREFIX}claim",
    metadata,
    _id(),
    _of("run_id", "run", index=True),
    _of("address_id", "address"),
    _of("record_id", "record"),
    Column("sighting", Json, nullable=False),
)
undo = Table(
    f"{PREFIX}undo",
    metadata,
    Column("run_id", Id, ForeignKey(f"{PREFIX}run.id"), primary_key=True, autoincrement=False),
    Column("record_id", Id, ForeignKey(f"{PREFIX}record.id"), primary_key=True, autoincrement=False),
    Column("row", Json, nullable=False),  # the record as it was before the run
)
held = Table(
    f"{PREFIX}held",
    metadata,
    _id(),
    _of("source_id", "source"),
    _of("run_id", "run", index=True),
    Column("at", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("key", Text, nullable=False),
    Column("label", Text),
    Column("old", Json),
    Column("new", Json),
    Column("url", Text),
)
warning = Table(
    f"{PREFIX}warning",
    metadata,
    _id(),
    _of("source_id", "source", nullable=True, index=True),
    _of("run_id", "run", nullable=True),
    Column("kind", String, nullable=False),
    Column("severity", String, nullable=False),
    Column("state", String, nullable=False),
    Column("text", Text, nullable=False),
    Column("url", Text),
    Column("count", Integer, nullable=False, default=1),
    Column("first_at", String, nullable=False),
    Column("last_at", String, nullable=False),
    Column("sent_at", String),
)
collection = Table(
    f"{PREFIX}collection",
    metadata,
    _id(),
    Column("name", Text, nullable=False, unique=True),
    Column("settings", Json, nullable=False),
)
member = Table(
    f"{PREFIX}member",
    metadata,
    _of("collection_id", "collection"),
    Column("thing", Integer, nullable=False),  # the same for records that are one
    Column("rank", Integer, nullable=False),  # of the source, in the order in which values are shown
    Column("record_id", Id, nullable=False),
    PrimaryKeyConstraint("collection_id", "thing", "rank"),
)
collection_view = Table(
    f"{PREFIX}collection_view",
    metadata,
    _of("collection_id", "collection"),
    Column("view", Text, nullable=False),
    Column("statement", Text, nullable=False),
    PrimaryKeyConstraint("collection_id"),
)
verdict = Table(
    f"{PREFIX}verdict",
    metadata,
    _id(),
    Column("collection", Text, nullable=False, index=True),
    Column("digest", LargeBinary, nullable=False),  # of both records, in either order
    Column("pair", Json, nullable=False),  # two records, each by source and key
    Column("same", Integer, nullable=False),  # 1: one thing, 0: two things
    Column("at", String, nullable=False),
    UniqueConstraint("collection", "digest"),
)
preference = Table(
    f"{PREFIX}preference",
    metadata,
    Column("name", String, primary_key=True),
    Column("value", Json, nullable=False),
)
access = Table(
    f"{PREFIX}access",
    metadata,
    _id(),
    Column("kind", String, nullable=False),  # session: somebody logged in; token: a program's
    Column("name", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False, unique=True),  # of the secret, which is not kept
    Column("scopes", Json, nullable=False),
    Column("made_at", String, nullable=False),
    Column("used_at", String),
    Column("until", String),
)
capture = Table(
    f"{PREFIX}capture",
    metadata,
    _id(),
    _of("source_id", "source", index=True),
    _of("run_id", "run", nullable=True),
    Column("wrapper_version", Integer, nullable=False),  # that was learned from it, or met it
    Column("kind", String, nullable=False),  # learned, healed, refused
    Column("url", Text, nullable=False),
    Column("at", String, nullable=False),
    Column("content", LargeBinary, nullable=False),  # the page in one file, with its picture where there is one
)
counter = Table(
    f"{PREFIX}counter",
    metadata,
    Column("name", String, primary_key=True),
    Column("next", Id, nullable=False, server_default=text("1")),
)
