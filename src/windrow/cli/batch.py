"""``windrow batch``: archives of pages to Parquet."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from windrow.cli.diagnostics import diagnostic_options
from windrow.cli.options import choices_to_options
from windrow.cli.stopping import stopping
from windrow.cli.terminal import counted, is_terminal, say, standard_error, to_json
from windrow.extras import require_library
from windrow.options import MEBIBYTE, MOST, MOST_SECONDS
from windrow.process.program import core_count
from windrow.readers.names import NAMES, choose_readers

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterator

    from windrow.batch.batch import Engine
    from windrow.batch.counts import Counts
    from windrow.batch.job import Job
    from windrow.batch.progress import Progress

INTERRUPTED = 130


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, file_okay=False), required=True, metavar="DIR", help="Write here."
)
@click.option("--read", "readers", metavar="NAMES", help=f"What to read, with commas between: {', '.join(NAMES)}.")
@click.option("--wrapper", type=click.Path(path_type=Path), metavar="FILE", help="Take what this wrapper takes, too.")
@click.option(
    "--engine", type=click.Choice(["local", "spark"]), default="local", help="Where to read. [default: local]"
)
@click.option("--master", metavar="URL", help="The cluster, where Spark is not told of it otherwise.")
@click.option("--workers", type=click.IntRange(1, 256), metavar="N", help="Processes at a time. [default: one a core]")
@click.option("--resume", is_flag=True, help="Go on where files were added to the input since.")
@click.option("--render", is_flag=True, help="Lay pages out with what the same archive holds; the network is closed.")
@click.option("--base", metavar="URL|DIR", help="What the paths in manifests and indexes start from.")
@click.option("--host", "hosts", multiple=True, metavar="NAME", help="Only this host and its subdomains; repeatable.")
@click.option("--url", "urls", multiple=True, metavar="GLOB", help="Only addresses of this pattern; repeatable.")
@click.option("--language", "languages", multiple=True, metavar="TAG", help="Only pages in this language; repeatable.")
@click.option("--mime", "mimes", multiple=True, metavar="TYPE", help="Only this content type; repeatable.")
@click.option("--status", "statuses", multiple=True, metavar="N", help="200, 4xx or any; repeatable. [default: 2xx]")
@click.option("--keyword", default="", metavar="TEXT", help="Only pages on which this stands.")
@click.option("--dedup", is_flag=True, help="Of pages with the same digest, read the first only.")
@click.option("--verify", is_flag=True, help="Hold every record against its digest.")
@click.option(
    "--seconds",
    type=click.FloatRange(0, MOST_SECONDS, min_open=True),
    default=30.0,
    metavar="N",
    help="Time for one record. [default: 30]",
)
@click.option(
    "--memory", type=click.IntRange(1), default=1024, metavar="MIB", help="Memory for one record. [default: 1024]"
)
@click.option("--max-bytes", type=click.IntRange(1, MOST), metavar="N", help="Bytes of one page. [default: 16 MiB]")
@click.option("--max-nodes", type=click.IntRange(1, MOST), metavar="N", help="Nodes of one page. [default: 500,000]")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON object.")
@diagnostic_options
@click.pass_context
def batch(ctx: click.Context, /, *, inputs: tuple[str, ...], output: Path, as_json: bool, **choices: Any) -> None:  # noqa: ANN401
    """Read the pages of archives into Parquet files.

    An INPUT is a WARC file, a pattern, a manifest of paths (.paths), an index (.cdxj, .parquet), or a folder.
    The same command goes on where it was, whatever ended it.
    """
    # Imported here, since it takes a while, which other commands do without.
    from windrow.batch.batch import Batch  # noqa: PLC0415
    from windrow.batch.inputs import find_inputs  # noqa: PLC0415
    from windrow.batch.output import Output  # noqa: PLC0415
    from windrow.batch.supervisor import Stopped  # noqa: PLC0415

    for name in ("pyarrow", "fastwarc"):
        require_library(name)  # better missed now than in every process
    began = time.monotonic()
    job = _job(choices)
    found = find_inputs(inputs, choices["base"])
    with stopping() as stop, bar(quiet=as_json) as watch:
        work = Batch(job, found, Output(output.absolute()), _engine(choices, stop, watch), choices["resume"])
        try:
            counts = work.run()
        except (Stopped, KeyboardInterrupt):
            say("Stopped. What is done stays done; the same command goes on where it was.")
            ctx.exit(INTERRUPTED)
    seconds = round(time.monotonic() - began, 3)
    if as_json:
        click.echo(to_json(counts.to_dict() | {"seconds": seconds}))
    else:
        _tell(counts, seconds, output)


def _job(choices: dict[str, Any]) -> Job:
    from windrow.batch.job import Filters, Job  # noqa: PLC0415 - as above

    names = ("hosts", "urls", "languages", "mimes", "statuses", "keyword")
    limits = {name: choices[name] for name in ("max_bytes", "max_nodes")}
    options = choices_to_options(limits)
    return Job(
        readers=tuple(choose_readers(choices["readers"])) if choices["readers"] else (),
        wrapper=_wrapper(choices["wrapper"]) if choices["wrapper"] else "",
        filters=Filters(**{name: choices[name] for name in names}),
        options=replace(options, limits=replace(options.limits, seconds=choices["seconds"])),
        **{name: choices[name] for name in ("render", "dedup", "verify")},
    )


def _wrapper(path: Path) -> str:
    from windrow.cli.wrapper_file import read_wrapper  # noqa: PLC0415 - as above

    return read_wrapper(path).to_json()


def _engine(choices: dict[str, Any], stop: threading.Event, watch: Callable[[Progress], None]) -> Engine:
    from windrow.batch.job import RecordLimits  # noqa: PLC0415 - as above

    limits = RecordLimits(choices["seconds"], choices["memory"] * MEBIBYTE)
    if choices["engine"] == "spark":
        from windrow.batch.spark import SparkEngine, spark_context  # noqa: PLC0415 - only where it is asked for

        master = choices["master"] or (f"local[{choices['workers']}]" if choices["workers"] else None)
        return SparkEngine(spark_context(master), limits, watch, stop)
    from windrow.batch.local import LocalEngine  # noqa: PLC0415 - as above

    return LocalEngine(choices["workers"] or core_count(), limits, watch, stop)


def _tell(counts: Counts, seconds: float, output: Path) -> None:
    """Write what came of it in a few lines."""
    click.echo(f"{counted(counts.records, 'record')}, {counts.read:,} read, in {seconds:.1f} s: {output}")
    for word, reasons in (("skipped", counts.skipped), ("failed", counts.failed)):
        if reasons:
            named = ", ".join(f"{reason} {number:,}" for reason, number in sorted(reasons.items()))
            click.echo(f"  {word} {sum(reasons.values()):,}: {named}")


@contextmanager
def bar(*, quiet: bool) -> Iterator[Callable[[Progress], None]]:
    """Show how far a batch is, where somebody looks."""
    if quiet or not is_terminal(sys.stderr):
        yield lambda _: None
        return
    from rich import progress as bars  # noqa: PLC0415 - where a bar is shown

    more = bars.TextColumn(
        "{task.fields[records]:,} records  {task.fields[rate]:.0f}/s  {task.fields[rejects]:,} rejects"
    )
    columns = (bars.TextColumn("{task.description}"), bars.BarColumn(), more, bars.TimeRemainingColumn())
    with bars.Progress(*columns, console=standard_error(), transient=True) as shown:
        task = shown.add_task("reading", total=None, records=0, rate=0.0, rejects=0)
        began: list[tuple[float, int]] = []

        def watch(progress: Progress) -> None:
            began.append((time.monotonic(), progress.records)) if not began else None
            since, before = began[0]
            rate = (progress.records - before) / max(time.monotonic() - since, 1e-3)
            shown.update(task, description=progress.doing, completed=progress.done, total=progress.total)
            shown.update(task, records=progress.records, rate=rate, rejects=progress.rejects)

        yield watch
