"""Tools that read pages: their text, tables, lists and ranked lists; and wrappers, learned and used."""

from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import BaseModel, ConfigDict, Field

from windrow.errors import UsageError, WindrowError
from windrow.mcp import answers
from windrow.mcp.answers import After, Value
from windrow.mcp.fitting import ROOM, size_of, take, to_place, to_result
from windrow.mcp.workplace import Workplace
from windrow.nodes import Kind
from windrow.page import Page
from windrow.region import Region
from windrow.wrapper import Extraction, Fetch, Wrapper
from windrow.wrapper import learn as learn_wrapper

MOST_PAGES = 10
LONGEST_LINE = 4000
"""Characters of a line; a longer one is given in pieces."""
Url = Annotated[str, Field(min_length=8, max_length=8192, description="The address of a web page: http or https.")]
Render = Annotated[
    bool, Field(description="Whether a browser lays the page out; without one it is quicker, but rough.")
]
Texts = Annotated[dict[str, str | list[str]], Field(min_length=1, max_length=50)]


class ExamplePage(BaseModel):
    """A page to learn from: texts as it displays them, by label; or rows of such texts for a page that is a list."""

    model_config = ConfigDict(extra="forbid")
    url: Url
    values: Texts | None = None
    rows: list[Texts] | None = Field(default=None, max_length=20)


class PageTools:
    """Tools that read pages."""

    def __init__(self, workplace: Workplace) -> None:
        """Take what they work with."""
        self._at = workplace

    def _open(self, ctx: Context[Any, Any], url: str, after: str, *, render: bool) -> tuple[Page, str, int]:
        self._at.permit(ctx.request_context.request, "run", 0 if after else 1)
        return self._at.open(url, after, render=render)

    def read_page(
        self, ctx: Context[Any, Any], url: Url, *, render: Render = True, after: After = ""
    ) -> Annotated[CallToolResult, answers.PageText]:
        """Read the visible text of a web page, line by line, each line with its XPath. Cite the url and XPath."""
        page, name, start = self._open(ctx, url, after, render=render)
        lines = page_to_lines(page)
        end, following = take(lines, start)
        title = page.title()
        shown = Value(text=title.text, xpath=page.xpath(title.node) if title.node >= 0 else None)
        about = _about(page, name, following)
        return to_result(answers.PageText(**about, title=shown if title.text else None, lines=lines[start:end]))

    def find_tables(
        self,
        ctx: Context[Any, Any],
        url: Url,
        keyword: Annotated[str, Field(max_length=200, description="Only tables with this word.")] = "",
        *,
        render: Render = True,
        after: After = "",
    ) -> Annotated[CallToolResult, answers.Tables]:
        """Find the tables of a web page, best first, whatever their markup; every cell with its XPath."""
        page, name, start = self._open(ctx, url, after, render=render)
        rows = _tables(page, keyword)
        end, following = take(rows, start)
        found: list[answers.Table] = []
        for row in rows[start:end]:
            if found and found[-1].number == row.number:
                found[-1].rows.extend(row.rows)
            else:
                found.append(row)
        warnings = list(page.left_out("tables", keyword=keyword or None))
        return to_result(answers.Tables(**_about(page, name, following), warnings=warnings, tables=found))

    def find_records(
        self, ctx: Context[Any, Any], url: Url, *, render: Render = True, after: After = ""
    ) -> Annotated[CallToolResult, answers.Records]:
        """Find the lists of records of a web page (search results, products, news), best list first."""
        page, name, start = self._open(ctx, url, after, render=render)
        regions = page.regions()
        records = [record for number, region in enumerate(regions, 1) for record in _records(page, region, number)]
        end, following = take(records, start)
        about = {**_about(page, name, following), "regions": len(regions), "warnings": list(page.left_out("regions"))}
        onward = regions[0].next_url if regions else None
        return to_result(answers.Records(**about, next_page=onward, records=records[start:end]))

    def find_toplist(
        self, ctx: Context[Any, Any], url: Url, *, render: Render = True, after: After = ""
    ) -> Annotated[CallToolResult, answers.TopList]:
        """Find the ranked list that the title of a web page promises ("10 best ..."), or say why there is none."""
        page, name, start = self._open(ctx, url, after, render=render)
        verdict, found = page.toplist_verdict(), page.toplist()
        if found is None:
            about = _about(page, name, None)
            return to_result(answers.TopList(**about, is_toplist=verdict.is_topk, reason=verdict.reason))
        items = [
            answers.RankedItem(
                rank=item.rank,
                name=Value(text=item.name, xpath=page.xpath(item.node) if item.node >= 0 else None),
                url=item.url,
                text=item.text,
                attributes=dict(item.attributes),
            )
            for item in found.items
        ]
        end, following = take(items, start)
        promise = {"title": found.title, "k": found.k, "concept": found.concept, "criterion": found.criterion}
        about = {**_about(page, name, following), **promise, "is_toplist": True, "reason": verdict.reason}
        return to_result(answers.TopList(**about, items=items[start:end]))

    def learn(
        self,
        ctx: Context[Any, Any],
        pages: Annotated[list[ExamplePage], Field(min_length=1, max_length=MOST_PAGES)],
        *,
        render: Render = True,
    ) -> Annotated[CallToolResult, answers.Learned]:
        """Learn to read the pages of a site from texts that some of them display, copied exactly, by label.

        Use the result with `extract` on other pages of the same site. Two example pages teach more than one.
        """
        self._at.permit(ctx.request_context.request, "run", len(pages))
        lessons: list[Any] = []
        for each in pages:
            if (each.values is None) == (each.rows is None):
                raise UsageError("Give each page values, or rows where it is a list.")
            page = self._at.load(each.url, render=render)
            lessons.append((page, each.values if each.rows is None else each.rows))
        learned = learn_wrapper(lessons, fetch=Fetch(render=render))
        found = [_extracted(example.url, page, learned) for example, (page, _) in zip(pages, lessons, strict=True)]
        kept = self._at.wrappers.put(learned)
        local = learned.local_labels
        return to_result(answers.Learned(wrapper=kept, labels=learned.labels, only_here=local, pages=found))

    def extract(
        self,
        ctx: Context[Any, Any],
        urls: Annotated[list[Url], Field(min_length=1, max_length=MOST_PAGES)],
        wrapper: Annotated[str, Field(max_length=100, description="What `learn` gave.")] = "",
        source: Annotated[str, Field(max_length=200, description="Or a source whose wrapper is meant.")] = "",
        after: After = "",
    ) -> Annotated[CallToolResult, answers.Extractions]:
        """Read learned values from pages; each value with its XPath. What is doubtful stands apart: never use it."""
        start = to_place(after)
        self._at.permit(ctx.request_context.request, "run", len(urls[start:]))
        learned = self._at.find_wrapper(wrapper, source)
        pages: list[answers.Extracted] = []
        used = 0
        for url in urls[start:]:
            try:
                pages.append(_extracted(url, self._at.load(url, render=learned.fetch.render), learned))
            except WindrowError as error:
                pages.append(answers.Extracted(asked=url, error=str(error)))
            used += size_of(pages[-1].model_dump(mode="json"))
            if used > ROOM and len(pages) > 1:
                pages.pop()
                break
        end = start + len(pages)
        following = str(end) if end < len(urls) else None
        return to_result(answers.Extractions(labels=learned.labels, pages=pages, next=following))


