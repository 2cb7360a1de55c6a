"""The one kind of result that every reader gives: columns with types, rows of values, and one exporter for all."""

from windrow.result.columns import TYPES, Column, DeclaredType, decide_columns, declared_column, free_name, number_names
from windrow.result.data import Box, Data, Source, SourceRows, Value, read_data
from windrow.result.mark import Mark
from windrow.result.members import Members, Plain, gather, to_pieces
from windrow.result.result import WRITTEN_BY_NEED, Result, from_dict, results_to_xlsx

__all__ = [
    "TYPES",
    "WRITTEN_BY_NEED",
    "Box",
    "Column",
    "Data",
    "DeclaredType",
    "Mark",
    "Members",
    "Plain",
    "Result",
    "Source",
    "SourceRows",
    "Value",
    "decide_columns",
    "declared_column",
    "free_name",
    "from_dict",
    "gather",
    "number_names",
    "read_data",
    "results_to_xlsx",
    "to_pieces",
]
