"""The same on Spark: the same bytes, poison set aside within a task, and pages as a data frame."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import poison
import pytest
from archives import contents, pack, response, run_batch
from test_local import write_archive

from windrow.batch import read_warc
from windrow.batch.batch import Batch
from windrow.batch.inputs import find_inputs
from windrow.batch.job import Job, RecordLimits
from windrow.batch.output import Output
from windrow.batch.spark import SparkEngine, spark_context

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytest.importorskip("pyspark", reason="PySpark is not installed; pip install 'windrow[spark]'")
pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java 17 or newer, and there is none"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # PySpark leaves its sockets to the garbage collector
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.xdist_group("spark"),
]


@pytest.fixture(scope="module")
def patch() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory, patch: pytest.MonkeyPatch) -> Iterator[Any]:
    for name in ("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON"):
        patch.setenv(name, sys.executable)
    patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    poison.install(tmp_path_factory.mktemp("poison") / "site", patch)
    context = spark_context("local[2]")
    context.setLogLevel("ERROR")
    session = pytest.importorskip("pyspark.sql").SparkSession(context)
    yield session
    session.stop()


def test_spark_gives_the_same_bytes_and_sets_poison_aside(spark: Any, tmp_path: Path) -> None:  # noqa: ANN401
    path = write_archive(tmp_path / "x.warc.gz", 20, ("CRASH",))
    limits = RecordLimits(20.0)
    engine = SparkEngine(spark.sparkContext, limits, lambda _: None, threading.Event())
    found = Batch(Job(readers=("title",)), find_inputs([str(path)]), Output(tmp_path / "spark"), engine).run()
    assert found == run_batch([path], tmp_path / "local", workers=1, limits=limits)
    assert (found.read, dict(found.failed)) == (20, {"crash": 1})
    assert contents(tmp_path / "spark") == contents(tmp_path / "local")
    assert spark.read.parquet(str(tmp_path / "spark/pages")).count() == 20


def test_pages_are_a_data_frame(spark: Any, tmp_path: Path) -> None:  # noqa: ANN401 - of a library
    path = tmp_path / "x.warc.gz"
    path.write_bytes(pack([response("amber"), response("russet")]))
    frame = read_warc(spark, str(path))
    assert [row.url for row in frame.select("url").collect()] == [
        "https://quillfold.example/amber",
        "https://quillfold.example/russet",
    ]
    assert b"<h1>amber</h1>" in frame.first().body


def test_the_command_starts_no_more_of_spark_than_it_needs() -> None:
    code = (
        "import sys; from windrow.batch.spark import spark_context; context = spark_context('local[1]'); "
        "flag = context._jvm.java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments(); "
        "print('pandas' in sys.modules, '-XX:TieredStopAtLevel=1' in list(flag)); context.stop()"
    )
    environment = os.environ | {"SPARK_LOCAL_IP": "127.0.0.1"}
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert told.stdout.split() == ["False", "True"]


@pytest.mark.parametrize(
    ("master", "told"),
    [
        ("local[2]", {"-XX:TieredStopAtLevel=1"}),
        ("local", {"-XX:TieredStopAtLevel=1"}),
        ("spark://head:7077", set()),
        ("local-cluster[2,1,1024]", set()),
        (None, set()),
    ],
)
def test_the_java_options_of_a_cluster_stay(
    monkeypatch: pytest.MonkeyPatch, master: str | None, told: set[str]
) -> None:
    pyspark = pytest.importorskip("pyspark")
    monkeypatch.setattr(pyspark.SparkContext, "_jvm", None)  # that of other tests, which has what they set
    monkeypatch.setattr(pyspark.SparkContext, "getOrCreate", lambda settings: settings)
    settings = dict(spark_context(master).getAll())
    assert {text for name, text in settings.items() if name.endswith("JavaOptions")} == told
    assert settings.get("spark.master") == master
