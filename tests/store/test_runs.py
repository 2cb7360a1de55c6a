"""One source, one process: who has a run in hand, who takes it over, and whose late writes are refused."""

from __future__ import annotations

import json
import os
import socket
import threading
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from harvesting import SITE, add_source, harvest, seen
from processes import begin, finish, start
from sqlalchemy import select, update

from windrow.errors import BusyError, LockedError
from windrow.store import open_store, schema, views
from windrow.store.frontier import Lead, count_entries, enqueue, pending, put_off
from windrow.store.hosts import close_host, find_host, keep_robots, take_turn
from windrow.store.moments import to_text
from windrow.store.records import Ledger
from windrow.store.runs import Counts, begin_run, describe_owner, end_run, forget, hold, list_interrupted, release
from windrow.store.sightings import Origin, Place, Sighting
from windrow.store.sources import get_source, set_state
from windrow.store.visits import Visit, store_visit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.context import ForkServerProcess

    from windrow.store import Store
    from windrow.store.runs import Run


def take(store: Store) -> Run:
    with store.writing() as connection:
        return begin_run(connection, 1, 1, "hand")


@pytest.fixture
def other(where: str) -> Iterator[ForkServerProcess]:
    """Another process that has the source in hand."""
    with open_store(where) as store:
        add_source(store)
    process, pipe = start(begin, where, 60)
    assert pipe.recv() == "begun 1 1 False"
    yield process
    process.kill()
    finish(process, pipe)


def test_a_second_process_is_told_who_has_it(store: Store, other: ForkServerProcess) -> None:
    said = rf"number {other.pid} on {socket.gethostname()}, run 1, since 20.* UTC\. Wait for it to end\."
    with pytest.raises(BusyError, match=said):
        take(store)


def test_a_dead_owner_is_replaced_at_once(store: Store, other: ForkServerProcess) -> None:
    other.kill()
    other.join()
    run = take(store)
    assert (run.id, run.epoch, run.resumed) == (1, 2, True)
    forget(run)


def test_this_process_is_another_for_itself(store: Store, where: str) -> None:
    add_source(store)
    run = take(store)
    with pytest.raises(BusyError, match=f"number {os.getpid()} on "):
        take(store)
    _, said = finish(*start(begin, where, 0))
    assert said.startswith(f"busy Another process harvests this source: number {os.getpid()} on ")
    forget(run)
    assert take(store).epoch == 2, "whoever forgot a run has it no longer"


def test_processes_that_meet(where: str) -> None:
    with open_store(where) as store:
        add_source(store)
    begun = [start(begin, where, 2) for _ in range(3)]
    assert sorted(finish(*each)[1].split()[0] for each in begun) == ["begun", "busy", "busy"]


def set_owner(store: Store, lease: timedelta, **more: object) -> None:
    """Give run 1 another owner."""
    with store.writing() as connection:
        owner = describe_owner() | {"token": "another"} | more
        until = to_text(datetime.now(UTC) + lease)
        connection.execute(update(schema.run).values(owner=owner, lease_until=until))


@pytest.mark.parametrize(
    ("lease", "owner", "busy"),
    [
        (60, {"host": "elsewhere"}, True),
        (-1, {"host": "elsewhere"}, False),
        (60, {"boot": "before"}, False),
        (60, {"boot": "before", "machine": "another of this name"}, True),
        (-1, {"boot": "before", "machine": "another of this name"}, False),
        (60, {"start": "1"}, False),
        (60, {"pid": 2**22 + 1}, False),
        (60, {}, False),
    ],
)
def test_whose_word_counts(store: Store, lease: int, owner: dict[str, object], *, busy: bool) -> None:
    add_source(store)
    forget(take(store))
    set_owner(store, timedelta(seconds=lease), **owner)
    if busy:
        with pytest.raises(BusyError):
            take(store)
    else:
        assert take(store).epoch == 2


def test_late_writes_are_refused(store: Store) -> None:
    add_source(store)
    old = take(store)
    with store.writing() as connection:
        enqueue(connection, old, [Lead(f"{SITE}/a", f"{SITE}/a", "list")])
        [entry] = pending(connection, old, 5)
    forget(old)
    new = take(store)
    ledger = Ledger(old)
    with pytest.raises(BusyError, match="Another process has taken run 1 over"), store.writing() as connection:
        store_visit(connection, ledger, Visit(entry=entry, verdict="read", sightings=[seen("1", x="1")]))
    with store.reading() as connection:
        assert connection.execute(select(schema.record.c.id)).all() == []
        assert connection.execute(select(schema.page.c.id)).all() == []
    with pytest.raises(BusyError), store.writing() as connection:
        hold(connection, old)
    with pytest.raises(BusyError), store.writing() as connection:
        end_run(connection, old, "whole", Counts(), "")
    with store.writing() as connection:
        release(connection, old)
    with store.writing() as connection:
        hold(connection, new)
        end_run(connection, new, "whole", Counts(pages=1), "Done.")
    with pytest.raises(BusyError), store.writing() as connection:
        hold(connection, new)


