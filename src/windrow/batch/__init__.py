"""Archives of pages to Parquet: every record read or counted by its reason, on one machine or on Spark."""

from windrow.batch.spark import read_warc

__all__ = ["read_warc"]
