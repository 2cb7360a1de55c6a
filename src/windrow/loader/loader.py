"""``Loader``: owns browsers, guard proxies and worker processes, and brings pages with them."""

from __future__ import annotations

import atexit
import logging
import os
import threading
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Self, TypeAlias, TypeVar
from weakref import WeakSet

from windrow.errors import UsageError, WindrowError
from windrow.loader.backend import Backend
from windrow.loader.outcome import Outcome, read_outcome, to_fault
from windrow.loader.pages import read_page
from windrow.loader.process_run import ProcessRun
from windrow.loader.schedule import Crew, run_jobs
from windrow.loader.siblings import with_siblings
from windrow.loader.task import MEMORY, Html, Task
from windrow.loader.workers import Workers
from windrow.options import Options
from windrow.process.program import core_count
from windrow.readers.registry import READERS

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from pathlib import Path
    from types import TracebackType

    from windrow.page import Page
    from windrow.readers.names import Settings
    from windrow.source.fetch import Answer
    from windrow.source.validators import Validators

    SourceLike: TypeAlias = str | Path | Task | Outcome

Made = TypeVar("Made")

logger = logging.getLogger(__name__)

PAGES_WAITING = 32
"""Pages for each worker that may wait for one before them; a large page takes some megabytes."""
TITLED = frozenset({"title", "toplist"})
"""The readers that look at a page's title."""
RESULTS_WAITING = 128
"""The same for results, which take less."""


class Loader:
    """Reads pages; browsers and processes start when they are first needed, and again after ``close``.

    With ``load`` and ``parse`` a page is read in this process, several at a time by several threads. ``map`` and
    ``read_many`` work on many pages in processes of their own, so that readers keep every core busy.
    """

    def __init__(self, options: Options | None = None, *, workers: int | None = None) -> None:
        """Start nothing yet; ``workers`` is how many pages are read at a time, one for each core by default."""
        if workers is not None and workers < 1:
            raise UsageError(f"A loader needs at least one worker, not {workers}. Leave workers out for one a core.")
        self.options = options or Options()
        self.workers = core_count() if workers is None else workers
        self._backend = Backend(self.workers)
        self._workers = Workers()
        self._closed = threading.Event()
        _loaders.add(self)

    def __enter__(self) -> Self:
        """Use the loader until the end of the block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the loader."""
        self.close()

    def load(
        self, source: str | Path, *, url: str | None = None, render: bool = True, options: Options | None = None
    ) -> Page:
        """Read a page from an address, a saved file, or a file that ``Page.save`` wrote.

        ``url`` is where a saved page came from. ``render=False`` reads without a browser: structure only.
        """
        return read_page(Task(source, url=url, render=render, options=options or self.options), self._backend)

    def parse(  # noqa: PLR0913 - by name: what came with the page, and how to read it
        self,
        html: Html,
        *,
        url: str | None = None,
        content_type: str | None = None,
        charset: str | None = None,
        render: bool = False,
        options: Options | None = None,
    ) -> Page:
        """Read a page that is already in memory; if ``render`` is set, a browser lays it out, with the network closed.

        ``content_type`` and ``charset`` are what came with it, from a WARC record for example; without a charset of
        its own, the one of the content type counts.
        """
        task = Task(MEMORY, _checked_html(html), url, content_type, charset, render, options or self.options)
        return read_page(task, self._backend)

    def fetch(
        self,
        url: str,
        options: Options | None = None,
        *,
        validators: Validators | None = None,
        permit: Callable[[str], None] | None = None,
    ) -> Answer:
        """Get anything by its address without a browser, as bytes, through the guard; see ``windrow.source.fetch``."""
        from windrow.source.fetch import fetch  # noqa: PLC0415 - takes a while, which pages in memory do without

        options = options or self.options
        return fetch(url, options, self._backend.proxy(options), validators=validators, permit=permit)

    def load_many(
        self,
        sources: Iterable[str | Path],
        *,
        render: bool = True,
        options: Options | None = None,
        as_completed: bool = False,
    ) -> Generator[Page | Outcome, None, None]:
        """Yield the pages of many sources, in order or as they come; an ``Outcome`` stands for one that is not whole.

        The pages are laid out by several browsers at a time. A source that can't be read stops no other.
        """
        _check_several(sources)
        tasks = (Task(source, render=render, options=options or self.options) for source in sources)
        return self._pages(tasks, as_completed=as_completed)

    def parse_many(
        self,
        pages: Iterable[Html | tuple[Html, str | None]],
        *,
        render: bool = False,
        options: Options | None = None,
        as_completed: bool = False,
    ) -> Generator[Page | Outcome, None, None]:
        """Yield many pages from memory, each given as HTML or as HTML and address; otherwise like ``load_many``."""
        _check_several(pages)
        tasks = (
            Task(url or MEMORY, _checked_html(html), url, render=render, options=options or self.options)
            for html, url in (page if isinstance(page, tuple) else (page, None) for page in pages)
        )
        return self._pages(tasks, as_completed=as_completed)

    def outcome_of(self, task: Task) -> Outcome:
        """Return what comes of a task: its page, or the error instead of raising it."""
        try:
            return Outcome.of_page(read_page(task, self._backend), task.name)
        except WindrowError as error:
            return Outcome.of_error(task.name, error)
        except Exception as error:
            logger.exception("failed on %s", task.name)
            return Outcome.of_error(task.name, to_fault(error))  # one page's fault must not stop the others

    def map(
        self,
        work: Callable[[Outcome], Made],
        sources: Iterable[SourceLike],
        *,
        render: bool = True,
        as_completed: bool = False,
        siblings: bool = False,
    ) -> Generator[Made, None, None]:
        """Yield what a function makes of the outcome of each source, worked out where the page is.

        Two or more sources are read in worker processes, each with a browser of its own, so the function must be one
        that can be imported, and what it returns one that can be pickled. A page whose process dies or hangs becomes
        an outcome with an error. An outcome among the sources is passed on as it is. With ``siblings``, pages of a
        host tell each other what is the site's in their titles, as with ``load_many``.
        """
        _check_several(sources)
        jobs = iter(sources)
        first = list(islice(jobs, 2))
        tasks, has_siblings = self._to_tasks(chain(first, jobs), render=render), siblings and not as_completed
        if len(first) < 2 or self.workers < 2:  # noqa: PLR2004 - several
            found = run_jobs(tasks, self._outcome_here, self._crew(PAGES_WAITING, as_completed=as_completed))
            return _make(work, with_siblings(found) if has_siblings else found)
        _check_importable(work)
        run = ProcessRun(self._workers, work, self._closed)
        crew = replace(self._crew(RESULTS_WAITING, as_completed=as_completed), abort=run.abort)
        return run_jobs(run.seat(tasks, has_siblings=has_siblings), run.work_in_process, crew)

    def read_many(
        self,
        sources: Iterable[SourceLike],
        readers: Iterable[str] | Mapping[str, Settings],
        *,
        render: bool = True,
        pages: bool = False,
        as_completed: bool = False,
    ) -> Generator[Outcome, None, None]:
        """Yield the outcomes of many sources with what readers of the registry found, read in worker processes.

        ``readers`` are names of ``windrow.READERS``, with settings where it is a mapping. The pages themselves come
        along only where ``pages`` is set, which costs more than most readers do.
        """
        chosen = readers if isinstance(readers, Mapping) else {name: {} for name in readers}
        if unknown := [name for name in chosen if name not in READERS]:
            raise UsageError(f"There is no reader {unknown[0]!r}; there are: {', '.join(READERS)}.")
        for name, settings in chosen.items():
            READERS[name].settle(settings)
        work = partial(read_outcome, readers=chosen, pages=pages)
        siblings = not TITLED.isdisjoint(chosen)
        return self.map(work, sources, render=render, as_completed=as_completed, siblings=siblings)

    def close(self) -> None:
        """End all browsers and worker processes and close the proxies; they start anew when they are needed again."""
        self._closed.set()
        self._closed = threading.Event()
        self._workers.close()
        self._backend.close()

    def _pages(self, tasks: Iterable[Task], *, as_completed: bool) -> Generator[Page | Outcome, None, None]:
        found = run_jobs(tasks, self.outcome_of, self._crew(PAGES_WAITING, as_completed=as_completed))
        return _make(_page_or_outcome, found if as_completed else with_siblings(found))

    def _crew(self, waiting: int, *, as_completed: bool) -> Crew:
        return Crew(
            threads=self.workers,
            waiting=waiting * self.workers,
            as_completed=as_completed,
            closed=self._closed,
            interrupt=self.close,
        )

    def _outcome_here(self, task: Task | Outcome) -> Outcome:
        return task if isinstance(task, Outcome) else self.outcome_of(task)

    def _to_tasks(self, sources: Iterable[SourceLike], *, render: bool) -> Iterator[Task | Outcome]:
        for source in sources:
            if isinstance(source, Task | Outcome):
                yield source
            else:
                yield Task(source, render=render, options=self.options)

    def _abandon(self) -> None:
        self._workers.abandon()
        self._backend.abandon()


