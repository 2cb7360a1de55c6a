"""Top-k lists: from a page that promises k things to the k things, ranked, with their attributes."""

from windrow.toplist.best import TopListReading, read_toplist
from windrow.toplist.result import Item, TopList, Verdict

__all__ = ["Item", "TopList", "TopListReading", "Verdict", "read_toplist"]
