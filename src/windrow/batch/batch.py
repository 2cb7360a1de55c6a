"""A batch from its beginning to its end: plan, survey, shards, revisits, manifest; and how it goes on after a crash."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Protocol

from windrow.batch.assignment import Assignment
from windrow.batch.counts import Counts
from windrow.batch.output import UNFINISHED, Output, Report
from windrow.batch.progress import Progress
from windrow.batch.revisits import find_originals, plan_revisits
from windrow.batch.shard import Shard, find_mismatches, plan_shards
from windrow.batch.survey import SURVEY, find_duplicates, write_resources
from windrow.batch.unit import Place
from windrow.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from windrow.batch.job import Job
    from windrow.batch.shard import Range

REVISITS = "revisits-"
"""What stands before the name of a shard of revisits."""


class Engine(Protocol):
    """Runs shards somewhere."""

    @property
    def workers(self) -> int:
        """How many shards are read at a time."""

    def run(self, assignments: Sequence[Assignment], progress: Progress) -> Iterator[Report]:
        """Yield what came of each shard."""


@dataclass
class Batch:
    """One job over one input, into one folder."""

    job: Job
    inputs: Sequence[Range]
    output: Output
    engine: Engine
    may_grow: bool = False
    """Whether an input that has grown since the last run is read further."""

    def run(self) -> Counts:
        """Read everything that is not read yet, and return the counts of all of it."""
        if self.job.render and (far := next((each.file for each in self.inputs if each.is_remote), None)):
            raise UsageError(
                f"{far} lies elsewhere, and pages are laid out from archives on this machine. Fetch it first."
            )
        self._refuse_strangers()
        with self.output.locked():
            manifest = self._open()
            if manifest["state"] == "finished":
                return Counts.from_dict(manifest["counts"])
            self.output.prepare(self.job)
            shards = [Shard.from_dict(each) for each in manifest["shards"] if not each["name"].startswith(REVISITS)]
            kept = {each["name"]: each["report"] for each in manifest["shards"] if each.get("report")}
            reports = {name: Report.from_dict(plain) for name, plain in kept.items()} | self.output.reports()
            duplicates, resources = self._survey(shards)
            assignments = [
                replace(self._assign(shard), duplicates=duplicates.get(shard.name, frozenset()), resources=resources)
                for shard in shards
            ]
            self._read(assignments, reports)
            shards = self._mend(assignments, reports)
            shards += self._resolve(shards, reports, resources)
            return self._finish(manifest, shards, reports)

    def _open(self) -> dict[str, Any]:
        """Return the manifest of a batch that goes on, or that begins."""
        inputs = [[each.kind, each.file, each.start, each.end] for each in self.inputs]
        manifest = self.output.read_manifest()
        if manifest is None:
            shards = [shard.to_dict() for shard in plan_shards(self.inputs, self.engine.workers)]
            manifest = {"windrow": version("windrow"), "state": "running", "job": self.job.to_dict(), "inputs": inputs}
            manifest |= {"changed": self._changed(), "shards": shards}
            self.output.write_manifest(manifest)
            return manifest
        if manifest["job"] != self.job.to_dict():
            raise UsageError(
                f"{self.output.folder} holds another batch: other readers, filters or options. Choose a new folder."
            )
        self._refuse_changes(manifest)
        if manifest["inputs"] != inputs:
            manifest = self._grow(manifest, inputs)
        return manifest if manifest["state"] == "finished" else self._renew(manifest)

    def _changed(self) -> dict[str, str]:
        """Return, by file, what tells whether it was changed since."""
        return {each.file: each.changed for each in self.inputs if each.changed}

    def _refuse_strangers(self) -> None:
        """Refuse a folder in which something else is, before anything is written there."""
        folder = self.output.folder
        names = [path.name for path in folder.iterdir() if not path.match(UNFINISHED)] if folder.is_dir() else []
        if names and self.output.read_manifest() is None:
            raise UsageError(f"There is something else in {folder} ({min(names)}). Choose a new folder.")

    def _refuse_changes(self, manifest: dict[str, Any]) -> None:
        """Refuse files that are not what they were: half of the output would be of the one, half of the other."""
        ends = {(kind, file, start): end for kind, file, start, end in manifest["inputs"]}
        known = manifest.get("changed", {})
        for each in self.inputs:
            before = ends.get((each.kind, each.file, each.start), each.end)
            if before != each.end:
                what = f"has {each.size:,} bytes now, and had {before - each.start:,}"
            elif each.changed and known.get(each.file, each.changed) != each.changed:
                what = "was changed"
            else:
                continue
            raise UsageError(f"{each.file} {what} since {self.output.folder} was begun. Choose a new folder.")

    def _renew(self, manifest: dict[str, Any]) -> dict[str, Any]:
        """Return the manifest of a batch that another version began, where somebody wants it to go on."""
        begun, ours = manifest["windrow"], version("windrow")
        if begun == ours:
            return manifest
        if not self.may_grow:
            raise UsageError(
                f"{self.output.folder} was begun by Windrow {begun}, and this is {ours}, which may read otherwise. "
                "Choose a new folder, or add --resume to go on all the same."
            )
        renewed = manifest | {"windrow": ours, "earlier": [*manifest.get("earlier", []), begun]}
        self.output.write_manifest(renewed)
        return renewed

    def _grow(self, manifest: dict[str, Any], inputs: list[list[Any]]) -> dict[str, Any]:
        """Return the manifest with shards for what is new in the input."""
        before, now = ({tuple(each) for each in some} for some in (manifest["inputs"], inputs))
        if gone := before - now:
            raise UsageError(f"{min(gone)[1]} was read before and is not in the input now. Choose a new folder.")
        if not self.may_grow:
            raise UsageError(
                f"The input is not the one that {self.output.folder} was begun with. Choose a new folder, or add "
                "--resume where files were only added."
            )
        new = [each for each in self.inputs if (each.kind, each.file, each.start, each.end) not in before]
        plain = [each for each in manifest["shards"] if not each["name"].startswith(REVISITS)]
        added = [shard.to_dict() for shard in plan_shards(new, self.engine.workers, len(plain))]
        grown = manifest | {"state": "running", "inputs": inputs, "shards": [*manifest["shards"], *added]}
        grown["changed"] = manifest.get("changed", {}) | self._changed()
        self.output.write_manifest(grown)
        return grown

    def _assign(self, shard: Shard) -> Assignment:
        return Assignment(self.job, shard, self.output.folder, self.output.spool_folder(shard.name))

    def _survey(self, shards: Sequence[Shard]) -> tuple[dict[str, frozenset[Place]], Path | None]:
        """Look through the input where something must be known of all of it before a page is read."""
        if not self.job.dedup and not self.job.render:
            return {}, None
        looks = [replace(self._assign(replace(each, name=SURVEY + each.name)), task="survey") for each in shards]
        self._read(looks, self.output.reports(), doing="looking through")
        duplicates = find_duplicates(self.output, shards) if self.job.dedup else {}
        if not self.job.render:
            return duplicates, None
        path = self.output.work / "resources.db"
        write_resources(self.output, shards, path)
        return duplicates, path

    def _read(self, assignments: Iterable[Assignment], reports: dict[str, Report], doing: str = "reading") -> None:
        """Read the shards that are not done yet; each report is added as it comes."""
        every = list(assignments)
        left = [each for each in every if each.shard.name not in reports]
        progress = Progress(sum(each.shard.size for each in every), doing=doing)
        for each in every:
            if (known := reports.get(each.shard.name)) is not None:
                progress = progress.plus(each.shard.size, known.counts.records, known.counts.rejects)
        if left:
            for report in self.engine.run(left, progress):
                reports[report.shard] = report

    def _mend(self, assignments: list[Assignment], reports: dict[str, Report]) -> list[Shard]:
        """Read shards again that began at something that only looked like a record; return the shards as they are."""
        by_name = {each.shard.name: each for each in assignments}
        while True:
            shards = [each.shard for each in by_name.values()]
            wrong = find_mismatches(shards, {name: report.spans for name, report in reports.items()})
            if not wrong:
                return shards
            for shard in wrong:
                self.output.forget(shard.name)
                reports.pop(shard.name)
                by_name[shard.name] = replace(by_name[shard.name], shard=shard)
            self._read([by_name[shard.name] for shard in wrong], reports)

    def _resolve(self, shards: Sequence[Shard], reports: dict[str, Report], resources: Path | None) -> list[Shard]:
        """Read the revisits of new shards by their originals, wherever in the input those stand."""
        waiting = [each.name for each in shards if reports[each.name].files.get("revisits", {}).get("rows")]
        waiting = [name for name in waiting if self.output.path("revisits", name).exists()]
        if not waiting:
            return []
        revisits = find_originals(self.output, waiting, [shard.name for shard in shards], self.job)
        marked = self.output.reports()
        known = sum(name.startswith(REVISITS) for name in reports if name not in marked)
        found = [
            replace(
                self._assign(shard),
                revisits=tuple(each.row for each in group),
                duplicates=frozenset(Place(number, 0) for number, each in enumerate(group) if each.is_copy),
                resources=resources,
            )
            for shard, group in plan_revisits(revisits, f"{REVISITS}{known}-")
        ]
        self._read(found, reports)
        return [each.shard for each in found]

    def _finish(self, manifest: dict[str, Any], shards: Sequence[Shard], reports: dict[str, Report]) -> Counts:
        total = Counts()
        listed = []
        named = {shard.name: shard.to_dict() for shard in shards}
        named |= {each["name"]: each for each in manifest["shards"] if each["name"] not in named}
        for name, plain in named.items():
            total.add(reports[name].counts)
            listed.append(plain | {"report": reports[name].to_dict()})
        done = manifest | {"state": "finished", "counts": total.to_dict(), "shards": listed}
        self.output.write_manifest(done)
        self.output.clear()
        return total
