"""Tables whatever their markup: VENTREC beside our best, headers, spans, types, exports."""

from windrow.table.methods import METHODS, find_tables
from windrow.table.result import Cell, Table

__all__ = ["METHODS", "Cell", "Table", "find_tables"]