def _make(work: Callable[[Outcome], Made], found: Generator[Outcome, None, None]) -> Generator[Made, None, None]:
    with closing(found):
        for outcome in found:
            yield work(outcome)


def _page_or_outcome(outcome: Outcome) -> Page | Outcome:
    return outcome.page if outcome.page is not None and outcome.is_whole else outcome


def _check_several(sources: object) -> None:
    """Refuse one text, whose letters would be taken for sources."""
    if isinstance(sources, str | bytes):
        raise UsageError("Several sources are read from a list. Put this one into a list, or read it alone.")


def _checked_html(html: object) -> Html:
    """Return a page in memory; without one, a task would be taken for a file or an address."""
    if isinstance(html, str | bytes):
        return html
    raise UsageError(f"A page in memory is text or bytes, not {type(html).__name__}. Use load for files and addresses.")


def _check_importable(work: Callable[..., object]) -> None:
    """Refuse a function that a worker process could not find again."""
    function = work.func if isinstance(work, partial) else work
    if getattr(function, "__module__", None) == "__main__" or "<" in getattr(function, "__qualname__", ""):
        raise UsageError(
            "The function that is to work on the pages can't be imported by a worker process. "
            "Put it at the top of a module, or read with Loader(workers=1)."
        )


_loaders: WeakSet[Loader] = WeakSet()


def _abandon_in_child() -> None:
    for loader in tuple(_loaders):
        loader._abandon()  # noqa: SLF001 - of this module


def _close_at_exit() -> None:
    for loader in tuple(_loaders):
        with suppress(Exception):
            loader.close()


os.register_at_fork(after_in_child=_abandon_in_child)
atexit.register(_close_at_exit)
