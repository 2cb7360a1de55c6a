"""Tools that look into the store: sources, records, warnings. None of them changes anything."""

from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import BaseModel, ConfigDict, Field

from windrow.mcp import answers
from windrow.mcp.answers import After
from windrow.mcp.fitting import ROOM, size_of, take, to_place, to_result
from windrow.mcp.workplace import Workplace
from windrow.store.browsing import Asked, browse
from windrow.store.fields import list_fields
from windrow.store.overview import describe_sources
from windrow.store.rows import Record, Rows, Wanted
from windrow.store.selection import Filter, How, State
from windrow.store.sources import get_source, list_sources
from windrow.store.warnings import list_warnings

MOST_RECORDS = 100


class Condition(BaseModel):
    """What a value of a record has to be."""

    model_config = ConfigDict(extra="forbid")
    label: str = Field(max_length=200)
    how: How = Field(description="is or has a text, lacks any, or is a number of at least or at most so much.")
    text: str = Field(default="", max_length=1000)


class StoreTools:
    """Tools that look into the store."""

    def __init__(self, workplace: Workplace) -> None:
        """Take what they work with."""
        self._at = workplace

    def list_sources(self, ctx: Context[Any, Any], after: After = "") -> Annotated[CallToolResult, answers.Sources]:
        """List the sources that are harvested: their labels, how many records they have, and how they are."""
        self._at.permit(ctx.request_context.request, "read", 0)
        with self._at.store.reading() as connection:
            numbers = {source.name: source.id for source in list_sources(connection)}
            found = [
                answers.Source(
                    source=each.source,
                    state=each.state,
                    reason=each.reason,
                    labels=[field.label for field in list_fields(connection, numbers[each.source])],
                    records=each.records,
                    last_run=each.last_run,
                    last_state=each.last_state,
                    warnings=each.warnings,
                )
                for each in describe_sources(connection)
            ]
        start = to_place(after)
        end, following = take(found, start)
        return to_result(answers.Sources(sources=found[start:end], next=_written(following)))

    def query_records(  # noqa: PLR0913 - by name: what a question may say
        self,
        ctx: Context[Any, Any],
        source: Annotated[str, Field(max_length=200)],
        *,
        search: Annotated[str, Field(max_length=1000, description="A text that the key or a value has in it.")] = "",
        filters: Annotated[list[Condition], Field(max_length=20, description="What has to hold, all of it.")] = [],  # noqa: B006 - never changed
        sort: Annotated[str, Field(max_length=200, description="A label, @key, @first_seen or @last_seen.")] = "",
        descending: bool = False,
        state: State = "present",
        after: After = "",
    ) -> Annotated[CallToolResult, answers.StoredRecords]:
        """Query the records of a source by filters; every value with the address and XPath where it stood."""
        self._at.permit(ctx.request_context.request, "read", 0)
        wanted = tuple(Filter(each.label, each.how, each.text) for each in filters)
        chosen: dict[str, Any] = {"search": search, "filters": wanted, "sort": sort, "descending": descending}
        with self._at.store.reading() as connection:
            row, limit = get_source(connection, source), MOST_RECORDS
            while True:
                found = browse(connection, row, Asked(**chosen, state=state, cursor=after, limit=limit))
                rows = Rows(connection, row, Wanted(gone=True, origin=True))
                known = {record.id: record for record in rows.pick([record.id for record in found.records])}
                records = [_record(known[record.id]) for record in found.records]
                used = size_of([record.model_dump(mode="json") for record in records])
                if used <= ROOM or limit == 1:
                    break
                limit = max(1, min(limit - 1, len(records) * ROOM // used))
        return to_result(answers.StoredRecords(total=found.total, records=records, next=found.next))

    def open_warnings(
        self,
        ctx: Context[Any, Any],
        source: Annotated[str, Field(max_length=200, description="Only those of this source.")] = "",
        after: After = "",
    ) -> Annotated[CallToolResult, answers.Warnings]:
        """List the warnings that are open, newest first: what a person should know or decide."""
        self._at.permit(ctx.request_context.request, "read", 0)
        with self._at.store.reading() as connection:
            number = get_source(connection, source).id if source else None
            plain = list_warnings(connection, "open", number)
        names = answers.Warning_.model_fields
        found = [answers.Warning_(**{name: each[name] for name in names}) for each in plain]
        start = to_place(after)
        end, following = take(found, start)
        return to_result(answers.Warnings(warnings=found[start:end], next=_written(following)))


def _record(record: Record) -> answers.StoredRecord:
    origin = record.origin or {}
    values = {
        label: answers.StoredValue(
            text=text, url=origin.get(label, {}).get("url"), xpath=origin.get(label, {}).get("path")
        )
        for label, text in record.values.items()
        if text is not None
    }
    about = {name: getattr(record, name) for name in ("source", "key", "url", "state", "first_seen", "last_seen")}
    return answers.StoredRecord(**about, values=values)


def _written(following: int | None) -> str | None:
    return None if following is None else str(following)