def _about(page: Page, name: str, following: int | None) -> dict[str, Any]:
    fetched = page.provenance.fetched
    return {
        "url": page.url,
        "fetched": fetched.isoformat() if fetched else None,
        "rendered": page.rendered,
        "next": None if following is None else f"{name}.{following}",
    }


def page_to_lines(page: Page) -> list[Value]:
    """Return the visible text of a page by lines, each with the smallest element that holds all of it."""
    nodes, spans = page.nodes, page.nodes.spans
    shown = np.flatnonzero((nodes.kind == Kind.TEXT) & nodes.visible & (spans.end > spans.start))
    starts, ends = spans.start[shown], spans.end[shown]
    found, begin = [], 0
    for line in spans.text.split("\n"):
        end = begin + len(line)
        # The texts of the line: from the first that ends after its beginning to the last that begins before its end.
        first, last = int(np.searchsorted(ends, begin, "right")), int(np.searchsorted(starts, end)) - 1
        if line.strip() and first <= last:
            around = nodes.parent[shown[[first, last]]]
            node = int(around[0]) if around[0] == around[1] else int(nodes.common_ancestor(around))
            found += [Value(text=piece, xpath=page.xpath(node)) for piece in _pieces(line.strip())]
        begin = end + 1
    return found


def _pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces that are not too long, parted between words where there are some."""
    while len(text) > LONGEST_LINE:
        end = text.rfind(" ", 0, LONGEST_LINE) + 1 or LONGEST_LINE
        yield text[:end].rstrip()
        text = text[end:]
    yield text


def _tables(page: Page, keyword: str) -> list[answers.Table]:
    """Return the tables of a page, each row as a table of its own, so that any part of them can be given."""
    found = []
    for number, table in enumerate(page.tables(keyword or None), 1):
        if not table.visible:
            continue
        for row in range(table.row_count):
            cells = {id(cell): cell for column in range(table.column_count) if (cell := table.cell(row, column))}
            values = [Value(text=cell.text, xpath=page.xpath(cell.node)) for cell in cells.values()]
            found.append(
                answers.Table(
                    number=number,
                    name=table.name,
                    xpath=table.xpath,
                    columns=table.columns,
                    header_rows=table.header_rows,
                    rows=[values],
                    first_row=row + 1,
                    confidence=round(table.confidence, 3),
                )
            )
    return found


def _records(page: Page, region: Region, number: int) -> list[answers.ListedRecord]:
    found = []
    for record in region.records:
        fields = {}
        for label, cell in record.fields.items():
            texts = [cell] if isinstance(cell, str) else cell
            nodes = [*record.places.get(label, ()), *record.nodes[:1] * len(texts)]
            fields[label] = [Value(text=text, xpath=page.xpath(node)) for text, node in zip(texts, nodes, strict=False)]
        place = page.xpath(record.nodes[0])
        found.append(answers.ListedRecord(region=number, xpath=place, url=record.url, fields=fields))
    return found


def _extracted(asked: str, page: Page, wrapper: Wrapper) -> answers.Extracted:
    found: Extraction = wrapper.extract(page)
    return answers.Extracted(
        asked=asked,
        url=page.url,
        kind=found.kind,
        values={
            label: [Value(text=place.text, xpath=place.path) for place in places]
            for label, places in found.located.items()
            if places
        },
        doubtful=found.doubtful,
        missing=found.missing,
    )
