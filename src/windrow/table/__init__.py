"""Tables: what a person sees as one, whatever the markup."""

from windrow.table.methods import METHODS, find_tables
from windrow.table.result import Cell, Table

__all__ = ["METHODS", "Cell", "Table", "find_tables"]
