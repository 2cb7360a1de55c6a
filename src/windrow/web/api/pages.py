"""Single pages in the API: read once, learned from, tried; nothing is stored."""

from typing import Any

import orjson
from starlette.responses import Response

from windrow.errors import WindrowError
from windrow.loader import Loader, Outcome
from windrow.loader.outcome import outcome_to_plain
from windrow.page import Page
from windrow.result import gather
from windrow.source.guard import Guard
from windrow.store.sources import find_wrapper
from windrow.web.api.answers import LearnedAnswer, PageAnswer, TriedAnswer
from windrow.web.api.bodies import LearnBody, PageBody, ReadBody, TryBody
from windrow.web.api.endpoint import Asking, Endpoint, give
from windrow.web.api.wrappers import to_wrapper
from windrow.web.problems import MissingError
from windrow.web.screen import Call
from windrow.wrapper import Extraction, Fetch, Field, Wrapper
from windrow.wrapper import learn as learn_wrapper
from windrow.wrapper.gathering import find_same

ABOUT = ("kind", "values", "doubtful", "missing", "located")


def read(call: Asking, body: ReadBody) -> Response:
    """Read a page once, with the readers that are named."""
    call.desk.count_loads(call.who, 1)
    with call.desk.loading() as loader:
        page = load(call, loader, body, render=body.render)
    outcome = Outcome.of_page(page, body.url)
    return give(gather(outcome_to_plain(outcome, {name: {} for name in dict.fromkeys(body.readers)})))


def learn(call: Asking, body: LearnBody) -> Response:
    """Learn a wrapper from texts that pages display, and show what it reads from them."""
    call.desk.count_loads(call.who, len(body.pages))
    with call.desk.loading() as loader:
        pages = [load(call, loader, each, render=body.render) for each in body.pages]
    lessons: list[Any] = [
        (page, each.values if each.rows is None else each.rows) for page, each in zip(pages, body.pages, strict=True)
    ]
    fields = {label: Field(**said.model_dump()) for label, said in body.fields.items()}
    fetch = Fetch(render=body.render)
    learned = learn_wrapper(lessons, region=body.region, name=body.name, fields=fields, fetch=fetch)
    answer = {
        "wrapper": orjson.loads(learned.to_json()),
        "labels": learned.labels,
        "only_here": learned.local_labels,
        "choices": [vars(choice) for choice in learned.choices],
        "names_taken_off": dict(learned.names_taken_off),
        "preview": [extraction_to_plain(page.source, page.url, learned.extract(page)) for page in pages],
    }
    return give(answer)


def try_(call: Asking, body: TryBody) -> Response:
    """Show what a wrapper reads from some pages: pages by labels, with what is doubtful."""
    call.desk.count_loads(call.who, len(body.urls))
    wrapper = to_wrapper(body.wrapper) if body.wrapper is not None else _wrapper_of(call, body.source or "")
    render = wrapper.fetch.render if body.render is None else body.render
    found: list[Extraction] = []
    pages: list[dict[str, Any]] = []
    with call.desk.loading() as loader:
        for url in body.urls:
            try:
                page = load(call, loader, PageBody(url=url), render=render)
                found.append(wrapper.extract(page))
                pages.append(extraction_to_plain(url, page.url, found[-1]))
            except WindrowError as error:
                pages.append({"source": url, "error": {"kind": error.kind, "message": str(error)}})
    return give({"labels": wrapper.labels, "pages": pages, "same": find_same(found, wrapper.labels)})


def load(call: Call, loader: Loader, body: PageBody, *, render: bool) -> Page:
    """Load a page that somebody named or sent; its address is looked at before anything else, and is never a file."""
    guard = Guard(allow_private=call.desk.reach.allow_private)
    if body.html is not None:
        return loader.parse(body.html, url=None if body.url is None else guard.check_url(body.url), render=render)
    return loader.load(guard.check_url(body.url or ""), render=render)


def extraction_to_plain(source: str, url: str, found: Extraction) -> dict[str, Any]:
    """Return what was read from a page, each value with its place."""
    plain = found.to_dict()
    return {"source": source, "url": url, **{name: plain[name] for name in ABOUT}, "rows": found.rows}


def _wrapper_of(call: Call, name: str) -> Wrapper:
    row = call.source(name)
    with call.desk.store.reading() as connection:
        kept = find_wrapper(connection, row.id)
    if kept is None:
        raise MissingError(f"{name} has no wrapper: its reader {row.settings['read'].get('reader')!r} reads it.")
    return Wrapper.from_json(kept.body)


ENDPOINTS = [
    Endpoint("POST", "/read", read, "run", PageAnswer, problems=(424, 429)),
    Endpoint("POST", "/learn", learn, "run", LearnedAnswer, problems=(424, 429)),
    Endpoint("POST", "/try", try_, "run", TriedAnswer, problems=(404, 429)),
]
