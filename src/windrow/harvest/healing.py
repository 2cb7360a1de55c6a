"""The learned page comes first: where it is not as it was, the wrapper is healed, or the source is deferred."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from windrow.crawl.addresses import identity
from windrow.crawl.retries import find_delay, is_worth_retrying
from windrow.errors import HealUncertain, RefusedError, RegionGone, RobotsError, StatusError, WindrowError
from windrow.harvest.captures import Packed, keep_learned, keep_page
from windrow.harvest.learned import Grade, grade_error, grade_page
from windrow.harvest.relearning import heal
from windrow.store import frontier
from windrow.store.runs import hold
from windrow.store.samples import sample_records
from windrow.store.sources import add_wrapper
from windrow.store.warnings import Warned

if TYPE_CHECKING:
    from windrow.harvest.learned import GradeKind
    from windrow.harvest.progress import RunUnderWay
    from windrow.harvest.visiting import Fetched
    from windrow.page import Page
    from windrow.store.frontier import Entry
    from windrow.store.warnings import Kind
    from windrow.wrapper import Wrapper

logger = logging.getLogger(__name__)

HEARTBEAT = 20.0
"""Seconds after which a run that waits says that it is still there."""
HEALING_PAGES = 8
"""Pages of stored records that a wrapper is healed by, beside the learned one."""
DEFERRED = 6
"""The exit status of a source that is not as it was learned."""
WEB = ("http:", "https:")


class DeferredError(Exception):
    """The source is not as it was learned; a person must look."""

    def __init__(self, warned: Warned, exit_code: int = DEFERRED, page: Page | None = None) -> None:
        """Keep what people are told, and the page that they are shown."""
        super().__init__(warned.text)
        self.warned, self.exit_code, self.page = warned, exit_code, page


def look_at_learned(run: RunUnderWay, *, again: bool = False) -> bool:
    """Look at the learned page; heal or defer where it is not as it was. Return whether the wrapper was healed.

    Where its layout changed and everything is read as before, that is a note; looked at ``again``, because another page
    does not fit, it is the new template.
    """
    wrapper = run.reader.wrapper
    address = "" if wrapper is None else wrapper.examples[0].url
    if wrapper is None or run.choices.is_offline or not address.startswith(WEB):
        return False
    grade, page = _grade(run, wrapper, address, again=again)
    if grade.kind == "fine" or (grade.kind == "note" and not again):
        if page is not None:
            keep_learned(run, page)
        return False
    if grade.kind in {"template", "note"} and page is not None:
        return _heal_or_go_on(run, wrapper, page, grade)
    if grade.kind == "gone" and run.settings.warn.gone == "continue":
        run.warn(Warned("gone", "info", f"{grade.sentence} The source is set to go on without it.", address))
        return False
    raise DeferredError(_deferral(run.source.name, grade, address), 3 if grade.kind == "failed" else DEFERRED, page)


def _heal_or_go_on(run: RunUnderWay, wrapper: Wrapper, page: Page, grade: Grade) -> bool:
    """Heal the wrapper; where that can't be, but all other pages that were learned are as they were, go on without.

    Then it is not the template that changed but this page, such as by a price that is struck out; it is not stored.
    """
    try:
        _heal(run, wrapper, page, grade)
    except DeferredError:
        if not _do_others_stand(run, wrapper):
            raise
        text = f"{grade.sentence} The other pages that were learned are as they were, so only this one is not stored."
        run.warn(Warned("template", "warning", text, page.url))
        return False
    return True


def _do_others_stand(run: RunUnderWay, wrapper: Wrapper) -> bool:
    """Whether there are other pages that were learned, and each is as it was."""
    own = identity(wrapper.examples[0].url)
    others = {identity(each.url): each.url for each in wrapper.examples if each.url.startswith(WEB)}
    pages = {url: _try_page(run, url) for name, url in others.items() if name != own}
    grades = ["failed" if page is None else grade_page(wrapper, page, url).kind for url, page in pages.items()]
    return bool(grades) and all(kind == "fine" for kind in grades)


def _grade(run: RunUnderWay, wrapper: Wrapper, address: str, *, again: bool) -> tuple[Grade, Page | None]:
    entry = _entry_of(run, address)
    as_before = entry.read_by == run.reader.stamp and entry.seen_run is not None
    try:
        fetched = _fetch(run, entry, conditional=as_before and not again and not run.choices.fresh)
    except RefusedError as error:
        kind: Kind = "robots" if isinstance(error, RobotsError) else "failed"
        raise DeferredError(Warned(kind, "error", str(error), address), error.exit_code) from None
    except WindrowError as error:
        return grade_error(error), None
    if not again:
        run.fetched[entry.address_id] = fetched
    if fetched.not_modified or fetched.page is None:
        return Grade("fine"), None
    return grade_page(wrapper, fetched.page, address), fetched.page


def _entry_of(run: RunUnderWay, address: str) -> Entry:
    """Return the entry of an address in the frontier, where it is only looked at until a list leads to it."""
    with run.store.writing() as connection:
        frontier.enqueue(connection, run.run, [frontier.Lead(identity(address), address, frontier.LEARNED)])
        entry = frontier.find_entry(connection, run.run, identity(address))
    if entry is None:
        raise WindrowError(f"{address} is not in the frontier. That is a fault of Windrow's own.")
    return entry


def _fetch(run: RunUnderWay, entry: Entry, *, conditional: bool) -> Fetched:
    """Fetch a page that nothing goes on without, as often as the manners allow."""
    retries = run.settings.manners.retries
    for attempt in range(retries):
        try:
            return run.visitor.fetch(entry, conditional=conditional)
        except WindrowError as error:
            if not is_worth_retrying(error):
                raise
            _rest(run, rest_after(run, entry, error, attempt))
    return run.visitor.fetch(entry, conditional=conditional)


def rest_after(run: RunUnderWay, entry: Entry, error: WindrowError, attempt: int) -> float:
    """Return how many seconds to wait after an error; the host is left alone meanwhile where it asks for that."""
    asked = error.retry_after if isinstance(error, StatusError) else None
    if asked:
        run.gate.close_host(entry.as_found, asked)
    return find_delay(attempt + 1, asked, f"{run.run.id} {entry.url}")


def _rest(run: RunUnderWay, seconds: float) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        run.gate.wait(min(left, HEARTBEAT))
        run.beat()


def _heal(run: RunUnderWay, wrapper: Wrapper, page: Page, grade: Grade) -> None:
    """Learn the new template by the learned page and by pages of stored records; the old version is kept."""
    pages, known = [page], {}
    if wrapper.list_rule is None:
        with run.store.reading() as connection:
            known = sample_records(connection, run.source.id, HEALING_PAGES, identity(wrapper.examples[0].url))
        others = [_try_page(run, url) for url in known]
        pages += [other for other in others if other is not None and identity(other.url) != identity(page.url)]
    try:
        healed = heal(wrapper, pages, {identity(url): values for url, values in known.items()})
    except (RegionGone, HealUncertain) as error:
        kind: GradeKind = "gone" if isinstance(error, RegionGone) else "template"
        lost = ", ".join(error.report.lost) if error.report is not None and error.report.lost else ""
        why = f"The labels {lost} are not surely found in it again." if lost else str(error)
        worse = Grade(kind, f"{grade.sentence} {why}")
        raise DeferredError(_deferral(run.source.name, worse, page.url), page=page) from None
    report = None if healed.report is None else healed.report.to_dict()
    packed = Packed.of(page)
    with run.store.writing() as connection:
        hold(connection, run.run)
        version = add_wrapper(connection, run.source.id, replace(healed, previous=None).to_json(), "heal", report)
        how = "" if healed.report is None else f" {healed.report.sentence}"
        text = f"The template changed, and the wrapper was healed to version {version}.{how}"
        run.warn(Warned("healed", "info", text, page.url), connection)
        keep_page(run, connection, "healed", packed, version)
    run.reader = replace(run.reader, wrappers=((version, healed), *run.reader.wrappers[:1]))
    logger.info("%s: healed to version %d", run.source.name, version)


def _try_page(run: RunUnderWay, url: str) -> Page | None:
    try:
        return run.visitor.fetch(_entry_of(run, url), conditional=False).page
    except WindrowError as error:
        logger.info("%s could not be had for healing: %s", url, error)
        return None


def _deferral(name: str, grade: Grade, address: str) -> Warned:
    """Return what people are told of a source that is deferred: what was seen, and what to do."""
    learn = f"`windrow source set {name} read.wrapper=FILE`"
    told: dict[str, tuple[Kind, str]] = {
        "gone": (
            "gone",
            f"Choose another text: {learn}; or go on without it: `windrow source set {name} warn.gone=continue`.",
        ),
        "blocked": (
            "blocked",
            f"Where it asks for a log-in: `windrow login`, then `windrow source set {name} network.session=FILE`.",
        ),
        "template": ("template", f"Learn the new page: {learn}."),
        "failed": ("failed", "Try again later, or check the address."),
    }
    kind, advice = told[grade.kind]
    return Warned(
        kind, "error", f"The learned page: {grade.sentence} Nothing is stored from this point on. {advice}", address
    )
