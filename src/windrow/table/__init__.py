"""Tables: what a person sees as one, whatever the markup."""

from windrow.table.best import find_tables
from windrow.table.result import Cell, Table

__all__ = ["Cell", "Table", "find_tables"]