def test_a_run_that_was_let_go_is_gone_on_with(store: Store) -> None:
    add_source(store)
    run = take(store)
    with store.writing() as connection:
        enqueue(connection, run, [Lead(f"{SITE}/{page}", f"{SITE}/{page}", "list") for page in "abc"])
    with store.reading() as connection:
        first = pending(connection, run, 1)[0]
    ledger = Ledger(run)
    with store.writing() as connection:
        ledger.run = store_visit(connection, ledger, Visit(entry=first, verdict="read", sightings=[seen("1", x="1")]))
    with store.writing() as connection:
        release(connection, run)
    again = take(store)
    assert (again.id, again.resumed, again.counts.added, again.counts.pages) == (run.id, True, 1, 1)
    with store.reading() as connection:
        assert [entry.url for entry in pending(connection, again, 5)] == [f"{SITE}/b", f"{SITE}/c"]
        assert count_entries(connection, again) == (1, 3)
    with store.writing() as connection:
        end_run(connection, again, "whole", again.counts, "")
    assert harvest(store, {"a": [seen("1", x="1")]}).run == run.id + 1


def test_the_frontier_keeps_its_order(store: Store) -> None:
    add_source(store)
    run = take(store)
    leads = [Lead(f"{SITE}/{page}", f"{SITE}/{page}?session=1", "detail", 1) for page in "abca"]
    with store.writing() as connection:
        assert enqueue(connection, run, leads) == 3
        assert enqueue(connection, run, [*leads, Lead(f"{SITE}/d", f"{SITE}/d", "detail", 1)], parent=1) == 1
        [first, *_] = pending(connection, run, 10)
        put_off(connection, run, first.address_id, 5.0)
        found = pending(connection, run, 10)
        assert [entry.url[-1] for entry in found] == ["b", "c", "d", "a"]
        assert (found[-1].attempts, found[-1].not_before, found[-1].as_found) == (1, 5.0, f"{SITE}/a?session=1")
        assert [entry.url[-1] for entry in pending(connection, run, 10, [found[0].address_id])] == ["c", "d", "a"]


def test_one_gate_for_a_host(store: Store) -> None:
    with store.writing() as connection:
        turns = [take_turn(connection, "https://example.org", 100.0, 2.0) for _ in range(3)]
        assert turns == [100.0, 102.0, 104.0]
        close_host(connection, "https://example.org", 200.0)
        close_host(connection, "https://example.org", 150.0)
        assert take_turn(connection, "https://example.org", 101.0, 2.0) == 200.0
        assert take_turn(connection, "https://example.org", 300.0, 2.0) == 300.0
        keep_robots(connection, "https://example.org", b"User-agent: *\x00\xff", 200, 9.0)
        found = find_host(connection, "https://example.org")
        assert found is not None
        assert (bytes(found.robots or b""), found.robots_status) == (b"User-agent: *\x00\xff", 200)
        assert find_host(connection, "https://other.example") is None


def test_the_owner_is_plain(store: Store) -> None:
    assert store.name
    assert set(json.loads(json.dumps(describe_owner()))) == {"host", "machine", "boot", "pid", "start"}


def test_what_was_interrupted_waits_where_its_source_is_paused(store: Store) -> None:
    add_source(store)
    run = take(store)
    with store.writing() as connection:
        release(connection, run)
        assert list_interrupted(connection) == ["barn"]
        set_state(connection, run.source_id, "paused")
        assert list_interrupted(connection) == []


def test_two_sources_with_the_same_paths_do_not_wait_for_each_other(where: str) -> None:
    faults: list[Exception] = []
    together = threading.Barrier(2, timeout=30)

    def work(store: Store, name: str) -> None:
        try:
            with store.writing() as connection:
                run = begin_run(connection, get_source(connection, name).id, 1, "hand")
                enqueue(connection, run, [Lead(SITE, SITE, "detail")])
                [entry] = pending(connection, run, 1)
            ledger, place = Ledger(run), Place(entry.address_id, None, None, "2027")
            for page in range(30):
                paths = [f"/{page}/{number}" for number in range(20)]
                together.wait()
                with store.writing() as connection:
                    # Another process has another order of sets.
                    ledger._learn_spots(connection, dict.fromkeys(paths if name == "a" else paths[::-1]))  # noqa: SLF001
                    ledger.store(connection, place, [Sighting("1", {"x": str(page)}, {}, {"x": Origin(paths[0])})])
        except Exception as error:  # noqa: BLE001 - of a thread, looked at below
            faults.append(error)

    with open_store(where) as store:
        for name in "ab":
            add_source(store, name)
        threads = [threading.Thread(target=work, args=(store, name)) for name in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert faults == []


def test_a_view_that_somebody_reads_can_not_be_made_anew_on_postgresql(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_source(store)
    harvest(store, {"list": [seen("1", x="1")]})
    monkeypatch.setattr(views, "LOCK_TIMEOUT", "100ms")
    with store.reading() as connection:
        source = get_source(connection, "barn")
        connection.exec_driver_sql("SELECT * FROM barn").all()
        if store.is_sqlite:
            assert views.make_view(store, source.id) == "barn"
        else:
            with pytest.raises(LockedError, match="is being read by others"):
                views.make_view(store, source.id)
    assert views.is_view_current(store, source.id)
