"""Any source to one outcome: browsers, guard proxies and worker processes, and the pages that they bring."""

from windrow.loader.loader import Loader
from windrow.loader.outcome import Outcome
from windrow.loader.shared import close, load, load_many, parse, parse_many
from windrow.loader.task import Task

__all__ = ["Loader", "Outcome", "Task", "close", "load", "load_many", "parse", "parse_many"]
