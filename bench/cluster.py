"""A standalone Spark cluster of two workers on this machine, for as long as a benchmark needs it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

START_SECONDS = 180


@dataclass(frozen=True)
class Cluster:
    """Where its master is, and its programs: the master, then the workers."""

    url: str
    machines: list[psutil.Popen]


def spark_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return an environment in which Spark finds this Python, and no name has to resolve."""
    import pyspark  # noqa: PLC0415 - where Spark is asked for

    python = dict.fromkeys(("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON"), sys.executable)
    return {**environment, **python, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(Path(pyspark.__file__).parent)}


@contextmanager
def running_cluster(folder: Path, environment: Mapping[str, str]) -> Iterator[Cluster]:
    """Give a cluster of two workers with a core each; ``folder`` is for what they write."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"spark://127.0.0.1:{port}"
    program = str(Path(environment["SPARK_HOME"]) / "bin/spark-class")
    here = ["--host", "127.0.0.1", "--webui-port", "0"]
    master = ["org.apache.spark.deploy.master.Master", *here, "--port", str(port)]
    worker = ["org.apache.spark.deploy.worker.Worker", *here, "--cores", "1", "--memory", "1g"]
    worker += ["--work-dir", str(folder), url]
    log = folder.with_suffix(".log")
    machines: list[psutil.Popen] = []
    try:
        with log.open("wb") as said:
            for words in (master, worker, worker):
                machines.append(psutil.Popen([program, *words], env=dict(environment), stdout=said, stderr=said))
                _await(log, "I have been elected leader" if words is master else "registered with master", machines)
        yield Cluster(url, machines)
    finally:
        for machine in machines:
            end_machine(machine)


def _await(log: Path, words: str, machines: list[psutil.Popen]) -> None:
    """Wait until every worker so far, or the master, has said some words."""
    wanted = max(1, len(machines) - 1)
    deadline = time.monotonic() + START_SECONDS
    while log.read_text(errors="replace").count(words) < wanted:
        if time.monotonic() > deadline or machines[-1].poll() is not None:
            sys.exit(f"The cluster does not start:\n{log.read_text(errors='replace')[-2000:]}")
        time.sleep(0.2)


def end_machine(machine: psutil.Popen) -> None:
    """Kill a machine of the cluster with everything that it started."""
    with suppress(psutil.Error, subprocess.TimeoutExpired):
        for each in [*machine.children(recursive=True), machine]:
            with suppress(psutil.Error):
                each.kill()
        machine.wait(10)
