"""How far a batch is, as whoever waits for it sees it."""

from __future__ import annotations

from windrow.batch.progress import Progress
from windrow.batch.unit import Place
from windrow.batch.watch import Watch


def test_what_a_process_did_counts_between_records_too() -> None:
    watch = Watch.new()
    watch.begin(Place(0, 0), records=40, rejects=3, done=900)
    reading = Progress(total=1000).at([watch.glance()])
    watch.rest()
    assert reading == Progress(1000, done=900, records=40, rejects=3) == Progress(total=1000).at([watch.glance()])
    watch.clear()
    assert Progress(total=1000).at([watch.glance()]) == Progress(total=1000)
