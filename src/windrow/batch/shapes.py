"""From what readers and wrappers find to the rows of their tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.batch.schema import Row
    from windrow.page import Page
    from windrow.region import Region
    from windrow.result import Result, Value
    from windrow.table import Table
    from windrow.title import Title
    from windrow.toplist import TopList
    from windrow.wrapper import Extraction


def reader_rows(page: Page, reader: str, results: list[Result], place: Row) -> list[Row]:
    """Return the rows of a reader's table for the record at a place."""
    return [place + _row(page, reader, number, result) for number, result in enumerate(results)]


def _row(page: Page, reader: str, number: int, result: Result) -> Row:
    if reader == "text":
        return (str(result),)
    # By its kind, not its class: what the job does not read need not be imported.
    if reader == "title":
        title = cast("Title", result)
        return title.text, title.score, title.confidence, _xpath(page, title.node)
    if result.kind == "table":
        table = cast("Table", result)
        cells = [_table_cell(page, table, cell) for cell in table.cells]
        sizes = (table.row_count, table.header_rows, table.header_columns)
        return (*_found(page, number, table, cells), table.caption, *sizes, table.origin, table.visible)
    found = _found(page, number, result, list(_cells(page, result)))
    if result.kind == "region":
        region = cast("Region", result)
        return (*found, len(region.records), region.next_url, region.table)
    if result.kind == "toplist":
        toplist = cast("TopList", result)
        return (*found, toplist.k, toplist.concept, toplist.criterion, toplist.time, toplist.location)
    return found


def _found(page: Page, number: int, result: Result, cells: list[Row]) -> Row:
    """Return what holds of every result."""
    columns = [(column.name, column.kind, column.unit) for column in result.data.columns]
    node = getattr(result, "node", -1)
    sure = result.confidence if isinstance(result.confidence, float) else None
    box = None if result.box is None else list(result.box)
    return number, result.label, sure, _xpath(page, node), box, columns, cells


def _cells(page: Page, result: Result) -> Iterator[Row]:
    for row, cells in enumerate(result.data.rows):
        for column, cell in enumerate(cells):
            for value in cell:
                yield (row, column, 1, 1, False, *_value(value), value.link, value.image, _xpath(page, value.node))


def _table_cell(page: Page, table: Table, cell: Any) -> Row:  # noqa: ANN401 - a cell of a table
    value = table.read(cell)
    places = (cell.row, cell.column, cell.row_span, cell.column_span, cell.heading)
    addresses = next(iter(cell.links), None), next(iter(cell.images), None)
    return (*places, *_value(value), *addresses, _xpath(page, cell.node))


def _value(value: Value) -> Row:
    """Return a text, what it is, what it says as a text and as a number, its unit, and whether it fits its column."""
    plain = value.plain
    number = float(plain) if isinstance(plain, int | float) else None
    return value.text, value.kind, None if plain is None else str(plain), number, value.unit or None, value.fits


def _xpath(page: Page, node: int) -> str | None:
    return page.xpath(node) if node >= 0 else None


def value_rows(page: Page, found: Extraction, place: Row) -> list[Row]:
    """Return the rows of the table ``values`` for the record at a place: one a value."""
    rows: list[Row] = []
    if found.kind != "page":
        return rows
    sure = {(label, at.node, at.text): at.confidence for label, values in found.located.items() for at in values}
    links = found.links or [""] * len(found.data.rows)
    for number, (cells, link) in enumerate(zip(found.data.rows, links, strict=True)):
        for label, cell in zip(found.data.names, cells, strict=True):
            rows.extend(
                (
                    *(*place, number, label, each),
                    *_value(value),
                    sure.get((label, value.node, value.text), found.confidence.get(label)),
                    link or None,
                    _xpath(page, value.node),
                )
                for each, value in enumerate(cell)
            )
    return rows


def extraction_about(found: Extraction | None) -> Row:
    """Return what the table ``pages`` says of an extraction: what the page is, what is missing or doubtful."""
    if found is None:
        return None, [], []
    doubtful = [(label, text) for label, texts in found.doubtful.items() for text in texts]
    return found.kind, list(found.missing), doubtful
